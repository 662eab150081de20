//! gfx90a: 64-bit shifts by the last register that a wave has.

use wavelens_isa::{RegFile, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-shift-amount",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx90a, the amount of a 64-bit shift must not be in the last register of the allocation",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). `v_lshlrev_b64`, `v_lshrrev_b64` and `v_ashrrev_i64` read the register after \
their shift amount too; the allocation ends at a multiple of 8.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\nv_lshlrev_b64 v[0:1], v7, v[2:3]\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\nv_lshlrev_b64 v[0:1], v6, v[2:3]\n",
        source: "LLVM GCNHazardRecognizer::fixShift64HighRegBug",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !matches!(code.mnemonic(index), "v_lshlrev_b64" | "v_lshrrev_b64" | "v_ashrrev_i64") {
        return None;
    }
    let amount = code.register(index, "src0").filter(|r| r.file == RegFile::Vgpr && r.index % 8 == 7)?;
    let used = code.graph.used();
    let last = used.vgprs <= u32::from(amount.index) + 1 && used.agprs == 0;
    let calls = code.graph.effects.iter().any(|e| e.call);
    let what =
        format!("the shift reads the register after `{}`, which the wave does not have", amount.name());
    let mitigation = Mitigation::Register(amount);
    (code.is(index, Traits::VALU) && last && !calls).then_some(Hazard {
        producer: index,
        what,
        cause: "the amount is the last register",
        mitigation,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn the_last_register_is_no_amount() {
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                v_lshlrev_b64 v[0:1], v7, v[2:3]
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-shift-amount]: the shift reads the register after `v7`, which the wave does not have; another register than `v7` is needed (LLVM's hazard recognizer; not required by the ISA manual)
                ;                              = line 1:1: the amount is the last register
            "#]],
        );
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                v_lshlrev_b64 v[0:1], v7, v[2:3]
                v_mov_b32 v8, 0
            "#]],
        );
        marks_pedantic(
            "gfx942",
            expect![[r#"
                v_lshlrev_b64 v[0:1], v7, v[2:3]
            "#]],
        );
    }
}
