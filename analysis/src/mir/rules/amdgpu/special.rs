//! Instructions with rules of their own.

use super::{Check, kind_of, names};
use crate::mir::context::{Cx, Reg};
use crate::mir::model::*;

rule!(
    DIV_SCALE,
    "bad-div-scale",
    "`V_DIV_SCALE` scales one of the two numbers: its first source must be the second or the third, and none takes an absolute value."
);
rule!(
    SCALAR_SOURCE,
    "bad-scalar-source",
    "`V_ACCVGPR_WRITE_B32` reads no scalar register before gfx90a; `G_AMDGPU_WAVE_ADDRESS` takes a physical scalar register."
);

pub(super) fn check(cx: &mut Cx<'_>, check: &Check<'_, '_>) {
    match cx.f.opcode_text(check.inst.source) {
        "V_DIV_SCALE_F32_e64" | "V_DIV_SCALE_F64_e64" => div_scale(cx, check),
        "V_ACCVGPR_WRITE_B32_e64" if check.processor.is_some_and(|p| !p.gfx90a) => {
            let Some(source) = check.operand(cx, names().src0) else { return };
            if kind_of(cx, source).is_some_and(super::Kind::is_scalar) {
                let message = "this processor writes accumulation registers from VGPRs and constants only";
                cx.report(&SCALAR_SOURCE, source.range, message);
            }
        }
        "G_AMDGPU_WAVE_ADDRESS" => {
            let Some(source) = cx.operand(check.inst, 1) else { return };
            if source.register().is_none_or(|r| matches!(cx.reg(r), Reg::Virtual(_))) {
                cx.report(&SCALAR_SOURCE, source.range, "expected a physical scalar register");
            }
        }
        _ => {}
    }
}

fn div_scale(cx: &mut Cx<'_>, check: &Check<'_, '_>) {
    let ids = names();
    let sources = [ids.src0, ids.src1, ids.src2].map(|n| check.operand(cx, n));
    if let [Some(a), Some(b), Some(c)] = sources {
        let reg = |o: &Operand| o.register().map(|r| cx.reg(r));
        if let (Some(first), Some(second), Some(third)) = (reg(a), reg(b), reg(c))
            && first != second
            && first != third
        {
            cx.report(&DIV_SCALE, a.range, "the first source must be the second or the third");
            return;
        }
    }
    for name in [ids.src0_modifiers, ids.src1_modifiers, ids.src2_modifiers] {
        let Some(modifiers) = check.operand(cx, name) else { continue };
        if modifiers.immediate().is_some_and(|v| v & 2 != 0) {
            cx.report(&DIV_SCALE, modifiers.range, "`V_DIV_SCALE` takes no absolute value");
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn wave_address() {
        expect![[r#"
            error[bad-scalar-source] 6:38 `%0`: expected a physical scalar register
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    %0:_(p5) = G_IMPLICIT_DEF\n    %1:_(p5) = G_AMDGPU_WAVE_ADDRESS %0\n",
        ));
    }
}
