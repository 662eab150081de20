//! The catalogue of wrong uses of generic opcodes: `data/mir/generic-opcodes.txt`, one smallest example for each check of LLVM's machine
//! verifier. Each must be rejected by llc-22 (when it is installed), and by us at the operand that is marked.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use wavelens_analysis::{Dialect, Options, Severity, check_text};

struct Case {
    name: String,
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

fn cases() -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/mir/generic-opcodes.txt");
    let content = std::fs::read_to_string(file).unwrap();
    let mut head = "---\nname: f\ntracksRegLiveness: true\njumpTable:\n  kind: block-address\n  entries:\n    - { id: 0, blocks: [ \"%bb.0\" ] }\nbody: |\n  bb.0:\n    liveins: $vgpr0\n".to_owned();
    for (name, ty) in VALUES {
        let _ = writeln!(head, "    %{name}:_({ty}) = G_IMPLICIT_DEF");
    }
    let mut cases = Vec::new();
    for piece in content.split("== ").skip(1) {
        let (name, line) = piece.split_once('\n').unwrap();
        let line = line.trim();
        let block = if line.contains("G_PHI") { "  bb.1:\n" } else { "" };
        let start = head.len() + block.len() + 4 + line.find("[[").unwrap();
        let marked = line.find("]]").unwrap() - line.find("[[").unwrap() - 2;
        let plain = line.replacen("[[", "", 1).replacen("]]", "", 1);
        let text = format!("{head}{block}    {plain}\n...\n");
        cases.push(Case { name: name.to_owned(), text, place: start..start + marked });
    }
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
                "-mtriple=amdgcn-amd-amdhsa",
                "-mcpu=gfx900",
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
    let options = Options { target: Some("gfx900".to_owned()), ..Options::default() };
    let mut open = Vec::new();
    for case in cases() {
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
