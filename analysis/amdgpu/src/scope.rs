//! What each chunk starts from: the outline of the file, made from the summaries without looking at instructions.
//!
//! What a chunk leaves to the ones below is its [`Part`].

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_isa::Target;

use super::Summary;
use super::assembler::includes::target;
use super::assembler::{Assembler, Mode};
use crate::assembler::conditions::Conditions;
use crate::assembler::debug_info::DebugInfo;
use crate::assembler::macros::Macro;
use crate::assembler::outline_text::is_call_number;
use crate::assembler::sections::Sections;
use crate::assembler::symbols::Definition;
use wavelens_base::configuration::{Configuration, Stated};
use wavelens_base::includes::Includes;
use wavelens_base::{ChunkId, Dialect, Options, Place};

/// The assembler's state between two chunks, but for names.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Entry {
    pub(super) conditions: Conditions,
    pub(super) sections: Sections,
    pub(super) altmacro: bool,
    pub(super) macros_off: bool,
    pub(super) open: bool,
    pub(super) debug: DebugInfo,
}

/// What is the same for all chunks.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Settings {
    /// The processor; `None` where it is not known.
    pub target: Option<Target>,
    /// What the file is checked for.
    pub configuration: Option<Arc<Configuration>>,
    /// The file's own target id asks for replay of memory accesses.
    pub(super) replays: bool,
    pub(super) defines: Vec<(String, Option<i64>)>,
    pub(super) follow_on: bool,
    pub(super) pedantic: bool,
    /// AMD's disassembler wrote the text.
    pub(super) is_listing: bool,
    /// Files that the text includes.
    pub includes: Includes,
}

/// The last definition of a symbol by a chunk.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Defined {
    pub(super) name: SmolStr,
    /// The statement in the outline.
    pub(super) item: u32,
    pub(super) definition: Definition,
    pub(super) redefinable: bool,
}

/// What a chunk leaves to others.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Part {
    pub(super) exit: Entry,
    pub(super) symbols: Vec<Defined>,
    /// Definitions and (`None`) removals.
    pub(super) macros: Vec<(SmolStr, Option<Arc<Macro>>)>,
    /// Symbols that are functions or kernels.
    pub(super) functions: Vec<SmolStr>,
}

/// A symbol of a part: the number of the chunk in the file, and its number in the part.
type Index = (u32, u32);

/// A statement that other chunks can see: the number of the chunk in the file, and its number in the chunk.
pub type OutlinePlace = (usize, u32);

/// All of the functions that a part of a chunk belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FunctionSpan {
    /// The label that it starts with; `None` is the start of the file.
    pub start: Option<OutlinePlace>,
    /// The label of the next function; `None` is the end of the file.
    pub end: Option<OutlinePlace>,
}

/// The module: names over all chunks, and the state at each chunk's start.
#[derive(Debug, Default)]
pub struct Scope {
    /// What is the same for all chunks.
    pub settings: Arc<Settings>,
    /// The module is one chunk: it is assembled exactly.
    pub(super) whole: bool,
    chunks: Vec<ChunkId>,
    parts: Vec<Arc<Part>>,
    // What follows is made from the above.
    orders: FxHashMap<ChunkId, u32>,
    symbols: FxHashMap<SmolStr, Vec<Index>>,
    macros: FxHashMap<SmolStr, Vec<Index>>,
    functions: FxHashSet<SmolStr>,
    /// Where functions and kernels start, in order; without those whose labels macros make.
    function_starts: Vec<OutlinePlace>,
}

impl PartialEq for Scope {
    fn eq(&self, other: &Scope) -> bool {
        let same = |(a, b): (&Arc<Part>, &Arc<Part>)| Arc::ptr_eq(a, b) || a == b;
        self.whole == other.whole
            && self.settings == other.settings
            && self.chunks == other.chunks
            && self.parts.len() == other.parts.len()
            && self.parts.iter().zip(&other.parts).all(same)
    }
}

/// What is known about a symbol at a chunk's start.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Its last definition above, whether there can be others, and where it is.
    pub(super) before: Option<(Definition, bool, Place)>,
    /// Defined in this chunk or below it.
    pub(super) later: bool,
}

impl Scope {
    pub(super) fn order(&self, chunk: ChunkId) -> u32 {
        self.orders.get(&chunk).copied().unwrap_or(0)
    }

    pub(super) fn chunk(&self, order: u32) -> ChunkId {
        self.chunks.get(order as usize).copied().unwrap_or(ChunkId(0))
    }

    /// The state at a chunk's start; `None` at that of the file.
    pub(super) fn entry(&self, order: u32) -> Option<&Entry> {
        Some(&self.parts.get(order.checked_sub(1)? as usize)?.exit)
    }

    /// Takes what the next chunk leaves.
    fn add(&mut self, part: Arc<Part>) {
        let order = self.parts.len() as u32;
        for (index, defined) in (0..).zip(&part.symbols) {
            self.symbols.entry(defined.name.clone()).or_default().push((order, index));
        }
        for (index, (name, _)) in (0..).zip(&part.macros) {
            self.macros.entry(name.clone()).or_default().push((order, index));
        }
        self.functions.extend(part.functions.iter().cloned());
        self.parts.push(part);
    }

    /// Finds where functions start, when all parts are there.
    fn find_functions(&mut self) {
        let defined = self.functions.iter().filter_map(|name| self.symbols.get(name));
        let place = |(order, index): &Index| {
            let defined = self.parts.get(*order as usize)?.symbols.get(*index as usize)?;
            (!is_call_number(defined.item)).then_some((*order as usize, defined.item))
        };
        self.function_starts = defined.flatten().filter_map(place).collect();
        self.function_starts.sort_unstable();
        self.function_starts.dedup();
    }

    /// Whether a symbol has the type `@function`.
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// The functions around a part of a chunk: from so many of the statements that others see to so many.
    pub fn functions_around(&self, chunk: usize, statements: std::ops::Range<u32>) -> FunctionSpan {
        let starts_before = |number| self.function_starts.partition_point(|start| *start < (chunk, number));
        let before = starts_before(statements.start).checked_sub(1);
        let start = before.and_then(|index| self.function_starts.get(index)).copied();
        FunctionSpan { start, end: self.function_starts.get(starts_before(statements.end)).copied() }
    }

    pub(super) fn symbol(&self, name: &str, order: u32) -> Found {
        let all = self.symbols.get(name).map_or(&[][..], Vec::as_slice);
        let above = all.partition_point(|(o, _)| *o < order);
        let before = above.checked_sub(1).and_then(|last| {
            let (order, index) = *all.get(last)?;
            let defined = self.parts.get(order as usize)?.symbols.get(index as usize)?;
            let place = Place::Item { chunk: self.chunk(order), item: defined.item };
            Some((defined.definition.clone(), defined.redefinable, place))
        });
        Found { before, later: above < all.len() }
    }

    fn macro_at(&self, (order, index): Index) -> Option<&Arc<Macro>> {
        self.parts.get(order as usize)?.macros.get(index as usize)?.1.as_ref()
    }

    /// A macro of the name, wherever it is defined.
    pub fn any_macro(&self, name: &str) -> Option<Arc<Macro>> {
        self.macros.get(name)?.iter().rev().find_map(|index| self.macro_at(*index)).cloned()
    }

    /// Names of macros that any chunk defines.
    pub fn macro_names(&self) -> impl Iterator<Item = &str> {
        self.macros.keys().map(SmolStr::as_str)
    }

    /// Every symbol, and whether it is a label.
    pub fn symbols_with_kind(&self) -> impl Iterator<Item = (&str, bool)> {
        let is_label = |(order, index): &Index| {
            let defined = self.parts.get(*order as usize).and_then(|p| p.symbols.get(*index as usize));
            defined.is_some_and(|d| matches!(d.definition, Definition::Label { .. } | Definition::Elsewhere))
        };
        self.symbols.iter().map(move |(name, all)| (name.as_str(), all.last().is_some_and(is_label)))
    }

    /// Whether some chunk defines a macro of the name.
    pub fn has_macro(&self, name: &str) -> bool {
        self.macros.contains_key(name)
    }

    pub(super) fn find_macro(&self, name: &str, order: u32) -> Option<&Arc<Macro>> {
        let all = self.macros.get(name)?;
        let last = all.partition_point(|(o, _)| *o < order).checked_sub(1)?;
        self.macro_at(*all.get(last)?)
    }
}

/// Runs through the summaries.
pub fn scope(summaries: &[(ChunkId, Arc<Summary>)], options: &Options) -> Scope {
    let mut stated = Stated::join(summaries.iter().map(|(_, s)| &s.stated));
    stated.target_id = stated.target_id.or_else(|| target(&options.includes));
    let configuration = Configuration::decide(Dialect::Amdgpu, &stated, options);
    let is_known = configuration.other_features().next().is_none();
    let defines = configuration.defines.iter();
    // Only LLVM's own tests expect the same lines.
    let follow_on = options.follow_on && configuration.run.is_some();
    let settings = Settings {
        replays: stated.target_id.is_some_and(|id| id.contains(":xnack+")),
        target: configuration.target().filter(|_| is_known),
        defines: defines.map(|(name, value)| (name.clone(), defined_value(value))).collect(),
        configuration: Some(Arc::new(configuration)),
        follow_on,
        pedantic: options.pedantic,
        is_listing: stated.listed.is_some(),
        includes: options.includes.clone(),
    };
    let mut scope = Scope {
        settings: Arc::new(settings),
        whole: summaries.len() <= 1,
        chunks: summaries.iter().map(|(id, _)| *id).collect(),
        orders: summaries.iter().zip(0..).map(|((id, _), order)| (*id, order)).collect(),
        ..Scope::default()
    };
    if scope.whole {
        return scope;
    }
    for (_, summary) in summaries {
        let part = summary.part(&scope);
        scope.add(Arc::new(part));
    }
    scope.find_functions();
    scope
}

impl Summary {
    /// What the chunk leaves to others, which comes right after those that the scope holds.
    fn part(&self, scope: &Scope) -> Part {
        let mut assembler = Assembler::resume(Mode::Outline, scope, scope.parts.len() as u32);
        assembler.run(&self.outline, &wavelens_syntax::amdgpu::lex(&self.outline));
        assembler.part()
    }
}

/// The number that a build gives a symbol.
fn defined_value(text: &str) -> Option<i64> {
    let text = text.trim();
    let (digits, negative) = text.strip_prefix('-').map_or((text, false), |d| (d, true));
    let number = match digits.is_empty() {
        true => Some(1),
        false => crate::assembler::cursor::integer(digits).map(|n| n as i64),
    };
    number.map(|n| if negative { n.wrapping_neg() } else { n })
}
