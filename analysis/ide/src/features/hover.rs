//! Hover.

use wavelens_semantics::TextSize;

use super::{ask, test_lines};
use crate::answers::Hover;
use crate::db::View;

/// What is shown about the word at an offset of the file.
pub fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let (index, _, at) = view.chunk_at(offset)?;
    let Some(hover) = ask!(view, index, hover::hover(at)).flatten() else {
        return test_lines::hover(view, offset);
    };
    Some(Hover { range: hover.range + view.start(index), ..hover })
}
