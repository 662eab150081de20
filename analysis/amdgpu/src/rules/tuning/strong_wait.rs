//! Waits for more than the instructions after them use.

use wavelens_isa::{Counter, IssueClass};

use super::{Outstanding, is_opaque, is_unordered};
use crate::flow::{Graph, dwords};
use crate::wait_counters::{capacity, wait_text, waits};
use wavelens_base::{Diagnostic, Place};

wavelens_syntax::rules! {
    STRONG_WAIT {
        code: "strong-wait",
        severity: wavelens_base::Severity::Hint,
        title: "a wait should leave outstanding what nothing needs yet",
        explain: "A wait for fewer operations than the next instructions use stops the wave for results that it needs later. The \
message says what is enough until the next wait for the same counter. The rule reports hints, and only on request \
(`pedantic`), for loads into registers where both waits are in one basic block without a barrier, a branch or a store between \
them. It does not know when a wait is there to order the loads of several waves.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt lgkmcnt(0)\nds_read_b32 v0, v8\n\
ds_read_b32 v1, v8 offset:4\ns_waitcnt lgkmcnt(0)\nv_add_f32 v2, v0, v0\nds_read_b32 v4, v8\ns_waitcnt lgkmcnt(0)\n\
v_add_f32 v3, v1, v4\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\ns_waitcnt lgkmcnt(0)\nds_read_b32 v0, v8\n\
ds_read_b32 v1, v8 offset:4\ns_waitcnt lgkmcnt(1)\nv_add_f32 v2, v0, v0\nds_read_b32 v4, v8\ns_waitcnt lgkmcnt(0)\n\
v_add_f32 v3, v1, v4\n",
        source: "instruction set manuals, \"Manually Resolved Dependencies: S_WAITCNT\"",
    }
}

/// Reports the wait at `index` if a weaker one is enough.
pub(super) fn find(graph: &Graph<'_>, index: usize, state: &Outstanding, out: &mut Vec<Diagnostic>) {
    let Some(instruction) = graph.instructions.get(index) else { return };
    for (counter, left) in waits(graph.target, instruction) {
        let Some(queue) = state.of(counter) else { continue };
        let Some((enough, next)) = enough(graph, index, queue, counter, left as usize) else { continue };
        // A wait for as many as the counter holds waits for nothing.
        let count = (enough as u32).min(capacity(graph.target, counter) - 1);
        let mut diagnostic = match queue.len() == enough {
            true => {
                let own = wait_text(graph.target, counter, left);
                let message =
                    format!("nothing that `{own}` covers is used before the next wait for the counter");
                Diagnostic::new(&STRONG_WAIT, instruction.range, message)
            }
            false if count <= left => continue,
            false => {
                let weaker = wait_text(graph.target, counter, count);
                let message =
                    format!("this waits for more than is used before the next wait: `{weaker}` is enough");
                Diagnostic::new(&STRONG_WAIT, instruction.range, message)
            }
        };
        if let Some(next) = graph.instructions.get(next) {
            diagnostic = diagnostic.related(Place::Here(next.range), "this wait covers the rest");
        }
        out.push(graph.show_nested(index, diagnostic));
    }
}

/// How many operations the wait may leave, if that is more than it leaves, with the next wait for the counter.
fn enough(
    graph: &Graph<'_>,
    index: usize,
    queue: &[u32],
    counter: Counter,
    left: usize,
) -> Option<(usize, usize)> {
    let covered = queue.get(..queue.len().checked_sub(left).filter(|n| *n > 0)?)?;
    if !queue.iter().all(|i| is_plain_load(graph, *i as usize)) {
        return None;
    }
    // The last one that is used, as its place in the queue plus 1.
    let mut used = 0;
    let mut issued = 0;
    let end = graph.block(graph.block_of(index)).end;
    for i in index + 1..end {
        let (instruction, effect) = (graph.instructions.get(i)?, graph.effects.get(i)?);
        let next = waits(graph.target, instruction);
        if let Some((_, next_left)) = next.iter().find(|(c, _)| *c == counter) {
            // The next wait must cover what this one leaves.
            let open = covered.len() - used;
            let newer = left + issued;
            let is_covered = open > 0 && newer >= *next_left as usize;
            return is_covered.then_some((queue.len() - used, i));
        }
        let orders = effect.call
            || effect.branch
            || effect.terminates
            || effect.may_store
            || is_opaque(graph, i)
            || effect.class == IssueClass::Other
                && next.is_empty()
                && instruction.encoded.mnemonic() != "s_nop";
        if orders || graph.follows_gap(i) {
            return None;
        }
        let uses = |operation: &u32| {
            let filled = graph.effects.get(*operation as usize).map_or(&[][..], |e| e.writes);
            let mut touched = effect.reads.iter().chain(effect.writes);
            touched.any(|a| filled.iter().any(|f| dwords(f.reg()).any(|d| dwords(a.reg()).contains(&d))))
        };
        used = covered.iter().rposition(uses).map_or(used, |place| used.max(place + 1));
        issued += usize::from(effect.counters.contains(&counter));
    }
    None
}

/// Loads registers, and orders nothing between waves as far as the text tells.
fn is_plain_load(graph: &Graph<'_>, index: usize) -> bool {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return false;
    };
    let counted = effect.counters.iter().filter(|c| **c != Counter::X).count();
    effect.may_load
        && !effect.may_store
        && !effect.writes.is_empty()
        && counted == 1
        && !is_unordered(graph, index)
        && instruction.encoded.number("cpol").unwrap_or(0) == 0
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks_pedantic;

    #[test]
    fn the_weakest_wait_that_is_enough_is_named() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^ hint[strong-wait]: this waits for more than is used before the next wait: `s_waitcnt lgkmcnt(2)` is enough
                ;                  = line 7:1: this wait covers the rest
                v_mov_b32 v4, v0
                s_waitcnt lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^ hint[idle-wait]: this waits for nothing: no operation is outstanding here
                v_add_f32 v3, v1, v2
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^ hint[strong-wait]: this waits for more than is used before the next wait: `s_waitcnt lgkmcnt(1)` is enough
                ;                  = line 8:1: this wait covers the rest
                v_mov_b32 v4, v1
                ds_read_b32 v5, v8
                s_waitcnt lgkmcnt(0)
                v_add_f32 v3, v1, v2
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                v_mov_b32 v4, v2
                s_waitcnt lgkmcnt(0)
                ;^^^^^^^^^^^^^^^^^^^ hint[idle-wait]: this waits for nothing: no operation is outstanding here
                v_add_f32 v3, v1, v2
            "#]],
        );
    }

    #[test]
    fn a_count_that_the_counter_does_not_hold_is_not_proposed() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v40 offset:0
                ds_read_b32 v1, v40 offset:4
                ds_read_b32 v2, v40 offset:8
                ds_read_b32 v3, v40 offset:12
                ds_read_b32 v4, v40 offset:16
                ds_read_b32 v5, v40 offset:20
                ds_read_b32 v6, v40 offset:24
                ds_read_b32 v7, v40 offset:28
                ds_read_b32 v8, v40 offset:32
                ds_read_b32 v9, v40 offset:36
                ds_read_b32 v10, v40 offset:40
                ds_read_b32 v11, v40 offset:44
                ds_read_b32 v12, v40 offset:48
                ds_read_b32 v13, v40 offset:52
                ds_read_b32 v14, v40 offset:56
                ds_read_b32 v15, v40 offset:60
                ds_read_b32 v16, v40 offset:64
                ds_read_b32 v17, v40 offset:68
                s_waitcnt lgkmcnt(14)
                v_mov_b32 v41, v0
                s_waitcnt lgkmcnt(0)
                v_add_f32 v41, v1, v2
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v40 offset:0
                ds_read_b32 v1, v40 offset:4
                ds_read_b32 v2, v40 offset:8
                ds_read_b32 v3, v40 offset:12
                ds_read_b32 v4, v40 offset:16
                ds_read_b32 v5, v40 offset:20
                ds_read_b32 v6, v40 offset:24
                ds_read_b32 v7, v40 offset:28
                ds_read_b32 v8, v40 offset:32
                ds_read_b32 v9, v40 offset:36
                ds_read_b32 v10, v40 offset:40
                ds_read_b32 v11, v40 offset:44
                ds_read_b32 v12, v40 offset:48
                ds_read_b32 v13, v40 offset:52
                ds_read_b32 v14, v40 offset:56
                ds_read_b32 v15, v40 offset:60
                ds_read_b32 v16, v40 offset:64
                ds_read_b32 v17, v40 offset:68
                s_waitcnt lgkmcnt(12)
                ;^^^^^^^^^^^^^^^^^^^^ hint[strong-wait]: this waits for more than is used before the next wait: `s_waitcnt lgkmcnt(14)` is enough
                ;                   = line 22:1: this wait covers the rest
                v_mov_b32 v41, v0
                s_waitcnt lgkmcnt(0)
                v_add_f32 v41, v1, v2
            "#]],
        );
    }

    #[test]
    fn what_may_order_memory_keeps_it_quiet() {
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                s_barrier
                ds_read_b32 v5, v8
                s_waitcnt lgkmcnt(0)
                v_add_f32 v3, v1, v2
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                ds_write_b32 v8, v0
                ds_read_b32 v5, v8
                s_waitcnt lgkmcnt(0)
                v_add_f32 v3, v1, v2
            "#]],
        );
        marks_pedantic(
            "gfx900",
            expect![[r#"
                s_waitcnt lgkmcnt(0)
                ds_read_b32 v0, v8
                ds_read_b32 v1, v8 offset:4
                ds_read_b32 v2, v8 offset:8
                s_waitcnt lgkmcnt(0)
                s_cbranch_scc0 l
                l:
                ds_read_b32 v5, v8
                s_waitcnt lgkmcnt(0)
                v_add_f32 v3, v1, v2
            "#]],
        );
    }
}
