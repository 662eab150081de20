//! How files are checked.

use wavelens_base::{Dialect, Finding, Options, Severity};
use wavelens_check::check_text;

use super::levels::Levels;
use crate::checked::{Checked, Found};

impl Checked {
    /// Keeps the findings up to the last error that is left to report, and counts these.
    pub(super) fn stop_after(&mut self, errors_left: &mut Option<u64>) {
        let Some(left) = errors_left else { return };
        let is_error = |found: &Found| found.finding.severity == Severity::Error;
        let last = self.found.iter().enumerate().filter(|(_, found)| is_error(found)).map(|(at, _)| at);
        let last: Vec<usize> = last.take(usize::try_from(*left).unwrap_or(usize::MAX)).collect();
        *left -= last.len() as u64;
        if let (0, Some(last)) = (*left, last.last()) {
            self.found.truncate(last + 1);
        }
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
