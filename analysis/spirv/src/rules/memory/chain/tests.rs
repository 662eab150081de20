//! Indexes that lead to a part, and pointers that are compared.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn indexes_lead_to_a_part() {
    let shader = Shader {
        types: "%p = OpTypePointer Private %vec4
%pf = OpTypePointer Private %float
%s = OpTypeStruct %float %vec4
%ps = OpTypePointer Private %s
%v = OpVariable %p Private
%w = OpVariable %ps Private",
        body: "%a = OpAccessChain %pf %w %u2
%b = OpAccessChain %p %v %u0
%c = OpAccessChain %pf %v %f1
%d = OpAccessChain %pf %v %u0 %u0
%e = OpArrayLength %uint %w 0",
        ..Shader::NEW
    };
    expect![[r#"
        error[access-chain] `%u2`: index 2 (`%u2`) is out of range: struct %s has 2 members
          23:1 `%u2`: defined here
        error[access-chain] `%p`: the indexes select float, but Result Type points to vec4
          30:1 `%p`: defined here
        error[access-chain] `%f1`: expected an integer as index `%f1`, found float
          25:1 `%f1`: defined here
        error[access-chain] `%u0`: index `%u0` has nothing to select: float is not a composite
          21:1 `%u0`: defined here
        error[memory-access] `%w`: Structure must point to a structure that ends in a runtime array
          35:1 `%w`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn indexes_and_lengths() {
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
        %a0 = OpAccessChain %p_float %block %u0 %u0
        %a1 = OpAccessChain %p_vec4 %block %u0
        %a2 = OpAccessChain %p_mat4 %block %u1
        %a3 = OpAccessChain %p_vec4 %block %u1 %u3
        %a4 = OpAccessChain %p_float %block %u1 %u3 %sum
        %a5 = OpAccessChain %p_float %block %u2 %sum
        %a6 = OpAccessChain %p_floats %block %u2
        %a7 = OpAccessChain %p_float %block %u3
        ;                                   ^^^ error[access-chain]: index 3 (`%u3`) is out of range: struct %Block has 3 members
        ;                                     = line 32:1: defined here
        %a8 = OpAccessChain %p_float %block %minus
        ;                                   ^^^^^^ error[access-chain]: index -1 (`%minus`) is out of range: struct %Block has 3 members
        ;                                        = line 34:1: defined here
        %a9 = OpAccessChain %p_float %block %sum
        ;                                   ^^^^ error[access-chain]: index `%sum` into a structure must be an OpConstant
        ;                                      = line 60:1: defined here
        %a10 = OpAccessChain %p_float %block %spec %u0
        ;                                    ^^^^^ error[access-chain]: index `%spec` into a structure must be an OpConstant
        ;                                        = line 37:1: defined here
        %a11 = OpAccessChain %p_float %block %i0 %i0
        %a12 = OpAccessChain %p_float %block %l0 %l0
        %a13 = OpAccessChain %p_float %block %f1
        ;                                    ^^^ error[access-chain]: expected an integer as index `%f1`, found float
        ;                                      = line 36:1: defined here
        %a14 = OpAccessChain %p_float %block %u0 %u0 %u0
        ;                                            ^^^ error[access-chain]: index `%u0` has nothing to select: float is not a composite
        ;                                              = line 29:1: defined here
        %a15 = OpAccessChain %p_vec4 %block %u0 %u0
        ;                    ^^^^^^^ error[access-chain]: the indexes select float, but Result Type points to vec4
        ;                          = line 44:1: defined here
        %a16 = OpAccessChain %p_shared %block %u0 %u0
        ;                    ^^^^^^^^^ error[access-chain]: Result Type points to Workgroup, but `%block` points to StorageBuffer
        ;                            = line 49:1: defined here
        %a17 = OpAccessChain %float %block %u0 %u0
        ;                    ^^^^^^ error[access-chain]: expected a typed pointer as Result Type, found float
        ;                         = line 26:1: defined here
        %a18 = OpAccessChain %p_float %f1 %u0
        ;                             ^^^ error[access-chain]: `%f1` is float, not a pointer
        ;                               = line 36:1: defined here
        %a19 = OpAccessChain %p_float %block
        ;                    ^^^^^^^^ error[access-chain]: the indexes select struct %Block, but Result Type points to float
        ;                           = line 43:1: defined here
        %a20 = OpAccessChain %p_block %block
        %a21 = OpInBoundsAccessChain %p_float %block %u0 %u0
        %a22 = OpInBoundsAccessChain %p_float %block %u3
        ;                                            ^^^ error[access-chain]: index 3 (`%u3`) is out of range: struct %Block has 3 members
        ;                                              = line 32:1: defined here
        %a23 = OpAccessChain %p_shared %many %u3
        ;                                    ^^^ warning[constant-index]: index 3 is out of bounds of float[3], which has 3 elements
        ;                                      = line 32:1: defined here
        %b0 = OpArrayLength %uint %block 2
        %b1 = OpArrayLength %uint %block 1
        ;                                ^ error[memory-access]: the array member must be the last member, 2
        %b2 = OpArrayLength %uint %block 0
        ;                                ^ error[memory-access]: the array member must be the last member, 2
        %b3 = OpArrayLength %int %block 2
        ;                   ^^^^ error[memory-access]: expected an unsigned integer of 32 or 64 bits as Result Type, found int
        ;                      = line 23:1: defined here
        %b4 = OpArrayLength %ulong %block 2
        %b5 = OpArrayLength %uint %uniform 0
        ;                         ^^^^^^^^ error[memory-access]: Structure must point to a structure that ends in a runtime array
        ;                                = line 53:1: defined here
        %b6 = OpArrayLength %uint %shared 0
        ;                         ^^^^^^^ error[memory-access]: Structure must point to a structure that ends in a runtime array
        ;                               = line 54:1: defined here
        %b7 = OpArrayLength %uint %f1 0
        ;                         ^^^ error[memory-access]: Structure must be a pointer
        ;                           = line 36:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn raw_chains() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Int64
        OpCapability RawAccessChainsNV
        OpExtension "SPV_NV_raw_access_chains"
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
        %a0 = OpRawAccessChainNV %p_float %block %u3 %u0 %u0
        %a1 = OpRawAccessChainNV %p_float %block %u3 %u0 %u0 RobustnessPerComponentNV
        %a2 = OpRawAccessChainNV %p_float %block %u3 %u0 %u0 RobustnessPerElementNV
        %a3 = OpRawAccessChainNV %p_float %block %u0 %u0 %u0 RobustnessPerElementNV
        ;                                        ^^^ error[access-chain]: Byte Stride must not be 0 with RobustnessPerElementNV
        ;                                          = line 31:1: defined here
        %a4 = OpRawAccessChainNV %p_float %block %u0 %u0 %u0 RobustnessPerComponentNV
        %a5 = OpRawAccessChainNV %p_float %block %u3 %u0 %u0 RobustnessPerComponentNV|RobustnessPerElementNV
        ;                                                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[access-chain]: RobustnessPerComponentNV and RobustnessPerElementNV must not be used together
        %a6 = OpRawAccessChainNV %p_shared %block %u3 %u0 %u0
        ;                        ^^^^^^^^^ error[access-chain]: the storage class of Result Type must be StorageBuffer, PhysicalStorageBuffer or Uniform
        ;                                = line 51:1: defined here
        %a7 = OpRawAccessChainNV %p_ubo_vec4 %block %u3 %u0 %u0
        %a8 = OpRawAccessChainNV %p_mat4 %block %u3 %u0 %u0
        ;                        ^^^^^^^ error[access-chain]: Result Type must point to a scalar or vector
        ;                              = line 47:1: defined here
        %a9 = OpRawAccessChainNV %p_ubo %block %u3 %u0 %u0
        ;                        ^^^^^^ error[access-chain]: Result Type must point to a scalar or vector
        ;                             = line 49:1: defined here
        %a10 = OpRawAccessChainNV %float %block %u3 %u0 %u0
        ;                         ^^^^^^ error[access-chain]: Result Type must be a pointer
        ;                              = line 28:1: defined here
        %a11 = OpRawAccessChainNV %p_float %block %spec %u0 %u0
        ;                                         ^^^^^ error[access-chain]: Byte Stride must be an integer OpConstant, `%spec` is not
        ;                                             = line 39:1: defined here
        %a12 = OpRawAccessChainNV %p_float %block %f1 %u0 %u0
        ;                                         ^^^ error[access-chain]: Byte Stride must be an integer OpConstant, `%f1` is not
        ;                                           = line 38:1: defined here
        %a13 = OpRawAccessChainNV %p_float %block %l0 %u0 %u0
        %a14 = OpRawAccessChainNV %p_float %block %u3 %l0 %u0
        ;                                             ^^^ error[access-chain]: Element Index and Byte Offset must be 32-bit integers
        ;                                               = line 37:1: defined here
        %a15 = OpRawAccessChainNV %p_float %block %u3 %u0 %l0
        ;                                                 ^^^ error[access-chain]: Element Index and Byte Offset must be 32-bit integers
        ;                                                   = line 37:1: defined here
        %a16 = OpRawAccessChainNV %p_float %block %u3 %f1 %u0
        ;                                             ^^^ error[access-chain]: Element Index and Byte Offset must be 32-bit integers
        ;                                               = line 38:1: defined here
        %a17 = OpRawAccessChainNV %p_float %block %u3 %i0 %sum
        OpReturn
        OpFunctionEnd
    "#]]);
}
