//! The registers that memory operations in flight still use, followed through one function.

use wavelens_isa::{Access, Counter, IssueClass, RegFile, Special, Target, Traits};

use super::halves::{BOTH, Halves, halves};
use super::overwritten_load::UnreadLoads;
use crate::assembler::program::Instruction;
use crate::flow::{EffectsOf, Graph, dwords};
use crate::wait_counters::{all_waits, capacity};

/// What an operation still does with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Use {
    Fills,
    Reads,
    /// Nothing: a flat access is open, before gfx10, where either memory may answer it before older accesses are done.
    None,
}

/// Whether operations of a counter end in the order in which they were issued.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    Kept,
    /// A flat access is open, before gfx9: nothing else reads global memory there, and if that is all that it does, order is kept. A wait
    /// that is there may know; one that is proposed does not.
    Unknown,
    /// Only a wait for 0 covers one.
    Lost,
}

/// Operations of a counter that were issued after one of them, and cannot end before it: those of its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Newer {
    /// Over all ways here.
    pub(super) least: u8,
    /// Over the ways that do not go back.
    pub(super) most: u8,
    /// A conditional branch was passed since ways with unlike counts joined: the test may know which way it was.
    pub(super) forked: bool,
}

impl Newer {
    /// The most operations that are counted.
    pub(super) const MOST: u32 = u8::MAX as u32;

    pub(super) fn issue(&mut self) {
        self.least = self.least.saturating_add(1);
        self.most = self.most.saturating_add(1);
    }

    /// Whether anything changed.
    pub(super) fn join(&mut self, other: Newer, back: bool) -> bool {
        let most = if back { self.most } else { self.most.max(other.most) };
        let forked = self.forked || !back && other.forked;
        let joined = Newer { least: self.least.min(other.least), most, forked };
        std::mem::replace(self, joined) != joined
    }

    /// Takes a conditional branch.
    fn fork(&mut self) {
        self.forked |= self.least != self.most;
    }

    /// Operations that a wait can count on: those of the shortest way, unless the wait may know which way it was.
    fn certain(self) -> u32 {
        u32::from(if self.forked { self.most } else { self.least })
    }
}

/// A register that an operation still uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pending {
    pub(super) dword: u16,
    /// Of the register.
    pub(super) halves: Halves,
    pub(super) what: Use,
    pub(super) counter: Counter,
    pub(super) newer: Newer,
    /// Another counter. A flat operation raises two: before gfx9, where code has no other instruction for global memory, whoever
    /// knows that it goes there waits for that counter alone. An access whose result is there has translated its addresses.
    pub(super) or: Option<(Counter, Newer)>,
    pub(super) order: Order,
    pub(super) class: IssueClass,
    pub(super) producer: u32,
}

impl Pending {
    /// Whether a wait that leaves `left` operations of `counter` open covers it.
    pub(super) fn is_covered(&self, counter: Counter, left: u32) -> bool {
        let enough = |own: Counter, newer: Newer| {
            own == counter && (left == 0 || self.order != Order::Lost && newer.certain() >= left)
        };
        let is_translated = self.counter == Counter::X;
        enough(self.counter, self.newer) || is_translated && self.or.is_some_and(|(c, n)| enough(c, n))
    }

    /// Operations of the counter that a wait for it can leave open.
    pub(super) fn left(&self, graph: &Graph<'_>) -> u32 {
        let is_counted = self.order == Order::Kept && !graph.may_skip_vectors;
        if is_counted { u32::from(self.newer.least) } else { 0 }
    }

    /// Vector memory of which addresses are not translated yet. They are translated in order.
    pub(super) fn is_translation(&self) -> bool {
        self.counter == Counter::X && self.class == IssueClass::Vmem
    }

    /// Whether an instruction of `class` must not write the register yet.
    pub(super) fn blocks(&self, class: IssueClass) -> bool {
        match (self.what, self.counter, class) {
            (Use::Fills, ..) => !is_memory(class) || self.class != class,
            // Vector memory translates in order, and the hardware does not mix it with scalar memory.
            (Use::Reads, Counter::X, IssueClass::Vmem) => false,
            (Use::Reads, Counter::X, IssueClass::Smem) => self.class == class,
            (Use::Reads, Counter::X, _) => true,
            // Vector memory reads its data before a later load of its kind writes.
            (Use::Reads, ..) => self.class != class,
            (Use::None, ..) => false,
        }
    }
}

pub(super) type State = Vec<Pending>;

/// Whether the unit gets its results out of order with others.
pub(super) fn is_memory(class: IssueClass) -> bool {
    matches!(class, IssueClass::Vmem | IssueClass::Lds | IssueClass::Smem)
}

/// What [`dwords`] has no number for.
const NO_DWORD: usize = u16::MAX as usize;

fn tracked(counter: Counter) -> bool {
    !matches!(counter, Counter::Vs | Counter::Async | Counter::Tensor)
}

/// The unit that counts an operation down: the part of a flat access that goes to LDS is in order with LDS.
pub(super) fn unit(effect: EffectsOf<'_>, counter: Counter) -> IssueClass {
    let is_local = matches!(counter, Counter::Lgkm | Counter::Ds);
    if effect.class == IssueClass::Vmem && is_local { IssueClass::Lds } else { effect.class }
}

/// Whether an access may go to LDS as well as to memory.
fn is_flat(effect: EffectsOf<'_>) -> bool {
    effect.counters.iter().any(|counter| unit(effect, *counter) != effect.class)
}

/// The order while a flat access is open. Before gfx10 it may be counted down before older ones: LLVM's `hasFlatLgkmVMemCountInOrder`.
fn order_of_flat(target: Target) -> Order {
    let facts = target.facts();
    match facts.flat_counts_twice {
        _ if facts.flat_is_in_order => Order::Kept,
        true => Order::Lost,
        false => Order::Unknown,
    }
}

pub(super) fn join(own: &mut State, state: &State, back: bool) -> bool {
    let mut changed = false;
    for pending in state {
        let same = |p: &&mut Pending| {
            p.dword == pending.dword
                && p.halves == pending.halves
                && p.counter == pending.counter
                && p.what == pending.what
        };
        let Some(known) = own.iter_mut().find(same) else {
            own.push(*pending);
            changed = true;
            continue;
        };
        if known.newer.least > pending.newer.least {
            (known.producer, known.class) = (pending.producer, pending.class);
        }
        changed |= pending.order > known.order;
        known.order = known.order.max(pending.order);
        changed |= known.newer.join(pending.newer, back);
        match (&mut known.or, pending.or) {
            (Some((a, own)), Some((b, other))) if *a == b => changed |= own.join(other, back),
            (own, _) => changed |= own.take().is_some(),
        }
    }
    changed
}

/// Files whose registers are followed. Named registers are, but for those that no operation names.
fn is_followed(file: RegFile) -> bool {
    matches!(file, RegFile::Vgpr | RegFile::Agpr | RegFile::Sgpr | RegFile::Special)
}

pub(super) fn step(graph: &Graph<'_>, index: usize, state: &mut State) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if effect.call {
        // A callee waits for everything before it goes on.
        state.clear();
        return;
    }
    if effect.class == IssueClass::Other && !state.is_empty() {
        for (counter, left) in all_waits(graph.target, instruction) {
            wait(state, counter, left);
        }
    }
    if !state.is_empty() {
        for write in effect.writes {
            // Whoever writes the register now has been told, or comes after the memory operation for certain.
            let range = dwords(write.reg());
            let written = halves(graph.target, instruction, write);
            state.retain_mut(|p| {
                if p.what == Use::Fills && range.contains(&usize::from(p.dword)) {
                    p.halves &= !written;
                }
                p.halves != 0
            });
            if effect.class == IssueClass::Vmem {
                translate_until(state, |p| range.contains(&usize::from(p.dword)));
            }
        }
    }
    // Skipping code for which no lane is active is only faster: what follows must hold on both ways.
    if effect.conditional && !effect.reads.iter().any(|r| is_exec(r.reg())) {
        state.iter_mut().for_each(|p| p.newer.fork());
    }
    if !state.is_empty() && waits_for_translations(graph, index, effect) {
        state.retain(|p| p.counter != Counter::X);
    }
    if effect.counters.iter().any(|c| tracked(*c)) {
        issue(graph, index, effect, state);
    }
}

fn wait(state: &mut State, counter: Counter, left: u32) {
    translate_until(state, |p| p.is_covered(counter, left));
    state.retain(|p| !p.is_covered(counter, left));
}

/// Vector memory up to the last access that `done` takes has translated its addresses.
fn translate_until(state: &mut State, done: impl Fn(&Pending) -> bool) {
    let last = state.iter().filter(|p| p.is_translation() && done(p)).map(|p| p.newer.least).min();
    state.retain(|p| !p.is_translation() || last.is_none_or(|last| p.newer.least < last));
}

/// Interpolation waits for its parameters itself.
pub(super) fn wait_before(graph: &Graph<'_>, index: usize, state: &mut State) {
    let Some(instruction) = graph.instructions.get(index).filter(|_| !state.is_empty()) else { return };
    let inst = &instruction.encoded;
    if inst.traits().any(Traits::VINTERP)
        && let Some(left) = inst.number("waitexp").and_then(|n| u32::try_from(n).ok())
    {
        wait(state, Counter::Exp, left);
    }
}

/// Takes the operation that an instruction starts into the state.
fn issue(graph: &Graph<'_>, index: usize, effect: EffectsOf<'_>, state: &mut State) {
    // Addresses of one kind of memory are translated before the other kind starts.
    let is_access = effect.counters.contains(&Counter::X);
    if is_access {
        state.retain(|p| p.counter != Counter::X || p.class == effect.class);
    }
    for counter in effect.counters.iter().filter(|c| tracked(**c)) {
        for pending in state.iter_mut() {
            if pending.counter == *counter && pending.class == unit(effect, *counter) {
                pending.newer.issue();
            }
            if let Some((own, newer)) = &mut pending.or
                && own == counter
                && pending.class == effect.class
            {
                newer.issue();
            }
        }
    }
    let order = if is_flat(effect) { order_of_flat(graph.target) } else { Order::Kept };
    let counted = |p: &&mut Pending| effect.counters.contains(&p.counter);
    state.iter_mut().filter(counted).for_each(|p| p.order = p.order.max(order));
    let open_flat: Vec<Counter> = state.iter().filter(|p| p.what == Use::None).map(|p| p.counter).collect();
    // A full counter holds back the next operation until one is done: the oldest, where they end in order.
    let is_open =
        |p: &Pending| p.order == Order::Lost || u32::from(p.newer.least) < capacity(graph.target, p.counter);
    state.retain(is_open);
    let pending = |dword: usize, what: Use, counter: Counter, or: Option<Counter>| Pending {
        dword: dword as u16,
        halves: BOTH,
        what,
        counter,
        newer: Newer::default(),
        or: or.map(|c| (c, Newer::default())),
        order: match effect.class {
            IssueClass::Smem => Order::Lost,
            _ if open_flat.contains(&counter) => order_of_flat(graph.target),
            _ => order,
        },
        class: unit(effect, counter),
        producer: index as u32,
    };
    if order != Order::Kept {
        let new = |c: &&Counter| tracked(**c) && !open_flat.contains(c);
        state.extend(effect.counters.iter().filter(new).map(|c| pending(NO_DWORD, Use::None, *c, None)));
    }
    let results = |c: &Counter| tracked(*c) && !matches!(c, Counter::Exp | Counter::X);
    let mut filling = effect.counters.iter().copied().filter(results);
    let direct = effect.class == IssueClass::Lds && effect.counters == [Counter::Exp];
    if let Some(counter) = if direct { Some(Counter::Exp) } else { filling.next() } {
        let second = filling.next();
        let needs_both = graph.target.facts().flat_counts_twice;
        for write in effect.writes.iter().filter(|w| w.operand().is_some() && is_followed(w.reg().file)) {
            let halves = graph.instructions.get(index).map_or(BOTH, |i| halves(graph.target, i, write));
            for dword in dwords(write.reg()) {
                let fills = |counter, or| Pending { halves, ..pending(dword, Use::Fills, counter, or) };
                state.push(fills(counter, second.filter(|_| !needs_both)));
                state.extend(second.filter(|_| needs_both).map(|c| fills(c, None)));
            }
        }
    }
    if !direct && effect.counters.contains(&Counter::Exp) {
        let inst = graph.instructions.get(index).map(|i| &i.encoded);
        for read in effect.reads {
            let name = read.operand().and_then(|o| inst.map(|i| i.operand_name(o.into()))).unwrap_or("");
            let data = effect.class == IssueClass::Export || name.contains("data");
            let vector = matches!(read.reg().file, RegFile::Vgpr | RegFile::Agpr);
            let lanes = effect.class != IssueClass::Vmem && is_exec(read.reg());
            if data && vector || lanes {
                for dword in dwords(read.reg()) {
                    state.push(pending(dword, Use::Reads, Counter::Exp, None));
                }
            }
        }
    }
    if is_access && !mnemonic(graph, index).contains("prefetch") {
        let result = effect.counters.iter().copied().find(results);
        let reads =
            || effect.reads.iter().filter(|r| is_followed(r.reg().file)).flat_map(|r| dwords(r.reg()));
        // Who waits for the last reader has waited for the others.
        state.retain(|p| p.counter != Counter::X || !reads().any(|d| d == usize::from(p.dword)));
        for dword in reads() {
            state.push(pending(dword, Use::Reads, Counter::X, result));
        }
    }
}

/// Instructions that the hardware holds back until all addresses are translated (LLVM's `isXcntDrain` and `s_set_vgpr_msb`).
fn waits_for_translations(graph: &Graph<'_>, index: usize, effect: EffectsOf<'_>) -> bool {
    const WAITING: [&str; 7] =
        ["s_barrier_", "s_getreg_", "s_setreg_", "s_sendmsg", "s_set_vgpr_msb", "s_trap", "s_endpgm"];
    let name = mnemonic(graph, index);
    effect.class == IssueClass::Branch || WAITING.iter().any(|start| name.starts_with(start))
}

fn mnemonic<'g>(graph: &Graph<'g>, index: usize) -> &'g str {
    graph.instructions.get(index).map_or("", |i| i.encoded.mnemonic())
}

fn is_exec(reg: wavelens_isa::Reg) -> bool {
    matches!(reg.as_special(), Some(Special::ExecLo | Special::ExecHi))
}

/// A wait that is missing before an instruction.
#[derive(Debug, Clone, Copy)]
pub(super) struct MissingWait {
    /// The last operation that it must cover.
    pub(super) last: Pending,
    /// Operations of the counter that it can leave open.
    pub(super) left: u32,
    /// Whether the instruction reads the register, or writes it.
    pub(super) is_read: bool,
}

/// The weakest wait that is missing before an instruction, and the state after it. Repeat until there is none: an instruction can
/// need one for each counter.
pub(super) fn take_missing_wait(
    graph: &Graph<'_>,
    index: usize,
    state: &mut State,
    unread: &UnreadLoads<'_>,
) -> Option<MissingWait> {
    let (instruction, effect) = (graph.instructions.get(index)?, graph.effects.get(index)?);
    if state.is_empty() {
        return None;
    }
    let (mut early, is_read) = early_uses(graph.target, instruction, effect, state);
    if !is_read {
        early.retain(|p| !unread.may_overwrite(index, p));
    }
    let counter = early.first()?.counter;
    let last = early.into_iter().filter(|p| p.counter == counter).min_by_key(|p| p.left(graph))?;
    let left = last.left(graph);
    wait(state, counter, left);
    Some(MissingWait { left, last, is_read })
}

/// What an instruction uses too early, and whether it reads it.
fn early_uses(
    target: Target,
    instruction: &Instruction,
    effect: EffectsOf<'_>,
    state: &State,
) -> (Vec<Pending>, bool) {
    let memory = is_memory(effect.class);
    // A callee waits for everything else before it goes on.
    let is_used = |access: &&Access| !effect.call || access.operand().is_some();
    let reads = effect.reads.iter().filter(|r| is_used(r) && !(r.partial() && memory)).flat_map(|read| {
        // A load that goes on filling the register it loaded before: hardware keeps the order.
        let name = read.operand().map_or("", |o| instruction.encoded.operand_name(o.into()));
        let goes_on = memory && name.ends_with("_in");
        let (range, used) = (dwords(read.reg()), halves(target, instruction, read));
        let fills = move |p: &&Pending| {
            p.what == Use::Fills && range.contains(&usize::from(p.dword)) && p.halves & used != 0
        };
        state.iter().filter(fills).filter(move |_| !goes_on).copied()
    });
    let reads: Vec<Pending> = reads.collect();
    if !reads.is_empty() {
        return (reads, true);
    }
    let mut writes: Vec<Pending> = effect
        .writes
        .iter()
        .filter(is_used)
        .flat_map(|write| {
            let (range, used) = (dwords(write.reg()), halves(target, instruction, write));
            state.iter().filter(move |p| {
                range.contains(&usize::from(p.dword)) && p.halves & used != 0 && p.blocks(effect.class)
            })
        })
        .copied()
        .collect();
    writes.sort_by_key(|p| p.what != Use::Reads);
    (writes, false)
}
