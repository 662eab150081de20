//! Values with where they come from.

use std::fmt;
use std::sync::Arc;

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// An option of the command line.
    CommandLine,
    /// The user's choice for one file in an editor.
    Chosen,
    /// `"target-cpu"` of a function.
    FunctionAttribute,
    /// What the file says, by its word: `.amdgcn_target`, `target triple`, `; target-env:`.
    File(&'static str),
    /// By its number.
    RunLine(u32),
    /// By its path.
    Project(Arc<str>),
    /// A setting of the editor.
    Setting,
    /// Nothing said otherwise.
    Default,
    /// Of commands that compile, where nothing said otherwise: checks do without.
    CompilerDefault,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::CommandLine => f.write_str("command line"),
            Origin::Chosen => f.write_str("chosen for this file"),
            Origin::FunctionAttribute => f.write_str("function attribute"),
            Origin::File(word) => write!(f, "`{word}`"),
            Origin::RunLine(number) => write!(f, "RUN line {number}"),
            Origin::Project(path) => f.write_str(path),
            Origin::Setting => f.write_str("editor setting"),
            Origin::Default => f.write_str("default"),
            Origin::CompilerDefault => f.write_str("default of commands that compile"),
        }
    }
}

/// A value with its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known<T> {
    /// What holds.
    pub value: T,
    /// Who says so.
    pub origin: Origin,
}

impl<T> Known<T> {
    /// A value that someone states.
    pub fn new(value: T, origin: Origin) -> Self {
        Known { value, origin }
    }

    pub(super) fn default(value: T) -> Self {
        Known::new(value, Origin::Default)
    }
}
