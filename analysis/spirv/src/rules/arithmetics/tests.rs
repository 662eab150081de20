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

#[test]
fn cooperative_matrices() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability Linkage
        OpCapability CooperativeMatrixKHR
        OpCapability CooperativeMatrixReductionsNV
        OpExtension "SPV_KHR_cooperative_matrix"
        OpExtension "SPV_NV_cooperative_matrix2"
        OpMemoryModel Logical Vulkan
        %void = OpTypeVoid
        %int = OpTypeInt 32 1
        %float = OpTypeFloat 32
        %c0 = OpConstant %int 0
        %c1 = OpConstant %int 1
        %c2 = OpConstant %int 2
        %c3 = OpConstant %int 3
        %c4 = OpConstant %int 4
        %c8 = OpConstant %int 8
        %c16 = OpConstant %int 16
        %spec = OpSpecConstant %int 8
        %A = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c4 %c0
        %B = OpTypeCooperativeMatrixKHR %float %c3 %c4 %c16 %c1
        %C = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c16 %c2
        %A_scope = OpTypeCooperativeMatrixKHR %float %c2 %c8 %c4 %c0
        %B_scope = OpTypeCooperativeMatrixKHR %float %c2 %c4 %c16 %c1
        %C_scope = OpTypeCooperativeMatrixKHR %float %c2 %c8 %c16 %c2
        %A_rows = OpTypeCooperativeMatrixKHR %float %c3 %c4 %c4 %c0
        %A_spec = OpTypeCooperativeMatrixKHR %float %c3 %spec %c4 %c0
        %A_inner = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c8 %c0
        %B_columns = OpTypeCooperativeMatrixKHR %float %c3 %c4 %c8 %c1
        %C_rows = OpTypeCooperativeMatrixKHR %float %c3 %c4 %c16 %c2
        %C_columns = OpTypeCooperativeMatrixKHR %float %c3 %c8 %c8 %c2
        %C_half = OpTypeCooperativeMatrixKHR %float %c3 %c4 %c8 %c2
        %iA = OpTypeCooperativeMatrixKHR %int %c3 %c8 %c4 %c0
        %iB = OpTypeCooperativeMatrixKHR %int %c3 %c4 %c16 %c1
        %iC = OpTypeCooperativeMatrixKHR %int %c3 %c8 %c16 %c2
        %a = OpConstantNull %A
        %b = OpConstantNull %B
        %c = OpConstantNull %C
        %a_scope = OpConstantNull %A_scope
        %b_scope = OpConstantNull %B_scope
        %c_scope = OpConstantNull %C_scope
        %a_rows = OpConstantNull %A_rows
        %a_spec = OpConstantNull %A_spec
        %a_inner = OpConstantNull %A_inner
        %b_columns = OpConstantNull %B_columns
        %c_rows = OpConstantNull %C_rows
        %c_columns = OpConstantNull %C_columns
        %c_half = OpConstantNull %C_half
        %ia = OpConstantNull %iA
        %ib = OpConstantNull %iB
        %ic = OpConstantNull %iC
        %f1 = OpConstant %float 1
        %fn = OpTypeFunction %void
        %combine = OpTypeFunction %float %float %float
        %combine3 = OpTypeFunction %float %float %float %float
        %combine_int = OpTypeFunction %int %float %float
        %add = OpFunction %float None %combine
        %add_x = OpFunctionParameter %float
        %add_y = OpFunctionParameter %float
        %add_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %add3 = OpFunction %float None %combine3
        %add3_x = OpFunctionParameter %float
        %add3_y = OpFunctionParameter %float
        %add3_z = OpFunctionParameter %float
        %add3_entry = OpLabel
        OpReturnValue %f1
        OpFunctionEnd
        %addi = OpFunction %int None %combine_int
        %addi_x = OpFunctionParameter %float
        %addi_y = OpFunctionParameter %float
        %addi_entry = OpLabel
        OpReturnValue %c1
        OpFunctionEnd
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %m0 = OpCooperativeMatrixMulAddKHR %C %a %b %c
        %m1 = OpCooperativeMatrixMulAddKHR %C %b %b %c
        ;                                     ^^ error[operand-type]: expected a cooperative matrix with use A, found cooperativematrixkhr %B
        ;                                      = line 38:1: defined here
        %m2 = OpCooperativeMatrixMulAddKHR %C %a %a %c
        ;                                        ^^ error[operand-type]: expected a cooperative matrix with use B, found cooperativematrixkhr %A
        ;                                         = line 37:1: defined here
        %m3 = OpCooperativeMatrixMulAddKHR %C %a %b %a
        ;                                           ^^ error[operand-type]: expected a cooperative matrix with use Accumulator, found cooperativematrixkhr %A
        ;                                            = line 37:1: defined here
        %m4 = OpCooperativeMatrixMulAddKHR %A %a %b %c
        ;                                  ^^ error[operand-type]: expected a cooperative matrix with use Accumulator as Result Type, found cooperativematrixkhr %A
        ;                                   = line 21:1: defined here
        %m5 = OpCooperativeMatrixMulAddKHR %float %a %b %c
        ;                                  ^^^^^^ error[operand-type]: expected a cooperative matrix with use Accumulator as Result Type, found float
        ;                                       = line 12:1: defined here
        %m6 = OpCooperativeMatrixMulAddKHR %C %f1 %b %c
        ;                                     ^^^ error[operand-type]: expected a cooperative matrix with use A, found float
        ;                                       = line 53:1: defined here
        %m7 = OpCooperativeMatrixMulAddKHR %C %a_scope %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the scopes of the cooperative matrices do not match
        %m8 = OpCooperativeMatrixMulAddKHR %C %a %b_scope %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the scopes of the cooperative matrices do not match
        %m9 = OpCooperativeMatrixMulAddKHR %C %a %b %c_scope
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the scopes of the cooperative matrices do not match
        %m10 = OpCooperativeMatrixMulAddKHR %C_scope %a %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the scopes of the cooperative matrices do not match
        %m11 = OpCooperativeMatrixMulAddKHR %C_scope %a_scope %b_scope %c_scope
        %m12 = OpCooperativeMatrixMulAddKHR %C %a_rows %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the rows (M) of the cooperative matrices do not match
        %m13 = OpCooperativeMatrixMulAddKHR %C %a %b %c_rows
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the rows (M) of the cooperative matrices do not match
        %m14 = OpCooperativeMatrixMulAddKHR %C_rows %a %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the rows (M) of the cooperative matrices do not match
        %m15 = OpCooperativeMatrixMulAddKHR %C_rows %a_rows %b %c_rows
        %m16 = OpCooperativeMatrixMulAddKHR %C %a_spec %b %c
        %m17 = OpCooperativeMatrixMulAddKHR %C %a %b_columns %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the columns (N) of the cooperative matrices do not match
        %m18 = OpCooperativeMatrixMulAddKHR %C %a %b %c_columns
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the columns (N) of the cooperative matrices do not match
        %m19 = OpCooperativeMatrixMulAddKHR %C_columns %a %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the columns (N) of the cooperative matrices do not match
        %m20 = OpCooperativeMatrixMulAddKHR %C_columns %a %b_columns %c_columns
        %m21 = OpCooperativeMatrixMulAddKHR %C %a_inner %b %c
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the inner sizes (K) of the cooperative matrices do not match
        %m22 = OpCooperativeMatrixMulAddKHR %iC %ia %ib %ic MatrixASignedComponentsKHR|MatrixBSignedComponentsKHR|MatrixCSignedComponentsKHR|MatrixResultSignedComponentsKHR
        %m23 = OpCooperativeMatrixMulAddKHR %C %a %b %c MatrixASignedComponentsKHR
        %m24 = OpCooperativeMatrixMulAddKHR %C %a %b %c MatrixBSignedComponentsKHR
        %m25 = OpCooperativeMatrixMulAddKHR %C %a %b %c MatrixCSignedComponentsKHR
        %m26 = OpCooperativeMatrixMulAddKHR %C %a %b %c MatrixResultSignedComponentsKHR
        %r0 = OpCooperativeMatrixReduceNV %C %c Row %add
        %r1 = OpCooperativeMatrixReduceNV %C_columns %c Row %add
        %r2 = OpCooperativeMatrixReduceNV %C_rows %c Row %add
        ;                                 ^^^^^^^ error[operand-type]: the result of a Row reduction must have the same number of rows
        ;                                       = line 31:1: defined here
        %r3 = OpCooperativeMatrixReduceNV %C_rows %c Column %add
        %r4 = OpCooperativeMatrixReduceNV %C_columns %c Column %add
        ;                                 ^^^^^^^^^^ error[operand-type]: the result of a Column reduction must have the same number of columns
        ;                                          = line 32:1: defined here
        %r5 = OpCooperativeMatrixReduceNV %C_half %c Row|Column %add
        %r6 = OpCooperativeMatrixReduceNV %C_half %c 2x2 %add
        %r7 = OpCooperativeMatrixReduceNV %C %c 2x2 %add
        ;                                 ^^ error[operand-type]: the result of a 2x2 reduction must have half the rows and half the columns
        ;                                  = line 23:1: defined here
        %r8 = OpCooperativeMatrixReduceNV %C_rows %c 2x2 %add
        ;                                 ^^^^^^^ error[operand-type]: the result of a 2x2 reduction must have half the rows and half the columns
        ;                                       = line 31:1: defined here
        %r9 = OpCooperativeMatrixReduceNV %C_columns %c 2x2 %add
        ;                                 ^^^^^^^^^^ error[operand-type]: the result of a 2x2 reduction must have half the rows and half the columns
        ;                                          = line 32:1: defined here
        %r10 = OpCooperativeMatrixReduceNV %C_half %c 2x2|Row %add
        ;                                             ^^^^^^^ error[operand-type]: 2x2 must not be combined with Row or Column
        %r11 = OpCooperativeMatrixReduceNV %C_half %c 2x2|Column %add
        ;                                             ^^^^^^^^^^ error[operand-type]: 2x2 must not be combined with Row or Column
        %r12 = OpCooperativeMatrixReduceNV %iC %c Row %add
        ;                                      ^^ error[operand-type]: expected components of the same type as in Result Type, found cooperativematrixkhr %C
        ;                                       = line 39:1: defined here
        %r13 = OpCooperativeMatrixReduceNV %float %c Row %add
        ;                                  ^^^^^^ error[operand-type]: expected a cooperative matrix as Result Type, found float
        ;                                       = line 12:1: defined here
        %r14 = OpCooperativeMatrixReduceNV %C %f1 Row %add
        ;                                     ^^^ error[operand-type]: expected a cooperative matrix, found float
        ;                                       = line 53:1: defined here
        %r15 = OpCooperativeMatrixReduceNV %C %c Row %add3
        ;                                            ^^^^^ error[operand-type]: `%add3` must take two parameters of type float and return float
        ;                                                = line 64:1: defined here
        %r16 = OpCooperativeMatrixReduceNV %C %c Row %addi
        ;                                            ^^^^^ error[operand-type]: `%addi` must take two parameters of type float and return float
        ;                                                = line 71:1: defined here
        %r17 = OpCooperativeMatrixReduceNV %C %c Row %c1
        ;                                            ^^^ error[operand-type]: `%c1` must take two parameters of type float and return float
        ;                                              = line 14:1: defined here
        %x0 = OpFAdd %C %c %c
        %x1 = OpFAdd %C %c %c_rows
        ;^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the cooperative matrices must have the same rows
        %x2 = OpFAdd %iC %ic %ic
        ;            ^^^ error[operand-type]: expected a float scalar or vector as Result Type, found cooperativematrixkhr %iC
        ;              = line 36:1: defined here
        %x3 = OpIAdd %iC %ic %ic
        %x4 = OpIAdd %C %c %c
        ;            ^^ error[operand-type]: expected an integer scalar or vector as Result Type, found cooperativematrixkhr %C
        ;             = line 23:1: defined here
        %x5 = OpIMul %iC %ic %c
        %x6 = OpFNegate %C %c
        %x7 = OpSNegate %iC %ic
        %x8 = OpSDiv %iC %ic %ic
        %x9 = OpUDiv %iC %ic %ic
        ;            ^^^ error[operand-type]: expected an unsigned integer scalar or vector as Result Type, found cooperativematrixkhr %iC
        ;              = line 36:1: defined here
        %x10 = OpFRem %C %c %c
        ;             ^^ error[operand-type]: expected a float scalar or vector as Result Type, found cooperativematrixkhr %C
        ;              = line 23:1: defined here
        %x11 = OpMatrixTimesScalar %C %c %f1
        %x12 = OpMatrixTimesScalar %C %c %c1
        ;                                ^^^ error[operand-type]: expected float, the component type, found int
        ;                                  = line 14:1: defined here
        %x13 = OpMatrixTimesScalar %iC %ic %c1
        %x14 = OpConvertFToS %iC %c
        %x15 = OpConvertSToF %C %ic
        %x16 = OpConvertFToS %iC %c_rows
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[operand-type]: the cooperative matrices must have the same rows
        %x17 = OpConvertFToS %C %c
        ;                    ^^ error[operand-type]: expected an integer scalar or vector as Result Type, found cooperativematrixkhr %C
        ;                     = line 23:1: defined here
        %x18 = OpBitcast %iC %c
        %x19 = OpCompositeExtract %float %c 0
        %x20 = OpCompositeConstruct %C %f1
        %x21 = OpCompositeConstruct %C %f1 %f1
        ;                           ^^ error[composite-type]: expected 1 constituent for cooperativematrixkhr %C, found 2
        ;                            = line 23:1: defined here
        %x22 = OpCompositeConstruct %C %c1
        ;                              ^^^ error[composite-type]: expected float, but `%c1` is int
        ;                                = line 14:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn floats_of_8_and_16_bits() {
    marks(expect![[r#"
        ; target-env: spv1.6
        OpCapability Shader
        OpCapability Linkage
        OpCapability Float16
        OpCapability BFloat16TypeKHR
        OpCapability BFloat16DotProductKHR
        OpCapability Float8EXT
        OpExtension "SPV_KHR_bfloat16"
        OpExtension "SPV_EXT_float8"
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %bool = OpTypeBool
        %int = OpTypeInt 32 1
        %half = OpTypeFloat 16
        %bf16 = OpTypeFloat 16 BFloat16KHR
        %fp8 = OpTypeFloat 8 Float8E4M3EXT
        %float = OpTypeFloat 32
        %bf2 = OpTypeVector %bf16 2
        %fp2 = OpTypeVector %fp8 2
        %vec2 = OpTypeVector %float 2
        %hvec2 = OpTypeVector %half 2
        %bool2 = OpTypeVector %bool 2
        %i = OpConstant %int 1
        %h = OpConstant %half 1
        %f = OpConstant %float 1
        %b = OpConstantNull %bf16
        %e = OpConstantNull %fp8
        %b2 = OpConstantNull %bf2
        %e2 = OpConstantNull %fp2
        %v2 = OpConstantNull %vec2
        %h2 = OpConstantNull %hvec2
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %a0 = OpFAdd %bf16 %b %b
        ;            ^^^^^ error[operand-type]: OpFAdd must not use bfloat16_t
        ;                = line 15:1: defined here
        %a1 = OpFAdd %bf2 %b2 %b2
        ;            ^^^^ error[operand-type]: OpFAdd must not use bf16vec2
        ;               = line 18:1: defined here
        %a2 = OpFAdd %fp8 %e %e
        ;            ^^^^ error[operand-type]: OpFAdd must not use fp8
        ;               = line 16:1: defined here
        %a3 = OpFAdd %fp2 %e2 %e2
        ;            ^^^^ error[operand-type]: OpFAdd must not use fp8vec2
        ;               = line 19:1: defined here
        %a4 = OpFNegate %bf16 %b
        ;               ^^^^^ error[operand-type]: OpFNegate must not use bfloat16_t
        ;                   = line 15:1: defined here
        %a5 = OpFMod %fp8 %e %e
        ;            ^^^^ error[operand-type]: OpFMod must not use fp8
        ;               = line 16:1: defined here
        %a6 = OpDot %bf16 %b2 %b2
        %a7 = OpDot %fp8 %e2 %e2
        ;           ^^^^ error[operand-type]: OpDot must not use fp8
        ;              = line 16:1: defined here
        %a8 = OpDot %half %h2 %h2
        %a9 = OpVectorTimesScalar %bf2 %b2 %b
        ;                         ^^^^ error[operand-type]: OpVectorTimesScalar must not use bf16vec2
        ;                            = line 18:1: defined here
        %a10 = OpVectorTimesScalar %fp2 %e2 %e
        ;                          ^^^^ error[operand-type]: OpVectorTimesScalar must not use fp8vec2
        ;                             = line 19:1: defined here
        %c0 = OpFConvert %float %b
        %c1 = OpFConvert %bf16 %f
        %c2 = OpFConvert %bf16 %h
        %c3 = OpFConvert %fp8 %f
        %c4 = OpFConvert %vec2 %b2
        %c5 = OpFConvert %fp2 %b2
        %c6 = OpFConvert %bf16 %b
        ;                      ^^ error[operand-type]: expected another component type than that of bfloat16_t, found bfloat16_t
        ;                       = line 26:1: defined here
        %c7 = OpConvertFToS %int %b
        %c8 = OpConvertSToF %bf16 %i
        %c9 = OpConvertFToS %int %e
        %c10 = OpConvertSToF %fp8 %i
        %c11 = OpQuantizeToF16 %float %f
        %d0 = OpFOrdEqual %bool %b %b
        ;                       ^^ error[operand-type]: OpFOrdEqual must not use bfloat16_t
        ;                        = line 26:1: defined here
        %d1 = OpFOrdLessThan %bool2 %b2 %b2
        ;                           ^^^ error[operand-type]: OpFOrdLessThan must not use bf16vec2
        ;                             = line 28:1: defined here
        %d2 = OpFOrdEqual %bool %e %e
        ;                       ^^ error[operand-type]: OpFOrdEqual must not use fp8
        ;                        = line 27:1: defined here
        %d3 = OpFUnordGreaterThan %bool2 %e2 %e2
        ;                                ^^^ error[operand-type]: OpFUnordGreaterThan must not use fp8vec2
        ;                                  = line 29:1: defined here
        %d4 = OpIsNan %bool %b
        ;                   ^^ error[operand-type]: OpIsNan must not use bfloat16_t
        ;                    = line 26:1: defined here
        %d5 = OpIsInf %bool %e
        ;                   ^^ error[operand-type]: OpIsInf must not use fp8
        ;                    = line 27:1: defined here
        %d6 = OpIsNan %bool2 %b2
        ;                    ^^^ error[operand-type]: OpIsNan must not use bf16vec2
        ;                      = line 28:1: defined here
        %d7 = OpFOrdEqual %bool %h %h
        %d8 = OpBitcast %half %b
        %d9 = OpBitcast %bf16 %h
        %d10 = OpCompositeExtract %bf16 %b2 1
        %d11 = OpCompositeConstruct %bf2 %b %b
        %d12 = OpCompositeConstruct %bf2 %b %h
        ;                                   ^^ error[composite-type]: `%h` is float16_t, but a constituent of bf16vec2 must be a scalar or vector of bfloat16_t
        ;                                    = line 24:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
