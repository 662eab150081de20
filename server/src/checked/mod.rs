//! What checking a file found: what the output formats print.

mod json;
pub(crate) mod positions;
mod suggestions;

use std::path::{Path, PathBuf};

use wavelens_base::{Finding, Fix, Options};

pub(crate) use self::json::object;
pub(crate) use self::suggestions::suggestions;
use crate::source::Source;

/// A checked file, in the form that the formats print.
#[derive(Debug)]
pub(crate) struct Checked {
    pub(crate) path: PathBuf,
    pub(crate) source: Source,
    pub(crate) found: Vec<Found>,
}

/// A finding, and what can be done about it: its own fix first.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) finding: Finding,
    pub(crate) suggestions: Vec<Fix>,
}

impl Checked {
    /// `options` are those that the findings were made with.
    pub(crate) fn new(path: &Path, source: Source, findings: Vec<Finding>, options: &Options) -> Self {
        let suggestions = suggestions(&source, &findings, options);
        let found = findings.into_iter().zip(suggestions);
        let found = found.map(|(finding, suggestions)| Found { finding, suggestions }).collect();
        Checked { path: path.to_owned(), source, found }
    }
}
