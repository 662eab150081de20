//! Inlay hints.

use wavelens_base::TextRange;
use wavelens_syntax::visible;

use super::ask;
use crate::answers::Hint;
use crate::db::View;
use crate::markdown;

/// The hints in a range of the file, in order.
pub fn hints(view: View<'_>, range: TextRange) -> Vec<Hint> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, hints::hints()).unwrap_or_default();
        let moved = own.into_iter().map(|h| Hint {
            offset: h.offset + start,
            label: visible::line(&h.label).into_owned(),
            tooltip: markdown::safe(&h.tooltip),
            ..h
        });
        all.extend(moved.filter(|h| range.contains_inclusive(h.offset)));
    }
    all.sort_by_key(|h| h.offset);
    all
}
