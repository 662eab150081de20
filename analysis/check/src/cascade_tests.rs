//! One wrong word is one finding, at the word: what follows from it is held back.

use expect_test::{Expect, expect};

use crate::testing::findings;
use wavelens_base::Dialect;

fn check(dialect: Dialect, text: &str, expected: Expect) {
    expected.assert_eq(&findings(dialect, text));
}

/// A text with what is found below its lines.
#[track_caller]
fn marks(dialect: Dialect, text: Expect) {
    crate::testing::marks(dialect, text.data(), |marked| text.assert_eq(marked));
}

/// A shader without what is declared before its types.
const TYPES: &str = "%void = OpTypeVoid
%float = OpTypeFloat 32
%pointer = OpTypePointer Input %float
%type = OpTypeFunction %void
%in = OpVariable %pointer Input
%main = OpFunction %void None %type
%entry = OpLabel
%a = OpLoad %float %in
%b = OpFAdd %float %a %a
OpReturn
OpFunctionEnd
";

const HEAD: &str = "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %in
OpExecutionMode %main OriginUpperLeft
";

#[test]
fn an_undefined_id_is_said_once_and_its_types_are_not_judged() {
    let text = format!("{HEAD}{TYPES}").replace("%float = OpTypeFloat", "%float32 = OpTypeFloat");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
        error[undefined-id] 7:32 `%float`: use of undefined id `%float`
          12:13 `%float`: also here
          13:13 `%float`: also here
    "#]],
    );
}

#[test]
fn an_instruction_that_cannot_be_read_does_not_move_those_after_it() {
    let names = "%name = OpString \"a.frag\"\nOpName %main \"main\"\nOpName %in \"in\"\n";
    let text = format!("{HEAD}OpExecutionMode %main DepthReplacing\n{names}{TYPES}");
    check(
        Dialect::Spirv,
        &text.replace("OriginUpperLeft", "OpConstantComposite"),
        expect![[r#"
        error[missing-operand] 4:17 `%main`: missing operand of OpExecutionMode: expected an ExecutionMode, but `OpConstantComposite` starts another instruction on the same line
    "#]],
    );
    check(
        Dialect::Spirv,
        &text.replace("%name = OpString", "%name = OpLine"),
        expect![[r#"
        error[result-id] 6:9 `OpLine`: OpLine does not have a result, found result id `%name`
        error[invalid-operand] 6:16 `"a.frag"`: expected an id as File of OpLine, found `"a.frag"`
    "#]],
    );
    let variables =
        "%v = OpVariable %local Function\n%w = OpVariable %local Function\n%x = OpVariable %local Function\n";
    let text = format!("{HEAD}{TYPES}")
        .replace("%type =", "%local = OpTypePointer Function %float\n%type =")
        .replace("%a = OpLoad", &format!("{variables}%a = OpLoad"));
    check(
        Dialect::Spirv,
        &text.replacen("OpVariable %local", "OpCompositeExtract %local", 1),
        expect![[r#"
        error[invalid-operand] 13:32 `Function`: expected an id as Composite of OpCompositeExtract, found `Function`
    "#]],
    );
}

#[test]
fn a_misspelled_extension_is_said_where_it_is() {
    let head = HEAD.replace(
        "OpMemoryModel",
        "OpCapability DrawParameters\nOpExtension \"SPV_KHR_shader_draw_parameter\"\nOpMemoryModel",
    );
    let head = head.replace("Fragment", "Vertex").replace("OpExecutionMode %main OriginUpperLeft\n", "");
    let text = format!("; Version: 1.0\n{head}OpDecorate %in BuiltIn DrawIndex\n{TYPES}")
        .replace("%float = OpTypeFloat 32", "%float = OpTypeInt 32 1")
        .replace("OpFAdd", "OpIAdd");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
            error[missing-extension] 4:13 `"SPV_KHR_shader_draw_parameter"`: unknown extension "SPV_KHR_shader_draw_parameter"; did you mean "SPV_KHR_shader_draw_parameters"?
              3:14 `DrawParameters`: SPIRV-Tools report it here
              fix: Replace with `SPV_KHR_shader_draw_parameters`
              | OpExtension "SPV_KHR_shader_draw_parameters"
        "#]],
    );
}

#[test]
fn a_capability_that_was_not_understood_may_be_the_one_that_is_missing() {
    let text = format!("{HEAD}{TYPES}").replace("OpCapability Shader", "OpCapability Shaader");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
        error[invalid-operand] 1:14 `Shaader`: unknown Capability `Shaader`; did you mean `Shader`?
          fix: Replace with `Shader`
          | OpCapability Shader
    "#]],
    );
}

#[test]
fn a_decoration_that_cannot_be_read_may_be_the_one_that_is_missing() {
    // Each line is required; without it, what it decorates is reported.
    let decorations = [
        "OpDecorate %in Location 0",
        "OpDecorate %count Flat",
        "OpDecorate %front BuiltIn FrontFacing",
        "OpDecorate %texture DescriptorSet 0",
        "OpDecorate %block Block",
        "OpMemberDecorate %block 0 Offset 0",
        "OpDecorate %numbers ArrayStride 4",
        "OpMemberDecorate %out 1 BuiltIn PointSize",
        "OpDecorate %out Block",
    ];
    let others = "OpDecorate %count Location 1
OpDecorate %texture Binding 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 1
OpMemberDecorate %out 0 BuiltIn Position
";
    let head = "; target-env: vulkan1.3
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main \"main\" %in %count %front %texture %buffer
OpEntryPoint Vertex %second \"second\" %outputs
OpExecutionMode %main OriginUpperLeft
";
    let types = "%void = OpTypeVoid
%float = OpTypeFloat 32
%int = OpTypeInt 32 0
%vector = OpTypeVector %float 4
%type = OpTypeFunction %void
%numbers = OpTypeRuntimeArray %float
%block = OpTypeStruct %numbers
%out = OpTypeStruct %vector %float
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%to_float = OpTypePointer Input %float
%to_int = OpTypePointer Input %int
%bool = OpTypeBool
%to_bool = OpTypePointer Input %bool
%to_sampled = OpTypePointer UniformConstant %sampled
%to_block = OpTypePointer StorageBuffer %block
%to_out = OpTypePointer Output %out
%in = OpVariable %to_float Input
%count = OpVariable %to_int Input
%front = OpVariable %to_bool Input
%texture = OpVariable %to_sampled UniformConstant
%buffer = OpVariable %to_block StorageBuffer
%outputs = OpVariable %to_out Output
%main = OpFunction %void None %type
%entry = OpLabel
%a = OpLoad %sampled %texture
%b = OpArrayLength %int %buffer 0
OpReturn
OpFunctionEnd
%second = OpFunction %void None %type
%first = OpLabel
OpReturn
OpFunctionEnd
";
    let module = |skipped: &str, put: &str| {
        let all: String =
            decorations.iter().filter(|line| **line != skipped).map(|line| format!("{line}\n")).collect();
        format!("{head}{put}{all}{others}{types}")
    };
    assert_eq!(findings(Dialect::Spirv, &module("", "")), "");
    for line in decorations {
        assert!(findings(Dialect::Spirv, &module(line, "")).contains("error"), "{line}");
        let target = line.split(' ').nth(1).unwrap_or_default();
        for damaged in
            [format!("OpDecorate {target} \"x\""), format!("OpDecorate {target}"), "OpDecorat".to_owned()]
        {
            let found = findings(Dialect::Spirv, &module(line, &format!("{damaged}\n")));
            assert_eq!(
                found.lines().filter(|line| line.starts_with("error")).count(),
                1,
                "{damaged} for {line}:\n{found}"
            );
        }
    }
}

#[test]
fn members_that_were_lost_are_said_once() {
    let decorations = "OpMemberDecorate %out 0 BuiltIn Position
OpMemberDecorate %out 1 BuiltIn PointSize
OpMemberDecorate %out 2 BuiltIn ClipDistance
OpDecorate %out Block
";
    let types =
        TYPES.replace("%type =", "%vector = OpTypeVector %float 4\n%out = OpTypeStruct %vector\n%type =");
    check(
        Dialect::Spirv,
        &format!("{HEAD}{decorations}{types}"),
        expect![[r#"
        error[decoration-target] 6:23 `1`: member 1 is out of range: `%out` has 1 member
          7:23 `2`: also here
    "#]],
    );
}

#[test]
fn a_type_that_cannot_be_read_has_no_location_to_judge() {
    let text = format!("{HEAD}OpDecorate %in Location 0\n{TYPES}");
    check(
        Dialect::Spirv,
        &text.replace("OpTypeFloat 32", "OpTypeFloat"),
        expect![[r#"
        error[missing-operand] 7:10 `OpTypeFloat`: missing operand Width of OpTypeFloat: expected a number
          8:1 ``: SPIRV-Tools report it here
    "#]],
    );
}

#[test]
fn a_rule_that_asks_for_a_capability_waits_for_those_that_cannot_be_read() {
    marks(
        Dialect::Spirv,
        expect![[r#"
            OpCapability Shader
            OpCapability VulkanMemoryMode
            ;            ^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown Capability `VulkanMemoryMode`; did you mean `VulkanMemoryModel`?
            ;                           = fix: OpCapability VulkanMemoryModel
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main "main" %shared
            OpExecutionMode %main LocalSize 1 1 1
            %void = OpTypeVoid
            %int = OpTypeInt 32 0
            %family = OpConstant %int 5
            %none = OpConstant %int 0
            %pointer = OpTypePointer Workgroup %int
            %shared = OpVariable %pointer Workgroup
            %type = OpTypeFunction %void
            %main = OpFunction %void None %type
            %entry = OpLabel
            OpAtomicStore %shared %family %none %none
            OpReturn
            OpFunctionEnd
        "#]],
    );
}

#[test]
fn an_open_string_takes_what_follows() {
    let open = format!("{HEAD}{TYPES}").replace("\"main\"", "\"main");
    let closed_later = open.replace("%void = ", "OpName %in \"in\"\n%void = ");
    for text in [open, closed_later] {
        check(
            Dialect::Spirv,
            &text,
            expect![[r#"
                error[invalid-literal] 3:29 `"main %in`: the string `"main %in` has no closing quote on its line
            "#]],
        );
    }
}

#[test]
fn a_word_with_one_quote_takes_what_follows() {
    let text =
        format!("{HEAD}{TYPES}").replace("%void = ", "OpName %in in\"\nOpName %void \"void\"\n%void = ");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
        error[invalid-literal] 5:12 `in"`: the quote in `in"` has no other one on its line
    "#]],
    );
}

#[test]
fn an_import_that_is_missing_is_said_once() {
    let call = |name: &str| format!("%{name} = OpExtInst %float %set Sin %f\n");
    let text = format!("{HEAD}{TYPES}").replace("%b = ", &format!("{}{}%b = ", call("x"), call("y")));
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
        error[undefined-id] 13:23 `%set`: use of undefined id `%set`
          14:23 `%set`: also here
    "#]],
    );
}

#[test]
fn results_of_a_later_type_are_not_judged() {
    let later = "%later = OpVariable %p_later Input\n%p_later = OpTypePointer Input %float\n";
    let text = format!("{HEAD}{TYPES}").replace("%main = ", &format!("{later}%main = "));
    let text = text
        .replace("%b = ", "%c = OpLoad %float %later\n%b = ")
        .replace("\"main\" %in", "\"main\" %in %later");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
            error[undefined-id] 10:21 `%p_later`: use of `%p_later` before its definition
              11:1 `%p_later`: defined here
        "#]],
    );
}

#[test]
fn a_result_that_is_missing_does_not_take_the_operand_before_it() {
    let text = format!("{HEAD}{TYPES}").replace("%b = OpFAdd", "= OpFAdd");
    let text = text.replace("%a = OpLoad %float %in", "%c = OpLoad %float %in\n%a = OpFAdd %float %c %c");
    check(
        Dialect::Spirv,
        &text,
        expect![[r#"
        error[syntax-error] 14:1 `=`: missing result id before `=`
    "#]],
    );
}

#[test]
fn the_end_of_a_function_that_was_not_understood_is_its_end() {
    check(
        Dialect::Spirv,
        &format!("{HEAD}{TYPES}").replace("OpFunctionEnd", "OpFunctionEn"),
        expect![[r#"
        error[unknown-opcode] 15:1 `OpFunctionEn`: unknown instruction `OpFunctionEn`; did you mean `OpFunctionEnd`?
          fix: Replace with `OpFunctionEnd`
          | OpFunctionEnd
    "#]],
    );
}

#[test]
fn a_number_that_is_too_high_is_wrong_and_not_those_after_it() {
    let text = "define i32 @f(i32 %0) {\n  %22 = add i32 %0, 1\n  %3 = add i32 %2, 2\n  %4 = add i32 %3, %2\n  ret i32 %4\n}\n";
    check(
        Dialect::Llvm,
        text,
        expect![[r#"
        error[wrong-number] 2:3 `%22`: expected number 2 for this instruction, found 22: the next instruction has number 3
          3:3 `%3`: LLVM reports it here
          fix: Renumber to `%2`
          |   %2 = add i32 %0, 1
    "#]],
    );
    marks(
        Dialect::Llvm,
        expect![[r#"
            define void @f() {
              br label %1

            11:
            ;^^ error[wrong-number]: expected number 1 for this block, found 11: the next block has number 2
            ; = line 7:1: LLVM reports it here
            ; = guess: 1:
              br label %2

            2:
              br label %1
            }
        "#]],
    );
}

#[test]
fn what_a_module_lacks_is_said_once() {
    marks(
        Dialect::Llvm,
        expect![[r#"
            define void @f() {
              call void @h()
            ;           ^^ error[undefined-value]: use of undefined value `@h`
            ;            = line 7:13: also here
              ret void
            }

            define void @g() {
              call void @h()
              ret void, !dbg !7
            ;           ^^^^^^^ error[undefined-metadata]: use of undefined metadata `!7`
            }
        "#]],
    );
}

#[test]
fn a_label_of_machine_code_that_was_not_understood_keeps_its_lists() {
    marks(
        Dialect::Mir,
        expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                successors: %bb.1
            ;               ^^^^^ error[undefined-machine-block]: use of undefined block `%bb.1`
            ;                   = line 7:14: also here
            ;                   = line 13:14: also here

                S_BRANCH %bb.1

              bb..1:
            ; ^^^^^^ error[syntax-error]: invalid block `bb..1:`: expected a number after `bb.`
                successors: %bb.1
                liveins: $vcc

                S_BRANCH %bb.1
            ...
        "#]],
    );
}

#[test]
fn a_key_that_is_unknown_may_be_the_one_that_is_missing() {
    let text = "---\nname: f\nregisters:\n  - { id: 0, clas: vgpr_32 }\nliveins:\n  - { reg: '$vgpr0', virtual-reg: '%0' }\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n";
    check(
        Dialect::Mir,
        text,
        expect![[r#"
        error[mir-yaml] 4:14 `clas`: unknown key `clas`
          fix: Replace with `class`
          |   - { id: 0, class: vgpr_32 }
    "#]],
    );
    check(
        Dialect::Mir,
        &text.replace("clas:", "class:").replace("body:", "boddy:"),
        expect![[r#"
        error[mir-yaml] 7:1 `boddy`: unknown key `boddy`
          fix: Replace with `body`
          | body: |
    "#]],
    );
}

#[test]
fn a_key_of_kernel_metadata_is_missing_where_another_one_is() {
    marks(
        Dialect::Amdgpu,
        expect![[r#"
            .amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
            .amdgpu_metadata
            ---
            amdhsa.version:
              - 1
              - 2
            amdhsa.kernels:
              - .name: k
                .symbol: k.kd
                .args:
                  - .offset: 0
                    .sz: 8
            ;       ^^^^^^ error[metadata]: missing key `.size` in an argument, which has an unknown key `.sz`
            ;            = line 15:1: LLVM reports it here
                    .value_kind: by_value
            ...
            .end_amdgpu_metadata
        "#]],
    );
}
