//! What the assembler fills in after matching: defaults that are not zero, and modifiers that move into other fields.

use crate::{
    inst::MachineOperand,
    matched::{Matched, NOT_WRITTEN, SOURCES, is_half, is_high},
    tables::{Row, converter, flag, flag_set, name, special},
};

// Bits of a modifiers operand, as LLVM's `SISrcMods`.
pub(crate) const NEG: i64 = 1;
pub(crate) const ABS: i64 = 2;
const NEG_HI: i64 = 2;
pub(crate) const OP_SEL_0: i64 = 4;
pub(crate) const OP_SEL_1: i64 = 8;
pub(crate) const DST_OP_SEL: i64 = 8;

/// `dst_sel:DWORD`
pub(crate) const SDWA_DWORD: i64 = 6;
/// `dst_unused:UNUSED_PRESERVE`
pub(crate) const SDWA_PRESERVE: i64 = 2;

/// Fills the operands that the line leaves open.
struct Fill<'m> {
    m: &'m mut Matched,
    row: Row,
}

impl Fill<'_> {
    /// Sets a named operand unless the line did.
    fn default(&mut self, n: u16, v: i64) {
        if let Some(i) = self.row.find(n)
            && self.m.from[i] == NOT_WRITTEN
        {
            self.m.inst.ops[i] = MachineOperand::Imm(v);
        }
    }

    fn given(&self, n: u16) -> Option<i64> {
        let i = self.row.find(n)?;
        match self.m.inst.ops[i] {
            MachineOperand::Imm(v) if self.m.from[i] != NOT_WRITTEN => Some(v),
            _ => None,
        }
    }

    fn set(&mut self, n: u16, v: i64) {
        if let Some(i) = self.row.find(n) {
            self.m.inst.ops[i] = MachineOperand::Imm(v);
        }
    }

    fn or(&mut self, n: u16, v: i64) {
        if let Some(i) = self.row.find(n) {
            let old = match self.m.inst.ops[i] {
                MachineOperand::Imm(x) => x,
                _ => 0,
            };
            self.m.inst.ops[i] = MachineOperand::Imm(old | v);
        }
    }

    fn op(&self, n: u16) -> Option<MachineOperand> {
        self.m.inst.named(n)
    }
}

pub(crate) fn apply(m: &mut Matched, row: Row) {
    let conv = row.converter();
    let mut f = Fill { m, row };
    if row.has(flag::DPP) {
        f.default(name::DPP_CTRL, 0xE4);
        f.default(name::ROW_MASK, 0xF);
        f.default(name::BANK_MASK, 0xF);
        if row.find(name::DPP8).is_some() {
            let on = f.given(name::FI).is_some_and(|v| v != 0);
            f.set(name::FI, if on { 0xEA } else { 0xE9 });
        }
    }
    match conv {
        converter::SDWA_VOP1
        | converter::SDWA_VOP2
        | converter::SDWA_VOP2B
        | converter::SDWA_VOP2E
        | converter::SDWA_VOPC => {
            f.default(name::DST_SEL, SDWA_DWORD);
            f.default(name::SRC0_SEL, SDWA_DWORD);
            f.default(name::SRC1_SEL, SDWA_DWORD);
            f.default(name::DST_UNUSED, SDWA_PRESERVE);
            if row.special() == special::NOP_SDWA {
                f.default(name::DST_SEL, 0);
                f.default(name::DST_UNUSED, 0);
            }
        }
        converter::EXP => export(&mut f),
        _ => {}
    }
    let packed = match conv {
        converter::VOP3_P | converter::VOP3_OP_SEL | converter::SWMMAC => true,
        converter::VOP3_DPP | converter::VOP3_DPP8 => row.has(flag_set::LONG),
        _ => false,
    };
    if packed {
        let dst = conv == converter::VOP3_OP_SEL
            || (matches!(conv, converter::VOP3_DPP | converter::VOP3_DPP8) && !row.has(flag::VOP3P));
        select(&mut f, dst);
    } else if matches!(conv, converter::VINTERP | converter::VOP3_INTERP) {
        let bits = f.given(name::OP_SEL).unwrap_or(0);
        if row.find(name::OP_SEL).is_some() {
            for (j, (_, modifier)) in SOURCES.iter().enumerate() {
                if bits >> j & 1 == 1 {
                    f.or(*modifier, OP_SEL_0);
                }
            }
            if bits >> 3 & 1 == 1 {
                f.or(name::SRC0_MODIFIERS, DST_OP_SEL);
            }
        }
    } else if conv == converter::SCALED_MFMA {
        let (lo, hi) =
            (f.given(name::SRC0_MODIFIERS).unwrap_or(0), f.given(name::SRC1_MODIFIERS).unwrap_or(0));
        for (j, modifier) in [(0, name::SRC0_MODIFIERS), (1, name::SRC1_MODIFIERS)] {
            f.set(modifier, ((lo >> j & 1) * OP_SEL_0) | ((hi >> j & 1) * OP_SEL_1));
        }
    }
}

/// `op_sel`, `op_sel_hi`, `neg_lo` and `neg_hi` go into the modifiers of each source.
fn select(f: &mut Fill<'_>, with_dst: bool) {
    let op_sel = f.given(name::OP_SEL).unwrap_or(0);
    let hi_default = if f.row.has(flag::IS_PACKED) && f.row.find(name::OP_SEL_HI).is_some() { -1 } else { 0 };
    let op_sel_hi = f.given(name::OP_SEL_HI).unwrap_or(hi_default);
    f.default(name::OP_SEL_HI, hi_default);
    let (neg_lo, neg_hi) = (f.given(name::NEG_LO).unwrap_or(0), f.given(name::NEG_HI).unwrap_or(0));
    let mut sources = 0;
    for (j, (src, modifier)) in SOURCES.iter().enumerate() {
        let Some(op) = f.op(*src) else { break };
        sources = j + 1;
        let bit = |v: i64| v >> j & 1;
        let low = if is_half(op) { i64::from(is_high(op)) } else { bit(op_sel) };
        f.or(
            *modifier,
            (low * OP_SEL_0) | (bit(op_sel_hi) * OP_SEL_1) | (bit(neg_lo) * NEG) | (bit(neg_hi) * NEG_HI),
        );
    }
    if with_dst
        && f.row.find(name::OP_SEL).is_some()
        && let Some(dst) = f.op(name::VDST)
    {
        let high = if is_half(dst) { is_high(dst) } else { op_sel >> sources & 1 == 1 };
        if high {
            f.or(name::SRC0_MODIFIERS, DST_OP_SEL);
        }
    }
}

/// Enable bits from the sources that are there; `compr` halves them.
fn export(f: &mut Fill<'_>) {
    let compressed = f.row.find(name::COMPR).is_some_and(|i| f.m.from[i] != NOT_WRITTEN);
    let names = [name::SRC0, name::SRC1, name::SRC2, name::SRC3];
    let index = |f: &Fill<'_>, i: usize| f.row.find(names[i]);
    if compressed && let (Some(b), Some(c), Some(d)) = (index(f, 1), index(f, 2), index(f, 3)) {
        f.m.inst.ops[b] = f.m.inst.ops[c];
        f.m.inst.ops[c] = MachineOperand::None;
        f.m.inst.ops[d] = MachineOperand::None;
    }
    let mut enabled = 0;
    for (i, n) in names.iter().enumerate() {
        if matches!(f.op(*n), Some(MachineOperand::Reg(_))) {
            enabled |= if compressed { 3 << (i * 2) } else { 1 << i };
        }
    }
    f.set(name::EN, enabled);
}
