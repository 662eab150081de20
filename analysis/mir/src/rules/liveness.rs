//! Values along control flow: every use has a definition before it, nothing is used after it was killed, physical registers are
//! defined or live in.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::mir::Register;

use super::flow::Flow;
use super::physical_registers::{History, pristine, set_units};
use super::reserved::is_reserved;
use super::{dominance, phis};
use crate::context::{Inst, Reg, RuleContext};
use crate::model::*;
use wavelens_base::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    NO_DEFINITION {
        code: "register-without-definition",
        severity: wavelens_base::Severity::Error,
        title: "a virtual register that is read has a definition",
        explain: "Its value would be unknown. Use IMPLICIT_DEF where any value is acceptable.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    S_NOP 0, implicit %0:sreg_32
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Reading virtual register without a def\"",
    }

    USE_AFTER_KILL {
        code: "use-after-kill",
        severity: wavelens_base::Severity::Error,
        title: "a killed register is not read before it is defined again",
        explain: "The register allocator reuses a register after its kill.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    S_NOP 0, implicit killed %0
    S_NOP 0, implicit %0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    %0:sreg_32 = S_MOV_B32 0
    S_NOP 0, implicit %0
    S_NOP 0, implicit killed %0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineFunctionAfter: \"Using a killed virtual register\"",
    }

    UNDEFINED_PHYSICAL {
        code: "undefined-physical-register",
        severity: wavelens_base::Severity::Error,
        title: "a physical register that is read is a live-in or defined before",
        explain: "Checked with `tracksRegLiveness: true`. Add the register to `liveins:` or mark the operand `undef`.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr1
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    liveins: $sgpr1
    $sgpr0 = S_MOV_B32 $sgpr1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Using an undefined physical register\"",
    }

    NOT_LIVE_OUT {
        code: "live-in-not-live-out",
        severity: wavelens_base::Severity::Error,
        title: "a condition register that is live into a block is live out of each predecessor",
        explain: "Otherwise the block reads a condition that another path did not set.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    S_BRANCH %bb.1

  bb.1:
    liveins: $scc

    $sgpr0 = S_CSELECT_B32 1, 0, implicit $scc
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    S_CMP_EQ_U32 0, 0, implicit-def $scc
    S_BRANCH %bb.1

  bb.1:
    liveins: $scc

    $sgpr0 = S_CSELECT_B32 1, 0, implicit $scc
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::checkLiveness: \"Live in register not found to be live out from predecessor.\"",
    }
}

/// Liveness in the block that is walked, and what later passes need of all blocks.
struct Walk {
    block: u32,
    /// Virtual registers by the block in which they are live, plus one.
    live: Vec<u32>,
    /// The virtual registers that the block defines.
    written: Vec<u32>,
    /// Register units that are live.
    units: Vec<bool>,
    history: History,
    killed: Vec<Reg>,
    dead: Vec<Reg>,
    defined: Vec<Reg>,
    masks: Vec<Mask>,
    /// Of one instruction, by its index: the registers that are implicit operands, and which others they cover.
    implicit: (u32, Vec<Register>),
    covered: FxHashMap<Register, bool>,
    flow: Flow,
    /// By block: the virtual registers that it reads before it defines them, with the first use.
    wanted: Vec<FxHashMap<u32, TextRange>>,
}

enum Mask {
    Named(usize),
    Custom(Vec<u16>),
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    let instructions = std::mem::take(&mut cx.instructions);
    let blocks = cx.f.blocks.len();
    let registers = cx.f.registers.len();
    let live_ins = condition_live_ins(cx);
    let conditions: BTreeSet<u16> = live_ins.iter().map(|(.., unit)| *unit).collect();
    // The condition registers that are live out of blocks.
    let mut live_conditions: FxHashSet<(u32, u16)> = FxHashSet::default();
    let tracks = cx.f.properties.tracks_liveness;
    let mut walk = Walk {
        block: 0,
        live: vec![0; registers],
        written: Vec::new(),
        units: Vec::new(),
        history: History::default(),
        killed: Vec::new(),
        dead: Vec::new(),
        defined: Vec::new(),
        masks: Vec::new(),
        implicit: (u32::MAX, Vec::new()),
        covered: FxHashMap::default(),
        flow: Flow::new(&cx.cfg, registers),
        wanted: vec![FxHashMap::default(); blocks],
    };
    for block in 0..blocks as u32 {
        let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(&instructions));
        start_block(cx, block, &mut walk);
        if tracks {
            for inst in own.iter().flatten() {
                if !inst.is_bundled() {
                    finish_bundle(cx, &mut walk);
                }
                read_instruction(cx, inst, &mut walk);
            }
            finish_bundle(cx, &mut walk);
        }
        for register in walk.written.drain(..) {
            if walk.live.get(register as usize) == Some(&(block + 1)) {
                walk.flow.live_out.add(register, block);
            }
        }
        let is_live = |unit: &&u16| walk.units.get(usize::from(**unit)) == Some(&true);
        live_conditions.extend(conditions.iter().filter(is_live).map(|unit| (block, *unit)));
    }
    phis::check(cx, &instructions, &walk.flow);
    dominance::check(cx, &instructions, &walk.flow, &walk.wanted);
    condition_registers(cx, &live_ins, &live_conditions);
    cx.instructions = instructions;
}

fn start_block(cx: &mut RuleContext<'_>, block: u32, state: &mut Walk) {
    state.block = block;
    state.units.clear();
    state.units.resize(cx.t.facts().units + 1, false);
    pristine(cx, &mut state.units);
    state.history.clear();
    let Some(source) = cx.block_of(block) else { return };
    for live_in in source.live_ins.of(&cx.f.block_live_ins) {
        if let Some(register) = cx.known_register(live_in.register) {
            set_units(cx, register, &mut state.units, true);
            state.history.push(register, true);
        }
    }
}

fn read_instruction(cx: &mut RuleContext<'_>, inst: &Inst<'_>, state: &mut Walk) {
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
                read_register(cx, inst, operand, register, state);
            }
            _ => {}
        }
    }
}

fn read_register(
    cx: &mut RuleContext<'_>,
    inst: &Inst<'_>,
    operand: &Operand,
    register: &RegisterOperand,
    state: &mut Walk,
) {
    let (block, reg) = (state.block, cx.reg(register));
    if reg == Reg::None {
        return;
    }
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
                if !live
                    && !is_reserved(cx, physical)
                    && !state.history.is_live(cx.t, physical)
                    && !covered_by_implicit(cx, inst, physical, state)
                {
                    report_undefined(cx, block, operand, register);
                }
            }
            Reg::Virtual(v) if state.live.get(v as usize) != Some(&(block + 1)) => {
                let name = cx.f.register_text(v);
                if cx.virtual_of(v).definitions == 0 {
                    cx.report(&NO_DEFINITION, operand.range, format!("use of undefined register `{name}`"));
                } else if state.flow.killed.has(v, block) {
                    let message = format!("use of killed register `{name}`");
                    let diagnostic = Diagnostic::new(&USE_AFTER_KILL, operand.range, message);
                    let place = cx.operand_before(operand.range, |other| kills(cx, other, v));
                    cx.diagnostics.push(with_kill(diagnostic, place));
                } else if !inst.is_phi()
                    && let Some(w) = state.wanted.get_mut(block as usize)
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

/// An implicit operand that contains the register makes the use of a part harmless.
fn covered_by_implicit(cx: &RuleContext<'_>, inst: &Inst<'_>, physical: Register, state: &mut Walk) -> bool {
    if state.implicit.0 != inst.index {
        let implicit = cx.operands(inst).filter(|o| o.is_implicit()).filter_map(|o| o.register());
        let distinct: FxHashSet<Register> = implicit
            .filter_map(|register| match cx.reg(register) {
                Reg::Physical(register) => Some(register),
                _ => None,
            })
            .collect();
        state.implicit = (inst.index, distinct.into_iter().collect());
        state.covered.clear();
    }
    let implicit = &state.implicit.1;
    *state.covered.entry(physical).or_insert_with(|| {
        implicit.iter().filter(|other| **other != physical).any(|other| {
            let units: Vec<u16> = cx.t.units(*other).collect();
            cx.t.units(physical).all(|u| units.contains(&u))
        })
    })
}

fn report_undefined(cx: &mut RuleContext<'_>, block: u32, operand: &Operand, register: &RegisterOperand) {
    let name = cx.register_text(register);
    if let Some(killed) = killed_before(cx, block, operand, register) {
        let message = format!("use of killed physical register `{name}`");
        let diagnostic = Diagnostic::new(&UNDEFINED_PHYSICAL, operand.range, message);
        cx.diagnostics.push(with_kill(diagnostic, Some(killed)));
        return;
    }
    let mut d = Diagnostic::new(
        &UNDEFINED_PHYSICAL,
        operand.range,
        format!(
            "use of undefined physical register `{name}`: it is neither defined before nor a live-in of the block"
        ),
    );
    // The instruction that defines it may be missing as well.
    let title = format!("Add `{name}` to the live-ins");
    let last = cx.block_of(block).and_then(|b| b.live_ins.of(&cx.f.block_live_ins).last());
    if let Some(last) = last {
        let at = wavelens_base::TextRange::empty(last.range.end());
        d = d.guess(title, at, format!(", {name}"));
    } else if let Some(at) = header_end(cx, block) {
        d = d.guess(title, wavelens_base::TextRange::empty(at), format!("\n    liveins: {name}"));
    }
    cx.diagnostics.push(d);
}

/// Where the register or a part of it was killed, if that is what happened to it last in the block.
fn killed_before(
    cx: &RuleContext<'_>,
    block: u32,
    operand: &Operand,
    register: &RegisterOperand,
) -> Option<TextRange> {
    let Reg::Physical(physical) = cx.reg(register) else { return None };
    let start = cx.block_of(block)?.range.start();
    let units: Vec<u16> = cx.t.units(physical).collect();
    let touches = |other: &Operand| match other.register().map(|r| cx.reg(r)) {
        Some(Reg::Physical(other)) => cx.t.units(other).any(|unit| units.contains(&unit)),
        _ => false,
    };
    let mut is_killed = false;
    let last = cx.operand_before(operand.range, |other| {
        is_killed = other.has(operand_flag::KILLED);
        touches(other)
    });
    last.filter(|range| is_killed && range.start() > start)
}

/// The end of the line of a block's header.
fn header_end(cx: &RuleContext<'_>, block: u32) -> Option<wavelens_base::TextSize> {
    let label = cx.block_of(block)?.range;
    let rest = cx.text.get(usize::from(label.end())..)?;
    let line = rest.lines().next().unwrap_or("");
    line.trim_end().ends_with(':').then(|| label.end() + wavelens_base::TextSize::of(line))
}

/// Whether an operand kills a virtual register.
pub(super) fn kills(cx: &RuleContext<'_>, operand: &Operand, register: u32) -> bool {
    operand.has(operand_flag::KILLED)
        && operand.register().is_some_and(|r| cx.reg(r) == Reg::Virtual(register))
}

pub(super) fn with_kill(diagnostic: Diagnostic, killed: Option<TextRange>) -> Diagnostic {
    match killed {
        Some(range) => diagnostic.related(wavelens_base::Place::Here(range), "killed here"),
        None => diagnostic,
    }
}

fn finish_bundle(cx: &RuleContext<'_>, state: &mut Walk) {
    let block = state.block;
    for reg in state.killed.drain(..) {
        match reg {
            Reg::Virtual(v) => {
                state.flow.killed.add(v, block);
                if let Some(live) = state.live.get_mut(v as usize) {
                    *live = 0;
                }
            }
            Reg::Physical(p) => {
                set_units(cx, p, &mut state.units, false);
                state.history.push(p, false);
            }
            Reg::None => {}
        }
    }
    if !state.masks.is_empty() {
        state.history.clear();
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
                        state.written.extend(value.then_some(v));
                    }
                }
                Reg::Physical(p) => {
                    set_units(cx, p, &mut state.units, value);
                    state.history.push(p, value);
                }
                Reg::None => {}
            }
        }
    }
}

/// The condition registers that are live into blocks, each with the block and its only register unit.
fn condition_live_ins<'a>(cx: &RuleContext<'a>) -> Vec<(u32, &'a LiveIn, u16)> {
    let f = cx.f;
    let mut found = Vec::new();
    if !f.properties.tracks_liveness {
        return found;
    }
    let mut units_of: FxHashMap<Register, Option<u16>> = FxHashMap::default();
    for (block, source) in (0..).zip(&f.blocks) {
        for live_in in source.live_ins.of(&f.block_live_ins) {
            let Some(register) = cx.known_register(live_in.register) else { continue };
            let unit = *units_of.entry(register).or_insert_with(|| condition_unit(cx, register));
            found.extend(unit.map(|unit| (block, live_in, unit)));
        }
    }
    found
}

/// The unit of a register that is not allocated and that has no unit in common with others.
fn condition_unit(cx: &RuleContext<'_>, register: Register) -> Option<u16> {
    if cx.t.in_allocatable_class(register) || is_reserved(cx, register) {
        return None;
    }
    let units: Vec<u16> = cx.t.units(register).collect();
    let [unit] = units.as_slice() else { return None };
    let mut others = (1..cx.t.register_count() as u16).map(Register).filter(|r| *r != register);
    (!others.any(|r| cx.t.units(r).any(|u| u == *unit))).then_some(*unit)
}

/// Condition registers that are live in must come from every predecessor.
fn condition_registers(
    cx: &mut RuleContext<'_>,
    live_ins: &[(u32, &LiveIn, u16)],
    live_out: &FxHashSet<(u32, u16)>,
) {
    for (block, live_in, unit) in live_ins {
        let mut predecessors = cx.cfg.predecessors(*block).iter();
        if let Some(predecessor) = predecessors.find(|block| !live_out.contains(&(**block, *unit))) {
            let (name, text) = (cx.f.names.get(live_in.register), cx.block_text(*predecessor));
            let message = format!("`${name}` is not live out of the predecessor `{text}`");
            cx.report(&NOT_LIVE_OUT, live_in.range, message);
        }
    }
}

#[cfg(test)]
mod tests;
