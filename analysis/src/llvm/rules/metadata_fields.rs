//! Fields of specialized metadata nodes.

use crate::{Rule, Severity};

pub static METADATA_FIELD: Rule = Rule {
    code: "metadata-field",
    severity: Severity::Error,
    explain: "Each kind of debug-info node has its own fields, some required, each of one kind of value and range. Source: LLVM \
              Language Reference, *Specialized Metadata Nodes*.",
};

pub const RULES: &[&Rule] = &[&METADATA_FIELD];
