//! From a matched instruction to bytes.

use crate::{
    decode::constant_bits,
    inst::{Inst, MachineOperand},
    literal::{self, LITERAL, LITERAL64},
    register::{Half, Reg, RegFile},
    tables::{
        Row, feature, flag,
        kind::{Enc, OpType, Regs, Ty},
        name, special,
    },
    target::Target,
};

/// How a fixup's bytes are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixupKind {
    /// 16 bits: dwords from the end of the instruction (`s_branch`).
    Branch16,
    /// 32 bits: absolute, or relative to their own place, as the expression says.
    Data32,
    /// 64 bits, likewise.
    Data64,
}

/// A place in the bytes that waits for a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixup {
    /// Bytes from the start of the instruction.
    pub offset: u8,
    /// What is written there.
    pub kind: FixupKind,
    /// The operand as written whose value is missing.
    pub operand: u8,
}

/// Bytes of an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bytes {
    pub(crate) bytes: [u8; 24],
    pub(crate) len: u8,
    pub(crate) fixups: [Option<Fixup>; 2],
}

impl Bytes {
    fn push(&mut self, b: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.len)) {
            *slot = b;
            self.len += 1;
        }
    }

    fn fixup(&mut self, f: Fixup) {
        if let Some(slot) = self.fixups.iter_mut().find(|s| s.is_none()) {
            *slot = Some(f);
        }
    }
}

fn register(r: Reg, enc: Enc, t: Target) -> u32 {
    let idx = u32::from(r.encoding(t));
    let vector = u32::from(r.is_vector());
    match enc {
        Enc::Av => idx | vector << 8 | u32::from(r.file == RegFile::Agpr) << 9,
        Enc::SdwaSrc => (idx & 0xFF) | u32::from(r.is_scalar()) << 8,
        Enc::SdwaVopcDst => {
            if r == Reg::VCC || r == Reg::VCC_LO {
                0
            } else {
                (idx & 0x7F) | 0x80
            }
        }
        Enc::T16Lo => idx | vector << 8 | u32::from(r.half == Half::Hi) << 7,
        _ => idx | vector << 8,
    }
}

/// The number that an operand contributes to its fields.
fn operand(inst: &Inst, row: Row, i: usize, t: Target) -> u64 {
    let kind = row.kind(i);
    match inst.ops.get(i).copied().unwrap_or_default() {
        MachineOperand::None => 0,
        MachineOperand::Reg(r) => register(r, kind.enc, t).into(),
        MachineOperand::Imm(v) => match kind.optype {
            OpType::KImm(_) => v as u64,
            OpType::Src(ty) if inst.is_forced(i) => inst.forced_code(i, ty, t).into(),
            OpType::Src(ty) | OpType::Inline(ty) => {
                let code = u64::from(literal::code(v, ty, row, t));
                if kind.enc == Enc::SdwaSrc { code | 0x100 } else { code }
            }
            OpType::NoInline(_) => LITERAL.into(),
            OpType::Splat(ty) => literal::splat_code(v, ty, t).into(),
            OpType::InputMods if matches!(kind.enc, Enc::T16 | Enc::T16Lo) => v as u64 | halves(inst, row, i),
            _ => v as u64,
        },
        MachineOperand::Symbol(_) => match kind.optype {
            OpType::Src(Ty::I64) if literal::has_literal64(t) => LITERAL64.into(),
            OpType::Src(_) | OpType::Inline(_) | OpType::NoInline(_) | OpType::Splat(_) => LITERAL.into(),
            _ => 0,
        },
    }
}

/// Bits that halves of vector registers put into the modifiers at `i`.
fn halves(inst: &Inst, row: Row, i: usize) -> u64 {
    let high = |n: u16| inst.named(n).is_some_and(crate::matched::is_high);
    match row.name(i) {
        name::SRC0_MODIFIERS => {
            (u64::from(high(name::SRC0)) * crate::convert::OP_SEL_0 as u64)
                | (u64::from(high(name::VDST)) * crate::convert::DST_OP_SEL as u64)
        }
        name::SRC1_MODIFIERS => u64::from(high(name::SRC1)) * crate::convert::OP_SEL_0 as u64,
        name::SRC2_MODIFIERS => u64::from(high(name::SRC2)) * crate::convert::OP_SEL_0 as u64,
        _ => 0,
    }
}

/// Bits that are set where a packed instruction has no source for them.
fn unused_op_sel_hi(row: Row) -> u128 {
    let (hi0, hi1, hi2) = (1u128 << 59, 1u128 << 60, 1u128 << 14);
    if row.find(name::SRC0).is_some_and(|i| row.kind(i).regs == Regs::Vs128) {
        return 0;
    }
    if row.find(name::OP_SEL_HI).is_none() {
        return hi0 | hi1 | hi2;
    }
    if row.find(name::SRC2).is_some() {
        0
    } else if row.find(name::SRC1).is_some() {
        hi2
    } else if row.find(name::SRC0).is_some() {
        hi1 | hi2
    } else {
        hi0 | hi1 | hi2
    }
}

/// Encodes; bytes under a fixup are zero.
pub(crate) fn encode(inst: &Inst, t: Target) -> Bytes {
    let row = inst.row.row();
    let mut word = constant_bits(row, t);
    let mut out = Bytes { bytes: [0; 24], len: 0, fixups: [None; 2] };
    let size = row.size();
    for f in row.fields() {
        let v = operand(inst, row, f.operand.into(), t) >> f.first;
        let mask = if f.count >= 64 { u64::MAX } else { (1 << f.count) - 1 };
        word |= u128::from(v & mask) << f.pos;
    }
    let mai_copy = matches!(row.special(), special::ACCVGPR_READ | special::ACCVGPR_WRITE);
    if (row.has(flag::VOP3P) || mai_copy)
        && row.find(name::MATRIX_B_REUSE).is_none()
        && row.find(name::MATRIX_B_FMT).is_none()
    {
        word |= unused_op_sel_hi(row);
    }
    if row.special() == special::VCMPX64 && t.facts().compares_to_exec_only {
        word |= 126;
    }
    for b in word.to_le_bytes().iter().take(size) {
        out.push(*b);
    }
    if row.has(flag::MIMG)
        && t.facts().has_image_dim
        && let (Some(first), Some(end)) = (row.find(name::VADDR0), row.find(name::SRSRC))
    {
        let extra = end.saturating_sub(first + 1);
        for i in first + 1..first + 1 + extra {
            out.push(operand(inst, row, i, t) as u8);
        }
        for _ in 0..extra.wrapping_neg() & 3 {
            out.push(0);
        }
    }
    for (i, op) in inst.operands().iter().enumerate() {
        if let MachineOperand::Symbol(from) = op {
            let (offset, kind) = match row.kind(i).optype {
                OpType::PcRel => (0, FixupKind::Branch16),
                OpType::Src(Ty::I64) if literal::has_literal64(t) => (size as u8, FixupKind::Data64),
                _ => (size as u8, FixupKind::Data32),
            };
            out.fixup(Fixup { offset, kind, operand: *from });
        }
    }
    // a mandatory literal is among the fields, and stands for equal ones in sources
    let mandatory = |i: usize| matches!(row.kind(i).optype, OpType::KImm(_));
    let has_room = || size <= 4 || t.has(feature::VOP3_LITERAL);
    if size > 8 || size > 4 && (0..row.operands()).any(mandatory) {
        return out;
    }
    for (i, op) in inst.operands().iter().enumerate() {
        if !matches!(
            row.kind(i).optype,
            OpType::Src(_) | OpType::Inline(_) | OpType::NoInline(_) | OpType::Splat(_)
        ) {
            continue;
        }
        let v = match op {
            MachineOperand::Imm(v) => *v,
            MachineOperand::Symbol(_) => 0,
            _ => continue,
        };
        match operand(inst, row, i, t) as u16 & 0xFF {
            LITERAL | LITERAL64 if !has_room() => return out,
            LITERAL64 => {
                for b in v.to_le_bytes() {
                    out.push(b);
                }
            }
            LITERAL => {
                let v = if matches!(row.kind(i).optype, OpType::Src(Ty::F64)) && !inst.is_forced(i) {
                    v >> 32
                } else if literal::is_always_literal(row, t) {
                    v & 0xFFFF
                } else {
                    v
                };
                for b in (v as u32).to_le_bytes() {
                    out.push(b);
                }
            }
            _ => continue,
        }
        break;
    }
    out
}
