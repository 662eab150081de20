//! The rules, one file a rule or family, and the list of families, in the order in which they run.

mod advice;
pub(crate) mod aliases;
#[cfg(test)]
mod argument_tests;
mod asm_constraints;
mod asm_instructions;
mod asm_operands;
#[cfg(test)]
mod asm_tests;
mod asm_values;
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
#[cfg(test)]
mod limit_tests;
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

use std::sync::LazyLock;

use super::lower;
use crate::context::{ModuleContext, RuleContext};
use wavelens_base::Rule;

/// A family of rules: those of one file, and the checks that report them.
pub(crate) struct Family {
    rules: &'static [&'static Rule],
    function: Option<fn(&mut RuleContext<'_>)>,
    module: Option<fn(&mut ModuleContext<'_>)>,
}

impl Family {
    const fn of(rules: &'static [&'static Rule]) -> Family {
        Family { rules, function: None, module: None }
    }

    /// Looks at each function, in the order of the list.
    const fn function(self, check: fn(&mut RuleContext<'_>)) -> Family {
        Family { function: Some(check), ..self }
    }

    /// Looks at the other entities of each chunk, in the order of the list.
    const fn module(self, check: fn(&mut ModuleContext<'_>)) -> Family {
        Family { module: Some(check), ..self }
    }
}

/// The families. What has no check here is reported by lowering, over all chunks, or by another family.
const FAMILIES: &[Family] = &[
    Family::of(wavelens_syntax::llvm::RULES),
    Family::of(lower::rules::RULES),
    Family::of(references::RULES).function(references::function).module(references::module),
    Family::of(metadata_fields::RULES).function(metadata_fields::function).module(metadata_fields::module),
    Family::of(debug_info::RULES).function(debug_info::function).module(debug_info::module),
    Family::of(debug_info::problem::RULES),
    Family::of(debug_info::records::RULES),
    Family::of(link_summary::RULES).module(link_summary::module),
    Family::of(&[]).module(linkage::module),
    Family::of(type_mismatch::RULES).function(type_mismatch::function),
    Family::of(&[]).function(constants::function).module(constants::module),
    Family::of(operands::RULES).function(operands::function),
    Family::of(operands::calls::RULES),
    Family::of(operands::casts::RULES),
    Family::of(definition_order::RULES).function(definition_order::function).module(definition_order::module),
    Family::of(dominance::RULES).function(dominance::function),
    Family::of(attributes::RULES).function(attributes::function).module(attributes::module),
    Family::of(attachments::RULES).function(attachments::function),
    Family::of(attachments::fault::RULES),
    Family::of(block_addresses::RULES).module(block_addresses::module),
    Family::of(call_mismatch::RULES).function(call_mismatch::function),
    Family::of(calls::RULES).function(calls::function),
    Family::of(&[]).function(convergence::function),
    Family::of(conventions::RULES).function(conventions::function).module(conventions::module),
    Family::of(exceptions::RULES).function(exceptions::function),
    Family::of(&[]).function(funclets::function),
    Family::of(globals::RULES).module(globals::module),
    Family::of(aliases::RULES).module(aliases::module),
    Family::of(&[]).module(links::module),
    Family::of(intrinsics::RULES).function(intrinsics::function).module(intrinsics::module),
    Family::of(memory::RULES).function(memory::function).module(memory::module),
    Family::of(module_metadata::RULES).module(module_metadata::module),
    Family::of(attachments::profile::RULES).module(attachments::profile::module),
    Family::of(&[]).function(target::function).module(target::module),
    Family::of(tbaa::RULES).function(tbaa::function),
    Family::of(advice::RULES).function(advice::function),
    Family::of(&[]).module(types::module),
    Family::of(&[]).function(undefined::function).module(undefined::module),
    Family::of(undefined::arguments::RULES),
    Family::of(undefined::attributes::RULES),
    Family::of(undefined::bounds::RULES),
    Family::of(undefined::calls::RULES),
    Family::of(undefined::dereference::RULES),
    Family::of(undefined::effects::RULES),
    Family::of(undefined::flow::RULES),
    Family::of(undefined::lifetime::RULES),
    Family::of(undefined::results::RULES),
    Family::of(ineffective::RULES).function(ineffective::function).module(ineffective::module),
    Family::of(&[]).function(use_lists::function).module(use_lists::module),
    Family::of(bundles::RULES),
    Family::of(duplicates::RULES),
    Family::of(asm_constraints::RULES),
    Family::of(asm_instructions::RULES),
    Family::of(asm_operands::RULES),
    Family::of(inline_asm::RULES),
    Family::of(language_level::RULES),
    Family::of(musttail::RULES),
    Family::of(unused::RULES),
];

/// Every rule of this dialect.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let own = FAMILIES.iter().map(|family| family.rules);
    own.chain(target::RULES.iter().copied()).flatten().copied().collect()
});

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

/// Checks a module and compares its marks: the text is both input and expected value ([`wavelens_check::testing::marked`]).
#[cfg(test)]
#[track_caller]
pub(crate) fn marks(text: expect_test::Expect) {
    wavelens_check::testing::marks(wavelens_base::Dialect::Llvm, text.data(), |marked| {
        text.assert_eq(marked)
    });
}

/// Findings about a module, compared with what is expected: see [`wavelens_check::testing::findings`].
#[cfg(test)]
pub(crate) fn check(text: &str, expected: expect_test::Expect) {
    expected.assert_eq(&wavelens_check::testing::findings(wavelens_base::Dialect::Llvm, text));
}

/// Runs all rules on a function body.
pub(crate) fn check_function(cx: &mut RuleContext<'_>) {
    for check in FAMILIES.iter().filter_map(|family| family.function) {
        check(cx);
    }
}

/// Runs all rules on a chunk's module-level entities.
pub(crate) fn check_entities(cx: &mut ModuleContext<'_>) {
    for check in FAMILIES.iter().filter_map(|family| family.module) {
        check(cx);
    }
}
