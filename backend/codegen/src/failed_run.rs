//! A compilation that fails, as it is reported to the compiler's authors: command, version, failing pass, stack.

use std::process::Command;

use crate::llc::{llc_arguments, opt_arguments, run_to_end, stopped_as};
use crate::process::{Cancel, Limits, run};
use crate::report::{Failure, Request};
use crate::tools::{Tool, Tools};

/// A run of one of LLVM's programs that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedRun {
    /// What ran, as it could be typed; the text is its standard input.
    pub command: String,
    /// The program and its version.
    pub version: String,
    /// The pass that was running, where the program tells.
    pub pass: Option<String>,
    /// What it wrote to standard error.
    pub output: String,
}

impl FailedRun {
    /// The error in one line.
    pub fn title(&self) -> String {
        let lines = || self.output.lines().map(str::trim);
        let is_error = |line: &&str| {
            ["LLVM ERROR", "Assertion", "UNREACHABLE", "error: "].iter().any(|w| line.contains(w))
        };
        match (lines().find(is_error), &self.pass) {
            (Some(line), _) => line.to_owned(),
            (None, Some(pass)) => format!("Crash in {pass}"),
            (None, None) => lines().next().unwrap_or("Crash").to_owned(),
        }
    }
}

/// Runs a request whose compilation fails once more, with the stack and its passes.
///
/// # Errors
/// When a program is missing or did not end, or nothing fails.
pub fn failed_run(request: &Request, tools: &Tools, limits: &Limits) -> Result<FailedRun, Failure> {
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(tools.missing_llc()))?;
    let mut input = request.input.bytes();
    if request.runs_opt() {
        let opt = tools.opt().ok_or_else(|| Failure::NoTool(tools.missing_opt()))?;
        let arguments = opt_arguments(request);
        let output = run_to_end(opt, &arguments, &input, limits, &Cancel::default())?;
        if !output.status.success() {
            return with_pass(opt, &arguments, "-debug-pass-manager", &input, limits);
        }
        input = output.stdout.into();
    }
    with_pass(llc, &llc_arguments(request), "-debug-pass=Executions", &input, limits)
}

/// A run, and the pass that a second run with an option that prints each pass begins last.
fn with_pass(
    tool: &Tool,
    arguments: &[String],
    option: &str,
    input: &[u8],
    limits: &Limits,
) -> Result<FailedRun, Failure> {
    let mut command = Command::new(&tool.path);
    command.args(arguments).current_dir(crate::private::temporary_folder());
    let output =
        run(&mut command, input, limits, &Cancel::default()).map_err(|stopped| stopped_as(stopped, tool))?;
    if output.status.success() {
        return Err(Failure::NotCompiled("the compiler does not fail".to_owned()));
    }
    let printing: Vec<String> = std::iter::once(option.to_owned()).chain(arguments.iter().cloned()).collect();
    let printed = run_to_end(tool, &printing, input, limits, &Cancel::default());
    let printed =
        printed.map(|output| String::from_utf8_lossy(&output.stderr).into_owned()).unwrap_or_default();
    let name = tool.path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(FailedRun {
        command: tool.command(arguments),
        version: format!("{name}: LLVM {}", tool.asked_version()),
        pass: last_pass(&printed),
        output: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

/// The pass that began last, as `opt` (`Running pass: X on f`) and `llc` (`Executing Pass 'X' on Function 'f'...`) print it.
fn last_pass(printed: &str) -> Option<String> {
    printed.lines().rev().find_map(|line| {
        if let Some((_, rest)) = line.split_once("Executing Pass '") {
            let (pass, rest) = rest.split_once('\'')?;
            let function = rest.split_once("on Function '").and_then(|(_, rest)| rest.split('\'').next());
            return Some(function.map_or_else(|| pass.to_owned(), |f| format!("{pass} on `{f}`")));
        }
        let (pass, rest) = line.strip_prefix("Running pass: ")?.split_once(" on ")?;
        Some(format!("{pass} on `{}`", rest.split_whitespace().next()?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pass_is_the_one_that_fails() {
        let printed = "[2026] Executing Pass 'Function Pass Manager' on Module 'm'...\n\
            [2026]    Executing Pass 'AMDGPU DAG->DAG Pattern Instruction Selection' on Function 'f'...\nLLVM ERROR: x\n";
        assert_eq!(
            last_pass(printed).as_deref(),
            Some("AMDGPU DAG->DAG Pattern Instruction Selection on `f`")
        );
        let printed =
            "Running pass: VerifierPass on [module]\nRunning pass: SROAPass on f (2 instructions)\n";
        assert_eq!(last_pass(printed).as_deref(), Some("SROAPass on `f`"));
        assert_eq!(last_pass("LLVM ERROR: x\n"), None);
    }
}
