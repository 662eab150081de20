//! The rules' own examples: how they are checked, for the page of each code and for the tests that run all of them.

use crate::check_text;
use crate::dialect::included_names;
use wavelens_base::includes::Included;
use wavelens_base::{Dialect, Finding, Options, Rule};
use wavelens_spirv::rules::pipeline;

/// How the examples of a rule are checked: every included file is missing, and hints are reported.
pub fn options(dialect: Dialect, rule: &Rule, text: &str) -> Options {
    let names = included_names(dialect, text).into_iter();
    let includes = names.map(|n| (n.name, Included::Missing)).collect();
    // These rules alone depend on a setting.
    let llvm_level = match rule.code {
        "language-level" => Some(19),
        "newer-syntax" | "newer-key" => Some(22),
        _ => None,
    };
    Options { includes, llvm_level, pedantic: true, ..Options::default() }
}

/// The findings about an example. Most examples of assembly are short and name no processor.
pub fn findings(dialect: Dialect, rule: &Rule, text: &str) -> Vec<Finding> {
    let options = options(dialect, rule, text);
    let mut found = check_text(dialect, text, &options);
    if dialect == Dialect::Spirv && pipeline::rules().any(|own| *own == rule) {
        found.extend(pipeline::check_sections(text, &options));
    }
    found.retain(|f| f.rule.code != "no-processor" || rule.code == "no-processor");
    found
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::dialect;

    /// The codes reported for a text.
    fn codes(dialect: Dialect, rule: &Rule, text: &str) -> BTreeSet<&'static str> {
        findings(dialect, rule, text).into_iter().map(|f| f.rule.code).collect()
    }

    fn problems(dialect: Dialect, rule: &Rule) -> Vec<String> {
        let mut problems = Vec::new();
        let name = format!("{dialect:?} {}", rule.code);
        for (field, text) in [("title", rule.title), ("explain", rule.explain), ("source", rule.source)] {
            if text.is_empty() {
                problems.push(format!("{name}: no {field}"));
            }
        }
        if rule.title.ends_with('.') || rule.title.contains('\n') {
            problems.push(format!("{name}: the title is one line without a full stop"));
        }
        let found = codes(dialect, rule, rule.example);
        if found != BTreeSet::from([rule.code]) {
            problems.push(format!("{name}: the example reports {found:?}"));
        }
        let found = codes(dialect, rule, rule.fixed);
        if rule.fixed.is_empty() || !found.is_empty() {
            problems.push(format!("{name}: the corrected example reports {found:?}"));
        }
        problems
    }

    #[test]
    fn rules_about_run_lines_are_documented() {
        for rule in crate::runs::RULES {
            assert_eq!(problems(Dialect::Amdgpu, rule), [""; 0]);
        }
        for rule in wavelens_base::lit::rules::RULES.iter().chain(wavelens_base::lit::arguments::RULES) {
            assert_eq!(problems(Dialect::Llvm, rule), [""; 0]);
        }
    }

    fn check(dialect: Dialect) {
        let rules = dialect::rules(dialect).iter();
        let problems: Vec<String> = rules.flat_map(|rule| problems(dialect, rule)).collect();
        assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    }

    #[test]
    fn llvm_rules_are_documented() {
        check(Dialect::Llvm);
    }

    #[test]
    fn mir_rules_are_documented() {
        check(Dialect::Mir);
    }

    #[test]
    fn spirv_rules_are_documented() {
        check(Dialect::Spirv);
    }

    #[test]
    fn amdgpu_rules_are_documented() {
        check(Dialect::Amdgpu);
    }

    /// Every `code: "..."` in a dialect's sources is in its list: a rule that is written is registered.
    #[test]
    fn every_rule_is_registered() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let folder =
            |name: &str| [root.join("..").join(name).join("src"), root.join("../../syntax/src").join(name)];
        let mut missing = Vec::new();
        for dialect in Dialect::ALL {
            let registered: BTreeSet<&str> = dialect::rules(dialect).iter().map(|r| r.code).collect();
            let name = format!("{dialect:?}").to_lowercase();
            for file in folder(&name).iter().flat_map(|f| sources(f)) {
                let text = std::fs::read_to_string(&file).unwrap_or_default();
                let codes = text.lines().filter_map(|l| l.trim().strip_prefix("code: \"")?.split_once('"'));
                missing.extend(
                    codes.filter(|(c, _)| !registered.contains(c)).map(|(c, _)| format!("{name} {c}")),
                );
            }
        }
        assert_eq!(missing, Vec::<String>::new());
    }

    /// A search for a valid usage ID finds the page of the rule that reports it.
    #[test]
    fn valid_usage_ids_are_on_the_page_of_their_rule() {
        let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../spirv/src/rules");
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let mut missing = BTreeSet::new();
        for file in sources(&rules) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let rules = text.split("mod tests {").next().unwrap_or_default();
            for part in rules.split("VUID-").skip(1) {
                let id = part.split(|c| !is_part(c)).next().unwrap_or_default();
                // The numbers of built-ins are in a table.
                let is_whole =
                    id.bytes().rev().take(5).all(|b| b.is_ascii_digit()) && !file.ends_with("vuid.rs");
                let on_page = |rule: &&Rule| rule.source.contains(id);
                if is_whole && !id.is_empty() && !dialect::rules(Dialect::Spirv).iter().any(on_page) {
                    missing.insert(id.to_owned());
                }
            }
        }
        assert_eq!(missing, BTreeSet::new());
    }

    fn sources(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
        entries
            .flat_map(|path| match path.is_dir() {
                true => sources(&path),
                false => vec![path],
            })
            .collect()
    }
}
