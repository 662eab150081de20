//! What the tests of instructions share: sample lines, our bytes of them, and `llvm-mc` in both directions.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use wavelens_amdgpu as amdgpu;
use wavelens_base::{Options, Severity};
use wavelens_isa as isa;

use crate::isa_samples::{Samples, mnemonics};
use crate::random::Random;

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
    // `s_nop` with a number between them marks in the output where each starts
    let mut answers = vec![None; instructions.len()];
    for (chunk, answers) in instructions.chunks(0x8000).zip(answers.chunks_mut(0x8000)) {
        let line = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:#04x}")).collect::<Vec<_>>().join(",");
        let marks = chunk.iter().enumerate().map(|(i, bytes)| {
            let [low, high] = (i as u16).to_le_bytes();
            format!("{}\n{}\n", line(&[low, high, 0x80, 0xBF]), line(bytes))
        });
        let output = llvm_mc(target, "-disassemble", marks.collect())?;
        // bytes that do not decode are reported with their line, and what follows is guesswork
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

/// Six sample lines of each encoding of the instructions in the `(nth, parts)` part of the table.
pub fn samples(target: isa::Target, part: (usize, usize)) -> Vec<String> {
    let mut samples = Samples::new(target);
    mnemonics(part).flat_map(|mnemonic| samples.lines(mnemonic, 6)).collect()
}

/// What an assembler makes of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Bytes in hexadecimal (`??` under a fixup); none for a label or the like.
    Accepted(String),
    Refused,
}

impl Answer {
    pub fn bytes(&self) -> Option<&str> {
        match self {
            Answer::Accepted(hex) if !hex.is_empty() => Some(hex),
            _ => None,
        }
    }
}

/// What `llvm-mc` makes of each line.
pub fn reference(target: &str, lines: &[String]) -> Option<Vec<Answer>> {
    // a label before each line tells in the output where the line's bytes are
    let text: String = lines.iter().enumerate().map(|(i, l)| format!("L{i}:\n{l}\n")).collect();
    let output = llvm_mc(target, "-show-encoding", text)?;
    let mut answers = vec![Answer::Accepted(String::new()); lines.len()];
    let mut at = 0;
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(n) = line.strip_prefix('L').and_then(|l| l.strip_suffix(':')) {
            at = n.parse().unwrap_or(at);
        } else if let Some((_, bytes)) = line.split_once("encoding: [") {
            let bytes = bytes.trim_end_matches(']');
            let hex = bytes.split(',').map(|b| b.strip_prefix("0x").unwrap_or("??")).collect();
            answers[at] = Answer::Accepted(hex);
        }
    }
    let refused: BTreeSet<usize> = String::from_utf8_lossy(&output.stderr)
        .lines()
        .filter_map(|l| l.strip_prefix("<stdin>:")?.split_once(": error")?.0.split(':').next()?.parse().ok())
        .collect();
    for i in refused {
        if let Some(answer) = answers.get_mut(i / 2 - 1) {
            *answer = Answer::Refused;
        }
    }
    Some(answers)
}

/// What we make of each line.
pub fn ours(target: &str, lines: &[String]) -> Vec<Answer> {
    // with labels between them, as the reference reads them
    let text: String = lines.iter().enumerate().map(|(i, l)| format!("L{i}:\n{l}\n")).collect();
    let options = Options { target: Some(target.to_owned()), llvm_level: Some(22), ..Options::default() };
    let (encoded, findings) = amdgpu::encode(&text, &options);
    let mut answers = vec![Answer::Accepted(String::new()); lines.len()];
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect();
    let mut tell = |at: u32, answer: Answer| {
        let line = starts.partition_point(|s| *s <= at as usize) - 1;
        if let Some(place) = answers.get_mut(line / 2) {
            *place = answer;
        }
    };
    for e in encoded {
        tell(e.range.start().into(), Answer::Accepted(hex(&e.bytes)));
    }
    // the reference does not get as far as placing things and looking for labels
    const PLACING: [&str; 3] = ["undefined-label", "branch-range", "layout"];
    let told = |code: &str| !PLACING.contains(&code);
    for finding in findings.iter().filter(|f| f.severity == Severity::Error && told(f.rule.code)) {
        tell(finding.range.start().into(), Answer::Refused);
    }
    answers
}

/// The words, numbers and signs of a line, spaces with what is before them.
fn tokens(line: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '$');
    let mut out = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let n = if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
        let n = n.unwrap_or(rest.len());
        let spaces = rest.get(n..).map_or(0, |r| r.len() - r.trim_start().len());
        let (token, more) = rest.split_at(n + spaces);
        out.push(token);
        rest = more;
    }
    out
}

/// One small mistake in a line: something lost, doubled, swapped, taken from another line, misspelt, or another number.
fn damaged(line: &str, others: &[String], random: &mut Random) -> String {
    let mut parts: Vec<String> = tokens(line).into_iter().map(str::to_owned).collect();
    let at = random.below(parts.len());
    let from_elsewhere = |random: &mut Random| {
        let other = others.get(random.below(others.len())).map_or("", String::as_str);
        let words = tokens(other);
        words.get(random.below(words.len())).copied().unwrap_or("").to_owned()
    };
    match random.below(7) {
        0 => drop(parts.remove(at)),
        1 => parts.insert(at, parts[at].clone()),
        2 => {
            let to = random.below(parts.len());
            parts.swap(at, to);
        }
        3 => parts[at] = from_elsewhere(random),
        4 => {
            let word = from_elsewhere(random);
            parts.insert(at, word);
        }
        5 => {
            let letter = random.below(parts[at].len());
            parts[at].remove(letter);
        }
        _ => {
            let numbers: Vec<usize> =
                (0..parts.len()).filter(|i| parts[*i].contains(|c: char| c.is_ascii_digit())).collect();
            if let Some(part) = numbers.get(random.below(numbers.len())).and_then(|i| parts.get_mut(*i)) {
                let first = part.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
                let end = part[first..].find(|c: char| !c.is_ascii_digit()).map_or(part.len(), |n| first + n);
                let value: i64 = part[first..end].parse().unwrap_or(0);
                let other = (value + [1, 3, 64, -1, 256][random.below(5)]).max(0);
                part.replace_range(first..end, &other.to_string());
            }
        }
    }
    parts.concat()
}

/// Lines with one mistake each, and lines of instructions of other targets.
pub fn damaged_samples(target: isa::Target, (nth, parts): (usize, usize)) -> Vec<String> {
    let mut lines = samples(target, (nth, parts));
    let mut accepted = ours(target.name(), &lines).into_iter().map(|answer| answer.bytes().is_some());
    lines.retain(|_| accepted.next() == Some(true));
    let mut random = Random::new(nth as u64);
    let mut out: Vec<String> = lines.iter().map(|l| damaged(l, &lines, &mut random)).collect();
    for mnemonic in mnemonics((nth, 8 * parts)).filter(|name| isa::templates(target, name).is_empty()) {
        let others = TARGETS.iter().filter_map(|name| isa::Target::named(name));
        let first =
            others.map(|other| Samples::new(other).lines(mnemonic, 1)).find(|lines| !lines.is_empty());
        out.extend(first.unwrap_or_default());
    }
    // a definition would change the meaning of the following lines, and LLVM reads two signs in its own way
    out.retain(|l| {
        !l.contains(['=', '"', ';', '/']) && !l.contains("--") && !l.trim_start().starts_with('.')
    });
    out
}

/// How often the two assemblers agree on lines of a target, and where they do not.
#[derive(Debug, Default)]
pub struct Agreement {
    pub lines: usize,
    /// Lines that the reference accepts.
    pub good: usize,
    /// Lines of those with equal bytes.
    pub equal: usize,
    pub false_alarms: usize,
    pub missed: usize,
    /// Differences by kinds that are known.
    pub known: BTreeMap<&'static str, usize>,
    /// `target: line` and both answers.
    pub wrong: BTreeMap<String, String>,
}

impl Agreement {
    /// `known` names the kind of a difference that is left as it is.
    pub fn of(
        target: &str,
        lines: &[String],
        known: impl Fn(&str) -> Option<&'static str>,
    ) -> Option<Agreement> {
        let mut found = Agreement { lines: lines.len(), ..Agreement::default() };
        for ((line, theirs), our) in lines.iter().zip(reference(target, lines)?).zip(ours(target, lines)) {
            let (good, accepted) = (theirs != Answer::Refused, our != Answer::Refused);
            found.good += usize::from(good);
            found.false_alarms += usize::from(good && !accepted);
            found.missed += usize::from(!good && accepted);
            let equal = match (theirs.bytes(), our.bytes()) {
                (Some(a), Some(b)) => same(a, b),
                (a, b) => a.is_none() && b.is_none(),
            };
            found.equal += usize::from(good && accepted && equal);
            if good == accepted && (equal || !good) {
                continue;
            }
            match known(line) {
                Some(kind) => *found.known.entry(kind).or_default() += 1,
                None => {
                    found.wrong.insert(format!("{target}: {line}"), format!("{theirs:?}, not {our:?}"));
                }
            }
        }
        let share = |n: usize, of: usize| 100.0 * n as f64 / of.max(1) as f64;
        println!(
            "{target}: {} lines, {} good: {:.3} % equal bytes, {:.3} % false alarms; {:.3} % same verdict; known {:?}",
            found.lines,
            found.good,
            share(found.equal, found.good),
            share(found.false_alarms, found.good),
            share(found.lines - found.false_alarms - found.missed, found.lines),
            found.known
        );
        for (line, answers) in &found.wrong {
            println!("  {line}: {answers}");
        }
        Some(found)
    }
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
