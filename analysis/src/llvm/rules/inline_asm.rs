//! Inline assembly: constraints against arguments.
//!
//! Source: LLVM Language Reference, "Inline Asm Constraint String".

use super::super::attribute::AttrKind;
use super::super::body::Opcode;
use super::super::operand::Value;
use super::calls::{Site, Verdict};
use crate::{Rule, Severity};

pub(super) static ASM: Rule = Rule {
    code: "inline-asm",
    severity: Severity::Error,
    explain: "Indirect constraints (`*m`) take a pointer with `elementtype(T)`, others must not have one; label constraints (`!i`) are for \
              `callbr`, one for each indirect destination.\n\n\
              ```llvm\ncall void asm \"\", \"*m\"(ptr %p)   ; ptr elementtype(i32) %p\n```\n\n\
              Source: LLVM Language Reference, \"Inline Assembler Expressions\".",
};

pub(super) const RULES: &[&Rule] = &[&ASM];

/// A `callbr` of an intrinsic: the only one is `llvm.amdgcn.kill`, whose indirect destination ends the lanes.
fn intrinsic(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    if site.name != "llvm.amdgcn.kill" {
        return site.wrong("`callbr` is for inline assembly and `llvm.amdgcn.kill`");
    }
    if !call.bundles.is_empty() {
        return site.wrong("a `callbr` of an intrinsic has no operand bundles");
    }
    let [_, killed] = cx.body.operands(call.destinations) else {
        return site.wrong("a `callbr` of `llvm.amdgcn.kill` has one indirect destination");
    };
    let first = cx.body.block_of(*killed).and_then(|b| cx.body.block_insts(b).next());
    let ends = first.is_none_or(|(_, inst)| {
        matches!(inst.opcode, Opcode::Unreachable | Opcode::Error)
            || cx.body.call(inst).and_then(|c| cx.callee_name(c)) == Some("llvm.amdgcn.unreachable")
    });
    if ends { Ok(()) } else { site.wrong("the indirect destination of `llvm.amdgcn.kill` is `unreachable`") }
}

pub(super) fn check(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    let tables = &cx.body.tables;
    let is_callbr = site.inst.opcode == Opcode::CallBr;
    let Value::Asm(index) = tables.operand(call.callee).value else {
        if is_callbr && !site.name.starts_with("llvm.") {
            return site.wrong("`callbr` is for inline assembly");
        }
        if is_callbr {
            return intrinsic(site);
        }
        return Ok(());
    };
    let Some(asm) = tables.asms.get(index as usize) else { return Ok(()) };
    if is_callbr && asm.unwind {
        return site.wrong("inline assembly of a `callbr` cannot unwind");
    }
    let (mut n, mut labels) = (0, 0);
    for constraint in tables.name(asm.constraints).split(',') {
        let text = constraint.trim_start();
        if text.starts_with('!') {
            labels += 1;
            continue;
        }
        let is_output = text.starts_with('=');
        if text.starts_with('~') || text.is_empty() {
            continue;
        }
        let indirect = text.trim_start_matches(['=', '&', '+']).starts_with('*');
        if is_output && !indirect {
            continue;
        }
        let Some(arg) = site.args().get(n) else { break };
        let element = site.arg_attrs(n).has(AttrKind::ElementType);
        let ty = cx.ty(arg.ty);
        if indirect && !ty.is_error() && !cx.types.is_ptr(ty) {
            let message = format!("an indirect constraint takes a pointer, this is {}", cx.display_ty(ty));
            return Err((site.arg_range(n), message));
        }
        if indirect && !element {
            return Err((site.arg_range(n), "an indirect constraint needs `elementtype(...)`".into()));
        }
        if !indirect && element {
            return Err((site.arg_range(n), "`elementtype` is for indirect constraints".into()));
        }
        n += 1;
    }
    let destinations = (call.destinations.len as usize).saturating_sub(1);
    if is_callbr && labels != destinations {
        return site.wrong(format!("{labels} label constraints for {destinations} indirect destinations"));
    }
    if !is_callbr && labels > 0 {
        return site.wrong("label constraints are for `callbr`");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn what_is_reported() {
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "!i"()
  ret void
}
"#,
            expect![[r#"
                error[inline-asm] 2:3 `call void asm "", "!i"()`: label constraints are for `callbr`
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "*m"(ptr %p)
  ret void
}
"#,
            expect![[r#"
                error[inline-asm] 2:30 `%p`: an indirect constraint needs `elementtype(...)`
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm "", "!i"() to label %a []
a:
  ret void
}
"#,
            expect![[r#"
                error[inline-asm] 2:3 `callbr void asm "", "!i"() to label %a []`: 1 label constraints for 0 indirect destinations
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "r"(ptr elementtype(i32) %p)
  ret void
}
"#,
            expect![[r#"
                error[inline-asm] 2:46 `%p`: `elementtype` is for indirect constraints
            "#]],
        );
    }
}
