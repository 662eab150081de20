//! What the assembler itself rejects: words that make no instruction.

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use crate::{Diagnostic, Rule, Severity, TextRange};

pub static UNKNOWN_OPCODE: Rule = Rule {
    code: "unknown-opcode",
    severity: Severity::Error,
    explain: "The word starts with `Op` but names no instruction of the target's SPIR-V version.\n\n\
        Source: SPIR-V specification, section 3 (Instructions).",
};

pub static RESULT_ID: Rule = Rule {
    code: "result-id",
    severity: Severity::Error,
    explain: "An instruction that gives a result is written `%name = OpX ...`, one that gives none is not.\n\n\
        Source: SPIR-V assembly language syntax.",
};

pub static INVALID_ID: Rule = Rule {
    code: "invalid-id",
    severity: Severity::Error,
    explain: "An id is `%` and then letters, digits and underscores.\n\nSource: SPIR-V assembly language syntax.",
};

pub static MISSING_OPERAND: Rule = Rule {
    code: "missing-operand",
    severity: Severity::Error,
    explain: "The instruction ends before all operands that its grammar asks for. The finding stands where the operand was expected: \
        at the start of the next instruction.\n\nSource: SPIR-V specification, section 3 (Instructions).",
};

pub static INVALID_OPERAND: Rule = Rule {
    code: "invalid-operand",
    severity: Severity::Error,
    explain: "The word is no value of the operand that stands here.\n\nSource: SPIR-V specification, section 3.",
};

pub static INVALID_LITERAL: Rule = Rule {
    code: "invalid-literal",
    severity: Severity::Error,
    explain: "The literal is malformed, out of the range of its type, or of another kind than the operand.\n\n\
        Source: SPIR-V assembly language syntax.",
};

pub static REDEFINED_ID: Rule = Rule {
    code: "redefined-id",
    severity: Severity::Error,
    explain: "Every result id is the result of exactly one instruction of the module.\n\n\
        Source: SPIR-V specification, section 2.16.1 (Universal Validation Rules).",
};

pub fn invalid_id(word: &str) -> String {
    format!("`{word}` is no id: after `%` stand letters, digits and underscores")
}

/// Names the closest opcode where one is close.
/// Says that no instruction has the name at `range`; with a fix where one has a name like it.
pub fn unknown_opcode(word: &str, range: TextRange) -> Diagnostic {
    let near = closest(word, INSTRUCTIONS.iter().map(|i| i.name));
    let near = near.map(|near| (near, near.to_owned()));
    misspelt(&UNKNOWN_OPCODE, format!("there is no instruction `{word}`"), near, range)
}

/// Says that a word at `range`, or a part of it between `|`, names no value of a kind.
pub fn invalid_enumerant(kind: Kind, word: &str, range: TextRange) -> Diagnostic {
    let last = word.rsplit('|').find(|part| kind.named(part).is_none()).unwrap_or(word);
    let near = closest(last, kind.enumerants().iter().map(|e| e.name));
    let parts = |near| word.split('|').map(move |part| if part == last { near } else { part });
    let whole = near.map(|near| parts(near).collect::<Vec<_>>().join("|"));
    misspelt(&INVALID_OPERAND, format!("`{last}` is no {kind:?}"), near.zip(whole), range)
}

/// `near` is a name close to the one written, and the text that has it.
fn misspelt(
    rule: &'static Rule,
    message: String,
    near: Option<(&str, String)>,
    range: TextRange,
) -> Diagnostic {
    let Some((near, text)) = near else { return Diagnostic::new(rule, range, message) };
    let message = format!("{message}; did you mean `{near}`?");
    Diagnostic::new(rule, range, message).fix(format!("Write `{near}`"), range, text)
}

/// An operand kind in words.
pub fn describe(kind: Kind) -> String {
    match kind {
        Kind::Id => "an id".to_owned(),
        Kind::TypeId => "the id of the result type".to_owned(),
        Kind::ResultId => "a result id".to_owned(),
        Kind::ScopeId => "the id of a scope".to_owned(),
        Kind::MemorySemanticsId => "the id of memory semantics".to_owned(),
        Kind::LiteralInteger | Kind::LiteralFloat | Kind::TypedLiteral => "a number".to_owned(),
        Kind::LiteralString => "a string".to_owned(),
        Kind::ExtInstNumber => "the name of an extended instruction".to_owned(),
        Kind::SpecConstantOp => "the name of an operation".to_owned(),
        kind => format!("a value of {kind:?}"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::spirv::rules::testing::findings;

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
            error[invalid-operand] 4:15 `Relaxedprecision`: `Relaxedprecision` is no Decoration; did you mean `RelaxedPrecision`?
              fix: Write `RelaxedPrecision`
              | OpDecorate %a RelaxedPrecision
            error[unknown-opcode] 5:8 `OpTypInt`: there is no instruction `OpTypInt`; did you mean `OpTypeInt`?
              fix: Write `OpTypeInt`
              | %int = OpTypeInt 32 0
            error[missing-operand] 7:1 `%a`: OpTypeFloat needs one more operand, a number, but `%a` starts the next instruction
            error[invalid-literal] 7:23 `1`: the type of OpConstant is no integer or float type
            error[result-id] 8:1 `OpTypeVoid`: OpTypeVoid gives a result: write `%name = OpTypeVoid`
            error[invalid-literal] 10:23 `-1`: `-1` is negative, but the literal is unsigned
            error[invalid-literal] 11:23 `%b`: `%b` is no integer literal
            error[invalid-id] 12:1 `%v-x`: `%v-x` is no id: after `%` stand letters, digits and underscores
            error[module-layout] 13:1 `%f = OpFunction %uint Inlin|Pure %uint`: OpFunctionEnd is missing at the end of the module
            error[invalid-operand] 13:23 `Inlin|Pure`: `Inlin` is no FunctionControl; did you mean `Inline`?
              fix: Write `Inline`
              | %f = OpFunction %uint Inline|Pure %uint
        "#]].assert_eq(&findings(text));
    }
}
