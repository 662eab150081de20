//! Decorations fit what they decorate (SPIR-V specification, section 3.20 and the annotation instructions).

use wavelens_syntax::spirv::tables::{
    BuiltIn, Capability, Decoration, FPFastMathMode, Kind, Op, StorageClass,
};

use crate::spirv::code::{Id, Inst};
use crate::spirv::context::{Check, Definition, Module, fail_at};
use crate::spirv::ops;
use crate::{Rule, Severity};

pub static DECORATION_TARGET: Rule = Rule {
    code: "decoration-target",
    severity: Severity::Error,
    explain: "Each decoration belongs to certain targets: Block to structures, Binding to variables, Offset to members, and so on.\n\n\
        Source: SPIR-V specification, section 3.20 (Decoration); Vulkan specification, Standalone SPIR-V Validation.",
    ..Rule::UNDOCUMENTED
};

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
    )
}

fn is_for_members_only(decoration: u32) -> bool {
    matches!(decoration, Decoration::RowMajor | Decoration::ColMajor | Decoration::MatrixStride)
}

fn is_not_for_members(decoration: u32) -> bool {
    matches!(
        decoration,
        Decoration::SpecId
            | Decoration::Block
            | Decoration::BufferBlock
            | Decoration::ArrayStride
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

pub(super) fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    match inst.op() {
        Op::Decorate => decorate(m, inst),
        Op::DecorateId if !takes_ids(inst.operand(1)) => {
            fail_at(&DECORATION_TARGET, 1, format!("{} takes no ids: use OpDecorate", name(inst.operand(1))))
        }
        Op::MemberDecorate => member(m, inst, 0, inst.operand(1), Some(inst.operand(2))),
        Op::GroupDecorate => {
            group(m, inst)?;
            for index in 1..inst.count() {
                if m.op(inst.operand(index)) == Op::DecorationGroup {
                    return fail_at(&DECORATION_TARGET, index, "a decoration group cannot be in a group");
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

fn group(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if m.op(inst.operand(0)) == Op::DecorationGroup {
        return Ok(());
    }
    fail_at(&DECORATION_TARGET, 0, format!("`{}` is no decoration group", m.name(inst.operand(0))))
}

fn member(m: &Module<'_>, inst: Inst<'_>, target: usize, index: u32, decoration: Option<u32>) -> Check {
    let id = inst.operand(target);
    if m.op(id) != Op::TypeStruct {
        return fail_at(&DECORATION_TARGET, target, format!("`{}` is no structure type", m.name(id)));
    }
    let count = m.members(id).len();
    if index as usize >= count {
        return fail_at(
            &DECORATION_TARGET,
            target + 1,
            format!("`{}` has {count} members: there is no member {index}", m.name(id)),
        );
    }
    match decoration {
        Some(d) if is_not_for_members(d) => {
            fail_at(&DECORATION_TARGET, 2, format!("{} cannot decorate a member", name(d)))
        }
        _ => Ok(()),
    }
}

fn decorate(m: &Module<'_>, inst: Inst<'_>) -> Check {
    let (target, decoration) = (inst.operand(0), inst.operand(1));
    if m.is_broken(target) || m.definition(target) == Definition::Missing {
        return Ok(());
    }
    if m.scope.env.is_vulkan() && matches!(decoration, Decoration::GLSLShared | Decoration::GLSLPacked) {
        return fail_at(&DECORATION_TARGET, 1, format!("{} is not for Vulkan", name(decoration)));
    }
    if decoration == Decoration::FPFastMathMode {
        if m.has_decoration(target, Decoration::NoContraction) {
            return fail_at(&DECORATION_TARGET, 1, "FPFastMathMode and NoContraction exclude each other");
        }
        let both = FPFastMathMode::AllowContract | FPFastMathMode::AllowReassoc;
        let mask = inst.operand(2);
        if mask & FPFastMathMode::AllowTransform != 0 && mask & both != both {
            return fail_at(&DECORATION_TARGET, 2, "AllowTransform needs AllowContract and AllowReassoc");
        }
    }
    if decoration == Decoration::NoContraction && m.has_decoration(target, Decoration::FPFastMathMode) {
        return fail_at(&DECORATION_TARGET, 1, "FPFastMathMode and NoContraction exclude each other");
    }
    if takes_ids(decoration) {
        return fail_at(&DECORATION_TARGET, 1, format!("{} takes ids: use OpDecorateId", name(decoration)));
    }
    if m.op(target) == Op::DecorationGroup {
        return Ok(());
    }
    if is_for_members_only(decoration) {
        return fail_at(&DECORATION_TARGET, 1, format!("{} decorates members only", name(decoration)));
    }
    target_fits(m, inst, target, decoration)?;
    if m.scope.env.is_vulkan() {
        vulkan_storage(m, target, decoration)?;
    }
    Ok(())
}

fn target_fits(m: &Module<'_>, inst: Inst<'_>, target: Id, decoration: u32) -> Check {
    let op = m.op(target);
    let variable = matches!(op, Op::Variable | Op::UntypedVariableKHR);
    let wrong = |what: &str| {
        fail_at(
            &DECORATION_TARGET,
            0,
            format!(
                "{} decorates {what}; `{}` is the result of {}",
                name(decoration),
                m.name(target),
                op.name()
            ),
        )
    };
    match decoration {
        Decoration::SpecId if !ops::is_scalar_spec_constant(op) => wrong("scalar specialization constants"),
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
                    return wrong("a constant where it is WorkgroupSize");
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
            if !variable && !matches!(op, Op::FunctionParameter | Op::RawAccessChainNV) {
                return wrong("variables and parameters");
            }
            if !m.is_pointer(m.type_of(target)) {
                return wrong("pointers");
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

fn vulkan_storage(m: &Module<'_>, target: Id, decoration: u32) -> Check {
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
    let class = Kind::StorageClass.valued(class).map_or("?", |e| e.name);
    fail_at(
        &DECORATION_TARGET,
        0,
        format!("in Vulkan, {} cannot decorate a variable in {class}", name(decoration)),
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::Shader;

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
            error[decoration] `OpDecorate %float Block`: Block is for structures
            error[decoration-target] `%float`: Block decorates structure types; `%float` is the result of OpTypeFloat
            error[decoration-target] `7`: `%s` has 1 members: there is no member 7
            error[decoration-target] `%float`: `%float` is no structure type
            error[decoration-target] `%f1`: SpecId decorates scalar specialization constants; `%f1` is the result of OpConstant
            error[decoration] `OpDecorate %main Location 0`: Location is for variables and members
            error[decoration-target] `%main`: Location decorates variables; `%main` is the result of OpFunction
            error[undefined-id] `%float`: `%float` is used before its definition
        "#]].assert_eq(&shader.findings());
    }
}
