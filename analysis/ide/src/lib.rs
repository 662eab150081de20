//! The salsa database, incremental documents, and the answers that editors ask for, in byte offsets.
//!
//! [`db`] wraps the plain functions of `wavelens-check` in queries. Nothing here knows the protocol.

#![warn(missing_docs)]

pub mod amdgpu;
pub mod answers;
pub mod assembly;
pub mod checked;
pub mod codegen;
#[allow(missing_docs, reason = "salsa makes functions without documentation for its inputs")]
pub mod db;
mod demangle;
mod descriptions;
mod document;
pub mod features;
pub mod formatting;
pub mod llvm;
mod loops;
pub mod markdown;
pub mod mir;
pub mod spirv;
pub mod trace;

pub use checked::Checked;
pub use db::Database;
pub use demangle::demangle;
pub use document::{Document, Edit};
pub use salsa::Cancelled;
