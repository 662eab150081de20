//! Waits that cost time and cover nothing: hints for tuning kernels, on request (`pedantic`).
//!
//! Per counter the operations that are outstanding are kept in the order of their issue. Where ways join that issued others, where
//! a callee or a cache operation counts in ways that the text does not tell, and in functions that are not kernels before their
//! first wait for 0, nothing is known, and no rule speaks.

mod adjacent_waits;
mod idle_wait;
mod strong_wait;

use rustc_hash::FxHashSet;
use wavelens_isa::{Counter, IssueClass, Traits};

use crate::context::RuleContext;
use crate::flow::Graph;
use crate::wait_counters::waits;
use wavelens_base::Rule;

/// Every rule of this folder.
pub(super) static RULES: &[&[&Rule]] = &[adjacent_waits::RULES, idle_wait::RULES, strong_wait::RULES];

const COUNTERS: [Counter; 8] = [
    Counter::Vm,
    Counter::Lgkm,
    Counter::Exp,
    Counter::Load,
    Counter::Sample,
    Counter::Bvh,
    Counter::Ds,
    Counter::Km,
];

/// The outstanding operations of each counter of [`COUNTERS`], oldest first, as numbers of instructions; `None` where they are not
/// known.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Outstanding([Option<Vec<u32>>; COUNTERS.len()]);

impl Outstanding {
    fn none() -> Outstanding {
        Outstanding([const { Some(Vec::new()) }; COUNTERS.len()])
    }

    fn unknown() -> Outstanding {
        Outstanding([const { None }; COUNTERS.len()])
    }

    fn of(&self, counter: Counter) -> Option<&[u32]> {
        let place = COUNTERS.iter().position(|c| *c == counter)?;
        self.0.get(place)?.as_deref()
    }

    /// Whether anything changed.
    fn join(&mut self, other: &Outstanding) -> bool {
        let mut changed = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            if own.is_some() && own != other {
                *own = None;
                changed = true;
            }
        }
        changed
    }

    fn step(&mut self, graph: &Graph<'_>, index: usize) {
        let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index))
        else {
            return;
        };
        if graph.follows_gap(index) || effect.call || is_opaque(graph, index) {
            *self = Outstanding::unknown();
            return;
        }
        for (counter, left) in waits(graph.target, instruction) {
            let Some(place) = COUNTERS.iter().position(|c| *c == counter) else { continue };
            match &mut self.0[place] {
                Some(queue) if left == 0 || !queue.iter().any(|i| is_unordered(graph, *i as usize)) => {
                    let done = queue.len().saturating_sub(left as usize);
                    queue.drain(..done);
                }
                slot if left == 0 => *slot = Some(Vec::new()),
                // Some are done, and which ones is not known.
                slot => *slot = None,
            }
        }
        for counter in effect.counters {
            let place = COUNTERS.iter().position(|c| c == counter);
            if let Some(Some(queue)) = place.and_then(|p| self.0.get_mut(p)) {
                queue.push(index as u32);
            }
        }
    }
}

/// Scalar loads return in any order.
fn is_unordered(graph: &Graph<'_>, index: usize) -> bool {
    graph.effects.get(index).is_none_or(|e| matches!(e.class, IssueClass::Smem | IssueClass::Other))
}

/// Whether an instruction counts, or waits, in ways that are not followed here: cache operations, messages, interpolation.
fn is_opaque(graph: &Graph<'_>, index: usize) -> bool {
    let Some(instruction) = graph.instructions.get(index) else { return true };
    let names =
        ["buffer_wb", "buffer_inv", "buffer_gl", "global_wb", "global_inv", "s_dcache", "s_gl1", "s_icache"];
    let name = instruction.encoded.mnemonic();
    instruction.encoded.traits().any(Traits::VINTERP)
        || names.iter().any(|start| name.starts_with(start))
        || name.starts_with("s_sendmsg")
}

/// Where code that is not reached from the start goes on into code that is: with preloaded kernel arguments, a kernel starts 256
/// bytes after its label.
fn other_entries(graph: &Graph<'_>) -> FxHashSet<usize> {
    let order = graph.cfg.reverse_post_order();
    let reached: FxHashSet<u32> = order.iter().copied().collect();
    let is_entered = |block: &u32| graph.cfg.predecessors(*block).iter().any(|from| !reached.contains(from));
    order.iter().copied().filter(is_entered).map(|block| graph.block(block as usize).start).collect()
}

/// Reports the waits of one function that could be weaker, or fewer.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    if !cx.pedantic {
        return;
    }
    let (graph, steps) = (cx.graph, cx.steps);
    adjacent_waits::function(cx);
    if graph.may_skip_vectors {
        return;
    }
    let entry = if cx.descriptor.is_some() { Outstanding::none() } else { Outstanding::unknown() };
    let entries = other_entries(graph);
    let step = |index: usize, state: &mut Outstanding| {
        if entries.contains(&index) {
            *state = Outstanding::unknown();
        }
        if steps.spend(1) {
            state.step(graph, index);
        } else {
            *state = Outstanding::unknown();
        }
    };
    let join = |own: &mut Outstanding, other: &Outstanding, _| own.join(other);
    for (block, mut state) in graph.forward(entry, usize::MAX, step, join) {
        for index in graph.block(block) {
            if entries.contains(&index) {
                state = Outstanding::unknown();
            }
            if !idle_wait::find(graph, index, &state, &mut cx.diagnostics) {
                strong_wait::find(graph, index, &state, &mut cx.diagnostics);
            }
            step(index, &mut state);
        }
    }
}
