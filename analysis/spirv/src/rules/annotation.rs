//! Decorations fit what they decorate (SPIR-V specification, section 3.20 and the annotation instructions).

use crate::type_names::storage_class_name;
use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration, FPFastMathMode, Kind, Op, StorageClass,
};
use wavelens_syntax::wording;

use crate::code::{Id, Inst};
use crate::context::{Definition, RuleContext};
use crate::ops;
use wavelens_base::Severity;
use wavelens_base::{Fault, Lack, Part, Verdict, fail_at};

wavelens_syntax::rules! {
    DECORATION_TARGET {
        code: "decoration-target",
        severity: Severity::Error,
        title: "a decoration is applied to a target that it is defined for",
        explain: "Block belongs to structure types, Binding to variables, Offset to members, and so on. Elsewhere consumers ignore or misread it.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %float Binding 0
%float = OpTypeFloat 32
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%ptr = OpTypePointer UniformConstant %image
%texture = OpVariable %ptr UniformConstant
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %texture Binding 0
%float = OpTypeFloat 32
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%ptr = OpTypePointer UniformConstant %image
%texture = OpVariable %ptr UniformConstant
"#,
        source: "SPIR-V specification, section 3.20 (Decoration); SPIRV-Tools validate_annotation.cpp: \"decoration on target\"; VUID-StandaloneSpirv-DescriptorSet-06491, VUID-StandaloneSpirv-Flat-04670, VUID-StandaloneSpirv-GLSLShared-04669, VUID-StandaloneSpirv-InputAttachmentIndex-06678, VUID-StandaloneSpirv-Location-06672, VUID-StandaloneSpirv-PerVertexKHR-06777",
    }
}

fn takes_ids(decoration: u32) -> bool {
    matches!(
        decoration,
        Decoration::UniformId
            | Decoration::AlignmentId
            | Decoration::MaxByteOffsetId
            | Decoration::HlslCounterBufferGOOGLE
            | Decoration::NodeMaxPayloadsAMDX
            | Decoration::NodeSharesPayloadLimitsWithAMDX
            | Decoration::PayloadNodeArraySizeAMDX
            | Decoration::PayloadNodeNameAMDX
            | Decoration::PayloadNodeBaseIndexAMDX
            | Decoration::ArrayStrideIdEXT
            | Decoration::OffsetIdEXT
            | Decoration::AliasScopeINTEL
            | Decoration::NoAliasINTEL
    )
}

fn is_for_members_only(decoration: u32) -> bool {
    matches!(
        decoration,
        Decoration::RowMajor | Decoration::ColMajor | Decoration::MatrixStride | Decoration::OffsetIdEXT
    )
}

fn is_not_for_members(decoration: u32) -> bool {
    matches!(
        decoration,
        Decoration::SpecId
            | Decoration::Block
            | Decoration::BufferBlock
            | Decoration::ArrayStride
            | Decoration::ArrayStrideIdEXT
            | Decoration::GLSLShared
            | Decoration::GLSLPacked
            | Decoration::CPacked
            | Decoration::Aliased
            | Decoration::Constant
            | Decoration::Uniform
            | Decoration::UniformId
            | Decoration::SaturatedConversion
            | Decoration::Index
            | Decoration::Binding
            | Decoration::DescriptorSet
            | Decoration::FuncParamAttr
            | Decoration::FPRoundingMode
            | Decoration::FPFastMathMode
            | Decoration::LinkageAttributes
            | Decoration::NoContraction
            | Decoration::InputAttachmentIndex
            | Decoration::Alignment
            | Decoration::MaxByteOffset
            | Decoration::AlignmentId
            | Decoration::MaxByteOffsetId
            | Decoration::NoSignedWrap
            | Decoration::NoUnsignedWrap
            | Decoration::NonUniform
            | Decoration::RestrictPointer
            | Decoration::AliasedPointer
            | Decoration::CounterBuffer
    )
}

pub(super) fn name(decoration: u32) -> &'static str {
    Kind::Decoration.valued(decoration).map_or("the decoration", |e| e.name)
}

/// Whether a variable is a heap of descriptors, which has neither a type nor a binding.
pub(super) fn is_heap(m: &RuleContext<'_>, variable: Id) -> bool {
    let heaps = [BuiltIn::SamplerHeapEXT, BuiltIn::ResourceHeapEXT];
    m.decorations_of(variable, Decoration::BuiltIn)
        .any(|d| m.scope.params(d).first().is_some_and(|built_in| heaps.contains(built_in)))
}

pub(super) fn instruction(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    match inst.op() {
        Op::Decorate => decorate(m, inst),
        Op::DecorateId if !takes_ids(inst.operand(1)) => fail_at(
            &DECORATION_TARGET,
            1,
            format!("{} does not take ids; use OpDecorate", name(inst.operand(1))),
        ),
        Op::MemberDecorate | Op::MemberDecorateIdEXT => {
            member(m, inst, 0, inst.operand(1), Some(inst.operand(2)))
        }
        Op::GroupDecorate => {
            group(m, inst)?;
            for index in 1..inst.count() {
                if m.op(inst.operand(index)) == Op::DecorationGroup {
                    return fail_at(
                        &DECORATION_TARGET,
                        index,
                        "a decoration group must not contain another decoration group",
                    );
                }
            }
            Ok(())
        }
        Op::GroupMemberDecorate => {
            group(m, inst)?;
            for index in (1..inst.count().saturating_sub(1)).step_by(2) {
                member(m, inst, index, inst.operand(index + 1), None)?;
            }
            Ok(())
        }
        op if !matches!(op, Op::Name | Op::DecorationGroup | Op::DecorateId) && !inst.is_non_semantic() => {
            for (index, _, id) in inst.ids() {
                if m.op(id) == Op::DecorationGroup {
                    return fail_at(
                        &DECORATION_TARGET,
                        index,
                        format!("{} cannot use the decoration group `{}`", op.name(), m.name(id)),
                    );
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn group(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    if m.op(inst.operand(0)) == Op::DecorationGroup {
        return Ok(());
    }
    fail_at(&DECORATION_TARGET, 0, format!("`{}` is not a decoration group", m.name(inst.operand(0))))
}

fn member(
    m: &RuleContext<'_>,
    inst: Inst<'_>,
    target: usize,
    index: u32,
    decoration: Option<u32>,
) -> Verdict {
    let id = inst.operand(target);
    if m.op(id) != Op::TypeStruct {
        return fail_at(&DECORATION_TARGET, target, m.not_a_structure(id));
    }
    let count = m.members(id).len();
    if index as usize >= count {
        let (name, count) = (m.name(id), wording::number(count, "members"));
        let message = format!("member {index} is out of range: `{name}` has {count}");
        // A member that was lost is missing in each of them.
        let lack = Lack::InFile(format!("members of {name}").into());
        return Err(Fault::new(&DECORATION_TARGET, message).at(Part::Operand(target + 1)).with_lack(lack));
    }
    match decoration {
        Some(d) if is_not_for_members(d) => {
            fail_at(&DECORATION_TARGET, 2, format!("{} cannot decorate a member", name(d)))
        }
        _ => Ok(()),
    }
}

fn decorate(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let (target, decoration) = (inst.operand(0), inst.operand(1));
    if m.is_broken(target) || m.definition(target) == Definition::Missing {
        return Ok(());
    }
    if m.scope.env.is_vulkan() && matches!(decoration, Decoration::GLSLShared | Decoration::GLSLPacked) {
        return fail_at(
            &DECORATION_TARGET,
            1,
            format!(
                "{} is not supported in Vulkan [VUID-StandaloneSpirv-GLSLShared-04669]",
                name(decoration)
            ),
        );
    }
    if decoration == Decoration::FPFastMathMode {
        if m.has_decoration(target, Decoration::NoContraction) {
            return fail_at(
                &DECORATION_TARGET,
                1,
                "FPFastMathMode and NoContraction must not decorate the same id",
            );
        }
        let both = FPFastMathMode::AllowContract | FPFastMathMode::AllowReassoc;
        let mask = inst.operand(2);
        if mask & FPFastMathMode::AllowTransform != 0 && mask & both != both {
            return fail_at(&DECORATION_TARGET, 2, "AllowTransform requires AllowContract and AllowReassoc");
        }
    }
    if decoration == Decoration::NoContraction && m.has_decoration(target, Decoration::FPFastMathMode) {
        return fail_at(
            &DECORATION_TARGET,
            1,
            "FPFastMathMode and NoContraction must not decorate the same id",
        );
    }
    if takes_ids(decoration) {
        return fail_at(&DECORATION_TARGET, 1, format!("{} takes ids; use OpDecorateId", name(decoration)));
    }
    if m.op(target) == Op::DecorationGroup {
        return Ok(());
    }
    if is_for_members_only(decoration) {
        return fail_at(
            &DECORATION_TARGET,
            1,
            format!("{} can decorate only structure members", name(decoration)),
        );
    }
    target_fits(m, inst, target, decoration)?;
    if m.scope.env.is_vulkan() {
        vulkan_storage(m, target, decoration)?;
    }
    Ok(())
}

fn target_fits(m: &RuleContext<'_>, inst: Inst<'_>, target: Id, decoration: u32) -> Verdict {
    let op = m.op(target);
    let variable = matches!(op, Op::Variable | Op::UntypedVariableKHR);
    let wrong = |what: &str| {
        fail_at(
            &DECORATION_TARGET,
            0,
            format!(
                "{} can decorate only {what}, `{}` is the result of {}",
                name(decoration),
                m.name(target),
                op.name()
            ),
        )
    };
    match decoration {
        Decoration::SpecId if !ops::is_scalar_spec_constant(op) && op != Op::SpecConstantDataKHR => {
            wrong("scalar specialization constants")
        }
        Decoration::Block
        | Decoration::BufferBlock
        | Decoration::GLSLShared
        | Decoration::GLSLPacked
        | Decoration::CPacked
            if op != Op::TypeStruct =>
        {
            wrong("structure types")
        }
        Decoration::ArrayStride
            if !matches!(
                op,
                Op::TypeArray | Op::TypeRuntimeArray | Op::TypePointer | Op::TypeUntypedPointerKHR
            ) =>
        {
            wrong("array and pointer types")
        }
        Decoration::BuiltIn => {
            if !variable && !ops::is_constant(op) {
                return wrong("variables, members and constants");
            }
            if m.has_capability(Capability::Shader) && inst.operand(2) == BuiltIn::WorkgroupSize {
                if !ops::is_constant(op) {
                    return wrong("a constant if the built-in is WorkgroupSize");
                }
            } else if !variable {
                return wrong("variables");
            }
            Ok(())
        }
        Decoration::NoPerspective
        | Decoration::Flat
        | Decoration::Patch
        | Decoration::Centroid
        | Decoration::Sample
        | Decoration::Restrict
        | Decoration::Aliased
        | Decoration::Volatile
        | Decoration::Coherent
        | Decoration::NonWritable
        | Decoration::NonReadable
        | Decoration::XfbBuffer
        | Decoration::XfbStride
        | Decoration::Component
        | Decoration::Stream
        | Decoration::RestrictPointer
        | Decoration::AliasedPointer
        | Decoration::PerPrimitiveEXT => {
            if !variable && !matches!(op, Op::FunctionParameter | Op::RawAccessChainNV | Op::BufferPointerEXT)
            {
                return wrong("variables and parameters");
            }
            if !m.is_pointer(m.type_of(target)) {
                let ty = m.type_name(m.type_of(target));
                let message =
                    format!("{} can decorate only pointers, `{}` is {ty}", name(decoration), m.name(target));
                return fail_at(&DECORATION_TARGET, 0, message);
            }
            Ok(())
        }
        Decoration::Invariant
        | Decoration::Constant
        | Decoration::Location
        | Decoration::Index
        | Decoration::Binding
        | Decoration::DescriptorSet
        | Decoration::InputAttachmentIndex
            if !variable =>
        {
            wrong("variables")
        }
        _ => Ok(()),
    }
}

fn vulkan_storage(m: &RuleContext<'_>, target: Id, decoration: u32) -> Verdict {
    let class = match m.def(m.type_of(target)) {
        Some(ty) if ty.count() > 2 => ty.operand(1),
        _ => StorageClass::Uniform,
    };
    let allowed: &[u32] = match decoration {
        Decoration::Location | Decoration::Component => &[
            StorageClass::Input,
            StorageClass::Output,
            StorageClass::RayPayloadKHR,
            StorageClass::IncomingRayPayloadKHR,
            StorageClass::HitAttributeKHR,
            StorageClass::CallableDataKHR,
            StorageClass::IncomingCallableDataKHR,
            StorageClass::ShaderRecordBufferKHR,
            StorageClass::HitObjectAttributeNV,
            StorageClass::TileImageEXT,
        ],
        Decoration::Index => &[StorageClass::Output],
        Decoration::Binding | Decoration::DescriptorSet => &[
            StorageClass::StorageBuffer,
            StorageClass::Uniform,
            StorageClass::UniformConstant,
            StorageClass::TileAttachmentQCOM,
        ],
        Decoration::InputAttachmentIndex => &[StorageClass::UniformConstant],
        Decoration::Flat | Decoration::NoPerspective | Decoration::Centroid | Decoration::Sample => {
            &[StorageClass::Input, StorageClass::Output]
        }
        Decoration::PerVertexKHR => &[StorageClass::Input],
        _ => return Ok(()),
    };
    if allowed.contains(&class) {
        return Ok(());
    }
    let class = storage_class_name(class);
    let vuid = match decoration {
        Decoration::Location | Decoration::Component => " [VUID-StandaloneSpirv-Location-06672]",
        Decoration::Binding | Decoration::DescriptorSet => " [VUID-StandaloneSpirv-DescriptorSet-06491]",
        Decoration::InputAttachmentIndex => " [VUID-StandaloneSpirv-InputAttachmentIndex-06678]",
        Decoration::Flat | Decoration::NoPerspective | Decoration::Centroid | Decoration::Sample => {
            " [VUID-StandaloneSpirv-Flat-04670]"
        }
        Decoration::PerVertexKHR => " [VUID-StandaloneSpirv-PerVertexKHR-06777]",
        _ => "",
    };
    fail_at(
        &DECORATION_TARGET,
        0,
        format!("in Vulkan, {} cannot decorate a variable in {class}{vuid}", name(decoration)),
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::{Shader, findings};

    #[test]
    fn decorations_have_their_targets() {
        let shader = Shader {
            annotations: "OpDecorate %float Block
OpMemberDecorate %s 7 Offset 0
OpMemberDecorate %float 0 Offset 0
OpDecorate %s Offset 0
OpDecorate %f1 SpecId 3
OpDecorate %main Location 0
OpGroupDecorate %float %s",
            types: "%s = OpTypeStruct %float",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration-target] `%float`: Block can decorate only structure types, `%float` is the result of OpTypeFloat
              18:1 `%float`: defined here
            error[decoration-target] `7`: member 7 is out of range: `%s` has 1 member
            error[decoration-target] `%float`: `%float` is the result of OpTypeFloat, not a structure type
              18:1 `%float`: defined here
            error[decoration-target] `%f1`: SpecId can decorate only scalar specialization constants, `%f1` is the result of OpConstant
              31:1 `%f1`: defined here
            error[decoration-target] `%main`: Location can decorate only variables, `%main` is the result of OpFunction
              37:1 `%main`: defined here
            error[undefined-id] `%float`: use of `%float` before its definition
              18:1 `%float`: defined here
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn groups_expand_to_a_limited_number_of_decorations() {
        let decorations = "OpDecorate %g Restrict\n".repeat(1001);
        let group = |targets: usize| {
            let targets = " %float".repeat(targets);
            let annotations = format!("{decorations}%g = OpDecorationGroup\nOpGroupDecorate %g{targets}");
            let found = Shader { annotations: &annotations, ..Shader::NEW }.findings();
            found.lines().filter(|line| line.contains("universal-limit")).collect::<Vec<_>>().join("\n")
        };
        expect![[r#""#]].assert_eq(&group(997));
        let found = group(999);
        expect!["warning[universal-limit] "].assert_eq(found.split('`').next().unwrap_or(""));
        expect!["decoration groups expand to more than 1000000 decorations; those of this instruction are not checked"].assert_eq(found.rsplit("`: ").next().unwrap_or(""));
    }

    #[test]
    fn heaps_of_descriptors_have_neither_type_nor_binding() {
        let text = r#"; target-env: vulkan1.3
OpCapability Shader
OpCapability UntypedPointersKHR
OpCapability DescriptorHeapEXT
OpExtension "SPV_KHR_untyped_pointers"
OpExtension "SPV_EXT_descriptor_heap"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %heap
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %heap BuiltIn ResourceHeapEXT
%void = OpTypeVoid
%fn = OpTypeFunction %void
%ptr = OpTypeUntypedPointerKHR UniformConstant
%heap = OpUntypedVariableKHR %ptr UniformConstant
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#;
        assert_eq!(findings(text), "");
        let without = text.replace("OpDecorate %heap BuiltIn ResourceHeapEXT\n", "");
        assert!(findings(&without).contains("missing Data Type"), "{}", findings(&without));
    }

    #[test]
    fn groups_and_fast_math() {
        let shader = Shader {
            head: "; target-env: spv1.6
OpCapability Shader
OpCapability FloatControls2
OpExtension \"SPV_KHR_float_controls2\"",
            annotations: "OpDecorate %g RelaxedPrecision
%g = OpDecorationGroup
%h = OpDecorationGroup
OpGroupDecorate %g %h
OpGroupDecorate %g %x %h
OpGroupDecorate %x %y
OpGroupMemberDecorate %h %s 0 %s 2
OpDecorate %x FPFastMathMode AllowTransform
OpDecorate %y FPFastMathMode AllowTransform|AllowContract
OpDecorate %z FPFastMathMode AllowTransform|AllowContract|AllowReassoc
OpDecorate %w FPFastMathMode NotNaN
OpDecorate %w NoContraction
OpDecorateId %x RelaxedPrecision
OpDecorate %x UniformId %u2",
            types: "%s = OpTypeStruct %float %float",
            body: "%x = OpFAdd %float %f1 %f1
%y = OpFAdd %float %f1 %f1
%z = OpFAdd %float %f1 %f1
%w = OpFAdd %float %f1 %f1",
            ..Shader::NEW
        };
        expect![[r#"
            error[decoration-target] `%h`: a decoration group must not contain another decoration group
              10:1 `%h`: defined here
            error[decoration-target] `%h`: a decoration group must not contain another decoration group
              10:1 `%h`: defined here
            error[undefined-id] `%x`: use of `%x` before its definition
            error[decoration-target] `2`: member 2 is out of range: `%s` has 2 members
            error[decoration-target] `AllowTransform`: AllowTransform requires AllowContract and AllowReassoc
            error[decoration-target] `AllowTransform|AllowContract`: AllowTransform requires AllowContract and AllowReassoc
            error[decoration-target] `FPFastMathMode`: FPFastMathMode and NoContraction must not decorate the same id
            error[decoration-target] `NoContraction`: FPFastMathMode and NoContraction must not decorate the same id
            error[decoration-target] `RelaxedPrecision`: RelaxedPrecision does not take ids; use OpDecorate
            error[decoration-target] `UniformId`: UniformId takes ids; use OpDecorateId
        "#]].assert_eq(&shader.findings());
    }
}
