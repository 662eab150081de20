//! Operands of each instruction: types that fit and types that do not.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn comparisons_result_in_booleans() {
    let shader = Shader {
        body: "%a = OpFOrdEqual %int %f1 %f1
%b = OpIEqual %bool %i0 %f1
%c = OpLogicalAnd %bool %true %i0
%d = OpSelect %float %i0 %f1 %f1
%e = OpSelect %float %true %f1 %i0
%f = OpAny %bool %v2",
        ..Shader::NEW
    };
    expect![[r#"
        error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
          10:1 `%int`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          25:1 `%f1`: defined here
        error[operand-type] `%i0`: expected bool, the Result Type, found int
          19:1 `%i0`: defined here
        error[operand-type] `%i0`: expected a Boolean or vector of Booleans as Condition, found int
          19:1 `%i0`: defined here
        error[operand-type] `%i0`: expected float, the Result Type, found int
          19:1 `%i0`: defined here
        error[operand-type] `%v2`: expected a vector of Booleans, found vec2
          26:1 `%v2`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn operands_and_result_have_the_same_number_of_components() {
    let shader = Shader {
        types: "%bvec2 = OpTypeVector %bool 2
%bvec3 = OpTypeVector %bool 3
%long = OpTypeInt 64 1
%uvec2 = OpTypeVector %uint 2
%bb = OpConstantComposite %bvec2 %true %true
%b3 = OpConstantComposite %bvec3 %true %true %true
%l0 = OpConstant %long 0
%i2 = OpConstantComposite %ivec2 %i0 %i1
%u22 = OpConstantComposite %uvec2 %u0 %u1",
        head: "OpCapability Shader\nOpCapability Int64\nOpCapability Kernel\nOpCapability Linkage",
        body: "%any1 = OpAny %bool %bb
%any2 = OpAny %bvec2 %bb
%all1 = OpAll %bool %true
%nan1 = OpIsNan %bool %f1
%nan2 = OpIsNan %bvec2 %v2
%nan3 = OpIsNan %bool %v2
%nan4 = OpIsInf %bool %i0
%nan5 = OpIsInf %int %f1
%nan6 = OpIsFinite %bvec2 %f1
%nan7 = OpIsNormal %bool %u0
%nan8 = OpSignBitSet %float %f1
%eq1 = OpFOrdEqual %bool %f1 %f1
%eq2 = OpFOrdEqual %bvec2 %v2 %v2
%eq3 = OpFUnordEqual %bvec3 %v2 %v2
%eq4 = OpFOrdNotEqual %bool %f1 %i0
%eq5 = OpFUnordNotEqual %bool %i0 %i0
%eq6 = OpFOrdLessThan %bvec2 %v2 %v4
%eq7 = OpFUnordLessThan %float %f1 %f1
%eq8 = OpFOrdGreaterThan %bool %v2 %v2
%eq9 = OpLessOrGreater %bool %f1 %f1
%eq10 = OpUnordered %bool %true %true
%eq11 = OpOrdered %bool %f1 %v2
%log1 = OpLogicalAnd %bool %true %true
%log2 = OpLogicalOr %bvec2 %bb %bb
%log3 = OpLogicalOr %bvec2 %bb %true
%log4 = OpLogicalEqual %bool %bb %true
%log5 = OpLogicalNot %bool %f1
%log6 = OpLogicalNot %float %true
%log7 = OpLogicalNotEqual %bvec3 %b3 %bb
%int1 = OpIEqual %bool %i0 %u1
%int2 = OpINotEqual %bvec2 %i2 %u22
%int3 = OpUGreaterThan %bool %i2 %u22
%int4 = OpULessThan %bvec2 %i2 %u0
%int5 = OpSLessThan %bool %i0 %l0
%int6 = OpSGreaterThanEqual %bool %f1 %i0
%int7 = OpSLessThanEqual %int %i0 %i0
%int8 = OpULessThanEqual %bool %l0 %l0",
        ..Shader::NEW
    };
    expect![[r#"
        error[type-declaration] `1`: Signedness must be 0 with the Kernel capability
        error[operand-type] `%bvec2`: expected a Boolean as Result Type, found bvec2
          32:1 `%bvec2`: defined here
        error[operand-type] `%true`: expected a vector of Booleans, found bool
          20:1 `%true`: defined here
        error[operand-type] `%v2`: expected as many components as in Result Type (bool), found vec2
          28:1 `%v2`: defined here
        error[operand-type] `%i0`: expected a float scalar or vector, found int
          21:1 `%i0`: defined here
        error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
          12:1 `%int`: defined here
        error[operand-type] `%f1`: expected as many components as in Result Type (bvec2), found float
          27:1 `%f1`: defined here
        error[operand-type] `%u0`: expected a float scalar or vector, found uint
          23:1 `%u0`: defined here
        error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
          14:1 `%float`: defined here
        error[operand-type] `%v2`: expected as many components as in Result Type (bvec3), found vec2
          28:1 `%v2`: defined here
        error[operand-type] `%i0`: expected float, the type of the left operand, found int
          21:1 `%i0`: defined here
        error[operand-type] `%i0`: expected a float scalar or vector, found int
          21:1 `%i0`: defined here
        error[operand-type] `%v4`: expected vec2, the type of the left operand, found vec4
          29:1 `%v4`: defined here
        error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
          14:1 `%float`: defined here
        error[operand-type] `%v2`: expected as many components as in Result Type (bool), found vec2
          28:1 `%v2`: defined here
        error[operand-type] `%true`: expected a float scalar or vector, found bool
          20:1 `%true`: defined here
        error[operand-type] `%v2`: expected float, the type of the left operand, found vec2
          28:1 `%v2`: defined here
        error[operand-type] `%true`: expected bvec2, the Result Type, found bool
          20:1 `%true`: defined here
        error[operand-type] `%bb`: expected bool, the Result Type, found bvec2
          36:1 `%bb`: defined here
        error[operand-type] `%f1`: expected bool, the Result Type, found float
          27:1 `%f1`: defined here
        error[operand-type] `%float`: expected a Boolean or vector of Booleans as Result Type, found float
          14:1 `%float`: defined here
        error[operand-type] `%bb`: expected bvec3, the Result Type, found bvec2
          36:1 `%bb`: defined here
        error[operand-type] `%i2`: expected as many components as in Result Type (bool), found ivec2
          39:1 `%i2`: defined here
        error[operand-type] `%u0`: expected as many components as in Result Type (bvec2), found uint
          23:1 `%u0`: defined here
        error[operand-type] `%l0`: expected components of the same width as in int, found int64_t
          38:1 `%l0`: defined here
        error[operand-type] `%f1`: expected an integer scalar or vector, found float
          27:1 `%f1`: defined here
        error[operand-type] `%int`: expected a Boolean or vector of Booleans as Result Type, found int
          12:1 `%int`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn selections() {
    let types = "%bvec2 = OpTypeVector %bool 2
%bb = OpConstantComposite %bvec2 %true %true
%pair = OpTypeStruct %float %int
%array = OpTypeArray %float %u2
%none = OpConstantNull %pair
%nones = OpConstantNull %array
%ptr = OpTypePointer Private %float
%p0 = OpVariable %ptr Private
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%to_image = OpTypePointer UniformConstant %image
%texture = OpVariable %to_image UniformConstant";
    let body = "%s1 = OpSelect %float %true %f1 %f1
%s2 = OpSelect %vec2 %bb %v2 %v2
%s3 = OpSelect %vec2 %true %v2 %v2
%s4 = OpSelect %float %bb %f1 %f1
%s5 = OpSelect %vec4 %bb %v4 %v4
%s6 = OpSelect %float %true %i0 %f1
%s7 = OpSelect %pair %true %none %none
%s8 = OpSelect %array %true %nones %nones
%s9 = OpSelect %mat2 %true %m2 %m2
%s10 = OpSelect %bool %true %true %true
%s11 = OpSelect %ptr %true %p0 %p0
%loaded = OpLoad %image %texture
%s12 = OpSelect %image %true %loaded %loaded
%s13 = OpSelect %void %true %f1 %f1";
    let check = |head: &str| Shader { head, types, body, ..Shader::NEW }.findings();
    expect![[r#"
        error[operand-type] `%true`: expected a Condition with as many components as Result Type, found bool
          18:1 `%true`: defined here
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          31:1 `%bb`: defined here
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          31:1 `%bb`: defined here
        error[operand-type] `%i0`: expected float, the Result Type, found int
          19:1 `%i0`: defined here
        error[operand-type] `%pair`: expected a scalar or vector as Result Type, found struct %pair
          32:1 `%pair`: defined here
        error[operand-type] `%array`: expected a scalar or vector as Result Type, found float[2]
          33:1 `%array`: defined here
        error[operand-type] `%mat2`: expected a scalar or vector as Result Type, found mat2
          17:1 `%mat2`: defined here
        error[operand-type] `%ptr`: OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability
          36:1 `%ptr`: defined here
        error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
          38:1 `%image`: defined here
        error[operand-type] `%void`: expected a scalar or vector as Result Type, found void
          8:1 `%void`: defined here
    "#]].assert_eq(&check(""));
    expect![[r#"
        error[interface] `OpEntryPoint GLCompute %main "main"`: `%p0` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
          36:1 `%p0`: the variable
          fix: Add `%p0`
          | OpEntryPoint GLCompute %main "main" %p0
        error[interface] `OpEntryPoint GLCompute %main "main"`: `%texture` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
          39:1 `%texture`: the variable
          fix: Add `%texture`
          | OpEntryPoint GLCompute %main "main" %texture
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          30:1 `%bb`: defined here
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          30:1 `%bb`: defined here
        error[operand-type] `%i0`: expected float, the Result Type, found int
          18:1 `%i0`: defined here
        error[operand-type] `%ptr`: OpSelect of pointers requires the VariablePointers or VariablePointersStorageBuffer capability
          35:1 `%ptr`: defined here
        error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
          37:1 `%image`: defined here
        error[operand-type] `%void`: expected a scalar or composite as Result Type, found void
          7:1 `%void`: defined here
    "#]].assert_eq(&check("; target-env: spv1.4"));
    expect![[r#"
        error[interface] `OpEntryPoint GLCompute %main "main"`: `%p0` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
          37:1 `%p0`: the variable
          fix: Add `%p0`
          | OpEntryPoint GLCompute %main "main" %p0
        error[interface] `OpEntryPoint GLCompute %main "main"`: `%texture` is used by this entry point but missing from its interface, which since SPIR-V 1.4 lists all global variables; this module is read as version 1.4
          40:1 `%texture`: the variable
          fix: Add `%texture`
          | OpEntryPoint GLCompute %main "main" %texture
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          31:1 `%bb`: defined here
        error[operand-type] `%bb`: expected a Condition with as many components as Result Type, found bvec2
          31:1 `%bb`: defined here
        error[operand-type] `%i0`: expected float, the Result Type, found int
          19:1 `%i0`: defined here
        error[operand-type] `%image`: OpSelect of images and samplers requires the BindlessTextureNV capability
          38:1 `%image`: defined here
        error[operand-type] `%void`: expected a scalar or composite as Result Type, found void
          8:1 `%void`: defined here
    "#]].assert_eq(&check(
        "; target-env: spv1.4\nOpCapability Shader\nOpCapability VariablePointersStorageBuffer",
    ));
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
        %x0 = OpAny %bool %b2
        %x1 = OpAll %bool %true
        ;                 ^^^^^ error[operand-type]: expected a vector of Booleans, found bool
        ;                     = line 26:1: defined here
        %x2 = OpAny %int %b2
        ;           ^^^^ error[operand-type]: expected a Boolean as Result Type, found int
        ;              = line 9:1: defined here
        %x3 = OpAll %bool %u
        ;                 ^^ error[operand-type]: expected a vector of Booleans, found uint
        ;                  = line 28:1: defined here
        %x4 = OpIsNan %bool %f
        %x5 = OpIsInf %bool %i
        ;                   ^^ error[operand-type]: expected a float scalar or vector, found int
        ;                    = line 27:1: defined here
        %x6 = OpIsNan %bool2 %v2
        %x7 = OpIsNan %bool %v2
        ;                   ^^^ error[operand-type]: expected as many components as in Result Type (bool), found vec2
        ;                     = line 35:1: defined here
        %x8 = OpIsInf %int %f
        ;             ^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found int
        ;                = line 9:1: defined here
        %x9 = OpFOrdEqual %bool %f %f
        %x10 = OpFOrdLessThan %bool %f %d
        ;                              ^^ error[operand-type]: expected float, the type of the left operand, found double
        ;                               = line 31:1: defined here
        %x11 = OpFUnordGreaterThan %bool %i %i
        ;                                ^^ error[operand-type]: expected a float scalar or vector, found int
        ;                                 = line 27:1: defined here
        %x12 = OpFOrdEqual %bool2 %v2 %v2
        %x13 = OpFOrdEqual %bool %v2 %v2
        ;                        ^^^ error[operand-type]: expected as many components as in Result Type (bool), found vec2
        ;                          = line 35:1: defined here
        %x14 = OpFOrdNotEqual %int %f %f
        ;                     ^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found int
        ;                        = line 9:1: defined here
        %x15 = OpLogicalOr %bool %true %true
        %x16 = OpLogicalAnd %bool %true %u
        ;                               ^^ error[operand-type]: expected bool, the Result Type, found uint
        ;                                = line 28:1: defined here
        %x17 = OpLogicalEqual %bool2 %b2 %b2
        %x18 = OpLogicalNot %bool2 %true
        ;                          ^^^^^ error[operand-type]: expected bvec2, the Result Type, found bool
        ;                              = line 26:1: defined here
        %x19 = OpLogicalNot %int %i
        ;                   ^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found int
        ;                      = line 9:1: defined here
        %x20 = OpIEqual %bool %i %u
        %x21 = OpIEqual %bool %i %l
        ;                        ^^ error[operand-type]: expected components of the same width as in int, found int64_t
        ;                         = line 29:1: defined here
        %x22 = OpUGreaterThan %bool %u %f
        ;                              ^^ error[operand-type]: expected an integer scalar or vector, found float
        ;                               = line 30:1: defined here
        %x23 = OpSLessThan %bool %i %i
        %x24 = OpSLessThan %bool2 %i2 %i2
        %x25 = OpULessThan %bool %i2 %i2
        ;                        ^^^ error[operand-type]: expected as many components as in Result Type (bool), found ivec2
        ;                          = line 33:1: defined here
        %x26 = OpUGreaterThanEqual %uint %u %u
        ;                          ^^^^^ error[operand-type]: expected a Boolean or vector of Booleans as Result Type, found uint
        ;                              = line 10:1: defined here
        %x27 = OpINotEqual %bool %true %true
        ;                        ^^^^^ error[operand-type]: expected an integer scalar or vector, found bool
        ;                            = line 26:1: defined here
        %x28 = OpSelect %float %true %f %f
        %x29 = OpSelect %float %u %f %f
        ;                      ^^ error[operand-type]: expected a Boolean or vector of Booleans as Condition, found uint
        ;                       = line 28:1: defined here
        %x30 = OpSelect %float %true %f %d
        ;                               ^^ error[operand-type]: expected float, the Result Type, found double
        ;                                = line 31:1: defined here
        %x31 = OpSelect %vec2 %b2 %v2 %v2
        %x32 = OpSelect %vec2 %true %v2 %v2
        ;                     ^^^^^ error[operand-type]: expected a Condition with as many components as Result Type, found bool
        ;                         = line 26:1: defined here
        %x33 = OpSelect %vec3 %b2 %v3 %v3
        ;                     ^^^ error[operand-type]: expected a Condition with as many components as Result Type, found bvec2
        ;                       = line 32:1: defined here
        %x34 = OpSelect %mat2 %true %m2 %m2
        ;               ^^^^^ error[operand-type]: expected a scalar or vector as Result Type, found mat2
        ;                   = line 20:1: defined here
        %x35 = OpSelect %float %true %i %f
        ;                            ^^ error[operand-type]: expected float, the Result Type, found int
        ;                             = line 27:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
