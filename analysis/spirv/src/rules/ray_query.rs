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

    /// Each with the right operands, then with a wrong Result Type, a query that is not one, and an intersection that is not constant.
    #[test]
    fn each_instruction_has_its_result_and_its_intersection() {
        marks(expect![[r#"
            ; target-env: spv1.6
            OpCapability Shader
            OpCapability Linkage
            OpCapability RayQueryKHR
            OpCapability RayQueryPositionFetchKHR
            OpExtension "SPV_KHR_ray_query"
            OpExtension "SPV_KHR_ray_tracing_position_fetch"
            OpMemoryModel Logical GLSL450
            %void = OpTypeVoid
            %bool = OpTypeBool
            %int = OpTypeInt 32 1
            %half = OpTypeInt 16 1
            ;                 ^^ error[type-declaration]: 16-bit integers require the Int16 capability
            %float = OpTypeFloat 32
            %vec2 = OpTypeVector %float 2
            %vec3 = OpTypeVector %float 3
            %mat3 = OpTypeMatrix %vec3 3
            %mat4 = OpTypeMatrix %vec3 4
            %one = OpConstant %int 1
            %query = OpTypeRayQueryKHR
            %pointer = OpTypePointer Private %query
            %q = OpVariable %pointer Private
            %fn = OpTypeFunction %void
            %f = OpFunction %void None %fn
            %entry = OpLabel
            %undef = OpUndef %int
            %r0 = OpRayQueryProceedKHR %bool %q
            %r1 = OpRayQueryProceedKHR %int %q
            ;                          ^^^^ error[operand-type]: expected a Boolean as Result Type, found int
            ;                             = line 11:1: defined here
            %r2 = OpRayQueryProceedKHR %bool %one
            ;                                ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                   = line 18:1: defined here
            %r3 = OpRayQueryGetIntersectionCandidateAABBOpaqueKHR %bool %q
            %r4 = OpRayQueryGetIntersectionCandidateAABBOpaqueKHR %int %q
            ;                                                     ^^^^ error[operand-type]: expected a Boolean as Result Type, found int
            ;                                                        = line 11:1: defined here
            %r5 = OpRayQueryGetIntersectionCandidateAABBOpaqueKHR %bool %one
            ;                                                           ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                              = line 18:1: defined here
            %r6 = OpRayQueryGetRayTMinKHR %float %q
            %r7 = OpRayQueryGetRayTMinKHR %int %q
            ;                             ^^^^ error[operand-type]: expected a 32-bit float as Result Type, found int
            ;                                = line 11:1: defined here
            %r8 = OpRayQueryGetRayTMinKHR %float %one
            ;                                    ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                       = line 18:1: defined here
            %r9 = OpRayQueryGetRayFlagsKHR %int %q
            %r10 = OpRayQueryGetRayFlagsKHR %float %q
            ;                               ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                    = line 13:1: defined here
            %r11 = OpRayQueryGetRayFlagsKHR %int %one
            ;                                    ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                       = line 18:1: defined here
            %r12 = OpRayQueryGetWorldRayDirectionKHR %vec3 %q
            %r13 = OpRayQueryGetWorldRayDirectionKHR %vec2 %q
            ;                                        ^^^^^ error[operand-type]: expected a vector of 3 32-bit floats as Result Type, found vec2
            ;                                            = line 14:1: defined here
            %r14 = OpRayQueryGetWorldRayDirectionKHR %vec3 %one
            ;                                              ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                 = line 18:1: defined here
            %r15 = OpRayQueryGetWorldRayOriginKHR %vec3 %q
            %r16 = OpRayQueryGetWorldRayOriginKHR %vec2 %q
            ;                                     ^^^^^ error[operand-type]: expected a vector of 3 32-bit floats as Result Type, found vec2
            ;                                         = line 14:1: defined here
            %r17 = OpRayQueryGetWorldRayOriginKHR %vec3 %one
            ;                                           ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                              = line 18:1: defined here
            %r18 = OpRayQueryGetIntersectionFrontFaceKHR %bool %q %one
            %r19 = OpRayQueryGetIntersectionFrontFaceKHR %int %q %one
            ;                                            ^^^^ error[operand-type]: expected a Boolean as Result Type, found int
            ;                                               = line 11:1: defined here
            %r20 = OpRayQueryGetIntersectionFrontFaceKHR %bool %one %one
            ;                                                  ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                     = line 18:1: defined here
            %r21 = OpRayQueryGetIntersectionFrontFaceKHR %bool %q %undef
            ;                                                     ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                          = line 25:1: defined here
            %r22 = OpRayQueryGetIntersectionTKHR %float %q %one
            %r23 = OpRayQueryGetIntersectionTKHR %int %q %one
            ;                                    ^^^^ error[operand-type]: expected a 32-bit float as Result Type, found int
            ;                                       = line 11:1: defined here
            %r24 = OpRayQueryGetIntersectionTKHR %float %one %one
            ;                                           ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                              = line 18:1: defined here
            %r25 = OpRayQueryGetIntersectionTKHR %float %q %undef
            ;                                              ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                   = line 25:1: defined here
            %r26 = OpRayQueryGetIntersectionTypeKHR %int %q %one
            %r27 = OpRayQueryGetIntersectionTypeKHR %float %q %one
            ;                                       ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                            = line 13:1: defined here
            %r28 = OpRayQueryGetIntersectionTypeKHR %int %one %one
            ;                                            ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                               = line 18:1: defined here
            %r29 = OpRayQueryGetIntersectionTypeKHR %int %q %undef
            ;                                               ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                    = line 25:1: defined here
            %r30 = OpRayQueryGetIntersectionInstanceCustomIndexKHR %int %q %one
            %r31 = OpRayQueryGetIntersectionInstanceCustomIndexKHR %float %q %one
            ;                                                      ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                                           = line 13:1: defined here
            %r32 = OpRayQueryGetIntersectionInstanceCustomIndexKHR %int %one %one
            ;                                                           ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                              = line 18:1: defined here
            %r33 = OpRayQueryGetIntersectionInstanceCustomIndexKHR %int %q %undef
            ;                                                              ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                                   = line 25:1: defined here
            %r34 = OpRayQueryGetIntersectionInstanceIdKHR %int %q %one
            %r35 = OpRayQueryGetIntersectionInstanceIdKHR %float %q %one
            ;                                             ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                                  = line 13:1: defined here
            %r36 = OpRayQueryGetIntersectionInstanceIdKHR %int %one %one
            ;                                                  ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                     = line 18:1: defined here
            %r37 = OpRayQueryGetIntersectionInstanceIdKHR %int %q %undef
            ;                                                     ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                          = line 25:1: defined here
            %r38 = OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR %int %q %one
            %r39 = OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR %float %q %one
            ;                                                                         ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                                                              = line 13:1: defined here
            %r40 = OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR %int %one %one
            ;                                                                              ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                                                 = line 18:1: defined here
            %r41 = OpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR %int %q %undef
            ;                                                                                 ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                                                      = line 25:1: defined here
            %r42 = OpRayQueryGetIntersectionGeometryIndexKHR %int %q %one
            %r43 = OpRayQueryGetIntersectionGeometryIndexKHR %float %q %one
            ;                                                ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                                     = line 13:1: defined here
            %r44 = OpRayQueryGetIntersectionGeometryIndexKHR %int %one %one
            ;                                                     ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                        = line 18:1: defined here
            %r45 = OpRayQueryGetIntersectionGeometryIndexKHR %int %q %undef
            ;                                                        ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                             = line 25:1: defined here
            %r46 = OpRayQueryGetIntersectionPrimitiveIndexKHR %int %q %one
            %r47 = OpRayQueryGetIntersectionPrimitiveIndexKHR %float %q %one
            ;                                                 ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
            ;                                                      = line 13:1: defined here
            %r48 = OpRayQueryGetIntersectionPrimitiveIndexKHR %int %one %one
            ;                                                      ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                         = line 18:1: defined here
            %r49 = OpRayQueryGetIntersectionPrimitiveIndexKHR %int %q %undef
            ;                                                         ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                              = line 25:1: defined here
            %r50 = OpRayQueryGetIntersectionObjectRayDirectionKHR %vec3 %q %one
            %r51 = OpRayQueryGetIntersectionObjectRayDirectionKHR %vec2 %q %one
            ;                                                     ^^^^^ error[operand-type]: expected a vector of 3 32-bit floats as Result Type, found vec2
            ;                                                         = line 14:1: defined here
            %r52 = OpRayQueryGetIntersectionObjectRayDirectionKHR %vec3 %one %one
            ;                                                           ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                              = line 18:1: defined here
            %r53 = OpRayQueryGetIntersectionObjectRayDirectionKHR %vec3 %q %undef
            ;                                                              ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                                   = line 25:1: defined here
            %r54 = OpRayQueryGetIntersectionObjectRayOriginKHR %vec3 %q %one
            %r55 = OpRayQueryGetIntersectionObjectRayOriginKHR %vec2 %q %one
            ;                                                  ^^^^^ error[operand-type]: expected a vector of 3 32-bit floats as Result Type, found vec2
            ;                                                      = line 14:1: defined here
            %r56 = OpRayQueryGetIntersectionObjectRayOriginKHR %vec3 %one %one
            ;                                                        ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                           = line 18:1: defined here
            %r57 = OpRayQueryGetIntersectionObjectRayOriginKHR %vec3 %q %undef
            ;                                                           ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                                = line 25:1: defined here
            %r58 = OpRayQueryGetIntersectionBarycentricsKHR %vec2 %q %one
            %r59 = OpRayQueryGetIntersectionBarycentricsKHR %vec3 %q %one
            ;                                               ^^^^^ error[operand-type]: expected a vector of 2 32-bit floats as Result Type, found vec3
            ;                                                   = line 15:1: defined here
            %r60 = OpRayQueryGetIntersectionBarycentricsKHR %vec2 %one %one
            ;                                                     ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                        = line 18:1: defined here
            %r61 = OpRayQueryGetIntersectionBarycentricsKHR %vec2 %q %undef
            ;                                                        ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                             = line 25:1: defined here
            %r62 = OpRayQueryGetIntersectionObjectToWorldKHR %mat4 %q %one
            %r63 = OpRayQueryGetIntersectionObjectToWorldKHR %mat3 %q %one
            ;                                                ^^^^^ error[operand-type]: expected a matrix of 4 columns of 3 32-bit floats as Result Type, found mat3
            ;                                                    = line 16:1: defined here
            %r64 = OpRayQueryGetIntersectionObjectToWorldKHR %mat4 %one %one
            ;                                                      ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                         = line 18:1: defined here
            %r65 = OpRayQueryGetIntersectionObjectToWorldKHR %mat4 %q %undef
            ;                                                         ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                              = line 25:1: defined here
            %r66 = OpRayQueryGetIntersectionWorldToObjectKHR %mat4 %q %one
            %r67 = OpRayQueryGetIntersectionWorldToObjectKHR %mat3 %q %one
            ;                                                ^^^^^ error[operand-type]: expected a matrix of 4 columns of 3 32-bit floats as Result Type, found mat3
            ;                                                    = line 16:1: defined here
            %r68 = OpRayQueryGetIntersectionWorldToObjectKHR %mat4 %one %one
            ;                                                      ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                                         = line 18:1: defined here
            %r69 = OpRayQueryGetIntersectionWorldToObjectKHR %mat4 %q %undef
            ;                                                         ^^^^^^ error[operand-type]: Intersection must be a 32-bit integer constant, `%undef` is not
            ;                                                              = line 25:1: defined here
            OpRayQueryTerminateKHR %q
            OpRayQueryConfirmIntersectionKHR %one
            ;                                ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                   = line 18:1: defined here
            OpRayQueryGenerateIntersectionKHR %q %one
            ;                                    ^^^^ error[operand-type]: expected a 32-bit float as HitT, found int
            ;                                       = line 18:1: defined here
            OpRayQueryGenerateIntersectionKHR %one %one
            ;                                 ^^^^ error[operand-type]: `%one` is not a pointer to a ray query
            ;                                    = line 18:1: defined here
            OpReturn
            OpFunctionEnd
        "#]]);
    }
}
