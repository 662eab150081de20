//! Garbage collection safepoints: `gc.statepoint` and what follows it.
//!
//! Source: LLVM, "Garbage Collection Safepoints in LLVM".

use wavelens_syntax::wording;

use super::arguments::{arg, at, int, is_unknown, uses_gc};
use crate::attribute::AttrKind;
use crate::operand::{Const, Operand, Value};
use crate::rules::bundles::callee;
use crate::rules::call_site::Site;
use crate::types::{Type, TypeId};
use wavelens_base::Verdict;

const NAME: &str = "llvm.experimental.gc.statepoint";

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    if int(site, 1).is_some_and(|bytes| bytes < 0) {
        return at(site, 1, "the number of patchable bytes must not be negative");
    }
    let callee = site.arg_attrs(2);
    let Some(element) = callee.get(AttrKind::ElementType) else {
        return at(site, 2, "the callee requires `elementtype(<function type>)`");
    };
    let (result, params, vararg) = match cx.types.get(element.ty) {
        Type::Function { result, params, vararg } => (result, cx.types.list(params), vararg),
        Type::Error => return Ok(()),
        _ => return at(site, 2, "the `elementtype` of the callee must be a function type"),
    };
    let Some(count) = int(site, 3) else { return Ok(()) };
    if count < 0 {
        return at(site, 3, "the number of call arguments must not be negative");
    }
    let count = count as usize;
    if vararg && (count < params.len() || result != TypeId::VOID) || !vararg && count != params.len() {
        return at(
            site,
            3,
            format!(
                "the number of call arguments is {count}, but the callee has {}",
                wording::number(params.len(), "parameters")
            ),
        );
    }
    if int(site, 4).is_some_and(|flags| flags & !3 != 0) {
        return at(site, 4, "the flags must be between 0 and 3");
    }
    for (n, param) in params.iter().enumerate() {
        let ty = cx.ty(arg(site, 5 + n).ty);
        if ty != *param && !ty.is_error() && !param.is_error() {
            let (is, wanted) = (cx.display_ty(ty), cx.display_ty(*param));
            return at(site, 5 + n, format!("expected `{wanted}` for call argument {n}, found `{is}`"));
        }
    }
    for (n, what) in [(5 + count, "transition"), (6 + count, "deoptimization")] {
        match int(site, n) {
            Some(0) => {}
            _ if is_unknown(site, n) && n < site.args().len() => {}
            _ => {
                return at(
                    site,
                    n,
                    format!("the number of {what} arguments must be 0: they are operands of a bundle"),
                );
            }
        }
    }
    if site.args().len() != 7 + count {
        return site.wrong(format!("expected {1} arguments, found {0}", site.args().len(), 7 + count));
    }
    Ok(())
}

/// `gc.result` and `gc.relocate`.
pub(super) fn follow(site: &Site<'_, '_>, short: &str) -> Verdict {
    let cx = site.cx;
    if short.ends_with("result") && cx.function.gc.is_none() {
        return uses_gc(site);
    }
    let token = arg(site, 0);
    if is_unknown(site, 0) || matches!(cx.constant(token), Some(Const::Undef | Const::Poison)) {
        return Ok(());
    }
    let landing = matches!(token.value, Value::Local(_))
        && cx
            .body
            .defining_inst(token)
            .and_then(|i| cx.inst(i))
            .is_some_and(|i| i.opcode == crate::body::Opcode::LandingPad);
    if landing && short.ends_with("relocate") {
        return Ok(());
    }
    if callee(site, token).is_none_or(|name| !name.starts_with(NAME)) {
        return at(site, 0, format!("the token must come from `{NAME}`"));
    }
    if short.ends_with("relocate") { live(site, token) } else { Ok(()) }
}

/// `gc.relocate` names two live pointers of its statepoint by their positions.
fn live(site: &Site<'_, '_>, token: Operand) -> Verdict {
    let body = site.cx.body;
    let Some(call) = body.defining_inst(token).and_then(|i| body.call(site.cx.inst(i)?)) else {
        return Ok(());
    };
    let mut bundles = call.bundles.of(&body.cold.bundles).iter();
    let Some(live) = bundles.find(|b| body.tables.name(b.tag) == "gc-live") else { return Ok(()) };
    let count = body.operands(live.operands).len();
    for n in [1, 2] {
        if let Some(index) = int(site, n).filter(|index| !(0..count as i64).contains(index)) {
            let pointers = wording::number(count, "live pointers");
            return at(site, n, format!("index {index} is out of range: the statepoint has {pointers}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call ptr @llvm.gcread(ptr %p, ptr %p)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `llvm.gcread` requires a function with a garbage collector (`gc "..."`)
              ret void
            }
            declare ptr @llvm.gcread(ptr, ptr)
        "#]]);
        marks(expect![[r#"
            declare i32 @llvm.experimental.gc.result.i32(token)
            define void @f() gc "statepoint-example" {
              %t = call i32 @llvm.experimental.gc.result.i32(token none)
            ;                                                      ^^^^ error[intrinsic-operands]: the token must come from `llvm.experimental.gc.statepoint`
            ret void
            }
        "#]]);
        marks(expect![[r#"
            declare void @g()
            declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
            define void @f() gc "statepoint-example" {
              %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, i32 0, i32 0, i32 0, i32 0)
            ;                                                                                                      ^^ error[intrinsic-operands]: the callee requires `elementtype(<function type>)`
            ret void
            }
        "#]]);
        check(
            r#"declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(i32) @g, i32 0, i32 0, i32 0, i32 0)
ret void
}
"#,
            expect![[r#"
                error[intrinsic-operands] 4:121 `@g`: the `elementtype` of the callee must be a function type
            "#]],
        );
    }

    #[test]
    fn positions_of_live_pointers() {
        marks(expect![[r#"
            declare void @g()
            define void @f(ptr addrspace(1) %a) gc "statepoint-example" {
              %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) [ "gc-live"(ptr addrspace(1) %a) ]
              %r = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 0)
              %s = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 1, i32 0)
            ;                                                                            ^ error[intrinsic-operands]: index 1 is out of range: the statepoint has 1 live pointer
              %u = call ptr addrspace(1) @llvm.experimental.gc.relocate.p1(token %t, i32 0, i32 -1)
            ;                                                                                   ^^ error[intrinsic-operands]: index -1 is out of range: the statepoint has 1 live pointer
              ret void
            }
        "#]]);
    }
}
