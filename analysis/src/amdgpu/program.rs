//! What was assembled, in order: the ground for control flow and liveness.

use wavelens_isa::Encoded;

use super::kernel_descriptor::Descriptor;
use super::symbols::SymbolId;
use crate::TextRange;

/// One instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instruction {
    pub(super) encoded: Encoded,
    /// The statement in the file; of the call when it came out of a macro.
    pub(super) range: TextRange,
    /// Bytes from the start of the section.
    pub(super) offset: u64,
    /// Came out of a macro or a repetition.
    pub(super) nested: bool,
    /// The symbol that an operand names.
    pub(super) symbol: Option<SymbolId>,
}

/// Everything a run made.
#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) instructions: Vec<Instruction>,
    /// Labels with the number of instructions before them.
    pub(super) labels: Vec<(SymbolId, usize, TextRange)>,
    pub(super) functions: Vec<SymbolId>,
    pub(super) descriptors: Vec<Descriptor>,
}

impl Program {
    pub(super) fn label(&mut self, id: SymbolId, range: TextRange) {
        self.labels.push((id, self.instructions.len(), range));
    }

    pub(super) fn function(&mut self, id: SymbolId) {
        self.functions.push(id);
    }
}
