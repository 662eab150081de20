use expect_test::expect;

use crate::rules::testing::{Shader, marks};

const FRAGMENT: &str = "OpEntryPoint Fragment %main \"main\" %x %y
OpExecutionMode %main OriginUpperLeft";

#[test]
fn literals_and_weights() {
    let shader = Shader {
        body: "OpSelectionMerge %m None
OpSwitch %u1 %m 3 %a 5 %b 3 %b
%a = OpLabel
OpBranch %m
%b = OpLabel
OpBranch %m
%m = OpLabel
OpSelectionMerge %n None
OpBranchConditional %true %o %n 0 0
%o = OpLabel
OpBranch %n
%n = OpLabel
OpSelectionMerge %q None
OpBranchConditional %true %p %q 0 1
%p = OpLabel
OpBranch %q
%q = OpLabel",
        ..Shader::NEW
    };
    expect![[r#"
        warning[branch-operands] `3`: this literal was given before: `%a` or `%b` is taken
        warning[branch-operands] `0`: at least one branch weight must not be 0
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn indices_that_are_out_of_bounds() {
    let shader = Shader {
        types: "%array = OpTypeArray %vec4 %u2
%s = OpTypeStruct %array %mat2
%p = OpTypePointer Private %s
%pf = OpTypePointer Private %float
%pv = OpTypePointer Private %vec2
%u4 = OpConstant %uint 4
%minus = OpConstant %int -1
%v = OpVariable %p Private",
        body: "%a = OpAccessChain %pf %v %i0 %u1 %u3
%b = OpAccessChain %pf %v %i0 %u2 %u3
%c = OpAccessChain %pf %v %i0 %u1 %u4
%d = OpAccessChain %pv %v %i1 %u2
%e = OpAccessChain %pf %v %i0 %minus %u3
%f = OpVectorExtractDynamic %float %v4 %u4
%g = OpVectorExtractDynamic %float %v4 %u3",
        ..Shader::NEW
    };
    expect![[r#"
        warning[constant-index] `%u2`: index 2 is out of bounds of vec4[2], which has 2 elements
          23:1 `%u2`: defined here
        warning[constant-index] `%u4`: index 4 is out of bounds of vec4, which has 4 elements
          35:1 `%u4`: defined here
        warning[constant-index] `%u2`: index 2 is out of bounds of mat2, which has 2 elements
          23:1 `%u2`: defined here
        warning[constant-index] `%minus`: index -1 is out of bounds of vec4[2], which has 2 elements
          36:1 `%minus`: defined here
        warning[constant-index] `%u4`: index 4 is out of bounds of vec4, which has 4 components
          35:1 `%u4`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn stores_to_read_only_memory() {
    let shader = Shader {
        annotations: "OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 1 Offset 4
OpMemberDecorate %B 1 NonWritable
OpDecorate %r NonWritable",
        types: "%B = OpTypeStruct %uint %uint
%p = OpTypePointer Uniform %B
%pu = OpTypePointer Uniform %uint
%b = OpVariable %p Uniform
%r = OpVariable %p Uniform",
        body: "%a = OpAccessChain %pu %b %u0
OpStore %a %u1
%c = OpAccessChain %pu %b %u1
OpStore %c %u1
%d = OpAccessChain %pu %r %u0
%e = OpAtomicIAdd %uint %d %u1 %u0 %u1
%f = OpLoad %uint %d",
        ..Shader::NEW
    };
    expect![[r#"
        warning[read-only-memory] `%c`: `%b` is NonWritable, but this writes to it
          43:1 `%c = OpAccessChain %pu %b %u1`: defined here
        warning[read-only-memory] `%d`: `%r` is NonWritable, but this writes to it
          45:1 `%d = OpAccessChain %pu %r %u0`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn reads_of_memory_that_is_not_readable() {
    let shader = Shader {
        annotations: "OpDecorate %B BufferBlock
OpMemberDecorate %B 0 Offset 0
OpMemberDecorate %B 1 Offset 4
OpMemberDecorate %B 1 NonReadable
OpDecorate %i NonReadable
OpDecorate %i DescriptorSet 0
OpDecorate %i Binding 0",
        types: "%B = OpTypeStruct %uint %uint
%p = OpTypePointer Uniform %B
%pu = OpTypePointer Uniform %uint
%b = OpVariable %p Uniform
%image = OpTypeImage %float 2D 0 0 0 2 Rgba32f
%pimage = OpTypePointer UniformConstant %image
%i = OpVariable %pimage UniformConstant
%iv2 = OpConstantComposite %ivec2 %i1 %i1",
        body: "%a = OpAccessChain %pu %b %u0
%c = OpLoad %uint %a
%d = OpAccessChain %pu %b %u1
OpStore %d %u1
%e = OpLoad %uint %d
%f = OpAtomicIAdd %uint %d %u1 %u0 %u1
%g = OpLoad %image %i
OpImageWrite %g %iv2 %v4
%h = OpImageRead %vec4 %g %iv2",
        ..Shader::NEW
    };
    expect![[r#"
        warning[write-only-memory] `%d`: `%b` is NonReadable, but this reads it
          48:1 `%d = OpAccessChain %pu %b %u1`: defined here
        warning[write-only-memory] `%d`: `%b` is NonReadable, but this reads it
          48:1 `%d = OpAccessChain %pu %b %u1`: defined here
        warning[write-only-memory] `%g`: `%i` is NonReadable, but this reads it
          52:1 `%g = OpLoad %image %i`: defined here
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn indices_of_specialization_constants() {
    let shader = Shader {
        types: "%s = OpTypeStruct %vec2 %uint
%sv = OpSpecConstantComposite %vec2 %f1 %f1
%ss = OpSpecConstantComposite %s %sv %u1
%x = OpSpecConstantOp %float CompositeExtract %ss 0 1
%y = OpSpecConstantOp %float CompositeExtract %ss 0 2
%z = OpSpecConstantOp %s CompositeInsert %u1 %ss 2",
        ..Shader::NEW
    };
    expect![[r#"
        warning[constant-index] `2`: index 2 is out of bounds of vec2, which has 2 elements
        warning[constant-index] `2`: index 2 is out of bounds of struct %s, which has 2 elements
    "#]]
    .assert_eq(&shader.findings());
}

#[test]
fn decorations_of_inputs() {
    let shader = Shader {
        head: "OpCapability Shader\nOpCapability SampleRateShading",
        entry: FRAGMENT,
        annotations: "OpDecorate %x Flat
OpDecorate %x NoPerspective
OpDecorate %x Location 0
OpDecorate %y Sample
OpDecorate %y Location 1
OpDecorate %z Flat",
        types: "%pf = OpTypePointer Input %float
%pi = OpTypePointer Input %int
%pp = OpTypePointer Private %int
%x = OpVariable %pf Input
%y = OpVariable %pi Input
%z = OpVariable %pp Private",
        ..Shader::NEW
    };
    expect![[r#"
        warning[interpolation] `OpDecorate %x NoPerspective`: Flat and NoPerspective exclude each other
          7:1 `OpDecorate %x Flat`: the other decoration is here
        warning[interpolation] `OpDecorate %y Sample`: `%y` is int, which is not interpolated: it must be Flat, not Sample
          39:1 `%y`: the variable
        warning[interpolation] `OpDecorate %z Flat`: Flat has no meaning for a variable in Private, only in Input and Output
          40:1 `%z`: the variable
    "#]].assert_eq(&shader.findings());
}

#[test]
fn captured_outputs() {
    let shader = Shader {
        head: "OpCapability Geometry\nOpCapability Float64\nOpCapability GeometryStreams\nOpCapability TransformFeedback",
        entry: "OpEntryPoint Vertex %main \"main\" %a %b %c %d\nOpExecutionMode %main Xfb",
        annotations: "OpDecorate %a XfbBuffer 0
OpDecorate %a XfbStride 16
OpDecorate %a Offset 0
OpDecorate %b XfbBuffer 0
OpDecorate %b XfbStride 16
OpDecorate %b Offset 12
OpDecorate %c XfbBuffer 0
OpDecorate %c XfbStride 32
OpDecorate %c Offset 28
OpDecorate %c Stream 1
OpDecorate %d XfbBuffer 1
OpDecorate %d XfbStride 16
OpDecorate %d Offset 4",
        types: "%double = OpTypeFloat 64
%po = OpTypePointer Output %vec4
%pf = OpTypePointer Output %float
%pd = OpTypePointer Output %double
%a = OpVariable %po Output
%b = OpVariable %pf Output
%c = OpVariable %pf Output
%d = OpVariable %pd Output",
        ..Shader::NEW
    };
    expect![[r#"
        warning[transform-feedback] `OpDecorate %b Offset 12`: `%b` overlaps `%a` in buffer 0
          11:1 `OpDecorate %a Offset 0`: the other output
        warning[transform-feedback] `OpDecorate %c Offset 28`: `%c` has XfbStride 32, but another output of buffer 0 has 16
          11:1 `OpDecorate %a Offset 0`: the other output
        warning[transform-feedback] `OpDecorate %c Offset 28`: `%c` is in stream 1, but another output of buffer 0 in stream 0
          11:1 `OpDecorate %a Offset 0`: the other output
        warning[transform-feedback] `OpDecorate %d Offset 4`: `%d` at offset 4 must be aligned to 8 bytes
    "#]].assert_eq(&shader.findings());
}

#[test]
fn specialization_constants() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpDecorate %a SpecId 1
        OpDecorate %b SpecId 1
        ;^^^^^^^^^^^^^^^^^^^^^ warning[specialization-constant]: `%b` has the SpecId 1 of `%a`: both get the same value
        ;                    = line 4:1: the other constant
        %uint = OpTypeInt 32 0
        %float = OpTypeFloat 32
        %bool = OpTypeBool
        %pair = OpTypeVector %uint 2
        %one = OpConstant %uint 1
        %f = OpConstant %float 1
        %a = OpSpecConstant %uint 1
        %b = OpSpecConstant %uint 1
        %c = OpConstantComposite %pair %a %one
        ;                              ^^ warning[specialization-constant]: `%a` is a specialization constant: the composite must be an OpSpecConstantComposite
        ;                               = line 12:1: defined here
        %d = OpSpecConstantOp %uint IAdd %a %f
        ;                                   ^^ warning[specialization-constant]: OpIAdd expects integers, found float
        ;                                    = line 11:1: defined here
        %e = OpSpecConstantOp %bool Select %a %a %a
        ;                                  ^^ warning[specialization-constant]: OpSelect expects a Boolean as Condition, found uint
        ;                                   = line 12:1: defined here
        %g = OpSpecConstantOp %uint SLessThan %a %a
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[specialization-constant]: OpSLessThan gives a Boolean, not uint
        %h = OpSpecConstantOp %float QuantizeToF16 %a
        ;                                          ^^ warning[specialization-constant]: OpQuantizeToF16 expects float, the Result Type, found uint
        ;                                           = line 12:1: defined here
        %i = OpSpecConstantOp %uint IAdd %a %b
        %j = OpSpecConstantOp %bool SLessThan %a %b
        %k = OpSpecConstantOp %uint Select %j %a %b
    "#]]);
}

#[test]
fn precision_and_recursion() {
    let shader = Shader {
        head: "OpCapability Shader\nOpCapability Float64\nOpCapability Int16",
        annotations: "OpDecorate %x RelaxedPrecision\nOpDecorate %y RelaxedPrecision\nOpMemberDecorate %s 1 RelaxedPrecision",
        types: "%double = OpTypeFloat 64
%short = OpTypeInt 16 0
%s = OpTypeStruct %float %short
%p = OpTypePointer Private %double
%q = OpTypePointer Private %float
%x = OpVariable %p Private
%y = OpVariable %q Private",
        body: "%again = OpFunctionCall %void %main",
        ..Shader::NEW
    };
    expect![[r#"
        error[entry-point] `%main`: entry point `%main` must not be called by a function
          40:1 `%main`: defined here
        warning[recursion] `%main`: the calls of the entry point `%main` form a cycle
          40:1 `%main`: the function
        warning[relaxed-precision] `OpDecorate %x RelaxedPrecision`: RelaxedPrecision is for 32-bit numbers, but `%x` has 64 bits
        warning[relaxed-precision] `OpMemberDecorate %s 1 RelaxedPrecision`: RelaxedPrecision is for 32-bit numbers, but member 1 of `%s` has 16 bits
    "#]].assert_eq(&shader.findings());
}

/// The index of an element of a pointer is not bounded; those after it are.
#[test]
fn constant_indexes_of_each_access_chain() {
    let shader = Shader {
        head: "OpCapability Shader\nOpCapability VariablePointers",
        annotations: "OpDecorate %p2 ArrayStride 8",
        types: "%array = OpTypeArray %vec2 %u2
%p2 = OpTypePointer Workgroup %array
%pf = OpTypePointer Workgroup %float
%v = OpVariable %p2 Workgroup",
        body: "%a = OpAccessChain %pf %v %u1 %u1
%b = OpAccessChain %pf %v %u2 %u1
%c = OpInBoundsAccessChain %pf %v %u1 %u2
%d = OpPtrAccessChain %pf %v %u3 %u1 %u1
%e = OpPtrAccessChain %pf %v %u3 %u2 %u1
%f = OpInBoundsPtrAccessChain %pf %v %u3 %u1 %u3
%g = OpVectorExtractDynamic %float %v2 %u1
%h = OpVectorExtractDynamic %float %v2 %u2
%i = OpVectorInsertDynamic %vec2 %v2 %f1 %u1
%j = OpVectorInsertDynamic %vec2 %v2 %f1 %u2",
        ..Shader::NEW
    };
    expect![[r#"
        warning[constant-index] `%u2`: index 2 is out of bounds of vec2[2], which has 2 elements
          23:1 `%u2`: defined here
        warning[constant-index] `%u2`: index 2 is out of bounds of vec2, which has 2 elements
          23:1 `%u2`: defined here
        warning[constant-index] `%u2`: index 2 is out of bounds of vec2[2], which has 2 elements
          23:1 `%u2`: defined here
        error[missing-capability] `%f = OpInBoundsPtrAccessChain %pf %v %u3 %u1 %u3`: OpInBoundsPtrAccessChain requires the Addresses capability
        warning[constant-index] `%u3`: index 3 is out of bounds of vec2, which has 2 elements
          24:1 `%u3`: defined here
        warning[constant-index] `%u2`: index 2 is out of bounds of vec2, which has 2 components
          23:1 `%u2`: defined here
        warning[constant-index] `%u2`: index 2 is out of bounds of vec2, which has 2 components
          23:1 `%u2`: defined here
    "#]].assert_eq(&shader.findings());
}

#[test]
fn weights_and_literals_of_branches() {
    let branch = |weights: &str| {
        Shader {
        body: &format!("OpSelectionMerge %end None\nOpBranchConditional %true %then %end{weights}\n%then = OpLabel\nOpBranch %end\n%end = OpLabel"),
        ..Shader::NEW
    }.findings()
    };
    let found = ["", " 1 1", " 0 1", " 1 0", " 0 0", " 4294967295 1"]
        .map(|weights| format!("weights{weights}\n{}", branch(weights)));
    expect![[r#"
        weights
        weights 1 1
        weights 0 1
        weights 1 0
        weights 0 0
        warning[branch-operands] `0`: at least one branch weight must not be 0
        weights 4294967295 1
        warning[branch-operands] `4294967295`: the sum of the branch weights must not overflow 32 bits
    "#]]
    .assert_eq(&found.concat());
}

#[test]
fn payloads_are_read_in_mesh_shaders() {
    crate::rules::testing::marks(expect![[r#"
        ; Version: 1.4
        OpCapability MeshShadingEXT
        OpExtension "SPV_EXT_mesh_shader"
        OpMemoryModel Logical GLSL450
        OpEntryPoint MeshEXT %main "main" %payload
        OpExecutionMode %main LocalSize 1 1 1
        OpExecutionMode %main OutputVertices 3
        OpExecutionMode %main OutputPrimitivesEXT 1
        OpExecutionMode %main OutputTrianglesEXT
        %void = OpTypeVoid
        %uint = OpTypeInt 32 0
        %one = OpConstant %uint 1
        %ptr = OpTypePointer TaskPayloadWorkgroupEXT %uint
        %payload = OpVariable %ptr TaskPayloadWorkgroupEXT
        %fn = OpTypeFunction %void
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %read = OpLoad %uint %payload
        OpStore %payload %one
        ;       ^^^^^^^^ warning[read-only-memory]: a mesh shader only reads the payload of its task shader
        ;              = line 14:1: defined here
        OpReturn
        OpFunctionEnd
    "#]]);
}
