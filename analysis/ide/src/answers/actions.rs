//! Changes that the user can choose.

use wavelens_base::{Finding, TextEdit};

/// Where editors offer an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// Next to the finding that it fixes.
    QuickFix,
    /// Among the refactorings.
    Rewrite,
    /// Among those that move what is selected to a place of its own.
    Extract,
}

/// A change that the user can choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Imperative.
    pub title: String,
    /// Where it is offered.
    pub kind: ActionKind,
    /// What it changes.
    pub edits: Vec<TextEdit>,
    /// The finding that it fixes.
    pub finding: Option<Finding>,
    /// The edits' ranges are in the file already, not in the chunk that was asked.
    pub(crate) in_file: bool,
    /// Something else may be meant.
    pub(crate) likely: bool,
}

impl Action {
    /// A change within the chunk that is offered anywhere.
    pub fn rewrite(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action {
            title: title.into(),
            kind: ActionKind::Rewrite,
            edits,
            finding: None,
            in_file: false,
            likely: false,
        }
    }

    /// A change within the chunk that corrects what is refused there.
    pub(crate) fn fix(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action { kind: ActionKind::QuickFix, ..Action::rewrite(title, edits) }
    }

    /// A change in other chunks too: ranges are offsets in the file.
    pub(crate) fn in_file(title: impl Into<String>, edits: Vec<TextEdit>) -> Self {
        Action { in_file: true, ..Action::rewrite(title, edits) }
    }

    /// Nothing else can be meant.
    pub fn is_certain(&self) -> bool {
        !self.likely && self.finding.as_ref().is_some_and(|f| f.fix.as_ref().is_none_or(|fix| fix.certain))
    }

    /// A change that fixes a finding.
    pub(crate) fn fixing(self, finding: Finding) -> Self {
        Action { kind: ActionKind::QuickFix, finding: Some(finding), ..self }
    }
}
