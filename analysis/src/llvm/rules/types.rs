//! Types: what may stand in what.

use crate::{Rule, Severity};

pub static INVALID_TYPE: Rule = Rule {
    code: "invalid-type",
    severity: Severity::Error,
    explain: "A type stands where it is not allowed: `void` other than as a result, a function in a struct, a vector of structs, an \
              integer wider than 2^23 bits. Source: LLVM Language Reference, *Type System*.",
};

pub const RULES: &[&Rule] = &[&INVALID_TYPE];
