//! The catalogues of wrong Machine IR (`data/mir/*.txt`): one smallest example for each check of LLVM's MIR parser and machine verifier. Each must be
//! rejected by llc-22 (when it is installed), and by us at the operand that is marked.
//!
//! `sites.txt` lists the places in LLVM's source that report, each with the example that reaches it or the reason why none can; llc-22 must say the
//! place's words about the example.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;
use wavelens_tests::required;

struct Case {
    name: String,
    processor: String,
    text: String,
    /// Byte range of the mistake.
    place: std::ops::Range<usize>,
}

const VALUES: &[(&str, &str)] = &[
    ("s1", "s1"),
    ("s8", "s8"),
    ("s16", "s16"),
    ("s24", "s24"),
    ("s32", "s32"),
    ("s64", "s64"),
    ("p0", "p0"),
    ("p1", "p1"),
    ("p3", "p3"),
    ("v2s16", "<2 x s16>"),
    ("v2s32", "<2 x s32>"),
    ("v3s32", "<3 x s32>"),
    ("v4s16", "<4 x s16>"),
    ("v4s32", "<4 x s32>"),
    ("v2s64", "<2 x s64>"),
    ("v2p1", "<2 x p1>"),
    ("n2s32", "<vscale x 2 x s32>"),
    ("n4s32", "<vscale x 4 x s32>"),
];

/// The text of a piece of a catalogue with its brackets taken out, and the marked range; `before` bytes precede it.
fn unmark(piece: &str, before: usize) -> (String, std::ops::Range<usize>) {
    let start = before + piece.find("[[").expect("a mark");
    let marked = piece.find("]]").expect("its end") - piece.find("[[").expect("a mark") - 2;
    (piece.replacen("[[", "", 1).replacen("]]", "", 1), start..start + marked)
}

fn pieces(file: &str) -> Vec<(String, String)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mir").join(file);
    let content = std::fs::read_to_string(file).expect("the catalogue is there");
    let split =
        |piece: &str| piece.split_once('\n').map(|(name, text)| (name.to_owned(), text.trim().to_owned()));
    content.split("\n== ").skip(1).filter_map(split).collect()
}

fn generic_cases() -> Vec<Case> {
    let mut head = "---\nname: f\ntracksRegLiveness: true\njumpTable:\n  kind: block-address\n  entries:\n    - { id: 0, blocks: [ \"%bb.0\" ] }\nbody: |\n  bb.0:\n    liveins: $vgpr0\n".to_owned();
    for (name, ty) in VALUES {
        let _ = writeln!(head, "    %{name}:_({ty}) = G_IMPLICIT_DEF");
    }
    let mut cases = Vec::new();
    for (name, line) in pieces("generic-opcodes.txt") {
        let block = if line.contains("G_PHI") { "  bb.1:\n" } else { "" };
        let (plain, place) = unmark(&line, head.len() + block.len() + 4);
        cases.push(Case {
            name,
            processor: "gfx900".to_owned(),
            text: format!("{head}{block}    {plain}\n...\n"),
            place,
        });
    }
    cases
}

const REGISTERS: &[(&str, &str)] = &[
    ("v", "vgpr_32"),
    ("w", "vgpr_32"),
    ("v2", "vreg_64_align2"),
    ("v4", "vreg_128_align2"),
    ("a", "agpr_32"),
    ("s", "sreg_32_xm0_xexec"),
    ("t", "sreg_32_xm0_xexec"),
    ("s2", "sreg_64_xexec"),
    ("r8", "sgpr_256"),
    ("r4", "sgpr_128"),
];

fn amdgpu_cases() -> Vec<Case> {
    let mut head = "--- |\n  @g = external global i32\n  define void @f() { ret void }\n...\n---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vcc\n".to_owned();
    for (name, class) in REGISTERS {
        let _ = writeln!(head, "    %{name}:{class} = IMPLICIT_DEF");
    }
    let mut cases = Vec::new();
    for (name, lines) in pieces("amdgpu-instructions.txt") {
        let (name, processor) = name.split_once(' ').expect("a processor");
        let lines = lines.lines().map(|l| format!("    {l}\n")).collect::<String>();
        let (plain, place) = unmark(&lines, head.len());
        let text = format!("{head}{plain}    S_ENDPGM 0\n...\n");
        cases.push(Case { name: name.to_owned(), processor: processor.to_owned(), text, place });
    }
    cases
}

/// Whole documents, or the body of a function.
fn document_cases(file: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, piece) in pieces(file) {
        let (name, processor) = name.split_once(' ').unwrap_or((&name, "gfx900"));
        let (text, place) = if piece.starts_with("---") {
            unmark(&format!("{piece}\n"), 0)
        } else {
            let head = "---\nname: f\ntracksRegLiveness: true\nbody: |\n";
            let body: String = piece.lines().map(|l| format!("  {l}\n")).collect();
            let (body, place) = unmark(&body, head.len());
            (format!("{head}{body}...\n"), place)
        };
        cases.push(Case { name: name.to_owned(), processor: processor.to_owned(), text, place });
    }
    cases
}

fn cases() -> Vec<Case> {
    let mut cases = generic_cases();
    cases.extend(amdgpu_cases());
    cases.extend(document_cases("parser.txt"));
    cases.extend(document_cases("verifier.txt"));
    cases
}

/// A place in LLVM's source that reports.
struct Site {
    /// With its function, and `%` for what varies.
    words: String,
    example: Option<String>,
}

fn sites() -> Vec<Site> {
    let content = include_str!("../../data/mir/sites.txt");
    let lines = content.lines().filter(|l| !l.starts_with(['#', '=']));
    let site = |line: &str| match line.rsplit_once(" = ") {
        Some((words, example)) if !example.contains(' ') => {
            Site { words: words.to_owned(), example: Some(example.to_owned()) }
        }
        _ => Site { words: line.to_owned(), example: None },
    };
    lines.map(site).collect()
}

/// Whether a message of llc has all parts of a site's words in their order, however they are capitalized.
fn says(message: &str, words: &str) -> bool {
    let message = message.to_lowercase();
    let words = words.split_once(": ").map_or("", |w| w.1).to_lowercase();
    let mut rest = message.as_str();
    words.split('%').all(|part| match rest.split_once(part) {
        Some((_, behind)) => {
            rest = behind;
            true
        }
        None => false,
    })
}

#[test]
fn there_are_many() {
    let cases = cases();
    let names: std::collections::BTreeSet<_> = cases.iter().map(|c| &c.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.len() >= 600, "{}", cases.len());
}

#[test]
fn every_site_has_an_example_or_a_reason() {
    let cases = cases();
    let sites = sites();
    let mut reached = 0;
    for site in &sites {
        match &site.example {
            Some(example) => {
                assert!(cases.iter().any(|c| c.name == *example), "no example {example}: {}", site.words);
                reached += 1;
            }
            None => assert!(site.words.contains(" - "), "neither example nor reason: {}", site.words),
        }
    }
    println!(
        "{} places report; examples reach {reached}, nothing can reach the other {}",
        sites.len(),
        sites.len() - reached
    );
}

/// What llc-22 says about a case; `None` where it accepts it.
fn llc(case: &Case, number: usize) -> Option<String> {
    let file = std::env::temp_dir().join(format!("wavelens-mir-{}-{number}.mir", std::process::id()));
    std::fs::write(&file, &case.text).expect("a file can be written");
    let output = Command::new("llc-22")
        .args(["-disable-symbolication", "-mtriple=amdgcn-amd-amdhsa", &format!("-mcpu={}", case.processor)])
        .args(["-run-pass=none", "-verify-machineinstrs", "-o", "/dev/null"])
        .arg(&file)
        .output()
        .expect("llc-22 starts");
    let _ = std::fs::remove_file(&file);
    (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn llc_rejects_every_case_in_the_words_of_its_site() {
    if !required::program("llc-22") {
        return;
    }
    let (cases, sites) = (cases(), sites());
    let (mut accepted, mut other_words) = (Vec::new(), Vec::new());
    let numbered: Vec<_> = cases.iter().enumerate().collect();
    let answers: Vec<_> = std::thread::scope(|threads| {
        let answer = |part: &[(usize, &Case)]| part.iter().map(|(n, c)| llc(c, *n)).collect::<Vec<_>>();
        let parts = numbered.chunks(numbered.len().div_ceil(4));
        let parts: Vec<_> = parts.map(|part| threads.spawn(move || answer(part))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("no panic")).collect()
    });
    for (case, answer) in cases.iter().zip(answers) {
        let Some(message) = answer else {
            accepted.push(&case.name);
            continue;
        };
        let own = sites.iter().filter(|s| s.example.as_ref() == Some(&case.name));
        other_words.extend(own.filter(|s| !says(&message, &s.words)).map(|s| &s.words));
    }
    assert!(accepted.is_empty(), "llc-22 accepts {accepted:?}");
    assert!(other_words.is_empty(), "llc-22 says something else than {other_words:?}");
}

#[test]
fn we_find_every_mistake_at_its_operand() {
    let mut open = Vec::new();
    for case in cases() {
        let options = Options { target: Some(case.processor), ..Options::default() };
        let findings = check_text(Dialect::Mir, &case.text, &options);
        let hit = findings
            .iter()
            .any(|f| f.severity == Severity::Error && std::ops::Range::<usize>::from(f.range) == case.place);
        if !hit {
            open.push(case.name);
        }
    }
    assert!(open.is_empty(), "not found at the marked operand: {open:?}");
}
