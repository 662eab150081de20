//! Memory accesses: types and orderings.

use super::{At, INVALID_OPERAND, is_ptr};
use crate::body::{Flags, Ordering, RmwOp};
use crate::fixes;
use crate::target_types;
use crate::types::{TypeId, Types};
use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_syntax::llvm::NEWER_SINCE;

pub(super) fn alloca(at: &mut At<'_, '_>) {
    let ty = at.cx.ty(at.inst.ty);
    let range = at.cx.body.inst_range(at.id);
    if ty.is_error() {
        return;
    }
    let bad = matches!(ty, TypeId::LABEL | TypeId::METADATA | TypeId::TOKEN | TypeId::X86_AMX)
        || at.cx.types.is_function(ty);
    if bad {
        let message = format!("a value of type `{}` cannot be in memory", at.cx.display_ty(ty));
        at.cx.report(&INVALID_OPERAND, range, message);
    } else if !at.sized(ty) {
        let message = format!("`{}` does not have a size", at.cx.display_ty(ty));
        at.cx.report(&INVALID_OPERAND, range, message);
    }
    if !bad
        && at.sized(ty)
        && let Some(name) = target_types::without(at.cx.scope, &at.cx.types, ty, |p| p.is_local)
    {
        let message = format!("a value of type `target(\"{name}\")` must not be on the stack");
        at.cx.report(&INVALID_OPERAND, range, message);
    }
    if !at.inst.operands.is_empty() {
        at.want(0, "an integer count", Types::is_int);
    }
}

fn atomic_problem(at: &mut At<'_, '_>, forbidden: [Ordering; 2], word: &str, right: &str) {
    let Some(atomic) = at.cx.body.atomic(at.inst).filter(|_| at.inst.flags.has(Flags::ATOMIC)) else {
        return;
    };
    let range = at.cx.body.inst_range(at.id);
    let opcode = at.inst.opcode.word();
    let ordering = ordering_word(at, 0);
    if at.inst.align == 0 {
        let ty = if opcode == "load" { at.cx.ty(at.inst.ty) } else { at.ty(0) };
        let natural = at.cx.types.int_bits(ty).filter(|bits| *bits >= 8 && bits.is_power_of_two());
        let message = format!("an atomic `{opcode}` requires an alignment");
        let diagnostic = at.cx.report(&INVALID_OPERAND, range, message);
        if let (Some(bits), Some(ordering)) = (natural, ordering) {
            let end = TextRange::empty(ordering.end());
            let align = format!(", align {}", bits / 8);
            diagnostic.set_guess(format!("Add `{align}`"), vec![TextEdit::new(end, align)]);
        }
    } else if forbidden.contains(&atomic.ordering) {
        let message =
            format!("the ordering of an atomic `{opcode}` must not be `{word}`; use `{right}` or `seq_cst`");
        wrong_ordering(at, 0, &message, right);
    }
}

/// Where the instruction's `n`-th memory ordering is written.
fn ordering_word(at: &At<'_, '_>, n: usize) -> Option<TextRange> {
    const WORDS: &[&str] = &["unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"];
    let range = at.cx.body.inst_range(at.id);
    let text = fixes::slice(at.cx.text, range);
    let words = text.split([' ', '\t', ',', '\n']).filter(|w| WORDS.contains(w));
    let word = words.take(n + 1).nth(n)?;
    let start = word.as_ptr() as usize - text.as_ptr() as usize;
    Some(TextRange::at(range.start() + TextSize::new(start as u32), TextSize::of(word)))
}

/// Reports an ordering that is not allowed; `right` says as much as the instruction can hold to.
fn wrong_ordering(at: &mut At<'_, '_>, n: usize, message: &str, right: &str) {
    let written = ordering_word(at, n);
    let range = written.unwrap_or_else(|| at.cx.body.inst_range(at.id));
    let diagnostic = at.cx.report(&INVALID_OPERAND, range, message);
    if let Some(written) = written {
        diagnostic.set_fix(format!("Replace with `{right}`"), vec![TextEdit::new(written, right)]);
    }
}

pub(super) fn load(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let ty = at.cx.ty(at.inst.ty);
    if !ty.is_error() && !at.first_class(ty) || at.inst.align == 0 && !at.sized(ty) {
        let message = format!(
            "a value of type `{}`, which does not have a size, cannot be loaded",
            at.cx.display_ty(ty)
        );
        at.bad(0, message);
    }
    elementwise(at, ty);
    atomic_problem(at, [Ordering::Release, Ordering::AcqRel], "release", "acquire");
}

pub(super) fn store(at: &mut At<'_, '_>) {
    at.want(1, "a pointer", is_ptr);
    let ty = at.ty(0);
    if !ty.is_error() && !at.first_class(ty) || at.inst.align == 0 && !at.sized(ty) {
        let message = format!(
            "a value of type `{}`, which does not have a size, cannot be stored",
            at.cx.display_ty(ty)
        );
        at.bad(0, message);
    }
    elementwise(at, ty);
    atomic_problem(at, [Ordering::Acquire, Ordering::AcqRel], "acquire", "release");
}

/// `ty` is the type in memory.
fn elementwise(at: &mut At<'_, '_>, ty: TypeId) {
    if !at.inst.flags.has(Flags::ELEMENTWISE) {
        return;
    }
    let word = at.inst.opcode.word();
    let range = at.cx.body.inst_range(at.id);
    if word != "atomicrmw" && !at.inst.flags.has(Flags::ATOMIC) {
        at.cx.report(&INVALID_OPERAND, range, format!("an elementwise `{word}` must be atomic"));
    } else if !ty.is_error() && !matches!(at.cx.types.lanes(ty), Some((_, false))) {
        let found = at.cx.display_ty(ty);
        let message = format!("an elementwise `{word}` requires a vector of fixed length, found `{found}`");
        at.cx.report(&INVALID_OPERAND, range, message);
    } else if at.cx.body.atomic(at.inst).is_some_and(|atomic| atomic.ordering == Ordering::SeqCst) {
        let message = format!("the ordering of an elementwise `{word}` must not be `seq_cst`");
        wrong_ordering(at, 0, &message, if word == "atomicrmw" { "acq_rel" } else { "monotonic" });
    }
}

pub(super) fn cmpxchg(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let (compare, new) = (at.ty(1), at.ty(2));
    if compare != new && !compare.is_error() && !new.is_error() {
        let message =
            format!("both values must have the same type, found `{}` and `{}`", at.shown(1), at.shown(2));
        at.bad(2, message);
    }
    let Some(atomic) = at.cx.body.atomic(at.inst) else { return };
    if atomic.ordering == Ordering::Unordered {
        return wrong_ordering(at, 0, "the orderings of `cmpxchg` must be at least `monotonic`", "monotonic");
    }
    let right = match atomic.failure {
        Ordering::AcqRel => "acquire",
        Ordering::Unordered | Ordering::Release => "monotonic",
        _ => return,
    };
    let message = "the failure ordering of `cmpxchg` must be `monotonic`, `acquire` or `seq_cst`";
    wrong_ordering(at, 1, message, right);
}

pub(super) fn rmw(at: &mut At<'_, '_>) {
    at.want(0, "a pointer", is_ptr);
    let ty = at.ty(1);
    if let Some(atomic) = at.cx.body.atomic(at.inst)
        && atomic.ordering == Ordering::Unordered
    {
        wrong_ordering(at, 0, "the ordering of `atomicrmw` must be at least `monotonic`", "monotonic");
    }
    elementwise(at, ty);
    if ty.is_error() {
        return;
    }
    let Some(op) = RmwOp::from_raw(at.inst.sub) else { return };
    let types = &at.cx.types;
    let word = op.word();
    // LLVM 23 and later take vectors of fixed length.
    let ty = match types.lanes(ty) {
        Some((_, false)) if at.cx.scope.reads(NEWER_SINCE) => types.scalar(ty),
        _ => ty,
    };
    let problem = match op {
        RmwOp::Xchg => (!types.is_int(ty) && !types.is_float(ty) && !types.is_ptr(ty))
            .then_some("an integer, a floating-point value or a pointer"),
        RmwOp::FAdd
        | RmwOp::FSub
        | RmwOp::FMax
        | RmwOp::FMin
        | RmwOp::FMaximum
        | RmwOp::FMinimum
        | RmwOp::FMaximumNum
        | RmwOp::FMinimumNum => (!types.is_float_or_vector(ty) || types.lanes(ty).is_some_and(|(_, s)| s))
            .then_some("a floating-point value"),
        _ => (!types.is_int(ty)).then_some("an integer"),
    };
    if let Some(what) = problem {
        let message = format!("`atomicrmw {word}` requires {what}, found `{}`", at.shown(1));
        return at.bad(1, message);
    }
    let ty = at.ty(1);
    if let Some(bits) = at.cx.scope.layout.bits(at.cx.scope, &at.cx.types, ty) {
        let bits = bits.div_ceil(8) * 8;
        if bits < 8 || !bits.is_power_of_two() {
            let message =
                format!("the size of an atomic access must be a power of two bytes, found `{}`", at.shown(1));
            at.bad(1, message);
        }
    }
}

pub(super) fn fence(at: &mut At<'_, '_>) {
    let weak = |o| matches!(o, Ordering::Unordered | Ordering::Monotonic);
    if at.cx.body.atomic(at.inst).is_some_and(|a| weak(a.ordering)) {
        let range = at.cx.body.inst_range(at.id);
        at.cx.report(
            &INVALID_OPERAND,
            range,
            "the ordering of a `fence` must be at least `acquire` or `release`",
        );
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn accesses_to_memory() {
        marks(expect![[r#"
            %opaque = type opaque
            define void @f(ptr %p, i32 %i) {
              %a = load i32, i32 %i
            ;                    ^^ error[invalid-operand]: `load` requires a pointer, found `i32`
              %b = load atomic i32, ptr %p acquire
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: an atomic `load` requires an alignment
            ;                                    = guess:   %b = load atomic i32, ptr %p acquire, align 4
              store atomic i32 1, ptr %p acquire, align 4
            ;                            ^^^^^^^ error[invalid-operand]: the ordering of an atomic `store` must not be `acquire`; use `release` or `seq_cst`
            ;                                  = fix:   store atomic i32 1, ptr %p release, align 4
              %c = alloca %opaque
            ; ^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `%opaque` does not have a size
              %d = atomicrmw fadd ptr %p, i32 1 seq_cst
            ;                                 ^ error[invalid-operand]: `atomicrmw fadd` requires a floating-point value, found `i32`
              %e = cmpxchg ptr %p, i32 0, i64 1 seq_cst seq_cst
            ;                                 ^ error[invalid-operand]: both values must have the same type, found `i32` and `i64`
              fence monotonic
            ; ^^^^^^^^^^^^^^^ error[invalid-operand]: the ordering of a `fence` must be at least `acquire` or `release`
              %g = load atomic i32, ptr %p syncscope("acquire") acq_rel, align 4
            ;                                                   ^^^^^^^ error[invalid-operand]: the ordering of an atomic `load` must not be `release`; use `acquire` or `seq_cst`
            ;                                                         = fix:   %g = load atomic i32, ptr %p syncscope("acquire") acquire, align 4
              %h = cmpxchg ptr %p, i32 0, i32 1 acq_rel acq_rel
            ;                                           ^^^^^^^ error[invalid-operand]: the failure ordering of `cmpxchg` must be `monotonic`, `acquire` or `seq_cst`
            ;                                                 = fix:   %h = cmpxchg ptr %p, i32 0, i32 1 acq_rel acquire
              %j = atomicrmw add ptr %p, i32 1 unordered
            ;                                  ^^^^^^^^^ error[invalid-operand]: the ordering of `atomicrmw` must be at least `monotonic`
            ;                                          = fix:   %j = atomicrmw add ptr %p, i32 1 monotonic
              ret void
            }
        "#]]);
    }
}
