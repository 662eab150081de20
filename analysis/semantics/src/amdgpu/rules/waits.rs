//! Registers that are used before a wait made sure that memory operations are done with them.
//!
//! Per counter, operations are taken to finish in the order they were issued: a wait for `n` leaves the last `n` open. That
//! is what the hardware promises for most; scalar loads return in any order, so that only a wait for 0 covers them.
//!
//! Where ways join that issued unlike numbers of operations, who counts is taken to know which way it was: a test that picks
//! the way often picks the wait too.

use wavelens_isa::{Counter, Effects, IssueClass, MachineOperand, RegFile, Special, Target, Traits};

use crate::amdgpu::assembler::program::Instruction;
use crate::amdgpu::flow::{Graph, dword_name, dwords};
use crate::{Diagnostic, Place, Rule, Severity};

/// See [`Rule::explain`].
pub(crate) static MISSING_WAIT: Rule = Rule {
    code: "missing-wait",
    severity: Severity::Warning,
    explain: "Memory operations run on while the wave goes on. A result is there only after a wait (`s_waitcnt vmcnt(0)`, \
`s_wait_loadcnt 0`, ...) for the counter that the operation raised; a read before that gets the old contents of the \
register, and a write before that is overwritten by the result. Exports (and stores before gfx7) read their registers late, \
exports `exec` too: these must not be written before a wait for `expcnt`. On gfx1250 memory may have to read all registers of \
an access again until its addresses are translated (`s_wait_xcnt`).\n\n```\nglobal_load_dword v1, v0, s[0:1]\nv_add_u32 v2, v1, v1   ; \
too early: s_waitcnt vmcnt(0) is missing\n```",
    ..Rule::UNDOCUMENTED
};

/// What an operation still does with a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    Fills,
    Reads,
}

/// Operations of a counter that were issued after one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Newer {
    /// Over all ways here.
    least: u8,
    /// Over the ways that do not go back.
    most: u8,
}

impl Newer {
    fn issue(&mut self) {
        self.least = self.least.saturating_add(1);
        self.most = self.most.saturating_add(1);
    }

    /// Whether anything changed.
    fn join(&mut self, other: Newer, back: bool) -> bool {
        let most = if back { self.most } else { self.most.max(other.most) };
        let joined = Newer { least: self.least.min(other.least), most };
        std::mem::replace(self, joined) != joined
    }
}

/// A register that an operation still uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pending {
    dword: u16,
    what: Use,
    counter: Counter,
    newer: Newer,
    /// A flat operation raises two counters. Whoever knows where it goes waits for one. An access whose result is there has
    /// translated its addresses.
    or: Option<(Counter, Newer)>,
    /// Only a wait for 0 covers it.
    unordered: bool,
    class: IssueClass,
    producer: u32,
}

impl Pending {
    /// Whether a wait that leaves `left` operations of `counter` open covers it.
    fn is_covered(&self, counter: Counter, left: u32) -> bool {
        let enough = |own: Counter, newer: Newer| {
            own == counter && if self.unordered { left == 0 } else { u32::from(newer.most) >= left }
        };
        enough(self.counter, self.newer) || self.or.is_some_and(|(c, n)| enough(c, n))
    }

    /// Vector memory of which addresses are not translated yet. They are translated in order.
    fn is_translation(&self) -> bool {
        self.counter == Counter::X && self.class == IssueClass::Vmem
    }

    /// Whether an instruction of `class` must not write the register yet.
    fn blocks(&self, class: IssueClass) -> bool {
        let memory = matches!(class, IssueClass::Vmem | IssueClass::Lds | IssueClass::Smem);
        match (self.what, self.counter, class) {
            (Use::Fills, ..) => !memory || self.class != class,
            // Vector memory translates in order, and the hardware does not mix it with scalar memory.
            (Use::Reads, Counter::X, IssueClass::Vmem) => false,
            (Use::Reads, Counter::X, IssueClass::Smem) => self.class == class,
            (Use::Reads, Counter::X, _) => true,
            // Vector memory reads its data before a later load of its kind writes.
            (Use::Reads, ..) => self.class != class,
        }
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
    !matches!(counter, Counter::Vs | Counter::Async | Counter::Tensor)
}

/// What an instruction waits for: counters with how many may stay open.
pub(crate) fn waits(target: Target, instruction: &Instruction) -> Vec<(Counter, u32)> {
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
        Counter::Store,
        Counter::X,
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
        "s_wait_storecnt" => single(Counter::Store),
        "s_wait_xcnt" => single(Counter::X),
        "s_wait_loadcnt_dscnt" => imm()
            .map(|bits| vec![(Counter::Load, bits >> 8 & 63), (Counter::Ds, bits & 63)])
            .unwrap_or_default(),
        "s_wait_storecnt_dscnt" => imm()
            .map(|bits| vec![(Counter::Store, bits >> 8 & 63), (Counter::Ds, bits & 63)])
            .unwrap_or_default(),
        "s_wait_idle" => all.iter().map(|c| (*c, 0)).collect(),
        _ => Vec::new(),
    }
}

/// The fields of `s_waitcnt`'s number.
pub fn waitcnt_fields(target: Target, bits: u32) -> Vec<(Counter, u32)> {
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
        Counter::X => "s_wait_xcnt 0x0",
        _ => "s_wait_kmcnt 0x0",
    }
}

/// Finds the uses that come too early in one function.
pub(crate) fn missing_waits(graph: &Graph<'_>, out: &mut Vec<Diagnostic>) {
    // A loop needs few rounds: positions only sink, and registers only join.
    let over = |index: usize, state: &mut State| {
        wait_before(graph, index, state);
        step(graph, index, state);
    };
    for (block, mut state) in graph.forward(State::new(), 64, over, join) {
        for index in graph.block(block) {
            wait_before(graph, index, &mut state);
            report(graph, index, &mut state, out);
            step(graph, index, &mut state);
        }
    }
}

fn join(own: &mut State, state: &State, back: bool) -> bool {
    let mut changed = false;
    for pending in state {
        let same = |p: &&mut Pending| {
            p.dword == pending.dword && p.counter == pending.counter && p.what == pending.what
        };
        let Some(known) = own.iter_mut().find(same) else {
            own.push(*pending);
            changed = true;
            continue;
        };
        if known.newer.least > pending.newer.least {
            (known.producer, known.class, known.unordered) =
                (pending.producer, pending.class, pending.unordered);
        }
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
            wait(state, counter, left);
        }
    }
    if !state.is_empty() {
        for write in &effect.writes {
            // Whoever writes the register now has been told, or comes after the memory operation for certain.
            let range = dwords(write.reg);
            state.retain(|p| p.what != Use::Fills || !range.contains(&usize::from(p.dword)));
            if effect.class == IssueClass::Vmem {
                translate_until(state, |p| range.contains(&usize::from(p.dword)));
            }
        }
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
fn wait_before(graph: &Graph<'_>, index: usize, state: &mut State) {
    let Some(instruction) = graph.instructions.get(index).filter(|_| !state.is_empty()) else { return };
    let inst = &instruction.encoded.inst;
    if inst.traits().any(Traits::VINTERP)
        && let Some(left) = inst.number("waitexp").and_then(|n| u32::try_from(n).ok())
    {
        wait(state, Counter::Exp, left);
    }
}

/// Takes the operation that an instruction starts into the state.
fn issue(graph: &Graph<'_>, index: usize, effect: &Effects, state: &mut State) {
    // Addresses of one kind of memory are translated before the other kind starts.
    if effect.counters.contains(&Counter::X) {
        state.retain(|p| p.counter != Counter::X || p.class == effect.class);
    }
    for counter in effect.counters.iter().filter(|c| tracked(**c)) {
        for pending in state.iter_mut() {
            if pending.counter == *counter {
                pending.newer.issue();
            }
            if let Some((own, newer)) = &mut pending.or
                && own == counter
            {
                newer.issue();
            }
        }
    }
    state.retain(|p| u32::from(p.newer.least) < capacity(graph.target, p.counter));
    let pending = |dword: usize, what: Use, counter: Counter, or: Option<Counter>| Pending {
        dword: dword as u16,
        what,
        counter,
        newer: Newer::default(),
        or: or.map(|c| (c, Newer::default())),
        unordered: effect.class == IssueClass::Smem,
        class: effect.class,
        producer: index as u32,
    };
    let results = |c: &Counter| tracked(*c) && !matches!(c, Counter::Exp | Counter::X);
    let mut filling = effect.counters.iter().copied().filter(results);
    let direct = effect.class == IssueClass::Lds && effect.counters == [Counter::Exp];
    if let Some(counter) = if direct { Some(Counter::Exp) } else { filling.next() } {
        let or = filling.next();
        for write in effect.writes.iter().filter(|w| w.operand.is_some() && is_followed(w.reg.file)) {
            for dword in dwords(write.reg) {
                state.push(pending(dword, Use::Fills, counter, or));
            }
        }
    }
    if !direct && effect.counters.contains(&Counter::Exp) {
        let inst = graph.instructions.get(index).map(|i| &i.encoded.inst);
        for read in &effect.reads {
            let name = read.operand.and_then(|o| inst.map(|i| i.operand_name(o.into()))).unwrap_or("");
            let data = effect.class == IssueClass::Export || name.contains("data");
            let vector = matches!(read.reg.file, RegFile::Vgpr | RegFile::Agpr);
            let lanes = effect.class != IssueClass::Vmem && is_exec(read.reg);
            if data && vector || lanes {
                for dword in dwords(read.reg) {
                    state.push(pending(dword, Use::Reads, Counter::Exp, None));
                }
            }
        }
    }
    if effect.counters.contains(&Counter::X) {
        let result = effect.counters.iter().copied().find(results);
        let reads = || effect.reads.iter().filter(|r| is_followed(r.reg.file)).flat_map(|r| dwords(r.reg));
        // Who waits for the last reader has waited for the others.
        state.retain(|p| p.counter != Counter::X || !reads().any(|d| d == usize::from(p.dword)));
        for dword in reads() {
            state.push(pending(dword, Use::Reads, Counter::X, result));
        }
    }
}

fn is_exec(reg: wavelens_isa::Reg) -> bool {
    matches!(reg.as_special(), Some(Special::ExecLo | Special::ExecHi))
}

fn report(graph: &Graph<'_>, index: usize, state: &mut State, out: &mut Vec<Diagnostic>) {
    let (Some(instruction), Some(effect)) = (graph.instructions.get(index), graph.effects.get(index)) else {
        return;
    };
    if state.is_empty() || effect.call {
        return;
    }
    let memory = matches!(effect.class, IssueClass::Vmem | IssueClass::Lds | IssueClass::Smem);
    let early_read = effect.reads.iter().filter(|r| !(r.partial && memory)).find_map(|read| {
        // A load that goes on filling the register it loaded before: hardware keeps the order.
        let name = read.operand.map_or("", |o| instruction.encoded.inst.operand_name(o.into()));
        let goes_on = memory && name.ends_with("_in");
        let range = dwords(read.reg);
        let fills = |p: &&Pending| p.what == Use::Fills && range.contains(&usize::from(p.dword));
        state.iter().find(fills).filter(|_| !goes_on).copied()
    });
    let early_write = || {
        effect.writes.iter().find_map(|write| {
            let range = dwords(write.reg);
            let uses =
                || state.iter().filter(|p| range.contains(&usize::from(p.dword)) && p.blocks(effect.class));
            uses().find(|p| p.what == Use::Reads).or_else(|| uses().next()).copied()
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
        (Use::Reads, _) if early.counter == Counter::X => (
            format!("`{name}` is overwritten while memory may have to read it again: `{wait}` is missing"),
            "this reads it",
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::amdgpu::testing::check;

    #[test]
    fn waits_name_the_register_and_the_operation() {
        check(
            "gfx900",
            "flat_load_dword v0, v[2:3]\ns_waitcnt vmcnt(0)\nv_mov_b32 v1, v0\ns_load_dword s0, s[2:3], 0x0\ns_load_dword s1, s[2:3], 0x4\n\
s_waitcnt lgkmcnt(1)\ns_mov_b32 s4, s0\nds_read_b32 v5, v6\nv_mov_b32 v5, 0\n",
            expect![[r#"
            7: missing-wait: `s0` is read before it has arrived from memory: `s_waitcnt lgkmcnt(0)` is missing
            9: missing-wait: `v5` is written while a result from memory is still to come: `s_waitcnt lgkmcnt(0)` is missing
        "#]],
        );
    }

    #[test]
    fn addresses_are_translated_before_registers_change() {
        check(
            "gfx1250",
            "global_store_b32 v0, v1, s[0:1]\nv_mov_b32 v1, 0\n\
global_store_b32 v0, v1, s[0:1]\ns_wait_xcnt 0x0\nv_mov_b32 v1, 0\n\
global_load_b32 v2, v0, s[0:1]\ns_wait_loadcnt 0x0\ns_mov_b32 s0, 0\n\
global_store_b32 v0, v1, s[2:3]\nglobal_load_b32 v1, v0, s[2:3]\ns_mov_b32 s2, 0\n\
s_load_b32 s4, s[6:7], 0x0\ns_mov_b32 s6, 0\n",
            expect![[r#"
            2: missing-wait: `v1` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
            11: missing-wait: `s2` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
            13: missing-wait: `s6` is overwritten while memory may have to read it again: `s_wait_xcnt 0x0` is missing
        "#]],
        );
    }

    #[test]
    fn interpolation_waits_for_its_parameters() {
        check(
            "gfx1100",
            "lds_param_load v0, attr0.x wait_vdst:0\nlds_param_load v1, attr0.y wait_vdst:0\n\
v_interp_p10_f32 v2, v0, v3, v0 wait_exp:1\nv_interp_p10_f32 v4, v1, v3, v1 wait_exp:1\n",
            expect![[r#"
            4: missing-wait: `v1` is read before it has arrived from memory: `s_waitcnt expcnt(0)` is missing
        "#]],
        );
    }

    #[test]
    fn exports_read_exec_late() {
        check(
            "gfx900",
            "exp mrt0 v0, v1, v2, v3\ns_mov_b64 exec, 0\nexp mrt0 v0, v1, v2, v3\ns_waitcnt expcnt(0)\ns_mov_b64 exec, 0\n",
            expect![[r#"
            2: missing-wait: `exec_lo` is overwritten before it has been read: `s_waitcnt expcnt(0)` is missing
        "#]],
        );
    }

    #[test]
    fn counts_are_those_of_the_way_with_the_most() {
        check(
            "gfx900",
            "global_load_dword v0, v[2:3], off\ns_cbranch_scc1 few\nglobal_load_dword v1, v[2:3], off\nfew:\n\
s_cbranch_scc1 all\ns_waitcnt vmcnt(1)\ns_branch use\nall:\ns_waitcnt vmcnt(0)\nuse:\nv_mov_b32 v4, v0\nv_mov_b32 v4, v1\n",
            expect![[r#"
            12: missing-wait: `v1` is read before it has arrived from memory: `s_waitcnt vmcnt(0)` is missing
        "#]],
        );
    }

    #[test]
    fn loops_start_with_the_fewest() {
        check(
            "gfx900",
            "global_load_dword v0, v[2:3], off\nagain:\nglobal_load_dword v1, v[2:3], off\ns_waitcnt vmcnt(2)\nv_mov_b32 v4, v0\n\
s_cbranch_scc1 again\n",
            expect![[r#"
            5: missing-wait: `v0` is read before it has arrived from memory: `s_waitcnt vmcnt(0)` is missing
        "#]],
        );
    }

    #[test]
    fn an_address_waits_even_where_the_load_replaces_it() {
        check(
            "gfx900",
            "s_load_dwordx2 s[0:1], s[2:3], 0x0\ns_load_dwordx2 s[0:1], s[0:1], 0x0\n\
global_load_short_d16 v0, v[2:3], off\nglobal_load_short_d16_hi v0, v[4:5], off\n",
            expect![[r#"
            2: missing-wait: `s0` is read before it has arrived from memory: `s_waitcnt lgkmcnt(0)` is missing
        "#]],
        );
    }
}
