//! The open documents. A client may open thousands, so they are found by their URI without a look at all.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};

use lsp_types::Uri;

use super::document::OpenDocument;

#[derive(Default)]
pub(super) struct Documents {
    list: Vec<OpenDocument>,
    places: HashMap<Uri, usize>,
}

impl Documents {
    pub(super) fn position(&self, uri: &Uri) -> Option<usize> {
        self.places.get(uri).copied()
    }

    pub(super) fn find(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.list.get(self.position(uri)?)
    }

    pub(super) fn find_mut(&mut self, uri: &Uri) -> Option<&mut OpenDocument> {
        let index = self.position(uri)?;
        self.list.get_mut(index)
    }

    /// Adds a document that is not open.
    pub(super) fn push(&mut self, document: OpenDocument) {
        self.places.insert(document.uri.clone(), self.list.len());
        self.list.push(document);
    }

    /// Takes a document out. The last one gets its place.
    pub(super) fn remove(&mut self, index: usize) -> OpenDocument {
        let removed = self.list.swap_remove(index);
        self.places.remove(&removed.uri);
        if let Some(moved) = self.list.get(index) {
            self.places.insert(moved.uri.clone(), index);
        }
        removed
    }
}

impl Deref for Documents {
    type Target = [OpenDocument];

    fn deref(&self) -> &[OpenDocument] {
        &self.list
    }
}

impl DerefMut for Documents {
    fn deref_mut(&mut self) -> &mut [OpenDocument] {
        &mut self.list
    }
}
