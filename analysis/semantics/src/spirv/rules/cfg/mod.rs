//! Control flow: blocks, branches, structured constructs, dominance (SPIR-V specification, section 2.11).

mod blocks;
mod constructs;
mod dominance;

use blocks::{adjacency, branches, order, phis, reconvergence};
use constructs::structured;
use dominance::uses;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, ExecutionModel, LoopControl, Op};

use super::execution_limitations::require_models;
use crate::spirv::blocks::{Body, functions};
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Fault, Module, fail, fail_at};
use crate::spirv::flat::NONE;
use crate::{Rule, Severity};

pub static BRANCH: Rule = Rule {
    code: "branch-target",
    severity: Severity::Error,
    explain: "Branches and merge instructions name labels of their own function, never its first block; OpPhi names each \
        predecessor once, with a value of its type.\n\nSource: SPIR-V specification, section 3.52.17 (Control-Flow Instructions).",
    ..Rule::UNDOCUMENTED
};

pub static STRUCTURED: Rule = Rule {
    code: "structured-control-flow",
    severity: Severity::Error,
    explain: "With the capability Shader, selections and loops are declared by merge instructions. A construct is entered at its header only \
        and left to its merge block, or to the merge block or continue target of the loop around it.\n\n\
        Source: SPIR-V specification, section 2.11 (Structured Control Flow).",
    ..Rule::UNDOCUMENTED
};

pub static DOMINANCE: Rule = Rule {
    code: "dominance",
    severity: Severity::Error,
    explain: "A value is used only where every path from the function's start has computed it. A block stands after the block that \
        dominates it.\n\nSource: SPIR-V specification, section 2.16.1 (Universal Validation Rules) and 2.4.",
    ..Rule::UNDOCUMENTED
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
    to(at, Fault { rule, operand, message, instead: None });
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

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

    #[test]
    fn branches_go_to_labels() {
        let shader = Shader {
            body: "OpSelectionMerge %f1 None
OpBranchConditional %f1 %a %a
%a = OpLabel
OpBranch %f1
%b = OpLabel
OpReturnValue %f1
%c = OpLabel",
            ..Shader::NEW
        };
        expect![[r#"
            error[branch-target] `%f1`: `%f1` is no block of this function
            error[branch-target] `%f1`: the condition is a Boolean, not float
            error[branch-target] `%f1`: `%f1` is the result of OpConstant, not a label
            error[branch-target] `%f1`: `%f1` is float, but the function returns void
        "#]]
        .assert_eq(&shader.findings());
    }
}
