//! Control flow: blocks, branches, structured constructs, dominance (SPIR-V specification, section 2.11).

mod blocks;
mod constructs;
mod dominance;
mod nesting;

use blocks::{adjacency, branches, order, phis, reconvergence};
use constructs::structured;
use dominance::uses;
use wavelens_syntax::spirv::tables::{AddressingModel, Capability, ExecutionModel, LoopControl, Op};

use super::execution_limitations::require_models;
use super::specification::derivatives;
use crate::blocks::{Body, functions};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::flat::NONE;
use wavelens_base::{Fault, Part, Verdict, fail, fail_at};
use wavelens_base::{Rule, Severity};

wavelens_syntax::rules! {
    BRANCH {
        code: "branch-target",
        severity: Severity::Error,
        title: "branches, OpPhi and returns agree with the blocks and the Result Type of the function",
        explain: "A branch target must be a label of the same function other than the first, OpPhi must list each predecessor once, and the returned value must have the function's type.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %float
%f = OpFunction %float None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
%one = OpConstant %float 1
%fn = OpTypeFunction %float
%f = OpFunction %float None %fn
%entry = OpLabel
OpReturnValue %one
OpFunctionEnd
"#,
        source: "SPIR-V specification, Control-Flow Instructions; SPIRV-Tools validate_cfg.cpp: \"OpReturn can only be called from a function with void\", \"number of incoming blocks\", \"must be the ID of an OpLabel instruction\"",
    }

    STRUCTURED {
        code: "structured-control-flow",
        severity: Severity::Error,
        title: "with the Shader capability, control flow is structured by merge instructions",
        explain: "Consumers derive the reconvergence of invocations from OpSelectionMerge and OpLoopMerge. A construct is entered only at its header and left only to its merge block, or to the merge block or continue target of an enclosing loop.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpBranchConditional %true %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 2.11 (Structured Control Flow); SPIRV-Tools validate_cfg.cpp: \"Selection must be structured\", \"Back-edges\", \"but not via a structured exit\"",
    }

    DOMINANCE {
        code: "dominance",
        severity: Severity::Error,
        title: "a definition dominates its uses, and a block follows its dominator",
        explain: "A value is available only where every path from the start of the function has computed it. Use OpPhi to join values of several paths.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
%x = OpCopyObject %bool %true
OpBranch %end
%end = OpLabel
%y = OpCopyObject %bool %x
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%bool = OpTypeBool
%true = OpConstantTrue %bool
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
%x = OpCopyObject %bool %true
OpSelectionMerge %end None
OpBranchConditional %true %then %end
%then = OpLabel
OpBranch %end
%end = OpLabel
%y = OpCopyObject %bool %x
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, sections 2.16.1 (Universal Validation Rules) and 2.4; SPIRV-Tools validate_id.cpp: \"does not dominate its use in block\"; validate_cfg.cpp: \"appears in the binary before its dominator\"",
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&BRANCH, operand, message)
}

/// Checks that need no graph.
pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
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
                return wrong(3, "OpBranchConditional must have two branch weights or none");
            }
            if !m.is_bool(m.operand_type(inst, 0)) {
                return wrong(
                    0,
                    format!("expected a Boolean as Condition, found {}", m.describe_operand(inst, 0)),
                );
            }
            label(1)?;
            label(2)?;
            if m.scope.version >= 0x10600 && inst.operand(1) == inst.operand(2) {
                return wrong(2, "since SPIR-V 1.6, True Label and False Label must differ");
            }
            Ok(())
        }
        Op::Switch => {
            if !m.is_int(m.operand_type(inst, 0)) {
                return wrong(
                    0,
                    format!("expected an integer scalar as Selector, found {}", m.describe_operand(inst, 0)),
                );
            }
            (1..inst.count()).step_by(2).try_for_each(label)
        }
        Op::LoopMerge => check_loop_merge(inst, &label),
        Op::Phi => {
            if !inst.count().is_multiple_of(2) {
                return fail(&BRANCH, "OpPhi must have pairs of a value and a block as operands");
            }
            if m.is_void(inst.ty()) {
                return wrong(0, "Result Type of OpPhi must not be void");
            }
            if m.is_pointer(inst.ty())
                && m.scope.addressing_model == Some(AddressingModel::Logical)
                && !m.scope.features.variable_pointers
            {
                return wrong(
                    0,
                    "a pointer as Result Type of OpPhi requires the VariablePointers or VariablePointersStorageBuffer capability",
                );
            }
            if !m.has_capability(Capability::BindlessTextureNV) {
                let op = m.op(inst.ty());
                let shader =
                    m.has_capability(Capability::Shader) && matches!(op, Op::TypeImage | Op::TypeSampler);
                if op == Op::TypeSampledImage || shader {
                    return wrong(0, "Result Type of OpPhi must not be an image, sampler or sampled image");
                }
            }
            Ok(())
        }
        Op::ReturnValue => {
            let ty = m.operand_type(inst, 0);
            if ty == NONE || m.is_void(ty) {
                return wrong(0, format!("`{}` is not a value", m.name(inst.operand(0))));
            }
            if m.scope.addressing_model == Some(AddressingModel::Logical)
                && m.is_pointer(ty)
                && !m.scope.features.variable_pointers
            {
                return wrong(0, "a function must not return a pointer in the Logical addressing model");
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

fn check_loop_merge(inst: Inst<'_>, label: &dyn Fn(usize) -> Verdict) -> Verdict {
    label(0)?;
    label(1)?;
    if inst.operand(0) == inst.operand(1) {
        return wrong(1, "Merge Block and Continue Target must differ");
    }
    let mask = inst.operand(2);
    let both = |a: u32, b: u32| mask & a != 0 && mask & b != 0;
    if both(LoopControl::Unroll, LoopControl::DontUnroll)
        || both(LoopControl::DontUnroll, LoopControl::PeelCount)
        || both(LoopControl::DontUnroll, LoopControl::PartialCount)
    {
        return wrong(2, "DontUnroll must not be combined with Unroll, PeelCount or PartialCount");
    }
    if mask & LoopControl::IterationMultiple != 0 {
        let before = [LoopControl::DependencyLength, LoopControl::MinIterations, LoopControl::MaxIterations];
        let at = 3 + before.iter().filter(|bit| mask & **bit != 0).count();
        if inst.opt_operand(at).is_none_or(|n| n == 0) {
            return wrong(at, "IterationMultiple must be greater than 0");
        }
    }
    Ok(())
}

/// Reports a finding at an instruction of the chunk's code.
type Report<'r> = &'r mut dyn FnMut(u32, Box<Fault>);

fn report(to: Report<'_>, at: u32, rule: &'static Rule, operand: Option<usize>, message: String) {
    let part = operand.map_or(Part::Whole, Part::Operand);
    to(at, Fault::new(rule, message).at(part));
}

/// Checks that need the graph of each function.
pub(crate) fn check_functions(m: &RuleContext<'_>, to: Report<'_>) {
    for (first, last) in functions(m) {
        adjacency(m, first, last, to);
        branches(m, first, last, to);
        let Some(body) = Body::new(m, first, last) else { continue };
        phis(m, &body, to);
        order(m, &body, to);
        if m.has_capability(Capability::Shader) && nesting::is_limited(m, &body, to) {
            structured(m, &body, to);
        }
        uses(m, &body, to);
        reconvergence(m, &body, to);
        derivatives::function(m, &body, to);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

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
            error[branch-target] `%f1`: `%f1` is not a block of this function
              25:1 `%f1`: defined here
            error[branch-target] `%f1`: expected a Boolean as Condition, found float
              25:1 `%f1`: defined here
            error[branch-target] `%f1`: `%f1` is the result of OpConstant, not a label
              25:1 `%f1`: defined here
            error[branch-target] `%f1`: `%f1` has type float, but the return type of the function is void
              25:1 `%f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
