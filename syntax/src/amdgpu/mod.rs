//! `.s`, AMDGPU assembly.

mod grammar;
mod kind;
mod lexer;
pub mod split;

pub use kind::{AmdgpuKind, AmdgpuLanguage};
pub use lexer::{lex, lex_error, lex_segments};

use crate::diagnostic::{Rule, Severity};
use crate::machine::{Parse, Parser};

/// What the assembler reports for a line that no statement looks like.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    title: "a statement must be a label, a directive, an instruction or a macro call",
    explain: "The text does not follow the grammar of the language at this place: a token is not known, or a part of the \
statement is missing or not expected.",
    example: ".byte 1 2\n",
    fixed: ".byte 1, 2\n",
    source: "LLVM AsmParser::parseStatement: \"unexpected token at start of statement\"",
};

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<AmdgpuKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
