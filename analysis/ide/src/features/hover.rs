//! Hover.

use wavelens_semantics::TextSize;

use super::ask;
use crate::answers::Hover;
use crate::db::View;

/// What is shown about the word at an offset of the file.
pub fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let (index, _, at) = view.chunk_at(offset)?;
    let hover = ask!(view, index, hover::hover(at)).flatten()?;
    Some(Hover { range: hover.range + view.start(index), ..hover })
}
