//! Meaning of SPIR-V assembly.
//!
//! Text becomes flat instructions ([`flat`], made by [`lower`]); the preamble of all chunks together becomes the module
//! ([`scope`]), as words ([`code`]); rules read a chunk's words within the module ([`module`]).

pub mod actions;
mod blocks;
pub mod cfg;
pub mod code;
pub mod completion;
mod disassemble;
mod encode;
pub mod env;
pub mod flat;
mod fold;
pub mod folding;
mod friendly;
pub mod hints;
pub mod hover;
mod injected;
pub mod instrument;
pub mod literal;
mod lower;
pub mod module;
pub mod occurrences;
pub mod ops;
pub mod outline;
mod place;
pub mod rules;
pub mod scope;
pub mod signature;
pub mod slice;
pub mod tokens;
mod types;

pub use disassemble::{BinaryError, IdStyle, disassemble, is_binary};
pub use encode::{Encoded, EncodedInst, encode};
pub use lower::{Lowered, lower};
pub use rules::{RULES, check};
pub use scope::{Scope, Summary, scope, summarize};

use crate::{ModuleDiagnostic, TextRange, TextSize};

/// What an answer for an editor may read.
pub type Cx<'db> = crate::ide::ChunkCx<'db, Lowered, Scope>;

/// Findings about names in several chunks and about the order of the module's parts.
pub fn check_module(scope: &Scope) -> Vec<ModuleDiagnostic> {
    scope.diagnostics.clone()
}

/// Items are instructions.
pub fn item_range(lowered: &Lowered, item: u32) -> TextRange {
    lowered.inst_ranges.get(item as usize).copied().unwrap_or(TextRange::empty(TextSize::new(0)))
}
