//! `--allow`, `--severity` and `--error-on-warning`: which findings count, and how much.

use wavelens_base::{Finding, Rule, Severity};
use wavelens_check::dialect;
use wavelens_syntax::closest;

use super::output::note;
use super::rules::codes;

#[derive(Debug, Clone, Default, clap::Args)]
pub(super) struct LevelArguments {
    /// Do not report these warnings, infos and hints; codes with commas.
    #[arg(long = "allow", value_name = "CODE,...", value_delimiter = ',')]
    allowed: Vec<String>,
    /// Report a code as error, warning, info or hint.
    #[arg(long = "severity", value_name = "CODE=LEVEL", value_delimiter = ',')]
    changed: Vec<String>,
    /// Exit with status 1 on warnings too.
    #[arg(long)]
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
            let rule = known(code, "--allow")?;
            if rule.severity == Severity::Error {
                note(format!("`--allow` does not apply to errors; `--severity {code}=warning` does"));
            }
        }
        let changed = self.changed.iter().map(|change| {
            let (code, level) = change
                .split_once('=')
                .ok_or_else(|| format!("`--severity {change}`: expected CODE=LEVEL"))?;
            Ok((known(code, "--severity")?.code, severity(level)?))
        });
        Ok(Levels { allowed: self.allowed.clone(), changed: changed.collect::<Result<_, String>>()? })
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

fn severity(name: &str) -> Result<Severity, String> {
    match name {
        "error" => Ok(Severity::Error),
        "warning" => Ok(Severity::Warning),
        "info" => Ok(Severity::Info),
        "hint" => Ok(Severity::Hint),
        _ => Err(format!("unknown level `{name}` in `--severity`; use error, warning, info or hint")),
    }
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
        expect!["unknown level `fatal` in `--severity`; use error, warning, info or hint"]
            .assert_eq(&problem("", "undefined-value=fatal"));
        expect!["`--severity undefined-value`: expected CODE=LEVEL"]
            .assert_eq(&problem("", "undefined-value"));
        assert_eq!(problem("unreachable-block", "undefined-value=warning unreachable-block=error"), "");
    }
}
