//! Instructions that follow another too closely: what the hardware of a generation does not wait for by itself.
//!
//! One family, one file. Distances are wait states: one for each instruction between, `N + 1` for `s_nop N`. They are counted
//! back over all paths, and only instructions in the text count: an unknown caller is taken to keep its distance. After a finding
//! its correction is taken to be there, so that the instructions that follow are not reported for the same lack.
//!
//! Source of the families and their distances: LLVM's `GCNHazardRecognizer` and the tables in AMD's instruction set manuals
//! (section "Manually Inserted Wait States", and "Required Independent Instructions" for the matrix core). They differ:
//! see [`families`].

mod coexecution;
mod denorm_mode;
#[cfg(test)]
mod distances;
mod div_fmas;
mod dpp;
mod exec_write;
mod export_priority;
mod families;
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

use families::Evidence::{self, Manual, Recognizer};
pub(crate) use families::Families;
use matrix::Matrix;
use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_isa::generation::MatrixCore;
use wavelens_isa::{Access, Generation, Half, Reg, RegFile, Traits};

use crate::context::RuleContext;
use crate::flow::{Graph, Steps};
use crate::rules::inserted_line::insert_before;
use wavelens_base::{Diagnostic, Place, Rule, Severity};

/// Every rule of this folder.
pub static RULES: &[&[&Rule]] = &[
    coexecution::RULES,
    denorm_mode::RULES,
    div_fmas::RULES,
    dpp::RULES,
    exec_write::RULES,
    export_priority::RULES,
    forwarding::RULES,
    image_address::RULES,
    lane_select::RULES,
    lds_branch::RULES,
    lds_direct::RULES,
    m0::RULES,
    mask_write::RULES,
    matrix_accumulator::RULES,
    matrix_operand::RULES,
    matrix_result::RULES,
    mode_register::RULES,
    partial_forwarding::RULES,
    permlane::RULES,
    scalar_address::RULES,
    scalar_read::RULES,
    scalar_reuse::RULES,
    shift_amount::RULES,
    soft_clause::RULES,
    store_data::RULES,
    transcendental::RULES,
    wait_idle::RULES,
    wmma::RULES,
];

/// What keeps two instructions apart.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Mitigation {
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
    /// The search does not follow this path further.
    Stop,
    Found,
}

/// A pair of instructions that is too close. Not a `Fault`: several families look at each instruction, and the one that needs the
/// longest wait is reported.
#[derive(Debug)]
struct Hazard {
    producer: usize,
    /// What the second instruction does, as the start of a sentence.
    what: String,
    /// What the first one did.
    cause: &'static str,
    mitigation: Mitigation,
}

/// The instruction of the matrix core that a walk back came to last, and how many wait states later the walk began.
#[derive(Clone, Copy)]
struct NextMatrix {
    matrix: Matrix,
    distance: u32,
}

/// Wait states between two instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Distance {
    /// Those that the instructions between take before the second one can be issued.
    waited: u32,
    /// Those that the second one is held back because the matrix core is busy. `s_nop` before it runs at the same time.
    held: u32,
}

impl Distance {
    fn all(self) -> u32 {
        self.waited + self.held
    }

    /// Wait states that are to be inserted so that there are `need`.
    fn missing(self, need: u32) -> u32 {
        if self.all() < need { need - self.waited } else { 0 }
    }
}

/// A function as the families look at it.
struct Code<'g> {
    graph: &'g Graph<'g>,
    /// The file.
    text: &'g str,
    /// What the families look for.
    evidence: Evidence,
    steps: &'g Steps,
    /// Wait states that corrections of earlier findings insert before each instruction.
    inserted: FxHashMap<usize, u32>,
    /// How the instructions of the matrix core are timed; empty without any.
    matrices: Vec<Option<Matrix>>,
    xnack: bool,
    has_matrix: bool,
    has_dot: bool,
    /// The function changes how instructions are scheduled, for example to run none in parallel with others.
    sets_schedule: bool,
}

/// Wait states of a conditional branch that is not taken: nothing of the wave is issued until the condition is known (`WriteBranch`
/// in LLVM's SISchedule.td).
const BRANCH_STATES: u32 = 8;

/// `HW_REG_WAVE_SCHED_MODE`
const SCHED_MODE: i64 = 26;

/// Reports the hazards of one function: the worst one of each instruction that the corrections before it leave.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    let (graph, steps) = (cx.graph, cx.steps);
    let traits = graph.instructions.iter().map(|i| i.encoded.traits());
    let present = traits.fold(Traits::default(), Traits::or);
    let families = Families::of(graph.target, present, cx.pedantic);
    let (checks, flows) = (families.checks(), families.flows());
    if checks.is_empty() && flows.is_empty() {
        return;
    }
    let (has_matrix, has_dot) = (present.any(Traits::MAI), present.any(Traits::DOT));
    let xnack = cx.xnack;
    let sets_schedule = graph.instructions.iter().any(|i| {
        let register = || i.encoded.number("simm16").map(|n| n & 63);
        i.encoded.mnemonic().starts_with("s_setreg") && register() == Some(SCHED_MODE)
    });
    let mut code = Code {
        graph,
        text: cx.text,
        evidence: Manual,
        steps,
        inserted: FxHashMap::default(),
        matrices: Vec::new(),
        xnack,
        has_matrix,
        has_dot,
        sets_schedule,
    };
    if has_matrix {
        code.matrices = (0..graph.instructions.len()).map(|index| code.timing(index)).collect();
    }
    // Instructions with a hazard that the manual knows: what LLVM asks for is the same or more.
    let mut known = FxHashSet::default();
    for evidence in [Manual, Recognizer] {
        if evidence == Recognizer && !cx.pedantic {
            return;
        }
        code.evidence = evidence;
        let states = |h: &Hazard| match h.mitigation {
            Mitigation::States(n) | Mitigation::Vectors(n) => n,
            Mitigation::Line(_) | Mitigation::Modifier(..) | Mitigation::Register(_) => 1,
        };
        for index in 0..graph.instructions.len() {
            let own = checks.iter().filter(|(_, best, ..)| *best <= evidence);
            let found = own.filter_map(|(rule, .., check)| Some((*rule, check(&code, index)?)));
            let Some((rule, hazard)) = found.max_by_key(|(_, h)| states(h)) else { continue };
            if known.insert(index) {
                cx.diagnostics.push(code.diagnostic(rule, index, &hazard));
            }
            if let Mitigation::States(n) | Mitigation::Vectors(n) = hazard.mitigation {
                let inserted = code.inserted.entry(index).or_default();
                *inserted = n.max(*inserted);
            }
        }
        for (rule, .., find) in flows.iter().filter(|(_, best, ..)| *best <= evidence && !graph.has_gaps()) {
            cx.diagnostics
                .extend(find(&code).iter().map(|(index, hazard)| code.diagnostic(rule, *index, hazard)));
        }
    }
}

impl Code<'_> {
    fn diagnostic(&self, rule: &'static Rule, index: usize, hazard: &Hazard) -> Diagnostic {
        let (range, nested) =
            self.graph.instructions.get(index).map_or_else(Default::default, |i| (i.range, i.nested));
        let (missing, line) = match hazard.mitigation {
            Mitigation::States(1) => {
                ("1 more wait state is needed: `s_nop 0`".to_owned(), "s_nop 0".to_owned())
            }
            Mitigation::States(n) => {
                let nop = nops(n);
                (format!("{n} more wait states are needed: `{}`", nop.replace('\n', "`, `")), nop)
            }
            Mitigation::Vectors(1) => {
                ("a vector instruction is needed between them: `v_nop`".to_owned(), "v_nop".to_owned())
            }
            Mitigation::Vectors(n) => {
                let lines = vec!["v_nop"; n as usize].join("\n");
                (format!("{n} more vector instructions are needed between them, such as `v_nop`"), lines)
            }
            Mitigation::Line(line) => (format!("`{line}` is needed between them"), line.to_owned()),
            Mitigation::Modifier(word, most) => (format!("`{word}:{most}` is needed"), String::new()),
            Mitigation::Register(reg) => {
                (format!("another register than `{}` is needed", reg.name()), String::new())
            }
        };
        let mut diagnostic = Diagnostic::new(rule, range, format!("{}; {missing}", hazard.what));
        if self.evidence == Recognizer {
            diagnostic.severity = Severity::Hint;
            diagnostic.message.push_str(" (LLVM's hazard recognizer; not required by the ISA manual)");
        }
        if let Some(producer) = self.graph.instructions.get(hazard.producer) {
            diagnostic = diagnostic.related(Place::Here(producer.range), hazard.cause);
        }
        if !nested && !line.is_empty() {
            diagnostic = insert_before(diagnostic, self.text, range, &line);
        }
        self.graph.show_nested(index, diagnostic)
    }

    /// Whether the processor's generation is this one or a later one.
    fn is_from(&self, generation: Generation) -> bool {
        self.graph.target.generation() >= generation
    }

    fn is_cdna3(&self) -> bool {
        self.graph.target.facts().matrix_core >= MatrixCore::Cdna3
    }

    fn is_cdna4(&self) -> bool {
        self.graph.target.facts().matrix_core == MatrixCore::Cdna4
    }

    fn traits(&self, index: usize) -> Traits {
        self.graph.instructions.get(index).map_or(Traits::default(), |i| i.encoded.traits())
    }

    fn is(&self, index: usize, traits: Traits) -> bool {
        self.traits(index).any(traits)
    }

    fn mnemonic(&self, index: usize) -> &'static str {
        self.graph.instructions.get(index).map_or("", |i| i.encoded.mnemonic())
    }

    fn number(&self, index: usize, name: &str) -> Option<i64> {
        self.graph.instructions.get(index)?.encoded.number(name)
    }

    fn register(&self, index: usize, name: &str) -> Option<Reg> {
        self.graph.instructions.get(index)?.encoded.register(name)
    }

    /// The name of the operand that an access is in.
    fn operand_name(&self, index: usize, access: &Access) -> &'static str {
        let operand = access.operand().zip(self.graph.instructions.get(index));
        operand.map_or("", |(operand, i)| i.encoded.operand_name(operand.into()))
    }

    fn reads(&self, index: usize) -> &[Access] {
        self.graph.effects.get(index).map_or(&[], |e| e.reads)
    }

    fn writes(&self, index: usize) -> &[Access] {
        self.graph.effects.get(index).map_or(&[], |e| e.writes)
    }

    /// Registers that the line names as sources; not results of which a part stays as it was.
    fn sources(&self, index: usize) -> impl Iterator<Item = Reg> {
        self.reads(index).iter().filter(|a| !a.implicit() && !a.partial()).map(|a| a.reg())
    }

    /// Registers that the line names as results.
    fn results(&self, index: usize) -> impl Iterator<Item = Reg> {
        self.writes(index).iter().filter(|a| !a.implicit()).map(|a| a.reg())
    }

    fn writes_register(&self, index: usize, reg: Reg) -> bool {
        self.writes(index).iter().any(|a| touches(a.reg(), reg))
    }

    fn reads_register(&self, index: usize, reg: Reg) -> bool {
        self.reads(index).iter().any(|a| touches(a.reg(), reg))
    }

    /// Matrix multiplications, without the moves to and from accumulators.
    fn is_mfma(&self, index: usize) -> bool {
        self.is(index, Traits::MAI) && !self.mnemonic(index).starts_with("v_accvgpr")
    }

    fn states(&self, index: usize) -> u32 {
        let inserted = self.inserted.get(&index).copied().unwrap_or(0);
        let own = match self.mnemonic(index) {
            // The field has 16 bits; the line may name more, as in `s_nop -1`.
            "s_nop" => 1 + self.number(index, "simm16").map_or(0, |n| u32::from(n as u16)),
            name if name.starts_with("s_cbranch_") && !self.is_cautious() => BRANCH_STATES,
            _ => 1,
        };
        own + inserted
    }

    /// Whether to look also for what only LLVM's hazard recognizer asks for.
    fn is_cautious(&self) -> bool {
        self.evidence == Recognizer
    }

    /// Waits for something that takes longer than any hazard. LLVM counts it as one wait state.
    fn blocks(&self, index: usize) -> bool {
        let name = self.mnemonic(index);
        !self.is_cautious()
            && (name.starts_with("s_waitcnt")
                || name.starts_with("s_wait_")
                || name.starts_with("s_barrier")
                || matches!(name, "s_sleep" | "s_sleep_var" | "s_sethalt"))
    }

    /// Whether the edge is a taken branch, which takes longer than any hazard. LLVM counts it as one wait state.
    fn is_taken(&self, from: usize, to: usize) -> bool {
        !self.is_cautious() && self.graph.block(from).end != self.graph.block(to).start
    }

    /// Wait states from an instruction to the place that a walk back started from, from those of the instructions between. The matrix
    /// core starts an instruction when the one before has done its passes. LLVM counts it as one wait state.
    fn with_passes(&self, index: usize, waited: u32, next: Option<NextMatrix>) -> u32 {
        match (self.matrix(index), next) {
            (Some(own), Some(next)) if own.shares_pipe(next.matrix) => {
                waited.max((next.distance + own.passes).saturating_sub(1))
            }
            _ => waited,
        }
    }

    /// The closest instruction before `index` that `found` takes, with the wait states between, if these are fewer than
    /// `limit`; the smallest number over all paths.
    fn since(&self, index: usize, limit: u32, found: impl Fn(usize) -> bool) -> Option<(u32, usize)> {
        self.distance(index, limit, found).map(|(distance, producer)| (distance.waited, producer))
    }

    /// Likewise, with the wait states that the matrix core holds the instruction back.
    fn distance(&self, index: usize, limit: u32, found: impl Fn(usize) -> bool) -> Option<(Distance, usize)> {
        let mut best: Option<(Distance, usize)> = None;
        let mut seen: Vec<(usize, u32)> = Vec::new();
        let own = self.matrix(index).map(|matrix| NextMatrix { matrix, distance: 0 });
        let mut work = vec![(self.graph.block_of(index), index, Distance { waited: 0, held: 0 }, own)];
        while let Some((block, end, mut passed, mut next)) = work.pop() {
            let mut open = true;
            for i in (self.graph.block(block).start..end).rev() {
                if self.graph.follows_gap(i + 1) {
                    open = false;
                    break;
                }
                if !self.is_cautious() {
                    let more = self.with_passes(i, passed.all(), next) - passed.all();
                    match next {
                        Some(next) if next.distance == 0 => passed.held += more,
                        _ => passed.waited += more,
                    }
                }
                if found(i) {
                    if best.is_none_or(|(b, _)| passed.all() < b.all()) {
                        best = Some((passed, i));
                    }
                    open = false;
                    break;
                }
                if !self.steps.spend(1) {
                    return None;
                }
                if let Some(matrix) = self.matrix(i) {
                    next = Some(NextMatrix { matrix, distance: passed.all() + 1 });
                }
                passed.waited += self.states(i);
                if self.blocks(i) || passed.all() >= best.map_or(limit, |(b, _)| b.all().min(limit)) {
                    open = false;
                    break;
                }
            }
            if !open || self.graph.follows_gap(self.graph.block(block).start) {
                continue;
            }
            for before in self.graph.cfg.predecessors(block as u32) {
                let before = *before as usize;
                if self.is_taken(before, block) || !self.steps.spend(1 + seen.len() as u64 / 8) {
                    continue;
                }
                if !seen.iter().any(|(b, w)| *b == before && *w <= passed.all()) {
                    seen.push((before, passed.all()));
                    work.push((before, self.graph.block(before).end, passed, next));
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
        let mut seen = FxHashSet::default();
        let mut work = vec![(self.graph.block_of(index), index, start)];
        'paths: while let Some((block, end, mut state)) = work.pop() {
            for i in (self.graph.block(block).start..end).rev() {
                if !self.steps.spend(1) || self.graph.follows_gap(i + 1) {
                    continue 'paths;
                }
                match visit(&mut state, i) {
                    Step::Go => {}
                    Step::Stop => continue 'paths,
                    Step::Found => return Some(i),
                }
            }
            if self.graph.follows_gap(self.graph.block(block).start) {
                continue;
            }
            for before in self.graph.cfg.predecessors(block as u32) {
                let before = *before as usize;
                if seen.insert(before) {
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

    /// The vector instruction that wrote a register fewer than `states` wait states ago, with how many are missing. LLVM does not ask
    /// whether something else has written the register since.
    fn vector_write(&self, index: usize, reg: Reg, states: u32) -> Option<(u32, usize)> {
        let writes = |i: usize, reg: Reg| self.writes_register(i, reg);
        let found = if self.is_cautious() {
            self.distance(index, states, |i| self.is(i, Traits::VALU) && writes(i, reg))
        } else {
            let parts = (0..u16::from(reg.dwords)).map(|n| Reg { index: reg.index + n, dwords: 1, ..reg });
            let writers = parts.filter_map(|part| self.distance(index, states, |i| writes(i, part)));
            writers
                .filter(|(_, i)| self.is(*i, Traits::VALU))
                .min_by_key(|(distance, i)| (distance.all(), *i))
        };
        found.map(|(distance, producer)| (distance.missing(states), producer))
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
