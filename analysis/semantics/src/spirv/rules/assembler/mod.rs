//! What the assembler itself rejects: words that make no instruction.

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{ExtSet, INSTRUCTIONS, Instruction, Kind, Op};

use super::instruction;
use crate::spirv::code::Inst;
use crate::spirv::context::{Check, Module, fail, fail_at};
use crate::spirv::flat::RAW;
use crate::{Diagnostic, Rule, Severity, TextRange};

pub static UNKNOWN_OPCODE: Rule = Rule {
    code: "unknown-opcode",
    severity: Severity::Error,
    explain: "The word starts with `Op` but names no instruction of the target's SPIR-V version.\n\n\
        Source: SPIR-V specification, section 3 (Instructions).",
    ..Rule::UNDOCUMENTED
};

pub static RESULT_ID: Rule = Rule {
    code: "result-id",
    severity: Severity::Error,
    explain: "An instruction that gives a result is written `%name = OpX ...`, one that gives none is not.\n\n\
        Source: SPIR-V assembly language syntax.",
    ..Rule::UNDOCUMENTED
};

pub static INVALID_ID: Rule = Rule {
    code: "invalid-id",
    severity: Severity::Error,
    explain: "An id is `%` and then letters, digits and underscores.\n\nSource: SPIR-V assembly language syntax.",
    ..Rule::UNDOCUMENTED
};

pub static MISSING_OPERAND: Rule = Rule {
    code: "missing-operand",
    severity: Severity::Error,
    explain: "The instruction ends before all operands that its grammar asks for. The finding stands where the operand was expected: \
        at the start of the next instruction.\n\nSource: SPIR-V specification, section 3 (Instructions).",
    ..Rule::UNDOCUMENTED
};

pub static INVALID_OPERAND: Rule = Rule {
    code: "invalid-operand",
    severity: Severity::Error,
    explain: "The word is no value of the operand that stands here.\n\nSource: SPIR-V specification, section 3.",
    ..Rule::UNDOCUMENTED
};

pub static INVALID_LITERAL: Rule = Rule {
    code: "invalid-literal",
    severity: Severity::Error,
    explain: "The literal is malformed, out of the range of its type, or of another kind than the operand.\n\n\
        Source: SPIR-V assembly language syntax.",
    ..Rule::UNDOCUMENTED
};

pub static REDEFINED_ID: Rule = Rule {
    code: "redefined-id",
    severity: Severity::Error,
    explain: "Every result id is the result of exactly one instruction of the module.\n\n\
        Source: SPIR-V specification, section 2.16.1 (Universal Validation Rules).",
    ..Rule::UNDOCUMENTED
};

pub fn invalid_id(word: &str) -> String {
    format!("`{word}` is no id: after `%` stand letters, digits and underscores")
}

/// What the assembler refuses in an instruction whose operands it has read.
pub fn check(m: &Module<'_>, inst: Inst<'_>) -> Check {
    if let Some(info) = inst.op().info()
        && !is_in_version(info, m.scope.version)
    {
        let version = instruction::version(m.scope.version);
        return fail(&instruction::WRONG_VERSION, format!("{} is not in SPIR-V {version}", info.name));
    }
    match inst.op() {
        Op::ExtInstImport if inst.is_whole() && ExtSet::from_import(&inst.string(1)).is_none() => {
            let message = format!("there is no instruction set \"{}\"", inst.string(1));
            fail_at(&INVALID_OPERAND, 1, message)
        }
        // Literals of these types are read by what is injected here.
        Op::TypeInt | Op::TypeFloat if inst.raw.flags & RAW != 0 => injected_type(inst),
        _ => Ok(()),
    }
}

/// The assembler knows no instruction that only other versions have.
fn is_in_version(info: &Instruction, version: u32) -> bool {
    (info.first_version..=info.last_version).contains(&version)
        || !info.extensions.is_empty()
        || !info.capabilities.is_empty()
}

fn injected_type(inst: Inst<'_>) -> Check {
    let is_float = inst.op() == Op::TypeFloat;
    match *inst.words() {
        [_, _, _, encoding] if is_float && Kind::FPEncoding.valued(encoding).is_none() => {
            fail(&INVALID_OPERAND, format!("{encoding} is no FPEncoding"))
        }
        [_, _, _, _] => Ok(()),
        [_, _, _] if is_float => Ok(()),
        _ => {
            let (name, operands) = (inst.op().name(), inst.words().len().saturating_sub(2));
            let takes = if is_float { "one or two" } else { "two" };
            fail(&INVALID_OPERAND, format!("{name} takes {takes} operands, not {operands}"))
        }
    }
}

/// Says that no instruction has the name at `range`; with a fix where one has a name like it.
pub fn unknown_opcode(word: &str, range: TextRange) -> Diagnostic {
    let near = closest(word, INSTRUCTIONS.iter().map(|i| i.name));
    let near = near.map(|near| (near, near.to_owned()));
    misspelt(&UNKNOWN_OPCODE, format!("there is no instruction `{word}`"), near, range)
}

/// Says that a word at `range`, or a part of it between `|`, names no value of a kind.
pub fn invalid_enumerant(kind: Kind, word: &str, range: TextRange) -> Diagnostic {
    let last = word.rsplit('|').find(|part| kind.named(part).is_none()).unwrap_or(word);
    if last.is_empty() {
        let message = format!("`{word}` lacks a name beside `|`");
        return Diagnostic::new(&INVALID_OPERAND, range, message);
    }
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
    Diagnostic::new(rule, range, message).guess(format!("Write `{near}`"), range, text)
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
mod tests;
