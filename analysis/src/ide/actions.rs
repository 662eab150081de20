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
}

impl Action {
    pub fn rewrite(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action { title: title.into(), kind: ActionKind::Rewrite, edits, finding: None }
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
                });
            }
        }
    }
    if let Some((index, _, at)) = view.chunk_at(range.start()) {
        let start = view.start(index);
        let local = TextRange::at(at, range.len());
        let own = ask!(view, index, actions::actions(local)).unwrap_or_default();
        all.extend(own.into_iter().map(|mut action| {
            action.edits.iter_mut().for_each(|e| e.range += start);
            action
        }));
    }
    all
}
