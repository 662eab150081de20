//! Memory operands of instructions.

use super::{Symbol, Type};
use wavelens_base::TextRange;
pub use wavelens_llvm::body::Ordering;

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
