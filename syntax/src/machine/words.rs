//! The tokens of a chunk without trivia, for what reads it from front to back.

use rowan::{TextRange, TextSize};

use super::Kind;

/// Words in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words<K> {
    kinds: Vec<K>,
    ranges: Vec<TextRange>,
    /// Where the text ends.
    end: TextSize,
}

impl<K: Kind> Words<K> {
    /// For about so many words of a text that ends at byte offset `end`.
    pub fn with_capacity(words: usize, end: usize) -> Self {
        Words {
            kinds: Vec::with_capacity(words),
            ranges: Vec::with_capacity(words),
            end: TextSize::new(end as u32),
        }
    }

    /// Appends a word by its byte offsets.
    #[inline]
    pub fn push(&mut self, kind: K, start: usize, end: usize) {
        self.kinds.push(kind);
        self.ranges.push(TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32)));
    }

    /// The kinds of all words.
    pub fn kinds(&self) -> &[K] {
        &self.kinds
    }

    /// The kind of a word; [`Kind::EOF`] past the end.
    #[inline]
    pub fn kind(&self, index: usize) -> K {
        self.kinds.get(index).copied().unwrap_or(K::EOF)
    }

    /// Byte offsets of a word; an empty range at the text's end past the last.
    #[inline]
    pub fn range(&self, index: usize) -> TextRange {
        self.ranges.get(index).copied().unwrap_or(TextRange::empty(self.end))
    }

    /// `""` past the end.
    #[inline]
    pub fn text<'t>(&self, text: &'t str, index: usize) -> &'t str {
        text.get(std::ops::Range::<usize>::from(self.range(index))).unwrap_or("")
    }
}
