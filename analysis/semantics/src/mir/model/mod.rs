//! A machine function in flat arrays: what its text says, before any target is known.
//!
//! Names of opcodes, physical registers, classes and the like are [`Symbol`]s of the function's own table; a target gives
//! them meaning later. Ranges are relative to the chunk.

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::ir::Metadata;
use crate::TextRange;
use crate::llvm::names::{self, NameId};
use thin_vec::ThinVec;

/// A name in [`Names`]; 0 is the empty one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Symbol(pub u32);

impl Symbol {
    pub(crate) const NONE: Symbol = Symbol(0);

    /// Whether it is not the empty name.
    pub fn is_some(self) -> bool {
        self.0 != 0
    }
}

/// The names that a function uses, each once.
#[derive(Debug)]
pub struct Names(names::Names);

impl Default for Names {
    fn default() -> Self {
        let mut names = names::Names::default();
        names.intern("");
        Names(names)
    }
}

impl Names {
    pub(crate) fn add(&mut self, name: &str) -> Symbol {
        Symbol(self.0.intern(name).0)
    }

    /// The text of a name; empty for a symbol of another table.
    pub fn get(&self, symbol: Symbol) -> &str {
        self.0.get(NameId(symbol.0))
    }

    /// All names with their numbers; the first is empty.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        (0..self.0.len() as u32).map(|id| (Symbol(id), self.get(Symbol(id))))
    }
}

/// A range of indices into a flat array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First index.
    pub start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The span as indices of its list.
    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many indices it has.
    pub fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether it has no indices.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The part of an array; empty where the span is out of bounds.
    pub fn of<T>(self, all: &[T]) -> &[T] {
        all.get(self.indices()).unwrap_or(&[])
    }
}

/// A low-level type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// `s0`
    Token,
    /// Bits.
    Scalar(u32),
    /// Address space.
    Pointer(u32),
    /// `<4 x s32>` or `<vscale x 4 x s32>`.
    Vector {
        /// Whether `lanes` is multiplied by `vscale`.
        scalable: bool,
        /// Number of elements, or their minimum.
        lanes: u16,
        /// Type of each element.
        element: Element,
    },
}

impl Type {
    /// Whether it is a vector, fixed or scalable.
    pub fn is_vector(self) -> bool {
        matches!(self, Type::Vector { .. })
    }

    /// Whether it is a scalable vector.
    pub fn is_scalable(self) -> bool {
        matches!(self, Type::Vector { scalable: true, .. })
    }

    pub(crate) fn is_scalar(self) -> bool {
        matches!(self, Type::Scalar(_))
    }

    pub(crate) fn is_pointer(self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    pub(crate) fn is_pointer_or_pointers(self) -> bool {
        self.element().is_pointer()
    }

    /// Of a vector its element, otherwise itself.
    pub fn element(self) -> Type {
        match self {
            Type::Vector { element: Element::Scalar(bits), .. } => Type::Scalar(bits),
            Type::Vector { element: Element::Pointer(space), .. } => Type::Pointer(space),
            other => other,
        }
    }

    /// Number of lanes and whether they are scalable; 1 for scalars and pointers.
    pub fn lanes(self) -> (u64, bool) {
        match self {
            Type::Vector { scalable, lanes, .. } => (lanes.into(), scalable),
            _ => (1, false),
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Type::Token => f.write_str("s0"),
            Type::Scalar(bits) => write!(f, "s{bits}"),
            Type::Pointer(space) => write!(f, "p{space}"),
            Type::Vector { scalable, lanes, .. } => {
                let prefix = if scalable { "vscale x " } else { "" };
                write!(f, "<{prefix}{lanes} x {}>", self.element())
            }
        }
    }
}

/// What a vector holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// Bits.
    Scalar(u32),
    /// Address space.
    Pointer(u32),
}

/// A text in the YAML with its place.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Text {
    /// Without quotes.
    pub text: SmolStr,
    /// Where it is written; empty where the key is missing.
    pub range: TextRange,
}

/// A virtual register.
#[derive(Debug, Clone)]
pub struct VirtualRegister {
    /// Its number, or its name without `%`.
    pub name: VirtualName,
    /// Where it is first named in the body, or declared.
    pub(crate) first: TextRange,
}

/// How a virtual register is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VirtualName {
    /// `%5`
    Number(u32),
    /// `%name`
    Name(Symbol),
}

/// An entry of `registers:`.
#[derive(Debug, Clone)]
pub struct RegisterDecl {
    /// Index into [`Function::registers`].
    pub register: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// The number after `id:`.
    pub id: u32,
    /// Register class or bank, or `_`.
    pub class: Symbol,
    pub(crate) class_range: TextRange,
    /// The value of `preferred-register:`.
    pub preferred: Text,
    pub(crate) flags: Vec<Text>,
}

/// An entry of `liveins:`.
#[derive(Debug, Clone)]
pub struct FunctionLiveIn {
    pub(crate) register: Text,
    /// The value of `virtual-reg:`.
    pub virtual_register: Text,
}

/// An entry of `stack:` or `fixedStack:`.
#[derive(Debug, Clone)]
pub struct FrameObject {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// Whether it is an entry of `fixedStack:`.
    pub fixed: bool,
    /// The IR name of an `alloca`, without `%`.
    pub name: Text,
    /// `default`, `spill-slot` or `variable-sized`.
    pub kind: Text,
    /// Bytes from the incoming stack pointer.
    pub offset: i64,
    /// Bytes.
    pub size: u64,
    pub(crate) stack_id: Text,
    pub(crate) callee_saved: Text,
    /// Variable, expression and location.
    pub(crate) debug: [Text; 3],
}

/// An entry of `constants:`.
#[derive(Debug, Clone)]
pub struct Constant {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// The IR constant.
    pub value: Text,
    pub(crate) target_specific: bool,
}

/// An entry of `jumpTable:`.
#[derive(Debug, Clone)]
pub struct JumpTable {
    /// The number after `id:`.
    pub id: u32,
    /// Where the number is written.
    pub id_range: TextRange,
    /// Its targets, such as `%bb.2`.
    pub blocks: Vec<Text>,
}

/// An entry of `callSites:` or `calledGlobals:`.
#[derive(Debug, Clone)]
pub struct CallSite {
    pub(crate) block: u32,
    pub(crate) offset: u32,
    pub(crate) range: TextRange,
    pub(crate) registers: Vec<Text>,
    /// The value of `callee:`.
    pub callee: Text,
}

/// What the YAML around a body says.
#[derive(Debug, Default)]
pub struct Properties {
    /// The function's name.
    pub name: Text,
    /// `legalized:`
    pub legalized: bool,
    /// `regBankSelected:`
    pub reg_bank_selected: bool,
    /// `selected:`
    pub selected: bool,
    pub(crate) failed_isel: bool,
    pub(crate) tracks_liveness: bool,
    pub(crate) tracks_debug_user_values: bool,
    pub(crate) no_phis: Option<bool>,
    /// `isSSA:`, where it is written.
    pub is_ssa: Option<bool>,
    pub(crate) no_vregs: Option<bool>,
    pub(crate) has_fake_uses: Option<bool>,
    pub(crate) adjusts_stack: bool,
    pub(crate) has_calls: bool,
    /// Whether the stack pointer or the funclets of the function may require a base pointer.
    pub(crate) may_need_base_pointer: bool,
    pub(crate) callee_saved_valid: bool,
    pub(crate) stack_size: u64,
    /// Range of the key where a property is given.
    pub ranges: FxHashMap<&'static str, TextRange>,
    /// Values that name a stack object.
    pub stack_refs: ThinVec<Text>,
    /// Values that name a block.
    pub block_refs: ThinVec<Text>,
    pub(crate) callee_saved_registers: ThinVec<Text>,
    pub(crate) entry_value_registers: ThinVec<Text>,
    /// Debug metadata of entry values: variable, expression, location of each.
    pub(crate) entry_value_debug: ThinVec<[Text; 3]>,
    pub(crate) machine_metadata: ThinVec<Text>,
    /// Values of the target's own section: the key and the text.
    pub target_values: ThinVec<(SmolStr, Text)>,
    /// Where the mapping starts.
    pub range: TextRange,
}

/// Flags of a register operand.
pub mod operand_flag {
    pub(crate) const IMPLICIT: u16 = 1;
    pub(crate) const DEF: u16 = 1 << 1;
    pub(crate) const DEAD: u16 = 1 << 2;
    pub(crate) const KILLED: u16 = 1 << 3;
    /// `undef`.
    pub const UNDEF: u16 = 1 << 4;
    /// `internal`.
    pub const INTERNAL: u16 = 1 << 5;
    pub(crate) const EARLY_CLOBBER: u16 = 1 << 6;
    /// `debug-use`.
    pub const DEBUG: u16 = 1 << 7;
    pub(crate) const RENAMABLE: u16 = 1 << 8;
    /// Not a register's: the operand has target flags.
    pub(crate) const TARGET_FLAGS: u16 = 1 << 9;
}

/// The register that an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterName {
    /// `_`
    None,
    /// `$vgpr0`, without `$`.
    Physical(Symbol),
    /// Index into [`Function::registers`].
    Virtual(u32),
}

/// A register operand's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterOperand {
    /// The register.
    pub name: RegisterName,
    /// Subregister index.
    pub sub: Symbol,
    /// Class or bank, or `_`.
    pub class: Symbol,
    /// Low-level type, where it is written.
    pub ty: Option<Type>,
    /// Index of the definition that this use is tied to.
    pub tied: Option<u32>,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OperandKind {
    /// A register.
    Register(RegisterOperand),
    /// A plain number.
    Immediate(i64),
    /// Type letter, width and value of `i32 7`; the value is what fits 128 bits.
    TypedImmediate {
        /// `i`, `s` or `p`.
        letter: u8,
        /// Width in bits.
        bits: u32,
        /// The number; `None` where it does not fit 128 bits.
        value: Option<i128>,
        /// Whether it is `true` or `false`.
        boolean: bool,
    },
    /// Width in bits, and whether the number is exact in that type.
    FpImmediate {
        /// Width in bits.
        bits: u32,
        /// Whether the number is exact in that type.
        exact: bool,
    },
    /// `.id0_VALU_DEP_1`: an immediate as the target writes it.
    Mnemonic,
    /// Block number.
    Block(u32, Symbol),
    /// `%stack.0` or `%fixed-stack.0`.
    Frame {
        /// Whether it is `%fixed-stack`.
        fixed: bool,
        /// Number of the stack object.
        id: u32,
        /// IR name after the number.
        name: Symbol,
    },
    /// `%const.0`
    ConstantPool(u32),
    /// `%jump-table.0`
    JumpTable(u32),
    /// `@name`, without `@`.
    Global(Symbol),
    /// `&name`
    External,
    /// `<mcsymbol name>`
    McSymbol,
    /// `%subreg.sub0`
    SubIndex(Symbol),
    /// `!5`
    Metadata(u32),
    /// Text of the expression in parentheses.
    Expression,
    /// Directive of a CFI instruction.
    Cfi(Symbol),
    /// `blockaddress(@function, %ir-block.name)`
    BlockAddress(Symbol, Symbol),
    /// `intrinsic(@name)`
    Intrinsic(Symbol),
    /// Whether it is a floating point predicate.
    Predicate(bool),
    /// Into [`Function::masks`]; -1 is `undef`.
    ShuffleMask(Span),
    /// A register mask by its name.
    Mask(Symbol),
    /// `CustomRegMask(...)`, into [`Function::listed_registers`].
    CustomMask(Span),
    /// `liveout(...)`, into [`Function::listed_registers`].
    LiveOut(Span),
    /// `target-index(name)`
    TargetIndex(Symbol),
    /// `dbg-instr-ref(1, 0)`
    DebugRef,
}

/// An operand of an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    /// What it is.
    pub kind: OperandKind,
    /// See [`operand_flag`].
    pub flags: u16,
    /// Where it is written.
    pub range: TextRange,
}

impl Operand {
    /// The register, where it is one.
    pub fn register(&self) -> Option<&RegisterOperand> {
        match &self.kind {
            OperandKind::Register(r) => Some(r),
            _ => None,
        }
    }

    /// Whether it has one of [`operand_flag`].
    pub fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether it defines its register.
    pub fn is_def(&self) -> bool {
        self.has(operand_flag::DEF)
    }

    /// Whether it is written `implicit` or `implicit-def`.
    pub fn is_implicit(&self) -> bool {
        self.has(operand_flag::IMPLICIT)
    }

    /// Its value, if it is an immediate.
    pub fn immediate(&self) -> Option<i64> {
        match self.kind {
            OperandKind::Immediate(v) => Some(v),
            _ => None,
        }
    }
}

/// How much a memory operand touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemorySize {
    /// Bytes, in older files.
    Bytes(u64),
    /// A low-level type.
    Type(Type),
    /// `unknown-size`
    Unknown,
}

/// What a memory operand points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pointer {
    /// Nothing is named.
    None,
    /// `%ir.name` or `%ir.3`
    IrValue(Symbol),
    /// `@name`, without `@`.
    Global(Symbol),
    /// An IR constant between backquotes.
    Quoted,
    /// `%stack.0` or `%fixed-stack.0`.
    Frame {
        /// Whether it is `%fixed-stack`.
        fixed: bool,
        /// Number of the stack object.
        id: u32,
        /// IR name after the number.
        name: Symbol,
    },
    /// `stack`, `got`, `jump-table` or `constant-pool`.
    Pseudo,
    /// `custom "name"`
    Custom(Symbol),
    /// `call-entry @name`
    CallEntry(Symbol),
    /// `unknown-address`
    UnknownAddress,
}

/// Atomic orderings, weakest first.
#[allow(missing_docs, reason = "LLVM's own names")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ordering {
    NotAtomic,
    Unordered,
    Monotonic,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

/// A `:: (load ...)` of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryOperand {
    /// Whether it loads.
    pub load: bool,
    /// Whether it stores; both for read-modify-write.
    pub store: bool,
    /// How much it touches.
    pub size: MemorySize,
    /// Atomic ordering.
    pub ordering: Ordering,
    /// What it points at.
    pub pointer: Pointer,
    pub(crate) pointer_range: TextRange,
    /// Bytes added to the pointer.
    pub offset: i64,
    /// Alignment in bytes, where it is written.
    pub align: Option<u64>,
    pub(crate) align_range: TextRange,
    /// `addrspace`, where it is written.
    pub address_space: Option<u32>,
    /// Target's own flags, with quotes.
    pub(crate) target_flags: Vec<(Symbol, TextRange)>,
    /// Metadata that is named: word, number, place.
    pub metadata: Vec<(Symbol, u32, TextRange)>,
    /// Where it is written.
    pub range: TextRange,
}

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
#[derive(Debug, Default)]
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
        self.names.0.shrink();
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
