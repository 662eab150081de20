//! What each pass of `opt` and `llc` changed.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::diff::unified;
use crate::llc::{PASS_NAMES, missing_stop};
use crate::printed::{Printed, PrintedFunction, Running, printed, run_printing, without_colors};
use crate::process::{Cancel, Limits};
use crate::report::{Failure, Request};
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
    /// `opt` or `llc`; empty for a dump, which does not name it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
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
    let mut found = PassChanges::default();
    let mut bodies = Bodies::default();
    let mut missing = None;
    let only = (!filter.function.is_empty()).then(|| format!("-filter-print-funcs={}", filter.function));
    let stops = request.flags.iter().any(|flag| flag.starts_with("-stop-"));
    let names = stops.then(|| PASS_NAMES.to_owned());
    let own: Vec<String> = only.into_iter().chain(names).collect();
    let read = |tool: &'static str, text: &str| {
        bodies.read(tool, text, filter, &mut found.changes);
        if tool == "llc" {
            missing = missing_stop(&request.flags, text);
        }
    };
    let ran = run_printing(request, tools, &own, limits, cancel, read)?;
    found.commands = ran.commands;
    found.problem = ran.problem.or(missing);
    Ok(found)
}

/// What each pass changed according to a dump, as `-print-after-all`, `-print-before-all` and `-print-changed` write it.
pub fn changes_in_dump(text: &str, filter: &PassFilter) -> PassChanges {
    let mut found = PassChanges::default();
    Bodies::default().read("", &without_colors(text), filter, &mut found.changes);
    found
}

/// A function, LLVM IR or Machine IR.
type Subject = (bool, String);

#[derive(Default)]
struct Bodies {
    /// The last text of each, IR and Machine IR apart.
    last: HashMap<Subject, Vec<String>>,
    running: Running<Subject>,
}

impl Bodies {
    /// Reads what a tool printed to standard error.
    fn read(&mut self, tool: &str, text: &str, filter: &PassFilter, changes: &mut Vec<PassChange>) {
        for part in printed(text) {
            let Printed::Function(function) = part else { continue };
            let PrintedFunction { pass, when, name, is_machine, lines, .. } = function;
            let body: Vec<&str> =
                lines.into_iter().map(without_location).filter(|line| !line.is_empty()).collect();
            let subject = (is_machine, name.to_owned());
            let entry = self.last.entry(subject.clone()).or_default();
            let is_same = entry.iter().map(String::as_str).eq(body.iter().copied());
            let mut old = std::mem::replace(entry, body.iter().map(|l| (*l).to_owned()).collect());
            // LLVM IR that is different after there was Machine IR: a dump goes on with another compilation.
            if !is_same && !is_machine && self.last.remove(&(true, name.to_owned())).is_some() {
                old.clear();
                self.running.forget(&subject);
            }
            let by = self.running.made(subject, when, pass);
            // The first Machine IR of a function is what instruction selection made; of IR, what was there.
            let Some((pass, argument)) = by.filter(|_| !is_same && (!old.is_empty() || is_machine)) else {
                continue;
            };
            if !filter.takes(&pass, argument.as_deref(), name) {
                continue;
            }
            let old: Vec<&str> = old.iter().map(String::as_str).collect();
            let (diff, added, removed) = unified(&old, &body);
            let (tool, function) = (tool.to_owned(), name.to_owned());
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

    /// Pass, function and numbers of lines of each change in a dump.
    fn in_dump(text: &str) -> Vec<String> {
        let found = changes_in_dump(text, &PassFilter::default()).changes;
        found.iter().map(|c| format!("{} {} +{} -{}", c.pass, c.function, c.added, c.removed)).collect()
    }

    #[test]
    fn a_pass_changed_what_is_different_before_the_next_one() {
        let at = |pass: &str, line: &str| {
            format!("; *** IR Dump Before {pass} on f ***\ndefine void @f() {{\n{line}\n}}\n")
        };
        let text = at("A", "  br label %x") + &at("B", "  br label %x") + &at("C", "  ret void");
        assert_eq!(in_dump(&text), ["B f +1 -1"]);
        let after = "; *** IR Dump After C on f ***\ndefine void @f() {\n  unreachable\n}\n";
        assert_eq!(in_dump(&(text + after)), ["B f +1 -1", "C f +1 -1"]);
    }

    #[test]
    fn differences_are_read() {
        let text = "*** IR Dump At Start ***\ndefine void @f() {\n  %a = add i32 1, 1\n  ret void\n}\n\
            *** IR Dump After A on f ***\n \n-  %a = add i32 1, 1\n   ret void\n\n\
            *** IR Dump After B on [module] ***\n\n*** IR for function f ***\n \n   ret void\n\n";
        assert_eq!(in_dump(text), ["A f +0 -1"]);
    }

    #[test]
    fn a_second_compilation_of_a_function_starts_anew() {
        let text = |value: u32| {
            format!(
                "; *** IR Dump After A on f ***\ndefine void @f() {{\n  ret i32 {value}\n}}\n\
                # *** IR Dump After I (i) ***:\n# Machine code for function f: IsSSA\nbb.0:\n# End machine code for function f.\n"
            )
        };
        assert_eq!(in_dump(&(text(1) + &text(2))), ["I f +2 -0", "I f +2 -0"]);
    }
}
