//! The assembler: runs through statements in order as LLVM's `AsmParser` does, and keeps what later lines depend on.
//!
//! One engine serves three ends. Over a whole file it is exact, and [`Assembler::finish`] lays everything out. Over one
//! chunk it starts from what [`super::scope`] knows about the chunks before, and what depends on addresses is unknown and
//! quiet. Over a chunk's outline it reports nothing and only collects what the chunk defines for others.
//!
//! The files of this folder import each other in circles, on purpose: each holds methods of the one [`Assembler`], and
//! statements nest without order (a macro expands to conditions that hold directives that call expressions). [`super::scope`]
//! belongs to the circle: what chunks define for others is made of the assembler's own symbols, macros and sections.

pub mod attributes;
pub(crate) mod codeview;
pub mod conditions;
pub mod cursor;
mod data;
pub mod debug_info;
pub mod directives;
pub mod expansion;
pub mod expression;
pub mod includes;
pub mod kernel_descriptor;
pub mod layout;
mod listing;
pub mod macros;
pub mod metadata;
pub mod operand_words;
pub mod operands;
pub(crate) mod outline_text;
pub mod program;
mod register_fields;
pub mod registers;
mod rejected;
mod repetitions;
pub mod sections;
mod suggestions;
pub(crate) mod symbol_versions;
pub mod symbols;
pub(crate) mod target_directives;
pub mod yaml;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use wavelens_isa::Target;
use wavelens_syntax::amdgpu::AmdgpuKind::{self, *};
use wavelens_syntax::amdgpu::{SYNTAX_ERROR, lex_error};
use wavelens_syntax::machine::Lexed;

use super::scope::{Defined, Entry, Part, Scope};
use super::statement::Watch;
use crate::assembler::conditions::Conditions;
use crate::assembler::cursor::Cursor;
use crate::assembler::debug_info::DebugInfo;
use crate::assembler::expansion::{ErrorLine, ExpansionBudget};
use crate::assembler::expression::Expr;
use crate::assembler::layout::Fixup;
use crate::assembler::macros::Macro;
use crate::assembler::outline_text::ItemCounter;
use crate::assembler::program::Program;
use crate::assembler::registers::KernelRegisters;
use crate::assembler::sections::Sections;
use crate::assembler::symbol_versions::SymbolVersion;
use crate::assembler::symbols::{Definition, Symbol, SymbolId, Symbols};
use crate::rules::directive::cfi::{self, CFI};
use crate::rules::directive::unbalanced_condition::{self, CONDITION};
use wavelens_base::configuration::{Configuration, Os};
use wavelens_base::includes::Includes;
use wavelens_base::{ChunkId, Diagnostic, Place, TextRange, TextSize};
use wavelens_isa::processor::ProcessorFacts;

/// A report was made (or is not wanted); the rest of the statement is skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reported;

pub(crate) type Parsed<T> = Result<T, Reported>;

/// What a run is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The whole file: addresses are exact.
    Whole,
    /// One chunk of several.
    Chunk,
    /// The outline of one chunk.
    Outline,
}

/// Text that is being read in place of a call or a repetition.
#[derive(Debug, Clone)]
pub(crate) struct Expansion {
    /// The statement in the chunk that led here.
    pub(crate) call: TextRange,
    pub(crate) name: SmolStr,
    /// Where the body is in the chunk, if it is there: its start and its text.
    pub(crate) body: Option<(TextSize, Arc<str>)>,
    /// The definition, when the body is in another chunk.
    pub(crate) definition: Option<Place>,
    /// Depth of open conditions at its start, for `.exitm`.
    pub(crate) conditions: usize,
    pub(crate) exit: bool,
    pub(crate) kind: ExpansionKind,
    /// The last line of it that was reported.
    pub(crate) error_line: ErrorLine,
}

/// What an expansion comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExpansionKind {
    Macro,
    Repetition,
    /// The number of a file in [`Includes`].
    Include(u32),
}

/// What an outline writes for `\@` and `\+`: how many macros were expanded above is not known there.
pub(crate) const COUNT: &str = "$count?";

/// What counts the registers of a kernel for other systems than amdhsa.
pub use data::RELOCATIONS;

/// Symbols that the assembler defines: with amdhsa, and with other systems.
pub const PREDEFINED: [&str; 11] = [
    ".amdgcn.gfx_generation_number",
    ".amdgcn.gfx_generation_minor",
    ".amdgcn.gfx_generation_stepping",
    ".amdgcn.next_free_vgpr",
    ".amdgcn.next_free_sgpr",
    ".option.machine_version_major",
    ".option.machine_version_minor",
    ".option.machine_version_stepping",
    VGPR_COUNT,
    SGPR_COUNT,
    AGPR_COUNT,
];
const VGPR_COUNT: &str = ".kernel.vgpr_count";
const SGPR_COUNT: &str = ".kernel.sgpr_count";
const AGPR_COUNT: &str = ".kernel.agpr_count";

/// The state of assembling one text.
pub struct Assembler<'s> {
    pub(crate) mode: Mode,
    pub(crate) chunk: ChunkId,
    pub(crate) scope: Option<(&'s Scope, u32)>,
    /// Macros of other chunks that were looked up, by name.
    outer_macros: FxHashMap<SmolStr, Option<Arc<Macro>>>,
    pub(crate) target: Option<Target>,
    pub(crate) os: Os,
    /// What the file is assembled for, and what its directives must agree with.
    configuration: Option<Arc<Configuration>>,
    /// It was reported that nothing names a processor.
    pub(crate) no_processor: bool,
    /// Symbols by name, with their values.
    pub symbols: Symbols,
    /// `None`: removed with `.purgem`.
    pub(crate) macros: FxHashMap<SmolStr, Option<Arc<Macro>>>,
    pub(crate) conditions: Conditions,
    pub(crate) sections: Sections,
    pub(crate) expansions: Vec<Expansion>,
    pub(crate) macro_count: u32,
    /// How often each macro was expanded: what `\+` stands for.
    pub(crate) macro_uses: FxHashMap<SmolStr, u32>,
    pub(crate) altmacro: bool,
    pub(crate) macros_off: bool,
    /// How often each numbered label was defined: the instance that `1b` means.
    pub(crate) numbered: FxHashMap<i64, u32>,
    pub(crate) debug: DebugInfo,
    /// Something unknown was included: names can come from anywhere.
    pub(crate) open: bool,
    /// A report was made about a symbol that a build may define: what depends on symbols is not known.
    pub(crate) incomplete: bool,
    pub(crate) includes: Includes,
    /// AMD's disassembler wrote the text.
    is_listing: bool,
    /// The words of the data directive that is read, as far as they are known.
    pub(crate) words: Vec<Option<u32>>,
    /// The place that an editor asks about.
    pub(crate) watch: Option<Watch>,
    /// The part of a chunk that is wanted: instructions and data before it are passed over, and nothing after it is read.
    pub(crate) window: Option<TextRange>,
    pub(crate) fixups: Vec<Fixup>,
    pub(crate) versions: Vec<SymbolVersion>,
    /// What was assembled.
    pub program: Program,
    /// What was found wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
    /// Reports of files that may not be read, for those who need all bytes.
    pub(crate) unread: Vec<Diagnostic>,
    /// The number of the statement in the chunk's outline.
    pub(crate) item: u32,
    items: ItemCounter,
    /// What the outline defined.
    pub(crate) defined: Vec<(SymbolId, u32)>,
    pub(crate) next_free_vgpr: SymbolId,
    pub(crate) next_free_sgpr: SymbolId,
    /// For other systems than amdhsa, over a whole file.
    pub(crate) kernel_registers: Option<KernelRegisters>,
    /// A mistake in a kernel descriptor is followed by one for each of its later lines, as in LLVM.
    pub(crate) follow_on: bool,
    pub(crate) statement: TextRange,
    /// Suggestions for unknown names so far.
    pub(crate) suggestions: u32,
    /// What macros, repetitions and included files may still expand to.
    pub(crate) expansion_budget: ExpansionBudget,
}

impl<'s> Assembler<'s> {
    pub(crate) fn new(mode: Mode, target: Option<Target>, os: Os) -> Self {
        let machine = target.map(ProcessorFacts::of);
        let mut assembler = Assembler {
            mode,
            chunk: ChunkId(0),
            scope: None,
            outer_macros: FxHashMap::default(),
            target,
            os,
            configuration: None,
            no_processor: false,
            symbols: Symbols::default(),
            macros: FxHashMap::default(),
            conditions: Conditions::default(),
            sections: Sections::default(),
            expansions: Vec::new(),
            macro_count: 0,
            macro_uses: FxHashMap::default(),
            altmacro: false,
            macros_off: false,
            numbered: FxHashMap::default(),
            debug: DebugInfo::default(),
            open: false,
            incomplete: false,
            includes: Includes::default(),
            is_listing: false,
            words: Vec::new(),
            watch: None,
            window: None,
            fixups: Vec::new(),
            versions: Vec::new(),
            program: Program::default(),
            diagnostics: Vec::new(),
            unread: Vec::new(),
            item: 0,
            items: ItemCounter::default(),
            defined: Vec::new(),
            next_free_vgpr: SymbolId::new(0),
            next_free_sgpr: SymbolId::new(0),
            kernel_registers: None,
            follow_on: false,
            statement: TextRange::default(),
            suggestions: 0,
            expansion_budget: ExpansionBudget::default(),
        };
        if os != Os::Amdhsa {
            assembler.predefine_without_hsa();
            return assembler;
        }
        if let Some(machine) = machine {
            for (name, value) in machine.constants() {
                assembler.predefine(name, Some(value), true);
            }
        } else {
            for name in ProcessorFacts::GENERATION {
                assembler.predefine(name, None, true);
            }
        }
        assembler.next_free_vgpr = assembler.predefine(".amdgcn.next_free_vgpr", machine.map(|_| 0), true);
        assembler.next_free_sgpr = assembler.predefine(".amdgcn.next_free_sgpr", machine.map(|_| 0), true);
        assembler
    }

    /// What LLVM defines before the first line for other systems than amdhsa.
    fn predefine_without_hsa(&mut self) {
        let constants: Vec<_> = self.machine().iter().flat_map(|m| m.constants()).collect();
        let (version, microcode) = constants.split_at(constants.len().min(ProcessorFacts::GENERATION.len()));
        let version: Vec<i64> = version.iter().map(|(_, value)| *value).collect();
        for (name, value) in microcode {
            self.predefine(name, Some(*value), true);
        }
        for (index, name) in ["major", "minor", "stepping"].into_iter().enumerate() {
            let value = version.get(index).copied();
            self.predefine(&format!(".option.machine_version_{name}"), value, true);
        }
        self.next_free_vgpr = self.predefine(VGPR_COUNT, Some(0), true);
        self.next_free_sgpr = self.predefine(SGPR_COUNT, Some(0), true);
        self.begin_kernel();
    }

    /// A kernel for other systems than amdhsa begins: its registers are counted from 0.
    pub(crate) fn begin_kernel(&mut self) {
        self.predefine(VGPR_COUNT, Some(0), true);
        self.predefine(SGPR_COUNT, Some(0), true);
        let has_agprs = self.mode == Mode::Whole && self.machine().is_some_and(|m| m.facts().has_agprs);
        let agpr_count = self.predefine(AGPR_COUNT, has_agprs.then_some(0), true);
        self.kernel_registers = has_agprs.then(|| KernelRegisters::new(agpr_count));
    }

    /// What directives ask about the processor.
    pub(crate) fn machine(&self) -> Option<ProcessorFacts> {
        self.target.map(ProcessorFacts::of)
    }

    /// What directives must agree with.
    pub(crate) fn configuration(&self) -> Option<Arc<Configuration>> {
        self.configuration.clone()
    }

    /// With the settings that are the same for all chunks.
    pub(crate) fn with_settings(mode: Mode, scope: &Scope) -> Self {
        let settings = &scope.settings;
        let os = settings.configuration.as_ref().map_or(Os::Amdhsa, |c| c.os());
        let mut assembler = Assembler::new(mode, settings.target, os);
        assembler.configuration = settings.configuration.clone();
        for (name, value) in &settings.defines {
            assembler.predefine(name, *value, false);
        }
        assembler.follow_on = settings.follow_on;
        assembler.includes = settings.includes.clone();
        assembler.is_listing = settings.is_listing;
        assembler
    }

    /// Continues where the chunks before the one of this number left off.
    pub(crate) fn resume(mode: Mode, scope: &'s Scope, order: u32) -> Self {
        let mut assembler = Assembler::with_settings(mode, scope);
        assembler.scope = Some((scope, order));
        assembler.chunk = scope.chunk(order);
        if let Some(entry) = scope.entry(order) {
            let Entry { conditions, sections, altmacro, macros_off, open, debug } = entry.clone();
            assembler.conditions = conditions;
            assembler.sections = sections;
            assembler.altmacro = altmacro;
            assembler.macros_off = macros_off;
            assembler.open = open;
            assembler.debug = debug;
        }
        for id in [assembler.next_free_vgpr, assembler.next_free_sgpr] {
            let name = assembler.symbols.name(id).clone();
            assembler.predefine(&name, None, true);
        }
        if mode == Mode::Outline {
            assembler.predefine(COUNT, None, true);
        }
        assembler
    }

    /// What the chunk leaves to others.
    pub(crate) fn part(&mut self) -> Part {
        let mut exit = Entry {
            conditions: std::mem::take(&mut self.conditions),
            sections: std::mem::take(&mut self.sections),
            altmacro: self.altmacro,
            macros_off: self.macros_off,
            open: self.open,
            debug: std::mem::take(&mut self.debug),
        };
        exit.sections.forget_offsets();
        exit.conditions.forget_ranges();
        let mut seen = FxHashSet::default();
        let last = self.defined.iter().rev().filter(|(id, _)| seen.insert(*id));
        let symbols = last.filter_map(|(id, item)| {
            let name = self.symbols.name(*id).clone();
            let Symbol { definition, redefinable, .. } = self.symbols.get(*id).clone();
            // No other chunk has the number in such a name.
            (!name.contains(COUNT)).then_some(Defined { name, item: *item, definition, redefinable })
        });
        let program = &self.program;
        let functions = program.functions.iter().copied().chain(program.descriptors.iter().map(|d| d.kernel));
        let mut macros: Vec<_> = std::mem::take(&mut self.macros).into_iter().collect();
        macros.sort_by(|(a, _), (b, _)| a.cmp(b));
        Part {
            exit,
            symbols: symbols.collect(),
            macros,
            functions: functions.map(|id| self.symbols.name(id).clone()).collect(),
        }
    }

    /// Gives a symbol a value before the first line; `None` is a value that is not known.
    pub(crate) fn predefine(&mut self, name: &str, value: Option<i64>, redefinable: bool) -> SymbolId {
        let id = self.symbols.intern(name);
        let symbol = self.symbols.get_mut(id);
        symbol.definition = Definition::Variable(value.map_or(Expr::Unknown, Expr::Const));
        symbol.redefinable = redefinable;
        symbol.imported = true;
        id
    }

    /// Looks a symbol up in the chunks before, once.
    pub(crate) fn import(&mut self, id: SymbolId) {
        let Some((scope, order)) = self.scope else { return };
        if self.symbols.get(id).imported {
            return;
        }
        let name = self.symbols.name(id);
        let found = scope.symbol(name, order);
        let open = self.open;
        let symbol = self.symbols.get_mut(id);
        symbol.imported = true;
        // An outline reads from top to bottom.
        symbol.defined_later = found.later && self.mode != Mode::Outline;
        if symbol.is_defined() {
            return;
        }
        if let Some((definition, redefinable, place)) = found.before {
            symbol.redefinable = redefinable;
            symbol.definition = definition;
            symbol.place = Some(place);
        } else if open {
            symbol.definition = Definition::Unknown;
        }
    }

    pub(crate) fn symbol(&mut self, name: &str) -> SymbolId {
        let id = self.symbols.intern(name);
        self.import(id);
        id
    }

    pub(crate) fn find_macro(&mut self, name: &str) -> Option<Arc<Macro>> {
        if let Some(found) = self.macros.get(name).or_else(|| self.outer_macros.get(name)) {
            return found.clone();
        }
        let (scope, order) = self.scope?;
        let found = scope.find_macro(name, order).cloned();
        self.outer_macros.insert(SmolStr::new(name), found.clone());
        found
    }

    /// Runs the chunk's own text.
    pub(crate) fn run(&mut self, text: &str, lexed: &Lexed<AmdgpuKind>) {
        self.items = ItemCounter::default();
        self.lines(text, lexed);
    }

    /// The same for all segments of a text. Whether no statement goes on in the next segment: then all is as [`Assembler::run`] finds it.
    pub(super) fn run_segments(
        &mut self,
        text: &str,
        segments: impl Iterator<Item = Lexed<AmdgpuKind>>,
    ) -> bool {
        self.items = ItemCounter::default();
        let mut segments = segments.peekable();
        while let Some(lexed) = segments.next() {
            if self.lines(text, &lexed) && segments.peek().is_some() {
                return false;
            }
        }
        true
    }

    /// Runs through statements. Whether the last one ends with the tokens, without an end of its line.
    pub(super) fn lines(&mut self, text: &str, lexed: &Lexed<AmdgpuKind>) -> bool {
        let mut c = Cursor::new(text, lexed);
        let mut is_open = false;
        while !c.at(EOF) {
            if c.eat(EOL) {
                continue;
            }
            let main = self.expansions.is_empty();
            if main {
                self.statement = c.range();
                if let Some(window) = self.window {
                    if self.statement.start() >= window.end() {
                        return false;
                    }
                    if self.statement.start() < window.start() && outline_text::is_plain(&c) {
                        c.skip_line();
                        continue;
                    }
                }
                if self.mode == Mode::Outline {
                    self.item = self.items.next(&c);
                }
            } else if !self.expand_lines(1) {
                return false;
            }
            let before = c.index();
            if self.statement(&mut c).is_err() {
                c.skip_line();
            }
            if c.index() == before {
                c.bump();
            }
            if self.expansions.last().is_some_and(|e| e.exit) {
                return false;
            }
            is_open = c.at(EOF);
        }
        is_open
    }

    /// One label, or one statement up to the end of its line.
    fn statement(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        let start = c.range();
        let first = c.kind();
        let (name, range) = match first {
            DOT => {
                c.bump();
                (".", start)
            }
            INT if c.nth(1) == COLON => {
                let name = c.word();
                c.bump();
                (name, start)
            }
            _ => match c.name() {
                Some(name) => name,
                None if self.conditions.ignoring() => {
                    self.skip_unread(c);
                    return Ok(());
                }
                None if first == BAD => {
                    self.program.gap();
                    return Err(self.bad_token(c));
                }
                None => {
                    self.program.gap();
                    let message = format!("expected a statement, found `{}`", c.word());
                    return Err(self.error(c, &SYNTAX_ERROR, start, message));
                }
            },
        };
        if name.starts_with('.') && self.conditional(c, name, range)? {
            return Ok(());
        }
        if self.conditions.ignoring() {
            self.skip_unread(c);
            return Ok(());
        }
        if c.at(COLON) && !(c.nth(1) == COLON && c.next_is_adjacent()) {
            c.bump();
            if c.at(HASH) {
                c.skip_line();
            }
            return match first {
                DOT => Err(self.error(c, &SYNTAX_ERROR, range, "`.` is the current address, not a label")),
                INT => {
                    self.define_numbered(name);
                    Ok(())
                }
                _ => self.define_label(c, name, range),
            };
        }
        if c.at(EQUAL) {
            c.bump();
            return self.assignment(c, name, range, true).inspect_err(|_| self.lose(name, range));
        }
        if !self.macros_off
            && let Some(found) = self.find_macro(name)
        {
            return self.call_macro(c, &found, range).inspect_err(|_| self.program.gap());
        }
        match name.starts_with('.') && name != "." {
            true => self.directive(c, name, range),
            false => self.instruction(c, name, range),
        }
    }

    /// Reports unless the statement ends here.
    pub(crate) fn end_of_line(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        match c.kind() {
            EOL | EOF => Ok(()),
            BAD => Err(self.bad_token(c)),
            _ => {
                let message = format!("expected the end of the line, found `{}`", c.word());
                Err(self.error(c, &SYNTAX_ERROR, c.range(), message))
            }
        }
    }

    pub(crate) fn comma(&mut self, c: &mut Cursor<'_>) -> Parsed<()> {
        if c.eat(COMMA) {
            return Ok(());
        }
        Err(self.error(c, &SYNTAX_ERROR, c.range(), c.expected("`,`")))
    }

    /// Skips a line that is not read now. A string that is open at its end takes the lines after it, and what ends the block.
    pub(super) fn skip_unread(&mut self, c: &mut Cursor<'_>) {
        while !c.at_eol() {
            if c.at(BAD) && c.word().starts_with('"') && self.expansions.is_empty() {
                self.bad_token(c);
            }
            c.bump();
        }
    }

    pub(crate) fn bad_token(&mut self, c: &Cursor<'_>) -> Reported {
        self.error(c, &SYNTAX_ERROR, c.range(), lex_error(c.word()))
    }

    /// The range to remember for something that is defined or used here: the call's when in an expansion.
    pub(crate) fn outer_range(&self, range: TextRange) -> TextRange {
        self.expansions.first().map_or(range, |e| e.call)
    }

    /// Where a name is defined that later chunks can see.
    pub(crate) fn place(&self, range: TextRange) -> Place {
        match (self.mode, self.expansions.last().map(|e| e.kind)) {
            (Mode::Outline, _) => Place::Item { chunk: self.chunk, item: self.item },
            (_, Some(ExpansionKind::Include(file))) => Place::Included { file, range },
            _ => Place::Here(self.outer_range(range)),
        }
    }

    /// Runs the finishing phase of a whole file.
    pub(crate) fn finish(&mut self, end: TextSize) {
        if self.conditions.is_open() {
            let range = self.conditions.opened().unwrap_or(TextRange::empty(end));
            let diagnostic = Diagnostic::new(&CONDITION, range, unbalanced_condition::UNCLOSED);
            self.diagnostics.push(diagnostic);
        }
        if self.debug.is_last_frame_open && !self.open {
            self.diagnostics.push(Diagnostic::new(&CFI, TextRange::empty(end), cfi::UNCLOSED));
        }
        self.layout();
        self.check_symbol_versions();
    }
}
