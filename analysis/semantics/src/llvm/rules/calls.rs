//! Call sites: convention, attributes that need their callee's consent, `swifterror`, `inalloca`, `preallocated`.
//!
//! That arguments fit the function type is another rule's. Source: LLVM Language Reference, "'call' Instruction".

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::body::{Call, Flags, Inst, InstId, LocalKind, Opcode};
use super::super::operand::{Operand, Value};
use super::super::tables::Intrinsic;
use super::super::types::{Type, TypeId};
use super::{bundles, conventions, inline_asm, musttail};
use crate::llvm::context::FunctionCx;
use crate::{Rule, Severity, TextRange};

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

pub(super) type Verdict = Result<(), (TextRange, String)>;

/// A call site with what rules about it need.
pub(super) struct Site<'a, 'c> {
    pub(super) cx: &'c FunctionCx<'a>,
    pub(super) id: InstId,
    pub(super) inst: &'a Inst,
    pub(super) call: &'a Call,
    /// Name of the function called directly, without sigil; `""` for others.
    pub(super) name: &'a str,
    pub(super) result: TypeId,
    pub(super) params: &'c [TypeId],
    pub(super) vararg: bool,
}

impl<'a> Site<'a, '_> {
    pub(super) fn args(&self) -> &'a [Operand] {
        self.cx.body.operands(self.call.args)
    }

    pub(super) fn arg_attrs(&self, n: usize) -> AttributeSet<'a> {
        let body = self.cx.body;
        let span = self.call.arg_attrs.of(&body.arg_attrs).get(n).copied().unwrap_or_default();
        AttributeSet::new(self.cx.scope, &body.tables, span, |ty| self.cx.ty(ty))
    }

    pub(super) fn fn_attrs(&self) -> AttributeSet<'a> {
        AttributeSet::new(self.cx.scope, &self.cx.body.tables, self.call.fn_attrs, |ty| self.cx.ty(ty))
    }

    pub(super) fn arg_range(&self, n: usize) -> TextRange {
        self.cx.body.operand_range(self.id, n as u32)
    }

    pub(super) fn whole(&self) -> TextRange {
        self.cx.body.inst_range(self.id)
    }

    pub(super) fn wrong(&self, message: impl Into<String>) -> Verdict {
        Err((self.whole(), message.into()))
    }

    /// Attributes that the callee declares for its n-th parameter.
    fn callee_attrs(&self, n: usize) -> Option<AttributeSet<'a>> {
        // LLVM replaces what is written at an intrinsic by what it knows.
        if Intrinsic::lookup(self.name).is_some() {
            return None;
        }
        let global = self.cx.global(self.cx.body.tables.operand(self.call.callee))?;
        // A function that is called with another type is none that LLVM knows.
        if global.value_type != self.cx.call_ty(self.inst) {
            return None;
        }
        let (summary, function) = self.cx.scope.function(global)?;
        let param = summary.params(function).get(n)?;
        let (scope, at) = (self.cx.scope, global.summary);
        Some(AttributeSet::new(scope, &summary.tables, param.attrs, |ty| scope.canonical(at, ty)))
    }

    /// The n-th parameter has it, here or at the callee.
    pub(super) fn param_has(&self, n: usize, kind: AttrKind) -> bool {
        self.arg_attrs(n).has(kind) || self.callee_attrs(n).is_some_and(|s| s.has(kind))
    }
}

pub(super) fn function(cx: &mut FunctionCx<'_>) {
    let mut found: Vec<(&'static Rule, TextRange, String)> = Vec::new();
    {
        let cx = &*cx;
        for (id, inst) in cx.insts() {
            let Some(call) = cx.body.call(inst) else { continue };
            let Type::Function { result, params, vararg } = cx.types.get(cx.call_ty(inst)) else { continue };
            let name = cx.callee_name(call).unwrap_or("");
            let params = cx.types.list(params);
            let site = Site { cx, id, inst, call, name, result, params, vararg };
            let mut run = |rule, verdict: Verdict| {
                found.extend(verdict.err().map(|(range, message)| (rule, range, message)));
            };
            run(&CALL, check(&site));
            run(&CALL, arguments(&site));
            if inst.flags.has(Flags::MUSTTAIL) {
                run(&musttail::MUSTTAIL, musttail::check(&site));
            }
            if !call.bundles.is_empty() {
                run(&bundles::BUNDLE, bundles::check(&site));
            }
            run(&inline_asm::ASM, inline_asm::check(&site));
        }
    }
    for (rule, range, message) in found {
        cx.report(rule, range, message);
    }
}

fn check(site: &Site<'_, '_>) -> Verdict {
    let (cx, call) = (site.cx, site.call);
    let is_intrinsic = site.name.starts_with("llvm.");
    if !conventions::is_callable(call.cc) {
        return site.wrong("functions of this calling convention cannot be called");
    }
    let direct = matches!(cx.body.tables.operand(call.callee).value, Value::Global(_));
    if !is_intrinsic {
        for ty in site.params {
            if matches!(*ty, TypeId::METADATA | TypeId::TOKEN) {
                return site.wrong(format!("only intrinsics take {}", cx.display_ty(*ty)));
            }
        }
    }
    if !direct && matches!(site.result, TypeId::TOKEN | TypeId::X86_AMX) {
        return site.wrong(format!("an indirect call cannot return {}", cx.display_ty(site.result)));
    }
    let attrs = site.fn_attrs();

    if attrs.has(AttrKind::Speculatable) && !is_intrinsic {
        let agrees = cx.callee(call).is_some_and(|(summary, f)| {
            AttributeSet::new(cx.scope, &summary.tables, f.attrs, |_| TypeId::ERROR)
                .has(AttrKind::Speculatable)
        });
        if !agrees {
            return site.wrong("a call is `speculatable` only if its callee is");
        }
    }
    if attrs.has(AttrKind::Preallocated) && site.name != "llvm.call.preallocated.arg" {
        return site.wrong("`preallocated` on a call is for `llvm.call.preallocated.arg`");
    }
    if site.inst.opcode == Opcode::Invoke
        && let Some(unwind) = cx.body.operands(call.destinations).get(1)
        && let Some(block) = cx.body.block_of(*unwind)
    {
        let first = cx.body.block_insts(block).find(|(_, i)| i.opcode != Opcode::Phi);
        if first.is_some_and(|(_, i)| !i.opcode.is_eh_pad() && i.opcode != Opcode::Error) {
            let message = format!(
                "the unwind destination {} does not begin with a landing pad",
                cx.display_value(*unwind)
            );
            let at = call.destinations.start + 1;
            return Err((cx.operand_range(super::super::operand::OperandId(at)), message));
        }
    }
    Ok(())
}

/// The `alloca` that a pointer comes from, through in-bounds offsets.
fn alloca<'a>(cx: &FunctionCx<'a>, mut operand: Operand) -> Option<&'a Inst> {
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
    if call.arg_attrs.of(&cx.body.arg_attrs).iter().all(|a| a.is_empty()) && cx.callee(call).is_none() {
        return Ok(());
    }
    for (n, arg) in site.args().iter().enumerate().take(site.params.len()) {
        let own = site.arg_attrs(n);
        if own.has(AttrKind::InAlloca)
            && alloca(cx, *arg).is_some_and(|inst| !inst.flags.has(Flags::INALLOCA))
        {
            return Err((site.arg_range(n), "an `inalloca` argument comes from an `alloca inalloca`".into()));
        }
        if own.has(AttrKind::ImmArg)
            && !site.name.starts_with("llvm.")
            && site.callee_attrs(n).is_none_or(|s| !s.has(AttrKind::ImmArg))
        {
            return Err((
                site.arg_range(n),
                "`immarg` stands on the callee's parameter, not on a call alone".into(),
            ));
        }
        let callee = site.callee_attrs(n);
        let has = |kind| own.has(kind) || callee.as_ref().is_some_and(|s| s.has(kind));
        if has(AttrKind::SwiftError) {
            swift_error(site, n, *arg)?;
        }
        if has(AttrKind::Preallocated) {
            let bundled = call
                .bundles
                .of(&cx.body.bundles)
                .iter()
                .any(|b| cx.body.tables.name(b.tag) == "preallocated");
            if bundled == site.inst.flags.has(Flags::MUSTTAIL) {
                let message =
                    "a `preallocated` argument needs a `preallocated` bundle, or `musttail`, not both";
                return Err((site.arg_range(n), message.into()));
            }
        }
    }
    Ok(())
}

fn swift_error(site: &Site<'_, '_>, n: usize, arg: Operand) -> Verdict {
    let cx = site.cx;
    let wrong = |message: &str| Err((site.arg_range(n), message.to_owned()));
    if let Some(inst) = alloca(cx, arg) {
        if inst.flags.has(Flags::SWIFTERROR) {
            return Ok(());
        }
        return wrong("a `swifterror` argument comes from an `alloca swifterror`");
    }
    match (arg.value, cx.body.local_of(arg).map(|l| l.kind)) {
        (Value::Error, _) | (_, Some(LocalKind::Undefined)) => Ok(()),
        (_, Some(LocalKind::Argument(param))) => {
            let param = cx.summary.params(cx.function).get(param as usize);
            let has = param.is_some_and(|p| {
                AttributeSet::new(cx.scope, &cx.summary.tables, p.attrs, |_| TypeId::ERROR)
                    .has(AttrKind::SwiftError)
            });
            if has { Ok(()) } else { wrong("a `swifterror` argument comes from a `swifterror` parameter") }
        }
        _ => wrong("a `swifterror` argument comes from an alloca or a parameter"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn what_is_reported() {
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call token %p()
  ret void
}
"#,
            expect![[r#"
                error[call-site] 2:3 `%a = call token %p()`: an indirect call cannot return token
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p(token none)
  ret void
}
"#,
            expect![[r#"
                error[call-site] 2:3 `call void %p(token none)`: only intrinsics take token
            "#]],
        );
        check(
            r#"declare i32 @p(...)
define void @f() personality ptr @p {
  invoke void @f() to label %a unwind label %a
a:
ret void
}
"#,
            expect![[r#"
                error[call-site] 3:45 `%a`: the unwind destination %a does not begin with a landing pad
            "#]],
        );
        check(
            r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() speculatable
  ret void
}
declare void @g()
"#,
            expect![[r#"
                error[call-site] 2:3 `call void @g() speculatable`: a call is `speculatable` only if its callee is
            "#]],
        );
    }

    #[test]
    fn another_type_means_an_unknown_callee() {
        check(
            "declare void @f(ptr preallocated(i32))\ndefine void @g() {\n  call void @f(i32 0)\n  ret void\n}\n",
            expect![[r#"
                warning[call-mismatch] 3:13 `@f`: `@f` is a `void (ptr)`, but is called as `void (i32)`: undefined behavior
                  1:14 `@f`: declared here
            "#]],
        );
    }
}
