//! Linkage, visibility and storage classes of globals and functions.

use crate::{Rule, Severity};

pub static INVALID_LINKAGE: Rule = Rule {
    code: "invalid-linkage",
    severity: Severity::Error,
    explain: "Linkage, visibility and DLL storage class must suit each other and the entity. Source: LLVM Language Reference, \
              *Linkage Types*.",
};

pub const RULES: &[&Rule] = &[&INVALID_LINKAGE];
