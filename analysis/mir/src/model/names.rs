//! Names and lists of a function, by number.

use wavelens_llvm::names::{self, NameId};

/// A name in [`Names`]; 0 is the empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Symbol(pub u32);

impl Symbol {
    pub(crate) const NONE: Symbol = Symbol(0);

    /// Whether it is not the empty name.
    pub fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// The names that a function uses, each once; while it is edited some that it used before.
#[derive(Debug, Clone)]
pub struct Names(names::Names);

impl Default for Names {
    fn default() -> Self {
        let mut names = names::Names::default();
        names.intern("");
        Names(names)
    }
}

impl Names {
    pub(crate) fn add(&mut self, name: &str) -> Symbol {
        Symbol(self.0.intern(name).0)
    }

    /// The text of a name; empty for a symbol of another table.
    pub fn get(&self, symbol: Symbol) -> &str {
        self.0.get(NameId(symbol.0))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn shrink(&mut self) {
        self.0.shrink();
    }
}

/// A range of indices into a flat array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First index.
    pub start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The span as indices of its list.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many indices it has.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether it has no indices.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The part of an array; empty where the span is out of bounds.
    pub fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.indices()).unwrap_or(&[])
    }
}
