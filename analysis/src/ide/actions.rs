//! Code actions: fixes of findings, and what a dialect offers at a place.

use super::ask;
use crate::check::Finding;
use crate::db::{View, findings_of};
use crate::{TextEdit, TextRange};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    QuickFix,
    Rewrite,
}

/// A change that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Imperative.
    pub title: String,
    pub kind: ActionKind,
    pub edits: Vec<TextEdit>,
    /// The finding that it mends.
    pub finding: Option<Finding>,
    /// The edits' ranges are in the file already, not in the chunk that was asked.
    in_file: bool,
}

impl Action {
    pub fn rewrite(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action { title: title.into(), kind: ActionKind::Rewrite, edits, finding: None, in_file: false }
    }

    /// A change in other chunks too: ranges are offsets in the file.
    pub fn in_file(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action { in_file: true, ..Action::rewrite(title, edits) }
    }

    /// A change that mends a finding.
    pub fn mending(self, finding: Finding) -> Self {
        Action { kind: ActionKind::QuickFix, finding: Some(finding), ..self }
    }
}

/// The fixes of findings that touch a range of the file, then what the dialect offers there.
pub fn actions(view: View<'_>, range: TextRange) -> Vec<Action> {
    let mut all = Vec::new();
    for index in view.chunks_in(range) {
        for finding in findings_of(view, index) {
            if let (Some(fix), Some(_)) = (&finding.fix, finding.range.intersect(range)) {
                all.push(Action {
                    title: fix.title.clone(),
                    kind: ActionKind::QuickFix,
                    edits: fix.edits.clone(),
                    finding: Some(finding),
                    in_file: true,
                });
            }
        }
    }
    if let Some((index, _, at)) = view.chunk_at(range.start()) {
        let start = view.start(index);
        let local = TextRange::at(at, range.len());
        let own = ask!(view, index, actions::actions(local)).unwrap_or_default();
        all.extend(own.into_iter().map(|mut action| {
            if !action.in_file {
                action.edits.iter_mut().for_each(|e| e.range += start);
            }
            action
        }));
    }
    all
}
