//! gfx10.1: a vector compare writes `exec` while a scalar or memory instruction may still read it.

use wavelens_isa::{Access, Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-exec-write",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx10.1, `v_cmpx` must not write `exec` before earlier instructions of other units have read it",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). A vector instruction with a scalar result, or `s_waitcnt_depctr 0xfffe`, in \
between avoids it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\ns_mov_b32 s0, exec_lo\nv_cmpx_eq_u32 v0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\ns_mov_b32 s0, exec_lo\nv_cmp_eq_u32 s2, v0, v1\n\
v_cmpx_eq_u32 v0, v1\n",
        source: "LLVM GCNHazardRecognizer::fixVcmpxExecWARHazard",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let exec = Reg::special(Special::ExecLo, 2);
    if !code.is(index, Traits::VALU) || !code.writes_register(index, exec) {
        return None;
    }
    let scalar = |a: &Access| {
        matches!(a.reg().file, RegFile::Sgpr | RegFile::Ttmp)
            || matches!(
                a.reg().as_special(),
                Some(Special::VccLo | Special::VccHi | Special::ExecLo | Special::ExecHi | Special::M0)
            )
    };
    let producer = code.reaching(
        index,
        |i| !code.is(i, Traits::VALU) && code.reads_register(i, exec),
        |i| {
            code.is(i, Traits::VALU) && code.writes(i).iter().any(scalar)
                || code.mnemonic(i) == "s_waitcnt_depctr"
                    && code.number(i, "simm16").is_some_and(|n| n & 1 == 0)
        },
    )?;
    let what = "`exec` is written before an earlier instruction has read it".to_owned();
    let mitigation = Mitigation::Line("s_waitcnt_depctr 0xfffe");
    Some(Hazard { producer, what, cause: "`exec` is read here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn exec_is_not_overtaken() {
        marks_pedantic(
            "gfx1010",
            expect![[r#"
                s_mov_b32 s0, exec_lo
                v_cmpx_eq_u32 v0, v1
                ;^^^^^^^^^^^^^^^^^^^ hint[hazard-exec-write]: `exec` is written before an earlier instruction has read it; `s_waitcnt_depctr 0xfffe` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                  = line 1:1: `exec` is read here
                ;                  = fix: s_waitcnt_depctr 0xfffe
                s_mov_b32 s0, exec_lo
                v_cmp_eq_u32 s2, v0, v1
                v_cmpx_eq_u32 v0, v1
            "#]],
        );
    }
}
