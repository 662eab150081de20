//! Verdicts of both sides on files.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::corpora::Corpus;
use super::encodings::{self, Encodings};
use crate::Outcome;
use crate::repository::Scratch;

/// A file, and what both sides check it for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) file: PathBuf,
    /// The RUN line, by its number; `None` for files that are checked once.
    pub(super) run: Option<u32>,
    /// The environment of SPIR-V or the processor; `None` where the file names it.
    pub(super) target: Option<&'static str>,
}

/// The reference tools.
pub(super) struct Tools {
    /// What follows the names of LLVM's programs.
    pub(super) suffix: String,
    pub(super) spirv_val: PathBuf,
    pub(super) spirv_as: PathBuf,
}

/// Whether one side accepts a file, the lines with errors, and its first message.
#[derive(Debug, Clone, Default)]
pub(super) struct Verdict {
    pub(super) accepts: bool,
    pub(super) lines: Vec<u64>,
    pub(super) message: String,
}

/// The program's verdict on a file, and the target that it was checked for.
pub(super) struct OwnVerdict {
    pub(super) verdict: Verdict,
    /// Values by name, as `wavelens target` prints them.
    target: HashMap<String, Vec<String>>,
}

/// Files in one call of the program.
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

/// The cases of files: one for each RUN line that the program checks a file under.
pub(super) fn cases(
    program: &Path,
    dialect: &str,
    files: Vec<(PathBuf, Option<&'static str>)>,
) -> Outcome<Vec<Case>> {
    let paths: Vec<PathBuf> = files.iter().map(|(file, _)| file.clone()).collect();
    let known = objects(program, &["target", "--dialect", dialect], &paths)?;
    let mut cases = Vec::new();
    for ((file, target), known) in files.into_iter().zip(known) {
        let runs = known["target"]["run_lines"].as_array().cloned().unwrap_or_default();
        let numbers = runs.iter().filter_map(|run| run[0].as_u64()).filter_map(|n| u32::try_from(n).ok());
        let runs: Vec<Option<u32>> = match dialect {
            "amdgpu" | "mir" => numbers.map(Some).collect(),
            _ => Vec::new(),
        };
        let runs = if runs.is_empty() { vec![None] } else { runs };
        cases.extend(runs.into_iter().map(|run| Case { file: file.clone(), run, target }));
    }
    Ok(cases)
}

/// Verdicts of the program, in the order of the cases.
pub(super) fn own_verdicts(program: &Path, corpus: &Corpus, cases: &[Case]) -> Outcome<Vec<OwnVerdict>> {
    // Indices of the cases that one call can check.
    let mut groups: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        groups.entry(options(corpus, case)).or_default().push(at);
    }
    let defines: Vec<String> = corpus.defines.iter().map(|define| format!("-D{define}")).collect();
    let mut all = Vec::new();
    for (options, places) in groups {
        let files: Vec<PathBuf> = places.iter().map(|at| cases[*at].file.clone()).collect();
        let options = ["--dialect", corpus.dialect].into_iter().chain(options.iter().map(String::as_str));
        let command = |name| std::iter::once(name).chain(options.clone()).collect::<Vec<&str>>();
        let mut check = command("check");
        check.extend(defines.iter().map(String::as_str));
        let checked = objects(program, &check, &files)?;
        let targets = objects(program, &command("target"), &files)?;
        let verdicts = checked.iter().zip(&targets).map(|(checked, target)| own_verdict(checked, target));
        all.extend(places.into_iter().zip(verdicts));
    }
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, own)| own).collect())
}

fn own_verdict(checked: &Value, target: &Value) -> OwnVerdict {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut errors = list(&checked["diagnostics"]);
    errors.retain(|error| error["severity"] == "error");
    let verdict = Verdict {
        accepts: errors.is_empty(),
        lines: errors.iter().filter_map(|error| error["line"].as_u64()).collect(),
        message: errors.first().map(|e| text(&e["message"])).unwrap_or_default(),
    };
    let mut rows: HashMap<String, Vec<String>> = HashMap::new();
    for row in list(&target["target"]["rows"]) {
        rows.entry(text(&row["name"])).or_default().push(text(&row["value"]));
    }
    OwnVerdict { verdict, target: rows }
}

/// What the reference tools say of a case.
#[derive(Clone)]
pub(super) struct Reference {
    pub(super) verdict: Verdict,
    /// How the encodings compare, of assembly.
    pub(super) encodings: Option<Encodings>,
}

/// What the reference tools say of the cases, in their order; `None` where a tool crashes or does not start.
pub(super) fn references(
    program: &Path,
    corpus: &Corpus,
    tools: &Tools,
    cases: &[Case],
    own: &[OwnVerdict],
) -> Outcome<Vec<Option<Reference>>> {
    let scratch = Scratch::new("agreement")?;
    let references = Mutex::new(vec![None; cases.len()]);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (next, references) = (&next, &references);
            let output = scratch.path().join(format!("output{thread}"));
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(case), Some(own)) = (cases.get(at), own.get(at)) else { break };
                    let calls = commands(corpus, tools, &case.file, &output, own);
                    let encodings = || match corpus.dialect {
                        "amdgpu" => encodings::compare(
                            &encode_command(program, corpus, case),
                            &shows_encodings(calls.first()?),
                        ),
                        _ => None,
                    };
                    let reference =
                        judge(&calls).map(|verdict| Reference { verdict, encodings: encodings() });
                    if let Ok(mut references) = references.lock() {
                        references[at] = reference;
                    }
                }
            });
        }
    });
    references.into_inner().map_err(|_| "a thread panicked".to_owned())
}

/// The calls of the reference tools for what the program checks the file for.
fn commands(
    corpus: &Corpus,
    tools: &Tools,
    file: &Path,
    output: &Path,
    own: &OwnVerdict,
) -> Vec<Vec<String>> {
    let dialect = corpus.dialect;
    let folder = file.parent().unwrap_or(Path::new("")).to_string_lossy();
    let suffix = &tools.suffix;
    let (file, output) = (file.to_string_lossy(), output.to_string_lossy());
    let rows = |name: &str| own.target.get(name).cloned().unwrap_or_default();
    let first = |name: &str, default: &str| rows(name).first().map_or(default.to_owned(), String::clone);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    match dialect {
        "llvm" => vec![words(&[&format!("llvm-as{suffix}"), "-disable-output", &file])],
        "mir" | "amdgpu" => {
            let (program, option) =
                if dialect == "mir" { ("llc", "-mtriple") } else { ("llvm-mc", "-triple") };
            let mut call = words(&[&format!("{program}{suffix}")]);
            call.push(format!("{option}={}", first("triple", "amdgcn-amd-amdhsa")));
            call.extend(rows("processor").iter().map(|p| format!("-mcpu={p}")));
            if !rows("feature").is_empty() {
                call.push(format!("-mattr={}", rows("feature").join(",")));
            }
            if dialect == "mir" {
                call.extend(words(&["-run-pass=none", "-verify-machineinstrs", "-o", &output, &file]));
                return vec![call];
            }
            let version = rows("code object version");
            call.extend(version.iter().map(|v| format!("--amdhsa-code-object-version={v}")));
            let symbols = rows("symbol").iter().map(|s| s.replace(" = ", "=")).collect::<Vec<_>>();
            let symbols = symbols.iter().map(String::as_str).chain(corpus.defines.iter().copied());
            call.extend(symbols.flat_map(|symbol| words(&["-defsym", symbol])));
            call.extend(words(&["-I", &folder, "-filetype=obj", "-o", &output, &file]));
            vec![call]
        }
        _ => {
            let environment = first("environment", "spv1.6");
            let module = rows("module version").first().map_or(environment.clone(), |v| format!("spv{v}"));
            let numbers = "--preserve-numeric-ids";
            let program = |path: &Path| path.to_string_lossy().into_owned();
            vec![
                words(&[&program(&tools.spirv_as), numbers, "--target-env", &module, "-o", &output, &file]),
                words(&[&program(&tools.spirv_val), "--target-env", &environment, &output]),
            ]
        }
    }
}

/// A call of llvm-mc that prints encodings in place of writing an object file.
fn shows_encodings(call: &[String]) -> Vec<String> {
    let prints =
        |word: &String| if word == "-filetype=obj" { "-show-encoding".to_owned() } else { word.clone() };
    let mut call: Vec<String> = call.iter().map(prints).collect();
    if let Some(at) = call.iter().position(|word| word == "-o") {
        call.splice(at + 1..at + 2, ["-".to_owned()]);
    }
    call
}

/// The call of the program that prints encodings.
fn encode_command(program: &Path, corpus: &Corpus, case: &Case) -> Vec<String> {
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let mut call = vec![text(program)];
    call.extend(["encode", "--format", "json", "--dialect", corpus.dialect].map(str::to_owned));
    call.extend(options(corpus, case));
    call.extend(corpus.defines.iter().map(|define| format!("-D{define}")));
    call.push(text(&case.file));
    call
}

/// The options of the program that say what a case is checked for.
fn options(corpus: &Corpus, case: &Case) -> Vec<String> {
    let option = if corpus.dialect == "spirv" { "--target-env" } else { "--mcpu" };
    let target = case.target.iter().flat_map(|target| [option.to_owned(), (*target).to_owned()]);
    let run = case.run.iter().flat_map(|run| ["--run-line".to_owned(), run.to_string()]);
    run.chain(target).collect()
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
        let lines = text.lines().filter_map(line_number);
        // Only llvm-mc goes on after an error.
        verdict.lines = if program.contains("llvm-mc") { lines.collect() } else { lines.take(1).collect() };
        verdict.lines.sort_unstable();
        verdict.lines.dedup();
        verdict.message = text.lines().next().unwrap_or_default().to_owned();
        break;
    }
    Some(verdict)
}

/// The line in `file:LINE:COLUMN: message`, and in `error: LINE: message` of spirv-as.
pub(super) fn line_number(line: &str) -> Option<u64> {
    if line.contains(": warning: ") || line.contains(": note: ") {
        return None;
    }
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
    use super::super::corpora::CORPORA;
    use super::*;

    #[test]
    fn places_in_messages() {
        assert_eq!(line_number("llvm-as: a/b.ll:12:3: error: x"), Some(12));
        assert_eq!(line_number("error: 7: Unknown opcode"), Some(7));
        assert_eq!(line_number("error: YAML:4:1: not a mapping"), Some(4));
        assert_eq!(line_number("a.s:3:1: note: while in macro instantiation"), None);
        assert_eq!(line_number("assembly parsed, but does not verify as correct!"), None);
    }

    fn calls(dialect: &str, file: &str, target: &[(&str, &str)]) -> Vec<String> {
        let mut rows: HashMap<String, Vec<String>> = HashMap::new();
        for (name, value) in target {
            rows.entry((*name).to_owned()).or_default().push((*value).to_owned());
        }
        let own = OwnVerdict { verdict: Verdict::default(), target: rows };
        let tools = Tools {
            suffix: "-22".to_owned(),
            spirv_val: PathBuf::from("new/spirv-val"),
            spirv_as: PathBuf::from("new/spirv-as"),
        };
        let corpus =
            CORPORA.iter().find(|corpus| corpus.dialect == dialect).expect("a corpus of each dialect");
        let calls = commands(corpus, &tools, Path::new(file), Path::new("out"), &own);
        calls.iter().map(|call| call.join(" ")).collect()
    }

    #[test]
    fn tools_are_called_for_the_target_of_the_file() {
        let target = [("triple", "amdgcn"), ("processor", "gfx942"), ("feature", "+xnack")];
        assert_eq!(
            calls("mir", "a.mir", &target),
            [
                "llc-22 -mtriple=amdgcn -mcpu=gfx942 -mattr=+xnack -run-pass=none -verify-machineinstrs -o out a.mir"
            ]
        );
        let target = [("processor", "gfx900"), ("code object version", "4"), ("symbol", "X = 1")];
        assert_eq!(
            calls("amdgpu", "a.s", &target),
            [
                "llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=gfx900 --amdhsa-code-object-version=4 -defsym X=1 -I  -filetype=obj -o out a.s"
            ]
        );
        assert_eq!(
            calls("spirv", "a.spvasm", &[("environment", "vulkan1.1"), ("module version", "1.3")]),
            [
                "new/spirv-as --preserve-numeric-ids --target-env spv1.3 -o out a.spvasm",
                "new/spirv-val --target-env vulkan1.1 out"
            ]
        );
    }
}
