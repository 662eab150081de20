//! gfx1250: instructions that need the vector units idle around them.

use super::{Code, Field, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-wait-idle",
        severity: wavelens_base::Severity::Warning,
        title: "on gfx1250, status registers and barrier arrivals need idle units",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. `s_getreg_b32` of the \
status and exception registers needs `s_wait_alu` for everything right before it, and \
`ds_atomic_async_barrier_arrive_b64` needs `s_wait_alu depctr_vm_vsrc(0)` right before and right after it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\ns_mov_b32 s1, 0\n\
s_getreg_b32 s2, hwreg(HW_REG_WAVE_STATUS)\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1250\"\ns_mov_b32 s1, 0\ns_wait_alu 0\n\
s_getreg_b32 s2, hwreg(HW_REG_WAVE_STATUS)\n",
        source: "CDNA5 instruction set manual, list of programming requirements: S_GETREG_B32 does not wait for idle; LLVM \
GCNHazardRecognizer::fixGetRegWaitIdle, fixDsAtomicAsyncBarrierArriveB64",
    }
}

/// STATUS, STATE_PRIV, EXCP_FLAG_PRIV and EXCP_FLAG_USER
const STATUS: [i64; 4] = [2, 4, 17, 18];

/// Every field of `s_wait_alu`.
const ALL: &str = "s_wait_alu depctr_hold_cnt(0) depctr_sa_sdst(0) depctr_va_vdst(0) depctr_va_sdst(0) depctr_va_ssrc(0) \
depctr_va_vcc(0) depctr_vm_vsrc(0)";
const SOURCES: &str = "s_wait_alu depctr_vm_vsrc(0)";

fn arrives(code: &Code<'_>, index: usize) -> bool {
    code.mnemonic(index) == "ds_atomic_async_barrier_arrive_b64"
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let reads_status = code.mnemonic(index) == "s_getreg_b32"
        && code.number(index, "simm16").is_some_and(|n| STATUS.contains(&(n & 63)));
    let (fields, line, what): (&[Field], _, _) = if reads_status {
        (&Field::ALL, ALL, "the status is read while results may still change it")
    } else if arrives(code, index) {
        (&[Field::MemorySource], SOURCES, "the arrival overtakes memory")
    } else {
        (&[], "", "")
    };
    let before = index.checked_sub(1)?;
    if fields.iter().any(|field| !code.waits_for_field(before, *field)) {
        return Some(Hazard {
            producer: before,
            what: what.to_owned(),
            cause: "no wait",
            mitigation: Mitigation::Line(line),
        });
    }
    if arrives(code, before) && !code.waits_for_field(index, Field::MemorySource) {
        let what = "memory overtakes the arrival".to_owned();
        return Some(Hazard {
            producer: before,
            what,
            cause: "the arrival",
            mitigation: Mitigation::Line(SOURCES),
        });
    }
    None
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn arrivals_and_status_stand_alone() {
        marks_pedantic(
            "gfx1250",
            expect![[r#"
                s_mov_b32 s1, 0
                s_getreg_b32 s2, hwreg(HW_REG_WAVE_STATUS)
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-wait-idle]: the status is read while results may still change it; `s_wait_alu depctr_hold_cnt(0) depctr_sa_sdst(0) depctr_va_vdst(0) depctr_va_sdst(0) depctr_va_ssrc(0) depctr_va_vcc(0) depctr_vm_vsrc(0)` is needed between them
                ;                                        = line 1:1: no wait
                ;                                        = fix: s_wait_alu depctr_hold_cnt(0) depctr_sa_sdst(0) depctr_va_vdst(0) depctr_va_sdst(0) depctr_va_ssrc(0) depctr_va_vcc(0) depctr_vm_vsrc(0)
                s_getreg_b32 s2, hwreg(HW_REG_WAVE_MODE)
                s_wait_alu 0
                s_getreg_b32 s2, hwreg(HW_REG_WAVE_STATE_PRIV)
                ds_atomic_async_barrier_arrive_b64 v0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-wait-idle]: the arrival overtakes memory; `s_wait_alu depctr_vm_vsrc(0)` is needed between them
                ;                                   = line 5:1: no wait
                ;                                   = fix: s_wait_alu depctr_vm_vsrc(0)
                s_mov_b32 s1, 0
                ;^^^^^^^^^^^^^^ warning[hazard-wait-idle]: memory overtakes the arrival; `s_wait_alu depctr_vm_vsrc(0)` is needed between them
                ;             = line 6:1: the arrival
                ;             = fix: s_wait_alu depctr_vm_vsrc(0)
                s_wait_alu depctr_vm_vsrc(0)
                ds_atomic_async_barrier_arrive_b64 v0
                s_wait_alu depctr_vm_vsrc(0)
            "#]],
        );
    }
}
