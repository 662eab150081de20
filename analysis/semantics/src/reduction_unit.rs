//! What a reduction tries to take out: the dialects list it, and [`reduce`](crate::reduce) tries it.

use crate::{TextEdit, TextRange};

/// Changes that belong together. A change inside another one of the same trial is dropped.
pub(crate) type Unit = Vec<TextEdit>;

/// What the dialects' own passes work on, from large to small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Functions,
    Blocks,
    Instructions,
    Operands,
}

/// A unit that takes a range out.
pub(crate) fn removal(range: TextRange) -> Unit {
    vec![TextEdit::new(range, "")]
}
