//! The order of blocks, their branches, merges and phis.

use rustc_hash::FxHashSet;
use wavelens_syntax::spirv::tables::{ExecutionMode, Op};

use super::{BRANCH, DOMINANCE, Report, STRUCTURED, report, wrong};
use crate::blocks::{Body, targets};
use crate::code::{Id, Inst};
use crate::context::{Definition, RuleContext};
use crate::flat::NONE;
use crate::ops::generates_type;
use wavelens_base::{Verdict, fail};

/// What stands where in a block.
pub(super) fn adjacency(m: &RuleContext<'_>, first: u32, last: u32, to: Report<'_>) {
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
                let message = "OpPhi must precede all other instructions of its block, and must not be in the entry block";
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
                        Op::LoopMerge => {
                            "OpLoopMerge must be followed directly by OpBranch or OpBranchConditional"
                        }
                        _ => "OpSelectionMerge must be followed directly by OpBranchConditional or OpSwitch",
                    };
                    report(to, at, &STRUCTURED, None, message.to_owned());
                }
            }
            Op::Variable | Op::UntypedVariableKHR => {
                use wavelens_syntax::spirv::tables::StorageClass;
                if inst.operand(2) == StorageClass::Function && place != Place::EntryBlock {
                    let message = "a variable in Function must be among the first instructions of the function's first block";
                    report(to, at, &BRANCH, None, message.to_owned());
                }
            }
            // It may have been one that keeps the place.
            _ if inst.is_broken() => {}
            _ => place = Place::Other,
        }
    }
}

/// Targets within the function, not its first block; one header for a merge block; the right return.
pub(super) fn branches(m: &RuleContext<'_>, first: u32, last: u32, to: Report<'_>) {
    let Some(function) = m.inst(first) else { return };
    let insts = || (first + 1..last).filter_map(|at| m.inst(at)).filter(|i| i.is_whole());
    let labels: Vec<Id> = insts().filter(|i| i.op() == Op::Label).map(Inst::id).collect();
    let entry = labels.first().copied().unwrap_or(NONE);
    let labels: FxHashSet<Id> = labels.into_iter().collect();
    let mut merges: FxHashSet<Id> = FxHashSet::default();
    let mut block = NONE;
    let target = |inst: Inst<'_>, (operand, label): (usize, Id), to: Report<'_>| {
        if label == entry && !matches!(inst.op(), Op::LoopMerge | Op::SelectionMerge) {
            let message = "the first block of a function must not be a branch target".to_owned();
            report(to, inst.at, &BRANCH, Some(operand), message);
        } else if !labels.contains(&label)
            && (m.op(label) == Op::Label || inst.op() == Op::SelectionMerge && m.def(label).is_some())
        {
            let message = format!("`{}` is not a block of this function", m.name(label));
            report(to, inst.at, &BRANCH, Some(operand), message);
        }
    };
    for inst in insts() {
        match inst.op() {
            Op::Label => {
                block = inst.id();
            }
            Op::LoopMerge | Op::SelectionMerge => {
                let merge = inst.operand(0);
                if !merges.insert(merge) {
                    let message =
                        format!("`{}` is already the merge block of another header block", m.name(merge));
                    report(to, inst.at, &STRUCTURED, Some(0), message);
                }
                if inst.op() == Op::LoopMerge && merge == block {
                    let message = "a loop header must not be its own merge block".to_owned();
                    report(to, inst.at, &STRUCTURED, Some(0), message);
                }
                let count = if inst.op() == Op::LoopMerge { 2 } else { 1 };
                (0..count).for_each(|i| target(inst, (i, inst.operand(i)), to));
            }
            Op::Return => {
                let is_type = m.def(function.ty()).is_some_and(|def| generates_type(def.op()));
                if is_type && !m.is_void(function.ty()) {
                    let message = format!(
                        "expected OpReturnValue: the return type of the function is {}, not OpTypeVoid",
                        m.type_name(function.ty())
                    );
                    report(to, inst.at, &BRANCH, None, message);
                }
            }
            Op::ReturnValue => {
                let ty = m.operand_type(inst, 0);
                let is_known = m.def(ty).is_some() && m.def(function.ty()).is_some();
                if is_known && ty != function.ty() && !m.is_void(ty) {
                    let (own, returned) = m.type_names(ty, function.ty());
                    let value = m.name(inst.operand(0));
                    let message = format!(
                        "`{value}` has type {own}, but the return type of the function is {returned}"
                    );
                    report(to, inst.at, &BRANCH, Some(0), message);
                }
            }
            _ => targets(inst).for_each(|named| target(inst, named, to)),
        }
    }
}

pub(super) fn phis(m: &RuleContext<'_>, body: &Body, to: Report<'_>) {
    for of_block in body.phis.chunk_by(|(a, _), (b, _)| a == b) {
        let predecessors = of_block.first().map_or(&[][..], |(block, _)| body.cfg.predecessors(*block));
        let blocks = predecessors.iter().filter_map(|block| body.blocks.get(*block as usize));
        let mut labels: Vec<Id> = blocks.map(|block| block.label).collect();
        labels.sort_unstable();
        labels.dedup();
        for (_, at) in of_block {
            if let Some(inst) = m.inst(*at).filter(|inst| inst.is_whole())
                && let Err(fault) = phi(m, inst, &labels)
            {
                to(*at, fault);
            }
        }
    }
}

/// `predecessors` are the labels of all, in ascending order.
fn phi(m: &RuleContext<'_>, inst: Inst<'_>, predecessors: &[Id]) -> Verdict {
    let pairs = (inst.count() - 2) / 2;
    if pairs != predecessors.len() {
        return fail(
            &BRANCH,
            format!(
                "the number of incoming blocks of OpPhi ({pairs}) differs from the number of predecessors ({})",
                predecessors.len()
            ),
        );
    }
    let mut seen = vec![false; pairs];
    for pair in 0..pairs {
        let (value, block) = (2 + pair * 2, 3 + pair * 2);
        let ty = m.operand_type(inst, value);
        let is_missing = || matches!(m.definition(inst.operand(value)), Definition::Missing);
        if ty != inst.ty() && !m.is_broken(inst.operand(value)) && !is_missing() {
            return wrong(
                value,
                format!(
                    "`{}` is {}, but OpPhi is {}",
                    m.name(inst.operand(value)),
                    m.describe(inst.operand(value)),
                    m.type_name(inst.ty())
                ),
            );
        }
        let label = inst.operand(block);
        let Ok(predecessor) = predecessors.binary_search(&label) else {
            return wrong(block, format!("`{}` is not a predecessor of this block", m.name(label)));
        };
        if std::mem::replace(&mut seen[predecessor], true) {
            return wrong(block, format!("predecessor `{}` is listed twice", m.name(label)));
        }
    }
    Ok(())
}

/// A block stands after its dominator.
pub(super) fn order(m: &RuleContext<'_>, body: &Body, to: Report<'_>) {
    for (index, block) in body.blocks.iter().enumerate().skip(1) {
        if let Some(dominator) = body.dominators.immediate(index as u32)
            && dominator > index as u32
            && let Some(other) = body.blocks.get(dominator as usize)
        {
            let message =
                format!("block `{}` precedes its dominator `{}`", m.name(block.label), m.name(other.label));
            report(to, block.first, &DOMINANCE, None, message);
        }
    }
}

pub(super) fn reconvergence(m: &RuleContext<'_>, body: &Body, to: Report<'_>) {
    let Some(function) = m.inst(body.first).map(Inst::id) else { return };
    let entries = m.scope.functions.get(&function).map_or(&[][..], |f| f.entry_points.as_slice());
    let maximal = entries
        .iter()
        .filter_map(|e| m.scope.entry_points.get(*e as usize))
        .any(|e| m.scope.has_mode(e.function, ExecutionMode::MaximallyReconvergesKHR));
    if !maximal {
        return;
    }
    let mut merged: FxHashSet<Id> = FxHashSet::default();
    for block in &body.blocks {
        for at in [block.merge, Some(block.last)].into_iter().flatten() {
            let Some(inst) = m.inst(at) else { continue };
            match inst.op() {
                Op::BranchConditional if inst.operand(1) == inst.operand(2) => {
                    let message =
                        "with MaximallyReconvergesKHR, True Label and False Label must differ".to_owned();
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
            let message = "with MaximallyReconvergesKHR, only merge blocks, continue targets and switch targets can have several predecessors";
            report(to, block.first, &STRUCTURED, None, message.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn phis_name_every_predecessor() {
        let shader = Shader {
            body: "OpBranchConditional %true %a %b
%a = OpLabel
OpBranch %b
%b = OpLabel
%x = OpPhi %float %f1 %a
%y = OpPhi %float %i0 %a %f1 %entry
%v = OpPhi %float %nowhere %a %f1 %entry
%z = OpCopyObject %float %f1
%w = OpPhi %float %f1 %a %f1 %entry",
            ..Shader::NEW
        };
        expect![[r#"
            error[structured-control-flow] `%entry = OpLabel`: missing OpSelectionMerge before the conditional branch of `%entry`
            error[branch-target] `%x = OpPhi %float %f1 %a`: the number of incoming blocks of OpPhi (1) differs from the number of predecessors (2)
            error[branch-target] `%i0`: `%i0` is int, but OpPhi is float
              19:1 `%i0`: defined here
            error[undefined-id] `%nowhere`: use of undefined id `%nowhere`
            error[branch-target] `%w = OpPhi %float %f1 %a %f1 %entry`: OpPhi must precede all other instructions of its block, and must not be in the entry block
        "#]].assert_eq(&shader.findings());
    }
}
