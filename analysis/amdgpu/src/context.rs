//! What the rules over the assembled program read.

use super::assembler::kernel_descriptor::Descriptor;
use super::assembler::metadata::KernelMetadata;
use super::flow::{Graph, Steps};
use wavelens_base::{Diagnostic, TextRange};

/// One function or kernel of an assembled file, with what rules read of it, and the findings.
pub(crate) struct RuleContext<'a> {
    /// Its instructions, their effects, and the control flow between them.
    pub(crate) graph: &'a Graph<'a>,
    /// What walks over the graph may still spend.
    pub(crate) steps: &'a Steps,
    /// What its kernel descriptor says, for kernels whose descriptor has no mistake.
    pub(crate) descriptor: Option<&'a Descriptor>,
    /// What the metadata says of it, for kernels.
    pub(crate) metadata: Option<&'a KernelMetadata>,
    /// Its label.
    pub(crate) label: Option<TextRange>,
    /// The file.
    pub(crate) text: &'a str,
    /// Memory accesses may be replayed.
    pub(crate) xnack: bool,
    /// Findings that no manual requires are wanted too.
    pub(crate) pedantic: bool,
    /// What was found.
    pub(crate) diagnostics: Vec<Diagnostic>,
}
