//! Cases of rules that few modules have: a module for each group, with all of its arms.

use expect_test::expect;

use crate::rules::testing::{findings, marks};

#[test]
fn images_of_opencl() {
    marks(expect![[r#"
        ; target-env: opencl2.0
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability Image1D
        OpCapability ImageBasic
        OpMemoryModel Physical64 OpenCL
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %a = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
        %b = OpTypeImage %float 2D 0 0 0 0 Unknown ReadOnly
        ;                ^^^^^^ error[image-type]: in OpenCL, Sampled Type must be void
        ;                     = line 9:1: defined here
        %c = OpTypeImage %void 2D 0 1 0 0 Unknown ReadOnly
        %d = OpTypeImage %void 3D 0 1 0 0 Unknown ReadOnly
        ;                           ^ error[image-type]: in OpenCL, an arrayed image must have Dim 1D or 2D
        %e = OpTypeImage %void 2D 0 0 1 0 Unknown ReadOnly
        ;                             ^ error[image-type]: in OpenCL, MS must be 0
        %f = OpTypeImage %void 2D 0 0 0 1 Unknown ReadOnly
        ;                               ^ error[image-type]: in OpenCL, Sampled must be 0
        %g = OpTypeImage %void 2D 0 0 0 0 Unknown
        ;                                 ^^^^^^^ error[image-type]: missing Access Qualifier, which OpenCL requires
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn images_of_vulkan() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability InputAttachment
        OpCapability SampledRect
        ;            ^^^^^^^^^^^ error[environment-capability]: vulkan1.3 does not support the SampledRect capability
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %a = OpTypeImage %float SubpassData 0 0 0 2 Unknown
        %b = OpTypeImage %float SubpassData 0 1 0 2 Unknown
        ;                                     ^ error[image-type]: in Vulkan, an image of Dim SubpassData must not be arrayed [VUID-StandaloneSpirv-OpTypeImage-06214]
        %c = OpTypeImage %float SubpassData 0 0 0 2 Rgba8
        ;                                           ^^^^^ error[image-type]: Image Format must be Unknown with Dim SubpassData or TileImageDataEXT
        %d = OpTypeImage %float Rect 0 0 0 1 Unknown
        ;                       ^^^^ error[image-type]: Dim Rect is not supported in Vulkan [VUID-StandaloneSpirv-OpTypeImage-09638]
        %e = OpTypeImage %float 2D 0 0 0 0 Unknown
        ;                                ^ error[image-type]: in Vulkan, Sampled must be 1 or 2 [VUID-StandaloneSpirv-OpTypeImage-04657]
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

/// The entry point and the execution modes of a module, with the capability TileShadingQCOM and without it.
#[test]
fn modes_of_tile_shading() {
    let mut shown = String::new();
    for capability in ["OpCapability TileShadingQCOM\nOpExtension \"SPV_QCOM_tile_shading\"\n", ""] {
        for (model, modes) in [
            ("GLCompute", "TileShadingRateQCOM 1 2 4"),
            ("GLCompute", "TileShadingRateQCOM 1 3 4"),
            ("GLCompute", "TileShadingRateQCOM 1 1 1, LocalSize 1 1 1"),
            ("GLCompute", "NonCoherentTileAttachmentReadQCOM, LocalSize 1 1 1"),
            ("Fragment", "OriginUpperLeft, NonCoherentTileAttachmentReadQCOM"),
            ("Fragment", "OriginUpperLeft, TileShadingRateQCOM 1 1 1"),
            ("Vertex", "NonCoherentTileAttachmentReadQCOM"),
            ("Vertex", ""),
        ] {
            let lines = modes.split(", ").filter(|mode| !mode.is_empty());
            let lines: String = lines.map(|mode| format!("OpExecutionMode %main {mode}\n")).collect();
            let text = format!(
                "; target-env: vulkan1.3\nOpCapability Shader\n{capability}OpMemoryModel Logical GLSL450\n\
                 OpEntryPoint {model} %main \"main\"\n{lines}%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
                 %main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
            );
            let found = findings(&text);
            let found = found.lines().filter(|line| !line.starts_with(' ')).map(|line| format!("  {line}\n"));
            shown += &format!(
                "{model} {modes}, {}\n",
                if capability.is_empty() { "without it" } else { "with it" }
            );
            shown.extend(found);
        }
    }
    expect![[r#"
        GLCompute TileShadingRateQCOM 1 2 4, with it
        GLCompute TileShadingRateQCOM 1 3 4, with it
          error[execution-mode] 7:43 `1`: the tile shading rates must be powers of 2
        GLCompute TileShadingRateQCOM 1 1 1, LocalSize 1 1 1, with it
          error[entry-point] 6:14 `GLCompute`: TileShadingRateQCOM must not be used with LocalSize or LocalSizeId [VUID-StandaloneSpirv-TileShadingRateQCOM-10692]
        GLCompute NonCoherentTileAttachmentReadQCOM, LocalSize 1 1 1, with it
          error[entry-point] 6:14 `GLCompute`: NonCoherentTileAttachmentReadQCOM can be used only for Fragment [VUID-StandaloneSpirv-Execution-10687]
        Fragment OriginUpperLeft, NonCoherentTileAttachmentReadQCOM, with it
        Fragment OriginUpperLeft, TileShadingRateQCOM 1 1 1, with it
          error[entry-point] 6:14 `Fragment`: TileShadingRateQCOM can be used only for GLCompute [VUID-StandaloneSpirv-Execution-10688]
        Vertex NonCoherentTileAttachmentReadQCOM, with it
          error[entry-point] 6:14 `Vertex`: NonCoherentTileAttachmentReadQCOM can be used only for Fragment [VUID-StandaloneSpirv-Execution-10687]
        Vertex , with it
          error[entry-point] 6:14 `Vertex`: the TileShadingQCOM capability allows only GLCompute and Fragment entry points [VUID-StandaloneSpirv-TileShadingQCOM-10686]
        GLCompute TileShadingRateQCOM 1 2 4, without it
          error[entry-point] 4:14 `GLCompute`: missing LocalSize, LocalSizeId or WorkgroupSize on a compute entry point [VUID-StandaloneSpirv-None-10685]
          error[missing-capability] 5:23 `TileShadingRateQCOM`: TileShadingRateQCOM requires the TileShadingQCOM capability
        GLCompute TileShadingRateQCOM 1 3 4, without it
          error[entry-point] 4:14 `GLCompute`: missing LocalSize, LocalSizeId or WorkgroupSize on a compute entry point [VUID-StandaloneSpirv-None-10685]
          error[missing-capability] 5:23 `TileShadingRateQCOM`: TileShadingRateQCOM requires the TileShadingQCOM capability
        GLCompute TileShadingRateQCOM 1 1 1, LocalSize 1 1 1, without it
          error[entry-point] 4:14 `GLCompute`: TileShadingRateQCOM requires the TileShadingQCOM capability [VUID-StandaloneSpirv-TileShadingRateQCOM-10691]
          error[missing-capability] 5:23 `TileShadingRateQCOM`: TileShadingRateQCOM requires the TileShadingQCOM capability
        GLCompute NonCoherentTileAttachmentReadQCOM, LocalSize 1 1 1, without it
          error[missing-capability] 5:23 `NonCoherentTileAttachmentReadQCOM`: NonCoherentTileAttachmentReadQCOM requires the TileShadingQCOM capability
        Fragment OriginUpperLeft, NonCoherentTileAttachmentReadQCOM, without it
          error[entry-point] 4:14 `Fragment`: NonCoherentTileAttachmentReadQCOM requires the TileShadingQCOM capability [VUID-StandaloneSpirv-NonCoherentTileAttachmentReadQCOM-10690]
          error[missing-capability] 6:23 `NonCoherentTileAttachmentReadQCOM`: NonCoherentTileAttachmentReadQCOM requires the TileShadingQCOM capability
        Fragment OriginUpperLeft, TileShadingRateQCOM 1 1 1, without it
          error[entry-point] 4:14 `Fragment`: TileShadingRateQCOM can be used only for GLCompute [VUID-StandaloneSpirv-Execution-10688]
          error[missing-capability] 6:23 `TileShadingRateQCOM`: TileShadingRateQCOM requires the TileShadingQCOM capability
        Vertex NonCoherentTileAttachmentReadQCOM, without it
          error[entry-point] 4:14 `Vertex`: NonCoherentTileAttachmentReadQCOM can be used only for Fragment [VUID-StandaloneSpirv-Execution-10687]
          error[missing-capability] 5:23 `NonCoherentTileAttachmentReadQCOM`: NonCoherentTileAttachmentReadQCOM requires the TileShadingQCOM capability
        Vertex , without it
    "#]].assert_eq(&shown);
}

/// Offsets of members in blocks that are captured.
#[test]
fn captures_of_members() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability TransformFeedback
        OpCapability Float64
        OpMemoryModel Logical GLSL450
        OpEntryPoint Vertex %main "main" %out %single
        OpExecutionMode %main Xfb
        OpDecorate %block Block
        OpDecorate %out Location 0
        OpDecorate %out XfbBuffer 0
        OpDecorate %out XfbStride 32
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 1 Offset 4
        OpMemberDecorate %block 2 Offset 28
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[transform-feedback]: member 2 of `%block` at offset 28 must be aligned to 8 bytes
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[transform-feedback]: member 2 of `%block` ends at byte 36, after the XfbStride of 32
        OpMemberDecorate %block 3 Offset 12
        OpDecorate %single Location 8
        OpDecorate %single XfbBuffer 1
        OpDecorate %single XfbStride 6
        OpDecorate %single Offset 2
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[transform-feedback]: `%single` at offset 2 must be aligned to 4 bytes
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %double = OpTypeFloat 64
        %uint = OpTypeInt 32 0
        %2 = OpConstant %uint 2
        %vec4 = OpTypeVector %float 4
        %pair = OpTypeArray %float %2
        %block = OpTypeStruct %float %pair %double %vec4
        %p = OpTypePointer Output %block
        %out = OpVariable %p Output
        %q = OpTypePointer Output %float
        %single = OpVariable %q Output
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn interpolation_of_structures_in_blocks() {
    marks(expect![[r#"
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main" %in
        OpExecutionMode %main OriginUpperLeft
        OpDecorate %block Block
        OpDecorate %in Location 0
        OpMemberDecorate %block 0 Flat
        OpMemberDecorate %inner 0 Flat
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[interpolation]: Flat of a member of `%inner`, a structure in the block `%block`: only the block's own members are interpolated
        OpMemberDecorate %inner 1 NoPerspective
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[interpolation]: NoPerspective of a member of `%inner`, a structure in the block `%block`: only the block's own members are interpolated
        OpMemberDecorate %other 0 Centroid
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %inner = OpTypeStruct %float %float
        %other = OpTypeStruct %float
        %block = OpTypeStruct %float %inner
        %p = OpTypePointer Input %block
        %in = OpVariable %p Input
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn scopes_of_ray_tracing_and_queues() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpCapability RayTracingKHR
        OpExtension "SPV_KHR_ray_tracing"
        OpMemoryModel Logical GLSL450
        OpEntryPoint RayGenerationKHR %rays "rays" %v
        OpEntryPoint GLCompute %main "main" %v
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %v DescriptorSet 0
        OpDecorate %v Binding 0
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %device = OpConstant %uint 1
        %workgroup = OpConstant %uint 2
        %queue = OpConstant %uint 5
        %calls = OpConstant %uint 6
        %wrong = OpConstant %uint 9
        %0u = OpConstant %uint 0
        %undef = OpUndef %uint
        %block = OpTypeStruct %uint
        %p = OpTypePointer StorageBuffer %block
        %v = OpVariable %p StorageBuffer
        %pu = OpTypePointer StorageBuffer %uint
        %fn = OpTypeFunction %void
        %rays = OpFunction %void None %fn
        %a = OpLabel
        %x = OpAccessChain %pu %v %0u
        %b = OpAtomicIAdd %uint %x %calls %0u %device
        %c = OpAtomicIAdd %uint %x %workgroup %0u %device
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[execution-model]: OpAtomicIAdd requires the execution model TaskNV, MeshNV, TaskEXT, MeshEXT, TessellationControl or GLCompute, but is reachable from the RayGenerationKHR entry point "rays" [VUID-StandaloneSpirv-None-07321]
        %d = OpAtomicIAdd %uint %x %queue %0u %device
        ;                          ^^^^^^ error[scope]: the memory scope QueueFamily requires the VulkanMemoryModel capability
        ;                               = line 18:1: defined here
        OpReturn
        OpFunctionEnd
        %main = OpFunction %void None %fn
        %e = OpLabel
        %y = OpAccessChain %pu %v %0u
        %f = OpAtomicIAdd %uint %y %calls %0u %device
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[execution-model]: OpAtomicIAdd requires the execution model RayGenerationKHR, IntersectionKHR, AnyHitKHR, ClosestHitKHR, MissKHR or CallableKHR, but is reachable from the GLCompute entry point "main" [VUID-StandaloneSpirv-None-04640]
        %g = OpAtomicIAdd %uint %y %workgroup %0u %device
        %h = OpAtomicIAdd %uint %y %undef %0u %device
        ;                          ^^^^^^ error[scope]: in shaders, a scope must be an OpConstant
        ;                               = line 22:1: defined here
        %i = OpAtomicIAdd %uint %y %wrong %0u %device
        ;                          ^^^^^^ error[scope]: unknown scope 9: scopes are 0 to 6
        ;                               = line 20:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn arguments_are_pointers_to_some_classes() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %zero = OpConstant %uint 0
        %pair = OpTypeVector %uint 2
        %pf = OpTypePointer Function %uint
        %pp = OpTypePointer Private %uint
        %pw = OpTypePointer Workgroup %uint
        %ps = OpTypePointer StorageBuffer %uint
        %pi = OpTypePointer Input %uint
        %pv = OpTypePointer Private %pair
        %p = OpVariable %pp Private
        %w = OpVariable %pw Workgroup
        %s = OpVariable %ps StorageBuffer
        %i = OpVariable %pi Input
        %vec = OpVariable %pv Private
        %tf = OpTypeFunction %void %pf
        %tp = OpTypeFunction %void %pp
        %tw = OpTypeFunction %void %pw
        %ts = OpTypeFunction %void %ps
        %ti = OpTypeFunction %void %pi
        %tn = OpTypeFunction %void %uint
        %f1 = OpFunction %void None %tf
        %a1 = OpFunctionParameter %pf
        %l1 = OpLabel
        OpReturn
        OpFunctionEnd
        %f2 = OpFunction %void None %tp
        %a2 = OpFunctionParameter %pp
        %l2 = OpLabel
        OpReturn
        OpFunctionEnd
        %f3 = OpFunction %void None %tw
        %a3 = OpFunctionParameter %pw
        %l3 = OpLabel
        OpReturn
        OpFunctionEnd
        %f4 = OpFunction %void None %ts
        %a4 = OpFunctionParameter %ps
        %l4 = OpLabel
        OpReturn
        OpFunctionEnd
        %f5 = OpFunction %void None %ti
        %a5 = OpFunctionParameter %pi
        %l5 = OpLabel
        OpReturn
        OpFunctionEnd
        %f6 = OpFunction %void None %tn
        %a6 = OpFunctionParameter %uint
        %l6 = OpLabel
        %local = OpVariable %pf Function
        %e = OpAccessChain %pp %vec %zero
        %c1 = OpFunctionCall %void %f1 %local
        %c2 = OpFunctionCall %void %f2 %p
        %c3 = OpFunctionCall %void %f3 %w
        %c4 = OpFunctionCall %void %f4 %s
        ;                              ^^ error[function-type]: a pointer to StorageBuffer as argument requires the VariablePointers or VariablePointersStorageBuffer capability
        ;                               = line 17:1: defined here
        %c5 = OpFunctionCall %void %f5 %i
        ;                              ^^ error[function-type]: a pointer to Input must not be an argument
        ;                               = line 18:1: defined here
        %c6 = OpFunctionCall %void %f6 %local
        ;                              ^^^^^^ error[function-type]: `%local` is ptr Function uint, but parameter 0 of `%f6` is uint
        ;                                   = line 54:1: defined here
        %c7 = OpFunctionCall %void %f2 %e
        ;                              ^^ error[function-type]: `%e` is neither a variable nor a parameter
        ;                               = line 55:1: defined here
        %c8 = OpFunctionCall %void %f2 %w
        ;                              ^^ error[function-type]: `%w` is ptr Workgroup uint, but parameter 0 of `%f2` is ptr Private uint
        ;                               = line 16:1: defined here
        %c9 = OpFunctionCall %void %f6
        ;                          ^^^ error[function-type]: `%f6`: expected 1 argument, found 0
        ;                            = line 51:1: defined here
        %c10 = OpFunctionCall %void %f6 %zero %zero
        ;                           ^^^ error[function-type]: `%f6`: expected 1 argument, found 2
        ;                             = line 51:1: defined here
        %c11 = OpFunctionCall %uint %f6 %zero
        ;                     ^^^^^ error[function-type]: `%f6` returns void, but Result Type is uint
        ;                         = line 5:1: defined here
        %c12 = OpFunctionCall %void %zero
        ;                           ^^^^^ error[function-type]: `%zero` is the result of OpConstant, not a function
        ;                               = line 7:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn defaults_of_fast_math_and_memory_models() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability FloatControls2
        OpExtension "SPV_KHR_float_controls2"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionModeId %main FPFastMathDefault %float %none
        OpExecutionModeId %main FPFastMathDefault %uint %none
        ;                                         ^^^^^ error[execution-mode]: `%uint` is not a float type
        ;                                             = line 15:1: defined here
        OpExecutionModeId %main FPFastMathDefault %half %fast
        ;                                               ^^^^^ error[execution-mode]: FPFastMathDefault must not include Fast or unknown bits
        ;                                                   = line 18:1: defined here
        OpExecutionModeId %main FPFastMathDefault %double %spec
        ;                                                 ^^^^^ error[execution-mode]: the default must be a constant that is not a specialization constant
        ;                                                     = line 19:1: defined here
        OpExecutionModeId %main LocalSizeId %none %main %none
        ;                                         ^^^^^ error[execution-mode]: `%main` is not a constant
        ;                                             = line 23:1: defined here
        OpDecorate %spec SpecId 0
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %none = OpConstant %uint 0
        %fast = OpConstant %uint 16
        %spec = OpSpecConstant %uint 0
        %half = OpTypeFloat 32
        ;^^^^ error[duplicate-type]: duplicate type: `%float` is already declared with the same operands
        ;   = line 16:1: previous definition is here
        %double = OpTypeFloat 32
        ;^^^^^^ error[duplicate-type]: duplicate type: `%half` is already declared with the same operands
        ;     = line 20:1: previous definition is here
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn decorations_of_each_function_and_variable() {
    marks(expect![[r#"
        ; target-env: vulkan1.2
        OpCapability Shader
        OpCapability Linkage
        ;            ^^^^^^^ error[environment-capability]: vulkan1.2 does not support the Linkage capability
        OpCapability VulkanMemoryModel
        OpCapability Float16
        OpCapability StorageBuffer16BitAccess
        OpMemoryModel Logical Vulkan
        OpEntryPoint Vertex %main "main" %in %out
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[entry-point]: an entry point must not be decorated with LinkageAttributes
        OpDecorate %in Location 0
        OpDecorate %in Flat
        OpDecorate %in NoPerspective
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[interpolation]: Flat and NoPerspective exclude each other
        ;                          = line 10:1: the other decoration is here
        OpDecorate %out Location 0
        OpDecorate %out Coherent
        ;^^^^^^^^^^^^^^^^^^^^^^^ error[decoration]: Coherent is not allowed with the Vulkan memory model
        OpDecorate %out Restrict
        OpDecorate %out Aliased
        ;^^^^^^^^^^^^^^^^^^^^^^ error[decoration]: `%out` must not be decorated with both Aliased and Restrict
        ;                     = line 14:1: the other decoration is here
        OpDecorate %main LinkageAttributes "main" Export
        OpDecorate %imported LinkageAttributes "imported" Import
        OpDecorate %float Block
        ;          ^^^^^^ error[decoration-target]: Block can decorate only structure types, `%float` is the result of OpTypeFloat
        ;               = line 24:1: defined here
        OpDecorate %sum NonWritable
        ;          ^^^^ error[decoration-target]: NonWritable can decorate only variables and parameters, `%sum` is the result of OpFAdd
        OpDecorate %half FPRoundingMode RTP
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[decoration]: in Vulkan, the rounding mode must be RTE or RTZ [VUID-StandaloneSpirv-FPRoundingMode-04675]
        OpDecorate %block Block
        OpDecorate %block BufferBlock
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[decoration]: `%block` must not be decorated with both BufferBlock and Block
        ;                           = line 21:1: the other decoration is here
        ;                 ^^^^^^^^^^^ error[wrong-version]: BufferBlock is not supported after SPIR-V 1.3, the module has version 1.5
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %f16 = OpTypeFloat 16
        %one = OpConstant %float 1
        %block = OpTypeStruct %float
        %pi = OpTypePointer Input %float
        %po = OpTypePointer Output %float
        %in = OpVariable %pi Input
        ;^^ error[decoration]: Flat must not decorate an input of a vertex shader [VUID-StandaloneSpirv-Flat-06202]
        ;^^ error[decoration]: NoPerspective must not decorate an input of a vertex shader [VUID-StandaloneSpirv-Flat-06202]
        %out = OpVariable %po Output
        %fn = OpTypeFunction %void
        %imported = OpFunction %void None %fn
        ;^^^^^^^^ error[decoration]: a function with a body must not be imported
        %e0 = OpLabel
        OpReturn
        OpFunctionEnd
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpFAdd %float %one %one
        %half = OpFConvert %f16 %one
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn image_operands_exclude_each_other() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpCapability MinLod
        OpCapability ImageGatherExtended
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %float = OpTypeFloat 32
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %vec2 = OpTypeVector %float 2
        %vec4 = OpTypeVector %float 4
        %ivec2 = OpTypeVector %int 2
        %zero = OpConstant %float 0
        %one = OpConstant %int 1
        %u4 = OpConstant %uint 4
        %at = OpConstantComposite %vec2 %zero %zero
        %off = OpConstantComposite %ivec2 %one %one
        %offs = OpTypeArray %ivec2 %u4
        %four = OpConstantComposite %offs %off %off %off %off
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sampled = OpTypeSampledImage %image
        %ms = OpTypeImage %float 2D 0 0 1 1 Unknown
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %entry = OpLabel
        %s = OpUndef %sampled
        %i = OpUndef %image
        %m = OpUndef %ms
        %dyn = OpUndef %ivec2
        %a = OpImageSampleExplicitLod %vec4 %s %at Lod|Grad %zero %at %at
        ;                                          ^^^^^^^^ error[image]: Lod and Grad must not be used together
        %b = OpImageSampleExplicitLod %vec4 %s %at Grad %at %at
        %c = OpImageSampleImplicitLod %vec4 %s %at Grad %at %at
        ;                                          ^^^^ error[image]: Grad can be used only with an explicit level of detail
        %d = OpImageSampleImplicitLod %vec4 %s %at ConstOffset %dyn
        ;                                                      ^^^^ error[image]: ConstOffset must be a constant
        ;                                                         = line 29:1: defined here
        %e = OpImageSampleImplicitLod %vec4 %s %at ConstOffset %off
        %g = OpImageSampleImplicitLod %vec4 %s %at ConstOffsets %four
        ;                                          ^^^^^^^^^^^^ error[image]: ConstOffsets can be used only with gather instructions
        %h = OpImageGather %vec4 %s %at %one ConstOffsets %four
        %j = OpImageSampleImplicitLod %vec4 %s %at MinLod %zero
        %k = OpImageSampleExplicitLod %vec4 %s %at Lod|MinLod %zero %zero
        ;                                          ^^^^^^^^^^ error[image]: MinLod can be used only with an implicit level of detail or with Grad
        %l = OpImageSampleExplicitLod %vec4 %s %at Grad|MinLod %at %at %zero
        %n = OpImageFetch %vec4 %m %off Sample %one
        %o = OpImageFetch %vec4 %i %off Sample %one
        ;                               ^^^^^^ error[image]: Sample can be used only to fetch from, read or write a multisampled image
        %p = OpImageSampleImplicitLod %vec4 %s %at Bias %zero
        %q = OpImageSampleExplicitLod %vec4 %s %at Bias %zero
        ;                                          ^^^^ error[image]: Bias can be used only with an implicit level of detail
        %r = OpImageFetch %vec4 %i %off Lod %one
        %t = OpImageFetch %vec4 %i %off Lod %zero
        ;                                   ^^^^^ error[image]: expected an integer scalar as Lod, found float
        ;                                       = line 13:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
