//! Instructions of SPIR-V with operands of each type.

use super::{Text, instructions};

/// Instructions that are tried with the same types.
pub(super) struct Group {
    pub(super) name: &'static str,
    /// What precedes and follows the lines.
    pub(super) around: (&'static str, &'static str),
    pub(super) environment: &'static str,
    /// The types of results and operands.
    pub(super) types: &'static [&'static str],
    /// Instructions in which `R` stands for the result's type, and `A`, `B` and `C` for the value of a type.
    pub(super) instructions: &'static [&'static str],
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

/// A module for each instruction, with the instruction applied to operands of each type.
pub fn texts() -> Vec<Text> {
    let mut texts = Vec::new();
    for group in instructions::groups() {
        for instruction in group.instructions {
            let (before, after) = group.around;
            let lines = lines(&group, instruction).join("\n");
            texts.push(Text {
                name: format!("combination {} {instruction}", group.name),
                extension: "spvasm",
                machine: group.environment.to_owned(),
                text: format!("{before}{lines}\n{after}"),
            });
        }
    }
    texts
}
