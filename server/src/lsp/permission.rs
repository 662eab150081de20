//! Folders outside of the workspace whose source files the user wants to see.
//!
//! A document decides what its debug information names, so nothing of such a file is read before the user has said so. The question is asked
//! when somebody goes to a definition there, never because of a hover or a link.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use lsp_types::{MessageActionItem, MessageType, Range, ShowDocumentParams, Uri};
use tower_lsp::Client;

use super::outbox::plain_text;
use crate::shown;

const SHOW: &str = "Show its source files";
const REFUSE: &str = "Do not show them";

/// A folder as debug information names it, and the one that this was when the user was asked. Links that change afterwards lead nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folder {
    pub(super) named: PathBuf,
    pub(super) real: PathBuf,
}

/// What was answered since the server started.
#[derive(Default)]
pub(super) struct Permission {
    answers: Mutex<Answers>,
}

#[derive(Default)]
struct Answers {
    shown: Vec<Folder>,
    refused: Vec<PathBuf>,
    /// A question that waits for its answer; there is never a second one.
    asks: bool,
}

/// A file that may be shown after a question, and the place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outside {
    pub(super) folder: Folder,
    pub(super) file: Uri,
    pub(super) range: Range,
}

impl Permission {
    fn answers(&self) -> std::sync::MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Folders whose source files may be shown, with those below them.
    pub(super) fn folders(&self) -> Vec<Folder> {
        self.answers().shown.clone()
    }

    /// Asks whether files of a folder may be shown, and shows the one that was wanted. A question that was closed without an answer is
    /// asked again the next time; an answer holds until the server ends.
    pub(super) async fn ask(&self, outside: Outside, client: Client, shows_documents: bool) {
        let Outside { folder, file, range } = outside;
        {
            let mut answers = self.answers();
            if answers.asks || answers.refused.contains(&folder.real) {
                return;
            }
            answers.asks = true;
        }
        let actions = [SHOW, REFUSE].map(|title| MessageActionItem {
            title: title.to_owned(),
            properties: std::collections::HashMap::new(),
        });
        let chosen =
            client.show_message_request(MessageType::INFO, question(&folder.real), Some(actions.to_vec()));
        // A client that knows no such request answers with an error: nothing is shown.
        let chosen = chosen.await.ok().flatten().map(|action| action.title);
        let is_shown = chosen.as_deref() == Some(SHOW);
        {
            let mut answers = self.answers();
            answers.asks = false;
            match chosen.as_deref() {
                Some(SHOW) => answers.shown.push(folder),
                Some(REFUSE) => answers.refused.push(folder.real),
                _ => {}
            }
        }
        if is_shown && shows_documents {
            let params = ShowDocumentParams {
                uri: file,
                external: None,
                take_focus: Some(true),
                selection: Some(range),
            };
            // Where it fails, going to the definition again leads there.
            let _ = client.show_document(params).await;
        }
    }
}

fn question(folder: &Path) -> String {
    let name = shown::path(folder);
    plain_text(&format!(
        "The debug information names a file outside of the workspace. May Wavelens show source files of `{name}` until it ends? \
         To show them always, name the folder in the setting `sourceFileMap`."
    ))
}
