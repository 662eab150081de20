//! What is shown about a word.

use wavelens_base::TextRange;

/// What an editor shows over a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// What it is about.
    pub range: TextRange,
    /// What is shown.
    pub markdown: String,
}
