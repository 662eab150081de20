//! Instructions whose result is always poison or undefined, and divisions that are never defined.

use super::Finder;
use crate::body::{Inst, InstId, Opcode};
use crate::operand::{Const, Operand, OperandId, Value};
use crate::types::Type;
use crate::underlying::Int;
use wavelens_base::Severity;

wavelens_syntax::rules! {
    POISON {
        code: "poison-result",
        severity: Severity::Warning,
        title: "an instruction does not always give poison",
        explain: "A shift by as many bits as the value has, an element index past the end of a vector, and an operation \
            that violates its own flags (`nuw`, `nsw`, `exact`, `disjoint`, `nneg`, `samesign`, `nnan`, `ninf`) give poison; so does \
            a floating point number whose integer does not fit. Optimizers replace it, and all that is computed from it, by anything.\n\n\
            Switch it off for tests of these replacements.",
        example: r"define i32 @f(i32 %x) {
  %r = shl i32 %x, 32
  ret i32 %r
}
",
        fixed: r"define i32 @f(i32 %x) {
  %r = shl i32 %x, 31
  ret i32 %r
}
",
        source: "LLVM pass `lint`: \"Shift count out of range\", \"extractelement index out of range\"; LLVM Language \
            Reference, \"Poison Values\" and the instruction",
    }

    UNDEFINED {
        code: "undefined-result",
        severity: Severity::Warning,
        title: "an operation is not computed from `undef` alone",
        explain: "Each use of `undef` may be another value: `xor undef, undef` is not 0, and a comparison with `undef` \
            may be true and false. In tests with RUN lines, `undef` is a placeholder and is not reported, unless a \
            RUN line runs the pass `lint`.\n\n\
            Switch it off for reduced test cases.",
        example: r"define i32 @f() {
  %r = xor i32 undef, undef
  ret i32 %r
}
",
        fixed: r"define i32 @f(i32 %x) {
  %r = xor i32 %x, %x
  ret i32 %r
}
",
        source: "LLVM pass `lint`: \"xor(undef, undef)\", \"sub(undef, undef)\"; LLVM Language Reference, \"Undefined \
            Values\"",
    }

    DIVISION {
        code: "division-by-zero",
        severity: Severity::Warning,
        title: "a divisor is not zero",
        explain: "`udiv`, `sdiv`, `urem` and `srem` by zero have undefined behavior; so have `sdiv` and `srem` of the \
            smallest number by -1. A divisor that is `undef` may be zero. Of vectors, one such element is enough.\n\n\
            Switch it off for tests of this behavior.",
        example: r"define i32 @f(i32 %x) {
  %r = udiv i32 %x, 0
  ret i32 %r
}
",
        fixed: r"define i32 @f(i32 %x) {
  %r = udiv i32 %x, 2
  ret i32 %r
}
",
        source: "LLVM pass `lint`: \"Division by zero\"; LLVM Language Reference, \"'udiv' Instruction\"",
    }
}

pub(super) fn check(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    match inst.opcode {
        Opcode::Shl | Opcode::LShr | Opcode::AShr => shift(finder, id, inst),
        Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem => division(finder, id, inst),
        Opcode::ExtractElement => element(finder, id, inst, 1),
        Opcode::InsertElement => element(finder, id, inst, 2),
        _ => {}
    }
    undefined(finder, id, inst);
}

/// The elements of a vector, or an integer itself; `None` for what is not known.
fn integers(finder: &Finder<'_, '_>, operand: Operand) -> Vec<Option<Int>> {
    let elements = finder.objects.elements(operand);
    elements.into_iter().map(|element| finder.objects.int(element)).collect()
}

fn shift(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let body = finder.cx().body;
    let amounts = integers(finder, body.operand(inst, 1));
    let is_too_far = |amount: &Option<Int>| amount.is_some_and(|int| int.value >= u64::from(int.bits));
    let Some(lane) = amounts.iter().position(is_too_far) else { return };
    let Some(first) = amounts[lane] else { return };
    let (word, bits) = (inst.opcode.word(), first.bits);
    let mut message = format!("`{word}` of {bits} bits by {} is poison", first.value);
    if !amounts.iter().all(is_too_far) {
        if is_taken_apart(finder, inst) {
            return;
        }
        message.push_str(&format!(" in element {lane}"));
    }
    finder.report(&POISON, body.operand_range(id, 1), message);
}

/// Whether something takes single elements of a result: vectorizers shift elements that nothing uses.
fn is_taken_apart(finder: &Finder<'_, '_>, inst: &Inst) -> bool {
    let cx = finder.cx();
    cx.insts().any(|(_, user)| {
        matches!(user.opcode, Opcode::ShuffleVector | Opcode::ExtractElement | Opcode::Select)
            && cx.body.operands(user.operands).iter().any(|operand| match operand.value {
                Value::Local(local) => Some(local) == inst.result,
                _ => false,
            })
    })
}

fn division(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let cx = finder.cx();
    let (dividend, divisor) = (cx.body.operand(inst, 0), cx.body.operand(inst, 1));
    let range = cx.body.operand_range(id, 1);
    let word = inst.opcode.word();
    let elements = finder.objects.elements(divisor);
    if let Some(what) = elements.iter().find_map(|element| finder.undefined(*element)) {
        let message = format!("`{word}` by `{what}`, which may be zero, is undefined behavior");
        finder.report(&DIVISION, range, message);
        return;
    }
    let is_zero = |element: &Operand| finder.objects.int(*element).is_some_and(|int| int.value == 0);
    let is_all_zero = matches!(cx.constant(divisor), Some(Const::ZeroInitializer));
    if is_all_zero || elements.iter().any(is_zero) {
        finder.report(&DIVISION, range, format!("`{word}` by zero is undefined behavior"));
        return;
    }
    if matches!(inst.opcode, Opcode::SDiv | Opcode::SRem)
        && let (Some(a), Some(b)) = (finder.objects.int(dividend), finder.objects.int(divisor))
        && b.signed() == -1
        && a.value == 1 << (a.bits - 1)
        && a.bits > 1
    {
        let message = format!("`{word}` of {} by -1 overflows, which is undefined behavior", a.signed());
        finder.report(&DIVISION, range, message);
    }
}

fn element(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst, operand: u32) {
    let cx = finder.cx();
    let Type::Vector { len, scalable: false, .. } = cx.types.get(cx.operand_ty(inst, 0)) else { return };
    let Some(index) = finder.objects.int(cx.body.operand(inst, operand)) else { return };
    if index.value >= u64::from(len) {
        let message = format!(
            "`{}` of element {} of a vector with {len} elements is poison",
            inst.opcode.word(),
            index.value
        );
        finder.report(&POISON, cx.body.operand_range(id, operand), message);
    }
}

/// Operations on `undef` and `poison` alone.
fn undefined(finder: &mut Finder<'_, '_>, id: InstId, inst: &Inst) {
    let cx = finder.cx();
    let is_computed = inst.opcode.is_int_binary()
        || inst.opcode.is_float_binary()
        || matches!(inst.opcode, Opcode::ICmp | Opcode::FCmp);
    if !is_computed || inst.operands.len != 2 {
        return;
    }
    let sides = [0, 1].map(|n| finder.undefined(cx.body.operand(inst, n)));
    let word = inst.opcode.word();
    let is_division = matches!(inst.opcode, Opcode::UDiv | Opcode::SDiv | Opcode::URem | Opcode::SRem);
    let range = |n: u32| cx.body.operand_range(id, n);
    match sides {
        // That of a divisor is another finding.
        [_, Some(_)] if is_division => {}
        [Some("poison"), _] => {
            finder.report(&POISON, range(0), format!("`{word}` with `poison` is poison"));
        }
        [_, Some("poison")] => {
            finder.report(&POISON, range(1), format!("`{word}` with `poison` is poison"));
        }
        [Some(_), Some(_)] => {
            let message =
                format!("each `undef` may be another value: the result of this `{word}` is undefined");
            finder.report(&UNDEFINED, cx.body.inst_range(id), message);
        }
        [Some(_), None] | [None, Some(_)] if matches!(inst.opcode, Opcode::ICmp | Opcode::FCmp) => {
            let n = u32::from(sides[0].is_none());
            let message = format!("`{word}` with `undef` may be true or false at each use");
            finder.report(&UNDEFINED, range(n), message);
        }
        _ => {}
    }
}

/// Intrinsics that give poison for a constant.
pub(super) fn intrinsic(finder: &mut Finder<'_, '_>, inst: &Inst) {
    let cx = finder.cx();
    let Some(call) = cx.body.call(inst) else { return };
    let name = cx.callee_name(call).unwrap_or("");
    let args = cx.body.operands(call.args);
    let int = |n: usize| finder.objects.int(*args.get(n)?);
    let (n, message) = if name.starts_with("llvm.get.active.lane.mask.") {
        if int(1).is_none_or(|count| count.value != 0) {
            return;
        }
        (1, "`llvm.get.active.lane.mask` of 0 elements is poison".to_owned())
    } else if name.starts_with("llvm.ctlz.") || name.starts_with("llvm.cttz.") {
        if int(0).is_none_or(|value| value.value != 0) || int(1).is_none_or(|flag| flag.value == 0) {
            return;
        }
        let word = name.get(..9).unwrap_or(name);
        (0, format!("`{word}` of 0 is poison if its second argument is true"))
    } else if name.starts_with("llvm.abs.") {
        let is_least = |int: &Int| int.value == 1 << (int.bits - 1);
        let Some(least) = int(0).filter(is_least) else { return };
        if int(1).is_none_or(|flag| flag.value == 0) {
            return;
        }
        (0, format!("`llvm.abs` of {} is poison if its second argument is true", least.signed()))
    } else if name.starts_with("llvm.sshl.sat.") || name.starts_with("llvm.ushl.sat.") {
        let is_over = |int: &Int| int.value >= u64::from(int.bits);
        let Some(amount) = int(1).filter(is_over) else { return };
        let word = name.get(..13).unwrap_or(name);
        (1, format!("`{word}` of {} bits by {} is poison", amount.bits, amount.value))
    } else {
        return;
    };
    finder.report(&POISON, cx.operand_range(OperandId(call.args.start + n)), message);
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn one_element_is_shifted_too_far() {
        marks(expect![[r#"
            define <4 x i32> @shift(<4 x i32> %x) {
              %a = shl <4 x i32> %x, <i32 1, i32 2, i32 40, i32 3>
            ;                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` of 32 bits by 40 is poison in element 2
              ret <4 x i32> %a
            }
            define i32 @element(<2 x i32> %x) {
              %a = shl <2 x i32> %x, <i32 1, i32 40>
              %b = extractelement <2 x i32> %a, i32 0
              ret i32 %b
            }
        "#]]);
    }
}
