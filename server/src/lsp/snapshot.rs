//! What requests see: a database clone and the documents as they were when the request arrived.

use std::sync::Arc;

use lsp_types::Uri;
use wavelens_analysis::Database;
use wavelens_analysis::db::{File, View};

use super::config::Config;
use super::position::Positions;
use super::tokens::Sent;

/// One document of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct DocumentView {
    pub(super) uri: Uri,
    pub(super) version: i32,
    /// Changes with the text and with the settings.
    pub(super) generation: u64,
    pub(super) positions: Positions,
    pub(super) file: File,
}

/// While one lives, edits wait: nothing that can block is done with one in hand.
pub(super) struct Snapshot {
    pub(super) db: Database,
    /// All open documents.
    pub(super) documents: Vec<DocumentView>,
    /// The one that the request is about.
    current: usize,
    pub(super) config: Arc<Config>,
    pub(super) sent_tokens: Arc<Sent>,
}

impl Snapshot {
    pub(super) fn new(
        db: Database,
        documents: Vec<DocumentView>,
        current: usize,
        config: Arc<Config>,
        sent_tokens: Arc<Sent>,
    ) -> Self {
        Snapshot { db, documents, current, config, sent_tokens }
    }

    /// The document that the request is about; `None` for requests about all of them, and for a document that is not open.
    pub(super) fn document(&self) -> Option<&DocumentView> {
        self.documents.get(self.current)
    }

    pub(super) fn view(&self, document: &DocumentView) -> View<'_> {
        View::new(&self.db, document.file)
    }
}
