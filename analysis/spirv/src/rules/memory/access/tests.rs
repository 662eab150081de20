//! Accesses with pointers and memory operands that fit or do not.

use expect_test::expect;

use crate::rules::testing::{Shader, findings, marks};

#[test]
fn what_is_stored_is_what_the_pointer_holds() {
    let shader = Shader {
        types: "%p = OpTypePointer Private %float
%v = OpVariable %p Private
%in = OpTypePointer Input %float
%i = OpVariable %in Input",
        body: "%a = OpLoad %int %v
OpStore %v %i0
OpStore %i %f1
%b = OpLoad %float %f1
OpCopyMemory %v %p
%c = OpLoad %float %v Aligned 3",
        ..Shader::NEW
    };
    expect![[r#"
        error[interface] `OpEntryPoint GLCompute %main "main"`: `%i` is used by this entry point but missing from its interface
          33:1 `%i`: the variable
          fix: Add `%i`
          | OpEntryPoint GLCompute %main "main" %i
        error[memory-access] `%int`: `%v` points to type float, but Result Type is int
          10:1 `%int`: defined here
        error[memory-access] `%i0`: `%i0` is int, but `%v` points to float
          19:1 `%i0`: defined here
        error[memory-access] `%i`: `%i` points to read-only storage
          33:1 `%i`: defined here
        error[memory-access] `%f1`: `%f1` is the result of OpConstant, which is not a logical pointer
          25:1 `%f1`: defined here
        error[id-class] `%p`: OpCopyMemory expects a value, but `%p` is a type
          30:1 `%p`: defined here
        error[memory-access] `3`: the alignment 3 is not a power of two
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn pointers_that_point_at_themselves_are_copied() {
    let shader = Shader {
        types: "%p = OpTypePointer Private %q
%q = OpTypePointer Private %p
%v = OpVariable %p Private",
        body: "OpCopyMemory %v %v",
        ..Shader::NEW
    };
    expect![[r#"
        error[undefined-id] `%q`: use of `%q` before its definition, without an OpTypeForwardPointer for it
          31:1 `%q`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn accesses_at_the_limits_of_each_operand() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability Int64
        OpCapability Int8
        OpCapability PhysicalStorageBufferAddresses
        OpMemoryModel PhysicalStorageBuffer64 Vulkan
        OpEntryPoint GLCompute %main "main" %private %private2 %other %shared %shared2 %input %pushed %uniform %stored %texture
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %input BuiltIn GlobalInvocationId
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %push Block
        OpMemberDecorate %push 0 Offset 0
        OpDecorate %floats ArrayStride 4
        OpDecorate %endless Block
        OpMemberDecorate %endless 0 Offset 0
        OpDecorate %uniform DescriptorSet 0
        OpDecorate %uniform Binding 0
        OpDecorate %stored DescriptorSet 0
        OpDecorate %stored Binding 1
        OpDecorate %texture DescriptorSet 0
        OpDecorate %texture Binding 2
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %uvec3 = OpTypeVector %uint 3
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u5 = OpConstant %uint 5
        %i1 = OpConstant %int 1
        %f1 = OpConstant %float 1
        %address = OpConstant %ulong 64
        %uvec3_0 = OpConstantNull %uvec3
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %block = OpTypeStruct %float
        %push = OpTypeStruct %float
        %floats = OpTypeRuntimeArray %float
        %endless = OpTypeStruct %floats
        %p_private = OpTypePointer Private %float
        %p_int = OpTypePointer Private %int
        %p_shared = OpTypePointer Workgroup %float
        %p_input = OpTypePointer Input %uvec3
        %p_push = OpTypePointer PushConstant %push
        %p_push_float = OpTypePointer PushConstant %float
        %p_uniform = OpTypePointer Uniform %block
        %p_uniform_float = OpTypePointer Uniform %float
        %p_stored = OpTypePointer StorageBuffer %endless
        %p_floats = OpTypePointer StorageBuffer %floats
        %p_stored_float = OpTypePointer StorageBuffer %float
        %p_texture = OpTypePointer UniformConstant %image
        %p_physical = OpTypePointer PhysicalStorageBuffer %float
        %p_local = OpTypePointer Function %float
        %private = OpVariable %p_private Private
        %private2 = OpVariable %p_private Private
        %other = OpVariable %p_int Private
        %shared = OpVariable %p_shared Workgroup
        %shared2 = OpVariable %p_shared Workgroup
        %input = OpVariable %p_input Input
        %pushed = OpVariable %p_push PushConstant
        %uniform = OpVariable %p_uniform Uniform
        %stored = OpVariable %p_stored StorageBuffer
        %texture = OpVariable %p_texture UniformConstant
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %local = OpVariable %p_local Function
        %physical = OpConvertUToPtr %p_physical %address
        %in_push = OpAccessChain %p_push_float %pushed %u0
        %in_uniform = OpAccessChain %p_uniform_float %uniform %u0
        %in_stored = OpAccessChain %p_stored_float %stored %u0 %u1
        %all_stored = OpAccessChain %p_floats %stored %u0
        %a0 = OpLoad %float %private
        %a1 = OpLoad %int %private
        ;            ^^^^ error[memory-access]: `%private` points to type float, but Result Type is int
        ;               = line 25:1: defined here
        %a2 = OpLoad %float %f1
        ;                   ^^^ error[memory-access]: `%f1` is float, not a pointer
        ;                     = line 35:1: defined here
        %a3 = OpLoad %floats %all_stored
        ;            ^^^^^^^ error[memory-access]: a runtime array must not be loaded
        ;                  = line 41:1: defined here
        %a4 = OpLoad %float %physical
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: missing memory operand Aligned for an access to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        %a5 = OpLoad %float %physical Aligned 4
        %a6 = OpLoad %float %physical Volatile
        ;                             ^^^^^^^^ error[memory-access]: these memory operands must include Aligned, because the access is to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        %a7 = OpLoad %float %physical Volatile|Aligned 4
        %a8 = OpLoad %float %private Aligned 0
        ;                                    ^ error[memory-access]: the alignment 0 is not a power of two
        %a9 = OpLoad %float %private Aligned 1
        %a10 = OpLoad %float %private Aligned 6
        ;                                     ^ error[memory-access]: the alignment 6 is not a power of two
        %a11 = OpLoad %float %shared NonPrivatePointer
        %a12 = OpLoad %float %in_stored NonPrivatePointer
        %a13 = OpLoad %float %in_uniform NonPrivatePointer
        %a14 = OpLoad %float %physical Aligned|NonPrivatePointer 4
        %a15 = OpLoad %float %private NonPrivatePointer
        ;                             ^^^^^^^^^^^^^^^^^ error[memory-access]: NonPrivatePointer requires a pointer to memory that invocations share, not to Private
        %a16 = OpLoad %float %local NonPrivatePointer
        ;                           ^^^^^^^^^^^^^^^^^ error[memory-access]: NonPrivatePointer requires a pointer to memory that invocations share, not to Function
        %a17 = OpLoad %uvec3 %input NonPrivatePointer
        ;                           ^^^^^^^^^^^^^^^^^ error[memory-access]: NonPrivatePointer requires a pointer to memory that invocations share, not to Input
        %a18 = OpLoad %float %in_push NonPrivatePointer
        ;                             ^^^^^^^^^^^^^^^^^ error[memory-access]: NonPrivatePointer requires a pointer to memory that invocations share, not to PushConstant
        %a19 = OpLoad %float %shared MakePointerVisible|NonPrivatePointer %u2
        %a20 = OpLoad %float %shared MakePointerVisible %u2
        ;                            ^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerVisible requires NonPrivatePointer
        %a21 = OpLoad %float %shared MakePointerVisible|NonPrivatePointer %f1
        ;                                                                 ^^^ error[scope]: expected a 32-bit integer as scope
        ;                                                                   = line 35:1: defined here
        %a22 = OpLoad %float %shared MakePointerAvailable|NonPrivatePointer %u2
        ;                            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerAvailable can be used only for stores
        %a23 = OpLoad %float %shared Aligned|MakePointerVisible|NonPrivatePointer 4 %u2
        %a24 = OpLoad %float %shared Aligned|MakePointerVisible|NonPrivatePointer 4 %f1
        ;                                                                           ^^^ error[scope]: expected a 32-bit integer as scope
        ;                                                                             = line 35:1: defined here
        OpStore %private %f1
        OpStore %private %i1
        ;                ^^^ error[memory-access]: `%i1` is int, but `%private` points to float
        ;                  = line 34:1: defined here
        OpStore %other %f1
        ;              ^^^ error[memory-access]: `%f1` is float, but `%other` points to int
        ;                = line 35:1: defined here
        OpStore %f1 %f1
        ;       ^^^ error[memory-access]: `%f1` is float, not a pointer
        ;         = line 35:1: defined here
        OpStore %private %void
        ;                ^^^^^ error[id-class]: OpStore expects a value, but `%void` is a type
        ;                    = line 24:1: defined here
        OpStore %input %uvec3_0
        ;       ^^^^^^ error[memory-access]: `%input` points to read-only storage
        ;            = line 62:1: defined here
        OpStore %in_push %f1
        ;       ^^^^^^^^ error[memory-access]: `%in_push` points to read-only storage
        ;              = line 72:1: defined here
        OpStore %in_uniform %f1
        ;       ^^^^^^^^^^^ error[memory-access]: in Vulkan, a uniform block is read-only [VUID-StandaloneSpirv-Uniform-06925]
        ;                 = line 73:1: defined here
        OpStore %in_stored %f1
        OpStore %shared %f1 MakePointerAvailable|NonPrivatePointer %u2
        OpStore %shared %f1 MakePointerAvailable %u2
        ;                   ^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerAvailable requires NonPrivatePointer
        OpStore %shared %f1 MakePointerAvailable|NonPrivatePointer %f1
        ;                                                          ^^^ error[scope]: expected a 32-bit integer as scope
        ;                                                            = line 35:1: defined here
        OpStore %shared %f1 MakePointerVisible|NonPrivatePointer %u2
        ;                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerVisible can be used only for loads
        OpStore %shared %f1 Aligned|MakePointerAvailable|NonPrivatePointer 4 %u2
        OpStore %physical %f1
        ;^^^^^^^^^^^^^^^^^^^^ error[memory-access]: missing memory operand Aligned for an access to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        OpStore %physical %f1 Aligned 4
        OpCopyMemory %private %private2
        OpCopyMemory %private %shared
        OpCopyMemory %private %other
        ;                     ^^^^^^ error[memory-access]: cannot copy int to float: the types differ
        ;                          = line 59:1: defined here
        OpCopyMemory %private %f1
        ;                     ^^^ error[memory-access]: `%f1` is not a pointer
        ;                       = line 35:1: defined here
        OpCopyMemory %f1 %private
        ;            ^^^ error[memory-access]: `%f1` is not a pointer
        ;              = line 35:1: defined here
        OpCopyMemory %physical %private
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: missing memory operand Aligned for an access to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        OpCopyMemory %private %physical
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: missing memory operand Aligned for an access to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        OpCopyMemory %physical %private Aligned 4
        OpCopyMemory %shared %shared2 MakePointerAvailable|NonPrivatePointer %u2
        OpCopyMemory %shared %shared2 MakePointerVisible|NonPrivatePointer %u2
        OpCopyMemory %shared %shared2 MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u2 %u2
        OpCopyMemory %shared %shared2 MakePointerAvailable|MakePointerVisible|NonPrivatePointer %u2 %f1
        ;                                                                                           ^^^ error[scope]: expected a 32-bit integer as scope
        ;                                                                                             = line 35:1: defined here
        OpCopyMemory %shared %shared2 MakePointerAvailable|MakePointerVisible|NonPrivatePointer %f1 %u2
        ;                                                                                       ^^^ error[scope]: expected a 32-bit integer as scope
        ;                                                                                         = line 35:1: defined here
        OpCopyMemory %shared %shared2 MakePointerAvailable|NonPrivatePointer %u2 MakePointerVisible|NonPrivatePointer %u2
        OpCopyMemory %shared %shared2 MakePointerVisible|NonPrivatePointer %u2 None
        ;                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: the memory operands of Target must not include MakePointerVisible
        OpCopyMemory %shared %shared2 None MakePointerAvailable|NonPrivatePointer %u2
        ;                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: the memory operands of Source must not include MakePointerAvailable
        OpCopyMemory %shared %shared2 Aligned 4 Aligned 4
        OpCopyMemory %shared %shared2 Aligned 4 Aligned 3
        ;                                               ^ error[memory-access]: the alignment 3 is not a power of two
        OpCopyMemory %shared %shared2 Aligned 3 Aligned 4
        ;                                     ^ error[memory-access]: the alignment 3 is not a power of two
        OpCopyMemory %private %private2 NonPrivatePointer
        ;                               ^^^^^^^^^^^^^^^^^ error[memory-access]: NonPrivatePointer requires a pointer to memory that invocations share, not to Private
        OpReturn
        OpFunctionEnd
    "#]]);
}

/// The smallest size that can be copied between variables of two storage classes: multiples of 1, 2 or 4 bytes.
#[test]
fn sizes_of_copies() {
    let pairs = [
        ("Private", "Private"),
        ("StorageBuffer", "StorageBuffer"),
        ("StorageBuffer", "Uniform"),
        ("Uniform", "StorageBuffer"),
        ("Uniform", "Uniform"),
        ("StorageBuffer", "PushConstant"),
        ("Workgroup", "Workgroup"),
        ("Output", "Output"),
        ("Input", "Output"),
        ("StorageBuffer", "Private"),
    ];
    let mut shown = String::new();
    for capabilities in [
        "Shader",
        "Int8",
        "Int16",
        "StorageBuffer8BitAccess",
        "UniformAndStorageBuffer8BitAccess",
        "StoragePushConstant8 StorageBuffer8BitAccess",
        "StorageBuffer16BitAccess",
        "UniformAndStorageBuffer16BitAccess",
        "StoragePushConstant16 StorageBuffer16BitAccess",
        "StorageInputOutput16",
        "WorkgroupMemoryExplicitLayout8BitAccessKHR",
        "WorkgroupMemoryExplicitLayout16BitAccessKHR",
    ] {
        shown += &format!("{capabilities}:");
        for (target, source) in pairs {
            let capabilities: String =
                capabilities.split(' ').map(|name| format!("OpCapability {name}\n")).collect();
            let accepts = |size: u32| {
                let found = findings(&format!(
                    "; target-env: spv1.5
OpCapability Shader
OpCapability Linkage
OpCapability Addresses
{capabilities}OpExtension \"SPV_KHR_workgroup_memory_explicit_layout\"
OpMemoryModel Physical64 GLSL450
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%size = OpConstant %uint {size}
%target_pointer = OpTypePointer {target} %uint
%source_pointer = OpTypePointer {source} %uint
%target = OpVariable %target_pointer {target}
%source = OpVariable %source_pointer {source}
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%entry = OpLabel
OpCopyMemorySized %target %source %size
OpReturn
OpFunctionEnd
"
                ));
                !found.contains("error[memory-access]")
            };
            let smallest = [1, 2, 4].into_iter().find(|size| accepts(*size)).unwrap_or(0);
            shown += &format!(" {target}/{source} {smallest}");
        }
        shown.push('\n');
    }
    expect![[r#"
        Shader: Private/Private 4 StorageBuffer/StorageBuffer 4 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        Int8: Private/Private 1 StorageBuffer/StorageBuffer 1 StorageBuffer/Uniform 1 Uniform/StorageBuffer 1 Uniform/Uniform 1 StorageBuffer/PushConstant 1 Workgroup/Workgroup 1 Output/Output 1 Input/Output 1 StorageBuffer/Private 1
        Int16: Private/Private 2 StorageBuffer/StorageBuffer 2 StorageBuffer/Uniform 2 Uniform/StorageBuffer 2 Uniform/Uniform 2 StorageBuffer/PushConstant 2 Workgroup/Workgroup 2 Output/Output 2 Input/Output 2 StorageBuffer/Private 2
        StorageBuffer8BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 1 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        UniformAndStorageBuffer8BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 1 StorageBuffer/Uniform 1 Uniform/StorageBuffer 1 Uniform/Uniform 1 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        StoragePushConstant8 StorageBuffer8BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 1 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 1 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        StorageBuffer16BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 2 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        UniformAndStorageBuffer16BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 2 StorageBuffer/Uniform 2 Uniform/StorageBuffer 2 Uniform/Uniform 2 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        StoragePushConstant16 StorageBuffer16BitAccess: Private/Private 4 StorageBuffer/StorageBuffer 2 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 2 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        StorageInputOutput16: Private/Private 4 StorageBuffer/StorageBuffer 4 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 2 Input/Output 2 StorageBuffer/Private 4
        WorkgroupMemoryExplicitLayout8BitAccessKHR: Private/Private 4 StorageBuffer/StorageBuffer 4 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 4 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
        WorkgroupMemoryExplicitLayout16BitAccessKHR: Private/Private 4 StorageBuffer/StorageBuffer 4 StorageBuffer/Uniform 4 Uniform/StorageBuffer 4 Uniform/Uniform 4 StorageBuffer/PushConstant 4 Workgroup/Workgroup 2 Output/Output 4 Input/Output 4 StorageBuffer/Private 4
    "#]].assert_eq(&shown);
}
