//! Symbols, expressions and addresses. The assembler evaluates them, in [`assembler`](crate::assembler), and asks these rules; each
//! has a file with its card, its words and tests.

pub(crate) mod branch_range;
pub(crate) mod expression;
pub(crate) mod layout;
pub(crate) mod not_absolute;
pub(crate) mod symbol_redefinition;
pub(crate) mod undefined_label;
pub mod undefined_symbol;

use wavelens_base::Rule;

/// The rules of this folder.
pub(crate) static RULES: [&[&Rule]; 7] = [
    branch_range::RULES,
    expression::RULES,
    layout::RULES,
    not_absolute::RULES,
    symbol_redefinition::RULES,
    undefined_label::RULES,
    undefined_symbol::RULES,
];
