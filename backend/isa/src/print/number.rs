//! Numbers as `llvm-mc` prints them.

use crate::{
    literal::LITERAL64,
    tables::{feature, kind::Ty},
    target::Target,
};

pub(super) fn hex(v: u64) -> String {
    format!("{v:#x}")
}

pub(super) fn signed_hex(v: i64) -> String {
    if v < 0 { format!("-{:#x}", v.unsigned_abs()) } else { hex(v as u64) }
}

fn single(v: u32, t: Target) -> Option<&'static str> {
    Some(match v {
        0 => "0.0",
        0x3F80_0000 => "1.0",
        0xBF80_0000 => "-1.0",
        0x3F00_0000 => "0.5",
        0xBF00_0000 => "-0.5",
        0x4000_0000 => "2.0",
        0xC000_0000 => "-2.0",
        0x4080_0000 => "4.0",
        0xC080_0000 => "-4.0",
        0x3E22_F983 if t.has(feature::INV2_PI_INLINE_IMM) => "0.15915494",
        _ => return None,
    })
}

fn small(v: u16, table: [u16; 9], t: Target) -> Option<&'static str> {
    const TEXT: [&str; 9] = ["1.0", "-1.0", "0.5", "-0.5", "2.0", "-2.0", "4.0", "-4.0", "0.15915494"];
    let i = table.iter().position(|x| *x == v)?;
    (i < 8 || t.has(feature::INV2_PI_INLINE_IMM)).then(|| TEXT[i])
}

const HALVES: [u16; 9] = [0x3C00, 0xBC00, 0x3800, 0xB800, 0x4000, 0xC000, 0x4400, 0xC400, 0x3118];
const BFLOATS: [u16; 9] = [0x3F80, 0xBF80, 0x3F00, 0xBF00, 0x4000, 0xC000, 0x4080, 0xC080, 0x3E22];

/// A stored number as text: an integer, one of the inline floats, or hexadecimal.
pub(super) fn immediate(v: i64, ty: Ty, t: Target) -> String {
    let int = |v: i64| (-16..=64).contains(&v).then(|| v.to_string());
    match ty {
        Ty::I32 | Ty::F32 | Ty::V2I32 | Ty::V2F32 => int(i64::from(v as i32))
            .or_else(|| single(v as u32, t).map(str::to_owned))
            .unwrap_or_else(|| hex(u64::from(v as u32))),
        Ty::I16 => int(i64::from(v as i32))
            .or_else(|| single(v as u32, t).map(str::to_owned))
            // only a float literal has more bits than the operand
            .or_else(|| (v as u32 & 0xFFFF == 0 && v != 0).then(|| format!("{:?}", f32::from_bits(v as u32))))
            .unwrap_or_else(|| hex(v as u64 & 0xFFFF)),
        Ty::F16 => int(i64::from(v as i16))
            .or_else(|| small(v as u16, HALVES, t).map(str::to_owned))
            .unwrap_or_else(|| hex(v as u64 & 0xFFFF)),
        Ty::BF16 => int(i64::from(v as i16))
            .or_else(|| small(v as u16, BFLOATS, t).map(str::to_owned))
            .unwrap_or_else(|| hex(v as u64 & 0xFFFF_FFFF)),
        Ty::V2I16 => int(i64::from(v as i32))
            .or_else(|| single(v as u32, t).map(str::to_owned))
            .unwrap_or_else(|| hex(u64::from(v as u32))),
        Ty::V2F16 | Ty::V2BF16 => {
            let table = if ty == Ty::V2F16 { HALVES } else { BFLOATS };
            int(i64::from(v as i32))
                .or_else(|| u16::try_from(v as u32).ok().and_then(|h| small(h, table, t)).map(str::to_owned))
                .unwrap_or_else(|| hex(u64::from(v as u32)))
        }
        Ty::I64 | Ty::F64 => int(v).unwrap_or_else(|| {
            let f = f64::from_bits(v as u64);
            let text = match v as u64 {
                0x3FE0_0000_0000_0000 => "0.5",
                0xBFE0_0000_0000_0000 => "-0.5",
                0x3FC4_5F30_6DC9_C882 if t.has(feature::INV2_PI_INLINE_IMM) => "0.15915494309189532",
                _ if [1.0, -1.0, 2.0, -2.0, 4.0, -4.0].contains(&f) => return format!("{f:?}"),
                _ => "",
            };
            if !text.is_empty() {
                return text.to_owned();
            }
            let long = t.has(feature::F64_BIT_LITERALS) && v as u32 != 0;
            hex(if ty == Ty::F64 && !long { v as u64 >> 32 } else { v as u64 })
        }),
    }
}

/// A stored number that is a literal whatever its value.
pub(super) fn forced(v: i64, code: u16) -> String {
    if code == LITERAL64 {
        return format!("lit64({})", hex(v as u64));
    }
    format!("lit({})", hex(v as u64 & 0xFFFF_FFFF))
}
