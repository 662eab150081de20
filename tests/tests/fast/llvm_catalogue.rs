//! The catalogue of what LLVM's parser and verifier reject: `data/llvm/verifier/*.ll`, one smallest bad module for each check.
//!
//! A case begins with `; ---- case: name`; the line that is wrong ends in `; error: ` and the reference's own words, for reading.
//! Every case must be rejected by llvm-as-22 (when it is installed) and get an error from us on that line; those that do not yet
//! are listed in `open.txt`. `UPDATE_OPEN=1` rewrites that list.
//!
//! `data/llvm/debug_info/*.ll` holds the debug information that LLVM drops with a warning: its mark is `; warning: `, and the text
//! before the first case of a file is added to each.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;
use wavelens_syntax::wording;
use wavelens_tests::reference::{Verdict, llvm_as};
use wavelens_tests::required;

struct Case {
    /// `family/name`.
    name: String,
    text: String,
    /// Line of the mistake, from 0, and the reference's words.
    line: usize,
    words: String,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/llvm").join(name)
}

fn cases() -> Vec<Case> {
    read("verifier", "; error: ")
}

fn read(name: &str, mark: &str) -> Vec<Case> {
    let mut files: Vec<_> =
        std::fs::read_dir(folder(name)).expect("the folder is there").flatten().map(|e| e.path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ll"));
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let family = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let content = std::fs::read_to_string(&file).expect("a readable file");
        let mut pieces = content.split("; ---- case: ");
        let common = pieces.next().unwrap_or("");
        for piece in pieces {
            let (name, text) = piece.split_once('\n').unwrap_or((piece, ""));
            let marked = text.lines().enumerate().find_map(|(i, l)| Some((i, l.split_once(mark)?.1)));
            let (line, words) = marked.unwrap_or_else(|| panic!("{family}/{name} marks no line"));
            let words = words.to_owned();
            cases.push(Case {
                name: format!("{family}/{name}"),
                text: format!("{text}{common}"),
                line,
                words,
            });
        }
    }
    cases
}

#[test]
fn names_are_unique_and_checks_many() {
    for (cases, least) in [(cases(), 600), (debug_info(), 150)] {
        let names: BTreeSet<_> = cases.iter().map(|c| &c.name).collect();
        assert_eq!(names.len(), cases.len());
        assert!(cases.len() >= least, "{}", cases.len());
    }
}

#[test]
fn llvm_as_rejects_every_case() {
    let cases = cases();
    let accepted = names_where(&cases, |case| llvm_as(&case.text).expect("llvm-as-22 runs").accepts);
    assert!(accepted.is_empty(), "accepted by llvm-as-22: {accepted:?}");
}

#[test]
fn llvm_as_drops_the_debug_information_of_every_case() {
    let cases = debug_info();
    let kept = names_where(&cases, |case| {
        let Verdict { accepts, messages } = llvm_as(&case.text).expect("llvm-as-22 runs");
        !(accepts && messages.contains(&case.words) && messages.contains("ignoring invalid debug info"))
    });
    assert!(kept.is_empty(), "not dropped by llvm-as-22: {kept:?}");
}

fn debug_info() -> Vec<Case> {
    read("debug_info", "; warning: ")
}

/// Names of the cases for which a question to llvm-as-22 holds; none where it is not installed.
fn names_where(cases: &[Case], holds: impl Fn(&Case) -> bool + Sync) -> Vec<&str> {
    if !required::program("llvm-as-22") {
        return Vec::new();
    }
    std::thread::scope(|threads| {
        let parts: Vec<_> = cases
            .chunks(cases.len().div_ceil(4))
            .map(|part| {
                threads
                    .spawn(|| part.iter().filter(|c| holds(c)).map(|c| c.name.as_str()).collect::<Vec<_>>())
            })
            .collect();
        parts.into_iter().flat_map(|t| t.join().expect("no panic")).collect()
    })
}

/// The findings about a case that start on its line, and how many errors there are.
fn on_line(case: &Case) -> (Vec<wavelens_base::Finding>, usize) {
    let start: usize = case.text.split_inclusive('\n').take(case.line).map(str::len).sum();
    let end = start + case.text[start..].find('\n').unwrap_or(case.text.len() - start);
    // The messages are those of LLVM 22; newer ones accept some of the cases.
    let options = Options { llvm_level: Some(22), ..Options::default() };
    let mut found = check_text(Dialect::Llvm, &case.text, &options);
    let errors = found.iter().filter(|f| f.severity == Severity::Error).count();
    // The end of a cut line is the place of the mistake; the reference names where it noticed it.
    let is_noticed_here = |f: &wavelens_base::Finding| {
        let mut noticed = f.related.iter().filter(|r| r.message == wording::REFERENCE);
        noticed.any(|r| (start..=end).contains(&usize::from(r.range.start())))
    };
    found.retain(|f| (start..=end).contains(&usize::from(f.range.start())) || is_noticed_here(f));
    (found, errors)
}

#[test]
fn we_warn_of_dropped_debug_information_on_its_line() {
    let cases = debug_info();
    let mut lost = Vec::new();
    for case in &cases {
        let (found, errors) = on_line(case);
        if errors > 0 || !found.iter().any(|f| f.rule.code == "invalid-debug-info") {
            lost.push(&case.name);
        }
    }
    let checks: BTreeSet<_> = cases.iter().map(|c| &c.words).collect();
    println!("debug information: {} cases, {} distinct messages of the reference", cases.len(), checks.len());
    assert!(lost.is_empty(), "not found: {lost:?}");
}

#[test]
fn we_find_every_case_on_its_line() {
    let cases = cases();
    let mut open = String::new();
    let mut checks = BTreeSet::new();
    for case in &cases {
        let (found, errors) = on_line(case);
        if found.iter().any(|f| f.severity == Severity::Error) {
            checks.insert(&case.words);
        } else {
            let why = if errors == 0 { "silent" } else { "elsewhere" };
            let _ = writeln!(open, "{} {why}", case.name);
        }
    }
    let missing = open.lines().count();
    println!(
        "catalogue: {} of {} cases found on their line, {} distinct messages of the reference",
        cases.len() - missing,
        cases.len(),
        checks.len()
    );
    let path = folder("verifier").join("open.txt");
    if std::env::var_os("UPDATE_OPEN").is_some() {
        std::fs::write(&path, &open).expect("the list can be written");
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let known: BTreeSet<_> = known.lines().filter_map(|l| l.split(' ').next()).collect();
    let lost: Vec<_> = open.lines().filter(|l| !known.contains(l.split(' ').next().unwrap_or(""))).collect();
    assert!(lost.is_empty(), "no longer found: {lost:?}");
}
