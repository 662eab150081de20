//! What a failing test prints: the input, what was expected and found, the rules, and commands to go on with.

use std::collections::BTreeSet;
use std::fmt::Write;

use wavelens_check::dialect;
use wavelens_test_support::texts::Text;

use crate::{inputs, repository};

/// Writes a text to a file below `target/failed`; the command that checks it alone.
pub fn command(text: &Text) -> String {
    let name: String =
        text.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(80).collect();
    let file = format!("target/failed/{name}.{}", text.extension);
    let path = repository().join(&file);
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    if let Err(error) = folder.and_then(|()| std::fs::write(&path, &text.text)) {
        return format!("{}: {error}", path.display());
    }
    let machine = match (text.machine.as_str(), text.extension) {
        ("-", _) => String::new(),
        (machine, "spvasm") => format!(" --target-env {machine}"),
        (machine, _) => format!(" --mcpu {machine}"),
    };
    format!("cargo run -p wavelens -- check --pedantic{machine} {file}")
}

/// Lines that only one of two texts has, each once.
fn changed(expected: &str, found: &str) -> String {
    let mut out = String::new();
    let without = |lines: &str, others: &str, mark: char, out: &mut String| {
        let mut others: Vec<&str> = others.lines().collect();
        for line in lines.lines() {
            match others.iter().position(|other| *other == line) {
                Some(at) => _ = others.swap_remove(at),
                None => _ = writeln!(out, "  {mark} {line}"),
            }
        }
    };
    without(expected, found, '-', &mut out);
    without(found, expected, '+', &mut out);
    if out.is_empty() { "  the same lines in another order\n".to_owned() } else { out }
}

/// The difference between what was expected (`-`) and found (`+`) in a text; `accept` is the command that records what was found.
pub fn difference(text: &Text, expected: &str, found: &str, accept: &str) -> String {
    let mut out = format!("{}, for {}:\n", text.name, text.machine);
    for (number, line) in text.text.lines().enumerate() {
        _ = writeln!(out, "{:5} | {line}", number + 1);
    }
    let changed = changed(expected, found);
    _ = write!(out, "expected (-) and found (+):\n{changed}");
    let rules = dialect::rules(inputs::dialect(text.extension));
    let codes = changed.split(['[', ']']).collect::<BTreeSet<&str>>();
    for rule in rules.iter().filter(|rule| codes.contains(rule.code)) {
        _ = writeln!(out, "rule {}: {} (`wavelens explain {}`)", rule.code, rule.title, rule.code);
    }
    _ = writeln!(out, "to see it alone: {}", command(text));
    _ = writeln!(out, "if the change is meant: {accept}");
    out
}
