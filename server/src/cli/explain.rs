//! `wavelens explain`.

use wavelens_semantics::{Dialect, Rule, Severity, dialect};

use super::{Outcome, complain, levels, print, rules};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The code of a finding, such as undefined-value; without it, all codes are listed.
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let Some(code) = &arguments.code else {
        print(&list());
        return Outcome::Clean;
    };
    // Dialects that share a code may say more about it each.
    let mut texts: Vec<(&Rule, Vec<&str>)> = Vec::new();
    for d in Dialect::ALL {
        for rule in dialect::rules(d).iter().filter(|r| r.code == code) {
            match texts.iter_mut().find(|(known, _)| known.explain == rule.explain) {
                Some((_, dialects)) => dialects.push(d.name()),
                None => texts.push((rule, vec![d.name()])),
            }
        }
    }
    texts.extend(dialect::test_rules().filter(|r| r.code == code).map(|rule| (rule, vec!["tests"])));
    if texts.is_empty() {
        return complain(format!("unknown code `{code}`; {}", levels::advice(code)));
    }
    let text = |(rule, dialects): &(&Rule, Vec<&str>)| {
        let severity = severity(rule.severity);
        format!("{} ({severity}; {})\n\n{}\n", rule.code, dialects.join(", "), rule.explain.trim())
    };
    print(&texts.iter().map(text).collect::<Vec<_>>().join("\n"));
    Outcome::Clean
}

/// Each dialect's codes with severity and title.
fn list() -> String {
    let mut out = String::new();
    let dialects = Dialect::ALL.map(|d| (d.name(), dialect::rules(d).to_vec()));
    for (name, mut rules) in dialects.into_iter().chain([("tests", dialect::test_rules().collect())]) {
        rules.sort_by_key(|r| r.code);
        rules.dedup_by_key(|r| r.code);
        let width = rules.iter().map(|r| r.code.len()).max().unwrap_or(0);
        out.push_str(&format!("{name}:\n"));
        for rule in rules {
            let (severity, title) = (severity(rule.severity), rules::title(rule));
            out.push_str(&format!("  {:<width$}  {severity:<7}  {title}\n", rule.code));
        }
        out.push('\n');
    }
    out.push_str("`wavelens explain CODE` says more about one.\n");
    out
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}
