//! Splitting by dialect.

use rowan::TextSize;

use crate::dialect::Dialect;
use crate::machine::split::{self, ChunkSpan, Lines};

fn lines_of(dialect: Dialect) -> Lines {
    match dialect {
        Dialect::Llvm => Lines::each(crate::llvm::split::line_rule),
        Dialect::Mir => Lines::each(crate::mir::split::line_rule),
        Dialect::Spirv => crate::spirv::split::LINES,
        Dialect::Amdgpu => Lines::each(crate::amdgpu::split::line_rule),
    }
}

/// Splits a whole file. An empty file is one empty chunk.
pub fn split(dialect: Dialect, text: &str) -> Vec<ChunkSpan> {
    split::split(lines_of(dialect), text)
}

/// Splits again what an edit touched; see [`split::resplit`].
pub fn resplit(dialect: Dialect, text: &str, resume: &[TextSize]) -> (Vec<ChunkSpan>, Option<TextSize>) {
    split::resplit(lines_of(dialect), text, resume)
}
