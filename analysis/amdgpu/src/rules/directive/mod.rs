//! What directives of assembly must look like. The assembler reads their arguments, in [`assembler`](crate::assembler), and asks
//! these rules; each has a file with its card, its words, what it decides of values, and tests.

pub(crate) mod cfi;
pub(crate) mod data_out_of_range;
pub(crate) mod debug_line;
pub(crate) mod directive_argument;
pub(crate) mod include;
pub(crate) mod kernel_descriptor;
pub(crate) mod macro_call;
pub(crate) mod macro_definition;
pub mod metadata;
pub(crate) mod section;
pub(crate) mod target_mismatch;
pub(crate) mod unbalanced_condition;
pub(crate) mod unknown_directive;
pub(crate) mod user_error;
pub(crate) mod user_warning;

use wavelens_base::Rule;

/// The rules of this folder.
pub(crate) static RULES: [&[&Rule]; 15] = [
    cfi::RULES,
    data_out_of_range::RULES,
    debug_line::RULES,
    directive_argument::RULES,
    include::RULES,
    kernel_descriptor::RULES,
    macro_call::RULES,
    macro_definition::RULES,
    metadata::RULES,
    section::RULES,
    target_mismatch::RULES,
    unbalanced_condition::RULES,
    unknown_directive::RULES,
    user_error::RULES,
    user_warning::RULES,
];
