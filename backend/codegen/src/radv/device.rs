//! A Vulkan device of the driver's null winsys.
#![allow(unsafe_code)] // Vulkan is called through raw function pointers; each block says what makes it sound.

use std::collections::BTreeSet;
use std::ffi::CString;
use std::path::Path;

use ash::khr::pipeline_executable_properties as executable_properties;
use ash::vk;

use super::capabilities::{Offered, supported};

/// The driver, an instance and a device, alive until the process ends.
pub(super) struct Device {
    pub(super) device: ash::Device,
    pub(super) executables: executable_properties::Device,
    /// SPIR-V capabilities that modules may declare.
    pub(super) capabilities: BTreeSet<u32>,
    // Dropped last: the functions above live in it.
    _instance: ash::Instance,
    _library: libloading::Library,
}

impl Device {
    /// Loads the driver. The family must already be in `RADV_FORCE_FAMILY`.
    pub(super) fn open(driver: &Path) -> Result<Device, String> {
        let text = |what: &'static str| move |error: vk::Result| format!("{what}: {error}");
        // SAFETY: a Vulkan driver's initialisers have no preconditions; the library outlives every use (it is moved into the result).
        let library = unsafe { libloading::Library::new(driver) }.map_err(|e| e.to_string())?;
        // SAFETY: these two symbols have these types in every installable client driver (Vulkan loader interface, version 5).
        let get_instance_proc_addr = unsafe {
            if let Ok(negotiate) = library.get::<unsafe extern "system" fn(*mut u32) -> vk::Result>(
                b"vk_icdNegotiateLoaderICDInterfaceVersion\0",
            ) {
                let mut version = 5;
                let _ = negotiate(&mut version);
            }
            *library
                .get::<vk::PFN_vkGetInstanceProcAddr>(b"vk_icdGetInstanceProcAddr\0")
                .map_err(|e| e.to_string())?
        };
        // SAFETY: the pointer is the driver's own and answers for global functions too.
        let entry = unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr }) };
        let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_3);
        // SAFETY: the create info lives through the call.
        let instance = unsafe {
            entry.create_instance(&vk::InstanceCreateInfo::default().application_info(&application), None)
        }
        .map_err(text("no instance"))?;
        // SAFETY: the instance is alive.
        let physical = unsafe { instance.enumerate_physical_devices() }
            .map_err(text("no device"))?
            .into_iter()
            .next()
            .ok_or("the driver does not know this family")?;
        let mut executable_info = vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default();
        let mut v11 = vk::PhysicalDeviceVulkan11Features::default();
        let mut v12 = vk::PhysicalDeviceVulkan12Features::default();
        let mut v13 = vk::PhysicalDeviceVulkan13Features::default();
        let mut float_atomics = vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT::default();
        let mut float_atomics2 = vk::PhysicalDeviceShaderAtomicFloat2FeaturesEXT::default();
        let mut features = vk::PhysicalDeviceFeatures2::default()
            .push_next(&mut float_atomics)
            .push_next(&mut float_atomics2)
            .push_next(&mut executable_info)
            .push_next(&mut v11)
            .push_next(&mut v12)
            .push_next(&mut v13);
        // SAFETY: the chain lives through the call; every feature the driver offers is then asked for.
        unsafe { instance.get_physical_device_features2(physical, &mut features) };
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
        let core = features.features;
        let offered = offered_extensions(&instance, physical);
        let extensions = wanted_extensions(&offered);
        let names: Vec<*const std::ffi::c_char> = extensions.iter().map(|e| e.as_ptr()).collect();
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queues)
            .enabled_extension_names(&names)
            .push_next(&mut features);
        // SAFETY: the info and what it points at live through the call.
        let device = unsafe { instance.create_device(physical, &info, None) }.map_err(text("no device"))?;
        let executables = executable_properties::Device::new(&instance, &device);
        let offered = Offered {
            core: &core,
            v11: &v11,
            v12: &v12,
            v13: &v13,
            float_atomics: &float_atomics,
            float_atomics2: &float_atomics2,
            extensions: &offered,
        };
        let capabilities = supported(&offered);
        Ok(Device { device, executables, capabilities, _instance: instance, _library: library })
    }
}

fn offered_extensions(instance: &ash::Instance, physical: vk::PhysicalDevice) -> Vec<String> {
    // SAFETY: the physical device belongs to the instance, which is alive.
    let offered = unsafe { instance.enumerate_device_extension_properties(physical) }.unwrap_or_default();
    let name =
        |e: &vk::ExtensionProperties| Some(e.extension_name_as_c_str().ok()?.to_string_lossy().into_owned());
    offered.iter().filter_map(name).collect()
}

/// Extensions that shaders use, as far as the driver has them.
fn wanted_extensions(offered: &[String]) -> Vec<CString> {
    const WANTED: &[&str] = &[
        "VK_KHR_pipeline_executable_properties",
        "VK_KHR_shader_clock",
        "VK_EXT_shader_atomic_float",
        "VK_EXT_shader_atomic_float2",
        "VK_EXT_shader_image_atomic_int64",
        "VK_KHR_fragment_shading_rate",
        "VK_KHR_acceleration_structure",
        "VK_KHR_deferred_host_operations",
        "VK_KHR_ray_query",
        "VK_EXT_mesh_shader",
        "VK_KHR_fragment_shader_barycentric",
        "VK_EXT_fragment_shader_interlock",
        "VK_EXT_transform_feedback",
        "VK_KHR_workgroup_memory_explicit_layout",
        "VK_EXT_shader_stencil_export",
        "VK_EXT_scalar_block_layout",
    ];
    WANTED.iter().filter(|w| offered.iter().any(|o| o == *w)).filter_map(|w| CString::new(*w).ok()).collect()
}
