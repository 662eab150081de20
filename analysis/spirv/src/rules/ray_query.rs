//! Ray queries (SPV_KHR_ray_query).

use wavelens_syntax::spirv::tables::Op;

use super::arithmetics::wrong;
use super::ray_tracing::{What, operands, result};
use crate::code::Inst;
use crate::context::RuleContext;
use crate::ops;
use wavelens_base::Verdict;

/// The operand is a pointer to a query.
fn query(m: &RuleContext<'_>, inst: Inst<'_>, index: usize) -> Verdict {
    let id = inst.operand(index);
    let Some(def) = m.def(id) else { return Ok(()) };
    let object = matches!(def.op(), Op::Variable | Op::FunctionParameter | Op::AccessChain);
    let points_to_query = m.pointer(def.ty()).is_some_and(|(_, p)| m.op(p) == Op::TypeRayQueryKHR);
    if object && points_to_query {
        return Ok(());
    }
    wrong(index, format!("`{}` is not a pointer to a ray query", m.name(id)))
}

/// The operand says which intersection: a constant.
fn intersection(m: &RuleContext<'_>, inst: Inst<'_>, index: usize) -> Verdict {
    let id = inst.operand(index);
    let ty = m.type_of(id);
    if m.is_int(ty) && m.width(ty) == 32 && ops::is_constant(m.op(id)) {
        return Ok(());
    }
    wrong(index, format!("Intersection must be a 32-bit integer constant, `{}` is not", m.name(id)))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    use What::*;
    let (what, of_intersection) = match inst.op() {
        Op::RayQueryInitializeKHR => {
            query(m, inst, 0)?;
            return operands(m, inst, 1, &[Structure, I32, I32, F32s(3), F32, F32s(3), F32]);
        }
        Op::RayQueryTerminateKHR | Op::RayQueryConfirmIntersectionKHR => return query(m, inst, 0),
        Op::RayQueryGenerateIntersectionKHR => {
            query(m, inst, 0)?;
            return operands(m, inst, 1, &[F32]);
        }
        Op::RayQueryProceedKHR | Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR => (Bool, false),
        Op::RayQueryGetIntersectionFrontFaceKHR | Op::RayQueryIsSphereHitNV | Op::RayQueryIsLSSHitNV => {
            (Bool, true)
        }
        Op::RayQueryGetRayTMinKHR => (F32, false),
        Op::RayQueryGetIntersectionTKHR
        | Op::RayQueryGetIntersectionSphereRadiusNV
        | Op::RayQueryGetIntersectionLSSHitValueNV => (F32, true),
        Op::RayQueryGetRayFlagsKHR => (I32, false),
        Op::RayQueryGetIntersectionTypeKHR
        | Op::RayQueryGetIntersectionInstanceCustomIndexKHR
        | Op::RayQueryGetIntersectionInstanceIdKHR
        | Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR
        | Op::RayQueryGetIntersectionGeometryIndexKHR
        | Op::RayQueryGetIntersectionPrimitiveIndexKHR
        | Op::RayQueryGetClusterIdNV => (I32, true),
        Op::RayQueryGetWorldRayDirectionKHR | Op::RayQueryGetWorldRayOriginKHR => (F32s(3), false),
        Op::RayQueryGetIntersectionObjectRayDirectionKHR
        | Op::RayQueryGetIntersectionObjectRayOriginKHR
        | Op::RayQueryGetIntersectionSpherePositionNV => (F32s(3), true),
        Op::RayQueryGetIntersectionBarycentricsKHR => (F32s(2), true),
        Op::RayQueryGetIntersectionObjectToWorldKHR | Op::RayQueryGetIntersectionWorldToObjectKHR => {
            (Transform, true)
        }
        Op::RayQueryGetIntersectionLSSPositionsNV | Op::RayQueryGetIntersectionLSSRadiiNV => (Pair, true),
        _ => return Ok(()),
    };
    query(m, inst, 2)?;
    if of_intersection {
        intersection(m, inst, 3)?;
    }
    result(m, inst, what)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::marks;

    #[test]
    fn a_query_is_a_pointer() {
        marks(expect![[r#"
            ; target-env: vulkan1.3
            OpCapability Shader
            OpCapability Linkage
            ;            ^^^^^^^ error[environment-capability]: vulkan1.3 does not support the Linkage capability
            OpCapability RayQueryKHR
            OpExtension "SPV_KHR_ray_query"
            OpMemoryModel Logical GLSL450
            OpDecorate %f LinkageAttributes "f" Export
            %void = OpTypeVoid
            %bool = OpTypeBool
            %fn = OpTypeFunction %void %bool
            %f = OpFunction %void None %fn
            %p = OpFunctionParameter %bool
            %entry = OpLabel
            OpRayQueryTerminateKHR %p
            ;                      ^^ error[operand-type]: `%p` is not a pointer to a ray query
            ;                       = line 12:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
