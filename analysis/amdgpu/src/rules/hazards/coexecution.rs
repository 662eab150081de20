//! gfx1250: vector instructions run in parallel with transcendental and matrix ones, which are not done yet.

use wavelens_isa::{Reg, Traits};

use super::{Code, Hazard, Mitigation, Step};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-coexecution",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx1250, a vector instruction must not touch registers of a running transcendental or matrix instruction",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. Another vector \
instruction (`v_nop`) must be between a transcendental one and a user of its result or a writer of its sources. Between \
a WMMA and a vector instruction that uses its result, or writes what it reads, matrix C included, there must be 4 (8 for \
integers, 1 for FP8, BF8 and two matrices of FP4; 2 for sparse ones, 4 for sparse integers), and one more before a WMMA \
that takes the result as matrix A, B or index. On gfx1251 and gfx12-5-generic there must be 8, or 16 for integers (sparse \
ones too), for FP8, BF8 and FP4 with 128 in the name if they are not sparse, and for `f8f6f4` whose matrix A is not FP4. \
These are the numbers of LLVM 24; LLVM 22 and 23 keep 4 for FP8, BF8 and FP4, and 8 for `f8f6f4` with 8 bits.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\nv_rcp_f32 v0, v1\nv_add_f32 v2, v0, v3\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\nv_rcp_f32 v0, v1\nv_nop\nv_add_f32 v2, v0, v3\n",
        source: "CDNA5 instruction set manual 7.12.1 and its list of programming requirements; LLVM \
GCNHazardRecognizer::checkWMMACoexecutionHazards, checkTRANSHazards",
    }
}

/// Single and double precision do not use the matrix core.
fn is_matrix(code: &Code<'_>, index: usize) -> bool {
    let name = code.mnemonic(index);
    code.is(index, Traits::WMMA) && !name.ends_with("x4_f32") && !name.ends_with("x4_f64")
}

/// The number of the format in which matrices of 4 bits are.
const FP4: i64 = 4;

/// Vector instructions after a matrix one that must not touch its registers.
fn shadow(code: &Code<'_>, index: usize) -> u32 {
    let name = code.mnemonic(index);
    let of_4_bits = |operand| code.number(index, operand) == Some(FP4);
    let (is_sparse, is_integer) = (name.contains("swmmac"), name.ends_with("_iu8") || name.ends_with("_iu4"));
    let is_fp8 = name.ends_with("_fp8") || name.ends_with("_bf8");
    if code.graph.target.has_slow_matrix_core() {
        // LLVM looks at matrix A alone.
        let is_long = match name.ends_with("f8f6f4") {
            true => !of_4_bits("matrix_a_fmt"),
            false => {
                is_integer || name.ends_with("x128_f4") || is_fp8 && !is_sparse && name.contains("x128_")
            }
        };
        return if is_long { 16 } else { 8 };
    }
    let is_short = match name.ends_with("f8f6f4") {
        true => of_4_bits("matrix_a_fmt") && of_4_bits("matrix_b_fmt"),
        false => is_fp8,
    };
    match (is_sparse, is_integer) {
        (false, false) if is_short => 1,
        (false, false) => 4,
        (false, true) => 8,
        (true, false) => 2,
        (true, true) => 4,
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::VALU) || code.sets_schedule {
        return None;
    }
    matrix(code, index).or_else(|| transcendental(code, index))
}

fn overlapping(a: &[Reg], b: &[Reg]) -> Option<Reg> {
    a.iter().copied().find(|a| b.iter().any(|b| b.overlaps(*a)))
}

fn named(code: &Code<'_>, index: usize, names: &[&str]) -> Vec<Reg> {
    names.iter().filter_map(|name| code.register(index, name)).collect()
}

/// The register that `index` touches too early when `from` is a matrix instruction.
fn clash(code: &Code<'_>, index: usize, from: usize) -> Option<Reg> {
    let inputs = |i: usize| {
        let sparse = code.mnemonic(i).contains("swmmac");
        named(code, i, if sparse { &["src0", "src1", "src2"] } else { &["src0", "src1"] })
    };
    let result = named(code, from, &["vdst"]);
    if is_matrix(code, index) {
        return overlapping(&inputs(index), &result);
    }
    if code.is(index, Traits::WMMA) {
        return None;
    }
    let reads: Vec<Reg> = code.sources(index).collect();
    let writes: Vec<Reg> = code.results(index).collect();
    // Matrix C too, or the index of a sparse one.
    let inputs = named(code, from, &["src0", "src1", "src2"]);
    let used = || overlapping(&writes, &[result.as_slice(), inputs.as_slice()].concat());
    overlapping(&reads, &result).or_else(used)
}

fn matrix(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let own = u32::from(is_matrix(code, index));
    let mut missing = 0;
    let producer = code.search(index, 0, |between, i| {
        if *between > 16 {
            return Step::Stop;
        }
        if is_matrix(code, i) && *between < shadow(code, i) + own && clash(code, index, i).is_some() {
            missing = shadow(code, i) + own - *between;
            return Step::Found;
        }
        *between += u32::from(code.is(i, Traits::VALU));
        Step::Go
    })?;
    let what = format!("`{}` is still in use by the matrix core", clash(code, index, producer)?.name());
    Some(Hazard { producer, what, cause: "used here", mitigation: Mitigation::Vectors(missing) })
}

fn transcendental(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if code.is(index, Traits::TRANS) {
        return None;
    }
    let clash = |i: usize| {
        let reads: Vec<Reg> = code.sources(index).collect();
        let read = || overlapping(&reads, &named(code, i, &["vdst"]));
        let sources: Vec<Reg> = code.sources(i).collect();
        let written = || overlapping(&named(code, index, &["vdst"]), &sources);
        read().or_else(written)
    };
    let producer = code.reaching(
        index,
        |i| code.is(i, Traits::TRANS) && clash(i).is_some(),
        |i| code.is(i, Traits::VALU),
    )?;
    let what = format!("`{}` is still in use by the transcendental unit", clash(producer)?.name());
    Some(Hazard { producer, what, cause: "used here", mitigation: Mitigation::Vectors(1) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::{marked, marks_pedantic};

    #[test]
    fn the_transcendental_unit_runs_beside() {
        marks_pedantic(
            "gfx1250",
            expect![[r#"
                v_rcp_f32 v0, v1
                v_add_f32 v2, v0, v3
                ;^^^^^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v0` is still in use by the transcendental unit; a vector instruction is needed between them: `v_nop`
                ;                  = line 1:1: used here
                ;                  = fix: v_nop
                v_rcp_f32 v0, v1
                v_mov_b32 v1, 0
                ;^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v1` is still in use by the transcendental unit; a vector instruction is needed between them: `v_nop`
                ;             = line 3:1: used here
                ;             = fix: v_nop
                v_rcp_f32 v0, v1
                v_nop
                v_add_f32 v2, v0, v3
            "#]],
        );
    }

    #[test]
    fn the_matrix_core_runs_beside() {
        marks_pedantic(
            "gfx1250",
            expect![[r#"
                v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]
                v_nop
                v_mov_b32 v1, 0
                ;^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v1` is still in use by the matrix core; 3 more vector instructions are needed between them, such as `v_nop`
                ;             = line 1:1: used here
                ;             = fix: v_nop
                ;             = fix: v_nop
                ;             = fix: v_nop
                v_wmma_f32_16x16x32_f16 v[32:39], v[24:31], v[8:15], v[16:23]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v[24:31]` is still in use by the matrix core; 3 more vector instructions are needed between them, such as `v_nop`
                ;                                                           = line 1:1: used here
                ;                                                           = fix: v_nop
                ;                                                           = fix: v_nop
                ;                                                           = fix: v_nop
                v_nop
                v_nop
                v_nop
                v_nop
                v_mov_b32 v50, v32
                v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]
                v_mov_b32 v16, 0
                ;^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v16` is still in use by the matrix core; 4 more vector instructions are needed between them, such as `v_nop`
                ;              = line 10:1: used here
                ;              = fix: v_nop
                ;              = fix: v_nop
                ;              = fix: v_nop
                ;              = fix: v_nop
                v_wmma_f16_16x16x64_fp8_fp8 v[24:27], v[0:7], v[8:15], v[16:19]
                v_nop
                v_mov_b32 v24, 0
                ;^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v24` is still in use by the matrix core; a vector instruction is needed between them: `v_nop`
                ;              = line 10:1: used here
                ;              = fix: v_nop
                v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23]
                v_add_nc_u32 v51, v24, v51
                ;^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-coexecution]: `v24` is still in use by the matrix core; 8 more vector instructions are needed between them, such as `v_nop`
                ;                        = line 15:1: used here
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
                ;                        = fix: v_nop
            "#]],
        );
    }

    #[test]
    fn the_matrix_core_of_gfx1251_takes_longer() {
        for (line, fast, slow) in [
            ("v_wmma_f32_16x16x32_f16 v[24:31], v[0:7], v[8:15], v[16:23]", 4, 8),
            ("v_wmma_i32_16x16x64_iu8 v[24:31], v[0:7], v[8:15], v[16:23]", 8, 16),
            ("v_wmma_f32_16x16x64_fp8_bf8 v[24:31], v[0:7], v[8:15], v[16:23]", 1, 8),
            ("v_wmma_f32_16x16x128_fp8_bf8 v[24:31], v[0:15], v[32:47], v[16:23]", 1, 16),
            ("v_wmma_f32_16x16x128_f8f6f4 v[24:31], v[0:15], v[32:47], v[16:23]", 4, 16),
            ("v_swmmac_f32_16x16x128_fp8_fp8 v[24:31], v[0:7], v[8:23], v[32:33]", 2, 8),
            ("v_swmmac_i32_16x16x128_iu8 v[24:31], v[0:7], v[8:23], v[32:33]", 4, 16),
        ] {
            for (target, distance) in [("gfx1250", fast), ("gfx1251", slow)] {
                let after = |between| format!("{line}\n{}v_mov_b32 v24, 0\n", "v_nop\n".repeat(between));
                let found = |between| marked(target, &after(between)).contains("hazard-coexecution");
                assert_eq!((found(distance - 1), found(distance)), (true, false), "{target}: {line}");
            }
        }
    }
}
