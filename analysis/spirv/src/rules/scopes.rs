//! Execution and memory scopes (SPIR-V specification, section 3.27).

use wavelens_syntax::spirv::tables::{Capability, ExecutionModel, MemoryModel, Op, Scope};

use super::execution_limitations::require_models_in_vulkan;
use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Severity;
use wavelens_base::configuration::Env;
use wavelens_base::{Fault, Part, Verdict, fail_at};

wavelens_syntax::rules! {
    SCOPE {
        code: "scope",
        severity: Severity::Error,
        title: "a scope is a 32-bit integer constant that the instruction and the environment allow",
        explain: "The scope decides which invocations synchronize. Vulkan allows only some scopes, partly depending on the shader stage.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%uint = OpTypeInt 32 0
%none = OpConstant %uint 0
%group = OpConstant %uint 2
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpMemoryBarrier %one %none
OpReturn
OpFunctionEnd
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%float = OpTypeFloat 32
%one = OpConstant %float 1
%uint = OpTypeInt 32 0
%none = OpConstant %uint 0
%group = OpConstant %uint 2
%fn = OpTypeFunction %void
%f = OpFunction %void None %fn
%entry = OpLabel
OpMemoryBarrier %group %none
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.27 (Scope); Vulkan specification, Standalone SPIR-V Validation; SPIRV-Tools validate_scopes.cpp: \"expected scope to be a 32-bit int\"; VUID-StandaloneSpirv-ExecutionModel-07320, VUID-StandaloneSpirv-None-04636, VUID-StandaloneSpirv-None-04638, VUID-StandaloneSpirv-None-04642, VUID-StandaloneSpirv-OpControlBarrier-04682, VUID-StandaloneSpirv-SubgroupVoteKHR-07951",
    }
}

fn wrong(operand: usize, message: impl Into<String>) -> Verdict {
    fail_at(&SCOPE, operand, message)
}

/// `OpGroupNonUniformPartitionNV`, which has no scope, is not one of them.
pub(super) fn is_non_uniform(op: Op) -> bool {
    (Op::GroupNonUniformElect.0..=Op::GroupNonUniformQuadSwap.0).contains(&op.0)
        || matches!(
            op,
            Op::GroupNonUniformRotateKHR | Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR
        )
}

/// The scope's value, where it is known.
fn scope(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Result<Option<u32>, Box<Fault>> {
    let wrong = |message: &str| Err(Fault::new(&SCOPE, message).at(Part::Operand(operand)));
    let id = inst.operand(operand);
    let (is_int, value) = m.const_int32(id);
    if !is_int {
        return wrong("expected a 32-bit integer as scope");
    }
    if value.is_none() && m.has_capability(Capability::Shader) {
        if !m.has_capability(Capability::CooperativeMatrixNV) {
            return wrong("in shaders, a scope must be an OpConstant");
        }
        if !ops::is_constant(m.op(id)) {
            return wrong("a scope must be a constant");
        }
    }
    if let Some(value) = value.filter(|v| *v > Scope::ShaderCallKHR) {
        return wrong(&format!("unknown scope {value}: scopes are 0 to {}", Scope::ShaderCallKHR));
    }
    Ok(value)
}

pub(super) fn execution(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let Some(value) = scope(m, inst, operand)? else { return Ok(()) };
    let quad = matches!(inst.op(), Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR);
    let group = is_non_uniform(inst.op()) && !quad;
    if m.scope.env.is_vulkan() {
        if m.scope.env != Env::Vulkan10 && group && value != Scope::Subgroup {
            return wrong(
                operand,
                "in Vulkan, the execution scope of group operations must be Subgroup [VUID-StandaloneSpirv-None-04642]",
            );
        }
        if inst.op() == Op::ControlBarrier && value != Scope::Subgroup {
            let others = [
                ExecutionModel::Fragment,
                ExecutionModel::Vertex,
                ExecutionModel::Geometry,
                ExecutionModel::TessellationEvaluation,
                ExecutionModel::RayGenerationKHR,
                ExecutionModel::IntersectionKHR,
                ExecutionModel::AnyHitKHR,
                ExecutionModel::ClosestHitKHR,
                ExecutionModel::MissKHR,
            ];
            if super::execution_limitations::entry_points(m, inst).any(|e| others.contains(&e.model)) {
                return wrong(
                    operand,
                    "in Vulkan, the execution scope of a barrier in this stage must be Subgroup [VUID-StandaloneSpirv-OpControlBarrier-04682]",
                );
            }
        }
        if value == Scope::Workgroup {
            require_models_in_vulkan(m, inst, WORKGROUP_MODELS, " [VUID-StandaloneSpirv-None-04637]")?;
        }
        if !matches!(value, Scope::Workgroup | Scope::Subgroup) {
            return wrong(
                operand,
                "in Vulkan, the execution scope must be Workgroup or Subgroup [VUID-StandaloneSpirv-None-04636]",
            );
        }
    }
    if group && !matches!(value, Scope::Workgroup | Scope::Subgroup) {
        return wrong(operand, "the execution scope of group operations must be Subgroup or Workgroup");
    }
    Ok(())
}

/// The scope of UniformId, an operand of its OpDecorateId.
pub(super) fn uniform(m: &RuleContext<'_>, decoration: Inst<'_>) -> Verdict {
    let Some(value) = scope(m, decoration, 2)? else { return Ok(()) };
    if m.scope.env.is_vulkan() && !matches!(value, Scope::Workgroup | Scope::Subgroup) {
        return wrong(
            2,
            "in Vulkan, the execution scope must be Workgroup or Subgroup [VUID-StandaloneSpirv-None-04636]",
        );
    }
    Ok(())
}

const WORKGROUP_MODELS: &[u32] = &[
    ExecutionModel::TaskNV,
    ExecutionModel::MeshNV,
    ExecutionModel::TaskEXT,
    ExecutionModel::MeshEXT,
    ExecutionModel::TessellationControl,
    ExecutionModel::GLCompute,
];

pub(super) fn memory(m: &RuleContext<'_>, inst: Inst<'_>, operand: usize) -> Verdict {
    let Some(value) = scope(m, inst, operand)? else { return Ok(()) };
    let vulkan_model = m.has_capability(Capability::VulkanMemoryModel);
    if value == Scope::QueueFamily {
        if !m.lacks_capability(Capability::VulkanMemoryModel) {
            return Ok(());
        }
        return wrong(operand, "the memory scope QueueFamily requires the VulkanMemoryModel capability");
    }
    if value == Scope::Device && vulkan_model && m.lacks_capability(Capability::VulkanMemoryModelDeviceScope)
    {
        return wrong(
            operand,
            "with the Vulkan memory model, the scope Device requires the VulkanMemoryModelDeviceScope capability",
        );
    }
    if !m.scope.env.is_vulkan() {
        return Ok(());
    }
    match value {
        Scope::Device | Scope::Workgroup | Scope::Subgroup | Scope::Invocation | Scope::ShaderCallKHR => {}
        _ => {
            return wrong(
                operand,
                "in Vulkan, the memory scope must be Device, QueueFamily, Workgroup, ShaderCallKHR, Subgroup or Invocation [VUID-StandaloneSpirv-None-04638]",
            );
        }
    }
    if m.scope.env == Env::Vulkan10
        && value == Scope::Subgroup
        && !m.has_capability(Capability::SubgroupBallotKHR)
        && !m.has_capability(Capability::SubgroupVoteKHR)
    {
        return wrong(
            operand,
            "in Vulkan 1.0, the memory scope Subgroup requires the SubgroupBallotKHR or SubgroupVoteKHR capability [VUID-StandaloneSpirv-SubgroupVoteKHR-07951]",
        );
    }
    match value {
        Scope::ShaderCallKHR => require_models_in_vulkan(
            m,
            inst,
            &[
                ExecutionModel::RayGenerationKHR,
                ExecutionModel::IntersectionKHR,
                ExecutionModel::AnyHitKHR,
                ExecutionModel::ClosestHitKHR,
                ExecutionModel::MissKHR,
                ExecutionModel::CallableKHR,
            ],
            " [VUID-StandaloneSpirv-None-04640]",
        ),
        Scope::Workgroup => {
            require_models_in_vulkan(m, inst, WORKGROUP_MODELS, " [VUID-StandaloneSpirv-None-07321]")?;
            if m.scope.memory_model == Some(MemoryModel::GLSL450)
                && super::execution_limitations::entry_points(m, inst)
                    .any(|e| e.model == ExecutionModel::TessellationControl)
            {
                return wrong(
                    operand,
                    "the memory scope Workgroup is not allowed in a tessellation control shader with the memory model GLSL450 [VUID-StandaloneSpirv-ExecutionModel-07320]",
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn scopes_are_known_and_allowed() {
        let shader = Shader {
            head: "; target-env: vulkan1.1
OpCapability Shader
OpCapability GroupNonUniform",
            types: "%device = OpConstant %uint 1
%bad = OpConstant %uint 77
%spec = OpSpecConstant %uint 2",
            body: "%a = OpGroupNonUniformElect %bool %device
OpControlBarrier %bad %u2 %u0
OpControlBarrier %f1 %u2 %u0",
            ..Shader::NEW
        };
        expect![[r#"
            error[scope] `%device`: in Vulkan, the execution scope of group operations must be Subgroup [VUID-StandaloneSpirv-None-04642]
              30:1 `%device`: defined here
            error[scope] `%bad`: unknown scope 77: scopes are 0 to 6
              31:1 `%bad`: defined here
            error[scope] `%f1`: expected a 32-bit integer as scope
              25:1 `%f1`: defined here
        "#]]
        .assert_eq(&shader.findings());
    }
}
