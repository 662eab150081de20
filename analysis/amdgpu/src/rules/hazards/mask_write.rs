//! gfx11 with 64 lanes: a scalar register is written after a vector instruction that read it as a mask, and read again.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Field, Hazard, Mitigation, touches};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-mask-write",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx11 with 64 lanes, a mask must be waited for before its register is read again",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). An instruction can get an old value of a scalar register when, before the \
write of it, a vector instruction read the register as its mask. `s_waitcnt_depctr depctr_sa_sdst(0)` after a scalar \
writer, `depctr_va_sdst(0)` after a vector writer (`depctr_va_vcc(0)` for `vcc`) avoids it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:wavefrontsize64\"\n\
v_cndmask_b32 v0, v1, v2, s[4:5]\ns_mov_b64 s[4:5], s[6:7]\n\
s_and_b64 s[8:9], s[4:5], s[10:11]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:wavefrontsize64\"\n\
v_cndmask_b32 v0, v1, v2, s[4:5]\ns_mov_b64 s[4:5], s[6:7]\n\
s_waitcnt_depctr depctr_sa_sdst(0)\ns_and_b64 s[8:9], s[4:5], s[10:11]\n",
        source: "LLVM GCNHazardRecognizer::fixVALUMaskWriteHazard",
    }
}

/// The register that a vector instruction reads as a mask.
fn mask(code: &Code<'_>, i: usize) -> Option<Reg> {
    const WITH_MASK: [&str; 7] = [
        "v_cndmask_b32",
        "v_cndmask_b16",
        "v_add_co_ci_u32",
        "v_sub_co_ci_u32",
        "v_subrev_co_ci_u32",
        "v_div_fmas_f32",
        "v_div_fmas_f64",
    ];
    if !code.is(i, Traits::VALU) || !WITH_MASK.contains(&code.mnemonic(i)) {
        return None;
    }
    if code.mnemonic(i).starts_with("v_div_fmas") {
        return Some(Reg::special(Special::VccLo, 2));
    }
    let implicit = code.reads(i).iter().filter(|a| a.implicit()).map(|a| a.reg());
    code.register(i, "src2").filter(|r| is_mask(*r)).or_else(|| implicit.into_iter().find(|r| is_mask(*r)))
}

fn is_mask(reg: Reg) -> bool {
    reg.file == RegFile::Sgpr || matches!(reg.as_special(), Some(Special::VccLo | Special::VccHi))
}

/// A unit that writes, the field that waits for it, and the line that does.
type Writer = (Traits, Field, &'static str);

fn writers(code: &Code<'_>, index: usize, reg: Reg) -> Vec<Writer> {
    let mut writers = vec![(Traits::SALU, Field::ScalarResult, "s_waitcnt_depctr depctr_sa_sdst(0)")];
    if code.is(index, Traits::VALU) {
        writers.push(match reg.file {
            RegFile::Sgpr => (Traits::VALU, Field::VectorScalar, "s_waitcnt_depctr depctr_va_sdst(0)"),
            _ => (Traits::VALU, Field::VectorCondition, "s_waitcnt_depctr depctr_va_vcc(0)"),
        });
    }
    writers
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::SALU) && !code.is(index, Traits::VALU) {
        return None;
    }
    code.reads(index).iter().map(|a| a.reg()).filter(|r| is_mask(*r)).find_map(|reg| {
        writers(code, index, reg).into_iter().find_map(|(unit, field, line)| {
            let waits = |i: usize| code.waits_for_field(i, field);
            let writes = |i: usize| code.is(i, unit) && code.writes_register(i, reg);
            let write = code.reaching(index, writes, |i| waits(i) || code.writes_register(i, reg))?;
            let reads = |i: usize| mask(code, i).is_some_and(|m| touches(m, reg));
            let producer = code.reaching(write, reads, |i| waits(i) || code.writes_register(i, reg))?;
            let what = format!("`{}` may still have its value from before the write", reg.name());
            Some(Hazard { producer, what, cause: "read as a mask here", mitigation: Mitigation::Line(line) })
        })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn masks_are_written_late() {
        marks_pedantic(
            "gfx1100:wavefrontsize64",
            expect![[r#"
                v_cndmask_b32 v0, v1, v2, s[4:5]
                s_mov_b64 s[4:5], s[6:7]
                s_and_b64 s[8:9], s[4:5], s[10:11]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-mask-write]: `s[4:5]` may still have its value from before the write; `s_waitcnt_depctr depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                                = line 1:1: read as a mask here
                ;                                = fix: s_waitcnt_depctr depctr_sa_sdst(0)
                v_cndmask_b32 v0, v1, v2, vcc
                v_mov_b32 v3, s0
                s_mov_b64 vcc, 0
                s_mov_b64 s[0:1], vcc
                ;^^^^^^^^^^^^^^^^^^^^ hint[hazard-mask-write]: `vcc` may still have its value from before the write; `s_waitcnt_depctr depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                   = line 4:1: read as a mask here
                ;                   = fix: s_waitcnt_depctr depctr_sa_sdst(0)
                v_cndmask_b32 v0, v1, v2, vcc
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-mask-write]: `vcc` may still have its value from before the write; `s_waitcnt_depctr depctr_sa_sdst(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                           = line 4:1: read as a mask here
                ;                           = fix: s_waitcnt_depctr depctr_sa_sdst(0)
                v_cmp_eq_u32 vcc, v0, v1
                v_cndmask_b32 v0, v1, v2, vcc
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-mask-write]: `vcc` may still have its value from before the write; `s_waitcnt_depctr depctr_va_vcc(0)` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                           = line 8:1: read as a mask here
                ;                           = fix: s_waitcnt_depctr depctr_va_vcc(0)
                v_cmp_eq_u32 vcc, v0, v1
                s_waitcnt_depctr depctr_va_vcc(0)
                v_cndmask_b32 v0, v1, v2, vcc
                v_cmp_eq_u32 vcc, v0, v1
                s_mov_b64 s[0:1], vcc
            "#]],
        );
    }
}
