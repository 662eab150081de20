//! What checking a file found: what the output formats print.

use std::path::{Path, PathBuf};

use wavelens_base::{Dialect, Finding, Fix, Options};
use wavelens_check::check_text;

use super::levels::Levels;
use super::suggestions::suggestions;
use crate::source::Source;

/// A checked file, in the form that the formats print.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) path: PathBuf,
    pub(super) source: Source,
    pub(super) found: Vec<Found>,
}

/// A finding, and what can be done about it: its own fix first.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) finding: Finding,
    pub(super) suggestions: Vec<Fix>,
}

impl Checked {
    /// `options` are those that the findings were made with.
    pub(super) fn new(path: &Path, source: Source, findings: Vec<Finding>, options: &Options) -> Self {
        let suggestions = suggestions(&source, &findings, options);
        let found = findings.into_iter().zip(suggestions);
        let found = found.map(|(finding, suggestions)| Found { finding, suggestions }).collect();
        Checked { path: path.to_owned(), source, found }
    }
}

/// How a text is checked.
#[derive(Debug)]
pub(super) struct Checker {
    pub(super) options: Options,
    pub(super) levels: Levels,
    /// Likely fixes are applied too.
    pub(super) unsafe_fixes: bool,
}

impl Checker {
    /// The findings of a text, with the severities that were asked for.
    pub(super) fn findings(&self, dialect: Dialect, text: &str, options: &Options) -> Vec<Finding> {
        let mut findings = check_text(dialect, text, options);
        findings.iter_mut().for_each(|f| self.levels.apply(f));
        findings
    }
}
