//! Variants of the inputs in `tests/data/inputs`, in which a word, a number, a name or a line is another one, and answers at random places
//! of the inputs themselves: recorded is a digest for each few inputs, which changes with any rule that one of them reaches.
//! `WAVELENS_SHOW="damaged-llvm 3"` prints what the digest of that line is made of; `UPDATE_EXPECT=1` records all again.

use std::fmt::Write;
use std::path::Path;

use wavelens_ide::Database;
use wavelens_ide::db::View;
use wavelens_semantics::{Dialect, TextSize, check_text};
use wavelens_test_support::damage::Corpus;
use wavelens_tests::inputs::{Input, inputs, path};
use wavelens_tests::random::Random;
use wavelens_tests::recording::{AT_PLACE, OF_TEXT, digest, place};

/// Variants of each input.
const VARIANTS: usize = 150;

/// Places of each input.
const PLACES: usize = 30;

/// Inputs of a line.
const GROUP: usize = 20;

/// Compares what `answer` says about each group of inputs with what is recorded, up to the first difference.
fn compare(kind: &str, inputs: &[Input<'_>], answer: impl Fn(&Input<'_>, &mut Random) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/recorded").join(format!("{kind}.txt"));
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    let updates = std::env::var_os("UPDATE_EXPECT").is_some();
    let shown = std::env::var("WAVELENS_SHOW").unwrap_or_default();
    let (mut lines, mut renewed) = (recorded.lines(), String::new());
    for (number, group) in (0u32..).zip(inputs.chunks(GROUP)) {
        let mut random = Random::new(u64::from(number) + 1);
        let text: String = group.iter().map(|input| answer(input, &mut random)).collect();
        if shown == format!("{kind} {number}") {
            println!("{text}");
        }
        let line = format!("{number} {}", digest(&text));
        let is_same = lines.next() == Some(&line);
        assert!(is_same || updates, "line {number} of {} differs: see the top of this file", path.display());
        renewed = renewed + &line + "\n";
    }
    if updates {
        std::fs::write(&path, renewed).expect("the file can be written");
    }
}

fn compare_findings(name: &str, dialect: Dialect) {
    let file = std::fs::read_to_string(path(&format!("{name}.txt"))).expect("the file can be read");
    let inputs = inputs(&file);
    let mut corpus = Corpus::default();
    inputs.iter().for_each(|input| corpus.add(&input.text));
    compare(&format!("damaged-{name}"), &inputs, |input, random| {
        let options = input.options(dialect);
        let mut out = String::new();
        for text in (0..VARIANTS).filter_map(|_| corpus.variant(&input.text, random)) {
            _ = writeln!(out, "{text}");
            for finding in check_text(dialect, &text, &options) {
                let (at, code) = (place(&text, finding.range.start()), finding.rule.code);
                _ = writeln!(out, "-> {at} [{code}] {} {:?}", finding.message, finding.fix);
            }
        }
        out
    });
}

#[test]
fn findings_llvm() {
    compare_findings("llvm", Dialect::Llvm);
}

#[test]
fn findings_mir() {
    compare_findings("mir", Dialect::Mir);
}

#[test]
fn findings_spirv() {
    compare_findings("spirv", Dialect::Spirv);
}

#[test]
fn findings_amdgpu() {
    compare_findings("amdgpu", Dialect::Amdgpu);
}

fn compare_answers(name: &str, dialect: Dialect) {
    let file = std::fs::read_to_string(path(&format!("{name}.txt"))).expect("the file can be read");
    compare(&format!("answers-at-{name}"), &inputs(&file), |input, random| {
        let mut db = Database::default();
        let document = input.open(&mut db, dialect);
        let view = View::new(&db, document.file());
        let mut out = format!("{}\n", input.text);
        for (name, answer) in OF_TEXT {
            _ = writeln!(out, "{name}: {}", answer(view));
        }
        for number in 0..PLACES {
            let at = random.offset(&input.text);
            let offset = TextSize::new(u32::try_from(at).expect("inputs are short"));
            // Completion takes most of the time.
            for (name, answer) in AT_PLACE.into_iter().filter(|(name, _)| *name != "completion" || number < 3)
            {
                _ = writeln!(out, "{name} at {}: {}", place(&input.text, offset), answer(view, offset));
            }
        }
        out
    });
}

#[test]
fn answers_llvm() {
    compare_answers("llvm", Dialect::Llvm);
}

#[test]
fn answers_mir() {
    compare_answers("mir", Dialect::Mir);
}

#[test]
fn answers_spirv() {
    compare_answers("spirv", Dialect::Spirv);
}

#[test]
fn answers_amdgpu() {
    compare_answers("amdgpu", Dialect::Amdgpu);
}
