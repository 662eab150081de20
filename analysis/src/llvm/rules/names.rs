//! Names: each is defined once, and numbers ascend.

use crate::{Rule, Severity};

pub static DUPLICATE_NAME: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Error,
    explain: "A name is defined once: `%x` within a function, `@f`, `%T`, `$c` and `!0` within a module. Source: LLVM Language \
              Reference, *Identifiers*.",
};

pub static WRONG_NUMBER: Rule = Rule {
    code: "wrong-number",
    severity: Severity::Error,
    explain: "Unnamed values are numbered in the order in which they are defined; parameters, blocks and instructions of a \
              function share one sequence. A number may be skipped but not come back. Source: LLVM Language Reference, *Identifiers*.",
};

pub static VOID_NAMED: Rule = Rule {
    code: "void-result-named",
    severity: Severity::Error,
    explain: "Instructions that give no value (`store`, `ret`, a call of a `void` function, ...) cannot be named.",
};

pub const RULES: &[&Rule] = &[&DUPLICATE_NAME, &WRONG_NUMBER, &VOID_NAMED];
