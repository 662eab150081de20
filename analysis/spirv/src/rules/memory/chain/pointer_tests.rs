//! Chains and comparisons of pointers, with the capabilities that allow them.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn pointers_without_variable_pointers() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %block %shared %many %private %uniform
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %Block Block
        OpMemberDecorate %Block 0 Offset 0
        OpMemberDecorate %Block 1 Offset 16
        OpMemberDecorate %Block 2 Offset 80
        OpMemberDecorate %Block 1 ColMajor
        OpMemberDecorate %Block 1 MatrixStride 16
        OpDecorate %Ubo Block
        OpMemberDecorate %Ubo 0 Offset 0
        OpDecorate %floats ArrayStride 4
        OpDecorate %p_float ArrayStride 4
        OpDecorate %block DescriptorSet 0
        OpDecorate %block Binding 0
        OpDecorate %uniform DescriptorSet 0
        OpDecorate %uniform Binding 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %mat4 = OpTypeMatrix %vec4 4
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %i0 = OpConstant %int 0
        %minus = OpConstant %int -1
        %l0 = OpConstant %ulong 0
        %f1 = OpConstant %float 1
        %spec = OpSpecConstant %uint 0
        %array = OpTypeArray %float %u3
        %floats = OpTypeRuntimeArray %float
        %Block = OpTypeStruct %vec4 %mat4 %floats
        %Ubo = OpTypeStruct %vec4
        %p_block = OpTypePointer StorageBuffer %Block
        %p_float = OpTypePointer StorageBuffer %float
        %p_vec4 = OpTypePointer StorageBuffer %vec4
        %p_mat4 = OpTypePointer StorageBuffer %mat4
        %p_floats = OpTypePointer StorageBuffer %floats
        %p_ubo = OpTypePointer Uniform %Ubo
        %p_ubo_vec4 = OpTypePointer Uniform %vec4
        %p_shared = OpTypePointer Workgroup %float
        %p_many = OpTypePointer Workgroup %array
        %p_private = OpTypePointer Private %float
        %block = OpVariable %p_block StorageBuffer
        %uniform = OpVariable %p_ubo Uniform
        %shared = OpVariable %p_shared Workgroup
        %many = OpVariable %p_many Workgroup
        %private = OpVariable %p_private Private
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        %one = OpAccessChain %p_float %block %u0 %u1
        %two = OpAccessChain %p_float %block %u0 %u2
        %s_one = OpAccessChain %p_shared %many %u0
        %s_two = OpAccessChain %p_shared %many %u1
        %c0 = OpPtrAccessChain %p_float %one %u1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpPtrAccessChain requires the Addresses, VariablePointers, VariablePointersStorageBuffer or PhysicalStorageBufferAddresses capability
        ;                                      = line 66:1: also here
        ;                                      = line 67:1: also here
        ;                                      = line 68:1: also here
        %c1 = OpPtrAccessChain %p_shared %s_one %u1
        %c2 = OpPtrAccessChain %p_private %private %u1
        %c3 = OpPtrAccessChain %p_ubo %uniform %u1
        %c4 = OpInBoundsPtrAccessChain %p_float %one %u1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpInBoundsPtrAccessChain requires the Addresses capability
        %c5 = OpPtrAccessChain %p_float %one %f1
        %c6 = OpPtrAccessChain %p_float %one %u1 %u1
        %c7 = OpPtrAccessChain %p_vec4 %block %u1 %u0
        %d0 = OpPtrEqual %bool %one %two
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d1 = OpPtrNotEqual %bool %one %two
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrNotEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d2 = OpPtrDiff %int %one %two
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpPtrDiff requires the Addresses, VariablePointers or VariablePointersStorageBuffer capability
        ;                            = line 76:1: also here
        ;                            = line 80:1: also here
        %d3 = OpPtrDiff %float %one %two
        %d4 = OpPtrEqual %int %one %two
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d5 = OpPtrEqual %bool %one %s_one
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d6 = OpPtrEqual %bool %s_one %s_two
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d7 = OpPtrDiff %int %s_one %s_two
        %d8 = OpPtrEqual %bool %private %private
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d9 = OpPtrEqual %bool %f1 %one
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        %d10 = OpPtrEqual %bool %one %f1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: OpPtrEqual requires the VariablePointers or VariablePointersStorageBuffer capability
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn pointers_with_variable_pointers_in_storage_buffers() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpCapability VariablePointersStorageBuffer
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %block %shared %many %private %uniform
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %Block Block
        OpMemberDecorate %Block 0 Offset 0
        OpMemberDecorate %Block 1 Offset 16
        OpMemberDecorate %Block 2 Offset 80
        OpMemberDecorate %Block 1 ColMajor
        OpMemberDecorate %Block 1 MatrixStride 16
        OpDecorate %Ubo Block
        OpMemberDecorate %Ubo 0 Offset 0
        OpDecorate %floats ArrayStride 4
        OpDecorate %p_float ArrayStride 4
        OpDecorate %block DescriptorSet 0
        OpDecorate %block Binding 0
        OpDecorate %uniform DescriptorSet 0
        OpDecorate %uniform Binding 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %mat4 = OpTypeMatrix %vec4 4
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %i0 = OpConstant %int 0
        %minus = OpConstant %int -1
        %l0 = OpConstant %ulong 0
        %f1 = OpConstant %float 1
        %spec = OpSpecConstant %uint 0
        %array = OpTypeArray %float %u3
        %floats = OpTypeRuntimeArray %float
        %Block = OpTypeStruct %vec4 %mat4 %floats
        %Ubo = OpTypeStruct %vec4
        %p_block = OpTypePointer StorageBuffer %Block
        %p_float = OpTypePointer StorageBuffer %float
        %p_vec4 = OpTypePointer StorageBuffer %vec4
        %p_mat4 = OpTypePointer StorageBuffer %mat4
        %p_floats = OpTypePointer StorageBuffer %floats
        %p_ubo = OpTypePointer Uniform %Ubo
        %p_ubo_vec4 = OpTypePointer Uniform %vec4
        %p_shared = OpTypePointer Workgroup %float
        %p_many = OpTypePointer Workgroup %array
        %p_private = OpTypePointer Private %float
        %block = OpVariable %p_block StorageBuffer
        %uniform = OpVariable %p_ubo Uniform
        %shared = OpVariable %p_shared Workgroup
        %many = OpVariable %p_many Workgroup
        %private = OpVariable %p_private Private
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        %one = OpAccessChain %p_float %block %u0 %u1
        %two = OpAccessChain %p_float %block %u0 %u2
        %s_one = OpAccessChain %p_shared %many %u0
        %s_two = OpAccessChain %p_shared %many %u1
        %c0 = OpPtrAccessChain %p_float %one %u1
        %c1 = OpPtrAccessChain %p_shared %s_one %u1
        ;                                ^^^^^^ error[access-chain]: in Vulkan, OpPtrAccessChain on Workgroup requires the VariablePointers capability [VUID-StandaloneSpirv-Base-07651]
        ;                                     = line 64:1: defined here
        %c2 = OpPtrAccessChain %p_private %private %u1
        ;                                 ^^^^^^^^ error[access-chain]: in Vulkan, Base of OpPtrAccessChain must point to Workgroup, StorageBuffer or PhysicalStorageBuffer [VUID-StandaloneSpirv-Base-07650]
        ;                                        = line 57:1: defined here
        %c3 = OpPtrAccessChain %p_ubo %uniform %u1
        ;                                      ^^^ error[access-chain]: Element must be 0, because struct %Ubo is a block
        ;                                        = line 31:1: defined here
        %c4 = OpInBoundsPtrAccessChain %p_float %one %u1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpInBoundsPtrAccessChain requires the Addresses capability
        %c5 = OpPtrAccessChain %p_float %one %f1
        ;                                    ^^^ error[access-chain]: expected an integer as Element, found float
        ;                                      = line 37:1: defined here
        %c6 = OpPtrAccessChain %p_float %one %u1 %u1
        ;                                        ^^^ error[access-chain]: index `%u1` has nothing to select: float is not a composite
        ;                                          = line 31:1: defined here
        %c7 = OpPtrAccessChain %p_vec4 %block %u1 %u0
        ;                                     ^^^ error[access-chain]: Element must be 0, because struct %Block is a block
        ;                                       = line 31:1: defined here
        %d0 = OpPtrEqual %bool %one %two
        %d1 = OpPtrNotEqual %bool %one %two
        %d2 = OpPtrDiff %int %one %two
        %d3 = OpPtrDiff %float %one %two
        ;               ^^^^^^ error[memory-access]: Result Type must be an integer scalar
        ;                    = line 27:1: defined here
        %d4 = OpPtrEqual %int %one %two
        ;                ^^^^ error[memory-access]: Result Type must be a Boolean
        ;                   = line 24:1: defined here
        %d5 = OpPtrEqual %bool %one %s_one
        ;                           ^^^^^^ error[memory-access]: both pointers must have the same type
        ;                                = line 64:1: defined here
        %d6 = OpPtrEqual %bool %s_one %s_two
        ;                      ^^^^^^ error[memory-access]: comparing pointers to Workgroup requires the VariablePointers capability
        ;                           = line 64:1: defined here
        %d7 = OpPtrDiff %int %s_one %s_two
        ;                    ^^^^^^ error[memory-access]: comparing pointers to Workgroup requires the VariablePointers capability
        ;                         = line 64:1: defined here
        %d8 = OpPtrEqual %bool %private %private
        ;                      ^^^^^^^^ error[memory-access]: the pointers must point to Workgroup or StorageBuffer
        ;                             = line 57:1: defined here
        %d9 = OpPtrEqual %bool %f1 %one
        ;                      ^^^ error[memory-access]: expected a pointer, found float
        ;                        = line 37:1: defined here
        %d10 = OpPtrEqual %bool %one %f1
        ;                       ^^^^ error[memory-access]: expected a pointer, found ptr StorageBuffer float
        ;                          = line 62:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn pointers_with_variable_pointers() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpCapability VariablePointers
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %block %shared %many %private %uniform
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %Block Block
        OpMemberDecorate %Block 0 Offset 0
        OpMemberDecorate %Block 1 Offset 16
        OpMemberDecorate %Block 2 Offset 80
        OpMemberDecorate %Block 1 ColMajor
        OpMemberDecorate %Block 1 MatrixStride 16
        OpDecorate %Ubo Block
        OpMemberDecorate %Ubo 0 Offset 0
        OpDecorate %floats ArrayStride 4
        OpDecorate %p_float ArrayStride 4
        OpDecorate %block DescriptorSet 0
        OpDecorate %block Binding 0
        OpDecorate %uniform DescriptorSet 0
        OpDecorate %uniform Binding 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %mat4 = OpTypeMatrix %vec4 4
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %i0 = OpConstant %int 0
        %minus = OpConstant %int -1
        %l0 = OpConstant %ulong 0
        %f1 = OpConstant %float 1
        %spec = OpSpecConstant %uint 0
        %array = OpTypeArray %float %u3
        %floats = OpTypeRuntimeArray %float
        %Block = OpTypeStruct %vec4 %mat4 %floats
        %Ubo = OpTypeStruct %vec4
        %p_block = OpTypePointer StorageBuffer %Block
        %p_float = OpTypePointer StorageBuffer %float
        %p_vec4 = OpTypePointer StorageBuffer %vec4
        %p_mat4 = OpTypePointer StorageBuffer %mat4
        %p_floats = OpTypePointer StorageBuffer %floats
        %p_ubo = OpTypePointer Uniform %Ubo
        %p_ubo_vec4 = OpTypePointer Uniform %vec4
        %p_shared = OpTypePointer Workgroup %float
        %p_many = OpTypePointer Workgroup %array
        %p_private = OpTypePointer Private %float
        %block = OpVariable %p_block StorageBuffer
        %uniform = OpVariable %p_ubo Uniform
        %shared = OpVariable %p_shared Workgroup
        %many = OpVariable %p_many Workgroup
        %private = OpVariable %p_private Private
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        %one = OpAccessChain %p_float %block %u0 %u1
        %two = OpAccessChain %p_float %block %u0 %u2
        %s_one = OpAccessChain %p_shared %many %u0
        %s_two = OpAccessChain %p_shared %many %u1
        %c0 = OpPtrAccessChain %p_float %one %u1
        %c1 = OpPtrAccessChain %p_shared %s_one %u1
        %c2 = OpPtrAccessChain %p_private %private %u1
        ;                                 ^^^^^^^^ error[access-chain]: in Vulkan, Base of OpPtrAccessChain must point to Workgroup, StorageBuffer or PhysicalStorageBuffer [VUID-StandaloneSpirv-Base-07650]
        ;                                        = line 57:1: defined here
        %c3 = OpPtrAccessChain %p_ubo %uniform %u1
        ;                                      ^^^ error[access-chain]: Element must be 0, because struct %Ubo is a block
        ;                                        = line 31:1: defined here
        %c4 = OpInBoundsPtrAccessChain %p_float %one %u1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpInBoundsPtrAccessChain requires the Addresses capability
        %c5 = OpPtrAccessChain %p_float %one %f1
        ;                                    ^^^ error[access-chain]: expected an integer as Element, found float
        ;                                      = line 37:1: defined here
        %c6 = OpPtrAccessChain %p_float %one %u1 %u1
        ;                                        ^^^ error[access-chain]: index `%u1` has nothing to select: float is not a composite
        ;                                          = line 31:1: defined here
        %c7 = OpPtrAccessChain %p_vec4 %block %u1 %u0
        ;                                     ^^^ error[access-chain]: Element must be 0, because struct %Block is a block
        ;                                       = line 31:1: defined here
        %d0 = OpPtrEqual %bool %one %two
        %d1 = OpPtrNotEqual %bool %one %two
        %d2 = OpPtrDiff %int %one %two
        %d3 = OpPtrDiff %float %one %two
        ;               ^^^^^^ error[memory-access]: Result Type must be an integer scalar
        ;                    = line 27:1: defined here
        %d4 = OpPtrEqual %int %one %two
        ;                ^^^^ error[memory-access]: Result Type must be a Boolean
        ;                   = line 24:1: defined here
        %d5 = OpPtrEqual %bool %one %s_one
        ;                           ^^^^^^ error[memory-access]: both pointers must have the same type
        ;                                = line 64:1: defined here
        %d6 = OpPtrEqual %bool %s_one %s_two
        %d7 = OpPtrDiff %int %s_one %s_two
        %d8 = OpPtrEqual %bool %private %private
        ;                      ^^^^^^^^ error[memory-access]: the pointers must point to Workgroup or StorageBuffer
        ;                             = line 57:1: defined here
        %d9 = OpPtrEqual %bool %f1 %one
        ;                      ^^^ error[memory-access]: expected a pointer, found float
        ;                        = line 37:1: defined here
        %d10 = OpPtrEqual %bool %one %f1
        ;                       ^^^^ error[memory-access]: expected a pointer, found ptr StorageBuffer float
        ;                          = line 62:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn pointers_without_strides() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpCapability VariablePointers
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %block %shared %many %private %uniform
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %Block Block
        OpMemberDecorate %Block 0 Offset 0
        OpMemberDecorate %Block 1 Offset 16
        OpMemberDecorate %Block 2 Offset 80
        OpMemberDecorate %Block 1 ColMajor
        OpMemberDecorate %Block 1 MatrixStride 16
        OpDecorate %Ubo Block
        OpMemberDecorate %Ubo 0 Offset 0
        OpDecorate %floats ArrayStride 4
        OpDecorate %block Coherent
        OpDecorate %block DescriptorSet 0
        OpDecorate %block Binding 0
        OpDecorate %uniform DescriptorSet 0
        OpDecorate %uniform Binding 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %mat4 = OpTypeMatrix %vec4 4
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %i0 = OpConstant %int 0
        %minus = OpConstant %int -1
        %l0 = OpConstant %ulong 0
        %f1 = OpConstant %float 1
        %spec = OpSpecConstant %uint 0
        %array = OpTypeArray %float %u3
        %floats = OpTypeRuntimeArray %float
        %Block = OpTypeStruct %vec4 %mat4 %floats
        %Ubo = OpTypeStruct %vec4
        %p_block = OpTypePointer StorageBuffer %Block
        %p_float = OpTypePointer StorageBuffer %float
        %p_vec4 = OpTypePointer StorageBuffer %vec4
        %p_mat4 = OpTypePointer StorageBuffer %mat4
        %p_floats = OpTypePointer StorageBuffer %floats
        %p_ubo = OpTypePointer Uniform %Ubo
        %p_ubo_vec4 = OpTypePointer Uniform %vec4
        %p_shared = OpTypePointer Workgroup %float
        %p_many = OpTypePointer Workgroup %array
        %p_private = OpTypePointer Private %float
        %block = OpVariable %p_block StorageBuffer
        %uniform = OpVariable %p_ubo Uniform
        %shared = OpVariable %p_shared Workgroup
        %many = OpVariable %p_many Workgroup
        %private = OpVariable %p_private Private
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        %one = OpAccessChain %p_float %block %u0 %u1
        %two = OpAccessChain %p_float %block %u0 %u2
        %s_one = OpAccessChain %p_shared %many %u0
        %s_two = OpAccessChain %p_shared %many %u1
        %c0 = OpPtrAccessChain %p_float %one %u1
        ;                               ^^^^ error[access-chain]: missing ArrayStride decoration on the pointer type `%p_float`
        ;                                  = line 62:1: defined here
        %c1 = OpPtrAccessChain %p_shared %s_one %u1
        %c2 = OpPtrAccessChain %p_private %private %u1
        ;                                 ^^^^^^^^ error[access-chain]: in Vulkan, Base of OpPtrAccessChain must point to Workgroup, StorageBuffer or PhysicalStorageBuffer [VUID-StandaloneSpirv-Base-07650]
        ;                                        = line 57:1: defined here
        %c3 = OpPtrAccessChain %p_ubo %uniform %u1
        ;                                      ^^^ error[access-chain]: Element must be 0, because struct %Ubo is a block
        ;                                        = line 31:1: defined here
        %c4 = OpInBoundsPtrAccessChain %p_float %one %u1
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[missing-capability]: OpInBoundsPtrAccessChain requires the Addresses capability
        %c5 = OpPtrAccessChain %p_float %one %f1
        ;                                    ^^^ error[access-chain]: expected an integer as Element, found float
        ;                                      = line 37:1: defined here
        %c6 = OpPtrAccessChain %p_float %one %u1 %u1
        ;                                        ^^^ error[access-chain]: index `%u1` has nothing to select: float is not a composite
        ;                                          = line 31:1: defined here
        %c7 = OpPtrAccessChain %p_vec4 %block %u1 %u0
        ;                                     ^^^ error[access-chain]: Element must be 0, because struct %Block is a block
        ;                                       = line 31:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
