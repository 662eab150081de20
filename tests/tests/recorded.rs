//! Findings, encodings and answers for many small inputs, recorded in files: a change of a rule or of a table entry, however small,
//! changes a line there. `UPDATE_EXPECT=1` writes the files again; read the difference, and compare what changed with the
//! reference tools.
//!
//! The inputs are the rules' examples and variants of them in which a word, a number or a line is replaced by what occurs in the same
//! position in another example. Long answers are recorded as the start of their SHA-256.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use expect_test::expect_file;
use wavelens_ide::db::View;
use wavelens_ide::{Database, Document};
use wavelens_isa::{Target, decode, print};
use wavelens_semantics::{Dialect, Options, Rule, TextSize, dialect, documentation};
use wavelens_test_support::damage::Corpus;
use wavelens_tests::isa::{self, ours, unhex};
use wavelens_tests::random::Random;
use wavelens_tests::recording::{AT_PLACE, OF_TEXT, digest, place};

/// Variants of each example: with a line for each, and all others together.
const SHOWN: usize = 4;
const MORE: usize = 60;

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
        texts.extend((0..SHOWN + MORE).filter_map(|_| corpus.variant(rule.fixed, &mut random)));
        (*rule, texts)
    });
    inputs.collect()
}

/// Lines, columns and codes of the findings about a text, then what their messages and fixes are.
fn shown(dialect: Dialect, rule: &Rule, text: &str) -> String {
    let (mut out, mut messages) = (String::new(), String::new());
    for finding in documentation::findings(dialect, rule, text) {
        _ = write!(out, " {} {}", place(text, finding.range.start()), finding.rule.code);
        _ = write!(messages, "{} {:?} {:?}", finding.message, finding.related, finding.fix);
    }
    if messages.is_empty() { out } else { out + " " + &digest(&messages) }
}

/// A line for each input, and one for what the last ones of a rule give together.
fn findings(dialect: Dialect) -> String {
    let mut out = String::new();
    for (rule, texts) in inputs(dialect) {
        let (first, more) = texts.split_at(texts.len().min(2 + SHOWN));
        for (number, text) in first.iter().enumerate() {
            _ = writeln!(out, "{} {number}:{}", rule.code, shown(dialect, rule, text));
        }
        let more: String = more.iter().map(|text| shown(dialect, rule, text) + "\n").collect();
        _ = writeln!(out, "{} more: {}", rule.code, digest(&more));
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

/// Answers that the files do not have.
const LEFT_OUT: [&str; 3] = ["format", "live", "source"];

/// Every answer about a text, at the start of every word.
fn answers(dialect: Dialect, text: &str) -> String {
    let mut db = Database::default();
    let document = Document::new(&mut db, dialect, text, Options::default());
    let view = View::new(&db, document.file());
    let mut answers: BTreeMap<&str, String> = BTreeMap::new();
    let mut add = |feature, answer: String| {
        _ = writeln!(answers.entry(feature).or_default(), "{answer}");
    };
    for (feature, answer) in OF_TEXT.iter().filter(|(feature, _)| !LEFT_OUT.contains(feature)) {
        add(*feature, answer(view));
    }
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '%' | '@' | '!' | '$');
    let starts = text.char_indices().scan(false, |was_word, (at, c)| {
        let starts = is_word(c) && !*was_word;
        *was_word = is_word(c);
        Some(starts.then_some(at))
    });
    for (number, at) in starts.flatten().enumerate() {
        let offset = TextSize::new(u32::try_from(at).expect("examples are short"));
        for (feature, answer) in AT_PLACE {
            match feature {
                // Hundreds of words each time.
                "completion" if number % 4 != 0 => {}
                "callers" | "callees" => add("calls", answer(view, offset)),
                _ if LEFT_OUT.contains(&feature) => {}
                _ => add(feature, answer(view, offset)),
            }
        }
    }
    answers.iter().map(|(feature, text)| format!(" {feature} {}", digest(text))).collect()
}

fn all_answers(dialect: Dialect) -> String {
    let rules = dialect::rules(dialect).iter();
    rules.map(|rule| format!("{}:{}\n", rule.code, answers(dialect, rule.fixed))).collect()
}

#[test]
fn answers_llvm() {
    expect_file![file("answers-llvm.txt")].assert_eq(&all_answers(Dialect::Llvm));
}

#[test]
fn answers_mir() {
    expect_file![file("answers-mir.txt")].assert_eq(&all_answers(Dialect::Mir));
}

#[test]
fn answers_spirv() {
    expect_file![file("answers-spirv.txt")].assert_eq(&all_answers(Dialect::Spirv));
}

#[test]
fn answers_amdgpu() {
    expect_file![file("answers-amdgpu.txt")].assert_eq(&all_answers(Dialect::Amdgpu));
}

/// The parts of the instruction table that are recorded.
const PART: (usize, usize) = (1, 24);

/// The bytes of good and damaged sample lines, and what they decode to, by the first words of mnemonics.
fn encodings(target: &'static str) -> String {
    let machine = Target::named(target).expect("a processor");
    let mut lines = isa::samples(machine, PART);
    lines.extend(isa::damaged_samples(machine, PART));
    let mut families: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (line, answer) in lines.iter().zip(ours(target, &lines)) {
        let family: Vec<&str> = line.split(' ').next().unwrap_or_default().split('_').take(2).collect();
        let (count, text) = families.entry(family.join("_")).or_default();
        *count += 1;
        let decoded = answer.bytes().and_then(|hex| decode(machine, &unhex(hex)));
        _ = writeln!(text, "{line}: {answer:?} {:?}", decoded.map(|d| print(machine, &d.inst)));
    }
    let shown =
        families.iter().map(|(family, (count, text))| format!(" {family} {count} {}\n", digest(text)));
    format!("{target}\n{}", shown.collect::<String>())
}

#[test]
fn encodings_are_as_recorded() {
    let targets = ["gfx600", "gfx803", "gfx90a", "gfx950", "gfx1030", "gfx1100", "gfx1200", "gfx1250"];
    let found: String = targets.into_iter().map(encodings).collect();
    expect_file![file("encodings.txt")].assert_eq(&found);
}
