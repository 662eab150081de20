//! The documentation of rules, by code.

use wavelens_base::{Dialect, Rule, Severity};
use wavelens_check::{dialect, documentation};

use super::human;
use crate::checked::Checked;
use crate::source::Source;

pub(super) fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}

/// The name of a language, as its users write it.
pub(super) fn language(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Llvm => "LLVM IR",
        Dialect::Mir => "Machine IR",
        Dialect::Spirv => "SPIR-V assembly",
        Dialect::Amdgpu => "AMDGPU assembly",
    }
}

/// A rule, and the dialects in which it has the same documentation.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    pub(super) dialects: Vec<Dialect>,
}

impl Entry {
    /// The dialect of the example; for rules about test files, the one in which it is reported.
    pub(super) fn dialect(&self) -> Dialect {
        let is_shared = dialect::test_rules().any(|rule| std::ptr::eq(rule, self.rule));
        let own = self.dialects.first().copied().filter(|_| !is_shared);
        let reports = |d: &Dialect| {
            let found = documentation::findings(*d, self.rule, self.rule.example);
            !found.is_empty() && found.iter().all(|f| f.rule.code == self.rule.code)
        };
        own.or_else(|| [Dialect::Amdgpu, Dialect::Llvm].into_iter().find(reports)).unwrap_or(Dialect::Llvm)
    }

    pub(super) fn languages(&self) -> String {
        self.dialects.iter().map(|d| language(*d)).collect::<Vec<_>>().join(", ")
    }

    /// The name of the file that the example would be in.
    pub(super) fn file(&self) -> String {
        format!("example.{}", self.dialect().extensions().first().copied().unwrap_or_default())
    }

    /// What `wavelens check` prints for the example.
    pub(super) fn printed(&self, is_colored: bool) -> String {
        let (dialect, text) = (self.dialect(), self.rule.example);
        let found = documentation::findings(dialect, self.rule, text);
        let source = Source { dialect, text: text.to_owned(), is_exact: true };
        let options = documentation::options(dialect, self.rule, text);
        human::file(&Checked::new(self.file().as_ref(), source, found, &options), is_colored)
    }
}

/// All rules with a code: dialects that share it may document it differently.
pub(super) fn entries(code: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (dialect, rule) in all().filter(|(_, rule)| rule.code == code) {
        let is_same = |e: &&mut Entry| e.rule.explain == rule.explain && e.rule.example == rule.example;
        match entries.iter_mut().find(is_same) {
            Some(entry) if entry.dialects.contains(&dialect) => {}
            Some(entry) => entry.dialects.push(dialect),
            None => entries.push(Entry { rule, dialects: vec![dialect] }),
        }
    }
    entries
}

/// Every rule of every dialect.
fn all() -> impl Iterator<Item = (Dialect, &'static Rule)> {
    let rules = |d| dialect::rules(d).iter().copied().chain(dialect::test_rules()).map(move |rule| (d, rule));
    Dialect::ALL.into_iter().flat_map(rules)
}

/// A dialect's rules, sorted by code, each code once.
pub(super) fn sorted(mut rules: Vec<&'static Rule>) -> Vec<&'static Rule> {
    rules.sort_by_key(|r| r.code);
    rules.dedup_by_key(|r| r.code);
    rules
}
