//! `.ll`, LLVM IR.

mod grammar;
mod kind;
mod lexer;
pub mod split;
mod words;

pub use grammar::removed_since;
pub use kind::{LlvmKind, LlvmLanguage};
pub use lexer::lex;

use crate::machine::{Parse, Parser};
use crate::{Rule, Severity};

/// Plain errors of grammar.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    explain: "The text does not follow the grammar of the language at this place.",
    ..Rule::UNDOCUMENTED
};

/// `i32*`, which LLVM still reads as `ptr`.
pub static TYPED_POINTER: Rule = Rule {
    code: "typed-pointer",
    severity: Severity::Warning,
    explain: "Pointers have no pointee type since LLVM 17. LLVM still reads `i32*` and takes it for `ptr`; write `ptr`, and \
              `ptr addrspace(1)` for `i32 addrspace(1)*`. `ptr*`, `void*`, `label*` and `metadata*` are errors.\n\n\
              Source: LLVM, \"Opaque Pointers\".",
    ..Rule::UNDOCUMENTED
};

/// Types and constant expressions that LLVM reads no more.
pub static REMOVED: Rule = Rule {
    code: "removed-syntax",
    severity: Severity::Error,
    explain: "Older versions of LLVM had this. `x86_mmx` values became `<1 x i64>` in LLVM 20. Constant expressions remain for `add`, `sub`, \
              `xor`, `trunc`, casts between pointers and integers, `bitcast`, `addrspacecast`, `getelementptr` and vector elements; the \
              others were removed in LLVM 15 to 21: compute their value with an instruction, or write it.\n\n\
              ```llvm\n@size = global i64 mul (i64 4, i64 8)   ; write 32\n```\n\n\
              Source: LLVM Language Reference, \"Constant Expressions\"; LLVM Release Notes 15 to 21.",
    ..Rule::UNDOCUMENTED
};

/// What the grammar reports.
pub const RULES: &[&Rule] = &[&SYNTAX_ERROR, &TYPED_POINTER, &REMOVED];

/// The kinds of specialized metadata nodes, without `!`.
pub const METADATA_KINDS: &[&str] = &[
    "DIArgList",
    "DIAssignID",
    "DIBasicType",
    "DICommonBlock",
    "DICompileUnit",
    "DICompositeType",
    "DIDerivedType",
    "DIEnumerator",
    "DIExpression",
    "DIFile",
    "DIFixedPointType",
    "DIGenericSubrange",
    "DIGlobalVariable",
    "DIGlobalVariableExpression",
    "DIImportedEntity",
    "DILabel",
    "DILexicalBlock",
    "DILexicalBlockFile",
    "DILocalVariable",
    "DILocation",
    "DIMacro",
    "DIMacroFile",
    "DIModule",
    "DINamespace",
    "DIObjCProperty",
    "DIStringType",
    "DISubprogram",
    "DISubrange",
    "DISubrangeType",
    "DISubroutineType",
    "DITemplateTypeParameter",
    "DITemplateValueParameter",
    "GenericDINode",
];

fn is_metadata_kind(name: &str) -> bool {
    METADATA_KINDS.binary_search(&name).is_ok()
}

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<LlvmKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
