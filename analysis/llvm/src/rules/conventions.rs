//! Functions: what their calling convention, name and types ask for.
//!
//! Source: LLVM Language Reference, "Functions" and "Calling Conventions"; User Guide for AMDGPU, "Calling Conventions".

use super::super::attribute::AttrKind;
use super::super::attribute_set::AttributeSet;
use super::super::lower::convention_name;
use super::super::operand::{OperandId, Value};
use super::super::summary::Function;
use super::super::types::TypeId;
use crate::context::{ModuleContext, RuleContext};
use crate::intrinsic_match::{is_replaced, is_upgraded};
use crate::target_types;
use wavelens_base::{Diagnostic, Severity, Verdict, fail};

wavelens_syntax::rules! {
    CONVENTION {
        code: "calling-convention",
        severity: Severity::Error,
        title: "a function has the signature that its calling convention requires",
        explain: "A calling convention fixes how arguments and results are passed: a kernel returns nothing and \
            takes no `byval` or `sret` parameter, and `fastcc` functions have no variable arguments.",
        example: r"define amdgpu_kernel i32 @k() {
  ret i32 0
}
",
        fixed: r"define amdgpu_kernel void @k() {
  ret void
}
",
        source: "LLVM `Verifier::visitFunction`: \"Calling convention requires void return type\"; LLVM Language \
            Reference, \"Calling Conventions\"",
    }

    SIGNATURE {
        code: "function-signature",
        severity: Severity::Error,
        title: "only intrinsics use `token`, `metadata` and `x86_amx`, and no definition is named `llvm.*`",
        explain: "Values of type `token`, `metadata` and `x86_amx` cannot be passed at run time: only intrinsics, \
            which the compiler expands, take or return them. Names that begin with `llvm.` are reserved for \
            intrinsics.",
        example: "declare void @f(metadata)\n",
        fixed: "declare void @f(ptr)\n",
        source: "LLVM `Verifier::visitFunction`: \"Function takes metadata but isn't an intrinsic\"; LLVM Language \
            Reference, \"Intrinsic Functions\"",
    }
}

const FAST: u32 = 8;
const COLD: u32 = 9;
const PTX_KERNEL: u32 = 71;
const PTX_DEVICE: u32 = 72;
pub(super) const SPIR_KERNEL: u32 = 76;
const INTEL_OCL: u32 = 77;
const X86_INTR: u32 = 83;
pub(super) const AMDGPU_VS: u32 = 87;
pub(super) const AMDGPU_GS: u32 = 88;
const AMDGPU_PS: u32 = 89;
pub(super) const AMDGPU_CS: u32 = 90;
pub(super) const AMDGPU_KERNEL: u32 = 91;
pub(super) const AMDGPU_HS: u32 = 93;
pub(super) const AMDGPU_LS: u32 = 95;
pub(super) const AMDGPU_ES: u32 = 96;
pub(super) const AMDGPU_CS_CHAIN: u32 = 104;
pub(super) const AMDGPU_CS_CHAIN_PRESERVE: u32 = 105;
pub(super) const AMDGPU_GFX_WHOLE_WAVE: u32 = 124;

/// Whether functions of a convention can be called from other code.
pub(super) fn is_callable(cc: u32) -> bool {
    !matches!(
        cc,
        AMDGPU_CS_CHAIN
            | AMDGPU_CS_CHAIN_PRESERVE
            | AMDGPU_CS
            | AMDGPU_ES
            | AMDGPU_GFX_WHOLE_WAVE
            | AMDGPU_GS
            | AMDGPU_HS
            | AMDGPU_KERNEL
            | AMDGPU_LS
            | AMDGPU_PS
            | AMDGPU_VS
            | SPIR_KERNEL
    )
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let mut found = Vec::new();
    for function in &summary.functions {
        let verdict = signature(cx, function).and_then(|()| convention(cx, function));
        let range = cx.item_range(function.head.item);
        found.extend(verdict.err().map(|fault| fault.diagnostic(|_| range)));
        found.extend(dropped(cx, function).map(|message| Diagnostic::warning(&SIGNATURE, range, message)));
    }
    cx.diagnostics.append(&mut found);
}

/// What is said about the body of an intrinsic of older versions of LLVM.
fn dropped(cx: &ModuleContext<'_>, function: &Function) -> Option<String> {
    let names = &cx.summary.tables.names;
    let name = function.head.name.as_name().map_or("", |n| names.get(n));
    let is_dropped = function.is_definition && is_replaced(name, function.params.len as usize);
    is_dropped.then(|| {
        format!(
            "LLVM drops this definition of `{}`, an intrinsic that it replaces",
            function.head.name.display('@', names)
        )
    })
}

fn signature(cx: &ModuleContext<'_>, function: &Function) -> Verdict {
    let wrong = |message: String| fail(&SIGNATURE, message);
    let tables = &cx.summary.tables;
    let name = function.head.name.as_name().map_or("", |n| tables.names.get(n));
    let shown = || format!("`{}`", function.head.name.display('@', &tables.names));
    if name.starts_with("llvm.") {
        if function.is_definition && !is_replaced(name, function.params.len as usize) {
            return wrong(format!(
                "{} must not be defined: names that begin with `llvm.` are reserved for intrinsics",
                shown()
            ));
        }
    } else {
        let is_token = |ty| target_types::is_token(cx.scope, &cx.types, ty);
        for param in cx.summary.params(function) {
            let ty = cx.ty(param.ty);
            if matches!(ty, TypeId::METADATA | TypeId::TOKEN | TypeId::X86_AMX) || is_token(ty) {
                let ty = cx.display_ty(ty);
                return wrong(format!("{} takes `{ty}`, which only intrinsics may", shown()));
            }
        }
        let result = cx.ty(function.result);
        if matches!(result, TypeId::TOKEN | TypeId::X86_AMX) || is_token(result) {
            return wrong(format!(
                "{} returns `{}`, which only intrinsics may",
                shown(),
                cx.display_ty(result)
            ));
        }
    }
    if !function.is_definition && function.personality.is_some() {
        return wrong(format!("{} is a declaration and must not have a `personality`", shown()));
    }
    Ok(())
}

fn convention(cx: &ModuleContext<'_>, function: &Function) -> Verdict {
    let wrong = |message: &str| fail(&CONVENTION, message);
    let must = |what: &str| {
        let convention = convention_name(function.cc);
        fail(&CONVENTION, format!("a function with calling convention `{convention}` must {what}"))
    };
    let scope = cx.scope;
    let params = cx.summary.params(function);
    let name = function.head.name.as_name().map_or("", |n| cx.summary.tables.names.get(n));
    if is_upgraded(name, params.len()) {
        return Ok(());
    }
    let set = |span| AttributeSet::new(scope, &cx.summary.tables, span, |ty| cx.ty(ty));
    let cc = function.cc;
    let is_graphics = matches!(cc, AMDGPU_VS | AMDGPU_HS | AMDGPU_GS | AMDGPU_PS | AMDGPU_CS);
    let is_kernel = matches!(cc, AMDGPU_KERNEL | SPIR_KERNEL | AMDGPU_CS_CHAIN | AMDGPU_CS_CHAIN_PRESERVE);
    if cc == X86_INTR && params.first().is_some_and(|p| !set(p.attrs).has(AttrKind::ByVal)) {
        return wrong("the first parameter of an `x86_intrcc` function must be `byval`");
    }
    if cc == AMDGPU_GFX_WHOLE_WAVE {
        let first = params.first().map(|p| (cx.ty(p.ty), set(p.attrs).has(AttrKind::InReg)));
        match first {
            Some((TypeId::I1 | TypeId::ERROR, false)) => {}
            Some((_, true)) => {
                return wrong("the first parameter of a whole wave function must not be `inreg`");
            }
            _ => return wrong("the first parameter of a whole wave function must be an `i1`"),
        }
    }
    let result = cx.ty(function.result);
    if is_kernel && result != TypeId::VOID && !result.is_error() {
        return must("return `void`");
    }
    if is_kernel || is_graphics {
        let stack = scope.layout.alloca_space;
        for param in params {
            if param.attrs.is_empty() {
                continue;
            }
            let attrs = set(param.attrs);
            if attrs.has(AttrKind::StructRet) {
                return must("not have an `sret` parameter");
            }
            if cc == SPIR_KERNEL {
                continue;
            }
            for kind in [AttrKind::ByVal, AttrKind::Preallocated, AttrKind::InAlloca] {
                if attrs.has(kind) {
                    return must(&format!("not have a `{}` parameter", kind.word()));
                }
            }
            if attrs.has(AttrKind::ByRef) && cx.types.address_space(cx.ty(param.ty)) == Some(stack) {
                let space = format!("not have a `byref` parameter in address space {stack} (the stack)");
                return must(&space);
            }
        }
    }
    let no_variable = is_kernel
        || is_graphics
        || matches!(cc, FAST | COLD | INTEL_OCL | PTX_KERNEL | PTX_DEVICE | AMDGPU_GFX_WHOLE_WAVE);
    if no_variable && function.vararg {
        return must("not have variable arguments");
    }
    Ok(())
}

/// A naked function cannot use its arguments.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    let (scope, body) = (cx.scope, cx.body);
    let function = cx.function;
    let naked = {
        let set = AttributeSet::new(scope, &cx.summary.tables, function.attrs, |_| TypeId::ERROR);
        set.has(AttrKind::Naked)
    };
    if !naked {
        return;
    }
    let used = body.tables.operands.iter().position(|o| match o.value {
        Value::Local(id) => id.0 < body.arguments,
        _ => false,
    });
    if let Some(n) = used {
        let range = cx.operand_range(OperandId(n as u32));
        cx.report(&CONVENTION, range, "a `naked` function must not use its arguments");
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn only_debug_intrinsics_of_llvm_are_upgraded() {
        marks(expect![[r#"
            declare amdgpu_kernel i32 @llvm.dbg.value(metadata)
        "#]]);
        marks(expect![[r#"
            declare amdgpu_kernel i32 @llvm.dbg.foo(metadata)
            ;                         ^^^^^^^^^^^^^ error[calling-convention]: a function with calling convention `amdgpu_kernel` must return `void`
        "#]]);
    }

    #[test]
    fn faults() {
        marks(expect![[r#"
            declare token @f()
            ;             ^^ error[function-signature]: `@f` returns `token`, which only intrinsics may
        "#]]);
        marks(expect![[r#"
            declare void @f(token)
            ;            ^^ error[function-signature]: `@f` takes `token`, which only intrinsics may
        "#]]);
        marks(expect![[r#"
            define void @llvm.foo() {
            ;           ^^^^^^^^^ error[function-signature]: `@llvm.foo` must not be defined: names that begin with `llvm.` are reserved for intrinsics
            ret void
            }
        "#]]);
        marks(expect![[r#"
            define void @llvm.memset.p0.i64(ptr %a, i8 %b, i64 %c, i32 %d, i1 %e) {
            ;           ^^^^^^^^^^^^^^^^^^^ warning[function-signature]: LLVM drops this definition of `@llvm.memset.p0.i64`, an intrinsic that it replaces
            ret void
            }
            define <4 x float> @llvm.x86.sse.add.ss(<4 x float> %a, <4 x float> %b) {
            ;                  ^^^^^^^^^^^^^^^^^^^^ warning[function-signature]: LLVM drops this definition of `@llvm.x86.sse.add.ss`, an intrinsic that it replaces
            ret <4 x float> %a
            }
        "#]]);
        marks(expect![[r#"
            define fastcc void @f(...) {
            ;                  ^^ error[calling-convention]: a function with calling convention `fastcc` must not have variable arguments
            ret void
            }
        "#]]);
    }
}
