//! A line that fits an instruction row: what matching made of it, before conversion and encoding.

use crate::{
    inst::{Inst, MAX_OPERANDS, MachineOperand},
    register::{Half, RegFile},
    tables::name,
};

/// A matched candidate.
pub(crate) struct Matched {
    pub(crate) inst: Inst,
    /// For every operand of the row, the operand as written it came from; 255 for none.
    pub(crate) from: [u8; MAX_OPERANDS],
    pub(crate) unknown: bool,
}

/// Is this register half 16 high?
pub(crate) fn is_high(op: MachineOperand) -> bool {
    matches!(op, MachineOperand::Reg(r) if r.file == RegFile::Vgpr && r.half == Half::Hi)
}

/// Is this register a 16-bit half?
pub(crate) fn is_half(op: MachineOperand) -> bool {
    matches!(op, MachineOperand::Reg(r) if r.file == RegFile::Vgpr && r.half != Half::Full)
}

/// The three sources with their modifiers.
pub(crate) const SOURCES: [(u16, u16); 3] = [
    (name::SRC0, name::SRC0_MODIFIERS),
    (name::SRC1, name::SRC1_MODIFIERS),
    (name::SRC2, name::SRC2_MODIFIERS),
];
