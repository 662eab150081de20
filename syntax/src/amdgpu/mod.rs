//! `.s`, AMDGPU assembly.

mod grammar;
mod kind;
mod lexer;
pub mod split;

pub use kind::{AmdgpuKind, AmdgpuLanguage};
pub use lexer::{lex, lex_error};

use crate::machine::{Parse, Parser};
use crate::{Rule, Severity};

/// What the assembler reports for a line that no statement looks like.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    explain: "The text does not follow the grammar of the language at this place.",
    ..Rule::UNDOCUMENTED
};

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<AmdgpuKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
