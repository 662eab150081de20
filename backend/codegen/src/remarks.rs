//! Optimisation remarks: what passes of `opt` and `llc` report that they did, or could not do.

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::asm::LINE_MARK;
use crate::includes::check_ir;
use crate::llc::{llc_arguments, opt_arguments, run_tool};
use crate::private::Temporary;
use crate::process::{Cancel, Limits};
use crate::report::{Failure, Request};
use crate::tools::{Tool, Tools};

/// What a pass reports.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Remark {
    /// Whether the pass did something.
    pub kind: RemarkKind,
    /// `opt` or `llc`.
    pub tool: String,
    /// `loop-vectorize`, `regalloc` and the like.
    pub pass: String,
    /// The pass's own name for it: `FullyUnrolled`.
    pub name: String,
    /// The function, without sigil.
    pub function: String,
    /// Line of the user's text, counted from 0, where the location is one of ours.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// In one line.
    pub message: String,
}

/// What a remark says about a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemarkKind {
    /// It changed the code.
    Passed,
    /// It could not.
    Missed,
    /// What it found out.
    Analysis,
    /// It could not do what the code asks for.
    Failure,
}

impl RemarkKind {
    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            RemarkKind::Passed => "passed",
            RemarkKind::Missed => "missed",
            RemarkKind::Analysis => "analysis",
            RemarkKind::Failure => "failure",
        }
    }
}

/// The remarks of a compilation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Remarks {
    /// In the order in which they were reported; equal ones once.
    pub remarks: Vec<Remark>,
    /// What ran, as it could be typed.
    pub commands: Vec<String>,
}

/// The file that the tools write.
const FILE: &str = "remarks.yaml";

/// Runs `opt` (if the request has a pipeline) and `llc`, and reads their remarks.
///
/// # Errors
/// When one of them could not be run to its end.
pub fn remarks(
    request: &Request,
    tools: &Tools,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Remarks, Failure> {
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(tools.missing_llc()))?;
    let mut input = request.input.bytes();
    check_ir(&String::from_utf8_lossy(&input))?;
    let folder = Temporary::new("remarks")
        .map_err(|error| Failure::NotStarted { program: llc.path.clone(), reason: error.to_string() })?;
    let mut found = Remarks::default();
    let mut run = || {
        if request.runs_opt() {
            let opt = tools.opt().ok_or_else(|| Failure::NoTool(tools.missing_opt()))?;
            let output =
                found.run((opt, "opt"), opt_arguments(request), &input, folder.path(), (limits, cancel))?;
            input = output.into();
        }
        found.run((llc, "llc"), llc_arguments(request), &input, folder.path(), (limits, cancel))
    };
    run()?;
    Ok(found)
}

impl Remarks {
    /// Runs a tool and adds its remarks; its output is returned.
    fn run(
        &mut self,
        (tool, name): (&Tool, &str),
        mut arguments: Vec<String>,
        input: &[u8],
        folder: &Path,
        (limits, cancel): (&Limits, &Cancel),
    ) -> Result<Vec<u8>, Failure> {
        let file = folder.join(FILE);
        arguments.insert(0, format!("-pass-remarks-output={}", file.display()));
        let output = run_tool(tool, &arguments, input, limits, cancel)?;
        arguments[0] = format!("-pass-remarks-output={FILE}");
        self.commands.push(tool.command(&arguments));
        let text = std::fs::read(&file).unwrap_or_default();
        let mut known: HashSet<Remark> = self.remarks.iter().cloned().collect();
        let new = read(&String::from_utf8_lossy(&text), name).into_iter();
        self.remarks.extend(new.filter(|remark| known.insert(remark.clone())));
        let _ = std::fs::remove_file(file);
        Ok(output.stdout)
    }
}

/// Reads remarks as LLVM writes them in YAML: one document each, with one entry on a line.
fn read(text: &str, tool: &str) -> Vec<Remark> {
    let mut found = Vec::new();
    let mut open: Option<Remark> = None;
    for line in text.lines() {
        if let Some(tag) = line.strip_prefix("--- !") {
            let kind = match tag.trim() {
                "Passed" => RemarkKind::Passed,
                "Missed" => RemarkKind::Missed,
                "Failure" => RemarkKind::Failure,
                _ => RemarkKind::Analysis,
            };
            let (pass, name, function, message) = Default::default();
            open = Some(Remark { kind, tool: tool.to_owned(), pass, name, function, line: None, message });
            continue;
        }
        let Some(remark) = &mut open else { continue };
        if line == "..." {
            // Counts of instructions by name: the code itself shows them.
            let remark = open.take().map(finished).filter(|r| r.name != "InstructionMix");
            found.extend(remark);
            continue;
        }
        let is_argument = line.starts_with("  - ");
        let Some((key, value)) = line.trim_start_matches([' ', '-']).split_once(':') else { continue };
        match (key, is_argument) {
            // An argument may have a location of its own.
            ("DebugLoc", false) if !line.starts_with(' ') => remark.line = line_of(value),
            ("Pass", false) => remark.pass = scalar(value),
            ("Name", false) => remark.name = scalar(value),
            ("Function", false) => remark.function = scalar(value),
            (_, true) => remark.message.push_str(&scalar(value)),
            _ => {}
        }
    }
    found
}

fn finished(remark: Remark) -> Remark {
    let message = remark.message.split_whitespace().collect::<Vec<_>>().join(" ");
    Remark { message, ..remark }
}

/// The line of `{ File: '-', Line: 3, Column: 65535 }`, counted from 0.
fn line_of(value: &str) -> Option<u32> {
    let field = |name: &str| {
        let (_, rest) = value.split_once(name)?;
        rest.split([',', '}']).next()?.trim().parse::<u32>().ok()
    };
    let is_ours =
        field("Column:") == Some(LINE_MARK) || field("Column:") == Some(0) && value.contains("File: '-'");
    field("Line:").filter(|_| is_ours)?.checked_sub(1)
}

/// A value as YAML writes it on one line: plain, in single quotes, or in double quotes with escapes.
fn scalar(value: &str) -> String {
    let value = value.trim();
    let inside = |quote: char| value.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(single) = inside('\'') {
        return single.replace("''", "'");
    }
    match inside('"') {
        Some(double) => double.replace("\\n", "\n").replace("\\\"", "\"").replace("\\\\", "\\"),
        None => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_read() {
        let text = "--- !Missed\nPass:            inline\nName:            NoDefinition\n\
            DebugLoc:        { File: '-', Line: 16, Column: 65535 }\nFunction:        k\nArgs:\n\
            \x20 - Callee:          ext\n    DebugLoc:        { File: '-', Line: 2, Column: 65535 }\n\
            \x20 - String:          ' will not be inlined into '''\n  - Caller:          k\n  - String:          \"'\\n\"\n...\n\
            --- !Analysis\nPass:            asm-printer\nName:            InstructionMix\nFunction:        k\n...\n\
            --- !Passed\nPass:            loop-unroll\nName:            FullyUnrolled\n\
            DebugLoc:        { File: 'a.c', Line: 3, Column: 4 }\nFunction:        k\nArgs:\n  - UnrollCount:     '7'\n...\n";
        let shown: Vec<String> = read(text, "opt")
            .iter()
            .map(|r| format!("{} {} {} {:?} {}", r.kind.name(), r.pass, r.name, r.line, r.message))
            .collect();
        assert_eq!(
            shown,
            [
                "missed inline NoDefinition Some(15) ext will not be inlined into 'k'",
                "passed loop-unroll FullyUnrolled None 7"
            ]
        );
    }
}
