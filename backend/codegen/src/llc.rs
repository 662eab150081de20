//! Compiling LLVM IR and Machine IR with `llc`.

use std::process::Command;
use std::time::Instant;

use crate::asm::map_lines;
use crate::process::{Cancel, Limits, Output, Stopped, run};
use crate::report::{Failure, Message, Report, Request, Source};
use crate::resources::{add_code_sizes, from_remarks};
use crate::tools::Tools;

/// Compiles a request. Blocks until the compiler ends, is cancelled, or meets a limit.
pub fn compile(
    request: &Request,
    tools: &Tools,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let llc = tools.llc.as_ref().ok_or_else(|| Failure::NoTool(Tools::missing_llc()))?;
    let mut command = Command::new(&llc.path);
    command.args(arguments(request)).current_dir(std::env::temp_dir());
    let start = Instant::now();
    let output =
        run(&mut command, request.text.as_bytes(), limits, cancel).map_err(|stopped| match stopped {
            Stopped::NotStarted(reason) => Failure::NotStarted { program: llc.path.clone(), reason },
            Stopped::Cancelled => Failure::Cancelled,
            Stopped::TimedOut => Failure::TimedOut,
            Stopped::TooMuchOutput => Failure::TooMuchOutput,
        })?;
    let milliseconds = start.elapsed().as_millis() as u64;
    let stderr = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(failure(&output, &stderr));
    }
    let assembly = String::from_utf8_lossy(&output.stdout);
    let mut kernels = from_remarks(&stderr);
    add_code_sizes(&mut kernels, &assembly);
    let mapped = map_lines(&assembly);
    let shown: Vec<String> = arguments(request);
    Ok(Report {
        isa: mapped.text,
        line_map: mapped.lines,
        kernels,
        messages: messages(&stderr),
        command: format!("{} {}", llc.path.display(), shown.join(" ")),
        milliseconds,
    })
}

fn arguments(request: &Request) -> Vec<String> {
    let mut arguments = vec![
        format!("-mcpu={}", request.target),
        format!("-O{}", request.opt_level.min(3)),
        "-mtriple=amdgcn-amd-amdhsa".to_owned(),
        "-pass-remarks-analysis=kernel-resource-usage".to_owned(),
    ];
    if request.target.ends_with("-generic") {
        arguments.push("--amdhsa-code-object-version=6".to_owned());
    }
    if request.source == Source::Mir {
        arguments.extend(["-x".to_owned(), "mir".to_owned()]);
    }
    arguments.extend(request.flags.iter().cloned());
    arguments.extend(["-o".to_owned(), "-".to_owned(), "-".to_owned()]);
    arguments
}

/// A refusal if the compiler said `error:`; else a crash with the function its trace names.
fn failure(output: &Output, stderr: &str) -> Failure {
    let errors: Vec<Message> = messages(stderr).into_iter().filter(|m| m.is_error).collect();
    if !errors.is_empty() {
        return Failure::Rejected(errors);
    }
    let reason = stderr
        .lines()
        .map(str::trim)
        .find(|l| l.starts_with("LLVM ERROR") || l.contains("Assertion") || l.contains("UNREACHABLE"))
        .map_or_else(|| output.status.to_string(), str::to_owned);
    let function = stderr
        .lines()
        .find_map(|l| l.split_once("on function '"))
        .map(|(_, rest)| rest.trim_end_matches(['\'', '.']).trim_start_matches('@').to_owned());
    Failure::Crashed { reason, function }
}

/// `<stdin>:3:5: error: words`, `error: words` and warnings; remarks are read elsewhere.
fn messages(stderr: &str) -> Vec<Message> {
    let mut found = Vec::new();
    for line in stderr.lines() {
        let (is_error, place, text) = match (line.split_once("error: "), line.split_once("warning: ")) {
            (Some((place, text)), _) => (true, place, text),
            (None, Some((place, text))) => (false, place, text),
            (None, None) => continue,
        };
        let mut numbers = place.trim_end_matches([':', ' ']).rsplit(':').map_while(|n| n.parse::<u32>().ok());
        let (last, before) = (numbers.next(), numbers.next());
        let line = before.or(last).and_then(|l| l.checked_sub(1));
        found.push(Message { line, is_error, text: text.to_owned() });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_messages_are_read() {
        let found =
            messages("llc: <stdin>:3:5: error: expected type\n  foo\nerror: unsupported\nwarning: odd\n");
        let short: Vec<_> = found.iter().map(|m| (m.line, m.is_error, m.text.as_str())).collect();
        assert_eq!(
            short,
            [(Some(2), true, "expected type"), (None, true, "unsupported"), (None, false, "odd")]
        );
    }

    #[test]
    fn a_kernel_compiles_where_llc_is_installed() {
        let tools = Tools::find(None);
        if tools.llc.is_none() {
            eprintln!("skipped: llc is not installed");
            return;
        }
        let request = Request {
            source: Source::LlvmIr,
            text: "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n"
                .to_owned(),
            target: "gfx900".to_owned(),
            opt_level: 2,
            flags: Vec::new(),
        };
        let report = compile(&request, &tools, &Limits::default(), &Cancel::default()).expect("compiles");
        assert!(report.isa.contains("global_store_dword"), "{}", report.isa);
        assert_eq!(report.kernels.len(), 1);
        assert!(report.kernels[0].code_size > 0);
        let bad = Request { text: "define void @f() {".to_owned(), ..request };
        let failure = compile(&bad, &tools, &Limits::default(), &Cancel::default()).expect_err("is refused");
        assert!(matches!(failure, Failure::Rejected(_)), "{failure:?}");
    }
}
