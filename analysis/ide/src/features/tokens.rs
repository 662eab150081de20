//! Semantic tokens.

use wavelens_base::TextRange;

use super::{ask, check_lines};
use crate::answers::TokenSpan;
use crate::db::View;

/// The tokens in a range of the file, in order; the chunks that the range touches, whole.
pub fn tokens(view: View<'_>, range: TextRange) -> Vec<TokenSpan> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, tokens::tokens()).unwrap_or_default();
        all.extend(own.into_iter().map(|t| TokenSpan { range: t.range + start, ..t }));
    }
    check_lines::add_tokens(view, range, &mut all);
    all
}
