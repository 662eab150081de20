//! Building a pipeline from a module alone, and reading what the driver captured.
#![allow(unsafe_code)] // Vulkan is called through raw function pointers; each block says what makes it sound.

use std::collections::BTreeMap;
use std::ffi::CString;

use ash::vk;

use super::device::Device;
use super::reflect::{Descriptor, EntryPoint, Model, Module, Scalar, Slot};
use super::{Executable, PipelineRequest, capabilities, passthrough};

/// Bytes of push constants given to modules that use any.
const PUSH_CONSTANTS: u32 = 256;

/// Compiles the entry points asked for, or all, in as few pipelines as hold them.
pub(super) fn compile(device: &Device, request: &PipelineRequest) -> Result<Vec<Executable>, String> {
    let module = Module::read(&request.words);
    if let Some(missing) = module.capabilities.iter().find(|c| !device.capabilities.contains(c)) {
        return Err(format!("this driver does not take {} on this processor", capabilities::name(*missing)));
    }
    let mut found = Vec::new();
    for entries in pipelines(&module, &request.entry_points)? {
        let executables = compile_pipeline(device, request, &module, &entries)?;
        found.extend(executables.into_iter().map(|e| name_entry(e, &entries)));
    }
    Ok(found)
}

/// Gives an executable the name of its entry point: the driver names stages alone, and may merge two into the later one.
fn name_entry(executable: Executable, entries: &[&EntryPoint]) -> Executable {
    let stage = |e: &&&EntryPoint| executable.name.starts_with(stage_word(e.model));
    let entry = entries.iter().rev().find(stage).or(entries.first()).map(|e| e.name.clone());
    Executable { entry: entry.unwrap_or_default(), ..executable }
}

/// The word that the driver's names of a stage start with.
fn stage_word(model: Model) -> &'static str {
    match model {
        Model::Vertex => "Vertex",
        Model::TessellationControl => "Tessellation Control",
        Model::TessellationEvaluation => "Tessellation Evaluation",
        Model::Geometry => "Geometry",
        Model::Fragment => "Fragment",
        Model::Compute => "Compute",
        Model::Other(_) => "",
    }
}

fn compile_pipeline(
    device: &Device,
    request: &PipelineRequest,
    module: &Module,
    entries: &[&EntryPoint],
) -> Result<Vec<Executable>, String> {
    let refused = |error: vk::Result| format!("the driver refused the pipeline: {error}");
    // What is made here is freed when the worker ends; a worker serves a bounded number of requests.
    let layout = layout(device, module).map_err(refused)?;
    let own = shader_module(device, &request.words).map_err(refused)?;
    let names: Vec<CString> =
        entries.iter().map(|e| CString::new(e.name.as_str()).unwrap_or_default()).collect();
    let mut stages: Vec<vk::PipelineShaderStageCreateInfo<'_>> =
        entries.iter().zip(&names).filter_map(|(e, n)| Some(stage(stage_flag(e.model)?, own, n))).collect();
    let flags = vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR
        | vk::PipelineCreateFlags::CAPTURE_INTERNAL_REPRESENTATIONS_KHR;
    if let ([compute], [entry]) = (&stages[..], entries)
        && entry.model == Model::Compute
    {
        let info = vk::ComputePipelineCreateInfo::default().flags(flags).stage(*compute).layout(layout);
        // SAFETY: the module, names and layout live through the call.
        let made =
            unsafe { device.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        let pipeline = made.map_err(|(_, e)| refused(e))?.into_iter().next();
        return captured(device, pipeline.ok_or("the driver made no pipeline")?).map_err(refused);
    }
    let find = |model: Model| entries.iter().find(|e| e.model == model);
    let vertex_name = CString::new(passthrough::NAME).unwrap_or_default();
    let vertex_inputs = match find(Model::Vertex) {
        Some(vertex) => module.inputs(vertex),
        None => {
            let inputs = find(Model::Fragment).map(|e| module.inputs(e)).unwrap_or_default();
            let vertex = shader_module(device, &passthrough::vertex_stage(&inputs)).map_err(refused)?;
            stages.insert(0, stage(vk::ShaderStageFlags::VERTEX, vertex, &vertex_name));
            inputs
        }
    };
    let outputs = find(Model::Fragment).map(|e| module.outputs(e)).unwrap_or_default();
    let common = vk::GraphicsPipelineCreateInfo::default().flags(flags).layout(layout);
    let pipeline = graphics(device, common, &stages, &vertex_inputs, &outputs, entries).map_err(refused)?;
    let mut executables = captured(device, pipeline).map_err(refused)?;
    // A stage that was made up is not the user's.
    executables.retain(|e| find(Model::Vertex).is_some() || !e.name.contains("Vertex"));
    Ok(executables)
}

/// Entry points in groups that make pipelines: each compute entry point by itself, the others one of each stage together.
fn pipelines<'m>(module: &'m Module, names: &[String]) -> Result<Vec<Vec<&'m EntryPoint>>, String> {
    let mut groups: Vec<Vec<&EntryPoint>> = Vec::new();
    let wanted =
        |e: &&EntryPoint| (names.is_empty() || names.contains(&e.name)) && stage_flag(e.model).is_some();
    for entry in module.entry_points.iter().filter(wanted) {
        let fits = |group: &&mut Vec<&EntryPoint>| {
            entry.model != Model::Compute
                && group.iter().all(|e| e.model != Model::Compute && e.model != entry.model)
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.push(entry),
            None => groups.push(vec![entry]),
        }
    }
    groups.iter_mut().for_each(|g| g.sort_by_key(|e| e.model));
    // Drivers crash on one without the other.
    let has = |group: &Vec<&EntryPoint>, model| group.iter().any(|e| e.model == model);
    if groups.iter().any(|g| has(g, Model::TessellationControl) != has(g, Model::TessellationEvaluation)) {
        return Err(
            "a tessellation stage is compiled together with the other one, which the module does not have"
                .to_owned(),
        );
    }
    match groups.is_empty() {
        true => Err("the module has no entry point that this path compiles".to_owned()),
        false => Ok(groups),
    }
}

fn stage_flag(model: Model) -> Option<vk::ShaderStageFlags> {
    Some(match model {
        Model::Vertex => vk::ShaderStageFlags::VERTEX,
        Model::TessellationControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        Model::TessellationEvaluation => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        Model::Geometry => vk::ShaderStageFlags::GEOMETRY,
        Model::Fragment => vk::ShaderStageFlags::FRAGMENT,
        Model::Compute => vk::ShaderStageFlags::COMPUTE,
        Model::Other(_) => return None,
    })
}

fn stage<'n>(
    flag: vk::ShaderStageFlags,
    module: vk::ShaderModule,
    name: &'n CString,
) -> vk::PipelineShaderStageCreateInfo<'n> {
    vk::PipelineShaderStageCreateInfo::default().stage(flag).module(module).name(name)
}

fn shader_module(device: &Device, words: &[u32]) -> Result<vk::ShaderModule, vk::Result> {
    // SAFETY: the words live through the call; their validity is the checker's and the client's business.
    unsafe { device.device.create_shader_module(&vk::ShaderModuleCreateInfo::default().code(words), None) }
}

fn layout(device: &Device, module: &Module) -> Result<vk::PipelineLayout, vk::Result> {
    let mut sets: BTreeMap<u32, Vec<vk::DescriptorSetLayoutBinding<'_>>> = BTreeMap::new();
    for ((set, binding), (descriptor, count)) in &module.descriptors {
        let binding = vk::DescriptorSetLayoutBinding::default()
            .binding(*binding)
            .descriptor_type(descriptor_type(*descriptor))
            .descriptor_count(*count)
            .stage_flags(vk::ShaderStageFlags::ALL);
        sets.entry(*set).or_default().push(binding);
    }
    let count = sets.keys().next_back().map_or(0, |last| last + 1).min(32);
    let mut layouts = Vec::new();
    for set in 0..count {
        let bindings = sets.get(&set).map_or(&[][..], |b| b);
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(bindings);
        // SAFETY: the bindings live through the call.
        layouts.push(unsafe { device.device.create_descriptor_set_layout(&info, None) }?);
    }
    let range =
        [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::ALL).size(PUSH_CONSTANTS)];
    let info = vk::PipelineLayoutCreateInfo::default()
        .set_layouts(&layouts)
        .push_constant_ranges(if module.has_push_constants { &range } else { &[] });
    // SAFETY: the set layouts were made above and are alive.
    unsafe { device.device.create_pipeline_layout(&info, None) }
}

fn descriptor_type(descriptor: Descriptor) -> vk::DescriptorType {
    match descriptor {
        Descriptor::UniformBuffer => vk::DescriptorType::UNIFORM_BUFFER,
        Descriptor::StorageBuffer => vk::DescriptorType::STORAGE_BUFFER,
        Descriptor::CombinedImageSampler => vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        Descriptor::Sampler => vk::DescriptorType::SAMPLER,
        Descriptor::SampledImage => vk::DescriptorType::SAMPLED_IMAGE,
        Descriptor::StorageImage => vk::DescriptorType::STORAGE_IMAGE,
        Descriptor::UniformTexelBuffer => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        Descriptor::StorageTexelBuffer => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        Descriptor::InputAttachment => vk::DescriptorType::INPUT_ATTACHMENT,
        Descriptor::AccelerationStructure => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
    }
}

fn vertex_format(slot: Slot) -> vk::Format {
    match slot.scalar {
        Scalar::Float => vk::Format::R32G32B32A32_SFLOAT,
        Scalar::Int => vk::Format::R32G32B32A32_SINT,
        Scalar::Uint => vk::Format::R32G32B32A32_UINT,
    }
}

fn color_format(slot: Slot) -> vk::Format {
    match slot.scalar {
        Scalar::Float => vk::Format::R8G8B8A8_UNORM,
        Scalar::Int => vk::Format::R32G32B32A32_SINT,
        Scalar::Uint => vk::Format::R32G32B32A32_UINT,
    }
}

/// A graphics pipeline with dynamic rendering, with the flags and the layout of `common`: 16 bytes a vertex attribute, one colour attachment an output.
fn graphics(
    device: &Device,
    common: vk::GraphicsPipelineCreateInfo<'_>,
    stages: &[vk::PipelineShaderStageCreateInfo<'_>],
    vertex_inputs: &[Slot],
    outputs: &[Slot],
    entries: &[&EntryPoint],
) -> Result<vk::Pipeline, vk::Result> {
    let attributes: Vec<_> = vertex_inputs
        .iter()
        .zip(0..)
        .map(|(slot, index)| vk::VertexInputAttributeDescription {
            location: slot.location,
            binding: 0,
            format: vertex_format(*slot),
            offset: 16 * index,
        })
        .collect();
    let bindings = [vk::VertexInputBindingDescription {
        binding: 0,
        stride: 16 * attributes.len() as u32,
        input_rate: vk::VertexInputRate::VERTEX,
    }];
    let vertex_input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(if attributes.is_empty() { &[] } else { &bindings })
        .vertex_attribute_descriptions(&attributes);
    let tessellated = entries.iter().any(|e| e.model == Model::TessellationEvaluation);
    let topology =
        if tessellated { vk::PrimitiveTopology::PATCH_LIST } else { vk::PrimitiveTopology::TRIANGLE_LIST };
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(topology);
    let tessellation = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(3);
    let size = vk::Extent2D { width: 64, height: 64 };
    let viewports = [vk::Viewport { width: 64.0, height: 64.0, max_depth: 1.0, ..vk::Viewport::default() }];
    let scissors = [vk::Rect2D { extent: size, ..vk::Rect2D::default() }];
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewports(&viewports).scissors(&scissors);
    let has_fragment = entries.iter().any(|e| e.model == Model::Fragment);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .line_width(1.0)
        .rasterizer_discard_enable(!has_fragment);
    let samples =
        vk::PipelineMultisampleStateCreateInfo::default().rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let depth = vk::PipelineDepthStencilStateCreateInfo::default();
    let attachments = outputs.iter().map(|s| s.location + 1).max().unwrap_or(0).min(8) as usize;
    let mut formats = vec![vk::Format::UNDEFINED; attachments];
    for slot in outputs {
        if let Some(format) = formats.get_mut(slot.location as usize) {
            *format = color_format(*slot);
        }
    }
    let blends = vec![
        vk::PipelineColorBlendAttachmentState::default()
            .color_write_mask(vk::ColorComponentFlags::RGBA);
        attachments
    ];
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut rendering = vk::PipelineRenderingCreateInfo::default().color_attachment_formats(&formats);
    let mut info = common
        .stages(stages)
        .vertex_input_state(&vertex_input)
        .input_assembly_state(&assembly)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .push_next(&mut rendering);
    if tessellated {
        info = info.tessellation_state(&tessellation);
    }
    // SAFETY: everything that the info points at lives through the call.
    let made = unsafe { device.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    made.map_err(|(_, e)| e)?.into_iter().next().ok_or(vk::Result::ERROR_UNKNOWN)
}

/// Reads name, statistics and assembly of each executable of a pipeline, and destroys it.
fn captured(device: &Device, pipeline: vk::Pipeline) -> Result<Vec<Executable>, vk::Result> {
    let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
    let mut found = Vec::new();
    // SAFETY: the pipeline is alive until it is destroyed below and was made with the capture flags.
    let properties = unsafe { device.executables.get_pipeline_executable_properties(&info) }?;
    for (index, property) in (0..).zip(&properties) {
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
        // SAFETY: as above; the index is below the count that the driver gave.
        let statistics = unsafe { device.executables.get_pipeline_executable_statistics(&info) }?;
        let text = |name: Result<&std::ffi::CStr, std::ffi::FromBytesUntilNulError>| {
            name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
        };
        found.push(Executable {
            name: text(property.name_as_c_str()),
            entry: String::new(),
            subgroup_size: property.subgroup_size,
            statistics: statistics
                .iter()
                .map(|s| {
                    // SAFETY: every format is 64 bits wide or a Boolean in the low bits of a zeroed union.
                    (text(s.name_as_c_str()), unsafe { s.value.u64 })
                })
                .collect(),
            assembly: assembly(device, &info)?,
        });
    }
    // SAFETY: nothing uses the pipeline any more.
    unsafe { device.device.destroy_pipeline(pipeline, None) };
    Ok(found)
}

/// The representation called "Assembly".
fn assembly(device: &Device, info: &vk::PipelineExecutableInfoKHR<'_>) -> Result<String, vk::Result> {
    // SAFETY: as in `captured`; this first call gives names and sizes.
    let mut parts = unsafe { device.executables.get_pipeline_executable_internal_representations(info) }?;
    let mut buffers: Vec<Vec<u8>> = parts.iter().map(|p| vec![0; p.data_size + 1]).collect();
    for (part, buffer) in parts.iter_mut().zip(&mut buffers) {
        part.p_data = buffer.as_mut_ptr().cast();
    }
    let mut count = parts.len() as u32;
    let read = device.executables.fp().get_pipeline_executable_internal_representations_khr;
    // SAFETY: each part points at a buffer of its `data_size`, alive to the end of this function.
    let _ = unsafe { read(device.executables.device(), info, &mut count, parts.as_mut_ptr()) };
    let found = parts
        .iter()
        .zip(&buffers)
        .find(|(p, _)| p.name_as_c_str().is_ok_and(|n| n.to_string_lossy().contains("Assembly")));
    Ok(found.map_or_else(String::new, |(_, b)| String::from_utf8_lossy(b).trim_end_matches('\0').to_owned()))
}
