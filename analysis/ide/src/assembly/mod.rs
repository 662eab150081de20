//! Assembly as a whole: bytes, live registers and resources of kernels, of a file or of what a compiler made.
//!
//! Plain data and functions below the database, which keeps them.

mod blocks;
mod generated;
#[cfg(test)]
mod peak_tests;
mod values;

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wavelens_amdgpu::assembler::Assembler;
use wavelens_amdgpu::assembler::kernel_descriptor::Descriptor;
use wavelens_amdgpu::assembler::program::{Instruction, Program};
use wavelens_amdgpu::assembler::symbols::{SymbolId, Symbols};
use wavelens_amdgpu::flow::{Function, Graph, RegSet, functions, label_places, occupancy, total_vgprs};
use wavelens_amdgpu::rules::uninitialized_register;
use wavelens_amdgpu::webs::Webs;
use wavelens_amdgpu::{Lowered, Scope, assembled, assembled_part, lower, scope, summarize};
use wavelens_base::{ChunkId, Options, TextRange, TextSize};
use wavelens_codegen::{Gain, KernelResources, Limit, Live};
use wavelens_isa::{Effects, Target, WaveSize};

pub use self::blocks::BasicBlock;
pub use self::generated::{CodeFunction, CodeLine, Declared, Detail, GeneratedCode};
use self::generated::{declared_waves, occupancy_of};
pub use self::values::{CodeMove, CodeValue};
pub(crate) use generated::{lanes_by_line, read_generated};

/// A document assembled in one go, outside of the database.
#[derive(Debug, Clone)]
pub struct Assembled(pub(crate) Arc<Listing>);

impl PartialEq for Assembled {
    fn eq(&self, other: &Assembled) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// One instruction of the file.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) instruction: Instruction,
    pub(crate) effects: Effects,
    /// Live before it.
    pub(crate) live: Live,
    /// Where a branch goes: bytes from the start of the section.
    pub(crate) goal: Option<u64>,
    /// Index into [`Listing::functions`].
    pub(crate) function: usize,
}

/// A function with its numbers.
#[derive(Debug)]
pub(crate) struct FunctionFacts {
    pub(crate) name: String,
    /// Its label in the file.
    pub(crate) label: Option<TextRange>,
    pub(crate) lines: std::ops::Range<usize>,
    /// What a kernel takes.
    pub(crate) kernel: Option<KernelResources>,
    /// What a kernel declares, else up to the highest register that is named.
    pub(crate) used: Live,
    pub(crate) peak: Live,
    /// Waves for each SIMD, and how much less of what limits them would give more.
    pub(crate) waves: u32,
    pub(crate) gain: Option<(Limit, Gain)>,
    /// Starts of blocks as numbers of lines, names of their labels, and edges.
    pub(crate) blocks: Vec<(usize, String)>,
    pub(crate) edges: Vec<(usize, usize, bool)>,
    /// Which accesses are about the same value.
    pub(crate) webs: Webs,
    /// The registers that are live before each block, by its number.
    pub(crate) live_ins: Vec<RegSet>,
    /// The registers that have a value when a kernel starts.
    pub(crate) initial: Option<RegSet>,
}

/// Assembled code with its addresses and encodings: of a file, or of a part of it.
#[derive(Debug, Default)]
pub struct Listing {
    pub(crate) target: Option<Target>,
    pub(crate) lines: Vec<Line>,
    pub(crate) functions: Vec<FunctionFacts>,
    pub(crate) extent: Extent,
}

/// How much was assembled, and so what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Extent {
    #[default]
    File,
    /// Addresses are not known.
    Function,
    /// Nor is what is live.
    Chunk,
}

/// What a run of the assembler keeps.
#[derive(Debug)]
pub(crate) struct Assembly {
    target: Option<Target>,
    pub(crate) program: Program,
    pub(crate) symbols: Symbols,
}

impl Assembly {
    pub(crate) fn new(lowered: &Lowered, scope: &Scope, chunk: ChunkId, text: &str) -> Assembly {
        let Assembler { program, symbols, .. } = assembled(lowered, scope, chunk, text);
        Assembly { target: scope.settings.target, program, symbols }
    }

    /// What is in a window of chunks in a row, whose text this is.
    pub(crate) fn of_part(text: &str, scope: &Scope, first: ChunkId, window: TextRange) -> Assembly {
        let Assembler { program, symbols, .. } = assembled_part(text, scope, first, window);
        Assembly { target: scope.settings.target, program, symbols }
    }

    pub(crate) fn of_file(text: &str, options: &Options) -> Assembly {
        let lowered = lower(text);
        let scope = scope(&[(ChunkId(0), Arc::new(summarize(&lowered)))], options);
        Assembly::new(&lowered, &scope, ChunkId(0), text)
    }
}

/// Where a branch goes: bytes from the start of the section.
fn goal(program: &Program, places: &FxHashMap<SymbolId, usize>, branch: &Instruction) -> Option<u64> {
    match branch.symbol {
        Some(symbol) => program.instructions.get(*places.get(&symbol)?).map(|i| i.offset),
        None => {
            let dwords = branch.encoded.number("simm16")? as i16;
            let next = branch.offset + branch.encoded.bytes().len() as u64;
            next.checked_add_signed(i64::from(dwords) * 4)
        }
    }
}

/// What a kernel takes, and how many waves of it run.
fn kernel_resources(
    target: Target,
    descriptor: &Descriptor,
    name: &str,
    largest: Option<u32>,
    used: Live,
) -> KernelResources {
    let mut kernel = Declared::of(descriptor, target).resources(name, used);
    let wave = match descriptor.get("wavefront_size32") {
        Some((_, Some(0))) => target.with_wave_size(WaveSize::W64),
        Some((_, Some(1))) => target.with_wave_size(WaveSize::W32),
        _ => None,
    };
    let registers = kernel.registers();
    let target = wave.unwrap_or(target);
    let waves = largest.map_or(0, |largest| declared_waves(target, registers, kernel.lds, largest));
    let occupancy = occupancy_of(target, registers, (kernel.lds, largest), waves);
    kernel.occupancy = occupancy.waves;
    kernel.limit = occupancy.limit;
    kernel.gain = occupancy.gain;
    kernel.allocated = occupancy.allocated;
    kernel
}

impl Listing {
    pub(crate) fn new(assembly: &Assembly) -> Listing {
        let Assembly { target: Some(target), program, symbols, .. } = assembly else {
            return Listing::default();
        };
        let target = *target;
        let places = label_places(program);
        let (ranges, descriptors) = (program.label_ranges(), program.descriptors_by_kernel());
        let names = program.labels_by_place();
        let (mut lines, mut facts) = (Vec::new(), Vec::new());
        for function in functions(program) {
            let graph = Graph::new(target, program, &places, function);
            let live_ins = graph.live_ins();
            let (live, peak) = graph.liveness_with(&live_ins);
            let webs = Webs::new(&graph, &live_ins);
            let Function { symbol, start, end } = graph.function.clone();
            let named = graph.used();
            let descriptor = symbol.and_then(|symbol| descriptors.get(&symbol));
            let name = symbol.map_or_else(|| "code".to_owned(), |s| symbols.name(s).to_string());
            let kernel = descriptor
                .map(|d| kernel_resources(target, d, &name, program.workgroups.get(&*name).copied(), named));
            let used = kernel.as_ref().map_or(named, KernelResources::registers);
            let (waves, gain) = match &kernel {
                Some(kernel) => (kernel.occupancy, kernel.limit.zip(kernel.gain)),
                None => {
                    let (waves, gain) = occupancy(target, total_vgprs(target, used.vgprs, used.agprs));
                    (waves, gain.map(|gain| (Limit::Vgprs, generated::gain_of(gain))))
                }
            };
            let label = symbol.and_then(|symbol| ranges.get(&symbol)).copied();
            let block_name = |at: usize| match names.get(&(start + at)) {
                Some(id) => symbols.name(*id).to_string(),
                None => format!("+{at}"),
            };
            let blocks =
                graph.starts.iter().take(graph.cfg.len()).map(|s| (start + s, block_name(*s))).collect();
            let mut edges = Vec::new();
            for block in 0..graph.cfg.len() {
                let next = graph.cfg.successors(block as u32);
                for (index, to) in next.iter().enumerate() {
                    edges.push((block, *to as usize, index > 0 || next.len() == 1));
                }
            }
            facts.push(FunctionFacts {
                name,
                label,
                lines: start..end,
                kernel,
                used,
                peak,
                waves,
                gain,
                blocks,
                edges,
                webs,
                live_ins,
                initial: descriptor
                    .and_then(|descriptor| uninitialized_register::initial(target, descriptor)),
            });
            let function = facts.len() - 1;
            let all = graph.instructions.iter().zip(graph.effects.iter()).zip(live);
            lines.extend(all.map(|((i, effects), live)| Line {
                instruction: i.clone(),
                goal: effects.branch.then(|| goal(program, &places, i)).flatten(),
                effects: effects.to_owned(),
                live,
                function,
            }));
        }
        Listing { target: Some(target), lines, functions: facts, extent: Extent::File }
    }

    /// Moves the ranges of a part that starts at an offset of the file.
    pub(crate) fn shift(&mut self, start: TextSize) {
        self.lines.iter_mut().for_each(|l| l.instruction.range += start);
        self.functions.iter_mut().filter_map(|f| f.label.as_mut()).for_each(|label| *label += start);
    }

    /// The lines whose statements touch a range of the file.
    pub(crate) fn lines_in(&self, range: TextRange) -> &[Line] {
        let start = self.lines.partition_point(|l| l.instruction.range.end() < range.start());
        let end = self.lines.partition_point(|l| l.instruction.range.start() < range.end());
        self.lines.get(start..end.max(start)).unwrap_or(&[])
    }

    /// Number of the instruction at an offset of the file; the first one of a macro call.
    pub(crate) fn at(&self, offset: TextSize) -> Option<usize> {
        let index = self.lines.partition_point(|l| l.instruction.range.end() < offset);
        self.lines.get(index).filter(|l| l.instruction.range.contains_inclusive(offset)).map(|_| index)
    }

    /// The function of the instruction at or after an offset of the file, else the last one.
    pub(crate) fn function_at(&self, offset: TextSize) -> Option<&FunctionFacts> {
        let index = self.lines.partition_point(|l| l.instruction.range.end() < offset);
        let line = self.lines.get(index).or_else(|| self.lines.last())?;
        self.functions.get(line.function)
    }

    /// The lines of the statement at an offset of the file.
    pub(crate) fn statement_at(&self, offset: TextSize) -> &[Line] {
        let start = self.lines.partition_point(|l| l.instruction.range.end() <= offset);
        let rest = self.lines.get(start..).unwrap_or(&[]);
        let Some(range) = rest.first().map(|l| l.instruction.range).filter(|r| r.contains(offset)) else {
            return &[];
        };
        let count = rest.iter().take_while(|l| l.instruction.range == range).count();
        rest.get(..count).unwrap_or(&[])
    }
}
