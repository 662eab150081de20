//! The names in lines that lit and FileCheck read, for navigation: prefixes and variables.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::checks::{Check, FileCheck, checks};
use super::directives::{Directive, Keyword, directives};
use super::rules::place;
use super::shell::parse;
use crate::TextRange;

/// A name in the test's own lines.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// A check prefix.
    Prefix(SmolStr),
    /// A FileCheck variable.
    Variable(SmolStr),
}

/// A name in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// What is named.
    pub name: Name,
    /// Where it is written.
    pub range: TextRange,
    /// RUN lines define prefixes; `[[NAME:...]]` defines a variable.
    pub is_definition: bool,
}

/// The RUN lines and the CHECK lines of a text.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    /// RUN lines with their numbers.
    pub runs: Vec<(u32, Directive, Vec<FileCheck>)>,
    /// FileCheck directives, in the order of the text.
    pub checks: Vec<Check>,
}

impl Lines {
    /// Reads a text's FileCheck directives and the options of its RUN lines.
    pub fn of(text: &str) -> Lines {
        let runs = directives(text).into_iter().filter(|d| d.keyword == Keyword::Run);
        let runs: Vec<_> = (1..)
            .zip(runs)
            .map(|(number, run)| {
                let found = FileCheck::of(&parse(&run.text));
                (number, run, found)
            })
            .collect();
        let prefixes: BTreeSet<SmolStr> =
            runs.iter().flat_map(|(.., found)| found).flat_map(|f| f.prefixes.iter().cloned()).collect();
        Lines { checks: checks(text, &prefixes), runs }
    }

    /// Every name, in order of kind.
    pub fn mentions(&self) -> Vec<Mention> {
        let mut all = Vec::new();
        for (_, run, found) in &self.runs {
            for prefix in found.iter().flat_map(|f| &f.prefixes) {
                // `CHECK` is not written.
                let range = place(run, prefix);
                if range != run.range {
                    all.push(Mention { name: Name::Prefix(prefix.clone()), range, is_definition: true });
                }
            }
        }
        for check in &self.checks {
            let name = Name::Prefix(check.prefix.clone());
            all.push(Mention { name, range: check.prefix_range, is_definition: false });
            all.extend(check.variables.iter().map(|variable| Mention {
                name: Name::Variable(variable.name.clone()),
                range: variable.range,
                is_definition: variable.is_definition,
            }));
        }
        all
    }

    /// Numbers of the RUN lines that check a prefix.
    pub fn runs_of(&self, prefix: &str) -> Vec<u32> {
        let has = |found: &[FileCheck]| found.iter().any(|f| f.prefixes.iter().any(|p| p == prefix));
        self.runs.iter().filter(|(.., found)| has(found)).map(|(number, ..)| *number).collect()
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn prefixes_and_variables_are_mentioned() {
        let text =
            "; RUN: llc %s | FileCheck --check-prefixes=GCN,GFX9 %s\n; GCN: [[A:v0]]\n; GFX9-NEXT: [[A]]\n";
        let lines = Lines::of(text);
        let shown = lines.mentions().into_iter().map(|m| {
            let at = &text[usize::from(m.range.start())..usize::from(m.range.end())];
            format!("{at} {:?}{}\n", m.name, if m.is_definition { " defined" } else { "" })
        });
        expect![[r#"
            GCN Prefix("GCN") defined
            GFX9 Prefix("GFX9") defined
            GCN Prefix("GCN")
            A Variable("A") defined
            GFX9 Prefix("GFX9")
            A Variable("A")
        "#]]
        .assert_eq(&shown.collect::<String>());
        assert_eq!(lines.runs_of("GFX9"), [1]);
    }
}
