//! The catalogues of wrong uses of generic opcodes and of AMDGPU's instructions (`data/mir/*.txt`), one smallest example for each check of LLVM's machine
//! verifier. Each must be rejected by llc-22 (when it is installed), and by us at the operand that is marked.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use wavelens_analysis::{Dialect, Options, Severity, check_text};

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

/// The text of a piece of a catalogue with its brackets taken out, and the marked range; `before` bytes stand in front of it.
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

fn cases() -> Vec<Case> {
    let mut cases = generic_cases();
    cases.extend(amdgpu_cases());
    cases
}

#[test]
fn there_are_many() {
    let cases = cases();
    let names: std::collections::BTreeSet<_> = cases.iter().map(|c| &c.name).collect();
    assert_eq!(names.len(), cases.len());
    assert!(cases.len() >= 150, "{}", cases.len());
}

#[test]
fn llc_rejects_every_case() {
    if Command::new("llc-22").arg("--version").output().is_err() {
        println!("skipped: llc-22 not installed");
        return;
    }
    let file = std::env::temp_dir().join(format!("wavelens-mir-catalogue-{}.mir", std::process::id()));
    let mut accepted = Vec::new();
    for case in cases() {
        std::fs::write(&file, &case.text).unwrap();
        let output = Command::new("llc-22")
            .args([
                "-disable-symbolication",
                "-mtriple=amdgcn-amd-amdhsa",
                &format!("-mcpu={}", case.processor),
                "-run-pass=none",
                "-verify-machineinstrs",
                "-o",
                "/dev/null",
            ])
            .arg(&file)
            .output()
            .unwrap();
        if output.status.success() {
            accepted.push(case.name);
        }
    }
    let _ = std::fs::remove_file(&file);
    assert!(accepted.is_empty(), "llc-22 accepts {accepted:?}");
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
