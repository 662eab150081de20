//! The verdict of the programs that define a language: `llvm-as`, `llc`, `llvm-mc`, `spirv-as` with `spirv-val`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::private;
use crate::process::{Cancel, Limits, Stopped, run};
use crate::tools::find_program;

/// In arguments: the file.
pub const FILE: &str = "{file}";
/// In arguments: the file that the first program writes, and the next one reads.
pub const OUTPUT: &str = "{output}";

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its name, without the version that some systems add.
    pub program: &'static str,
    /// What it is called with; [`FILE`] and [`OUTPUT`] are replaced.
    pub arguments: Vec<String>,
}

/// Programs that were found.
#[derive(Debug, Clone)]
pub struct Reference {
    steps: Vec<(PathBuf, Step)>,
}

/// What a program says of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether all programs exit with 0.
    pub accepts: bool,
    /// The program that rejects the file, else the last one.
    pub program: &'static str,
    /// What it writes to standard error, with names in place of paths.
    pub output: String,
}

impl Reference {
    /// Searches the programs; an error is the name of one that is missing.
    pub fn find(steps: Vec<Step>, folder: Option<&Path>) -> Result<Reference, &'static str> {
        let find = |step: Step| match find_program(step.program, folder) {
            Some(path) => Ok((path, step)),
            None => Err(step.program),
        };
        Ok(Reference { steps: steps.into_iter().map(find).collect::<Result<_, _>>()? })
    }

    /// The lines that a person types for a file of this name.
    pub fn commands(&self, name: &str) -> Vec<String> {
        let line = |(_, step): &(PathBuf, Step)| {
            let words = step.arguments.iter().map(|a| a.replace(FILE, name).replace(OUTPUT, "output"));
            [step.program.to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
        };
        self.steps.iter().map(line).collect()
    }

    /// The first line with a version that each program prints.
    pub fn versions(&self) -> Vec<String> {
        let version = |(path, step): &(PathBuf, Step)| {
            let output =
                run(Command::new(path).arg("--version"), b"", &Limits::default(), &Cancel::default()).ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let line =
                text.lines().map(str::trim).find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
            Some(format!("{}: {line}", step.program))
        };
        self.steps.iter().filter_map(version).collect()
    }

    /// Runs the programs on a text, as a file of this name in a folder of its own below `parent`.
    pub fn verdict(&self, text: &str, parent: &Path, name: &str, cancel: &Cancel) -> Result<Verdict, String> {
        let at = |path: &Path, error| format!("{}: {error}", path.display());
        let folder = private::new_folder(parent, "").map_err(|error| at(parent, error))?;
        let file = folder.join(name);
        let written = std::fs::write(&file, text).map_err(|error| at(&file, error));
        let verdict = written.and_then(|()| self.run_steps(&file, &folder.join("output"), name, cancel));
        // What is left there is temporary.
        let _ = std::fs::remove_dir_all(&folder);
        verdict
    }

    fn run_steps(&self, file: &Path, output: &Path, name: &str, cancel: &Cancel) -> Result<Verdict, String> {
        let (file, output) = (file.to_string_lossy(), output.to_string_lossy());
        let mut verdict = Verdict { accepts: true, program: "", output: String::new() };
        for (path, step) in &self.steps {
            let words = step.arguments.iter().map(|a| a.replace(FILE, &file).replace(OUTPUT, &output));
            let ended = run(Command::new(path).args(words), b"", &Limits::default(), cancel);
            let ended = ended.map_err(|stopped| format!("{}: {}", step.program, reason(stopped)))?;
            verdict.program = step.program;
            verdict.accepts = ended.status.success();
            let output = String::from_utf8_lossy(&ended.stderr).replace(&*file, name);
            verdict.output = output.replace(&*path.to_string_lossy(), step.program);
            if !verdict.accepts {
                break;
            }
        }
        Ok(verdict)
    }
}

pub(crate) fn reason(stopped: Stopped) -> String {
    match stopped {
        Stopped::NotStarted(problem) => problem,
        Stopped::Cancelled => "cancelled".to_owned(),
        Stopped::TimedOut => "does not end within 30 s".to_owned(),
        Stopped::TooMuchOutput => "writes too much".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(program: &'static str, arguments: &[&str]) -> Step {
        Step { program, arguments: arguments.iter().map(|&a| a.to_owned()).collect() }
    }

    #[test]
    fn a_missing_program_is_named() {
        let steps = vec![step("no-such-program-of-wavelens", &[])];
        assert_eq!(Reference::find(steps, None).err(), Some("no-such-program-of-wavelens"));
    }

    #[test]
    fn commands_have_the_name_of_the_file() {
        let steps = vec![
            (PathBuf::from("/bin/as"), step("spirv-as", &["-o", OUTPUT, FILE])),
            (PathBuf::from("/bin/val"), step("spirv-val", &[OUTPUT])),
        ];
        let commands = Reference { steps }.commands("a.spvasm");
        assert_eq!(commands, ["spirv-as -o output a.spvasm", "spirv-val output"]);
    }

    #[cfg(unix)]
    #[test]
    fn the_first_program_that_fails_decides() {
        let parent = std::env::temp_dir();
        let folder = private::new_folder(&parent, "wavelens-reference-").expect("a folder");
        let cancel = Cancel::default();
        let script = format!("grep -q x {FILE} || {{ echo {FILE}:1:1: error >&2; exit 1; }}");
        let shell = || (PathBuf::from("/bin/sh"), step("sh", &["-c", &script]));
        let reference = Reference { steps: vec![shell(), shell()] };
        let accepted = reference.verdict("x", &folder, "a.ll", &cancel).expect("it runs");
        assert!(accepted.accepts, "{accepted:?}");
        let rejected = reference.verdict("y", &folder, "a.ll", &cancel).expect("it runs");
        assert_eq!((rejected.accepts, rejected.output.as_str()), (false, "a.ll:1:1: error\n"));
        let _ = std::fs::remove_dir_all(&folder);
    }
}
