//! What `opt` and `llc` print after each pass (`-print-changed`, `-print-after-all`).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

use crate::includes::check_ir;
use crate::llc::{PASS_NAMES, llc_arguments, opt_arguments, run_to_end, run_tool};
use crate::process::{Cancel, Limits};
use crate::reason::failure;
use crate::report::{Failure, Request, Source};
use crate::tools::{Tool, Tools};

/// Bytes that a tool may print: `llc` shows the module after each of about 160 passes.
const PRINTED: usize = 256 << 20;

/// A run of the tools.
pub(crate) struct PrintingRun {
    /// The assembly, with its line directives; empty if `llc` failed.
    pub(crate) assembly: String,
    /// What ran, as it could be typed.
    pub(crate) commands: Vec<String>,
    /// The message of an `llc` that failed.
    pub(crate) problem: Option<String>,
}

/// Runs `opt` (with the request's pipeline, if it has one) and `llc`, which gets some options of its `own`. `read` gets what each
/// of them printed.
///
/// # Errors
/// When nothing could be run; an `llc` that fails on the way leaves what came before, and its words.
pub(crate) fn run_printing(
    request: &Request,
    tools: &Tools,
    own: &[String],
    limits: &Limits,
    cancel: &Cancel,
    mut read: impl FnMut(&'static str, &str),
) -> Result<PrintingRun, Failure> {
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(tools.missing_llc()))?;
    let mut ran = PrintingRun { assembly: String::new(), commands: Vec::new(), problem: None };
    let mut input = request.input.bytes();
    check_ir(&String::from_utf8_lossy(&input))?;
    let limits = Limits { output: limits.output.max(PRINTED), ..*limits };
    // Without a pipeline `opt` still prints the module as it prints all modules, so that only changes differ.
    if request.source == Source::LlvmIr
        && let Some(opt) = tools.opt()
    {
        let mut request = request.clone();
        if !request.runs_opt() {
            request.passes = "verify".to_owned();
        }
        let mut arguments = opt_arguments(&request);
        arguments
            .splice(0..0, ["-print-changed".to_owned()].into_iter().chain(loops_as_functions(opt, &input)));
        ran.commands.push(opt.command(&arguments));
        let output = run_tool(opt, &arguments, &input, &limits, cancel)?;
        read("opt", &String::from_utf8_lossy(&output.stderr));
        input = output.stdout.into();
    } else if !request.passes.is_empty() {
        return Err(Failure::NoTool(tools.missing_opt()));
    }
    let mut arguments = printing_arguments(request, llc, &limits, cancel);
    arguments.extend(loops_as_functions(llc, &input));
    arguments.extend(own.iter().cloned().chain(llc_arguments(request)));
    ran.commands.push(llc.command(&arguments));
    match run_to_end(llc, &arguments, &input, &limits, cancel) {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            read("llc", &text);
            match output.status.success() {
                true => ran.assembly = String::from_utf8_lossy(&output.stdout).into_owned(),
                false => {
                    ran.problem = Some(failure(llc, &output, &String::from_utf8_lossy(&input)).sentence())
                }
            }
        }
        Err(Failure::Cancelled) => return Err(Failure::Cancelled),
        Err(failure) => ran.problem = Some(failure.sentence()),
    }
    Ok(ran)
}

/// The first version of LLVM that is known to print the function around the loop that a pass is on. Else its changes would be seen
/// after the next pass on functions.
const PRINTS_FUNCTION_OF_LOOP: u32 = 20;
/// Bytes of modules in which that is not too much: `llc` does it for each loop.
const WITH_LOOPS: usize = 256 << 10;

fn loops_as_functions(tool: &Tool, input: &[u8]) -> Option<String> {
    let is_possible = tool.major >= PRINTS_FUNCTION_OF_LOOP && input.len() <= WITH_LOOPS;
    is_possible.then(|| "-print-loop-func-scope".to_owned())
}

/// The first version of LLVM whose `llc` compares machine functions itself.
const COMPARES: u32 = 17;
/// What is compiled to learn the names of passes.
const SMALL: &[u8] = b"define void @f() {\n  ret void\n}\n";

/// What makes `llc` print functions after its passes. After all of them it writes every function token by token, unbuffered, which
/// takes many times longer than compiling. With `-print-changed` it writes only the machine functions that changed, each at once; of the
/// passes on LLVM IR it prints those that are named.
fn printing_arguments(request: &Request, llc: &Tool, limits: &Limits, cancel: &Cancel) -> Vec<String> {
    let all = || vec!["-print-after-all".to_owned()];
    let changed = "-print-changed".to_owned();
    if llc.major < COMPARES {
        return all();
    }
    if request.source == Source::Mir {
        return vec![changed];
    }
    let mut arguments = vec![changed.clone(), PASS_NAMES.to_owned()];
    arguments.extend(llc_arguments(request));
    let Ok(output) = run_tool(llc, &arguments, SMALL, limits, cancel) else { return all() };
    match ir_passes(&String::from_utf8_lossy(&output.stderr)) {
        passes if passes.is_empty() => all(),
        passes => vec![changed, format!("-print-after={}", passes.join(","))],
    }
}

/// The passes on LLVM IR, out of the names of all passes and what passes on machine functions say of themselves.
fn ir_passes(printed: &str) -> Vec<&str> {
    let machine: HashSet<&str> =
        printed.lines().filter_map(banner).filter_map(|b| pass_name(b.strip_prefix("After ")?).1).collect();
    let lists = printed.lines().filter_map(|line| line.strip_prefix("Pass Arguments:"));
    let mut seen = HashSet::new();
    let names = lists.flat_map(str::split_whitespace).filter_map(|name| name.strip_prefix('-'));
    names.filter(|name| !machine.contains(name) && seen.insert(*name)).collect()
}

/// A function as it was printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrintedFunction<'t> {
    /// The pass that its banner names; none for what was there at the start.
    pub(crate) pass: Option<Pass<'t>>,
    pub(crate) when: When,
    /// As the tool names it, without sigil.
    pub(crate) name: &'t str,
    /// Machine IR, and not LLVM IR.
    pub(crate) is_machine: bool,
    /// From the header to the line before the end; of a difference of LLVM IR without the header.
    pub(crate) lines: Vec<&'t str>,
    /// The numbers of the lines in the printout, counted from 0.
    pub(crate) numbers: Vec<u32>,
}

/// A pass's name, and its argument if the tool prints it.
pub(crate) type Pass<'t> = (&'t str, Option<&'t str>);

/// When a function was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum When {
    #[default]
    After,
    Before,
    /// The old side of a difference.
    Old,
}

/// The passes before which functions were printed: what is different at the next printout, they did. `K` tells functions apart.
#[derive(Default)]
pub(crate) struct Running<K>(HashMap<K, OwnedPass>);

/// A pass's name and argument.
pub(crate) type OwnedPass = (String, Option<String>);

impl<K: Eq + Hash> Running<K> {
    /// The pass that made what is printed here, if one is known.
    pub(crate) fn made(&mut self, function: K, when: When, pass: Option<Pass<'_>>) -> Option<OwnedPass> {
        let pass = pass.map(|(name, argument)| (name.to_owned(), argument.map(str::to_owned)));
        match when {
            When::After => {
                self.0.remove(&function);
                pass
            }
            When::Before => self.0.insert(function, pass?),
            When::Old => None,
        }
    }

    /// Another compilation of a function begins.
    pub(crate) fn forget(&mut self, function: &K) {
        self.0.remove(function);
    }
}

/// A part of a printout, in the order of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Printed<'t> {
    Function(PrintedFunction<'t>),
    /// The name of a function that a pass left as it was.
    Unchanged(&'t str),
    /// `!7 = ...`, where a tool printed a whole module. It follows the module's functions.
    Metadata(&'t str),
}

/// The functions and the metadata of a printout.
pub(crate) fn printed(text: &str) -> impl Iterator<Item = Printed<'_>> {
    let mut lines = (0..).zip(text.lines()).peekable();
    let (mut pass, mut when, mut subject) = (None, When::After, "");
    let mut waiting = VecDeque::new();
    std::iter::from_fn(move || {
        if let Some(function) = waiting.pop_front() {
            return Some(Printed::Function(function));
        }
        while let Some((number, line)) = lines.next() {
            let banner = banner(line);
            if let Some(banner) = banner {
                (pass, when) = match (banner.strip_prefix("After "), banner.strip_prefix("Before ")) {
                    (Some(after), _) => (Some(pass_name(after)), When::After),
                    (None, Some(before)) => (Some(pass_name(before)), When::Before),
                    (None, None) => (None, When::After),
                };
                let named = banner.split(" ***").next().unwrap_or(banner);
                subject = named.rsplit_once(" on ").map_or("", |(_, name)| function_of(name));
                if let Some(banner) = banner.strip_suffix(" omitted because no change ***") {
                    let name = banner.rsplit(" on ").next().unwrap_or(banner);
                    return Some(Printed::Unchanged(function_of(name)));
                }
            } else if let Some(selected) = line.strip_prefix("# After ").and_then(|l| l.strip_suffix(':')) {
                (pass, when) = (Some((selected, None)), When::After);
            }
            let of_module = line.strip_prefix("*** IR for function ").and_then(|l| l.strip_suffix(" ***"));
            subject = of_module.unwrap_or(subject);
            // With `-print-changed=diff` a difference follows, with all lines.
            let is_difference = (banner.is_some() || of_module.is_some())
                && lines.peek().is_some_and(|(_, l)| is_changed_line(l) && !l.starts_with(" (loop: "));
            if is_difference {
                let hunk: Vec<Numbered<'_>> =
                    std::iter::from_fn(|| lines.next_if(|(_, l)| is_changed_line(l))).collect();
                waiting.extend(sides(&hunk, pass, subject));
                if let Some(function) = waiting.pop_front() {
                    return Some(Printed::Function(function));
                }
                continue;
            }
            // `DummyCGSCCPass` does not end its line.
            let line = line.rsplit_once(" ***define ").map_or(line, |(before, _)| &line[before.len() + 4..]);
            if line.starts_with('!') {
                return Some(Printed::Metadata(line));
            }
            if let Some(function) = function((number, line), &mut lines) {
                return Some(Printed::Function(PrintedFunction { pass, when, ..function }));
            }
        }
        None
    })
}

/// A line with its number, counted from 0.
type Numbered<'t> = (u32, &'t str);

/// What a banner says: `After InstCombinePass on f ***`.
fn banner(line: &str) -> Option<&str> {
    line.trim_start_matches(['#', ';', ' ']).strip_prefix("*** IR Dump ")
}

/// The function that a pass is on: `f`, `(f)` as the only one of a cycle of calls, `loop %3 in function f`.
fn function_of(name: &str) -> &str {
    let name = name.rsplit(" in function ").next().unwrap_or(name);
    name.strip_prefix('(').and_then(|n| n.strip_suffix(')')).unwrap_or(name)
}

/// The function that a line starts, out of it and those that follow.
fn function<'t>(
    (number, line): Numbered<'t>,
    lines: &mut impl Iterator<Item = Numbered<'t>>,
) -> Option<PrintedFunction<'t>> {
    let (name, is_machine) = match (function_name(line), line.strip_prefix("# Machine code for function ")) {
        (Some(name), _) => (name, false),
        (None, Some(rest)) => (rest.split(':').next().unwrap_or(rest), true),
        (None, None) => return None,
    };
    let last = if is_machine { "# End machine code for function" } else { "}" };
    let rest = lines.take_while(|(_, line)| !line.starts_with(last));
    let all = std::iter::once((number, line)).chain(rest);
    let (numbers, lines) = all.map(|(number, line)| (number, without_slot(line))).unzip();
    Some(PrintedFunction { pass: None, when: When::After, name, is_machine, lines, numbers })
}

/// Whether a line can be part of a difference.
fn is_changed_line(line: &str) -> bool {
    line.starts_with([' ', '+', '-'])
}

/// The functions of both sides of a difference, first the old ones. That of one function of LLVM IR leaves out its header.
fn sides<'t>(hunk: &[Numbered<'t>], pass: Option<Pass<'t>>, subject: &'t str) -> Vec<PrintedFunction<'t>> {
    let mut found = Vec::new();
    for (when, other) in [(When::Old, '+'), (When::After, '-')] {
        let own = || {
            hunk.iter().filter(|(_, l)| !l.starts_with(other)).map(|(n, l)| (*n, l.get(1..).unwrap_or("")))
        };
        let (mut lines, before) = (own(), found.len());
        while let Some(line) = lines.next() {
            found.extend(function(line, &mut lines).map(|f| PrintedFunction { pass, when, ..f }));
        }
        let has_text = own().any(|(_, line)| !line.is_empty());
        if found.len() == before && has_text {
            let (numbers, lines) = own().unzip();
            found.push(PrintedFunction { pass, when, name: subject, is_machine: false, lines, numbers });
        }
    }
    found
}

/// A printout without the colors of `-print-changed=cdiff`.
pub(crate) fn without_colors(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or("").to_owned();
    parts.for_each(|part| plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest)));
    Cow::Owned(plain)
}

/// A pass's name and its argument out of `InstCombinePass on f ***` or `Machine code sinking (machine-sink) on f ***:`.
fn pass_name(banner: &str) -> Pass<'_> {
    let name = banner.split(" ***").next().unwrap_or(banner);
    let name = name.split(" on ").next().unwrap_or(name);
    match name.strip_suffix(')').and_then(|n| n.rsplit_once(" (")) {
        Some((name, argument)) => (name, Some(argument)),
        None => (name, None),
    }
}

/// The function that a line of IR begins to define.
fn function_name(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_prefix("define ")?.split_once('@')?;
    match rest.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next(),
        None => rest.split('(').next(),
    }
}

/// A line of Machine IR without the number that slot indexes put before it (`16B` and a tab).
fn without_slot(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line.get(digits..).unwrap_or(line);
    rest.strip_prefix("B\t").filter(|_| digits > 0).or(rest.strip_prefix('\t')).unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_and_metadata_are_found() {
        let text = "*** IR Dump At Start ***\ndefine void @f() {\n  ret void\n}\n!0 = !{}\n\
            *** IR Dump After X (x) ***define void @\"a b\"() {\n}\n\
            # *** IR Dump After Finalize ISel (finalize-isel) ***:\n# Machine code for function f: IsSSA\n\
            0B\tbb.0:\n16B\t  S_ENDPGM 0\n\t  liveins: $vgpr0\n# End machine code for function f.\n\
            *** IR Dump After Early Tail Duplication (early-tailduplication) on f omitted because no change ***\n\
            *** IR Dump After LICMPass on loop %<unnamed loop> in function g omitted because no change ***\n\
            *** IR Dump After LICMPass on loop %b in function g ***\n (loop: %b)\n; Function Attrs: x\ndefine void @g() {\n}\n\
            *** IR Dump After Loop Invariant Code Motion (licm) *** (loop: %b)\ndefine void @g() {\n}\n";
        let shown: Vec<String> = printed(text)
            .map(|part| match part {
                Printed::Metadata(line) => line.to_owned(),
                Printed::Unchanged(name) => format!("{name} unchanged"),
                Printed::Function(f) => {
                    let pass = f.pass.map_or("start", |(name, argument)| argument.unwrap_or(name));
                    format!("{pass} {} {} {:?}", f.name, f.is_machine, f.lines)
                }
            })
            .collect();
        assert_eq!(
            shown,
            [
                "start f false [\"define void @f() {\", \"  ret void\"]",
                "!0 = !{}",
                "x a b false [\"define void @\\\"a b\\\"() {\"]",
                "finalize-isel f true [\"# Machine code for function f: IsSSA\", \"bb.0:\", \"  S_ENDPGM 0\", \
                 \"  liveins: $vgpr0\"]",
                "f unchanged",
                "g unchanged",
                "LICMPass g false [\"define void @g() {\"]",
                "licm g false [\"define void @g() {\"]",
            ]
        );
    }

    fn shown(text: &str) -> Vec<String> {
        let parts = printed(text).map(|part| match part {
            Printed::Function(f) => {
                let pass = f.pass.map_or("start", |(name, argument)| argument.unwrap_or(name));
                format!("{:?} {pass} {} {:?} {:?}", f.when, f.name, f.numbers, f.lines)
            }
            other => format!("{other:?}"),
        });
        parts.collect()
    }

    #[test]
    fn differences_have_two_sides() {
        assert_eq!(
            shown(
                "*** IR Dump After A on loop %l in function f ***\n \n entry:\n-  %x = add i32 1, 2\n+  ret void\n\n\
                *** IR Dump After B (b) on f ***\n # Machine code for function f: IsSSA\n+bb.0:\n # End machine code for function f.\n \n\
                *** IR Dump After C on [module] ***\n\n*** IR for function g ***\n \n-a:\n+b:\n\n"
            ),
            [
                "Old A f [1, 2, 3] [\"\", \"entry:\", \"  %x = add i32 1, 2\"]",
                "After A f [1, 2, 4] [\"\", \"entry:\", \"  ret void\"]",
                "Old b f [7] [\"# Machine code for function f: IsSSA\"]",
                "After b f [7, 8] [\"# Machine code for function f: IsSSA\", \"bb.0:\"]",
                "Old C g [14, 15] [\"\", \"a:\"]",
                "After C g [14, 16] [\"\", \"b:\"]",
            ]
        );
    }

    #[test]
    fn what_is_printed_before_a_pass_and_after_selection_is_found() {
        assert_eq!(
            shown(
                "; *** IR Dump Before A on f ***\n (loop: %l)\ndefine void @f() {\n}\n# After Instruction Selection:\n\
                # Machine code for function f: IsSSA\n# End machine code for function f.\n"
            ),
            [
                "Before A f [2] [\"define void @f() {\"]",
                "After Instruction Selection f [5] [\"# Machine code for function f: IsSSA\"]",
            ]
        );
    }

    #[test]
    fn colors_are_removed() {
        assert_eq!(without_colors("a\n\u{1b}[31m-b\u{1b}[0m\n"), "a\n-b\n");
    }

    #[test]
    fn passes_on_ir_are_those_that_are_not_on_machine_functions() {
        let printed = "Pass Arguments:  -tti -early-cse -codegenprepare -early-cse -amdgpu-isel -opt-phis\nPass Arguments:  -domtree\n\
            *** IR Dump After AMDGPU DAG->DAG Pattern Instruction Selection (amdgpu-isel) on f ***\n\
            *** IR Dump After Optimize machine instruction PHIs (opt-phis) on f omitted because no change ***\n";
        assert_eq!(ir_passes(printed), ["tti", "early-cse", "codegenprepare", "domtree"]);
    }
}
