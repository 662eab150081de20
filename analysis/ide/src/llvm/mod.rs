//! Editor features of LLVM IR.

mod accesses;
pub mod actions;
mod attached;
pub(crate) mod attributes;
pub mod cfg;
pub mod completion;
mod decode;
mod extract;
pub(crate) mod folding;
pub(crate) mod formatting;
mod help;
pub mod hints;
pub mod hover;
pub mod instrument;
pub mod occurrences;
pub mod outline;
mod place;
mod renumber;
mod show;
pub mod signature;
pub mod slice;
pub mod source;
mod strings;
#[cfg(test)]
mod tests;
pub mod tokens;
pub(crate) mod trace;

use wavelens_llvm::{Lowered, Scope};

/// What an answer for an editor may read.
pub(crate) type Cx<'db> = crate::answers::ChunkCx<'db, Lowered, Scope>;
