//! Names, offsets and alignments in memory operands.

use wavelens_isa::mir::is_newer_memory_flag;

use super::{frame_objects, ir_constants, ir_names, metadata, names};
use crate::context::RuleContext;
use crate::ir::Local;
use crate::model::*;

wavelens_syntax::rules! {
    UNDEFINED_VALUE {
        code: "undefined-ir-value",
        severity: wavelens_base::Severity::Error,
        title: "an IR value is defined in the IR function of the same name",
        explain: "Memory operands use IR values for alias analysis.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMPLICIT_DEF :: (load (s32) from %ir.q)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseIRValue: \"use of undefined IR value\"",
    }

    WRONG_POINTER {
        code: "no-pointer",
        severity: wavelens_base::Severity::Error,
        title: "the IR value of a memory operand is a pointer",
        explain: "An integer does not identify memory.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    $vgpr0 = IMPLICIT_DEF :: (load (s32) from %ir.n)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  @g = external global i32
  define void @f(ptr %p, i32 %n) {
  entry:
    ret void
  }
...
---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachinePointerInfo: \"expected a pointer IR value\"",
    }

    BAD_ALIGNMENT {
        code: "bad-memory-alignment",
        severity: wavelens_base::Severity::Error,
        title: "the alignment of a memory operand is possible at its offset",
        explain: "`align` is the alignment of the access, `basealign` that of the base.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0 :: (load (s32) from %ir.p + 2, align 4)
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f(ptr %p) {
  entry:
    ret void
  }
  !0 = !{}
...
---
name: f
body: |
  bb.0:
    %0:_(p0) = G_IMPLICIT_DEF
    %1:_(s32) = G_LOAD %0 :: (load (s32) from %ir.p + 4, align 4)
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineInstrBefore; MachineMemOperand::getAlign",
    }
}

/// Flags, stack objects and pseudo sources of the target.
pub(super) fn check_target_names(cx: &mut RuleContext<'_>, operand: &MemoryOperand) -> bool {
    let mut ok = true;
    for (name, range) in &operand.target_flags {
        let text = cx.f.names.get(*name);
        let is_known = cx.t.facts().memory_flags.iter().any(|n| n == text);
        if !(is_known || cx.reads_newer() && is_newer_memory_flag(text)) {
            ok = false;
            cx.report(&names::UNKNOWN_TARGET_NAME, *range, format!("unknown memory flag \"{text}\""));
        }
    }
    match operand.pointer {
        Pointer::Frame { fixed, id, name } => {
            ok &= frame_objects::check_reference(cx, fixed, id, name, operand.pointer_range)
        }
        Pointer::Custom(name) if cx.machine == wavelens_isa::mir::Machine::Amdgpu => {
            let text = cx.f.names.get(name);
            if text != "GWSResource" {
                ok = false;
                cx.report(
                    &names::UNKNOWN_TARGET_NAME,
                    operand.pointer_range,
                    format!("unknown pseudo source `{text}`"),
                );
            }
        }
        _ => {}
    }
    ok
}

/// Names of the IR module, offset and alignment.
pub(super) fn check(cx: &mut RuleContext<'_>, m: &MemoryOperand) -> bool {
    let mut ok = true;
    match m.pointer {
        Pointer::Global(name) | Pointer::CallEntry(name) if name.is_some() => {
            ok &= match m.pointer {
                Pointer::CallEntry(_) if !m.pointer_range.is_empty() => {
                    ir_names::check_global(cx, name, m.pointer_range)
                }
                Pointer::CallEntry(_) => true,
                _ => ir_names::check_global(cx, name, m.pointer_range),
            };
        }
        Pointer::Quoted => {
            let quoted = std::ops::Range::<usize>::from(m.pointer_range);
            let text = cx.text.get(quoted).unwrap_or("").trim_matches('`');
            ok &= ir_constants::check(cx, text, m.pointer_range);
        }
        Pointer::IrValue(name) => {
            let text = cx.f.names.get(name).to_owned();
            match ir_names::local(cx, &text) {
                Some(Local::Value | Local::Alloca) => {}
                Some(Local::NoPointer) => {
                    ok = false;
                    cx.report(&WRONG_POINTER, m.pointer_range, format!("`{text}` is not a pointer"));
                }
                Some(Local::Block) => {
                    ok = false;
                    cx.report(
                        &UNDEFINED_VALUE,
                        m.pointer_range,
                        format!("`{text}` is an IR block, not a pointer"),
                    );
                }
                None if ir_names::is_function_missing(cx) => ok = false,
                None => {
                    ok = false;
                    let name = text.strip_prefix('%').unwrap_or(&text);
                    cx.report(
                        &UNDEFINED_VALUE,
                        m.pointer_range,
                        format!("use of undefined IR value `%{name}`"),
                    );
                }
            }
        }
        _ => {}
    }
    if let Some(align) = m.align
        && (m.offset as u64) & (align.saturating_sub(1)) != 0
    {
        ok = false;
        let message = format!("an access at offset {} is not aligned to {align} bytes", m.offset);
        cx.report(&BAD_ALIGNMENT, m.align_range, message);
    }
    for (_, number, range) in &m.metadata {
        ok &= metadata::check_number(cx, *number, *range);
    }
    ok
}
