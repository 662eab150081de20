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
pub mod cfg;
pub(crate) mod clspv_reflection;
pub mod composites;
pub mod constants;
pub(crate) mod conversion;
pub mod debug;
pub mod debug_info;
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

/// Every rule of this dialect.
pub(crate) static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let families = [
        &[&SYNTAX_ERROR][..],
        lower::rules::RULES,
        layout::RULES,
        id::RULES,
        instruction::RULES,
        extensions::RULES,
        capability::RULES,
        debug::RULES,
        debug_info::RULES,
        clspv_reflection::RULES,
        builtins::RULES,
        image::RULES,
        annotation::RULES,
        types::RULES,
        constants::RULES,
        composites::RULES,
        arithmetics::RULES,
        cfg::RULES,
        entry_points::RULES,
        mode_setting::RULES,
        decorations::RULES,
        block_layout::RULES,
        interfaces::RULES,
        memory::RULES,
        function::RULES,
        scopes::RULES,
        memory_semantics::RULES,
        execution_limitations::RULES,
        specification::access::RULES,
        specification::branches::RULES,
        specification::calls::RULES,
        specification::constants::RULES,
        specification::interpolation::RULES,
        specification::non_uniform::RULES,
        specification::precision::RULES,
        specification::transform_feedback::RULES,
    ];
    families.concat()
});

/// A family: looks at one instruction.
pub(super) type Pass = fn(&RuleContext<'_>, Inst<'_>) -> Verdict;

/// The instructions that a family looks at.
enum Looks {
    /// At all of them, where a module or a function has what the family is about.
    Where(fn(&RuleContext<'_>) -> bool),
    /// At those of some opcodes.
    At(fn(Op) -> bool),
    /// At core instructions with numbers from one to another, and at those of extensions.
    Between(Op, Op),
    /// At those of some opcodes, and at those with operands that only few instructions may use.
    AtAndRestricted(fn(Op) -> bool),
}

use Looks::{At, AtAndRestricted, Between, Where};

const EXTENDED: Looks = At(|op| matches!(op, Op::ExtInst | Op::ExtInstWithForwardRefsKHR));
const OF_EXTENSIONS: Looks = At(is_of_extension);

/// Extensions number their instructions from 4096 on (SPIR-V specification, section 3.49).
fn is_of_extension(op: Op) -> bool {
    op.0 >= 4096
}

/// Instructions of one family follow each other (SPIR-V specification, section 3.49).
fn is_in((first, last): (Op, Op), op: Op) -> bool {
    (first.0..=last.0).contains(&op.0)
}

/// Families in the order of the reference validator.
const PASSES: &[(Looks, Pass)] = &[
    (
        At(|op| is_in((Op::DPdx, Op::EndStreamPrimitive), op) || op == Op::Undef || is_of_extension(op)),
        misc::check,
    ),
    (At(|op| matches!(op, Op::MemberName | Op::Line)), debug::check),
    (EXTENDED, debug_info::check),
    (EXTENDED, clspv_reflection::check),
    (AtAndRestricted(ops::is_decoration), annotation::check),
    (At(|op| matches!(op, Op::Extension | Op::ExtInstImport)), extensions::check),
    (EXTENDED, glsl_std_450::check),
    (EXTENDED, opencl_std::check),
    (At(|op| op == Op::EntryPoint), entry_points::check),
    (At(mode_setting::concerns), mode_setting::check),
    (AtAndRestricted(|op| ops::generates_type(op) || op == Op::TypeForwardPointer), types::check),
    (OF_EXTENSIONS, matrix_types::check),
    (Between(Op::ConstantTrue, Op::SpecConstantOp), constants::check),
    (At(|op| is_in((Op::Variable, Op::InBoundsPtrAccessChain), op) || op.0 >= Op::PtrEqual.0), memory::check),
    (At(|op| op == Op::Variable), decorations::local_variable),
    (At(|op| op == Op::FConvert), decorations::rounding),
    (AtAndRestricted(function::concerns), function::check),
    (At(image::concerns), image::check),
    (AtAndRestricted(|_| false), image::use_of_sampled_image),
    (Between(Op::ConvertFToU, Op::Bitcast), conversion::check),
    (
        At(|op| is_in((Op::VectorExtractDynamic, Op::Transpose), op) || op == Op::CopyLogical),
        composites::check,
    ),
    (Between(Op::SNegate, Op::SMulExtended), arithmetics::check),
    (Between(Op::ShiftRightLogical, Op::BitCount), bitwise::check),
    (Between(Op::Any, Op::FUnordGreaterThanEqual), logicals::check),
    (Between(Op::Phi, Op::Unreachable), cfg::check),
    (At(ops::is_atomic), atomics::check),
    (At(barriers::concerns), barriers::check),
    (At(scopes::is_non_uniform), non_uniform::check),
    (OF_EXTENSIONS, ray_query::check),
    (OF_EXTENSIONS, ray_tracing::check),
    (At(|op| is_of_extension(op) || op == Op::Variable), mesh_shading::check),
    (OF_EXTENSIONS, tensor::check),
    (Where(untyped_layout::concerns), untyped_layout::check),
    (Where(|m| m.has_content(Content::SmallFloat)), misc::invalid_type),
    (Where(misc::has_limited_numbers), misc::small_type_use),
    (Where(|m| m.scope.features.built_ins), builtins::check),
    (Where(storage_class::concerns), storage_class::check),
    (Where(|m| m.scope.features.fast_math_default), fast_math::check),
];

/// The families that look at an instruction, in order. `is_restricted` says whether an operand is something that only few instructions
/// may use.
pub(super) fn passes(m: &RuleContext<'_>, op: Op, is_restricted: bool) -> impl Iterator<Item = Pass> {
    let mut left = families(op, is_restricted) & m.families();
    std::iter::from_fn(move || {
        let (_, pass) = PASSES.get(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(*pass)
    })
}

/// The families that have something to look at in a chunk, as bits: the lowest is the first of [`PASSES`].
pub(super) fn families_here(m: &RuleContext<'_>) -> u64 {
    let looks = |looks: &Looks| !matches!(looks, Where(has) if !has(m));
    PASSES.iter().enumerate().map(|(at, (families, _))| u64::from(looks(families)) << at).sum()
}

/// The families that look at instructions of an opcode, as bits.
fn families(op: Op, is_restricted: bool) -> u64 {
    static BY_OPCODE: LazyLock<Vec<[u64; 2]>> = LazyLock::new(|| {
        let of = |op: Op, is_restricted: bool| {
            let looks = |looks: &Looks| match looks {
                Where(_) => true,
                At(is_one) => is_one(op),
                Between(first, last) => is_in((*first, *last), op) || is_of_extension(op),
                AtAndRestricted(is_one) => is_restricted || is_one(op),
            };
            let bits = PASSES.iter().enumerate().map(|(at, (families, _))| u64::from(looks(families)) << at);
            bits.sum()
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
                let place = scope.chunks.get(chunk).copied().unwrap_or_default();
                let m = RuleContext::new(&lowered.flat, &scope, place);
                for inst in m.insts().filter(|inst| inst.is_whole()) {
                    let operands = m.operands(inst);
                    if m.has_plain_operands(inst) {
                        assert_eq!((operands, id::check(&m, inst)), (Operands::Plain, Ok(())), "{text}");
                    }
                    let asked = families(inst.op(), operands == Operands::Restricted) & m.families();
                    let others = (0..PASSES.len()).filter(|at| asked & 1 << at == 0);
                    for at in others.filter(|_| operands != Operands::Unsound) {
                        let fault = PASSES[at].1(&m, inst).err();
                        assert!(fault.is_none(), "family {at} at {}: {fault:?}\n{text}", inst.op().name());
                    }
                }
            }
        }
    }
}
