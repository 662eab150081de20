//! Control flow: blocks, branches, structured constructs, dominance (SPIR-V specification, section 2.11).

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::{
    AddressingModel, Capability, ExecutionMode, ExecutionModel, LoopControl, Op,
};

use super::execution_limitations::require_models;
use crate::spirv::blocks::{Body, functions, targets};
use crate::spirv::code::{Id, Inst, LOCAL};
use crate::spirv::flat::NONE;
use crate::spirv::module::{Check, Fault, Module, fail, fail_at};
use crate::{Rule, Severity};

pub static BRANCH: Rule = Rule {
    code: "branch-target",
    severity: Severity::Error,
    explain: "Branches and merge instructions name labels of their own function, never its first block; OpPhi names each \
        predecessor once, with a value of its type.\n\nSource: SPIR-V specification, section 3.52.17 (Control-Flow Instructions).",
};

pub static STRUCTURED: Rule = Rule {
    code: "structured-control-flow",
    severity: Severity::Error,
    explain: "With the capability Shader, selections and loops are declared by merge instructions. A construct is entered at its header only \
        and left to its merge block, or to the merge block or continue target of the loop around it.\n\n\
        Source: SPIR-V specification, section 2.11 (Structured Control Flow).",
};

pub static DOMINANCE: Rule = Rule {
    code: "dominance",
    severity: Severity::Error,
    explain: "A value is used only where every path from the function's start has computed it. A block stands after the block that \
        dominates it.\n\nSource: SPIR-V specification, section 2.16.1 (Universal Validation Rules) and 2.4.",
};

fn wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&BRANCH, operand, message)
}

/// Checks that need no graph.
pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let label = |operand: usize| match m.op(inst.operand(operand)) {
        Op::Label => Ok(()),
        Op::Nop => Ok(()),
        op => wrong(
            operand,
            format!("`{}` is the result of {}, not a label", m.name(inst.operand(operand)), op.name()),
        ),
    };
    match inst.op() {
        Op::Branch => label(0),
        Op::BranchConditional => {
            if !matches!(inst.count(), 3 | 5) {
                return wrong(3, "OpBranchConditional has two weights or none");
            }
            if !m.is_bool(m.operand_type(inst, 0)) {
                return wrong(
                    0,
                    format!("the condition is a Boolean, not {}", m.type_name(m.operand_type(inst, 0))),
                );
            }
            label(1)?;
            label(2)?;
            if m.scope.version >= 0x10600 && inst.operand(1) == inst.operand(2) {
                return wrong(2, "since SPIR-V 1.6 both targets must differ");
            }
            Ok(())
        }
        Op::Switch => {
            if !m.is_int(m.operand_type(inst, 0)) {
                return wrong(0, "the selector is an integer");
            }
            (1..inst.count()).step_by(2).try_for_each(label)
        }
        Op::LoopMerge => loop_merge(m, inst, &label),
        Op::Phi => {
            if !inst.count().is_multiple_of(2) {
                return fail(&BRANCH, "OpPhi takes pairs of a value and a block");
            }
            if m.is_void(inst.ty()) {
                return wrong(0, "OpPhi cannot be void");
            }
            if m.is_pointer(inst.ty())
                && m.scope.addressing_model == AddressingModel::Logical
                && !m.scope.features.variable_pointers
            {
                return wrong(0, "pointers in OpPhi need VariablePointers or VariablePointersStorageBuffer");
            }
            if !m.has_capability(Capability::BindlessTextureNV) {
                let op = m.op(inst.ty());
                let shader =
                    m.has_capability(Capability::Shader) && matches!(op, Op::TypeImage | Op::TypeSampler);
                if op == Op::TypeSampledImage || shader {
                    return wrong(0, "images and samplers cannot go through OpPhi");
                }
            }
            Ok(())
        }
        Op::ReturnValue => {
            let ty = m.operand_type(inst, 0);
            if ty == NONE || m.is_void(ty) {
                return wrong(0, format!("`{}` is no value", m.name(inst.operand(0))));
            }
            if m.scope.addressing_model == AddressingModel::Logical
                && m.is_pointer(ty)
                && !m.scope.features.variable_pointers
            {
                return wrong(0, "pointers cannot be returned in the Logical addressing model");
            }
            Ok(())
        }
        Op::Kill | Op::TerminateInvocation => require_models(m, inst, &[ExecutionModel::Fragment]),
        Op::IgnoreIntersectionKHR | Op::TerminateRayKHR => {
            require_models(m, inst, &[ExecutionModel::AnyHitKHR])
        }
        _ => Ok(()),
    }
}

fn loop_merge(m: &Module<'_>, inst: Inst<'_>, label: &dyn Fn(usize) -> Check) -> Check {
    label(0)?;
    label(1)?;
    if inst.operand(0) == inst.operand(1) {
        return wrong(1, "merge block and continue target must differ");
    }
    let mask = inst.operand(2);
    let both = |a: u32, b: u32| mask & a != 0 && mask & b != 0;
    if both(LoopControl::Unroll, LoopControl::DontUnroll)
        || both(LoopControl::DontUnroll, LoopControl::PeelCount)
        || both(LoopControl::DontUnroll, LoopControl::PartialCount)
    {
        return wrong(2, "these loop controls contradict each other");
    }
    if mask & LoopControl::IterationMultiple != 0 {
        let before = [LoopControl::DependencyLength, LoopControl::MinIterations, LoopControl::MaxIterations];
        let at = 3 + before.iter().filter(|bit| mask & **bit != 0).count();
        if inst.opt_operand(at).is_none_or(|n| n == 0) {
            return wrong(at, "IterationMultiple is greater than 0");
        }
    }
    let _ = m;
    Ok(())
}

/// Reports a finding at an instruction of the chunk's code.
type Report<'r> = &'r mut dyn FnMut(u32, Fault);

fn report(to: Report<'_>, at: u32, rule: &'static Rule, operand: Option<usize>, message: String) {
    to(at, Fault { rule, operand, message });
}

/// Checks that need the graph of each function.
pub(super) fn check_functions(m: &Module<'_>, to: Report<'_>) {
    for (first, last) in functions(m) {
        adjacency(m, (first, last), to);
        branches(m, (first, last), to);
        let Some(body) = Body::new(m, (first, last)) else { continue };
        phis(m, &body, to);
        order(m, &body, to);
        if m.has_capability(Capability::Shader) {
            structured(m, &body, to);
        }
        uses(m, &body, to);
        reconvergence(m, &body, to);
    }
}

/// What stands where in a block.
fn adjacency(m: &Module<'_>, (first, last): (u32, u32), to: Report<'_>) {
    #[derive(PartialEq)]
    enum Place {
        Head,
        EntryBlock,
        Phis,
        Other,
    }
    let mut place = Place::Head;
    for at in first + 1..last {
        let Some(inst) = m.inst(at) else { continue };
        match inst.op() {
            Op::FunctionParameter => place = Place::Head,
            Op::Label => place = if place == Place::Head { Place::EntryBlock } else { Place::Phis },
            Op::ExtInst | Op::ExtInstWithForwardRefsKHR => {
                use wavelens_syntax::spirv::tables::ExtSet;
                if !inst.is_debug_info() || inst.raw.set == Some(ExtSet::ShaderDebugInfo100) {
                    place = Place::Other;
                }
            }
            Op::Phi if place != Place::Phis => {
                let message = "OpPhi stands first in a block other than the entry block";
                report(to, at, &BRANCH, None, message.to_owned());
            }
            Op::Phi | Op::Line | Op::NoLine => {}
            op @ (Op::LoopMerge | Op::SelectionMerge) => {
                place = Place::Other;
                let next = m.inst(at + 1).map_or(Op::Nop, Inst::op);
                let fits = match op {
                    Op::LoopMerge => matches!(next, Op::Branch | Op::BranchConditional),
                    _ => matches!(next, Op::BranchConditional | Op::Switch),
                };
                if !fits {
                    let message = match op {
                        Op::LoopMerge => "OpLoopMerge stands directly before OpBranch or OpBranchConditional",
                        _ => "OpSelectionMerge stands directly before OpBranchConditional or OpSwitch",
                    };
                    report(to, at, &STRUCTURED, None, message.to_owned());
                }
            }
            Op::Variable | Op::UntypedVariableKHR => {
                use wavelens_syntax::spirv::tables::StorageClass;
                if inst.operand(2) == StorageClass::Function && place != Place::EntryBlock {
                    let message = "variables stand first in the first block of a function";
                    report(to, at, &BRANCH, None, message.to_owned());
                }
            }
            _ => place = Place::Other,
        }
    }
}

/// Targets within the function, not its first block; one header for a merge block; the right return.
fn branches(m: &Module<'_>, (first, last): (u32, u32), to: Report<'_>) {
    let Some(function) = m.inst(first) else { return };
    let insts = || (first + 1..last).filter_map(|at| m.inst(at)).filter(|i| i.is_whole());
    let labels: FxHashSet<Id> = insts().filter(|i| i.op() == Op::Label).map(Inst::id).collect();
    let entry = insts().find(|i| i.op() == Op::Label).map_or(NONE, Inst::id);
    let mut merges: FxHashSet<Id> = FxHashSet::default();
    let mut block = NONE;
    for inst in insts() {
        let named: Vec<(usize, Id)> = match inst.op() {
            Op::Label => {
                block = inst.id();
                continue;
            }
            Op::LoopMerge | Op::SelectionMerge => {
                let merge = inst.operand(0);
                if !merges.insert(merge) {
                    let message = format!("`{}` is already the merge block of another header", m.name(merge));
                    report(to, inst.at, &STRUCTURED, Some(0), message);
                }
                if inst.op() == Op::LoopMerge && merge == block {
                    let message = "a loop header cannot be its own merge block".to_owned();
                    report(to, inst.at, &STRUCTURED, Some(0), message);
                }
                let count = if inst.op() == Op::LoopMerge { 2 } else { 1 };
                (0..count).map(|i| (i, inst.operand(i))).collect()
            }
            Op::Return => {
                if m.def(function.ty()).is_some() && !m.is_void(function.ty()) {
                    let message =
                        format!("the function returns {}: use OpReturnValue", m.type_name(function.ty()));
                    report(to, inst.at, &BRANCH, None, message);
                }
                continue;
            }
            Op::ReturnValue => {
                let ty = m.operand_type(inst, 0);
                if ty != NONE && function.ty() != NONE && ty != function.ty() && !m.is_void(ty) {
                    let message = format!(
                        "`{}` is {}, but the function returns {}",
                        m.name(inst.operand(0)),
                        m.type_name(ty),
                        m.type_name(function.ty())
                    );
                    report(to, inst.at, &BRANCH, Some(0), message);
                }
                continue;
            }
            _ => targets(inst),
        };
        for (operand, label) in named {
            if label == entry && !matches!(inst.op(), Op::LoopMerge | Op::SelectionMerge) {
                let message = "the first block of a function cannot be branched to".to_owned();
                report(to, inst.at, &BRANCH, Some(operand), message);
            } else if !labels.contains(&label)
                && (m.op(label) == Op::Label || inst.op() == Op::SelectionMerge && m.def(label).is_some())
            {
                let message = format!("`{}` is no block of this function", m.name(label));
                report(to, inst.at, &BRANCH, Some(operand), message);
            }
        }
    }
}

fn phis(m: &Module<'_>, body: &Body, to: Report<'_>) {
    for (index, block) in body.blocks.iter().enumerate() {
        for at in block.first + 1..block.last {
            let Some(inst) = m.inst(at).filter(|i| i.op() == Op::Phi && i.is_whole()) else { continue };
            let predecessors: FxHashSet<Id> = body
                .cfg
                .predecessors(index as u32)
                .iter()
                .filter_map(|p| body.blocks.get(*p as usize))
                .map(|b| b.label)
                .collect();
            if let Err(fault) = phi(m, inst, &predecessors) {
                to(at, fault);
            }
        }
    }
}

fn phi(m: &Module<'_>, inst: Inst<'_>, predecessors: &FxHashSet<Id>) -> Check {
    let pairs = (inst.count() - 2) / 2;
    if pairs != predecessors.len() {
        return fail(
            &BRANCH,
            format!("OpPhi names {pairs} blocks, but its block has {} predecessors", predecessors.len()),
        );
    }
    let mut seen = FxHashSet::default();
    for pair in 0..pairs {
        let (value, block) = (2 + pair * 2, 3 + pair * 2);
        let ty = m.operand_type(inst, value);
        if ty != inst.ty() && !m.is_broken(inst.operand(value)) {
            return wrong(
                value,
                format!(
                    "`{}` is {}, but OpPhi is {}",
                    m.name(inst.operand(value)),
                    m.type_name(ty),
                    m.type_name(inst.ty())
                ),
            );
        }
        let label = inst.operand(block);
        if !predecessors.contains(&label) {
            return wrong(block, format!("`{}` is no predecessor of this block", m.name(label)));
        }
        if !seen.insert(label) {
            return wrong(block, format!("`{}` is named twice", m.name(label)));
        }
    }
    Ok(())
}

/// A block stands after its dominator.
fn order(m: &Module<'_>, body: &Body, to: Report<'_>) {
    for (index, block) in body.blocks.iter().enumerate().skip(1) {
        if let Some(dominator) = body.dominators.immediate(index as u32)
            && dominator > index as u32
            && let Some(other) = body.blocks.get(dominator as usize)
        {
            let message = format!(
                "block `{}` stands before `{}`, which dominates it",
                m.name(block.label),
                m.name(other.label)
            );
            report(to, block.first, &DOMINANCE, None, message);
        }
    }
}

/// Values are used where they are computed on every path.
fn uses(m: &Module<'_>, body: &Body, to: Report<'_>) {
    let mut block_of: FxHashMap<Id, u32> = FxHashMap::default();
    for (index, block) in body.blocks.iter().enumerate() {
        for at in block.first + 1..block.last {
            if let Some(inst) = m.inst(at).filter(|i| i.id() != NONE) {
                block_of.insert(inst.id(), index as u32);
            }
        }
    }
    for (index, block) in body.blocks.iter().enumerate() {
        let index = index as u32;
        if !body.is_reachable(index) {
            continue;
        }
        for at in block.first + 1..=block.last {
            let Some(inst) = m.inst(at).filter(|i| i.is_whole()) else { continue };
            for (operand, _, id) in inst.ids() {
                if id & LOCAL == 0 && m.is_function() {
                    continue;
                }
                let Some(defined) = block_of.get(&id).copied() else { continue };
                let (place, from) = if inst.op() == Op::Phi {
                    match body.by_label.get(&inst.operand(operand + 1)) {
                        Some(parent) if operand % 2 == 0 && body.is_reachable(*parent) => (*parent, "block "),
                        _ => continue,
                    }
                } else {
                    (index, "")
                };
                if !body.dominates(defined, place) {
                    let message = format!(
                        "`{}` is computed in block `{}`, which does not dominate {from}`{}`",
                        m.name(id),
                        body.blocks.get(defined as usize).map_or_else(String::new, |b| m.name(b.label)),
                        body.blocks.get(place as usize).map_or_else(String::new, |b| m.name(b.label))
                    );
                    report(to, at, &DOMINANCE, Some(operand), message);
                }
            }
        }
    }
}

fn reconvergence(m: &Module<'_>, body: &Body, to: Report<'_>) {
    let Some(function) = m.inst(body.first).map(Inst::id) else { return };
    let entries = m.scope.functions.get(&function).map_or(&[][..], |f| f.entry_points.as_slice());
    let maximal = entries.iter().filter_map(|e| m.scope.entry_points.get(*e as usize)).any(|e| {
        m.scope.modes_of(e.function).iter().any(|(mode, _)| *mode == ExecutionMode::MaximallyReconvergesKHR)
    });
    if !maximal {
        return;
    }
    let mut merged: FxHashSet<Id> = FxHashSet::default();
    for block in &body.blocks {
        for at in [block.merge, Some(block.last)].into_iter().flatten() {
            let Some(inst) = m.inst(at) else { continue };
            match inst.op() {
                Op::BranchConditional if inst.operand(1) == inst.operand(2) => {
                    let message = "with MaximallyReconvergesKHR both targets must differ".to_owned();
                    report(to, at, &BRANCH, Some(2), message);
                }
                Op::SelectionMerge | Op::LoopMerge | Op::Switch => {
                    merged.extend(inst.ids().map(|(_, _, id)| id))
                }
                _ => {}
            }
        }
    }
    for (index, block) in body.blocks.iter().enumerate() {
        let mut predecessors = body.cfg.predecessors(index as u32).to_vec();
        predecessors.sort_unstable();
        predecessors.dedup();
        let is_loop = block.merge.and_then(|at| m.inst(at)).is_some_and(|i| i.op() == Op::LoopMerge);
        if predecessors.len() > 1 && !is_loop && !merged.contains(&block.label) {
            let message = "with MaximallyReconvergesKHR only merge blocks, continue and switch targets have several predecessors";
            report(to, block.first, &STRUCTURED, None, message.to_owned());
        }
    }
}

/// A selection, a loop, or a loop's continue construct.
#[derive(Clone, Copy, PartialEq)]
enum Construct {
    Selection { header: u32, merge: u32 },
    Loop { header: u32, merge: u32, target: u32 },
    Continue { header: u32, merge: u32, target: u32, latch: u32 },
}

impl Construct {
    fn entry(self) -> u32 {
        match self {
            Construct::Selection { header, .. } | Construct::Loop { header, .. } => header,
            Construct::Continue { target, .. } => target,
        }
    }

    fn exit(self) -> u32 {
        match self {
            Construct::Selection { merge, .. } | Construct::Loop { merge, .. } => merge,
            Construct::Continue { latch, .. } => latch,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Construct::Selection { .. } => "selection",
            Construct::Loop { .. } => "loop",
            Construct::Continue { .. } => "continue construct",
        }
    }
}

struct Structure<'a> {
    m: &'a Module<'a>,
    body: &'a Body,
    post: crate::cfg::Dominators,
    back_edges: Vec<(u32, u32)>,
    /// Headers by the merge block that they declare.
    header_of: FxHashMap<u32, u32>,
}

fn structured(m: &Module<'_>, body: &Body, to: Report<'_>) {
    let back_edges = body.back_edges();
    let header_inst = |b: u32| body.blocks.get(b as usize).and_then(|b| b.merge).and_then(|at| m.inst(at));
    let is_loop = |b: u32| header_inst(b).is_some_and(|i| i.op() == Op::LoopMerge);
    let name = |b: u32| body.blocks.get(b as usize).map_or_else(String::new, |b| m.name(b.label));
    let label_at = |b: u32| body.blocks.get(b as usize).map_or(0, |b| b.first);
    let before = std::cell::Cell::new(false);
    let mut emit = |block: u32, message: String| {
        before.set(true);
        report(to, label_at(block), &STRUCTURED, None, message);
    };
    for (from, header) in &back_edges {
        if !is_loop(*header) {
            emit(
                *from,
                format!("`{}` branches back to `{}`, which is no loop header", name(*from), name(*header)),
            );
        }
    }
    let mut constructs = Vec::new();
    for index in 0..body.blocks.len() as u32 {
        let Some(inst) = header_inst(index) else { continue };
        let block = |operand: usize| body.by_label.get(&inst.operand(operand)).copied().unwrap_or(0);
        if inst.op() == Op::SelectionMerge {
            constructs.push(Construct::Selection { header: index, merge: block(0) });
            continue;
        }
        let latches: Vec<u32> = back_edges.iter().filter(|(_, h)| *h == index).map(|(l, _)| *l).collect();
        if body.is_structurally_reachable(index) && latches.len() != 1 {
            emit(
                index,
                format!(
                    "the loop `{}` is branched back to by {} blocks; it must be one",
                    name(index),
                    latches.len()
                ),
            );
        }
        let (merge, target) = (block(0), block(1));
        constructs.push(Construct::Loop { header: index, merge, target });
        if let Some(latch) = latches.last() {
            constructs.push(Construct::Continue { header: index, merge, target, latch: *latch });
        }
    }
    if before.get() {
        return;
    }
    let mut header_of = FxHashMap::default();
    for construct in &constructs {
        if let Construct::Selection { header, merge } | Construct::Loop { header, merge, .. } = construct {
            header_of.insert(*merge, *header);
        }
    }
    let structure = Structure { m, body, post: body.post_dominators(), back_edges, header_of };
    for construct in &constructs {
        if body.is_structurally_reachable(construct.entry())
            && let Err((block, message)) = structure.construct(*construct)
        {
            emit(block, message);
        }
    }
    structure.selections(&mut emit);
}

type Found = Result<(), (u32, String)>;

impl Structure<'_> {
    fn name(&self, block: u32) -> String {
        self.body.blocks.get(block as usize).map_or_else(String::new, |b| self.m.name(b.label))
    }

    fn terminator(&self, block: u32) -> Option<Inst<'_>> {
        self.m.inst(self.body.blocks.get(block as usize)?.last)
    }

    fn merge_inst(&self, block: u32) -> Option<Inst<'_>> {
        self.m.inst(self.body.blocks.get(block as usize)?.merge?)
    }

    fn block(&self, label: Id) -> u32 {
        self.body.by_label.get(&label).copied().unwrap_or(u32::MAX)
    }

    fn post_dominates(&self, a: u32, b: u32) -> bool {
        a == b || self.post.is_reachable(b + 1) && self.post.dominates(a + 1, b + 1)
    }

    fn construct(&self, c: Construct) -> Found {
        let (body, entry, exit) = (self.body, c.entry(), c.exit());
        if !body.structurally_dominates(entry, exit) {
            return Err((
                exit,
                format!(
                    "the {} at `{}` does not dominate its end `{}`",
                    c.name(),
                    self.name(entry),
                    self.name(exit)
                ),
            ));
        }
        let is_continue = matches!(c, Construct::Continue { .. });
        if !is_continue && entry == exit {
            return Err((exit, format!("the header `{}` is its own merge block", self.name(entry))));
        }
        if is_continue && !self.post_dominates(exit, entry) {
            return Err((
                exit,
                format!(
                    "the continue target `{}` is not post-dominated by the block `{}` that branches back",
                    self.name(entry),
                    self.name(exit)
                ),
            ));
        }
        let blocks = self.blocks(c);
        let mut ordered: Vec<u32> = blocks.iter().copied().collect();
        ordered.sort_unstable();
        for block in ordered {
            for successor in body.cfg.successors(block) {
                if !blocks.contains(successor) && !self.is_exit(c, *successor) {
                    return Err((
                        block,
                        format!(
                            "`{}` leaves the {} at `{}` to `{}`, which is no structured exit",
                            self.name(block),
                            c.name(),
                            self.name(entry),
                            self.name(*successor)
                        ),
                    ));
                }
            }
            if block == entry {
                continue;
            }
            for predecessor in body.cfg.predecessors(block) {
                if body.is_structurally_reachable(*predecessor) && !blocks.contains(predecessor) {
                    return Err((
                        *predecessor,
                        format!(
                            "`{}` enters the {} at `{}` other than by its header",
                            self.name(*predecessor),
                            c.name(),
                            self.name(entry)
                        ),
                    ));
                }
            }
            if let Some(merge) = self.merge_inst(block).map(|i| self.block(i.operand(0)))
                && body.is_structurally_reachable(merge)
                && !blocks.contains(&merge)
            {
                return Err((
                    block,
                    format!(
                        "the header `{}` is in the {} at `{}`, but its merge block `{}` is not",
                        self.name(block),
                        c.name(),
                        self.name(entry),
                        self.name(merge)
                    ),
                ));
            }
        }
        if let Construct::Loop { header, target, .. } = c
            && header != target
        {
            for predecessor in body.cfg.predecessors(target) {
                let is_back_edge = self.back_edges.contains(&(*predecessor, target));
                if body.is_structurally_reachable(*predecessor)
                    && !blocks.contains(predecessor)
                    && !is_back_edge
                {
                    return Err((
                        *predecessor,
                        format!(
                            "`{}` branches to the continue target `{}` from outside of its loop",
                            self.name(*predecessor),
                            self.name(target)
                        ),
                    ));
                }
            }
        }
        if let Construct::Selection { header, merge } = c
            && self.terminator(header).is_some_and(|t| t.op() == Op::Switch)
        {
            self.switch(c, header, merge)?;
        }
        Ok(())
    }

    fn blocks(&self, c: Construct) -> FxHashSet<u32> {
        let (body, entry, exit) = (self.body, c.entry(), c.exit());
        let mut found = FxHashSet::default();
        let mut stack = vec![entry];
        while let Some(block) = stack.pop() {
            if !body.structurally_dominates(entry, block) {
                continue;
            }
            let include = match c {
                Construct::Continue { .. } if self.post_dominates(exit, block) => true,
                Construct::Loop { target, .. } => {
                    !body.structurally_dominates(exit, block) && !body.structurally_dominates(target, block)
                }
                _ => !body.structurally_dominates(exit, block),
            };
            if include && found.insert(block) {
                stack.extend_from_slice(body.structural.successors(block));
            }
        }
        found
    }

    /// The header that declares the block as its merge block, or else the block's dominator.
    fn outward(&self, block: u32) -> Option<u32> {
        match self.header_of.get(&block) {
            Some(header) if *header != block && self.body.structurally_dominates(*header, block) => {
                Some(*header)
            }
            _ => self.body.structural_dominators.immediate(block),
        }
    }

    fn is_exit(&self, c: Construct, to: u32) -> bool {
        match c {
            Construct::Loop { merge, target, .. } => to == merge || to == target,
            Construct::Continue { header, merge, .. } => to == header || to == merge,
            Construct::Selection { header, merge } => {
                if to == merge {
                    return true;
                }
                let is_switch = |b: u32| self.terminator(b).is_some_and(|t| t.op() == Op::Switch);
                let mut seen_switch = false;
                let mut at = self.outward(header);
                while let Some(block) = at {
                    if let Some(inst) = self.merge_inst(block) {
                        let is_loop = inst.op() == Op::LoopMerge;
                        if is_loop || !is_switch(header) && is_switch(block) {
                            let target = self.block(inst.operand(0));
                            if self.body.structurally_dominates(target, header) {
                                at = self.outward(block);
                                continue;
                            }
                            if (!seen_switch || is_loop) && to == target {
                                return true;
                            }
                            if is_loop && to == self.block(inst.operand(1)) {
                                return true;
                            }
                            seen_switch |= is_switch(block);
                            if is_loop {
                                return false;
                            }
                        }
                    }
                    at = self.outward(block);
                }
                false
            }
        }
    }

    /// The case that a case falls through to.
    fn fall_through(
        &self,
        c: Construct,
        case: u32,
        merge: u32,
        cases: &FxHashSet<u32>,
    ) -> Result<Option<u32>, (u32, String)> {
        let body = self.body;
        let mut next = None;
        let mut seen = FxHashSet::default();
        let mut stack = vec![case];
        while let Some(block) = stack.pop() {
            if block == merge || !seen.insert(block) {
                continue;
            }
            if body.is_structurally_reachable(case)
                && body.is_structurally_reachable(block)
                && body.structurally_dominates(case, block)
            {
                stack.extend_from_slice(body.cfg.successors(block));
                continue;
            }
            if !cases.contains(&block) {
                if self.is_exit(c, block) {
                    continue;
                }
                return Err((
                    case,
                    format!(
                        "the case at `{}` branches to `{}`, which is no case and no exit",
                        self.name(case),
                        self.name(block)
                    ),
                ));
            }
            match next {
                None if case != block => next = Some(block),
                Some(other) if other != block => {
                    return Err((
                        case,
                        format!(
                            "the case at `{}` falls through to both `{}` and `{}`",
                            self.name(case),
                            self.name(other),
                            self.name(block)
                        ),
                    ));
                }
                _ => {}
            }
        }
        Ok(next)
    }

    fn switch(&self, c: Construct, header: u32, merge: u32) -> Found {
        let Some(inst) = self.terminator(header) else { return Ok(()) };
        let list: Vec<u32> = (1..inst.count()).step_by(2).map(|i| self.block(inst.operand(i))).collect();
        let cases: FxHashSet<u32> = list.iter().copied().filter(|b| *b != merge).collect();
        let Some(default) = list.first().copied() else { return Ok(()) };
        let default_repeats = list.iter().skip(1).any(|b| *b == default);
        let mut default_next = None;
        let mut known: FxHashMap<u32, Option<u32>> = FxHashMap::default();
        let mut targeted: FxHashMap<u32, u32> = FxHashMap::default();
        for (index, case) in list.iter().copied().enumerate().filter(|(_, b)| *b != merge) {
            let mut next = match known.get(&case) {
                Some(next) => *next,
                None => {
                    if self.body.is_structurally_reachable(header)
                        && self.body.is_structurally_reachable(case)
                        && !self.body.structurally_dominates(header, case)
                    {
                        return Err((
                            header,
                            format!(
                                "the switch `{}` does not dominate its case `{}`",
                                self.name(header),
                                self.name(case)
                            ),
                        ));
                    }
                    let next = self.fall_through(c, case, merge, &cases)?;
                    if let Some(to) = next {
                        *targeted.entry(to).or_default() += 1;
                    }
                    known.insert(case, next);
                    next
                }
            };
            if next == Some(default) && !default_repeats {
                next = default_next;
            }
            let Some(to) = next else { continue };
            if index == 0 {
                default_next = next;
                continue;
            }
            let mut after = index;
            while list.get(after + 1) == Some(&case) {
                after += 1;
            }
            if list.get(after + 1) != Some(&to) {
                return Err((
                    header,
                    format!(
                        "the case at `{}` falls through to `{}`, which does not follow it in OpSwitch",
                        self.name(case),
                        self.name(to)
                    ),
                ));
            }
        }
        match targeted.iter().find(|(_, n)| **n > 1) {
            Some((to, _)) => Err((*to, format!("several cases fall through to `{}`", self.name(*to)))),
            None => Ok(()),
        }
    }

    /// Every selection is declared, unless it only leaves constructs around it.
    fn selections(&self, emit: &mut dyn FnMut(u32, String)) {
        let mut seen: FxHashSet<Id> = FxHashSet::default();
        for block in self.body.structural.reverse_post_order() {
            let Some(terminator) = self.terminator(block) else { continue };
            let merge = self.merge_inst(block);
            if let Some(merge) = merge {
                seen.insert(merge.operand(0));
                if merge.op() == Op::LoopMerge {
                    seen.insert(merge.operand(1));
                }
            }
            match terminator.op() {
                Op::BranchConditional => {
                    let new = seen.insert(terminator.operand(1));
                    let new = seen.insert(terminator.operand(2)) && new;
                    if new && merge.is_none_or(|i| i.op() == Op::LoopMerge) {
                        emit(
                            block,
                            format!("the selection in `{}` has no OpSelectionMerge", self.name(block)),
                        );
                    }
                }
                Op::Switch => {
                    if merge.is_none() {
                        emit(
                            block,
                            format!("the OpSwitch in `{}` has no OpSelectionMerge", self.name(block)),
                        );
                    }
                    seen.extend(targets(terminator).into_iter().map(|(_, id)| id));
                }
                _ => {}
            }
        }
    }
}
