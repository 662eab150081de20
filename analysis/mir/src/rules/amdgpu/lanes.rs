//! SDWA and DPP: parts of registers, and other lanes.

use super::{Check, Processor, kind_of, names, target_flag};
use crate::context::{Reg, RuleContext, fail_in};
use crate::model::*;
use wavelens_base::{Verdict, fail};

wavelens_syntax::rules! {
    SDWA {
        code: "bad-sdwa",
        severity: wavelens_base::Severity::Error,
        title: "an SDWA instruction has selections and operands that the processor supports",
        explain: "SDWA (gfx8 to gfx10) selects a byte (0 to 3), a word (4, 5) or the dword (6) of each register. gfx8 accepts only VGPRs and no output modifier; `dst_unused` 2 (preserve) requires the old value as a tied implicit use.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_CVT_I32_F32_sdwa 0, %0, 0, 9, 0, 6, implicit $mode, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_CVT_I32_F32_sdwa 0, %0, 0, 6, 0, 6, implicit $mode, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"OMod not allowed in SDWA instructions on VI\", \"Only reg allowed as operands in SDWA instructions on GFX9+\"",
    }

    DPP {
        code: "bad-dpp-control",
        severity: wavelens_base::Severity::Error,
        title: "`dpp_ctrl` is a lane pattern that the processor supports",
        explain: "Wave shifts and broadcasts exist before gfx10, `row_share` and `row_xmask` since gfx10, `row_newbcast` on gfx90a and gfx940.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_MOV_B32_dpp %0, %0, 256, 15, 15, 0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = V_MOV_B32_dpp %0, %0, 257, 15, 15, 0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM SIInstrInfo::verifyInstruction: \"Invalid dpp_ctrl value\"",
    }
}

pub(super) fn check_sdwa(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    if !check.is(target_flag::SDWA) {
        return Ok(());
    }
    let ids = names();
    if check.processor.is_some_and(|p| !p.facts().has_sdwa) {
        return fail(&SDWA, format!("SDWA is not supported on {}", check.processor_name(cx)));
    }
    for name in [ids.src0_sel, ids.src1_sel, ids.dst_sel] {
        let Some(operand) = check.operand(cx, name) else { continue };
        if operand.immediate().is_some_and(|v| !(0..=6).contains(&v)) {
            return fail_in(
                &SDWA,
                operand.range,
                "an SDWA selection must be 0 to 3 (byte), 4 or 5 (word) or 6 (dword)",
            );
        }
    }
    let old = check.processor.is_some_and(|p| !p.facts().sdwa_takes_scalars);
    for name in [ids.vdst, ids.src0, ids.src1, ids.src2] {
        let Some(operand) = check.operand(cx, name) else { continue };
        let is_register = operand.register().is_some();
        let is_vector = kind_of(cx, operand).is_none_or(|k| k.vector);
        if !is_register || old && !is_vector {
            let what = if old { "a VGPR" } else { "a register" };
            return fail_in(
                &SDWA,
                operand.range,
                format!("expected {what} as operand of an SDWA instruction"),
            );
        }
    }
    let omod = check.operand(cx, ids.omod).filter(|o| o.immediate().is_some_and(|v| v != 0));
    if let Some(omod) = omod.filter(|_| check.processor.is_some_and(|p| !p.sdwa_omod())) {
        return fail_in(
            &SDWA,
            omod.range,
            "the output modifier of an SDWA instruction is not supported on gfx8",
        );
    }
    let name = cx.f.opcode_text(check.inst.source);
    let converts = matches!(
        name,
        "V_CVT_F32_FP8_sdwa" | "V_CVT_F32_BF8_sdwa" | "V_CVT_PK_F32_FP8_sdwa" | "V_CVT_PK_F32_BF8_sdwa"
    );
    let modifiers = check.operand(cx, ids.src0_modifiers).filter(|_| converts);
    if let Some(modifiers) = modifiers.filter(|o| o.immediate().is_some_and(|v| v & 3 != 0)) {
        return fail_in(
            &SDWA,
            modifiers.range,
            format!("`{name}` must not have a negation, absolute value or sign extension modifier"),
        );
    }
    let compare = name.starts_with("V_CMP");
    let clamp = check.operand(cx, ids.clamp).filter(|o| o.immediate().is_some_and(|v| v != 0));
    if let (Some(clamp), true) =
        (clamp, compare && check.processor.is_some_and(|p| !p.facts().clamps_sdwa_compares))
    {
        return fail_in(
            &SDWA,
            clamp.range,
            "`clamp` of an SDWA comparison is not supported on gfx9 and later",
        );
    }
    check_preserve(cx, check)
}

/// `dst_unused` with the value 2.
fn check_preserve(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let ids = names();
    let (Some(unused), Some(index)) = (check.operand(cx, ids.dst_unused), check.index(cx, ids.vdst)) else {
        return Ok(());
    };
    if unused.immediate() != Some(2) {
        return Ok(());
    }
    let tied = cx.tied_to(check.inst, index).and_then(|t| cx.operand(check.inst, t));
    let message = match tied {
        None => "missing implicit use that is tied to the result, which `dst_unused` 2 (preserve) requires",
        Some(t) if t.register().is_none() || !t.is_implicit() || t.is_def() => {
            "the implicit use of the preserved value must be tied to the result"
        }
        Some(t) => {
            let reg = |o: &Operand| o.register().map(|r| cx.reg(r));
            let dst = cx.operand(check.inst, index).and_then(reg);
            match reg(t) {
                Some(Reg::Physical(p)) if dst != Some(Reg::Physical(p)) => {
                    "the preserved register must be the result register"
                }
                _ => return Ok(()),
            }
        }
    };
    fail_in(&SDWA, unused.range, message)
}

pub(super) fn check_dpp(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let Some(operand) = check.operand(cx, names().dpp_ctrl) else { return Ok(()) };
    check_second_source(cx, check)?;
    let Some(value) = operand.immediate() else { return Ok(()) };
    let control = value as u32;
    let processor = check.processor;
    let (has_shares, lacks_shares) = match check.processor {
        Some(processor) => (processor.facts().has_row_share, !processor.facts().has_row_share),
        None => (false, false),
    };
    let message = match control {
        0x100
        | 0x110
        | 0x120
        | 0x131..=0x133
        | 0x135..=0x137
        | 0x139..=0x13b
        | 0x13d..=0x13f
        | 0x144..=0x14f
        | 0x170.. => return fail_in(&DPP, operand.range, format!("unknown `dpp_ctrl` value {value}")),
        0x130..=0x13c if has_shares => "DPP wave shifts are not supported on gfx10 and later",
        0x142..=0x143 if has_shares => "DPP row broadcasts are not supported on gfx10 and later",
        0x150..=0x15f if lacks_shares && processor.is_some_and(|p| !p.gfx90a()) => {
            let message = "is `row_newbcast`, which requires gfx90a, or `row_share`, which requires gfx10";
            return fail_in(&DPP, operand.range, format!("`dpp_ctrl` {value} {message}"));
        }
        0x160..=0x16f if lacks_shares => "`row_xmask` requires gfx10",
        0x150..=0x15f => return Ok(()),
        _ if lacks_shares && has_64_bits(cx, check) => "only `row_newbcast` is supported for 64-bit DPP",
        _ => return Ok(()),
    };
    fail_in(&DPP, operand.range, message)
}

/// Before gfx11.5, `src1` of DPP is a VGPR. LLVM 24's verifier asks for it.
fn check_second_source(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> Verdict {
    let Some(operand) = check.operand(cx, names().src1) else { return Ok(()) };
    if !cx.follows(24) || check.processor.is_none_or(Processor::dpp_src1_sgpr) {
        return Ok(());
    }
    let is_scalar = matches!(operand.kind, OperandKind::Immediate(_))
        || kind_of(cx, operand).is_some_and(super::Kind::is_scalar);
    if !is_scalar {
        return Ok(());
    }
    let message = format!("with DPP, `src1` must be a vector register on {}", check.processor_name(cx));
    fail_in(&DPP, operand.range, message)
}

/// Whether a source or the result takes two VGPRs.
fn has_64_bits(cx: &RuleContext<'_>, check: &Check<'_, '_>) -> bool {
    let ids = names();
    let pairs = ["vreg_64", "vreg_64_align2"].map(|name| cx.t.class(name));
    let class = |name: u16| {
        let operand = check.inst.desc.operand(check.index(cx, name)?)?;
        cx.t.operand_class(&operand, cx.cpu_rows)
    };
    let is_move = cx.f.opcode_text(check.inst.source) == "V_MOV_B64_DPP_PSEUDO";
    !is_move
        && [ids.vdst, ids.src0, ids.src1, ids.src2]
            .into_iter()
            .filter_map(class)
            .any(|c| pairs.contains(&Some(c)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn controls() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vgpr_32 = V_MOV_B32_dpp %0, %0, 256, 15, 15, 0, implicit $exec
            ;                                      ^^^ error[bad-dpp-control]: unknown `dpp_ctrl` value 256
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = IMPLICIT_DEF
                %1:vgpr_32 = V_CVT_I32_F32_sdwa 0, %0, 0, 9, 0, 6, implicit $mode, implicit $exec
            ;                                             ^ error[bad-sdwa]: an SDWA selection must be 0 to 3 (byte), 4 or 5 (word) or 6 (dword)
            ...
        "#]]);
    }
}
