//! What a text means and what is wrong with it: names, types, control flow, rules. Plain functions, no salsa.
//!
//! Every dialect offers the same plain functions (lower, summarize, scope, check); [`dialect`] chooses among them. The
//! command line calls them through [`check_text`], the server through the salsa queries of `wavelens-ide`. Ranges are byte
//! offsets. Nothing here knows the protocol.

#![warn(missing_docs)]

pub mod amdgpu;
pub mod budget;
pub mod cfg;
pub mod check;
pub mod configuration;
pub mod dialect;
pub mod disassemble;
pub mod documentation;
pub mod encode;
pub mod finding;
pub mod includes;
mod invisible;
pub mod lit;
pub mod llvm;
mod memo;
pub mod mir;
pub mod parts;
pub mod project;
pub mod rare;
pub mod reduce;
mod reduction_unit;
pub mod runs;
mod spans;
pub mod spirv;
pub mod stages;
#[cfg(test)]
mod testing;

pub use check::{TestMarks, check_text, is_checked_once};
pub use configuration::{Fallback, LLVM_VERSIONS, Options};
pub use finding::{Finding, ModuleDiagnostic, RelatedFinding};
pub use wavelens_syntax::{
    ChunkId, Diagnostic, Dialect, Fault, Fix, Part, Place, Related, Rule, Severity, Tag, TextEdit, TextRange,
    TextSize, Verdict, fail, fail_at,
};
