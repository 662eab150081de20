//! DPP reads lanes of a register that was just written, or under a new `exec`.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-dpp",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx8 and gfx9, DPP must be 2 wait states after the write of its source, and 5 after a vector write of `exec`",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. DPP reads registers of \
other lanes early.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v1, v0\n\
v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nv_mov_b32 v1, v0\ns_nop 1\n\
v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": VALU writes VGPR, VALU DPP reads that VGPR; LLVM \
GCNHazardRecognizer::checkDPPHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::DPP) {
        return None;
    }
    // Only the first source comes from other lanes.
    let source = code.register(index, "src0").filter(|r| r.file == RegFile::Vgpr).and_then(|reg| {
        let (missing, producer) = match code.is_cautious() {
            true => code.since(index, 2, |i| code.writes_register(i, reg)).map(|(n, i)| (2 - n, i)),
            false => code.vector_write(index, reg, 2),
        }?;
        let what = format!("`{}` is read across lanes before its new value is there", reg.name());
        Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
    });
    let exec = code.vector_write(index, Reg::special(Special::ExecLo, 2), 5).map(|(missing, producer)| {
        let what = "lanes are read here before the new `exec` counts".to_owned();
        Hazard { producer, what, cause: "`exec` is written here", mitigation: Mitigation::States(missing) }
    });
    exec.or(source)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn registers_need_two_states_and_exec_five() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                v_mov_b32 v1, v0
                v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-dpp]: `v1` is read across lanes before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;                                                                 = line 1:1: written here
                ;                                                                 = fix: s_nop 1
                v_cmpx_eq_u32 vcc, v0, v1
                s_nop 2
                v_mov_b32_dpp v2, v1 quad_perm:[0,0,0,0] row_mask:0xf bank_mask:0xf
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-dpp]: lanes are read here before the new `exec` counts; 2 more wait states are needed: `s_nop 1`
                ;                                                                 = line 3:1: `exec` is written here
                ;                                                                 = fix: s_nop 1
            "#]],
        );
    }
}
