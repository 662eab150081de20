//! The parameters of what is being written.

/// What a call or instruction under the cursor wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    /// The signature as one line.
    pub label: String,
    /// Byte ranges of the parameters in `label`.
    pub parameters: Vec<std::ops::Range<usize>>,
    /// Index of the parameter that is being typed.
    pub active: Option<usize>,
    /// Markdown; may be empty.
    pub documentation: String,
}
