//! gfx1250: formats of the scales of a WMMA that its matrices do not take.

use wavelens_isa::Traits;

use crate::context::RuleContext;
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    MATRIX_SCALE {
        code: "matrix-scale",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx1250, only FP4 matrices have scales of formats other than E8",
        explain: "A scaled WMMA multiplies blocks of its matrices A and B by scales. Matrices of 8 and 6 bits have scales of format E8. FP4 \
matrices can have E5M3 or E4M3; if both matrices are FP4, both scales have one format. Other pairs are encoded without a complaint and are not \
defined.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n\
v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v48, v49 matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\n\
v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:15], v[24:31], v[40:47], v48, v49 matrix_a_fmt:MATRIX_FMT_FP4 matrix_b_fmt:MATRIX_FMT_FP4 \
matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3\n",
        source: "MLIR amdgpu dialect, ScaledWMMAOp::verify: \"invalid combination of matrix and scale types\"",
    }
}

const FORMATS: [&str; 5] = ["FP8", "BF8", "FP6", "BF6", "FP4"];
const FP4: i64 = 4;
const SCALES: [&str; 3] = ["E8", "E5M3", "E4M3"];
const E8: i64 = 0;

fn name(names: &[&'static str], number: i64) -> &'static str {
    usize::try_from(number).ok().and_then(|n| names.get(n)).copied().unwrap_or("another")
}

/// What is wrong with the formats of two matrices and their scales, each as (matrix, scale).
fn problem(a: (i64, i64), b: (i64, i64)) -> Option<String> {
    for (letter, (matrix, scale)) in [("A", a), ("B", b)] {
        if matrix != FP4 && scale != E8 {
            let (matrix, scale) = (name(&FORMATS, matrix), name(&SCALES, scale));
            return Some(format!("matrix {letter} is {matrix}, whose scale must be E8, is {scale}"));
        }
    }
    let is_mixed = a.0 == FP4 && b.0 == FP4 && a.1 != b.1;
    is_mixed.then(|| {
        let (a, b) = (name(&SCALES, a.1), name(&SCALES, b.1));
        format!("the scales of two FP4 matrices must have one format, are {a} and {b}")
    })
}

/// Reports the instructions of one function.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let graph = cx.graph;
    if !graph.target.facts().has_vgpr_msb {
        return;
    }
    for (index, instruction) in graph.instructions.iter().enumerate() {
        let inst = &instruction.encoded;
        if !inst.traits().any(Traits::WMMA) || !inst.mnemonic().starts_with("v_wmma_scale") {
            continue;
        }
        // Instructions for FP4 alone do not say it.
        let number = |name: &str| inst.number(name).unwrap_or(0);
        let matrix = |name: &str| if inst.mnemonic().ends_with("_f4") { FP4 } else { number(name) };
        let a = (matrix("matrix_a_fmt"), number("matrix_a_scale_fmt"));
        let b = (matrix("matrix_b_fmt"), number("matrix_b_scale_fmt"));
        if let Some(message) = problem(a, b) {
            let diagnostic = Diagnostic::new(&MATRIX_SCALE, instruction.range, message);
            cx.diagnostics.push(graph.show_nested(index, diagnostic));
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn scales_fit_their_matrices() {
        marks(
            "gfx1250",
            expect![[r#"
                v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v48, v49 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E5M3
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[matrix-scale]: matrix B is FP8, whose scale must be E8, is E5M3
                v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:31], v[40:47], v48, v49 matrix_b_fmt:MATRIX_FMT_FP4 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E5M3
                v_wmma_scale16_f32_32x16x128_f4 v[0:15], v[16:31], v[32:39], v[48:63], v[64:65], v[66:67] matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[matrix-scale]: the scales of two FP4 matrices must have one format, are E4M3 and E8
                v_wmma_scale16_f32_32x16x128_f4 v[0:15], v[16:31], v[32:39], v[48:63], v[64:65], v[66:67] matrix_a_scale_fmt:MATRIX_SCALE_FMT_E4M3 matrix_b_scale_fmt:MATRIX_SCALE_FMT_E4M3
                v_wmma_scale_f32_16x16x128_f8f6f4 v[0:7], v[8:23], v[24:39], v[40:47], v48, v49
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v[8:23]` is still in use by the matrix core; 5 more vector instructions are needed between them, such as `v_nop`
                ;                                                                             = line 4:1: used here
                ;                                                                             = fix: v_nop
                ;                                                                             = fix: v_nop
                ;                                                                             = fix: v_nop
                ;                                                                             = fix: v_nop
                ;                                                                             = fix: v_nop
            "#]],
        );
    }
}
