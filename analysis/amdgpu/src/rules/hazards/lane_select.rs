//! `v_readlane` and `v_writelane` select the lane by a scalar register that a vector instruction wrote.

use super::{Code, Hazard, Mitigation, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-lane-select",
        severity: wavelens_base::Severity::Warning,
        title: "before gfx10, a lane select must be 4 wait states after the vector instruction that writes the scalar register",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. `v_readlane` and \
`v_writelane` would use the old lane number.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_readfirstlane_b32 s0, v0\n\
v_readlane_b32 s1, v1, s0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_readfirstlane_b32 s0, v0\ns_nop 3\n\
v_readlane_b32 s1, v1, s0\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": VALU writes SGPR, V_{READ,WRITE}LANE using that SGPR as the \
lane select; LLVM GCNHazardRecognizer::checkRWLaneHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !matches!(code.mnemonic(index), "v_readlane_b32" | "v_writelane_b32") {
        return None;
    }
    let reg = code.register(index, "src1").filter(|r| !is_vector(*r))?;
    let (missing, producer) = code.vector_write(index, reg, 4)?;
    let what = format!("`{}` is read as the lane select before its new value is there", reg.name());
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn lane_selects_need_four_states() {
        marks_pedantic(
            "gfx803",
            expect![[r#"
                v_readfirstlane_b32 s0, v0
                s_nop 2
                v_readlane_b32 s1, v1, s0
                ;^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-lane-select]: `s0` is read as the lane select before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                       = line 1:1: written here
                ;                       = fix: s_nop 0
                s_mov_b32 s0, 1
                v_readlane_b32 s1, v1, s0
            "#]],
        );
    }
}
