//! Hardware registers are read or written again too soon after `s_setreg`.

use super::{Code, Hazard, Mitigation};
use wavelens_isa::Generation::Gfx8;

wavelens_syntax::rules! {
    RULE {
        code: "hazard-mode-register",
        severity: wavelens_base::Severity::Warning,
        title: "before gfx10, a hardware register must not be read or written again within 2 wait states of `s_setreg`",
        explain: "The instruction set manual requires it: the hardware does not check. The rule reports warnings. `s_getreg` of the \
register needs 2 wait states, a second `s_setreg` of it 2 (1 before gfx8), and `s_rfe_b64` 1 after `s_setreg` of \
TRAPSTS.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3\n\
s_getreg_b32 s0, hwreg(HW_REG_MODE)\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3\n\
s_nop 1\ns_getreg_b32 s0, hwreg(HW_REG_MODE)\n",
        source: "instruction set manuals, \"Manually Inserted Wait States\": S_SETREG, S_GETREG of the same register; LLVM \
GCNHazardRecognizer::checkGetRegHazards",
    }
}

/// `HW_REG_TRAPSTS`
const TRAPSTS: i64 = 3;

fn hardware_register(code: &Code<'_>, index: usize) -> Option<i64> {
    code.number(index, "simm16").map(|n| n & 63)
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let name = code.mnemonic(index);
    let (own, states, what) = match name {
        _ if name.starts_with("s_getreg") => {
            (hardware_register(code, index)?, 2, "the hardware register is read before it has its new value")
        }
        _ if name.starts_with("s_setreg") => {
            let states = if code.is_from(Gfx8) { 2 } else { 1 };
            (hardware_register(code, index)?, states, "the hardware register is written again too soon")
        }
        "s_rfe_b64" if code.is_from(Gfx8) => (TRAPSTS, 1, "the trap status is still being written"),
        _ => return None,
    };
    let sets = |i: usize| code.mnemonic(i).starts_with("s_setreg") && hardware_register(code, i) == Some(own);
    let (waited, producer) = code.since(index, states, sets)?;
    let mitigation = Mitigation::States(states - waited);
    Some(Hazard { producer, what: what.to_owned(), cause: "written here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn one_hardware_register_at_a_time() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 3
                s_getreg_b32 s0, hwreg(HW_REG_MODE)
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-mode-register]: the hardware register is read before it has its new value; 2 more wait states are needed: `s_nop 1`
                ;                                 = line 1:1: written here
                ;                                 = fix: s_nop 1
                s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s0
                s_setreg_b32 hwreg(HW_REG_MODE, 4, 4), s0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hazard-mode-register]: the hardware register is written again too soon; 2 more wait states are needed: `s_nop 1`
                ;                                       = line 3:1: written here
                ;                                       = fix: s_nop 1
                s_getreg_b32 s0, hwreg(HW_REG_STATUS)
            "#]],
        );
    }
}
