//! Execution and memory scopes (SPIR-V specification, section 3.27).

use wavelens_syntax::spirv::tables::{Capability, ExecutionModel, MemoryModel, Op, Scope};

use super::execution_limitations::require_models;
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail_at};
use crate::spirv::env::Env;
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static SCOPE: Rule = Rule {
    code: "scope",
    severity: Severity::Error,
    explain: "A scope is a 32-bit integer, constant in shaders, and one that the instruction and the environment have.\n\n\
        Source: SPIR-V specification, section 3.27 (Scope); Vulkan specification, Standalone SPIR-V Validation.",
    ..Rule::UNDOCUMENTED
};

fn wrong(operand: usize, message: impl Into<String>) -> Check {
    fail_at(&SCOPE, operand, message)
}

pub(super) fn is_non_uniform(op: Op) -> bool {
    (Op::GroupNonUniformElect.0..=Op::GroupNonUniformQuadSwap.0).contains(&op.0)
        || matches!(
            op,
            Op::GroupNonUniformPartitionNV
                | Op::GroupNonUniformRotateKHR
                | Op::GroupNonUniformQuadAllKHR
                | Op::GroupNonUniformQuadAnyKHR
        )
}

/// The scope's value, where it is known.
fn scope(
    m: &Module<'_>,
    inst: Inst<'_>,
    operand: usize,
) -> Result<Option<u32>, crate::spirv::context::Fault> {
    let id = inst.operand(operand);
    let (is_int, value) = m.const_int32(id);
    if !is_int {
        return fail_at(&SCOPE, operand, "a scope is a 32-bit integer");
    }
    if value.is_none() && m.has_capability(Capability::Shader) {
        if !m.has_capability(Capability::CooperativeMatrixNV) {
            return fail_at(&SCOPE, operand, "in shaders, a scope is an OpConstant");
        }
        if !ops::is_constant(m.op(id)) {
            return fail_at(&SCOPE, operand, "a scope is a constant");
        }
    }
    if value.is_some_and(|v| v > Scope::ShaderCallKHR) {
        return fail_at(&SCOPE, operand, "there is no such scope");
    }
    Ok(value)
}

pub(super) fn execution(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let Some(value) = scope(m, inst, operand)? else { return Ok(()) };
    let quad = matches!(inst.op(), Op::GroupNonUniformQuadAllKHR | Op::GroupNonUniformQuadAnyKHR);
    let group = is_non_uniform(inst.op()) && !quad;
    if m.scope.env.is_vulkan() {
        if m.scope.env != Env::Vulkan10 && group && value != Scope::Subgroup {
            return wrong(operand, "in Vulkan, the execution scope of group operations is Subgroup");
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
                    "in Vulkan, the execution scope of a barrier is Subgroup in this stage",
                );
            }
        }
        if value == Scope::Workgroup {
            require_models(m, inst, WORKGROUP_MODELS)?;
        }
        if !matches!(value, Scope::Workgroup | Scope::Subgroup) {
            return wrong(operand, "in Vulkan, the execution scope is Workgroup or Subgroup");
        }
    }
    if group && !matches!(value, Scope::Workgroup | Scope::Subgroup) {
        return wrong(operand, "the execution scope of group operations is Subgroup or Workgroup");
    }
    Ok(())
}

/// The scope of UniformId, an operand of its OpDecorateId.
pub(super) fn uniform(m: &Module<'_>, decoration: Inst<'_>) -> Check {
    let Some(value) = scope(m, decoration, 2)? else { return Ok(()) };
    if m.scope.env.is_vulkan() && !matches!(value, Scope::Workgroup | Scope::Subgroup) {
        return wrong(2, "in Vulkan, the execution scope is Workgroup or Subgroup");
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

pub(super) fn memory(m: &Module<'_>, inst: Inst<'_>, operand: usize) -> Check {
    let Some(value) = scope(m, inst, operand)? else { return Ok(()) };
    let vulkan_model = m.has_capability(Capability::VulkanMemoryModel);
    if value == Scope::QueueFamily {
        if vulkan_model {
            return Ok(());
        }
        return wrong(operand, "the memory scope QueueFamily needs the capability VulkanMemoryModel");
    }
    if value == Scope::Device && vulkan_model && !m.has_capability(Capability::VulkanMemoryModelDeviceScope) {
        return wrong(
            operand,
            "with the Vulkan memory model, the scope Device needs the capability VulkanMemoryModelDeviceScope",
        );
    }
    if !m.scope.env.is_vulkan() {
        return Ok(());
    }
    match value {
        Scope::Device | Scope::Workgroup | Scope::Subgroup | Scope::Invocation | Scope::ShaderCallKHR => {}
        _ => return wrong(operand, "Vulkan has no such memory scope"),
    }
    if m.scope.env == Env::Vulkan10
        && value == Scope::Subgroup
        && !m.has_capability(Capability::SubgroupBallotKHR)
        && !m.has_capability(Capability::SubgroupVoteKHR)
    {
        return wrong(
            operand,
            "in Vulkan 1.0, the memory scope Subgroup needs SubgroupBallotKHR or SubgroupVoteKHR",
        );
    }
    match value {
        Scope::ShaderCallKHR => require_models(
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
        ),
        Scope::Workgroup => {
            require_models(m, inst, WORKGROUP_MODELS)?;
            if m.scope.memory_model == Some(MemoryModel::GLSL450)
                && super::execution_limitations::entry_points(m, inst)
                    .any(|e| e.model == ExecutionModel::TessellationControl)
            {
                return wrong(
                    operand,
                    "with GLSL450, tessellation control shaders have no memory scope Workgroup",
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

    use crate::spirv::rules::testing::Shader;

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
            error[scope] `%device`: in Vulkan, the execution scope of group operations is Subgroup
            error[scope] `%bad`: there is no such scope
            error[scope] `%f1`: a scope is a 32-bit integer
        "#]]
        .assert_eq(&shader.findings());
    }
}
