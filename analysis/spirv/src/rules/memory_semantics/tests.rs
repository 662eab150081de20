//! Masks of each kind, and the instructions that restrict them.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn one_order_and_classes_that_exist() {
    let shader = Shader {
        head: "; target-env: vulkan1.1",
        types: "%both = OpConstant %uint 6
%none = OpConstant %uint 8",
        body: "OpMemoryBarrier %u1 %both
OpMemoryBarrier %u1 %none
OpMemoryBarrier %u1 %u0",
        ..Shader::NEW
    };
    expect![[r#"
        error[memory-semantics] `%both`: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
          29:1 `%both`: defined here
        error[memory-semantics] `%none`: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
          30:1 `%none`: defined here
        error[memory-semantics] `%u0`: in Vulkan, the semantics of a memory barrier must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10869]
          20:1 `%u0`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn semantics_with_the_vulkan_memory_model() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpMemoryModel Logical Vulkan
        OpEntryPoint GLCompute %main "main" %shared
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %f1 = OpConstant %float 1
        %invocation = OpConstant %uint 4
        %group = OpConstant %uint 2
        %subgroup = OpConstant %uint 3
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %s2 = OpConstant %uint 2
        %s4 = OpConstant %uint 4
        %s6 = OpConstant %uint 6
        %s8 = OpConstant %uint 8
        %sa = OpConstant %uint 10
        %sc = OpConstant %uint 12
        %s10 = OpConstant %uint 16
        %s12 = OpConstant %uint 18
        %s40 = OpConstant %uint 64
        %s42 = OpConstant %uint 66
        %s44 = OpConstant %uint 68
        %s48 = OpConstant %uint 72
        %s50 = OpConstant %uint 80
        %s88 = OpConstant %uint 136
        %s100 = OpConstant %uint 256
        %s102 = OpConstant %uint 258
        %s104 = OpConstant %uint 260
        %s108 = OpConstant %uint 264
        %s110 = OpConstant %uint 272
        %s208 = OpConstant %uint 520
        %s408 = OpConstant %uint 1032
        %s808 = OpConstant %uint 2056
        %s1008 = OpConstant %uint 4104
        %s2104 = OpConstant %uint 8452
        %s2108 = OpConstant %uint 8456
        %s2102 = OpConstant %uint 8450
        %s2004 = OpConstant %uint 8196
        %s4102 = OpConstant %uint 16642
        %s4108 = OpConstant %uint 16648
        %s4104 = OpConstant %uint 16644
        %s4002 = OpConstant %uint 16386
        %s8108 = OpConstant %uint 33032
        %s8102 = OpConstant %uint 33026
        %s6108 = OpConstant %uint 24840
        %spec = OpSpecConstant %uint 264
        %p = OpTypePointer Workgroup %uint
        %shared = OpVariable %p Workgroup
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        OpMemoryBarrier %group %s2
        ;                      ^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                        = line 17:1: defined here
        OpMemoryBarrier %group %s4
        ;                      ^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                        = line 18:1: defined here
        OpMemoryBarrier %group %s6
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 19:1: defined here
        OpMemoryBarrier %group %s8
        ;                      ^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                        = line 20:1: defined here
        OpMemoryBarrier %group %sa
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 21:1: defined here
        OpMemoryBarrier %group %sc
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 22:1: defined here
        OpMemoryBarrier %group %s10
        ;                      ^^^^ error[memory-semantics]: SequentiallyConsistent is not allowed with the Vulkan memory model
        ;                         = line 23:1: defined here
        OpMemoryBarrier %group %s12
        ;                      ^^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                         = line 24:1: defined here
        OpMemoryBarrier %group %s40
        ;                      ^^^^ error[memory-semantics]: in Vulkan, the semantics of a memory barrier must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10869]
        ;                         = line 25:1: defined here
        OpMemoryBarrier %group %s42
        OpMemoryBarrier %group %s44
        OpMemoryBarrier %group %s48
        OpMemoryBarrier %group %s50
        ;                      ^^^^ error[memory-semantics]: SequentiallyConsistent is not allowed with the Vulkan memory model
        ;                         = line 29:1: defined here
        OpMemoryBarrier %group %s88
        ;                      ^^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                         = line 30:1: defined here
        OpMemoryBarrier %group %s100
        ;                      ^^^^^ error[memory-semantics]: in Vulkan, the semantics of a memory barrier must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10869]
        ;                          = line 31:1: defined here
        OpMemoryBarrier %group %s102
        OpMemoryBarrier %group %s104
        OpMemoryBarrier %group %s108
        OpMemoryBarrier %group %s110
        ;                      ^^^^^ error[memory-semantics]: SequentiallyConsistent is not allowed with the Vulkan memory model
        ;                          = line 35:1: defined here
        OpMemoryBarrier %group %s208
        ;                      ^^^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                          = line 36:1: defined here
        OpMemoryBarrier %group %s408
        ;                      ^^^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                          = line 37:1: defined here
        OpMemoryBarrier %group %s808
        OpMemoryBarrier %group %s1008
        OpMemoryBarrier %group %s2104
        OpMemoryBarrier %group %s2108
        OpMemoryBarrier %group %s2102
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable requires Release or AcquireRelease
        ;                           = line 42:1: defined here
        OpMemoryBarrier %group %s2004
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable and MakeVisible require a storage class in the memory semantics
        ;                           = line 43:1: defined here
        OpMemoryBarrier %group %s4102
        OpMemoryBarrier %group %s4108
        OpMemoryBarrier %group %s4104
        ;                      ^^^^^^ error[memory-semantics]: MakeVisible requires Acquire or AcquireRelease
        ;                           = line 46:1: defined here
        OpMemoryBarrier %group %s4002
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable and MakeVisible require a storage class in the memory semantics
        ;                           = line 47:1: defined here
        OpMemoryBarrier %group %s8108
        ;                      ^^^^^^ error[memory-semantics]: Volatile can be used only with atomic instructions
        ;                           = line 48:1: defined here
        OpMemoryBarrier %group %s8102
        ;                      ^^^^^^ error[memory-semantics]: Volatile can be used only with atomic instructions
        ;                           = line 49:1: defined here
        OpMemoryBarrier %group %s6108
        OpMemoryBarrier %group %u0
        ;                      ^^^ error[memory-semantics]: in Vulkan, the semantics of a memory barrier must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10869]
        ;                        = line 15:1: defined here
        OpMemoryBarrier %group %spec
        ;                      ^^^^^ error[memory-semantics]: in shaders, memory semantics must be an OpConstant
        ;                          = line 51:1: defined here
        OpMemoryBarrier %group %sum
        ;                      ^^^^ error[memory-semantics]: in shaders, memory semantics must be an OpConstant
        ;                         = line 57:1: defined here
        OpMemoryBarrier %group %f1
        ;                      ^^^ error[memory-semantics]: expected a 32-bit integer as memory semantics
        ;                        = line 11:1: defined here
        OpMemoryBarrier %invocation %s108
        ;                           ^^^^^ error[memory-semantics]: in Vulkan, memory semantics must be None with the scope Invocation [VUID-StandaloneSpirv-None-04641]
        ;                               = line 34:1: defined here
        OpControlBarrier %group %group %u0
        OpControlBarrier %group %group %s108
        OpControlBarrier %group %group %s8
        ;                              ^^^ error[memory-semantics]: in Vulkan, memory semantics with a memory order must include a storage class [VUID-StandaloneSpirv-MemorySemantics-10870]
        ;                                = line 20:1: defined here
        OpControlBarrier %group %group %s100
        ;                              ^^^^^ error[memory-semantics]: in Vulkan, memory semantics with a storage class must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10871]
        ;                                  = line 31:1: defined here
        OpControlBarrier %group %invocation %u0
        OpControlBarrier %group %invocation %s108
        ;                                   ^^^^^ error[memory-semantics]: in Vulkan, memory semantics must be None with the scope Invocation [VUID-StandaloneSpirv-None-04641]
        ;                                       = line 34:1: defined here
        %a0 = OpAtomicLoad %uint %shared %group %u0
        %a1 = OpAtomicLoad %uint %shared %group %s102
        %a2 = OpAtomicLoad %uint %shared %group %s104
        ;                                       ^^^^^ error[memory-semantics]: the semantics of OpAtomicLoad must not be Release or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10868]
        ;                                           = line 33:1: defined here
        %a3 = OpAtomicLoad %uint %shared %group %s108
        ;                                       ^^^^^ error[memory-semantics]: the semantics of OpAtomicLoad must not be Release or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10868]
        ;                                           = line 34:1: defined here
        %a4 = OpAtomicLoad %uint %shared %group %s110
        ;                                       ^^^^^ error[memory-semantics]: SequentiallyConsistent is not allowed with the Vulkan memory model
        ;                                           = line 35:1: defined here
        %a5 = OpAtomicLoad %uint %shared %invocation %u0
        %a6 = OpAtomicLoad %uint %shared %invocation %s102
        ;                                            ^^^^^ error[memory-semantics]: in Vulkan, memory semantics must be None with the scope Invocation [VUID-StandaloneSpirv-None-04641]
        ;                                                = line 32:1: defined here
        %a7 = OpAtomicLoad %uint %shared %group %s8102
        OpAtomicStore %shared %group %u0 %u1
        OpAtomicStore %shared %group %s104 %u1
        OpAtomicStore %shared %group %s102 %u1
        ;                            ^^^^^ error[memory-semantics]: the semantics of OpAtomicStore must not be Acquire or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10867]
        ;                                = line 32:1: defined here
        OpAtomicStore %shared %group %s108 %u1
        ;                            ^^^^^ error[memory-semantics]: the semantics of OpAtomicStore must not be Acquire or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10867]
        ;                                = line 34:1: defined here
        %b0 = OpAtomicCompareExchange %uint %shared %group %s108 %s102 %u1 %u0
        %b1 = OpAtomicCompareExchange %uint %shared %group %s108 %s104 %u1 %u0
        ;                                                        ^^^^^ error[memory-semantics]: the Unequal semantics must not be Release or AcquireRelease
        ;                                                            = line 33:1: defined here
        %b2 = OpAtomicCompareExchange %uint %shared %group %s108 %s108 %u1 %u0
        ;                                                        ^^^^^ error[memory-semantics]: the Unequal semantics must not be Release or AcquireRelease
        ;                                                            = line 34:1: defined here
        %b3 = OpAtomicCompareExchange %uint %shared %group %s104 %u0 %u1 %u0
        %b4 = OpAtomicIAdd %uint %shared %group %s100 %u1
        ;                                       ^^^^^ error[memory-semantics]: in Vulkan, memory semantics with a storage class must include a memory order [VUID-StandaloneSpirv-MemorySemantics-10871]
        ;                                           = line 31:1: defined here
        %b5 = OpAtomicIAdd %uint %shared %group %s108 %u1
        %b6 = OpAtomicIAdd %uint %shared %group %s8108 %u1
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn semantics_in_universal_modules() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main" %shared
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %f1 = OpConstant %float 1
        %invocation = OpConstant %uint 4
        %group = OpConstant %uint 2
        %subgroup = OpConstant %uint 3
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %s2 = OpConstant %uint 2
        %s4 = OpConstant %uint 4
        %s6 = OpConstant %uint 6
        %s8 = OpConstant %uint 8
        %sa = OpConstant %uint 10
        %sc = OpConstant %uint 12
        %s10 = OpConstant %uint 16
        %s12 = OpConstant %uint 18
        %s40 = OpConstant %uint 64
        %s42 = OpConstant %uint 66
        %s44 = OpConstant %uint 68
        %s48 = OpConstant %uint 72
        %s50 = OpConstant %uint 80
        %s88 = OpConstant %uint 136
        %s100 = OpConstant %uint 256
        %s102 = OpConstant %uint 258
        %s104 = OpConstant %uint 260
        %s108 = OpConstant %uint 264
        %s110 = OpConstant %uint 272
        %s208 = OpConstant %uint 520
        %s408 = OpConstant %uint 1032
        %s808 = OpConstant %uint 2056
        %s1008 = OpConstant %uint 4104
        %s2104 = OpConstant %uint 8452
        %s2108 = OpConstant %uint 8456
        %s2102 = OpConstant %uint 8450
        %s2004 = OpConstant %uint 8196
        %s4102 = OpConstant %uint 16642
        %s4108 = OpConstant %uint 16648
        %s4104 = OpConstant %uint 16644
        %s4002 = OpConstant %uint 16386
        %s8108 = OpConstant %uint 33032
        %s8102 = OpConstant %uint 33026
        %s6108 = OpConstant %uint 24840
        %spec = OpSpecConstant %uint 264
        %p = OpTypePointer Workgroup %uint
        %shared = OpVariable %p Workgroup
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %sum = OpIAdd %uint %u1 %u1
        OpMemoryBarrier %group %s2
        OpMemoryBarrier %group %s4
        OpMemoryBarrier %group %s6
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 18:1: defined here
        OpMemoryBarrier %group %s8
        OpMemoryBarrier %group %sa
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 20:1: defined here
        OpMemoryBarrier %group %sc
        ;                      ^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                        = line 21:1: defined here
        OpMemoryBarrier %group %s10
        OpMemoryBarrier %group %s12
        ;                      ^^^^ error[memory-semantics]: memory semantics must not have more than one of Acquire, Release, AcquireRelease and SequentiallyConsistent
        ;                         = line 23:1: defined here
        OpMemoryBarrier %group %s40
        OpMemoryBarrier %group %s42
        OpMemoryBarrier %group %s44
        OpMemoryBarrier %group %s48
        OpMemoryBarrier %group %s50
        OpMemoryBarrier %group %s88
        OpMemoryBarrier %group %s100
        OpMemoryBarrier %group %s102
        OpMemoryBarrier %group %s104
        OpMemoryBarrier %group %s108
        OpMemoryBarrier %group %s110
        OpMemoryBarrier %group %s208
        OpMemoryBarrier %group %s408
        OpMemoryBarrier %group %s808
        OpMemoryBarrier %group %s1008
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 38:1: defined here
        OpMemoryBarrier %group %s2104
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 39:1: defined here
        OpMemoryBarrier %group %s2108
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 40:1: defined here
        OpMemoryBarrier %group %s2102
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 41:1: defined here
        OpMemoryBarrier %group %s2004
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 42:1: defined here
        OpMemoryBarrier %group %s4102
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 43:1: defined here
        OpMemoryBarrier %group %s4108
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 44:1: defined here
        OpMemoryBarrier %group %s4104
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 45:1: defined here
        OpMemoryBarrier %group %s4002
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 46:1: defined here
        OpMemoryBarrier %group %s8108
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 47:1: defined here
        OpMemoryBarrier %group %s8102
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 48:1: defined here
        OpMemoryBarrier %group %s6108
        ;                      ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                           = line 49:1: defined here
        OpMemoryBarrier %group %u0
        OpMemoryBarrier %group %spec
        ;                      ^^^^^ error[memory-semantics]: in shaders, memory semantics must be an OpConstant
        ;                          = line 50:1: defined here
        OpMemoryBarrier %group %sum
        ;                      ^^^^ error[memory-semantics]: in shaders, memory semantics must be an OpConstant
        ;                         = line 56:1: defined here
        OpMemoryBarrier %group %f1
        ;                      ^^^ error[memory-semantics]: expected a 32-bit integer as memory semantics
        ;                        = line 10:1: defined here
        OpMemoryBarrier %invocation %s108
        OpControlBarrier %group %group %u0
        OpControlBarrier %group %group %s108
        OpControlBarrier %group %group %s8
        OpControlBarrier %group %group %s100
        OpControlBarrier %group %invocation %u0
        OpControlBarrier %group %invocation %s108
        %a0 = OpAtomicLoad %uint %shared %group %u0
        %a1 = OpAtomicLoad %uint %shared %group %s102
        %a2 = OpAtomicLoad %uint %shared %group %s104
        ;                                       ^^^^^ error[memory-semantics]: the semantics of OpAtomicLoad must not be Release or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10868]
        ;                                           = line 32:1: defined here
        %a3 = OpAtomicLoad %uint %shared %group %s108
        ;                                       ^^^^^ error[memory-semantics]: the semantics of OpAtomicLoad must not be Release or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10868]
        ;                                           = line 33:1: defined here
        %a4 = OpAtomicLoad %uint %shared %group %s110
        %a5 = OpAtomicLoad %uint %shared %invocation %u0
        %a6 = OpAtomicLoad %uint %shared %invocation %s102
        %a7 = OpAtomicLoad %uint %shared %group %s8102
        ;                                       ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                                            = line 48:1: defined here
        OpAtomicStore %shared %group %u0 %u1
        OpAtomicStore %shared %group %s104 %u1
        OpAtomicStore %shared %group %s102 %u1
        ;                            ^^^^^ error[memory-semantics]: the semantics of OpAtomicStore must not be Acquire or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10867]
        ;                                = line 31:1: defined here
        OpAtomicStore %shared %group %s108 %u1
        ;                            ^^^^^ error[memory-semantics]: the semantics of OpAtomicStore must not be Acquire or AcquireRelease [VUID-StandaloneSpirv-MemorySemantics-10867]
        ;                                = line 33:1: defined here
        %b0 = OpAtomicCompareExchange %uint %shared %group %s108 %s102 %u1 %u0
        %b1 = OpAtomicCompareExchange %uint %shared %group %s108 %s104 %u1 %u0
        ;                                                        ^^^^^ error[memory-semantics]: the Unequal semantics must not be Release or AcquireRelease
        ;                                                            = line 32:1: defined here
        %b2 = OpAtomicCompareExchange %uint %shared %group %s108 %s108 %u1 %u0
        ;                                                        ^^^^^ error[memory-semantics]: the Unequal semantics must not be Release or AcquireRelease
        ;                                                            = line 33:1: defined here
        %b3 = OpAtomicCompareExchange %uint %shared %group %s104 %u0 %u1 %u0
        %b4 = OpAtomicIAdd %uint %shared %group %s100 %u1
        %b5 = OpAtomicIAdd %uint %shared %group %s108 %u1
        %b6 = OpAtomicIAdd %uint %shared %group %s8108 %u1
        ;                                       ^^^^^^ error[memory-semantics]: MakeAvailable, MakeVisible, OutputMemory and Volatile require the VulkanMemoryModel capability
        ;                                            = line 47:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
