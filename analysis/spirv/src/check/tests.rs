//! Which findings of a module are reported, and which are held back.

use expect_test::expect;

use crate::rules::testing::marks;

#[test]
fn what_is_in_the_wrong_place_is_reported_for_that_alone() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 0
        %ptr = OpTypePointer Function %int
        %one = OpConstant %int 1
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %l = OpLabel
        %v = OpVariable %ptr Function
        %a = OpTypeArray %one %void
        ;^^^^^^^^^^^^^^^^^^^^^^^^^^ error[module-layout]: OpTypeArray must precede the functions
        OpDecorate %b = OpIAdd %int %one %one
        ;^^^^^^^^^ error[missing-operand]: missing operand Target of OpDecorate: expected an id, but `%b` starts another instruction on the same line
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn a_result_whose_type_is_wrong_is_reported_once() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 0
        %ptr = OpTypePointer Function %int
        %one = OpConstant %int 1
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %l = OpLabel
        %v = OpVariable %ptr Function
        %a = OpIAdd %ptr %one %one
        ;           ^^^^ error[operand-type]: expected an integer scalar or vector as Result Type, found ptr Function uint
        ;              = line 6:1: defined here
        OpStore %a %one
        %b = OpIAdd %void %one
        ;                 ^^^^ error[missing-operand]: missing Operand 2 of OpIAdd: expected an id
        ;                    = line 15:1: SPIRV-Tools report it here
        %c = OpIAdd %int %b %one
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn an_operand_is_reported_once() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 0
        %ptr = OpTypePointer Function %int
        %one = OpConstant %int 1
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %l = OpLabel
        %v = OpVariable %ptr Function
        OpSelectionMerge %int None
        ;                ^^^^ error[id-class]: OpSelectionMerge expects a label, but `%int` is a type
        ;                   = line 5:1: defined here
        OpBranchConditional %one %l %l
        ;                   ^^^^ error[branch-target]: expected a Boolean as Condition, found uint
        ;                      = line 7:1: defined here
        ;                        ^^ error[branch-target]: the first block of a function must not be a branch target
        ;                         = line 10:1: defined here
        ;                           ^^ error[branch-target]: the first block of a function must not be a branch target
        ;                            = line 10:1: defined here
        OpFunctionEnd
    "#]]);
}

#[test]
fn a_result_that_is_its_own_type_is_reported() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 0
        %ptr = OpTypePointer Function %int
        %one = OpConstant %int 1
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %l = OpLabel
        %v = OpVariable %ptr Function
        %a = OpUndef %a
        ;            ^^ error[id-class]: `%a` is the result of OpUndef, not a type
        ;             = line 12:1: defined here
        %b = OpUndef %c
        ;            ^^ error[id-class]: `%c` is the result of OpUndef, not a type
        ;             = line 14:1: defined here
        %c = OpUndef %b
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn what_depends_on_an_unknown_type_is_not_reported() {
    marks(expect![[r#"
        ; target-env: vulkan1.3
        OpCapability Shader
        OpCapability Linkage
        ;            ^^^^^^^ error[environment-capability]: vulkan1.3 does not support the Linkage capability
        OpMemoryModel Logical GLSL450
        OpMemberDecorate %block 0 BuiltIn Position
        OpDecorate %block Block
        OpDecorate %v Location 0
        OpDecorate %v Component 0
        %float = OpTypeFloat 2
        ;                    ^ error[type-declaration]: Width of a float type must be 8, 16, 32 or 64, is 2
        %one = OpConstant %float 1
        %v4float = OpTypeVector %flooat 4
        ;                       ^^^^^^^ error[undefined-id]: use of undefined id `%flooat`; did you mean `%float`?
        ;                             = fix: %v4float = OpTypeVector %float 4
        %block = OpTypeStruct %v4float
        %out = OpTypePointer Output %block
        %position = OpVariable %out Output
        %pv = OpTypePointer Output %v4float
        %v = OpVariable %pv Output
    "#]]);
}

#[test]
fn what_is_on_the_next_line_is_not_part_of_a_line_that_is_cut() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %uint = OpTypeInt 32 0
        %one = OpConstant %uint 1
        %f = OpFunction %void None %fn
        %l =
        ;  ^ error[syntax-error]: expected an opcode, found the end of the line
        OpReturn
        %a
        ;^ error[syntax-error]: expected `=` after the result id `%a`, found the end of the line
        %b = OpLabel
        %c = OpIAdd %uint %one %one
        = OpIAdd %uint %one %c
        ;^ error[syntax-error]: missing result id before `=`
        OpReturn
        OpFunctionEnd
    "#]]);
}

#[test]
fn an_equals_sign_ends_the_operands_of_an_extended_instruction() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpExtension "SPV_KHR_non_semantic_info"
        %set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
        OpMemoryModel Logical GLSL450
        %name = OpString "a"
        %void = OpTypeVoid
        %s = OpExtInst %void %set DebugSource %name
        = OpTypeInt 32 1
        ;^ error[syntax-error]: missing result id before `=`
        %t = OpExtInst %void %set DebugSource %name
        int = OpTypeInt 32 0
        ;^^ error[syntax-error]: expected an opcode or a result id, found `int`
    "#]]);
}

#[test]
fn an_id_of_two_functions_is_named() {
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %void = OpTypeVoid
        %int = OpTypeInt 32 0
        %ptr = OpTypePointer Function %int
        %one = OpConstant %int 1
        %fn = OpTypeFunction %void
        %f = OpFunction %void None %fn
        %l = OpLabel
        %v = OpVariable %ptr Function
        OpReturn
        OpFunctionEnd
        %g = OpFunction %void None %fn
        %l = OpLabel
        ;^ error[redefined-id]: redefinition of `%l`
        ;= line 10:1: previous definition is here
        OpReturn
        OpFunctionEnd
    "#]]);
}
