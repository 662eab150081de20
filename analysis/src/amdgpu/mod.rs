//! Meaning of AMDGPU assembly.

pub mod actions;
pub mod cfg;
pub mod completion;
pub mod folding;
pub mod hints;
pub mod hover;
pub mod occurrences;
pub mod outline;
pub mod signature;
pub mod tokens;

use std::sync::Arc;

use crate::{ChunkId, Diagnostic, ModuleDiagnostic, Options, Rule, TextRange, TextSize};

/// A lowered chunk.
#[derive(Debug)]
pub struct Lowered {
    pub diagnostics: Vec<Diagnostic>,
}

/// What other chunks can see.
#[derive(Debug, PartialEq)]
pub struct Summary {}

/// What can be named across chunks.
#[derive(Debug, PartialEq)]
pub struct Scope {}

/// What an answer for an editor may read.
pub type Cx<'db> = crate::ide::ChunkCx<'db, Lowered, Scope>;

/// Every rule of this dialect.
pub const RULES: &[&Rule] = &[&wavelens_syntax::amdgpu::SYNTAX_ERROR];

pub fn lower(text: &str) -> Lowered {
    let parse = wavelens_syntax::amdgpu::parse(text);
    Lowered { diagnostics: parse.errors }
}

pub fn summarize(_lowered: &Lowered) -> Summary {
    Summary {}
}

pub fn scope(_summaries: &[(ChunkId, Arc<Summary>)], _options: &Options) -> Scope {
    Scope {}
}

pub fn check(lowered: &Lowered, _scope: &Scope, _chunk: ChunkId, _text: &str) -> Vec<Diagnostic> {
    lowered.diagnostics.clone()
}

pub fn check_module(_scope: &Scope) -> Vec<ModuleDiagnostic> {
    Vec::new()
}

pub fn item_range(_lowered: &Lowered, _item: u32) -> TextRange {
    TextRange::empty(TextSize::new(0))
}
