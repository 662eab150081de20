//! Lossless syntax of the four dialects: lexers, grammars, trees, and the splitter that cuts a file into chunks.
//!
//! Parsing never fails: every input gives a tree whose text is the input, byte for byte, and a list of diagnostics.
//! This crate knows neither salsa nor the protocol nor files.

#![warn(missing_docs)]

pub mod amdgpu;
mod diagnostic;
mod dialect;
pub mod llvm;
pub mod machine;
pub mod mir;
pub mod spelling;
pub mod spirv;
mod split;
pub mod visible;
pub mod wording;

pub use diagnostic::{
    ChunkId, Diagnostic, Fault, Fix, Lack, Part, Place, Related, Rule, Severity, Tag, TextEdit, Verdict,
    fail, fail_at,
};
pub use dialect::Dialect;
pub use machine::split::ChunkSpan;
pub use rowan::{TextRange, TextSize};
pub use spelling::{
    closest, closest_known, closest_name, differ_in_number, is_one_slip, is_slip, names_same_sizes, nearest,
};
pub use split::{resplit, split};
