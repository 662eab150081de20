//! Running commands that were found harmless, one after the other. What one program writes is the input of the next.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::allow::{Bare, bare};
use super::places::{Places, Problem};
use super::{Command, Join, Line, LineReport, NotRun, Report, Step, Target, Test, builtin};
use crate::process::{Cancel, Limits, Output, Stopped, Streams, run_within, without_symbols};
use crate::start::Sandbox;
use crate::tools::find_program;

/// All commands of a test together.
const TOTAL_TIME: Duration = Duration::from_secs(120);
/// Bytes that all commands of a test write to their streams and that our own read and write.
const TOTAL_BYTES: usize = 256 << 20;
/// Bytes of the private folder, looked at after each program.
const FOLDER_BYTES: u64 = 1 << 30;

/// A command that ran.
#[derive(Debug)]
pub struct Ran {
    /// The program, without `not`.
    pub program: String,
    /// As it was started.
    pub words: Vec<String>,
    /// Whether it did what the RUN line wants of it, `not` included.
    pub passed: bool,
    /// How it ended.
    pub ended: Ended,
    /// What it read; empty but for FileCheck.
    pub input: String,
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error.
    pub error: String,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// With an exit status.
    Status(i32),
    /// By a signal.
    Crashed,
    /// It took longer than the limit.
    TimedOut,
    /// It wrote more than the limit.
    TooMuchOutput,
    /// It was not found, or could not be started: why.
    NotStarted(String),
}

/// What is kept between commands.
struct Runner<'r> {
    test: &'r Test,
    places: &'r Places,
    llvm: Option<&'r Path>,
    limits: Limits,
    cancel: &'r Cancel,
    last: Instant,
    /// Of [`TOTAL_BYTES`].
    left: usize,
    found: HashMap<String, Option<PathBuf>>,
}

pub(super) fn run(
    test: &Test,
    places: &Places,
    llvm: Option<&Path>,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Report, NotRun> {
    places.write_test(&test.text).map_err(|error| NotRun::NoFolder(format!("no private folder: {error}")))?;
    let (last, left) = (Instant::now() + TOTAL_TIME, TOTAL_BYTES);
    let mut runner =
        Runner { test, places, llvm, limits: *limits, cancel, last, left, found: HashMap::new() };
    let mut report = Report::default();
    for line in &test.lines {
        let line = runner.line(line)?;
        let passed = line.passed;
        report.lines.push(line);
        if !passed {
            break;
        }
    }
    Ok(report)
}

impl Runner<'_> {
    fn line(&mut self, line: &Line) -> Result<LineReport, NotRun> {
        let mut report = LineReport { number: line.number, passed: true, commands: Vec::new() };
        for Step { join, pipeline } in &line.steps {
            let runs = match join {
                Join::Always => true,
                Join::IfPassed => report.passed,
                Join::IfFailed => !report.passed,
            };
            if runs {
                report.passed = self.pipeline(pipeline, &mut report.commands)?;
            }
        }
        Ok(report)
    }

    /// A pipeline passes if all its commands do.
    fn pipeline(&mut self, pipeline: &[Command], ran: &mut Vec<Ran>) -> Result<bool, NotRun> {
        let mut input = Vec::new();
        let mut passed = true;
        for command in pipeline {
            let (done, next) = self.command(command, &input)?;
            passed &= done.passed;
            input = next;
            ran.push(done);
        }
        Ok(passed)
    }

    /// Runs a command; what it leaves for the next one comes second.
    fn command(&mut self, command: &Command, input: &[u8]) -> Result<(Ran, Vec<u8>), NotRun> {
        let words: Vec<String> = command.words.iter().map(|word| self.places.expand(word)).collect();
        let Some(Bare { program, arguments, nots, crash }) = bare(&words) else {
            return Err(NotRun::NoFolder("an empty command".to_owned()));
        };
        if self.cancel.is_cancelled() {
            return Err(NotRun::Cancelled);
        }
        let file = command.input.as_ref();
        let read = file.map(|path| self.places.read(&self.places.expand(path), self.left));
        let input: &[u8] = match &read {
            Some(Ok(read)) => read,
            Some(Err(_)) => b"",
            None => input,
        };
        let together = command.error == Target::Output;
        let (ended, output, error) = match &read {
            Some(Err(Problem::Failed(why))) => (Ended::NotStarted(why.clone()), Vec::new(), Vec::new()),
            Some(Err(Problem::TooMuch)) => (Ended::TooMuchOutput, Vec::new(), Vec::new()),
            _ => self.start(program, arguments, input, together)?,
        };
        // The report holds them, and files may.
        let (ended, output, error) = match self.left.checked_sub(output.len() + error.len()) {
            Some(left) => {
                self.left = left;
                (ended, output, error)
            }
            None => (Ended::TooMuchOutput, Vec::new(), Vec::new()),
        };
        let passed = match &ended {
            Ended::Status(status) => !crash && ((*status == 0) == nots.is_multiple_of(2)),
            Ended::Crashed => crash,
            _ => false,
        };
        let passed = if crash && nots == 0 { false } else { passed };
        // The folder means nothing to the user.
        let folder = format!("{}/", self.places.folder().join("test").display());
        let keep = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace(&folder, "");
        let mut ran = Ran {
            program: program.to_owned(),
            input: if program == "FileCheck" { keep(input) } else { String::new() },
            output: keep(&output),
            error: keep(&error),
            words,
            passed,
            ended,
        };
        let (mut next, mut rest) = (Vec::new(), error);
        match &command.output {
            Target::Default | Target::Output | Target::Next => next = output,
            Target::File { path, append } => self.write(path, *append, &output, &mut ran),
            Target::Error => rest.extend(output),
        }
        match &command.error {
            Target::File { path, append } => self.write(path, *append, &rest, &mut ran),
            Target::Next => next = rest,
            Target::Default | Target::Output | Target::Error => {}
        }
        Ok((ran, next))
    }

    fn write(&self, path: &str, append: bool, bytes: &[u8], ran: &mut Ran) {
        if let Err(why) = self.places.write(&self.places.expand(path), append, bytes) {
            ran.passed = false;
            ran.ended = Ended::NotStarted(why);
        }
    }

    /// Whether nobody waits for the test any more, or it took too long.
    fn is_over(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.last
    }

    fn start(
        &mut self,
        program: &str,
        arguments: &[String],
        input: &[u8],
        together: bool,
    ) -> Result<(Ended, Vec<u8>, Vec<u8>), NotRun> {
        if builtin::BUILTINS.contains(&program) {
            let bounds = builtin::Bounds { bytes: self.left, is_over: &|| self.is_over() };
            let done = builtin::run(program, arguments, input, self.test, self.places, &bounds);
            let ended = if self.is_over() { Ended::TimedOut } else { done.ended };
            return Ok((ended, done.output, done.error.into_bytes()));
        }
        let llvm = self.llvm;
        let path = self.found.entry(program.to_owned()).or_insert_with(|| find_program(program, llvm));
        let Some(path) = path else {
            return Ok((Ended::NotStarted(format!("`{program}` was not found")), Vec::new(), Vec::new()));
        };
        let mut command = std::process::Command::new(&*path);
        if program == "FileCheck" {
            // The report has all that it would show.
            command.args(["--dump-input=never", "--color=0"]);
        }
        command.args(arguments).current_dir(self.places.folder()).env("TMPDIR", self.places.folder());
        let mut sandbox = Sandbox::around(path, self.places.folder());
        sandbox.read.extend(self.places.readable().map(Path::to_owned));
        for name in ["FILECHECK_OPTS", "FILECHECK_DUMP_INPUT_ON_FAILURE"] {
            command.env_remove(name);
        }
        without_symbols(&mut command);
        let left = self.last.saturating_duration_since(Instant::now());
        let limits = Limits { time: self.limits.time.min(left), ..self.limits };
        let streams = if together { Streams::Together } else { Streams::Apart };
        let ran = run_within(&mut command, input, &limits, self.cancel, streams, Some(&sandbox));
        Ok(match ran {
            Ok(_) if self.places.size() > FOLDER_BYTES => (Ended::TooMuchOutput, Vec::new(), Vec::new()),
            Ok(Output { status, stdout, stderr }) => {
                let ended = match status.code() {
                    // How the program in between passes a signal on where it cannot raise it.
                    Some(code) if code < 128 => Ended::Status(code),
                    _ => Ended::Crashed,
                };
                (ended, stdout, stderr)
            }
            Err(Stopped::Cancelled) => return Err(NotRun::Cancelled),
            Err(Stopped::TimedOut) => (Ended::TimedOut, Vec::new(), Vec::new()),
            Err(Stopped::TooMuchOutput) => (Ended::TooMuchOutput, Vec::new(), Vec::new()),
            Err(Stopped::NotStarted(why)) => (Ended::NotStarted(why), Vec::new(), Vec::new()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lit;

    fn command(line: &str) -> Command {
        Command { words: line.split_whitespace().map(str::to_owned).collect(), ..Command::default() }
    }

    fn test(lines: &[&[Command]]) -> Test {
        let line = |(number, pipeline): (u32, &&[Command])| Line {
            number,
            steps: vec![Step { join: Join::Always, pipeline: pipeline.to_vec() }],
        };
        Test {
            name: "a.ll".to_owned(),
            text: "one\ntwo\n".to_owned(),
            lines: (1..).zip(lines).map(line).collect(),
            sections: vec![("x/b.ll".to_owned(), "three\n".to_owned())],
            ..Test::default()
        }
    }

    fn run(test: &Test) -> Result<Report, NotRun> {
        lit::run(test, None, &Limits::default(), &Cancel::default())
    }

    #[test]
    fn pipelines_end_with_the_worst_outcome() {
        let cat = || command("cat %s");
        let report =
            run(&test(&[&[cat(), command("count 2")], &[cat(), command("count 3"), command("true")]]));
        let report = report.expect("it runs");
        assert_eq!(report.lines.iter().map(|line| line.passed).collect::<Vec<_>>(), [true, false]);
        let (line, ran) = report.failed().expect("a failure");
        assert_eq!((line.number, ran.error.as_str()), (2, "Expected 3 lines, got 2.\n"));
    }

    #[test]
    fn not_turns_the_outcome_around() {
        let report =
            run(&test(&[&[command("not false")], &[command("not not true")], &[command("not true")]]));
        let passed: Vec<bool> = report.expect("it runs").lines.iter().map(|line| line.passed).collect();
        assert_eq!(passed, [true, true, false]);
    }

    #[test]
    fn files_are_written_and_read_in_the_private_folder() {
        let output = Target::File { path: "%t".to_owned(), append: false };
        let write = Command { output, ..command("sed s/one/1/ %s") };
        let report = run(&test(&[
            &[write],
            &[command("cat %t")],
            &[command("split-file %s %t")],
            &[command("cat %t/x/b.ll")],
        ]));
        let report = report.expect("it runs");
        assert!(report.passed(), "{report:?}");
        assert_eq!(report.lines[1].commands[0].output, "1\ntwo\n");
        assert_eq!(report.lines[3].commands[0].output, "three\n");
    }

    #[test]
    fn nothing_runs_if_one_command_may_not() {
        let refused = run(&test(&[&[command("echo a")], &[command("sh -c x")]])).err();
        let reason = "`sh` is not one of the programs that are run".to_owned();
        assert_eq!(refused, Some(NotRun::Refused(vec![lit::Refusal { line: 2, reason }])));
    }

    #[test]
    fn sections_do_not_leave_their_folder() {
        let mut test = test(&[&[command("split-file %s %t")]]);
        test.sections = vec![("../../../x".to_owned(), "x".to_owned())];
        let report = run(&test).expect("it runs");
        assert!(report.failed().expect("a failure").1.error.contains("leads out of the folder"));
    }
}
