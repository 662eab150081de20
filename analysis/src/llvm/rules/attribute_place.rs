//! Attributes: where they may stand and what they take.

use crate::{Rule, Severity};

pub static ATTRIBUTE_PLACE: Rule = Rule {
    code: "attribute-place",
    severity: Severity::Error,
    explain: "Each attribute applies to functions, to parameters, to return values, or to several of these. Source: LLVM Language \
              Reference, *Parameter Attributes* and *Function Attributes*.",
};

pub static INVALID_ATTRIBUTE: Rule = Rule {
    code: "invalid-attribute",
    severity: Severity::Error,
    explain: "An attribute's argument is out of its range: alignments are powers of two, `dereferenceable` is not zero, ranges are not \
              empty. Source: LLVM Language Reference, *Parameter Attributes* and *Function Attributes*.",
};

pub const RULES: &[&Rule] = &[&ATTRIBUTE_PLACE, &INVALID_ATTRIBUTE];
