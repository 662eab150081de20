//! Comparing the shader stages of a pipeline, for callers that know no language.

use wavelens_base::Dialect;
pub use wavelens_spirv::rules::pipeline::{Module, check};

/// The language that has stages.
pub const DIALECT: Dialect = Dialect::Spirv;
