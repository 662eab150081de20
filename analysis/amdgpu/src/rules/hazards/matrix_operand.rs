//! gfx90a and later: matrix instructions read what was just written.

use wavelens_isa::{Reg, Special, Traits};

use super::{Code, Hazard, Mitigation, is_vector};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-matrix-operand",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx90a, gfx942 and gfx950, a matrix instruction must wait for its sources",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. It needs 2 wait states \
after a vector instruction that writes one of its sources, 4 after one that writes `exec`, and as many as the passes of \
the matrix instruction whose result it takes as matrix A or B (plus 2 to 4), or of whose result it takes a part as \
matrix C. Other instructions of the same matrix pipe between the two take as many wait states as they have passes.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_mov_b32 v4, 0\n\
v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nv_mov_b32 v4, 0\ns_nop 1\n\
v_mfma_f32_4x4x1f32 v[0:3], v4, v5, v[0:3]\n",
        source: "CDNA2, CDNA3 (7.5) and CDNA4 (7.6) instruction set manuals, \"Required Independent Instructions\"; LLVM \
GCNHazardRecognizer::checkMAIHazards90A",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.has_matrix || !code.is_mfma(index) {
        return None;
    }
    let mut worst: Option<(u32, usize, String)> = None;
    let mut add = |missing: u32, producer: usize, what: &dyn Fn() -> String| {
        if missing > worst.as_ref().map_or(0, |w| w.0) {
            worst = Some((missing, producer, what()));
        }
    };
    let legacy = |i: usize| code.is(i, Traits::VALU) && !code.is_mfma(i);
    let exec = Reg::special(Special::ExecLo, 2);
    if let Some((missing, producer)) = code.vector_write(index, exec, 4) {
        add(missing, producer, &|| "the new `exec` does not count yet".into());
    }
    let matrix_c = code.register(index, "src2");
    for reg in code.sources(index).filter(|r| is_vector(*r)) {
        let what = || format!("`{}` is read before its new value is there", reg.name());
        let written = |i: usize| legacy(i) && !code.is(i, Traits::DOT) && code.writes_register(i, reg);
        if let Some((distance, producer)) = code.distance(index, 2, written) {
            add(distance.missing(2), producer, &what);
        }
        let overlapped =
            |i: usize| code.is_mfma(i) && code.register(i, "vdst").is_some_and(|d| d.overlaps(reg));
        if let Some((distance, producer)) = code.distance(index, 20, overlapped) {
            let need = match matrix_c == Some(reg) {
                true => as_c(code, index, producer, reg),
                false => as_factor(code, producer),
            };
            add(distance.missing(need), producer, &what);
        }
    }
    let (missing, producer, what) = worst?;
    Some(Hazard { producer, what, cause: "written here", mitigation: Mitigation::States(missing) })
}

/// Wait states before a result can be matrix A or B.
fn as_factor(code: &Code<'_>, producer: usize) -> u32 {
    let Some(from) = code.matrix(producer) else { return 0 };
    let (cdna3, cdna4) = (code.is_cdna3(), code.is_cdna4());
    match from.passes {
        4 if from.double => 6,
        _ if from.double => {
            if cdna4 {
                19
            } else {
                11
            }
        }
        passes if cdna3 && from.xdl => passes + 3 + u32::from(passes != 2 && cdna4),
        passes if cdna3 => passes + 2,
        2 => 5,
        8 => 11,
        _ => 19,
    }
}

/// Wait states before a result can be matrix C.
fn as_c(code: &Code<'_>, index: usize, producer: usize, reg: Reg) -> u32 {
    let (Some(own), Some(from)) = (code.matrix(index), code.matrix(producer)) else { return 0 };
    let (cdna3, cdna4) = (code.is_cdna3(), code.is_cdna4());
    if !own.double && from.double && !cdna3 {
        return 0;
    }
    if code.register(producer, "vdst") == Some(reg) {
        return match () {
            () if own.double && from.double && own.passes == 4 && from.passes == 4 => 4,
            () if cdna3 && from.passes == 2 => 2,
            () => 0,
        };
    }
    let passes = from.passes;
    match () {
        () if from.double && own.xdl => 0,
        () if from.double && passes == 4 => 4,
        () if from.double => {
            if cdna4 {
                17
            } else {
                9
            }
        }
        () if cdna3 && own.xdl && !from.xdl => 0,
        () if cdna3 && from.xdl && own.xdl => passes + 1 + u32::from(cdna4),
        () if cdna3 && from.xdl => passes + 1 + u32::from(passes != 2 && cdna4),
        () if cdna3 => passes,
        () if own.double => passes + 1,
        () => passes,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marks, marks_pedantic};

    #[test]
    fn results_take_their_passes() {
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                v_mfma_f32_16x16x4f32 v[0:3], v4, v5, v[0:3]
                v_mfma_f32_16x16x4f32 v[0:3], v4, v5, v[0:3]
                s_nop 5
                v_mfma_f32_4x4x1f32 v[8:11], v0, v5, v[8:11]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-operand]: `v0` is read before its new value is there; 5 more wait states are needed: `s_nop 4`
                ;                                          = line 2:1: written here
                ;                                          = fix: s_nop 4
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_mfma_f32_16x16x4f32 v[0:3], v4, v5, v[0:3]
                v_mfma_f32_16x16x4f32 v[0:3], v4, v5, v[0:3]
                s_nop 5
                v_mfma_f32_4x4x1f32 v[8:11], v0, v5, v[8:11]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-operand]: `v0` is read before its new value is there; 4 more wait states are needed: `s_nop 3`
                ;                                          = line 2:1: written here
                ;                                          = fix: s_nop 3
            "#]],
        );
    }

    #[test]
    fn an_instruction_of_the_same_pipe_between_takes_its_passes() {
        // The second matrix instruction starts 4 wait states after the first one.
        marks(
            "gfx950",
            expect![[r#"
                v_mov_b32 v4, v8
                v_mfma_f32_16x16x32_f16 v[0:3], v[40:43], v[44:47], 0
                v_mfma_f32_16x16x32_f16 v[12:15], v[4:7], v[44:47], 0
                s_endpgm
            "#]],
        );
        // Another pipe does not hold it back, and a wait state between does not add to what the core is busy.
        marks(
            "gfx942",
            expect![[r#"
                v_mov_b32 v4, v8
                v_mfma_f32_16x16x4f32 v[0:3], v40, v41, 0
                v_mfma_f32_16x16x16f16 v[12:15], v[4:5], v[44:45], 0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-operand]: `v[4:5]` is read before its new value is there; 1 more wait state is needed: `s_nop 0`
                ;                                                  = line 1:1: written here
                ;                                                  = fix: s_nop 0
                s_nop 7
                s_nop 7
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[44:45], 0
                v_mfma_f32_16x16x16f16 v[12:15], v[0:1], v[44:45], 0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-operand]: `v[0:1]` is read before its new value is there; 7 more wait states are needed: `s_nop 6`
                ;                                                  = line 6:1: written here
                ;                                                  = fix: s_nop 6
                s_nop 7
                s_nop 7
                v_mfma_f32_16x16x16f16 v[0:3], v[40:41], v[44:45], 0
                v_mfma_f32_16x16x16f16 v[8:11], v[40:41], v[44:45], 0
                v_mfma_f32_16x16x16f16 v[12:15], v[0:1], v[44:45], 0
                s_endpgm
            "#]],
        );
    }
}
