//! Which SPIR-V capabilities a device takes (source: Vulkan specification, appendix "Vulkan Environment for SPIR-V").

use std::collections::BTreeSet;

use ash::vk::{
    Bool32, PhysicalDeviceFeatures, PhysicalDeviceShaderAtomicFloat2FeaturesEXT,
    PhysicalDeviceShaderAtomicFloatFeaturesEXT, PhysicalDeviceVulkan11Features,
    PhysicalDeviceVulkan12Features, PhysicalDeviceVulkan13Features,
};

use wavelens_syntax::spirv::tables::{Capability, Kind};

use self::Needs::*;

/// What a device must have for a capability.
enum Needs {
    Always,
    Core(fn(&PhysicalDeviceFeatures) -> Bool32),
    V11(fn(&PhysicalDeviceVulkan11Features<'_>) -> Bool32),
    V12(fn(&PhysicalDeviceVulkan12Features<'_>) -> Bool32),
    V13(fn(&PhysicalDeviceVulkan13Features<'_>) -> Bool32),
    FloatAtomics(fn(&PhysicalDeviceShaderAtomicFloatFeaturesEXT<'_>) -> Bool32),
    FloatAtomics2(fn(&PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'_>) -> Bool32),
    Extension(&'static str),
}

/// What a device offers.
pub(super) struct Offered<'a> {
    pub(super) core: &'a PhysicalDeviceFeatures,
    pub(super) v11: &'a PhysicalDeviceVulkan11Features<'a>,
    pub(super) v12: &'a PhysicalDeviceVulkan12Features<'a>,
    pub(super) v13: &'a PhysicalDeviceVulkan13Features<'a>,
    pub(super) float_atomics: &'a PhysicalDeviceShaderAtomicFloatFeaturesEXT<'a>,
    pub(super) float_atomics2: &'a PhysicalDeviceShaderAtomicFloat2FeaturesEXT<'a>,
    pub(super) extensions: &'a [String],
}

/// The capabilities that may be in modules for a device. Drivers die on others without a word.
pub(super) fn supported(offered: &Offered<'_>) -> BTreeSet<u32> {
    let has = |needs: &Needs| match needs {
        Always => true,
        Core(feature) => feature(offered.core) != 0,
        V11(feature) => feature(offered.v11) != 0,
        V12(feature) => feature(offered.v12) != 0,
        V13(feature) => feature(offered.v13) != 0,
        FloatAtomics(feature) => feature(offered.float_atomics) != 0,
        FloatAtomics2(feature) => feature(offered.float_atomics2) != 0,
        Extension(name) => offered.extensions.iter().any(|e| e == name),
    };
    CAPABILITIES.iter().filter(|(_, needs)| has(needs)).map(|(number, _)| *number).collect()
}

/// A capability's name, or its number where no version has one.
pub(super) fn name(number: u32) -> String {
    let known = Kind::Capability.valued(number);
    known.map_or_else(|| format!("capability {number}"), |known| format!("`{}`", known.name))
}

const CAPABILITIES: &[(u32, Needs)] = &[
    (Capability::Matrix, Always),
    (Capability::Shader, Always),
    (Capability::Geometry, Core(|f| f.geometry_shader)),
    (Capability::Tessellation, Core(|f| f.tessellation_shader)),
    (Capability::Float16, V12(|f| f.shader_float16)),
    (Capability::Float64, Core(|f| f.shader_float64)),
    (Capability::Int64, Core(|f| f.shader_int64)),
    (Capability::Int64Atomics, V12(|f| f.shader_buffer_int64_atomics)),
    (Capability::Int16, Core(|f| f.shader_int16)),
    (Capability::TessellationPointSize, Core(|f| f.shader_tessellation_and_geometry_point_size)),
    (Capability::GeometryPointSize, Core(|f| f.shader_tessellation_and_geometry_point_size)),
    (Capability::ImageGatherExtended, Core(|f| f.shader_image_gather_extended)),
    (Capability::StorageImageMultisample, Core(|f| f.shader_storage_image_multisample)),
    (Capability::UniformBufferArrayDynamicIndexing, Core(|f| f.shader_uniform_buffer_array_dynamic_indexing)),
    (Capability::SampledImageArrayDynamicIndexing, Core(|f| f.shader_sampled_image_array_dynamic_indexing)),
    (Capability::StorageBufferArrayDynamicIndexing, Core(|f| f.shader_storage_buffer_array_dynamic_indexing)),
    (Capability::StorageImageArrayDynamicIndexing, Core(|f| f.shader_storage_image_array_dynamic_indexing)),
    (Capability::ClipDistance, Core(|f| f.shader_clip_distance)),
    (Capability::CullDistance, Core(|f| f.shader_cull_distance)),
    (Capability::ImageCubeArray, Core(|f| f.image_cube_array)),
    (Capability::SampleRateShading, Core(|f| f.sample_rate_shading)),
    (Capability::Int8, V12(|f| f.shader_int8)),
    (Capability::InputAttachment, Always),
    (Capability::SparseResidency, Core(|f| f.shader_resource_residency)),
    (Capability::MinLod, Core(|f| f.shader_resource_min_lod)),
    (Capability::Sampled1D, Always),
    (Capability::Image1D, Always),
    (Capability::SampledCubeArray, Core(|f| f.image_cube_array)),
    (Capability::SampledBuffer, Always),
    (Capability::ImageBuffer, Always),
    (Capability::ImageMSArray, Core(|f| f.shader_storage_image_multisample)),
    (Capability::StorageImageExtendedFormats, Core(|f| f.shader_storage_image_extended_formats)),
    (Capability::ImageQuery, Always),
    (Capability::DerivativeControl, Always),
    (Capability::InterpolationFunction, Core(|f| f.sample_rate_shading)),
    (Capability::TransformFeedback, Extension("VK_EXT_transform_feedback")),
    (Capability::GeometryStreams, Extension("VK_EXT_transform_feedback")),
    (Capability::StorageImageReadWithoutFormat, Core(|f| f.shader_storage_image_read_without_format)),
    (Capability::StorageImageWriteWithoutFormat, Core(|f| f.shader_storage_image_write_without_format)),
    (Capability::MultiViewport, Core(|f| f.multi_viewport)),
    (Capability::GroupNonUniform, Always),
    (Capability::GroupNonUniformVote, Always),
    (Capability::GroupNonUniformArithmetic, Always),
    (Capability::GroupNonUniformBallot, Always),
    (Capability::GroupNonUniformShuffle, Always),
    (Capability::GroupNonUniformShuffleRelative, Always),
    (Capability::GroupNonUniformClustered, Always),
    (Capability::GroupNonUniformQuad, Always),
    (Capability::ShaderLayer, V12(|f| f.shader_output_layer)),
    (Capability::ShaderViewportIndex, V12(|f| f.shader_output_viewport_index)),
    (Capability::FragmentShadingRateKHR, Extension("VK_KHR_fragment_shading_rate")),
    (Capability::SubgroupBallotKHR, Always),
    (Capability::DrawParameters, V11(|f| f.shader_draw_parameters)),
    (Capability::WorkgroupMemoryExplicitLayoutKHR, Extension("VK_KHR_workgroup_memory_explicit_layout")),
    (
        Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
        Extension("VK_KHR_workgroup_memory_explicit_layout"),
    ),
    (
        Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
        Extension("VK_KHR_workgroup_memory_explicit_layout"),
    ),
    (Capability::SubgroupVoteKHR, Always),
    (Capability::StorageBuffer16BitAccess, V11(|f| f.storage_buffer16_bit_access)),
    (Capability::UniformAndStorageBuffer16BitAccess, V11(|f| f.uniform_and_storage_buffer16_bit_access)),
    (Capability::StoragePushConstant16, V11(|f| f.storage_push_constant16)),
    (Capability::StorageInputOutput16, V11(|f| f.storage_input_output16)),
    (Capability::DeviceGroup, Always),
    (Capability::MultiView, V11(|f| f.multiview)),
    (Capability::VariablePointersStorageBuffer, V11(|f| f.variable_pointers_storage_buffer)),
    (Capability::VariablePointers, V11(|f| f.variable_pointers)),
    (Capability::SampleMaskPostDepthCoverage, Extension("VK_EXT_post_depth_coverage")),
    (Capability::StorageBuffer8BitAccess, V12(|f| f.storage_buffer8_bit_access)),
    (Capability::UniformAndStorageBuffer8BitAccess, V12(|f| f.uniform_and_storage_buffer8_bit_access)),
    (Capability::StoragePushConstant8, V12(|f| f.storage_push_constant8)),
    (Capability::DenormPreserve, Always),
    (Capability::DenormFlushToZero, Always),
    (Capability::SignedZeroInfNanPreserve, Always),
    (Capability::RoundingModeRTE, Always),
    (Capability::RoundingModeRTZ, Always),
    (Capability::RayQueryKHR, Extension("VK_KHR_ray_query")),
    (Capability::StencilExportEXT, Extension("VK_EXT_shader_stencil_export")),
    (Capability::Int64ImageEXT, Extension("VK_EXT_shader_image_atomic_int64")),
    (Capability::ShaderClockKHR, Extension("VK_KHR_shader_clock")),
    (Capability::ShaderViewportIndexLayerEXT, V12(|f| f.shader_output_layer)),
    (Capability::MeshShadingEXT, Extension("VK_EXT_mesh_shader")),
    (Capability::FragmentBarycentricKHR, Extension("VK_KHR_fragment_shader_barycentric")),
    (Capability::ShaderNonUniform, Always),
    (Capability::RuntimeDescriptorArray, V12(|f| f.runtime_descriptor_array)),
    (
        Capability::InputAttachmentArrayDynamicIndexing,
        V12(|f| f.shader_input_attachment_array_dynamic_indexing),
    ),
    (
        Capability::UniformTexelBufferArrayDynamicIndexing,
        V12(|f| f.shader_uniform_texel_buffer_array_dynamic_indexing),
    ),
    (
        Capability::StorageTexelBufferArrayDynamicIndexing,
        V12(|f| f.shader_storage_texel_buffer_array_dynamic_indexing),
    ),
    (
        Capability::UniformBufferArrayNonUniformIndexing,
        V12(|f| f.shader_uniform_buffer_array_non_uniform_indexing),
    ),
    (
        Capability::SampledImageArrayNonUniformIndexing,
        V12(|f| f.shader_sampled_image_array_non_uniform_indexing),
    ),
    (
        Capability::StorageBufferArrayNonUniformIndexing,
        V12(|f| f.shader_storage_buffer_array_non_uniform_indexing),
    ),
    (
        Capability::StorageImageArrayNonUniformIndexing,
        V12(|f| f.shader_storage_image_array_non_uniform_indexing),
    ),
    (
        Capability::InputAttachmentArrayNonUniformIndexing,
        V12(|f| f.shader_input_attachment_array_non_uniform_indexing),
    ),
    (
        Capability::UniformTexelBufferArrayNonUniformIndexing,
        V12(|f| f.shader_uniform_texel_buffer_array_non_uniform_indexing),
    ),
    (
        Capability::StorageTexelBufferArrayNonUniformIndexing,
        V12(|f| f.shader_storage_texel_buffer_array_non_uniform_indexing),
    ),
    (Capability::VulkanMemoryModel, V12(|f| f.vulkan_memory_model)),
    (Capability::VulkanMemoryModelDeviceScope, V12(|f| f.vulkan_memory_model_device_scope)),
    (Capability::PhysicalStorageBufferAddresses, V12(|f| f.buffer_device_address)),
    (Capability::FragmentShaderSampleInterlockEXT, Extension("VK_EXT_fragment_shader_interlock")),
    (Capability::FragmentShaderShadingRateInterlockEXT, Extension("VK_EXT_fragment_shader_interlock")),
    (Capability::FragmentShaderPixelInterlockEXT, Extension("VK_EXT_fragment_shader_interlock")),
    (Capability::DemoteToHelperInvocation, V13(|f| f.shader_demote_to_helper_invocation)),
    (Capability::AtomicFloat32MinMaxEXT, FloatAtomics2(|f| f.shader_buffer_float32_atomic_min_max)),
    (Capability::AtomicFloat64MinMaxEXT, FloatAtomics2(|f| f.shader_buffer_float64_atomic_min_max)),
    (Capability::DotProductInputAll, V13(|f| f.shader_integer_dot_product)),
    (Capability::DotProductInput4x8Bit, V13(|f| f.shader_integer_dot_product)),
    (Capability::DotProductInput4x8BitPacked, V13(|f| f.shader_integer_dot_product)),
    (Capability::DotProduct, V13(|f| f.shader_integer_dot_product)),
    (Capability::AtomicFloat32AddEXT, FloatAtomics(|f| f.shader_buffer_float32_atomic_add)),
];
