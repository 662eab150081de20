//! `v_div_fmas` reads `vcc` without waiting for vector instructions that write it.

use wavelens_isa::{Reg, Special};

use super::{Code, Cure, Hazard};
use crate::{Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "hazard-div-fmas",
    severity: Severity::Warning,
    explain: "Before gfx10, `v_div_fmas` takes `vcc` as it was up to 4 wait states earlier when a vector instruction wrote it.\n\n\
```\nv_cmp_eq_u32 vcc, v0, v1\ns_nop 3\nv_div_fmas_f32 v2, v3, v4, v5\n```",
    ..Rule::UNDOCUMENTED
};

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.mnemonic(index).starts_with("v_div_fmas") {
        return None;
    }
    let (missing, producer) = code.vector_write(index, Reg::special(Special::VccLo, 2), 4)?;
    let what = "`vcc` is read here before its new value is there".to_owned();
    Some(Hazard { producer, what, cause: "written here", cure: Cure::States(missing) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn vcc_needs_four_states() {
        super::super::check(
            "gfx900",
            "v_cmp_eq_u32 vcc, v0, v1\ns_nop 1\nv_div_fmas_f32 v2, v3, v4, v5\n",
            expect![[r#"
                3: hazard-div-fmas: `vcc` is read here before its new value is there; 2 more wait states are needed: `s_nop 1`
            "#]],
        );
    }
}
