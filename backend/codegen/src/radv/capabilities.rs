//! Which SPIR-V capabilities a device takes (source: Vulkan specification, appendix "Vulkan Environment for SPIR-V").

use std::collections::BTreeSet;

use ash::vk::{
    Bool32, PhysicalDeviceFeatures, PhysicalDeviceShaderAtomicFloat2FeaturesEXT,
    PhysicalDeviceShaderAtomicFloatFeaturesEXT, PhysicalDeviceVulkan11Features,
    PhysicalDeviceVulkan12Features, PhysicalDeviceVulkan13Features,
};

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
    CAPABILITIES.iter().filter(|(_, _, needs)| has(needs)).map(|(number, ..)| *number).collect()
}

/// A capability's name, or its number where it is none that any device of this kind takes.
pub(super) fn name(number: u32) -> String {
    let known = CAPABILITIES.iter().find(|(n, ..)| *n == number);
    known.map_or_else(|| format!("capability {number}"), |(_, name, _)| format!("`{name}`"))
}

const CAPABILITIES: &[(u32, &str, Needs)] = &[
    (0, "Matrix", Always),
    (1, "Shader", Always),
    (2, "Geometry", Core(|f| f.geometry_shader)),
    (3, "Tessellation", Core(|f| f.tessellation_shader)),
    (9, "Float16", V12(|f| f.shader_float16)),
    (10, "Float64", Core(|f| f.shader_float64)),
    (11, "Int64", Core(|f| f.shader_int64)),
    (12, "Int64Atomics", V12(|f| f.shader_buffer_int64_atomics)),
    (22, "Int16", Core(|f| f.shader_int16)),
    (23, "TessellationPointSize", Core(|f| f.shader_tessellation_and_geometry_point_size)),
    (24, "GeometryPointSize", Core(|f| f.shader_tessellation_and_geometry_point_size)),
    (25, "ImageGatherExtended", Core(|f| f.shader_image_gather_extended)),
    (27, "StorageImageMultisample", Core(|f| f.shader_storage_image_multisample)),
    (28, "UniformBufferArrayDynamicIndexing", Core(|f| f.shader_uniform_buffer_array_dynamic_indexing)),
    (29, "SampledImageArrayDynamicIndexing", Core(|f| f.shader_sampled_image_array_dynamic_indexing)),
    (30, "StorageBufferArrayDynamicIndexing", Core(|f| f.shader_storage_buffer_array_dynamic_indexing)),
    (31, "StorageImageArrayDynamicIndexing", Core(|f| f.shader_storage_image_array_dynamic_indexing)),
    (32, "ClipDistance", Core(|f| f.shader_clip_distance)),
    (33, "CullDistance", Core(|f| f.shader_cull_distance)),
    (34, "ImageCubeArray", Core(|f| f.image_cube_array)),
    (35, "SampleRateShading", Core(|f| f.sample_rate_shading)),
    (39, "Int8", V12(|f| f.shader_int8)),
    (40, "InputAttachment", Always),
    (41, "SparseResidency", Core(|f| f.shader_resource_residency)),
    (42, "MinLod", Core(|f| f.shader_resource_min_lod)),
    (43, "Sampled1D", Always),
    (44, "Image1D", Always),
    (45, "SampledCubeArray", Core(|f| f.image_cube_array)),
    (46, "SampledBuffer", Always),
    (47, "ImageBuffer", Always),
    (48, "ImageMSArray", Core(|f| f.shader_storage_image_multisample)),
    (49, "StorageImageExtendedFormats", Core(|f| f.shader_storage_image_extended_formats)),
    (50, "ImageQuery", Always),
    (51, "DerivativeControl", Always),
    (52, "InterpolationFunction", Core(|f| f.sample_rate_shading)),
    (53, "TransformFeedback", Extension("VK_EXT_transform_feedback")),
    (54, "GeometryStreams", Extension("VK_EXT_transform_feedback")),
    (55, "StorageImageReadWithoutFormat", Core(|f| f.shader_storage_image_read_without_format)),
    (56, "StorageImageWriteWithoutFormat", Core(|f| f.shader_storage_image_write_without_format)),
    (57, "MultiViewport", Core(|f| f.multi_viewport)),
    (61, "GroupNonUniform", Always),
    (62, "GroupNonUniformVote", Always),
    (63, "GroupNonUniformArithmetic", Always),
    (64, "GroupNonUniformBallot", Always),
    (65, "GroupNonUniformShuffle", Always),
    (66, "GroupNonUniformShuffleRelative", Always),
    (67, "GroupNonUniformClustered", Always),
    (68, "GroupNonUniformQuad", Always),
    (69, "ShaderLayer", V12(|f| f.shader_output_layer)),
    (70, "ShaderViewportIndex", V12(|f| f.shader_output_viewport_index)),
    (4422, "FragmentShadingRateKHR", Extension("VK_KHR_fragment_shading_rate")),
    (4423, "SubgroupBallotKHR", Always),
    (4427, "DrawParameters", V11(|f| f.shader_draw_parameters)),
    (4428, "WorkgroupMemoryExplicitLayoutKHR", Extension("VK_KHR_workgroup_memory_explicit_layout")),
    (
        4429,
        "WorkgroupMemoryExplicitLayout8BitAccessKHR",
        Extension("VK_KHR_workgroup_memory_explicit_layout"),
    ),
    (
        4430,
        "WorkgroupMemoryExplicitLayout16BitAccessKHR",
        Extension("VK_KHR_workgroup_memory_explicit_layout"),
    ),
    (4431, "SubgroupVoteKHR", Always),
    (4433, "StorageBuffer16BitAccess", V11(|f| f.storage_buffer16_bit_access)),
    (4434, "UniformAndStorageBuffer16BitAccess", V11(|f| f.uniform_and_storage_buffer16_bit_access)),
    (4435, "StoragePushConstant16", V11(|f| f.storage_push_constant16)),
    (4436, "StorageInputOutput16", V11(|f| f.storage_input_output16)),
    (4437, "DeviceGroup", Always),
    (4439, "MultiView", V11(|f| f.multiview)),
    (4441, "VariablePointersStorageBuffer", V11(|f| f.variable_pointers_storage_buffer)),
    (4442, "VariablePointers", V11(|f| f.variable_pointers)),
    (4447, "SampleMaskPostDepthCoverage", Extension("VK_EXT_post_depth_coverage")),
    (4448, "StorageBuffer8BitAccess", V12(|f| f.storage_buffer8_bit_access)),
    (4449, "UniformAndStorageBuffer8BitAccess", V12(|f| f.uniform_and_storage_buffer8_bit_access)),
    (4450, "StoragePushConstant8", V12(|f| f.storage_push_constant8)),
    (4464, "DenormPreserve", Always),
    (4465, "DenormFlushToZero", Always),
    (4466, "SignedZeroInfNanPreserve", Always),
    (4467, "RoundingModeRTE", Always),
    (4468, "RoundingModeRTZ", Always),
    (4472, "RayQueryKHR", Extension("VK_KHR_ray_query")),
    (5013, "StencilExportEXT", Extension("VK_EXT_shader_stencil_export")),
    (5016, "Int64ImageEXT", Extension("VK_EXT_shader_image_atomic_int64")),
    (5055, "ShaderClockKHR", Extension("VK_KHR_shader_clock")),
    (5254, "ShaderViewportIndexLayerEXT", V12(|f| f.shader_output_layer)),
    (5283, "MeshShadingEXT", Extension("VK_EXT_mesh_shader")),
    (5284, "FragmentBarycentricKHR", Extension("VK_KHR_fragment_shader_barycentric")),
    (5301, "ShaderNonUniform", Always),
    (5302, "RuntimeDescriptorArray", V12(|f| f.runtime_descriptor_array)),
    (5303, "InputAttachmentArrayDynamicIndexing", V12(|f| f.shader_input_attachment_array_dynamic_indexing)),
    (
        5304,
        "UniformTexelBufferArrayDynamicIndexing",
        V12(|f| f.shader_uniform_texel_buffer_array_dynamic_indexing),
    ),
    (
        5305,
        "StorageTexelBufferArrayDynamicIndexing",
        V12(|f| f.shader_storage_texel_buffer_array_dynamic_indexing),
    ),
    (
        5306,
        "UniformBufferArrayNonUniformIndexing",
        V12(|f| f.shader_uniform_buffer_array_non_uniform_indexing),
    ),
    (5307, "SampledImageArrayNonUniformIndexing", V12(|f| f.shader_sampled_image_array_non_uniform_indexing)),
    (
        5308,
        "StorageBufferArrayNonUniformIndexing",
        V12(|f| f.shader_storage_buffer_array_non_uniform_indexing),
    ),
    (5309, "StorageImageArrayNonUniformIndexing", V12(|f| f.shader_storage_image_array_non_uniform_indexing)),
    (
        5310,
        "InputAttachmentArrayNonUniformIndexing",
        V12(|f| f.shader_input_attachment_array_non_uniform_indexing),
    ),
    (
        5311,
        "UniformTexelBufferArrayNonUniformIndexing",
        V12(|f| f.shader_uniform_texel_buffer_array_non_uniform_indexing),
    ),
    (
        5312,
        "StorageTexelBufferArrayNonUniformIndexing",
        V12(|f| f.shader_storage_texel_buffer_array_non_uniform_indexing),
    ),
    (5345, "VulkanMemoryModel", V12(|f| f.vulkan_memory_model)),
    (5346, "VulkanMemoryModelDeviceScope", V12(|f| f.vulkan_memory_model_device_scope)),
    (5347, "PhysicalStorageBufferAddresses", V12(|f| f.buffer_device_address)),
    (5363, "FragmentShaderSampleInterlockEXT", Extension("VK_EXT_fragment_shader_interlock")),
    (5372, "FragmentShaderShadingRateInterlockEXT", Extension("VK_EXT_fragment_shader_interlock")),
    (5378, "FragmentShaderPixelInterlockEXT", Extension("VK_EXT_fragment_shader_interlock")),
    (5379, "DemoteToHelperInvocation", V13(|f| f.shader_demote_to_helper_invocation)),
    (5612, "AtomicFloat32MinMaxEXT", FloatAtomics2(|f| f.shader_buffer_float32_atomic_min_max)),
    (5613, "AtomicFloat64MinMaxEXT", FloatAtomics2(|f| f.shader_buffer_float64_atomic_min_max)),
    (6016, "DotProductInputAll", V13(|f| f.shader_integer_dot_product)),
    (6017, "DotProductInput4x8Bit", V13(|f| f.shader_integer_dot_product)),
    (6018, "DotProductInput4x8BitPacked", V13(|f| f.shader_integer_dot_product)),
    (6019, "DotProduct", V13(|f| f.shader_integer_dot_product)),
    (6033, "AtomicFloat32AddEXT", FloatAtomics(|f| f.shader_buffer_float32_atomic_add)),
];
