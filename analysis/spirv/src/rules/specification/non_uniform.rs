//! Resources that differ between invocations: NonUniform is read from the operand that is used, not from the index.

use wavelens_syntax::spirv::tables::{Decoration, Op, StorageClass};

use crate::code::{Id, Inst};
use crate::context::RuleContext;
use wavelens_base::{Severity, Verdict, fail_at};

wavelens_syntax::rules! {
    NON_UNIFORM {
        code: "non-uniform-operand",
        severity: Severity::Warning,
        title: "what is selected by a NonUniform index is NonUniform itself where it is used",
        explain: "A consumer looks at the image, the sampled image or the pointer that an instruction accesses. If only the index that selected it is decorated with NonUniform, the consumer takes the resource of one invocation for all.\n\nSwitch it off for drivers that follow the index.",
        example: r#"; target-env: vulkan1.2
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability SampledImageArrayNonUniformIndexing
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %textures %i %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %textures DescriptorSet 0
OpDecorate %textures Binding 0
OpDecorate %i Location 0
OpDecorate %i Flat
OpDecorate %out Location 0
OpDecorate %index NonUniform
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%four = OpConstant %int 4
%zero = OpConstant %float 0
%at = OpConstantComposite %vec2 %zero %zero
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%array = OpTypeArray %sampled %four
%parray = OpTypePointer UniformConstant %array
%psampled = OpTypePointer UniformConstant %sampled
%pint = OpTypePointer Input %int
%pvec4 = OpTypePointer Output %vec4
%textures = OpVariable %parray UniformConstant
%i = OpVariable %pint Input
%out = OpVariable %pvec4 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%index = OpLoad %int %i
%p = OpAccessChain %psampled %textures %index
%texture = OpLoad %sampled %p
%color = OpImageSampleImplicitLod %vec4 %texture %at
OpStore %out %color
OpReturn
OpFunctionEnd
"#,
        fixed: r#"; target-env: vulkan1.2
OpCapability Shader
OpCapability ShaderNonUniform
OpCapability SampledImageArrayNonUniformIndexing
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %textures %i %out
OpExecutionMode %main OriginUpperLeft
OpDecorate %textures DescriptorSet 0
OpDecorate %textures Binding 0
OpDecorate %i Location 0
OpDecorate %i Flat
OpDecorate %out Location 0
OpDecorate %index NonUniform
OpDecorate %texture NonUniform
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 0
%float = OpTypeFloat 32
%vec2 = OpTypeVector %float 2
%vec4 = OpTypeVector %float 4
%four = OpConstant %int 4
%zero = OpConstant %float 0
%at = OpConstantComposite %vec2 %zero %zero
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%array = OpTypeArray %sampled %four
%parray = OpTypePointer UniformConstant %array
%psampled = OpTypePointer UniformConstant %sampled
%pint = OpTypePointer Input %int
%pvec4 = OpTypePointer Output %vec4
%textures = OpVariable %parray UniformConstant
%i = OpVariable %pint Input
%out = OpVariable %pvec4 Output
%main = OpFunction %void None %fn
%entry = OpLabel
%index = OpLoad %int %i
%p = OpAccessChain %psampled %textures %index
%texture = OpLoad %sampled %p
%color = OpImageSampleImplicitLod %vec4 %texture %at
OpStore %out %color
OpReturn
OpFunctionEnd
"#,
        source: "SPIR-V specification, section 3.20, NonUniform; Vulkan specification, VUID-RuntimeSpirv-NonUniform-06274: the operand corresponding to that pointer or image must be decorated with NonUniform",
    }
}

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let op = inst.op();
    let is_image = (Op::ImageSampleImplicitLod.0..=Op::ImageQuerySamples.0).contains(&op.0)
        || (Op::ImageSparseSampleImplicitLod.0..=Op::ImageSparseDrefGather.0).contains(&op.0);
    let operand = match op {
        _ if is_image && op == Op::ImageWrite => 0,
        _ if is_image => 2,
        Op::Load => 2,
        Op::Store => 0,
        _ => return Ok(()),
    };
    let used = inst.operand(operand);
    if m.has_decoration(used, Decoration::NonUniform) {
        return Ok(());
    }
    let Some(chain) = selected(m, used, is_image) else { return Ok(()) };
    let mut indices = (3..chain.count()).map(|n| chain.operand(n));
    let Some(index) = indices.find(|id| m.has_decoration(*id, Decoration::NonUniform)) else {
        return Ok(());
    };
    let message = format!(
        "`{}` is selected by the NonUniform index `{}`, but is not itself decorated with NonUniform",
        m.name(used),
        m.name(index)
    );
    fail_at(&NON_UNIFORM, operand, message)
}

/// The access chain that selects a resource from an array of them.
fn selected<'m>(m: &'m RuleContext<'_>, used: Id, is_image: bool) -> Option<Inst<'m>> {
    let mut def = m.def(used)?;
    if def.op() == Op::SampledImage {
        def = m.def(def.operand(2))?;
    }
    if def.op() == Op::Image {
        def = m.def(def.operand(2))?;
    }
    if is_image {
        def = m.def(Some(def).filter(|def| def.op() == Op::Load)?.operand(2))?;
    }
    if !matches!(def.op(), Op::AccessChain | Op::InBoundsAccessChain) {
        return None;
    }
    let (class, pointee) = m.pointer(m.operand_type(def, 2))?;
    let is_array = matches!(m.op(pointee), Op::TypeArray | Op::TypeRuntimeArray);
    let is_resource = match class {
        StorageClass::UniformConstant => is_image,
        StorageClass::Uniform | StorageClass::StorageBuffer => {
            !is_image && m.op(m.element(pointee)) == Op::TypeStruct
        }
        _ => false,
    };
    // Only the first index selects a resource.
    let first = def.opt_operand(3)?;
    (is_array && is_resource && m.has_decoration(first, Decoration::NonUniform)).then_some(def)
}
