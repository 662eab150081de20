//! `musttail` calls: they end their function, and callee and caller agree about everything.
//!
//! Source: LLVM Language Reference, "'call' Instruction", `musttail`.

use wavelens_syntax::wording;

use super::super::attribute::{AttrKind, AttrValue};
use super::super::attribute_set::AttributeSet;
use super::super::body::{InstId, Opcode};
use super::super::operand::{Const, Value};
use super::super::types::{Type, TypeId};
use super::call_site::Site;
use wavelens_base::{Severity, Verdict};

wavelens_syntax::rules! {
    MUSTTAIL {
        code: "musttail",
        severity: Severity::Error,
        title: "a `musttail` call precedes its `ret`, and caller and callee pass parameters alike",
        explain: "A `musttail` call becomes a jump that reuses the caller's stack frame. Nothing may happen between \
            the call and the `ret`, and caller and callee must have the same convention, parameters and \
            attributes that affect how parameters are passed.",
        example: r"declare void @g(i32)
define void @f() {
  musttail call void @g(i32 0)
  ret void
}
",
        fixed: r"declare void @g(i32)
define void @f(i32 %x) {
  musttail call void @g(i32 %x)
  ret void
}
",
        source: "LLVM `Verifier::verifyMustTailCall`: \"cannot guarantee tail call due to mismatched parameter \
            counts\"; LLVM Language Reference, \"'call' Instruction\"",
    }
}

const TAIL: u32 = 18;
const SWIFT_TAIL: u32 = 20;

/// Attributes that change how a parameter is passed.
const PASSING: &[AttrKind] = &[
    AttrKind::StructRet,
    AttrKind::ByVal,
    AttrKind::InAlloca,
    AttrKind::InReg,
    AttrKind::StackAlignment,
    AttrKind::SwiftSelf,
    AttrKind::SwiftAsync,
    AttrKind::SwiftError,
    AttrKind::Preallocated,
    AttrKind::ByRef,
];

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if matches!(cx.body.tables.operand(site.call.callee).value, Value::Asm(_)) {
        return site.wrong("inline assembly must not be called with `musttail`");
    }
    let Type::Function { result, params, vararg } = cx.types.get(cx.function_type) else { return Ok(()) };
    let params = cx.types.list(params);
    if vararg != site.vararg {
        return site.wrong(
            "either both caller and callee of a `musttail` call must have variable arguments, or neither",
        );
    }
    if result != site.result {
        let (theirs, ours) = (cx.display_ty(site.result), cx.display_ty(result));
        return site
            .wrong(format!("the `musttail` call returns `{theirs}`, but the function returns `{ours}`"));
    }
    if cx.function.cc != site.call.cc {
        return site.wrong("the calling convention of a `musttail` call must be the caller's");
    }
    returns(site)?;
    let own = |n: usize| {
        let span = cx.summary.params(cx.function).get(n).map(|p| p.attrs).unwrap_or_default();
        AttributeSet::new(cx.scope, &cx.summary.tables, span, |ty| cx.header_ty(ty))
    };
    if matches!(site.call.cc, TAIL | SWIFT_TAIL) {
        let forbidden = [
            AttrKind::InAlloca,
            AttrKind::InReg,
            AttrKind::SwiftError,
            AttrKind::Preallocated,
            AttrKind::ByRef,
        ];
        let name = if site.call.cc == TAIL { "tailcc" } else { "swifttailcc" };
        for (who, count) in [("caller", params.len()), ("callee", site.params.len())] {
            for n in 0..count {
                let attrs = if who == "caller" { own(n) } else { site.arg_attrs(n) };
                if let Some(kind) = forbidden.iter().find(|k| attrs.has(**k)) {
                    let word = kind.word();
                    return site.wrong(format!(
                        "`{word}` is not allowed on the {who} of a `{name}` `musttail` call"
                    ));
                }
            }
        }
        if vararg {
            return site.wrong(format!("a `{name}` `musttail` call must not have variable arguments"));
        }
        return Ok(());
    }
    if !site.name.starts_with("llvm.") {
        if params.len() != site.params.len() {
            let (theirs, ours) = (site.params.len(), params.len());
            return site.wrong(format!(
                "the `musttail` call has {}, but the function has {ours}",
                wording::number(theirs, "parameters")
            ));
        }
        for (n, (ours, theirs)) in params.iter().zip(site.params).enumerate() {
            if ours != theirs {
                let (theirs, ours) = (cx.display_ty(*theirs), cx.display_ty(*ours));
                let message = format!(
                    "parameter {n} of the `musttail` call is `{theirs}`, but the caller's is `{ours}`"
                );
                return site.wrong_argument(n, message);
            }
        }
    }
    for n in 0..params.len() {
        let (ours, theirs) = (passing(&own(n)), passing(&site.arg_attrs(n)));
        let differing =
            |a: &[Passing], b: &[Passing]| a.iter().find(|kind| !b.contains(kind)).map(|k| k.0.word());
        let is = match (differing(&theirs, &ours), differing(&ours, &theirs)) {
            (Some(word), Some(other)) if word == other => format!("has another `{word}` than"),
            (Some(word), _) => format!("has `{word}`, unlike"),
            (None, Some(word)) => format!("does not have `{word}`, unlike"),
            (None, None) => continue,
        };
        let message = format!("argument {} of the `musttail` call {is} the caller's parameter", n + 1);
        return site.wrong_argument(n, message);
    }
    Ok(())
}

/// An attribute that decides how an argument is passed, with its number and type.
type Passing = (AttrKind, Option<u64>, TypeId);

fn passing(set: &AttributeSet<'_>) -> Vec<Passing> {
    let mut kinds: Vec<_> = PASSING.iter().filter_map(|k| set.get(*k)).collect();
    if set.has(AttrKind::ByVal) || set.has(AttrKind::ByRef) {
        kinds.extend(set.get(AttrKind::Alignment));
    }
    let value = |v| match v {
        AttrValue::Int(n) => Some(n),
        _ => None,
    };
    kinds.iter().map(|e| (e.attr.kind, value(e.attr.value), e.ty)).collect()
}

/// The `ret` right after the call, with a bitcast between at most.
fn returns(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let block = cx.block_of_inst(site.id);
    let mut result = site.inst.result;
    let mut at = InstId(site.id.0 + 1);
    let next = |at: InstId| cx.inst(at).filter(|_| cx.block_of_inst(at) == block);
    if let Some(cast) = next(at).filter(|i| i.opcode == Opcode::BitCast) {
        if Some(cx.body.operand(cast, 0).value) != result.map(Value::Local) {
            return site.wrong_at(
                cx.body.inst_range(at),
                "the `bitcast` after a `musttail` call must use its result",
            );
        }
        result = cast.result;
        at = InstId(at.0 + 1);
    }
    let Some(ret) = next(at) else { return Ok(()) };
    if ret.opcode == Opcode::Error {
        return Ok(());
    }
    if ret.opcode != Opcode::Ret {
        return site.wrong("a `musttail` call must be followed by `ret`");
    }
    if ret.operands.is_empty() {
        return Ok(());
    }
    let value = cx.body.operand(ret, 0);
    let undefined = matches!(cx.constant(value), Some(Const::Undef | Const::Poison));
    if undefined || value.value == Value::Error || Some(value.value) == result.map(Value::Local) {
        Ok(())
    } else {
        site.wrong_at(cx.body.inst_range(at), "the result of a `musttail` call must be returned")
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare i32 @g()
            define void @f() {
              %a = musttail call i32 @g()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[musttail]: the `musttail` call returns `i32`, but the function returns `void`
            ret void
            }
        "#]]);
        marks(expect![[r#"
            declare i32 @g()
            define i32 @f() {
            %a = musttail call i32 @g()
              ret i32 0
            ; ^^^^^^^^^ error[musttail]: the result of a `musttail` call must be returned
            }
        "#]]);
        marks(expect![[r#"
            declare fastcc void @g()
            define void @f() {
              musttail call fastcc void @g()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[musttail]: the calling convention of a `musttail` call must be the caller's
            ret void
            }
        "#]]);
        marks(expect![[r#"
            declare void @g(i32)
            define void @f(ptr %p) {
              musttail call void @g(i32 0)
            ;                           ^ error[musttail]: parameter 0 of the `musttail` call is `i32`, but the caller's is `ptr`
            ret void
            }
        "#]]);
    }

    #[test]
    fn types_of_attributes_are_compared_whatever_the_body_names_first() {
        marks(expect![[r#"
            %A = type {}
            define void @f(ptr sret(%A) %a) {
              %g = load {}, ptr %a
              musttail call void poison(ptr sret(%A) %a)
            ;                    ^^^^^^ warning[invalid-dereference]: call through a `poison` pointer is undefined behavior
              ret void
            }
        "#]]);
    }

    #[test]
    fn the_attribute_that_differs_is_named() {
        marks(expect![[r#"
            declare void @g(ptr)
            define void @f(ptr byval(i32) %p) {
              musttail call void @g(ptr %p)
            ;                           ^^ error[musttail]: argument 1 of the `musttail` call does not have `byval`, unlike the caller's parameter
              ret void
            }
            define void @h(ptr %p) {
              musttail call void @g(ptr inreg %p)
            ;                                 ^^ error[musttail]: argument 1 of the `musttail` call has `inreg`, unlike the caller's parameter
            ;                                 ^^ warning[abi-attribute-mismatch]: `inreg` mismatch: this argument is, but not its parameter
            ;                                  = line 1:14: declared here
              ret void
            }
            define void @i(ptr byval(i64) %p) {
              musttail call void @g(ptr byval(i32) %p)
            ;                                      ^^ error[musttail]: argument 1 of the `musttail` call has another `byval` than the caller's parameter
            ;                                      ^^ warning[abi-attribute-mismatch]: `byval` mismatch: this argument is, but not its parameter
            ;                                       = line 1:14: declared here
              ret void
            }
        "#]]);
    }
}
