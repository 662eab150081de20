//! Meaning of AMDGPU assembly.
//!
//! A line means what the macros, conditions and symbols before it make of it, so there is one engine
//! ([`assembler::Assembler`]) that reads statements in order, and everything else is a view on what it found.

#![warn(missing_docs)]

pub mod assembler;
mod context;
#[cfg(test)]
mod directive_tests;
pub(crate) mod effects_table;
pub mod flow;
#[cfg(test)]
mod flow_tests;
#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod message_tests;
#[cfg(test)]
mod newer_tests;
pub mod object;
pub mod reduce;
pub mod rules;
pub mod scope;
#[cfg(test)]
mod section_tests;
pub mod statement;
pub mod streaming;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod value_tests;
pub(crate) mod vgpr_msb;
pub mod wait_counters;
pub mod webs;

use std::sync::Arc;

use rustc_hash::FxHashMap;

use wavelens_isa::{MachineOperand, Target};
use wavelens_syntax::amdgpu::{AmdgpuKind, lex};
use wavelens_syntax::machine::Lexed;

use self::assembler::metadata::KernelMetadata;
use self::assembler::program::Program;
use self::assembler::symbols::Symbols;
use self::assembler::{Assembler, Mode};
use self::context::RuleContext;
pub use self::object::{CodeObject, code_objects, described, disassemble, images, is_object};
pub use self::rules::RULES;
pub use self::scope::{Scope, scope};
use crate::assembler::outline_text::Items;
use wavelens_base::configuration::Stated;
use wavelens_base::{ChunkId, Diagnostic, Dialect, ModuleDiagnostic, Options, Severity, TextRange, TextSize};

/// A lowered chunk: its tokens, and the statements that other chunks depend on.
#[derive(Debug)]
pub struct Lowered {
    /// The chunk's tokens.
    pub lexed: Lexed<AmdgpuKind>,
    outline: Arc<str>,
    /// Where the statements of the outline are.
    items: Items,
    stated: Stated,
}

impl Lowered {
    /// How many of the statements that others see, but for calls, start before an offset, or at it.
    pub fn statements_up_to(&self, at: TextSize) -> u32 {
        self.items.statements_up_to(at)
    }

    /// Whether the chunk itself defines a macro of the name.
    pub fn defines_macro(&self, name: &str) -> bool {
        self.outline.lines().any(|l| {
            let head = l.strip_prefix(".macro ").unwrap_or("");
            head.strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'))
                && !head.is_empty()
        })
    }
}

/// Of the chunks from `first` on, assembles what is in a window of their text and reads before it what others depend on.
pub fn assembled_part<'s>(text: &str, scope: &'s Scope, first: ChunkId, window: TextRange) -> Assembler<'s> {
    let mut assembler = Assembler::resume(Mode::Chunk, scope, scope.order(first));
    assembler.window = Some(window);
    let lexed = lex(text);
    assembler.run(text, &lexed);
    assembler.program.labels.retain(|(_, _, label)| window.contains_range(*label));
    assembler
}

/// What other chunks can see: every statement that is neither a plain instruction nor data.
#[derive(Debug, PartialEq)]
pub struct Summary {
    outline: Arc<str>,
    stated: Stated,
}

/// Lexes a chunk and finds its statements.
pub fn lower(text: &str) -> Lowered {
    let mut lexed = lex(text);
    lexed.shrink_to_fit();
    let outline = assembler::outline_text::outline(text, &lexed);
    let stated = Stated { target_id: outline.target, ..Stated::in_comments(Dialect::Amdgpu, text) };
    Lowered { lexed, outline: Arc::from(outline.text), items: outline.items, stated }
}

/// What other chunks can see.
pub fn summarize(lowered: &Lowered) -> Summary {
    Summary { outline: lowered.outline.clone(), stated: lowered.stated.clone() }
}

/// All findings about one chunk.
pub fn check(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Vec<Diagnostic> {
    assembled(lowered, scope, chunk, text).diagnostics
}

/// Runs the assembler over a chunk.
pub fn assembled<'s>(lowered: &Lowered, scope: &'s Scope, chunk: ChunkId, text: &str) -> Assembler<'s> {
    if !scope.whole {
        let mut assembler = Assembler::resume(Mode::Chunk, scope, scope.order(chunk));
        assembler.run(text, &lowered.lexed);
        return assembler;
    }
    let mut assembler = Assembler::with_settings(Mode::Whole, scope);
    assembler.run(text, &lowered.lexed);
    finish(&mut assembler, scope, text);
    assembler
}

/// Lays a whole file out, and looks at its control flow.
fn finish(assembler: &mut Assembler<'_>, scope: &Scope, text: &str) {
    assembler.finish(TextSize::of(text));
    if let Some(target) = scope.settings.target {
        let Assembler { program, symbols, diagnostics, .. } = assembler;
        check_flow(target, scope, text, (program, symbols), diagnostics);
    }
    // Where a file has several parts, what one names may be in another.
    if scope.whole {
        check_metadata(assembler);
    }
}

/// The rules that follow the control flow.
fn check_flow(
    target: Target,
    scope: &Scope,
    text: &str,
    (program, symbols): (&Program, &Symbols),
    out: &mut Vec<Diagnostic>,
) {
    let labels = flow::label_places(program);
    let (ranges, descriptors) = (program.label_ranges(), program.descriptors_by_kernel());
    let metadata = program.metadata.iter().filter_map(|m| Some((symbols.find(m.symbol_of_kernel())?, m)));
    let metadata: FxHashMap<_, _> = metadata.collect();
    let steps = flow::Steps::new();
    for function in flow::functions(program) {
        let label = function.symbol.and_then(|symbol| ranges.get(&symbol)).copied();
        let first = program.instructions.get(function.start).map(|i| i.range);
        // Effects and blocks are several passes over the code.
        if !steps.spend(16 * (function.end - function.start) as u64) {
            out.extend(label.or(first).map(rules::limit::too_many_steps));
            break;
        }
        let graph = flow::Graph::new(target, program, &labels, function);
        let descriptor = graph.function.symbol.and_then(|symbol| descriptors.get(&symbol)).copied();
        let mut cx = RuleContext {
            graph: &graph,
            steps: &steps,
            descriptor: descriptor.filter(|d| d.complete),
            metadata: graph.function.symbol.and_then(|symbol| metadata.get(&symbol)).copied(),
            label,
            text,
            xnack: xnack(scope),
            pedantic: scope.settings.pedantic,
            diagnostics: Vec::new(),
        };
        rules::check_function(&mut cx);
        out.append(&mut cx.diagnostics);
        if steps.are_exhausted() {
            out.extend(label.or(first).map(rules::limit::too_many_steps));
            break;
        }
    }
}

/// Compares metadata with descriptors.
fn check_metadata(assembler: &mut Assembler<'_>) {
    let Assembler { program, symbols, diagnostics, target, .. } = assembler;
    let is_defined = |name: &str| symbols.find(name).is_some_and(|id| symbols.get(id).is_defined());
    let descriptors = program.descriptors_by_kernel();
    let kernel_of = |metadata: &KernelMetadata| {
        let names = [metadata.symbol_of_kernel(), &metadata.name];
        let mut ids = names.into_iter().filter_map(|name| symbols.find(name));
        ids.find(|id| descriptors.contains_key(id))
    };
    let is_whole = program.descriptors.iter().all(|d| symbols.get(d.kernel).is_defined());
    for metadata in &program.metadata {
        let descriptor = kernel_of(metadata).and_then(|id| descriptors.get(&id)).copied();
        rules::metadata_mismatch::check(metadata, descriptor, *target, is_defined, is_whole, diagnostics);
    }
    let listed: Vec<_> = program.metadata.iter().filter_map(kernel_of).collect();
    let labels = program.label_ranges();
    for descriptor in
        program.descriptors.iter().filter(|d| is_whole && !listed.is_empty() && !listed.contains(&d.kernel))
    {
        if let Some(label) = labels.get(&descriptor.kernel) {
            diagnostics.push(rules::metadata_mismatch::not_listed(*label, symbols.name(descriptor.kernel)));
        }
    }
}

/// Whether the file asks for replay of memory accesses.
fn xnack(scope: &Scope) -> bool {
    let configuration = scope.settings.configuration.as_ref();
    configuration.and_then(|c| c.feature("xnack")).unwrap_or(scope.settings.replays)
}

/// Findings about names in several chunks: none.
pub fn check_module(_scope: &Scope) -> Vec<ModuleDiagnostic> {
    Vec::new()
}

/// Where the `item`-th entity of a chunk is named.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    lowered.items.range(item).unwrap_or_default()
}

/// One assembled instruction, or the words of one directive in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedLine {
    /// The statement in the file; the call for what a macro or a repetition made.
    pub range: TextRange,
    /// Bytes from the start of its section.
    pub offset: u64,
    /// In memory order; bytes that a relocation fills are 0.
    pub bytes: Vec<u8>,
    /// As a disassembler prints it.
    pub text: String,
}

/// `.long 0x1, 0x2`
fn data_line(data: &assembler::program::Data) -> EncodedLine {
    let words = data.bytes.chunks(4).map(|word| {
        let word = word.iter().rev().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte));
        format!("{word:#x}")
    });
    let text = format!(".long {}", words.collect::<Vec<_>>().join(", "));
    EncodedLine { range: data.range, offset: data.offset, bytes: data.bytes.clone(), text }
}

/// Assembles a whole file, with the words of data in its code. The instructions in error are not among the lines.
pub fn encode(text: &str, options: &Options) -> (Vec<EncodedLine>, Vec<Diagnostic>) {
    let lowered = lower(text);
    let scope = scope(&[(ChunkId(0), Arc::new(summarize(&lowered)))], options);
    let assembler = assembled(&lowered, &scope, ChunkId(0), text);
    let print = |i: &assembler::program::Instruction| {
        // What a symbol stands for is in the bytes alone.
        let written = i.encoded.inst();
        let names_symbol = written.operands().iter().any(|o| matches!(o, MachineOperand::Symbol(_)));
        let decoded = |t| names_symbol.then(|| wavelens_isa::decode(t, &i.encoded.bytes())).flatten();
        let inst = |t| decoded(t).map_or_else(|| written, |d| d.inst);
        scope
            .settings
            .target
            .map(|t| wavelens_isa::print(t, &inst(t)))
            .filter(|t| !t.is_empty())
            .unwrap_or_else(|| text.get(std::ops::Range::<usize>::from(i.range)).unwrap_or("").to_owned())
    };
    let program = &assembler.program;
    let instruction = |i: &assembler::program::Instruction| EncodedLine {
        range: i.range,
        offset: i.offset,
        bytes: i.encoded.bytes().to_vec(),
        text: print(i),
    };
    let mut lines = Vec::new();
    let mut data = program.data.iter().peekable();
    for (index, i) in program.instructions.iter().enumerate() {
        lines.extend(std::iter::from_fn(|| data.next_if(|d| d.before <= index)).map(data_line));
        lines.push(instruction(i));
    }
    lines.extend(data.map(data_line));
    let diagnostics = diagnostics(&assembler);
    (lines, diagnostics)
}

/// What [`encode`] reports about a whole file; nothing is printed or decoded for it.
pub fn mistakes(text: &str, options: &Options) -> Vec<Diagnostic> {
    let lowered = lower(text);
    let scope = scope(&[(ChunkId(0), Arc::new(summarize(&lowered)))], options);
    diagnostics(&assembled(&lowered, &scope, ChunkId(0), text))
}

fn diagnostics(assembler: &Assembler<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = assembler.diagnostics.clone();
    diagnostics.extend(assembler.unread.iter().cloned());
    // Without the rest, distances are wrong.
    diagnostics
        .iter_mut()
        .filter(|d| d.rule == &rules::limit::LIMIT)
        .for_each(|d| d.severity = Severity::Error);
    diagnostics
}
