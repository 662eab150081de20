//! `.ll`, LLVM IR.

mod grammar;
mod kind;
mod lexer;
pub mod split;
mod versions;
mod words;

pub use grammar::removed_since;
pub use kind::{LlvmKind, LlvmLanguage};
pub use lexer::lex;
pub use versions::{LEVELS, NEWER_SINCE, NEWEST, newer_since};

use rowan::TextRange;

use crate::diagnostic::{Rule, Severity};
use crate::machine::{Parse, Parser};

/// Plain errors of grammar.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    title: "the text follows the grammar of LLVM IR",
    explain: "The text does not follow the grammar at this place. The rest of the entity is still checked as far as \
        it can be understood.",
    example: r"define void @f() {
  ret
}
",
    fixed: r"define void @f() {
  ret void
}
",
    source: "LLVM `LLParser`: \"expected type\" and the other messages of the parser; LLVM Language Reference, the \
        section of the construct",
};

/// `i32*`, which LLVM still reads as `ptr`.
pub static TYPED_POINTER: Rule = Rule {
    code: "typed-pointer",
    severity: Severity::Warning,
    title: "pointer types are written `ptr`",
    explain: "Pointers have had no pointee type since LLVM 17. LLVM still reads `i32*` as `ptr`, and `i32 \
        addrspace(1)*` as `ptr addrspace(1)`, but other tools do not. `ptr*`, `void*`, `label*` and \
        `metadata*` are errors.\n\n\
        Switch it off for files that versions before LLVM 15 must read.",
    example: "declare void @f(i32*)\n",
    fixed: "declare void @f(ptr)\n",
    source: "LLVM, \"Opaque Pointers\"; `LLParser::parseType`: \"ptr* is invalid - use ptr instead\"",
};

/// Types and constant expressions that LLVM reads no more.
pub static REMOVED: Rule = Rule {
    code: "removed-syntax",
    severity: Severity::Error,
    title: "types and constant expressions exist in current LLVM",
    explain: "Older versions of LLVM had this. Values of `x86_mmx` have been `<1 x i64>` since LLVM 20. Constant \
        expressions remain for `add`, `sub`, `xor`, `trunc`, casts between pointers and integers, `bitcast`, \
        `addrspacecast`, `getelementptr` and vector elements; LLVM 15 to 21 removed the others. Write the \
        value, or compute it with an instruction.",
    example: "@size = global i64 mul (i64 4, i64 8)\n",
    fixed: "@size = global i64 32\n",
    source: "LLVM `LLParser`: \"mul constexprs are no longer supported\"; LLVM Language Reference, \"Constant \
        Expressions\"; LLVM Release Notes 15 to 21",
};

/// What only versions after the one that the tables follow read.
pub static NEWER: Rule = Rule {
    code: "newer-syntax",
    severity: Severity::Error,
    title: "types and attributes exist in the LLVM version that the file is for",
    explain: "LLVM 23 added byte types such as `b8`, which hold memory as it is, floating-point literals such as \
        `f0x3F800000`, `+inf` and `+nan(0x1)`, `denormal_fpenv`, fast-math flags on `uitofp` and `sitofp`, and the \
        number of bytes of `dead_on_return`. It is reported only where `llvm-version` (option `--llvm-level`) names \
        an older version.\n\n\
        Set a newer version if LLVM 23 reads the file.",
    example: "declare b8 @first(<2 x b8>) ; with `llvm-version` 22\n",
    fixed: "declare i8 @first(<2 x i8>)\n",
    source: "LLVM Language Reference, \"Byte Type\"; LLVM pull requests 186888 (byte types) and 171712 \
        (`dead_on_return`)",
};

/// What the grammar reports.
pub const RULES: &[&Rule] = &[&SYNTAX_ERROR, &TYPED_POINTER, &REMOVED, &NEWER];

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

/// Every word that the grammar knows.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    words::WORDS.iter().map(|(word, _)| *word)
}

fn is_metadata_kind(name: &str) -> bool {
    METADATA_KINDS.binary_search(&name).is_ok()
}

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<LlvmKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}

/// The same where some ranges of the text are read, in order, each of which starts and ends between tokens. What lies outside them is
/// white space in the tree.
pub fn parse_ranges(text: &str, ranges: &[TextRange]) -> Parse<LlvmKind> {
    let mut p = Parser::new(text, lexer::lex_ranges(text, ranges), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
