//! Editor features of Machine IR.

pub mod actions;
pub mod cfg;
pub mod completion;
mod completion_physical;
mod completion_registers;
#[cfg(test)]
mod completion_tests;
mod completion_types;
mod completion_yaml;
mod flag_words;
pub(crate) mod folding;
pub(crate) mod formatting;
mod generic_docs;
pub mod hints;
pub mod hover;
mod ide_support;
pub mod instrument;
mod ir_refs;
pub mod legalization;
pub mod live;
mod memory_operand;
pub mod occurrences;
pub(crate) mod older;
pub mod outline;
pub(crate) mod physical;
mod reaching;
pub mod signature;
pub mod slice;
pub mod source;
pub mod start;
pub mod tokens;
pub(crate) mod trace;
mod waits;
mod yaml_words;

use wavelens_mir::{Lowered, Scope};

/// What an answer for an editor may read.
pub(crate) type Cx<'db> = crate::answers::ChunkCx<'db, Lowered, Scope>;
