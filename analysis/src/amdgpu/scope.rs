//! What each chunk starts from: the outline of the file, made from the summaries without looking at instructions.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_isa::Target;

use super::assembler::{Assembler, Mode};
use super::conditions::Conditions;
use super::debug_info::DebugInfo;
use super::expression::Expr;
use super::includes::Includes;
use super::macros::Macro;
use super::sections::Sections;
use super::symbols::Definition;
use super::{Summary, target_of};
use crate::{ChunkId, Options, Place};

/// The assembler's state between two chunks, but for names.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) conditions: Conditions,
    pub(super) sections: Sections,
    pub(super) altmacro: bool,
    pub(super) macros_off: bool,
    pub(super) macro_count: u32,
    pub(super) open: bool,
    pub(super) debug: DebugInfo,
}

/// A definition by a chunk: its number in the file, the item in it, and what it says.
#[derive(Debug, Clone, PartialEq)]
struct Defined {
    order: u32,
    item: u32,
    definition: Definition,
}

/// A macro's definitions and (`None`) removals, each with the order of its chunk.
type MacroHistory = Vec<(u32, Option<Arc<Macro>>)>;

/// The module: names over all chunks, and the state at each chunk's start.
#[derive(Debug, Default, PartialEq)]
pub struct Scope {
    pub(super) target: Option<Target>,
    /// By the command line or the settings, not by the file.
    pub(super) target_is_set: bool,
    pub(super) defines: Vec<(String, String)>,
    pub(super) follow_on: bool,
    pub(super) includes: Includes,
    /// The module is one chunk: it is assembled exactly.
    pub(super) whole: bool,
    chunks: Vec<ChunkId>,
    orders: FxHashMap<ChunkId, u32>,
    entries: Vec<Entry>,
    symbols: FxHashMap<SmolStr, Vec<Defined>>,
    macros: FxHashMap<SmolStr, MacroHistory>,
    /// The chunks in which a function or kernel starts, in order.
    function_starts: Vec<usize>,
    functions: FxHashSet<SmolStr>,
}

/// What is known about a symbol at a chunk's start.
pub(super) struct Found {
    /// Its last definition above, and where that is.
    pub(super) before: Option<(Definition, Place)>,
    /// Defined in this chunk or below it.
    pub(super) later: bool,
}

impl Scope {
    pub(super) fn order(&self, chunk: ChunkId) -> u32 {
        self.orders.get(&chunk).copied().unwrap_or(0)
    }

    pub(super) fn entry(&self, order: u32) -> Option<&Entry> {
        self.entries.get(order as usize)
    }

    /// Takes over from the outline which labels are those of functions and kernels.
    fn add_functions(&mut self, outline: &Assembler<'_>) {
        let program = &outline.program;
        let ids = program.functions.iter().copied().chain(program.descriptors.iter().map(|d| d.kernel));
        self.functions = ids.map(|id| outline.symbols.name(id).clone()).collect();
        let defined = self.functions.iter().filter_map(|name| self.symbols.get(name));
        self.function_starts = defined.flatten().map(|d| d.order as usize).collect();
        self.function_starts.sort_unstable();
        self.function_starts.dedup();
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// The chunks that hold all of every function with code in one chunk.
    pub(super) fn around(&self, chunk: usize) -> std::ops::Range<usize> {
        let starts = &self.function_starts;
        let before = starts.partition_point(|s| *s < chunk).checked_sub(1);
        let after = starts.get(starts.partition_point(|s| *s <= chunk));
        let first = before.and_then(|i| starts.get(i)).copied().unwrap_or(0);
        first..after.map_or(self.chunks.len(), |last| last + 1)
    }

    pub(super) fn symbol(&self, name: &str, order: u32) -> Found {
        let Some(all) = self.symbols.get(name) else { return Found { before: None, later: false } };
        let before = all.iter().rev().find(|d| d.order < order);
        Found {
            before: before.map(|d| {
                let chunk = self.chunks.get(d.order as usize).copied().unwrap_or(ChunkId(0));
                (d.definition.clone(), Place::Item { chunk, item: d.item })
            }),
            later: all.iter().any(|d| d.order >= order),
        }
    }

    /// A macro of the name, wherever it is defined.
    pub(super) fn any_macro(&self, name: &str) -> Option<Arc<Macro>> {
        self.macros.get(name)?.iter().rev().find_map(|(_, found)| found.clone())
    }

    pub(super) fn macro_names(&self) -> impl Iterator<Item = &str> {
        self.macros.keys().map(SmolStr::as_str)
    }

    pub(super) fn symbol_names(&self) -> impl Iterator<Item = &str> {
        self.symbols.keys().map(SmolStr::as_str)
    }

    /// Whether some chunk defines a macro of the name.
    pub(super) fn has_macro(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    pub(super) fn find_macro(&self, name: &str, order: u32) -> Option<Arc<Macro>> {
        self.macros.get(name)?.iter().rev().find(|(o, _)| *o < order)?.1.clone()
    }
}

/// Runs through the summaries.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    // The file knows best; the settings are for files that name no processor.
    let named = summaries.iter().find_map(|(_, s)| target_of(s.target.as_deref()?));
    let named = named.or_else(|| target_of(&options.includes.target()?));
    let asked = options.target.as_deref().and_then(target_of);
    let target = match (named, asked) {
        // the wave size is for whoever asks to say
        (Some(named), Some(asked)) if named.name() == asked.name() => Some(asked),
        _ => named.or(asked),
    };
    let mut scope = Scope {
        target,
        target_is_set: options.target.is_some(),
        defines: options.defines.clone(),
        follow_on: options.follow_on,
        includes: options.includes.clone(),
        whole: summaries.len() <= 1,
        ..Scope::default()
    };
    for (order, (id, _)) in summaries.iter().enumerate() {
        scope.chunks.push(*id);
        scope.orders.insert(*id, order as u32);
    }
    if scope.whole {
        return scope;
    }
    let mut assembler = Assembler::new(Mode::Outline, target, scope.target_is_set);
    assembler.includes = scope.includes.clone();
    for name in [".amdgcn.next_free_vgpr", ".amdgcn.next_free_sgpr"] {
        assembler.predefine(name, None, true);
    }
    for (name, value) in defines(options) {
        assembler.predefine(&name, value, true);
        let definition = Definition::Variable(value.map_or(Expr::Unknown, Expr::Const));
        let defined = Defined { order: 0, item: 0, definition };
        scope.symbols.entry(SmolStr::from(name)).or_default().push(defined);
    }
    for (order, (id, summary)) in summaries.iter().enumerate() {
        let order = order as u32;
        scope.entries.push(assembler.entry());
        let known = std::mem::take(&mut assembler.macros);
        assembler.macros = known.clone();
        assembler.chunk = *id;
        assembler.run(&summary.outline, &wavelens_syntax::amdgpu::lex(&summary.outline));
        for (name, item, definition) in std::mem::take(&mut assembler.defined) {
            scope.symbols.entry(name).or_default().push(Defined { order, item, definition });
        }
        for (name, found) in &assembler.macros {
            if known.get(name) != Some(found) {
                scope.macros.entry(name.clone()).or_default().push((order, found.clone()));
            }
        }
        assembler.sections.forget_offsets();
        assembler.conditions.forget_ranges();
    }
    scope.add_functions(&assembler);
    scope
}

/// The symbols that a build defines.
pub(super) fn defines(options: &Options) -> impl Iterator<Item = (String, Option<i64>)> + '_ {
    options.defines.iter().map(|(name, value)| {
        let text = value.trim();
        let (digits, negative) = text.strip_prefix('-').map_or((text, false), |d| (d, true));
        let number = match digits.is_empty() {
            true => Some(1),
            false => super::cursor::integer(digits).map(|n| n as i64),
        };
        (name.clone(), number.map(|n| if negative { n.wrapping_neg() } else { n }))
    })
}
