//! Operands of instructions: which types each instruction takes.

use crate::{Rule, Severity};

pub static INVALID_OPERAND: Rule = Rule {
    code: "invalid-operand",
    severity: Severity::Error,
    explain: "An instruction's operand has a type that the instruction does not work on. Source: LLVM Language Reference, the \
              instruction's *Arguments*.",
};

pub const RULES: &[&Rule] = &[&INVALID_OPERAND];
