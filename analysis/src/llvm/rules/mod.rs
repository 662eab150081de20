//! The rules, one file a rule or family. A family offers `RULES` and `function(cx)`, `module(cx)`, or both.

use super::check::{FunctionCx, ModuleCx};
use crate::Rule;

/// Every rule, by family.
pub const RULES: &[&[&Rule]] = &[&[&wavelens_syntax::llvm::SYNTAX_ERROR]];

/// Runs all rules on a function body.
pub fn check_function(_cx: &mut FunctionCx<'_>) {}

/// Runs all rules on a chunk's module-level entities.
pub fn check_entities(_cx: &mut ModuleCx<'_>) {}
