//! Casts: what turns into what.

use super::At;
use crate::llvm::body::Opcode;
use crate::llvm::types::{Type, TypeId, Types};
use crate::{Rule, Severity};

pub(super) static INVALID_CAST: Rule = Rule {
    code: "invalid-cast",
    severity: Severity::Error,
    explain: "Each cast turns one class of types into another: `trunc` a wider integer into a narrower one, `bitcast` a type into \
              another of the same size, `addrspacecast` a pointer into another address space. Source: LLVM Language Reference, \
              *Conversion Operations*.",
};

pub(super) fn cast(at: &mut At<'_, '_>) {
    let (from, to) = (at.ty(0), at.cx.ty(at.inst.ty));
    if from.is_error() || to.is_error() || cast_is_valid(&at.cx.types, at.inst.opcode, from, to) {
        return;
    }
    let message = format!(
        "`{}` cannot turn a `{}` into a `{}`",
        at.inst.opcode.word(),
        at.shown(0),
        at.cx.display_ty(to)
    );
    let range = at.cx.body.operand_range(at.id, 0);
    at.cx.report(&INVALID_CAST, range, message);
}

/// May this cast turn the one type into the other? Both are known.
pub fn cast_is_valid(types: &Types, op: Opcode, from: TypeId, to: TypeId) -> bool {
    let (a, b) = (types.scalar(from), types.scalar(to));
    let lanes = types.lanes(from) == types.lanes(to);
    let ints = || Some((types.int_bits(a)?, types.int_bits(b)?));
    let floats = || Some((types.float_bits(a)?, types.float_bits(b)?));
    match op {
        Opcode::Trunc => lanes && ints().is_some_and(|(a, b)| a > b),
        Opcode::ZExt | Opcode::SExt => lanes && ints().is_some_and(|(a, b)| a < b),
        Opcode::FpTrunc => lanes && floats().is_some_and(|(a, b)| a > b),
        Opcode::FpExt => lanes && floats().is_some_and(|(a, b)| a < b),
        Opcode::UiToFp | Opcode::SiToFp => lanes && types.is_int(a) && types.is_float(b),
        Opcode::FpToUi | Opcode::FpToSi => lanes && types.is_float(a) && types.is_int(b),
        Opcode::PtrToInt | Opcode::PtrToAddr => lanes && types.is_ptr(a) && types.is_int(b),
        Opcode::IntToPtr => lanes && types.is_int(a) && types.is_ptr(b),
        Opcode::AddrSpaceCast => match (types.get(a), types.get(b)) {
            (Type::Ptr(a), Type::Ptr(b)) => lanes && a != b,
            _ => false,
        },
        Opcode::BitCast => match (types.get(a), types.get(b)) {
            (Type::Ptr(a), Type::Ptr(b)) => {
                let single = |ty| types.lanes(ty).is_none_or(|l| l == (1, false));
                a == b
                    && match (types.lanes(from), types.lanes(to)) {
                        (Some(x), Some(y)) => x == y,
                        _ => single(from) && single(to),
                    }
            }
            (Type::Ptr(_), _) | (_, Type::Ptr(_)) => false,
            _ => match (primitive_bits(types, from), primitive_bits(types, to)) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            },
        },
        _ => true,
    }
}

/// Width of a type that is no aggregate, and whether it is a multiple known only at run time.
fn primitive_bits(types: &Types, ty: TypeId) -> Option<(u64, bool)> {
    let one = |ty| match types.get(ty) {
        Type::X86Amx => Some(8192),
        _ => types.int_bits(ty).or_else(|| types.float_bits(ty)).map(u64::from),
    };
    match types.get(ty) {
        Type::Vector { len, scalable, element } => Some((one(element)? * u64::from(len), scalable)),
        _ => Some((one(ty)?, false)),
    }
}
