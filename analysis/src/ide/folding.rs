//! Folding ranges.

use super::ask;
use crate::TextRange;
use crate::db::View;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldKind {
    Region,
    Comment,
}

/// What can be folded: from the end of its first line to the end of its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    pub range: TextRange,
    pub kind: FoldKind,
}

pub fn folds(view: View<'_>) -> Vec<Fold> {
    let mut all = Vec::new();
    for index in 0..view.chunks().len() {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, folding::folds()).unwrap_or_default();
        all.extend(own.into_iter().map(|f| Fold { range: f.range + start, ..f }));
    }
    all
}
