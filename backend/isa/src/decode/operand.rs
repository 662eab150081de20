//! From the bits of a field to a register or a number.

use super::{RawOperand, Reader};
use crate::inst::MachineOperand;
use crate::literal::{LITERAL, LITERAL64, inline_code, is_always_literal};
use crate::register::{Half, Reg, RegFile, Special};
use crate::tables::kind::{Class, Enc, Imm, Kind, OpType, Regs, Ty};
use crate::tables::{Row, feature, flag, flag_set};
use crate::target::Target;

fn vector(file: RegFile, index: u64, n: u8) -> Option<Reg> {
    let index = u16::try_from(index & 0xFF).ok()?;
    // on gfx1250 tuples end beyond v255
    let end = if file == RegFile::Vgpr { 256 + 32 } else { 256 };
    (index + u16::from(n) <= end).then_some(Reg { file, index, dwords: n, half: Half::Full })
}

/// A scalar register by its number in an operand, as `n` dwords.
fn scalar(code: u64, n: u8, t: Target) -> Option<Reg> {
    let facts = t.facts();
    let numbered = |file, index: u64| {
        let align = u64::from(n).next_power_of_two().min(4);
        index.is_multiple_of(align).then_some(Reg { file, index: index as u16, dwords: n, half: Half::Full })
    };
    let named = |s: Special| Some(Reg::special(s, n.min(2)));
    let pair = |lo: Special, hi: Special, odd: bool| match (odd, n) {
        (false, 1 | 2) => named(lo),
        (true, 1) => named(hi),
        _ => None,
    };
    let odd = code & 1 == 1;
    let r = match code {
        _ if code < facts.named_sgprs.into() => numbered(RegFile::Sgpr, code),
        102 | 103 => pair(Special::FlatScratchLo, Special::FlatScratchHi, odd),
        104 | 105 if facts.flat_scratch == Some(104) => {
            pair(Special::FlatScratchLo, Special::FlatScratchHi, odd)
        }
        104 | 105 => pair(Special::XnackMaskLo, Special::XnackMaskHi, odd),
        106 | 107 => pair(Special::VccLo, Special::VccHi, odd),
        108..=123 if facts.first_ttmp == 108 => numbered(RegFile::Ttmp, code - 108),
        108 | 109 => pair(Special::TbaLo, Special::TbaHi, odd),
        110 | 111 => pair(Special::TmaLo, Special::TmaHi, odd),
        112..=123 => numbered(RegFile::Ttmp, code - 112),
        124 | 125 if code == u64::from(facts.m0) => (n == 1).then_some(Reg::special(Special::M0, 1)),
        124 | 125 => Some(Reg::NULL),
        126 | 127 => pair(Special::ExecLo, Special::ExecHi, odd),
        230 => named(Special::FlatScratchBaseLo),
        231 => named(Special::FlatScratchBaseHi),
        235 => Some(Reg::special(Special::SharedBaseLo, 2)),
        236 => Some(Reg::special(Special::SharedLimitLo, 2)),
        237 => Some(Reg::special(Special::PrivateBaseLo, 2)),
        238 => Some(Reg::special(Special::PrivateLimitLo, 2)),
        239 => Some(Reg::special(Special::PopsExitingWaveId, 1)),
        251 => Some(Reg::special(Special::Vccz, 1)),
        252 => Some(Reg::special(Special::Execz, 1)),
        253 => Some(Reg::special(Special::Scc, 1)),
        254 => (n == 1).then_some(Reg::special(Special::LdsDirect, 1)),
        _ => None,
    }?;
    r.exists_on(t).then_some(r)
}

/// Dwords of a scalar operand of a class.
fn scalar_dwords(r: Regs, t: Target) -> u8 {
    match r {
        Regs::S64 | Regs::S64XExec | Regs::S64XExecXNull | Regs::Vs64 => 2,
        Regs::Vs128 => 4,
        Regs::S(n) | Regs::SXNull(n) => n,
        Regs::S1 | Regs::S1XExec if t.wave64() => 2,
        Regs::V(n) | Regs::A(n) | Regs::Av(n) => n,
        _ => 1,
    }
}

/// The value of an inline code.
fn constant(code: u64, ty: Ty) -> Option<i64> {
    let float = |f: f64| -> i64 {
        let single = (f as f32).to_bits();
        match ty {
            Ty::F64 | Ty::I64 => f.to_bits() as i64,
            Ty::F16 | Ty::V2F16 => match code {
                240 => 0x3800,
                241 => 0xB800,
                242 => 0x3C00,
                243 => 0xBC00,
                244 => 0x4000,
                245 => 0xC000,
                246 => 0x4400,
                247 => 0xC400,
                _ => 0x3118,
            },
            Ty::BF16 | Ty::V2BF16 => i64::from(single >> 16),
            _ => i64::from(single),
        }
    };
    Some(match code {
        128..=192 => code as i64 - 128,
        193..=208 => 192 - code as i64,
        240 => float(0.5),
        241 => float(-0.5),
        242 => float(1.0),
        243 => float(-1.0),
        244 => float(2.0),
        245 => float(-2.0),
        246 => float(4.0),
        247 => float(-4.0),
        248 => match ty {
            Ty::F64 | Ty::I64 => 0x3FC4_5F30_6DC9_C882,
            Ty::F16 | Ty::V2F16 => 0x3118,
            Ty::BF16 | Ty::V2BF16 => 0x3E22,
            _ => 0x3E22_F983,
        },
        _ => return None,
    })
}

fn source(rd: &mut Reader<'_>, row: Row, k: &Kind, ty: Option<Ty>, v: u64) -> Option<MachineOperand> {
    let n = scalar_dwords(k.regs, rd.t);
    if v >= 256 {
        return vector(RegFile::Vgpr, v, vector_dwords(k.regs)).map(MachineOperand::Reg);
    }
    if let Some(ty) = ty {
        if let Some(c) = constant(v, ty) {
            return Some(MachineOperand::Imm(c));
        }
        if v == u64::from(LITERAL) && !row.has(flag::DPP | flag::SDWA) {
            let lit = i64::from(rd.literal(4)? as u32);
            if ty == Ty::F64 {
                let high = matches!(k.optype, OpType::Src(_));
                rd.forced = high && rd.t.is_newer() && inline_code(lit << 32, ty, rd.t).is_some();
                rd.short = rd.forced;
                return Some(MachineOperand::Imm(if high && !rd.forced { lit << 32 } else { lit }));
            }
            rd.forced = inline_code(lit, ty, rd.t).is_some() && !is_always_literal(row, rd.t);
            rd.short = rd.forced && rd.t.is_newer();
            return Some(MachineOperand::Imm(lit));
        }
        if v == u64::from(LITERAL64) && rd.t.has(feature::F64_BIT_LITERALS) {
            let lit = rd.literal(8)?;
            rd.forced = lit >> 32 == 0;
            return Some(MachineOperand::Imm(lit as i64));
        }
    }
    scalar(v, n, rd.t).map(MachineOperand::Reg)
}

pub(super) fn vector_dwords(r: Regs) -> u8 {
    match r {
        Regs::Vs64 => 2,
        Regs::Vs128 => 4,
        Regs::V(n) | Regs::A(n) | Regs::Av(n) => n,
        _ => 1,
    }
}

pub(super) fn operand(
    rd: &mut Reader<'_>,
    row: Row,
    k: &'static Kind,
    raw: RawOperand,
) -> Option<MachineOperand> {
    let v = raw.value;
    let reg = |r: Option<Reg>| r.map(MachineOperand::Reg);
    match k.optype {
        OpType::Imm | OpType::InputMods => return Some(MachineOperand::Imm(number(rd.t, row, k, v))),
        OpType::PcRel => return Some(MachineOperand::Imm(i64::from(v as u16 as i16))),
        OpType::KImm(ty) => {
            return Some(MachineOperand::Imm(match ty {
                Ty::F16 if v >> 16 == 0xFFFF => i64::from(v as u32 as i32),
                Ty::F16 => v as i64 & 0xFFFF,
                _ => v as i64,
            }));
        }
        OpType::Reg | OpType::Src(_) | OpType::Inline(_) | OpType::NoInline(_) | OpType::Splat(_) => {}
    }
    if k.enc == Enc::SdwaVopcDst {
        if v & 0x80 == 0 {
            return Some(MachineOperand::Reg(if rd.t.wave64() { Reg::VCC } else { Reg::VCC_LO }));
        }
        return reg(scalar(v & 0x7F, scalar_dwords(Regs::S1, rd.t), rd.t));
    }
    if k.enc == Enc::SdwaSrc {
        if v & 0x100 == 0 {
            return reg(vector(RegFile::Vgpr, v, 1));
        }
        return source(rd, row, k, k.optype.src(), v & 0xFF);
    }
    let wide = raw.known & 0x100 != 0;
    match k.regs {
        Regs::V(d) | Regs::A(d) | Regs::Av(d) => {
            let accumulator = match k.regs {
                Regs::A(_) => true,
                Regs::Av(_) => v & 0x200 != 0,
                _ => false,
            };
            if wide && v & 0x100 == 0 {
                // matrix sources take constants where a register is wanted
                let ty = k.optype.src()?;
                return source(rd, row, k, Some(ty), v & 0xFF);
            }
            reg(vector(if accumulator { RegFile::Agpr } else { RegFile::Vgpr }, v, d))
        }
        Regs::VLo => {
            if wide && v & 0x100 == 0 || v & 0x80 != 0 {
                return None;
            }
            reg(vector(RegFile::Vgpr, v, 1))
        }
        Regs::V16 => {
            if wide && v & 0x100 == 0 {
                return None;
            }
            reg(vector(RegFile::Vgpr, v, 1).map(|r| Reg { half: Half::Lo, ..r }))
        }
        Regs::V16Lo => {
            if wide && v & 0x100 == 0 {
                return None;
            }
            let half = if v & 0x80 != 0 { Half::Hi } else { Half::Lo };
            reg(vector(RegFile::Vgpr, v & 0x7F, 1).map(|r| Reg { half, ..r }))
        }
        Regs::Vs16Lo if v >= 256 => {
            let half = if v & 0x80 != 0 { Half::Hi } else { Half::Lo };
            reg(vector(RegFile::Vgpr, v & 0x7F, 1).map(|r| Reg { half, ..r }))
        }
        Regs::Vs16 if v >= 256 => reg(vector(RegFile::Vgpr, v, 1).map(|r| Reg { half: Half::Lo, ..r })),
        Regs::Vs32Lo if v >= 256 && v & 0x80 != 0 => None,
        Regs::VOrLds if v < 256 => {
            (v == 254).then_some(MachineOperand::Reg(Reg::special(Special::LdsDirect, 1)))
        }
        _ => source(rd, row, k, k.optype.src(), v),
    }
}

fn sign_extend(v: u64, bits: u32) -> i64 {
    (v << (64 - bits)) as i64 >> (64 - bits)
}

/// A number in a field, with its sign where it has one.
fn number(t: Target, row: Row, k: &Kind, v: u64) -> i64 {
    let facts = t.facts();
    let signed_bits = match k.class {
        Class::Imm(Imm::FlatOffset) => {
            let is_signed = row.has(flag_set::SEGMENT) || facts.flat_offset_is_signed;
            is_signed.then_some(facts.flat_offset_bits)
        }
        Class::Imm(Imm::Offset) if row.has(flag_set::BUFFER) => {
            facts.has_wide_buffer_offset().then_some(facts.buffer_offset_bits + 1)
        }
        Class::SmemOffset | Class::Imm(Imm::SMEMOffsetMod | Imm::OptSMEMOffsetMod) => {
            let is_signed = facts.scalar_offset_is_signed
                && (!row.has(flag::SMEM_BUFFER) || facts.scalar_buffer_field_is_signed);
            is_signed.then_some(facts.scalar_offset_bits)
        }
        _ => None,
    };
    signed_bits.map_or(v as i64, |bits| sign_extend(v, bits))
}
