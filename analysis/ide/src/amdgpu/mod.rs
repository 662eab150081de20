//! Editor features of AMDGPU assembly.

pub mod actions;
pub mod cfg;
pub mod completion;
mod fields;
pub mod folding;
mod formula;
mod generated;
pub mod hints;
pub mod hover;
mod includes;
pub mod occurrences;
pub mod outline;
#[cfg(test)]
mod peak_tests;
mod renames;
pub mod signature;
#[cfg(test)]
mod tests;
pub mod tokens;
mod whole;
mod words;

pub(crate) use self::formula::formula;
pub use self::generated::{CodeFunction, CodeLine, Declared, GeneratedCode, lanes_by_line, read_generated};
pub(crate) use self::includes::definition as definition_in_include;
pub(crate) use self::whole::assembly;
pub use self::whole::{Whole, kernels, settle};

use wavelens_semantics::amdgpu::{Lowered, Scope};

/// What an answer for an editor may read.
pub type Cx<'db> = crate::features::ChunkCx<'db, Lowered, Scope>;
