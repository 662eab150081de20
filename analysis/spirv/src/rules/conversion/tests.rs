//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn conversions_keep_the_number_of_components() {
    let shader = Shader {
        body: "%a = OpConvertFToS %float %f1
%b = OpConvertSToF %float %f1
%c = OpFConvert %float %v2
%d = OpBitcast %float %v2
%e = OpSConvert %int %i0
%f = OpConvertFToU %int %f1",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%float`: expected an integer scalar or vector as Result Type, found float
          12:1 `%float`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          25:1 `%f1`: defined here
        error[operand-type] `%v2`: expected as many components as in Result Type (float), found vec2
          26:1 `%v2`: defined here
        error[operand-type] `%v2`: expected a type of 32 bits, the size of Result Type, found vec2
          26:1 `%v2`: defined here
        error[operand-type] `%i0`: expected a type whose width differs from that of int, found int
          19:1 `%i0`: defined here
        error[operand-type] `%int`: expected an unsigned integer scalar or vector as Result Type, found int
          10:1 `%int`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn numbers_are_converted_to_numbers() {
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
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %double = OpTypeFloat 64
        %int2 = OpTypeVector %int 2
        %vec2 = OpTypeVector %float 2
        %pfloat = OpTypePointer Function %float
        %true = OpConstantTrue %bool
        %i = OpConstant %int 1
        %u = OpConstant %uint 1
        %l = OpConstant %long 1
        %f = OpConstant %float 1
        %d = OpConstant %double 1
        %i2 = OpConstantNull %int2
        %v2 = OpConstantNull %vec2
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %p = OpVariable %pfloat Function
        %x0 = OpConvertFToU %uint %f
        %x1 = OpConvertFToU %int %f
        ;                   ^^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found int
        ;                      = line 9:1: defined here
        %x2 = OpConvertFToU %uint %u
        ;                         ^^ error[operand-type]: expected a float scalar or vector, found uint
        ;                          = line 20:1: defined here
        %x3 = OpConvertFToU %uint %v2
        ;                         ^^^ error[operand-type]: expected as many components as in Result Type (uint), found vec2
        ;                           = line 25:1: defined here
        %x4 = OpConvertFToS %int %d
        %x5 = OpConvertFToS %float %f
        ;                   ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                        = line 13:1: defined here
        %x6 = OpConvertSToF %float %i
        %x7 = OpConvertSToF %float %f
        ;                          ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                           = line 22:1: defined here
        %x8 = OpConvertUToF %vec2 %i2
        %x9 = OpConvertUToF %vec2 %i
        ;                         ^^ error[operand-type]: expected as many components as in Result Type (vec2), found int
        ;                          = line 19:1: defined here
        %x10 = OpConvertUToF %int %i
        ;                    ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                       = line 9:1: defined here
        %x11 = OpUConvert %ulong %u
        %x12 = OpUConvert %long %i
        ;                 ^^^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found int64_t
        ;                     = line 11:1: defined here
        %x13 = OpUConvert %uint %i
        ;                       ^^ error[operand-type]: expected a type whose width differs from that of uint, found int
        ;                        = line 19:1: defined here
        %x14 = OpUConvert %ulong %f
        ;                        ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                         = line 22:1: defined here
        %x15 = OpSConvert %long %i
        %x16 = OpSConvert %int %i
        ;                      ^^ error[operand-type]: expected a type whose width differs from that of int, found int
        ;                       = line 19:1: defined here
        %x17 = OpSConvert %long %f
        ;                       ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                        = line 22:1: defined here
        %x18 = OpFConvert %double %f
        %x19 = OpFConvert %float %f
        ;                        ^^ error[operand-type]: expected another component type than that of float, found float
        ;                         = line 22:1: defined here
        %x20 = OpFConvert %double %v2
        ;                         ^^^ error[operand-type]: expected as many components as in Result Type (double), found vec2
        ;                           = line 25:1: defined here
        %x21 = OpFConvert %int %f
        ;                 ^^^^ error[operand-type]: expected a float scalar or vector as Result Type, found int
        ;                    = line 9:1: defined here
        %x22 = OpFConvert %double %i
        ;                         ^^ error[operand-type]: expected a float scalar or vector, found int
        ;                          = line 19:1: defined here
        %x23 = OpQuantizeToF16 %float %f
        %x24 = OpQuantizeToF16 %double %d
        ;                      ^^^^^^^ error[operand-type]: expected a 32-bit float scalar or vector as Result Type, found double
        ;                            = line 14:1: defined here
        %x25 = OpQuantizeToF16 %float %d
        ;                             ^^ error[operand-type]: expected float, the Result Type, found double
        ;                              = line 23:1: defined here
        %x26 = OpQuantizeToF16 %int %i
        ;                      ^^^^ error[operand-type]: expected a 32-bit float scalar or vector as Result Type, found int
        ;                         = line 9:1: defined here
        %x27 = OpQuantizeToF16 %vec2 %v2
        %x28 = OpBitcast %uint %f
        %x29 = OpBitcast %uint %d
        ;                      ^^ error[operand-type]: expected a type of 32 bits, the size of Result Type, found double
        ;                       = line 23:1: defined here
        %x30 = OpBitcast %bool %i
        ;                ^^^^^ error[operand-type]: expected a pointer, a number or a vector of numbers as Result Type, found bool
        ;                    = line 8:1: defined here
        %x31 = OpBitcast %uint %true
        ;                      ^^^^^ error[operand-type]: expected a pointer, a number or a vector of numbers, found bool
        ;                          = line 18:1: defined here
        %x32 = OpBitcast %double %i2
        %x33 = OpBitcast %ulong %v2
        %x34 = OpBitcast %uint %p
        %x35 = OpBitcast %pfloat %u
        %x36 = OpBitcast %float %i2
        ;                       ^^^ error[operand-type]: expected a type of 32 bits, the size of Result Type, found ivec2
        ;                         = line 24:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn pointers_are_converted_in_physical_addressing() {
    marks(expect![[r#"
        ; target-env: spv1.2
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpCapability Int64
        OpCapability GenericPointer
        OpMemoryModel Physical64 OpenCL
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
        %float = OpTypeFloat 32
        %uint2 = OpTypeVector %uint 2
        %u = OpConstant %uint 1
        %l = OpConstant %ulong 1
        %f = OpConstant %float 1
        %u2 = OpConstantNull %uint2
        %global = OpTypePointer CrossWorkgroup %float
        %constant = OpTypePointer UniformConstant %float
        %generic = OpTypePointer Generic %float
        %local = OpTypePointer Workgroup %float
        %generic_int = OpTypePointer Generic %uint
        %fn = OpTypeFunction %void %global %generic %constant
        %main = OpFunction %void None %fn
        %p = OpFunctionParameter %global
        %g = OpFunctionParameter %generic
        %c = OpFunctionParameter %constant
        %entry = OpLabel
        %x0 = OpConvertPtrToU %ulong %p
        %x1 = OpConvertPtrToU %uint %p
        %x2 = OpConvertPtrToU %float %p
        ;                     ^^^^^^ error[operand-type]: expected an unsigned integer, found float
        ;                          = line 11:1: defined here
        %x3 = OpConvertPtrToU %ulong %l
        ;                            ^^ error[operand-type]: expected a pointer, found uint64_t
        ;                             = line 14:1: defined here
        %x4 = OpConvertUToPtr %global %l
        %x5 = OpConvertUToPtr %global %f
        ;                             ^^ error[operand-type]: expected an unsigned integer, found float
        ;                              = line 15:1: defined here
        %x6 = OpConvertUToPtr %ulong %l
        ;                     ^^^^^^ error[operand-type]: expected a pointer, found uint64_t
        ;                          = line 10:1: defined here
        %x7 = OpSatConvertSToU %uint %u
        %x8 = OpSatConvertSToU %uint %f
        ;                            ^^ error[operand-type]: expected an integer scalar or vector with as many components as Result Type, found float
        ;                             = line 15:1: defined here
        %x9 = OpSatConvertUToS %uint %u2
        ;                            ^^^ error[operand-type]: expected an integer scalar or vector with as many components as Result Type, found uvec2
        ;                              = line 16:1: defined here
        %x10 = OpSatConvertUToS %float %u
        ;                       ^^^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found float
        ;                            = line 11:1: defined here
        %x11 = OpPtrCastToGeneric %generic %p
        %x12 = OpPtrCastToGeneric %generic %c
        ;                                  ^^ error[operand-type]: expected a pointer to Workgroup, CrossWorkgroup, Function or CodeSectionINTEL, found ptr UniformConstant float
        ;                                   = line 26:1: defined here
        %x13 = OpPtrCastToGeneric %global %p
        ;                         ^^^^^^^ error[operand-type]: expected a pointer to Generic, found ptr CrossWorkgroup float
        ;                               = line 17:1: defined here
        %x14 = OpPtrCastToGeneric %generic_int %p
        ;                                      ^^ error[operand-type]: expected a pointer to the type that Result Type points to, found ptr CrossWorkgroup float
        ;                                       = line 24:1: defined here
        %x15 = OpPtrCastToGeneric %generic %f
        ;                                  ^^ error[operand-type]: expected a pointer, found float
        ;                                   = line 15:1: defined here
        %x16 = OpPtrCastToGeneric %float %p
        ;                         ^^^^^^ error[operand-type]: expected a pointer as Result Type, found float
        ;                              = line 11:1: defined here
        %x17 = OpGenericCastToPtr %global %g
        %x18 = OpGenericCastToPtr %global %p
        ;                                 ^^ error[operand-type]: expected a pointer to Generic, found ptr CrossWorkgroup float
        ;                                  = line 24:1: defined here
        %x19 = OpGenericCastToPtr %constant %g
        ;                         ^^^^^^^^^ error[operand-type]: expected a pointer to Workgroup, CrossWorkgroup, Function or CodeSectionINTEL, found ptr UniformConstant float
        ;                                 = line 18:1: defined here
        %x20 = OpGenericCastToPtrExplicit %global %g CrossWorkgroup
        %x21 = OpGenericCastToPtrExplicit %global %g Workgroup
        ;                                 ^^^^^^^ error[operand-type]: expected a pointer to the given storage class as Result Type, found ptr CrossWorkgroup float
        ;                                       = line 17:1: defined here
        %x22 = OpGenericCastToPtrExplicit %local %g Workgroup
        %x23 = OpBitcast %global %l
        %x24 = OpBitcast %global %f
        ;                        ^^ error[operand-type]: expected a pointer or integer, because Result Type is a pointer, found float
        ;                         = line 15:1: defined here
        %x25 = OpBitcast %ulong %p
        %x26 = OpBitcast %float %p
        ;                ^^^^^^ error[operand-type]: expected a pointer or integer as Result Type, because the operand is a pointer, found float
        ;                     = line 11:1: defined here
        %x27 = OpBitcast %constant %p
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn cooperative_matrices_change_use_or_are_transposed() {
    let shader = Shader {
        head: "; target-env: spv1.6
OpCapability Shader
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpCapability CooperativeMatrixConversionsNV
OpCapability CooperativeMatrixConversionsEXT
OpCapability Int16
OpCapability Float16
OpExtension \"SPV_KHR_cooperative_matrix\"
OpExtension \"SPV_NV_cooperative_matrix2\"
OpExtension \"SPV_EXT_cooperative_matrix_maintenance1\"",
        types: "%half = OpTypeFloat 16
%ma = OpTypeCooperativeMatrixKHR %float %u3 %u1 %u2 %u0
%mb = OpTypeCooperativeMatrixKHR %float %u3 %u2 %u1 %u1
%mb2 = OpTypeCooperativeMatrixKHR %float %u3 %u1 %u2 %u1
%mc = OpTypeCooperativeMatrixKHR %float %u3 %u1 %u2 %u2
%mct = OpTypeCooperativeMatrixKHR %float %u3 %u2 %u1 %u2
%hb = OpTypeCooperativeMatrixKHR %half %u3 %u2 %u1 %u1
%hc = OpTypeCooperativeMatrixKHR %half %u3 %u1 %u2 %u2
%ic = OpTypeCooperativeMatrixKHR %int %u3 %u1 %u2 %u2
%ua = OpTypeCooperativeMatrixKHR %uint %u3 %u1 %u2 %u0",
        body: "%a = OpUndef %ma
%c = OpUndef %mc
%h = OpUndef %hc
%i = OpUndef %ic
%1 = OpCooperativeMatrixTransposeNV %mb %c
%2 = OpCooperativeMatrixTransposeNV %hb %c
%3 = OpCooperativeMatrixTransposeNV %mb2 %c
%4 = OpCooperativeMatrixTransposeNV %mct %c
%5 = OpCooperativeMatrixTransposeNV %float %c
%6 = OpCooperativeMatrixTransposeNV %mb %f1
%7 = OpCooperativeMatrixConvertUseEXT %ma %c
%8 = OpCooperativeMatrixConvertUseEXT %mc %a
%9 = OpCooperativeMatrixConvertUseEXT %ma %h
%10 = OpCooperativeMatrixConvertUseEXT %ua %i
%11 = OpCooperativeMatrixConvertUseEXT %mct %a
%12 = OpCooperativeMatrixConvertUseEXT %float %a
%13 = OpCooperativeMatrixConvertUseEXT %mc %f1",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%3 = OpCooperativeMatrixTransposeNV %mb2 %c`: the cooperative matrices must have the same rows
        error[operand-type] `%mct`: expected a cooperative matrix with use B as Result Type, found cooperativematrixkhr %mct
          43:1 `%mct`: defined here
        error[operand-type] `%float`: expected a cooperative matrix as Result Type, found float
          20:1 `%float`: defined here
        error[operand-type] `%f1`: expected a cooperative matrix, found float
          33:1 `%f1`: defined here
        error[operand-type] `%h`: expected components of the same type as in Result Type, found cooperativematrixkhr %hc
          52:1 `%h = OpUndef %hc`: defined here
        error[operand-type] `%11 = OpCooperativeMatrixConvertUseEXT %mct %a`: the cooperative matrices must have the same rows
        error[operand-type] `%float`: expected a cooperative matrix as Result Type, found float
          20:1 `%float`: defined here
        error[operand-type] `%f1`: expected a cooperative matrix, found float
          33:1 `%f1`: defined here
    "#]].assert_eq(&shader.findings());
}
