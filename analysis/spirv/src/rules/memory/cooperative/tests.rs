//! Operands of each instruction: those that fit and those that do not.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn matrices_are_loaded_through_pointers_to_numbers() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpExtension "SPV_KHR_cooperative_matrix"
        OpMemoryModel Logical Vulkan
        OpEntryPoint GLCompute %main "main" %var
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[interface]: `%shared` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.6
        ;                                      = line 20:1: the variable
        ;                                      = fix: OpEntryPoint GLCompute %main "main" %var %shared
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %0u = OpConstant %uint 0
        %3u = OpConstant %uint 3
        %8u = OpConstant %uint 8
        %spec = OpSpecConstant %uint 0
        %mat = OpTypeCooperativeMatrixKHR %float %3u %8u %8u %0u
        %p = OpTypePointer Private %float
        %q = OpTypePointer Workgroup %float
        %var = OpVariable %p Private
        %shared = OpVariable %q Workgroup
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %a = OpCooperativeMatrixLoadKHR %mat %var %0u
        ;                                    ^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                       = line 19:1: defined here
        %b = OpCooperativeMatrixLoadKHR %mat %shared %0u
        ;                                            ^^^ error[operand-type]: this memory layout requires a Stride
        ;                                              = line 12:1: defined here
        %c = OpCooperativeMatrixLoadKHR %float %shared %0u %8u
        ;                               ^^^^^^ error[operand-type]: expected a cooperative matrix, found float
        ;                                    = line 11:1: defined here
        %d = OpCooperativeMatrixLengthKHR %uint %float
        ;                                       ^^^^^^ error[operand-type]: `%float` is not a cooperative matrix type
        ;                                            = line 11:1: defined here
        %sum = OpIAdd %uint %0u %8u
        %e = OpCooperativeMatrixLoadKHR %mat %shared %sum %8u
        ;                                            ^^^^ error[operand-type]: the memory layout must be an integer constant, `%sum` is not
        ;                                               = line 28:1: defined here
        %f = OpCooperativeMatrixLoadKHR %mat %shared %spec
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn matrices_at_the_limits_of_each_operand() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpCapability PhysicalStorageBufferAddresses
        OpCapability Int64
        OpExtension "SPV_KHR_cooperative_matrix"
        OpMemoryModel PhysicalStorageBuffer64 Vulkan
        OpEntryPoint GLCompute %main "main" %shared %ints %vectors %bools %structs %private %buffer
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %floats ArrayStride 4
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpDecorate %buffer DescriptorSet 0
        OpDecorate %buffer Binding 0
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %true = OpConstantTrue %bool
        %c0 = OpConstant %uint 0
        %c1 = OpConstant %uint 1
        %c2 = OpConstant %uint 2
        %c3 = OpConstant %uint 3
        %c8 = OpConstant %uint 8
        %i1 = OpConstant %int 1
        %l8 = OpConstant %ulong 8
        %f1 = OpConstant %float 1
        %address = OpConstant %ulong 64
        %s = OpTypeStruct %float
        %floats = OpTypeRuntimeArray %float
        %block = OpTypeStruct %floats
        %mat = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c8 %c0
        %imat = OpTypeCooperativeMatrixKHR %int %c3 %c8 %c8 %c0
        %m = OpConstantNull %mat
        %p_private = OpTypePointer Private %float
        %p_shared = OpTypePointer Workgroup %float
        %p_ints = OpTypePointer Workgroup %int
        %p_vectors = OpTypePointer Workgroup %vec4
        %p_bools = OpTypePointer Workgroup %bool
        %p_structs = OpTypePointer Workgroup %s
        %p_block = OpTypePointer StorageBuffer %block
        %p_storage = OpTypePointer StorageBuffer %float
        %p_physical = OpTypePointer PhysicalStorageBuffer %float
        %private = OpVariable %p_private Private
        %shared = OpVariable %p_shared Workgroup
        %ints = OpVariable %p_ints Workgroup
        %vectors = OpVariable %p_vectors Workgroup
        %bools = OpVariable %p_bools Workgroup
        %structs = OpVariable %p_structs Workgroup
        %buffer = OpVariable %p_block StorageBuffer
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %c1 %c2
        %chain = OpAccessChain %p_storage %buffer %c0 %c1
        %physical = OpConvertUToPtr %p_physical %address
        %a0 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8
        %a1 = OpCooperativeMatrixLoadKHR %mat %chain %c1 %c8
        %a2 = OpCooperativeMatrixLoadKHR %mat %vectors %c0 %c8
        %a3 = OpCooperativeMatrixLoadKHR %mat %ints %c0 %c8
        %a4 = OpCooperativeMatrixLoadKHR %mat %bools %c0 %c8
        ;                                     ^^^^^^ error[operand-type]: expected a pointer to a number or vector of numbers, found ptr Workgroup bool
        ;                                          = line 52:1: defined here
        %a5 = OpCooperativeMatrixLoadKHR %mat %structs %c0 %c8
        ;                                     ^^^^^^^^ error[operand-type]: expected a pointer to a number or vector of numbers, found ptr Workgroup struct %s
        ;                                            = line 53:1: defined here
        %a6 = OpCooperativeMatrixLoadKHR %mat %private %c0 %c8
        ;                                     ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                            = line 48:1: defined here
        %a7 = OpCooperativeMatrixLoadKHR %mat %f1 %c0 %c8
        ;                                     ^^^ error[operand-type]: expected a pointer, found float
        ;                                       = line 31:1: defined here
        %a8 = OpCooperativeMatrixLoadKHR %vec4 %shared %c0 %c8
        ;                                ^^^^^ error[operand-type]: expected a cooperative matrix, found vec4
        ;                                    = line 22:1: defined here
        %a9 = OpCooperativeMatrixLoadKHR %mat %shared %c0
        ;                                             ^^^ error[operand-type]: this memory layout requires a Stride
        ;                                               = line 24:1: defined here
        %a10 = OpCooperativeMatrixLoadKHR %mat %shared %c1
        ;                                              ^^^ error[operand-type]: this memory layout requires a Stride
        ;                                                = line 25:1: defined here
        %a11 = OpCooperativeMatrixLoadKHR %mat %shared %c2
        %a12 = OpCooperativeMatrixLoadKHR %mat %shared %i1 %c8
        %a13 = OpCooperativeMatrixLoadKHR %mat %shared %f1 %c8
        ;                                              ^^^ error[operand-type]: the memory layout must be an integer constant, `%f1` is not
        ;                                                = line 31:1: defined here
        %a14 = OpCooperativeMatrixLoadKHR %mat %shared %sum %c8
        ;                                              ^^^^ error[operand-type]: the memory layout must be an integer constant, `%sum` is not
        ;                                                 = line 58:1: defined here
        %a15 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %sum
        %a16 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %f1
        ;                                                  ^^^ error[operand-type]: expected an integer, found float
        ;                                                    = line 31:1: defined here
        %a17 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %i1
        %a18 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %l8
        %a19 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8 Aligned 16
        %a20 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8 Aligned 12
        ;                                                              ^^ error[memory-access]: the alignment 12 is not a power of two
        %a21 = OpCooperativeMatrixLoadKHR %mat %physical %c0 %c8
        %a22 = OpCooperativeMatrixLoadKHR %mat %physical %c0 %c8 Volatile
        ;                                                        ^^^^^^^^ error[memory-access]: these memory operands must include Aligned, because the access is to PhysicalStorageBuffer [VUID-StandaloneSpirv-PhysicalStorageBuffer64-04708]
        %a23 = OpCooperativeMatrixLoadKHR %mat %physical %c0 %c8 Aligned 4
        %a24 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8 NonPrivatePointer|MakePointerVisible %c2
        %a25 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8 MakePointerVisible %c2
        ;                                                      ^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerVisible requires NonPrivatePointer
        %a26 = OpCooperativeMatrixLoadKHR %mat %shared %c0 %c8 NonPrivatePointer|MakePointerAvailable %c2
        ;                                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerAvailable can be used only for stores
        OpCooperativeMatrixStoreKHR %shared %m %c0 %c8
        OpCooperativeMatrixStoreKHR %chain %m %c1 %c8
        OpCooperativeMatrixStoreKHR %private %m %c0 %c8
        ;                           ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                  = line 48:1: defined here
        OpCooperativeMatrixStoreKHR %bools %m %c0 %c8
        ;                           ^^^^^^ error[operand-type]: expected a pointer to a number or vector of numbers, found ptr Workgroup bool
        ;                                = line 52:1: defined here
        OpCooperativeMatrixStoreKHR %shared %f1 %c0 %c8
        ;                                   ^^^ error[operand-type]: expected a cooperative matrix, found float
        ;                                     = line 31:1: defined here
        OpCooperativeMatrixStoreKHR %f1 %m %c0 %c8
        ;                           ^^^ error[operand-type]: expected a pointer, found float
        ;                             = line 31:1: defined here
        OpCooperativeMatrixStoreKHR %shared %m %c1
        ;                                      ^^^ error[operand-type]: this memory layout requires a Stride
        ;                                        = line 25:1: defined here
        OpCooperativeMatrixStoreKHR %shared %m %c2
        OpCooperativeMatrixStoreKHR %shared %m %sum %c8
        ;                                      ^^^^ error[operand-type]: the memory layout must be an integer constant, `%sum` is not
        ;                                         = line 58:1: defined here
        OpCooperativeMatrixStoreKHR %shared %m %c0 %f1
        ;                                          ^^^ error[operand-type]: expected an integer, found float
        ;                                            = line 31:1: defined here
        OpCooperativeMatrixStoreKHR %shared %m %c0 %c8 NonPrivatePointer|MakePointerAvailable %c2
        OpCooperativeMatrixStoreKHR %shared %m %c0 %c8 MakePointerAvailable %c2
        ;                                              ^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerAvailable requires NonPrivatePointer
        OpCooperativeMatrixStoreKHR %shared %m %c0 %c8 NonPrivatePointer|MakePointerVisible %c2
        ;                                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[memory-access]: MakePointerVisible can be used only for loads
        OpCooperativeMatrixStoreKHR %physical %m %c0 %c8
        OpCooperativeMatrixStoreKHR %physical %m %c0 %c8 Aligned 8
        %b0 = OpCooperativeMatrixLengthKHR %uint %mat
        %b1 = OpCooperativeMatrixLengthKHR %int %mat
        ;                                  ^^^^ error[operand-type]: expected a 32-bit unsigned integer as Result Type, found int
        ;                                     = line 18:1: defined here
        %b2 = OpCooperativeMatrixLengthKHR %ulong %mat
        ;                                  ^^^^^^ error[operand-type]: expected a 32-bit unsigned integer as Result Type, found uint64_t
        ;                                       = line 20:1: defined here
        %b3 = OpCooperativeMatrixLengthKHR %uint %vec4
        ;                                        ^^^^^ error[operand-type]: `%vec4` is not a cooperative matrix type
        ;                                            = line 22:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn matrices_through_tensors_and_vectors() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability CooperativeMatrixKHR
        OpCapability CooperativeMatrixTensorAddressingNV
        OpCapability CooperativeMatrixBlockLoadsNV
        OpCapability TensorAddressingNV
        OpCapability CooperativeVectorNV
        OpCapability PhysicalStorageBufferAddresses
        OpExtension "SPV_KHR_cooperative_matrix"
        OpExtension "SPV_NV_cooperative_matrix2"
        OpExtension "SPV_NV_tensor_addressing"
        OpExtension "SPV_NV_cooperative_vector"
        OpMemoryModel PhysicalStorageBuffer64 Vulkan
        OpEntryPoint GLCompute %main "main" %shared %private %array %bools %shared_vectors
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %false = OpConstantFalse %bool
        %c0 = OpConstant %uint 0
        %c1 = OpConstant %uint 1
        %c2 = OpConstant %uint 2
        %c3 = OpConstant %uint 3
        %c8 = OpConstant %uint 8
        %f1 = OpConstant %float 1
        %mat = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c8 %c0
        %other = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c8 %c1
        %m = OpConstantNull %mat
        %n = OpConstantNull %other
        %layout = OpTypeTensorLayoutNV %c2 %c0
        %view = OpTypeTensorViewNV %c2 %false %c0 %c1
        %vec = OpTypeCooperativeVectorNV %float %c8
        %v = OpConstantNull %vec
        %pair = OpTypeArray %uint %c2
        %triple = OpTypeArray %uint %c3
        %many = OpTypeArray %float %c8
        %p_private = OpTypePointer Private %float
        %p_shared = OpTypePointer Workgroup %float
        %p_array = OpTypePointer Workgroup %many
        %p_bools = OpTypePointer Workgroup %bool
        %p_vectors = OpTypePointer Workgroup %vec4
        %p_physical = OpTypePointer PhysicalStorageBuffer %float
        %private = OpVariable %p_private Private
        %shared = OpVariable %p_shared Workgroup
        %array = OpVariable %p_array Workgroup
        %bools = OpVariable %p_bools Workgroup
        %shared_vectors = OpVariable %p_vectors Workgroup
        %decoder = OpTypeFunction %float %p_physical %pair %pair
        %decoder_int = OpTypeFunction %uint %p_physical %pair %pair
        %decoder_shared = OpTypeFunction %float %p_shared %pair %pair
        %decoder_first = OpTypeFunction %float %p_physical %triple %pair
        %decoder_second = OpTypeFunction %float %p_physical %pair %triple
        %decoder_scalar = OpTypeFunction %float %p_physical %uint %pair
        %fn = OpTypeFunction %void
        %decode = OpFunction %float None %decoder
        %decode_p = OpFunctionParameter %p_physical
        %decode_a = OpFunctionParameter %pair
        %decode_b = OpFunctionParameter %pair
        %decode_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %decode_int = OpFunction %uint None %decoder_int
        %decode_int_p = OpFunctionParameter %p_physical
        %decode_int_a = OpFunctionParameter %pair
        %decode_int_b = OpFunctionParameter %pair
        %decode_int_entry = OpLabel
        OpReturnValue %c1
        OpFunctionEnd
        %decode_shared = OpFunction %float None %decoder_shared
        %decode_shared_p = OpFunctionParameter %p_shared
        %decode_shared_a = OpFunctionParameter %pair
        %decode_shared_b = OpFunctionParameter %pair
        %decode_shared_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %decode_first = OpFunction %float None %decoder_first
        %decode_first_p = OpFunctionParameter %p_physical
        %decode_first_a = OpFunctionParameter %triple
        %decode_first_b = OpFunctionParameter %pair
        %decode_first_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %decode_second = OpFunction %float None %decoder_second
        %decode_second_p = OpFunctionParameter %p_physical
        %decode_second_a = OpFunctionParameter %pair
        %decode_second_b = OpFunctionParameter %triple
        %decode_second_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %decode_scalar = OpFunction %float None %decoder_scalar
        %decode_scalar_p = OpFunctionParameter %p_physical
        %decode_scalar_a = OpFunctionParameter %uint
        %decode_scalar_b = OpFunctionParameter %pair
        %decode_scalar_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %l = OpCreateTensorLayoutNV %layout
        %w = OpCreateTensorViewNV %view
        %a0 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None None
        %a1 = OpCooperativeMatrixLoadTensorNV %vec4 %shared %m %l None None
        ;                                     ^^^^^ error[operand-type]: expected a cooperative matrix, found vec4
        ;                                         = line 21:1: defined here
        %a2 = OpCooperativeMatrixLoadTensorNV %mat %f1 %m %l None None
        ;                                          ^^^ error[operand-type]: expected a pointer, found float
        ;                                            = line 28:1: defined here
        %a3 = OpCooperativeMatrixLoadTensorNV %mat %private %m %l None None
        ;                                          ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                                 = line 46:1: defined here
        %a4 = OpCooperativeMatrixLoadTensorNV %mat %shared %n %l None None
        ;                                                  ^^ error[operand-type]: expected cooperativematrixkhr %mat, the Result Type, found cooperativematrixkhr %other
        ;                                                   = line 32:1: defined here
        %a5 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %w None None
        ;                                                     ^^ error[operand-type]: expected a tensor layout, found tensorviewnv %view
        ;                                                      = line 103:1: defined here
        %a6 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l Aligned 4 None
        %a7 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l Aligned 3 None
        ;                                                                ^ error[memory-access]: the alignment 3 is not a power of two
        %a8 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None TensorView %w
        %a9 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None TensorView %l
        ;                                                                        ^^ error[operand-type]: expected a tensor view, found tensorlayoutnv %layout
        ;                                                                         = line 102:1: defined here
        %a10 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode
        %a11 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %l
        ;                                                                         ^^ error[operand-type]: `%l` is not a function
        ;                                                                          = line 102:1: defined here
        %a12 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode_int
        ;                                                                         ^^^^^^^^^^^ error[operand-type]: `%decode_int` must return float
        ;                                                                                   = line 65:1: defined here
        %a13 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode_shared
        ;                                                                         ^^^^^^^^^^^^^^ error[operand-type]: the first parameter of `%decode_shared` must be a pointer to PhysicalStorageBuffer
        ;                                                                                      = line 72:1: defined here
        %a14 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode_first
        ;                                                                         ^^^^^^^^^^^^^ error[operand-type]: the second and third parameters of `%decode_first` must be arrays with an integer for each dimension
        ;                                                                                     = line 79:1: defined here
        %a15 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode_second
        ;                                                                         ^^^^^^^^^^^^^^ error[operand-type]: the second and third parameters of `%decode_second` must be arrays with an integer for each dimension
        ;                                                                                      = line 86:1: defined here
        %a16 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None DecodeFunc %decode_scalar
        ;                                                                         ^^^^^^^^^^^^^^ error[operand-type]: the second and third parameters of `%decode_scalar` must be arrays with an integer for each dimension
        ;                                                                                      = line 93:1: defined here
        %a17 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None TensorView|DecodeFunc %w %decode
        %a18 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None TensorView|DecodeFunc %w %decode_int
        ;                                                                                       ^^^^^^^^^^^ error[operand-type]: `%decode_int` must return float
        ;                                                                                                 = line 65:1: defined here
        %a19 = OpCooperativeMatrixLoadTensorNV %mat %shared %m %l None TensorView|DecodeFunc %decode %w
        ;                                                                                    ^^^^^^^ error[operand-type]: expected a tensor view, found float
        ;                                                                                          = line 58:1: defined here
        OpCooperativeMatrixStoreTensorNV %shared %m %l None None
        OpCooperativeMatrixStoreTensorNV %private %m %l None None
        ;                                ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                       = line 46:1: defined here
        OpCooperativeMatrixStoreTensorNV %f1 %m %l None None
        ;                                ^^^ error[operand-type]: expected a pointer, found float
        ;                                  = line 28:1: defined here
        OpCooperativeMatrixStoreTensorNV %shared %f1 %l None None
        ;                                        ^^^ error[operand-type]: expected a cooperative matrix, found float
        ;                                          = line 28:1: defined here
        OpCooperativeMatrixStoreTensorNV %shared %m %w None None
        ;                                           ^^ error[operand-type]: expected a tensor layout, found tensorviewnv %view
        ;                                            = line 103:1: defined here
        OpCooperativeMatrixStoreTensorNV %shared %m %l Aligned 3 None
        ;                                                      ^ error[memory-access]: the alignment 3 is not a power of two
        OpCooperativeMatrixStoreTensorNV %shared %m %l None TensorView %w
        OpCooperativeMatrixStoreTensorNV %shared %m %l None TensorView %m
        ;                                                              ^^ error[operand-type]: expected a tensor view, found cooperativematrixkhr %mat
        ;                                                               = line 31:1: defined here
        OpCooperativeMatrixStoreTensorNV %shared %m %l None DecodeFunc %decode
        ;                                                   ^^^^^^^^^^ error[operand-type]: DecodeFunc can be used only for loads
        %b0 = OpCooperativeVectorLoadNV %vec %array %c0
        %b1 = OpCooperativeVectorLoadNV %vec %shared %c0
        ;                                    ^^^^^^^ error[operand-type]: expected a pointer to an array of numbers, found ptr Workgroup float
        ;                                          = line 47:1: defined here
        %b2 = OpCooperativeVectorLoadNV %vec %shared_vectors %c0
        ;                                    ^^^^^^^^^^^^^^^ error[operand-type]: expected a pointer to an array of numbers, found ptr Workgroup vec4
        ;                                                  = line 50:1: defined here
        %b3 = OpCooperativeVectorLoadNV %vec %bools %c0
        ;                                    ^^^^^^ error[operand-type]: expected a pointer to an array of numbers, found ptr Workgroup bool
        ;                                         = line 49:1: defined here
        %b4 = OpCooperativeVectorLoadNV %vec %private %c0
        ;                                    ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                           = line 46:1: defined here
        %b5 = OpCooperativeVectorLoadNV %vec %f1 %c0
        ;                                    ^^^ error[operand-type]: expected a pointer, found float
        ;                                      = line 28:1: defined here
        %b6 = OpCooperativeVectorLoadNV %vec4 %array %c0
        ;                               ^^^^^ error[operand-type]: expected a cooperative vector, found vec4
        ;                                   = line 21:1: defined here
        %b7 = OpCooperativeVectorLoadNV %vec %array %c0 Aligned 16
        %b8 = OpCooperativeVectorLoadNV %vec %array %c0 Aligned 17
        ;                                                       ^^ error[memory-access]: the alignment 17 is not a power of two
        OpCooperativeVectorStoreNV %array %c0 %v
        OpCooperativeVectorStoreNV %bools %c0 %v
        ;                          ^^^^^^ error[operand-type]: expected a pointer to an array of numbers, found ptr Workgroup bool
        ;                               = line 49:1: defined here
        OpCooperativeVectorStoreNV %private %c0 %v
        ;                          ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                 = line 46:1: defined here
        OpCooperativeVectorStoreNV %array %c0 %m
        ;                                     ^^ error[operand-type]: expected a cooperative vector, found cooperativematrixkhr %mat
        ;                                      = line 31:1: defined here
        OpCooperativeVectorStoreNV %array %c0 %v Aligned 17
        ;                                                ^^ error[memory-access]: the alignment 17 is not a power of two
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn matrices_of_nvidia() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Linkage
        OpCapability CooperativeMatrixNV
        OpExtension "SPV_NV_cooperative_matrix"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %vec4 = OpTypeVector %float 4
        %true = OpConstantTrue %bool
        %c3 = OpConstant %uint 3
        %c8 = OpConstant %uint 8
        %f1 = OpConstant %float 1
        %mat = OpTypeCooperativeMatrixNV %float %c3 %c8 %c8
        %m = OpConstantNull %mat
        %p_private = OpTypePointer Private %float
        %p_shared = OpTypePointer Workgroup %float
        %p_vectors = OpTypePointer Workgroup %vec4
        %p_bools = OpTypePointer Workgroup %bool
        %private = OpVariable %p_private Private
        %shared = OpVariable %p_shared Workgroup
        %vectors = OpVariable %p_vectors Workgroup
        %bools = OpVariable %p_bools Workgroup
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %c3 %c8
        %not = OpLogicalNot %bool %true
        %a0 = OpCooperativeMatrixLoadNV %mat %shared %c8 %true
        %a1 = OpCooperativeMatrixLoadNV %mat %vectors %sum %true
        %a2 = OpCooperativeMatrixLoadNV %mat %bools %c8 %true
        ;                                    ^^^^^^ error[operand-type]: expected a pointer to a number or vector of numbers, found ptr Workgroup bool
        ;                                         = line 26:1: defined here
        %a3 = OpCooperativeMatrixLoadNV %mat %private %c8 %true
        ;                                    ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                           = line 23:1: defined here
        %a4 = OpCooperativeMatrixLoadNV %vec4 %shared %c8 %true
        ;                               ^^^^^ error[operand-type]: expected a cooperative matrix, found vec4
        ;                                   = line 12:1: defined here
        %a5 = OpCooperativeMatrixLoadNV %mat %f1 %c8 %true
        ;                                    ^^^ error[operand-type]: expected a pointer, found float
        ;                                      = line 16:1: defined here
        %a6 = OpCooperativeMatrixLoadNV %mat %shared %f1 %true
        ;                                            ^^^ error[operand-type]: expected an integer, found float
        ;                                              = line 16:1: defined here
        %a7 = OpCooperativeMatrixLoadNV %mat %shared %c8 %not
        ;                                                ^^^^ error[operand-type]: expected a constant Boolean, found bool
        ;                                                   = line 31:1: defined here
        %a8 = OpCooperativeMatrixLoadNV %mat %shared %c8 %c8
        ;                                                ^^^ error[operand-type]: expected a constant Boolean, found uint
        ;                                                  = line 15:1: defined here
        %a9 = OpCooperativeMatrixLoadNV %mat %shared %c8 %true Aligned 8
        %a10 = OpCooperativeMatrixLoadNV %mat %shared %c8 %true Aligned 9
        ;                                                               ^ error[memory-access]: the alignment 9 is not a power of two
        OpCooperativeMatrixStoreNV %shared %m %c8 %true
        OpCooperativeMatrixStoreNV %private %m %c8 %true
        ;                          ^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, StorageBuffer or PhysicalStorageBuffer, found ptr Private float
        ;                                 = line 23:1: defined here
        OpCooperativeMatrixStoreNV %bools %m %c8 %true
        ;                          ^^^^^^ error[operand-type]: expected a pointer to a number or vector of numbers, found ptr Workgroup bool
        ;                               = line 26:1: defined here
        OpCooperativeMatrixStoreNV %shared %f1 %c8 %true
        ;                                  ^^^ error[operand-type]: expected a cooperative matrix, found float
        ;                                    = line 16:1: defined here
        OpCooperativeMatrixStoreNV %shared %m %f1 %true
        ;                                     ^^^ error[operand-type]: expected an integer, found float
        ;                                       = line 16:1: defined here
        OpCooperativeMatrixStoreNV %shared %m %c8 %not
        ;                                         ^^^^ error[operand-type]: expected a constant Boolean, found bool
        ;                                            = line 31:1: defined here
        OpCooperativeMatrixStoreNV %shared %m %c8 %true Aligned 9
        ;                                                       ^ error[memory-access]: the alignment 9 is not a power of two
        %b0 = OpCooperativeMatrixLengthNV %uint %mat
        %b1 = OpCooperativeMatrixLengthNV %int %mat
        ;                                 ^^^^ error[operand-type]: expected a 32-bit unsigned integer as Result Type, found int
        ;                                    = line 9:1: defined here
        %b2 = OpCooperativeMatrixLengthNV %uint %vec4
        ;                                       ^^^^^ error[operand-type]: `%vec4` is not a cooperative matrix type
        ;                                           = line 12:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
