//! Instructions that follow another too closely: what the hardware of a generation does not wait for by itself.
//!
//! One family, one file. Distances are wait states: one for each instruction between, `N + 1` for `s_nop N`. They are counted
//! back over all paths, and only instructions in the text count: an unknown caller is taken to keep its distance.
//!
//! Source of the families and their distances: LLVM's `GCNHazardRecognizer` and the hazard tables of AMD's ISA documents.

mod coexecution;
mod denorm_mode;
mod div_fmas;
mod dpp;
mod exec_write;
mod export_priority;
mod forwarding;
mod image_address;
mod lane_select;
mod lds_branch;
mod lds_direct;
mod m0;
mod mask_write;
mod matrix;
mod matrix_accumulator;
mod matrix_operand;
mod matrix_result;
mod mode_register;
mod partial_forwarding;
mod permlane;
mod scalar_address;
mod scalar_read;
mod scalar_reuse;
mod shift_amount;
mod soft_clause;
mod store_data;
mod transcendental;
mod wait_idle;
mod wmma;

use wavelens_isa::{Access, Half, Reg, RegFile, Traits, WaveSize};

use crate::amdgpu::assembler::machine::Machine;
use crate::amdgpu::flow::Graph;
#[cfg(test)]
use crate::amdgpu::testing::check;
use crate::{Diagnostic, Place, Rule, TextRange};

/// Every rule of this folder.
pub(crate) const RULES: &[&Rule] = &[
    &coexecution::RULE,
    &denorm_mode::RULE,
    &div_fmas::RULE,
    &dpp::RULE,
    &exec_write::RULE,
    &export_priority::RULE,
    &forwarding::RULE,
    &image_address::RULE,
    &lane_select::RULE,
    &lds_branch::RULE,
    &lds_direct::RULE,
    &m0::RULE,
    &mask_write::RULE,
    &matrix_accumulator::RULE,
    &matrix_operand::RULE,
    &matrix_result::RULE,
    &mode_register::RULE,
    &partial_forwarding::RULE,
    &permlane::RULE,
    &scalar_address::RULE,
    &scalar_read::RULE,
    &scalar_reuse::RULE,
    &shift_amount::RULE,
    &soft_clause::RULE,
    &store_data::RULE,
    &transcendental::RULE,
    &wait_idle::RULE,
    &wmma::RULE,
];

/// Looks at one instruction of a function.
type Check = fn(&Code<'_>, usize) -> Option<Hazard>;

/// A family: its rule, the processors that have it, and the check.
type Family = (&'static Rule, fn(&Machine) -> bool, Check);

const CHECKS: &[Family] = &[
    (&coexecution::RULE, coexecution::applies, coexecution::check),
    (&denorm_mode::RULE, denorm_mode::applies, denorm_mode::check),
    (&div_fmas::RULE, before_gfx10, div_fmas::check),
    (&dpp::RULE, gfx8_and_9, dpp::check),
    (&exec_write::RULE, gfx10_1, exec_write::check),
    (&export_priority::RULE, export_priority::applies, export_priority::check),
    (&forwarding::RULE, forwarding::applies, forwarding::check),
    (&image_address::RULE, gfx10_1, image_address::check),
    (&lane_select::RULE, before_gfx10, lane_select::check),
    (&lds_branch::RULE, gfx10_1, lds_branch::check),
    (&lds_direct::RULE, lds_direct::applies, lds_direct::check),
    (&m0::RULE, gfx8_and_9, m0::check),
    (&mask_write::RULE, gfx11_wave64, mask_write::check),
    (&matrix_accumulator::RULE, matrix_accumulator::applies, matrix_accumulator::check),
    (&matrix_operand::RULE, unified_agprs, matrix_operand::check),
    (&matrix_result::RULE, unified_agprs, matrix_result::check),
    (&mode_register::RULE, before_gfx10, mode_register::check),
    (&partial_forwarding::RULE, gfx11_wave64, partial_forwarding::check),
    (&permlane::RULE, permlane::applies, permlane::check),
    (&scalar_address::RULE, scalar_address::applies, scalar_address::check),
    (&scalar_reuse::RULE, gfx10_1, scalar_reuse::check),
    (&shift_amount::RULE, shift_amount::applies, shift_amount::check),
    (&soft_clause::RULE, soft_clause::applies, soft_clause::check),
    (&store_data::RULE, store_data::applies, store_data::check),
    (&transcendental::RULE, transcendental::applies, transcendental::check),
    (&wait_idle::RULE, wait_idle::applies, wait_idle::check),
    (&wmma::RULE, wmma::applies, wmma::check),
];

/// A family that follows all paths at once.
type Flow = (&'static Rule, fn(&Machine) -> bool, fn(&Code<'_>) -> Vec<(usize, Hazard)>);

const FLOWS: &[Flow] = &[(&scalar_read::RULE, scalar_read::applies, scalar_read::find)];

fn before_gfx10(m: &Machine) -> bool {
    m.major < 10
}

fn gfx8_and_9(m: &Machine) -> bool {
    matches!(m.major, 8 | 9)
}

fn gfx10_1(m: &Machine) -> bool {
    (m.major, m.minor) == (10, 1)
}

fn unified_agprs(m: &Machine) -> bool {
    m.unified_agprs
}

fn gfx11_wave64(m: &Machine) -> bool {
    m.major == 11 && m.target.wave_size() == WaveSize::W64
}

/// What keeps two instructions apart.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cure {
    /// Missing wait states.
    States(u32),
    /// Missing vector instructions.
    Vectors(u32),
    /// An instruction before the second one.
    Line(&'static str),
    /// A modifier of the second one, with this number at most.
    Modifier(&'static str, u32),
    /// Another register in place of this one.
    Register(Reg),
}

/// Bits of the fields of `s_waitcnt_depctr`.
#[derive(Clone, Copy)]
enum Field {
    ScalarResult = 1,
    VectorCondition = 2,
    MemorySource = 0x1C,
    Hold = 0x80,
    VectorSource = 0x100,
    VectorScalar = 0xE00,
    VectorResult = 0xF000,
}

impl Field {
    const ALL: [Field; 7] = [
        Field::ScalarResult,
        Field::VectorCondition,
        Field::MemorySource,
        Field::Hold,
        Field::VectorSource,
        Field::VectorScalar,
        Field::VectorResult,
    ];
}

/// How a walk back over the paths goes on.
enum Step {
    Go,
    /// This path is of no interest any more.
    Stop,
    Found,
}

/// A pair of instructions that is too close.
#[derive(Debug)]
struct Hazard {
    producer: usize,
    /// What the second instruction does, as the start of a sentence.
    what: String,
    /// What the first one did.
    cause: &'static str,
    cure: Cure,
}

/// A function as the families look at it.
struct Code<'g> {
    graph: &'g Graph<'g>,
    machine: Machine,
    traits: Vec<Traits>,
    xnack: bool,
    has_matrix: bool,
    has_dot: bool,
}

/// Reports the hazards of one function: the worst one of each instruction.
pub(crate) fn hazards(graph: &Graph<'_>, xnack: bool, out: &mut Vec<Diagnostic>) {
    let machine = Machine::of(graph.target);
    let checks: Vec<_> = CHECKS.iter().filter(|(_, applies, _)| applies(&machine)).collect();
    let flows: Vec<_> = FLOWS.iter().filter(|(_, applies, _)| applies(&machine)).collect();
    if checks.is_empty() && flows.is_empty() {
        return;
    }
    let traits: Vec<Traits> = graph.instructions.iter().map(|i| i.encoded.inst.traits()).collect();
    let has = |t: Traits| traits.iter().any(|own| own.any(t));
    let (has_matrix, has_dot) = (has(Traits::MAI), has(Traits::DOT));
    let code = Code { graph, machine, traits, xnack, has_matrix, has_dot };
    for index in 0..graph.instructions.len() {
        let states = |h: &Hazard| match h.cure {
            Cure::States(n) | Cure::Vectors(n) => n,
            Cure::Line(_) | Cure::Modifier(..) | Cure::Register(_) => 1,
        };
        let found = checks.iter().filter_map(|(rule, _, check)| Some((*rule, check(&code, index)?)));
        if let Some((rule, hazard)) = found.max_by_key(|(_, h)| states(h)) {
            out.push(code.diagnostic(rule, index, &hazard));
        }
    }
    for (rule, _, find) in flows {
        out.extend(find(&code).iter().map(|(index, hazard)| code.diagnostic(rule, *index, hazard)));
    }
}

impl Code<'_> {
    fn diagnostic(&self, rule: &'static Rule, index: usize, hazard: &Hazard) -> Diagnostic {
        let (range, nested) =
            self.graph.instructions.get(index).map_or_else(Default::default, |i| (i.range, i.nested));
        let (missing, line) = match hazard.cure {
            Cure::States(1) => ("1 more wait state is needed: `s_nop 0`".to_owned(), "s_nop 0".to_owned()),
            Cure::States(n) => {
                let nop = nops(n);
                (format!("{n} more wait states are needed: `{}`", nop.replace('\n', "`, `")), nop)
            }
            Cure::Vectors(1) => {
                ("a vector instruction is needed between them: `v_nop`".to_owned(), "v_nop".to_owned())
            }
            Cure::Vectors(n) => {
                let lines = vec!["v_nop"; n as usize].join("\n");
                (format!("{n} more vector instructions are needed between them, such as `v_nop`"), lines)
            }
            Cure::Line(line) => (format!("`{line}` is needed between them"), line.to_owned()),
            Cure::Modifier(word, most) => (format!("`{word}:{most}` is needed"), String::new()),
            Cure::Register(reg) => {
                (format!("another register than `{}` is needed", reg.name()), String::new())
            }
        };
        let mut diagnostic = Diagnostic::new(rule, range, format!("{}; {missing}", hazard.what));
        if let Some(producer) = self.graph.instructions.get(hazard.producer) {
            diagnostic = diagnostic.related(Place::Here(producer.range), hazard.cause);
        }
        if !nested && !line.is_empty() {
            let title = format!("Insert `{}`", line.replace('\n', "`, `"));
            diagnostic = diagnostic.fix(title, TextRange::empty(range.start()), format!("{line}\n"));
        }
        self.graph.show_nested(index, diagnostic)
    }

    fn traits(&self, index: usize) -> Traits {
        self.traits.get(index).copied().unwrap_or_default()
    }

    fn is(&self, index: usize, traits: Traits) -> bool {
        self.traits(index).any(traits)
    }

    fn mnemonic(&self, index: usize) -> &'static str {
        self.graph.instructions.get(index).map_or("", |i| i.encoded.inst.mnemonic())
    }

    fn number(&self, index: usize, name: &str) -> Option<i64> {
        self.graph.instructions.get(index)?.encoded.inst.number(name)
    }

    fn register(&self, index: usize, name: &str) -> Option<Reg> {
        self.graph.instructions.get(index)?.encoded.inst.register(name)
    }

    fn reads(&self, index: usize) -> &[Access] {
        self.graph.effects.get(index).map_or(&[], |e| &e.reads)
    }

    fn writes(&self, index: usize) -> &[Access] {
        self.graph.effects.get(index).map_or(&[], |e| &e.writes)
    }

    /// Registers that the line names as sources; not results of which a part stays as it was.
    fn sources(&self, index: usize) -> impl Iterator<Item = Reg> {
        self.reads(index).iter().filter(|a| !a.implicit() && !a.partial).map(|a| a.reg)
    }

    /// Registers that the line names as results.
    fn results(&self, index: usize) -> impl Iterator<Item = Reg> {
        self.writes(index).iter().filter(|a| !a.implicit()).map(|a| a.reg)
    }

    fn writes_register(&self, index: usize, reg: Reg) -> bool {
        self.writes(index).iter().any(|a| touches(a.reg, reg))
    }

    fn reads_register(&self, index: usize, reg: Reg) -> bool {
        self.reads(index).iter().any(|a| touches(a.reg, reg))
    }

    /// Matrix multiplications, without the moves to and from accumulators.
    fn is_mfma(&self, index: usize) -> bool {
        self.is(index, Traits::MAI) && !self.mnemonic(index).starts_with("v_accvgpr")
    }

    fn states(&self, index: usize) -> u32 {
        match self.mnemonic(index) {
            "s_nop" => 1 + self.number(index, "simm16").and_then(|n| u32::try_from(n).ok()).unwrap_or(0),
            _ => 1,
        }
    }

    /// The closest instruction before `index` that `found` takes, with the wait states between, if these are fewer than
    /// `limit`; the smallest number over all paths.
    fn since(&self, index: usize, limit: u32, found: impl Fn(usize) -> bool) -> Option<(u32, usize)> {
        let mut best: Option<(u32, usize)> = None;
        let mut seen: Vec<(usize, u32)> = Vec::new();
        let mut work = vec![(self.graph.block_of(index), index, 0)];
        while let Some((block, end, mut waited)) = work.pop() {
            let mut open = true;
            for i in (self.graph.block(block).start..end).rev() {
                if found(i) {
                    if best.is_none_or(|(b, _)| waited < b) {
                        best = Some((waited, i));
                    }
                    open = false;
                    break;
                }
                waited += self.states(i);
                if waited >= best.map_or(limit, |(b, _)| b.min(limit)) {
                    open = false;
                    break;
                }
            }
            if !open {
                continue;
            }
            for before in self.graph.cfg.predecessors(block as u32) {
                let before = *before as usize;
                if !seen.iter().any(|(b, w)| *b == before && *w <= waited) {
                    seen.push((before, waited));
                    work.push((before, self.graph.block(before).end, waited));
                }
            }
        }
        best
    }

    /// The closest instruction before `index` that `found` takes, on a path without one that `ends` takes.
    fn reaching(
        &self,
        index: usize,
        found: impl Fn(usize) -> bool,
        ends: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        self.search(index, (), |(), i| match () {
            () if found(i) => Step::Found,
            () if ends(i) => Step::Stop,
            () => Step::Go,
        })
    }

    /// Walks back from `index` over all paths, each block once, with a state for each path; the first instruction found.
    fn search<S: Clone>(
        &self,
        index: usize,
        start: S,
        mut visit: impl FnMut(&mut S, usize) -> Step,
    ) -> Option<usize> {
        let mut seen = Vec::new();
        let mut work = vec![(self.graph.block_of(index), index, start)];
        'paths: while let Some((block, end, mut state)) = work.pop() {
            for i in (self.graph.block(block).start..end).rev() {
                match visit(&mut state, i) {
                    Step::Go => {}
                    Step::Stop => continue 'paths,
                    Step::Found => return Some(i),
                }
            }
            for before in self.graph.cfg.predecessors(block as u32) {
                let before = *before as usize;
                if !seen.contains(&before) {
                    seen.push(before);
                    work.push((before, self.graph.block(before).end, state.clone()));
                }
            }
        }
        None
    }

    /// Waits here until nothing is left of a field of `s_waitcnt_depctr`, which gfx12 calls `s_wait_alu`.
    fn waits_for_field(&self, index: usize, bits: Field) -> bool {
        let wait = matches!(self.mnemonic(index), "s_waitcnt_depctr" | "s_wait_alu");
        wait && self.number(index, "simm16").is_some_and(|n| n & bits as i64 == 0)
    }

    /// Memory instructions and exports have read what vector instructions wrote: these are done.
    fn waits_for_vectors(&self, index: usize) -> bool {
        self.is(index, Traits::VMEM)
            || self.is(index, Traits::DS)
            || self.is(index, Traits::EXPORT)
            || self.waits_for_field(index, Field::VectorResult)
    }

    /// The vector instruction that wrote a register fewer than `states` wait states ago, with how many are missing.
    fn vector_write(&self, index: usize, reg: Reg, states: u32) -> Option<(u32, usize)> {
        let (waited, producer) =
            self.since(index, states, |i| self.is(i, Traits::VALU) && self.writes_register(i, reg))?;
        Some((states - waited, producer))
    }
}

fn is_vector(reg: Reg) -> bool {
    matches!(reg.file, RegFile::Vgpr | RegFile::Agpr)
}

/// Whether two registers share bits.
fn touches(a: Reg, b: Reg) -> bool {
    let apart = matches!((a.half, b.half), (Half::Lo, Half::Hi) | (Half::Hi, Half::Lo));
    a.overlaps(b) && !apart
}

/// `s_nop` lines for a number of wait states.
fn nops(mut states: u32) -> String {
    let mut lines = Vec::new();
    while states > 0 {
        let now = states.min(8);
        lines.push(format!("s_nop {}", now - 1));
        states -= now;
    }
    lines.join("\n")
}
