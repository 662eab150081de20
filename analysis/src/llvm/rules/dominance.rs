//! A definition must dominate its uses.

use crate::{Rule, Severity};

pub static DOMINANCE: Rule = Rule {
    code: "dominance",
    severity: Severity::Error,
    explain: "On every path from the function's entry to a use, the value must have been computed. Source: LLVM Language Reference, \
              *Well-Formedness*.",
};

pub const RULES: &[&Rule] = &[&DOMINANCE];
