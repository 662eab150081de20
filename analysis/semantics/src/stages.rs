//! Comparing the shader stages of a pipeline, for callers that know no language.

use crate::Dialect;
pub use crate::spirv::interface::{Module, check};

/// The language that has stages.
pub const DIALECT: Dialect = Dialect::Spirv;
