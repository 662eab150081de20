//! What a reduction tries to take out: the dialects list it, and `wavelens-check` tries it.

use crate::{TextEdit, TextRange};

/// Changes that belong together. A change inside another one of the same trial is dropped.
pub type Unit = Vec<TextEdit>;

/// What the dialects' own passes work on, from large to small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Whole functions.
    Functions,
    /// Basic blocks.
    Blocks,
    /// Single instructions.
    Instructions,
    /// Values that instructions compute, which may come from elsewhere.
    Values,
    /// Operands of instructions.
    Operands,
}

/// A unit that takes a range out.
pub fn removal(range: TextRange) -> Unit {
    vec![TextEdit::new(range, "")]
}
