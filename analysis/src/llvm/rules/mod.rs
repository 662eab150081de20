//! The rules, one file a rule or family. A family offers `RULES` and `function(cx)`, `module(cx)`, or both.

mod attributes;
mod module_metadata;
mod tbaa;

use super::check::{FunctionCx, ModuleCx};
use crate::Rule;

/// Every rule, by family.
pub const RULES: &[&[&Rule]] =
    &[&[&wavelens_syntax::llvm::SYNTAX_ERROR], attributes::RULES, module_metadata::RULES, tbaa::RULES];

/// Runs all rules on a function body.
pub fn check_function(cx: &mut FunctionCx<'_>) {
    attributes::function(cx);
    tbaa::function(cx);
}

/// Runs all rules on a chunk's module-level entities.
pub fn check_entities(cx: &mut ModuleCx<'_>) {
    attributes::module(cx);
    module_metadata::module(cx);
}
