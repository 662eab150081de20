//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn indexes_and_parts_fit_the_composite() {
    let shader = Shader {
        body: "%a = OpCompositeExtract %float %v4 4
%b = OpCompositeExtract %int %v4 0
%c = OpCompositeConstruct %vec4 %v2 %f1
%d = OpVectorShuffle %vec4 %v2 %v2 0 1 2 4
%e = OpVectorExtractDynamic %float %v4 %f1
%f = OpCompositeInsert %vec4 %i0 %v4 0
%g = OpTranspose %vec4 %m2",
        ..Shader::NEW
    };
    expect![[r#"
        error[composite-type] `4`: index 4 is out of range for vec4
        error[composite-type] `%int`: Result Type is int, but the selected part is float
          10:1 `%int`: defined here
        error[composite-type] `%vec4`: vec4 needs 4 components, found 3
          16:1 `%vec4`: defined here
        error[composite-type] `4`: component index 4 is out of range: both vectors together have 4 components
        error[composite-type] `%f1`: expected an integer as Index, found float
          25:1 `%f1`: defined here
        error[composite-type] `%i0`: expected float, but `%i0` is int
          19:1 `%i0`: defined here
        error[composite-type] `%vec4`: expected a matrix as Result Type, found vec4
          16:1 `%vec4`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn each_instruction_takes_its_types() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Linkage
        OpCapability Float64
        OpCapability Int64
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %long = OpTypeInt 64 1
        %float = OpTypeFloat 32
        %double = OpTypeFloat 64
        %bool2 = OpTypeVector %bool 2
        %int2 = OpTypeVector %int 2
        %uint2 = OpTypeVector %uint 2
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %dvec2 = OpTypeVector %double 2
        %mat2 = OpTypeMatrix %vec2 2
        %mat23 = OpTypeMatrix %vec3 2
        %mat32 = OpTypeMatrix %vec2 3
        %carry = OpTypeStruct %uint %uint
        %signed = OpTypeStruct %int %int
        %mixed = OpTypeStruct %uint %int
        %true = OpConstantTrue %bool
        %i = OpConstant %int 1
        %u = OpConstant %uint 1
        %l = OpConstant %long 1
        %f = OpConstant %float 1
        %d = OpConstant %double 1
        %b2 = OpConstantNull %bool2
        %i2 = OpConstantNull %int2
        %u2 = OpConstantNull %uint2
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %dv2 = OpConstantNull %dvec2
        %m2 = OpConstantNull %mat2
        %m23 = OpConstantNull %mat23
        %m32 = OpConstantNull %mat32
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %x0 = OpVectorExtractDynamic %float %v2 %i
        %x1 = OpVectorExtractDynamic %float %v2 %f
        ;                                       ^^ error[composite-type]: expected an integer as Index, found float
        ;                                        = line 30:1: defined here
        %x2 = OpVectorExtractDynamic %int %v2 %i
        ;                            ^^^^ error[composite-type]: Result Type is int, but the selected part is float
        ;                               = line 9:1: defined here
        %x3 = OpVectorExtractDynamic %float %f %i
        ;                                   ^^ error[composite-type]: `%f` is not a vector
        ;                                    = line 30:1: defined here
        %x4 = OpVectorExtractDynamic %vec2 %v2 %i
        ;                            ^^^^^ error[composite-type]: expected a scalar as Result Type, found vec2
        ;                                = line 17:1: defined here
        %x5 = OpVectorInsertDynamic %vec2 %v2 %f %i
        %x6 = OpVectorInsertDynamic %vec2 %v2 %d %i
        ;                                     ^^ error[composite-type]: expected float, but `%d` is double
        ;                                      = line 31:1: defined here
        %x7 = OpVectorInsertDynamic %vec2 %v3 %f %i
        ;                                 ^^^ error[composite-type]: expected vec2, but `%v3` is vec3
        ;                                   = line 36:1: defined here
        %x8 = OpVectorInsertDynamic %vec2 %v2 %f %f
        ;                                        ^^ error[composite-type]: expected an integer as Index, found float
        ;                                         = line 30:1: defined here
        %x9 = OpVectorInsertDynamic %float %f %f %i
        ;                           ^^^^^^ error[composite-type]: expected a vector as Result Type, found float
        ;                                = line 12:1: defined here
        %x10 = OpVectorShuffle %vec2 %v2 %v3 0 4
        %x11 = OpVectorShuffle %vec2 %v2 %v3 0 5
        ;                                      ^ error[composite-type]: component index 5 is out of range: both vectors together have 5 components
        %x12 = OpVectorShuffle %vec3 %v2 %v3 0 1
        ;                      ^^^^^ error[composite-type]: expected one component index for each component of vec3, found 2
        ;                          = line 18:1: defined here
        %x13 = OpVectorShuffle %vec2 %v2 %v3 0 0xFFFFFFFF
        %x14 = OpVectorShuffle %vec2 %v2 %i2 0 1
        ;                                ^^^ error[composite-type]: the component type of ivec2 differs from that of Result Type
        ;                                  = line 33:1: defined here
        %x15 = OpVectorShuffle %float %v2 %v2 0
        ;                      ^^^^^^ error[composite-type]: expected a vector as Result Type, found float
        ;                           = line 12:1: defined here
        %x16 = OpVectorShuffle %vec2 %f %v2 0 1
        ;                            ^^ error[composite-type]: `%f` is not a vector
        ;                             = line 30:1: defined here
        %x17 = OpCompositeConstruct %vec3 %v2 %f
        %x18 = OpCompositeConstruct %vec3 %v2 %v2
        ;                           ^^^^^ error[composite-type]: vec3 needs 3 components, found 4
        ;                               = line 18:1: defined here
        %x19 = OpCompositeConstruct %vec3 %f %f
        ;                           ^^^^^ error[composite-type]: vec3 needs 3 components, found 2
        ;                               = line 18:1: defined here
        %x20 = OpCompositeConstruct %vec2 %f %i
        ;                                    ^^ error[composite-type]: `%i` is int, but a constituent of vec2 must be a scalar or vector of float
        ;                                     = line 27:1: defined here
        %x21 = OpCompositeConstruct %mat2 %v2 %v2
        %x22 = OpCompositeConstruct %mat2 %v2 %v3
        ;                                     ^^^ error[composite-type]: expected vec2, but `%v3` is vec3
        ;                                       = line 36:1: defined here
        %x23 = OpCompositeConstruct %mat2 %v2
        ;                           ^^^^^ error[composite-type]: expected 2 constituents for mat2, found 1
        ;                               = line 20:1: defined here
        %x24 = OpCompositeConstruct %carry %u %u
        %x25 = OpCompositeConstruct %carry %u %i
        ;                                     ^^ error[composite-type]: expected uint, but `%i` is int
        ;                                      = line 27:1: defined here
        %x26 = OpCompositeConstruct %carry %u
        ;                           ^^^^^^ error[composite-type]: expected 2 constituents for struct %carry, found 1
        ;                                = line 23:1: defined here
        %x27 = OpCompositeConstruct %float %f
        ;                           ^^^^^^ error[composite-type]: float is not a composite type
        ;                                = line 12:1: defined here
        %x28 = OpCompositeExtract %float %v2 1
        %x29 = OpCompositeExtract %float %v2 2
        ;                                    ^ error[composite-type]: index 2 is out of range for vec2
        %x30 = OpCompositeExtract %int %v2 1
        ;                         ^^^^ error[composite-type]: Result Type is int, but the selected part is float
        ;                            = line 9:1: defined here
        %x31 = OpCompositeExtract %vec2 %m2 1
        %x32 = OpCompositeExtract %float %m2 1 1
        %x33 = OpCompositeExtract %float %m2 2 1
        ;                                    ^ error[composite-type]: index 2 is out of range for mat2
        %x34 = OpCompositeExtract %float %f 0
        ;                                   ^ error[composite-type]: index 0 has nothing to select: float is not a composite
        %x35 = OpCompositeInsert %vec2 %f %v2 1
        %x36 = OpCompositeInsert %vec2 %f %v2 2
        ;                                     ^ error[composite-type]: index 2 is out of range for vec2
        %x37 = OpCompositeInsert %vec2 %i %v2 1
        ;                              ^^ error[composite-type]: expected float, but `%i` is int
        ;                               = line 27:1: defined here
        %x38 = OpCompositeInsert %vec3 %f %v2 1
        ;                                 ^^^ error[composite-type]: expected vec3, but `%v2` is vec2
        ;                                   = line 35:1: defined here
        %x39 = OpCopyObject %float %f
        %x40 = OpCopyObject %int %f
        ;                        ^^ error[composite-type]: expected int, but `%f` is float
        ;                         = line 30:1: defined here
        %x41 = OpTranspose %mat32 %m23
        %x42 = OpTranspose %mat23 %m32
        %x43 = OpTranspose %mat2 %m23
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[composite-type]: mat2 is not the transpose of mat2x3
        %x44 = OpTranspose %mat2 %v2
        ;                        ^^^ error[composite-type]: `%v2` is not a matrix
        ;                          = line 35:1: defined here
        %x45 = OpTranspose %vec2 %m2
        ;                  ^^^^^ error[composite-type]: expected a matrix as Result Type, found vec2
        ;                      = line 17:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
