//! References: what is named must exist.

use crate::{Rule, Severity};

pub static UNDEFINED_VALUE: Rule = Rule {
    code: "undefined-value",
    severity: Severity::Error,
    explain: "A value is used that nothing defines: `%x` in its function, `@f` in its module. Functions from other modules are \
              declared with `declare`. Source: LLVM Language Reference, *Identifiers*.",
};

pub static LOCAL_OUTSIDE: Rule = Rule {
    code: "local-in-constant",
    severity: Severity::Error,
    explain: "Constants, and everything outside of functions, can only refer to constants and globals, never to `%` values.",
};

pub static USE_LIST_ORDER: Rule = Rule {
    code: "use-list-order",
    severity: Severity::Error,
    explain: "The indexes of `uselistorder` are a permutation of the numbers below their count, and not the identity.",
};

pub const RULES: &[&Rule] = &[&UNDEFINED_VALUE, &LOCAL_OUTSIDE, &USE_LIST_ORDER];
