//! Compiling LLVM IR and Machine IR with `llc`.

use std::process::Command;
use std::time::Instant;

use wavelens_base::configuration::removed_processor;

use crate::asm::{LINE_MARK, map_lines};
use crate::includes::check_ir;
use crate::process::{Cancel, Limits, Output, Stopped, Streams, run_fed, without_symbols};
use crate::reason::failure;
use crate::report::{Failure, MachineIr, Message, Report, Request, Source};
use crate::resources::{add_code_sizes, from_remarks};
use crate::tools::{Tool, Tools};

/// Compiles a request of LLVM IR or Machine IR. Blocks until the compiler ends, is cancelled, or meets a limit.
pub fn compile(
    request: &Request,
    tools: &Tools,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(tools.missing_llc()))?;
    let start = Instant::now();
    let mut shown = String::new();
    let mut input = request.input.bytes();
    check_ir(&String::from_utf8_lossy(&input))?;
    if request.runs_opt() {
        let opt = tools.opt().ok_or_else(|| Failure::NoTool(tools.missing_opt()))?;
        let arguments = opt_arguments(request);
        input = run_tool(opt, &arguments, &input, limits, cancel)?.stdout.into();
        shown = format!("{} | ", opt.command(&arguments));
    }
    let mut arguments = llc_arguments(request);
    // Each instruction without a location says so; otherwise it inherits the line of the one before it.
    arguments.push("-use-unknown-locations=Enable".to_owned());
    let output = run_tool(llc, &arguments, &input, limits, cancel)?;
    let stderr = String::from_utf8_lossy(&output.stderr);
    let assembly = String::from_utf8_lossy(&output.stdout);
    let mut kernels = from_remarks(&stderr);
    add_code_sizes(&mut kernels, &assembly);
    let mapped = map_lines(&assembly);
    Ok(Report {
        target: request.target.clone(),
        foreign: if wavelens_isa::is_amdgpu(&request.triple) {
            String::new()
        } else {
            request.triple.clone()
        },
        isa: mapped.text,
        lines: mapped.lines,
        kernels,
        messages: messages(&stderr),
        command: format!("{shown}{}", llc.command(&arguments)),
        milliseconds: start.elapsed().as_millis() as u64,
        ..Report::default()
    })
}

/// The Machine IR that a request's own flags (`-stop-after`, `-run-pass`) end at. Blocks.
///
/// # Errors
/// As [`compile`]; also when `llc` knows no such pass.
pub fn machine_ir(
    request: &Request,
    tools: &Tools,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<MachineIr, Failure> {
    let llc = tools.llc().ok_or_else(|| Failure::NoTool(tools.missing_llc()))?;
    let arguments = llc_arguments(request);
    let input = request.input.bytes();
    check_ir(&String::from_utf8_lossy(&input))?;
    let named = [PASS_NAMES.to_owned()];
    let printing: Vec<String> = named.into_iter().chain(arguments.iter().cloned()).collect();
    let output = run_to_end(llc, &printing, &input, limits, cancel)?;
    let output = if goes_on(&output) { output } else { succeeded(llc, output, &input)? };
    Ok(MachineIr {
        missing_stop: missing_stop(&request.flags, &String::from_utf8_lossy(&output.stderr)),
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        command: llc.command(&arguments),
    })
}

/// Makes `llc` print the names of the passes that it runs.
pub(crate) const PASS_NAMES: &str = "-debug-pass=Arguments";

/// Why flags that end compilation at a pass do not: without it `llc` goes on to the end, and prints what is there. `printed` holds
/// the names of the passes.
pub(crate) fn missing_stop(flags: &[String], printed: &str) -> Option<String> {
    let flag = |flag: &String| {
        let pass = flag.strip_prefix("-stop-after=").or_else(|| flag.strip_prefix("-stop-before="))?;
        // `greedy,1` is the second run of the pass.
        Some((flag.contains("before"), pass.split(',').next().unwrap_or(pass).to_owned()))
    };
    let (is_before, pass) = flags.iter().find_map(flag)?;
    let lists = printed.lines().filter_map(|line| line.strip_prefix("Pass Arguments:"));
    let mut names =
        lists.flat_map(str::split_whitespace).filter_map(|name| name.strip_prefix('-')).peekable();
    // The pass before which it stops is not among those that run; without names nothing is known.
    names.peek()?;
    let runs = is_before || names.any(|name| name == pass);
    (!runs).then(|| format!("the pass `{pass}` does not run in this pipeline"))
}

/// Runs one of LLVM's programs; success is its output.
pub(crate) fn run_tool(
    tool: &Tool,
    arguments: &[String],
    input: &[u8],
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Output, Failure> {
    succeeded(tool, run_to_end(tool, arguments, input, limits, cancel)?, input)
}

/// The output of one of LLVM's programs that took its input; else why it failed.
pub(crate) fn succeeded(tool: &Tool, output: Output, input: &[u8]) -> Result<Output, Failure> {
    let stderr = String::from_utf8_lossy(&output.stderr);
    if let Some(processor) = unknown_processor(&stderr) {
        let text = format!("LLVM {} has no processor `{processor}`", tool.version);
        return Err(Failure::Rejected(vec![Message { line: None, is_error: true, text }]));
    }
    if !output.status.success() {
        return Err(failure(tool, &output, &String::from_utf8_lossy(input)));
    }
    Ok(output)
}

/// Whether a pass ran although LLVM no longer has the processor of an older test: it goes on with the generic one.
fn goes_on(output: &Output) -> bool {
    let stderr = String::from_utf8_lossy(&output.stderr);
    output.status.success()
        && unknown_processor(&stderr).is_some_and(|processor| removed_processor(processor).is_some())
}

/// Nobody wants the code of another processor: LLVM ignores one that it does not know.
fn unknown_processor(stderr: &str) -> Option<&str> {
    let (line, _) = stderr.split_once("' is not a recognized processor for this target")?;
    line.rsplit('\'').next()
}

/// Runs one of LLVM's programs, whatever its exit status.
pub(crate) fn run_to_end(
    tool: &Tool,
    arguments: &[String],
    input: &[u8],
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Output, Failure> {
    let input = input.to_vec();
    run_fed_tool(tool, arguments, || input, limits, cancel)
}

/// [`run_to_end`], with an input that may come after the start.
pub(crate) fn run_fed_tool(
    tool: &Tool,
    arguments: &[String],
    input: impl FnOnce() -> Vec<u8> + Send + 'static,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Output, Failure> {
    let mut command = Command::new(&tool.path);
    command.args(arguments).current_dir(crate::private::temporary_folder());
    run_fed(without_symbols(&mut command), input, limits, cancel, Streams::Apart, None)
        .map_err(|stopped| stopped_as(stopped, tool))
}

/// The failure of a program that did not end by itself.
pub(crate) fn stopped_as(stopped: Stopped, tool: &Tool) -> Failure {
    match stopped {
        Stopped::NotStarted(reason) => Failure::NotStarted { program: tool.path.clone(), reason },
        Stopped::Cancelled => Failure::Cancelled,
        Stopped::TimedOut => Failure::TimedOut,
        Stopped::TooMuchOutput => Failure::TooMuchOutput,
    }
}

/// Processor, features and triple of a request as LLVM's programs take them.
fn target_arguments(request: &Request) -> Vec<String> {
    let mut arguments = Vec::new();
    if !request.target.is_empty() {
        arguments.push(format!("-mcpu={}", request.target));
    }
    if !request.features.is_empty() {
        arguments.push(format!("-mattr={}", request.features.join(",")));
    }
    if !request.triple.is_empty() {
        arguments.push(format!("-mtriple={}", request.triple));
    }
    arguments
}

pub(crate) fn opt_arguments(request: &Request) -> Vec<String> {
    let passes = (!request.passes.is_empty()).then(|| format!("-passes={}", request.passes));
    let own = passes.into_iter().chain(["-S".to_owned(), "-o".to_owned(), "-".to_owned()]);
    // `llc` knows these too, and runs no pass that they change.
    let unroll = request.flags.iter().filter(|flag| flag.starts_with("-unroll-")).cloned();
    let target = request.opt_flags.clone().unwrap_or_else(|| target_arguments(request));
    target.into_iter().chain(unroll).chain(own).chain(["-".to_owned()]).collect()
}

pub(crate) fn llc_arguments(request: &Request) -> Vec<String> {
    let mut arguments = target_arguments(request);
    arguments.push(format!("-O{}", request.opt_level.min(3)));
    arguments.push("-pass-remarks-analysis=kernel-resource-usage".to_owned());
    let has_version = request.flags.iter().any(|flag| flag.contains("-amdhsa-code-object-version"));
    if request.target.ends_with("-generic") && !has_version {
        arguments.push("--amdhsa-code-object-version=6".to_owned());
    }
    if request.source == Source::Mir {
        arguments.extend(["-x".to_owned(), "mir".to_owned()]);
    }
    arguments.extend(request.flags.iter().cloned());
    arguments.extend(["-o".to_owned(), "-".to_owned(), "-".to_owned()]);
    arguments
}

/// `<stdin>:3:5: error: words`, `error: words` and warnings; remarks are read elsewhere.
pub(crate) fn messages(stderr: &str) -> Vec<Message> {
    let mut found = Vec::new();
    for line in stderr.lines() {
        let (is_error, place, text) = match (line.split_once("error: "), line.split_once("warning: ")) {
            (Some((place, text)), _) => (true, place, text),
            (None, Some((place, text))) => (false, place, text),
            (None, None) => continue,
        };
        // The module may be for a processor that only the command names; LLVM 24 says so at each run.
        if text.starts_with("codegen with no subarch in the target triple is deprecated") {
            continue;
        }
        // A program says its own name before the place and the word.
        let (place, text) = text.split_once(": error: ").unwrap_or((place, text));
        let (line, text) = match of_function(text).or_else(|| of_location(text)) {
            Some((place, text)) => (line_of(place), text),
            None => (line_of(place), text.to_owned()),
        };
        found.push(Message { line, is_error, text });
    }
    found
}

/// The line of `<stdin>:3:5`, counted from 0.
fn line_of(place: &str) -> Option<u32> {
    let mut numbers = place.trim_end_matches([':', ' ']).rsplit(':').map_while(|n| n.parse::<u32>().ok());
    let (last, before) = (numbers.next(), numbers.next());
    before.or(last)?.checked_sub(1)
}

/// What the target has against a function, with the place of its debug location: `-:3:5: in function f void (i32): words`.
fn of_function(text: &str) -> Option<(&str, String)> {
    let (place, rest) = text.split_once(": in function ")?;
    let (signature, words) = rest.split_once("): ")?;
    let (name, _) = signature.split_once(' ')?;
    Some((place, format!("in `{name}`: {words}")))
}

/// What a pass reports at a debug location that is ours, or at none: `-:15:65535: words`, `<unknown>:0:0: words`.
fn of_location(text: &str) -> Option<(&str, String)> {
    let (place, words) = text.split_once(": ")?;
    let (file, position) = place.split_once(':')?;
    let is_ours = file == "<unknown>"
        || file == "-" && (position == "0:0" || position.ends_with(&format!(":{LINE_MARK}")));
    let words = match words.strip_suffix('\'').and_then(|words| words.rsplit_once(" in function '")) {
        Some((words, function)) => format!("in `{function}`: {words}"),
        None => words.to_owned(),
    };
    is_ours.then_some((place, words))
}

#[cfg(test)]
mod tests {
    use wavelens_test_support::required;

    use super::*;
    use crate::report::Input;

    #[test]
    fn a_limit_of_a_function_is_reported_for_it() {
        let said = "error: -:0:0: local memory (65540) exceeds limit (65536) in function 'k'\n";
        let found = messages(said).remove(0);
        assert_eq!((found.line, &*found.text), (None, "in `k`: local memory (65540) exceeds limit (65536)"));
    }

    #[test]
    fn places_in_messages_are_read() {
        let found =
            messages("llc: <stdin>:3:5: error: expected type\n  foo\nerror: unsupported\nwarning: odd\n");
        let short: Vec<_> = found.iter().map(|m| (m.line, m.is_error, m.text.as_str())).collect();
        assert_eq!(
            short,
            [(Some(2), true, "expected type"), (None, true, "unsupported"), (None, false, "odd")]
        );
        // LLVM 24 says it of each module whose triple names no processor.
        assert_eq!(
            messages(
                "warning: codegen with no subarch in the target triple is deprecated and will become an error; use the target triple 'amdgpu11.00--' instead\n"
            ),
            []
        );
        let found = messages("llc: error: llc: <stdin>:11:28: error: '%i' is i32\n");
        assert_eq!((found[0].line, found[0].text.as_str()), (Some(10), "'%i' is i32"));
        let found = messages(
            "warning: -:4:65535: in function f void (ptr): odd\nerror: <unknown>:0:0: in function g i32 (): no\n",
        );
        let short: Vec<_> = found.iter().map(|m| (m.line, m.is_error, m.text.as_str())).collect();
        assert_eq!(short, [(Some(3), false, "in `f`: odd"), (None, true, "in `g`: no")]);
        let found = messages(
            "error: -:15:65535: ran out of registers\nerror: <unknown>:0:0: ran out\nerror: a.c:3:5: odd\n",
        );
        let short: Vec<_> = found.iter().map(|m| (m.line, m.text.as_str())).collect();
        assert_eq!(short, [(Some(14), "ran out of registers"), (None, "ran out"), (None, "a.c:3:5: odd")]);
    }

    #[test]
    fn a_kernel_compiles_where_llc_is_installed() {
        let tools = Tools::find(None);
        if tools.llc().is_none() {
            required::skip("llc is not installed");
            return;
        }
        let request = Request {
            source: Source::LlvmIr,
            input: Input::Text(
                "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n"
                    .to_owned(),
            ),
            target: "gfx900".to_owned(),
            features: Vec::new(),
            triple: "amdgcn-amd-amdhsa".to_owned(),
            opt_level: 2,
            flags: Vec::new(),
            passes: String::new(),
            opt_flags: None,
        };
        let report = compile(&request, &tools, &Limits::default(), &Cancel::default()).expect("compiles");
        assert!(report.isa.contains("global_store_dword"), "{}", report.isa);
        assert_eq!(report.kernels.len(), 1);
        assert!(report.kernels[0].code_size > 0);
        let bad = Request { input: Input::Text("define void @f() {".to_owned()), ..request };
        let failure = compile(&bad, &tools, &Limits::default(), &Cancel::default()).expect_err("is refused");
        assert!(matches!(failure, Failure::Rejected(_)), "{failure:?}");
    }

    #[test]
    fn a_pass_runs_for_a_processor_that_llvm_removed() {
        let tools = Tools::find(None);
        if tools.llc().is_none() {
            required::skip("llc is not installed");
            return;
        }
        let of = |target: &str| {
            let request = Request {
                source: Source::Mir,
                input: Input::Text("---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n".to_owned()),
                target: target.to_owned(),
                features: Vec::new(),
                triple: "amdgcn-amd-amdhsa".to_owned(),
                opt_level: 2,
                flags: vec!["-run-pass=none".to_owned()],
                passes: String::new(),
                opt_flags: None,
            };
            let made = machine_ir(&request, &tools, &Limits::default(), &Cancel::default());
            made.map(|made| made.text.contains("S_ENDPGM 0")).map_err(|failure| failure.sentence())
        };
        assert_eq!(of("gfx940"), Ok(true));
        assert!(of("gfx1399").is_err());
    }

    #[test]
    fn a_pass_at_which_to_stop_must_run() {
        let of = |flag: &str, printed: &str| missing_stop(&["-O0".to_owned(), flag.to_owned()], printed);
        let printed = "Pass Arguments:  -tti -machine-scheduler\nPass Arguments: -greedy\n";
        assert_eq!(of("-stop-after=machine-scheduler", printed), None);
        assert_eq!(of("-stop-after=greedy,1", printed), None);
        assert_eq!(of("-stop-before=other", printed), None);
        assert_eq!(of("-O2", printed), None);
        assert_eq!(
            of("-stop-after=machine-sched", printed).as_deref(),
            Some("the pass `machine-sched` does not run in this pipeline")
        );
        assert_eq!(of("-stop-after=machine-sched", "no names"), None);
    }
}
