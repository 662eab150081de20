//! The symbols of a document.

use wavelens_base::{TextRange, TextSize};

/// What an outline entry is, in the words editors have icons for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolKind {
    /// A function with a body.
    Function,
    /// Has no body here.
    Declaration,
    /// A global variable or object.
    Variable,
    /// A value that does not change.
    Constant,
    /// A named type.
    Type,
    /// A basic block, or a label of assembly.
    Label,
    /// A section of an object file.
    Section,
    /// A kernel or shader entry point.
    EntryPoint,
    /// Many small things under one heading, so that they do not flood the outline.
    Group,
    /// None of these.
    Other,
}

/// An entry of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// With its sigil.
    pub name: String,
    /// A short addition, such as the type.
    pub detail: String,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name; inside `range`.
    pub selection: TextRange,
    /// What is inside, in order.
    pub children: Vec<Symbol>,
}

impl Symbol {
    /// Whether it is a function with a body.
    pub(crate) fn is_function(&self) -> bool {
        matches!(self.kind, SymbolKind::Function | SymbolKind::EntryPoint)
    }

    pub(crate) fn shift(&mut self, by: TextSize) {
        self.range += by;
        self.selection += by;
        self.children.iter_mut().for_each(|c| c.shift(by));
    }
}
