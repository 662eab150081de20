//! What was assembled, in order: the ground for control flow and liveness.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::{Packed, Target, effects};

use super::kernel_descriptor::Descriptor;
use super::metadata::KernelMetadata;
use super::symbols::SymbolId;
use wavelens_base::TextRange;

/// One instruction.
#[derive(Debug, Clone)]
pub struct Instruction {
    /// The instruction with its bytes.
    pub encoded: Packed,
    /// The statement in the file; of the call when it came out of a macro.
    pub range: TextRange,
    /// Bytes from the start of the section.
    pub offset: u64,
    /// Came out of a macro or a repetition.
    pub nested: bool,
    /// The symbol that an operand names.
    pub symbol: Option<SymbolId>,
}

/// Words in code that control does not reach, or that are not instructions.
#[derive(Debug, Clone)]
pub struct Data {
    /// The directive, as of [`Instruction::range`].
    pub range: TextRange,
    /// Bytes from the start of the section.
    pub offset: u64,
    /// In memory order; values that are not known here are 0.
    pub bytes: Vec<u8>,
    /// The number of instructions before it.
    pub before: usize,
}

/// Everything a run made.
#[derive(Debug, Default)]
pub struct Program {
    /// In the order of the text.
    pub instructions: Vec<Instruction>,
    /// In the order of the text.
    pub data: Vec<Data>,
    /// What instructions branch to.
    goals: FxHashSet<SymbolId>,
    /// Labels with the number of instructions before them.
    pub labels: Vec<(SymbolId, usize, TextRange)>,
    /// Symbols with `.type name,@function`.
    pub functions: Vec<SymbolId>,
    /// `.amdhsa_kernel` blocks.
    pub descriptors: Vec<Descriptor>,
    /// Lanes of the largest workgroup of each kernel, by name, from the metadata of the code object.
    pub workgroups: FxHashMap<String, u32>,
    /// What the metadata of the code object says of each kernel.
    pub(crate) metadata: Vec<KernelMetadata>,
    /// Places with instructions that could not be read, as numbers of the next instructions, in order. What such an
    /// instruction waits for, reads or writes is unknown.
    pub gaps: Vec<usize>,
}

impl Program {
    pub(crate) fn add(&mut self, target: Target, instruction: Instruction) {
        if let Some(symbol) = instruction.symbol
            && effects(target, &instruction.encoded.inst()).branch
        {
            self.goals.insert(symbol);
        }
        self.instructions.push(instruction);
    }

    /// Whether control reaches what comes next: after the last instruction, or from a branch above.
    pub(crate) fn is_reached(&self, target: Target) -> bool {
        let place = self.instructions.len();
        let is_branched_to = || {
            let is_next = self.data.last().is_none_or(|data| data.before < place);
            let mut labels = self.labels.iter().rev().take_while(|(_, at, _)| *at == place);
            is_next && labels.any(|(id, ..)| self.goals.contains(id))
        };
        let falls_through =
            self.instructions.last().is_some_and(|i| !effects(target, &i.encoded.inst()).terminates);
        falls_through || is_branched_to()
    }

    pub(crate) fn label(&mut self, id: SymbolId, range: TextRange) {
        self.labels.push((id, self.instructions.len(), range));
    }

    /// The first label of each symbol.
    pub fn label_ranges(&self) -> FxHashMap<SymbolId, TextRange> {
        self.labels.iter().rev().map(|(id, _, range)| (*id, *range)).collect()
    }

    /// The first label of each place: an index of the program's instructions.
    pub fn labels_by_place(&self) -> FxHashMap<usize, SymbolId> {
        self.labels.iter().rev().map(|(id, place, _)| (*place, *id)).collect()
    }

    /// The first descriptor of each kernel.
    pub fn descriptors_by_kernel(&self) -> FxHashMap<SymbolId, &Descriptor> {
        self.descriptors.iter().rev().map(|descriptor| (descriptor.kernel, descriptor)).collect()
    }

    /// Something here could not be read.
    pub(crate) fn gap(&mut self) {
        let at = self.instructions.len();
        if self.gaps.last() != Some(&at) {
            self.gaps.push(at);
        }
    }

    pub(crate) fn function(&mut self, id: SymbolId) {
        self.functions.push(id);
    }
}
