//! Inlay hints.

use wavelens_semantics::{TextRange, TextSize};

use super::ask;
use crate::db::View;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HintKind {
    Type,
    Parameter,
    /// A decoded constant, a name for a number, fields of a wait.
    Note,
    /// Where in the source it comes from.
    Place,
    /// Live registers.
    Live,
    /// Live registers of each line.
    LiveCount,
    /// Bytes of an instruction.
    Encoding,
    /// How far a branch goes.
    Distance,
}

/// A small text shown in the line that is not in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    pub offset: TextSize,
    pub label: String,
    /// Markdown; may be empty.
    pub tooltip: String,
    pub kind: HintKind,
}

/// The hints in a range of the file, in order.
pub fn hints(view: View<'_>, range: TextRange) -> Vec<Hint> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        view.db.unwind_if_revision_cancelled();
        let start = view.start(index);
        let own = ask!(view, index, hints::hints()).unwrap_or_default();
        let moved = own.into_iter().map(|h| Hint { offset: h.offset + start, ..h });
        all.extend(moved.filter(|h| range.contains_inclusive(h.offset)));
    }
    all.sort_by_key(|h| h.offset);
    all
}
