//! Editor features of SPIR-V assembly.

pub mod actions;
pub mod cfg;
pub mod completion;
mod completion_context;
mod completion_ids;
mod completion_literals;
mod completion_needs;
mod completion_opcodes;
mod completion_types;
mod fold;
pub(crate) mod folding;
pub(crate) mod formatting;
mod help;
pub mod hints;
pub mod hover;
pub mod instrument;
mod labels;
mod literals;
pub mod occurrences;
pub mod outline;
mod paths;
mod place;
pub mod signature;
pub mod slice;
pub mod source;
pub mod tokens;

use wavelens_spirv::{Lowered, Scope};

/// What an answer for an editor may read.
pub(crate) type Cx<'db> = crate::answers::ChunkCx<'db, Lowered, Scope>;
