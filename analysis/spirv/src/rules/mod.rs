//! The rules, one file a family, and the order in which an instruction meets them.

pub mod annotation;
pub(crate) mod arithmetics;
pub mod assembler;
pub mod atomics;
pub mod barriers;
pub mod bitwise;
pub(crate) mod block_layout;
pub mod builtins;
pub mod capability;
#[cfg(test)]
mod case_tests;
pub mod cfg;
pub(crate) mod clspv_reflection;
pub mod composites;
pub mod constants;
pub(crate) mod conversion;
pub mod debug;
pub mod debug_info;
pub(crate) mod debug_source;
pub mod decorations;
pub(crate) mod entry_points;
pub(crate) mod execution_limitations;
mod ext_inst;
pub mod extensions;
pub(crate) mod fast_math;
pub mod function;
mod glsl_std_450;
pub mod id;
pub mod image;
pub mod instruction;
pub(crate) mod interfaces;
pub mod layout;
pub(crate) mod logicals;
pub(crate) mod matrix_types;
pub mod memory;
pub(crate) mod memory_semantics;
pub(crate) mod mesh_shading;
pub(crate) mod misc;
pub(crate) mod mode_setting;
pub(crate) mod non_uniform;
pub(crate) mod opencl_std;
pub mod pipeline;
pub(crate) mod ray_query;
pub(crate) mod ray_tracing;
pub mod scopes;
pub(crate) mod specification;
pub(crate) mod storage_class;
pub mod tensor;
#[cfg(test)]
pub(super) mod testing;
pub mod types;
pub(crate) mod untyped_layout;

use std::sync::LazyLock;

use wavelens_syntax::spirv::SYNTAX_ERROR;
use wavelens_syntax::spirv::tables::{INSTRUCTIONS, Op};

use super::code::Inst;
use super::contents::Content;
use super::context::RuleContext;
use super::{lower, ops};
use wavelens_base::{Rule, Verdict};

/// Looks at one instruction.
pub(super) type Check = fn(&RuleContext<'_>, Inst<'_>) -> Verdict;

/// A family of rules: those of one file, and the check that reports them.
struct Family {
    rules: &'static [&'static Rule],
    instruction: Option<(Trigger, Check)>,
}

impl Family {
    const fn of(rules: &'static [&'static Rule]) -> Family {
        Family { rules, instruction: None }
    }

    /// Looks at the instructions of a trigger, in the order of the list.
    const fn instruction(self, trigger: Trigger, check: Check) -> Family {
        Family { instruction: Some((trigger, check)), ..self }
    }
}

/// The instructions that a family looks at.
enum Trigger {
    /// At all of them, where a module or a function has what the family is about.
    Where(fn(&RuleContext<'_>) -> bool),
    /// At those of some opcodes.
    At(fn(Op) -> bool),
    /// At core instructions with numbers from one to another, and at those of extensions.
    Between(Op, Op),
    /// At those of some opcodes, and at those with operands that only few instructions may use.
    AtAndRestricted(fn(Op) -> bool),
}

use Trigger::{At, AtAndRestricted, Between, Where};

const EXTENDED: Trigger = At(|op| matches!(op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR));
const OF_EXTENSIONS: Trigger = At(is_of_extension);

/// Extensions number their instructions from 4096 on (SPIR-V specification, section 3.49).
fn is_of_extension(op: Op) -> bool {
    op.0 >= 4096
}

/// Instructions of one family follow each other (SPIR-V specification, section 3.49).
fn is_in(first: Op, last: Op, op: Op) -> bool {
    (first.0..=last.0).contains(&op.0)
}

/// What the grammar reports.
const SYNTAX: &[&Rule] = &[&SYNTAX_ERROR];

/// The families: first those that look at instructions, in the order of the reference validator. What has no check here looks at the
/// module or a function as a whole ([`check`](super::check)).
const FAMILIES: &[Family] = &[
    Family::of(SYNTAX),
    Family::of(lower::rules::RULES),
    Family::of(&[]).instruction(
        At(|op| is_in(Op::DPdx, Op::EndStreamPrimitive, op) || op == Op::Undef || is_of_extension(op)),
        misc::instruction,
    ),
    Family::of(debug::RULES)
        .instruction(At(|op| matches!(op, Op::MemberName | Op::Line)), debug::instruction),
    Family::of(debug_info::RULES).instruction(EXTENDED, debug_info::instruction),
    Family::of(clspv_reflection::RULES).instruction(EXTENDED, clspv_reflection::instruction),
    Family::of(annotation::RULES).instruction(AtAndRestricted(ops::is_decoration), annotation::instruction),
    Family::of(extensions::RULES)
        .instruction(At(|op| matches!(op, Op::Extension | Op::ExtInstImport)), extensions::instruction),
    Family::of(&[]).instruction(EXTENDED, glsl_std_450::instruction),
    Family::of(&[]).instruction(EXTENDED, opencl_std::instruction),
    Family::of(debug_source::RULES).instruction(EXTENDED, debug_source::instruction),
    Family::of(entry_points::RULES).instruction(At(|op| op == Op::EntryPoint), entry_points::instruction),
    Family::of(mode_setting::RULES).instruction(At(mode_setting::concerns), mode_setting::instruction),
    Family::of(types::RULES).instruction(
        AtAndRestricted(|op| ops::generates_type(op) || op == Op::TypeForwardPointer),
        types::instruction,
    ),
    Family::of(&[]).instruction(OF_EXTENSIONS, matrix_types::instruction),
    Family::of(constants::RULES)
        .instruction(Between(Op::ConstantTrue, Op::SpecConstantOp), constants::instruction),
    Family::of(memory::RULES).instruction(
        At(|op| is_in(Op::Variable, Op::InBoundsPtrAccessChain, op) || op.0 >= Op::PtrEqual.0),
        memory::instruction,
    ),
    Family::of(decorations::RULES).instruction(At(|op| op == Op::Variable), decorations::local_variable),
    Family::of(&[]).instruction(At(|op| op == Op::FConvert), decorations::rounding),
    Family::of(function::RULES).instruction(AtAndRestricted(function::concerns), function::instruction),
    Family::of(image::RULES).instruction(At(image::concerns), image::instruction),
    Family::of(&[]).instruction(AtAndRestricted(|_| false), image::use_of_sampled_image),
    Family::of(&[]).instruction(Between(Op::ConvertFToU, Op::Bitcast), conversion::instruction),
    Family::of(composites::RULES).instruction(
        At(|op| is_in(Op::VectorExtractDynamic, Op::Transpose, op) || op == Op::CopyLogical),
        composites::instruction,
    ),
    Family::of(arithmetics::RULES)
        .instruction(Between(Op::SNegate, Op::SMulExtended), arithmetics::instruction),
    Family::of(&[]).instruction(Between(Op::ShiftRightLogical, Op::BitCount), bitwise::instruction),
    Family::of(&[]).instruction(Between(Op::Any, Op::FUnordGreaterThanEqual), logicals::instruction),
    Family::of(cfg::RULES).instruction(Between(Op::Phi, Op::Unreachable), cfg::instruction),
    Family::of(&[]).instruction(At(ops::is_atomic), atomics::instruction),
    Family::of(&[]).instruction(At(barriers::concerns), barriers::instruction),
    Family::of(&[]).instruction(At(scopes::is_non_uniform), non_uniform::instruction),
    Family::of(&[]).instruction(OF_EXTENSIONS, ray_query::instruction),
    Family::of(&[]).instruction(OF_EXTENSIONS, ray_tracing::instruction),
    Family::of(&[])
        .instruction(At(|op| is_of_extension(op) || op == Op::Variable), mesh_shading::instruction),
    Family::of(&[]).instruction(OF_EXTENSIONS, tensor::instruction),
    Family::of(&[]).instruction(Where(untyped_layout::concerns), untyped_layout::instruction),
    Family::of(&[]).instruction(Where(|m| m.has_content(Content::SmallFloat)), misc::invalid_type),
    Family::of(&[]).instruction(Where(misc::has_limited_numbers), misc::small_type_use),
    Family::of(builtins::RULES).instruction(Where(|m| m.scope.features.built_ins), builtins::instruction),
    Family::of(&[]).instruction(Where(storage_class::concerns), storage_class::instruction),
    Family::of(&[]).instruction(Where(|m| m.scope.features.fast_math_default), fast_math::instruction),
    Family::of(layout::RULES),
    Family::of(id::RULES),
    Family::of(instruction::RULES),
    Family::of(capability::RULES),
    Family::of(block_layout::RULES),
    Family::of(interfaces::RULES),
    Family::of(scopes::RULES),
    Family::of(memory_semantics::RULES),
    Family::of(execution_limitations::RULES),
    Family::of(specification::access::RULES),
    Family::of(specification::branches::RULES),
    Family::of(specification::calls::RULES),
    Family::of(specification::constants::RULES),
    Family::of(specification::derivatives::RULES),
    Family::of(specification::interpolation::RULES),
    Family::of(specification::non_uniform::RULES),
    Family::of(specification::precision::RULES),
    Family::of(specification::transform_feedback::RULES),
];

/// Those that look at instructions have a bit each, see [`families`].
const BITS: usize = 64;

const _: () = {
    let mut at = BITS;
    while at < FAMILIES.len() {
        assert!(FAMILIES[at].instruction.is_none());
        at += 1;
    }
};

/// Every rule of this dialect.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let own = FAMILIES.iter().flat_map(|family| family.rules);
    own.chain(pipeline::rules()).copied().collect()
});

/// The families that look at an instruction, in order. `is_restricted` says whether an operand is something that only few instructions
/// may use.
pub(super) fn passes(m: &RuleContext<'_>, op: Op, is_restricted: bool) -> impl Iterator<Item = Check> {
    let mut left = families(op, is_restricted) & m.families();
    std::iter::from_fn(move || {
        let (_, check) = FAMILIES.get(left.trailing_zeros() as usize)?.instruction.as_ref()?;
        left &= left - 1;
        Some(*check)
    })
}

/// The families whose trigger passes a test, as bits.
fn bits(is_wanted: impl Fn(&Trigger) -> bool) -> u64 {
    let looks = |family: &Family| family.instruction.as_ref().is_some_and(|(trigger, _)| is_wanted(trigger));
    FAMILIES.iter().take(BITS).enumerate().map(|(at, family)| u64::from(looks(family)) << at).sum()
}

/// The families that have something to look at in a chunk, as bits: the lowest is the first of [`FAMILIES`].
pub(super) fn families_here(m: &RuleContext<'_>) -> u64 {
    bits(|trigger| !matches!(trigger, Where(has) if !has(m)))
}

/// The families that look at instructions of an opcode, as bits.
fn families(op: Op, is_restricted: bool) -> u64 {
    static BY_OPCODE: LazyLock<Vec<[u64; 2]>> = LazyLock::new(|| {
        let of = |op: Op, is_restricted: bool| {
            bits(|trigger| match trigger {
                Where(_) => true,
                At(is_one) => is_one(op),
                Between(first, last) => is_in(*first, *last, op) || is_of_extension(op),
                AtAndRestricted(is_one) => is_restricted || is_one(op),
            })
        };
        INSTRUCTIONS.iter().map(|info| [of(info.op, false), of(info.op, true)]).collect()
    });
    let families = op.place().and_then(|place| BY_OPCODE.get(place));
    families.map_or(0, |families| families[usize::from(is_restricted)])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::operands::Operands;
    use crate::{lower, scope, summarize};
    use wavelens_base::{ChunkId, Dialect, Options};

    /// A family that is not asked about an opcode has nothing to say of it: in the examples of all rules, right and wrong.
    #[test]
    fn families_look_at_all_that_they_judge() {
        for text in RULES.iter().flat_map(|rule| [rule.example, rule.fixed]) {
            let spans = wavelens_syntax::split(Dialect::Spirv, text);
            let texts = spans.iter().filter_map(|span| text.get(std::ops::Range::<usize>::from(span.range)));
            let lowered: Vec<_> = texts.map(lower).collect();
            let summaries: Vec<_> = (0..)
                .zip(&lowered)
                .map(|(at, lowered)| (ChunkId(at), Arc::new(summarize(lowered))))
                .collect();
            let scope = scope(&summaries, &Options::default());
            for ((chunk, _), lowered) in summaries.iter().zip(&lowered) {
                let m = RuleContext::new(&lowered.flat, &scope, *chunk);
                for inst in m.insts().filter(|inst| inst.is_whole()) {
                    let operands = m.operands(inst);
                    if m.has_plain_operands(inst) {
                        assert_eq!((operands, id::check(&m, inst)), (Operands::Plain, Ok(())), "{text}");
                    }
                    let asked = families(inst.op(), operands == Operands::Restricted) & m.families();
                    let others = (0..FAMILIES.len().min(BITS)).filter(|at| asked & 1 << at == 0);
                    let others = others.filter_map(|at| Some((at, FAMILIES[at].instruction.as_ref()?)));
                    for (at, (_, check)) in others.filter(|_| operands != Operands::Unsound) {
                        let fault = check(&m, inst).err();
                        assert!(fault.is_none(), "family {at} at {}: {fault:?}\n{text}", inst.op().name());
                    }
                }
            }
        }
    }
}
