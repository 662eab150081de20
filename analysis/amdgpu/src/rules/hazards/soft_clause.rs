//! Memory instructions in a row may be replayed together: none may write what another reads.

use wavelens_isa::Generation::Gfx10_1;
use wavelens_isa::{Reg, Traits};

use super::{Code, Hazard, Mitigation};

wavelens_syntax::rules! {
    RULE {
        code: "hazard-soft-clause",
        severity: wavelens_base::Severity::Hint,
        title: "with XNACK replay, memory instructions in a row must not write what another of them reads",
        explain: "Only LLVM's hazard recognizer keeps the two apart; the instruction set manual does not require it. The rule reports \
hints, and only on request (`pedantic`). Scalar memory instructions in a row, and vector memory instructions in a row \
on gfx8 and gfx9, are issued again as a group. A store starts a new group.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:xnack+\"\ns_load_dword s4, s[0:1], 0x0\n\
s_load_dwordx2 s[0:1], s[2:3], 0x0\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a:xnack+\"\ns_load_dword s4, s[0:1], 0x0\ns_nop 0\n\
s_load_dwordx2 s[0:1], s[2:3], 0x0\n",
        source: "LLVM GCNHazardRecognizer::checkSoftClauseHazards",
    }
}

/// As far back as groups are looked at.
const REACH: usize = 5;

pub(super) fn check(code: &Code<'_>, index: usize) -> Option<Hazard> {
    if !code.xnack {
        return None;
    }
    let kind = match () {
        () if code.is(index, Traits::SMEM) => Traits::SMEM,
        () if code.is(index, Traits::VMEM) && !code.is_from(Gfx10_1) => Traits::VMEM,
        () => return None,
    };
    let block = code.graph.block(code.graph.block_of(index));
    let group: Vec<usize> =
        (block.start..index).rev().take(REACH).take_while(|i| code.is(*i, kind)).collect();
    let first_write = group.iter().copied().find(|i| code.results(*i).next().is_some())?;
    let conflict = |reads: usize, writes: usize| -> Option<Reg> {
        code.results(writes).find(|w| code.sources(reads).any(|r| r.overlaps(*w)))
    };
    let (producer, what) = if code.is(index, Traits::MAY_STORE) {
        (first_write, "a store follows loads in one group".to_owned())
    } else {
        let all = || group.iter().copied().chain([index]);
        let (other, reg) = all().find_map(|other| {
            let reg = conflict(index, other).or_else(|| conflict(other, index))?;
            Some((other, reg))
        })?;
        (other, format!("`{}` is both read and written in a group that may be replayed", reg.name()))
    };
    Some(Hazard { producer, what, cause: "in the same group", mitigation: Mitigation::States(1) })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn groups_do_not_write_what_they_read() {
        marks_pedantic(
            "gfx90a",
            expect![[r#"
                .amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack+"
                s_load_dword s4, s[0:1], 0x0
                s_load_dwordx2 s[0:1], s[2:3], 0x0
                ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[hazard-soft-clause]: `s[0:1]` is both read and written in a group that may be replayed; 1 more wait state is needed: `s_nop 0` (LLVM's hazard recognizer; not required by the ISA manual)
                ;                                = line 2:1: in the same group
                ;                                = fix: s_nop 0
            "#]],
        );
    }
}
