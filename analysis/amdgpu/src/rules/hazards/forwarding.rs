//! gfx942 and gfx950: results that the vector unit does not forward.

use wavelens_isa::{Access, Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-forwarding",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx942 and gfx950, a vector instruction must wait for results that the vector unit does not forward",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. It needs 1 wait state \
before it reads the result of a transcendental instruction or of one that moves the bits of its result (SDWA, \
`op_sel`), and 2 before it reads as a constant a scalar register or `vcc` that a vector instruction wrote, `v_readlane` included. `v_readlane` \
and `v_writelane` need 4 after a vector write of `exec`, and `v_readlane` 1 after the write of its source. A scalar \
register that is read as carry-in or as lane mask (`v_cndmask`, `v_addc`) needs no distance; that LLVM keeps a distance there \
too is a hint, reported on request (`pedantic`).",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_rcp_f32 v0, v1\nv_add_f32 v2, v0, v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_rcp_f32 v0, v1\ns_nop 0\nv_add_f32 v2, v0, v0\n",
        source: "CDNA3 and CDNA4 instruction set manuals 4.5, table \"Required Software-inserted Wait States\"; LLVM \
GCNHazardRecognizer::checkVALUHazards",
    }
}

/// The register of which an instruction writes a part through a shifter.
fn shifted_result(code: &Code<'_>, index: usize) -> Option<Reg> {
    /// `op_sel` of the result, and of a source. Packed instructions have `op_sel_hi` of a source where others have that of the result.
    const RESULT: i64 = 8;
    const SOURCE: i64 = 4;
    if !code.is(index, Traits::VALU) {
        return None;
    }
    let name = code.mnemonic(index);
    let set = |operand, bit| code.number(index, operand).is_some_and(|m| m & bit != 0);
    let shifted = code.is(index, Traits::SDWA) && code.number(index, "dst_sel").is_some_and(|s| s != 6)
        || code.is(index, Traits::VOP3)
            && set("src0_modifiers", RESULT)
            && code.number(index, "op_sel").is_some()
            && code.number(index, "op_sel_hi").is_none()
        || (name.starts_with("v_cvt_sr_fp8") || name.starts_with("v_cvt_sr_bf8"))
            && set("src2_modifiers", SOURCE)
        // LLVM keeps a distance also where the result is the lowest byte, which moves nothing.
        || name.starts_with("v_cvt_scalef32_")
            && name.contains("pk_fp4_")
            && (code.is_cautious() || set("src2_modifiers", SOURCE));
    if shifted { code.register(index, "vdst") } else { None }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::VALU) {
        return None;
    }
    lane_hazard(code, index).or_else(|| scalar_source(code, index)).or_else(|| one_state(code, index))
}

fn lane_hazard(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let name = code.mnemonic(index);
    if !matches!(name, "v_readlane_b32" | "v_readfirstlane_b32" | "v_writelane_b32") {
        return None;
    }
    let exec = code.vector_write(index, Reg::special(Special::ExecLo, 2), 4).map(|(missing, producer)| {
        let what = "a lane is chosen before the new `exec` counts".to_owned();
        Hazard { producer, what, cause: "`exec` is written here", mitigation: Mitigation::States(missing) }
    });
    exec.or_else(|| {
        let source = code.register(index, "src0").filter(|_| name != "v_writelane_b32")?;
        let (missing, producer) = code.vector_write(index, source, 1)?;
        let what = format!("`{}` is read by lane before its new value is there", source.name());
        Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
    })
}

/// Read as carry-in or as lane mask: that needs no wait state.
fn is_mask(code: &Code<'_>, index: usize, access: &Access) -> bool {
    let name = code.mnemonic(index);
    let takes_mask = ["v_cndmask", "v_addc", "v_subb", "v_div_fmas"].iter().any(|m| name.starts_with(m));
    takes_mask && code.operand_name(index, access) == "src2"
}

/// The rule about lane selects is stricter.
fn is_lane_select(code: &Code<'_>, index: usize, access: &Access) -> bool {
    matches!(code.mnemonic(index), "v_readlane_b32" | "v_writelane_b32")
        && code.operand_name(index, access) == "src1"
}

fn scalar_source(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let is_scalar = |a: &&Access| {
        let vcc = matches!(a.reg().as_special(), Some(Special::VccLo | Special::VccHi));
        match code.is_cautious() {
            true => vcc || !a.implicit() && !is_vector(a.reg()),
            false => {
                !a.implicit()
                    && !is_vector(a.reg())
                    && !is_mask(code, index, a)
                    && !is_lane_select(code, index, a)
            }
        }
    };
    let hazards = code.reads(index).iter().filter(is_scalar).filter_map(|a| {
        let (missing, producer) = code.vector_write(index, a.reg(), 2)?;
        Some((missing, producer, a.reg()))
    });
    let (missing, producer, reg) = hazards.max_by_key(|h| h.0)?;
    let what = format!("`{}` is read before its new value is there", reg.name());
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
}

fn one_state(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let trans = |i: usize| {
        code.is(i, Traits::TRANS)
            && !code.is(index, Traits::TRANS)
            && code.register(i, "vdst").is_some_and(|d| code.sources(index).any(|s| s.overlaps(d)))
    };
    let shifted = |i: usize| {
        let results = code.results(index).filter(|_| code.is_cautious());
        shifted_result(code, i).is_some_and(|d| code.sources(index).chain(results).any(|r| r.overlaps(d)))
    };
    let (_, producer) = code.since(index, 1, |i| trans(i) || shifted(i))?;
    let reg = code.results(producer).find(|r| r.file == RegFile::Vgpr)?;
    let what = format!("`{}` is used before its new value is there", reg.name());
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(1) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marks, marks_pedantic};

    #[test]
    fn masks_need_no_distance_by_the_manual() {
        marks(
            "gfx942",
            expect![[r#"
                v_cmp_eq_u32 vcc, v1, v2
                v_cndmask_b32 v3, v1, v2, vcc
                v_cmp_eq_u32 s[0:1], v1, v2
                v_cndmask_b32 v3, v1, v2, s[0:1]
                v_addc_co_u32 v5, s[2:3], v6, v7, s[0:1]
            "#]],
        );
        // As constants they do, unless a scalar instruction writes them in between.
        marks(
            "gfx942",
            expect![[r#"
                v_readfirstlane_b32 s0, v1
                v_add_u32 v2, s0, v1
                ;^^^^^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `s0` is read before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;                  = line 1:1: written here
                ;                  = fix: s_nop 1
                v_readfirstlane_b32 s0, v1
                s_and_b32 s0, s0, 15
                v_add_u32 v2, s0, v1
                v_cmpx_eq_u32 vcc, v0, v1
                s_mov_b64 exec, -1
                v_readfirstlane_b32 s0, v1
            "#]],
        );
    }

    #[test]
    fn only_op_sel_moves_the_bits_of_a_result() {
        marks(
            "gfx950",
            expect![[r#"
                v_cvt_scalef32_pk_fp4_f32 v64, v60, v61, v43
                v_mov_b32 v65, v64
                v_cvt_scalef32_pk_fp4_f32 v64, v60, v61, v43 op_sel:[0,0,1,0]
                v_mov_b32 v65, v64
                ;^^^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `v64` is used before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                = line 3:1: written here
                ;                = fix: s_nop 0
            "#]],
        );
        marks_pedantic(
            "gfx950",
            expect![[r#"
                v_cvt_scalef32_pk_fp4_f32 v64, v60, v61, v43
                v_mov_b32 v65, v64
                ;^^^^^^^^^^^^^^^^^ hint[hazard-forwarding]: `v64` is used before its new value is there; 1 more wait state is needed: `s_nop 0` (LLVM's hazard recognizer; not required by the ISA manual)
                ;                = line 1:1: written here
                ;                = fix: s_nop 0
                v_cvt_scalef32_pk_fp4_f32 v64, v60, v61, v43 op_sel:[0,0,1,0]
                v_mov_b32 v65, v64
                ;^^^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `v64` is used before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                = line 3:1: written here
                ;                = fix: s_nop 0
            "#]],
        );
    }

    #[test]
    fn packed_results_are_whole() {
        marks(
            "gfx942",
            expect![[r#"
                v_pk_mul_f32 v[8:9], v[0:1], s[6:7] op_sel:[1,0]
                v_pk_fma_f32 v[8:9], s[2:3], v[0:1], v[8:9] op_sel_hi:[1,0,1]
                v_pk_add_f16 v4, v5, v6
                v_mov_b32 v7, v4
                v_mad_f16 v4, v5, v6, v7 op_sel:[0,0,0,1]
                v_mov_b32 v7, v4
                ;^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `v4` is used before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;              = line 5:1: written here
                ;              = fix: s_nop 0
            "#]],
        );
    }

    #[test]
    fn late_results_are_waited_for() {
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_rcp_f32 v0, v1
                v_add_f32 v2, v0, v0
                ;^^^^^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `v0` is used before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                  = line 1:1: written here
                ;                  = fix: s_nop 0
                v_cmp_eq_u32 s[0:1], v1, v2
                v_cndmask_b32 v3, v1, v2, s[0:1]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-forwarding]: `s[0:1]` is read before its new value is there; 2 more wait states are needed: `s_nop 1` (LLVM's hazard recognizer; not required by the ISA manual)
                ;                              = line 3:1: written here
                ;                              = fix: s_nop 1
                v_mov_b32 v5, 0
                v_readfirstlane_b32 s0, v5
                ;^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-forwarding]: `v5` is read by lane before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                        = line 5:1: written here
                ;                        = fix: s_nop 0
            "#]],
        );
    }
}
