//! Functions and the triple: calling conventions, the data layout, names of intrinsics that do not exist.

use wavelens_isa::unknown_architecture;
use wavelens_syntax::closest;

use super::super::conventions::{AMDGPU_KERNEL, SPIR_KERNEL};
use super::foreign::is_other_than_amdgpu;
use crate::context::ModuleContext;
use crate::intrinsic_match::{is_old_name, is_upgraded};
use crate::lower::convention_name;
use crate::mangling::full_name;
use crate::names::Symbol;
use crate::tables::Intrinsic;
use crate::tables::intrinsics::TARGETS;
use wavelens_base::configuration::LLVM_LEVEL;
use wavelens_base::{Diagnostic, Severity};

wavelens_syntax::rules! {
    TARGET_CONVENTION {
        code: "target-convention",
        severity: Severity::Warning,
        title: "a function has a calling convention that AMDGPU has under its triple",
        explain: "Code generation for AMDGPU knows `ccc`, `fastcc`, `coldcc`, `spir_kernel` and those that begin with `amdgpu_`. Shaders, and \
            functions for them (`amdgpu_gfx`), are for Mesa and PAL: under HSA (`amdhsa`) there are kernels and ordinary functions only.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
define amdgpu_ps void @shade() {
  ret void
}
"#,
        fixed: r#"target triple = "amdgcn-amd-amdpal"
define amdgpu_ps void @shade() {
  ret void
}
"#,
        source: "LLVM SITargetLowering: \"unsupported non-compute shaders with HSA\", \"unsupported calling convention\"",
    }

    TARGET_LAYOUT {
        code: "target-layout",
        severity: Severity::Warning,
        title: "the triple names a processor that LLVM has, and the data layout is that of its target",
        explain: "A triple such as `amdgpu9.42-amd-amdhsa` names the processor; LLVM does not compile for one that it does not know. The data layout says how large pointers and integers are and where the stack is; passes believe it. AMDGPU has its stack in \
            address space 5 (`A5`) and 32-bit pointers there and in LDS. A layout of another target, as a front end for the host writes it, \
            makes allocas and sizes wrong. Omit the layout: LLVM then takes that of the triple.",
        example: r#"target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "amdgcn-amd-amdhsa"
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
"#,
        source: "LLVM TargetDataLayout (`computeAMDDataLayout`); User Guide for AMDGPU, \"Address Spaces\"",
    }

    UNKNOWN_INTRINSIC {
        code: "unknown-intrinsic",
        severity: Severity::Warning,
        title: "a name that begins with `llvm.` is one of an intrinsic",
        explain: "LLVM takes an unknown name that begins with `llvm.` for an ordinary function, and code generation calls it: the link fails, \
            or the object file has an unresolved symbol. Reported are names that resemble one; others of AMDGPU's, which may be of a newer version of LLVM, are hints.",
        example: r#"target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.idx.x()
"#,
        fixed: r#"target triple = "amdgcn-amd-amdhsa"
declare i32 @llvm.amdgcn.workitem.id.x()
"#,
        source: "No rule of the language: LLVM prints \"; Unknown intrinsic\" above the declaration",
    }
}

const FIRST_SHADER: u32 = 87;

/// Whether code generation takes a calling convention, by its number, and whether it is one of shaders.
fn convention(cc: u32) -> Option<bool> {
    match cc {
        // C, fast and cold; kernels.
        0 | 8 | 9 | SPIR_KERNEL | AMDGPU_KERNEL => Some(false),
        FIRST_SHADER..=90 | 93 | 95 | 96 | 100 | 104 | 105 | 124 => Some(true),
        _ => None,
    }
}

/// Whether the hardware starts functions of a calling convention: kernels and shaders.
pub(super) fn is_entry(cc: u32) -> bool {
    const AMDGPU_GFX: u32 = 100;
    matches!(cc, AMDGPU_KERNEL | SPIR_KERNEL)
        || convention(cc) == Some(true) && !is_chain(cc) && !matches!(cc, AMDGPU_GFX | 124)
}

/// Whether functions of a calling convention take over the wave of their caller (`amdgpu_cs_chain` and `amdgpu_cs_chain_preserve`).
pub(super) fn is_chain(cc: u32) -> bool {
    matches!(cc, 104 | 105)
}

pub(super) fn module(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    // GlobalISel does not ask.
    let is_global = cx.scope.configuration.run.as_ref().is_some_and(|run| run.is_global_isel());
    let is_hsa = !is_global && cx.scope.triple.as_deref().is_some_and(|triple| triple.contains("amdhsa"));
    let mut found = Vec::new();
    if let Some(triple) = summary.cold.triple
        && let Some(unknown) = unknown_architecture(summary.tables.names.get(triple.value))
    {
        let message = format!("no version up to LLVM {LLVM_LEVEL} has the processor of `{unknown}`");
        let mut note = Diagnostic::new(&TARGET_LAYOUT, cx.item_range(triple.item), message);
        note.severity = Severity::Info;
        found.push(note);
    }
    if let Some(layout) = summary.cold.data_layout {
        let text = summary.tables.names.get(layout.value);
        let parts: Vec<&str> = text.split('-').collect();
        // A layout that a test makes up says less.
        let is_whole = parts.iter().any(|part| part.starts_with(['n', 'S', 'm']));
        if is_whole && !parts.contains(&"A5") {
            let message = "the data layout is not that of AMDGPU, whose stack is in address space 5 (`A5`); omit the line";
            found.push(Diagnostic::new(&TARGET_LAYOUT, cx.item_range(layout.item), message));
        }
    }
    for function in summary.functions.iter().filter(|f| f.is_definition) {
        let message = match convention(function.cc) {
            Some(true) if is_hsa => {
                format!("`{}` functions are for Mesa and PAL, not for HSA", convention_name(function.cc))
            }
            None => format!("AMDGPU has no calling convention `{}`", convention_name(function.cc)),
            _ => continue,
        };
        found.push(Diagnostic::new(&TARGET_CONVENTION, cx.item_range(function.head.item), message));
    }
    cx.diagnostics.append(&mut found);
}

/// Intrinsics that older versions of LLVM had and no version upgrades: their beginnings, the first version known to lack them, and what
/// to use.
const REMOVED: &[(&str, u8, &str)] = &[
    ("amdgcn.global.load.tr.", 19, "`llvm.amdgcn.global.load.tr.b64` or `llvm.amdgcn.global.load.tr.b128`"),
    ("amdgcn.global.atomic.csub", 22, "`atomicrmw usub_sat`"),
    (
        "amdgcn.buffer.load",
        WITHOUT_BUFFERS,
        "`llvm.amdgcn.raw.ptr.buffer.load` or `llvm.amdgcn.struct.ptr.buffer.load`",
    ),
    (
        "amdgcn.buffer.store",
        WITHOUT_BUFFERS,
        "`llvm.amdgcn.raw.ptr.buffer.store` or `llvm.amdgcn.struct.ptr.buffer.store`",
    ),
    ("amdgcn.buffer.atomic.", WITHOUT_BUFFERS, "an intrinsic of `llvm.amdgcn.raw.ptr.buffer.atomic`"),
    (
        "amdgcn.tbuffer.load",
        WITHOUT_BUFFERS,
        "`llvm.amdgcn.raw.ptr.tbuffer.load` or `llvm.amdgcn.struct.ptr.tbuffer.load`",
    ),
    (
        "amdgcn.tbuffer.store",
        WITHOUT_BUFFERS,
        "`llvm.amdgcn.raw.ptr.tbuffer.store` or `llvm.amdgcn.struct.ptr.tbuffer.store`",
    ),
];
const WITHOUT_BUFFERS: u8 = 20;

/// A layout of AMDGPU under another triple: its stack and its pointers to buffers are of no other target.
pub(super) fn foreign_layout(cx: &mut ModuleContext<'_>) {
    let Some(layout) = cx.summary.cold.data_layout else { return };
    let text = cx.summary.tables.names.get(layout.value);
    let is_of_amdgpu = text.split('-').any(|part| part == "A5") && text.contains("ni:7:8");
    let arch = cx.scope.triple.as_deref().and_then(|triple| triple.split('-').next());
    if let Some(arch) = arch.filter(|arch| is_of_amdgpu && is_other_than_amdgpu(arch)) {
        let message =
            format!("the data layout is that of AMDGPU, but this module is for `{arch}`; omit the line");
        let range = cx.item_range(layout.item);
        cx.diagnostics.push(Diagnostic::new(&TARGET_LAYOUT, range, message));
    }
}

/// Names of intrinsics that do not exist, whatever the target.
pub(super) fn names(cx: &mut ModuleContext<'_>) {
    let summary = cx.summary;
    let mut found = Vec::new();
    for function in summary.functions.iter().filter(|f| !f.is_definition) {
        let Some(name) = function.head.name.as_name().map(|n| summary.tables.names.get(n)) else { continue };
        let Some(rest) = name.strip_prefix("llvm.") else { continue };
        let params = function.params.len as usize;
        if let Some(intrinsic) = Intrinsic::lookup(name) {
            if let Some(own) = other_suffix(cx, function.head.name, name, intrinsic) {
                let message =
                    format!("`{name}` does not name the types that it has; LLVM reads it as `{own}`");
                let mut hint =
                    Diagnostic::new(&UNKNOWN_INTRINSIC, cx.item_range(function.head.item), message);
                hint.severity = Severity::Hint;
                found.push(hint);
            }
            continue;
        }
        if is_upgraded(name, params) || is_old_name(name) {
            continue;
        }
        if let Some((_, since, instead)) = REMOVED.iter().find(|(start, ..)| rest.starts_with(start)) {
            if cx.scope.llvm_level.is_none_or(|level| level >= *since) {
                let message = format!("`{name}` was removed from LLVM; use {instead}");
                found.push(Diagnostic::new(&UNKNOWN_INTRINSIC, cx.item_range(function.head.item), message));
            }
            continue;
        }
        let family = match rest.split_once('.') {
            Some((target, _)) if TARGETS.contains(&target) => format!("llvm.{target}."),
            _ => "llvm.".to_owned(),
        };
        let range = cx.item_range(function.head.item);
        match near(name, &family) {
            Some(near) => {
                let message = format!("unknown intrinsic `{name}`; did you mean `{near}`?");
                found.push(Diagnostic::new(&UNKNOWN_INTRINSIC, range, message));
            }
            // Of AMDGPU's all are known; it may be of a newer version than any.
            None if family == "llvm.amdgcn." => {
                let message =
                    format!("unknown intrinsic `{name}`: no version up to LLVM {LLVM_LEVEL} has it");
                let mut hint = Diagnostic::new(&UNKNOWN_INTRINSIC, range, message);
                if cx.scope.llvm_level.is_none_or(|level| level >= LLVM_LEVEL) {
                    hint.severity = Severity::Hint;
                }
                found.push(hint);
            }
            None => {}
        }
    }
    cx.diagnostics.append(&mut found);
}

/// The name of a declared intrinsic by its types, if its own has other types in it, or more of them. Older versions of LLVM wrote fewer,
/// and what pointers pointed to.
fn other_suffix(cx: &ModuleContext<'_>, symbol: Symbol, name: &str, intrinsic: Intrinsic) -> Option<String> {
    let written = name.strip_prefix(intrinsic.name())?.strip_prefix('.')?;
    let is_known = |part: &str| {
        let number = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        !number.is_empty() && (number.bytes().all(|c| c.is_ascii_digit()) || part.starts_with(['v', 'n']))
    };
    let ty = cx.scope.global(symbol, &cx.summary.tables.names)?.value_type;
    let own = full_name(&cx.scope.structs, &cx.scope.types, intrinsic, ty)?;
    let (count, own_count) =
        (written.split('.').count(), own.split('.').count() - intrinsic.name().split('.').count());
    let is_other = own != name && count >= own_count && written.split('.').all(is_known);
    is_other.then_some(own)
}

/// The intrinsic of a family that a name is a slip of; where its types follow the name, they are left out.
fn near(name: &str, family: &str) -> Option<&'static str> {
    let own = |intrinsic: &Intrinsic| intrinsic.name().get(family.len()..);
    let mut stem = name.get(family.len()..)?;
    loop {
        if let Some(near) = closest(stem, Intrinsic::with_prefix(family).filter_map(|known| own(&known))) {
            let near = Intrinsic::with_prefix(family).find(|known| own(known) == Some(near))?;
            let is_whole = family.len() + stem.len() == name.len();
            return (is_whole || near.is_overloaded()).then(|| near.name());
        }
        stem = stem.get(..stem.rfind('.')?)?;
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{check, marks};

    #[test]
    fn conventions_depend_on_the_triple() {
        let text = |os: &str| {
            format!(
                "target triple = \"amdgcn-amd-{os}\"\ndefine amdgpu_cs void @a() {{\n  ret void\n}}\ndefine swiftcc void @b() {{\n  ret void\n}}\n\
                 define fastcc void @c() {{\n  ret void\n}}\ndeclare amdgpu_gfx void @d()\n"
            )
        };
        check(
            &text("amdhsa"),
            expect![[r#"
                warning[target-convention] 2:23 `@a`: `amdgpu_cs` functions are for Mesa and PAL, not for HSA
                warning[target-convention] 5:21 `@b`: AMDGPU has no calling convention `swiftcc`
            "#]],
        );
        check(
            &text("amdpal"),
            expect![[r#"
                warning[target-convention] 5:21 `@b`: AMDGPU has no calling convention `swiftcc`
            "#]],
        );
    }

    #[test]
    fn a_triple_names_a_processor() {
        marks(expect![[r#"
            target triple = "amdgpu9.99-amd-amdhsa"
            ;               ^^^^^^^^^^^^^^^^^^^^^^^ info[target-layout]: no version up to LLVM 24 has the processor of `amdgpu9.99`
        "#]]);
    }

    #[test]
    fn types_in_names() {
        marks(expect![[r#"
            declare i32 @llvm.ctlz.i32.i1(i32, i1)
            ;           ^^^^^^^^^^^^^^^^^ hint[unknown-intrinsic]: `llvm.ctlz.i32.i1` does not name the types that it has; LLVM reads it as `llvm.ctlz.i32`
            declare i32 @llvm.ctpop.i64(i32)
            ;           ^^^^^^^^^^^^^^^ hint[unknown-intrinsic]: `llvm.ctpop.i64` does not name the types that it has; LLVM reads it as `llvm.ctpop.i32`
            declare void @llvm.va_start(ptr)
            declare void @llvm.memcpy.p0i8.p0i8.i64(ptr, ptr, i64, i1)
            declare <4 x float> @llvm.masked.load.v4f32(ptr, i32, <4 x i1>, <4 x float>)
            declare <4 x float> @llvm.sqrt.v4f32(<4 x float>)
        "#]]);
    }

    #[test]
    fn names_that_resemble_an_intrinsic() {
        marks(expect![[r#"
            declare i32 @llvm.amdgcn.workitem.idx.x()
            ;           ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: unknown intrinsic `llvm.amdgcn.workitem.idx.x`; did you mean `llvm.amdgcn.workitem.id.x`?
            declare void @llvm.amdgcn.s.barier()
            ;            ^^^^^^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: unknown intrinsic `llvm.amdgcn.s.barier`; did you mean `llvm.amdgcn.s.barrier`?
            declare i32 @llvm.amdgcn.something.newer()
            ;           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[unknown-intrinsic]: unknown intrinsic `llvm.amdgcn.something.newer`: no version up to LLVM 24 has it
            declare float @llvm.amdgcn.rcpp.f32(float)
            ;             ^^^^^^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: unknown intrinsic `llvm.amdgcn.rcpp.f32`; did you mean `llvm.amdgcn.rcp`?
            declare i32 @llvm.ctpopp.i32(i32)
            ;           ^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: unknown intrinsic `llvm.ctpopp.i32`; did you mean `llvm.ctpop`?
            declare i32 @llvm.amdgcn.workitem.id.x()
            declare void @llvm.lifetime.strat.p0(ptr)
            declare void @llvm.my.own()
            declare <4 x float> @llvm.amdgcn.buffer.load.v4f32(<4 x i32>, i32, i32, i1, i1)
            ;                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: `llvm.amdgcn.buffer.load.v4f32` was removed from LLVM; use `llvm.amdgcn.raw.ptr.buffer.load` or `llvm.amdgcn.struct.ptr.buffer.load`
            declare i32 @llvm.amdgcn.global.atomic.csub.p1(ptr addrspace(1), i32)
            ;           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[unknown-intrinsic]: `llvm.amdgcn.global.atomic.csub.p1` was removed from LLVM; use `atomicrmw usub_sat`
            declare float @llvm.amdgcn.global.atomic.fadd.f32.p1.f32(ptr addrspace(1), float)
        "#]]);
    }
}
