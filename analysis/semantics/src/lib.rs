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
pub mod lit;
pub mod llvm;
pub mod mir;
pub mod parts;
pub mod project;
pub mod reduce;
mod reduction_unit;
pub mod runs;
pub mod spirv;
#[cfg(test)]
mod testing;

pub use check::{check_text, is_plain};
pub use configuration::{Fallback, Options};
pub use finding::{Finding, RelatedFinding};
pub use wavelens_syntax::{
    ChunkId, Diagnostic, Dialect, Fault, Fix, Part, Place, Related, Rule, Severity, Tag, TextEdit, TextRange,
    TextSize, Verdict, fail, fail_at,
};

/// A finding about names in several chunks, which the scope alone can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleDiagnostic {
    /// The chunk of the entity.
    pub chunk: ChunkId,
    /// The entity of that chunk the finding is about; its range replaces the diagnostic's.
    pub item: u32,
    /// The finding, with an empty range.
    pub diagnostic: Diagnostic,
}

impl ModuleDiagnostic {
    /// As a finding of the chunk, at its item: what it changes is there as well.
    pub fn at(self, range: TextRange) -> Diagnostic {
        let mut diagnostic = Diagnostic { range, ..self.diagnostic };
        for edit in diagnostic.fix.iter_mut().flat_map(|f| &mut f.edits) {
            edit.range = range;
        }
        diagnostic
    }
}
