//! Verdicts of both sides on files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::Outcome;
use crate::repository::Scratch;

/// Errors of one side: whether it accepts the file, and the lines that it names.
#[derive(Debug, Clone, Default)]
pub(super) struct Verdict {
    pub(super) accepts: bool,
    pub(super) lines: Vec<u64>,
    pub(super) message: String,
}

/// What the program says of files, and what it checks them for.
pub(super) struct Own {
    pub(super) verdict: Verdict,
    target: HashMap<String, Vec<String>>,
}

const BATCH: usize = 200;

/// Runs a command of the program on files; one JSON object for each.
fn objects(program: &Path, command: &[&str], files: &[PathBuf]) -> Outcome<Vec<Value>> {
    let mut all = Vec::new();
    for batch in files.chunks(BATCH) {
        let mut process = Command::new(program);
        process.args(command).args(["--format", "json"]).args(batch).stdin(Stdio::null());
        let output = process.output().map_err(|e| format!("{} cannot be started: {e}", program.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        all.extend(text.lines().filter_map(|line| serde_json::from_str(line).ok()));
    }
    match all.len() == files.len() {
        true => Ok(all),
        false => Err(format!("{} verdicts for {} files", all.len(), files.len())),
    }
}

/// Verdicts of the program, in the order of the files.
pub(super) fn own(program: &Path, dialect: &str, files: &[PathBuf]) -> Outcome<Vec<Own>> {
    let checked = objects(program, &["check", "--dialect", dialect], files)?;
    let targets = objects(program, &["target", "--dialect", dialect], files)?;
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let one = |(checked, target): (Value, Value)| {
        let mut errors = list(&checked["diagnostics"]);
        errors.retain(|error| error["severity"] == "error");
        let verdict = Verdict {
            accepts: errors.is_empty(),
            lines: errors.iter().filter_map(|error| error["line"].as_u64()).collect(),
            message: errors.first().map(|e| text(&e["message"])).unwrap_or_default(),
        };
        let mut target_rows: HashMap<String, Vec<String>> = HashMap::new();
        for row in list(&target["target"]["rows"]) {
            target_rows.entry(text(&row["name"])).or_default().push(text(&row["value"]));
        }
        Own { verdict, target: target_rows }
    };
    Ok(checked.into_iter().zip(targets).map(one).collect())
}

/// Verdicts of the reference tools in the order of the files; `None` where a tool crashes or does not start.
pub(super) fn reference(
    dialect: &str,
    suffix: &str,
    files: &[PathBuf],
    own: &[Own],
) -> Outcome<Vec<Option<Verdict>>> {
    let scratch = Scratch::new("agreement")?;
    let verdicts = Mutex::new(vec![None; files.len()]);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, verdicts) = (&next, &verdicts);
            let output = scratch.path().join(format!("output{thread}"));
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(file), Some(own)) = (files.get(at), own.get(at)) else { break };
                    let verdict = judge(&commands(dialect, suffix, file, &output, own));
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts[at] = verdict;
                    }
                }
            });
        }
    });
    verdicts.into_inner().map_err(|_| "a thread panicked".to_owned())
}

/// The calls of the reference tools for what the program checks the file for.
fn commands(dialect: &str, suffix: &str, file: &Path, output: &Path, own: &Own) -> Vec<Vec<String>> {
    let (file, output) = (file.to_string_lossy(), output.to_string_lossy());
    let rows = |name: &str| own.target.get(name).cloned().unwrap_or_default();
    let first = |name: &str, default: &str| rows(name).first().map_or(default.to_owned(), String::clone);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    match dialect {
        "llvm" => vec![words(&[&format!("llvm-as{suffix}"), "-disable-output", &file])],
        "mir" => {
            let mut call = words(&[&format!("llc{suffix}")]);
            call.push(format!("-mtriple={}", first("triple", "amdgcn-amd-amdhsa")));
            call.extend(rows("processor").iter().map(|p| format!("-mcpu={p}")));
            if !rows("feature").is_empty() {
                call.push(format!("-mattr={}", rows("feature").join(",")));
            }
            call.extend(words(&["-run-pass=none", "-verify-machineinstrs", "-o", &output, &file]));
            vec![call]
        }
        _ => {
            let environment = first("environment", "spv1.6");
            let module = rows("module version").first().map_or(environment.clone(), |v| format!("spv{v}"));
            let numbers = "--preserve-numeric-ids";
            vec![
                words(&["spirv-as", numbers, "--target-env", &module, "-o", &output, &file]),
                words(&["spirv-val", "--target-env", &environment, &output]),
            ]
        }
    }
}

fn judge(commands: &[Vec<String>]) -> Option<Verdict> {
    let mut verdict = Verdict { accepts: true, ..Verdict::default() };
    for words in commands {
        let (program, arguments) = words.split_first()?;
        let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
        if output.status.success() {
            continue;
        }
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        // llc aborts after the report of its verifier.
        if output.status.code().is_none() && !text.contains("Bad machine code") {
            return None;
        }
        verdict.accepts = false;
        verdict.lines = text.lines().find_map(place).into_iter().collect();
        verdict.message = text.lines().next().unwrap_or_default().to_owned();
        break;
    }
    Some(verdict)
}

/// The line in `file:LINE:COLUMN: message`, and in `error: LINE: message` of spirv-as.
fn place(line: &str) -> Option<u64> {
    if let Some(rest) = line.strip_prefix("error: ") {
        let number = rest.split(':').next()?;
        if let Ok(number) = number.trim().parse() {
            return Some(number);
        }
    }
    let parts: Vec<&str> = line.split(':').collect();
    let at = parts
        .windows(3)
        .find(|three| is_number(three[0]) && is_number(three[1]) && three[2].starts_with(' '))?;
    at[0].parse().ok()
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_messages() {
        assert_eq!(place("llvm-as: a/b.ll:12:3: error: x"), Some(12));
        assert_eq!(place("error: 7: Unknown opcode"), Some(7));
        assert_eq!(place("error: YAML:4:1: not a mapping"), Some(4));
        assert_eq!(place("assembly parsed, but does not verify as correct!"), None);
    }

    #[test]
    fn tools_are_called_for_the_target_of_the_file() {
        let target = [("triple", "amdgcn"), ("processor", "gfx942"), ("feature", "+xnack")];
        let target = target.iter().map(|(k, v)| ((*k).to_owned(), vec![(*v).to_owned()])).collect();
        let own = Own { verdict: Verdict::default(), target };
        let calls = commands("mir", "-22", Path::new("a.mir"), Path::new("out"), &own);
        let expected = "llc-22 -mtriple=amdgcn -mcpu=gfx942 -mattr=+xnack -run-pass=none -verify-machineinstrs -o out a.mir";
        assert_eq!(calls.iter().map(|c| c.join(" ")).collect::<Vec<_>>(), [expected]);
    }
}
