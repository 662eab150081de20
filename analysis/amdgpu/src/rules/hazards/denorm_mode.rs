//! gfx10: `s_denorm_mode` right after a floating-point atomic.

use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-denorm-mode",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx10, `s_denorm_mode` must be 3 wait states after a floating-point atomic",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). The mode would change for an atomic that was issued before; vector \
instructions and waits in between are enough.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\nglobal_atomic_fmin v[0:1], v2, off\ns_denorm_mode 0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1030\"\nglobal_atomic_fmin v[0:1], v2, off\nv_nop\n\
s_denorm_mode 0\n",
        source: "LLVM GCNHazardRecognizer::checkFPAtomicToDenormModeHazard",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if code.mnemonic(index) != "s_denorm_mode" {
        return None;
    }
    let atomic = |i: usize| code.is(i, Traits::VMEM) && code.is(i, Traits::FLOAT_ATOMIC);
    let ends = |i: usize| code.is(i, Traits::VALU) || code.mnemonic(i).starts_with("s_wait");
    let (waited, producer) = code.since(index, 3, |i| atomic(i) || ends(i)).filter(|(_, p)| atomic(*p))?;
    let what = "the mode changes while an atomic may still use it".to_owned();
    Some(Hazard { producer, what, cause: "the atomic", mitigation: Mitigation::States(3 - waited) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn atomics_keep_their_mode() {
        marks_pedantic(
            "gfx1030",
            expect![[r#"
                global_atomic_fmin v[0:1], v2, off
                s_denorm_mode 0
                ;^^^^^^^^^^^^^^ hint[hazard-denorm-mode]: the mode changes while an atomic may still use it; 3 more wait states are needed: `s_nop 2` (LLVM's hazard recognizer; not required by the ISA manual)
                ;             = line 1:1: the atomic
                ;             = fix: s_nop 2
                global_atomic_fmin v[0:1], v2, off
                v_nop
                s_denorm_mode 0
            "#]],
        );
    }
}
