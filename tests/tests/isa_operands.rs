//! Operands and modifiers of AMDGPU instructions with each word and with numbers around each limit: recorded, and compared with `llvm-mc`.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use wavelens_isa::{Target, decode, print};
use wavelens_semantics::{Options, amdgpu};
use wavelens_tests::isa::{Agreement, ours, unhex};
use wavelens_tests::recording::digest;
use wavelens_tests::required;

const TARGETS: [&str; 10] =
    ["gfx600", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1150", "gfx1200", "gfx1250"];

/// Lines of one family: each `#` is replaced by each of the words of the list at its place.
struct Family {
    name: &'static str,
    lines: Vec<&'static str>,
    words: Vec<Vec<&'static str>>,
}

/// Those of `data/operands.txt`.
fn families() -> Vec<Family> {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let (mut families, mut list) = (Vec::new(), "");
    for line in include_str!("../data/operands.txt").lines() {
        if let Some(word) = line.strip_prefix('|') {
            lists.entry(list).or_default().push(word);
        } else if let Some(name) = line.strip_prefix("list ") {
            list = name;
        } else if let Some((name, parts)) = line.strip_prefix("family ").and_then(|f| f.split_once(": ")) {
            let mut parts = parts.split(' ').map(|list| lists[list].clone());
            families.push(Family { name, lines: parts.next().unwrap_or_default(), words: parts.collect() });
        }
    }
    families
}

impl Family {
    fn lines(&self) -> Vec<String> {
        let mut out = Vec::new();
        for line in &self.lines {
            let mut texts = vec![(*line).to_owned()];
            for words in self.words.iter().take(line.matches('#').count()) {
                let each = |text: &String| words.iter().map(|word| text.replacen('#', word, 1)).collect();
                texts = texts.iter().flat_map(|text| -> Vec<String> { each(text) }).collect();
            }
            out.extend(texts);
        }
        out
    }
}

/// What is found about the lines of each family: how many have bytes, and the start of a hash of bytes, decoded texts and messages.
fn found(family: &Family, target: &str) -> String {
    let (machine, lines) = (Target::named(target).expect("a processor"), family.lines());
    let (mut text, mut good) = (String::new(), 0);
    for (line, answer) in lines.iter().zip(ours(target, &lines)) {
        let decoded = answer.bytes().and_then(|hex| decode(machine, &unhex(hex)));
        good += usize::from(answer.bytes().is_some());
        _ = writeln!(text, "{line}: {answer:?} {:?}", decoded.map(|d| print(machine, &d.inst)));
    }
    let options = Options { target: Some(target.to_owned()), ..Options::default() };
    for finding in amdgpu::encode(&lines.join("\n"), &options).1 {
        _ = writeln!(text, "{:?} {} {}", finding.range, finding.rule.code, finding.message);
    }
    if std::env::var_os("WAVELENS_SHOW").is_some_and(|name| name == family.name) {
        println!("{target}\n{text}");
    }
    format!(" {target} {good} {}", digest(&text))
}

fn compare(part: usize) {
    let families = families().into_iter().skip(part).step_by(PARTS);
    let shown = families.map(|family| {
        let found: String = TARGETS.iter().map(|target| found(&family, target)).collect();
        format!("{} of {}{found}\n", family.name, family.lines().len())
    });
    let name = format!("data/recorded/operands-{part}.txt");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    expect_file![file].assert_eq(&shown.collect::<String>());
}

const PARTS: usize = 4;

#[test]
fn operands_are_as_recorded_0() {
    compare(0);
}

#[test]
fn operands_are_as_recorded_1() {
    compare(1);
}

#[test]
fn operands_are_as_recorded_2() {
    compare(2);
}

#[test]
fn operands_are_as_recorded_3() {
    compare(3);
}

#[test]
fn operands_are_what_the_reference_makes_of_them() {
    if !required::program("llvm-mc-22") {
        return;
    }
    let mut wrong = BTreeMap::new();
    let mut lines_in_all = 0;
    for family in families() {
        for target in TARGETS.into_iter().filter(|target| *target != "gfx600") {
            println!("{}", family.name);
            let found = Agreement::of(target, &family.lines(), |_| None).expect("llvm-mc runs");
            lines_in_all += found.lines;
            wrong.extend(found.wrong);
        }
    }
    println!("{} of {lines_in_all} lines differ", wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}
