//! What `opt` and `llc` print after each pass (`-print-changed`, `-print-after-all`).

use std::collections::HashSet;

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
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(Tools::missing_llc()))?;
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
        return Err(Failure::NoTool(Tools::missing_opt()));
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
        printed.lines().filter_map(dump).filter_map(|banner| pass_name(banner).1).collect();
    let lists = printed.lines().filter_map(|line| line.strip_prefix("Pass Arguments:"));
    let mut seen = HashSet::new();
    let names = lists.flat_map(str::split_whitespace).filter_map(|name| name.strip_prefix('-'));
    names.filter(|name| !machine.contains(name) && seen.insert(*name)).collect()
}

/// What a banner says after the pass.
fn dump(line: &str) -> Option<&str> {
    line.trim_start_matches("# ").strip_prefix("*** IR Dump After ")
}

/// A function as it was printed after a pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PrintedFunction<'t> {
    /// The pass that has just run; none for what was there at the start.
    pub(crate) pass: Option<(&'t str, Option<&'t str>)>,
    /// As the tool names it, without sigil.
    pub(crate) name: &'t str,
    /// Machine IR, and not LLVM IR.
    pub(crate) is_machine: bool,
    /// From the header to the line before the end.
    pub(crate) lines: Vec<&'t str>,
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
    let mut lines = text.lines();
    let mut pass = None;
    std::iter::from_fn(move || {
        while let Some(line) = lines.next() {
            if let Some(banner) = line.trim_start_matches("# ").strip_prefix("*** IR Dump ") {
                pass = banner.strip_prefix("After ").map(pass_name);
                if let Some(banner) = banner.strip_suffix(" omitted because no change ***") {
                    let name = banner.rsplit(" on ").next().unwrap_or(banner);
                    // `loop %3 in function f`
                    let name = name.rsplit(" in function ").next().unwrap_or(name);
                    return Some(Printed::Unchanged(name));
                }
            }
            // `DummyCGSCCPass` does not end its line.
            let line = line.rsplit_once(" ***define ").map_or(line, |(before, _)| &line[before.len() + 4..]);
            let (name, is_machine) = if let Some(name) = function_name(line) {
                (name, false)
            } else if let Some(rest) = line.strip_prefix("# Machine code for function ") {
                (rest.split(':').next().unwrap_or(rest), true)
            } else if line.starts_with('!') {
                return Some(Printed::Metadata(line));
            } else {
                continue;
            };
            let last = if is_machine { "# End machine code for function" } else { "}" };
            let lines = std::iter::once(line).chain(lines.by_ref().take_while(|l| !l.starts_with(last)));
            let lines = lines.map(without_slot).collect();
            return Some(Printed::Function(PrintedFunction { pass, name, is_machine, lines }));
        }
        None
    })
}

/// A pass's name and its argument out of `InstCombinePass on f ***` or `Machine code sinking (machine-sink) on f ***:`.
fn pass_name(banner: &str) -> (&str, Option<&str>) {
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

    #[test]
    fn passes_on_ir_are_those_that_are_not_on_machine_functions() {
        let printed = "Pass Arguments:  -tti -early-cse -codegenprepare -early-cse -amdgpu-isel -opt-phis\nPass Arguments:  -domtree\n\
            *** IR Dump After AMDGPU DAG->DAG Pattern Instruction Selection (amdgpu-isel) on f ***\n\
            *** IR Dump After Optimize machine instruction PHIs (opt-phis) on f omitted because no change ***\n";
        assert_eq!(ir_passes(printed), ["tti", "early-cse", "codegenprepare", "domtree"]);
    }
}
