//! gfx90a and later: other instructions touch the registers of a matrix or dot instruction too early.

use wavelens_isa::{Reg, Traits};

use super::{Code, Hazard, Mitigation, Step, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-matrix-result",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx90a, gfx942 and gfx950, an instruction must wait for the matrix or dot instruction whose registers it touches",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. Reads and writes of a \
matrix result need the passes of the matrix instruction plus 2 to 4 wait states (double precision: up to 19), writes of \
its matrix C almost as many. Results of dot instructions need 3 before another kind of instruction touches them. On \
gfx90a, memory needs 2 after the vector instruction that wrote its register when a double precision one is between \
them. A taken branch, a wait and a barrier between the two take longer than that, a branch that is not taken takes 8 wait \
states, and other instructions of the same matrix pipe as many as they have passes. An instruction of the matrix core that \
continues the sum in the same registers starts the count anew: it is the last of such a chain that counts.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_dot2_f32_f16 v50, v40, v41, v50\n\
v_mov_b32 v51, v50\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_dot2_f32_f16 v50, v40, v41, v50\ns_nop 2\n\
v_mov_b32 v51, v50\n",
        source: "CDNA2, CDNA3 (7.5) and CDNA4 (7.6) instruction set manuals, \"Required Independent Instructions\"; LLVM \
GCNHazardRecognizer::checkMAIVALUHazards",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !(code.has_matrix || code.has_dot) || code.is_mfma(index) {
        return None;
    }
    let memory = code.is(index, Traits::VMEM) || code.is(index, Traits::DS) || code.is(index, Traits::EXPORT);
    if !memory && !code.is(index, Traits::VALU) {
        return None;
    }
    let mut worst: Option<(u32, usize, String)> = None;
    let mut add = |missing: u32, producer: usize, what: &dyn Fn() -> String| {
        if missing > worst.as_ref().map_or(0, |w| w.0) {
            worst = Some((missing, producer, what()));
        }
    };
    for reg in code.sources(index).filter(|r| is_vector(*r)) {
        let what = || format!("`{}` is read before its new value is there", reg.name());
        if code.has_dot
            && let Some((waited, producer)) = code.since(index, 3, |i| is_dot(code, i, reg))
        {
            let same = code.mnemonic(producer) == code.mnemonic(index);
            if !same || code.register(index, "src2") != Some(reg) {
                add(3 - waited, producer, &what);
            }
        }
        if code.has_matrix
            && let Some((waited, producer)) = code.since(index, 20, |i| is_result(code, i, reg))
        {
            add(before_read(code, producer, memory).saturating_sub(waited), producer, &what);
        }
    }
    for reg in code.results(index).filter(|r| is_vector(*r)) {
        let what = || format!("`{}` is written while the matrix core still uses it", reg.name());
        if code.has_dot
            && let Some((waited, producer)) = code.since(index, 3, |i| is_dot(code, i, reg))
            && code.mnemonic(producer) != code.mnemonic(index)
        {
            add(3 - waited, producer, &what);
        }
        if !code.has_matrix {
            continue;
        }
        if let Some((waited, producer)) = code.since(index, 20, |i| is_result(code, i, reg)) {
            add(before_write(code, producer).saturating_sub(waited), producer, &what);
        }
        if let Some((waited, producer)) = code.since(index, 15, |i| reads_as_c(code, i, reg)) {
            let need = match code.matrix(producer).map_or(0, |m| m.passes) {
                2 => 1,
                4 => 3,
                8 => 7,
                16 => 15,
                _ => 0,
            };
            add(u32::saturating_sub(need, waited), producer, &what);
        }
    }
    if memory && !code.is_cdna3() {
        for reg in code.sources(index).filter(|r| is_vector(*r)) {
            if let Some((missing, producer)) = behind_double(code, index, reg) {
                add(missing, producer, &|| format!("`{}` is read before its new value is there", reg.name()));
            }
        }
    }
    if matches!(code.mnemonic(index), "v_fma_f64" | "v_fmac_f64")
        && let Some((waited, producer)) = code.since(index, 2, |i| code.matrix(i).is_some_and(|m| m.double))
    {
        add(2 - waited, producer, &|| "the double precision unit is still busy".into());
    }
    let (missing, producer, what) = worst?;
    Some(Hazard { producer, what, cause: "the earlier instruction", mitigation: Mitigation::States(missing) })
}

/// gfx90a forgets that memory waits for a vector result when a double precision matrix instruction is between them.
fn behind_double(code: &Code<'_>, index: usize, reg: Reg) -> Option<(u32, usize)> {
    let mut waited = 0;
    let producer = code.search(index, (0, false), |(states, double), i| {
        *double |= code.matrix(i).is_some_and(|m| m.double);
        if *double && code.is(i, Traits::VALU) && code.writes_register(i, reg) {
            waited = *states;
            return Step::Found;
        }
        *states += code.states(i);
        if *states >= 2 { Step::Stop } else { Step::Go }
    })?;
    Some((2 - waited, producer))
}

fn is_dot(code: &Code<'_>, index: usize, reg: Reg) -> bool {
    code.is(index, Traits::DOT)
        && !code.is_mfma(index)
        && code.register(index, "vdst").is_some_and(|d| d.overlaps(reg))
}

fn is_result(code: &Code<'_>, index: usize, reg: Reg) -> bool {
    code.is_mfma(index) && code.register(index, "vdst").is_some_and(|d| d.overlaps(reg))
}

fn reads_as_c(code: &Code<'_>, index: usize, reg: Reg) -> bool {
    code.is_mfma(index)
        && code.register(index, "src2").is_some_and(|c| c.overlaps(reg))
        && code.matrix(index).is_some_and(|m| !m.double && (!code.is_cdna3() || m.xdl))
}

fn before_read(code: &Code<'_>, producer: usize, memory: bool) -> u32 {
    let Some(from) = code.matrix(producer) else { return 0 };
    match from.passes {
        4 if from.double => {
            if memory {
                9
            } else {
                6
            }
        }
        _ if from.double && memory => 18,
        _ if from.double => {
            if code.is_cdna4() {
                19
            } else {
                11
            }
        }
        _ => single_result(code, producer),
    }
}

fn before_write(code: &Code<'_>, producer: usize) -> u32 {
    let Some(from) = code.matrix(producer) else { return 0 };
    match from.passes {
        4 if from.double => 6,
        _ if from.double => 11,
        _ => single_result(code, producer),
    }
}

/// Wait states after a matrix instruction that is not of double precision.
fn single_result(code: &Code<'_>, producer: usize) -> u32 {
    let Some(from) = code.matrix(producer) else { return 0 };
    let (cdna3, cdna4) = (code.is_cdna3(), code.is_cdna4());
    match from.passes {
        passes if cdna3 && from.xdl => passes + 3 + u32::from(passes != 2 && cdna4),
        passes if cdna3 => passes + 2,
        2 => 5,
        8 => 11,
        _ => 19,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{accepts, marks, marks_pedantic};

    #[test]
    fn results_are_not_touched_early() {
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[0:31]
                s_nop 7
                v_add_f32 v42, v0, v1
                ;^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 11 more wait states are needed: `s_nop 7`, `s_nop 2`
                ;                   = line 1:1: the earlier instruction
                ;                   = fix: s_nop 7
                ;                   = fix: s_nop 2
                v_dot2_f32_f16 v50, v40, v41, v50
                v_mov_b32 v51, v50
                ;^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v50` is read before its new value is there; 3 more wait states are needed: `s_nop 2`
                ;                = line 4:1: the earlier instruction
                ;                = fix: s_nop 2
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[0:31]
                s_nop 7
                v_add_f32 v42, v0, v1
                ;^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 10 more wait states are needed: `s_nop 7`, `s_nop 1`
                ;                   = line 1:1: the earlier instruction
                ;                   = fix: s_nop 7
                ;                   = fix: s_nop 1
                v_dot2_f32_f16 v50, v40, v41, v50
                v_mov_b32 v51, v50
                ;^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v50` is read before its new value is there; 3 more wait states are needed: `s_nop 2`
                ;                = line 4:1: the earlier instruction
                ;                = fix: s_nop 2
            "#]],
        );
    }

    #[test]
    fn branches_waits_and_barriers_take_longer() {
        let text = |between: &str| {
            format!("v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[0:31]\n{between}v_add_f32 v42, v0, v1\n")
        };
        for between in ["s_waitcnt vmcnt(0)\n", "s_barrier\n", "s_branch next\nnext2:\ns_endpgm\nnext:\n"] {
            accepts("gfx942", &text(between));
        }
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mfma_f32_32x32x1f32 v[0:31], v40, v41, v[0:31]
                s_barrier
                v_add_f32 v42, v0, v1
                ;^^^^^^^^^^^^^^^^^^^^ hint[hazard-matrix-result]: `v0` is read before its new value is there; 17 more wait states are needed: `s_nop 7`, `s_nop 7`, `s_nop 0` (LLVM's hazard recognizer; not required by the ISA manual)
                ;                   = line 1:1: the earlier instruction
                ;                   = fix: s_nop 7
                ;                   = fix: s_nop 7
                ;                   = fix: s_nop 0
            "#]],
        );
    }

    #[test]
    fn branches_that_are_not_taken_count() {
        marks(
            "gfx942",
            expect![[r#"
                v_mfma_f32_32x32x8_f16 v[0:15], v[40:41], v[42:43], 0
                s_nop 2
                s_cbranch_scc1 end
                v_add_f32 v42, v0, v1
                end:
                s_endpgm
            "#]],
        );
        marks(
            "gfx942",
            expect![[r#"
                v_mfma_f32_32x32x8_f16 v[0:15], v[40:41], v[42:43], 0
                s_nop 1
                s_cbranch_scc1 end
                v_add_f32 v42, v0, v1
                ;^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                   = line 1:1: the earlier instruction
                ;                   = fix: s_nop 0
                end:
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_correction_covers_the_instructions_after_it() {
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], 0
                s_nop 3
                v_mov_b32 v4, v0
                ;^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 3 more wait states are needed: `s_nop 2`
                ;              = line 1:1: the earlier instruction
                ;              = fix: s_nop 2
                v_mov_b32 v5, v1
                v_mov_b32 v6, v2
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], 0
                v_mov_b32 v4, v0
                ;^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 7 more wait states are needed: `s_nop 6`
                ;              = line 6:1: the earlier instruction
                ;              = fix: s_nop 6
            "#]],
        );
    }

    #[test]
    fn matrices_of_bytes_take_twice_the_passes() {
        marks_pedantic(
            "gfx950",
            expect![[r#"
                v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:11], v[12:19], v[0:3] cbsz:0 blgp:0
                s_nop 7
                v_mov_b32 v20, v0
                ;^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v0` is read before its new value is there; 4 more wait states are needed: `s_nop 3`
                ;               = line 1:1: the earlier instruction
                ;               = fix: s_nop 3
            "#]],
        );
        marks_pedantic(
            "gfx950",
            expect![[r#"
                v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[4:7], v[12:15], v[0:3] cbsz:4 blgp:4
                s_nop 7
                v_mov_b32 v20, v0
            "#]],
        );
    }

    #[test]
    fn the_matrix_core_takes_its_passes() {
        // The second one starts 4 wait states after the first one, and the third one 4 later.
        marks(
            "gfx942",
            expect![[r#"
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], 0
                v_mfma_f32_16x16x16f16 v[4:7], v[40:41], v[42:43], 0
                v_mfma_f32_16x16x16f16 v[8:11], v[40:41], v[42:43], 0
                v_mov_b32 v12, v0
                v_mov_b32 v13, v4
                ;^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v4` is read before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;               = line 2:1: the earlier instruction
                ;               = fix: s_nop 1
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[42:43], 0
                v_mfma_f32_16x16x16f16 v[4:7], v[40:41], v[42:43], 0
                v_mfma_f32_16x16x16f16 v[8:11], v[40:41], v[42:43], 0
                v_mov_b32 v12, v0
                ;^^^^^^^^^^^^^^^^ hint[hazard-matrix-result]: `v0` is read before its new value is there; 5 more wait states are needed: `s_nop 4` (LLVM's hazard recognizer; not required by the ISA manual)
                ;               = line 1:1: the earlier instruction
                ;               = fix: s_nop 4
                v_mov_b32 v13, v4
                ;^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v4` is read before its new value is there; 2 more wait states are needed: `s_nop 1`
                ;               = line 2:1: the earlier instruction
                ;               = fix: s_nop 1
            "#]],
        );
    }

    #[test]
    fn memory_does_not_wait_behind_double_precision() {
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                v_mov_b32 v20, 0
                v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
                global_store_dword v[6:7], v20, off
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-result]: `v20` is read before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                                 = line 1:1: the earlier instruction
                ;                                 = fix: s_nop 0
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mov_b32 v20, 0
                v_mfma_f64_4x4x4f64 v[0:1], v[2:3], v[4:5], v[0:1]
                global_store_dword v[6:7], v20, off
            "#]],
        );
    }
}
