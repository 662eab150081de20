//! LDS that memory is copied into (`buffer_load_dword ... lds`, `global_load_lds_dword`, `tensor_load_to_lds`), read before any wait for a copy.
//!
//! The address of a copy is in `m0` or in a descriptor and cannot be compared with that of a read, and kernels fill one part of LDS while
//! they read another. Reported is what cannot be right: a read before anything else can have filled LDS.

use wavelens_isa::{Counter, IssueClass, RegFile};

use super::barrier_wait::{is_barrier, is_read};
use crate::context::RuleContext;
use crate::flow::Graph;
use crate::rules::inserted_line::insert_before;
use crate::wait_counters::{wait_text, waits};
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    LDS_COPY {
        code: "lds-copy-wait",
        severity: wavelens_base::Severity::Warning,
        title: "LDS must not be read before a wait for the copy that fills it",
        explain: "A load into LDS (`buffer_load_dword ... lds`, `global_load_lds_dword`, `tensor_load_to_lds`) runs on while the wave goes \
on, also past reads of LDS, which are counted by another counter. Only a wait for the counter of the load covers it (`s_waitcnt vmcnt(0)`, \
`s_wait_tensorcnt 0x0`), before the barrier if other waves read. The rule reports a read that follows a copy on some way on which \
no copy has been waited for and nothing was written to LDS otherwise. A kernel that fills several parts of LDS ahead may wait for the \
oldest copies alone (`s_waitcnt vmcnt(24)`): copies return in order, and this is not reported.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nglobal_load_lds_dword v[0:1], off\nds_read_b32 v2, v3\n\
s_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nglobal_load_lds_dword v[0:1], off\ns_waitcnt vmcnt(0)\nds_read_b32 v2, v3\n\
s_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\n",
        source: "CDNA3 instruction set manual 9.1.9, \"Memory Buffer Load to LDS\"; LLVM SIInsertWaitcnts, LDS DMA",
    }
}

/// The last copy that no wait covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenCopy {
    copy: u32,
    counter: Counter,
    /// Operations of the counter since, at least.
    newer: u32,
    /// Operations of the counter since the first copy that no wait covers, at most: a wait for that one may be all that a read needs.
    newer_than_first: u32,
    /// The first barrier since, with those before it.
    barrier: Option<(u32, u32)>,
}

/// No counter leaves as many operations open.
const MOST_NEWER: u32 = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lds {
    Empty,
    /// Nothing but copies that may be open has filled it.
    Open(OpenCopy),
    /// It may hold what is read.
    Filled,
}

/// Reports the reads of one function that come too early.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    if !(0..graph.instructions.len()).any(|index| copy_counter(graph, index).is_some()) {
        return;
    }
    let over = |index: usize, state: &mut Lds| {
        if !steps.spend(1) || graph.follows_gap(index) {
            *state = Lds::Filled;
        }
        step(graph, index, state);
    };
    for (block, mut state) in graph.forward(Lds::Empty, 16, over, join) {
        for index in graph.block(block) {
            if let Lds::Open(open) = state
                && graph.instructions.get(index).is_some_and(|i| is_read(i.encoded.mnemonic()))
            {
                cx.diagnostics.push(report(cx, index, open));
            }
            over(index, &mut state);
        }
    }
}

fn report(cx: &RuleContext<'_>, index: usize, open: OpenCopy) -> Diagnostic {
    let graph = cx.graph;
    // Other waves must have waited too when the barrier lets them go on.
    let (place, left) = open.barrier.map_or((index, open.newer), |(barrier, left)| (barrier as usize, left));
    // Instructions that are skipped are not counted.
    let left = if graph.may_skip_vectors { 0 } else { left };
    let range_of = |index: usize| graph.instructions.get(index).map(|i| i.range).unwrap_or_default();
    let wait = match open.counter {
        Counter::Tensor => format!("s_wait_tensorcnt {left:#x}"),
        counter => wait_text(graph.target, counter, left),
    };
    let what = match open.barrier {
        Some(_) => "before this barrier, after which LDS that a load fills is read",
        None => "before this read of LDS, which a load fills",
    };
    let mut diagnostic = Diagnostic::new(&LDS_COPY, range_of(place), format!("missing `{wait}` {what}"))
        .related(Place::Here(range_of(open.copy as usize)), "this load may still be open");
    if open.barrier.is_some() {
        diagnostic = diagnostic.related(Place::Here(range_of(index)), "LDS is read here");
    }
    if graph.instructions.get(place).is_some_and(|i| !i.nested) {
        diagnostic = insert_before(diagnostic, cx.text, range_of(place), &wait);
    }
    graph.show_nested(place, diagnostic)
}

/// The counter of a load whose result goes to LDS. Asynchronous loads name the address in a register: another rule compares it.
fn copy_counter(graph: &Graph<'_>, index: usize) -> Option<Counter> {
    let (instruction, effect) = (graph.instructions.get(index)?, graph.effects.get(index)?);
    let name = instruction.encoded.mnemonic();
    if name == "tensor_load_to_lds" {
        return Some(Counter::Tensor);
    }
    let has_result = || effect.writes.iter().any(|w| matches!(w.reg().file, RegFile::Vgpr | RegFile::Agpr));
    let is_copy = effect.class == IssueClass::Vmem && name.contains("_load_") && !name.contains("async");
    (is_copy && effect.counters.contains(&Counter::Vm) && !has_result()).then_some(Counter::Vm)
}

fn step(graph: &Graph<'_>, index: usize, state: &mut Lds) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if let Some(counter) = copy_counter(graph, index) {
        let newer_than_first = match state {
            Lds::Filled => return,
            Lds::Open(open) if open.counter == counter => (open.newer_than_first + 1).min(MOST_NEWER),
            Lds::Open(_) | Lds::Empty => 0,
        };
        let open = OpenCopy { copy: index as u32, counter, newer: 0, newer_than_first, barrier: None };
        *state = Lds::Open(open);
        return;
    }
    let inst = &instruction.encoded;
    let is_written = effect.class == IssueClass::Lds
        || inst.mnemonic().starts_with("flat_")
        || inst.mnemonic().contains("async");
    // After a finding its wait is taken to be there. Whoever calls may have filled it.
    if effect.call || is_written {
        *state = Lds::Filled;
    }
    let Lds::Open(open) = state else { return };
    if is_barrier(inst.mnemonic()) {
        open.barrier = open.barrier.or(Some((index as u32, open.newer)));
    }
    let is_covered = match (effect.class, inst.mnemonic()) {
        (IssueClass::Other, "s_wait_tensorcnt") => {
            open.counter == Counter::Tensor
                && inst.number("simm16").is_none_or(|left| left <= i64::from(open.newer_than_first))
        }
        (IssueClass::Other, _) => waits(graph.target, instruction)
            .iter()
            .any(|(counter, left)| *counter == open.counter && *left <= open.newer_than_first),
        _ => false,
    };
    let counted = u32::from(effect.class != IssueClass::Other && effect.counters.contains(&open.counter));
    open.newer += counted;
    open.newer_than_first = (open.newer_than_first + counted).min(MOST_NEWER);
    if is_covered {
        *state = Lds::Filled;
    }
}

/// What either way may have filled is filled; of two open copies the one that the weaker wait would miss stays.
fn join(own: &mut Lds, other: &Lds, _back: bool) -> bool {
    let joined = match (*own, *other) {
        (Lds::Filled, _) | (_, Lds::Filled) => Lds::Filled,
        (Lds::Open(a), Lds::Open(b)) => Lds::Open(OpenCopy {
            newer_than_first: a.newer_than_first.max(b.newer_than_first),
            ..if b.newer < a.newer { b } else { a }
        }),
        (Lds::Empty, state) | (state, Lds::Empty) => state,
    };
    std::mem::replace(own, joined) != joined
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_copy_is_waited_for() {
        marks(
            "gfx942",
            expect![[r#"
                buffer_load_dword v0, s[8:11], s1 offen lds
                global_load_dword v5, v[6:7], off
                s_waitcnt vmcnt(2)
                s_barrier
                ;^^^^^^^^ warning[lds-copy-wait]: missing `s_waitcnt vmcnt(1)` before this barrier, after which LDS that a load fills is read
                ;       = line 1:1: this load may still be open
                ;       = line 5:1: LDS is read here
                ;       = fix: s_waitcnt vmcnt(1)
                ds_read_b32 v2, v3
                ds_read_b32 v4, v3
                s_endpgm
            "#]],
        );
        marks(
            "gfx1250",
            expect![[r#"
                tensor_load_to_lds s[0:3], s[4:11]
                s_cbranch_scc0 l
                s_wait_tensorcnt 0x1
                l:
                ds_load_b32 v2, v3
                ;^^^^^^^^^^^^^^^^^ warning[lds-copy-wait]: missing `s_wait_tensorcnt 0x0` before this read of LDS, which a load fills
                ;                = line 1:1: this load may still be open
                ;                = fix: s_wait_tensorcnt 0x0
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn the_oldest_of_several_copies_may_be_waited_for_alone() {
        marks(
            "gfx942",
            expect![[r#"
                buffer_load_dword v0, s[8:11], s1 offen lds
                buffer_load_dword v0, s[8:11], s2 offen lds
                global_load_dword v5, v[6:7], off
                s_waitcnt vmcnt(2)
                s_barrier
                ds_read_b32 v2, v3
                s_endpgm
            "#]],
        );
        // No wait covers any of them here. The one that is proposed covers all.
        marks(
            "gfx942",
            expect![[r#"
                buffer_load_dword v0, s[8:11], s1 offen lds
                buffer_load_dword v0, s[8:11], s2 offen lds
                global_load_dword v5, v[6:7], off
                s_waitcnt vmcnt(3)
                s_barrier
                ;^^^^^^^^ warning[lds-copy-wait]: missing `s_waitcnt vmcnt(1)` before this barrier, after which LDS that a load fills is read
                ;       = line 2:1: this load may still be open
                ;       = line 6:1: LDS is read here
                ;       = fix: s_waitcnt vmcnt(1)
                ds_read_b32 v2, v3
                s_endpgm
            "#]],
        );
        // One way has a second copy, which may be the one that the wait leaves.
        marks(
            "gfx942",
            expect![[r#"
                buffer_load_dword v0, s[8:11], s1 offen lds
                s_cbranch_scc0 l
                buffer_load_dword v0, s[8:11], s2 offen lds
                l:
                s_waitcnt vmcnt(1)
                s_barrier
                ds_read_b32 v2, v3
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn lds_that_something_else_may_have_filled_is_left_alone() {
        marks(
            "gfx942",
            expect![[r#"
                global_load_lds_dword v[0:1], off
                s_waitcnt vmcnt(0)
                s_barrier
                l:
                global_load_lds_dword v[0:1], off
                ds_read_b32 v2, v3
                s_cbranch_scc0 l
                s_endpgm
            "#]],
        );
        marks(
            "gfx942",
            expect![[r#"
                s_cbranch_scc0 l
                global_load_lds_dword v[0:1], off
                s_waitcnt vmcnt(0)
                l:
                ds_read_b32 v2, v3
                ds_write_b32 v3, v4
                global_load_lds_dword v[0:1], off
                ds_read_b32 v2, v3
                s_endpgm
            "#]],
        );
    }
}
