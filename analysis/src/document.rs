//! A document's chunks while it is edited: only what an edit touches is split and set again.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use wavelens_syntax::{resplit, split};

use crate::amdgpu::Whole;
use crate::db::{Chunk, Database, File};
use crate::{ChunkId, Dialect, Options, TextRange, TextSize};

/// A replacement of a range of the current text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub range: TextRange,
    pub text: String,
}

/// An open document: the salsa file, and plain copies of what edits need. Owned by the thread that writes the database.
#[derive(Debug)]
pub struct Document {
    file: File,
    dialect: Dialect,
    chunks: Vec<(Chunk, Arc<str>)>,
    /// Chunks that an edit took away, by their texts. Opening a block or a comment makes one chunk of many, and what they are known to
    /// mean is good again once it is closed.
    retired: FxHashMap<Arc<str>, Chunk>,
    next_id: u32,
}

/// How many chunks that went are kept for their return.
const RETIRED: usize = 1 << 16;

impl Document {
    pub fn new(db: &mut Database, dialect: Dialect, text: &str, options: Options) -> Self {
        let file =
            File::builder(dialect, Vec::new(), options).dialect_durability(Durability::NEVER_CHANGE).new(db);
        let (chunks, retired) = (Vec::new(), FxHashMap::default());
        let mut document = Document { file, dialect, chunks, retired, next_id: 0 };
        document.set_text(db, text);
        document
    }

    pub fn file(&self) -> File {
        self.file
    }

    /// Replaces the whole text.
    pub fn set_text(&mut self, db: &mut Database, text: &str) {
        self.set_settled(db, None);
        let spans = split(self.dialect, text);
        let old = std::mem::take(&mut self.chunks);
        self.retire(old);
        self.chunks = spans.iter().map(|s| self.chunk(db, slice(text, s.range))).collect();
        self.publish(db);
    }

    pub fn set_options(&mut self, db: &mut Database, options: Options) {
        if *self.file.options(db) != options {
            self.set_settled(db, None);
            self.file.set_options(db).to(options);
        }
    }

    /// Sets what the current text became as a whole; the next edit forgets it.
    pub fn set_settled(&mut self, db: &mut Database, settled: Option<Arc<Whole>>) {
        if self.file.settled(db).is_some() || settled.is_some() {
            self.file.set_settled(db).to(settled);
        }
    }

    /// Applies one edit. A range outside the text is cut to it; offsets inside a character move to its start.
    pub fn edit(&mut self, db: &mut Database, edit: &Edit) {
        self.set_settled(db, None);
        let (first, start) = self.chunk_before(edit.range.start());
        let (mut last, mut end) = (first, start);
        // The window: the chunks the edit touches and one more, grown until the split meets an old boundary again.
        let mut window = String::new();
        let mut boundaries: Vec<usize> = Vec::new();
        let edit_end = usize::from(edit.range.end());
        let take = |window: &mut String, boundaries: &mut Vec<usize>, last: &mut usize, end: &mut usize| {
            let Some((_, text)) = self.chunks.get(*last) else { return false };
            boundaries.push(window.len());
            window.push_str(text);
            *end += text.len();
            *last += 1;
            true
        };
        while end <= edit_end && take(&mut window, &mut boundaries, &mut last, &mut end) {}
        let local = |offset: TextSize, window: &str| {
            let mut at = usize::from(offset).saturating_sub(start).min(window.len());
            while !window.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = local(edit.range.start(), &window);
        let to = local(edit.range.end(), &window).max(from);
        window.replace_range(from..to, &edit.text);
        let edited_end = from + edit.text.len();
        boundaries.clear();
        let mut step = 1;
        loop {
            // Chunks beyond the window, so that the boundaries at their starts can be seen.
            let more = (0..step).all(|_| take(&mut window, &mut boundaries, &mut last, &mut end));
            step *= 2;
            let resume: Vec<TextSize> =
                boundaries.iter().filter(|b| **b > edited_end).map(|b| TextSize::new(*b as u32)).collect();
            let (spans, stop) = resplit(self.dialect, &window, &resume);
            if stop.is_none() && more {
                continue;
            }
            // Chunks taken into the window at or beyond the stop stay as they are.
            let kept = stop.map_or(0, |stop| boundaries.iter().filter(|b| **b >= usize::from(stop)).count());
            let texts: Vec<&str> = spans.iter().map(|s| slice(&window, s.range)).collect();
            self.replace(db, first..last - kept, &texts);
            return;
        }
    }

    /// Puts new texts in place of some chunks, keeping the chunks at both ends whose texts are the same, and the identity of
    /// chunks as far as the count goes.
    fn replace(&mut self, db: &mut Database, range: std::ops::Range<usize>, texts: &[&str]) {
        let old = &self.chunks[range.clone()];
        let same_front = old.iter().zip(texts).take_while(|((_, o), n)| **o == ***n).count();
        let rest = old.len().min(texts.len()) - same_front;
        let same_back =
            old.iter().rev().zip(texts.iter().rev()).take(rest).take_while(|((_, o), n)| **o == ***n).count();
        let old_middle = range.start + same_front..range.end - same_back;
        let new_middle = &texts[same_front..texts.len() - same_back];
        let common = old_middle.len().min(new_middle.len());
        for (slot, text) in self.chunks[old_middle.clone()].iter_mut().zip(&new_middle[..common]) {
            let text: Arc<str> = Arc::from(*text);
            slot.0.set_text(db).to(text.clone());
            slot.1 = text;
        }
        if old_middle.len() != new_middle.len() {
            let added: Vec<_> = new_middle[common..].iter().map(|t| self.chunk(db, t)).collect();
            let removed: Vec<_> =
                self.chunks.splice(old_middle.start + common..old_middle.end, added).collect();
            self.retire(removed);
            self.publish(db);
        }
    }

    fn retire(&mut self, chunks: Vec<(Chunk, Arc<str>)>) {
        if self.retired.len() + chunks.len() > RETIRED {
            self.retired.clear();
        }
        self.retired.extend(chunks.into_iter().map(|(chunk, text)| (text, chunk)));
    }

    /// A chunk of this text: one that was there before, or a new one.
    fn chunk(&mut self, db: &mut Database, text: &str) -> (Chunk, Arc<str>) {
        match self.retired.remove_entry(text) {
            Some((text, chunk)) => (chunk, text),
            None => fresh(db, self.dialect, &mut self.next_id, text),
        }
    }

    fn publish(&self, db: &mut Database) {
        self.file.set_chunks(db).to(self.chunks.iter().map(|(c, _)| *c).collect());
    }

    /// The chunk to start splitting from for an edit at `offset`, and its start: the chunk of the line before.
    fn chunk_before(&self, offset: TextSize) -> (usize, usize) {
        let offset = usize::from(offset);
        let mut at = 0;
        for (index, (_, text)) in self.chunks.iter().enumerate() {
            let end = at + text.len();
            if offset < end || index + 1 == self.chunks.len() {
                let first_line = text.find('\n').map_or(text.len(), |n| n + 1);
                if index > 0 && offset < at + first_line {
                    let before = self.chunks[index - 1].1.len();
                    return (index - 1, at - before);
                }
                return (index, at);
            }
            at = end;
        }
        (0, 0)
    }
}

fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}

fn fresh(db: &mut Database, dialect: Dialect, next_id: &mut u32, text: &str) -> (Chunk, Arc<str>) {
    let id = ChunkId(*next_id);
    *next_id += 1;
    let text: Arc<str> = Arc::from(text);
    // What never changes is no dependency. The text has the lowest durability from the start: one that fell at the first edit would make
    // an equal summary count as changed.
    let chunk = Chunk::builder(id, dialect, text.clone())
        .id_durability(Durability::NEVER_CHANGE)
        .dialect_durability(Durability::NEVER_CHANGE)
        .new(db);
    (chunk, text)
}
