//! Values along control flow: every use has a definition before it, nothing is used after it was killed, physical registers are
//! defined or live in.

use rustc_hash::FxHashMap;
use wavelens_isa::mir::{Machine, Register};

use super::phis;
use crate::Diagnostic;
use crate::mir::context::{Cx, Inst, Reg};
use crate::mir::model::*;

rule!(
    NO_DEFINITION,
    "register-without-definition",
    "A virtual register that is read must be defined somewhere."
);
rule!(
    NOT_DOMINATED,
    "definition-does-not-dominate",
    "On every path from the entry to a use of a virtual register stands a definition of it."
);
rule!(
    USE_AFTER_KILL,
    "use-after-kill",
    "A register marked `killed` is not read again before it is defined again."
);
rule!(
    UNDEFINED_PHYSICAL,
    "undefined-physical-register",
    "With `tracksRegLiveness: true`, a physical register that is read must be live into the block or defined before.\n\n```mir\nbb.0:\n  %0:vgpr_32 = COPY $vgpr0      ; lacks `liveins: $vgpr0`\n```"
);
rule!(
    NOT_LIVE_OUT,
    "live-in-not-live-out",
    "A condition register that is live into a block must be live out of each predecessor."
);

pub(in crate::mir) const RULES: &[&crate::Rule] =
    &[&NO_DEFINITION, &NOT_DOMINATED, &USE_AFTER_KILL, &UNDEFINED_PHYSICAL, &NOT_LIVE_OUT];

/// A set of small numbers for each block.
#[derive(Debug, Default)]
struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    fn new(blocks: usize, numbers: usize) -> Self {
        let words = numbers.div_ceil(64);
        Sets { words, bits: vec![0; blocks * words] }
    }

    fn has(&self, block: u32, number: u32) -> bool {
        let at = block as usize * self.words + number as usize / 64;
        self.bits.get(at).is_some_and(|w| w >> (number % 64) & 1 != 0)
    }

    fn add(&mut self, block: u32, number: u32) -> bool {
        let at = block as usize * self.words + number as usize / 64;
        let Some(word) = self.bits.get_mut(at) else { return false };
        let old = *word;
        *word |= 1 << (number % 64);
        *word != old
    }

    fn row(&self, block: u32) -> &[u64] {
        let at = block as usize * self.words;
        self.bits.get(at..at + self.words).unwrap_or(&[])
    }

    fn numbers(&self, block: u32) -> Vec<u32> {
        let mut found = Vec::new();
        for (w, word) in self.row(block).iter().enumerate() {
            let mut word = *word;
            while word != 0 {
                found.push(w as u32 * 64 + word.trailing_zeros());
                word &= word - 1;
            }
        }
        found
    }
}

/// What is live where.
#[derive(Debug)]
pub(super) struct Flow {
    reachable: Vec<bool>,
    live_out: Sets,
    passed: Sets,
}

impl Flow {
    pub(super) fn reachable(&self, block: u32) -> bool {
        self.reachable.get(block as usize).copied().unwrap_or(false)
    }

    pub(super) fn is_live_out(&self, block: u32, register: u32) -> bool {
        self.live_out.has(block, register) || self.passed.has(block, register)
    }
}

/// Whether the allocator leaves a register alone.
pub(super) fn is_reserved(cx: &mut Cx<'_>, register: Register) -> bool {
    if cx.reserved.is_empty() {
        cx.reserved = reserved_units(cx);
    }
    let reserved = |u: u16| cx.reserved.get(usize::from(u)).copied().unwrap_or(false);
    match cx.machine {
        // A tuple with a reserved part is reserved.
        Machine::Amdgpu => cx.t.units(register).any(reserved),
        Machine::X86 | Machine::Aarch64 => cx.t.units(register).all(reserved),
    }
}

fn reserved_units(cx: &Cx<'_>) -> Vec<bool> {
    let mut reserved: Vec<bool> =
        (0..cx.t.facts().units).map(|u| cx.t.is_reserved(cx.cpu, u as u16)).collect();
    reserved.push(false);
    let mut set = |name: &str, value: bool| {
        if let Some(register) = cx.t.register(name) {
            for unit in cx.t.units(register) {
                if let Some(slot) = reserved.get_mut(usize::from(unit)) {
                    *slot = value;
                }
            }
        }
    };
    // Frame and base pointers are reserved in functions that need them.
    let frame: &[&str] = match cx.machine {
        Machine::X86 => &["rbp", "rbx"],
        Machine::Aarch64 => &["x18", "x19", "fp"],
        Machine::Amdgpu => &[],
    };
    for name in frame {
        set(name, true);
    }
    if cx.machine != Machine::Amdgpu {
        return reserved;
    }
    // The table is that of a plain function; here the function itself says which registers hold its frame.
    for name in ["sgpr0_sgpr1_sgpr2_sgpr3", "sgpr32", "sgpr33"] {
        set(name, false);
    }
    for name in ["private_rsrc_reg", "fp_reg", "sp_reg"] {
        set(name, true);
    }
    for (key, text) in &cx.f.properties.target_values {
        if !key.contains('.') {
            set(text.text.trim().strip_prefix('$').unwrap_or(""), true);
        }
    }
    reserved
}

struct BlockState {
    /// Virtual registers by the block in which they are live, plus one.
    live: Vec<u32>,
    /// Register units that are live.
    units: Vec<bool>,
    killed: Vec<Reg>,
    dead: Vec<Reg>,
    defined: Vec<Reg>,
    masks: Vec<Mask>,
}

enum Mask {
    Named(usize),
    Custom(Vec<u16>),
}

pub(super) fn check(cx: &mut Cx<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    let blocks = cx.f.blocks.len();
    let registers = cx.f.registers.len();
    let mut flow = Flow {
        reachable: vec![false; blocks],
        live_out: Sets::new(blocks, registers),
        passed: Sets::new(blocks, registers),
    };
    let order = cx.cfg.reverse_post_order();
    for block in &order {
        if let Some(r) = flow.reachable.get_mut(*block as usize) {
            *r = true;
        }
    }
    let mut killed = Sets::new(blocks, registers);
    let mut wanted: Vec<FxHashMap<u32, crate::TextRange>> = vec![FxHashMap::default(); blocks];
    let mut units_out: Vec<Vec<bool>> = Vec::with_capacity(blocks);
    let tracks = cx.f.properties.tracks_liveness;
    let mut state = BlockState {
        live: vec![0; registers],
        units: Vec::new(),
        killed: Vec::new(),
        dead: Vec::new(),
        defined: Vec::new(),
        masks: Vec::new(),
    };
    for block in 0..blocks as u32 {
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(&instructions));
        start_block(cx, block, &mut state);
        if tracks {
            for inst in own.iter().flatten() {
                if !inst.is_bundled() {
                    finish_bundle(cx, block, &mut state, &mut killed);
                }
                instruction(cx, block, inst, &mut state, &killed, &mut wanted);
            }
            finish_bundle(cx, block, &mut state, &mut killed);
        }
        for (register, live) in state.live.iter().enumerate() {
            if *live == block + 1 {
                flow.live_out.add(block, register as u32);
            }
        }
        units_out.push(state.units.clone());
    }
    pass(cx, &order, &mut flow, &killed);
    for block in 0..blocks as u32 {
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(&instructions));
        let own: Vec<&Inst<'_>> = own.iter().flatten().collect();
        phis::check(cx, block, &own, &flow);
    }
    require(cx, &instructions, &flow, &killed, &mut wanted);
    condition_registers(cx, &units_out);
    cx.instructions = instructions;
}

fn start_block(cx: &mut Cx<'_>, block: u32, state: &mut BlockState) {
    state.units.clear();
    state.units.resize(cx.t.facts().units + 1, false);
    pristine(cx, &mut state.units);
    let Some(source) = cx.block_of(block) else { return };
    for live_in in source.live_ins.of(&cx.f.block_live_ins) {
        if let Some(register) = cx.known_register(live_in.register) {
            set_units(cx, register, &mut state.units, true);
        }
    }
}

/// Callee-saved registers that the function does not save are live everywhere, once it is known which it saves.
fn pristine(cx: &Cx<'_>, units: &mut [bool]) {
    if !cx.f.properties.callee_saved_valid {
        return;
    }
    let mask = match cx.machine {
        Machine::Amdgpu => "csr_amdgpu",
        Machine::X86 => "csr_64",
        Machine::Aarch64 => "csr_aarch64_aapcs",
    };
    if let Some(mask) = cx.t.facts().masks.iter().position(|m| m == mask) {
        for (unit, live) in units.iter_mut().enumerate() {
            *live |= cx.t.mask_keeps(mask, unit as u16);
        }
    }
    for object in &cx.f.frame {
        let saved = object.callee_saved.text.trim().strip_prefix('$').and_then(|name| cx.t.register(name));
        if let Some(saved) = saved {
            set_units(cx, saved, units, false);
        }
    }
}

fn set_units(cx: &Cx<'_>, register: Register, units: &mut [bool], value: bool) {
    for unit in cx.t.units(register) {
        if let Some(slot) = units.get_mut(usize::from(unit)) {
            *slot = value;
        }
    }
}

fn instruction(
    cx: &mut Cx<'_>,
    block: u32,
    inst: &Inst<'_>,
    state: &mut BlockState,
    killed: &Sets,
    wanted: &mut [FxHashMap<u32, crate::TextRange>],
) {
    let f = cx.f;
    for place in &inst.order {
        let Some(operand) = f.operands.get(*place as usize) else { continue };
        match &operand.kind {
            OperandKind::Mask(name) => {
                let name = f.names.get(*name);
                if let Some(mask) = cx.t.facts().masks.iter().position(|m| m == name) {
                    state.masks.push(Mask::Named(mask));
                }
            }
            OperandKind::CustomMask(span) => {
                let mut kept = Vec::new();
                for (name, _) in span.of(&f.listed_registers) {
                    if let Some(register) = cx.known_register(*name) {
                        kept.extend(cx.t.units(register));
                    }
                }
                state.masks.push(Mask::Custom(kept));
            }
            OperandKind::Register(register) if !inst.is_debug() => {
                let reg = cx.reg(register);
                if reg != Reg::None {
                    one(cx, block, inst, operand, register, reg, state, killed, wanted);
                }
            }
            _ => {}
        }
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    cx: &mut Cx<'_>,
    block: u32,
    inst: &Inst<'_>,
    operand: &Operand,
    register: &RegisterOperand,
    reg: Reg,
    state: &mut BlockState,
    killed: &Sets,
    wanted: &mut [FxHashMap<u32, crate::TextRange>],
) {
    let reads = !operand.has(operand_flag::UNDEF)
        && !operand.has(operand_flag::INTERNAL)
        && (!operand.is_def() || register.sub.is_some());
    if reads {
        if operand.has(operand_flag::KILLED) {
            state.killed.push(reg);
        }
        match reg {
            Reg::None => {}
            Reg::Physical(physical) => {
                let live =
                    cx.t.units(physical).any(|u| state.units.get(usize::from(u)).copied().unwrap_or(false));
                if !live && !is_reserved(cx, physical) && !covered_by_implicit(cx, inst, physical) {
                    report_undefined(cx, block, operand, register);
                }
            }
            Reg::Virtual(v) if state.live.get(v as usize) != Some(&(block + 1)) => {
                let name = cx.f.register_text(v);
                if cx.virtual_of(v).definitions == 0 {
                    cx.report(&NO_DEFINITION, operand.range, format!("`{name}` is never defined"));
                } else if killed.has(block, v) {
                    cx.report(&USE_AFTER_KILL, operand.range, format!("`{name}` was killed before"));
                } else if !inst.is_phi()
                    && let Some(w) = wanted.get_mut(block as usize)
                {
                    w.entry(v).or_insert(operand.range);
                }
            }
            Reg::Virtual(_) => {}
        }
    }
    if operand.is_def() {
        if operand.has(operand_flag::DEAD) {
            state.dead.push(reg);
        } else {
            state.defined.push(reg);
        }
    }
}

/// An implicit use of a register around it makes the use of a part harmless.
fn covered_by_implicit(cx: &Cx<'_>, inst: &Inst<'_>, physical: Register) -> bool {
    cx.operands(inst).any(|o| {
        let Some(register) = o.register().filter(|_| o.is_implicit()) else { return false };
        match cx.reg(register) {
            Reg::Physical(other) if other != physical => {
                let units: Vec<u16> = cx.t.units(other).collect();
                cx.t.units(physical).all(|u| units.contains(&u))
            }
            _ => false,
        }
    })
}

fn report_undefined(cx: &mut Cx<'_>, block: u32, operand: &Operand, register: &RegisterOperand) {
    let name = cx.register_text(register);
    let mut d = Diagnostic::new(
        &UNDEFINED_PHYSICAL,
        operand.range,
        format!("`{name}` is neither defined before nor live into the block"),
    );
    let title = format!("Add `{name}` to the live-ins");
    let last = cx.block_of(block).and_then(|b| b.live_ins.of(&cx.f.block_live_ins).last());
    if let Some(last) = last {
        let at = crate::TextRange::empty(last.range.end());
        d = d.fix(title, at, format!(", {name}"));
    } else if let Some(at) = header_end(cx, block) {
        d = d.fix(title, crate::TextRange::empty(at), format!("\n    liveins: {name}"));
    }
    cx.diagnostics.push(d);
}

/// The end of the line that a block's header stands on.
fn header_end(cx: &Cx<'_>, block: u32) -> Option<crate::TextSize> {
    let label = cx.block_of(block)?.range;
    let rest = cx.text.get(usize::from(label.end())..)?;
    let line = rest.lines().next().unwrap_or("");
    line.trim_end().ends_with(':').then(|| label.end() + crate::TextSize::of(line))
}

fn finish_bundle(cx: &Cx<'_>, block: u32, state: &mut BlockState, killed: &mut Sets) {
    for reg in state.killed.drain(..) {
        match reg {
            Reg::Virtual(v) => {
                killed.add(block, v);
                if let Some(live) = state.live.get_mut(v as usize) {
                    *live = 0;
                }
            }
            Reg::Physical(p) => set_units(cx, p, &mut state.units, false),
            Reg::None => {}
        }
    }
    for mask in state.masks.drain(..) {
        for (unit, live) in state.units.iter_mut().enumerate().filter(|(_, l)| **l) {
            *live = match &mask {
                Mask::Named(mask) => cx.t.mask_keeps(*mask, unit as u16),
                Mask::Custom(kept) => kept.contains(&(unit as u16)),
            };
        }
    }
    for (regs, value) in
        [(std::mem::take(&mut state.dead), false), (std::mem::take(&mut state.defined), true)]
    {
        for reg in regs {
            match reg {
                Reg::Virtual(v) => {
                    if let Some(live) = state.live.get_mut(v as usize) {
                        *live = if value { block + 1 } else { 0 };
                    }
                }
                Reg::Physical(p) => set_units(cx, p, &mut state.units, value),
                Reg::None => {}
            }
        }
    }
}

/// Registers that may pass through blocks, in one walk, as LLVM has it.
fn pass(cx: &Cx<'_>, order: &[u32], flow: &mut Flow, killed: &Sets) {
    let words = flow.passed.words;
    for block in order {
        let mut row = vec![0u64; words];
        for predecessor in cx.cfg.predecessors(*block) {
            if !flow.reachable(*predecessor) {
                continue;
            }
            let (out, through) = (flow.live_out.row(*predecessor), flow.passed.row(*predecessor));
            for ((word, a), b) in row.iter_mut().zip(out).zip(through) {
                *word |= a | b;
            }
        }
        let at = *block as usize * words;
        for (i, word) in row.iter().enumerate() {
            let stop = flow.live_out.bits.get(at + i).copied().unwrap_or(0)
                | killed.bits.get(at + i).copied().unwrap_or(0);
            if let Some(slot) = flow.passed.bits.get_mut(at + i) {
                *slot = word & !stop;
            }
        }
    }
}

/// What later blocks need must come out of every earlier one.
fn require(
    cx: &mut Cx<'_>,
    instructions: &[Option<Inst<'_>>],
    flow: &Flow,
    killed: &Sets,
    wanted: &mut [FxHashMap<u32, crate::TextRange>],
) {
    let blocks = cx.f.blocks.len();
    let mut required = Sets::new(blocks, cx.f.registers.len());
    let mut places: FxHashMap<u32, crate::TextRange> = FxHashMap::default();
    let mut todo: Vec<u32> = Vec::new();
    for block in 0..blocks as u32 {
        let own: Vec<(u32, crate::TextRange)> =
            wanted.get(block as usize).map(|w| w.iter().map(|(r, p)| (*r, *p)).collect()).unwrap_or_default();
        for predecessor in cx.cfg.predecessors(block) {
            for (register, place) in &own {
                if !flow.live_out.has(*predecessor, *register) && required.add(*predecessor, *register) {
                    todo.push(*predecessor);
                    let first = places.entry(*register).or_insert(*place);
                    if place.start() < first.start() {
                        *first = *place;
                    }
                }
            }
        }
        let body = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(instructions));
        for phi in body.iter().flatten().take_while(|i| i.is_phi()) {
            for index in (1..phi.order.len()).step_by(2) {
                let (Some(value), Some(from)) = (cx.operand(phi, index), cx.operand(phi, index + 1)) else {
                    continue;
                };
                let (Some(register), OperandKind::Block(number, _)) = (value.register(), from.kind) else {
                    continue;
                };
                let (Reg::Virtual(v), Some(predecessor)) = (cx.reg(register), cx.blocks.get(&number)) else {
                    continue;
                };
                let reads = !value.has(operand_flag::UNDEF) && !value.has(operand_flag::INTERNAL);
                if reads && !flow.live_out.has(*predecessor, v) && required.add(*predecessor, v) {
                    todo.push(*predecessor);
                    places.entry(v).or_insert(value.range);
                }
            }
        }
    }
    while let Some(block) = todo.pop() {
        for predecessor in cx.cfg.predecessors(block) {
            if *predecessor == block {
                continue;
            }
            let mut changed = false;
            for register in required.numbers(block) {
                if !flow.live_out.has(*predecessor, register) {
                    changed |= required.add(*predecessor, register);
                }
            }
            if changed {
                todo.push(*predecessor);
            }
        }
    }
    let mut reported = Vec::new();
    for block in 0..blocks as u32 {
        for register in required.numbers(block) {
            let entry = block == 0;
            let was_killed = killed.has(block, register);
            if (!entry && !was_killed) || reported.contains(&register) {
                continue;
            }
            reported.push(register);
            let name = cx.f.register_text(register);
            let place = places.get(&register).copied().unwrap_or_else(|| cx.block_range(block));
            if was_killed {
                let text = cx.block_text(block);
                cx.report(
                    &USE_AFTER_KILL,
                    place,
                    format!("`{name}` was killed in `{text}`, but is used here"),
                );
            } else {
                let mut d = Diagnostic::new(
                    &NOT_DOMINATED,
                    place,
                    format!("no definition of `{name}` is on every path to this use"),
                );
                if let Some((_, operand)) = cx.virtual_of(register).definition
                    && let Some(operand) = cx.f.operands.get(operand as usize)
                {
                    d = d.related(crate::Place::Here(operand.range), "defined here");
                }
                cx.diagnostics.push(d);
            }
        }
    }
}

/// Condition registers that are live in must come from every predecessor.
fn condition_registers(cx: &mut Cx<'_>, units_out: &[Vec<bool>]) {
    if !cx.f.properties.tracks_liveness {
        return;
    }
    let f = cx.f;
    for (block, source) in f.blocks.iter().enumerate() {
        for live_in in source.live_ins.of(&f.block_live_ins) {
            let Some(register) = cx.known_register(live_in.register) else { continue };
            if cx.t.in_allocatable_class(register) || is_reserved(cx, register) {
                continue;
            }
            let units: Vec<u16> = cx.t.units(register).collect();
            let [unit] = units.as_slice() else { continue };
            let aliased = (1..cx.t.register_count() as u16)
                .map(Register)
                .any(|r| r != register && cx.t.units(r).any(|u| u == *unit));
            if aliased {
                continue;
            }
            for predecessor in cx.cfg.predecessors(block as u32).to_vec() {
                let live =
                    units_out.get(predecessor as usize).and_then(|u| u.get(usize::from(*unit))).copied();
                if live == Some(false) {
                    let (name, text) = (f.names.get(live_in.register), cx.block_text(predecessor));
                    cx.report(
                        &NOT_LIVE_OUT,
                        live_in.range,
                        format!("`${name}` is not live out of the predecessor `{text}`"),
                    );
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn uses() {
        expect![[r#"
            error[register-without-definition] 6:23 `%0:vgpr_32`: `%0` is never defined
        "#]]
        .assert_eq(&findings(
            "tracksRegLiveness: true\n",
            "  bb.0:\n    %1:vgpr_32 = COPY %0:vgpr_32\n    S_ENDPGM 0\n",
        ));
        expect![[r#"
            error[undefined-physical-register] 6:23 `$vgpr0`: `$vgpr0` is neither defined before nor live into the block
              fix: Add `$vgpr0` to the live-ins
              |     liveins: $vgpr0
        "#]].assert_eq(&findings(
            "tracksRegLiveness: true\n",
            "  bb.0:\n    %0:vgpr_32 = COPY $vgpr0\n    S_ENDPGM 0\n",
        ));
        expect![[r#"
            error[use-after-kill] 8:23 `%0`: `%0` was killed before
        "#]].assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY killed %0\n    %2:vgpr_32 = COPY %0\n    S_ENDPGM 0\n"));
    }

    #[test]
    fn dominance() {
        expect![[r#"
            error[definition-does-not-dominate] 12:23 `%0`: no definition of `%0` is on every path to this use
              10:5 `%0:vgpr_32`: defined here
        "#]].assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    successors: %bb.1, %bb.2\n    S_CBRANCH_SCC1 %bb.2, implicit undef $scc\n  bb.1:\n    successors: %bb.2\n    %0:vgpr_32 = IMPLICIT_DEF\n  bb.2:\n    %1:vgpr_32 = COPY %0\n    S_ENDPGM 0\n"));
    }
}
