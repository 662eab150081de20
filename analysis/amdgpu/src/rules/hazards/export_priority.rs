//! gfx11.5: exports run at a raised priority, and lower it when they are done.

use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-export-priority",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx1150 to gfx1153, a wave should lower its priority after its last export in a row",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). The sequence is `s_setprio 0` and two `s_nop 0`; where the program goes on, \
`s_waitcnt_expcnt null, 0x0` before them and `s_setprio 2` after them.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1151\"\nexp mrt0 v0, v1, v2, v3 done\ns_endpgm\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1151\"\nexp mrt0 v0, v1, v2, v3 done\ns_setprio 0\n\
s_nop 0\ns_nop 0\ns_endpgm\n",
        source: "LLVM GCNHazardRecognizer::fixRequiredExportPriority",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let lowers = || code.mnemonic(index) == "s_setprio" && code.number(index, "simm16") == Some(0);
    let producer = index.checked_sub(1).filter(|i| code.is(*i, Traits::EXPORT))?;
    let same_block = code.graph.block_of(producer) == code.graph.block_of(index);
    let what = "exports are done, and the priority is not lowered".to_owned();
    let hazard =
        Hazard { producer, what, cause: "the last export", mitigation: Mitigation::Line("s_setprio 0") };
    (same_block && !code.is(index, Traits::EXPORT) && !lowers()).then_some(hazard)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn exports_lower_the_priority() {
        marks_pedantic(
            "gfx1151",
            expect![[r#"
                exp mrt0 v0, v1, v2, v3
                exp mrt1 v0, v1, v2, v3 done
                s_endpgm
                ;^^^^^^^ hint[hazard-export-priority]: exports are done, and the priority is not lowered; `s_setprio 0` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;      = line 2:1: the last export
                ;      = fix: s_setprio 0
            "#]],
        );
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                exp mrt0 v0, v1, v2, v3
                exp mrt1 v0, v1, v2, v3 done
                s_endpgm
            "#]],
        );
        marks_pedantic(
            "gfx1151",
            expect![[r#"
                exp mrt0 v0, v1, v2, v3
                exp mrt1 v0, v1, v2, v3 done
                s_setprio 0
                s_nop 0
                s_nop 0
                s_endpgm
            "#]],
        );
    }
}
