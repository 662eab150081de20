//! SDWA and DPP: parts of registers, and other lanes.

use super::{Check, kind_of, names, target_flag};
use crate::mir::context::{Cx, Reg};
use crate::mir::model::*;

rule!(
    SDWA,
    "bad-sdwa",
    "SDWA instructions (gfx8 to gfx10) select a byte (0 to 3), a word (4, 5) or the dword (6) of each register, and take no immediates; gfx8 takes only VGPRs and no output modifier. `dst_unused` 2 (preserve) needs the old value as a tied implicit use."
);
rule!(
    DPP,
    "bad-dpp-control",
    "`dpp_ctrl` must name a lane pattern that the processor has: wave shifts and broadcasts before gfx10, `row_share` and `row_xmask` from gfx10 on, `row_newbcast` on gfx90a and gfx940."
);

pub(super) fn sdwa(cx: &mut Cx<'_>, check: &Check<'_, '_>) {
    if !check.is(target_flag::SDWA) {
        return;
    }
    let ids = names();
    if check.processor.is_some_and(|p| !(8..=10).contains(&p.major) || p.gfx90a && p.major > 9) {
        cx.report(&SDWA, check.at(), "this processor has no SDWA");
        return;
    }
    for name in [ids.src0_sel, ids.src1_sel, ids.dst_sel] {
        let Some(operand) = check.operand(cx, name) else { continue };
        if operand.immediate().is_some_and(|v| !(0..=6).contains(&v)) {
            cx.report(&SDWA, operand.range, "a selection is 0 to 3 (byte), 4 or 5 (word), or 6 (dword)");
            return;
        }
    }
    let old = check.processor.is_some_and(|p| p.major == 8);
    for name in [ids.vdst, ids.src0, ids.src1, ids.src2] {
        let Some(operand) = check.operand(cx, name) else { continue };
        let is_register = operand.register().is_some();
        let is_vector = kind_of(cx, operand).is_none_or(|k| k.vector);
        if !is_register || old && !is_vector {
            let what = if old { "a VGPR" } else { "a register" };
            cx.report(&SDWA, operand.range, format!("an operand of an SDWA instruction must be {what}"));
            return;
        }
    }
    let omod = check.operand(cx, ids.omod).filter(|o| o.immediate().is_some_and(|v| v != 0));
    if let (Some(omod), true) = (omod, check.processor.is_some_and(|p| !p.sdwa_omod)) {
        cx.report(&SDWA, omod.range, "gfx8 has no output modifier in SDWA instructions");
        return;
    }
    let name = cx.f.opcode_text(check.inst.source);
    let converts = matches!(
        name,
        "V_CVT_F32_FP8_sdwa" | "V_CVT_F32_BF8_sdwa" | "V_CVT_PK_F32_FP8_sdwa" | "V_CVT_PK_F32_BF8_sdwa"
    );
    let modifiers = check.operand(cx, ids.src0_modifiers).filter(|_| converts);
    if let Some(modifiers) = modifiers.filter(|o| o.immediate().is_some_and(|v| v & 3 != 0)) {
        cx.report(
            &SDWA,
            modifiers.range,
            format!("`{name}` takes no sign, absolute value or sign extension"),
        );
        return;
    }
    let compare = name.starts_with("V_CMP");
    let clamp = check.operand(cx, ids.clamp).filter(|o| o.immediate().is_some_and(|v| v != 0));
    if let (Some(clamp), true) = (clamp, compare && check.processor.is_some_and(|p| p.major >= 9)) {
        cx.report(&SDWA, clamp.range, "comparisons do not clamp from gfx9 on");
        return;
    }
    preserve(cx, check);
}

/// `dst_unused` with the value 2.
fn preserve(cx: &mut Cx<'_>, check: &Check<'_, '_>) {
    let ids = names();
    let (Some(unused), Some(index)) = (check.operand(cx, ids.dst_unused), check.index(cx, ids.vdst)) else {
        return;
    };
    if unused.immediate() != Some(2) {
        return;
    }
    let tied = cx.tied_to(check.inst, index).and_then(|t| cx.operand(check.inst, t));
    let message = match tied {
        None => "preserving needs the old value: an implicit use that is tied to the result",
        Some(t) if t.register().is_none() || !t.is_implicit() || t.is_def() => {
            "preserving needs an implicit use that is tied to the result"
        }
        Some(t) => {
            let reg = |o: &Operand| o.register().map(|r| cx.reg(r));
            let dst = cx.operand(check.inst, index).and_then(reg);
            match reg(t) {
                Some(Reg::Physical(p)) if dst != Some(Reg::Physical(p)) => {
                    "the preserved register must be the result's"
                }
                _ => return,
            }
        }
    };
    cx.report(&SDWA, unused.range, message);
}

pub(super) fn dpp(cx: &mut Cx<'_>, check: &Check<'_, '_>) {
    let Some(operand) = check.operand(cx, names().dpp_ctrl) else { return };
    let Some(value) = operand.immediate() else { return };
    let control = value as u32;
    let processor = check.processor;
    let since = |generation: u8| processor.is_some_and(|p| p.major >= generation);
    let before = |generation: u8| processor.is_some_and(|p| p.major < generation);
    let message = match control {
        0x100
        | 0x110
        | 0x120
        | 0x131..=0x133
        | 0x135..=0x137
        | 0x139..=0x13b
        | 0x13d..=0x13f
        | 0x144..=0x14f => "no lane pattern has this number",
        0x170.. => "no lane pattern has this number",
        0x130..=0x13c if since(10) => "there are no wave shifts from gfx10 on",
        0x142..=0x143 if since(10) => "there are no row broadcasts from gfx10 on",
        0x150..=0x15f if before(10) && processor.is_some_and(|p| !p.gfx90a) => {
            "`row_newbcast` needs gfx90a, `row_share` gfx10"
        }
        0x160..=0x16f if before(10) => "`row_xmask` needs gfx10",
        0x150..=0x15f => return,
        _ if before(10) && has_64_bits(cx, check) => "on 64-bit values only `row_newbcast` works",
        _ => return,
    };
    cx.report(&DPP, operand.range, message);
}

/// Whether a source or the result takes two VGPRs.
fn has_64_bits(cx: &Cx<'_>, check: &Check<'_, '_>) -> bool {
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

    use crate::mir::rules::findings;

    #[test]
    fn controls() {
        expect![[r#"
            error[bad-dpp-control] 6:40 `256`: no lane pattern has this number
        "#]].assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = V_MOV_B32_dpp %0, %0, 256, 15, 15, 0, implicit $exec\n"));
        expect![[r#"
            error[bad-sdwa] 6:47 `9`: a selection is 0 to 3 (byte), 4 or 5 (word), or 6 (dword)
        "#]].assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = V_CVT_I32_F32_sdwa 0, %0, 0, 9, 0, 6, implicit $mode, implicit $exec\n"));
    }
}
