//! A line that fits an instruction row: what matching made of it, before conversion and encoding.

use crate::{
    inst::{Inst, MAX_OPERANDS, MachineOperand},
    register::{Half, RegFile},
    tables::name,
};

/// The operand is a default or a copy of another one.
pub(crate) const NOT_WRITTEN: u8 = 255;

/// A matched candidate.
pub(crate) struct Matched {
    pub(crate) inst: Inst,
    /// For every operand of the row, the operand as written that it came from, or [`NOT_WRITTEN`].
    pub(crate) from: [u8; MAX_OPERANDS],
    /// An operand was [`crate::Value::Unknown`].
    pub(crate) unknown: bool,
}

/// Whether this is the upper half of a vector register.
pub(crate) fn is_high(op: MachineOperand) -> bool {
    matches!(op, MachineOperand::Reg(r) if r.file == RegFile::Vgpr && r.half == Half::Hi)
}

/// Whether this is a half of a vector register.
pub(crate) fn is_half(op: MachineOperand) -> bool {
    matches!(op, MachineOperand::Reg(r) if r.file == RegFile::Vgpr && r.half != Half::Full)
}

/// The three sources with their modifiers.
pub(crate) const SOURCES: [(u16, u16); 3] = [
    (name::SRC0, name::SRC0_MODIFIERS),
    (name::SRC1, name::SRC1_MODIFIERS),
    (name::SRC2, name::SRC2_MODIFIERS),
];
