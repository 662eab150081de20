//! What a dialect's answer may read.

use wavelens_base::{ChunkId, TextRange, TextSize};

use crate::db::{Chunk, View};

/// A chunk within its file. `L` and `S` are the dialect's lowered form and scope.
#[derive(Debug)]
pub struct ChunkCx<'db, L, S> {
    /// The document, for what is in other chunks.
    pub view: View<'db>,
    /// What the chunk says.
    pub lowered: &'db L,
    /// What can be named across chunks.
    pub scope: &'db S,
    /// Text of the chunk; offsets and ranges of answers are relative to its start.
    pub text: &'db str,
    /// Position among the file's chunks.
    pub index: usize,
    /// The chunk in the database.
    pub chunk: Chunk,
}

impl<L, S> Clone for ChunkCx<'_, L, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L, S> Copy for ChunkCx<'_, L, S> {}

impl<'db, L, S> ChunkCx<'db, L, S> {
    pub(crate) fn new(view: View<'db>, index: usize, chunk: Chunk, lowered: &'db L, scope: &'db S) -> Self {
        ChunkCx { view, lowered, scope, text: view.text(chunk), index, chunk }
    }

    /// The chunk's name.
    pub fn id(&self) -> ChunkId {
        self.chunk.id(self.view.db)
    }

    /// The chunk's text in a range; empty for a range that is not in it.
    pub fn slice(&self, range: TextRange) -> &'db str {
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
    }

    /// File offset of the chunk's start.
    pub fn start(&self) -> TextSize {
        self.view.start(self.index)
    }

    /// Text and index of another chunk of the file.
    pub fn other(&self, id: ChunkId) -> Option<(usize, Chunk)> {
        let index = self.view.index_of(id)?;
        Some((index, *self.view.chunks().get(index)?))
    }
}
