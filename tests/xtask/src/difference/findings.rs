//! Findings and encodings of texts, as `wavelens check` and `wavelens encode` print them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use wavelens_test_support::texts::Text;

use super::Difference;
use crate::Outcome;
use crate::repository::{Scratch, write};

/// A finding, or a line of an encoding.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fact {
    line: usize,
    code: String,
    shown: String,
}

/// The differences of each text.
pub(super) fn compare(programs: [&Path; 2], texts: &[Text]) -> Outcome<Vec<Vec<Difference>>> {
    let scratch = Scratch::new("diff")?;
    let mut groups: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (number, text) in texts.iter().enumerate() {
        groups.entry((text.extension, &text.machine)).or_default().push(number);
    }
    let mut differences: Vec<Vec<Difference>> = texts.iter().map(|_| Vec::new()).collect();
    for ((extension, machine), numbers) in groups {
        let folder = scratch.path().join(format!("{extension}-{machine}"));
        for number in &numbers {
            write(&folder.join(format!("{number}.{extension}")), &texts[*number].text)?;
        }
        let check = |program| found(&mut command(program, "check", extension, machine, &folder));
        let [mut old, mut new] = [check(programs[0])?, check(programs[1])?];
        for number in numbers {
            let facts = [&mut old, &mut new].map(|found| found.remove(&number).unwrap_or_default());
            differences[number].extend(differing(facts));
            if extension == "s" || extension == "spvasm" {
                let file = folder.join(format!("{number}.{extension}"));
                let encode = |program| encoded(&mut command(program, "encode", extension, machine, &file));
                differences[number].extend(differing([encode(programs[0])?, encode(programs[1])?]));
            }
        }
        let _ = std::fs::remove_dir_all(&folder);
    }
    Ok(differences)
}

/// A command of a program about a file or folder of texts for a machine.
fn command(program: &Path, name: &str, extension: &str, machine: &str, path: &Path) -> Command {
    let mut command = Command::new(program);
    command.args([name, "--format", "json"]).arg(path).stdin(Stdio::null()).stderr(Stdio::null());
    if machine != "-" {
        command.args([if extension == "spvasm" { "--target-env" } else { "--mcpu" }, machine]);
    }
    command
}

fn run(command: &mut Command) -> Outcome<Vec<u8>> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{name} cannot be started: {error}"))?;
    Ok(output.stdout)
}

/// What a program finds in each file of a folder, by the number that is its name.
fn found(command: &mut Command) -> Outcome<BTreeMap<usize, BTreeSet<Fact>>> {
    let output = run(command.arg("--pedantic"))?;
    let mut found = BTreeMap::new();
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let Ok(file) = serde_json::from_slice::<Value>(line) else { continue };
        let name = file["file"].as_str().map(Path::new).and_then(Path::file_stem);
        let number = name.and_then(|name| name.to_str()?.parse().ok());
        let findings = file["diagnostics"].as_array().into_iter().flatten();
        if let Some(number) = number {
            found.insert(number, findings.map(fact).collect());
        }
    }
    Ok(found)
}

fn fact(finding: &Value) -> Fact {
    let number = |name: &str| finding[name].as_u64().unwrap_or_default();
    let word = |name: &str| finding[name].as_str().unwrap_or_default();
    let related = finding["related"].as_array().into_iter().flatten();
    let related: String = related
        .map(|r| format!("; {}:{} {}", r["line"], r["column"], r["message"].as_str().unwrap_or_default()))
        .collect();
    let (line, code) = (number("line"), word("code").to_owned());
    let place = format!("{line}:{}-{}:{}", number("column"), number("end_line"), number("end_column"));
    let shown = format!("{place} {}[{code}] {}{related}", word("severity"), word("message"));
    Fact { line: usize::try_from(line).unwrap_or_default(), code, shown }
}

/// The lines that a program encodes.
fn encoded(command: &mut Command) -> Outcome<BTreeSet<Fact>> {
    let lines = String::from_utf8_lossy(&run(command)?).into_owned();
    let fact = |shown: &str| {
        let value: Value = serde_json::from_str(shown).unwrap_or_default();
        let line = value["line"].as_u64().and_then(|line| usize::try_from(line).ok());
        Fact { line: line.unwrap_or_default(), code: "encoding".to_owned(), shown: shown.to_owned() }
    };
    Ok(lines.lines().map(fact).collect())
}

/// What only one of two says, by the line and code that it is about.
fn differing([old, new]: [BTreeSet<Fact>; 2]) -> Vec<Difference> {
    let mut differences: BTreeMap<(usize, &str), [Vec<String>; 2]> = BTreeMap::new();
    for (side, facts) in [old.difference(&new), new.difference(&old)].into_iter().enumerate() {
        for fact in facts {
            let sides = differences.entry((fact.line, &fact.code)).or_default();
            sides[side].push(fact.shown.clone());
        }
    }
    let mut out = Vec::new();
    for ((line, code), [before, after]) in differences {
        let change = match (before.is_empty(), after.is_empty()) {
            (true, _) => "more",
            (_, true) => "fewer",
            _ => "other",
        };
        out.push(Difference { group: format!("{code}, {change}"), line, before, after });
    }
    out
}
