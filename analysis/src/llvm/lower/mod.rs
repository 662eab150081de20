//! From the flat tree to the lowered form, in one pass.

use std::sync::Arc;

use super::Lowered;

/// Lexes, parses and lowers a chunk.
pub fn lower(text: &str) -> Lowered {
    let parse = wavelens_syntax::llvm::parse(text);
    Lowered { diagnostics: parse.errors, summary: Arc::default(), ..Lowered::default() }
}
