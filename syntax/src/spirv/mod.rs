//! `.spvasm`, SPIR-V assembly.

mod grammar;
mod kind;
mod lexer;
pub mod split;
pub mod tables;

pub use grammar::starts_instruction;
pub use kind::{SpirvKind, SpirvLanguage};
pub use lexer::lex;

use crate::machine::{Parse, Parser};
use crate::{Rule, Severity};

/// What the grammar reports.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    explain: "The text does not follow the grammar of the language at this place.",
    ..Rule::UNDOCUMENTED
};

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<SpirvKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
