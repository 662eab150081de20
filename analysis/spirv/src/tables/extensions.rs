//! What an extension changes for the rules: the one place that a new extension is added to if it requires a version or relaxes a rule.
//!
//! Source: the extension's specification in the Khronos SPIR-V Registry, and SPIRV-Tools validate_extensions.cpp and
//! validation_state.cpp (`RegisterExtension`).

use wavelens_syntax::spirv::tables::Extension as E;

use crate::scope::Features;

/// One extension.
pub(crate) struct Facts {
    extension: u16,
    /// The version word that a module must have at least: `0x00010400` is 1.4.
    pub(crate) first_version: u32,
    /// The relaxations that it brings.
    pub(crate) enable: fn(&mut Features),
}

const fn since(extension: u16, first_version: u32) -> Facts {
    Facts { extension, first_version, enable: |_| {} }
}

const fn enables(extension: u16, enable: fn(&mut Features)) -> Facts {
    Facts { extension, first_version: 0x10000, enable }
}

#[rustfmt::skip]
static EXTENSIONS: &[Facts] = &[
    enables(E::SPV_AMD_gpu_shader_half_float, |f| f.declare_float16 = true),
    enables(E::SPV_AMD_gpu_shader_half_float_fetch, |f| f.declare_float16 = true),
    enables(E::SPV_AMD_gpu_shader_int16, |f| f.uconvert_spec_constant_op = true),
    enables(E::SPV_AMD_shader_ballot, |f| f.group_ops_reduce_and_scans = true),
    since(E::SPV_EXT_mesh_shader, 0x10400),
    since(E::SPV_KHR_vulkan_memory_model, 0x10300),
    since(E::SPV_KHR_workgroup_memory_explicit_layout, 0x10400),
    since(E::SPV_NV_cluster_acceleration_structure, 0x10400),
    since(E::SPV_NV_linear_swept_spheres, 0x10400),
    since(E::SPV_NV_shader_invocation_reorder, 0x10400),
];

/// The facts of an extension that has any.
pub(crate) fn facts(extension: u16) -> Option<&'static Facts> {
    EXTENSIONS.iter().find(|facts| facts.extension == extension)
}
