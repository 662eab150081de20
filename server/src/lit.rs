//! Running the RUN lines of a test: for the command line and for the server alike.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wavelens_base::lit::outcome::{Mismatch, check_failed, run_failed, run_refused};
use wavelens_base::lit::sections::sections;
use wavelens_base::lit::shell::{self, Redirect, Stream};
use wavelens_base::lit::{Run, Test};
use wavelens_base::{Finding, TextRange};
use wavelens_codegen::lit::filecheck::{error_line, mismatch};
use wavelens_codegen::lit::{self, Command, Ended, Join, Line, NotRun, Ran, Report, Step, Target};
use wavelens_codegen::reason::cause;
use wavelens_codegen::{Cancel, Limits};

use wavelens_check::project::FILE_NAME;

/// What came of a test, by lit's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Verdict {
    Passed,
    Failed,
    /// It failed, as it says it does.
    ExpectedlyFailed,
    /// It passed, and says it fails.
    UnexpectedlyPassed,
    /// It asks for a feature that is not there.
    Unsupported,
    /// It could not be run: a command may not run, a line is not understood, there is none.
    NotRun,
}

impl Verdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verdict::Passed => "passed",
            Verdict::Failed => "failed",
            Verdict::ExpectedlyFailed => "failed as expected",
            Verdict::UnexpectedlyPassed => "unexpectedly passed",
            Verdict::Unsupported => "unsupported",
            Verdict::NotRun => "not run",
        }
    }
}

/// A test that was run, or why it was not.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) verdict: Option<Verdict>,
    pub(crate) findings: Vec<Finding>,
    /// Why it is unsupported, or could not be run.
    pub(crate) reason: Option<String>,
    pub(crate) report: Report,
    /// What the CHECK line that failed was compared with.
    #[cfg_attr(target_family = "wasm", expect(dead_code, reason = "only the command line shows it"))]
    pub(crate) excerpt: Option<Excerpt>,
}

/// The output of a RUN line around the place where a CHECK line does not match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The number of the RUN line.
    pub(crate) run: u32,
    /// What is expected, as the CHECK line has it.
    pub(crate) expected: String,
    /// Lines of the output with their numbers, counted from 1.
    pub(crate) lines: Vec<(u32, String)>,
    /// The line after which the search began.
    pub(crate) search: u32,
    /// The line that is closest to what is expected.
    pub(crate) closest: Option<u32>,
}

impl Outcome {
    fn not_run(reason: impl Into<String>, findings: Vec<Finding>) -> Outcome {
        let (verdict, reason) = (Some(Verdict::NotRun), Some(reason.into()));
        Outcome { verdict, findings, reason, ..Outcome::default() }
    }

    pub(crate) fn verdict(&self) -> Verdict {
        self.verdict.unwrap_or(Verdict::NotRun)
    }
}

/// Where and with what tests are run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Setup {
    /// Folder with LLVM's programs, searched first.
    pub(crate) llvm: Option<PathBuf>,
    /// What tests can ask for.
    pub(crate) features: Vec<String>,
}

impl Setup {
    /// Asks `llc` once what it supports.
    pub(crate) fn find(llvm: Option<&Path>) -> Setup {
        Setup { llvm: llvm.map(Path::to_owned), features: lit::features(llvm) }
    }
}

/// Runs a test, or one of its RUN lines with those before it that write files.
pub(crate) fn run(path: &Path, text: &str, number: Option<u32>, setup: &Setup, cancel: &Cancel) -> Outcome {
    let features: Vec<&str> = setup.features.iter().map(String::as_str).collect();
    let mut test = Test::read(text, &features);
    if let Some((range, problem)) = test.problems.first() {
        return Outcome::not_run(problem.clone(), vec![run_refused(*range, problem)]);
    }
    if test.runs.is_empty() {
        return Outcome::not_run("the file has no RUN line", Vec::new());
    }
    if let Some((_, why)) = &test.unsupported {
        return Outcome {
            verdict: Some(Verdict::Unsupported),
            reason: Some(why.clone()),
            ..Outcome::default()
        };
    }
    if let Some(number) = number {
        test.runs.retain(|run| run.number == number || run.number < number && writes_files(run));
    }
    let request = request(path, text, &test);
    let name = request.name.clone();
    match lit::run(&request, setup.llvm.as_deref(), &Limits::default(), cancel) {
        Ok(report) => judged(text, &name, &test, report),
        Err(NotRun::Refused(refusals)) => {
            let finding =
                |refusal: &lit::Refusal| run_refused(range_of(&test, refusal.line), &refusal.reason);
            let reason = refusals.first().map_or(String::new(), |refusal| {
                format!("RUN line {} is not run: {}", refusal.line, refusal.reason)
            });
            Outcome::not_run(reason, refusals.iter().map(finding).collect())
        }
        Err(NotRun::NoFolder(why)) => Outcome::not_run(why, Vec::new()),
        Err(NotRun::Cancelled) => Outcome::not_run("cancelled", Vec::new()),
    }
}

/// The script of LLVM that writes the CHECK lines of a test, if there is one for it.
pub(crate) fn script(path: &Path, text: &str, test: &Test) -> Option<lit::Script> {
    let first = test.runs.first()?.script.steps.first()?;
    let mut programs =
        first.pipeline.iter().map(|command| command.words.iter().map(|word| word.text.as_str()));
    let is_plain = |word: &&str| !matches!(*word, "not" | "--crash");
    let program = programs.next()?.find(is_plain)?;
    programs.any(|mut words| words.next() == Some("FileCheck")).then_some(())?;
    lit::Script::of(&path.to_string_lossy(), text, program)
}

/// The text of a test with new CHECK lines. `source` is a source tree of LLVM.
///
/// # Errors
/// Why there is none, as a sentence for the user.
pub(crate) fn update(
    path: &Path,
    text: &str,
    source: Option<&Path>,
    setup: &Setup,
    cancel: &Cancel,
) -> Result<String, String> {
    let features: Vec<&str> = setup.features.iter().map(String::as_str).collect();
    let test = Test::read(text, &features);
    let script = script(path, text, &test)
        .ok_or("LLVM has no script that updates the CHECK lines of such a test (`llc`, `opt` or `llvm-mc`, then `FileCheck`)")?;
    let source = source.ok_or_else(|| {
        format!(
            "`{}` is part of LLVM's source tree: name its folder in the setting `wavelens.llvm.source` (`--llvm-source`)",
            script.name
        )
    })?;
    if let Some((_, problem)) = test.problems.first() {
        return Err(problem.clone());
    }
    let commands: Vec<&str> = test.runs.iter().map(|run| run.text.as_str()).collect();
    script.update(&request(path, text, &test), &commands, source, setup.llvm.as_deref(), cancel)
}

/// Whether later lines may read what a line writes.
fn writes_files(run: &Run) -> bool {
    run.text.contains("%t") || run.text.contains("%T")
}

fn range_of(test: &Test, number: u32) -> TextRange {
    test.runs.iter().find(|run| run.number == number).map_or(TextRange::default(), |run| run.range)
}

/// The test as programs are run for it.
fn request(path: &Path, text: &str, test: &Test) -> lit::Test {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let folder = absolute.parent().filter(|_| path != Path::new("-"));
    // The test suite is where its files really are.
    let folder = folder.map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    let cut = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("").to_owned();
    let line = |run: &Run| Line { number: run.number, steps: run.script.steps.iter().map(step).collect() };
    lit::Test {
        name: path.file_name().map_or("test".to_owned(), |name| name.to_string_lossy().into_owned()),
        text: text.to_owned(),
        roots: folder.iter().map(|folder| readable_root(folder)).collect(),
        folder,
        lines: test.runs.iter().map(line).collect(),
        sections: sections(text).into_iter().map(|section| (section.name, cut(section.range))).collect(),
    }
}

/// The folder whose files a test may read: the test suite's or the project's, or its own.
fn readable_root(folder: &Path) -> PathBuf {
    const ROOTS: &[&str] = &["lit.cfg.py", "lit.cfg", ".git", FILE_NAME];
    let is_root = |folder: &&Path| ROOTS.iter().any(|name| folder.join(name).exists());
    folder.ancestors().find(is_root).unwrap_or(folder).to_owned()
}

fn step(step: &shell::Step) -> Step {
    let join = match step.join {
        shell::Join::Always => Join::Always,
        shell::Join::IfPassed => Join::IfPassed,
        shell::Join::IfFailed => Join::IfFailed,
    };
    Step { join, pipeline: step.pipeline.iter().map(command).collect() }
}

fn command(command: &shell::Command) -> Command {
    let words = command.words.iter().map(|word| word.text.to_string()).collect();
    let mut found = Command { words, ..Command::default() };
    for redirect in &command.redirects {
        match redirect {
            Redirect::Input(file) => found.input = Some(file.text.to_string()),
            Redirect::File { stream, append, file } => {
                let target = Target::File { path: file.text.to_string(), append: *append };
                match stream {
                    Stream::Output => {
                        // Errors stay where output went before.
                        if found.error == Target::Output && found.output == Target::Default {
                            found.error = Target::Next;
                        }
                        found.output = target;
                    }
                    Stream::Error => found.error = target,
                    Stream::Both => (found.output, found.error) = (target, Target::Output),
                }
            }
            Redirect::Copy { stream: Stream::Error, of: Stream::Output } => found.error = Target::Output,
            Redirect::Copy { stream: Stream::Output, of: Stream::Error } => found.output = Target::Error,
            Redirect::Copy { .. } => {}
        }
    }
    found
}

/// The verdict on a test that ran, with the finding for its failure.
fn judged(text: &str, name: &str, test: &Test, report: Report) -> Outcome {
    let verdict = match (report.passed(), test.fails) {
        (true, false) => Verdict::Passed,
        (true, true) => Verdict::UnexpectedlyPassed,
        (false, true) => Verdict::ExpectedlyFailed,
        (false, false) => Verdict::Failed,
    };
    let failed = report.failed().filter(|_| verdict == Verdict::Failed);
    let mut findings: Vec<Finding> = failed
        .map(|(line, ran)| failure(text, name, line.number, range_of(test, line.number), ran))
        .into_iter()
        .collect();
    if verdict == Verdict::UnexpectedlyPassed {
        let range = test.runs.first().map_or(TextRange::default(), |run| run.range);
        findings.push(run_failed(
            text,
            range,
            None,
            "the test passes, and `XFAIL:` says that it fails".to_owned(),
        ));
    }
    let excerpt = report.failed().filter(|_| verdict == Verdict::Failed);
    let excerpt = excerpt.and_then(|(line, ran)| excerpt_of(text, name, line.number, ran));
    Outcome { verdict: Some(verdict), findings, reason: None, report, excerpt }
}

/// Lines of output shown before and after those that matter, and between them.
const AROUND: u32 = 2;
const BETWEEN: u32 = 12;

fn excerpt_of(text: &str, name: &str, run: u32, ran: &Ran) -> Option<Excerpt> {
    let found = mismatch(&ran.error, name).filter(|_| ran.program == "FileCheck")?;
    // `CHECK-NOT` and others that find too much say it all.
    let search = found.search?.line;
    let expected = text.lines().nth(found.line.checked_sub(1)? as usize)?;
    let expected = expected.trim().trim_start_matches([';', '#', '/', ' ']).to_owned();
    let closest = found.closest.or(found.found).map(|place| place.line);
    let closest = closest.filter(|line| (search..search + BETWEEN).contains(line));
    let first = search.saturating_sub(AROUND).max(1);
    let last = closest.unwrap_or(search + AROUND) + AROUND;
    let lines = (1..).zip(ran.input.lines()).skip(first as usize - 1).take((last + 1 - first) as usize);
    let lines: Vec<(u32, String)> = lines.map(|(number, line)| (number, line.to_owned())).collect();
    (!lines.is_empty()).then_some(Excerpt { run, expected, lines, search, closest })
}

fn failure(text: &str, name: &str, number: u32, range: TextRange, ran: &Ran) -> Finding {
    // What went wrong first is in the errors, or in what was written with them.
    let said = if ran.error.is_empty() { &ran.output } else { &ran.error };
    if ran.program == "FileCheck"
        && let Some(found) = mismatch(said, name)
    {
        let place = |place: lit::filecheck::Place| (place.line, place.text);
        let found = Mismatch {
            line: found.line,
            message: found.message,
            search: found.search.map(place),
            closest: found.closest.map(place),
            found: found.found.map(place),
            notes: found.notes,
        };
        return check_failed(text, number, range, &found);
    }
    let expects_crash =
        ran.words.iter().take_while(|word| **word != ran.program).any(|word| word == "--crash");
    let expects_error = !expects_crash && ran.words.first().is_some_and(|word| word == "not");
    let outcome = match &ran.ended {
        Ended::Status(0) if expects_crash => "succeeded, and `not --crash` expects a crash".to_owned(),
        Ended::Status(status) if expects_crash => {
            format!("failed with status {status}, and `not --crash` expects a crash")
        }
        Ended::Status(0) => "succeeded, and `not` expects it to fail".to_owned(),
        Ended::Status(status) => format!("failed with status {status}"),
        Ended::Crashed if expects_error => "crashed, and `not` without `--crash` expects an error".to_owned(),
        Ended::Crashed => "crashed".to_owned(),
        Ended::TimedOut => "ran out of time".to_owned(),
        Ended::TooMuchOutput => "wrote too much".to_owned(),
        Ended::NotStarted(why) => return run_failed(text, range, None, format!("RUN line {number}: {why}")),
    };
    let error = match (cause(said), &ran.ended) {
        (Some(cause), _) => format!(": {cause}"),
        (None, Ended::Status(0)) => String::new(),
        (None, _) => "; it wrote no message".to_owned(),
    };
    let message = format!("`{}` of RUN line {number} {outcome}{}", ran.program, error);
    run_failed(text, range, error_line(said, name), message)
}

/// What the programs of a test wrote, command by command.
pub(crate) fn transcript(report: &Report) -> String {
    let mut out = String::new();
    for line in &report.lines {
        for ran in &line.commands {
            out.push_str(&format!("# RUN line {}: {}\n", line.number, ran.words.join(" ")));
            for text in [&ran.output, &ran.error] {
                out.push_str(text);
                if !text.is_empty() && !text.ends_with('\n') {
                    out.push('\n');
                }
            }
        }
    }
    out
}
