//! Registers that are used before a wait made sure that memory operations are done with them.
//!
//! Operations of one counter and class finish in the order they were issued: a wait for `n` leaves the last `n` open at most. Those
//! of another class can finish before older ones, and scalar loads in any order, so that only a wait for 0 covers them.
//!
//! Where ways join that issued unlike numbers of operations, a wait can count on those of the shortest way. After a later branch it
//! is taken to know which way it was: a test that picks the way often picks the wait too.
//!
//! A flat access raises two counters, of memory and of LDS, and is done when both are down. Before gfx10 it may be counted down
//! before older accesses, so that while it is open only a wait for 0 covers anything ("FLAT instructions", CDNA3 manual, section 9.4). Before
//! gfx9 all of global memory is read so, and compilers that know it count.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::{Counter, IssueClass};

use super::overwritten_load::UnreadLoads;
use super::pending::*;
use crate::assembler::program::Instruction;
use crate::context::RuleContext;
use crate::flow::{Graph, dword_name};
use crate::rules::inserted_line::insert_before;
use crate::rules::named_operand;
use crate::wait_counters::{Wait, wait_text, waits, waits_text};
use wavelens_base::{Diagnostic, Place, TextRange};

wavelens_syntax::rules! {
    MISSING_WAIT {
        code: "missing-wait",
        severity: wavelens_base::Severity::Warning,
        title: "a register must not be used before the memory operation that uses it is done",
        explain: "Memory operations run on while the wave goes on. A result is there only after a wait (`s_waitcnt vmcnt(0)`, \
`s_wait_loadcnt 0`, ...) for the counter that the operation raised; a read before that gets the old contents of the \
register, and a write before that is overwritten by the result (`overwritten-load` if nothing reads the result). Exports (and stores before gfx7) read their registers \
late, exports `exec` too: these must not be written before a wait for `expcnt`. On gfx1250 memory may have to read all \
registers of an access again until its addresses are translated (`s_wait_xcnt`): a warning where the target id asks for replay \
(`:xnack+`), else a hint on request (`pedantic`). The wait in the message is the weakest \
one that covers, on all paths, the operation and those before it whose registers are used up to the next wait for the counter. If caches \
are invalidated before the use (`buffer_inv`, `global_inv`), the wait is for 0 and belongs before that: what is loaded afterwards must not be \
older than this load. In a function with `s_setvskip` the wait is for 0, since skipped instructions are not counted. From gfx11 on a vector instruction that writes half of a register writes the other half back, so that it waits for loads \
of either half; a load or store of 16 bits waits for its own half only. Long instructions between an operation and the use of its result \
are not a wait, even where a kernel works with them today, and one operation more than was counted makes a count too weak.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nglobal_load_dword v1, v0, s[0:1]\n\
v_add_u32 v2, v1, v1\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nglobal_load_dword v1, v0, s[0:1]\n\
s_waitcnt vmcnt(0)\nv_add_u32 v2, v1, v1\n",
        source: "instruction set manuals, \"Manually Resolved Dependencies: S_WAITCNT\"; LLVM SIInsertWaitcnts",
    }
}

/// A missing wait, and the uses in its block that it covers.
struct Finding {
    /// The first use.
    index: usize,
    missing: MissingWait,
    /// The wait for the other counter of a flat access.
    second: Option<MissingWait>,
    /// Operations of the counter and class that were issued since.
    issued: u32,
    /// The last other use, and the register.
    also: Option<(usize, u16)>,
}

impl Finding {
    /// Whether a wait at the first use can cover this one too; then it is made as strong.
    fn covers(&mut self, index: usize, other: &MissingWait) -> bool {
        let kind = |missing: &MissingWait| (missing.last.counter, missing.last.class);
        let is_older = u32::from(other.last.newer.least) >= self.issued;
        let is_here = is_older && kind(&self.missing) == kind(other);
        if is_here {
            self.missing.left = self.missing.left.min(other.left.saturating_sub(self.issued));
            self.also = Some((index, other.last.dword));
        }
        is_here
    }

    /// Whether a missing wait is for the other counter of the same access.
    fn is_same_access(&self, index: usize, other: &MissingWait) -> bool {
        let key = |missing: &MissingWait| (missing.last.producer, missing.last.dword, missing.last.what);
        self.index == index && self.second.is_none() && key(&self.missing) == key(other)
    }

    /// Takes an instruction between the first use and what follows. Returns whether a wait at the first use can cover later ones.
    fn pass(&mut self, graph: &Graph<'_>, index: usize) -> bool {
        let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index))
        else {
            return true;
        };
        let Pending { counter, class, .. } = self.missing.last;
        self.issued += u32::from(unit(effect, counter) == class && effect.counters.contains(&counter));
        let is_closed = effect.class == IssueClass::Other
            && waits(graph.target, instruction).iter().any(|(own, _)| *own == counter);
        // Older operations have at most so many newer ones.
        !is_closed && self.issued <= Newer::MOST
    }
}

/// Reports the uses that come too early in one function, each missing wait once: after a finding its wait is taken to be there.
pub(crate) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    let unread = UnreadLoads::new(graph, steps);
    // A loop needs few rounds: positions only sink, and registers only join.
    let over = |index: usize, state: &mut State| {
        if !steps.spend(1 + state.len() as u64 / 4) || graph.follows_gap(index) {
            state.clear();
        }
        wait_before(graph, index, state);
        while take_missing_wait(graph, index, state, &unread).is_some() {}
        step(graph, index, state);
    };
    let join = |own: &mut State, other: &State, back: bool| {
        let comparisons = (own.len() * other.len()) as u64 / 8;
        steps.spend(1 + comparisons) && join(own, other, back)
    };
    let mut overwritten = FxHashSet::default();
    for (block, mut state) in graph.forward(State::new(), 64, over, join) {
        let mut found: Vec<Finding> = Vec::new();
        // Those of them that may cover more uses, in order.
        let mut open: Vec<usize> = Vec::new();
        for index in graph.block(block) {
            if graph.follows_gap(index) {
                state.clear();
            }
            wait_before(graph, index, &mut state);
            while let Some(missing) = take_missing_wait(graph, index, &mut state, &unread) {
                if open.iter().any(|n| found[*n].covers(index, &missing)) {
                    continue;
                }
                if let Some(first) = found.last_mut().filter(|f| f.is_same_access(index, &missing)) {
                    first.second = Some(missing);
                    continue;
                }
                open.push(found.len());
                found.push(Finding { index, missing, second: None, issued: 0, also: None });
            }
            if cx.pedantic {
                unread.report(cx.text, index, &state, &mut overwritten, &mut cx.diagnostics);
            }
            step(graph, index, &mut state);
            open.retain(|n| found[*n].pass(graph, index));
        }
        for finding in found {
            // Without replay, memory reads its registers once. Only compilers wait all the same.
            let is_for_replay = finding.missing.last.counter == Counter::X && !cx.xnack;
            if is_for_replay && !cx.pedantic {
                continue;
            }
            let mut diagnostic = report(cx, &finding);
            if is_for_replay {
                diagnostic.severity = wavelens_base::Severity::Hint;
            }
            cx.diagnostics.push(diagnostic);
        }
    }
}

fn report(cx: &RuleContext<'_>, finding: &Finding) -> Diagnostic {
    let graph = cx.graph;
    let Finding { index, missing: MissingWait { last, left, is_read }, second, also, .. } = *finding;
    let Pending { counter, dword, .. } = last;
    let (range, nested) =
        graph.instructions.get(index).map_or_else(Default::default, |i| (i.range, i.nested));
    let name = dword_name(usize::from(dword));
    // A flat access that no wait covers may be one of either memory.
    let either = last.or.filter(|_| counter != Counter::X).map(|(counter, _)| Wait { counter, left: 0 });
    let second = second.as_ref().map(|second| Wait { counter: second.last.counter, left: second.left });
    let second = second.or(either);
    // What is loaded after an invalidation must not be older than what was loaded before.
    let invalidation = invalidation(graph, &last, index);
    let (left, second) = match invalidation {
        Some(_) => (0, second.map(|second| Wait { left: 0, ..second })),
        None => (left, second),
    };
    let wait = match second {
        Some(second) => waits_text(graph.target, Wait { counter, left }, second),
        None => wait_text(graph.target, counter, left),
    };
    let (use_name, related) = match (last.what, is_read) {
        (Use::Fills, true) => (format!("read of `{name}`"), "this operation writes it"),
        (Use::Fills, false) => (format!("write of `{name}`"), "this operation writes it later"),
        (Use::Reads, _) if counter == Counter::X => {
            (format!("write of `{name}`"), "this operation may have to read it again")
        }
        (Use::Reads | Use::None, _) => (format!("write of `{name}`"), "this operation reads it later"),
    };
    let message = format!("missing `{}` before this {use_name}", wait.replace('\n', "`, `"));
    let operand = named_operand::range(graph, cx.text, index, dword.into(), is_read);
    let mut diagnostic = Diagnostic::new(&MISSING_WAIT, operand, message);
    if let Some(producer) = graph.instructions.get(last.producer as usize) {
        diagnostic = diagnostic.related(Place::Here(producer.range), related);
    }
    for (place, note) in path(graph, &last, index) {
        diagnostic = diagnostic.related(Place::Here(place), note);
    }
    if let Some((also, dword)) = also
        && let Some(instruction) = graph.instructions.get(also)
    {
        let note = format!("the wait also covers this use of `{}`", dword_name(usize::from(dword)));
        diagnostic = diagnostic.related(Place::Here(instruction.range), note);
    }
    if let Some(place) = invalidation {
        let note = "the operation must be done before caches are invalidated here";
        diagnostic = diagnostic.related(Place::Here(place), note);
    }
    if !nested {
        diagnostic = insert_before(diagnostic, cx.text, invalidation.unwrap_or(range), &wait);
    }
    graph.show_nested(index, diagnostic)
}

/// The first invalidation of caches that follows a load of vector memory on every way to its early use.
fn invalidation(graph: &Graph<'_>, pending: &Pending, index: usize) -> Option<TextRange> {
    if pending.what != Use::Fills || pending.class != IssueClass::Vmem {
        return None;
    }
    let start = pending.producer as usize;
    let mut block = graph.block_of(start);
    // Only labels that nothing else goes to are between.
    while graph.cfg.successors(block as u32) == [block as u32 + 1]
        && graph.cfg.predecessors(block as u32 + 1) == [block as u32]
    {
        block += 1;
    }
    let end = graph.block(block).end;
    let end = if (start..end).contains(&index) { index } else { end };
    let names = ["global_inv", "buffer_inv", "buffer_gl0_inv", "buffer_gl1_inv", "buffer_wbinv"];
    let is_invalidation = |i: &&Instruction| names.iter().any(|n| i.encoded.mnemonic().starts_with(n));
    let between = graph.instructions.get(start + 1..end)?;
    between.iter().find(is_invalidation).filter(|i| !i.nested).map(|i| i.range)
}

/// Labels on the way from an operation to its early use, at most.
const SHOWN_LABELS: usize = 3;

/// The blocks and the last insufficient wait on the shortest path from an operation to its early use, on which as few others were
/// issued as the analysis found.
fn path(graph: &Graph<'_>, pending: &Pending, index: usize) -> Vec<(TextRange, String)> {
    let start = pending.producer as usize;
    let (from, to) = (graph.block_of(start), graph.block_of(index));
    // Runs from one instruction to before another: operations issued, and the last wait that leaves them open; `None` if a wait
    // covers the operation.
    let run = |range: std::ops::Range<usize>, mut issued: u32, mut wait: Option<(usize, u32)>| {
        for i in range {
            if graph.follows_gap(i) {
                return None;
            }
            let effect = graph.effects.get(i)?;
            if effect.class == IssueClass::Other {
                let own = waits(graph.target, graph.instructions.get(i)?);
                if let Some((_, left)) = own.iter().find(|(c, _)| *c == pending.counter) {
                    if issued >= *left && !(pending.order == Order::Lost && *left > 0) {
                        return None;
                    }
                    wait = Some((i, *left));
                }
            }
            let is_counted = effect.counters.contains(&pending.counter);
            issued += u32::from(is_counted && unit(effect, pending.counter) == pending.class);
        }
        Some((issued, wait))
    };
    let mut came_from: FxHashMap<usize, usize> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::new();
    let straight = from == to && start < index;
    let mut last_wait = None;
    if straight {
        last_wait = run(start + 1..index, 0, None).and_then(|(_, wait)| wait);
    } else if let Some((issued, wait)) = run(start + 1..graph.block(from).end, 0, None) {
        queue.push_back((from, issued, wait));
    }
    'search: while let Some((block, issued, wait)) = queue.pop_front() {
        for next in graph.cfg.successors(block as u32) {
            let next = *next as usize;
            if next == to {
                let Some((issued, wait)) = run(graph.block(to).start..index, issued, wait) else { continue };
                if pending.order == Order::Lost || issued <= u32::from(pending.newer.least) {
                    came_from.insert(next, block);
                    last_wait = wait;
                    break 'search;
                }
            } else if !came_from.contains_key(&next)
                && next != from
                && let Some((issued, wait)) = run(graph.block(next), issued, wait)
            {
                came_from.insert(next, block);
                queue.push_back((next, issued, wait));
            }
        }
    }
    let mut notes = Vec::new();
    if let Some((place, left)) = last_wait
        && let Some(i) = graph.instructions.get(place)
    {
        let operations = if left == 1 { "operation" } else { "operations" };
        notes.push((i.range, format!("this wait leaves {left} {operations} outstanding")));
    }
    let mut blocks = Vec::new();
    let mut block = to;
    while let Some(before) = came_from.get(&block).filter(|_| !straight) {
        blocks.push(block);
        block = *before;
        if block == from {
            break;
        }
    }
    blocks.reverse();
    let labels = blocks.iter().filter_map(|block| graph.label(*block));
    notes.extend(labels.take(SHOWN_LABELS).map(|label| (label, "on the path through this label".to_owned())));
    notes
}
