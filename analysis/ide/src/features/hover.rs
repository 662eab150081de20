//! Hover.

use wavelens_semantics::{TextRange, TextSize};

use super::ask;
use crate::db::View;

/// What an editor shows over a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub range: TextRange,
    pub markdown: String,
}

pub fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let (index, _, at) = view.chunk_at(offset)?;
    let hover = ask!(view, index, hover::hover(at)).flatten()?;
    Some(Hover { range: hover.range + view.start(index), ..hover })
}
