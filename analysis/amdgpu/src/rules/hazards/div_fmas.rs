//! `v_div_fmas` reads `vcc` without waiting for vector instructions that write it.

use wavelens_isa::{Reg, Special};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-div-fmas",
        severity: wavelens_base::Severity::Warning,
        title: "before gfx10, `v_div_fmas` must be 4 wait states after a vector instruction that writes `vcc`",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. `v_div_fmas` would read \
`vcc` as it was before.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_cmp_eq_u32 vcc, v0, v1\n\
v_div_fmas_f32 v2, v3, v4, v5\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_cmp_eq_u32 vcc, v0, v1\ns_nop 3\n\
v_div_fmas_f32 v2, v3, v4, v5\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": VALU writes VCC, V_DIV_FMAS; LLVM \
GCNHazardRecognizer::checkDivFMasHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.mnemonic(index).starts_with("v_div_fmas") {
        return None;
    }
    let (missing, producer) = code.vector_write(index, Reg::special(Special::VccLo, 2), 4)?;
    let what = "`vcc` is read here before its new value is there".to_owned();
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn vcc_needs_four_states() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                v_cmp_eq_u32 vcc, v0, v1
                s_nop 1
                v_div_fmas_f32 v2, v3, v4, v5
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-div-fmas]: `vcc` is read here before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;                           = line 1:1: written here
                ;                           = fix: s_nop 1
            "#]],
        );
    }
}
