//! What the reader was told about documents that were not formatted as a whole. Who formats on saving reads the same once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lsp_types::{MessageType, Uri};

use super::outbox::Outbox;
use super::uri::file_name;

#[derive(Default)]
pub(super) struct LeftAlone(Mutex<HashMap<Uri, String>>);

impl LeftAlone {
    /// Shows what of a document is left as it is, unless that was the last that was said about it.
    pub(super) fn say(&self, uri: &Uri, left: Option<String>, outbox: &Outbox) {
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(left) = left else {
            said.remove(uri);
            return;
        };
        if said.insert(uri.clone(), left.clone()).as_ref() != Some(&left) {
            outbox.show(MessageType::WARNING, format!("{}: {left}", file_name(uri)));
        }
    }
}
