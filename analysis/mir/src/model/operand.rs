//! Operands of instructions.

use super::{Span, Symbol, Type};
use wavelens_base::TextRange;

/// Flags of a register operand.
pub mod operand_flag {
    pub(crate) const IMPLICIT: u16 = 1;
    pub(crate) const DEF: u16 = 1 << 1;
    /// `dead`.
    pub const DEAD: u16 = 1 << 2;
    /// `killed`.
    pub const KILLED: u16 = 1 << 3;
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
    /// Index into [`Function::registers`](super::Function::registers).
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
    /// Into [`Function::masks`](super::Function::masks); -1 is `undef`.
    ShuffleMask(Span),
    /// `lanemask(0x3)`; `None` for a negative number.
    LaneMask(Option<u64>),
    /// A register mask by its name.
    Mask(Symbol),
    /// `CustomRegMask(...)`, into [`Function::listed_registers`](super::Function::listed_registers).
    CustomMask(Span),
    /// `liveout(...)`, into [`Function::listed_registers`](super::Function::listed_registers).
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
