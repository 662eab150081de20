//! Mesh and task shaders (SPV_EXT_mesh_shader).

use wavelens_syntax::spirv::tables::{Capability, Decoration, ExecutionModel, Op, StorageClass};

use super::arithmetics::wrong;
use super::execution_limitations::require_models;
use super::ray_tracing::{What, operands, variable};
use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Verdict;

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    use What::U32;
    match inst.op() {
        Op::EmitMeshTasksEXT => {
            require_models(m, inst, &[ExecutionModel::TaskEXT])?;
            operands(m, inst, 0, &[U32, U32, U32])?;
            if inst.count() == 4 {
                variable(m, inst, 3, &[StorageClass::TaskPayloadWorkgroupEXT], "a task's payload")?;
            }
            Ok(())
        }
        Op::SetMeshOutputsEXT => {
            require_models(m, inst, &[ExecutionModel::MeshEXT])?;
            operands(m, inst, 0, &[U32, U32])
        }
        Op::Variable
            if m.has_capability(Capability::MeshShadingEXT)
                && m.has_decoration(inst.id(), Decoration::PerPrimitiveEXT) =>
        {
            per_primitive(m, inst)
        }
        _ => Ok(()),
    }
}

/// PerPrimitive is for outputs of mesh shaders and inputs of fragment shaders.
fn per_primitive(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let class = inst.operand(2);
    let pairs =
        [(ExecutionModel::Fragment, StorageClass::Input), (ExecutionModel::MeshEXT, StorageClass::Output)];
    for (model, allowed) in pairs {
        let is_listed = !m.scope.listed_by(inst.id()).is_empty();
        if class != allowed && is_listed && m.scope.common_models.contains(&model) {
            return wrong(
                2,
                "PerPrimitiveEXT can decorate only outputs of mesh shaders and inputs of fragment shaders [VUID-PrimitiveId-PrimitiveId-04336]",
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn counts_are_unsigned() {
        marks(expect![[r#"
            ; target-env: vulkan1.3
            OpCapability MeshShadingEXT
            OpExtension "SPV_EXT_mesh_shader"
            OpMemoryModel Logical GLSL450
            OpEntryPoint TaskEXT %main "main"
            OpExecutionMode %main LocalSize 1 1 1
            %void = OpTypeVoid
            %int = OpTypeInt 32 1
            %one = OpConstant %int 1
            %fn = OpTypeFunction %void
            %main = OpFunction %void None %fn
            %entry = OpLabel
            OpEmitMeshTasksEXT %one %one %one
            ;                  ^^^^ error[operand-type]: expected a 32-bit unsigned integer as Group Count X, found int
            ;                     = line 9:1: defined here
            OpFunctionEnd
        "#]]);
    }
}
