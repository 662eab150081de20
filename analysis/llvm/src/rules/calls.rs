//! Call sites: convention, attributes that need their callee's consent, `swifterror`, `inalloca`, `preallocated`.
//!
//! That arguments fit the function type is another rule's. Source: LLVM Language Reference, "'call' Instruction".

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::{Flags, Inst, LocalKind, Opcode};
use super::super::operand::{Operand, Value};
use super::super::types::{Type, TypeId};
use super::call_site::Site;
use super::intrinsics::is_remade;
use super::{asm_constraints, asm_instructions, asm_operands, bundles, conventions, inline_asm, musttail};
use crate::context::RuleContext;
use crate::lower::convention_name;
use wavelens_base::{Severity, Verdict};

wavelens_syntax::rules! {
    CALL {
        code: "call-site",
        severity: Severity::Error,
        title: "the convention, attributes and operands of a call are valid for a call and its callee",
        explain: "Some calling conventions are for entry points that only the hardware or the operating system \
            starts, and some parameter attributes (`swifterror`, `inalloca`, `preallocated`, `immarg`) \
            require a certain argument.",
        example: r"declare amdgpu_kernel void @k()
define void @f() {
  call amdgpu_kernel void @k()
  ret void
}
",
        fixed: r"declare amdgpu_gfx void @k()
define void @f() {
  call amdgpu_gfx void @k()
  ret void
}
",
        source: "LLVM `Verifier::visitCallBase`: \"calling convention does not permit calls\"; LLVM Language \
            Reference, \"'call' Instruction\"",
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    {
        let cx = &*cx;
        for (id, inst) in cx.insts() {
            let Some(call) = cx.body.call(inst) else { continue };
            let Type::Function { result, params, vararg } = cx.types.get(cx.call_ty(inst)) else { continue };
            let name = cx.callee_name(call).unwrap_or("");
            if is_remade(cx, inst) {
                continue;
            }
            let params = cx.types.list(params);
            let site = Site { rule: &CALL, cx, id, inst, call, name, result, params, vararg };
            let mut add = |verdict: Verdict| {
                found.extend(verdict.err().map(|fault| fault.diagnostic(|part| cx.part_range(id, part))));
            };
            add(check(&site));
            add(arguments(&site));
            if inst.flags.has(Flags::MUSTTAIL) {
                add(musttail::check(&site.under(&musttail::MUSTTAIL)));
            }
            if !call.bundles.is_empty() {
                add(bundles::check(&site.under(&bundles::BUNDLE)));
            }
            add(inline_asm::check(&site.under(&inline_asm::ASM)));
            add(asm_operands::check(&site.under(&asm_operands::ASM_OPERAND)));
            match asm_constraints::check(&site.under(&asm_constraints::ASM_CONSTRAINT)) {
                Ok(()) => asm_instructions::check(&site.under(&asm_instructions::ASM_INSTRUCTION))
                    .into_iter()
                    .for_each(&mut add),
                wrong => add(wrong),
            }
        }
    }
    cx.diagnostics.append(&mut found);
}

fn check(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    let is_intrinsic = site.name.starts_with("llvm.");
    if !conventions::is_callable(call.cc) {
        let message =
            format!("functions with calling convention `{}` must not be called", convention_name(call.cc));
        return site.wrong(message);
    }
    // A call with a type that is not the function's is an indirect one to LLVM; intrinsics need no declaration.
    let callee = cx.body.tables.operand(call.callee);
    let direct = matches!(callee.value, Value::Global(_))
        && cx.global(callee).is_none_or(|global| {
            cx.scope.function(global).is_some() && global.value_type == cx.call_ty(site.inst)
        });
    if !is_intrinsic {
        for ty in site.params {
            if matches!(*ty, TypeId::METADATA | TypeId::TOKEN) {
                return site
                    .wrong(format!("only intrinsics take arguments of type `{}`", cx.display_ty(*ty)));
            }
        }
    }
    if !direct && matches!(site.result, TypeId::TOKEN | TypeId::X86_AMX) {
        return site.wrong(format!("an indirect call must not return `{}`", cx.display_ty(site.result)));
    }
    if !is_intrinsic {
        aligned(site)?;
    }
    let attrs = site.fn_attrs();
    if attrs.has(AttrKind::Speculatable) && !is_intrinsic {
        let agrees = cx.callee(call).is_some_and(|(summary, f)| {
            AttributeSet::new(cx.scope, &summary.tables, f.attrs, |_| TypeId::ERROR)
                .has(AttrKind::Speculatable)
        });
        if !agrees {
            return site.wrong("a `speculatable` call requires a `speculatable` callee");
        }
    }
    if attrs.has(AttrKind::Preallocated) && site.name != "llvm.call.preallocated.arg" {
        return site.wrong("`preallocated` on a call applies only to `llvm.call.preallocated.arg`");
    }
    if site.inst.opcode == Opcode::Invoke
        && let Some(unwind) = cx.body.operands(call.destinations).get(1)
        && let Some(block) = cx.body.block_of(*unwind)
    {
        let first = cx.body.block_insts(block).find(|(_, i)| i.opcode != Opcode::Phi);
        if first.is_some_and(|(_, i)| !i.opcode.is_eh_pad() && i.opcode != Opcode::Error) {
            let message = format!(
                "the unwind destination `{}` does not begin with a `landingpad`",
                cx.display_value(*unwind)
            );
            let at = call.destinations.start + 1;
            return site.wrong_at(cx.operand_range(super::super::operand::OperandId(at)), message);
        }
    }
    Ok(())
}

/// The alignment of a vector is its size, and LLVM has alignments up to 2^32.
fn aligned(site: &Site<'_, '_>) -> Verdict {
    let cx = site.cx;
    let bits = |ty| cx.scope.layout.bits(cx.scope, &cx.types, ty);
    let fits = |ty: TypeId| {
        !matches!(cx.types.get(ty), Type::Vector { .. }) || bits(ty).is_none_or(|bits| bits <= 8 << 32)
    };
    let too_much = |ty| format!("the alignment of `{}` is greater than 2^32", cx.display_ty(ty));
    if !fits(site.result) {
        return site.wrong(too_much(site.result));
    }
    match site.params.iter().position(|ty| !fits(*ty)) {
        Some(n) => site.wrong_argument(n, too_much(site.params[n])),
        None => Ok(()),
    }
}

/// The `alloca` that a pointer comes from, through in-bounds offsets.
fn alloca<'a>(cx: &RuleContext<'a>, mut operand: Operand) -> Option<&'a Inst> {
    for _ in 0..16 {
        let inst = cx.inst(cx.body.defining_inst(operand)?)?;
        match inst.opcode {
            Opcode::Alloca => return Some(inst),
            Opcode::GetElementPtr if inst.flags.has(Flags::INBOUNDS) => operand = cx.body.operand(inst, 0),
            Opcode::BitCast => operand = cx.body.operand(inst, 0),
            _ => return None,
        }
    }
    None
}

fn arguments(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    if call.arg_attrs.of(&cx.body.cold.arg_attrs).iter().all(|a| a.is_empty()) && cx.callee(call).is_none() {
        return Ok(());
    }
    for (n, arg) in site.args().iter().enumerate().take(site.params.len()) {
        let own = site.arg_attrs(n);
        if own.has(AttrKind::InAlloca)
            && alloca(cx, *arg).is_some_and(|inst| !inst.flags.has(Flags::INALLOCA))
        {
            return site.wrong_argument(n, "an `inalloca` argument must come from an `alloca inalloca`");
        }
        if own.has(AttrKind::ImmArg)
            && !site.name.starts_with("llvm.")
            && site.callee_attrs(n).is_none_or(|s| !s.has(AttrKind::ImmArg))
        {
            return site.wrong_argument(n, "`immarg` on a call requires `immarg` on the callee's parameter");
        }
        let callee = site.callee_attrs(n);
        let has = |kind| own.has(kind) || callee.as_ref().is_some_and(|s| s.has(kind));
        if has(AttrKind::SwiftError) {
            swift_error(site, n, *arg)?;
        }
        if has(AttrKind::Preallocated) {
            let bundled = call
                .bundles
                .of(&cx.body.cold.bundles)
                .iter()
                .any(|b| cx.body.tables.name(b.tag) == "preallocated");
            if bundled == site.inst.flags.has(Flags::MUSTTAIL) {
                let message =
                    "a `preallocated` argument requires either a `preallocated` bundle or `musttail`";
                return site.wrong_argument(n, message);
            }
        }
    }
    Ok(())
}

fn swift_error(site: &Site<'_, '_>, n: usize, arg: Operand) -> Verdict {
    let cx = site.cx;
    let wrong = |message: &str| site.wrong_argument(n, message);
    if let Some(inst) = alloca(cx, arg) {
        if inst.flags.has(Flags::SWIFTERROR) {
            return Ok(());
        }
        return wrong("a `swifterror` argument must come from an `alloca swifterror`");
    }
    match (arg.value, cx.body.local_of(arg).map(|l| l.kind)) {
        (Value::Error, _) | (_, Some(LocalKind::Undefined)) => Ok(()),
        (_, Some(LocalKind::Argument(param))) => {
            let param = cx.summary.params(cx.function).get(param as usize);
            let has = param.is_some_and(|p| {
                AttributeSet::new(cx.scope, &cx.summary.tables, p.attrs, |_| TypeId::ERROR)
                    .has(AttrKind::SwiftError)
            });
            if has {
                Ok(())
            } else {
                wrong("a `swifterror` argument must come from a `swifterror` parameter")
            }
        }
        _ => wrong("a `swifterror` argument must come from an `alloca` or a parameter"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn faults() {
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call token %p()
            ; ^^^^^^^^^^^^^^^^^^^^ error[call-site]: an indirect call must not return `token`
              ret void
            }
        "#]]);
        marks(expect![[r#"
            @alias = alias i32 (), ptr @defined
            define i32 @defined() {
              ret i32 0
            }
            define void @f() {
              %a = call token @defined()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[call-site]: an indirect call must not return `token`
            ;                 ^^^^^^^^ warning[call-mismatch]: `@defined` has type `i32 ()`, but is called as `token ()`: undefined behavior
            ;                        = line 2:12: defined here
              %b = call token @alias()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^ error[call-site]: an indirect call must not return `token`
              %c = call token @llvm.experimental.convergence.entry()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `llvm.experimental.convergence.entry` requires a `convergent` function
              ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void %p(token none)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^ error[call-site]: only intrinsics take arguments of type `token`
              ret void
            }
        "#]]);
        marks(expect![[r#"
            declare i32 @p(...)
            define void @f() personality ptr @p {
              invoke void @f() to label %a unwind label %a
            ;                                           ^^ error[call-site]: the unwind destination `%a` does not begin with a `landingpad`
            a:
            ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @g() speculatable
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[call-site]: a `speculatable` call requires a `speculatable` callee
              ret void
            }
            declare void @g()
        "#]]);
    }

    #[test]
    fn another_type_means_an_unknown_callee() {
        marks(expect![[r#"
            declare void @f(ptr preallocated(i32))
            define void @g() {
              call void @f(i32 0)
            ;           ^^ warning[call-mismatch]: `@f` has type `void (ptr)`, but is called as `void (i32)`: undefined behavior
            ;            = line 1:14: declared here
              ret void
            }
        "#]]);
    }

    #[test]
    fn the_greatest_alignment() {
        marks(expect![[r#"
            declare void @g(<2147483648 x float>)
            declare <2147483648 x float> @h(<1073741824 x float>)
            define void @f(<2147483648 x float> %v, <1073741824 x float> %w) {
              call void @g(<2147483648 x float> %v)
            ;                                   ^^ error[call-site]: the alignment of `<2147483648 x float>` is greater than 2^32
              %a = call <2147483648 x float> @h(<1073741824 x float> %w)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[call-site]: the alignment of `<2147483648 x float>` is greater than 2^32
              ret void
            }
        "#]]);
    }
}
