//! Capabilities that an environment lets a module declare.

use wavelens_syntax::spirv::tables::{Capability, Kind};

use crate::code::Inst;
use crate::context::RuleContext;
use wavelens_base::Severity;
use wavelens_base::configuration::Env;
use wavelens_base::{Verdict, fail_at};

wavelens_syntax::rules! {
    ENVIRONMENT_CAPABILITY {
        code: "environment-capability",
        severity: Severity::Error,
        title: "a capability is supported in the target environment",
        explain: "Vulkan and OpenCL allow only some capabilities, partly depending on the version or on a declared extension. Set the target environment of the file if it is wrong.",
        example: r#"; target-env: vulkan1.3
OpCapability Kernel
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        fixed: r#"; target-env: vulkan1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpReturn
OpFunctionEnd
"#,
        source: "Vulkan specification, appendix SPIR-V Capabilities; OpenCL SPIR-V environment specification; SPIRV-Tools validate_capability.cpp: \"is not allowed by Vulkan 1.3 specification\"",
    }
}

const VULKAN_10: &[u32] = &[
    Capability::Matrix,
    Capability::Shader,
    Capability::InputAttachment,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
    Capability::ImageQuery,
    Capability::DerivativeControl,
    Capability::Geometry,
    Capability::Tessellation,
    Capability::Float64,
    Capability::Int64,
    Capability::Int16,
    Capability::TessellationPointSize,
    Capability::GeometryPointSize,
    Capability::ImageGatherExtended,
    Capability::StorageImageMultisample,
    Capability::UniformBufferArrayDynamicIndexing,
    Capability::SampledImageArrayDynamicIndexing,
    Capability::StorageBufferArrayDynamicIndexing,
    Capability::StorageImageArrayDynamicIndexing,
    Capability::ClipDistance,
    Capability::CullDistance,
    Capability::ImageCubeArray,
    Capability::SampleRateShading,
    Capability::SparseResidency,
    Capability::MinLod,
    Capability::SampledCubeArray,
    Capability::ImageMSArray,
    Capability::StorageImageExtendedFormats,
    Capability::InterpolationFunction,
    Capability::StorageImageReadWithoutFormat,
    Capability::StorageImageWriteWithoutFormat,
    Capability::MultiViewport,
    Capability::Int64Atomics,
    Capability::TransformFeedback,
    Capability::GeometryStreams,
    Capability::Float16,
    Capability::Int8,
    Capability::BFloat16TypeKHR,
    Capability::Float8EXT,
];
const VULKAN_11: &[u32] = &[
    Capability::DeviceGroup,
    Capability::MultiView,
    Capability::GroupNonUniform,
    Capability::GroupNonUniformVote,
    Capability::GroupNonUniformArithmetic,
    Capability::GroupNonUniformBallot,
    Capability::GroupNonUniformShuffle,
    Capability::GroupNonUniformShuffleRelative,
    Capability::GroupNonUniformClustered,
    Capability::GroupNonUniformQuad,
    Capability::DrawParameters,
    Capability::StorageUniformBufferBlock16,
    Capability::StorageUniform16,
    Capability::StoragePushConstant16,
    Capability::StorageInputOutput16,
    Capability::VariablePointersStorageBuffer,
    Capability::VariablePointers,
];
const VULKAN_12: &[u32] = &[
    Capability::ShaderNonUniform,
    Capability::DenormPreserve,
    Capability::DenormFlushToZero,
    Capability::SignedZeroInfNanPreserve,
    Capability::RoundingModeRTE,
    Capability::RoundingModeRTZ,
    Capability::VulkanMemoryModel,
    Capability::VulkanMemoryModelDeviceScope,
    Capability::StorageBuffer8BitAccess,
    Capability::UniformAndStorageBuffer8BitAccess,
    Capability::StoragePushConstant8,
    Capability::ShaderViewportIndex,
    Capability::ShaderLayer,
    Capability::PhysicalStorageBufferAddresses,
    Capability::RuntimeDescriptorArray,
    Capability::UniformTexelBufferArrayDynamicIndexing,
    Capability::StorageTexelBufferArrayDynamicIndexing,
    Capability::UniformBufferArrayNonUniformIndexing,
    Capability::SampledImageArrayNonUniformIndexing,
    Capability::StorageBufferArrayNonUniformIndexing,
    Capability::StorageImageArrayNonUniformIndexing,
    Capability::InputAttachmentArrayNonUniformIndexing,
    Capability::InputAttachmentArrayDynamicIndexing,
    Capability::UniformTexelBufferArrayNonUniformIndexing,
    Capability::StorageTexelBufferArrayNonUniformIndexing,
];
const VULKAN_13: &[u32] = &[
    Capability::DotProduct,
    Capability::DotProductInputAll,
    Capability::DotProductInput4x8Bit,
    Capability::DotProductInput4x8BitPacked,
    Capability::VulkanMemoryModel,
    Capability::VulkanMemoryModelDeviceScope,
    Capability::PhysicalStorageBufferAddresses,
    Capability::DemoteToHelperInvocation,
];
const VULKAN_14: &[u32] = &[
    Capability::UniformBufferArrayDynamicIndexing,
    Capability::SampledImageArrayDynamicIndexing,
    Capability::StorageBufferArrayDynamicIndexing,
    Capability::StorageImageArrayDynamicIndexing,
    Capability::Int16,
    Capability::StorageBuffer16BitAccess,
    Capability::VariablePointers,
    Capability::VariablePointersStorageBuffer,
    Capability::UniformTexelBufferArrayDynamicIndexing,
    Capability::StorageTexelBufferArrayDynamicIndexing,
    Capability::Int8,
    Capability::StorageBuffer8BitAccess,
    Capability::FloatControls2,
    Capability::SampleRateShading,
    Capability::StorageImageExtendedFormats,
    Capability::ImageGatherExtended,
];
const OPENCL_12: &[u32] = &[
    Capability::Addresses,
    Capability::Float16Buffer,
    Capability::Int16,
    Capability::Int8,
    Capability::Kernel,
    Capability::Linkage,
    Capability::Vector16,
    Capability::Int64,
    Capability::ImageBasic,
    Capability::Float64,
    Capability::Float16,
];
const OPENCL_20: &[u32] =
    &[Capability::DeviceEnqueue, Capability::GenericPointer, Capability::Groups, Capability::Pipes];
const OPENCL_22: &[u32] = &[Capability::SubgroupDispatch, Capability::PipeStorage];

/// Brought by ImageBasic.
const IMAGE_BASIC: &[u32] = &[
    Capability::LiteralSampler,
    Capability::Sampled1D,
    Capability::Image1D,
    Capability::SampledBuffer,
    Capability::ImageBuffer,
];

pub(super) fn check(m: &RuleContext<'_>, inst: Inst<'_>) -> Verdict {
    let capability = inst.operand(0);
    let (lists, image_read_write): (&[&[u32]], bool) = match m.scope.env {
        Env::Vulkan10 => (&[VULKAN_10], false),
        Env::Vulkan11 => (&[VULKAN_10, VULKAN_11], false),
        Env::Vulkan12 => (&[VULKAN_10, VULKAN_11, VULKAN_12], false),
        Env::Vulkan13 => (&[VULKAN_10, VULKAN_11, VULKAN_12, VULKAN_13], false),
        Env::Vulkan14 => (&[VULKAN_10, VULKAN_11, VULKAN_12, VULKAN_13, VULKAN_14], false),
        Env::OpenCl12 => (&[OPENCL_12], false),
        Env::OpenCl20 | Env::OpenCl21 => (&[OPENCL_12, OPENCL_20], true),
        Env::OpenCl22 => (&[OPENCL_12, OPENCL_20, OPENCL_22], true),
        _ => return Ok(()),
    };
    let Some(known) = Kind::Capability.valued(capability) else { return Ok(()) };
    let by_image = m.scope.env.is_opencl()
        && m.has_capability(Capability::ImageBasic)
        && (IMAGE_BASIC.contains(&capability)
            || image_read_write && capability == Capability::ImageReadWrite);
    if by_image
        || lists.iter().any(|list| list.contains(&capability))
        || known.extensions.iter().any(|e| m.has_extension(*e))
        || !known.extensions.is_empty() && m.scope.has_unknown_declaration()
    {
        return Ok(());
    }
    fail_at(
        &ENVIRONMENT_CAPABILITY,
        0,
        format!("{} does not support the {} capability", m.scope.env.name(), known.name),
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::testing::Shader;

    #[test]
    fn an_environment_has_its_capabilities() {
        let shader = Shader {
            head: "; target-env: vulkan1.0
OpCapability Shader
OpCapability Kernel
OpCapability GroupNonUniform",
            ..Shader::NEW
        };
        expect![[r#"
            error[environment-capability] `Kernel`: vulkan1.0 does not support the Kernel capability
            error[environment-capability] `GroupNonUniform`: vulkan1.0 does not support the GroupNonUniform capability
            error[type-declaration] `1`: Signedness must be 0 with the Kernel capability
        "#]].assert_eq(&shader.findings());
    }

    #[test]
    fn a_line_that_is_not_understood_may_declare_the_extension() {
        for line in ["SPV_KHR_ray_query \"SPV_KHR_ray_query\"", "OpExtension"] {
            let head =
                format!("; target-env: vulkan1.1\nOpCapability Shader\nOpCapability RayQueryKHR\n{line}");
            let found = Shader { head: &head, ..Shader::NEW }.findings();
            assert!(!found.contains("environment-capability"), "{line}: {found}");
        }
    }
}
