//! What the assembler itself rejects: words that make no instruction.

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use crate::{Rule, Severity};

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
pub fn unknown_opcode(word: &str) -> String {
    match closest(word, INSTRUCTIONS.iter().map(|i| i.name)) {
        Some(near) => format!("there is no instruction `{word}`; did you mean `{near}`?"),
        None => format!("there is no instruction `{word}`"),
    }
}

pub fn invalid_enumerant(kind: Kind, word: &str) -> String {
    let last = word.rsplit('|').find(|part| kind.named(part).is_none()).unwrap_or(word);
    match closest(last, kind.enumerants().iter().map(|e| e.name)) {
        Some(near) => format!("`{last}` is no {kind:?}; did you mean `{near}`?"),
        None => format!("`{last}` is no {kind:?}"),
    }
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
