//! Constants: literals, aggregates and expressions must suit their type.

use crate::{Rule, Severity};

pub static INVALID_CONSTANT: Rule = Rule {
    code: "invalid-constant",
    severity: Severity::Error,
    explain: "A constant does not suit its type: an integer for a pointer, an aggregate of another shape, a decimal number that a \
              `float` cannot hold exactly. Source: LLVM Language Reference, *Constants*.",
};

pub const RULES: &[&Rule] = &[&INVALID_CONSTANT];
