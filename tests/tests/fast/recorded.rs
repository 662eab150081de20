//! Findings for many small inputs, recorded in files: a change of a rule or of a table entry changes a line there. `UPDATE_EXPECT=1` writes the files again; read the difference, and compare what changed with the
//! reference tools.
//!
//! The inputs are the rules' examples and variants of them in which a word, a number or a line is replaced by what occurs in the same
//! position in another example.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use wavelens_base::{Dialect, Rule};
use wavelens_check::{dialect, documentation};
use wavelens_test_support::damage::Corpus;
use wavelens_tests::random::Random;
use wavelens_tests::recording::place;

/// Variants of each example.
const VARIANTS: usize = 4;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded").join(name)
}

/// Each rule's examples, each with its variants.
fn inputs(dialect: Dialect) -> Vec<(&'static Rule, Vec<String>)> {
    let rules = dialect::rules(dialect);
    let mut corpus = Corpus::default();
    rules.iter().for_each(|rule| corpus.add(rule.fixed));
    let mut random = Random::new(1);
    let inputs = rules.iter().map(|rule| {
        let mut texts = vec![rule.example.to_owned(), rule.fixed.to_owned()];
        texts.extend((0..VARIANTS).filter_map(|_| corpus.variant(rule.fixed, &mut random)));
        (*rule, texts)
    });
    inputs.collect()
}

/// A line for each finding below the number of its input.
fn findings(dialect: Dialect) -> String {
    let mut out = String::new();
    for (rule, texts) in inputs(dialect) {
        for (number, text) in texts.iter().enumerate() {
            _ = writeln!(out, "{} {number}", rule.code);
            for finding in documentation::findings(dialect, rule, text) {
                let (at, code) = (place(text, finding.range.start()), finding.rule.code);
                _ = writeln!(out, "  {at} [{code}] {}", finding.message);
            }
        }
    }
    out
}

#[test]
fn findings_llvm() {
    expect_file![file("findings-llvm.txt")].assert_eq(&findings(Dialect::Llvm));
}

#[test]
fn findings_mir() {
    expect_file![file("findings-mir.txt")].assert_eq(&findings(Dialect::Mir));
}

#[test]
fn findings_spirv() {
    expect_file![file("findings-spirv.txt")].assert_eq(&findings(Dialect::Spirv));
}

#[test]
fn findings_amdgpu() {
    expect_file![file("findings-amdgpu.txt")].assert_eq(&findings(Dialect::Amdgpu));
}
