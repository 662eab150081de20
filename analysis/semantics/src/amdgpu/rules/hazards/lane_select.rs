//! `v_readlane` and `v_writelane` select the lane by a scalar register that a vector instruction wrote.

use super::{Code, Cure, Hazard, is_vector};
use crate::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "hazard-lane-select",
    severity: Severity::Warning,
    explain: "Before gfx10, the lane select of `v_readlane` and `v_writelane` needs 4 wait states after a vector instruction \
that writes the scalar register.\n\n```\nv_readfirstlane_b32 s0, v0\ns_nop 3\nv_readlane_b32 s1, v1, s0\n```",
    ..Rule::UNDOCUMENTED
};

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !matches!(code.mnemonic(index), "v_readlane_b32" | "v_writelane_b32") {
        return None;
    }
    let reg = code.register(index, "src1").filter(|r| !is_vector(*r))?;
    let (missing, producer) = code.vector_write(index, reg, 4)?;
    let what = format!("`{}` selects a lane before its new value is there", reg.name());
    Some(Hazard { producer, what, cause: "written here", cure: Cure::States(missing) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn lane_selects_need_four_states() {
        super::super::check(
            "gfx803",
            "v_readfirstlane_b32 s0, v0\ns_nop 2\nv_readlane_b32 s1, v1, s0\ns_mov_b32 s0, 1\nv_readlane_b32 s1, v1, s0\n",
            expect![[r#"
                3: hazard-lane-select: `s0` selects a lane before its new value is there; 1 more wait state is needed: `s_nop 0`
            "#]],
        );
    }
}
