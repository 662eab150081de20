//! One function as each pass of `opt` and `llc` left it, and the history of a value in it.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::printed::{Printed, PrintedFunction, Running, When, printed, run_printing, without_colors};
use crate::process::{Cancel, Limits};
use crate::report::{Failure, Request};
use crate::tools::Tools;

/// The states of a function, in the order in which the passes ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassStates {
    /// Those in which the text differs from the one before.
    pub states: Vec<PassState>,
    /// The assembly, with its line directives.
    pub assembly: String,
    /// How many passes printed the function.
    pub passes: u32,
    /// What ran, as it could be typed.
    pub commands: Vec<String>,
    /// Why the list ends: the message of a compiler that failed.
    pub problem: Option<String>,
}

/// A function after a pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PassState {
    /// `opt` or `llc`; empty in a dump.
    pub tool: &'static str,
    /// As the tool prints it; empty for the state before the first pass.
    pub pass: String,
    /// The name that `-stop-after` and `-passes` take, where the tool prints it.
    pub argument: Option<String>,
    /// Machine IR, and not LLVM IR.
    pub is_machine: bool,
    /// As the tool printed it.
    pub text: String,
    /// The numbers of its lines in the printout, counted from 0; of a line that was added the largest number.
    pub numbers: Vec<u32>,
    /// The definitions of metadata that the tool printed with it, one on each line; empty where it printed the function alone.
    pub metadata: String,
}

/// The history of a value or a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct History {
    /// The function, without sigil.
    pub function: String,
    /// The value, as the user's text names it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub value: Option<String>,
    /// Line of the user's text, counted from 0; none for an argument.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub line: Option<u32>,
    /// In the order in which the passes ran.
    pub steps: Vec<Step>,
    /// How many passes ran on the function.
    pub passes: u32,
    /// What limits the history, one sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub notes: Vec<String>,
    /// What ran, as it could be typed; the text comes from standard input.
    pub commands: Vec<String>,
    /// Why the history ends: the message of a compiler that failed.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
}

/// What one pass did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Step {
    /// `opt` or `llc`; empty for a dump, which does not name it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub tool: String,
    /// As the tool prints it.
    pub pass: String,
    /// The name that `-stop-after` and `-passes` take, where the tool prints it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub argument: Option<String>,
    /// What it did.
    pub change: Change,
    /// More about it, as a sentence without a full stop.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
    /// Instructions that are gone or elsewhere.
    pub before: Vec<Place>,
    /// Instructions that are there instead.
    pub after: Vec<Place>,
}

/// What a pass did to what is traced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The first state that the compiler printed.
    #[default]
    Start,
    /// Its instructions are others, or read otherwise.
    Changed,
    /// Its instructions are the same in another place.
    Moved,
    /// The value is another one that was there before.
    Merged,
    /// The value is a constant.
    Constant,
    /// The function is machine code from here on.
    Selected,
    /// Nothing is left, and nothing new took its place.
    Deleted,
    /// Nothing is left that can be matched; something new may have taken its place.
    Lost,
    /// It is there again.
    Found,
    /// The assembly.
    Emitted,
}

impl Change {
    /// As it is shown.
    pub fn name(self) -> &'static str {
        match self {
            Change::Start => "start",
            Change::Changed => "changed",
            Change::Moved => "moved",
            Change::Merged => "merged",
            Change::Constant => "constant",
            Change::Selected => "selected",
            Change::Deleted => "deleted here",
            Change::Lost => "lost here",
            Change::Found => "found again",
            Change::Emitted => "emitted",
        }
    }
}

/// An instruction in a state of the function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Place {
    /// Name of the block.
    pub block: String,
    /// Number among the function's instructions, counted from 1.
    pub number: usize,
    /// Without metadata.
    pub text: String,
}

/// Runs `opt` and `llc` and keeps what they print of one function, whose name has no sigil.
///
/// # Errors
/// When nothing could be run; a compiler that fails on the way leaves what came before, and its words.
pub fn pass_states(
    request: &Request,
    tools: &Tools,
    function: &str,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<PassStates, Failure> {
    let mut found = PassStates::default();
    let own = ["-use-unknown-locations=Enable".to_owned()];
    let read = |tool: &'static str, text: &str| found.read(tool, text, function);
    let ran = run_printing(request, tools, &own, limits, cancel, read)?;
    Ok(PassStates { assembly: ran.assembly, commands: ran.commands, problem: ran.problem, ..found })
}

/// The states of the functions in a dump of passes, each by its name; a function that was compiled again is there again.
pub fn states_in_dump(text: &str) -> Vec<(String, PassStates)> {
    let mut found: Vec<(String, PassStates)> = Vec::new();
    // The compilation of a function that the dump goes on with.
    let mut open: HashMap<String, usize> = HashMap::new();
    let mut running = Running::default();
    for part in printed(&without_colors(text)) {
        let Printed::Function(function) = part else { continue };
        let PrintedFunction { pass, when, name, is_machine, mut lines, mut numbers } = function;
        // Of a module's difference LLVM prints this instead of the function's name.
        if name == "[module]" {
            continue;
        }
        let (pass, argument) = running.made(name, when, pass).unwrap_or_default();
        // A difference leaves the header out.
        let has_header = is_machine || lines.first().is_some_and(|line| line.starts_with("define "));
        let header = format!("define void @\"{name}\"() {{");
        if !has_header {
            lines.insert(0, &header);
            numbers.insert(0, u32::MAX);
        }
        let text = lines.join("\n");
        let at = *open.entry(name.to_owned()).or_insert(found.len());
        let last = found.get(at).and_then(|(_, states)| states.states.last());
        let is_other = last.is_some_and(|last| last.is_machine && !is_machine);
        let at = if is_other { found.len() } else { at };
        open.insert(name.to_owned(), at);
        if at == found.len() {
            found.push((name.to_owned(), PassStates::default()));
        }
        let Some((_, states)) = found.get_mut(at) else { continue };
        states.passes += u32::from(when != When::Old);
        states.keep(Some(PassState { pass, argument, is_machine, text, numbers, ..PassState::default() }));
    }
    found
}

impl PassStates {
    /// Reads what a tool printed to standard error.
    fn read(&mut self, tool: &'static str, text: &str, function: &str) {
        // The state that may still get the metadata of its module.
        let mut open: Option<PassState> = None;
        for part in printed(text) {
            match part {
                Printed::Unchanged(name) => self.passes += u32::from(name == function),
                Printed::Metadata(line) => {
                    if let Some(state) = &mut open {
                        state.metadata.push_str(line);
                        state.metadata.push('\n');
                    }
                }
                Printed::Function(PrintedFunction { pass, name, is_machine, lines, numbers, .. }) => {
                    if open.as_ref().is_some_and(|o| o.pass != pass.map_or("", |p| p.0)) || name == function {
                        self.keep(open.take());
                    }
                    if name != function {
                        continue;
                    }
                    self.passes += u32::from(pass.is_some());
                    open = Some(PassState {
                        tool,
                        pass: pass.map_or_else(String::new, |(name, _)| name.to_owned()),
                        argument: pass.and_then(|(_, argument)| argument.map(str::to_owned)),
                        is_machine,
                        text: lines.join("\n"),
                        numbers,
                        metadata: String::new(),
                    });
                }
            }
        }
        self.keep(open);
    }

    fn keep(&mut self, state: Option<PassState>) {
        let Some(state) = state else { return };
        let last = self.states.last();
        if last.is_none_or(|l| l.is_machine != state.is_machine || l.text != state.text) {
            self.states.push(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_one_function_are_kept_where_they_differ() {
        let text = "*** IR Dump At Start ***\ndefine void @f() {\n  ret void, !dbg !7\n}\ndefine void @g() {\n}\n!7 = !{}\n\
            *** IR Dump After A on f ***\ndefine void @f() {\n  ret void, !dbg !7\n}\n\
            *** IR Dump After B on g ***\ndefine void @g() {\n}\n\
            *** IR Dump After C (c) ***\ndefine void @f() {\n  unreachable\n}\n!8 = !{}\n";
        let mut found = PassStates::default();
        found.read("opt", text, "f");
        let shown: Vec<_> = found
            .states
            .iter()
            .map(|s| (s.pass.as_str(), s.argument.as_deref(), s.metadata.as_str()))
            .collect();
        assert_eq!(shown, [("", None, "!7 = !{}\n"), ("C", Some("c"), "!8 = !{}\n")]);
        assert_eq!(found.passes, 2);
    }

    #[test]
    fn states_of_each_function_in_a_dump_are_found() {
        let text = "*** IR Dump At Start ***\ndefine void @f() {\n  ret void\n}\ndefine void @g() {\n}\n\
            *** IR Dump After A on f ***\n \n-  ret void\n+  unreachable\n\n\
            # *** IR Dump After I (i) ***:\n# Machine code for function f: IsSSA\n# End machine code for function f.\n\
            ; *** IR Dump Before B on f ***\ndefine void @f() {\n  ret void\n}\n\
            ; *** IR Dump Before C on f ***\ndefine void @f() {\n}\n";
        let shown: Vec<String> = states_in_dump(text)
            .iter()
            .map(|(name, found)| {
                let states = found.states.iter().map(|s| format!("{:?}:{}", s.numbers.last(), s.pass));
                format!("{name} {}", states.collect::<Vec<_>>().join(" "))
            })
            .collect();
        assert_eq!(
            shown,
            ["f Some(2): Some(8): Some(9):A Some(12):I", "g Some(4):", "f Some(16): Some(19):B"]
        );
    }
}
