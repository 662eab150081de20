//! The rules, one file a rule or family. A family offers `RULES` and `function(cx)`, `module(cx)`, or both.

mod advice;
pub(crate) mod aliases;
mod asm_constraints;
mod asm_instructions;
mod asm_operands;
mod attachments;
mod attributes;
mod block_addresses;
mod bundles;
mod call_mismatch;
mod call_site;
mod calls;
pub mod constants;
mod conventions;
mod convergence;
pub mod debug_info;
mod definition_order;
pub mod dominance;
pub(crate) mod duplicates;
mod exceptions;
mod funclets;
pub(crate) mod globals;
mod ineffective;
mod inline_asm;
mod intrinsic_calls;
mod intrinsics;
pub(crate) mod language_level;
mod link_summary;
pub mod linkage;
mod links;
pub mod memory;
pub mod metadata_fields;
pub(crate) mod module_asm;
mod module_metadata;
mod musttail;
#[cfg(test)]
mod newer_tests;
pub mod operands;
pub mod references;
pub(crate) mod target;
mod tbaa;
pub(crate) mod type_mismatch;
pub mod types;
mod undefined;
pub mod unused;
pub(crate) mod use_lists;

use super::lower;
use crate::context::{FunctionContext, ModuleContext};
use wavelens_base::Rule;

/// Every rule, by family.
pub(crate) static RULES: &[&[&Rule]] = &[
    wavelens_syntax::llvm::RULES,
    lower::rules::RULES,
    advice::RULES,
    attachments::RULES,
    attachments::fault::RULES,
    attributes::RULES,
    block_addresses::RULES,
    bundles::RULES,
    call_mismatch::RULES,
    calls::RULES,
    conventions::RULES,
    debug_info::RULES,
    debug_info::problem::RULES,
    debug_info::records::RULES,
    definition_order::RULES,
    dominance::RULES,
    duplicates::RULES,
    exceptions::RULES,
    globals::RULES,
    aliases::RULES,
    ineffective::RULES,
    asm_constraints::RULES,
    asm_instructions::RULES,
    asm_operands::RULES,
    inline_asm::RULES,
    intrinsics::RULES,
    link_summary::RULES,
    language_level::RULES,
    memory::RULES,
    metadata_fields::RULES,
    module_metadata::RULES,
    musttail::RULES,
    operands::RULES,
    operands::calls::RULES,
    operands::casts::RULES,
    attachments::profile::RULES,
    references::RULES,
    tbaa::RULES,
    type_mismatch::RULES,
    undefined::arguments::RULES,
    undefined::attributes::RULES,
    undefined::bounds::RULES,
    undefined::calls::RULES,
    undefined::dereference::RULES,
    undefined::effects::RULES,
    undefined::flow::RULES,
    undefined::lifetime::RULES,
    undefined::results::RULES,
    unused::RULES,
];

/// What users see, for tests: `line: code: message` for each finding.
#[cfg(test)]
pub(crate) fn findings(text: &str) -> String {
    let found =
        wavelens_check::check_text(wavelens_base::Dialect::Llvm, text, &wavelens_base::Options::default());
    let line = |f: &wavelens_base::Finding| {
        text.bytes().take(f.range.start().into()).filter(|b| *b == b'\n').count() + 1
    };
    found.iter().map(|f| format!("{}: {}: {}\n", line(f), f.rule.code, f.message)).collect()
}

/// Findings about a module, compared with what is expected: see [`wavelens_check::testing::findings`].
#[cfg(test)]
pub(crate) fn check(text: &str, expected: expect_test::Expect) {
    expected.assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, text));
}

/// Runs all rules on a function body.
pub(crate) fn check_function(cx: &mut FunctionContext<'_>) {
    references::function(cx);
    metadata_fields::function(cx);
    debug_info::function(cx);
    type_mismatch::function(cx);
    constants::function(cx);
    operands::function(cx);
    definition_order::function(cx);
    dominance::function(cx);
    attributes::function(cx);
    attachments::function(cx);
    call_mismatch::function(cx);
    calls::function(cx);
    convergence::function(cx);
    conventions::function(cx);
    exceptions::function(cx);
    funclets::function(cx);
    intrinsics::function(cx);
    memory::function(cx);
    target::function(cx);
    tbaa::function(cx);
    advice::function(cx);
    undefined::function(cx);
    ineffective::function(cx);
    use_lists::function(cx);
}

/// Runs all rules on a chunk's module-level entities.
pub(crate) fn check_entities(cx: &mut ModuleContext<'_>) {
    references::module(cx);
    metadata_fields::module(cx);
    debug_info::module(cx);
    link_summary::module(cx);
    linkage::module(cx);
    constants::module(cx);
    attributes::module(cx);
    block_addresses::module(cx);
    conventions::module(cx);
    definition_order::module(cx);
    globals::module(cx);
    aliases::module(cx);
    links::module(cx);
    ineffective::module(cx);
    intrinsics::module(cx);
    memory::module(cx);
    module_metadata::module(cx);
    attachments::profile::module(cx);
    target::module(cx);
    types::module(cx);
    undefined::module(cx);
    use_lists::module(cx);
}
