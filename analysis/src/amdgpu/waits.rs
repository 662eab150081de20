//! Results of memory operations that are used before a wait made sure that they are there.
//!
//! Per counter, operations are taken to finish in the order they were issued: a wait for `n` leaves the last `n` open. That
//! is what the hardware promises for most, and for the others it can only make this rule miss something.

use wavelens_isa::{Counter, IssueClass, MachineOperand, RegFile, Target};

use super::flow::{Graph, dword_name, dwords};
use super::program::Instruction;
use crate::{Diagnostic, Place, Rule, Severity};

/// See [`Rule::explain`].
pub(super) static MISSING_WAIT: Rule = Rule {
    code: "missing-wait",
    severity: Severity::Warning,
    explain: "Memory operations run on while the wave goes on. A result is there only after a wait (`s_waitcnt vmcnt(0)`, \
`s_wait_loadcnt 0`, ...) for the counter that the operation raised; a read before that gets the old contents of the \
register.\n\n```\nglobal_load_dword v1, v0, s[0:1]\nv_add_u32 v2, v1, v1   ; too early: s_waitcnt vmcnt(0) is missing\n```",
};

/// A register that an operation will write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pending {
    dword: u16,
    counter: Counter,
    /// Operations of the counter issued after it.
    newer: u8,
    producer: u32,
}

type State = Vec<Pending>;

/// Counters hold no more than this.
const MOST: u8 = 63;

fn tracked(counter: Counter) -> bool {
    matches!(
        counter,
        Counter::Vm
            | Counter::Lgkm
            | Counter::Load
            | Counter::Sample
            | Counter::Bvh
            | Counter::Ds
            | Counter::Km
    )
}

/// What an instruction waits for: counters with how many may stay open.
pub(super) fn waits(target: Target, instruction: &Instruction) -> Vec<(Counter, u32)> {
    let inst = &instruction.encoded.inst;
    let imm = || {
        inst.operands().iter().rev().find_map(|o| match o {
            MachineOperand::Imm(value) => Some(*value as u32),
            _ => None,
        })
    };
    let mnemonic = inst.mnemonic();
    let all =
        [Counter::Vm, Counter::Lgkm, Counter::Load, Counter::Sample, Counter::Bvh, Counter::Ds, Counter::Km];
    let single = |counter| imm().map(|n| vec![(counter, n)]).unwrap_or_default();
    match mnemonic {
        "s_waitcnt" => imm().map(|bits| waitcnt_fields(target, bits)).unwrap_or_default(),
        "s_waitcnt_vmcnt" => single(Counter::Vm),
        "s_waitcnt_lgkmcnt" => single(Counter::Lgkm),
        "s_wait_loadcnt" => single(Counter::Load),
        "s_wait_samplecnt" => single(Counter::Sample),
        "s_wait_bvhcnt" => single(Counter::Bvh),
        "s_wait_dscnt" => single(Counter::Ds),
        "s_wait_kmcnt" => single(Counter::Km),
        "s_wait_loadcnt_dscnt" => imm()
            .map(|bits| vec![(Counter::Load, bits >> 8 & 63), (Counter::Ds, bits & 63)])
            .unwrap_or_default(),
        "s_wait_storecnt_dscnt" => imm().map(|bits| vec![(Counter::Ds, bits & 63)]).unwrap_or_default(),
        "s_wait_idle" => all.iter().map(|c| (*c, 0)).collect(),
        _ => Vec::new(),
    }
}

/// The fields of `s_waitcnt`'s number.
pub(super) fn waitcnt_fields(target: Target, bits: u32) -> Vec<(Counter, u32)> {
    let (vm, exp, lgkm) = match target.major() {
        11.. => (bits >> 10 & 63, bits & 7, bits >> 4 & 63),
        10 => (bits & 15 | (bits >> 14 & 3) << 4, bits >> 4 & 7, bits >> 8 & 63),
        9 => (bits & 15 | (bits >> 14 & 3) << 4, bits >> 4 & 7, bits >> 8 & 15),
        _ => (bits & 15, bits >> 4 & 7, bits >> 8 & 15),
    };
    vec![(Counter::Vm, vm), (Counter::Exp, exp), (Counter::Lgkm, lgkm)]
}

fn wait_text(counter: Counter) -> &'static str {
    match counter {
        Counter::Vm => "s_waitcnt vmcnt(0)",
        Counter::Lgkm => "s_waitcnt lgkmcnt(0)",
        Counter::Load => "s_wait_loadcnt 0x0",
        Counter::Sample => "s_wait_samplecnt 0x0",
        Counter::Bvh => "s_wait_bvhcnt 0x0",
        Counter::Ds => "s_wait_dscnt 0x0",
        _ => "s_wait_kmcnt 0x0",
    }
}

/// Finds the reads that come too early in one function.
pub(super) fn missing_waits(target: Target, graph: &Graph<'_>, out: &mut Vec<Diagnostic>) {
    let blocks = graph.cfg.len();
    let mut ins: Vec<Option<State>> = vec![None; blocks];
    let Some(entry) = ins.first_mut() else { return };
    *entry = Some(State::new());
    let order = graph.cfg.reverse_post_order();
    // A loop needs few rounds: positions only sink, and registers only join.
    for _ in 0..64 {
        let mut changed = false;
        for block in &order {
            let Some(mut state) = ins.get(*block as usize).cloned().flatten() else { continue };
            for index in graph.block(*block as usize) {
                step(target, graph, index, &mut state);
            }
            for next in graph.cfg.successors(*block) {
                let Some(slot) = ins.get_mut(*next as usize) else { continue };
                changed |= join(slot, &state);
            }
        }
        if !changed {
            break;
        }
    }
    for block in order {
        let Some(mut state) = ins.get(block as usize).cloned().flatten() else { continue };
        for index in graph.block(block as usize) {
            report(graph, index, &mut state, out);
            step(target, graph, index, &mut state);
        }
    }
}

fn join(slot: &mut Option<State>, state: &State) -> bool {
    let Some(own) = slot else {
        *slot = Some(state.clone());
        return true;
    };
    let mut changed = false;
    for pending in state {
        match own.iter_mut().find(|p| p.dword == pending.dword && p.counter == pending.counter) {
            Some(known) if known.newer > pending.newer => {
                known.newer = pending.newer;
                changed = true;
            }
            Some(_) => {}
            None => {
                own.push(*pending);
                changed = true;
            }
        }
    }
    changed
}

fn step(target: Target, graph: &Graph<'_>, index: usize, state: &mut State) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if effect.call {
        // A callee waits for everything before it goes on.
        state.clear();
        return;
    }
    for (counter, left) in waits(target, instruction) {
        state.retain(|p| p.counter != counter || u32::from(p.newer) < left);
    }
    let memory = effect.counters.iter().any(|c| tracked(*c));
    for write in &effect.writes {
        // Whoever writes the register now, what comes later from memory is another mistake than reading too early.
        let range = dwords(write.reg);
        state.retain(|p| !range.contains(&usize::from(p.dword)));
    }
    if !memory {
        return;
    }
    for counter in effect.counters.iter().filter(|c| tracked(**c)) {
        state.iter_mut().filter(|p| p.counter == *counter).for_each(|p| p.newer = p.newer.saturating_add(1));
        state.retain(|p| p.newer <= MOST);
        for write in effect.writes.iter().filter(|w| w.operand.is_some()) {
            if !matches!(write.reg.file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr) {
                continue;
            }
            for dword in dwords(write.reg) {
                let pending =
                    Pending { dword: dword as u16, counter: *counter, newer: 0, producer: index as u32 };
                state.push(pending);
            }
        }
    }
}

fn report(graph: &Graph<'_>, index: usize, state: &mut State, out: &mut Vec<Diagnostic>) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if state.is_empty() {
        return;
    }
    let memory = matches!(effect.class, IssueClass::Vmem | IssueClass::Lds | IssueClass::Smem);
    for read in effect.reads.iter().filter(|r| r.operand.is_some() && !(r.partial && memory)) {
        let range = dwords(read.reg);
        // A load that goes on filling the register it loaded before: hardware keeps the order.
        let also_written = memory && effect.writes.iter().any(|w| w.reg == read.reg);
        let Some(early) = state.iter().find(|p| range.contains(&usize::from(p.dword))).copied() else {
            continue;
        };
        if also_written {
            continue;
        }
        let name = dword_name(usize::from(early.dword));
        let message = format!(
            "`{name}` is read before it has arrived from memory: `{}` is missing",
            wait_text(early.counter)
        );
        let mut diagnostic = Diagnostic::new(&MISSING_WAIT, instruction.range, message);
        if let Some(producer) = graph.instructions.get(early.producer as usize) {
            diagnostic = diagnostic.related(Place::Here(producer.range), "this fills it");
        }
        out.push(diagnostic);
        // Once is enough: after the wait that is missing nothing of this is open.
        state.retain(|p| p.counter != early.counter);
        return;
    }
}
