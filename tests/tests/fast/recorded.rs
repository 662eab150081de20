//! Findings for the rules' examples and for variants of them in which a word, a number or a line is another one of the same example. Recorded in
//! `tests/data/recorded/findings-*.txt` are the place, the code and the message of each. A new rule adds lines and changes no others.

use std::collections::HashMap;
use std::fmt::Write;

use wavelens_base::{Dialect, Rule};
use wavelens_check::{dialect, documentation};
use wavelens_test_support::damage::Corpus;
use wavelens_test_support::texts::{Text, path};
use wavelens_tests::failing;
use wavelens_tests::random::Random;
use wavelens_tests::recording::place;

/// Variants of each example.
const VARIANTS: usize = 4;

const ACCEPT: &str = "UPDATE_EXPECT=1 cargo test -p wavelens-tests --test fast recorded::";

/// A rule's examples and their variants. They depend on nothing but the examples.
fn texts(rule: &Rule) -> Vec<String> {
    let mut corpus = Corpus::default();
    corpus.add(rule.example);
    corpus.add(rule.fixed);
    let seed = rule.code.bytes().fold(1, |seed: u64, byte| seed.wrapping_mul(31) + u64::from(byte));
    let mut random = Random::new(seed);
    let mut texts = vec![rule.example.to_owned(), rule.fixed.to_owned()];
    texts.extend((0..VARIANTS).filter_map(|_| corpus.variant(rule.fixed, &mut random)));
    texts
}

/// What is found in each text, by its heading: the rule's code and a number.
fn recorded(file: &str) -> HashMap<&str, String> {
    let (mut recorded, mut heading): (HashMap<&str, String>, _) = (HashMap::new(), "");
    for line in file.lines() {
        if line.starts_with(' ') {
            *recorded.entry(heading).or_default() += &format!("{line}\n");
        } else {
            heading = line;
            recorded.entry(heading).or_default();
        }
    }
    recorded
}

fn compare(name: &str, extension: &'static str, dialect: Dialect) {
    let path = path(&format!("recorded/findings-{name}.txt"));
    let file = std::fs::read_to_string(&path).expect("the file can be read");
    let mut recorded = recorded(&file);
    let (mut renewed, mut differences) = (String::new(), Vec::new());
    let mut rules = dialect::rules(dialect).to_vec();
    rules.sort_by_key(|rule| rule.code);
    for rule in rules {
        for (number, text) in texts(rule).into_iter().enumerate() {
            let mut found = String::new();
            for finding in documentation::findings(dialect, rule, &text) {
                let at = place(&text, finding.range.start());
                _ = writeln!(found, "  {at} [{}] {}", finding.rule.code, finding.message);
            }
            let heading = format!("{} {number}", rule.code);
            let expected = recorded.remove(heading.as_str());
            _ = write!(renewed, "{heading}\n{found}");
            if expected.as_ref() != Some(&found) {
                let name = match number {
                    0 => format!("example of {}", rule.code),
                    1 => format!("correction of {}", rule.code),
                    _ => format!("variant {number} of {}", rule.code),
                };
                let text = Text { name, extension, machine: "-".to_owned(), text };
                let expected = expected.unwrap_or_else(|| "  nothing is recorded\n".to_owned());
                differences.push(failing::difference(&text, &expected, &found, ACCEPT));
            }
        }
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, renewed).expect("the file can be written");
        return;
    }
    let count = differences.len();
    differences.truncate(5);
    assert!(
        count == 0,
        "{count} texts of {} differ; the first ones:\n\n{}",
        path.display(),
        differences.join("\n")
    );
    assert!(recorded.is_empty(), "{} has rules that are gone; {ACCEPT}", path.display());
}

#[test]
fn findings_llvm() {
    compare("llvm", "ll", Dialect::Llvm);
}

#[test]
fn findings_mir() {
    compare("mir", "mir", Dialect::Mir);
}

#[test]
fn findings_spirv() {
    compare("spirv", "spvasm", Dialect::Spirv);
}

#[test]
fn findings_amdgpu() {
    compare("amdgpu", "s", Dialect::Amdgpu);
}
