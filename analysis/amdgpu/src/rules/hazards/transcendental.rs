//! gfx11: the result of a transcendental instruction is read soon after.

use wavelens_isa::{RegFile, Traits};

use super::{Code, Hazard, Mitigation, Step};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-transcendental",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx1100 to gfx1103, the result of a transcendental instruction should not be read soon",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). 6 vector instructions, 2 other transcendental ones, a memory instruction or \
`s_waitcnt_depctr 0xfff` in between avoid it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nv_rcp_f32 v0, v1\nv_add_f32 v2, v0, v0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nv_rcp_f32 v0, v1\ns_waitcnt_depctr 0xfff\n\
v_add_f32 v2, v0, v0\n",
        source: "LLVM GCNHazardRecognizer::fixVALUTransUseHazard",
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::VALU) {
        return None;
    }
    let result =
        |i: usize| code.sources(index).find(|r| r.file == RegFile::Vgpr && code.writes_register(i, *r));
    let producer = code.search(index, (0u32, 0u32), |(vectors, transcendentals), i| {
        if *vectors > 5 || *transcendentals > 1 || code.waits_for_vectors(i) {
            return Step::Stop;
        }
        if code.is(i, Traits::TRANS) {
            if result(i).is_some() {
                return Step::Found;
            }
            *transcendentals += 1;
        }
        *vectors += u32::from(code.is(i, Traits::VALU));
        Step::Go
    })?;
    let what = format!("`{}` is read before the transcendental result is there", result(producer)?.name());
    let mitigation = Mitigation::Line("s_waitcnt_depctr 0xfff");
    Some(Hazard { producer, what, cause: "computed here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn transcendental_results_take_time() {
        marks_pedantic(
            "gfx1100",
            expect![[r#"
                v_rcp_f32 v0, v1
                v_add_f32 v2, v0, v0
                ;^^^^^^^^^^^^^^^^^^^ hint[hazard-transcendental]: `v0` is read before the transcendental result is there; `s_waitcnt_depctr 0xfff` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                  = line 1:1: computed here
                ;                  = fix: s_waitcnt_depctr 0xfff
                v_rcp_f32 v0, v1
                s_waitcnt_depctr 0xfff
                v_add_f32 v2, v0, v0
            "#]],
        );
    }
}
