//! The families of hazards: what says that they exist, which processors have them, and in which code they can find something.

use wavelens_isa::generation::NEWEST;
use wavelens_isa::processor::ProcessorFacts;
use wavelens_isa::{
    Generation::{self, *},
    Span, Target, Traits, WaveSize,
};

use self::Evidence::{Manual, Recognizer};
use super::{
    Code, Hazard, coexecution, denorm_mode, div_fmas, dpp, exec_write, export_priority, forwarding,
    image_address, lane_select, lds_branch, lds_direct, m0, mask_write, matrix_accumulator, matrix_operand,
    matrix_result, mode_register, partial_forwarding, permlane, scalar_address, scalar_read, scalar_reuse,
    shift_amount, soft_clause, store_data, transcendental, wait_idle, wmma,
};
use wavelens_base::Rule;

/// Looks at one instruction of a function.
pub(super) type Check = fn(&Code<'_>, usize) -> Option<Hazard>;

/// What says that two instructions must be kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Evidence {
    /// The instruction set manual of the generation requires it: a warning.
    Manual,
    /// Only LLVM's hazard recognizer inserts something, as a precaution or against a defect of some chips: a hint, reported on request.
    Recognizer,
}

/// A family: its rule, the best evidence for any of it, the processors that have it, and the check.
pub(super) type Family = (&'static Rule, Evidence, Processors, Check);

/// What looks at one instruction after the other.
const CHECKS: &[Family] = &[
    (&coexecution::RULE, Manual, on(Gfx12_5, Gfx12_5), coexecution::check),
    (&denorm_mode::RULE, Recognizer, on(Gfx10_1, Gfx10_3), denorm_mode::check),
    (&div_fmas::RULE, Manual, on(Unnamed, Gfx950), div_fmas::check),
    (&dpp::RULE, Manual, on(Gfx8, Gfx950), dpp::check),
    (&exec_write::RULE, Recognizer, on(Gfx10_1, Gfx10_1), exec_write::check),
    (&export_priority::RULE, Recognizer, on(Gfx11_5, Gfx11_5), export_priority::check),
    (&forwarding::RULE, Manual, on(Gfx940, Gfx950), forwarding::check),
    (&image_address::RULE, Recognizer, on(Gfx10_1, Gfx10_1), image_address::check),
    (&lane_select::RULE, Manual, on(Unnamed, Gfx950), lane_select::check),
    (&lds_branch::RULE, Recognizer, on(Gfx10_1, Gfx10_1), lds_branch::check),
    (&lds_direct::RULE, Manual, on(Gfx11, NEWEST), lds_direct::check),
    (&m0::RULE, Manual, on(Gfx8, Gfx950), m0::check),
    (&mask_write::RULE, Recognizer, on(Gfx11, Gfx11_7).wave64(), mask_write::check),
    (&matrix_accumulator::RULE, Manual, on(Gfx908, Gfx908), matrix_accumulator::check),
    (&matrix_operand::RULE, Manual, on(Gfx90a, Gfx950), matrix_operand::check),
    (&matrix_result::RULE, Manual, on(Gfx90a, Gfx950), matrix_result::check),
    (&mode_register::RULE, Manual, on(Unnamed, Gfx950), mode_register::check),
    (&partial_forwarding::RULE, Recognizer, on(Gfx11, Gfx11_7).wave64(), partial_forwarding::check),
    (&permlane::RULE, Manual, on(Gfx950, Gfx950), permlane::check),
    (&permlane::RULE, Recognizer, on(Gfx10_1, Gfx10_1).and(Gfx11, NEWEST), permlane::check),
    (&scalar_address::RULE, Manual, on(Gfx6, Gfx6).and(Gfx8, Gfx950), scalar_address::check),
    (&scalar_reuse::RULE, Recognizer, on(Gfx10_1, Gfx10_1), scalar_reuse::check),
    (&shift_amount::RULE, Recognizer, on(Gfx90a, Gfx90a), shift_amount::check),
    (&soft_clause::RULE, Recognizer, on(Gfx8, Gfx10_1).xnack(), soft_clause::check),
    (&store_data::RULE, Manual, on(Gfx7, Gfx950), store_data::check),
    (&transcendental::RULE, Recognizer, on(Gfx11, Gfx11), transcendental::check),
    (&wait_idle::RULE, Manual, on(Gfx12_5, Gfx12_5), wait_idle::check),
    (&wmma::RULE, Manual, on(Gfx11, Gfx12), wmma::check),
];

/// A family that follows all paths at once.
pub(super) type Flow = (&'static Rule, Evidence, Processors, fn(&Code<'_>) -> Vec<(usize, Hazard)>);

/// What looks at a function as a whole.
const FLOWS: &[Flow] = &[(&scalar_read::RULE, Recognizer, on(Gfx12, Gfx12), scalar_read::find)];

/// The processors that have a hazard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Processors {
    generations: [Option<Span>; 2],
    /// In waves of 64 lanes only.
    wave64: bool,
    /// Only where memory accesses may be replayed.
    xnack: bool,
}

const fn on(first: Generation, last: Generation) -> Processors {
    Processors { generations: [Some(Span(first, last)), None], wave64: false, xnack: false }
}

impl Processors {
    const fn and(self, first: Generation, last: Generation) -> Processors {
        Processors { generations: [self.generations[0], Some(Span(first, last))], ..self }
    }

    const fn wave64(self) -> Processors {
        Processors { wave64: true, ..self }
    }

    const fn xnack(self) -> Processors {
        Processors { xnack: true, ..self }
    }

    fn contains(&self, machine: &ProcessorFacts) -> bool {
        self.generations.iter().flatten().any(|span| span.contains(machine.generation))
            && (!self.wave64 || machine.target.wave_size() == WaveSize::W64)
            && (!self.xnack || machine.xnack)
    }
}

/// The instructions without which a family finds nothing.
const NEEDS: &[(&Rule, Traits)] = &[
    (&lds_direct::RULE, Traits::LDS_DIRECT),
    (&matrix_accumulator::RULE, Traits::MAI),
    (&matrix_operand::RULE, Traits::MAI),
    (&matrix_result::RULE, Traits::MAI.or(Traits::DOT)),
    (&scalar_address::RULE, Traits::VMEM.or(Traits::SMEM)),
    (&store_data::RULE, Traits::VMEM),
    (&wmma::RULE, Traits::WMMA),
];

/// The families that can find something in some code on a processor, by their places in [`CHECKS`] and [`FLOWS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Families {
    checks: Vec<usize>,
    flows: Vec<usize>,
}

impl Families {
    /// Those for code that has instructions of `present`.
    pub(crate) fn of(target: Target, present: Traits, pedantic: bool) -> Families {
        let machine = ProcessorFacts::of(target);
        let exists = |rule: &Rule, evidence: Evidence, processors: Processors| {
            let needed = NEEDS.iter().find(|(own, _)| *own == rule);
            let is_wanted = pedantic || evidence == Manual;
            is_wanted
                && needed.is_none_or(|(_, traits)| present.any(*traits))
                && processors.contains(&machine)
        };
        let (checks, flows) = (0..CHECKS.len(), 0..FLOWS.len());
        Families {
            checks: checks.filter(|&i| exists(CHECKS[i].0, CHECKS[i].1, CHECKS[i].2)).collect(),
            flows: flows.filter(|&i| exists(FLOWS[i].0, FLOWS[i].1, FLOWS[i].2)).collect(),
        }
    }

    /// Those that look at one instruction after the other.
    pub(super) fn checks(&self) -> Vec<&'static Family> {
        self.checks.iter().filter_map(|index| CHECKS.get(*index)).collect()
    }

    /// Those that look at a function as a whole.
    pub(super) fn flows(&self) -> Vec<&'static Flow> {
        self.flows.iter().filter_map(|index| FLOWS.get(*index)).collect()
    }
}
