//! Each use of a value must name the type that the value has.

use crate::{Rule, Severity};

pub static TYPE_MISMATCH: Rule = Rule {
    code: "type-mismatch",
    severity: Severity::Error,
    explain: "A value is used with another type than it was defined with. Every operand repeats its type, and the two must agree.",
};

pub const RULES: &[&Rule] = &[&TYPE_MISMATCH];
