//! Hover.

use wavelens_base::TextSize;

use super::{ask, test_lines};
use crate::answers::Hover;
use crate::db::View;
use crate::markdown;

/// What is shown about the word at an offset of the file.
pub fn hover(view: View<'_>, offset: TextSize) -> Option<Hover> {
    let (index, _, at) = view.chunk_at(offset)?;
    let own = ask!(view, index, hover::hover(at)).flatten();
    let own = own.map(|hover| Hover { range: hover.range + view.start(index), ..hover });
    let Hover { range, markdown } = own.or_else(|| test_lines::hover(view, offset))?;
    Some(Hover { range, markdown: markdown::safe(&markdown) })
}
