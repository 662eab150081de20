//! Literals: whether their floating-point type can represent them, and what to write instead of one of the wrong type.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use crate::context::TablesContext;
use crate::operand::{Const, HexFloat};
use crate::types::{Type, TypeId};

/// Whether [`instead`] is another number than is written: a digit may be the mistake.
pub(super) fn is_rounded(cx: &TablesContext<'_, '_>, constant: Const, ty: TypeId) -> bool {
    let (Const::Double(bits) | Const::Decimal(bits)) = constant else { return false };
    cx.types.is_float(ty) && bits_of(bits, ty).is_none()
}

/// The constant of the right type that surely was meant.
pub(super) fn instead(cx: &TablesContext<'_, '_>, constant: Const, ty: TypeId) -> Option<String> {
    let types = &cx.types;
    let is_plain_float = matches!(ty, TypeId::DOUBLE | TypeId::FLOAT | TypeId::HALF);
    let aggregate = matches!(
        types.get(ty),
        Type::Array { .. } | Type::Vector { .. } | Type::Struct { .. } | Type::NamedStruct(_)
    );
    match constant {
        Const::Int(0) if types.is_ptr(ty) => Some("null".into()),
        Const::Int(0) | Const::Null if aggregate => Some("zeroinitializer".into()),
        Const::Int(n) if is_plain_float && n.abs() <= 1 << 10 => Some(format!("{n}.0")),
        Const::Null if types.is_int(ty) => Some("0".into()),
        Const::Null if is_plain_float => Some("0.0".into()),
        Const::Bool(value) if types.is_int(ty) => Some(u8::from(value).to_string()),
        Const::Double(bits) | Const::Decimal(bits) => {
            let value = f64::from_bits(bits);
            if types.is_int(ty) && value.fract() == 0.0 && value.abs() < 1e15 {
                return Some(format!("{value:.0}"));
            }
            if types.is_ptr(ty) && value == 0.0 {
                return Some("null".into());
            }
            if let Some(meant) = bits_of(bits, ty) {
                return Some(meant);
            }
            // The nearest number that it can hold.
            let (double, mut lost) = (Double::from_bits(u128::from(bits)), false);
            let (half, bfloat): (Half, BFloat) =
                (double.convert(&mut lost).value, double.convert(&mut lost).value);
            let single = value as f32;
            match ty {
                TypeId::FLOAT if single.is_normal() => {
                    Some(format!("0x{:016X}", f64::from(single).to_bits()))
                }
                TypeId::HALF if half.is_normal() => Some(format!("0xH{:04X}", half.to_bits())),
                TypeId::BFLOAT if bfloat.is_normal() => Some(format!("0xR{:04X}", bfloat.to_bits())),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How the bits of a smaller type, written as those of a `double`, are written: no number of that type is so small.
fn bits_of(bits: u64, ty: TypeId) -> Option<String> {
    let (half, single) = (u16::try_from(bits).ok(), u32::try_from(bits).ok());
    match ty {
        _ if bits == 0 => None,
        TypeId::FLOAT => {
            let wide = f64::from(f32::from_bits(single?)).to_bits();
            Some(format!("0x{wide:016X}"))
        }
        TypeId::HALF => Some(format!("0xH{:04X}", half?)),
        TypeId::BFLOAT => Some(format!("0xR{:04X}", half?)),
        _ => None,
    }
}

/// `f0x3F800000`, `+inf` and NaNs, which LLVM 23 reads for any type of their size.
pub(super) fn newer_float(cx: &TablesContext<'_, '_>, literal: HexFloat, ty: TypeId) -> Option<String> {
    let name = cx.display_ty(ty);
    if !cx.types.is_float(ty) {
        return Some(format!("expected a constant of type `{name}`, found a floating-point number"));
    }
    let bits = cx.types.float_bits(ty)?;
    match literal.letter {
        b'f' if u32::from(literal.digits) * 4 != bits => {
            Some(format!("`{name}` has {} hexadecimal digits, found {}", bits / 4, literal.digits))
        }
        b's' if ty == TypeId::PPC_FP128 => Some(format!("type `{name}` does not have a signaling NaN")),
        _ => None,
    }
}

/// `is_rounded`: LLVM 23 rounds a decimal number to the nearest of its type, and rejects what is too large for it.
pub(super) fn float(cx: &TablesContext<'_, '_>, bits: u64, ty: TypeId, is_rounded: bool) -> Option<String> {
    let value = Double::from_bits(u128::from(bits));
    let mut lost = false;
    if is_rounded && cx.types.is_float(ty) {
        // The first number that is rounded to infinity, and the last that is rounded to zero, as a power of two.
        let (limit, least, name) = match ty {
            TypeId::HALF => (65520.0, -25, "half"),
            TypeId::BFLOAT => (f64::from_bits(0x47EF_F000_0000_0000), -134, "bfloat"),
            TypeId::FLOAT => (f64::from_bits(0x47EF_FFFF_F000_0000), -150, "float"),
            TypeId::DOUBLE => (f64::INFINITY, i32::MIN, "double"),
            _ => return None,
        };
        let size = f64::from_bits(bits).abs();
        return if size >= limit {
            Some(format!("the number is too large for `{name}`"))
        } else if size != 0.0 && size <= 2f64.powi(least) {
            Some(format!("the number is too small for `{name}`"))
        } else {
            None
        };
    }
    let name = match ty {
        TypeId::DOUBLE => return None,
        TypeId::FLOAT => {
            let _: Single = value.convert(&mut lost).value;
            "float"
        }
        TypeId::HALF => {
            let _: Half = value.convert(&mut lost).value;
            "half"
        }
        TypeId::BFLOAT => {
            let _: BFloat = value.convert(&mut lost).value;
            "bfloat"
        }
        _ => {
            let name = cx.display_ty(ty);
            return Some(match cx.types.is_float(ty) {
                true => format!("a constant of type `{name}` must be written as its bits in hexadecimal"),
                false => format!("expected a constant of type `{name}`, found a floating-point number"),
            });
        }
    };
    lost.then(|| {
        if let Some(meant) = bits_of(bits, ty) {
            return format!("`0x` with 16 digits has the bits of a `double`; the bits {bits:#X} of a `{name}` are `{meant}`").replace("0X", "0x");
        }
        let number = f64::from_bits(bits);
        format!("`{name}` cannot represent {number:?} exactly; write a number that it can represent, in hexadecimal")
    })
}
