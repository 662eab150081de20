//! How files are checked.

use wavelens_base::{Dialect, Finding, Options};
use wavelens_check::check_text;

use super::levels::Levels;

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
