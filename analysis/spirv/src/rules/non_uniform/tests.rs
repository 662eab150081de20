//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn group_operations_take_the_types_that_they_combine() {
    let shader = Shader {
        head: "; target-env: spv1.3
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformArithmetic
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle",
        body: "%a = OpGroupNonUniformElect %float %u3
%b = OpGroupNonUniformIAdd %float %u3 Reduce %f1
%c = OpGroupNonUniformBallot %vec4 %u3 %true
%d = OpGroupNonUniformShuffle %float %u3 %f1 %i0",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%float`: expected a Boolean as Result Type, found float
          15:1 `%float`: defined here
        error[operand-type] `%float`: expected an integer scalar or vector as Result Type, found float
          15:1 `%float`: defined here
        error[operand-type] `%vec4`: expected a vector of 4 unsigned integers as Result Type, found vec4
          19:1 `%vec4`: defined here
        error[operand-type] `%i0`: expected an unsigned integer, found int
          22:1 `%i0`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn a_partition_has_no_scope() {
    let shader = Shader {
        head: "; target-env: vulkan1.2
OpCapability Shader
OpCapability GroupNonUniform
OpCapability GroupNonUniformPartitionedNV
OpExtension \"SPV_NV_shader_subgroup_partitioned\"",
        types: "%uvec4 = OpTypeVector %uint 4",
        body: "%a = OpGroupNonUniformPartitionNV %uvec4 %u3",
        ..Shader::NEW
    };
    expect![""].assert_eq(&shader.findings());
}

#[test]
fn each_instruction_takes_its_types() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability GroupNonUniform
        OpCapability GroupNonUniformVote
        OpCapability GroupNonUniformArithmetic
        OpCapability GroupNonUniformBallot
        OpCapability GroupNonUniformShuffle
        OpCapability GroupNonUniformShuffleRelative
        OpCapability GroupNonUniformClustered
        OpCapability GroupNonUniformQuad
        OpCapability GroupNonUniformRotateKHR
        OpExtension "SPV_KHR_subgroup_rotate"
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %uint4 = OpTypeVector %uint 4
        %int4 = OpTypeVector %int 4
        %uint2 = OpTypeVector %uint 2
        %vec2 = OpTypeVector %float 2
        %true = OpConstantTrue %bool
        %scope = OpConstant %uint 3
        %i = OpConstant %int 1
        %u = OpConstant %uint 2
        %u3 = OpConstant %uint 3
        %f = OpConstant %float 1
        %b = OpConstantNull %uint4
        %b2 = OpConstantNull %uint2
        %bi = OpConstantNull %int4
        %v2 = OpConstantNull %vec2
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %n = OpCopyObject %uint %u
        %x0 = OpGroupNonUniformElect %bool %scope
        %x1 = OpGroupNonUniformElect %uint %scope
        ;                            ^^^^^ error[operand-type]: expected a Boolean as Result Type, found uint
        ;                                = line 19:1: defined here
        %x2 = OpGroupNonUniformAll %bool %scope %true
        %x3 = OpGroupNonUniformAll %bool %scope %u
        ;                                       ^^ error[operand-type]: expected a Boolean, found uint
        ;                                        = line 28:1: defined here
        %x4 = OpGroupNonUniformAllEqual %bool %scope %f
        %x5 = OpGroupNonUniformAny %int %scope %true
        ;                          ^^^^ error[operand-type]: expected a Boolean as Result Type, found int
        ;                             = line 18:1: defined here
        %x6 = OpGroupNonUniformBroadcast %float %scope %f %u
        %x7 = OpGroupNonUniformBroadcast %float %scope %f %i
        ;                                                 ^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                  = line 27:1: defined here
        %x8 = OpGroupNonUniformBroadcast %float %scope %v2 %u
        ;                                              ^^^ error[operand-type]: expected float, the Result Type, found vec2
        ;                                                = line 34:1: defined here
        %x9 = OpGroupNonUniformBroadcastFirst %float %scope %f
        %x10 = OpGroupNonUniformBroadcastFirst %vec2 %scope %f
        ;                                                   ^^ error[operand-type]: expected vec2, the Result Type, found float
        ;                                                    = line 30:1: defined here
        %x11 = OpGroupNonUniformBallot %uint4 %scope %true
        %x12 = OpGroupNonUniformBallot %uint2 %scope %true
        ;                              ^^^^^^ error[operand-type]: expected a vector of 4 unsigned integers as Result Type, found uvec2
        ;                                   = line 23:1: defined here
        %x13 = OpGroupNonUniformBallot %int4 %scope %true
        ;                              ^^^^^ error[operand-type]: expected a vector of 4 unsigned integers as Result Type, found ivec4
        ;                                  = line 22:1: defined here
        %x14 = OpGroupNonUniformBallot %uint4 %scope %u
        ;                                            ^^ error[operand-type]: expected a Boolean, found uint
        ;                                             = line 28:1: defined here
        %x15 = OpGroupNonUniformInverseBallot %bool %scope %b
        %x16 = OpGroupNonUniformInverseBallot %bool %scope %b2
        ;                                                  ^^^ error[operand-type]: expected a vector of 4 unsigned integers, found uvec2
        ;                                                    = line 32:1: defined here
        %x17 = OpGroupNonUniformInverseBallot %uint %scope %b
        ;                                     ^^^^^ error[operand-type]: expected a Boolean as Result Type, found uint
        ;                                         = line 19:1: defined here
        %x18 = OpGroupNonUniformBallotBitExtract %bool %scope %b %u
        %x19 = OpGroupNonUniformBallotBitExtract %bool %scope %b %i
        ;                                                        ^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                         = line 27:1: defined here
        %x20 = OpGroupNonUniformBallotBitExtract %bool %scope %bi %u
        ;                                                     ^^^ error[operand-type]: expected a vector of 4 unsigned integers, found ivec4
        ;                                                       = line 33:1: defined here
        %x21 = OpGroupNonUniformBallotBitCount %uint %scope Reduce %b
        %x22 = OpGroupNonUniformBallotBitCount %uint %scope ClusteredReduce %b
        ;                                                   ^^^^^^^^^^^^^^^ error[operand-type]: in Vulkan, the group operation must be Reduce, InclusiveScan or ExclusiveScan [VUID-StandaloneSpirv-OpGroupNonUniformBallotBitCount-04685]
        %x23 = OpGroupNonUniformBallotBitCount %float %scope Reduce %b
        ;                                      ^^^^^^ error[operand-type]: expected an unsigned integer as Result Type, found float
        ;                                           = line 20:1: defined here
        %x24 = OpGroupNonUniformBallotBitCount %uint %scope ExclusiveScan %u
        ;                                                                 ^^ error[operand-type]: expected a vector of 4 unsigned integers, found uint
        ;                                                                  = line 28:1: defined here
        %x25 = OpGroupNonUniformBallotFindLSB %uint %scope %b
        %x26 = OpGroupNonUniformBallotFindMSB %uint %scope %f
        ;                                                  ^^ error[operand-type]: expected a vector of 4 unsigned integers, found float
        ;                                                   = line 30:1: defined here
        %x27 = OpGroupNonUniformBallotFindLSB %int %scope %b
        ;                                     ^^^^ error[operand-type]: expected an unsigned integer as Result Type, found int
        ;                                        = line 18:1: defined here
        %x28 = OpGroupNonUniformShuffle %float %scope %f %u
        %x29 = OpGroupNonUniformShuffleXor %float %scope %f %i
        ;                                                   ^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                    = line 27:1: defined here
        %x30 = OpGroupNonUniformShuffleUp %float %scope %v2 %u
        ;                                               ^^^ error[operand-type]: expected float, the Result Type, found vec2
        ;                                                 = line 34:1: defined here
        %x31 = OpGroupNonUniformShuffleDown %vec2 %scope %v2 %f
        ;                                                    ^^ error[operand-type]: expected an unsigned integer, found float
        ;                                                     = line 30:1: defined here
        %x32 = OpGroupNonUniformIAdd %uint %scope Reduce %u
        %x33 = OpGroupNonUniformIAdd %float %scope Reduce %f
        ;                            ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                                 = line 20:1: defined here
        %x34 = OpGroupNonUniformIAdd %uint %scope Reduce %i
        ;                                                ^^ error[operand-type]: expected uint, the Result Type, found int
        ;                                                 = line 27:1: defined here
        %x35 = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %u
        ;                                         ^^^^^^^^^^^^^^^ error[operand-type]: missing ClusterSize, which ClusteredReduce requires
        %x36 = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %u %u
        %x37 = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %u %i
        ;                                                            ^^ error[operand-type]: expected an unsigned integer as ClusterSize, found int
        ;                                                             = line 27:1: defined here
        %x38 = OpGroupNonUniformIAdd %uint %scope ClusteredReduce %u %n
        ;                                                            ^^ error[operand-type]: ClusterSize must be a constant
        ;                                                             = line 38:1: defined here
        %x39 = OpGroupNonUniformFMul %float %scope InclusiveScan %f
        %x40 = OpGroupNonUniformFMul %uint %scope InclusiveScan %u
        ;                            ^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found uint
        ;                                = line 19:1: defined here
        %x41 = OpGroupNonUniformUMin %uint %scope Reduce %u
        %x42 = OpGroupNonUniformUMax %int %scope Reduce %i
        ;                            ^^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found int
        ;                               = line 18:1: defined here
        %x43 = OpGroupNonUniformLogicalAnd %bool %scope Reduce %true
        %x44 = OpGroupNonUniformLogicalOr %uint %scope Reduce %u
        ;                                 ^^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found uint
        ;                                     = line 19:1: defined here
        %x45 = OpGroupNonUniformSMin %int %scope Reduce %i
        %x46 = OpGroupNonUniformQuadBroadcast %float %scope %f %u
        %x47 = OpGroupNonUniformQuadBroadcast %float %scope %f %n
        %x48 = OpGroupNonUniformQuadSwap %float %scope %f %u
        %x49 = OpGroupNonUniformQuadSwap %float %scope %f %i
        ;                                                 ^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                  = line 27:1: defined here
        %x50 = OpGroupNonUniformRotateKHR %float %scope %f %u
        %x51 = OpGroupNonUniformRotateKHR %float %scope %f %i
        ;                                                  ^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                   = line 27:1: defined here
        %x52 = OpGroupNonUniformRotateKHR %float %scope %f %u %u
        %x53 = OpGroupNonUniformRotateKHR %float %scope %f %u %u3
        ;                                                     ^^^ error[operand-type]: ClusterSize must be a power of 2
        ;                                                       = line 29:1: defined here
        %x54 = OpGroupNonUniformRotateKHR %float %scope %f %u %n
        ;                                                     ^^ error[operand-type]: ClusterSize must be a constant
        ;                                                      = line 38:1: defined here
        %x55 = OpGroupNonUniformRotateKHR %float %scope %v2 %u
        ;                                               ^^^ error[operand-type]: expected float, the Result Type, found vec2
        ;                                                 = line 34:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn groups_in_clusters_and_partitions() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Linkage
        OpCapability GroupNonUniform
        OpCapability GroupNonUniformArithmetic
        OpCapability GroupNonUniformBallot
        OpCapability GroupNonUniformShuffle
        OpCapability GroupNonUniformClustered
        OpCapability GroupNonUniformQuad
        OpCapability GroupNonUniformRotateKHR
        OpCapability GroupNonUniformPartitionedNV
        OpExtension "SPV_KHR_subgroup_rotate"
        OpExtension "SPV_NV_shader_subgroup_partitioned"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %uint4 = OpTypeVector %uint 4
        %int4 = OpTypeVector %int 4
        %uint2 = OpTypeVector %uint 2
        %vec4 = OpTypeVector %float 4
        %bool2 = OpTypeVector %bool 2
        %int2 = OpTypeVector %int 2
        %true = OpConstantTrue %bool
        %scope = OpConstant %uint 3
        %u0 = OpConstant %uint 0
        %u3 = OpConstant %uint 3
        %u4 = OpConstant %uint 4
        %i4 = OpConstant %int 4
        %f = OpConstant %float 1
        %spec = OpSpecConstant %uint 4
        %ballot = OpConstantNull %uint4
        %signed = OpConstantNull %int4
        %short = OpConstantNull %uint2
        %v4 = OpConstantNull %vec4
        %b2 = OpConstantNull %bool2
        %i2 = OpConstantNull %int2
        %u2 = OpConstantNull %uint2
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u4 %u4
        %a0 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4 %u4
        %a1 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4
        ;                                       ^^^^^^^^^^^^^^^ error[operand-type]: missing ClusterSize, which ClusteredReduce requires
        %a2 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4 %i4
        ;                                                           ^^^ error[operand-type]: expected an unsigned integer as ClusterSize, found int
        ;                                                             = line 31:1: defined here
        %a3 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4 %f
        ;                                                           ^^ error[operand-type]: expected an unsigned integer as ClusterSize, found float
        ;                                                            = line 32:1: defined here
        %a4 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4 %sum
        ;                                                           ^^^^ error[operand-type]: ClusterSize must be a constant
        ;                                                              = line 44:1: defined here
        %a5 = OpGroupNonUniformIAdd %int %scope ClusteredReduce %i4 %spec
        %a6 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4 %ballot
        %a7 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4
        ;                                       ^^^^^^^^^^^^^^^^^^^ error[operand-type]: missing Ballot, which a partitioned operation requires
        %a8 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4 %short
        ;                                                               ^^^^^^ error[operand-type]: expected a vector of 4 integers as Ballot, found uvec2
        ;                                                                    = line 36:1: defined here
        %a9 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4 %signed
        %a10 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4 %v4
        ;                                                                ^^^ error[operand-type]: expected a vector of 4 integers as Ballot, found vec4
        ;                                                                  = line 37:1: defined here
        %a11 = OpGroupNonUniformIAdd %int %scope PartitionedReduceNV %i4 %u4
        ;                                                                ^^^ error[operand-type]: expected a vector of 4 integers as Ballot, found uint
        ;                                                                  = line 30:1: defined here
        %a12 = OpGroupNonUniformIAdd %int %scope PartitionedInclusiveScanNV %i4 %ballot
        %a13 = OpGroupNonUniformIAdd %int %scope PartitionedInclusiveScanNV %i4
        ;                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: missing Ballot, which a partitioned operation requires
        %a14 = OpGroupNonUniformIAdd %int %scope PartitionedExclusiveScanNV %i4 %ballot
        %a15 = OpGroupNonUniformIAdd %int %scope PartitionedExclusiveScanNV %i4
        ;                                        ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: missing Ballot, which a partitioned operation requires
        %a16 = OpGroupNonUniformIAdd %int %scope InclusiveScan %i4
        %a17 = OpGroupNonUniformIAdd %int %scope ExclusiveScan %i4
        %b0 = OpGroupNonUniformFAdd %float %scope Reduce %f
        %b1 = OpGroupNonUniformFMul %int %scope Reduce %i4
        ;                           ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                              = line 17:1: defined here
        %b2x = OpGroupNonUniformFMin %vec4 %scope Reduce %v4
        %b3 = OpGroupNonUniformFMax %float %scope Reduce %i4
        ;                                                ^^^ error[operand-type]: expected float, the Result Type, found int
        ;                                                  = line 31:1: defined here
        %b4 = OpGroupNonUniformSMin %uint %scope Reduce %u4
        %b5 = OpGroupNonUniformUMin %int %scope Reduce %i4
        ;                           ^^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found int
        ;                              = line 17:1: defined here
        %b6 = OpGroupNonUniformUMax %uint2 %scope Reduce %u2
        %b7 = OpGroupNonUniformSMax %float %scope Reduce %f
        ;                           ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                                = line 19:1: defined here
        %b8 = OpGroupNonUniformBitwiseAnd %int2 %scope Reduce %i2
        %b9 = OpGroupNonUniformBitwiseOr %bool %scope Reduce %true
        ;                                ^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found bool
        ;                                    = line 16:1: defined here
        %b10 = OpGroupNonUniformLogicalAnd %bool %scope Reduce %true
        %b11 = OpGroupNonUniformLogicalOr %bool2 %scope Reduce %b2
        %b12 = OpGroupNonUniformLogicalXor %uint %scope Reduce %u4
        ;                                  ^^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found uint
        ;                                      = line 18:1: defined here
        %b13 = OpGroupNonUniformBitwiseXor %float %scope Reduce %f
        ;                                  ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                                       = line 19:1: defined here
        %b14 = OpGroupNonUniformIMul %uint %scope Reduce %i4
        ;                                                ^^^ error[operand-type]: expected uint, the Result Type, found int
        ;                                                  = line 31:1: defined here
        %c0 = OpGroupNonUniformBroadcast %float %scope %f %u3
        %c1 = OpGroupNonUniformBroadcast %float %scope %f %sum
        ;                                                 ^^^^ error[operand-type]: before SPIR-V 1.5, this operand must be a constant
        ;                                                    = line 44:1: defined here
        %c2 = OpGroupNonUniformQuadBroadcast %float %scope %f %u3
        %c3 = OpGroupNonUniformQuadBroadcast %float %scope %f %sum
        ;                                                     ^^^^ error[operand-type]: before SPIR-V 1.5, this operand must be a constant
        ;                                                        = line 44:1: defined here
        %c4 = OpGroupNonUniformQuadSwap %float %scope %f %u0
        %c5 = OpGroupNonUniformQuadSwap %float %scope %f %sum
        ;                                                ^^^^ error[operand-type]: before SPIR-V 1.5, this operand must be a constant
        ;                                                   = line 44:1: defined here
        %c6 = OpGroupNonUniformShuffle %float %scope %f %sum
        %c7 = OpGroupNonUniformShuffleXor %float %scope %f %i4
        ;                                                  ^^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                    = line 31:1: defined here
        %c8 = OpGroupNonUniformRotateKHR %float %scope %f %u3
        %c9 = OpGroupNonUniformRotateKHR %float %scope %f %u3 %u4
        %c10 = OpGroupNonUniformRotateKHR %float %scope %f %u3 %u3
        ;                                                      ^^^ error[operand-type]: ClusterSize must be a power of 2
        ;                                                        = line 29:1: defined here
        %c11 = OpGroupNonUniformRotateKHR %float %scope %f %u3 %i4
        ;                                                      ^^^ error[operand-type]: expected an unsigned integer as ClusterSize, found int
        ;                                                        = line 31:1: defined here
        %c12 = OpGroupNonUniformRotateKHR %float %scope %f %u3 %sum
        ;                                                      ^^^^ error[operand-type]: ClusterSize must be a constant
        ;                                                         = line 44:1: defined here
        %c13 = OpGroupNonUniformRotateKHR %float %scope %f %u3 %u0
        ;                                                      ^^^ error[operand-type]: ClusterSize must be a power of 2
        ;                                                        = line 28:1: defined here
        %c14 = OpGroupNonUniformRotateKHR %int %scope %f %u3
        ;                                             ^^ error[operand-type]: expected int, the Result Type, found float
        ;                                              = line 32:1: defined here
        %d0 = OpGroupNonUniformBallotBitCount %uint %scope Reduce %ballot
        %d1 = OpGroupNonUniformBallotBitCount %int %scope Reduce %ballot
        ;                                     ^^^^ error[operand-type]: expected an unsigned integer as Result Type, found int
        ;                                        = line 17:1: defined here
        %d2 = OpGroupNonUniformBallotBitCount %uint %scope Reduce %signed
        ;                                                         ^^^^^^^ error[operand-type]: expected a vector of 4 unsigned integers, found ivec4
        ;                                                               = line 35:1: defined here
        %d3 = OpGroupNonUniformBallotBitCount %uint %scope ClusteredReduce %ballot
        %d4 = OpGroupNonUniformBallotFindLSB %uint %scope %ballot
        %d5 = OpGroupNonUniformBallotFindMSB %float %scope %ballot
        ;                                    ^^^^^^ error[operand-type]: expected an unsigned integer as Result Type, found float
        ;                                         = line 19:1: defined here
        %d6 = OpGroupNonUniformBallotFindMSB %uint %scope %short
        ;                                                 ^^^^^^ error[operand-type]: expected a vector of 4 unsigned integers, found uvec2
        ;                                                      = line 36:1: defined here
        %d7 = OpGroupNonUniformBallotBitExtract %bool %scope %ballot %u3
        %d8 = OpGroupNonUniformBallotBitExtract %bool %scope %ballot %i4
        ;                                                            ^^^ error[operand-type]: expected an unsigned integer, found int
        ;                                                              = line 31:1: defined here
        %d9 = OpGroupNonUniformInverseBallot %bool %scope %v4
        ;                                                 ^^^ error[operand-type]: expected a vector of 4 unsigned integers, found vec4
        ;                                                   = line 37:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
