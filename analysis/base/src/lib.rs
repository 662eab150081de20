//! What the languages have in common: what a text is checked for, findings, control flow, budgets, and what lit and FileCheck read.
//!
//! Nothing here knows a language or the protocol. Ranges are byte offsets.

#![warn(missing_docs)]

pub mod budget;
pub mod cfg;
pub mod configuration;
pub mod finding;
pub mod includes;
pub mod lazy_box;
pub mod lit;
pub mod memo;
pub mod parts;
pub mod reduction_unit;
pub mod sizes;

pub use configuration::{Fallback, LLVM_VERSIONS, Options};
pub use finding::{Finding, ModuleDiagnostic, RelatedFinding};
pub use wavelens_syntax::{
    ChunkId, Diagnostic, Dialect, Fault, Fix, Lack, Part, Place, Related, Rule, Severity, Tag, TextEdit,
    TextRange, TextSize, Verdict, fail, fail_at,
};
