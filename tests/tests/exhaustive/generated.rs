//! Damaged variants of the inputs, families, operands and combinations: no text makes a check panic, and every finding, every edit of a
//! fix and every answer is inside the text.
//!
//! Each run takes a sample, drawn with the number in `WAVELENS_SEED`; with `WAVELENS_EXHAUSTIVE` all texts are taken.

use wavelens_ide::Database;
use wavelens_ide::db::View;
use wavelens_test_support::texts::{PROCESSORS, Text, combinations, damaged, families, operands};
use wavelens_tests::random::Random;
use wavelens_tests::{failing, inputs, properties};

/// Damaged variants of each input: where all are taken, and in a sample.
const VARIANTS: usize = 150;
const SAMPLED: usize = 2;

/// Places of each text at which an editor is asked.
const PLACES: usize = 2;

fn is_exhaustive() -> bool {
    std::env::var_os("WAVELENS_EXHAUSTIVE").is_some()
}

fn seed() -> u64 {
    std::env::var("WAVELENS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

/// One of `part` texts, or all of them.
fn sample(texts: Vec<Text>, part: usize) -> impl Iterator<Item = Text> {
    let part = if is_exhaustive() { 1 } else { part };
    let first = Random::new(seed()).below(part);
    texts.into_iter().skip(first).step_by(part)
}

/// Prints a text that made a test fail.
struct ShownOnPanic<'t>(&'t Text);

impl Drop for ShownOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("in {} for {}:\n{}", self.0.name, self.0.machine, self.0.text);
            println!("to see it alone: {}", failing::command(self.0));
            println!("the sample was drawn with WAVELENS_SEED={}", seed());
        }
    }
}

fn hold(texts: impl Iterator<Item = Text>) {
    let mut random = Random::new(seed());
    for text in texts {
        let _shown = ShownOnPanic(&text);
        let (dialect, options) = inputs::settings(&text);
        properties::check(dialect, &text.text, &options);
        let mut db = Database::default();
        let document = inputs::open(&mut db, dialect, &text.text, &options);
        let view = View::new(&db, document.file());
        properties::answers(view, &text.text);
        (0..PLACES).for_each(|_| properties::answers_at(view, &text.text, random.offset(&text.text)));
    }
}

fn damage(extension: &'static str) {
    let variants = if is_exhaustive() { VARIANTS } else { SAMPLED };
    hold(sample(damaged(extension, variants, seed()), 4));
}

#[test]
fn damaged_llvm() {
    damage("ll");
}

#[test]
fn damaged_mir() {
    damage("mir");
}

#[test]
fn damaged_spirv() {
    damage("spvasm");
}

#[test]
fn damaged_amdgpu() {
    damage("s");
}

#[test]
fn families_llvm() {
    hold(sample(families::texts("ll"), 200));
}

#[test]
fn families_mir() {
    hold(sample(families::texts("mir"), 50));
}

#[test]
fn families_amdgpu() {
    hold(sample(families::texts("s"), 50));
}

#[test]
fn operands_amdgpu() {
    hold(sample(operands::texts(&PROCESSORS), 50));
}

#[test]
fn combinations_spirv() {
    hold(sample(combinations::texts(), 40));
}
