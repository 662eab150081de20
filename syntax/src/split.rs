//! Splitting by dialect.

use rowan::TextSize;

use crate::dialect::Dialect;
use crate::machine::split::{self, ChunkSpan, LineRule};

fn rule_of(dialect: Dialect) -> LineRule {
    match dialect {
        Dialect::Llvm => crate::llvm::split::line_rule,
        Dialect::Mir => crate::mir::split::line_rule,
        Dialect::Spirv => crate::spirv::split::line_rule,
        Dialect::Amdgpu => crate::amdgpu::split::line_rule,
    }
}

/// Splits a whole file. An empty file is one empty chunk.
pub fn split(dialect: Dialect, text: &str) -> Vec<ChunkSpan> {
    split::split(rule_of(dialect), text)
}

/// Splits again what an edit touched; see [`split::resplit`].
pub fn resplit(dialect: Dialect, text: &str, resume: &[TextSize]) -> (Vec<ChunkSpan>, Option<TextSize>) {
    split::resplit(rule_of(dialect), text, resume)
}
