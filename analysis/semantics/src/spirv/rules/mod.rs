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
mod matrix_types;
pub mod memory;
pub(crate) mod memory_semantics;
pub(crate) mod mesh_shading;
pub(crate) mod misc;
pub(crate) mod mode_setting;
pub(crate) mod non_uniform;
pub(crate) mod opencl_std;
pub(crate) mod ray_query;
pub(crate) mod ray_tracing;
pub mod scopes;
pub(crate) mod storage_class;
pub mod tensor;
#[cfg(test)]
pub(super) mod testing;
pub mod types;
pub(crate) mod untyped_layout;

use std::sync::LazyLock;

use wavelens_syntax::spirv::SYNTAX_ERROR;

use super::code::Inst;
use super::context::RuleContext;
use super::lower;
use crate::{Rule, Verdict};

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
    ];
    families.concat()
});

/// A family: looks at one instruction.
pub(super) type Pass = fn(&RuleContext<'_>, Inst<'_>) -> Verdict;

/// Families in the order of the reference validator.
pub(super) const PASSES: &[Pass] = &[
    misc::check,
    debug::check,
    debug_info::check,
    clspv_reflection::check,
    annotation::check,
    extensions::check,
    glsl_std_450::check,
    opencl_std::check,
    entry_points::check,
    mode_setting::check,
    types::check,
    matrix_types::check,
    constants::check,
    memory::check,
    decorations::local_variable,
    decorations::rounding,
    function::check,
    image::check,
    image::use_of_sampled_image,
    conversion::check,
    composites::check,
    arithmetics::check,
    bitwise::check,
    logicals::check,
    cfg::check,
    atomics::check,
    barriers::check,
    non_uniform::check,
    ray_query::check,
    ray_tracing::check,
    mesh_shading::check,
    tensor::check,
    untyped_layout::check,
    misc::invalid_type,
    misc::small_type_use,
    builtins::check,
    storage_class::check,
    fast_math::check,
];
