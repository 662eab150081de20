//! Meaning of SPIR-V assembly.
//!
//! Text becomes flat instructions ([`flat`], made by [`lower`]); the preamble of all chunks together becomes the module
//! ([`scope`]), as words ([`code`]); rules read a chunk's words within the module ([`context`]).

#![warn(missing_docs)]

pub mod binary;
pub mod blocks;
pub mod check;
pub mod code;
pub mod contents;
pub mod context;
pub mod disassemble;
pub mod encode;
pub mod flat;
pub mod friendly;
pub mod literal;
pub mod lower;
mod operands;
pub mod ops;
mod pattern;
pub mod reduce;
pub mod rules;
pub mod scope;
mod tables;
pub mod type_names;
pub mod types;

pub use check::{check, scope};
pub use disassemble::{BinaryError, IdStyle, disassemble, is_binary};
pub use encode::{Encoded, EncodedInst, encode, encode_inst};
pub use lower::rules::invalid_id;
pub use lower::{Lowered, lower};
pub use rules::RULES;
pub use scope::{Scope, Summary, summarize};

use wavelens_base::{ModuleDiagnostic, TextRange, TextSize};

/// Findings about names in several chunks and about the order of the module's parts.
pub fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    scope.diagnostics.clone()
}

/// Items are instructions, shown at their result id, and operands.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    let operand = |index: u32| lowered.operand_ranges.get(index as usize).copied();
    let range = match item & scope::OPERAND_ITEM {
        0 => {
            let whole = lowered.inst_ranges.get(item as usize).copied();
            lowered.result_range(item).or(whole).or_else(|| Some(lowered.start(item)))
        }
        _ => operand(item & !scope::OPERAND_ITEM),
    };
    range.unwrap_or(TextRange::empty(TextSize::new(0)))
}
