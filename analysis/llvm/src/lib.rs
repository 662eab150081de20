//! Meaning of LLVM IR.
//!
//! [`lower`] turns a chunk into flat tables ([`Lowered`]): module-level entities without ranges in [`summary::Summary`], function
//! bodies in [`body::Body`], ranges in separate tables. [`scope::Scope`] joins the summaries of all chunks; rules run on a
//! [`context::RuleContext`] or [`context::ModuleContext`], which join both.

#![warn(missing_docs)]

pub mod arena;
pub mod attribute;
pub(crate) mod attribute_set;
pub mod body;
pub mod context;
pub mod debug_info;
pub mod fixes;
pub(crate) mod intrinsic_match;
pub mod layout;
pub mod lower;
mod mangling;
pub mod metadata;
mod metadata_index;
pub mod metadata_view;
pub mod names;
pub mod older;
pub mod opcode;
pub mod operand;
pub mod reduce;
pub mod rules;
pub mod scope;
pub(crate) mod struct_facts;
pub mod summary;
pub mod tables;
pub(crate) mod target_types;
mod type_text;
pub mod types;
pub(crate) mod underlying;
pub mod uses;

use std::sync::Arc;

pub use lower::lower;
pub use rules::RULES;
pub use rules::target::intrinsics::not_selected;
pub use scope::Scope;
pub use summary::Summary;

use thin_vec::ThinVec;

use wavelens_base::{ChunkId, Diagnostic, ModuleDiagnostic, Rule, TextRange};

/// A lowered chunk. Ranges are relative to the chunk.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lowered {
    /// Shared with the scope.
    pub summary: Arc<Summary>,
    /// Side by side with the summary's tables.
    pub ranges: arena::Ranges,
    /// Names of module-level entities, by item number, and the end of the chunk.
    pub items: ThinVec<TextRange>,
    /// Whole module-level entities, by item number.
    pub item_spans: ThinVec<TextRange>,
    /// Names of parameters, side by side with [`Summary::params`].
    pub(crate) param_ranges: ThinVec<TextRange>,
    /// Bodies of the functions that the chunk defines.
    pub bodies: Vec<body::Body>,
    /// Syntax errors, and what lowering alone can tell.
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether a rule is about what becomes of a function in code generation: IR that only accompanies Machine IR is past that.
pub fn is_about_code_generation(rule: &'static Rule) -> bool {
    rules::target::RULES.iter().copied().flatten().any(|own| *own == rule)
}

/// Whether a rule is about attributes of a function that passes over its Machine IR read as well.
pub fn is_about_attributes(rule: &'static Rule) -> bool {
    std::ptr::eq(rule, &rules::target::attributes::TARGET_ATTRIBUTE)
}

/// What other chunks can see.
pub fn summarize(lowered: &Lowered) -> Arc<Summary> {
    lowered.summary.clone()
}

/// What a function's chunk most likely says to others, found without reading most of its body; `None` for other chunks.
pub fn outline(text: &str) -> Option<Arc<Summary>> {
    lower::outline(text)
}

/// Whether a summary from [`outline`] is the chunk's. If it is, the chunk shares it.
pub fn confirm(lowered: &mut Lowered, outline: &Arc<Summary>) -> bool {
    let is_same = lowered.summary == *outline;
    if is_same {
        lowered.summary = outline.clone();
    }
    is_same
}

/// Builds the module scope; `summaries` in the order of the file.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &wavelens_base::Options) -> Scope {
    let mut scope = scope::build(summaries, options);
    rules::debug_info::complete(&mut scope);
    scope
}

/// All findings about one chunk.
pub fn check(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    let mut diagnostics = lowered.diagnostics.clone();
    lower::rules::retract_explained(&mut diagnostics);
    if let Some(mut cx) = context::ModuleContext::new(lowered, scope, chunk) {
        rules::check_entities(&mut cx);
        diagnostics.append(&mut cx.diagnostics);
    }
    if lowered.summary.cold.has_assembly {
        rules::module_asm::check(text, scope, &mut diagnostics);
    }
    let causes = rules::dominance::Causes::new(&lowered.diagnostics, text);
    for body in &lowered.bodies {
        if let Some(mut cx) = context::RuleContext::new(lowered, scope, chunk, text, body) {
            rules::check_function(&mut cx);
            rules::type_mismatch::explain(&mut cx.diagnostics, &mut diagnostics);
            diagnostics.extend(cx.diagnostics.drain(..).filter(|d| !causes.explain(d)));
        }
    }
    match scope.llvm_level {
        Some(level) => rules::language_level::check(text, scope, level, &mut diagnostics),
        None => diagnostics.retain(|diagnostic| diagnostic.rule != &wavelens_syntax::llvm::NEWER),
    }
    fixes::tidy(&mut diagnostics, text);
    diagnostics
}

/// All findings about a module that is one chunk, in the order of their start.
pub fn check_alone(text: &str) -> Vec<Diagnostic> {
    let (lowered, chunk) = (lower(text), ChunkId(0));
    let scope = scope(&[(chunk, summarize(&lowered))], &wavelens_base::Options::default());
    let mut found = check(&lowered, &scope, chunk, text);
    found.sort_by_key(|diagnostic| diagnostic.range.start());
    found
}

/// Findings that only all chunks together show.
pub fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    let mut found = rules::duplicates::check(scope);
    found.append(&mut rules::aliases::alias_cycles(scope));
    found
}

/// What nothing refers to; `ends` are those of the scope.
pub fn check_uses<'a>(
    ends: &uses::LooseEnds,
    all: impl Iterator<Item = &'a uses::Uses>,
) -> Vec<ModuleDiagnostic> {
    rules::unused::check(ends, all)
}

/// Where the `item`-th entity of a chunk is named.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    lowered.items.get(item as usize).copied().unwrap_or_default()
}
