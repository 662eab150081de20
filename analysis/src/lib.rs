//! What the text means: names, types, rules, control flow, and the answers an editor asks for.
//!
//! Every dialect offers the same plain functions (lower, summarize, scope, check); [`dialect`] chooses among them. The
//! command line calls them through [`check_text`], the server through the salsa queries in [`db`]. Ranges are byte
//! offsets. Nothing here knows the protocol.

pub mod amdgpu;
pub mod cfg;
mod check;
pub mod codegen;
pub mod db;
pub mod dialect;
pub mod disassemble;
mod document;
pub mod ide;
pub mod llvm;
pub mod mir;
mod options;
pub mod spirv;
#[cfg(test)]
mod testing;

pub use check::{Finding, RelatedFinding, check_text};
pub use db::Database;
pub use document::{Document, Edit};
pub use options::Options;
pub use salsa::Cancelled;
pub use wavelens_syntax::{
    ChunkId, Diagnostic, Dialect, Fix, Place, Related, Rule, Severity, Tag, TextEdit, TextRange, TextSize,
};

/// A finding about names in several chunks, which the scope alone can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleDiagnostic {
    pub chunk: ChunkId,
    /// The entity of that chunk the finding is about; its range replaces the diagnostic's.
    pub item: u32,
    pub diagnostic: Diagnostic,
}

impl ModuleDiagnostic {
    /// As a finding of the chunk, at its item: what it changes is there as well.
    pub(crate) fn at(self, range: TextRange) -> Diagnostic {
        let mut diagnostic = Diagnostic { range, ..self.diagnostic };
        for edit in diagnostic.fix.iter_mut().flat_map(|f| &mut f.edits) {
            edit.range = range;
        }
        diagnostic
    }
}
