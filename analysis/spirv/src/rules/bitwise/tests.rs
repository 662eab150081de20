//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn bits_are_of_integers() {
    let shader = Shader {
        body: "%a = OpBitwiseAnd %float %i0 %i1
%b = OpShiftLeftLogical %int %i0 %f1
%c = OpBitFieldInsert %int %i0 %u1 %i0 %i1
%d = OpBitCount %int %f1",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%float`: expected an integer scalar or vector as Result Type, found float
          12:1 `%float`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          25:1 `%f1`: defined here
        error[operand-type] `%u1`: expected int, the Result Type, found uint
          22:1 `%u1`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          25:1 `%f1`: defined here
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
        %x0 = OpShiftLeftLogical %int %i %u
        %x1 = OpShiftLeftLogical %int %i %l
        %x2 = OpShiftLeftLogical %int %l %i
        ;                             ^^ error[operand-type]: expected components of the same width as in int, found int64_t
        ;                              = line 29:1: defined here
        %x3 = OpShiftRightLogical %int2 %i2 %i
        ;                                   ^^ error[operand-type]: expected as many components as in Result Type (ivec2), found int
        ;                                    = line 27:1: defined here
        %x4 = OpShiftRightArithmetic %int %f %i
        ;                                 ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                                  = line 30:1: defined here
        %x5 = OpShiftRightArithmetic %int %i %f
        ;                                    ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                                     = line 30:1: defined here
        %x6 = OpShiftLeftLogical %float %f %i
        ;                        ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                             = line 12:1: defined here
        %x7 = OpBitwiseOr %int %i %u
        %x8 = OpBitwiseAnd %int %i %l
        ;                          ^^ error[operand-type]: expected components of the same width as in int, found int64_t
        ;                           = line 29:1: defined here
        %x9 = OpBitwiseXor %int %i %f
        ;                          ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                           = line 30:1: defined here
        %x10 = OpBitwiseOr %int2 %i2 %i
        ;                            ^^ error[operand-type]: expected as many components as in Result Type (ivec2), found int
        ;                             = line 27:1: defined here
        %x11 = OpNot %float %f
        ;            ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                 = line 12:1: defined here
        %x12 = OpNot %int %u
        %x13 = OpBitFieldInsert %int %i %i %u %u
        %x14 = OpBitFieldInsert %int %i %u %u %u
        ;                               ^^ error[operand-type]: expected int, the Result Type, found uint
        ;                                = line 28:1: defined here
        %x15 = OpBitFieldInsert %int %i %i %f %u
        ;                                  ^^ error[operand-type]: expected an integer, found float
        ;                                   = line 30:1: defined here
        %x16 = OpBitFieldInsert %int %i %i %u %f
        ;                                     ^^ error[operand-type]: expected an integer, found float
        ;                                      = line 30:1: defined here
        %x17 = OpBitFieldInsert %int %u %i %u %u
        ;                            ^^ error[operand-type]: expected int, the Result Type, found uint
        ;                             = line 28:1: defined here
        %x18 = OpBitFieldSExtract %int %i %u %u
        %x19 = OpBitFieldUExtract %int %i %i2 %u
        ;                                 ^^^ error[operand-type]: expected an integer, found ivec2
        ;                                   = line 33:1: defined here
        %x20 = OpBitFieldUExtract %int %i %u %f
        ;                                    ^^ error[operand-type]: expected an integer, found float
        ;                                     = line 30:1: defined here
        %x21 = OpBitFieldSExtract %float %f %u %u
        ;                                ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                                 = line 30:1: defined here
        %x22 = OpBitReverse %int %i
        %x23 = OpBitReverse %uint %i
        ;                         ^^ error[operand-type]: expected uint, the Result Type, found int
        ;                          = line 27:1: defined here
        %x24 = OpBitReverse %float %f
        ;                          ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                           = line 30:1: defined here
        %x25 = OpBitCount %uint %i
        %x26 = OpBitCount %uint %i2
        ;                       ^^^ error[operand-type]: expected as many components as in Result Type (uint), found ivec2
        ;                         = line 33:1: defined here
        %x27 = OpBitCount %float %i
        ;                 ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                      = line 12:1: defined here
        %x28 = OpBitCount %uint %f
        ;                       ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                        = line 30:1: defined here
        %x29 = OpBitCount %int %l
        OpReturn
        OpFunctionEnd
    "#]]);
}
