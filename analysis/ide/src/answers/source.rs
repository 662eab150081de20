//! Places in the files that debug information names.

use wavelens_base::TextRange;

/// A place in a file that was compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourcePlace {
    /// What leads there. Relative to the chunk in a dialect's answer, in the file in that of a driver.
    pub origin: TextRange,
    /// The folder that the compiler ran in; may be empty.
    pub directory: String,
    /// Relative to the folder, or absolute.
    pub file: String,
    /// From 1; 0 is the file as a whole.
    pub line: u32,
    /// From 1; 0 is the line as a whole.
    pub column: u32,
    /// The text of the file, if debug information holds it.
    pub text: Option<EmbeddedText>,
}

/// Source text inside the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbeddedText {
    /// The line of the place.
    pub line: String,
    /// Where the line is, in the file, if it is written in one piece.
    pub range: Option<TextRange>,
}
