//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn extended_instructions_take_fitting_operands() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        %glsl = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %i1 = OpConstant %int 1
        %f1 = OpConstant %float 1
        %v2 = OpConstantNull %vec2
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %entry = OpLabel
        %a = OpExtInst %int %glsl FMax %i1 %i1
        ;              ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                 = line 6:1: defined here
        %b = OpExtInst %float %glsl FMax %f1 %i1
        ;                                    ^^^ error[operand-type]: expected float, the Result Type, found int
        ;                                      = line 9:1: defined here
        %d = OpExtInst %vec2 %glsl Cross %v2 %v2
        ;              ^^^^^ error[operand-type]: expected a vector of 3 components as Result Type, found vec2
        ;                  = line 8:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn each_instruction_takes_its_types() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Shader
        OpCapability Float64
        OpCapability Int64
        OpCapability Matrix
        OpCapability InterpolationFunction
        %glsl = OpExtInstImport "GLSL.std.450"
        OpMemoryModel Logical GLSL450
        OpEntryPoint Fragment %main "main" %in %in2
        OpExecutionMode %main OriginUpperLeft
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %uint = OpTypeInt 32 0
        %long = OpTypeInt 64 1
        %float = OpTypeFloat 32
        %double = OpTypeFloat 64
        %int2 = OpTypeVector %int 2
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %vec4 = OpTypeVector %float 4
        %mat2 = OpTypeMatrix %vec2 2
        %mat23 = OpTypeMatrix %vec3 2
        %pair = OpTypeStruct %float %float
        %split = OpTypeStruct %float %int
        %split2 = OpTypeStruct %vec2 %int
        %i = OpConstant %int 1
        %u = OpConstant %uint 1
        %l = OpConstant %long 1
        %f = OpConstant %float 1
        %d = OpConstant %double 1
        %i2 = OpConstantNull %int2
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %v4 = OpConstantNull %vec4
        %m2 = OpConstantNull %mat2
        %m23 = OpConstantNull %mat23
        %inp = OpTypePointer Input %float
        %inp2 = OpTypePointer Input %vec2
        %prip = OpTypePointer Function %float
        %priip = OpTypePointer Function %int
        %in = OpVariable %inp Input
        %in2 = OpVariable %inp2 Input
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %var = OpVariable %prip Function
        %ivar = OpVariable %priip Function
        %x0 = OpExtInst %float %glsl Sin %f
        %x1 = OpExtInst %double %glsl Sin %d
        ;               ^^^^^^^ error[operand-type]: expected a 16- or 32-bit float scalar or vector as Result Type, found double
        ;                     = line 16:1: defined here
        %x2 = OpExtInst %float %glsl Pow %f %d
        ;                                   ^^ error[operand-type]: expected float, the Result Type, found double
        ;                                    = line 30:1: defined here
        %x3 = OpExtInst %int %glsl SAbs %u
        %x4 = OpExtInst %float %glsl SAbs %f
        ;               ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                    = line 15:1: defined here
        %x5 = OpExtInst %int %glsl UMin %i %f
        ;                                  ^^ error[operand-type]: expected integers of the same size as int, found float
        ;                                   = line 29:1: defined here
        %x6 = OpExtInst %int %glsl UMin %i %l
        ;                                  ^^ error[operand-type]: expected integers of the same size as int, found int64_t
        ;                                   = line 28:1: defined here
        %x7 = OpExtInst %int %glsl FindUMsb %u
        %x8 = OpExtInst %int %glsl FindUMsb %i2
        ;                                   ^^^ error[operand-type]: expected an integer for each component of Result Type, found ivec2
        ;                                     = line 31:1: defined here
        %x9 = OpExtInst %long %glsl FindUMsb %l
        ;                                    ^^ error[operand-type]: expected a 32-bit integer scalar or vector, found int64_t
        ;                                     = line 28:1: defined here
        %x10 = OpExtInst %long %glsl FindILsb %l
        %x11 = OpExtInst %long %glsl FindUMsb %i
        ;                                     ^^ error[operand-type]: expected a 32-bit integer scalar or vector, found int
        ;                                      = line 26:1: defined here
        %x12 = OpExtInst %int %glsl FindUMsb %l
        ;                                    ^^ error[operand-type]: expected a 32-bit integer scalar or vector, found int64_t
        ;                                     = line 28:1: defined here
        %x13 = OpExtInst %int %glsl FindILsb %l
        ;                                    ^^ error[operand-type]: expected integers of the same width as Result Type, found int64_t
        ;                                     = line 28:1: defined here
        %x14 = OpExtInst %float %glsl FindILsb %i
        ;                ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                     = line 15:1: defined here
        %x15 = OpExtInst %float %glsl Determinant %m2
        %x16 = OpExtInst %float %glsl Determinant %m23
        ;                                         ^^^^ error[operand-type]: expected a square matrix, found mat2x3
        ;                                            = line 36:1: defined here
        %x17 = OpExtInst %float %glsl Determinant %f
        ;                                         ^^ error[operand-type]: expected a float matrix, found float
        ;                                          = line 29:1: defined here
        %x18 = OpExtInst %double %glsl Determinant %m2
        ;                ^^^^^^^ error[operand-type]: expected float as Result Type, found double
        ;                      = line 16:1: defined here
        %x19 = OpExtInst %mat2 %glsl MatrixInverse %m2
        %x20 = OpExtInst %mat23 %glsl MatrixInverse %m23
        ;                ^^^^^^ error[operand-type]: expected a square float matrix as Result Type, found mat2x3
        ;                     = line 22:1: defined here
        %x21 = OpExtInst %float %glsl MatrixInverse %f
        ;                ^^^^^^ error[operand-type]: expected a square float matrix as Result Type, found float
        ;                     = line 15:1: defined here
        %x22 = OpExtInst %float %glsl Modf %f %var
        %x23 = OpExtInst %float %glsl Modf %f %ivar
        ;                                     ^^^^^ error[operand-type]: expected a pointer to float, found ptr Function int
        ;                                         = line 47:1: defined here
        %x24 = OpExtInst %float %glsl Modf %f %f
        ;                                     ^^ error[operand-type]: expected a pointer to float, found float
        ;                                      = line 29:1: defined here
        %x25 = OpExtInst %int %glsl Modf %i %ivar
        ;                ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                   = line 12:1: defined here
        %x26 = OpExtInst %float %glsl Modf %v2 %var
        ;                                  ^^^ error[operand-type]: expected float, the Result Type, found vec2
        ;                                    = line 32:1: defined here
        %x27 = OpExtInst %pair %glsl ModfStruct %f
        %x28 = OpExtInst %split %glsl ModfStruct %f
        ;                ^^^^^^ error[operand-type]: expected a structure of two identical float types as Result Type, found struct %split
        ;                     = line 24:1: defined here
        %x29 = OpExtInst %pair %glsl ModfStruct %v2
        ;                ^^^^^ error[operand-type]: expected a structure of two identical float types as Result Type, found struct %pair
        ;                    = line 23:1: defined here
        %x30 = OpExtInst %float %glsl Frexp %f %ivar
        %x31 = OpExtInst %float %glsl Frexp %f %var
        ;                                      ^^^^ error[operand-type]: expected a 32-bit integer for each component, found ptr Function float
        ;                                         = line 46:1: defined here
        %x32 = OpExtInst %float %glsl Frexp %f %i
        ;                                      ^^ error[operand-type]: expected a pointer, found int
        ;                                       = line 26:1: defined here
        %x33 = OpExtInst %float %glsl Frexp %v2 %ivar
        ;                                   ^^^ error[operand-type]: expected float, the Result Type, found vec2
        ;                                     = line 32:1: defined here
        %x34 = OpExtInst %split %glsl FrexpStruct %f
        %x35 = OpExtInst %pair %glsl FrexpStruct %f
        ;                ^^^^^ error[operand-type]: expected a 32-bit integer for each component, found struct %pair
        ;                    = line 23:1: defined here
        %x36 = OpExtInst %split %glsl FrexpStruct %d
        ;                                         ^^ error[operand-type]: expected a float of the same type as the first member of Result Type, found double
        ;                                          = line 30:1: defined here
        %x37 = OpExtInst %split2 %glsl FrexpStruct %v2
        ;                ^^^^^^^ error[operand-type]: expected a 32-bit integer for each component, found struct %split2
        ;                      = line 25:1: defined here
        %x38 = OpExtInst %float %glsl FrexpStruct %f
        ;                ^^^^^^ error[operand-type]: expected a structure of two members as Result Type, found float
        ;                     = line 15:1: defined here
        %x39 = OpExtInst %float %glsl Ldexp %f %i
        %x40 = OpExtInst %float %glsl Ldexp %f %f
        ;                                      ^^ error[operand-type]: expected an integer for each component of Result Type, found float
        ;                                       = line 29:1: defined here
        %x41 = OpExtInst %float %glsl Ldexp %d %i
        ;                                   ^^ error[operand-type]: expected float, the Result Type, found double
        ;                                    = line 30:1: defined here
        %x42 = OpExtInst %vec2 %glsl Ldexp %v2 %i2
        %x43 = OpExtInst %vec2 %glsl Ldexp %v2 %i
        ;                                      ^^ error[operand-type]: expected an integer for each component of Result Type, found int
        ;                                       = line 26:1: defined here
        %x44 = OpExtInst %int %glsl Ldexp %i %i
        ;                ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                   = line 12:1: defined here
        %x45 = OpExtInst %float %glsl Length %v3
        %x46 = OpExtInst %float %glsl Length %f
        %x47 = OpExtInst %vec2 %glsl Length %v2
        ;                ^^^^^ error[operand-type]: expected a float as Result Type, found vec2
        ;                    = line 18:1: defined here
        %x48 = OpExtInst %float %glsl Length %d
        ;                                    ^^ error[operand-type]: expected float or a vector of it, found double
        ;                                     = line 30:1: defined here
        %x49 = OpExtInst %float %glsl Distance %v2 %v3
        ;                                          ^^^ error[operand-type]: expected float or a vector of it, found vec3
        ;                                            = line 33:1: defined here
        %x50 = OpExtInst %float %glsl Distance %v2 %v2
        %x51 = OpExtInst %vec3 %glsl Cross %v3 %v3
        %x52 = OpExtInst %vec2 %glsl Cross %v2 %v2
        ;                ^^^^^ error[operand-type]: expected a vector of 3 components as Result Type, found vec2
        ;                    = line 18:1: defined here
        %x53 = OpExtInst %vec3 %glsl Cross %v3 %v2
        ;                                      ^^^ error[operand-type]: expected vec3, the Result Type, found vec2
        ;                                        = line 32:1: defined here
        %x54 = OpExtInst %vec2 %glsl Refract %v2 %v2 %f
        %x55 = OpExtInst %vec2 %glsl Refract %v2 %v2 %v2
        ;                                            ^^^ error[operand-type]: expected a float, found vec2
        ;                                              = line 32:1: defined here
        %x56 = OpExtInst %vec2 %glsl Refract %v2 %v3 %f
        ;                                        ^^^ error[operand-type]: expected vec2, the Result Type, found vec3
        ;                                          = line 33:1: defined here
        %x57 = OpExtInst %int %glsl Refract %i %i %f
        ;                ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                   = line 12:1: defined here
        %x58 = OpExtInst %uint %glsl PackSnorm4x8 %v4
        %x59 = OpExtInst %uint %glsl PackSnorm4x8 %v2
        ;                                         ^^^ error[operand-type]: expected 4 32-bit floats, found vec2
        ;                                           = line 32:1: defined here
        %x60 = OpExtInst %long %glsl PackSnorm4x8 %v4
        ;                ^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found int64_t
        ;                    = line 14:1: defined here
        %x61 = OpExtInst %float %glsl PackUnorm4x8 %v4
        ;                ^^^^^^ error[operand-type]: expected a 32-bit integer as Result Type, found float
        ;                     = line 15:1: defined here
        %x62 = OpExtInst %uint %glsl PackHalf2x16 %v2
        %x63 = OpExtInst %uint %glsl PackHalf2x16 %v4
        ;                                         ^^^ error[operand-type]: expected 2 32-bit floats, found vec4
        ;                                           = line 34:1: defined here
        %x64 = OpExtInst %uint %glsl PackUnorm2x16 %i2
        ;                                          ^^^ error[operand-type]: expected 2 32-bit floats, found ivec2
        ;                                            = line 31:1: defined here
        %x65 = OpExtInst %vec4 %glsl UnpackUnorm4x8 %u
        %x66 = OpExtInst %vec4 %glsl UnpackUnorm4x8 %f
        ;                                           ^^ error[operand-type]: expected a 32-bit integer, found float
        ;                                            = line 29:1: defined here
        %x67 = OpExtInst %vec4 %glsl UnpackUnorm4x8 %l
        ;                                           ^^ error[operand-type]: expected a 32-bit integer, found int64_t
        ;                                            = line 28:1: defined here
        %x68 = OpExtInst %vec2 %glsl UnpackUnorm4x8 %u
        ;                ^^^^^ error[operand-type]: expected 4 32-bit floats as Result Type, found vec2
        ;                    = line 18:1: defined here
        %x69 = OpExtInst %vec2 %glsl UnpackHalf2x16 %u
        %x70 = OpExtInst %vec4 %glsl UnpackHalf2x16 %u
        ;                ^^^^^ error[operand-type]: expected 2 32-bit floats as Result Type, found vec4
        ;                    = line 20:1: defined here
        %x71 = OpExtInst %double %glsl PackDouble2x32 %i2
        %x72 = OpExtInst %float %glsl PackDouble2x32 %i2
        ;                ^^^^^^ error[operand-type]: expected a 64-bit float as Result Type, found float
        ;                     = line 15:1: defined here
        %x73 = OpExtInst %double %glsl PackDouble2x32 %v2
        ;                                             ^^^ error[operand-type]: expected a vector of two 32-bit integers, found vec2
        ;                                               = line 32:1: defined here
        %x74 = OpExtInst %double %glsl PackDouble2x32 %i
        ;                                             ^^ error[operand-type]: expected a vector of two 32-bit integers, found int
        ;                                              = line 26:1: defined here
        %x75 = OpExtInst %int2 %glsl UnpackDouble2x32 %d
        %x76 = OpExtInst %vec2 %glsl UnpackDouble2x32 %d
        ;                ^^^^^ error[operand-type]: expected a vector of two 32-bit integers as Result Type, found vec2
        ;                    = line 18:1: defined here
        %x77 = OpExtInst %int2 %glsl UnpackDouble2x32 %f
        ;                                             ^^ error[operand-type]: expected a 64-bit float, found float
        ;                                              = line 29:1: defined here
        %x78 = OpExtInst %int %glsl UnpackDouble2x32 %d
        ;                ^^^^ error[operand-type]: expected a vector of two 32-bit integers as Result Type, found int
        ;                   = line 12:1: defined here
        %x79 = OpExtInst %float %glsl InterpolateAtCentroid %in
        %x80 = OpExtInst %float %glsl InterpolateAtSample %in %i
        %x81 = OpExtInst %float %glsl InterpolateAtSample %in %f
        ;                                                     ^^ error[operand-type]: expected a 32-bit integer, found float
        ;                                                      = line 29:1: defined here
        %x82 = OpExtInst %float %glsl InterpolateAtSample %in %l
        ;                                                     ^^ error[operand-type]: expected a 32-bit integer, found int64_t
        ;                                                      = line 28:1: defined here
        %x83 = OpExtInst %float %glsl InterpolateAtOffset %in %v2
        %x84 = OpExtInst %float %glsl InterpolateAtOffset %in %v3
        ;                                                     ^^^ error[operand-type]: expected a vector of two 32-bit floats, found vec3
        ;                                                       = line 33:1: defined here
        %x85 = OpExtInst %float %glsl InterpolateAtOffset %in %i2
        ;                                                     ^^^ error[operand-type]: expected a vector of two 32-bit floats, found ivec2
        ;                                                       = line 31:1: defined here
        %x86 = OpExtInst %float %glsl InterpolateAtCentroid %f
        ;                                                   ^^ error[operand-type]: expected a pointer, found float
        ;                                                    = line 29:1: defined here
        %x87 = OpExtInst %float %glsl InterpolateAtCentroid %var
        ;                                                   ^^^^ error[operand-type]: expected a pointer to Input, found ptr Function float
        ;                                                      = line 46:1: defined here
        %x88 = OpExtInst %float %glsl InterpolateAtCentroid %in2
        ;                                                   ^^^^ error[operand-type]: expected a pointer to float, found ptr Input vec2
        ;                                                      = line 42:1: defined here
        %x89 = OpExtInst %int %glsl InterpolateAtCentroid %in
        ;                ^^^^ error[operand-type]: expected a 32-bit float scalar or vector as Result Type, found int
        ;                   = line 12:1: defined here
        %x90 = OpExtInst %float %glsl IMix %f %f %f
        ;                             ^^^^ error[operand-type]: IMix is not supported; use OpSelect
        OpReturn
        OpFunctionEnd
    "#]]);
}
