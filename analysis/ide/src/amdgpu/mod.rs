//! Editor features of AMDGPU assembly.

pub mod actions;
pub mod cfg;
mod common;
pub mod completion;
mod completion_frame;
mod completion_order;
mod completion_registers;
mod completion_symbols;
#[cfg(test)]
mod completion_tests;
mod definition;
mod directive_help;
mod fields;
pub(crate) mod folding;
pub(crate) mod formatting;
mod formula;
pub mod hints;
pub mod hover;
mod includes;
pub mod live;
mod memory_operations;
pub mod occurrences;
mod operand_fallback;
pub(crate) mod operand_help;
mod operand_hover;
#[cfg(test)]
mod operand_tests;
mod operations;
pub mod outline;
mod queries;
mod registers;
mod renames;
pub mod signature;
pub mod source;
#[cfg(test)]
mod tests;
pub mod tokens;
#[cfg(test)]
mod word_tests;
mod words;

pub(crate) use self::formula::formula;
pub(crate) use self::includes::definition as definition_in_include;
pub use self::queries::kernels;

use wavelens_amdgpu::{Lowered, Scope};

/// What an answer for an editor may read.
pub(crate) type Cx<'db> = crate::answers::ChunkCx<'db, Lowered, Scope>;
