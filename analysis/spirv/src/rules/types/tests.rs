//! Types and what they are made of.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn a_pointer_is_announced_once() {
    let shader = Shader {
        head: "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage",
        types: "OpTypeForwardPointer %p CrossWorkgroup\nOpTypeForwardPointer %p CrossWorkgroup\n\
                %s = OpTypeStruct %p\n%p = OpTypePointer CrossWorkgroup %s",
        ..Shader::NEW
    };
    let findings = shader.findings();
    assert_eq!(findings.matches("error[duplicate-type]").count(), 1, "{findings}");
}

#[test]
fn types_are_made_of_what_they_can_hold() {
    let shader = Shader {
        types: "%a = OpTypeInt 7 0
%b = OpTypeInt 64 0
%c = OpTypeVector %float 5
%d = OpTypeVector %vec2 2
%e = OpTypeMatrix %float 2
%f = OpTypeArray %float %i0
%g = OpTypeArray %void %i1
%h = OpTypeStruct %void
%i = OpTypeFunction %void %void
%j = OpTypeFloat 32
%k = OpTypeInt 32 2",
        ..Shader::NEW
    };
    expect![[r#"
        error[type-declaration] `7`: Width of an integer type must be 8, 16, 32 or 64, is 7
        error[type-declaration] `64`: 64-bit integers require the Int64 capability
        error[type-declaration] `5`: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 5
        error[type-declaration] `%vec2`: expected a scalar type as Component Type, found vec2
          14:1 `%vec2`: defined here
        error[type-declaration] `%float`: expected a vector as Column Type, found float
          12:1 `%float`: defined here
        error[type-declaration] `%i0`: Length must be at least 1, is 0
          19:1 `%i0`: defined here
        error[type-declaration] `%void`: Element Type must not be void
          8:1 `%void`: defined here
        error[type-declaration] `%void`: a structure must not contain void
          8:1 `%void`: defined here
        error[type-declaration] `%void`: a parameter must not be void
          8:1 `%void`: defined here
        error[duplicate-type] `%j`: duplicate type: `%float` is already declared with the same operands
          12:1 `%float`: previous definition is here
        error[type-declaration] `2`: Signedness must be 0 or 1, is 2
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn numbers_and_vectors_without_capabilities() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %int = OpTypeInt 32 1
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %uvec2 = OpTypeVector %uint 2
        %mat2 = OpTypeMatrix %vec2 2
        %fn = OpTypeFunction %void
        %i0 = OpConstant %int 0
        %i1 = OpConstant %int 1
        %minus = OpConstant %int -1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %f1 = OpConstant %float 1
        %true = OpConstantTrue %bool
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %spec = OpSpecConstant %int 2
        %a0 = OpTypeInt 8 0
        ;               ^ error[type-declaration]: 8-bit integers require the Int8 capability
        %a1 = OpTypeInt 16 1
        ;               ^^ error[type-declaration]: 16-bit integers require the Int16 capability
        %a2 = OpTypeInt 64 0
        ;               ^^ error[type-declaration]: 64-bit integers require the Int64 capability
        %a3 = OpTypeInt 4 0
        ;               ^ error[type-declaration]: 4-bit integers require the Int4TypeINTEL or ArbitraryPrecisionIntegersALTERA capability
        %a4 = OpTypeInt 0 0
        ;               ^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 0
        %a5 = OpTypeInt 1 0
        ;               ^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 1
        %a6 = OpTypeInt 128 0
        ;               ^^^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 128
        %a7 = OpTypeInt 32 2
        ;                  ^ error[type-declaration]: Signedness must be 0 or 1, is 2
        %b0 = OpTypeFloat 16
        ;                 ^^ error[type-declaration]: 16-bit floats require the Float16 or Float16Buffer capability
        %b1 = OpTypeFloat 64
        ;                 ^^ error[type-declaration]: 64-bit floats require the Float64 capability
        %b2 = OpTypeFloat 8
        ;                 ^ error[type-declaration]: 8-bit floats require the Float8EXT, Float8UnsignedE8M0EXT or MXInt8EXT capability
        %b3 = OpTypeFloat 32 BFloat16KHR
        ;                    ^^^^^^^^^^^ error[missing-capability]: BFloat16KHR requires the BFloat16TypeKHR capability
        ;                              = line 38:22: also here
        ;                              = line 42:21: also here
        %b4 = OpTypeFloat 16 BFloat16KHR
        %b5 = OpTypeFloat 16 Float8E4M3EXT
        ;                    ^^^^^^^^^^^^^ error[missing-capability]: Float8E4M3EXT requires the Float8EXT capability
        ;                                = line 40:21: also here
        ;                                = line 41:21: also here
        %b6 = OpTypeFloat 8 Float8E4M3EXT
        %b7 = OpTypeFloat 8 Float8E5M2EXT
        %b8 = OpTypeFloat 8 BFloat16KHR
        %b9 = OpTypeFloat 24
        ;                 ^^ error[type-declaration]: Width of a float type must be 8, 16, 32 or 64, is 24
        %c0 = OpTypeVector %float 4
        %c1 = OpTypeVector %float 1
        ;                         ^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 1
        %c2 = OpTypeVector %float 5
        ;                         ^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 5
        %c3 = OpTypeVector %float 8
        ;                         ^ error[type-declaration]: vectors of 8 components require the Vector16 or LongVectorEXT capability
        %c4 = OpTypeVector %float 16
        ;                         ^^ error[type-declaration]: vectors of 16 components require the Vector16 or LongVectorEXT capability
        %c5 = OpTypeVector %float 15
        ;                         ^^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 15
        %c6 = OpTypeVector %bool 2
        %c7 = OpTypeVector %vec2 2
        ;                  ^^^^^ error[type-declaration]: expected a scalar type as Component Type, found vec2
        ;                      = line 10:1: defined here
        %c8 = OpTypeVector %f1 2
        ;                  ^^^ error[type-declaration]: expected a scalar type as Component Type, found `%f1`, which is not a type
        ;                    = line 21:1: defined here

    "#]]);
}

#[test]
fn numbers_and_vectors_with_capabilities() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        OpCapability Int8
        OpCapability Int16
        OpCapability Int64
        OpCapability Float16
        OpCapability Float64
        OpCapability BFloat16TypeKHR
        OpCapability Float8EXT
        OpExtension "SPV_KHR_bfloat16"
        OpExtension "SPV_EXT_float8"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %int = OpTypeInt 32 1
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %uvec2 = OpTypeVector %uint 2
        %mat2 = OpTypeMatrix %vec2 2
        %fn = OpTypeFunction %void
        %i0 = OpConstant %int 0
        %i1 = OpConstant %int 1
        %minus = OpConstant %int -1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %f1 = OpConstant %float 1
        %true = OpConstantTrue %bool
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %spec = OpSpecConstant %int 2
        %a0 = OpTypeInt 8 0
        %a1 = OpTypeInt 16 1
        %a2 = OpTypeInt 64 0
        %a3 = OpTypeInt 4 0
        ;               ^ error[type-declaration]: 4-bit integers require the Int4TypeINTEL or ArbitraryPrecisionIntegersALTERA capability
        %a4 = OpTypeInt 0 0
        ;               ^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 0
        %a5 = OpTypeInt 1 0
        ;               ^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 1
        %a6 = OpTypeInt 128 0
        ;               ^^^ error[type-declaration]: Width of an integer type must be 8, 16, 32 or 64, is 128
        %a7 = OpTypeInt 32 2
        ;                  ^ error[type-declaration]: Signedness must be 0 or 1, is 2
        %b0 = OpTypeFloat 16
        %b1 = OpTypeFloat 64
        %b2 = OpTypeFloat 8
        ;                 ^ error[type-declaration]: missing FP encoding, which 8-bit floats require
        %b3 = OpTypeFloat 32 BFloat16KHR
        ;                    ^^^^^^^^^^^ error[type-declaration]: 32-bit floats must not have an FP encoding
        %b4 = OpTypeFloat 16 BFloat16KHR
        %b5 = OpTypeFloat 16 Float8E4M3EXT
        ;                    ^^^^^^^^^^^^^ error[type-declaration]: this is not an encoding for 16-bit floats
        %b6 = OpTypeFloat 8 Float8E4M3EXT
        %b7 = OpTypeFloat 8 Float8E5M2EXT
        %b8 = OpTypeFloat 8 BFloat16KHR
        ;                   ^^^^^^^^^^^ error[type-declaration]: this is not an encoding for 8-bit floats
        %b9 = OpTypeFloat 24
        ;                 ^^ error[type-declaration]: Width of a float type must be 8, 16, 32 or 64, is 24
        %c0 = OpTypeVector %float 4
        %c1 = OpTypeVector %float 1
        ;                         ^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 1
        %c2 = OpTypeVector %float 5
        ;                         ^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 5
        %c3 = OpTypeVector %float 8
        ;                         ^ error[type-declaration]: vectors of 8 components require the Vector16 or LongVectorEXT capability
        %c4 = OpTypeVector %float 16
        ;                         ^^ error[type-declaration]: vectors of 16 components require the Vector16 or LongVectorEXT capability
        %c5 = OpTypeVector %float 15
        ;                         ^^ error[type-declaration]: Component Count must be 2, 3 or 4 (8 or 16 with the Vector16 capability), is 15
        %c6 = OpTypeVector %bool 2
        %c7 = OpTypeVector %vec2 2
        ;                  ^^^^^ error[type-declaration]: expected a scalar type as Component Type, found vec2
        ;                      = line 19:1: defined here
        %c8 = OpTypeVector %f1 2
        ;                  ^^^ error[type-declaration]: expected a scalar type as Component Type, found `%f1`, which is not a type
        ;                    = line 30:1: defined here

    "#]]);
}

#[test]
fn types_of_parts() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %int = OpTypeInt 32 1
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %uvec2 = OpTypeVector %uint 2
        %mat2 = OpTypeMatrix %vec2 2
        %fn = OpTypeFunction %void
        %i0 = OpConstant %int 0
        %i1 = OpConstant %int 1
        %minus = OpConstant %int -1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %f1 = OpConstant %float 1
        %true = OpConstantTrue %bool
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %spec = OpSpecConstant %int 2
        %a0 = OpTypeMatrix %vec2 1
        ;                        ^ error[type-declaration]: Column Count must be 2, 3 or 4, is 1
        %a1 = OpTypeMatrix %vec2 3
        %a2 = OpTypeMatrix %vec2 4
        %a3 = OpTypeMatrix %vec2 5
        ;                        ^ error[type-declaration]: Column Count must be 2, 3 or 4, is 5
        %a4 = OpTypeMatrix %uvec2 2
        ;                  ^^^^^^ error[type-declaration]: expected a float vector as Column Type, found uvec2
        ;                       = line 13:1: defined here
        %a5 = OpTypeMatrix %float 2
        ;                  ^^^^^^ error[type-declaration]: expected a vector as Column Type, found float
        ;                       = line 10:1: defined here
        %b0 = OpTypeArray %float %u1
        %b1 = OpTypeArray %float %u0
        ;                        ^^^ error[type-declaration]: Length must be at least 1, is 0
        ;                          = line 19:1: defined here
        %b2 = OpTypeArray %float %i0
        ;                        ^^^ error[type-declaration]: Length must be at least 1, is 0
        ;                          = line 16:1: defined here
        %b3 = OpTypeArray %float %i1
        %b4 = OpTypeArray %float %minus
        ;                        ^^^^^^ error[type-declaration]: Length must be at least 1, is -1
        ;                             = line 18:1: defined here
        %b5 = OpTypeArray %float %f1
        ;                        ^^^ error[type-declaration]: expected an integer as Length, found float
        ;                          = line 22:1: defined here
        %b6 = OpTypeArray %float %spec
        %b7 = OpTypeArray %float %uint
        ;                        ^^^^^ error[type-declaration]: Length `%uint` is not a constant
        ;                            = line 8:1: defined here
        %b8 = OpTypeArray %void %u1
        ;                 ^^^^^ error[type-declaration]: Element Type must not be void
        ;                     = line 6:1: defined here
        %b9 = OpTypeArray %fn %u1
        ;                 ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                   = line 15:1: defined here
        %b10 = OpTypeArray %u1 %u1
        ;                  ^^^ error[type-declaration]: `%u1` is not a type
        ;                    = line 20:1: defined here
        %b11 = OpTypeRuntimeArray %float
        %b12 = OpTypeRuntimeArray %void
        ;                         ^^^^^ error[type-declaration]: Element Type must not be void
        ;                             = line 6:1: defined here
        %b13 = OpTypeRuntimeArray %u1
        ;                         ^^^ error[type-declaration]: `%u1` is not a type
        ;                           = line 20:1: defined here
        %c0 = OpTypeStruct
        %c1 = OpTypeStruct %float %mat2
        %c2 = OpTypeStruct %void
        ;                  ^^^^^ error[type-declaration]: a structure must not contain void
        ;                      = line 6:1: defined here
        %c3 = OpTypeStruct %float %void
        ;                         ^^^^^ error[type-declaration]: a structure must not contain void
        ;                             = line 6:1: defined here
        %c4 = OpTypeStruct %fn
        ;                  ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                    = line 15:1: defined here
        %c5 = OpTypeStruct %u1
        ;                  ^^^ error[type-declaration]: `%u1` is not a type
        ;                    = line 20:1: defined here
        %c6 = OpTypeStruct %c6
        ;                  ^^^ error[undefined-id]: `%c6` is used in its own definition
        ;                    = line 53:1: defined here
        %d0 = OpTypePointer Private %float
        %d1 = OpTypePointer Private %fn
        ;                           ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                             = line 15:1: defined here
        %d2 = OpTypePointer Private %u1
        ;                           ^^^ error[type-declaration]: `%u1` is not a type
        ;                             = line 20:1: defined here
        %d3 = OpTypePointer CrossWorkgroup %float
        ;                   ^^^^^^^^^^^^^^ error[type-declaration]: this storage class is not supported in Vulkan [VUID-StandaloneSpirv-None-04643]
        %d4 = OpTypePointer Generic %float
        ;                   ^^^^^^^ error[missing-capability]: Generic requires the GenericPointer capability
        %d5 = OpTypePointer AtomicCounter %uint
        ;                   ^^^^^^^^^^^^^ error[missing-capability]: AtomicCounter requires the AtomicStorage capability
        %d6 = OpTypePointer Workgroup %void
        %e0 = OpTypeFunction %float %float
        %e1 = OpTypeFunction %float %void
        ;                           ^^^^^ error[type-declaration]: a parameter must not be void
        ;                               = line 6:1: defined here
        %e2 = OpTypeFunction %u1
        ;                    ^^^ error[type-declaration]: `%u1` is not a type
        ;                      = line 20:1: defined here
        %e3 = OpTypeFunction %fn
        ;                    ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                      = line 15:1: defined here
        %e4 = OpTypeFunction %float %u1
        ;                           ^^^ error[type-declaration]: `%u1` is not a type
        ;                             = line 20:1: defined here
        %e5 = OpTypeFunction %void %fn
        ;                          ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                            = line 15:1: defined here
        %f0 = OpTypeFloat 32
        ;^^ error[duplicate-type]: duplicate type: `%float` is already declared with the same operands
        ; = line 10:1: previous definition is here
        %f2 = OpTypeVector %float 2
        ;^^ error[duplicate-type]: duplicate type: `%vec2` is already declared with the same operands
        ; = line 11:1: previous definition is here
        %f3 = OpTypeStruct %float %mat2
        %main = OpFunction %void None %fn
        %entry = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
}
