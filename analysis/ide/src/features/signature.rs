//! Signature help.

use wavelens_semantics::TextSize;

use super::ask;
use crate::db::View;

/// What a call or instruction under the cursor wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    /// Byte ranges of the parameters in `label`.
    pub parameters: Vec<std::ops::Range<usize>>,
    /// Index of the parameter that is being typed.
    pub active: Option<usize>,
    /// Markdown; may be empty.
    pub documentation: String,
}

pub fn signature(view: View<'_>, offset: TextSize) -> Option<Signature> {
    let (index, _, at) = view.chunk_at(offset)?;
    ask!(view, index, signature::signature(at)).flatten()
}
