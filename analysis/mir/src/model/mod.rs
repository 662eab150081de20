//! A machine function in flat arrays: what its text says, before any target is known.
//!
//! Names of opcodes, physical registers, classes and the like are [`Symbol`]s of the function's own table; a target gives
//! them meaning later. Ranges are relative to the chunk.

mod memory;
mod names;
mod operand;
mod properties;
mod types;

use rustc_hash::{FxHashMap, FxHashSet};
use thin_vec::ThinVec;

pub use self::memory::{MemoryOperand, MemorySize, Ordering, Pointer};
pub use self::names::{Names, Span, Symbol};
pub use self::operand::{Operand, OperandKind, RegisterName, RegisterOperand, operand_flag};
pub use self::properties::{
    CallSite, Constant, FrameObject, FunctionLiveIn, JumpTable, Properties, RegisterDecl, Text, VirtualName,
    VirtualRegister,
};
pub use self::types::{Element, Type};
use super::ir::Metadata;
use wavelens_base::TextRange;

/// Flags of an instruction that rules ask for.
pub mod instruction_flag {
    pub(crate) const NO_CONVERGENT: u8 = 1;
    /// Inside a bundle, after its first instruction.
    pub const BUNDLED: u8 = 1 << 1;
    /// Could not be understood; rules pass over it.
    pub const BROKEN: u8 = 1 << 2;
    pub(crate) const DEBUG_LOCATION: u8 = 1 << 3;
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instruction {
    pub(crate) opcode: Symbol,
    /// Where the opcode is written.
    pub opcode_range: TextRange,
    /// Its text, without comments.
    pub range: TextRange,
    /// See [`instruction_flag`].
    pub flags: u8,
    pub(crate) operands: Span,
    /// Into [`Function::memory`].
    pub memory: Span,
    pub(crate) debug_number: u32,
    /// Metadata named by the trailers: number and place.
    pub metadata: Span,
}

/// A `!5` in an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetadataRef {
    /// As written.
    pub number: u32,
    /// Where it is, relative to the chunk.
    pub range: TextRange,
    /// The kind of node that its place needs.
    pub(crate) wanted: Option<Metadata>,
}

/// An entry of a block's `liveins:`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveIn {
    pub(crate) register: Symbol,
    /// Where it is written.
    pub range: TextRange,
}

/// An entry of a block's `successors:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Successor {
    /// Block number.
    pub block: u32,
    pub(crate) name: Symbol,
    pub(crate) range: TextRange,
    /// As written, in parts of 2^31.
    pub probability: Option<u32>,
}

/// A machine basic block.
#[derive(Debug, Clone, Default)]
pub struct Block {
    /// The number of `bb.0`.
    pub number: u32,
    /// The name of the IR block, after the number.
    pub name: Symbol,
    /// The label.
    pub range: TextRange,
    pub(crate) landing_pad: bool,
    pub(crate) inline_asm_target: bool,
    pub(crate) call_frame_size: u32,
    /// IR blocks named in the header.
    pub(crate) ir_blocks: Vec<(Symbol, TextRange)>,
    /// Into [`Function::block_live_ins`].
    pub live_ins: Span,
    /// `None` where the text names no successors and branches decide.
    pub successors: Option<Span>,
    /// Into [`Function::instructions`].
    pub instructions: Span,
}

/// A machine function.
#[derive(Debug, Clone, Default)]
pub struct Function {
    /// Names of opcodes, registers and the like.
    pub names: Names,
    /// What the YAML around the body says.
    pub properties: Properties,
    /// Virtual registers, in the order of their first mention.
    pub registers: ThinVec<VirtualRegister>,
    /// `registers:`
    pub register_decls: ThinVec<RegisterDecl>,
    /// `liveins:` of the function.
    pub live_ins: ThinVec<FunctionLiveIn>,
    /// `stack:` and `fixedStack:`
    pub frame: ThinVec<FrameObject>,
    /// `constants:`
    pub constants: ThinVec<Constant>,
    /// `jumpTable:`
    pub jump_tables: ThinVec<JumpTable>,
    pub(crate) call_sites: ThinVec<CallSite>,
    /// `calledGlobals:`
    pub called_globals: ThinVec<CallSite>,
    /// In the order of the text.
    pub blocks: ThinVec<Block>,
    /// Of all blocks, in the order of the text.
    pub instructions: ThinVec<Instruction>,
    /// Of all instructions.
    pub operands: ThinVec<Operand>,
    /// Memory operands of all instructions.
    pub memory: ThinVec<MemoryOperand>,
    pub(crate) masks: ThinVec<i32>,
    /// Physical registers in custom masks, live-out lists and CFI directives.
    pub(crate) listed_registers: ThinVec<(Symbol, TextRange)>,
    /// Names in `target-flags(...)`, with their range and whether they are the first of their list.
    pub(crate) target_flags: ThinVec<(Symbol, TextRange, bool)>,
    /// Of all blocks.
    pub block_live_ins: ThinVec<LiveIn>,
    /// Of all blocks.
    pub successors: ThinVec<Successor>,
    /// Metadata nodes that operands name.
    pub metadata: ThinVec<MetadataRef>,
    /// Whether the body has a syntax error: rules over the whole function would only add to it.
    pub broken: bool,
    pub(super) register_index: FxHashMap<VirtualName, u32>,
}

impl Function {
    /// Gives back what vectors have reserved: there can be a million functions.
    pub(super) fn shrink(&mut self) {
        self.names.shrink();
        self.registers.shrink_to_fit();
        self.register_decls.shrink_to_fit();
        self.live_ins.shrink_to_fit();
        self.frame.shrink_to_fit();
        self.constants.shrink_to_fit();
        self.jump_tables.shrink_to_fit();
        self.call_sites.shrink_to_fit();
        self.called_globals.shrink_to_fit();
        self.blocks.shrink_to_fit();
        self.instructions.shrink_to_fit();
        self.operands.shrink_to_fit();
        self.memory.shrink_to_fit();
        self.masks.shrink_to_fit();
        self.listed_registers.shrink_to_fit();
        self.target_flags.shrink_to_fit();
        self.block_live_ins.shrink_to_fit();
        self.successors.shrink_to_fit();
        self.metadata.shrink_to_fit();
        self.register_index.shrink_to_fit();
    }

    pub(crate) fn register(&mut self, name: VirtualName, range: TextRange) -> u32 {
        let next = self.registers.len() as u32;
        let index = *self.register_index.entry(name).or_insert(next);
        if index == next {
            self.registers.push(VirtualRegister { name, first: range });
        }
        index
    }

    /// The register as it is written, with `%`.
    pub fn register_text(&self, index: u32) -> String {
        match self.registers.get(index as usize).map(|r| r.name) {
            Some(VirtualName::Number(n)) => format!("%{n}"),
            Some(VirtualName::Name(s)) => format!("%{}", self.names.get(s)),
            None => "%?".to_owned(),
        }
    }

    /// The physical registers that the body names, each once, in the order of its lists.
    pub fn physical_registers(&self) -> Vec<Symbol> {
        let operands = self.operands.iter().filter_map(|operand| match operand.register()?.name {
            RegisterName::Physical(name) => Some(name),
            _ => None,
        });
        let live_ins = self.block_live_ins.iter().map(|live_in| live_in.register);
        let listed = self.listed_registers.iter().map(|(name, _)| *name);
        let mut seen = FxHashSet::default();
        live_ins.chain(operands).chain(listed).filter(|name| seen.insert(*name)).collect()
    }

    /// Operands in the order of the text, definitions first.
    pub fn operands_of(&self, instruction: &Instruction) -> &[Operand] {
        instruction.operands.of(&self.operands)
    }

    /// Memory operands of an instruction.
    pub fn memory_of(&self, instruction: &Instruction) -> &[MemoryOperand] {
        instruction.memory.of(&self.memory)
    }

    /// The opcode's name; empty for a broken instruction.
    pub fn opcode_text(&self, instruction: &Instruction) -> &str {
        self.names.get(instruction.opcode)
    }
}
