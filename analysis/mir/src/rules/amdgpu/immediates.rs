//! Immediates: where they are allowed and which values fit; and the `exec` mask that vector instructions read.

use std::sync::LazyLock;

use wavelens_isa::mir::{Machine, Register, operand_kind};

use super::{Check, names, target_flag};
use crate::context::{Reg, RuleContext, fail_in};
use crate::model::*;
use wavelens_base::{Diagnostic, Verdict, fail};

wavelens_syntax::rules! {
    BAD_IMMEDIATE {
        code: "bad-immediate",
        severity: wavelens_base::Severity::Error,
        title: "an immediate is one that the operand can encode",
        explain: "Some operands accept a register or an inline constant (an integer from -16 to 64, or 0.5, 1.0, 2.0, 4.0 and their negatives as bits), some only an immediate, and the immediate of SOPK instructions has 16 bits. On RISC-V each kind of operand has its own range.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOVK_I32 100000
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOVK_I32 1000
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"invalid immediate for SOPK instruction\", \"Illegal immediate value for operand.\"; RISCVInstrInfo::verifyInstruction: \"Invalid immediate\"",
    }

    MISSING_EXEC {
        code: "missing-exec",
        severity: wavelens_base::Severity::Error,
        title: "a vector instruction reads `implicit $exec`",
        explain: "Vector instructions operate on the lanes that `$exec` enables; without the operand passes could move them across a change of `$exec`.",
        example: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx1030" }
...
---
name: f
body: |
  bb.0:
    V_MOVRELSD_2_B32_e32 $vgpr0, $vgpr1, implicit $m0
    S_ENDPGM 0
...
"#,
        fixed: r#"--- |
  target triple = "amdgcn-amd-amdhsa"
  define void @f() #0 { ret void }
  attributes #0 = { "target-cpu"="gfx1030" }
...
---
name: f
body: |
  bb.0:
    V_MOVRELSD_2_B32_e32 $vgpr0, $vgpr1, implicit $m0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"VALU instruction does not implicitly read exec mask\"",
    }
}

/// Kinds of operands, numbered as LLVM 22's `AMDGPU::OperandType`.
pub(super) mod kind {
    pub(in super::super) const IMM_INT32: u8 = 13;
    pub(in super::super) const IMM_INT64: u8 = 14;
    pub(in super::super) const IMM_INT16: u8 = 15;
    pub(in super::super) const IMM_FP32: u8 = 16;
    pub(in super::super) const IMM_FP64: u8 = 17;
    pub(in super::super) const IMM_BF16: u8 = 18;
    pub(in super::super) const IMM_FP16: u8 = 19;
    pub(in super::super) const IMM_V2INT32: u8 = 25;
    pub(in super::super) const IMM_V2FP32: u8 = 26;
    pub(in super::super) const INLINE_INT16: u8 = 27;
    pub(in super::super) const INLINE_INT32: u8 = 28;
    pub(in super::super) const INLINE_INT64: u8 = 29;
    pub(in super::super) const INLINE_BF16: u8 = 30;
    pub(in super::super) const INLINE_FP16: u8 = 31;
    pub(in super::super) const INLINE_FP32: u8 = 32;
    pub(in super::super) const INLINE_FP64: u8 = 33;
    pub(in super::super) const SPLIT_BARRIER: u8 = 37;
    pub(in super::super) const KIMM32: u8 = 38;
    pub(in super::super) const KIMM16: u8 = 39;
    pub(in super::super) const KIMM64: u8 = 40;
    pub(in super::super) const ACC_INT32: u8 = 41;
    pub(in super::super) const ACC_FP32: u8 = 42;
    pub(in super::super) const ACC_FP64: u8 = 43;
}

/// Whether an immediate costs nothing in an operand of a kind; `None` where that is not known.
/// `inverse_pi` says whether 1/(2 pi) is inline, as it is from gfx8 on.
pub(super) fn is_inline(value: i64, kind: u8, inverse_pi: bool) -> Option<bool> {
    let small = (-16..=64).contains(&value);
    Some(match kind {
        kind::IMM_INT32
        | kind::IMM_FP32
        | kind::IMM_V2INT32
        | kind::IMM_V2FP32
        | kind::INLINE_INT32
        | kind::INLINE_FP32
        | kind::SPLIT_BARRIER
        | kind::ACC_INT32
        | kind::ACC_FP32 => {
            let bits = value as u32;
            let magnitudes = [0x3f00_0000, 0x3f80_0000, 0x4000_0000, 0x4080_0000];
            (-16..=64).contains(&(bits as i32))
                || magnitudes.contains(&(bits & 0x7fff_ffff))
                || inverse_pi && bits == 0x3e22_f983
        }
        kind::IMM_INT64 | kind::IMM_FP64 | kind::INLINE_INT64 | kind::INLINE_FP64 | kind::ACC_FP64 => {
            let bits = value as u64;
            let magnitudes = [0x3fe0 << 48, 0x3ff0 << 48, 0x4000 << 48, 0x4010 << 48];
            small || magnitudes.contains(&(bits & !(1 << 63))) || inverse_pi && bits == 0x3fc4_5f30_6dc9_c882
        }
        kind::IMM_INT16 | kind::INLINE_INT16 => small,
        kind::IMM_FP16 | kind::INLINE_FP16 => {
            half(value, [0x3800, 0x3c00, 0x4000, 0x4400], 0x3118, inverse_pi)
        }
        kind::IMM_BF16 | kind::INLINE_BF16 => {
            half(value, [0x3f00, 0x3f80, 0x4000, 0x4080], 0x3e22, inverse_pi)
        }
        kind::KIMM32 | kind::KIMM16 | kind::KIMM64 => false,
        operand_kind::UNKNOWN
        | operand_kind::IMMEDIATE
        | operand_kind::REGISTER
        | operand_kind::PC_RELATIVE => true,
        _ => return None,
    })
}

/// Processors with 1/(2 pi) are those with 16-bit instructions.
fn half(value: i64, magnitudes: [u16; 4], inverse: u16, inverse_pi: bool) -> bool {
    if !(-0x8000..=0xffff).contains(&value) {
        return false;
    }
    let bits = value as u16;
    inverse_pi
        && ((-16..=64).contains(&(bits as i16)) || magnitudes.contains(&(bits & 0x7fff)) || bits == inverse)
}

/// Operands of kinds that take only some immediates.
pub(super) fn check_immediates(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let desc = &check.inst.desc;
    for index in 0..desc.operand_count() {
        let (Some(expected), Some(operand)) = (desc.operand(index), cx.operand(check.inst, index)) else {
            continue;
        };
        if matches!(operand.kind, OperandKind::FpImmediate { .. }) {
            return fail_in(
                &BAD_IMMEDIATE,
                operand.range,
                "expected an integer immediate with the bits of the floating-point number",
            );
        }
        match expected.kind {
            kind::INLINE_INT16
            | kind::INLINE_INT32
            | kind::INLINE_INT64
            | kind::INLINE_FP16
            | kind::INLINE_FP32
            | kind::INLINE_FP64
            | kind::ACC_INT32
            | kind::ACC_FP32
            | kind::ACC_FP64
            | kind::SPLIT_BARRIER => {
                let registers = expected.kind != kind::SPLIT_BARRIER;
                if registers && operand.register().is_some() {
                    continue;
                }
                // Without a processor, the greatest set of constants.
                let inverse_pi = check.processor.is_none_or(|p| p.facts().has_inverse_pi);
                let fits = match operand.kind {
                    OperandKind::Immediate(value) => {
                        is_inline(value, expected.kind, inverse_pi).unwrap_or(true)
                    }
                    OperandKind::Mnemonic => true,
                    _ => false,
                };
                if !fits {
                    let what =
                        if registers { "a register or an inline constant" } else { "an inline constant" };
                    return fail_in(&BAD_IMMEDIATE, operand.range, format!("expected {what}"));
                }
            }
            operand_kind::IMMEDIATE | kind::KIMM32 | kind::KIMM64 => {
                let fits = matches!(
                    operand.kind,
                    OperandKind::Immediate(_) | OperandKind::Mnemonic | OperandKind::Frame { .. }
                );
                if !fits {
                    let message = match operand.kind {
                        OperandKind::TypedImmediate { .. } => "expected an immediate without a type",
                        _ => "expected an immediate",
                    };
                    return fail_in(&BAD_IMMEDIATE, operand.range, message);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The modifiers of a source that are not an immediate: LLVM 24's verifier rejects them. Older ones do not look at them, and writing the
/// instruction fails. Most often the modifiers before a source are missing.
pub(super) fn misplaced_modifiers(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Option<Diagnostic> {
    let ids = names();
    let sources = [(ids.src0_modifiers, "src0"), (ids.src1_modifiers, "src1"), (ids.src2_modifiers, "src2")];
    sources.into_iter().find_map(|(name, source)| {
        let operand = check.operand(cx, name)?;
        let is_other = matches!(
            operand.kind,
            OperandKind::Register(_) | OperandKind::Frame { .. } | OperandKind::Global(_)
        );
        is_other.then(|| {
            let message = format!(
                "expected the modifiers of `{source}`, such as 0; the source itself is the next operand"
            );
            let make = if cx.follows(24) { Diagnostic::new } else { Diagnostic::warning };
            make(&BAD_IMMEDIATE, operand.range, message)
        })
    })
}

/// Immediates of scalar instructions.
pub(super) fn check_scalar_immediate(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    if !check.is(target_flag::SOPK) || check.inst.desc.is(wavelens_isa::mir::flag::BRANCH) {
        return Ok(());
    }
    let Some(operand) = check.operand(cx, names().simm16) else { return Ok(()) };
    let Some(value) = operand.immediate() else { return Ok(()) };
    let name = cx.f.opcode_text(check.inst.source);
    let unsigned = name.starts_with("S_GETREG_B32") || name.starts_with("S_CMPK_") && name.contains("_U32");
    let range = if unsigned { 0..=0xffff } else { -0x8000..=0x7fff };
    if !range.contains(&value) {
        let message =
            format!("the immediate of `{name}` must fit in {} to {}, is {value}", range.start(), range.end());
        return fail_in(&BAD_IMMEDIATE, operand.range, message);
    }
    Ok(())
}

static EXEC: LazyLock<Register> =
    LazyLock::new(|| Machine::Amdgpu.tables().register("exec").unwrap_or(Register::NONE));

/// `implicit $exec` at instructions that work on lanes.
pub(super) fn check_exec(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    if check.inst.desc.is(wavelens_isa::mir::flag::PRE_ISEL) {
        return Ok(());
    }
    let name = cx.f.opcode_text(check.inst.source);
    let reads = if check.is(target_flag::VALU) {
        !matches!(
            name,
            "V_READLANE_B32" | "SI_RESTORE_S32_FROM_VGPR" | "V_WRITELANE_B32" | "SI_SPILL_S32_TO_VGPR"
        )
    } else {
        !check.is(target_flag::SALU | target_flag::SMRD)
    };
    let is_exec = |operand: &Operand| {
        operand.is_implicit()
            && !operand.is_def()
            && operand.register().is_some_and(|r| cx.reg(r) == Reg::Physical(*EXEC))
    };
    if reads && !cx.operands(check.inst).any(is_exec) {
        return fail(&MISSING_EXEC, format!("missing `implicit $exec` operand of `{name}`"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn modifiers_of_sources() {
        marks(expect![[r#"
            ---
            name: f
            stack:
              - { id: 0, size: 4 }
            body: |
              bb.0:
                liveins: $sgpr6_sgpr7
                %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
                %1:vgpr_32 = V_CNDMASK_B32_e64 %stack.0, %0, 0, 0, $sgpr6_sgpr7, implicit $exec
            ;                                  ^^^^^^^^ warning[bad-immediate]: expected the modifiers of `src0`, such as 0; the source itself is the next operand
                %2:vgpr_32 = V_CNDMASK_B32_e64 0, %0, 0, 0, $sgpr6_sgpr7, implicit $exec
            ...
        "#]]);
    }

    #[test]
    fn what_fits() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sreg_32 = S_MOVK_I32 70000
            ;                           ^^^^^ error[bad-immediate]: the immediate of `S_MOVK_I32` must fit in -32768 to 32767, is 70000
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = V_MOV_B32_e32 float 1.0, implicit $exec
            ;                              ^^^^^^^^^ error[bad-immediate]: expected an integer immediate with the bits of the floating-point number
            ...
        "#]]);
    }

    /// Of numbers near the limits, those that each kind of operand holds without a literal; with 1/(2 pi) and without.
    #[test]
    fn inline_immediates_of_each_kind() {
        use super::{is_inline, kind, operand_kind};
        let numbers = [
            -17,
            -16,
            0,
            64,
            65,
            0x3118,
            0x3117,
            0x3800,
            0xb800,
            0x3c00,
            0x4000,
            0x4400,
            0x4401,
            0x3e22,
            0x3f00,
            0x3f80,
            0x4080,
            0x8000,
            0xffef,
            0xfff0,
            0xffff,
            0x1_0000,
            -0x8000,
            -0x8001,
            0x3e22_f983,
            0x3f00_0000,
            0x3f80_0000,
            0xbf80_0000,
            0x4080_0000,
            0x4080_0001,
            0xffff_fff0,
            0xffff_ffef,
            0x3fe0 << 48,
            0xbff0 << 48,
            0x4010 << 48,
            0x3fc4_5f30_6dc9_c882,
        ];
        let kinds = [
            ("int32", kind::IMM_INT32),
            ("fp32", kind::INLINE_FP32),
            ("int64", kind::IMM_INT64),
            ("fp64", kind::ACC_FP64),
            ("int16", kind::INLINE_INT16),
            ("fp16", kind::IMM_FP16),
            ("bf16", kind::INLINE_BF16),
            ("kimm32", kind::KIMM32),
            ("register", operand_kind::REGISTER),
            ("a kind that is not known", 255),
        ];
        let mut shown = String::new();
        for (name, kind) in kinds {
            for (words, inverse_pi) in [("with", true), ("without", false)] {
                let inline =
                    numbers.iter().filter(|number| is_inline(**number, kind, inverse_pi) == Some(true));
                let inline: Vec<String> = inline.map(|number| format!("{number:#x}")).collect();
                shown += &format!("{name} {words} 1/(2 pi): {}\n", inline.join(" "));
            }
        }
        expect![[r#"
            int32 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3e22f983 0x3f000000 0x3f800000 0xbf800000 0x40800000 0xfffffff0 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            int32 without 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3f000000 0x3f800000 0xbf800000 0x40800000 0xfffffff0 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            fp32 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3e22f983 0x3f000000 0x3f800000 0xbf800000 0x40800000 0xfffffff0 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            fp32 without 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3f000000 0x3f800000 0xbf800000 0x40800000 0xfffffff0 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            int64 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000 0x3fc45f306dc9c882
            int64 without 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            fp64 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000 0x3fc45f306dc9c882
            fp64 without 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000
            int16 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40
            int16 without 1/(2 pi): 0xfffffffffffffff0 0x0 0x40
            fp16 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x3118 0x3800 0xb800 0x3c00 0x4000 0x4400 0xfff0 0xffff
            fp16 without 1/(2 pi): 
            bf16 with 1/(2 pi): 0xfffffffffffffff0 0x0 0x40 0x4000 0x3e22 0x3f00 0x3f80 0x4080 0xfff0 0xffff
            bf16 without 1/(2 pi): 
            kimm32 with 1/(2 pi): 
            kimm32 without 1/(2 pi): 
            register with 1/(2 pi): 0xffffffffffffffef 0xfffffffffffffff0 0x0 0x40 0x41 0x3118 0x3117 0x3800 0xb800 0x3c00 0x4000 0x4400 0x4401 0x3e22 0x3f00 0x3f80 0x4080 0x8000 0xffef 0xfff0 0xffff 0x10000 0xffffffffffff8000 0xffffffffffff7fff 0x3e22f983 0x3f000000 0x3f800000 0xbf800000 0x40800000 0x40800001 0xfffffff0 0xffffffef 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000 0x3fc45f306dc9c882
            register without 1/(2 pi): 0xffffffffffffffef 0xfffffffffffffff0 0x0 0x40 0x41 0x3118 0x3117 0x3800 0xb800 0x3c00 0x4000 0x4400 0x4401 0x3e22 0x3f00 0x3f80 0x4080 0x8000 0xffef 0xfff0 0xffff 0x10000 0xffffffffffff8000 0xffffffffffff7fff 0x3e22f983 0x3f000000 0x3f800000 0xbf800000 0x40800000 0x40800001 0xfffffff0 0xffffffef 0x3fe0000000000000 0xbff0000000000000 0x4010000000000000 0x3fc45f306dc9c882
            a kind that is not known with 1/(2 pi): 
            a kind that is not known without 1/(2 pi): 
        "#]].assert_eq(&shown);
    }
}
