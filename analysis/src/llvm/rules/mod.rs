//! The rules, one file a rule or family. A family offers `RULES` and `function(cx)`, `module(cx)`, or both.

<<<<<<< HEAD
pub mod attribute_place;
mod attributes;
pub mod constants;
pub mod dominance;
pub mod linkage;
pub mod metadata_fields;
mod module_metadata;
pub mod names;
pub mod operands;
pub mod references;
=======
mod attachments;
mod attributes;
mod bundles;
mod calls;
mod conventions;
mod globals;
mod inline_asm;
mod memory_profile;
mod module_metadata;
mod musttail;
mod profile;
>>>>>>> fd6da5f (Add rules for globals, calling conventions, metadata attachments; match intrinsic signatures)
mod tbaa;
pub mod type_mismatch;
pub mod types;

use super::check::{FunctionCx, ModuleCx};
use crate::Rule;

/// Every rule, by family.
pub const RULES: &[&[&Rule]] = &[
<<<<<<< HEAD
    &[&wavelens_syntax::llvm::SYNTAX_ERROR, &wavelens_syntax::llvm::TYPED_POINTER],
    attribute_place::RULES,
    attributes::RULES,
    constants::RULES,
    dominance::RULES,
    linkage::RULES,
    metadata_fields::RULES,
    module_metadata::RULES,
    names::RULES,
    operands::RULES,
    references::RULES,
    tbaa::RULES,
    type_mismatch::RULES,
    types::RULES,
=======
    &[&wavelens_syntax::llvm::SYNTAX_ERROR],
    attachments::RULES,
    attributes::RULES,
    bundles::RULES,
    calls::RULES,
    conventions::RULES,
    inline_asm::RULES,
    musttail::RULES,
    globals::RULES,
    module_metadata::RULES,
    profile::RULES,
    tbaa::RULES,
>>>>>>> fd6da5f (Add rules for globals, calling conventions, metadata attachments; match intrinsic signatures)
];

/// Runs all rules on a function body.
pub fn check_function(cx: &mut FunctionCx<'_>) {
    attributes::function(cx);
    attachments::function(cx);
    calls::function(cx);
    conventions::function(cx);
    tbaa::function(cx);
}

/// Runs all rules on a chunk's module-level entities.
pub fn check_entities(cx: &mut ModuleCx<'_>) {
    attributes::module(cx);
    conventions::module(cx);
    globals::module(cx);
    module_metadata::module(cx);
    profile::module(cx);
}
