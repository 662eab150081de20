//! Structured control flow: what headers, merge blocks and continue targets enclose.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::Op;
use wavelens_syntax::wording;

use super::{Report, STRUCTURED, report};
use crate::blocks::{Body, targets};
use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::{Fault, Part};

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

    fn exit_name(self) -> &'static str {
        match self {
            Construct::Selection { .. } | Construct::Loop { .. } => "merge block",
            Construct::Continue { .. } => "back-edge block",
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

/// What is wrong with the structure.
struct Wrong {
    /// Where SPIRV-Tools report it: at the label.
    block: u32,
    message: String,
    /// The branch that is wrong: from one block to another. Without one, the block is.
    edge: Option<(u32, u32)>,
    /// What is left or entered.
    construct: Option<Construct>,
}

impl Wrong {
    fn at(block: u32, message: String) -> Wrong {
        Wrong { block, message, edge: None, construct: None }
    }

    fn branch(block: u32, edge: (u32, u32), construct: Option<Construct>, message: String) -> Wrong {
        Wrong { block, message, edge: Some(edge), construct }
    }
}

struct Structure<'a> {
    m: &'a RuleContext<'a>,
    body: &'a Body,
    post: wavelens_base::cfg::Dominators,
    back_edges: Vec<(u32, u32)>,
    /// Headers by the merge block that they declare.
    header_of: FxHashMap<u32, u32>,
    /// The number of the last construct that each block was found in.
    marks: Vec<Cell<usize>>,
}

/// The blocks of a construct.
struct Inside<'s> {
    number: usize,
    marks: &'s [Cell<usize>],
    /// In the order of the text.
    blocks: Vec<u32>,
}

impl Inside<'_> {
    fn contains(&self, block: u32) -> bool {
        self.marks.get(block as usize).is_some_and(|mark| mark.get() == self.number)
    }

    /// False if it is known already.
    fn insert(&mut self, block: u32) -> bool {
        let mark = self.marks.get(block as usize);
        let is_new = mark.is_some_and(|mark| mark.replace(self.number) != self.number);
        if is_new {
            self.blocks.push(block);
        }
        is_new
    }
}

pub(super) fn structured(m: &RuleContext<'_>, body: &Body, to: Report<'_>) {
    let back_edges = body.back_edges();
    let header_inst = |b: u32| body.blocks.get(b as usize).and_then(|b| b.merge).and_then(|at| m.inst(at));
    let is_loop = |b: u32| header_inst(b).is_some_and(|i| i.op() == Op::LoopMerge);
    let name = |b: u32| body.blocks.get(b as usize).map_or_else(String::new, |b| m.name(b.label));
    let before = std::cell::Cell::new(false);
    let mut emit = |wrong: Wrong| {
        before.set(true);
        let at = body.blocks.get(wrong.block as usize).map_or(0, |b| b.first);
        match fault(m, body, &wrong) {
            Some((branch, fault)) => to(branch, fault),
            None => report(to, at, &STRUCTURED, None, wrong.message),
        }
    };
    for (from, header) in &back_edges {
        if !is_loop(*header) {
            let message =
                format!("`{}` branches back to `{}`, which is not a loop header", name(*from), name(*header));
            emit(Wrong::branch(*from, (*from, *header), None, message));
        }
    }
    let mut latches_of: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (latch, header) in &back_edges {
        latches_of.entry(*header).or_default().push(*latch);
    }
    let mut constructs = Vec::new();
    for index in 0..body.blocks.len() as u32 {
        let Some(inst) = header_inst(index) else { continue };
        let block = |operand: usize| body.by_label.get(&inst.operand(operand)).copied().unwrap_or(0);
        if inst.op() == Op::SelectionMerge {
            constructs.push(Construct::Selection { header: index, merge: block(0) });
            continue;
        }
        let latches = latches_of.get(&index).map_or(&[][..], Vec::as_slice);
        if body.is_structurally_reachable(index) && latches.len() != 1 {
            let message = format!(
                "expected one back edge to the loop header `{}`, found {}",
                name(index),
                latches.len()
            );
            emit(Wrong::at(index, message));
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
    let marks = vec![Cell::new(0); body.blocks.len()];
    let structure = Structure { m, body, post: body.post_dominators(), back_edges, header_of, marks };
    for (number, construct) in (1..).zip(&constructs) {
        if body.is_structurally_reachable(construct.entry())
            && let Err(wrong) = structure.check_construct(*construct, number)
        {
            emit(wrong);
        }
    }
    structure.selections(&mut emit);
}

/// The finding at a branch, with the construct that it leaves or enters, and which instruction the branch is.
fn fault(m: &RuleContext<'_>, body: &Body, wrong: &Wrong) -> Option<(u32, Box<Fault>)> {
    let block = |b: u32| body.blocks.get(b as usize);
    let (from, to) = wrong.edge?;
    let branch = m.inst(block(from)?.last)?;
    let label = block(to)?.label;
    let (operand, _) = targets(branch).find(|(_, id)| *id == label)?;
    let mut found = Fault::new(&STRUCTURED, wrong.message.as_str()).at(Part::Operand(operand));
    let place = |b: u32| m.place(block(b)?.first);
    if let Some(construct) = wrong.construct {
        found = found.related(place(construct.entry())?, format!("the {} starts here", construct.name()));
        found = found.related(place(construct.exit())?, format!("its {}", construct.exit_name()));
    }
    Some((branch.at, found.related(place(wrong.block)?, wording::SPIRV_REFERENCE)))
}

type Found = Result<(), Wrong>;

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

    fn check_construct(&self, c: Construct, number: usize) -> Found {
        self.check_header(c)?;
        let inside = self.inside(c, number);
        for block in &inside.blocks {
            self.check_block(c, &inside, *block)?;
        }
        match c {
            Construct::Loop { header, target, .. } if header != target => {
                self.check_continue_target(&inside, target)
            }
            Construct::Selection { header, merge }
                if self.terminator(header).is_some_and(|t| t.op() == Op::Switch) =>
            {
                self.switch(c, header, merge)
            }
            _ => Ok(()),
        }
    }

    /// The dominance between the block that enters a construct and the one that leaves it.
    fn check_header(&self, c: Construct) -> Found {
        let (entry, exit) = (c.entry(), c.exit());
        if !self.body.structurally_dominates(entry, exit) {
            let message = format!(
                "the header of the {} at `{}` does not dominate its {} `{}`",
                c.name(),
                self.name(entry),
                c.exit_name(),
                self.name(exit)
            );
            return Err(Wrong::at(exit, message));
        }
        if matches!(c, Construct::Continue { .. }) {
            if !self.post_dominates(exit, entry) {
                let message = format!(
                    "the continue target `{}` is not post-dominated by the back-edge block `{}`",
                    self.name(entry),
                    self.name(exit)
                );
                return Err(Wrong::at(exit, message));
            }
        } else if entry == exit {
            let message = format!("the header `{}` must not be its own merge block", self.name(entry));
            return Err(Wrong::at(exit, message));
        }
        Ok(())
    }

    /// The edges out of a block of a construct and into it, and the merge block that it declares.
    fn check_block(&self, c: Construct, inside: &Inside<'_>, block: u32) -> Found {
        let (body, entry) = (self.body, c.entry());
        for successor in body.cfg.successors(block) {
            if !inside.contains(*successor) && !self.is_exit(c, *successor) {
                let message = format!(
                    "`{}` exits the {} at `{}` to `{}`, which is not a structured exit",
                    self.name(block),
                    c.name(),
                    self.name(entry),
                    self.name(*successor)
                );
                return Err(Wrong::branch(block, (block, *successor), Some(c), message));
            }
        }
        if block == entry {
            return Ok(());
        }
        for predecessor in body.cfg.predecessors(block) {
            if body.is_structurally_reachable(*predecessor) && !inside.contains(*predecessor) {
                let message = format!(
                    "`{}` branches into the {} at `{}` without passing its header",
                    self.name(*predecessor),
                    c.name(),
                    self.name(entry)
                );
                return Err(Wrong::branch(*predecessor, (*predecessor, block), Some(c), message));
            }
        }
        if let Some(merge) = self.merge_inst(block).map(|i| self.block(i.operand(0)))
            && body.is_structurally_reachable(merge)
            && !inside.contains(merge)
        {
            let message = format!(
                "the header `{}` is in the {} at `{}`, but its merge block `{}` is not",
                self.name(block),
                c.name(),
                self.name(entry),
                self.name(merge)
            );
            return Err(Wrong::at(block, message));
        }
        Ok(())
    }

    /// Only blocks of its loop and the back edge reach a continue target.
    fn check_continue_target(&self, inside: &Inside<'_>, target: u32) -> Found {
        for predecessor in self.body.cfg.predecessors(target) {
            let is_back_edge = self.back_edges.contains(&(*predecessor, target));
            if self.body.is_structurally_reachable(*predecessor)
                && !inside.contains(*predecessor)
                && !is_back_edge
            {
                let message = format!(
                    "`{}` branches to the continue target `{}` from outside its loop",
                    self.name(*predecessor),
                    self.name(target)
                );
                return Err(Wrong::branch(*predecessor, (*predecessor, target), None, message));
            }
        }
        Ok(())
    }

    fn inside(&self, c: Construct, number: usize) -> Inside<'_> {
        let (body, entry, exit) = (self.body, c.entry(), c.exit());
        let mut found = Inside { number, marks: &self.marks, blocks: Vec::new() };
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
        found.blocks.sort_unstable();
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
    ) -> Result<Option<u32>, Wrong> {
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
                return Err(Wrong::at(
                    case,
                    format!(
                        "the case at `{}` branches to `{}`, which is neither a case nor a structured exit",
                        self.name(case),
                        self.name(block)
                    ),
                ));
            }
            match next {
                None if case != block => next = Some(block),
                Some(other) if other != block => {
                    return Err(Wrong::at(
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
                        return Err(Wrong::at(
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
                return Err(Wrong::branch(
                    header,
                    (header, case),
                    None,
                    format!(
                        "the case at `{}` falls through to `{}`, which does not follow it in OpSwitch",
                        self.name(case),
                        self.name(to)
                    ),
                ));
            }
        }
        match targeted.iter().find(|(_, n)| **n > 1) {
            Some((to, _)) => {
                Err(Wrong::at(*to, format!("more than one case falls through to `{}`", self.name(*to))))
            }
            None => Ok(()),
        }
    }

    /// Every selection is declared, unless it only leaves constructs around it.
    fn selections(&self, emit: &mut dyn FnMut(Wrong)) {
        let mut seen: FxHashSet<Id> = FxHashSet::default();
        for block in self.body.structural_order.iter().copied() {
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
                        emit(Wrong::at(
                            block,
                            format!(
                                "missing OpSelectionMerge before the conditional branch of `{}`",
                                self.name(block)
                            ),
                        ));
                    }
                }
                Op::Switch => {
                    if merge.is_none() {
                        emit(Wrong::at(
                            block,
                            format!("missing OpSelectionMerge before the OpSwitch of `{}`", self.name(block)),
                        ));
                    }
                    seen.extend(targets(terminator).map(|(_, id)| id));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn constructs_have_one_way_in() {
        let shader = Shader {
            body: "OpSelectionMerge %end None
OpBranchConditional %true %a %b
%a = OpLabel
OpBranch %c
%b = OpLabel
OpBranch %loop
%loop = OpLabel
OpLoopMerge %out %cont None
OpBranchConditional %true %c %out
%c = OpLabel
OpBranch %cont
%cont = OpLabel
OpBranch %loop
%out = OpLabel
OpBranch %end
%end = OpLabel",
            ..Shader::NEW
        };
        expect![[r#"
            error[structured-control-flow] `%loop = OpLabel`: expected one back edge to the loop header `%loop`, found 0
            error[structured-control-flow] `%c`: `%loop` branches back to `%c`, which is not a loop header
              39:1 `%loop`: SPIRV-Tools report it here
        "#]].assert_eq(&shader.findings());
    }
}
