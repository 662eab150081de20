//! gfx908: accumulation registers between matrix instructions and the moves to and from them.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-matrix-accumulator",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx908, instructions must wait for accumulation registers that are still in use",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. 4, 10 or 18 wait states \
must be between a matrix instruction of 4, 16 or 32 rows and a read of its result, 4 (2 for matrix C) before one that \
uses a part of it, 3 (1 for matrix C) after `v_accvgpr_write`, 2 after a vector instruction that writes a source, and 4 \
after one that writes `exec`.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_accvgpr_write_b32 a0, v0\n\
v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx908\"\nv_accvgpr_write_b32 a0, v0\ns_nop 0\n\
v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]\n",
        source: "CDNA1 instruction set manual, \"Required Independent Instructions\"; LLVM GCNHazardRecognizer::checkMAIHazards908",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.has_matrix {
        return None;
    }
    let global = code.is(index, Traits::GWS) || code.number(index, "gds") == Some(1);
    if (code.is(index, Traits::VMEM) || code.is(index, Traits::DS)) && !global {
        return memory_after_read(code, index);
    }
    if !code.is(index, Traits::MAI) {
        return None;
    }
    let mut worst: Option<Hazard> = None;
    let mut add = |found: Option<(u32, usize)>, what: &dyn Fn() -> String| {
        let Some((missing, producer)) = found else { return };
        let less = |h: &Hazard| matches!(h.mitigation, Mitigation::States(n) if n >= missing);
        if missing > 0 && !worst.as_ref().is_some_and(less) {
            worst = Some(Hazard {
                producer,
                what: what(),
                cause: "from here",
                mitigation: Mitigation::States(missing),
            });
        }
    };
    let name = code.mnemonic(index);
    let (is_read, is_write) = (name == "v_accvgpr_read_b32", name == "v_accvgpr_write_b32");
    if !is_read {
        add(code.vector_write(index, Reg::special(Special::ExecLo, 2), 4), &|| {
            "the new `exec` does not count yet".into()
        });
        for reg in code.sources(index).filter(|r| r.file == RegFile::Vgpr) {
            add(code.vector_write(index, reg, 2), &|| {
                format!("`{}` is read before its new value is there", reg.name())
            });
        }
    }
    let matrix_c = code.register(index, "src2");
    let results = code.results(index).filter(|_| is_write);
    for reg in code.sources(index).chain(results).filter(|r| r.file == RegFile::Agpr) {
        let is_c = matrix_c == Some(reg) && !is_write && !is_read;
        let what = || format!("`{}` is used before the matrix core is done with it", reg.name());
        let overlaps = |i: usize| {
            code.is_mfma(i) && code.register(i, "vdst").is_some_and(|d| d != reg && d.overlaps(reg))
        };
        let found = code.since(index, 18, overlaps).map(|(waited, producer)| {
            let passes = code.matrix(producer).map_or(2, |m| m.passes);
            let need = match passes {
                _ if is_c => 2,
                2 if is_read => 4,
                8 if is_read => 10,
                _ if is_read => 18,
                2 if is_write => 1,
                8 if is_write => 7,
                _ if is_write => 15,
                _ => 4,
            };
            (need.max(waited) - waited, producer)
        });
        add(found, &what);
        let moved = |i: usize| code.mnemonic(i) == "v_accvgpr_write_b32" && code.writes_register(i, reg);
        let need = if is_c { 1 } else { 3 };
        add(code.since(index, need, moved).map(|(waited, p)| (need - waited, p)), &what);
    }
    if is_write && let Some(reg) = code.register(index, "vdst") {
        let reads_as_c =
            |i: usize| code.is_mfma(i) && code.register(i, "src2").is_some_and(|c| c.overlaps(reg));
        let found = code.since(index, 13, reads_as_c).map(|(waited, producer)| {
            let need = match code.matrix(producer).map_or(2, |m| m.passes) {
                2 => 0,
                8 => 5,
                _ => 13,
            };
            (u32::max(need, waited) - waited, producer)
        });
        add(found, &|| format!("`{}` is overwritten before the matrix core has read it", reg.name()));
    }
    worst
}

fn memory_after_read(code: &Code<'_>, index: usize) -> Option<Hazard> {
    code.sources(index).filter(|r| r.file == RegFile::Vgpr).find_map(|reg| {
        let read = |i: usize| code.mnemonic(i) == "v_accvgpr_read_b32" && code.writes_register(i, reg);
        let (waited, producer) = code.since(index, 2, read)?;
        let what = format!("`{}` is read by memory before its new value is there", reg.name());
        Some(Hazard { producer, what, cause: "from here", mitigation: Mitigation::States(2 - waited) })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn accumulators_take_as_long_as_the_matrix() {
        marks_pedantic(
            "gfx908",
            expect![[r#"
                v_accvgpr_write_b32 a0, v0
                v_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-accumulator]: `a[0:3]` is used before the matrix core is done with it; 1 more wait state is needed: `s_nop 0`
                ;                                        = line 1:1: from here
                ;                                        = fix: s_nop 0
                v_accvgpr_read_b32 v1, a0
                ;^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-matrix-accumulator]: `a0` is used before the matrix core is done with it; 4 more wait states are needed: `s_nop 3`
                ;                       = line 2:1: from here
                ;                       = fix: s_nop 3
            "#]],
        );
    }
}
