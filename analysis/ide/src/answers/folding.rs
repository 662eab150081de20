//! Parts of a text that can be folded.

use wavelens_base::TextRange;

/// What a fold is, in the words editors know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoldKind {
    /// A block of code.
    Region,
    /// Lines of comments.
    Comment,
    /// CHECK lines.
    Checks,
    /// Lines of debug records, or of metadata that describes the source. Runs are made one as those of [`FoldKind::Run`].
    DebugInfo,
    /// Lines of small entities of one class. Runs of a class that follow each other are made one; short ones are dropped.
    Run(char),
}

/// What can be folded: from the end of its first line to the end of its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fold {
    /// Relative to the chunk in a dialect's answer, in the file in that of a driver.
    pub range: TextRange,
    /// What it is.
    pub kind: FoldKind,
}
