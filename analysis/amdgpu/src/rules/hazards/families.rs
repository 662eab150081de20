//! The families of hazards: what says that they exist, which processors have them, and in which code they can find something.

use wavelens_isa::processor::ProcessorFacts;
use wavelens_isa::{Target, Traits, WaveSize};

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
pub(super) type Family = (&'static Rule, Evidence, fn(&ProcessorFacts) -> bool, Check);

/// What looks at one instruction after the other.
const CHECKS: &[Family] = &[
    (&coexecution::RULE, Manual, coexecution::applies, coexecution::check),
    (&denorm_mode::RULE, Recognizer, denorm_mode::applies, denorm_mode::check),
    (&div_fmas::RULE, Manual, before_gfx10, div_fmas::check),
    (&dpp::RULE, Manual, gfx8_and_9, dpp::check),
    (&exec_write::RULE, Recognizer, gfx10_1, exec_write::check),
    (&export_priority::RULE, Recognizer, export_priority::applies, export_priority::check),
    (&forwarding::RULE, Manual, forwarding::applies, forwarding::check),
    (&image_address::RULE, Recognizer, gfx10_1, image_address::check),
    (&lane_select::RULE, Manual, before_gfx10, lane_select::check),
    (&lds_branch::RULE, Recognizer, gfx10_1, lds_branch::check),
    (&lds_direct::RULE, Manual, lds_direct::applies, lds_direct::check),
    (&m0::RULE, Manual, gfx8_and_9, m0::check),
    (&mask_write::RULE, Recognizer, gfx11_wave64, mask_write::check),
    (&matrix_accumulator::RULE, Manual, matrix_accumulator::applies, matrix_accumulator::check),
    (&matrix_operand::RULE, Manual, unified_agprs, matrix_operand::check),
    (&matrix_result::RULE, Manual, unified_agprs, matrix_result::check),
    (&mode_register::RULE, Manual, before_gfx10, mode_register::check),
    (&partial_forwarding::RULE, Recognizer, gfx11_wave64, partial_forwarding::check),
    (&permlane::RULE, Manual, permlane::is_required, permlane::check),
    (&permlane::RULE, Recognizer, permlane::is_advised, permlane::check),
    (&scalar_address::RULE, Manual, scalar_address::applies, scalar_address::check),
    (&scalar_reuse::RULE, Recognizer, gfx10_1, scalar_reuse::check),
    (&shift_amount::RULE, Recognizer, shift_amount::applies, shift_amount::check),
    (&soft_clause::RULE, Recognizer, soft_clause::applies, soft_clause::check),
    (&store_data::RULE, Manual, store_data::applies, store_data::check),
    (&transcendental::RULE, Recognizer, transcendental::applies, transcendental::check),
    (&wait_idle::RULE, Manual, wait_idle::applies, wait_idle::check),
    (&wmma::RULE, Manual, wmma::applies, wmma::check),
];

/// A family that follows all paths at once.
pub(super) type Flow =
    (&'static Rule, Evidence, fn(&ProcessorFacts) -> bool, fn(&Code<'_>) -> Vec<(usize, Hazard)>);

/// What looks at a function as a whole.
const FLOWS: &[Flow] = &[(&scalar_read::RULE, Recognizer, scalar_read::applies, scalar_read::find)];

fn before_gfx10(m: &ProcessorFacts) -> bool {
    m.major < 10
}

fn gfx8_and_9(m: &ProcessorFacts) -> bool {
    matches!(m.major, 8 | 9)
}

fn gfx10_1(m: &ProcessorFacts) -> bool {
    (m.major, m.minor) == (10, 1)
}

fn unified_agprs(m: &ProcessorFacts) -> bool {
    m.unified_agprs
}

fn gfx11_wave64(m: &ProcessorFacts) -> bool {
    m.major == 11 && m.target.wave_size() == WaveSize::W64
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
        let exists = |rule: &Rule, evidence: Evidence, applies: fn(&ProcessorFacts) -> bool| {
            let needed = NEEDS.iter().find(|(own, _)| own.code == rule.code);
            let is_wanted = pedantic || evidence == Manual;
            is_wanted && needed.is_none_or(|(_, traits)| present.any(*traits)) && applies(&machine)
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
