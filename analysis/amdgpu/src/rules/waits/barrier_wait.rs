//! LDS that one wave writes and others read after a barrier: the barrier does not wait for the write.
//!
//! Reported is a write of LDS, a barrier and a read of LDS after it with no wait for LDS at all on the way. Not in a function that counts:
//! a wait which leaves operations of LDS open belongs to a kernel that fills one buffer while it reads another, and only its author knows what
//! a barrier publishes. Of 100 shipped kernels 12 are such (aiter, gfx942), and one has no wait at all.

use std::cell::RefCell;

use rustc_hash::FxHashSet;
use wavelens_isa::{Counter, IssueClass};

use super::wave_part::Origins;
use crate::context::RuleContext;
use crate::rules::inserted_line::insert_before;
use crate::wait_counters::{all_waits, capacity, wait_text, waits};
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    BARRIER_WAIT {
        code: "barrier-wait",
        severity: wavelens_base::Severity::Warning,
        title: "LDS must be written before a barrier lets other waves read it",
        explain: "A barrier waits for waves, not for their memory operations: a wave that has issued a write of LDS goes on to the barrier, \
and another wave may read LDS after it while the write is still open. A wait for the counter of LDS (`s_waitcnt lgkmcnt(0)`, \
`s_wait_dscnt 0x0`) before the barrier makes sure that it is done. The rule reports writes (`ds_write`, `ds_store`) that come to a barrier \
and from there to a read (`ds_read`, `ds_load`) on some way without any wait for LDS, in functions in which no wait leaves operations of LDS \
open. It does not report a read of what the wave wrote itself, which comes after the write without a wait: where the same multiple of the \
number of the wave (`v_lshrrev_b32 v3, 6, v0`, `v_readfirstlane_b32 s4, v3`) is added to both addresses.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nds_write_b32 v0, v1\ns_barrier\nds_read_b32 v2, v3\n\
s_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nds_write_b32 v0, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v3\n\
s_waitcnt lgkmcnt(0)\nv_mov_b32 v4, v2\n",
        source: "instruction set manuals, \"Barrier\": a barrier does not wait for the counters; LLVM SIMemoryLegalizer waits at the release \
before it",
    }
}

/// The last write of LDS that no wait follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OpenWrite {
    write: u32,
    /// The barrier that was passed since.
    barrier: Option<u32>,
}

/// Reports the barriers of one function that come too early, each once.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    let is_counted = |(counter, left): &(Counter, u32)| {
        is_local(counter) && (1..capacity(graph.target, *counter)).contains(left)
    };
    let counts = || graph.instructions.iter().any(|i| waits(graph.target, i).iter().any(is_counted));
    if !graph.instructions.iter().any(|i| is_write(i.encoded.mnemonic())) || counts() {
        return;
    }
    let found = RefCell::new(FxHashSet::default());
    let origins = Origins { graph, steps };
    let step = |index: usize, state: &mut Option<OpenWrite>| {
        if !steps.spend(1) || graph.follows_gap(index) {
            *state = None;
        }
        if let Some((write, barrier)) = step(&origins, index, state) {
            found.borrow_mut().insert((barrier, write));
        }
    };
    graph.forward(None, 16, step, join);
    let mut found: Vec<(u32, u32)> = found.into_inner().into_iter().collect();
    found.sort_unstable();
    found.dedup_by_key(|(barrier, _)| *barrier);
    for (barrier, write) in found {
        let instructions = &graph.instructions;
        let Some((at, write)) = instructions.get(barrier as usize).zip(instructions.get(write as usize))
        else {
            continue;
        };
        let counter = if graph.target.facts().has_split_counters { Counter::Ds } else { Counter::Lgkm };
        let wait = wait_text(graph.target, counter, 0);
        let message = format!("missing `{wait}` before this barrier, after which LDS is read");
        let diagnostic = Diagnostic::new(&BARRIER_WAIT, at.range, message)
            .related(Place::Here(write.range), "this write of LDS may still be open");
        cx.diagnostics.push(match at.nested {
            true => diagnostic,
            false => insert_before(diagnostic, cx.text, at.range, &wait),
        });
    }
}

/// The state after an instruction, and the write and the barrier if it reads LDS too early.
fn step(origins: &Origins<'_>, index: usize, state: &mut Option<OpenWrite>) -> Option<(u32, u32)> {
    let graph = origins.graph;
    let (instruction, effect) = (graph.instructions.get(index)?, graph.effects.get(index)?);
    let name = instruction.encoded.mnemonic();
    let is_wait = || {
        let waits = all_waits(graph.target, instruction);
        waits.iter().any(|(counter, _)| is_local(counter))
    };
    if effect.call || state.is_some() && effect.class == IssueClass::Other && is_wait() {
        *state = None;
    }
    if effect.class == IssueClass::Lds && is_write(name) {
        *state = Some(OpenWrite { write: index as u32, barrier: None });
    }
    if effect.class == IssueClass::Lds
        && is_read(name)
        && let Some(OpenWrite { write, barrier: Some(barrier) }) = *state
        && !is_of_same_wave(origins, write as usize, index)
    {
        *state = None;
        return Some((write, barrier));
    }
    if is_barrier(name)
        && let Some(open) = state
    {
        open.barrier.get_or_insert(index as u32);
    }
    None
}

/// Whether a wave reads only what it wrote itself.
fn is_of_same_wave(origins: &Origins<'_>, write: usize, read: usize) -> bool {
    let written = origins.of_wave(write);
    !written.is_empty() && origins.of_wave(read).iter().any(|origin| written.contains(origin))
}

/// The state of two ways: an open write of either, and of two the one that has passed a barrier.
fn join(own: &mut Option<OpenWrite>, other: &Option<OpenWrite>, _back: bool) -> bool {
    let weight = |open: &OpenWrite| (open.barrier.is_none(), open.write);
    let joined = match (*own, *other) {
        (Some(a), Some(b)) => Some(if weight(&b) < weight(&a) { b } else { a }),
        (a, b) => a.or(b),
    };
    std::mem::replace(own, joined) != joined
}

/// The counters of LDS.
fn is_local(counter: &Counter) -> bool {
    matches!(counter, Counter::Lgkm | Counter::Ds)
}

fn is_write(name: &str) -> bool {
    name.starts_with("ds_write") || name.starts_with("ds_store")
}

pub(super) fn is_read(name: &str) -> bool {
    name.starts_with("ds_read") || name.starts_with("ds_load")
}

/// Of a split barrier the arrival counts.
pub(super) fn is_barrier(name: &str) -> bool {
    matches!(name, "s_barrier" | "s_barrier_signal" | "s_barrier_signal_isfirst")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_write_is_waited_for_before_a_barrier() {
        marks(
            "gfx942",
            expect![[r#"
                ds_write_b32 v0, v1
                s_barrier
                ;^^^^^^^^ warning[barrier-wait]: missing `s_waitcnt lgkmcnt(0)` before this barrier, after which LDS is read
                ;       = line 1:1: this write of LDS may still be open
                ;       = fix: s_waitcnt lgkmcnt(0)
                ds_read_b32 v2, v3
                s_waitcnt lgkmcnt(0)
                v_mov_b32 v4, v2
                s_endpgm
            "#]],
        );
        marks(
            "gfx1201",
            expect![[r#"
                ds_store_b32 v0, v1
                s_barrier_signal -1
                ;^^^^^^^^^^^^^^^^^^ warning[barrier-wait]: missing `s_wait_dscnt 0x0` before this barrier, after which LDS is read
                ;                 = line 1:1: this write of LDS may still be open
                ;                 = fix: s_wait_dscnt 0x0
                s_barrier_wait -1
                ds_load_b32 v2, v3
                s_wait_dscnt 0x0
                v_mov_b32 v4, v2
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_function_that_counts_its_operations_is_left_alone() {
        marks(
            "gfx942",
            expect![[r#"
                ds_write_b32 v0, v1
                ds_read_b32 v5, v3
                s_waitcnt lgkmcnt(2)
                s_barrier
                ds_read_b32 v2, v3
                ds_write_b32 v0, v1
                s_barrier
                ds_read_b32 v2, v3
                s_waitcnt lgkmcnt(0)
                v_add_u32 v4, v2, v5
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn who_reads_nothing_or_waits_after_the_barrier_is_left_alone() {
        marks(
            "gfx942",
            expect![[r#"
                ds_write_b32 v0, v1
                s_barrier
                s_waitcnt lgkmcnt(0)
                s_barrier
                ds_read_b32 v2, v3
                s_waitcnt lgkmcnt(0)
                v_mov_b32 v4, v2
                ds_write_b32 v0, v1
                s_barrier
                s_endpgm
            "#]],
        );
    }

    #[test]
    fn a_wave_reads_what_it_wrote_itself() {
        marks(
            "gfx942",
            expect![[r#"
                v_lshrrev_b32 v3, 6, v0
                v_and_b32 v0, 63, v0
                v_readfirstlane_b32 s24, v3
                s_mul_i32 s25, s24, 0x400
                v_lshlrev_b32 v14, 2, v0
                v_add_u32 v14, v14, s25
                v_add_u32 v15, 0x100, v14
                ds_write_b32 v14, v12
                ds_write_b32 v15, v13
                s_barrier
                v_lshlrev_b32 v14, 3, v0
                v_add_u32 v14, v14, s25
                ds_read_b32 v12, v14
                s_waitcnt lgkmcnt(0)
                v_mov_b32 v4, v12
                s_endpgm
            "#]],
        );
        // The second buffer is not of a wave.
        marks(
            "gfx942",
            expect![[r#"
                s_lshl_b32 s25, s24, 10
                v_lshlrev_b32 v14, 2, v0
                v_add_u32 v14, v14, s25
                ds_write_b32 v14, v12
                s_barrier
                ;^^^^^^^^ warning[barrier-wait]: missing `s_waitcnt lgkmcnt(0)` before this barrier, after which LDS is read
                ;       = line 4:1: this write of LDS may still be open
                ;       = fix: s_waitcnt lgkmcnt(0)
                ds_read_b32 v12, v14
                s_waitcnt lgkmcnt(0)
                v_mov_b32 v4, v12
                s_endpgm
            "#]],
        );
    }
}
