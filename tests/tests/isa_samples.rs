//! Sample lines of the rows of the instruction table: the same verdicts and bytes as `llvm-mc` of LLVM 22, and back.
//!
//! Every run looks at a part of the rows of each target; `WAVELENS_ISA_PART=1/1` looks at all of them (minutes), `3/40`
//! at the third fortieth. `WAVELENS_ISA_TARGETS=gfx900,gfx1250` chooses targets. What stays different, and why, is in
//! [`KNOWN`].

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

use wavelens_analysis::{Options, amdgpu};
use wavelens_isa as isa;

const TARGETS: &[&str] = &[
    "gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
    "gfx1100", "gfx1151", "gfx1200", "gfx1250", "gfx1251",
];

/// Kinds of difference from `llvm-mc` that are left as they are: a part of the line, and the reason.
const KNOWN: &[(&str, &str)] = &[
    (
        "v_dual_dot2acc_f32_bf16",
        "gfx1250: LLVM compares the wrong operands' register banks in the long encoding",
    ),
    ("_sdwa", "gfx10: `sext` of a number beside a float source is no operand for LLVM (v_ldexp_f16)"),
    ("0x8000", "LLVM takes -0x8000 and 0x8000 for two different 16-bit literals"),
    ("lit(", "before gfx10 LLVM takes a literal in an encoding without room for it, and then leaves it out"),
];

/// What `llvm-mc` makes of each line: bytes in hexadecimal (`??` under a fixup), or `None` for an error.
fn reference(target: &str, lines: &[String]) -> Option<Vec<Option<String>>> {
    let mut child = Command::new("llvm-mc-22")
        .args(["-triple=amdgcn-amd-amdhsa", "-show-encoding", &format!("-mcpu={target}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    // a label before each line tells in the output where the line's bytes are
    let text: String = lines.iter().enumerate().map(|(i, l)| format!("L{i}:\n{l}\n")).collect();
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    let mut answers: Vec<Option<String>> = vec![None; lines.len()];
    let mut at = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(n) = line.strip_prefix('L').and_then(|l| l.strip_suffix(':')) {
            at = n.parse().unwrap_or(at);
        } else if let Some((_, bytes)) = line.split_once("encoding: [") {
            let bytes = bytes.trim_end_matches(']');
            let hex = bytes.split(',').map(|b| b.strip_prefix("0x").unwrap_or("??")).collect();
            answers[at] = Some(hex);
        }
    }
    let refused: BTreeSet<usize> = String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter_map(|l| l.strip_prefix("<stdin>:")?.split_once(": error")?.0.split(':').next()?.parse().ok())
        .collect();
    for i in refused {
        if let Some(answer) = answers.get_mut(i / 2 - 1) {
            *answer = None;
        }
    }
    Some(answers)
}

/// Our bytes of each line; `None` for an error.
fn ours(target: &str, lines: &[String]) -> Vec<Option<String>> {
    // the labels that branches name
    let text = lines.join("\n") + "\nsomewhere:\nlabel:\n";
    let options = Options { target: Some(target.to_owned()), ..Options::default() };
    let (encoded, _) = amdgpu::encode(&text, &options);
    let mut answers: Vec<Option<String>> = vec![None; lines.len()];
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    for e in encoded {
        let line = starts.partition_point(|s| *s <= usize::from(e.range.start())) - 1;
        if let Some(answer) = answers.get_mut(line) {
            *answer = Some(e.bytes.iter().map(|b| format!("{b:02x}")).collect());
        }
    }
    answers
}

fn same(reference: &str, ours: &str) -> bool {
    reference.len() == ours.len() && reference.bytes().zip(ours.bytes()).all(|(a, b)| a == b || a == b'?')
}

fn part() -> (usize, usize) {
    let text = std::env::var("WAVELENS_ISA_PART").unwrap_or_default();
    let read = |s: &str| s.parse().ok();
    text.split_once('/').and_then(|(a, b)| Some((read(a)?, read(b)?))).unwrap_or((1, 100))
}

#[test]
fn samples_are_what_the_reference_makes_of_them() {
    if Command::new("llvm-mc-22").arg("--version").output().is_err() {
        eprintln!("skipped: llvm-mc-22 is not installed");
        return;
    }
    let (nth, parts) = part();
    let chosen = std::env::var("WAVELENS_ISA_TARGETS").ok();
    let targets: Vec<&str> = chosen.as_deref().map_or(TARGETS.to_vec(), |t| t.split(',').collect());
    let mut wrong = BTreeMap::new();
    for name in targets {
        let target = isa::Target::named(name).expect("a processor");
        let lines: Vec<String> = (0..isa::rows())
            .filter(|row| row % parts == nth - 1)
            .flat_map(|row| isa::samples(target, row, 6))
            .filter(|l| !KNOWN.iter().any(|(part, _)| l.contains(part)))
            .collect();
        let Some(reference) = reference(name, &lines) else { continue };
        let ours = ours(name, &lines);
        let (mut accepted, mut equal) = (0, 0);
        for ((line, theirs), our) in lines.iter().zip(&reference).zip(&ours) {
            accepted += usize::from(theirs.is_some());
            match (theirs, our) {
                (Some(a), Some(b)) if same(a, b) => equal += 1,
                (None, None) => {}
                _ => {
                    wrong.insert(format!("{name}: {line}"), format!("{theirs:?}, not {our:?}"));
                }
            }
        }
        println!("{name}: {equal} of {accepted} accepted lines have equal bytes; {} lines", lines.len());
        assert!(accepted > 0);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What we encode decodes to an instruction that encodes to the same bytes.
#[test]
fn samples_decode_to_themselves() {
    let (nth, parts) = part();
    let mut wrong = BTreeMap::new();
    let (mut total, mut equal) = (0, 0);
    for name in TARGETS {
        let target = isa::Target::named(name).expect("a processor");
        let lines: Vec<String> = (0..isa::rows())
            .filter(|row| row % parts == nth - 1)
            .flat_map(|row| isa::samples(target, row, 6))
            // an encoding longer than it need be has no spelling of its own
            .filter(|l| {
                !["_nop_", "clrexcp_", "pipeflush_", "s_waitcnt 0xffff"].iter().any(|w| l.contains(w))
            })
            .collect();
        let first = ours(name, &lines);
        let mut texts = Vec::new();
        for (line, hex) in lines.iter().zip(first) {
            let Some(hex) = hex else { continue };
            let bytes: Vec<u8> = (0..hex.len() / 2)
                .filter_map(|i| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok())
                .collect();
            let text =
                isa::decode(target, &bytes).map_or_else(|| "?".to_owned(), |d| isa::print(target, &d.inst));
            texts.push((line, hex, text));
        }
        let again = ours(name, &texts.iter().map(|t| t.2.clone()).collect::<Vec<_>>());
        for ((line, hex, text), again) in texts.into_iter().zip(again) {
            total += 1;
            if again.as_ref() == Some(&hex) {
                equal += 1;
            } else {
                wrong.insert(format!("{name}: {line}"), format!("{hex} {text}, again {again:?}"));
            }
        }
    }
    println!("{equal} of {total} lines decode to themselves");
    assert!(wrong.len() * 1000 <= total, "{wrong:#?}");
}
