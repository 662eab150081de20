//! Constants of each type.

use expect_test::expect;

use crate::rules::testing::{Shader, marks};

#[test]
fn constants_fit_their_types() {
    let shader = Shader {
        types: "%a = OpConstantTrue %int
%b = OpConstantComposite %vec2 %f1
%c = OpConstantComposite %vec2 %f1 %i0
%d = OpConstantNull %fn
%e = OpConstantComposite %float %f1
%f = OpSpecConstantOp %float SConvert %i0",
        ..Shader::NEW
    };
    expect![[r#"
        error[constant-type] `%int`: expected a Boolean type as Result Type, found int
          10:1 `%int`: defined here
        error[constant-type] `%vec2`: expected 2 constituents for vec2, found 1
          14:1 `%vec2`: defined here
        error[constant-type] `%i0`: expected float, but `%i0` is int
          19:1 `%i0`: defined here
        error[type-declaration] `%fn`: function type `%fn` can be used only by OpFunction
          29:1 `%fn`: defined here
        error[constant-type] `%float`: float is not a composite type
          12:1 `%float`: defined here
        warning[specialization-constant] `%f = OpSpecConstantOp %float SConvert %i0`: OpSConvert gives an integer, not float
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn data_fills_its_array() {
    let found = |data: &str| {
        let types = format!(
            "%three = OpConstant %int 3\n%array = OpTypeArray %int %three\n%d = OpConstantDataKHR {data}"
        );
        let head = "OpCapability Shader\nOpCapability ConstantDataKHR\nOpExtension \"SPV_KHR_constant_data\"";
        Shader { head, types: &types, ..Shader::NEW }.findings()
    };
    let is_reported = |data: &str| found(data).contains("[constant-type]");
    assert!(!is_reported("%array 1 2 3"), "{}", found("%array 1 2 3"));
    assert!(
        found("%array 1 2").contains("expected 3 literals for int[3], found 2"),
        "{}",
        found("%array 1 2")
    );
    assert!(is_reported("%array"));
    assert!(is_reported("%float 1"));
}

#[test]
fn constants_of_shaders() {
    marks(expect![[r#"
        ; target-env: spv1.3
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
        %arr = OpTypeArray %float %u2
        %arr_spec = OpTypeArray %float %spec
        %s = OpTypeStruct %float %int
        %p = OpTypePointer Private %float
        %image = OpTypeImage %float 2D 0 0 0 1 Unknown
        %sampler = OpTypeSampler
        %holds_image = OpTypeStruct %image
        %endless = OpTypeRuntimeArray %float
        %undef = OpUndef %float
        %a0 = OpConstantTrue %bool
        %a1 = OpConstantTrue %int
        ;                    ^^^^ error[constant-type]: expected a Boolean type as Result Type, found int
        ;                       = line 8:1: defined here
        %a2 = OpConstantFalse %vec2
        ;                     ^^^^^ error[constant-type]: expected a Boolean type as Result Type, found vec2
        ;                         = line 10:1: defined here
        %a3 = OpSpecConstantTrue %bool
        %a4 = OpSpecConstantFalse %float
        ;                         ^^^^^^ error[constant-type]: expected a Boolean type as Result Type, found float
        ;                              = line 9:1: defined here
        %b0 = OpConstant %uint 4294967295
        %b1 = OpConstant %bool 1
        ;                ^^^^^ error[invalid-literal]: expected an integer or float type as Result Type of OpConstant, found `%bool`
        %b2 = OpConstant %vec2 1
        ;                ^^^^^ error[invalid-literal]: expected an integer or float type as Result Type of OpConstant, found `%vec2`
        %b3 = OpSpecConstant %int 7
        %b4 = OpSpecConstant %bool 1
        ;                    ^^^^^ error[invalid-literal]: expected an integer or float type as Result Type of OpSpecConstant, found `%bool`
        %c0 = OpConstantComposite %vec2 %f1 %f1
        %c1 = OpConstantComposite %vec2 %f1
        ;                         ^^^^^ error[constant-type]: expected 2 constituents for vec2, found 1
        ;                             = line 10:1: defined here
        %c2 = OpConstantComposite %vec2 %f1 %f1 %f1
        ;                         ^^^^^ error[constant-type]: expected 2 constituents for vec2, found 3
        ;                             = line 10:1: defined here
        %c3 = OpConstantComposite %vec2 %f1 %i1
        ;                                   ^^^ error[constant-type]: expected float, but `%i1` is int
        ;                                     = line 16:1: defined here
        %c4 = OpConstantComposite %vec2 %f1 %undef
        %c5 = OpConstantComposite %vec2 %f1 %float
        ;                                   ^^^^^^ error[id-class]: OpConstantComposite expects a value, but `%float` is a type
        ;                                        = line 9:1: defined here
        %c6 = OpConstantComposite %mat2 %v2 %v2
        %c7 = OpConstantComposite %mat2 %v2
        ;                         ^^^^^ error[constant-type]: expected 2 constituents for mat2, found 1
        ;                             = line 13:1: defined here
        %c8 = OpConstantComposite %mat2 %v2 %v3
        ;                                   ^^^ error[constant-type]: `%v3` is vec3, but a column is vec2
        ;                                     = line 24:1: defined here
        %c9 = OpConstantComposite %mat2 %v2 %f1
        ;                                   ^^^ error[constant-type]: `%f1` is float, but a column is vec2
        ;                                     = line 21:1: defined here
        %c10 = OpConstantComposite %mat2 %v2 %vec2
        ;                                    ^^^^^ error[id-class]: OpConstantComposite expects a value, but `%vec2` is a type
        ;                                        = line 10:1: defined here
        %c11 = OpConstantComposite %arr %f1 %f1
        %c12 = OpConstantComposite %arr %f1
        ;                          ^^^^ error[constant-type]: expected 2 constituents for float[2], found 1
        ;                             = line 26:1: defined here
        %c13 = OpConstantComposite %arr %f1 %i1
        ;                                   ^^^ error[constant-type]: expected float, but `%i1` is int
        ;                                     = line 16:1: defined here
        %c14 = OpConstantComposite %arr %f1 %arr
        ;                                   ^^^^ error[id-class]: OpConstantComposite expects a value, but `%arr` is a type
        ;                                      = line 26:1: defined here
        %c15 = OpConstantComposite %arr_spec %f1
        %c16 = OpConstantComposite %s %f1 %i1
        %c17 = OpConstantComposite %s %f1
        ;                          ^^ error[constant-type]: expected 2 constituents for struct %s, found 1
        ;                           = line 28:1: defined here
        %c18 = OpConstantComposite %s %i1 %i1
        ;                             ^^^ error[constant-type]: expected float, but `%i1` is int
        ;                               = line 16:1: defined here
        %c19 = OpConstantComposite %s %f1 %f1
        ;                                 ^^^ error[constant-type]: expected int, but `%f1` is float
        ;                                   = line 21:1: defined here
        %c20 = OpConstantComposite %s %f1 %i1 %i1
        ;                          ^^ error[constant-type]: expected 2 constituents for struct %s, found 3
        ;                           = line 28:1: defined here
        %c21 = OpConstantComposite %float %f1
        ;                          ^^^^^^ error[constant-type]: float is not a composite type
        ;                               = line 9:1: defined here
        %c22 = OpConstantComposite %endless %f1
        %c23 = OpSpecConstantComposite %vec2 %f1 %f1
        %c24 = OpConstantComposite %s %f1 %spec
        ;                                 ^^^^^ warning[specialization-constant]: `%spec` is a specialization constant: the composite must be an OpSpecConstantComposite
        ;                                     = line 25:1: defined here
        %d0 = OpConstantNull %float
        %d1 = OpConstantNull %mat2
        %d2 = OpConstantNull %arr
        %d3 = OpConstantNull %s
        %d4 = OpConstantNull %p
        %d5 = OpConstantNull %void
        ;                    ^^^^^ error[constant-type]: the type `%void`, void, does not have a null value
        ;                        = line 5:1: defined here
        %d6 = OpConstantNull %fn
        ;                    ^^^ error[type-declaration]: function type `%fn` can be used only by OpFunction
        ;                      = line 14:1: defined here
        %d7 = OpConstantNull %image
        ;                    ^^^^^^ error[constant-type]: the type `%image`, image2D of float, does not have a null value
        ;                         = line 30:1: defined here
        %d8 = OpConstantNull %holds_image
        ;                    ^^^^^^^^^^^^ error[constant-type]: the type `%holds_image`, struct %holds_image, does not have a null value
        ;                               = line 32:1: defined here
        %d9 = OpConstantNull %endless
        ;                    ^^^^^^^^ error[constant-type]: the type `%endless`, float[], does not have a null value
        ;                           = line 33:1: defined here
        %d10 = OpConstantNull %bool
        %d11 = OpConstantNull %u1
        ;                     ^^^ error[id-class]: `%u1` is the result of OpConstant, not a type
        ;                       = line 19:1: defined here
        %e0 = OpSpecConstantOp %int IAdd %i1 %spec
        %e1 = OpSpecConstantOp %float FAdd %f1 %f1
        ;                             ^^^^ error[constant-type]: OpFAdd in OpSpecConstantOp requires the Kernel capability
        %e2 = OpSpecConstantOp %float QuantizeToF16 %f1
        %e3 = OpSpecConstantOp %uint UConvert %u1
        ;                            ^^^^^^^^ error[constant-type]: before SPIR-V 1.4, UConvert in OpSpecConstantOp requires the Kernel capability
        %e4 = OpSpecConstantOp %int Bitcast %f1
        ;                           ^^^^^^^ error[constant-type]: OpBitcast in OpSpecConstantOp requires the Kernel capability
        %e5 = OpSpecConstantOp %float ConvertSToF %i1
        ;                             ^^^^^^^^^^^ error[constant-type]: OpConvertSToF in OpSpecConstantOp requires the Kernel capability
        %e6 = OpSpecConstantOp %bool LogicalNot %true
        %e7 = OpSpecConstantOp %int Select %true %i1 %i0
        %e8 = OpSpecConstantOp %float CompositeExtract %v2 0
        %e9 = OpSpecConstantOp %vec2 VectorShuffle %v2 %v3 0 1
        %e10 = OpSpecConstantOp %float FNegate %f1
        ;                              ^^^^^^^ error[constant-type]: OpFNegate in OpSpecConstantOp requires the Kernel capability
        %e11 = OpSpecConstantOp %int SNegate %spec

    "#]]);
}

#[test]
fn constants_of_kernels() {
    marks(expect![[r#"
        ; target-env: spv1.3
        OpCapability Kernel
        OpCapability Linkage
        OpCapability Addresses
        OpCapability Int16
        OpCapability DeviceEnqueue
        OpCapability Pipes
        OpCapability LiteralSampler
        OpMemoryModel Physical32 OpenCL
        %void = OpTypeVoid
        %bool = OpTypeBool
        %uint = OpTypeInt 32 0
        %int = OpTypeInt 16 0
        %float = OpTypeFloat 32
        %vec2 = OpTypeVector %float 2
        %vec3 = OpTypeVector %float 3
        %uvec2 = OpTypeVector %uint 2
        %fn = OpTypeFunction %void
        %i0 = OpConstant %int 0
        %i1 = OpConstant %int 1
        %u0 = OpConstant %uint 0
        %u1 = OpConstant %uint 1
        %u2 = OpConstant %uint 2
        %f1 = OpConstant %float 1
        %true = OpConstantTrue %bool
        %v2 = OpConstantNull %vec2
        %v3 = OpConstantNull %vec3
        %spec = OpSpecConstant %int 2
        %event = OpTypeEvent
        %queue = OpTypeQueue
        %reserve = OpTypeReserveId
        %device_event = OpTypeDeviceEvent
        %pipe = OpTypePipe ReadOnly
        %p = OpTypePointer CrossWorkgroup %float
        %a0 = OpTypeInt 32 1
        ;                  ^ error[type-declaration]: Signedness must be 0 with the Kernel capability
        %a1 = OpTypeInt 8 0
        ;               ^ error[type-declaration]: 8-bit integers require the Int8 capability
        %a2 = OpTypeVector %float 8
        ;                         ^ error[type-declaration]: vectors of 8 components require the Vector16 or LongVectorEXT capability
        %a3 = OpTypeVector %float 16
        ;                         ^^ error[type-declaration]: vectors of 16 components require the Vector16 or LongVectorEXT capability
        %d0 = OpConstantNull %event
        %d1 = OpConstantNull %queue
        %d2 = OpConstantNull %reserve
        %d3 = OpConstantNull %device_event
        %d4 = OpConstantNull %pipe
        ;                    ^^^^^ error[constant-type]: the type `%pipe`, pipe %pipe, does not have a null value
        ;                        = line 33:1: defined here
        %d5 = OpConstantNull %p
        %e0 = OpSpecConstantOp %float FAdd %f1 %f1
        %e1 = OpSpecConstantOp %float QuantizeToF16 %f1
        ;                             ^^^^^^^^^^^^^ error[constant-type]: QuantizeToF16 in OpSpecConstantOp requires the Shader capability
        %e2 = OpSpecConstantOp %uint UConvert %u1
        %e3 = OpSpecConstantOp %uint Bitcast %f1
        %s0 = OpConstantSampler %uint None 0 Nearest
        ;                       ^^^^^ error[constant-type]: expected a sampler type as Result Type, found uint
        ;                           = line 12:1: defined here

    "#]]);
}
