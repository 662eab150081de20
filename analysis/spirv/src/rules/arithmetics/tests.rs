//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn operands_are_of_the_result_type() {
    let shader = Shader {
        body: "%a = OpFAdd %int %f1 %f1
%b = OpIAdd %int %i0 %f1
%c = OpUDiv %int %i0 %i1
%d = OpDot %float %v2 %v4
%e = OpVectorTimesScalar %vec2 %v2 %i1
%f = OpMatrixTimesVector %vec2 %m2 %v4
%g = OpIAddCarry %uint %u0 %u1",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%int`: expected a float scalar or vector as Result Type, found int
          10:1 `%int`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          25:1 `%f1`: defined here
        error[operand-type] `%int`: expected an unsigned integer scalar or vector as Result Type, found int
          10:1 `%int`: defined here
        error[operand-type] `%v4`: expected a vector of the same size as the other operand, found vec4
          27:1 `%v4`: defined here
        error[operand-type] `%i1`: expected float, the component type, found int
          20:1 `%i1`: defined here
        error[operand-type] `%m2`: OpMatrixTimesVector of vec4 and mat2 does not result in vec2
          28:1 `%m2`: defined here
        error[operand-type] `%uint`: expected a structure of two members as Result Type, found uint
          11:1 `%uint`: defined here
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
        %x0 = OpFAdd %float %f %f
        %x1 = OpFAdd %float %f %d
        ;                      ^^ error[operand-type]: expected float, the Result Type, found double
        ;                       = line 31:1: defined here
        %x2 = OpFSub %int %i %i
        ;            ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;               = line 9:1: defined here
        %x3 = OpFNegate %float %f
        %x4 = OpFMul %vec2 %v2 %v2
        %x5 = OpFMul %vec2 %v2 %f
        ;                      ^^ error[operand-type]: expected vec2, the Result Type, found float
        ;                       = line 30:1: defined here
        %x6 = OpFRem %float %f %f
        %x7 = OpFAdd %mat2 %m2 %m2
        ;            ^^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found mat2
        ;                = line 20:1: defined here
        %x8 = OpUDiv %uint %u %u
        %x9 = OpUDiv %int %i %i
        ;            ^^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found int
        ;               = line 9:1: defined here
        %x10 = OpUMod %uint %u %i
        ;                      ^^ error[operand-type]: expected uint, the Result Type, found int
        ;                       = line 27:1: defined here
        %x11 = OpUMod %uint %u %f
        ;                      ^^ error[operand-type]: expected uint, the Result Type, found float
        ;                       = line 30:1: defined here
        %x12 = OpIAdd %int %i %u
        %x13 = OpIAdd %int %i %l
        ;                     ^^ error[operand-type]: expected components of the same width as in int, found int64_t
        ;                      = line 29:1: defined here
        %x14 = OpIAdd %int %i %f
        ;                     ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                      = line 30:1: defined here
        %x15 = OpISub %float %f %f
        ;             ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                  = line 12:1: defined here
        %x16 = OpIMul %int2 %i2 %u2
        %x17 = OpIMul %int2 %i2 %i
        ;                       ^^ error[operand-type]: expected as many components as in Result Type (ivec2), found int
        ;                        = line 27:1: defined here
        %x18 = OpSNegate %int %u
        %x19 = OpSDiv %int %i %f
        ;                     ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                      = line 30:1: defined here
        %x20 = OpSRem %long %l %i
        ;                      ^^ error[operand-type]: expected components of the same width as in int64_t, found int
        ;                       = line 27:1: defined here
        %x21 = OpSMod %int %i %i
        %x22 = OpDot %float %v2 %v2
        %x23 = OpDot %float %v2 %v3
        ;                       ^^^ error[operand-type]: expected a vector of the same size as the other operand, found vec3
        ;                         = line 36:1: defined here
        %x24 = OpDot %vec2 %v2 %v2
        ;            ^^^^^ error[operand-type]: expected a float as Result Type, found vec2
        ;                = line 17:1: defined here
        %x25 = OpDot %float %f %f
        ;                   ^^ error[operand-type]: expected a float vector, found float
        ;                    = line 30:1: defined here
        %x26 = OpDot %float %dv2 %dv2
        ;                   ^^^^ error[operand-type]: expected a vector of float, found dvec2
        ;                      = line 37:1: defined here
        %x27 = OpDot %float %i2 %i2
        ;                   ^^^ error[operand-type]: expected a float vector, found ivec2
        ;                     = line 33:1: defined here
        %x28 = OpDot %double %dv2 %dv2
        %x29 = OpVectorTimesScalar %vec2 %v2 %f
        %x30 = OpVectorTimesScalar %vec2 %v2 %d
        ;                                    ^^ error[operand-type]: expected float, the component type, found double
        ;                                     = line 31:1: defined here
        %x31 = OpVectorTimesScalar %vec2 %v3 %f
        ;                                ^^^ error[operand-type]: expected vec2, the Result Type, found vec3
        ;                                  = line 36:1: defined here
        %x32 = OpVectorTimesScalar %int2 %i2 %i
        ;                          ^^^^^ error[operand-type]: expected a float vector as Result Type, found ivec2
        ;                              = line 15:1: defined here
        %x33 = OpMatrixTimesScalar %mat2 %m2 %f
        %x34 = OpMatrixTimesScalar %mat2 %m2 %v2
        ;                                    ^^^ error[operand-type]: expected float, the component type, found vec2
        ;                                      = line 35:1: defined here
        %x35 = OpMatrixTimesScalar %vec2 %v2 %f
        ;                          ^^^^^ error[operand-type]: expected a float matrix as Result Type, found vec2
        ;                              = line 17:1: defined here
        %x36 = OpMatrixTimesScalar %mat2 %m23 %f
        ;                                ^^^^ error[operand-type]: expected mat2, the Result Type, found mat2x3
        ;                                   = line 39:1: defined here
        %x37 = OpVectorTimesMatrix %vec2 %v2 %m2
        %x38 = OpVectorTimesMatrix %vec2 %v3 %m23
        %x39 = OpVectorTimesMatrix %vec3 %v3 %m23
        ;                                    ^^^^ error[operand-type]: OpVectorTimesMatrix of vec3 and mat2x3 does not result in vec3
        ;                                       = line 39:1: defined here
        %x40 = OpVectorTimesMatrix %vec2 %v2 %m23
        ;                                    ^^^^ error[operand-type]: OpVectorTimesMatrix of vec2 and mat2x3 does not result in vec2
        ;                                       = line 39:1: defined here
        %x41 = OpVectorTimesMatrix %vec3 %v2 %m32
        %x42 = OpVectorTimesMatrix %float %v2 %m2
        ;                          ^^^^^^ error[operand-type]: expected a float vector as Result Type, found float
        ;                               = line 12:1: defined here
        %x43 = OpVectorTimesMatrix %vec2 %f %m2
        ;                                ^^ error[operand-type]: expected a float vector, found float
        ;                                 = line 30:1: defined here
        %x44 = OpVectorTimesMatrix %vec2 %v2 %v2
        ;                                    ^^^ error[operand-type]: expected a float matrix, found vec2
        ;                                      = line 35:1: defined here
        %x45 = OpMatrixTimesVector %vec2 %m2 %v2
        %x46 = OpMatrixTimesVector %vec3 %m23 %v2
        %x47 = OpMatrixTimesVector %vec2 %m23 %v2
        ;                                ^^^^ error[operand-type]: OpMatrixTimesVector of vec2 and mat2x3 does not result in vec2
        ;                                   = line 39:1: defined here
        %x48 = OpMatrixTimesVector %vec2 %m32 %v2
        ;                                ^^^^ error[operand-type]: OpMatrixTimesVector of vec2 and mat3x2 does not result in vec2
        ;                                   = line 40:1: defined here
        %x49 = OpMatrixTimesVector %vec2 %m2 %i2
        ;                                    ^^^ error[operand-type]: expected a float vector, found ivec2
        ;                                      = line 33:1: defined here
        %x50 = OpMatrixTimesVector %vec2 %m2 %dv2
        ;                                ^^^ error[operand-type]: OpMatrixTimesVector of dvec2 and mat2 does not result in vec2
        ;                                  = line 38:1: defined here
        %x51 = OpMatrixTimesMatrix %mat2 %m2 %m2
        %x52 = OpMatrixTimesMatrix %mat2 %m32 %m23
        %x53 = OpMatrixTimesMatrix %mat23 %m23 %m2
        %x54 = OpMatrixTimesMatrix %mat23 %m2 %m23
        ;                                     ^^^^ error[operand-type]: mat2 times mat2x3 does not result in mat2x3
        ;                                        = line 39:1: defined here
        %x55 = OpMatrixTimesMatrix %mat2 %m23 %m2
        ;                                     ^^^ error[operand-type]: mat2x3 times mat2 does not result in mat2
        ;                                       = line 38:1: defined here
        %x56 = OpMatrixTimesMatrix %mat2 %m2 %m32
        ;                                    ^^^^ error[operand-type]: mat2 times mat3x2 does not result in mat2
        ;                                       = line 40:1: defined here
        %x57 = OpMatrixTimesMatrix %mat2 %m2 %v2
        ;                                    ^^^ error[operand-type]: expected a float matrix, found vec2
        ;                                      = line 35:1: defined here
        %x58 = OpMatrixTimesMatrix %mat2 %v2 %m2
        ;                                ^^^ error[operand-type]: expected a float matrix, found vec2
        ;                                  = line 35:1: defined here
        %x59 = OpMatrixTimesMatrix %vec2 %m2 %m2
        ;                          ^^^^^ error[operand-type]: expected a float matrix as Result Type, found vec2
        ;                              = line 17:1: defined here
        %x60 = OpOuterProduct %mat2 %v2 %v2
        %x61 = OpOuterProduct %mat23 %v3 %v2
        %x62 = OpOuterProduct %mat23 %v2 %v3
        ;                            ^^^ error[operand-type]: expected vec3, the column type of Result Type, found vec2
        ;                              = line 35:1: defined here
        %x63 = OpOuterProduct %mat32 %v2 %v2
        ;                                ^^^ error[operand-type]: expected a vector with a component for each column of the result, found vec2
        ;                                  = line 35:1: defined here
        %x64 = OpOuterProduct %mat2 %v2 %dv2
        ;                               ^^^^ error[operand-type]: expected a vector with a component for each column of the result, found dvec2
        ;                                  = line 37:1: defined here
        %x65 = OpOuterProduct %vec2 %v2 %v2
        ;                     ^^^^^ error[operand-type]: expected a float matrix as Result Type, found vec2
        ;                         = line 17:1: defined here
        %x66 = OpIAddCarry %carry %u %u
        %x67 = OpIAddCarry %signed %i %i
        ;                  ^^^^^^^ error[operand-type]: expected a structure of two identical integer or integer vector types as Result Type, found struct %signed
        ;                        = line 24:1: defined here
        %x68 = OpSMulExtended %signed %i %i
        %x69 = OpUMulExtended %mixed %u %u
        ;                     ^^^^^^ error[operand-type]: expected a structure of two identical integer or integer vector types as Result Type, found struct %mixed
        ;                          = line 25:1: defined here
        %x70 = OpISubBorrow %carry %u %i
        ;                             ^^ error[operand-type]: expected uint, the type of the members of Result Type, found int
        ;                              = line 27:1: defined here
        %x71 = OpUMulExtended %carry %i %u
        ;                            ^^ error[operand-type]: expected uint, the type of the members of Result Type, found int
        ;                             = line 27:1: defined here
        %x72 = OpUMulExtended %uint %u %u
        ;                     ^^^^^ error[operand-type]: expected a structure of two members as Result Type, found uint
        ;                         = line 10:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
