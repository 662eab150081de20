//! One `match` per question over the four dialects.

use std::collections::BTreeSet;

use std::sync::Arc;

use rowan::{GreenNode, NodeCache};
use wavelens_syntax::machine::Kind;

use crate::invisible;
use wavelens_amdgpu as amdgpu;
use wavelens_base::includes::IncludedName;
use wavelens_base::{ChunkId, Diagnostic, Dialect, ModuleDiagnostic, Options, Rule, TextRange};
use wavelens_llvm as llvm;
use wavelens_mir as mir;
use wavelens_spirv as spirv;

/// A chunk's lowered form: flat, typed, names not yet resolved outside the chunk; ranges relative to the chunk.
#[derive(Debug)]
pub enum Lowered {
    /// LLVM IR.
    Llvm(Box<llvm::Lowered>),
    /// Machine IR.
    Mir(Arc<mir::Lowered>),
    /// SPIR-V assembly.
    Spirv(Arc<spirv::Lowered>),
    /// AMDGPU assembly.
    Amdgpu(Box<amdgpu::Lowered>),
}

/// What other chunks can see of a chunk. Holds no ranges, so that editing a body changes no summary.
#[derive(Debug, PartialEq)]
pub enum Summary {
    /// LLVM IR.
    Llvm(Arc<llvm::Summary>),
    /// Machine IR.
    Mir(Arc<mir::Summary>),
    /// SPIR-V assembly.
    Spirv(Arc<spirv::Summary>),
    /// AMDGPU assembly.
    Amdgpu(Arc<amdgpu::Summary>),
}

/// Everything that can be named across chunks.
#[derive(Debug, PartialEq)]
pub enum Scope {
    /// LLVM IR.
    Llvm(Box<llvm::Scope>),
    /// Machine IR.
    Mir(Box<mir::Scope>),
    /// SPIR-V assembly.
    Spirv(Box<spirv::Scope>),
    /// AMDGPU assembly.
    Amdgpu(Arc<amdgpu::Scope>),
}

/// Lexes, parses and lowers one chunk.
pub fn lower(dialect: Dialect, text: &str) -> Lowered {
    match dialect {
        Dialect::Llvm => Lowered::Llvm(Box::new(llvm::lower(text))),
        Dialect::Mir => Lowered::Mir(Arc::new(mir::lower(text))),
        Dialect::Spirv => Lowered::Spirv(Arc::new(spirv::lower(text))),
        Dialect::Amdgpu => Lowered::Amdgpu(Box::new(amdgpu::lower(text))),
    }
}

/// Gives up what only findings need. [`check`] finds it out again from the text; [`item_range`] needs it, see [`has_ranges`].
pub(crate) fn forget_ranges(lowered: &mut Lowered) {
    if let Lowered::Spirv(lowered) = lowered
        && let Some(lowered) = Arc::get_mut(lowered)
    {
        lowered.forget_ranges();
    }
}

/// Whether a lowered form has the ranges of its items.
pub(crate) fn has_ranges(lowered: &Lowered) -> bool {
    match lowered {
        Lowered::Spirv(lowered) => lowered.has_ranges(),
        Lowered::Llvm(_) | Lowered::Mir(_) | Lowered::Amdgpu(_) => true,
    }
}

/// The lossless tree of one chunk.
pub fn green(dialect: Dialect, text: &str, cache: &mut NodeCache) -> GreenNode {
    match dialect {
        Dialect::Llvm => wavelens_syntax::llvm::parse(text).green(text, cache),
        Dialect::Mir => wavelens_syntax::mir::parse(text).green(text, cache),
        Dialect::Spirv => wavelens_syntax::spirv::parse(text).green(text, cache),
        Dialect::Amdgpu => wavelens_syntax::amdgpu::parse(text).green(text, cache),
    }
}

/// The name of a raw syntax kind, for tree dumps.
pub fn kind_name(dialect: Dialect, raw: u16) -> String {
    match dialect {
        Dialect::Llvm => format!("{:?}", wavelens_syntax::llvm::LlvmKind::from_raw(raw)),
        Dialect::Mir => format!("{:?}", wavelens_syntax::mir::MirKind::from_raw(raw)),
        Dialect::Spirv => format!("{:?}", wavelens_syntax::spirv::SpirvKind::from_raw(raw)),
        Dialect::Amdgpu => format!("{:?}", wavelens_syntax::amdgpu::AmdgpuKind::from_raw(raw)),
    }
}

/// What other chunks can see of a chunk.
pub fn summarize(lowered: &Lowered) -> Summary {
    match lowered {
        Lowered::Llvm(l) => Summary::Llvm(llvm::summarize(l)),
        Lowered::Mir(l) => Summary::Mir(mir::summarize(l)),
        Lowered::Spirv(l) => Summary::Spirv(Arc::new(spirv::summarize(l))),
        Lowered::Amdgpu(l) => Summary::Amdgpu(Arc::new(amdgpu::summarize(l))),
    }
}

/// What a chunk most likely says to others, see [`confirm`], and its lowered form unless it is a function's: there may be a million
/// functions.
pub(crate) fn outline(dialect: Dialect, text: &str) -> (Summary, Option<Lowered>) {
    if dialect == Dialect::Amdgpu {
        return (Summary::Amdgpu(Arc::new(amdgpu::streaming::summarize(text))), None);
    }
    if dialect == Dialect::Llvm
        && let Some(summary) = llvm::outline(text)
    {
        return (Summary::Llvm(summary), None);
    }
    let lowered = lower(dialect, text);
    let is_function = match &lowered {
        Lowered::Mir(l) => l.ir.is_none(),
        Lowered::Spirv(l) => l.flat.is_only_function(),
        Lowered::Llvm(_) | Lowered::Amdgpu(_) => false,
    };
    let mut summary = summarize(&lowered);
    if let Summary::Spirv(summary) = &mut summary
        && let Some(summary) = Arc::get_mut(summary)
    {
        summary.detach();
    }
    (summary, (!is_function).then_some(lowered))
}

/// Whether a summary from [`outline`] is the chunk's. If it is, the chunk shares it.
fn confirm(lowered: &mut Lowered, outline: &Summary) -> bool {
    match (lowered, outline) {
        (Lowered::Llvm(lowered), Summary::Llvm(outline)) => llvm::confirm(lowered, outline),
        (lowered, outline) => summarize(lowered) == *outline,
    }
}

/// All findings about a chunk whose lowered form is not held, and what it refers to. `None` if its summary is not that of [`outline`].
pub(crate) fn check_outlined(
    dialect: Dialect,
    text: &str,
    outline: &Summary,
    scope: &Scope,
    chunk: ChunkId,
) -> Option<(Vec<Diagnostic>, llvm::uses::Uses)> {
    if let Scope::Amdgpu(scope) = scope {
        let found = amdgpu::streaming::check(text, scope);
        return Some((invisible::explain_errors(dialect, text, found), Default::default()));
    }
    let mut lowered = lower(dialect, text);
    confirm(&mut lowered, outline).then(|| (check(&lowered, scope, chunk, text), uses(&lowered)))
}

/// Builds the module scope. Summaries of another dialect are passed over.
pub fn scope<'a>(
    dialect: Dialect,
    summaries: impl IntoIterator<Item = (ChunkId, &'a Summary)>,
    options: &Options,
) -> Scope {
    macro_rules! build {
        ($module:ident, $variant:ident) => {{
            let own: Vec<_> = summaries
                .into_iter()
                .filter_map(|(id, s)| match s {
                    Summary::$variant(s) => Some((id, s.clone())),
                    _ => None,
                })
                .collect();
            Scope::$variant($module::scope(&own, options).into())
        }};
    }
    match dialect {
        Dialect::Llvm => build!(llvm, Llvm),
        Dialect::Mir => build!(mir, Mir),
        Dialect::Spirv => build!(spirv, Spirv),
        Dialect::Amdgpu => build!(amdgpu, Amdgpu),
    }
}

/// All findings about one chunk, syntax errors included, in no particular order.
pub fn check(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    let (dialect, found) = match (lowered, scope) {
        (Lowered::Llvm(l), Scope::Llvm(s)) => (Dialect::Llvm, llvm::check(l, s, chunk, text)),
        (Lowered::Mir(l), Scope::Mir(s)) => (Dialect::Mir, mir::check(l, s, chunk, text)),
        (Lowered::Spirv(l), Scope::Spirv(s)) => (Dialect::Spirv, spirv::check(l, s, chunk, text)),
        (Lowered::Amdgpu(l), Scope::Amdgpu(s)) => (Dialect::Amdgpu, amdgpu::check(l, s, chunk, text)),
        _ => return Vec::new(),
    };
    invisible::explain_errors(dialect, text, found)
}

/// Findings about names in several chunks.
pub fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    match scope {
        Scope::Llvm(s) => llvm::check_module(s),
        Scope::Mir(s) => mir::check_module(s),
        Scope::Spirv(s) => spirv::check_module(s),
        Scope::Amdgpu(s) => amdgpu::check_module(s),
    }
}

/// What a chunk's bodies refer to in other chunks. Empty in dialects that look for nothing unused.
pub fn uses(lowered: &Lowered) -> llvm::uses::Uses {
    match lowered {
        Lowered::Llvm(l) => llvm::uses::uses(l),
        _ => Default::default(),
    }
}

/// What no module-level entity refers to.
pub fn loose_ends(scope: &Scope) -> llvm::uses::LooseEnds {
    match scope {
        Scope::Llvm(s) => llvm::uses::loose_ends(s),
        _ => Default::default(),
    }
}

/// What is defined and nothing refers to.
pub fn check_uses<'a>(
    ends: &llvm::uses::LooseEnds,
    uses: impl Iterator<Item = &'a llvm::uses::Uses>,
) -> Vec<ModuleDiagnostic> {
    llvm::check_uses(ends, uses)
}

/// Where the `item`-th entity of a chunk is named, relative to the chunk.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    match lowered {
        Lowered::Llvm(l) => llvm::item_range(l, item),
        Lowered::Mir(l) => mir::item_range(l, item),
        Lowered::Spirv(l) => spirv::item_range(l, item),
        Lowered::Amdgpu(l) => amdgpu::item_range(l, item),
    }
}

/// Every rule of a dialect.
pub fn rules(dialect: Dialect) -> &'static [&'static Rule] {
    match dialect {
        Dialect::Llvm => &llvm::RULES,
        Dialect::Mir => &mir::RULES,
        Dialect::Spirv => &spirv::RULES,
        Dialect::Amdgpu => &amdgpu::RULES,
    }
}

/// Whether a rule is about what code generation does not take, though the text is valid.
pub fn is_about_code_generation(rule: &'static Rule) -> bool {
    llvm::is_about_code_generation(rule)
}

/// The rules about the lines of tests and about comments for this checker, which are the same in every dialect.
pub fn test_rules() -> impl Iterator<Item = &'static Rule> {
    let all = [
        crate::runs::RULES,
        wavelens_base::lit::rules::RULES,
        wavelens_base::lit::arguments::RULES,
        wavelens_base::lit::outcome::RULES,
        crate::allowed::RULES,
        crate::producer::RULES,
    ];
    all.into_iter().flatten().copied()
}

/// Every code, sorted.
pub fn codes() -> BTreeSet<&'static str> {
    let own = Dialect::ALL.into_iter().flat_map(rules).copied();
    own.chain(test_rules()).map(|rule| rule.code).collect()
}

/// The rule with a code, in the first dialect that has it.
pub fn rule(code: &str) -> Option<&'static Rule> {
    let own = Dialect::ALL.into_iter().flat_map(rules).copied();
    own.chain(test_rules()).find(|r| r.code == code)
}

/// Whether documents of a dialect can include other files.
pub fn includes_files(dialect: Dialect) -> bool {
    dialect == Dialect::Amdgpu
}

/// The names of files that a text includes, wherever they are written.
pub fn included_names(dialect: Dialect, text: &str) -> Vec<IncludedName> {
    if includes_files(dialect) { amdgpu::assembler::includes::included_names(text) } else { Vec::new() }
}
