//! The salsa database, incremental documents, and the answers that editors ask for, in byte offsets.
//!
//! [`db`] wraps the plain functions of `wavelens-semantics` in queries. Nothing here knows the protocol.

pub mod amdgpu;
pub mod checked;
pub mod codegen;
pub mod db;
mod document;
pub mod features;
pub mod llvm;
pub mod mir;
pub mod spirv;

pub use checked::Checked;
pub use db::Database;
pub use document::{Document, Edit};
pub use salsa::Cancelled;
