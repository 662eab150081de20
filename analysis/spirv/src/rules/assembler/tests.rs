//! What each error of the reference assembler (SPIRV-Tools, source/text.cpp and text_handler.cpp) looks like here, and what it accepts.

use expect_test::{expect, expect_file};
use wavelens_syntax::spirv::SYNTAX_ERROR;

use crate::encode;
use crate::lower::rules::{
    INVALID_ID, INVALID_LITERAL, INVALID_OPERAND, LIMIT, MISSING_OPERAND, REDEFINED_ID, RESULT_ID,
    UNKNOWN_OPCODE,
};
use crate::rules::instruction;
use crate::rules::testing::{findings, marks};
use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;

#[test]
fn words_that_make_no_instruction() {
    let text = r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpDecorate %a Relaxedprecision
%int = OpTypInt 32 0
%float = OpTypeFloat
%a = OpConstant %uint 1
OpTypeVoid
%uint = OpTypeInt 32 0
%b = OpConstant %uint -1
%c = OpConstant %uint %b
%v-x = OpTypeVoid
%f = OpFunction %uint Inlin|Pure %uint
"#;
    expect![[r#"
        error[invalid-operand] 4:15 `Relaxedprecision`: unknown Decoration `Relaxedprecision`; did you mean `RelaxedPrecision`?
          fix: Replace with `RelaxedPrecision`
          | OpDecorate %a RelaxedPrecision
        error[unknown-opcode] 5:8 `OpTypInt`: unknown instruction `OpTypInt`; did you mean `OpTypeInt`?
          fix: Replace with `OpTypeInt`
          | %int = OpTypeInt 32 0
        error[missing-operand] 6:10 `OpTypeFloat`: missing operand Width of OpTypeFloat: expected a number
          7:1 ``: SPIRV-Tools report it here
        error[undefined-id] 7:17 `%uint`: use of `%uint` before its definition
          9:1 `%uint`: defined here
        error[result-id] 8:1 `OpTypeVoid`: missing result id: expected `%name = OpTypeVoid`
        error[invalid-literal] 10:23 `-1`: `-1` is negative, but the literal is unsigned
        error[invalid-literal] 11:23 `%b`: `%b` is not an integer literal
        error[invalid-id] 12:1 `%v-x`: `%v-x` is not a valid id: `%` must be followed by letters, digits and underscores only
        error[module-layout] 13:1 `%f`: missing OpFunctionEnd at the end of the module
        error[invalid-operand] 13:23 `Inlin|Pure`: unknown FunctionControl `Inlin`; did you mean `Inline`?
          fix: Replace with `Inline`
          | %f = OpFunction %uint Inline|Pure %uint
    "#]].assert_eq(&findings(text));
}

#[test]
fn where_the_assembler_reports_what_it_notices_late() {
    let text = r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
%void = OpTypeVoid
%f = OpTypeFunction %void
%f = OpTypeFunction %void

; The next instruction.
%main = OpFunction %void None %f
%1 = OpLabel
OpReturn %2
%2 = OpLabel
OpBranch
"#;
    expect![[r#"
        error[redefined-id] 5:1 `%void`: redefinition of `%void`
          4:1 `%void`: previous definition is here
        error[redefined-id] 7:1 `%f`: redefinition of `%f`
          6:1 `%f`: previous definition is here
          10:1 ``: SPIRV-Tools report it here
        error[syntax-error] 12:10 `%2`: unexpected operand `%2` after the last operand of OpReturn
          13:1 ``: SPIRV-Tools report it here
        error[missing-operand] 14:1 `OpBranch`: missing operand Target Label of OpBranch: expected an id
          15:1 ``: SPIRV-Tools report it here
    "#]]
    .assert_eq(&findings(text));
}

#[test]
fn a_type_in_a_function_defined_twice() {
    let text = "%v = OpTypeVoid\n%t = OpTypeFunction %v\n%f = OpFunction %v None %t\n%1 = OpLabel\nOpReturn\nOpFunctionEnd\n\
        %t = OpTypeStruct\n; c\n%v = OpTypeVoid\n%g = OpFunction %v None %t\n";
    let found = findings(text);
    let lines: Vec<&str> = found.lines().skip_while(|line| !line.contains("redefined-id")).collect();
    expect![[r#"
        error[redefined-id] 7:1 `%t`: redefinition of `%t`
          2:1 `%t`: previous definition is here
          9:1 `%v`: SPIRV-Tools report it here
        error[module-layout] 9:1 `%v = OpTypeVoid`: OpTypeVoid must precede the functions
        error[redefined-id] 9:1 `%v`: redefinition of `%v`
          1:1 `%v`: previous definition is here
        error[module-layout] 10:1 `%g`: missing OpFunctionEnd at the end of the module"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn a_body_without_a_label_is_no_declaration() {
    let head = "OpCapability Linkage\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n%v = OpTypeVoid\n%t = OpTypeFunction %v\n\
        %f = OpFunction %v None %t\n";
    expect![[r#"
        error[module-layout] 7:1 `OpReturn`: OpReturn is outside a block: expected OpLabel at the start of the function's body
    "#]]
    .assert_eq(&findings(&format!("{head}OpReturn\nOpFunctionEnd\n")));
    expect![[r#"
        error[decoration] 6:1 `%f`: a function without a body requires the decoration LinkageAttributes with Import
    "#]].assert_eq(&findings(&format!("{head}OpFunctionEnd\n")));
}

#[test]
fn an_instruction_in_the_place_of_an_operand() {
    marks(expect![[r#"
        OpCapability OpCapability Linkage
        ;^^^^^^^^^^^ error[missing-module-part]: missing OpMemoryModel
        ;^^^^^^^^^^^ error[missing-operand]: missing operand of OpCapability: expected a Capability, but `OpCapability` starts another instruction on the same line
        OpStore %y = OpLoad %v %v
        ;^^^^^^ error[missing-operand]: missing operand Pointer of OpStore: expected an id, but `%y` starts another instruction on the same line
        ;       ^^ error[module-layout]: OpLoad is outside a function
        ;                   ^^ error[undefined-id]: use of undefined id `%v`
    "#]]);
}

/// The assembler reads nothing after a NUL, and reports what is missing there.
#[test]
fn a_nul_ends_the_text() {
    let syntax = |text: &str| {
        let own =
            |line: &&str| ["syntax-error", "missing-operand", "spirv-as"].iter().any(|w| line.contains(w));
        findings(text).split_inclusive('\n').filter(own).collect::<String>().replace('\0', "NUL")
    };
    expect![[r#"
        error[syntax-error] 2:3 `NUL`: unexpected invisible character U+0000 (NUL), at which the text ends
    "#]]
    .assert_eq(&syntax("OpCapability Shader\n%v\0oid = OpTypeVoid\nOpNop\n"));
    expect![[r#"
        error[syntax-error] 2:8 `NUL`: unexpected invisible character U+0000 (NUL), at which the text ends
    "#]]
    .assert_eq(&syntax("OpCapability Shader\n%void =\0 OpTypeVoid\nOpNop\n"));
    expect![[r#"
        error[missing-operand] 1:19 `%2`: missing operand Component Count of OpTypeVector: expected a number
    "#]]
    .assert_eq(&syntax("%1 = OpTypeVector %2\n\n \0 2\nOpNop\n"));
    expect![[r#"
        error[syntax-error] 2:2 `NUL`: unexpected invisible character U+0000 (NUL), at which the text ends
    "#]]
    .assert_eq(&syntax("; c\n \0 OpCapability Shader\n"));
    expect![[""]].assert_eq(&syntax("OpCapability Shader\n\0 OpTypeVector\n"));
}

/// An `=` in the place of an operand is reported itself, not the first word of the next line.
#[test]
fn stray_equals_signs() {
    let text = "\
OpBranch =
%22 = OpLabel
OpStore %a =
%3 = OpLabel
OpStore %b = %c
OpReturnValue
%4 = load %p
OpReturnValue
%5 =
%6 = OpLabel
";
    let syntax: String = findings(text).split_inclusive('\n').filter(|line| line.contains('=')).collect();
    expect![[r#"
        error[missing-module-part] 1:1 `OpBranch =`: missing OpMemoryModel
        error[missing-module-part] 1:1 `OpBranch =`: missing OpEntryPoint in a module without the Linkage capability
        error[invalid-operand] 1:10 `=`: expected an id, found `=`
        error[invalid-operand] 3:12 `=`: expected an id, found `=`
        error[invalid-operand] 5:12 `=`: expected an id, found `=`
          | %4 = OpLoad %p
        error[syntax-error] 9:4 `=`: expected an opcode, found `%6`
    "#]].assert_eq(&syntax);
}

/// The lines of a catalogue that start at the margin are texts, ` / ` their line ends; the findings follow below each.
#[test]
fn catalogue() {
    let expected = expect_file!["catalogue.txt"];
    let rules = [
        &SYNTAX_ERROR,
        &UNKNOWN_OPCODE,
        &RESULT_ID,
        &INVALID_ID,
        &MISSING_OPERAND,
        &INVALID_OPERAND,
        &INVALID_LITERAL,
        &REDEFINED_ID,
        &instruction::WRONG_VERSION,
        &LIMIT,
    ];
    let mut out = String::new();
    for line in expected.data().lines().filter(|l| !l.starts_with("  ")) {
        out.push_str(&format!("{line}\n"));
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let text = line.replace(" / ", "\n");
        let is_refused = encode(&text, &Options::default()).is_refused;
        let found = check_text(Dialect::Spirv, &text, &Options::default());
        let said: Vec<_> = found.iter().filter(|f| rules.iter().any(|r| r.code == f.rule.code)).collect();
        match (is_refused, &said[..]) {
            (false, []) => out.push_str("  accepted\n"),
            (false, _) => out.push_str("  accepted by the assembler alone\n"),
            (true, _) => {}
        }
        said.iter().for_each(|f| out.push_str(&format!("  {}: {}\n", f.rule.code, f.message)));
    }
    expected.assert_eq(&out);
}

#[test]
fn an_instruction_has_at_most_65535_words() {
    let is_refused = |letters| {
        let text = format!("OpName %a \"{}\"", "x".repeat(letters));
        encode(&text, &Options::default()).is_refused
    };
    assert_eq!([is_refused(262_131), is_refused(262_132)], [false, true]);
}

#[test]
fn an_id_that_starts_a_line_is_a_result() {
    let text = "OpBranchConditional %c %a %b\n%a =x OpLabel\nOpExtension \"SPV_KHR_\0x\"\n";
    expect![[r#"
        error[missing-module-part] 1:1 `OpBranchConditional %c %a %b`: missing OpMemoryModel
        error[missing-module-part] 1:1 `OpBranchConditional %c %a %b`: missing OpEntryPoint in a module without the Linkage capability
        error[syntax-error] 2:4 `=x`: expected `=` after the result id, found `=x`
        error[invalid-literal] 3:13 `"SPV_KHR_`: the string `"SPV_KHR_` is cut by the invisible character U+0000
    "#]].assert_eq(&findings(text));
}

/// What is missing or damaged is reported once: not at each use again.
#[test]
fn what_an_error_explains_is_not_reported() {
    marks(expect![[r#"
        OpCapéability Shader
        ;^^^^^^^^^^^^ error[unknown-opcode]: unknown instruction `OpCapéability`; did you mean `OpCapability`?
        ;           = guess: OpCapability Shader
        OpMemoryModel Logical Simple
        %1 = OpTypeVector %1 2
        ;                 ^^ error[undefined-id]: `%1` is used in its own definition
        ;                  = line 3:1: defined here
    "#]]);
    expect![[r#"
        error[missing-module-part] 2:1 ``: the module has no instructions: it needs at least OpMemoryModel and OpEntryPoint
    "#]].assert_eq(&findings("; nothing\n"));
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        %v = OpTypeVoid
        %t = OpTypeFunction %v
        %v2uint = OpTypeVector %uint 2
        ;                      ^^^^^ error[undefined-id]: use of undefined id `%uint`
        ;                          = line 9:17: also here
        ;                          = line 10:17: also here
        %n = OpUndef %v2uint
        %uinn = OpTypeBool
        %p = OpConstant %uint 1
        %q = OpConstant %uint 1
        %f = OpFunction %v None %t
        %l = OpLabel
        %a = OpIAdd %v2uint %n %n
        OpReturn
        OpFunctionEnd
    "#]]);
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpModuleProcessed "target-env spirv1.6
        ;                 ^^^^^^^^^^^^^^^^^^^^ error[invalid-literal]: the string `"target-env spirv1.6` has no closing quote on its line
        OpModuleProcessed "hlsl offsets"
        OpDecorate %x RelaxedPrecision
        OpDecorate %y RelaxedPrecision
        %float = OpTypeFloat 32
        %x = OpConstant %float 1
    "#]]);
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpName %x "x""
        ;         ^^^^ error[invalid-literal]: the quotes in `"x""` are not in pairs
        OpName %x "y"
        %float = OpTypeFloat 32
        %x = OpConstant %float 1
    "#]]);
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryModel Logical GLSL450
        OpModuleProcessed entry-point main"
        ;                 ^^^^^^^^^^^^^^^^^ error[invalid-literal]: the quote in `entry-point main"` has no other one on its line
        OpModuleProcessed "hlsl offsets"
        OpDecorate %x RelaxedPrecision
        %float = OpTypeFloat 32
        %x = OpConstant %float 1
    "#]]);
    marks(expect![[r#"
        OpCapability Shader
        OpMemoryModel Logical GLSL450
        OpExntryPoint GLCompute %main "main"
        ;^^^^^^^^^^^^ error[unknown-opcode]: unknown instruction `OpExntryPoint`; did you mean `OpEntryPoint`?
        ;           = fix: OpEntryPoint GLCompute %main "main"
        OpExecutionMode %main LocalSize 1 1 1
        OpMemberDecoate %struct 0 Offset 0
        ;^^^^^^^^^^^^^^ error[unknown-opcode]: unknown instruction `OpMemberDecoate`; did you mean `OpMemberDecorate`?
        ;             = fix: OpMemberDecorate %struct 0 Offset 0
        OpDecorate %struct Block
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %float = OpTypeFloat 32
        %struct = OpTypeStruct %float
        %ptr = OpTypePointer Uniform %struct
        %var = OpVariable %ptr Uniform
        %main = OpFunction %void None %fn
        %l = OpLabel
        OpReturn
        OpFunctionEnd
    "#]]);
    marks(expect![[r#"
        OpCapability Shader
        OpCapability Linkage
        OpMemoryMoldel Logical GLSL450
        ;^^^^^^^^^^^^^ error[unknown-opcode]: unknown instruction `OpMemoryMoldel`; did you mean `OpMemoryModel`?
        ;            = fix: OpMemoryModel Logical GLSL450
        OpName %void "void"
        %void = OpTypeVoid
    "#]]);
}
