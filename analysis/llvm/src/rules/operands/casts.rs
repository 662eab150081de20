//! Casts: what turns into what.

use super::At;
use crate::body::Opcode;
use crate::fixes;
use crate::scope::Scope;
use crate::types::{Type, TypeId, Types};
use wavelens_base::{Severity, TextEdit};

wavelens_syntax::rules! {
    INVALID_CAST {
        code: "invalid-cast",
        severity: Severity::Error,
        title: "a cast converts between types that its opcode allows",
        explain: "Each cast converts one class of types to another: `trunc` to a narrower integer, `bitcast` to a \
            type of the same size, `addrspacecast` to another address space.",
        example: r"define i32 @f(i8 %x) {
  %y = trunc i8 %x to i32
  ret i32 %y
}
",
        fixed: r"define i32 @f(i8 %x) {
  %y = zext i8 %x to i32
  ret i32 %y
}
",
        source: "LLVM `CastInst::castIsValid`, reported by `LLParser`: \"invalid cast opcode for cast from 'i8' to \
            'i32'\"; LLVM Language Reference, \"Conversion Operations\"",
    }
}

pub(super) fn cast(at: &mut At<'_, '_>) {
    let (from, to) = (at.ty(0), at.cx.ty(at.inst.ty));
    if from.is_error() || to.is_error() {
        return;
    }
    if cast_is_valid(at.cx.scope, &at.cx.types, at.inst.opcode, from, to) {
        if let Some(message) = address_problem(at.cx.scope, &at.cx.types, at.inst.opcode, from, to) {
            let range = at.cx.body.operand_range(at.id, 0);
            at.cx.report(&INVALID_CAST, range, message);
        }
        return;
    }
    let message =
        format!("`{}` cannot convert `{}` to `{}`", at.inst.opcode.word(), at.shown(0), at.cx.display_ty(to));
    let range = at.cx.body.operand_range(at.id, 0);
    let right = right_cast(at.cx.scope, &at.cx.types, at.inst.opcode, from, to);
    let written = fixes::word_in(at.cx.text, at.cx.body.inst_range(at.id), at.inst.opcode.word());
    let diagnostic = at.cx.report(&INVALID_CAST, range, message);
    if let (Some(right), Some(written)) = (right, written) {
        let word = right.word();
        let title = format!("Replace `{}` with `{word}`", at.inst.opcode.word());
        diagnostic.set_guess(title, vec![TextEdit::new(written, word)]);
    }
}

/// The one cast that turns the one type into the other and can be meant.
pub(in crate::rules) fn right_cast(
    scope: &Scope,
    types: &Types,
    op: Opcode,
    from: TypeId,
    to: TypeId,
) -> Option<Opcode> {
    let is_valid = |cast| cast_is_valid(scope, types, cast, from, to);
    let right = match op {
        Opcode::UiToFp => Opcode::FpToUi,
        Opcode::SiToFp => Opcode::FpToSi,
        Opcode::FpToUi => Opcode::UiToFp,
        Opcode::FpToSi => Opcode::SiToFp,
        _ => {
            // Where more than one is possible, signs or representations decide, and only the author knows them.
            let casts = [
                Opcode::Trunc,
                Opcode::FpTrunc,
                Opcode::FpExt,
                Opcode::PtrToInt,
                Opcode::IntToPtr,
                Opcode::AddrSpaceCast,
            ];
            let same_space = types.is_ptr_or_vector(from) && types.is_ptr_or_vector(to);
            let bitcast = Some(Opcode::BitCast).filter(|_| same_space);
            casts.into_iter().chain(bitcast).find(|cast| is_valid(*cast))?
        }
    };
    (right != op && is_valid(right)).then_some(right)
}

/// What `ptrtoaddr` gives is as wide as an address in the pointer's address space.
pub(in crate::rules) fn address_problem(
    scope: &Scope,
    types: &Types,
    opcode: Opcode,
    from: TypeId,
    to: TypeId,
) -> Option<String> {
    let space = types.address_space(types.scalar(from)).filter(|_| opcode == Opcode::PtrToAddr)?;
    let bits = scope.index_bits(space)?;
    (types.int_bits(types.scalar(to)) != Some(bits)).then(|| {
        format!("the result of `ptrtoaddr` must be `i{bits}`, the width of addresses in the data layout")
    })
}

/// May this cast turn the one type into the other? Both are known.
pub(crate) fn cast_is_valid(scope: &Scope, types: &Types, op: Opcode, from: TypeId, to: TypeId) -> bool {
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
            // A byte holds a pointer as it is; with an integer `inttoptr` and `ptrtoint` are needed.
            (Type::Ptr(_), Type::Byte(_)) | (Type::Byte(_), Type::Ptr(_)) => {
                let bits = |ty| scope.layout.bits(scope, types, ty);
                !scope.has_layout || bits(from) == bits(to)
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

/// Width of a type that is not an aggregate, and whether it is a multiple known only at run time.
fn primitive_bits(types: &Types, ty: TypeId) -> Option<(u64, bool)> {
    let one = |ty| match types.get(ty) {
        Type::X86Amx => Some(8192),
        Type::Byte(bits) => Some(u64::from(bits)),
        _ => types.int_bits(ty).or_else(|| types.float_bits(ty)).map(u64::from),
    };
    match types.get(ty) {
        Type::Vector { len, scalable, element } => Some((one(element)? * u64::from(len), scalable)),
        _ => Some((one(ty)?, false)),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn casts_that_cannot_be() {
        marks(expect![[r#"
            define void @f(i32 %i, i64 %l, float %x, double %d, ptr %p) {
              %a = zext i64 %l to i32
            ;               ^^ error[invalid-cast]: `zext` cannot convert `i64` to `i32`
            ;                = guess:   %a = trunc i64 %l to i32
              %b = fpext double %d to float
            ;                   ^^ error[invalid-cast]: `fpext` cannot convert `double` to `float`
            ;                    = guess:   %b = fptrunc double %d to float
              %c = bitcast i64 %l to ptr
            ;                  ^^ error[invalid-cast]: `bitcast` cannot convert `i64` to `ptr`
            ;                   = guess:   %c = inttoptr i64 %l to ptr
              %e = sitofp float %x to i32
            ;                   ^^ error[invalid-cast]: `sitofp` cannot convert `float` to `i32`
            ;                    = guess:   %e = fptosi float %x to i32
              %g = bitcast ptr %p to ptr addrspace(1)
            ;                  ^^ error[invalid-cast]: `bitcast` cannot convert `ptr` to `ptr addrspace(1)`
            ;                   = guess:   %g = addrspacecast ptr %p to ptr addrspace(1)
              %h = trunc i32 %i to i64
            ;                ^^ error[invalid-cast]: `trunc` cannot convert `i32` to `i64`
              ret void
            }
        "#]]);
    }
}
