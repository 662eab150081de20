//! Functions, basic blocks and live registers of what was assembled.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::{Access, Live, Reg, RegFile, Target, effects};

use super::vgpr_msb;
use crate::assembler::program::{Instruction, Program};
use crate::assembler::symbols::SymbolId;
pub use crate::effects_table::{EffectsOf, EffectsTable};
use wavelens_base::budget::Budget;
use wavelens_base::cfg::Cfg;
use wavelens_base::{Diagnostic, Place, TextRange};

/// A function or kernel: instructions `start..end` of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name; `None` for code before the first function.
    pub symbol: Option<SymbolId>,
    /// First instruction of the program.
    pub start: usize,
    /// One past the last instruction.
    pub end: usize,
}

/// A set of registers by dword: vector, accumulation, scalar, and named ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegSet([u64; WORDS]);

const VGPRS: usize = 1024;
const AGPRS: usize = 256;
const SGPRS: usize = 128;
/// SGPRs that are not parts of VCC and its like on any processor.
const GENERAL_SGPRS: usize = 106;
const SPECIAL: usize = 64;
const WORDS: usize = (VGPRS + AGPRS + SGPRS + SPECIAL) / 64;

impl Default for RegSet {
    fn default() -> Self {
        RegSet([0; WORDS])
    }
}

/// The dwords of a register, as numbers in a [`RegSet`].
pub fn dwords(reg: Reg) -> std::ops::Range<usize> {
    let (base, size) = match reg.file {
        RegFile::Vgpr => (0, VGPRS),
        RegFile::Agpr => (VGPRS, AGPRS),
        RegFile::Sgpr => (VGPRS + AGPRS, 112),
        RegFile::Ttmp => (VGPRS + AGPRS + 112, 16),
        RegFile::Special => (VGPRS + AGPRS + SGPRS, SPECIAL),
    };
    let first = usize::from(reg.index).min(size);
    let last = (first + usize::from(reg.dwords)).min(size);
    base + first..base + last
}

/// Whether a number in a [`RegSet`] is one of a vector or accumulation register.
pub(crate) fn is_vector_dword(dword: usize) -> bool {
    dword < VGPRS + AGPRS
}

/// `v5`, `a0`, `s3`, `exec_lo` of a number in a [`RegSet`].
pub fn dword_name(dword: usize) -> String {
    match dword {
        0..VGPRS => format!("v{dword}"),
        d if d < VGPRS + AGPRS => format!("a{}", d - VGPRS),
        d if d < VGPRS + AGPRS + 112 => format!("s{}", d - VGPRS - AGPRS),
        d if d < VGPRS + AGPRS + SGPRS => format!("ttmp{}", d - VGPRS - AGPRS - 112),
        d => {
            let index = (d - VGPRS - AGPRS - SGPRS) as u16;
            Reg { file: RegFile::Special, index, dwords: 1, half: wavelens_isa::Half::Full }.name()
        }
    }
}

impl RegSet {
    /// Adds all dwords of a register.
    pub fn insert(&mut self, reg: Reg) {
        for bit in dwords(reg) {
            if let Some(word) = self.0.get_mut(bit / 64) {
                *word |= 1 << (bit % 64);
            }
        }
    }

    /// From what is live after an instruction to what is live before it.
    pub fn step_back(&mut self, reads: &[Access], writes: &[Access]) {
        writes.iter().filter(|write| !write.partial()).for_each(|write| self.remove(write.reg()));
        reads.iter().for_each(|read| self.insert(read.reg()));
    }

    /// All registers.
    pub(crate) fn fill(&mut self) {
        self.0.fill(u64::MAX);
    }

    /// Registers `from..end` of a file.
    pub(crate) fn insert_file(&mut self, file: RegFile, from: u16, end: u16) {
        for index in from..end {
            self.insert(Reg { file, index, dwords: 1, half: wavelens_isa::Half::Full });
        }
    }

    /// Whether a dword of [`dwords`] is in the set.
    pub fn contains(&self, dword: usize) -> bool {
        self.0.get(dword / 64).is_some_and(|word| word >> (dword % 64) & 1 != 0)
    }

    /// Takes all dwords of a register out.
    pub fn remove(&mut self, reg: Reg) {
        for bit in dwords(reg) {
            if let Some(word) = self.0.get_mut(bit / 64) {
                *word &= !(1 << (bit % 64));
            }
        }
    }

    /// Whether anything was added.
    pub fn union(&mut self, other: &RegSet) -> bool {
        let mut changed = false;
        for (a, b) in self.0.iter_mut().zip(other.0) {
            changed |= b & !*a != 0;
            *a |= b;
        }
        changed
    }

    fn count(&self, dwords: std::ops::Range<usize>) -> u32 {
        self.0.get(dwords.start / 64..dwords.end / 64).unwrap_or(&[]).iter().map(|w| w.count_ones()).sum()
    }

    /// The vector and accumulation registers in it, in order.
    pub fn vector_dwords(&self) -> impl Iterator<Item = usize> + '_ {
        (0..VGPRS + AGPRS).filter(|d| self.0.get(d / 64).is_some_and(|w| w >> (d % 64) & 1 == 1))
    }

    /// The vector, accumulation and scalar registers in it that code can use for anything, in order.
    pub fn general_dwords(&self) -> impl Iterator<Item = usize> + '_ {
        (0..VGPRS + AGPRS + GENERAL_SGPRS).filter(|dword| self.contains(*dword))
    }

    /// Every register in it, in order.
    pub(crate) fn all_dwords(&self) -> impl Iterator<Item = usize> + '_ {
        (0..WORDS * 64).filter(|d| self.contains(*d))
    }

    pub(crate) fn live(&self) -> Live {
        let named = VGPRS + AGPRS;
        let sgprs = self.count(named..named + SGPRS);
        let ttmps = self.0.get((named + 64) / 64).map_or(0, |w| (w >> 48).count_ones());
        Live {
            vgprs: self.count(0..VGPRS),
            agprs: self.count(VGPRS..VGPRS + AGPRS),
            sgprs: sgprs.saturating_sub(ttmps),
        }
    }
}

/// Steps that the checks of all functions of a file may take together: walks over paths can be much longer than the code.
pub(crate) struct Steps(RefCell<Budget>);

/// Far more than kernels of 50,000 instructions take. Builds without optimization take seconds for as many.
const MAX_STEPS: u64 = if cfg!(test) { 2_000_000 } else { 100_000_000 };

impl Steps {
    pub(crate) fn new() -> Steps {
        Steps(RefCell::new(Budget::new(MAX_STEPS)))
    }

    /// Takes steps. `false` when none are left.
    pub(crate) fn spend(&self, steps: u64) -> bool {
        self.0.borrow_mut().spend(steps)
    }

    pub(crate) fn are_exhausted(&self) -> bool {
        self.0.borrow().left() == 0
    }
}

/// One function with its blocks and what each instruction does.
pub struct Graph<'p> {
    /// The processor that it was assembled for.
    pub target: Target,
    /// Which part of the program it is.
    pub function: Function,
    /// Those of the function.
    pub instructions: &'p [Instruction],
    /// Of each instruction.
    pub effects: EffectsTable,
    /// Number of the first instruction of each block, in the function; and the end.
    pub starts: Vec<usize>,
    /// Control flow between blocks.
    pub cfg: Cfg,
    /// Vector instructions may be skipped, which then raise no counter ("S_SETVSKIP" in the manuals of gfx6 to gfx9).
    pub(crate) may_skip_vectors: bool,
    /// Instructions before which others could not be read.
    gaps: Vec<usize>,
    /// Labels with the instructions after them.
    labels: Vec<(usize, TextRange)>,
}

/// The functions of a program: from each symbol that is a function or kernel to the next one. Code before the first belongs
/// to a function without a name.
pub fn functions(program: &Program) -> Vec<Function> {
    let kernels = program.descriptors.iter().map(|descriptor| descriptor.kernel);
    let functions: FxHashSet<SymbolId> = program.functions.iter().copied().chain(kernels).collect();
    let mut all: Vec<Function> = Vec::new();
    let mut start = 0;
    let mut symbol = None;
    for (id, at, _) in program.labels.iter().filter(|(id, ..)| functions.contains(id)) {
        if *at > start {
            all.push(Function { symbol, start, end: *at });
        }
        (symbol, start) = (Some(*id), *at);
    }
    if program.instructions.len() > start {
        all.push(Function { symbol, start, end: program.instructions.len() });
    }
    all
}

/// The place of each label: the number of the instruction after it.
pub fn label_places(program: &Program) -> FxHashMap<SymbolId, usize> {
    program.labels.iter().map(|(id, at, _)| (*id, *at)).collect()
}

/// What the instructions of a function do.
pub(crate) fn effects_of(target: Target, program: &Program, function: &Function) -> EffectsTable {
    let instructions = program.instructions.get(function.start..function.end).unwrap_or(&[]);
    let high_bits = target.facts().has_vgpr_msb;
    let mut setting = 0;
    let mut table = EffectsTable::default();
    for instruction in instructions {
        let inst = instruction.encoded.inst();
        let mut effects = effects(target, &inst);
        if high_bits {
            vgpr_msb::apply(setting, &inst, &mut effects);
            setting = vgpr_msb::after(setting, &inst);
        }
        table.push(effects);
    }
    table.shrink_to_fit();
    table
}

/// Where a branch with a number goes: dwords from the next instruction.
fn numeric_goal(instructions: &[Instruction], index: usize) -> Option<usize> {
    let own = instructions.get(index)?;
    let dwords = own.encoded.number("simm16")? as i16;
    let next = own.offset + own.encoded.bytes().len() as u64;
    let goal = next.checked_add_signed(i64::from(dwords) * 4)?;
    instructions.binary_search_by_key(&goal, |i| i.offset).ok()
}

impl<'p> Graph<'p> {
    /// Blocks and edges of one function of a program.
    pub fn new(
        target: Target,
        program: &'p Program,
        labels: &FxHashMap<SymbolId, usize>,
        function: Function,
    ) -> Graph<'p> {
        let effects = effects_of(target, program, &function);
        let instructions = program.instructions.get(function.start..function.end).unwrap_or(&[]);
        let inside = |at: usize| at.checked_sub(function.start).filter(|at| *at < instructions.len());
        let goal = |index: usize| -> Option<usize> {
            let instruction = instructions.get(index)?;
            match instruction.symbol {
                Some(symbol) => inside(*labels.get(&symbol)?),
                None => numeric_goal(instructions, index),
            }
        };
        let mut named = Vec::new();
        let mut is_start = vec![false; instructions.len() + 1];
        is_start[0] = true;
        let local = program.labels.partition_point(|(_, at, _)| *at < function.start);
        for (_, at, range) in program.labels.get(local..).unwrap_or(&[]) {
            match inside(*at) {
                Some(at) => {
                    is_start[at] = true;
                    named.push((at, *range));
                }
                None => break,
            }
        }
        for (index, effect) in effects.iter().enumerate() {
            if effect.branch || effect.terminates {
                is_start[index + 1] = true;
                if let Some(goal) = goal(index) {
                    is_start[goal] = true;
                }
            }
        }
        let mut starts: Vec<usize> = is_start
            .iter()
            .enumerate()
            .filter(|(_, s)| **s)
            .map(|(i, _)| i)
            .filter(|i| *i < instructions.len())
            .collect();
        let block_of = |at: usize| starts.partition_point(|s| *s <= at).saturating_sub(1) as u32;
        let ends: Vec<usize> = starts.iter().skip(1).copied().chain([instructions.len()]).collect();
        let edges: Vec<Vec<u32>> = ends
            .iter()
            .map(|end| {
                let mut next = Vec::new();
                let Some(last) = end.checked_sub(1) else { return next };
                let Some(effect) = effects.get(last) else { return next };
                if !effect.terminates && *end < instructions.len() {
                    next.push(block_of(*end));
                }
                if effect.branch
                    && let Some(goal) = goal(last)
                {
                    next.push(block_of(goal));
                }
                next
            })
            .collect();
        let cfg = Cfg::new(edges);
        starts.push(instructions.len());
        let first = program.gaps.partition_point(|at| *at < function.start);
        let gaps = program.gaps.iter().skip(first).map_while(|at| inside(*at)).collect();
        let may_skip_vectors = instructions.iter().any(|i| i.encoded.mnemonic() == "s_setvskip");
        Graph { target, function, instructions, effects, starts, cfg, may_skip_vectors, gaps, labels: named }
    }

    /// Adds the instruction itself to a diagnostic about one that came out of a macro.
    pub(crate) fn show_nested(&self, index: usize, diagnostic: Diagnostic) -> Diagnostic {
        match self.instructions.get(index).filter(|i| i.nested) {
            Some(i) => {
                let text = wavelens_isa::print(self.target, &i.encoded.inst());
                diagnostic.related(Place::Here(i.range), format!("in the expansion: `{text}`"))
            }
            None => diagnostic,
        }
    }

    /// Whether two operands of an instruction must be the same register.
    pub(crate) fn are_tied(&self, index: usize, a: usize, b: usize) -> bool {
        let instruction = self.instructions.get(index);
        instruction.is_some_and(|i| i.encoded.inst().ties().any(|tie| tie == (a, b) || tie == (b, a)))
    }

    /// The label of a block.
    pub(crate) fn label(&self, block: usize) -> Option<TextRange> {
        let start = *self.starts.get(block)?;
        let at = self.labels.partition_point(|(at, _)| *at < start);
        self.labels.get(at).filter(|(at, _)| *at == start).map(|(_, range)| *range)
    }

    /// Whether something before an instruction could not be read.
    pub(crate) fn follows_gap(&self, index: usize) -> bool {
        !self.gaps.is_empty() && self.gaps.binary_search(&index).is_ok()
    }

    pub(crate) fn has_gaps(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// From the first instruction to the last one.
    pub fn range(&self) -> Option<TextRange> {
        let (first, last) = (self.instructions.first()?, self.instructions.last()?);
        Some(first.range.cover(last.range))
    }

    /// The block that an instruction is in.
    pub(crate) fn block_of(&self, index: usize) -> usize {
        self.starts.partition_point(|s| *s <= index).saturating_sub(1)
    }

    /// The instructions of a block.
    pub fn block(&self, block: usize) -> std::ops::Range<usize> {
        let at = |i: usize| self.starts.get(i).copied().unwrap_or(self.instructions.len());
        at(block)..at(block + 1)
    }

    /// Registers that are live at the start of each block.
    pub fn live_ins(&self) -> Vec<RegSet> {
        let blocks = self.cfg.len();
        let mut ins = vec![RegSet::default(); blocks];
        let mut work: Vec<usize> = (0..blocks).collect();
        let mut queued = vec![true; blocks];
        while let Some(block) = work.pop() {
            queued[block] = false;
            let mut live = self.live_out(block, &ins);
            for index in self.block(block).rev() {
                self.step_back(index, &mut live);
            }
            if ins[block].union(&live) {
                for before in self.cfg.predecessors(block as u32) {
                    let before = *before as usize;
                    if !std::mem::replace(&mut queued[before], true) {
                        work.push(before);
                    }
                }
            }
        }
        ins
    }

    /// Registers that are live before an instruction.
    pub fn live_before(&self, instruction: usize, ins: &[RegSet]) -> RegSet {
        let block = self.starts.partition_point(|s| *s <= instruction).saturating_sub(1);
        let mut live = self.live_out(block, ins);
        for index in (instruction..self.block(block).end).rev() {
            self.step_back(index, &mut live);
        }
        live
    }

    /// Live registers before each instruction, and the most at any place.
    ///
    /// A result is live from its instruction on even when nothing reads it: it takes a register.
    pub fn liveness(&self) -> (Vec<Live>, Live) {
        self.liveness_with(&self.live_ins())
    }

    /// Registers live before each instruction, by file, and the most that are live at once.
    pub fn liveness_with(&self, ins: &[RegSet]) -> (Vec<Live>, Live) {
        let mut lines = vec![Live::default(); self.instructions.len()];
        let mut peak = Live::default();
        for block in 0..self.cfg.len() {
            let mut live = self.live_out(block, ins);
            for index in self.block(block).rev() {
                let mut during = live;
                if let Some(effect) = self.effects.get(index) {
                    effect.writes.iter().for_each(|w| during.insert(w.reg()));
                }
                peak = peak.max(during.live());
                self.step_back(index, &mut live);
                lines[index] = live.live();
                peak = peak.max(lines[index]);
            }
        }
        (lines, peak)
    }

    /// Carries a state forward over all paths until nothing changes, in so many rounds at most: blocks in the order of the control
    /// flow with the state before each. `step` takes a state over an instruction; `join` takes one that comes over an edge, which may
    /// go back, into that of a block, and says whether it changed.
    pub(crate) fn forward<S: Clone>(
        &self,
        entry: S,
        rounds: usize,
        step: impl Fn(usize, &mut S),
        join: impl Fn(&mut S, &S, bool) -> bool,
    ) -> Vec<(usize, S)> {
        let order = self.cfg.reverse_post_order();
        let mut rank = vec![0; self.cfg.len()];
        for (place, block) in order.iter().enumerate() {
            rank[*block as usize] = place;
        }
        let mut ins: Vec<Option<S>> = vec![None; self.cfg.len()];
        if let Some(first) = ins.first_mut() {
            *first = Some(entry);
        }
        for _ in 0..rounds {
            let mut changed = false;
            for block in &order {
                let Some(mut state) = ins.get(*block as usize).cloned().flatten() else { continue };
                self.block(*block as usize).for_each(|index| step(index, &mut state));
                for next in self.cfg.successors(*block) {
                    let back = rank.get(*next as usize) <= rank.get(*block as usize);
                    changed |= match ins.get_mut(*next as usize) {
                        Some(Some(known)) => join(known, &state, back),
                        Some(slot) => slot.replace(state.clone()).is_none(),
                        None => false,
                    };
                }
            }
            if !changed {
                break;
            }
        }
        order.into_iter().filter_map(|b| Some((b as usize, ins.get_mut(b as usize)?.take()?))).collect()
    }

    /// Registers that are live at the end of a block.
    pub fn live_out(&self, block: usize, ins: &[RegSet]) -> RegSet {
        let mut live = RegSet::default();
        for next in self.cfg.successors(block as u32) {
            if let Some(set) = ins.get(*next as usize) {
                live.union(set);
            }
        }
        live
    }

    /// From what is live after an instruction to what is live before it.
    pub fn step_back(&self, index: usize, live: &mut RegSet) {
        if let Some(effects) = self.effects.get(index) {
            live.step_back(effects.reads, effects.writes);
        }
    }

    /// The highest numbered register of each file that is named, plus one.
    pub fn used(&self) -> Live {
        let mut used = Live::default();
        for access in self.effects.iter().flat_map(|e| e.reads.iter().chain(e.writes)) {
            let end = u32::from(access.reg().index) + u32::from(access.reg().dwords);
            match access.reg().file {
                RegFile::Vgpr => used.vgprs = used.vgprs.max(end),
                RegFile::Agpr => used.agprs = used.agprs.max(end),
                RegFile::Sgpr => used.sgprs = used.sgprs.max(end),
                _ => {}
            }
        }
        used
    }
}

/// The next multiple of a number of registers, which a file may state as the largest number.
pub(crate) fn up_to_multiple(count: u32, granule: u32) -> u32 {
    count.checked_next_multiple_of(granule.max(1)).unwrap_or(u32::MAX)
}

/// Vector registers that a wave takes out of the file, of both kinds.
pub fn total_vgprs(target: Target, vgprs: u32, agprs: u32) -> u32 {
    match target.limits().unified_agprs {
        true if agprs > 0 => up_to_multiple(vgprs, 4).saturating_add(agprs),
        true => vgprs,
        false => vgprs.max(agprs),
    }
}

/// How far away more waves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gain {
    /// So much less of a resource: registers, or bytes of LDS.
    pub fewer: u32,
    /// Gives so many more waves on each SIMD.
    pub more: u32,
}

/// Waves per SIMD for a number of vector registers (both files together), and the next number of registers below that gives more.
pub fn occupancy(target: Target, vgprs: u32) -> (u32, Option<Gain>) {
    let limits = target.limits();
    let granule = limits.vgpr_granule.max(1);
    let waves = |vgprs: u32| {
        let taken = up_to_multiple(vgprs.max(1), granule);
        (limits.total_vgprs / taken).clamp(1, limits.max_waves_per_eu.max(1))
    };
    let now = waves(vgprs);
    let gain = (now < limits.max_waves_per_eu).then(|| {
        let most = limits.total_vgprs / (now + 1) / granule * granule;
        Gain { fewer: vgprs.saturating_sub(most), more: waves(most).saturating_sub(now) }
    });
    (now, gain.filter(|gain| gain.fewer > 0 && gain.fewer < vgprs && gain.more > 0))
}
