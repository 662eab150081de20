//! A WMMA reads the result of the WMMA right before it as matrix A or B.

use wavelens_isa::Generation::Gfx12;
use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-wmma",
        severity: wavelens_base::Severity::Warning,
        title: "a vector instruction must be between two WMMA instructions if the second one reads the result of the first as matrix A, \
B or index",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. Another vector \
instruction or `v_nop` is enough. Matrix C may be the result of the instruction before.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\n\
v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n\
v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]\nv_nop\n\
v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]\n",
        source: "RDNA4 instruction set manual 7.12.1, \"Requirements for WMMA data hazards\"; LLVM GCNHazardRecognizer::fixWMMAHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::WMMA) {
        return None;
    }
    let mut inputs = vec!["src0", "src1"];
    if code.mnemonic(index).contains("swmmac") && code.is_from(Gfx12) {
        inputs.push("src2");
    }
    inputs.into_iter().filter_map(|name| code.register(index, name)).find_map(|reg| {
        let producer = code.reaching(
            index,
            |i| code.is(i, Traits::WMMA) && code.register(i, "vdst").is_some_and(|d| d.overlaps(reg)),
            |i| code.is(i, Traits::VALU),
        )?;
        let what = format!("`{}` is the result of the WMMA right before", reg.name());
        Some(Hazard { producer, what, cause: "computed here", mitigation: Mitigation::Line("v_nop") })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn results_become_inputs_one_instruction_later() {
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
                v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-wmma]: `v[0:7]` is the result of the WMMA right before; `v_nop` is needed between them
                ;                                                          = line 1:1: computed here
                ;                                                          = fix: v_nop
            "#]],
        );
    }
}
