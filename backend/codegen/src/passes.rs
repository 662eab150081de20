//! What each pass of `opt` and `llc` changed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::diff::unified;
use crate::includes::check_ir;
use crate::llc::{failure, llc_arguments, opt_arguments, run_to_end, run_tool};
use crate::printed::{Printed, PrintedFunction, printed};
use crate::process::{Cancel, Limits};
use crate::report::{Failure, Request, Source};
use crate::tools::Tools;

/// The passes that changed something, in the order they ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct PassChanges {
    /// In the order in which the passes ran.
    pub changes: Vec<PassChange>,
    /// What ran, as it could be typed.
    pub commands: Vec<String>,
    /// Why the list ends: the message of a compiler that failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
}

/// What one run of a pass did to one function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct PassChange {
    /// `opt` or `llc`.
    pub tool: String,
    /// As the tool prints it: `InstCombinePass`, `Machine Instruction Scheduler`.
    pub pass: String,
    /// The name that `-stop-after` and `-passes` take (`machine-scheduler`), where the tool says it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub argument: Option<String>,
    /// On which function, as the tool names it.
    pub function: String,
    /// Lines.
    pub added: u32,
    /// Lines.
    pub removed: u32,
    /// Lines of a unified diff: each begins with a blank, `+`, `-`, or is a `@@` header.
    pub diff: String,
}

/// Which changes are wanted. Empty: all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct PassFilter {
    /// Part of a pass's name or argument, without regard to case.
    #[serde(default)]
    pub pass: String,
    /// A function's name.
    #[serde(default)]
    pub function: String,
}

impl PassFilter {
    fn takes(&self, pass: &str, argument: Option<&str>, function: &str) -> bool {
        let wanted = self.pass.to_lowercase();
        let named = |name: &str| name.to_lowercase().contains(&wanted);
        (self.function.is_empty() || self.function == function)
            && (named(pass) || argument.is_some_and(named))
    }
}

/// Runs `opt` (with the request's pipeline, if it has one) and `llc`, and compares what they print after each pass.
///
/// # Errors
/// When nothing could be run; a compiler that fails on the way leaves what came before, and its words.
pub fn pass_changes(
    request: &Request,
    tools: &Tools,
    filter: &PassFilter,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<PassChanges, Failure> {
    let llc = tools.llc.as_ref().ok_or_else(|| Failure::NoTool(Tools::missing_llc()))?;
    let mut found = PassChanges::default();
    let mut bodies = Bodies::default();
    let mut input = request.input.bytes();
    check_ir(&String::from_utf8_lossy(&input))?;
    let limits = Limits { output: limits.output.max(PRINTED), ..*limits };
    // Without a pipeline `opt` still prints the module as it prints all modules, so that only changes differ.
    if request.source == Source::LlvmIr
        && let Some(opt) = &tools.opt
    {
        let mut request = request.clone();
        if request.passes.is_empty() {
            request.passes = "verify".to_owned();
        }
        let mut arguments = opt_arguments(&request);
        arguments.insert(0, "-print-changed".to_owned());
        let output = run_tool(opt, &arguments, &input, &limits, cancel)?;
        found.commands.push(format!("{} {}", opt.path.display(), arguments.join(" ")));
        bodies.read("opt", &String::from_utf8_lossy(&output.stderr), filter, &mut found.changes);
        input = output.stdout.into();
    } else if !request.passes.is_empty() {
        return Err(Failure::NoTool(Tools::missing_opt()));
    }
    let mut arguments = llc_arguments(request);
    arguments.insert(0, "-print-after-all".to_owned());
    if !filter.function.is_empty() {
        arguments.insert(1, format!("-filter-print-funcs={}", filter.function));
    }
    found.commands.push(format!("{} {}", llc.path.display(), arguments.join(" ")));
    match run_to_end(llc, &arguments, &input, &limits, cancel) {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            bodies.read("llc", &text, filter, &mut found.changes);
            if !output.status.success() {
                found.problem = Some(failure(llc, &output, &text).sentence());
            }
        }
        Err(Failure::Cancelled) => return Err(Failure::Cancelled),
        Err(failure) => found.problem = Some(failure.sentence()),
    }
    Ok(found)
}

/// Bytes that a tool may print: `llc` shows the module after each of about 160 passes.
pub(crate) const PRINTED: usize = 256 << 20;

/// The last text of each function, IR and Machine IR apart.
#[derive(Default)]
struct Bodies(HashMap<(bool, String), Vec<String>>);

impl Bodies {
    /// Reads what a tool printed to standard error.
    fn read(&mut self, tool: &str, text: &str, filter: &PassFilter, changes: &mut Vec<PassChange>) {
        for part in printed(text) {
            let Printed::Function(PrintedFunction { pass, name, is_machine, lines }) = part else { continue };
            let body: Vec<&str> =
                lines.into_iter().map(without_location).filter(|line| !line.is_empty()).collect();
            let entry = self.0.entry((is_machine, name.to_owned())).or_default();
            if entry.iter().map(String::as_str).eq(body.iter().copied()) {
                continue;
            }
            let is_first = entry.is_empty();
            let old = std::mem::replace(entry, body.iter().map(|l| (*l).to_owned()).collect());
            let Some((pass, argument)) = pass else { continue };
            // The first Machine IR of a function is what instruction selection made; of IR, what was there.
            if (is_first && !is_machine) || !filter.takes(pass, argument, name) {
                continue;
            }
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let (diff, added, removed) = unified(&old, &body);
            let (tool, pass) = (tool.to_owned(), pass.to_owned());
            let (argument, function) = (argument.map(str::to_owned), name.to_owned());
            changes.push(PassChange { tool, pass, argument, function, added, removed, diff });
        }
    }
}

/// A line without the debug location that was put in.
fn without_location(line: &str) -> &str {
    let line = line.split(", !dbg !").next().unwrap_or(line);
    let line = line.split(", debug-location ").next().unwrap_or(line);
    line.split("; -:").next().unwrap_or(line).trim_end()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn changes_are_found_in_what_tools_print() {
        let printed = "*** IR Dump At Start ***\ndefine void @f(i32 %x) {\n  %a = add i32 %x, 0\n  ret void\n}\n\
            *** IR Dump After InstCombinePass on f ***\ndefine void @f(i32 %x) {\n  ret void, !dbg !7\n}\n\
            *** IR Dump After SinkPass on f ***\ndefine void @f(i32 %x) {\n  ret void, !dbg !8\n}\n\
            # *** IR Dump After Finalize ISel (finalize-isel) ***:\n# Machine code for function f: IsSSA\n\
            0B\tbb.0:\n16B\t  S_ENDPGM 0\n# End machine code for function f.\n";
        let mut changes = Vec::new();
        Bodies::default().read("opt", printed, &PassFilter::default(), &mut changes);
        expect![[r#"
            [
                PassChange {
                    tool: "opt",
                    pass: "InstCombinePass",
                    argument: None,
                    function: "f",
                    added: 0,
                    removed: 1,
                    diff: "@@ -1,3 +1,2 @@\n define void @f(i32 %x) {\n-  %a = add i32 %x, 0\n   ret void\n",
                },
                PassChange {
                    tool: "opt",
                    pass: "Finalize ISel",
                    argument: Some(
                        "finalize-isel",
                    ),
                    function: "f",
                    added: 3,
                    removed: 0,
                    diff: "@@ -0,0 +1,3 @@\n+# Machine code for function f: IsSSA\n+bb.0:\n+  S_ENDPGM 0\n",
                },
            ]
        "#]]
        .assert_debug_eq(&changes);
        let filter = PassFilter { pass: "ISEL".to_owned(), function: "f".to_owned() };
        Bodies::default().read("opt", printed, &filter, &mut changes);
        assert_eq!(changes.len(), 3);
    }
}
