//! Permutations of lanes after a compare that writes `exec`, or after the write of their source.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-permlane",
        severity: wavelens_base::Severity::Warning,
        title: "a permutation of lanes must wait for `exec` and for its sources",
        explain: "On gfx950, `v_permlane16_swap` and `v_permlane32_swap` need 2 wait states after a vector instruction, also another swap, that writes one of \
their registers, and 4 after `v_cmpx`: the instruction set manual requires it, and the rule reports warnings. On \
gfx10.1, gfx11 and gfx12, LLVM puts another vector instruction than `v_nop` between `v_cmpx` and `v_permlane*`: hints, \
reported on request (`pedantic`).",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\nv_mov_b32 v0, 1\nv_permlane32_swap_b32 v0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx950\"\nv_mov_b32 v0, 1\ns_nop 1\n\
v_permlane32_swap_b32 v0, v1\n",
        source: "CDNA4 instruction set manual, table \"Required Software-inserted Wait States\": VALU writes vdst, V_PERMLANE* reads \
vdst; LLVM GCNHazardRecognizer::checkPermlaneHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let name = code.mnemonic(index);
    if !code.is(index, Traits::VALU) || !name.starts_with("v_permlane") {
        return None;
    }
    let exec = Reg::special(Special::ExecLo, 2);
    let compare = |i: usize| code.mnemonic(i).starts_with("v_cmpx") && code.writes_register(i, exec);
    if !code.is_cdna4() {
        let vector = |i: usize| code.is(i, Traits::VALU) && code.mnemonic(i) != "v_nop";
        let producer = code.reaching(index, compare, vector)?;
        let what = "lanes are permuted before the new `exec` counts".to_owned();
        let mitigation = Mitigation::Line("v_mov_b32 v0, v0");
        return Some(Hazard { producer, what, cause: "`exec` is written here", mitigation });
    }
    let by_compare = code.since(index, 4, compare).map(|(waited, producer)| {
        let what = "lanes are permuted before the new `exec` counts".to_owned();
        Hazard { producer, what, cause: "`exec` is written here", mitigation: Mitigation::States(4 - waited) }
    });
    by_compare.or_else(|| {
        code.sources(index).filter(|r| r.file == RegFile::Vgpr).find_map(|reg| {
            let (missing, producer) = code.vector_write(index, reg, 2)?;
            let what = format!("`{}` is permuted before its new value is there", reg.name());
            Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
        })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn permutations_keep_their_distance() {
        marks_pedantic(
            "gfx950",
            expect![[r#"
                v_mov_b32 v0, 1
                v_permlane32_swap_b32 v0, v1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-permlane]: `v0` is permuted before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;                          = line 1:1: written here
                ;                          = fix: s_nop 1
            "#]],
        );
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                v_cmpx_eq_u32 v0, v1
                v_permlane16_b32 v2, v3, s0, s1
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-permlane]: lanes are permuted before the new `exec` counts; `v_mov_b32 v0, v0` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                             = line 1:1: `exec` is written here
                ;                             = fix: v_mov_b32 v0, v0
            "#]],
        );
    }
}
