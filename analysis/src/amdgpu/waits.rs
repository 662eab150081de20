//! Registers that are used before a wait made sure that memory operations are done with them.
//!
//! Per counter, operations are taken to finish in the order they were issued: a wait for `n` leaves the last `n` open. That
//! is what the hardware promises for most; scalar loads return in any order, so that only a wait for 0 covers them.

use wavelens_isa::{Counter, Effects, IssueClass, MachineOperand, RegFile, Target};

use super::flow::{Graph, dword_name, dwords};
use super::program::Instruction;
use crate::{Diagnostic, Place, Rule, Severity};

/// See [`Rule::explain`].
pub(super) static MISSING_WAIT: Rule = Rule {
    code: "missing-wait",
    severity: Severity::Warning,
    explain: "Memory operations run on while the wave goes on. A result is there only after a wait (`s_waitcnt vmcnt(0)`, \
`s_wait_loadcnt 0`, ...) for the counter that the operation raised; a read before that gets the old contents of the \
register, and a write before that is overwritten by the result. Exports (and stores before gfx7) read their registers late: \
these must not be written before a wait for `expcnt`.\n\n```\nglobal_load_dword v1, v0, s[0:1]\nv_add_u32 v2, v1, v1   ; \
too early: s_waitcnt vmcnt(0) is missing\n```",
};

/// What an operation still does with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Fills,
    Reads,
}

/// A register that an operation still uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pending {
    dword: u16,
    what: Use,
    counter: Counter,
    /// Operations of the counter issued after it.
    newer: u8,
    /// A flat operation raises two counters. Whoever knows where it goes waits for one.
    or: Option<(Counter, u8)>,
    /// Only a wait for 0 covers it.
    unordered: bool,
    class: IssueClass,
    producer: u32,
}

impl Pending {
    /// Whether a wait that leaves `left` operations of `counter` open covers it.
    fn is_covered(&self, counter: Counter, left: u32) -> bool {
        let enough = |own: Counter, newer: u8| {
            own == counter && if self.unordered { left == 0 } else { u32::from(newer) >= left }
        };
        enough(self.counter, self.newer) || self.or.is_some_and(|(c, n)| enough(c, n))
    }
}

type State = Vec<Pending>;

/// What a counter holds at most: an operation waits to issue when so many are open.
fn capacity(target: Target, counter: Counter) -> u32 {
    match (counter, target.major()) {
        (Counter::Exp | Counter::Bvh, _) => 7,
        (Counter::Km, _) => 31,
        (Counter::Vm, ..9) | (Counter::Lgkm, ..10) => 15,
        _ => 63,
    }
}

fn tracked(counter: Counter) -> bool {
    !matches!(counter, Counter::Vs | Counter::Store | Counter::X | Counter::Async | Counter::Tensor)
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
    let all = [
        Counter::Vm,
        Counter::Lgkm,
        Counter::Exp,
        Counter::Load,
        Counter::Sample,
        Counter::Bvh,
        Counter::Ds,
        Counter::Km,
    ];
    let single = |counter| imm().map(|n| vec![(counter, n)]).unwrap_or_default();
    match inst.mnemonic() {
        "s_waitcnt" => imm().map(|bits| waitcnt_fields(target, bits)).unwrap_or_default(),
        "s_waitcnt_vmcnt" => single(Counter::Vm),
        "s_waitcnt_lgkmcnt" => single(Counter::Lgkm),
        "s_waitcnt_expcnt" | "s_wait_expcnt" => single(Counter::Exp),
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
    // A field with all bits set waits for nothing.
    [(Counter::Vm, vm), (Counter::Exp, exp), (Counter::Lgkm, lgkm)]
        .into_iter()
        .filter(|(counter, n)| *n < capacity(target, *counter))
        .collect()
}

fn wait_text(target: Target, counter: Counter) -> &'static str {
    match counter {
        Counter::Vm => "s_waitcnt vmcnt(0)",
        Counter::Lgkm => "s_waitcnt lgkmcnt(0)",
        Counter::Exp if target.major() >= 12 => "s_wait_expcnt 0x0",
        Counter::Exp => "s_waitcnt expcnt(0)",
        Counter::Load => "s_wait_loadcnt 0x0",
        Counter::Sample => "s_wait_samplecnt 0x0",
        Counter::Bvh => "s_wait_bvhcnt 0x0",
        Counter::Ds => "s_wait_dscnt 0x0",
        _ => "s_wait_kmcnt 0x0",
    }
}

/// Finds the uses that come too early in one function.
pub(super) fn missing_waits(graph: &Graph<'_>, out: &mut Vec<Diagnostic>) {
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
                step(graph, index, &mut state);
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
            step(graph, index, &mut state);
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
        let same = |p: &&mut Pending| {
            p.dword == pending.dword && p.counter == pending.counter && p.what == pending.what
        };
        match own.iter_mut().find(same) {
            Some(known) if known.newer > pending.newer => {
                *known = *pending;
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

/// Files whose registers are followed. Named registers are, but for those that no operation names.
fn is_followed(file: RegFile) -> bool {
    matches!(file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr | RegFile::Special)
}

fn step(graph: &Graph<'_>, index: usize, state: &mut State) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if effect.call {
        // A callee waits for everything before it goes on.
        state.clear();
        return;
    }
    if effect.class == IssueClass::Other && !state.is_empty() {
        for (counter, left) in waits(graph.target, instruction) {
            state.retain(|p| !p.is_covered(counter, left));
        }
    }
    if !state.is_empty() {
        for write in &effect.writes {
            // Whoever writes the register now has been told, or comes after the memory operation for certain.
            let range = dwords(write.reg);
            state.retain(|p| p.what != Use::Fills || !range.contains(&usize::from(p.dword)));
        }
    }
    if effect.counters.iter().any(|c| tracked(*c)) {
        issue(graph, index, effect, state);
    }
}

/// Takes the operation that an instruction starts into the state.
fn issue(graph: &Graph<'_>, index: usize, effect: &Effects, state: &mut State) {
    for counter in effect.counters.iter().filter(|c| tracked(**c)) {
        for pending in state.iter_mut() {
            if pending.counter == *counter {
                pending.newer = pending.newer.saturating_add(1);
            }
            if let Some((own, newer)) = &mut pending.or
                && own == counter
            {
                *newer = newer.saturating_add(1);
            }
        }
    }
    state.retain(|p| u32::from(p.newer) < capacity(graph.target, p.counter));
    let mut push = |dword: usize, what: Use, counter: Counter, or: Option<Counter>| {
        state.push(Pending {
            dword: dword as u16,
            what,
            counter,
            newer: 0,
            or: or.map(|c| (c, 0)),
            unordered: effect.class == IssueClass::Smem,
            class: effect.class,
            producer: index as u32,
        });
    };
    let mut filling = effect.counters.iter().copied().filter(|c| tracked(*c) && *c != Counter::Exp);
    let direct = effect.class == IssueClass::Lds && effect.counters == [Counter::Exp];
    if let Some(counter) = if direct { Some(Counter::Exp) } else { filling.next() } {
        let or = filling.next();
        for write in effect.writes.iter().filter(|w| w.operand.is_some() && is_followed(w.reg.file)) {
            for dword in dwords(write.reg) {
                push(dword, Use::Fills, counter, or);
            }
        }
    }
    if !direct && effect.counters.contains(&Counter::Exp) {
        let inst = graph.instructions.get(index).map(|i| &i.encoded.inst);
        for read in &effect.reads {
            let name = read.operand.and_then(|o| inst.map(|i| i.operand_name(o.into()))).unwrap_or("");
            let data = effect.class == IssueClass::Export || name.contains("data");
            if data && matches!(read.reg.file, RegFile::Vgpr | RegFile::Agpr) {
                for dword in dwords(read.reg) {
                    push(dword, Use::Reads, Counter::Exp, None);
                }
            }
        }
    }
}

fn report(graph: &Graph<'_>, index: usize, state: &mut State, out: &mut Vec<Diagnostic>) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if state.is_empty() || effect.call {
        return;
    }
    let memory = matches!(effect.class, IssueClass::Vmem | IssueClass::Lds | IssueClass::Smem);
    let at = |reg: wavelens_isa::Reg, what: Use| {
        let range = dwords(reg);
        state.iter().find(|p| p.what == what && range.contains(&usize::from(p.dword))).copied()
    };
    let early_read = effect.reads.iter().filter(|r| !(r.partial && memory)).find_map(|read| {
        // A load that goes on filling the register it loaded before: hardware keeps the order.
        let also_written = memory && effect.writes.iter().any(|w| w.reg == read.reg);
        if also_written { None } else { at(read.reg, Use::Fills) }
    });
    let early_write = || {
        effect.writes.iter().find_map(|write| {
            let filled = || at(write.reg, Use::Fills).filter(|p| !memory || p.class != effect.class);
            // Vector memory reads its data before a later load of its kind writes.
            let read = at(write.reg, Use::Reads).filter(|p| p.class != effect.class);
            read.or_else(filled)
        })
    };
    let (early, is_read) = match early_read {
        Some(early) => (early, true),
        None => match early_write() {
            Some(early) => (early, false),
            None => return,
        },
    };
    let name = dword_name(usize::from(early.dword));
    let wait = wait_text(graph.target, early.counter);
    let (message, related) = match (early.what, is_read) {
        (Use::Fills, true) => (
            format!("`{name}` is read before it has arrived from memory: `{wait}` is missing"),
            "this fills it",
        ),
        (Use::Fills, false) => (
            format!("`{name}` is written while a result from memory is still to come: `{wait}` is missing"),
            "this fills it",
        ),
        (Use::Reads, _) => {
            (format!("`{name}` is overwritten before it has been read: `{wait}` is missing"), "this reads it")
        }
    };
    let mut diagnostic = Diagnostic::new(&MISSING_WAIT, instruction.range, message);
    if let Some(producer) = graph.instructions.get(early.producer as usize) {
        diagnostic = diagnostic.related(Place::Here(producer.range), related);
    }
    out.push(graph.show_nested(index, diagnostic));
    // Once is enough: after the wait that is missing nothing of this is open.
    state.retain(|p| p.counter != early.counter);
}
