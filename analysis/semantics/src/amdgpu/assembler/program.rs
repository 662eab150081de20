//! What was assembled, in order: the ground for control flow and liveness.

use wavelens_isa::Encoded;

use super::kernel_descriptor::Descriptor;
use super::symbols::SymbolId;
use crate::TextRange;

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub struct Instruction {
    pub encoded: Encoded,
    /// The statement in the file; of the call when it came out of a macro.
    pub range: TextRange,
    /// Bytes from the start of the section.
    pub offset: u64,
    /// Came out of a macro or a repetition.
    pub nested: bool,
    /// The symbol that an operand names.
    pub symbol: Option<SymbolId>,
}

/// Everything a run made.
#[derive(Debug, Default)]
pub struct Program {
    pub instructions: Vec<Instruction>,
    /// Labels with the number of instructions before them.
    pub labels: Vec<(SymbolId, usize, TextRange)>,
    pub functions: Vec<SymbolId>,
    pub descriptors: Vec<Descriptor>,
}

impl Program {
    pub(crate) fn label(&mut self, id: SymbolId, range: TextRange) {
        self.labels.push((id, self.instructions.len(), range));
    }

    pub(crate) fn function(&mut self, id: SymbolId) {
        self.functions.push(id);
    }
}
