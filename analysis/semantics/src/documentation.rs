//! The rules' own examples, run: each reports exactly its rule, and each corrected one reports nothing.

use std::collections::BTreeSet;

use crate::dialect::included_names;
use crate::includes::Included;
use crate::{Dialect, Options, Rule, check_text, dialect};

/// The codes reported for a text in which every included file is missing.
fn codes(dialect: Dialect, rule: &Rule, text: &str) -> BTreeSet<&'static str> {
    let names = included_names(dialect, text).into_iter();
    let includes = names.map(|n| (n.name, Included::Missing)).collect();
    // This rule alone depends on a setting.
    let llvm_level = (rule.code == "language-level").then_some(19);
    let options = Options { includes, llvm_level, pedantic: true, ..Options::default() };
    let found = check_text(dialect, text, &options).into_iter().map(|f| f.rule.code);
    // Most examples of assembly are short and name no processor.
    found.filter(|code| *code != "no-processor" || rule.code == *code).collect()
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
    use crate::runs::{EXPECTED_ERROR, UNKNOWN_PROCESSOR};
    for rule in [&EXPECTED_ERROR, &UNKNOWN_PROCESSOR] {
        assert_eq!(problems(Dialect::Amdgpu, rule), [""; 0]);
    }
    for rule in crate::lit::rules::RULES {
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
#[ignore = "not all rules are documented yet"]
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
    let folders = [root.join("src"), root.join("../../syntax/src")];
    let mut missing = Vec::new();
    for dialect in Dialect::ALL {
        let registered: BTreeSet<&str> = dialect::rules(dialect).iter().map(|r| r.code).collect();
        let name = format!("{dialect:?}").to_lowercase();
        for file in folders.iter().flat_map(|f| sources(&f.join(&name))) {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            let codes = text.lines().filter_map(|l| l.trim().strip_prefix("code: \"")?.split_once('"'));
            missing
                .extend(codes.filter(|(c, _)| !registered.contains(c)).map(|(c, _)| format!("{name} {c}")));
        }
    }
    assert_eq!(missing, Vec::<String>::new());
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
