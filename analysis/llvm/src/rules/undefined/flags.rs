//! Flags of an instruction that its constant operands violate, and conversions of constants that do not fit.

use super::Finder;
use super::results::POISON;
use crate::body::{Flags, Inst, InstId, Opcode};
use crate::operand::{Const, Operand};
use crate::underlying::{Int, Root};

pub(super) fn check(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let watched = Flags::NUW.0
        | Flags::NSW.0
        | Flags::EXACT.0
        | Flags::DISJOINT.0
        | Flags::NNEG.0
        | Flags::SAMESIGN.0
        | Flags::NNAN.0
        | Flags::NINF.0;
    let is_conversion = matches!(inst.opcode, Opcode::FpToUi | Opcode::FpToSi);
    if !is_conversion && !inst.flags.any(Flags(watched)) {
        return;
    }
    let Some((flag, why)) = violation(finder, inst) else { return };
    let word = inst.opcode.word();
    let message = match flag {
        "" => format!("`{word}` is poison: {why}"),
        flag => format!("`{word}` with `{flag}` is poison: {why}"),
    };
    finder.report(&POISON, finder.cx().body.inst_range(id), message);
}

/// The flag that is violated, empty for a conversion without one, and why. Of vectors, one element is enough.
fn violation(finder: &Finder<'_, '_>, inst: &Inst) -> Option<(&'static str, String)> {
    let body = finder.cx().body;
    if inst.opcode == Opcode::GetElementPtr {
        return pointer(finder, inst);
    }
    let elements = |n| finder.objects.elements(body.operand(inst, n));
    let first = elements(0);
    if inst.opcode.is_float_binary() || matches!(inst.opcode, Opcode::FNeg | Opcode::FCmp) {
        let second = if inst.opcode == Opcode::FNeg { Vec::new() } else { elements(1) };
        return first.iter().chain(&second).find_map(|element| special(inst, number(finder, *element)?));
    }
    let bits = || {
        let cx = finder.cx();
        cx.types.int_bits(cx.types.scalar(cx.result_ty(inst)))
    };
    match inst.opcode {
        Opcode::FpToUi | Opcode::FpToSi => {
            let bits = bits()?;
            first.iter().find_map(|element| converted(inst.opcode, number(finder, *element)?, bits))
        }
        Opcode::Trunc => {
            let bits = bits()?;
            first.iter().find_map(|element| truncated(inst, finder.objects.literal(*element)?, bits))
        }
        Opcode::ZExt | Opcode::UiToFp if inst.flags.has(Flags::NNEG) => first.iter().find_map(|element| {
            let value = finder.objects.literal(*element)?.signed();
            (value < 0).then(|| ("nneg", format!("{value} is negative")))
        }),
        _ if inst.operands.len == 2 => {
            let second = elements(1);
            // One element stands for all of a `splat`.
            let at = |list: &[Operand], n: usize| list.get(if list.len() == 1 { 0 } else { n }).copied();
            (0..first.len().max(second.len())).find_map(|n| {
                let [a, b] = [&first, &second].map(|list| finder.objects.literal(at(list, n)?));
                binary(inst, a?, b?)
            })
        }
        _ => None,
    }
}

fn binary(inst: &Inst, a: Int, b: Int) -> Option<(&'static str, String)> {
    let has = |flag| inst.flags.has(flag);
    match inst.opcode {
        Opcode::Add | Opcode::Sub | Opcode::Mul | Opcode::Shl => {
            let (unsigned, signed) = overflow(inst.opcode, a, b)?;
            match () {
                () if has(Flags::NUW) && unsigned => {
                    Some(("nuw", "the unsigned result does not fit".to_owned()))
                }
                () if has(Flags::NSW) && signed => Some(("nsw", "the signed result does not fit".to_owned())),
                () => None,
            }
        }
        Opcode::Or if has(Flags::DISJOINT) && a.value & b.value != 0 => {
            Some(("disjoint", "both operands have the same bits set".to_owned()))
        }
        Opcode::ICmp if has(Flags::SAMESIGN) && (a.signed() < 0) != (b.signed() < 0) => {
            Some(("samesign", format!("{} and {} have different signs", a.signed(), b.signed())))
        }
        Opcode::UDiv if has(Flags::EXACT) && b.value != 0 && !a.value.is_multiple_of(b.value) => {
            Some(("exact", "the division leaves a remainder".to_owned()))
        }
        Opcode::SDiv if has(Flags::EXACT) && b.value != 0 && a.signed().wrapping_rem(b.signed()) != 0 => {
            Some(("exact", "the division leaves a remainder".to_owned()))
        }
        Opcode::LShr | Opcode::AShr
            if has(Flags::EXACT) && b.value < u64::from(b.bits) && a.value & !(u64::MAX << b.value) != 0 =>
        {
            Some(("exact", "bits that are set are shifted out".to_owned()))
        }
        _ => None,
    }
}

/// Whether the unsigned and the signed result do not fit; `None` for a shift that is poison anyway.
fn overflow(opcode: Opcode, a: Int, b: Int) -> Option<(bool, bool)> {
    let (ua, ub) = (u128::from(a.value), u128::from(b.value));
    let (sa, sb) = (i128::from(a.signed()), i128::from(b.signed()));
    let (unsigned, signed) = match opcode {
        Opcode::Add => (Some(ua + ub), sa + sb),
        Opcode::Sub => (ua.checked_sub(ub), sa - sb),
        Opcode::Mul => (Some(ua * ub), sa * sb),
        Opcode::Shl if b.value < u64::from(b.bits) => (Some(ua << b.value), sa << b.value),
        _ => return None,
    };
    let limit = 1u128 << a.bits;
    let half = 1i128 << (a.bits - 1);
    Some((unsigned.is_none_or(|value| value >= limit), !(-half..half).contains(&signed)))
}

fn truncated(inst: &Inst, value: Int, bits: u32) -> Option<(&'static str, String)> {
    if !(1..value.bits).contains(&bits) {
        return None;
    }
    let half = 1i64 << (bits - 1);
    if inst.flags.has(Flags::NUW) && value.value >> bits != 0 {
        return Some(("nuw", format!("{} does not fit into {bits} unsigned bits", value.value)));
    }
    let is_outside = inst.flags.has(Flags::NSW) && !(-half..half).contains(&value.signed());
    is_outside.then(|| ("nsw", format!("{} does not fit into {bits} signed bits", value.signed())))
}

/// What a conversion to an integer rounds towards zero has to fit.
fn converted(opcode: Opcode, value: f64, bits: u32) -> Option<(&'static str, String)> {
    // Larger integers hold each finite number of most formats.
    if bits > 64 {
        return None;
    }
    let (least, limit, kind) = match opcode {
        Opcode::FpToSi => (-2f64.powi(bits as i32 - 1), 2f64.powi(bits as i32 - 1), "signed"),
        _ => (0.0, 2f64.powi(bits as i32), "unsigned"),
    };
    let whole = value.trunc();
    (!(least..limit).contains(&whole))
        .then(|| ("", format!("{value:?} does not fit into {bits} {kind} bits")))
}

/// A literal that `nnan` or `ninf` says is not there.
fn special(inst: &Inst, value: f64) -> Option<(&'static str, String)> {
    if value.is_nan() && inst.flags.has(Flags::NNAN) {
        return Some(("nnan", "an operand is not a number".to_owned()));
    }
    (value.is_infinite() && inst.flags.has(Flags::NINF))
        .then(|| ("ninf", "an operand is infinite".to_owned()))
}

/// A floating point literal that has the form of a double.
fn number(finder: &Finder<'_, '_>, operand: Operand) -> Option<f64> {
    match finder.cx().constant(operand)? {
        Const::Double(bits) | Const::Decimal(bits) => Some(f64::from_bits(bits)),
        _ => None,
    }
}

/// An offset below zero is a large one for `nuw`: any address but null wraps.
fn pointer(finder: &Finder<'_, '_>, inst: &Inst) -> Option<(&'static str, String)> {
    let cx = finder.cx();
    let operands = cx.body.operands(inst.operands);
    let (base, indices) = operands.split_first()?;
    if !inst.flags.has(Flags::NUW) || finder.objects.source(*base).root == Root::Null {
        return None;
    }
    let negative =
        indices.iter().find_map(|index| finder.objects.literal(*index).filter(|int| int.signed() < 0))?;
    Some(("nuw", format!("the index {} is negative", negative.signed())))
}
