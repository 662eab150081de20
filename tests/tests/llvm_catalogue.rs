//! The catalogue of what LLVM's parser and verifier reject: `data/llvm/verifier/*.ll`, one smallest bad module for each check.
//!
//! A case begins with `; ---- case: name`; the line that is wrong ends in `; error: ` and the reference's own words, for reading.
//! Every case must be rejected by llvm-as-22 (when it is installed) and get an error from us on that line; those that do not yet
//! are listed in `open.txt`. `UPDATE_OPEN=1` rewrites that list.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wavelens_analysis::{Dialect, Options, Severity, check_text};

struct Case {
    /// `family/name`.
    name: String,
    text: String,
    /// Line of the mistake, from 0, and the reference's words.
    line: usize,
    words: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/llvm/verifier")
}

fn cases() -> Vec<Case> {
    let mut files: Vec<_> = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ll"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let family = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let content = std::fs::read_to_string(&file).unwrap();
        for piece in content.split("; ---- case: ").skip(1) {
            let (name, text) = piece.split_once('\n').unwrap_or((piece, ""));
            let mark = text.lines().enumerate().find_map(|(i, l)| Some((i, l.split_once("; error: ")?.1)));
            let (line, words) = mark.unwrap_or_else(|| panic!("{family}/{name} marks no line"));
            let words = words.to_owned();
            cases.push(Case { name: format!("{family}/{name}"), text: text.to_owned(), line, words });
        }
    }
    cases
}

#[test]
fn names_are_unique_and_checks_many() {
    let cases = cases();
    let names: BTreeSet<_> = cases.iter().map(|c| &c.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.len() >= 600, "{}", cases.len());
}

#[test]
fn llvm_as_rejects_every_case() {
    if Command::new("llvm-as-22").arg("--version").output().is_err() {
        println!("skipped: llvm-as-22 not installed");
        return;
    }
    let cases = cases();
    let accepted: Vec<_> = std::thread::scope(|threads| {
        let halves: Vec<_> = cases
            .chunks(cases.len().div_ceil(4))
            .map(|part| {
                threads.spawn(|| {
                    part.iter().filter(|c| llvm_accepts(&c.text)).map(|c| &c.name).collect::<Vec<_>>()
                })
            })
            .collect();
        halves.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    assert!(accepted.is_empty(), "accepted by llvm-as-22: {accepted:?}");
}

fn llvm_accepts(text: &str) -> bool {
    let mut child = Command::new("llvm-as-22")
        .args(["-disable-output", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    child.wait().unwrap().success()
}

#[test]
fn we_find_every_case_on_its_line() {
    let cases = cases();
    let mut open = String::new();
    let mut checks = BTreeSet::new();
    for case in &cases {
        let start: usize = case.text.split_inclusive('\n').take(case.line).map(str::len).sum();
        let end = start + case.text[start..].find('\n').unwrap_or(case.text.len() - start);
        let found = check_text(Dialect::Llvm, &case.text, &Options::default());
        let errors: Vec<_> = found.iter().filter(|f| f.severity == Severity::Error).collect();
        if errors.iter().any(|f| (start..=end).contains(&usize::from(f.range.start()))) {
            checks.insert(&case.words);
        } else {
            let why = if errors.is_empty() { "silent" } else { "elsewhere" };
            writeln!(open, "{} {why}", case.name).unwrap();
        }
    }
    let missing = open.lines().count();
    println!(
        "catalogue: {} of {} cases found on their line, {} distinct messages of the reference",
        cases.len() - missing,
        cases.len(),
        checks.len()
    );
    let path = folder().join("open.txt");
    if std::env::var_os("UPDATE_OPEN").is_some() {
        std::fs::write(&path, &open).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<_> = known.lines().filter_map(|l| l.split(' ').next()).collect();
    let lost: Vec<_> = open.lines().filter(|l| !known.contains(l.split(' ').next().unwrap_or(""))).collect();
    assert!(lost.is_empty(), "no longer found: {lost:?}");
}
