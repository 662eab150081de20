//! What the tests of instructions share: sample lines, our bytes of them, and `llvm-mc` in both directions.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use wavelens_analysis::{Options, amdgpu};
use wavelens_isa as isa;

const TARGETS: &[&str] = &[
    "gfx700", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030",
    "gfx1100", "gfx1151", "gfx1200", "gfx1250", "gfx1251",
];

/// Runs `llvm-mc` of LLVM 22 on a text; `None` where it is not installed.
fn llvm_mc(target: &str, action: &str, text: String) -> Option<Output> {
    let mut child = Command::new("llvm-mc-22")
        .args(["-triple=amdgcn-amd-amdhsa", action, &format!("-mcpu={target}")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    let mut stdin = child.stdin.take()?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    let _ = writer.join();
    Some(output)
}

/// The text that `llvm-mc` prints for the bytes of each instruction; `None` for bytes that are none.
pub fn disassembled(target: &str, instructions: &[Vec<u8>]) -> Option<Vec<Option<String>>> {
    // between them stand `s_nop` with a number, which tells in the output where each starts
    let mut answers = vec![None; instructions.len()];
    for (chunk, answers) in instructions.chunks(0x8000).zip(answers.chunks_mut(0x8000)) {
        let line = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:#04x}")).collect::<Vec<_>>().join(",");
        let marks = chunk.iter().enumerate().map(|(i, bytes)| {
            let [low, high] = (i as u16).to_le_bytes();
            format!("{}\n{}\n", line(&[low, high, 0x80, 0xBF]), line(bytes))
        });
        let output = llvm_mc(target, "-disassemble", marks.collect())?;
        // bytes that are no instruction are reported with their line, and what follows is guesswork
        let warned = String::from_utf8_lossy(&output.stderr);
        let invalid: BTreeSet<usize> = warned
            .lines()
            .filter_map(|l| {
                l.strip_prefix("<stdin>:")?.split_once(": warning")?.0.split(':').next()?.parse().ok()
            })
            .map(|line: usize| (line - 1) / 2)
            .collect();
        let mut at = None;
        for text in String::from_utf8_lossy(&output.stdout).lines().map(str::trim) {
            let next = at.map_or(0, |at| at + 1);
            if text == format!("s_nop {next}") || text == format!("s_nop {next:#x}") {
                at = Some(next);
            } else if let Some(answer) = at.and_then(|at| answers.get_mut(at))
                && !text.is_empty()
                && !text.starts_with('.')
                && at.is_some_and(|at| !invalid.contains(&at))
            {
                let known: &mut String = answer.get_or_insert_default();
                known.push_str(if known.is_empty() { "" } else { "\n" });
                known.push_str(text);
            }
        }
    }
    Some(answers)
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Bytes of hexadecimal digits.
pub fn unhex(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).filter_map(|i| u8::from_str_radix(hex.get(2 * i..2 * i + 2)?, 16).ok()).collect()
}

/// The targets of this run.
pub fn chosen() -> Vec<&'static str> {
    match std::env::var("WAVELENS_ISA_TARGETS") {
        Ok(names) => names.split(',').map(|n| isa::Target::named(n).expect("a processor").name()).collect(),
        Err(_) => TARGETS.to_vec(),
    }
}

/// Six sample lines of each row of the `(nth, parts)` part of the table.
pub fn samples(target: isa::Target, (nth, parts): (usize, usize)) -> Vec<String> {
    let rows = (0..isa::rows()).filter(|row| row % parts == nth - 1);
    rows.flat_map(|row| isa::samples(target, row, 6)).collect()
}

/// What `llvm-mc` makes of each line: bytes in hexadecimal (`??` under a fixup), or `None` for an error.
pub fn reference(target: &str, lines: &[String]) -> Option<Vec<Option<String>>> {
    // a label before each line tells in the output where the line's bytes are
    let text: String = lines.iter().enumerate().map(|(i, l)| format!("L{i}:\n{l}\n")).collect();
    let output = llvm_mc(target, "-show-encoding", text)?;
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
pub fn ours(target: &str, lines: &[String]) -> Vec<Option<String>> {
    // the labels that branches name
    let text = lines.join("\n") + "\nsomewhere:\nlabel:\n";
    let options = Options { target: Some(target.to_owned()), ..Options::default() };
    let (encoded, _) = amdgpu::encode(&text, &options);
    let mut answers: Vec<Option<String>> = vec![None; lines.len()];
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    for e in encoded {
        let line = starts.partition_point(|s| *s <= usize::from(e.range.start())) - 1;
        if let Some(answer) = answers.get_mut(line) {
            *answer = Some(hex(&e.bytes));
        }
    }
    answers
}

/// Whether our bytes are the reference's; those under a fixup (`??`) are not compared.
pub fn same(reference: &str, ours: &str) -> bool {
    reference.len() == ours.len() && reference.bytes().zip(ours.bytes()).all(|(a, b)| a == b || a == b'?')
}

/// The part of the rows that this run looks at: `(nth, parts)`, counted from 1.
pub fn part() -> (usize, usize) {
    let text = std::env::var("WAVELENS_ISA_PART").unwrap_or_default();
    let read = |s: &str| s.parse().ok();
    text.split_once('/').and_then(|(a, b)| Some((read(a)?, read(b)?))).unwrap_or((1, 100))
}
