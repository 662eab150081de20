//! Findings, encodings and answers for the inputs in `tests/data/inputs`.
//! Below each input is what we say about it; `UPDATE_EXPECT=1` writes it again. Read the difference, and compare what changed with the reference tools.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use wavelens_base::{Dialect, Finding, TextRange};
use wavelens_check::check_text;
use wavelens_check::encode::{EncodedLine, encode};
use wavelens_ide::Database;
use wavelens_ide::db::View;
use wavelens_isa::{Target, decode, print};
use wavelens_spirv::rules::pipeline;
use wavelens_test_support::texts::inputs::{FOUND, INPUT, Input, NAME, Names, inputs, place_name};
use wavelens_test_support::texts::{Text, path};
use wavelens_tests::inputs::{open, options};
use wavelens_tests::recording::place;
use wavelens_tests::{answers, failing, properties};

const ACCEPT: &str = "UPDATE_EXPECT=1 cargo test -p wavelens-tests --test fast inputs::";

/// Compares what is found for each input of a file with what is recorded there.
fn compare(name: &str, extension: &'static str, dialect: Dialect) {
    let path = path(&format!("inputs/{name}.txt"));
    let file = std::fs::read_to_string(&path).expect("the file can be read");
    let (mut renewed, mut differences) = (String::new(), Vec::new());
    let all = inputs(&file);
    let names = Names::new(&all);
    for (number, input) in all.into_iter().enumerate() {
        let found = findings(dialect, &input);
        let machine = input.machine().unwrap_or("-").to_owned();
        // What is accepted keeps its name: others that come may have the same words.
        let is_named = found.contains("]: ") || input.name.is_empty();
        let held = if is_named { names.of(&input, &found) } else { input.name.to_owned() };
        let Input { head, text, recorded, written, .. } = input;
        _ = write!(renewed, "{INPUT}{head}{NAME}{held}\n{written}{FOUND}{found}");
        if found != recorded || held != input.name {
            let text =
                Text { name: format!("input {name} {number}: {}", input.name), extension, machine, text };
            let with = |name: &str, found: &str| format!("holds {name}\n{found}");
            let (expected, found) = (with(input.name, recorded), with(&held, &found));
            differences.push(failing::difference(&text, &expected, &found, ACCEPT));
        }
    }
    compare_with_file(&path, &renewed, differences);
}

/// Fails with the first differences, or writes the file again where that is asked for.
fn compare_with_file(path: &Path, renewed: &str, mut differences: Vec<String>) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, renewed).expect("the file can be written");
        return;
    }
    let count = differences.len();
    differences.truncate(5);
    assert!(
        count == 0,
        "{count} inputs of {} differ; the first ones:\n\n{}",
        path.display(),
        differences.join("\n")
    );
}

fn shown(text: &str, finding: &Finding) -> String {
    let range = |range: TextRange| format!("{}-{}", place(text, range.start()), place(text, range.end()));
    let mut out = format!(
        "{} {:?}[{}]: {}\n",
        range(finding.range),
        finding.severity,
        finding.rule.code,
        finding.message
    );
    for related in &finding.related {
        _ = writeln!(out, "  {} {}", range(related.range), related.message);
    }
    if let Some(fix) = &finding.fix {
        _ = writeln!(out, "  fix: {}", fix.title);
        fix.edits.iter().for_each(|edit| _ = writeln!(out, "  {} {:?}", range(edit.range), edit.text));
    }
    out
}

/// What the bytes of a line decode to, if it is another text.
fn decoded(target: Target, line: &EncodedLine) -> String {
    let text = decode(target, &line.bytes).map(|decoded| print(target, &decoded.inst));
    if text.as_deref() == Some(&line.text) { String::new() } else { format!("  decoded {text:?}\n") }
}

/// The findings about a text, what it assembles to, and what that disassembles to.
fn findings(dialect: Dialect, input: &Input<'_>) -> String {
    let options = options(dialect, input.machine().unwrap_or("-"), &input.text);
    let mut findings = check_text(dialect, &input.text, &options);
    if dialect == Dialect::Spirv {
        let modules = pipeline::Module::read(PathBuf::new(), &input.text, &options);
        findings.extend(pipeline::check(&modules, &[], &options).into_iter().flatten().flatten());
    }
    let mut out: String = findings.iter().map(|finding| shown(&input.text, finding)).collect();
    let lines = encode(dialect, &input.text, &options).map(|encoding| encoding.lines).unwrap_or_default();
    let target = options.target.as_deref().and_then(Target::named).filter(|_| dialect == Dialect::Amdgpu);
    let shown = lines.iter().map(|line| {
        let decoded = target.map(|target| decoded(target, line)).unwrap_or_default();
        format!("{:#x}: {} {}\n{decoded}", line.offset, line.shown, line.text)
    });
    if dialect != Dialect::Spirv {
        out.extend(shown);
    }
    out
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

/// Answers about the inputs at the places in their heads: below each input is what editors show there, and what they show of the whole text
/// where it is not that of the input before.
fn answer(name: &str, extension: &'static str, dialect: Dialect) {
    let path = path(&format!("inputs/{name}-places.txt"));
    let file = std::fs::read_to_string(&path).expect("the file can be read");
    let (mut renewed, mut differences) = (String::new(), Vec::new());
    let mut last = String::new();
    for (number, input) in inputs(&file).into_iter().enumerate() {
        let mut db = Database::default();
        let options = options(dialect, input.machine().unwrap_or("-"), &input.text);
        let document = open(&mut db, dialect, &input.text, &options);
        let view = View::new(&db, document.file());
        let offset = input.offset().expect("a place in the text");
        let held = place_name(&input);
        properties::answers(view, &input.text);
        properties::answers_at(view, &input.text, offset as usize);
        let mut found = answers::at_place(view, &input.text, offset.into());
        if input.text != last {
            found += &answers::of_text(view, &input.text);
        }
        let Input { head, written, recorded, .. } = input;
        _ = write!(renewed, "{INPUT}{head}{NAME}{held}\n{written}{FOUND}{found}");
        last.clone_from(&input.text);
        if found != recorded || held != input.name {
            let name = format!("input {name} {number}: {held}, offset {offset}");
            let machine = input.machine().unwrap_or("-").to_owned();
            let text = Text { name, extension, machine, text: input.text };
            differences.push(failing::difference(&text, recorded, &found, ACCEPT));
        }
    }
    compare_with_file(&path, &renewed, differences);
}

#[test]
fn answers_llvm() {
    answer("llvm", "ll", Dialect::Llvm);
}

#[test]
fn answers_mir() {
    answer("mir", "mir", Dialect::Mir);
}

#[test]
fn answers_spirv() {
    answer("spirv", "spvasm", Dialect::Spirv);
}

#[test]
fn answers_amdgpu() {
    answer("amdgpu", "s", Dialect::Amdgpu);
}
