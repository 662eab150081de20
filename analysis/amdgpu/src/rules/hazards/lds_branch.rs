//! gfx10.1: LDS and vector memory on the two sides of a branch.

use wavelens_isa::Traits;

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-lds-branch",
        severity: wavelens_base::Severity::Hint,
        title: "on gfx10.1, LDS and vector memory instructions on both sides of a branch must be kept apart",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). They could overtake each other's data reads. `s_waitcnt_vscnt null, 0x0` \
between them, before or after the branch, avoids it.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\nds_write_b32 v0, v1\ns_cbranch_scc0 l\n\
global_store_dword v[2:3], v4, off\nl:\ns_endpgm\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\nds_write_b32 v0, v1\ns_waitcnt_vscnt null, 0x0\n\
s_cbranch_scc0 l\nglobal_store_dword v[2:3], v4, off\nl:\ns_endpgm\n",
        source: "LLVM GCNHazardRecognizer::fixLdsBranchVmemWARHazard",
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Lds,
    Vmem,
}

fn side(code: &Code<'_>, index: usize) -> Option<Side> {
    match () {
        () if code.is(index, Traits::DS) => Some(Side::Lds),
        () if code.is(index, Traits::SEGMENT) => Some(Side::Vmem),
        () if code.is(index, Traits::VMEM) && !code.is(index, Traits::FLAT) => Some(Side::Vmem),
        () => None,
    }
}

fn waits(code: &Code<'_>, index: usize) -> bool {
    code.mnemonic(index) == "s_waitcnt_vscnt"
        && code.number(index, "simm16") == Some(0)
        && code.sources(index).next().is_none()
}

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    let own = side(code, index)?;
    let other_side = |branch: usize| {
        code.reaching(
            branch,
            |i| side(code, i).is_some_and(|s| s != own),
            |i| side(code, i) == Some(own) || waits(code, i),
        )
    };
    let is_branch = |i: usize| code.graph.effects.get(i).is_some_and(|e| e.branch);
    let branch = code.reaching(
        index,
        |i| is_branch(i) && other_side(i).is_some(),
        |i| side(code, i).is_some() || waits(code, i),
    )?;
    let what = "memory and LDS accesses can overtake each other over the branch".to_owned();
    let mitigation = Mitigation::Line("s_waitcnt_vscnt null, 0x0");
    Some(Hazard { producer: other_side(branch)?, what, cause: "the other access", mitigation })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn branches_between_memories_are_waited_for() {
        marks_pedantic(
            "gfx1010",
            expect![[r#"
                ds_write_b32 v0, v1
                s_cbranch_scc0 l
                global_store_dword v[2:3], v4, off
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-lds-branch]: memory and LDS accesses can overtake each other over the branch; `s_waitcnt_vscnt null, 0x0` is needed between them (LLVM's hazard recognizer; not required by the ISA manual)
                ;                                = line 1:1: the other access
                ;                                = fix: s_waitcnt_vscnt null, 0x0
                l:
                s_endpgm
            "#]],
        );
    }
}
