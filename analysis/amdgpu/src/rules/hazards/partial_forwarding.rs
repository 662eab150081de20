//! gfx11 with 64 lanes: two sources, one written before and one after a change of `exec`.

use wavelens_isa::{Reg, RegFile, Special, Traits};

use super::{Code, Hazard, Mitigation, Step};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-partial-forwarding",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx11 with 64 lanes, sources written before and after a change of `exec` must not be combined soon",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). The instruction can read a wrong mixture when at most 2 vector instructions \
are between the two writes and 4 after the second. A memory instruction or `s_waitcnt_depctr 0xfff` in between avoids \
it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:wavefrontsize64\"\nv_mov_b32 v0, v5\n\
s_mov_b64 exec, -1\nv_mov_b32 v1, v6\nv_add_f32 v2, v0, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100:wavefrontsize64\"\nv_mov_b32 v0, v5\n\
s_mov_b64 exec, -1\nv_mov_b32 v1, v6\ns_waitcnt_depctr 0xfff\nv_add_f32 v2, v0, v1\n",
        source: "LLVM GCNHazardRecognizer::fixVALUPartialForwardingHazard",
    }
}

/// Most vector instructions between the writes, and after the second.
const BETWEEN: usize = 2;
const BEHIND: usize = 4;
/// Farther back nothing matters.
const REACH: usize = 8;

/// One way back: vector instructions seen, those that wrote a source (by source), and where `exec` was written.
#[derive(Clone, Default)]
struct Way {
    vectors: usize,
    writes: Vec<(Reg, usize)>,
    exec: Option<usize>,
}

impl Way {
    /// Is this the pattern, is it still possible?
    fn judge(&self) -> Step {
        let Some(exec) = self.exec else { return Step::Go };
        let places = || self.writes.iter().map(|(_, at)| *at);
        let Some(after) = places().filter(|at| *at < exec).min() else { return Step::Go };
        let gap = exec - after - 1;
        if after > BEHIND || gap > BETWEEN {
            return Step::Stop;
        }
        match places().filter(|at| *at >= exec).min() {
            None => Step::Go,
            Some(before) if before - exec + gap > BETWEEN => Step::Stop,
            Some(_) => Step::Found,
        }
    }
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.is(index, Traits::VALU) {
        return None;
    }
    let mut sources: Vec<Reg> = code.sources(index).filter(|r| r.file == RegFile::Vgpr).collect();
    sources.dedup();
    if sources.iter().all(|r| Some(r) == sources.first()) {
        return None;
    }
    let exec = Reg::special(Special::ExecLo, 2);
    let producer = code.search(index, Way::default(), |way, i| {
        if way.vectors > REACH || code.waits_for_vectors(i) {
            return Step::Stop;
        }
        let mut changed = false;
        let vector = code.is(i, Traits::VALU);
        if vector {
            for reg in &sources {
                if !way.writes.iter().any(|(r, _)| r == reg) && code.writes_register(i, *reg) {
                    way.writes.push((*reg, way.vectors));
                    changed = true;
                }
            }
        } else if way.exec.is_none() && !way.writes.is_empty() && code.is(i, Traits::SALU) {
            changed = code.writes_register(i, exec);
            way.exec = changed.then_some(way.vectors);
        }
        if way.vectors > BEHIND && way.writes.is_empty() {
            return Step::Stop;
        }
        let step = if changed { way.judge() } else { Step::Go };
        way.vectors += usize::from(vector);
        step
    })?;
    let what = "one source was written before `exec` changed, another one after it".to_owned();
    let mitigation = Mitigation::Line("s_waitcnt_depctr 0xfff");
    Some(Hazard { producer, what, cause: "the one before is written here", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn sources_on_both_sides_of_exec_are_waited_for() {
        marks_pedantic(
            "gfx1100:wavefrontsize64",
            expect![[r#"
                v_mov_b32 v0, v5
                s_mov_b64 exec, -1
                v_mov_b32 v1, v6
                v_add_f32 v2, v0, v1
                ;^^^^^^^^^^^^^^^^^^^ hint[hazard-partial-forwarding]: one source was written before `exec` changed, another one after it; `s_waitcnt_depctr 0xfff` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                  = line 1:1: the one before is written here
                ;                  = fix: s_waitcnt_depctr 0xfff
            "#]],
        );
        marks_pedantic(
            "gfx1100:wavefrontsize64",
            expect![[r#"
                v_mov_b32 v0, v5
                s_mov_b64 exec, -1
                v_mov_b32 v1, v6
                s_waitcnt_depctr 0xfff
                v_add_f32 v2, v0, v1
            "#]],
        );
        marks_pedantic(
            "gfx1200",
            expect![[r#"
                v_mov_b32 v0, v5
                s_mov_b64 exec, -1
                v_mov_b32 v1, v6
                v_add_f32 v2, v0, v1
            "#]],
        );
    }

    #[test]
    fn the_half_that_stays_is_no_source() {
        marks_pedantic(
            "gfx1100:wavefrontsize64",
            expect![[r#"
                v_mov_b32 v5, v6
                s_mov_b64 exec, -1
                v_mov_b32 v3, v6
                v_and_b16 v5.l, 1, v3.l
            "#]],
        );
    }
}
