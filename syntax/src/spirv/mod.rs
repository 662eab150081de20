//! `.spvasm`, SPIR-V assembly.

mod grammar;
mod kind;
mod lexer;
pub mod split;
pub mod tables;

pub use kind::{SpirvKind, SpirvLanguage};
pub use lexer::{lex, words};

use crate::diagnostic::{Rule, Severity};
use crate::machine::{Parse, Parser};

/// What the grammar reports.
pub static SYNTAX_ERROR: Rule = Rule {
    code: "syntax-error",
    severity: Severity::Error,
    title: "the text follows the grammar of SPIR-V assembly",
    explain: "What does not follow the grammar cannot be assembled. The rest of the instruction is not checked.",
    example: "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%void OpTypeVoid\n",
    fixed: "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n%void = OpTypeVoid\n",
    source: "SPIR-V assembly language syntax; SPIRV-Tools text.cpp: \"'=' expected after result id\"",
};

/// Parses one chunk. Never fails: the tree holds the whole text.
pub fn parse(text: &str) -> Parse<SpirvKind> {
    let mut p = Parser::new(text, lexer::lex(text), &SYNTAX_ERROR);
    grammar::chunk(&mut p);
    p.finish()
}
