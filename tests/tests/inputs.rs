//! Findings, encodings and answers for the inputs in `tests/data/inputs`.
//! Below each input is what we say about it; `UPDATE_EXPECT=1` writes it again. Read the difference, and compare what changed with the reference tools.

use std::fmt::Write;
use std::path::PathBuf;

use wavelens_ide::Database;
use wavelens_ide::db::View;
use wavelens_isa::{Target, bit_fields, decode, effects, print};
use wavelens_semantics::disassemble::{IdStyle, disassemble};
use wavelens_semantics::encode::{EncodedLine, encode};
use wavelens_semantics::spirv::interface;
use wavelens_semantics::{Dialect, Finding, TextRange, check_text};
use wavelens_tests::inputs::{FOUND, INPUT, Input, inputs, path};
use wavelens_tests::recording::{AT_PLACE, OF_TEXT, digest, place};

/// Compares what is found for each input of a file with what is recorded there; `explain` tells more about a difference.
fn compare(name: &str, found: impl Fn(&Input<'_>) -> String, explain: impl Fn(&Input<'_>, &str) -> String) {
    let path = path(name);
    let file = std::fs::read_to_string(&path).expect("the file can be read");
    let (mut renewed, mut differences) = (String::new(), Vec::new());
    for input in inputs(&file) {
        let found = found(&input);
        if found != input.recorded {
            let Input { head, text, recorded, .. } = &input;
            let more = explain(&input, &found);
            differences
                .push(format!("{INPUT}{head}\n{text}-- recorded:\n{recorded}-- found:\n{found}{more}"));
        }
        _ = write!(renewed, "{INPUT}{}\n{}{FOUND}{found}", input.head, input.written);
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, renewed).expect("the file can be written");
        return;
    }
    let count = differences.len();
    differences.truncate(5);
    assert!(count == 0, "{count} inputs of {name} differ; the first ones:\n{}", differences.join("\n"));
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
    let options = input.options(dialect);
    let mut findings = check_text(dialect, &input.text, &options);
    if dialect == Dialect::Spirv {
        let modules = interface::Module::read(PathBuf::new(), &input.text, &options);
        findings.extend(interface::check(&modules, &[], &options).into_iter().flatten().flatten());
    }
    let mut out: String = findings.iter().map(|finding| shown(&input.text, finding)).collect();
    let lines = encode(dialect, &input.text, &options).map(|encoding| encoding.lines).unwrap_or_default();
    let target = options.target.as_deref().and_then(Target::named).filter(|_| dialect == Dialect::Amdgpu);
    let shown = lines.iter().map(|line| {
        let decoded = target.map(|target| decoded(target, line)).unwrap_or_default();
        format!("{:#x}: {} {}\n{decoded}", line.offset, line.shown, line.text)
    });
    match dialect {
        Dialect::Spirv => {
            _ = writeln!(out, "words {}", digest(&shown.collect::<String>()));
            let bytes: Vec<u8> = lines.iter().flat_map(|line| line.bytes.iter().copied()).collect();
            let texts = [IdStyle::Friendly, IdStyle::Raw].map(|style| disassemble(&bytes, style));
            _ = writeln!(out, "text {}", digest(&format!("{texts:?}")));
        }
        _ => out.extend(shown),
    }
    if let Some(target) = target.filter(|_| !lines.is_empty()) {
        let around: String = lines.iter().map(|line| neighbours(target, line)).collect();
        _ = writeln!(out, "around {}", digest(&around));
    }
    out
}

/// What an instruction does, its fields, and what its bytes decode to after a change of one bit.
fn neighbours(target: Target, line: &EncodedLine) -> String {
    let decoded = decode(target, &line.bytes);
    let facts = decoded.map(|d| (effects(target, &d.inst), bit_fields(&d.inst, target)));
    let mut out = format!("{facts:?}\n");
    for bit in 0..line.bytes.len().min(16) * 8 {
        let mut bytes = line.bytes.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let decoded = decode(target, &bytes).map(|decoded| print(target, &decoded.inst));
        _ = writeln!(out, "{decoded:?}");
    }
    out
}

fn compare_findings(name: &str, dialect: Dialect) {
    compare(name, |input| findings(dialect, input), |_, _| String::new());
}

#[test]
fn findings_llvm() {
    compare_findings("llvm.txt", Dialect::Llvm);
}

#[test]
fn findings_mir() {
    compare_findings("mir.txt", Dialect::Mir);
}

#[test]
fn findings_spirv() {
    compare_findings("spirv.txt", Dialect::Spirv);
}

#[test]
fn findings_amdgpu() {
    compare_findings("amdgpu.txt", Dialect::Amdgpu);
}

/// Every answer about a text and a place in it, by the name of the feature.
fn answers(dialect: Dialect, input: &Input<'_>) -> Vec<(&'static str, String)> {
    let mut db = Database::default();
    let document = input.open(&mut db, dialect);
    let view = View::new(&db, document.file());
    let offset = input.offset();
    let of_text = OF_TEXT.iter().map(|(name, answer)| (*name, answer(view)));
    of_text.chain(AT_PLACE.iter().map(|(name, answer)| (*name, answer(view, offset)))).collect()
}

/// Digests, as answers are long.
fn digests(dialect: Dialect, input: &Input<'_>) -> String {
    let answers = answers(dialect, input);
    let empty = ["[]", "None"];
    let shown = answers.iter().filter(|(_, answer)| !empty.contains(&answer.as_str()));
    shown.map(|(name, answer)| format!("{name} {}\n", digest(answer))).collect()
}

fn compare_answers(name: &str, dialect: Dialect) {
    compare(
        name,
        |input| digests(dialect, input),
        |input, found| {
            let is_new = |name: &str| {
                let line =
                    |text: &str| text.lines().find(|l| l.split(' ').next() == Some(name)).map(str::to_owned);
                line(found) != line(input.recorded)
            };
            let changed = answers(dialect, input).into_iter().filter(|(name, _)| is_new(name));
            let place = place(&input.text, input.offset());
            changed.map(|(name, answer)| format!("-- {name} at {place}: {answer:.2000}\n")).collect()
        },
    );
}

#[test]
fn answers_llvm() {
    compare_answers("llvm-places.txt", Dialect::Llvm);
}

#[test]
fn answers_mir() {
    compare_answers("mir-places.txt", Dialect::Mir);
}

#[test]
fn answers_spirv() {
    compare_answers("spirv-places.txt", Dialect::Spirv);
}

#[test]
fn answers_amdgpu() {
    compare_answers("amdgpu-places.txt", Dialect::Amdgpu);
}
