//! Operands and constants.

use super::names::{NameId, Symbol};
use super::types::{Span, TypeId};

/// A value with the type it is written (or, for a second operand, implied) to have. The type of what it *refers to* may
/// differ: that is what the type rules report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Its type.
    pub ty: TypeId,
    /// What it names.
    pub value: Value,
}

/// Index into a table's operands ([`super::arena::Tables::operands`]); its source range has the same index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperandId(pub u32);

/// Index into a body's locals: an argument, a block, an instruction's result, or something undefined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// Index into a table's constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(pub(crate) u32);

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Not understood; already reported.
    Error,
    /// `%name` or `%7` of this function; blocks have type `label`.
    Local(LocalId),
    /// `@name` or `@7`; found through the scope.
    Global(Symbol),
    /// A constant of the tables.
    Const(ConstId),
    /// Metadata as a value: index into [`super::arena::ColdTables::md_values`].
    Metadata(u32),
    /// `asm ...` as a callee: index into [`super::arena::ColdTables::asms`].
    Asm(u32),
}

/// A constant. Its type is the operand's.
#[allow(missing_docs, reason = "variants are named as in the text")]
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Const {
    Error,
    /// An integer literal that fits, as written (`-1`, `255`, `u0xFF`); `true` is 1 and `false` 0 with [`Const::Bool`].
    Int(i64),
    /// A longer integer literal: index into [`super::arena::ColdTables::wide`].
    Wide(u32),
    /// `true` or `false`.
    Bool(bool),
    /// A `0x` floating point literal: bits of a double.
    Double(u64),
    /// A decimal floating point literal: bits of the nearest double.
    Decimal(u64),
    /// A floating point literal with a format letter: index into [`super::arena::ColdTables::hex_floats`].
    HexFloat(u32),
    Null,
    ZeroInitializer,
    Undef,
    Poison,
    /// `none`, of type token (or a target type).
    None,
    /// `c"..."`: the number of bytes after unescaping.
    String {
        len: u32,
    },
    /// `{...}`, `<{...}>`, `[...]` or `<...>`: operands.
    Aggregate {
        kind: AggregateKind,
        elements: Span,
    },
    /// `splat (T v)`.
    Splat(OperandId),
    /// A constant expression: index into [`super::arena::ColdTables::exprs`].
    Expr(u32),
    /// `blockaddress(@f, %b)`: the function, and the block's name; index into [`super::arena::ColdTables::block_addresses`].
    BlockAddress(u32),
    DsoLocalEquivalent(Symbol),
    NoCfi(Symbol),
    /// `ptrauth (ptr, i32 key, i64 discriminator, ptr, ...)`: operands.
    PtrAuth(Span),
}

/// Brackets of a constant aggregate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateKind {
    /// `{ ... }`
    Struct,
    /// `<{ ... }>`
    PackedStruct,
    /// `[ ... ]`
    Array,
    /// `< ... >`
    Vector,
}

/// An integer literal of more than 63 bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WideInt {
    pub(crate) negative: bool,
    /// Magnitude, least significant word first, without leading zero words.
    pub(crate) words: Vec<u64>,
}

impl WideInt {
    /// Bits that the magnitude needs.
    pub(crate) fn bits(&self) -> u32 {
        match self.words.last() {
            Some(top) => self.words.len() as u32 * 64 - top.leading_zeros(),
            None => 0,
        }
    }
}

/// A floating point literal in hexadecimal with a format letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HexFloat {
    /// `K` x86_fp80, `L` fp128, `M` ppc_fp128, `H` half, `R` bfloat; `f` for `f0x...`, of a type with as many bits; `n` for an infinity or a
    /// quiet NaN, of any floating-point type; `s` for a signaling NaN, of any but ppc_fp128.
    pub(crate) letter: u8,
    pub(crate) bits: u128,
    /// Of `f0x...`.
    pub(crate) digits: u8,
}

/// A constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ConstExpr {
    /// What it computes.
    pub opcode: super::opcode::Opcode,
    /// The flag of a `getelementptr`; no rule asks for the other ones.
    pub(crate) is_inbounds: bool,
    /// Casts: the type cast to. `getelementptr`: the source element type. Else [`TypeId::ERROR`].
    pub ty: TypeId,
    /// Its operands, a span of the tables.
    pub operands: Span,
    /// `inrange(low, high)` of a getelementptr, both ends as written.
    pub(crate) inrange: Option<(i64, i64)>,
}

/// A `blockaddress` constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockAddress {
    pub(crate) function: Symbol,
    pub(crate) block: Symbol,
    /// The module-level entity that contains it; 0 in a body.
    pub(crate) item: u32,
}

/// `asm sideeffect alignstack inteldialect unwind "template", "constraints"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InlineAsm {
    pub(crate) sideeffect: bool,
    pub(crate) alignstack: bool,
    pub(crate) inteldialect: bool,
    pub(crate) unwind: bool,
    pub(crate) template: NameId,
    pub(crate) constraints: NameId,
}
