//! Reading the assembly that a compiler made: encodings and live registers of every line, and where most are live.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use wavelens_amdgpu::assembler::kernel_descriptor::Descriptor;
use wavelens_amdgpu::flow::{Graph, functions, label_places, occupancy, total_vgprs};
use wavelens_amdgpu::{Scope, assembled, lower, scope, summarize};
use wavelens_base::{ChunkId, Diagnostic, Options, TextRange};
use wavelens_codegen::{Allocated, Gain, KernelResources, Limit, Live};
use wavelens_isa::processor::ProcessorFacts;
use wavelens_isa::{Target, WaveSize};

use super::blocks::{BasicBlock, blocks};
use super::values::{CodeMove, CodeValue, Paths};

/// What was read.
#[derive(Debug, Default)]
pub struct GeneratedCode {
    /// In the order of the text; several of one line where a macro made them.
    pub lines: Vec<CodeLine>,
    /// Functions and kernels, in the order of the text.
    pub functions: Vec<CodeFunction>,
    /// What the assembler reports.
    pub diagnostics: Vec<Diagnostic>,
    target: Option<Target>,
    /// Lanes of the largest workgroup of each kernel, by name.
    workgroups: FxHashMap<String, u32>,
}

/// How much is worked out of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What editors show while one types.
    Costs,
    /// With the spills, reloads and copies.
    Moves,
}

/// One instruction.
#[derive(Debug)]
pub struct CodeLine {
    /// Counted from 0.
    pub line: u32,
    /// In memory order; bytes that a relocation fills are 0.
    pub bytes: Vec<u8>,
    /// Number of the instruction in the table.
    pub opcode: u16,
    /// Registers that are live before it.
    pub live: Live,
}

/// One function or kernel.
#[derive(Debug)]
pub struct CodeFunction {
    /// Empty for code before the first function.
    pub name: String,
    /// Its lines, as indexes into [`GeneratedCode::lines`].
    pub lines: std::ops::Range<usize>,
    /// Highest register named, plus one, of each file.
    pub used: Live,
    /// What its kernel descriptor says, for kernels.
    pub declared: Option<Declared>,
    /// Index of the line where most vector registers are live.
    pub peak: usize,
    /// The most registers of each file that are live at once, wherever that is.
    pub most: Live,
    /// What is live at the peak; numbers of instructions are indexes of lines.
    pub values: Vec<CodeValue>,
    /// Spills, reloads and copies, if they are asked for.
    pub moves: Vec<CodeMove>,
    /// In the order of the text.
    pub blocks: Vec<BasicBlock>,
    /// What it was read for, with its size of waves.
    target: Target,
}

/// Figures of a kernel descriptor; `None` where it does not say, or not with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Declared {
    /// One more than the highest vector register.
    pub(crate) next_free_vgpr: Option<u32>,
    /// With those that the hardware keeps for VCC and others.
    pub sgprs: Option<u32>,
    /// Where AGPRs begin among the VGPRs.
    pub(crate) accum_offset: Option<u32>,
    /// Bytes per workgroup.
    pub lds: Option<u32>,
    /// Bytes per lane.
    pub scratch: Option<u32>,
}

impl Declared {
    pub(super) fn of(descriptor: &Descriptor, target: Target) -> Declared {
        let machine = ProcessorFacts::of(target);
        let reserves = |name| descriptor.get(name).is_none_or(|(_, v)| v.unwrap_or(1) != 0);
        let extra =
            machine.extra_sgprs(reserves("reserve_vcc"), reserves("reserve_flat_scratch"), machine.xnack);
        let value = |name: &str| descriptor.get(name).and_then(|(_, v)| u32::try_from(v?).ok());
        Declared {
            next_free_vgpr: value("next_free_vgpr"),
            sgprs: value("next_free_sgpr").map(|n| n.saturating_add(extra)),
            accum_offset: value("accum_offset"),
            lds: value("group_segment_fixed_size"),
            scratch: value("private_segment_fixed_size"),
        }
    }

    /// What a kernel takes: what is declared, else the registers that are named.
    pub(crate) fn resources(self, name: &str, used: Live) -> KernelResources {
        let all = self.next_free_vgpr.unwrap_or(used.vgprs);
        // With a common file the AGPRs stand behind the VGPRs.
        let vgprs = self.accum_offset.filter(|_| used.agprs > 0).unwrap_or(all).min(all);
        KernelResources {
            name: name.to_owned(),
            vgprs,
            agprs: (all - vgprs).max(used.agprs),
            sgprs: self.sgprs.unwrap_or(used.sgprs),
            scratch: self.scratch.unwrap_or(0),
            lds: self.lds.unwrap_or(0),
            ..KernelResources::default()
        }
    }
}

/// Reads assembly for a processor; names of processors in the text go first. Lanes of a wave are 32 or 64, where known.
pub(crate) fn read_generated(
    text: &str,
    target: &str,
    lanes: Option<u32>,
    options: &Options,
    detail: Detail,
) -> GeneratedCode {
    let lowered = lower(text);
    let mut options = Options { target: Some(target.to_owned()), ..options.clone() };
    if text.contains(".amdgcn_target") {
        options = options.with_fixed_processor();
    }
    let mut scope: Scope = scope(&[(ChunkId(0), Arc::new(summarize(&lowered)))], &options);
    let wave = match lanes.or_else(|| declared_lanes(text).next()) {
        Some(64) => Some(WaveSize::W64),
        Some(32) => Some(WaveSize::W32),
        _ => None,
    };
    if let (Some(target), Some(wave)) = (scope.settings.target, wave) {
        Arc::make_mut(&mut scope.settings).target = target.with_wave_size(wave).or(scope.settings.target);
    }
    let Some(target) = scope.settings.target else { return GeneratedCode::default() };
    let mut assembler = assembled(&lowered, &scope, ChunkId(0), text);
    let program = &assembler.program;
    let places = label_places(program);
    let mut code = GeneratedCode { target: Some(target), ..GeneratedCode::default() };
    let (mut number, mut counted) = (0, 0);
    let mut line_of = |offset: usize| {
        number += text.get(counted..offset).unwrap_or("").bytes().filter(|b| *b == b'\n').count() as u32;
        counted = counted.max(offset);
        number
    };
    let descriptors = program.descriptors_by_kernel();
    let labels = program.labels_by_place();
    for function in functions(program) {
        let graph = Graph::new(target, program, &places, function);
        let ins = graph.live_ins();
        let (live, most) = graph.liveness_with(&ins);
        let start = code.lines.len();
        code.lines.extend(graph.instructions.iter().zip(&live).map(|(i, live)| CodeLine {
            line: line_of(i.range.start().into()),
            bytes: i.encoded.bytes().to_vec(),
            opcode: i.encoded.row().number(),
            live: *live,
        }));
        // The first of the greatest.
        let peak = (0..live.len()).rev().max_by_key(|i| live[*i].vgprs + live[*i].agprs).unwrap_or(0);
        let mut paths = Paths::new(&graph);
        let mut values = paths.live_values(&graph.live_before(peak, &ins), peak);
        values.iter_mut().for_each(|v| v.shift(start));
        let mut moves = match detail {
            Detail::Costs => Vec::new(),
            Detail::Moves => Paths::new(&graph).moves(|at| comment(text, graph.instructions[at].range)),
        };
        moves.iter_mut().for_each(|m| m.shift(start));
        let label = |at: usize| {
            let place = graph.function.start + at;
            labels.get(&place).map(|id| assembler.symbols.name(*id).to_string())
        };
        let mut blocks = blocks(&graph, label);
        blocks.iter_mut().for_each(|b| b.lines = b.lines.start + start..b.lines.end + start);
        let descriptor = graph.function.symbol.and_then(|symbol| descriptors.get(&symbol));
        let name = graph.function.symbol.map_or_else(String::new, |s| assembler.symbols.name(s).to_string());
        code.functions.push(CodeFunction {
            target,
            declared: descriptor.map(|d| Declared::of(d, target)),
            name,
            lines: start..code.lines.len(),
            used: graph.used(),
            peak: start + peak,
            most,
            values,
            moves,
            blocks,
        });
    }
    code.diagnostics = std::mem::take(&mut assembler.diagnostics);
    code.workgroups = std::mem::take(&mut assembler.program.workgroups);
    code
}

/// The rest of the line after an instruction.
fn comment(text: &str, range: TextRange) -> &str {
    let rest = text.get(usize::from(range.end())..).unwrap_or("");
    rest.split('\n').next().unwrap_or("")
}

/// The lanes that kernel descriptors name.
fn declared_lanes(text: &str) -> impl Iterator<Item = u32> + '_ {
    let values = text.split(".amdhsa_wavefront_size32").skip(1);
    values.map(|rest| if rest.trim_start().starts_with('0') { 64 } else { 32 })
}

/// For assembly whose kernels have waves of both sizes: from which line on there are waves of so many lanes. A function that is no
/// kernel goes with the size that its code can be read for.
pub(crate) fn lanes_by_line(text: &str, target: &str, options: &Options) -> Vec<(u32, u32)> {
    let sizes: Vec<u32> = declared_lanes(text).collect();
    if sizes.windows(2).all(|pair| pair[0] == pair[1]) {
        return Vec::new();
    }
    let mut found: Vec<(u32, u32)> = Vec::new();
    let (mut line, mut part) = (0, String::new());
    let mut close = |start: u32, part: &str| {
        let unread = |lanes: &u32| {
            read_generated(part, target, Some(*lanes), options, Detail::Costs).diagnostics.len()
        };
        let lanes = declared_lanes(part).next().or_else(|| [32, 64].into_iter().min_by_key(unread));
        if let Some(lanes) = lanes.filter(|l| found.last().is_none_or(|(_, last)| last != l)) {
            found.push((start, lanes));
        }
    };
    for (number, text) in (0..).zip(text.split_inclusive('\n')) {
        if text.contains(",@function") && part.contains(",@function") {
            close(line, &part);
            (line, part) = (number, String::new());
        }
        part.push_str(text);
    }
    close(line, &part);
    found
}

impl CodeFunction {
    /// Lanes of a wave.
    pub fn lanes(&self) -> u32 {
        self.target.wave_size().lanes()
    }
}

impl GeneratedCode {
    /// The processor that it was read for; `None` when there was none to read it for.
    pub fn target(&self) -> Option<&'static str> {
        self.target.map(Target::name)
    }

    /// Adds what was read of a later part of the text, which begins at a line; its diagnostics have been taken.
    pub fn append(&mut self, part: GeneratedCode, line: u32) {
        let index = self.lines.len();
        self.lines.extend(part.lines.into_iter().map(|l| CodeLine { line: l.line + line, ..l }));
        self.functions.extend(part.functions.into_iter().map(|mut f| {
            f.values.iter_mut().for_each(|v| v.shift(index));
            f.moves.iter_mut().for_each(|m| m.shift(index));
            f.blocks.iter_mut().for_each(|b| b.lines = b.lines.start + index..b.lines.end + index);
            CodeFunction { lines: f.lines.start + index..f.lines.end + index, peak: f.peak + index, ..f }
        }));
        self.target = self.target.or(part.target);
        self.workgroups.extend(part.workgroups);
    }

    /// Why a kernel has the waves it has, and how much less of what limits it gives more. `waves`: 0 is not known.
    pub fn limit(&self, kernel: Option<&CodeFunction>, registers: Live, lds: u32, waves: u32) -> Occupancy {
        let Some(target) = kernel.map(|k| k.target).or(self.target) else { return Occupancy::default() };
        let largest = kernel.and_then(|k| self.workgroups.get(&k.name));
        let waves = match largest.filter(|_| waves == 0) {
            Some(&largest) => declared_waves(target, registers, lds, largest),
            None => waves,
        };
        occupancy_of(target, registers, (lds, largest.copied()), waves)
    }
}

/// Waves on a SIMD and what keeps them there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Occupancy {
    pub waves: u32,
    pub limit: Option<Limit>,
    pub gain: Option<Gain>,
    pub allocated: Option<Allocated>,
}

/// Waves of a kernel with workgroups of at most so many lanes.
pub(super) fn declared_waves(target: Target, registers: Live, lds: u32, largest: u32) -> u32 {
    occupancy_of(target, registers, (lds, None), 0).waves.min(target.waves_of_workgroups(lds, 1, largest))
}

pub(super) fn occupancy_of(
    target: Target,
    Live { vgprs, agprs, sgprs }: Live,
    (lds, largest): (u32, Option<u32>),
    waves: u32,
) -> Occupancy {
    let limits = target.limits();
    let used = total_vgprs(target, vgprs, agprs);
    let (by_vgprs, gain) = occupancy(target, used);
    let granule = limits.vgpr_granule.max(1);
    let allocated = used.max(1).checked_next_multiple_of(granule).map(|vgprs| Allocated { vgprs, granule });
    let by_sgprs = target.waves_of_sgprs(sgprs);
    let registers = by_vgprs.min(by_sgprs);
    // Drivers count waves of both halves of a processor that runs in pairs.
    let waves = if waves == 0 { registers } else { waves.min(limits.max_waves_per_eu) };
    let limit = if waves >= limits.max_waves_per_eu {
        Limit::Hardware
    } else if waves < registers {
        if lds > 0 { Limit::Lds } else { Limit::Workgroup }
    } else if by_vgprs <= by_sgprs {
        Limit::Vgprs
    } else {
        Limit::Sgprs
    };
    // What the other resources allow ends the gain.
    let by_lds =
        |lds: u32| largest.map_or(limits.max_waves_per_eu, |most| target.waves_of_workgroups(lds, 1, most));
    let gain = match limit {
        Limit::Vgprs => gain.map(|gain| (gain.fewer, (by_vgprs + gain.more).min(by_sgprs).min(by_lds(lds)))),
        Limit::Sgprs => {
            let most = most_below(sgprs, |fewer| target.waves_of_sgprs(fewer) > waves);
            most.map(|most| (sgprs - most, target.waves_of_sgprs(most).min(by_vgprs).min(by_lds(lds))))
        }
        Limit::Lds => {
            let most = most_below(lds, |less| by_lds(less) > waves).filter(|_| largest.is_some());
            most.map(|most| (lds - most, by_lds(most).min(registers)))
        }
        Limit::Workgroup | Limit::Hardware => None,
    };
    let gain = gain.and_then(|(fewer, then)| Some(Gain { fewer, more: then.checked_sub(waves)? }));
    let gain = gain.filter(|gain| gain.more > 0);
    Occupancy { waves, limit: Some(limit), gain, allocated }
}

/// The largest number below what is used that does; smaller ones do as well. A text may name any number of registers.
fn most_below(used: u32, does: impl Fn(u32) -> bool) -> Option<u32> {
    let (mut enough, mut too_many) = (0, used);
    while enough + 1 < too_many {
        let middle = enough.midpoint(too_many);
        *(if does(middle) { &mut enough } else { &mut too_many }) = middle;
    }
    (enough < used && does(enough)).then_some(enough)
}

/// As reports show it.
pub(super) fn gain_of(gain: wavelens_amdgpu::flow::Gain) -> Gain {
    Gain { fewer: gain.fewer, more: gain.more }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_bytes_and_live_registers() {
        let text = "\t.text\n\t.type k,@function\nk:\n\tv_mov_b32_e32 v1, 0\n\tv_mov_b32_e32 v2, v1\n\
                    \tv_add_f32_e32 v3, v1, v2\n\tglobal_store_dword v0, v3, s[0:1]\n\ts_endpgm\n";
        let code = read_generated(text, "gfx1030", None, &Options::default(), Detail::Moves);
        assert!(code.diagnostics.is_empty(), "{:?}", code.diagnostics);
        let lines: Vec<_> = code.lines.iter().map(|l| (l.line, l.bytes.len(), l.live.vgprs)).collect();
        assert_eq!(lines, [(3, 4, 1), (4, 4, 2), (5, 4, 3), (6, 8, 2), (7, 4, 0)]);
        let function = &code.functions[0];
        assert_eq!((function.name.as_str(), function.peak), ("k", 2));
        // At the peak `s[0:1]` is live too.
        assert_eq!(function.most, Live { vgprs: 3, agprs: 0, sgprs: 2 });
        let values: Vec<_> = function
            .values
            .iter()
            .map(|v| (v.registers.as_str(), v.writers.as_slice(), v.last_use))
            .collect();
        assert_eq!(values, [("v0", &[][..], Some(3)), ("v1", &[0], Some(2)), ("v2", &[1], Some(2))]);
    }

    #[test]
    fn a_value_comes_from_each_branch_that_writes_it() {
        let text = "\t.text\n\t.type k,@function\nk:\n\ts_cbranch_scc1 .LBB0_2\n\tv_mov_b32_e32 v1, 0\n\ts_branch .LBB0_3\n\
                    .LBB0_2:\n\tv_mov_b32_e32 v1, 1\n.LBB0_3:\n\tv_add_f32_e32 v2, v0, v1\n\
                    \tglobal_store_dword v0, v2, s[0:1]\n\tglobal_store_dword v0, v1, s[0:1]\n\ts_endpgm\n";
        let code = read_generated(text, "gfx1030", None, &Options::default(), Detail::Moves);
        let function = &code.functions[0];
        let values: Vec<_> = function
            .values
            .iter()
            .map(|v| (v.registers.as_str(), v.writers.as_slice(), v.last_use))
            .collect();
        assert_eq!(values, [("v0", &[][..], Some(6)), ("v1", &[1, 3], Some(6)), ("v2", &[4], Some(5))]);
    }

    #[test]
    fn spills_and_copies_lead_to_their_values() {
        let text = "\t.text\n\t.type k,@function\nk:\n\tv_add_f32_e32 v1, v0, v0\n\
                    \tbuffer_store_dword v1, off, s[0:3], s32 ; 4-byte Folded Spill\n\
                    \tbuffer_load_dword v3, off, s[0:3], s32 ; 4-byte Folded Reload\n\tv_mov_b32_e32 v4, v3\n\
                    \tglobal_store_dword v0, v4, s[0:1]\n\ts_endpgm\n";
        let code = read_generated(text, "gfx1030", None, &Options::default(), Detail::Moves);
        let moves: Vec<_> = code.functions[0]
            .moves
            .iter()
            .map(|m| format!("{:?} {} {} {:?}", m.kind, m.at, m.registers, m.origin))
            .collect();
        assert_eq!(moves, ["Spill 1 v1 Some(0)", "Reload 2 v3 Some(3)", "Copy 3 v3 Some(2)"]);
    }

    /// The rows are `; Occupancy:` of llc 22 for kernels that name these registers.
    #[test]
    fn waves_are_those_that_llvm_computes() {
        let row = |target: &str, vgprs, agprs, sgprs, lds, largest| {
            let target = Target::named(target).expect("a processor");
            declared_waves(target, Live { vgprs, agprs, sgprs }, lds, largest)
        };
        // SGPRs end at steps that are not multiples of what is allocated.
        assert_eq!(row("gfx906", 28, 0, 86, 512, 256), 9);
        assert_eq!(row("gfx906", 28, 0, 100, 512, 256), 8);
        assert_eq!(row("gfx600", 1, 0, 57, 0, 1024), 8);
        // AGPRs have a file of their own on gfx908, and share it from gfx90a on: the file has room for two waves of 128 and 100.
        assert_eq!(row("gfx908", 32, 128, 10, 0, 1024), 2);
        assert_eq!(row("gfx90a", 128, 100, 10, 0, 1024), 2);
        assert_eq!(row("gfx90a", 128, 0, 10, 0, 1024), 4);
        // LDS is shared by two units unless they run apart.
        assert_eq!(row("gfx1100", 32, 0, 80, 65536, 64), 1);
        assert_eq!(row("gfx1030", 24, 0, 57, 40000, 64), 2);
        assert_eq!(row("gfx1201", 72, 0, 49, 32768, 128), 4);
        assert_eq!(row("gfx90a", 32, 0, 10, 65536, 256), 1);
        assert_eq!(row("gfx1250", 64, 0, 84, 40000, 64), 4);
        assert_eq!(row("gfx1250", 128, 0, 65, 40000, 128), 8);
    }

    #[test]
    fn the_scarce_resource_is_named() {
        let target = Target::named("gfx1030").expect("a processor");
        let found = |vgprs, lds, waves| {
            let o = occupancy_of(target, Live { vgprs, agprs: 0, sgprs: 10 }, lds, waves);
            (o.waves, o.limit, o.gain.map(|gain| (gain.fewer, gain.more)))
        };
        assert_eq!(found(64, (0, None), 16), (16, Some(Limit::Hardware), None));
        assert_eq!(found(80, (0, None), 12), (12, Some(Limit::Vgprs), Some((16, 4))));
        assert_eq!(found(80, (0, None), 0), (12, Some(Limit::Vgprs), Some((16, 4))));
        assert_eq!(found(32, (65536, None), 4), (4, Some(Limit::Lds), None));
        assert_eq!(found(32, (0, None), 8), (8, Some(Limit::Workgroup), None));
        // A workgroup of two waves takes half of the LDS that two units share: 21846 bytes less and three fit.
        assert_eq!(found(32, (65536, Some(64)), 1), (1, Some(Limit::Lds), Some((21846, 1))));
        // LDS ends what fewer registers give.
        assert_eq!(found(80, (0, Some(64)), 12), (12, Some(Limit::Vgprs), Some((16, 4))));
    }
}
