//! The tokens of a chunk, trivia included.

use rowan::{TextRange, TextSize};

use super::Kind;

/// Tokens side by side: together they cover the text without gap or overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lexed<K> {
    kinds: Vec<K>,
    /// Start offsets in bytes, and the text's length at the end: one more than `kinds`.
    starts: Vec<u32>,
}

impl<K: Kind> Lexed<K> {
    /// For a text of about `bytes` bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self::starting_at(0, bytes)
    }

    /// The same for tokens from a byte offset on.
    pub fn starting_at(start: usize, bytes: usize) -> Self {
        let mut starts = Vec::with_capacity(bytes / 3 + 2);
        starts.push(start as u32);
        Lexed { kinds: Vec::with_capacity(bytes / 3 + 1), starts }
    }

    /// Appends a token that ends at byte offset `end`. Empty tokens are dropped.
    #[inline]
    pub fn push(&mut self, kind: K, end: usize) {
        let end = end as u32;
        if self.starts.last() != Some(&end) {
            self.kinds.push(kind);
            self.starts.push(end);
        }
    }

    /// Gives back what was reserved for more tokens.
    pub fn shrink_to_fit(&mut self) {
        self.kinds.shrink_to_fit();
        self.starts.shrink_to_fit();
    }

    /// The kinds of all tokens, trivia included.
    pub fn kinds(&self) -> &[K] {
        &self.kinds
    }

    /// Number of tokens, trivia included.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind of a token; [`Kind::EOF`] past the end.
    #[inline]
    pub fn kind(&self, index: usize) -> K {
        self.kinds.get(index).copied().unwrap_or(K::EOF)
    }

    /// Byte offset of a token's start; the text's length past the end.
    #[inline]
    pub fn start(&self, index: usize) -> u32 {
        self.starts.get(index).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// An empty range at the text's end past the last token.
    #[inline]
    pub fn range(&self, index: usize) -> TextRange {
        TextRange::new(TextSize::new(self.start(index)), TextSize::new(self.start(index + 1)))
    }

    /// `""` past the end.
    #[inline]
    pub fn text<'t>(&self, text: &'t str, index: usize) -> &'t str {
        text.get(self.start(index) as usize..self.start(index + 1) as usize).unwrap_or("")
    }

    /// Index of the first token at or after `index` that is not trivia.
    #[inline]
    pub fn skip_trivia(&self, mut index: usize) -> usize {
        while self.kinds.get(index).is_some_and(|k| k.is_trivia()) {
            index += 1;
        }
        index
    }

    /// Index of the token that covers a byte offset (the right one at a boundary).
    pub fn at_offset(&self, offset: TextSize) -> usize {
        self.starts.partition_point(|s| *s <= u32::from(offset)).saturating_sub(1)
    }
}
