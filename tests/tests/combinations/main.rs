//! Instructions with operands of each type: recorded is how many are accepted, and the start of a hash of what is found.
//!
//! `WAVELENS_SHOW=OpDot` prints the lines of an instruction with what is found in each.

mod spirv;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use expect_test::expect_file;
use wavelens_semantics::{Dialect, Options, check_text};
use wavelens_tests::recording::digest;

/// Instructions that are tried with the same types.
struct Group {
    name: &'static str,
    /// What precedes and follows the lines.
    around: (&'static str, &'static str),
    environment: &'static str,
    /// The types of results and operands.
    types: &'static [&'static str],
    /// Instructions in which `R` stands for the result's type, and `A`, `B` and `C` for the value of a type.
    instructions: &'static [&'static str],
}

/// Numbers of types for `R`, `A`, `B` and `C`: all for the first two, and for the others all of a few types, or those before them and
/// a few more.
fn choices(count: usize, uses: usize) -> Vec<[usize; 4]> {
    let mut out = Vec::new();
    let numbers = |used: bool| 0..if used { count } else { 1 };
    for r in 0..count {
        for a in numbers(uses > 0) {
            let near = |used: bool| match used {
                true if r == a || count < 16 => (0..count).collect(),
                true => vec![r, a, (r + a) % count, (3 * r + 5 * a + 1) % count],
                false => vec![0],
            };
            for b in near(uses > 1) {
                let third = if uses > 2 { vec![r, b] } else { vec![0] };
                out.extend(third.into_iter().map(|c| [r, a, b, c]));
            }
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn lines(group: &Group, instruction: &str) -> Vec<String> {
    let words: Vec<&str> = instruction.split(' ').collect();
    let uses = ["A", "B", "C"].iter().filter(|letter| words.contains(letter)).count();
    let line = |[r, a, b, c]: [usize; 4]| {
        let words = words.iter().map(|word| match *word {
            "R" => format!("%{}", group.types[r]),
            "A" => format!("%v_{}", group.types[a]),
            "B" => format!("%v_{}", group.types[b]),
            "C" => format!("%v_{}", group.types[c]),
            other => other.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let mut lines: Vec<String> = choices(group.types.len(), uses).into_iter().map(line).collect();
    lines.sort();
    lines.dedup();
    let named = |(number, line): (usize, String)| line.replacen("%r ", &format!("%r{number} "), 1);
    lines.into_iter().enumerate().map(named).collect()
}

/// What is found in each line of a text, and what is found elsewhere.
fn found(group: &Group, lines: &[String]) -> BTreeMap<usize, String> {
    let (before, after) = group.around;
    let text: String =
        [before].into_iter().chain(lines.iter().flat_map(|line| [line, "\n"])).chain([after]).collect();
    let options = Options { target_env: Some(group.environment.to_owned()), ..Options::default() };
    let first = before.matches('\n').count();
    let mut found: BTreeMap<usize, String> = BTreeMap::new();
    for finding in check_text(Dialect::Spirv, &text, &options) {
        let line = text[..usize::from(finding.range.start())].matches('\n').count();
        let place = usize::from(finding.range.start())
            - text[..usize::from(finding.range.start())].rfind('\n').unwrap_or(0);
        let line = line.checked_sub(first).filter(|line| *line < lines.len()).unwrap_or(usize::MAX);
        _ = write!(found.entry(line).or_default(), "{place} [{}] {}; ", finding.rule.code, finding.message);
    }
    found
}

fn compare(group: &Group) {
    let mut out = String::new();
    for instruction in group.instructions {
        let lines = lines(group, instruction);
        let found = found(group, &lines);
        let shown = std::env::var("WAVELENS_SHOW").is_ok_and(|name| instruction.contains(&name));
        let mut text = String::new();
        for (number, line) in lines.iter().enumerate() {
            let found = found.get(&number).map_or("", String::as_str);
            _ = writeln!(text, "{line}: {found}");
        }
        if shown {
            println!("{text}");
        }
        if let Some(elsewhere) = found.get(&usize::MAX) {
            _ = writeln!(out, "  elsewhere: {elsewhere}");
        }
        let good = lines.len() - found.keys().filter(|line| **line < lines.len()).count();
        _ = writeln!(out, "{instruction}: {good} of {} {}", lines.len(), digest(&text));
    }
    if let Some(folder) = std::env::var_os("WAVELENS_DUMP") {
        dump(group, Path::new(&folder));
    }
    let name = format!("data/recorded/combinations-{}.txt", group.name);
    expect_file![Path::new(env!("CARGO_MANIFEST_DIR")).join(name)].assert_eq(&out);
}

/// Writes the lines without findings as one module for each instruction, and all others in a list.
fn dump(group: &Group, folder: &Path) {
    for (number, instruction) in group.instructions.iter().enumerate() {
        let lines = lines(group, instruction);
        let found = found(group, &lines);
        let (mut good, mut bad) = (String::new(), String::new());
        for (number, line) in lines.iter().enumerate() {
            match found.get(&number) {
                None => _ = writeln!(good, "{line}"),
                Some(found) => _ = writeln!(bad, "{line}\t{found}"),
            }
        }
        let name = format!("{}-{number}", group.name);
        let (before, after) = group.around;
        std::fs::write(
            folder.join(format!("{name}.{}.spvasm", group.environment)),
            format!("{before}{good}{after}"),
        )
        .expect("the folder can be written");
        std::fs::write(folder.join(format!("{name}.bad")), bad).expect("the folder can be written");
        std::fs::write(folder.join(format!("{name}.before")), before).expect("the folder can be written");
        std::fs::write(folder.join(format!("{name}.after")), after).expect("the folder can be written");
    }
}

macro_rules! groups {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            compare(&spirv::$name());
        })*
    };
}

groups! { numbers vectors matrices memory cooperative groups_of_invocations glsl opencl images rays }
