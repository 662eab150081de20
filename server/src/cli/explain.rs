//! `wavelens explain`.

use wavelens_semantics::{Dialect, dialect};

use super::{Outcome, complain, print};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A diagnostic's code; without one, all codes are listed.
    code: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let Some(code) = &arguments.code else {
        for d in Dialect::ALL {
            let codes: Vec<&str> = dialect::rules(d).iter().map(|r| r.code).collect();
            print(&format!("{d}:\n  {}\n", codes.join("\n  ")));
        }
        return Outcome::Clean;
    };
    match dialect::rule(code) {
        Some(rule) => {
            print(&format!("{} ({:?})\n\n{}\n", rule.code, rule.severity, rule.explain.trim()));
            Outcome::Clean
        }
        None => complain(format!("no diagnostic has the code `{code}`; `wavelens explain` lists all codes")),
    }
}
