//! The rules of the reference assembler, which lowering checks: words that make no instruction.
//!
//! They are declared here and not with the rules over the lowered form, so that lowering depends on nothing above it.

use wavelens_syntax::closest;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Kind};

use wavelens_base::{Diagnostic, Rule, Severity, TextEdit, TextRange};

wavelens_syntax::rules! {
    UNKNOWN_OPCODE {
        code: "unknown-opcode",
        severity: Severity::Error,
        title: "every instruction is one of the target SPIR-V version",
        explain: "An instruction that the assembler does not know cannot be translated to words. Instructions of other versions are reported as `wrong-version`.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%int = OpTypInt 32 0
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%int = OpTypeInt 32 0
"#,
        source: "SPIR-V specification, Instructions; SPIRV-Tools text.cpp: \"Invalid Opcode name\"",
    }

    RESULT_ID {
        code: "result-id",
        severity: Severity::Error,
        title: "an instruction has a result id if and only if it produces a result",
        explain: "The result id is written before `=`: `%name = OpX ...`. Without it the value cannot be used; on an instruction without a result it cannot be encoded.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpTypeVoid
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%void = OpTypeVoid
"#,
        source: "SPIR-V assembly language syntax; SPIRV-Tools text.cpp: \"Expected <result-id> at the beginning of an instruction\", \"does not produce a result ID\"",
    }

    INVALID_ID {
        code: "invalid-id",
        severity: Severity::Error,
        title: "an id is `%` followed by letters, digits and underscores",
        explain: "Other characters end the id for the assembler, which then reads the rest as another word.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%my-void = OpTypeVoid
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%my_void = OpTypeVoid
"#,
        source: "SPIR-V assembly language syntax; SPIRV-Tools text.cpp: \"Invalid ID\"",
    }

    MISSING_OPERAND {
        code: "missing-operand",
        severity: Severity::Error,
        title: "an instruction has all operands that its grammar requires",
        explain: "An instruction ends where the next one starts, at an opcode or at a result id with `=`. Operands may continue on the next line.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%float = OpTypeFloat 32
"#,
        source: "SPIR-V specification, Instructions; SPIRV-Tools text.cpp: \"Expected operand for\", \"but found the next instruction instead\"",
    }

    INVALID_OPERAND {
        code: "invalid-operand",
        severity: Severity::Error,
        title: "an operand is a word that its kind allows",
        explain: "Enumerants are spelled as in the specification, are case sensitive, and are joined with `|` if the operand is a mask.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpSource GLLS 450
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
OpSource GLSL 450
"#,
        source: "SPIR-V specification, Binary Form; SPIRV-Tools text.cpp: \"Invalid\", \"operand\"",
    }

    INVALID_LITERAL {
        code: "invalid-literal",
        severity: Severity::Error,
        title: "a literal is well-formed and fits its type",
        explain: "A number that does not fit would be encoded as another number.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%uint = OpTypeInt 32 0
%c = OpConstant %uint -1
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%uint = OpTypeInt 32 0
%c = OpConstant %uint 1
"#,
        source: "SPIR-V assembly language syntax; SPIRV-Tools text.cpp: \"Invalid literal string\", \"Expected literal string, found literal number\"",
    }

    REDEFINED_ID {
        code: "redefined-id",
        severity: Severity::Error,
        title: "a result id is defined once",
        explain: "SPIR-V is in static single assignment form: a use of an id that is defined twice would be ambiguous.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%t = OpTypeVoid
%t = OpTypeBool
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%t = OpTypeVoid
%b = OpTypeBool
"#,
        source: "SPIR-V specification, section 2.16.1 (Universal Validation Rules); SPIRV-Tools text_handler.cpp: \"is being defined a second time\"",
    }

    LIMIT {
        code: "universal-limit",
        severity: Severity::Error,
        title: "a module keeps to the universal limits",
        explain: "Every consumer must support modules up to these limits, and need not support larger ones: 16383 structure members, structures nested 255 deep, control flow nested 1023 deep, 16383 OpSwitch branches, ids below 4194303.",
        example: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%4194303 = OpTypeBool
"#,
        fixed: r#"OpCapability Shader
OpCapability Linkage
OpMemoryModel Logical GLSL450
%1 = OpTypeBool
"#,
        source: "SPIR-V specification, section 2.17 (Universal Limits); SPIRV-Tools validate.cpp: \"The id bound is larger than the max id bound\"",
    }
}

/// The message about a word that is not an id.
pub fn invalid_id(word: &str) -> String {
    format!("`{word}` is not a valid id: `%` must be followed by letters, digits and underscores only")
}

/// Says that no instruction has the name at `range`; with a fix where one has a name like it.
pub(crate) fn unknown_opcode(word: &str, range: TextRange) -> Diagnostic {
    let near = closest(word, INSTRUCTIONS.iter().map(|i| i.name));
    let near = near.map(|near| (near, near.to_owned()));
    misspelt(&UNKNOWN_OPCODE, "instruction", word, near, range)
}

/// The finding about a misspelt opcode, which may lack `Op` or have other capitals; `None` if the word is not like any opcode.
pub(crate) fn opcode_without_prefix(word: &str, range: TextRange) -> Option<Diagnostic> {
    let own = |name: &'static str| name.strip_prefix("Op").unwrap_or(name);
    let names = || INSTRUCTIONS.iter().map(|i| i.name);
    let same = names().find(|name| name.eq_ignore_ascii_case(word) || own(name).eq_ignore_ascii_case(word));
    let close = || closest(word, names().map(own)).and_then(|near| names().find(|name| own(name) == near));
    let near = same.or_else(close).or_else(|| closest(word, names()))?;
    Some(misspelt(&UNKNOWN_OPCODE, "instruction", word, Some((near, near.to_owned())), range))
}

/// Says that a word at `range`, or a part of it between `|`, names no value of a kind.
pub(crate) fn invalid_enumerant(kind: Kind, word: &str, range: TextRange) -> Diagnostic {
    let last = word.rsplit('|').find(|part| kind.named(part).is_none()).unwrap_or(word);
    if last.is_empty() {
        let message = format!("missing name next to `|` in `{word}`");
        return Diagnostic::new(&INVALID_OPERAND, range, message);
    }
    let near = closest(last, kind.enumerants().iter().map(|e| e.name));
    let parts = |near| word.split('|').map(move |part| if part == last { near } else { part });
    let whole = near.map(|near| parts(near).collect::<Vec<_>>().join("|"));
    misspelt(&INVALID_OPERAND, &format!("{kind:?}"), last, near.zip(whole), range)
}

/// Says that no name of a kind is `word`. `near` is a name close to it, and the text that has it.
fn misspelt(
    rule: &'static Rule,
    kind: &str,
    word: &str,
    near: Option<(&str, String)>,
    range: TextRange,
) -> Diagnostic {
    let message = format!("unknown {kind} `{word}`");
    let Some((near, text)) = near else { return Diagnostic::new(rule, range, message) };
    let message = format!("{message}; did you mean `{near}`?");
    let title = format!("Replace with `{near}`");
    Diagnostic::new(rule, range, message).respell(title, TextEdit::new(range, text), word, near)
}

/// "missing operand Pointer of OpLoad: expected an id", where the operand has a name of its own.
pub(crate) fn missing_operand(instruction: &str, name: Option<&str>, kind: Kind) -> String {
    let expected = describe(kind);
    match name.filter(|name| !expected.ends_with(name)) {
        // As in `Operand 2`.
        Some(name) if name.starts_with("Operand") => {
            format!("missing {name} of {instruction}: expected {expected}")
        }
        Some(name) => format!("missing operand {name} of {instruction}: expected {expected}"),
        None => format!("missing operand of {instruction}: expected {expected}"),
    }
}

/// "expected an id as Object of OpStore, found `"main"`".
pub(crate) fn unexpected_operand(instruction: &str, name: Option<&str>, found: &str) -> String {
    let name = name.unwrap_or("operand");
    format!("expected an id as {name} of {instruction}, found `{found}`")
}

/// The description of an operand kind.
pub(crate) fn describe(kind: Kind) -> String {
    match kind {
        Kind::Id => "an id".to_owned(),
        Kind::TypeId => "the id of Result Type".to_owned(),
        Kind::ResultId => "a result id".to_owned(),
        Kind::ScopeId => "the id of a scope".to_owned(),
        Kind::MemorySemanticsId => "the id of memory semantics".to_owned(),
        Kind::LiteralInteger | Kind::LiteralFloat | Kind::TypedLiteral => "a number".to_owned(),
        Kind::LiteralString => "a string".to_owned(),
        Kind::ExtInstNumber => "the name of an extended instruction".to_owned(),
        Kind::SpecConstantOp => "the name of an operation".to_owned(),
        kind => {
            let name = format!("{kind:?}");
            let article = if name.starts_with(['A', 'E', 'I', 'O']) { "an" } else { "a" };
            format!("{article} {name}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_operand_has_its_name() {
        let said = |instruction, name| missing_operand(instruction, name, Kind::Id);
        assert_eq!(said("OpLoad", Some("Pointer")), "missing operand Pointer of OpLoad: expected an id");
        assert_eq!(said("OpIAdd", Some("Operand 2")), "missing Operand 2 of OpIAdd: expected an id");
        assert_eq!(said("Sqrt", None), "missing operand of Sqrt: expected an id");
    }
}
