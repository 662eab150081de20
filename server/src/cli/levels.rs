//! `--allow`, `--severity` and `--error-on-warning`: which findings count, and how much.

use wavelens_base::{Finding, Rule, Severity};
use wavelens_check::dialect::{self, codes};
use wavelens_check::project::level;
use wavelens_syntax::closest;

/// Heading of the options about which findings are reported, and how.
pub(super) const FINDINGS: &str = "Findings";

#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct LevelArguments {
    /// Do not report these codes, with commas.
    #[arg(long = "allow", value_name = "CODE,...", value_delimiter = ',', help_heading = FINDINGS)]
    allowed: Vec<String>,
    /// Report a code as error, warning, info or hint, or not at all: off.
    #[arg(long = "severity", value_name = "CODE=LEVEL,...", value_delimiter = ',', help_heading = FINDINGS)]
    changed: Vec<String>,
    /// Exit with status 1 on warnings too.
    #[arg(long, help_heading = FINDINGS)]
    pub(super) error_on_warning: bool,
}

/// What was asked for, with codes that exist.
#[derive(Debug, Clone, Default)]
pub(super) struct Levels {
    pub(super) allowed: Vec<String>,
    changed: Vec<(&'static str, Severity)>,
}

impl LevelArguments {
    /// # Errors
    /// A code or a level is unknown; the message says which one and what is near.
    pub(super) fn levels(&self) -> Result<Levels, String> {
        for code in &self.allowed {
            known(code, "--allow")?;
        }
        let mut levels = Levels { allowed: self.allowed.clone(), changed: Vec::new() };
        for change in &self.changed {
            let (code, level) = change
                .split_once('=')
                .ok_or_else(|| format!("`--severity {change}`: expected CODE=LEVEL"))?;
            let code = known(code, "--severity")?.code;
            match severity(level)? {
                Some(severity) => levels.changed.push((code, severity)),
                None => levels.allowed.push(code.to_owned()),
            }
        }
        Ok(levels)
    }
}

impl Levels {
    /// Gives a finding the severity that its code was given; the last one counts.
    pub(super) fn apply(&self, finding: &mut Finding) {
        if let Some((_, severity)) = self.changed.iter().rev().find(|(code, _)| *code == finding.rule.code) {
            finding.severity = *severity;
        }
    }
}

/// `None` is off.
fn severity(name: &str) -> Result<Option<Severity>, String> {
    level(name).ok_or_else(|| {
        format!("unknown level `{name}` in `--severity`; use error, warning, info, hint or off")
    })
}

fn known(code: &str, option: &str) -> Result<&'static Rule, String> {
    dialect::rule(code).ok_or_else(|| format!("unknown code `{code}` in `{option}`; {}", advice(code)))
}

/// What to do about a code that does not exist.
pub(super) fn advice(code: &str) -> String {
    match closest(code, codes()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`wavelens explain` lists all codes".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn problem(allowed: &str, changed: &str) -> String {
        let list = |text: &str| text.split_terminator(' ').map(str::to_owned).collect();
        let arguments =
            LevelArguments { allowed: list(allowed), changed: list(changed), error_on_warning: false };
        arguments.levels().err().unwrap_or_default()
    }

    #[test]
    fn unknown_codes_and_levels_are_refused() {
        expect!["unknown code `undefind-value` in `--allow`; did you mean `undefined-value`?"]
            .assert_eq(&problem("undefind-value", ""));
        expect!["unknown code `zzz` in `--severity`; `wavelens explain` lists all codes"]
            .assert_eq(&problem("", "zzz=error"));
        expect!["unknown level `fatal` in `--severity`; use error, warning, info, hint or off"]
            .assert_eq(&problem("", "undefined-value=fatal"));
        expect!["`--severity undefined-value`: expected CODE=LEVEL"]
            .assert_eq(&problem("", "undefined-value"));
        assert_eq!(problem("unreachable-block", "undefined-value=warning unreachable-block=error"), "");
    }
}
