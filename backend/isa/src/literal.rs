//! Numbers in source operands: inline constants, literals, and conversions between types.
//!
//! Source: "Syntax of AMDGPU Instruction Operands", sections "Inline Constants", "Literals" and "Conversion of
//! Integer/Floating-Point Values", and LLVM's assembler where that says more.

use crate::{
    operand::Mods,
    tables::{Row, feature, flag, kind::Ty},
    target::Target,
};

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    Int(i64),
    /// Bits of an `f64`.
    Float(u64),
}

/// The number with `abs` and `neg` applied to its sign bit.
pub(crate) fn modified(n: Number, ty: Ty, mods: Mods) -> Number {
    let apply = |v: u64, bits: u32| {
        let sign = 1u64 << (bits - 1);
        let v = if mods.abs { v & !sign } else { v };
        if mods.neg { v ^ sign } else { v }
    };
    match n {
        Number::Int(v) => Number::Int(apply(v as u64, ty.scalar_bits()) as i64),
        Number::Float(bits) => Number::Float(apply(bits, 64)),
    }
}

/// Selector of a 32-bit literal after the instruction.
pub(crate) const LITERAL: u16 = 255;
/// Selector of a 64-bit literal.
pub(crate) const LITERAL64: u16 = 254;

/// A format of IEEE kind: precision with the hidden bit, and largest exponent.
#[derive(Clone, Copy)]
struct Format {
    precision: u32,
    max_exponent: i32,
}

const HALF: Format = Format { precision: 11, max_exponent: 15 };
const BFLOAT: Format = Format { precision: 8, max_exponent: 127 };
const SINGLE: Format = Format { precision: 24, max_exponent: 127 };

struct Converted {
    bits: u64,
    /// Overflow, or underflow with loss.
    out_of_range: bool,
}

/// Rounds an `f64` to nearest even.
fn convert(bits: u64, to: Format) -> Converted {
    let width = to.precision + exponent_bits(to);
    let sign = (bits >> 63) << (width - 1);
    let (mut exponent, mut mantissa) = ((bits >> 52 & 0x7FF) as i32, bits & ((1 << 52) - 1));
    let exponent_max = (1u64 << exponent_bits(to)) - 1;
    let infinity = sign | exponent_max << (to.precision - 1);
    if exponent == 0x7FF {
        let payload = mantissa >> (53 - to.precision);
        let quiet = if mantissa != 0 { payload | 1 << (to.precision - 2) } else { 0 };
        return Converted { bits: infinity | quiet, out_of_range: false };
    }
    if exponent == 0 {
        if mantissa == 0 {
            return Converted { bits: sign, out_of_range: false };
        }
        let up = mantissa.leading_zeros() - 11;
        mantissa <<= up;
        exponent = -1022 - up as i32;
    } else {
        mantissa |= 1 << 52;
        exponent -= 1023;
    }
    let min_exponent = 1 - to.max_exponent;
    let mut e = exponent.max(min_exponent);
    let shift = 53 - to.precision + (e - exponent).min(200) as u32;
    let (mut kept, lost) = if shift > 63 {
        (0, true)
    } else {
        let (kept, rest, half) = (mantissa >> shift, mantissa & ((1 << shift) - 1), 1u64 << (shift - 1));
        let up = rest > half || (rest == half && kept & 1 == 1);
        (kept + u64::from(up), rest != 0)
    };
    if kept == 1 << to.precision {
        kept >>= 1;
        e += 1;
    }
    if e > to.max_exponent {
        return Converted { bits: infinity, out_of_range: true };
    }
    if kept < 1 << (to.precision - 1) {
        return Converted { bits: sign | kept, out_of_range: lost };
    }
    let field = (e + to.max_exponent) as u64;
    Converted {
        bits: sign | field << (to.precision - 1) | (kept & ((1 << (to.precision - 1)) - 1)),
        out_of_range: false,
    }
}

fn exponent_bits(f: Format) -> u32 {
    if f.max_exponent == 15 { 5 } else { 8 }
}

fn inv2pi(t: Target) -> bool {
    t.has(feature::INV2_PI_INLINE_IMM)
}

pub(crate) fn has_literal64(t: Target) -> bool {
    t.has(feature::F64_BIT_LITERALS)
}

fn inline_int(v: i64) -> Option<u16> {
    match v {
        0..=64 => Some(128 + v as u16),
        -16..=-1 => Some(192 + v.unsigned_abs() as u16),
        _ => None,
    }
}

fn inline32(v: u32, t: Target) -> Option<u16> {
    inline_int(i64::from(v as i32)).or_else(|| match v {
        0x3F00_0000 => Some(240),
        0xBF00_0000 => Some(241),
        0x3F80_0000 => Some(242),
        0xBF80_0000 => Some(243),
        0x4000_0000 => Some(244),
        0xC000_0000 => Some(245),
        0x4080_0000 => Some(246),
        0xC080_0000 => Some(247),
        0x3E22_F983 if inv2pi(t) => Some(248),
        _ => None,
    })
}

fn inline64(v: u64, t: Target) -> Option<u16> {
    inline_int(v as i64).or_else(|| match v {
        0x3FE0_0000_0000_0000 => Some(240),
        0xBFE0_0000_0000_0000 => Some(241),
        0x3FF0_0000_0000_0000 => Some(242),
        0xBFF0_0000_0000_0000 => Some(243),
        0x4000_0000_0000_0000 => Some(244),
        0xC000_0000_0000_0000 => Some(245),
        0x4010_0000_0000_0000 => Some(246),
        0xC010_0000_0000_0000 => Some(247),
        0x3FC4_5F30_6DC9_C882 if inv2pi(t) => Some(248),
        _ => None,
    })
}

fn half_code(v: u32) -> Option<u16> {
    Some(match v {
        0x3800 => 240,
        0xB800 => 241,
        0x3C00 => 242,
        0xBC00 => 243,
        0x4000 => 244,
        0xC000 => 245,
        0x4400 => 246,
        0xC400 => 247,
        0x3118 => 248,
        _ => return None,
    })
}

fn bfloat_code(v: u32) -> Option<u16> {
    Some(match v {
        0x3F00 => 240,
        0xBF00 => 241,
        0x3F80 => 242,
        0xBF80 => 243,
        0x4000 => 244,
        0xC000 => 245,
        0x4080 => 246,
        0xC080 => 247,
        0x3E22 => 248,
        _ => return None,
    })
}

/// Inline code of a stored value, for the operand's type.
pub(crate) fn inline_code(v: i64, ty: Ty, t: Target) -> Option<u16> {
    match ty {
        Ty::I32 | Ty::F32 | Ty::V2I32 | Ty::V2F32 | Ty::I16 => inline32(v as u32, t),
        Ty::I64 | Ty::F64 => inline64(v as u64, t),
        Ty::F16 => inline_int(i64::from(v as i16)).or_else(|| half_code(v as u32 & 0xFFFF)),
        Ty::BF16 => inline_int(i64::from(v as i16)).or_else(|| bfloat_code(v as u32 & 0xFFFF)),
        Ty::V2I16 => inline_int(i64::from(v as i32)).or_else(|| inline32(v as u32, t)),
        Ty::V2F16 => inline_int(i64::from(v as i32)).or_else(|| half_code(v as u32)),
        Ty::V2BF16 => inline_int(i64::from(v as i32)).or_else(|| bfloat_code(v as u32)),
    }
}

/// Whether each number in a source is a literal: from LLVM 24 on, those of 16-bit `v_s_` instructions before gfx13, for which the
/// hardware reads inline constants as 32-bit ones.
pub(crate) fn is_always_literal(row: Row, t: Target) -> bool {
    let mnemonic = row.mnemonic();
    t.is_newer() && t.major() < 13 && mnemonic.starts_with("v_s_") && mnemonic.ends_with("_f16")
}

/// Selector of a stored value: an inline code, or that of a literal.
pub(crate) fn code(v: i64, ty: Ty, row: Row, t: Target) -> u16 {
    if is_always_literal(row, t) {
        return LITERAL;
    }
    let mandatory = row.has(flag::HAS_IMM);
    let inline = match ty {
        Ty::F16 => inline_code(v, ty, t).filter(|&c| c != 248 || inv2pi(t)),
        _ => inline_code(v, ty, t),
    };
    if let Some(c) = inline {
        return c;
    }
    let wide = match ty {
        Ty::F64 => v as u32 != 0,
        Ty::I64 => row.size() == 4 && (i32::try_from(v).is_err() || u32::try_from(v).is_err()),
        _ => false,
    };
    if matches!(ty, Ty::F64 | Ty::I64) && has_literal64(t) && wide || (mandatory && ty == Ty::F64) {
        LITERAL64
    } else {
        LITERAL
    }
}

/// Selector of a value that is to be a literal whatever it is.
pub(crate) fn forced_code(ty: Ty, t: Target) -> u16 {
    if ty.scalar_bits() == 64 && has_literal64(t) { LITERAL64 } else { LITERAL }
}

/// The same for operands whose inline constants stand for both halves.
pub(crate) fn splat_code(v: i64, ty: Ty, t: Target) -> u16 {
    let v = v as u32;
    if let Some(c) = inline_int(i64::from(v as i32)) {
        return c;
    }
    if v >> 16 == v & 0xFFFF { inline_code(i64::from(v & 0xFFFF), ty, t).unwrap_or(LITERAL) } else { LITERAL }
}

/// Whether checks (constant bus, one literal) count a stored value as an inline constant.
pub(crate) fn counts_as_inline(v: i64, ty: Ty, t: Target) -> bool {
    match ty {
        Ty::F16 | Ty::BF16 => inv2pi(t) && inline_code(v, ty, t).is_some(),
        _ => inline_code(v, ty, t).is_some(),
    }
}

fn fits(v: i64, bits: u32) -> bool {
    bits >= 64 || (v >= -(1 << (bits - 1)) && v < 1i64 << bits)
}

fn inline16(v: u32, ty: Ty, t: Target) -> bool {
    match ty {
        Ty::I16 | Ty::V2I16 => inline32(v, t).is_some(),
        Ty::F16 | Ty::V2F16 => {
            inv2pi(t) && (inline_int(i64::from(v as i16)).is_some() || half_code(v & 0xFFFF).is_some())
        }
        _ => inv2pi(t) && (inline_int(i64::from(v as i16)).is_some() || bfloat_code(v & 0xFFFF).is_some()),
    }
}

/// Whether the number can be an inline constant of an operand of this type.
pub(crate) fn is_inlinable(n: Number, ty: Ty, t: Target) -> bool {
    let wide = matches!(ty, Ty::I64 | Ty::F64);
    match n {
        Number::Float(bits) => {
            if wide {
                return inline64(bits, t).is_some();
            }
            let format = match ty {
                Ty::F16 | Ty::V2F16 | Ty::I16 | Ty::V2I16 => HALF,
                Ty::BF16 | Ty::V2BF16 => BFLOAT,
                _ => SINGLE,
            };
            if convert(bits, format).out_of_range {
                return false;
            }
            if ty.scalar_bits() == 16 {
                let c = match ty {
                    Ty::F16 | Ty::V2F16 => {
                        // LLVM converts in place first
                        convert(bits, HALF)
                    }
                    Ty::BF16 | Ty::V2BF16 => convert(bits, BFLOAT),
                    _ => convert(widen_half(convert(bits, HALF).bits), SINGLE),
                };
                return inline16(c.bits as u32, ty, t);
            }
            inline32(convert(bits, SINGLE).bits as u32, t).is_some()
        }
        Number::Int(v) => {
            if wide {
                return inline64(v as u64, t).is_some();
            }
            if !fits(v, ty.scalar_bits()) {
                return false;
            }
            if ty.scalar_bits() == 16 {
                return inline16(i32::from(v as i16) as u32, ty, t);
            }
            inline32(v as u32, t).is_some()
        }
    }
}

/// The `f64` of a half; integer operands of 16 bits see the value after rounding to half.
fn widen_half(h: u64) -> u64 {
    let (sign, e, m) = (h >> 15 & 1, h >> 10 & 31, h & 0x3FF);
    let v = match e {
        0 => m as f64 * 2f64.powi(-24),
        31 => return sign << 63 | 0x7FF << 52 | m << 42,
        _ => (1024 + m) as f64 * 2f64.powi(e as i32 - 25),
    };
    v.to_bits() | sign << 63
}

/// Whether the number can be a literal of an operand of this type.
pub(crate) fn is_literal(n: Number, ty: Ty, fp_mods: bool, row: Row, t: Target) -> bool {
    match n {
        Number::Int(v) => {
            if ty == Ty::F64 && fp_mods {
                return false;
            }
            let mut size = ty.bits();
            if size == 64 {
                let wide = has_literal64(t) && (ty == Ty::F64 || (ty == Ty::I64 && row.size() == 4));
                if wide && !fits(v, 32) {
                    return true;
                }
                size = 32;
            }
            fits(v, size)
        }
        Number::Float(bits) => match ty {
            Ty::F64 => true,
            Ty::I64 => false,
            Ty::F16 | Ty::V2F16 | Ty::I16 => !convert(bits, HALF).out_of_range,
            Ty::BF16 | Ty::V2BF16 => !convert(bits, BFLOAT).out_of_range,
            _ => !convert(bits, SINGLE).out_of_range,
        },
    }
}

/// Options of [`store`].
#[derive(Clone, Copy, Default)]
pub(crate) struct Store {
    pub(crate) lit: bool,
    pub(crate) lit64: bool,
    /// The instruction has a mandatory literal.
    pub(crate) mandatory: bool,
    /// Size of the instruction without literal, in bytes.
    pub(crate) size: usize,
}

/// The number as the operand stores it, before it is encoded.
pub(crate) fn store(n: Number, ty: Ty, kimm: bool, o: Store, t: Target) -> i64 {
    match n {
        Number::Float(bits) => match ty {
            Ty::F64 if kimm => bits as i64,
            Ty::F64 if o.lit => (bits >> 32) as i64,
            Ty::I64 | Ty::F64 => {
                if inline64(bits, t).is_some() {
                    return bits as i64;
                }
                if bits as u32 != 0 && (o.size != 4 || !has_literal64(t)) && !o.mandatory {
                    return (bits & 0xFFFF_FFFF_0000_0000) as i64;
                }
                bits as i64
            }
            Ty::BF16 | Ty::V2BF16 => {
                if inv2pi(t) && bits == 0x3FC4_5F30_6725_FEED {
                    return 0x3E22;
                }
                convert(bits, BFLOAT).bits as i64
            }
            Ty::F16 | Ty::V2F16 => convert(bits, HALF).bits as i64,
            _ => convert(bits, SINGLE).bits as i64,
        },
        Number::Int(v) => {
            if kimm {
                return match ty {
                    // The sign of a negative number goes on in the upper half, as LLVM encodes it.
                    Ty::F16 => v & 0xFFFF | (v >> 63) << 16,
                    Ty::F64 => {
                        if fits(v, 32) && !o.lit64 {
                            v << 32
                        } else {
                            v
                        }
                    }
                    _ => v & 0xFFFF_FFFF,
                };
            }
            match ty {
                Ty::I64 => {
                    if inline64(v as u64, t).is_some() && !o.lit {
                        v
                    } else if !has_literal64(t) || o.lit || o.size != 4 {
                        v & 0xFFFF_FFFF
                    } else {
                        v
                    }
                }
                Ty::F64 => {
                    if inline64(v as u64, t).is_some() || o.lit64 {
                        v
                    } else if o.lit {
                        v & 0xFFFF_FFFF
                    } else if !has_literal64(t) || (!o.lit64 && fits(v, 32)) {
                        v << 32
                    } else {
                        v
                    }
                }
                Ty::I16 => v & 0xFFFF_FFFF,
                Ty::F16 | Ty::BF16 => {
                    if !o.lit && inline16(v as u32, ty, t) {
                        v
                    } else {
                        v & 0xFFFF
                    }
                }
                _ => {
                    if inline32(v as u32, t).is_some() {
                        v
                    } else {
                        v & 0xFFFF_FFFF
                    }
                }
            }
        }
    }
}
