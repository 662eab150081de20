//! Why one of LLVM's programs failed, from what it wrote: the first cause and its line, not the sentence that every failure ends with.

use std::collections::HashMap;

use crate::llc::messages;
use crate::process::Output;
use crate::report::{Failure, Message};
use crate::tools::Tool;

/// What LLVM says after the reports of its verifier.
const VERIFIED: &[&str] = &["input module cannot be verified", "input module is broken"];
/// What `llvm-as` says before them.
const UNVERIFIED: &str = "does not verify as correct";

/// A refusal if the compiler reports what it refuses or ends by itself; a crash, with the function that its trace names, if a signal
/// ends it.
pub(crate) fn failure(tool: &Tool, output: &Output, input: &str) -> Failure {
    let stderr = String::from_utf8_lossy(&output.stderr);
    let mut errors: Vec<Message> = messages(&stderr).into_iter().filter(|m| m.is_error).collect();
    if errors.iter().any(|m| VERIFIED.iter().any(|word| m.text.contains(word))) {
        let found = verifier_reports(&stderr, input);
        if !found.is_empty() {
            errors = found;
        }
    }
    errors.extend(unknown_pass(&stderr));
    for error in errors.iter_mut().filter(|error| error.line.is_none()) {
        error.line = line_of_instruction(&error.text, input);
    }
    if !errors.is_empty() {
        return Failure::Rejected(errors);
    }
    if let Some(failure) = bad_machine_code(&stderr, input) {
        return failure;
    }
    let reason = reason(&stderr).unwrap_or_else(|| format!("{}: {}", tool.path.display(), output.status));
    let (reason, line) = without_place(&reason);
    let line = line.or_else(|| line_of_instruction(&reason, input));
    // A status is what the program chose to end with; a signal ends one that cannot go on.
    if output.status.code().is_some() {
        let text = reason.strip_prefix("LLVM ERROR: ").unwrap_or(&reason).to_owned();
        return Failure::Rejected(vec![Message { line, is_error: true, text }]);
    }
    Failure::Crashed { reason, function: function(&stderr), line }
}

/// A cause without the place that LLVM names in it, and that place's line counted from 0: `Cannot select: f64 = fpow -:3:65535`.
fn without_place(reason: &str) -> (String, Option<u32>) {
    let mut line = None;
    let is_place = |word: &str| -> Option<u32> {
        let (place, column) = word.trim_end_matches([',', ':', ')']).rsplit_once(':')?;
        let (file, line) = place.rsplit_once(':')?;
        column.parse::<u32>().ok()?;
        line.parse().ok().filter(|_| matches!(file, "-" | "<unknown>" | "<stdin>"))
    };
    let words = reason.split(' ').filter(|word| match is_place(word) {
        Some(number) => {
            line = line.or(number.checked_sub(1));
            false
        }
        None => true,
    });
    let words = words.collect::<Vec<_>>().join(" ");
    (words.trim_end_matches([',', ' ']).replace(", (in the pass", " (in the pass"), line)
}

/// The cause of a failure in what a program wrote, as one line: what a verifier reports first, else the first error, else the assertion
/// and the pass of a crash.
pub fn cause(said: &str) -> Option<String> {
    if let Some(Failure::Crashed { reason, function, .. }) = bad_machine_code(said, "") {
        return Some(function.map_or(reason.clone(), |function| format!("{reason} in `{function}`")));
    }
    if VERIFIED.iter().chain([&UNVERIFIED]).any(|word| said.contains(word))
        && let Some(first) = verifier_reports(said, "").into_iter().next()
    {
        return Some(first.text);
    }
    let error = said.lines().find_map(|line| Some(line.get(line.find("error: ")?..)?.trim().to_owned()));
    error.or_else(|| reason(said))
}

/// The first line that says a cause, without addresses, with the pass that ran.
fn reason(stderr: &str) -> Option<String> {
    // What every crash says.
    let said_always = |l: &&str| {
        let is_frame = l.split(' ').next().is_some_and(|first| first.parse::<u32>().is_ok());
        is_frame || l.starts_with("PLEASE submit") || l.starts_with("Stack dump") || l.starts_with(['#', '0'])
    };
    let lines = || stderr.lines().map(str::trim).filter(|l| !said_always(l));
    let said = |l: &&str| l.starts_with("LLVM ERROR") || l.contains("Assertion") || l.contains("UNREACHABLE");
    let pass =
        lines().find_map(|line| Some(line.split_once("Running pass '")?.1.split_once("' on function ")?.0));
    let words = lines().find(said).map(without_addresses);
    match (words, pass) {
        (Some(words), Some(pass)) => Some(format!("{words} (in the pass `{pass}`)")),
        (Some(words), None) => Some(words),
        (None, Some(pass)) => Some(format!("in the pass `{pass}`")),
        (None, None) => {
            let first = lines().find(|l| !l.is_empty())?;
            // A program says its own name before a wrong argument, and how to get help after it.
            let words = first
                .split_once(": ")
                .filter(|(name, _)| !name.contains(' '))
                .map_or(first, |(_, rest)| rest);
            Some(words.split(".  Try: ").next().unwrap_or(words).to_owned())
        }
    }
}

/// A line without the addresses of LLVM's objects: `0x55d0a8: ch = store<...> 0x55d0b8`.
fn without_addresses(line: &str) -> String {
    let is_address = |word: &&str| {
        let digits = word.strip_prefix("0x").map(|d| d.trim_end_matches([':', ',', ')']));
        digits.is_some_and(|d| d.len() > 6 && d.bytes().all(|b| b.is_ascii_hexdigit()))
    };
    let words = line.split(' ').filter(|word| !is_address(word)).collect::<Vec<_>>().join(" ");
    words.trim_end_matches([',', ' ']).to_owned()
}

/// The function that a trace or a message names.
fn function(stderr: &str) -> Option<String> {
    let traced = || stderr.lines().find_map(|l| Some(l.split_once("on function '")?.1));
    let name = stderr.lines().find_map(|line| line.strip_prefix("In function: ")).or_else(traced)?;
    Some(name.trim_end_matches(['\'', '.']).trim_start_matches('@').to_owned())
}

/// A pass that is asked for and not there: `"x" pass is not registered.` or `opt: unknown pass name 'x'`.
fn unknown_pass(stderr: &str) -> Option<Message> {
    let name = stderr.lines().find_map(|line| match line.split_once("unknown pass name '") {
        Some((_, rest)) => rest.split('\'').next(),
        None => line.split_once("\" pass is not registered")?.0.rsplit('"').next(),
    })?;
    let text = format!("LLVM has no pass `{name}`; `wavelens passes --summary` lists those that run");
    Some(Message { line: None, is_error: true, text })
}

/// What the verifier of LLVM IR reports: a sentence, then the values it is about, instructions indented.
fn verifier_reports(stderr: &str, input: &str) -> Vec<Message> {
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    let reports = stderr.lines().filter(|line| !line.contains(UNVERIFIED));
    for line in reports.take_while(|line| !VERIFIED.iter().any(|word| line.contains(word))) {
        match found.last_mut() {
            Some((_, instruction @ None)) if line.starts_with("  ") => {
                *instruction = Some(instruction_text(line))
            }
            _ if is_value(line) => {}
            _ => found.push((line.to_owned(), None)),
        }
    }
    let lines = Lines::of(input, &mut found.iter().filter_map(|(_, instruction)| instruction.as_deref()));
    let mut lines = lines.0;
    let message = |(text, instruction): (String, Option<String>)| {
        let line = instruction.and_then(|i| {
            let places = lines.get_mut(&i)?;
            (!places.is_empty()).then(|| places.remove(0))
        });
        Message { line, is_error: true, text }
    };
    found.into_iter().map(message).collect()
}

/// Whether a line of the verifier is a value and not a sentence: `ptr @f`, `label %bb`, `!3 = ...`, ` i32`.
fn is_value(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or("");
    let is_integer = |word: &str| word.strip_prefix('i').is_some_and(|bits| bits.parse::<u32>().is_ok());
    line.trim().is_empty()
        || line.starts_with([' ', '%', '@', '!', '<', '{', '[', ';', '}'])
        || matches!(
            first,
            "ptr" | "label" | "void" | "half" | "float" | "double" | "metadata" | "declare" | "define"
        )
        || is_integer(first)
}

/// An instruction without what compilers and this program add to it.
fn instruction_text(line: &str) -> String {
    let end = [", !dbg ", ", align ", " !dbg ", ", debug-location "]
        .iter()
        .filter_map(|word| line.find(word))
        .min();
    let text = line.get(..end.unwrap_or(line.len())).unwrap_or(line);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines, counted from 0, on which instructions are, in order. Empty where it is not known which of several are meant.
struct Lines(HashMap<String, Vec<u32>>);

impl Lines {
    fn of(input: &str, wanted: &mut dyn Iterator<Item = &str>) -> Lines {
        let mut counts: HashMap<String, usize> = HashMap::new();
        wanted.for_each(|text| *counts.entry(text.to_owned()).or_default() += 1);
        let mut found: HashMap<String, Vec<u32>> = HashMap::new();
        for (number, line) in (0u32..).zip(input.lines()) {
            let text = instruction_text(line);
            if counts.contains_key(&text) {
                found.entry(text).or_default().push(number);
            }
        }
        found.retain(|text, places| counts.get(text) == Some(&places.len()));
        Lines(found)
    }
}

/// The line, counted from 0, of the instruction of Machine IR that could not be legalized or selected:
/// `cannot select: %1:vgpr(s64) = G_UDIV %0:vgpr, %0:vgpr (in function: f)`. Passes give its registers other classes, so that its opcode
/// and the names of its registers identify it.
fn line_of_instruction(error: &str, input: &str) -> Option<u32> {
    let (_, rest) = error.split_once(": ")?;
    let (instruction, rest) = rest.split_once(" (in function: ")?;
    let function = rest.split(')').next()?;
    let is_named = |line: &str| line.strip_prefix("name:").is_some_and(|name| name.trim() == function);
    let lines = (0u32..).zip(input.lines()).skip_while(|(_, line)| !is_named(line));
    let body = lines.take_while(|(_, line)| *line != "..." && *line != "---");
    let wanted = opcode_and_registers(instruction)?;
    let mut found = body.filter(|(_, line)| opcode_and_registers(line).is_some_and(|own| own == wanted));
    let (number, _) = found.next()?;
    found.next().is_none().then_some(number)
}

/// `G_UDIV` and `%1 %0 %0`.
fn opcode_and_registers(line: &str) -> Option<(&str, Vec<&str>)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '$' | '-');
    let end = [" ::", ", debug-location ", ";"].iter().filter_map(|word| line.find(word)).min();
    let words = || line.get(..end.unwrap_or(line.len())).unwrap_or(line).split(|c| !is_part(c));
    let opcode = words().find(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))?;
    Some((opcode, words().filter(|word| word.starts_with('%')).collect()))
}

/// The first report of the verifier of Machine IR.
fn bad_machine_code(stderr: &str, input: &str) -> Option<Failure> {
    let mut lines = stderr.lines().skip_while(|line| !line.starts_with("*** Bad machine code: "));
    let words = lines.next()?.strip_prefix("*** ")?.trim_end_matches([' ', '*']);
    let details: Vec<&str> = lines.take_while(|line| line.starts_with("- ")).collect();
    let detail = |name: &str| details.iter().find_map(|line| Some(line.strip_prefix(name)?.trim()));
    let function = detail("- function:").map(str::to_owned);
    let instruction = detail("- instruction:").map(|text| {
        // `16B\t` is its place in the order of instructions.
        instruction_text(text.split_once('\t').map_or(text, |(_, rest)| rest))
    });
    let place = instruction.as_deref().map(|text| Lines::of(input, &mut [text].into_iter()));
    let line = place.and_then(|lines| lines.0.into_values().next()?.first().copied());
    let at = instruction.map(|text| format!(" at `{text}`")).unwrap_or_default();
    Some(Failure::Crashed { reason: format!("{words}{at}"), function, line })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    /// The words and the line (counted from 1) of a failure.
    fn reason_at(status: i32, stderr: &str, input: &str) -> String {
        use std::os::unix::process::ExitStatusExt;
        let status = std::process::ExitStatus::from_raw(status);
        let output = Output { status, stdout: Vec::new(), stderr: stderr.as_bytes().to_vec() };
        let tool = Tool { path: "/bin/llc".into(), major: 22, version: "22.1".to_owned(), amdgpu: true };
        failure(&tool, &output, input).sentence()
    }

    #[test]
    fn the_cause_is_not_what_every_failure_ends_with() {
        let said = "# Machine code for function f: IsSSA\nbb.0:\n*** Bad machine code: Illegal register ***\n- function:    f\n\
            - instruction: S_NOP 0\nLLVM ERROR: Found 1 machine code errors.\n";
        assert_eq!(cause(said).as_deref(), Some("Bad machine code: Illegal register at `S_NOP 0` in `f`"));
        let said = "PHI node is wrong!\n  %x = phi i32\nopt: a.ll: error: input module is broken!\n";
        assert_eq!(cause(said).as_deref(), Some("PHI node is wrong!"));
        let said =
            "llvm-as: assembly parsed, but does not verify as correct!\nPHI node is wrong!\n  %x = phi i32\n";
        assert_eq!(cause(said).as_deref(), Some("PHI node is wrong!"));
        let frames = "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: llc\n0  libLLVM.so.22.1 0x00007f27c38b8786 f(int) + 54\n\
            1  libLLVM.so.22.1 0x00007f27c38b5fd3 llvm::sys::RunSignalHandlers() + 131\n";
        assert_eq!(cause(frames), None);
        assert_eq!(cause("a.ll:1:2: error: expected type\n").as_deref(), Some("error: expected type"));
        assert_eq!(cause(""), None);
    }

    const ABORT: i32 = 6;
    const STATUS_1: i32 = 1 << 8;

    #[test]
    fn a_crash_names_its_pass() {
        let stderr = "PLEASE submit a bug report\n1.\tRunning pass 'Function Pass Manager' on module '-'.\n\
            2.\tRunning pass 'Machine Scheduler' on function '@f'\n";
        assert_eq!(
            reason_at(ABORT, stderr, ""),
            "the compiler crashed in `f`: in the pass `Machine Scheduler`"
        );
        let always =
            "PLEASE submit a bug report\nStack dump:\n0.\tProgram arguments: llc\n #0 0x00007f6d49ab8786\n";
        assert_eq!(reason_at(ABORT, always, ""), "the compiler crashed: /bin/llc: signal: 6 (SIGABRT)");
    }

    #[test]
    fn what_cannot_be_selected_is_not_called_a_crash() {
        let stderr = "LLVM ERROR: Cannot select: 0x55d0a8c0: ch = store<(store (s32))> 0x55d0a8c1, 0x55d0a8c2\nIn function: work\n";
        assert_eq!(
            reason_at(ABORT, stderr, ""),
            "the compiler fails in `work`: Cannot select: ch = store<(store (s32))>"
        );
        let placed = "LLVM ERROR: Cannot select: 0x55d0a8c0: f64 = fpow 0x55d0a8c1, 0x55d0a8c2, -:3:65535\nIn function: work\n";
        assert_eq!(reason_at(ABORT, placed, ""), "the compiler refused line 3: Cannot select: f64 = fpow");
    }

    #[test]
    fn a_program_that_ends_by_itself_has_not_crashed() {
        let unknown = "llc-22: Unknown command line argument '-foo'.  Try: 'llc-22 --help'\nllc-22: Did you mean '-o'?\n";
        assert_eq!(
            reason_at(STATUS_1, unknown, ""),
            "the compiler refused the input: Unknown command line argument '-foo'"
        );
        let no_pass = "the compiler refused the input: LLVM has no pass `x`; `wavelens passes --summary` lists those that run";
        assert_eq!(reason_at(STATUS_1, "/usr/bin/opt-22: unknown pass name 'x'\n", ""), no_pass);
        assert_eq!(reason_at(STATUS_1, "LLVM ERROR: \"x\" pass is not registered.\n", ""), no_pass);
    }

    #[test]
    fn the_reason_of_the_verifier_is_told_at_its_line() {
        let stderr = "alloca on amdgpu must be in addrspace(5)\n  %cell = alloca i64, align 8\n\
            Incorrect number of arguments passed to called function!\nptr @f\n  call void @f(i32 0)\n\
            llc: error: '<stdin>': input module cannot be verified\n";
        let input = "define double @work() {\n  call void @f(i32 0)\n  %cell = alloca i64, align 8, !dbg !DILocation(line: 3)\n";
        assert_eq!(
            reason_at(STATUS_1, stderr, input),
            "the compiler refused line 3: alloca on amdgpu must be in addrspace(5)"
        );
        let reports: Vec<_> = verifier_reports(stderr, input).into_iter().map(|m| m.line).collect();
        assert_eq!(reports, [Some(2), Some(1)]);
    }

    #[test]
    fn what_is_not_legalized_is_found_by_opcode_and_registers() {
        let body =
            "  bb.0:\n    %1:vgpr(s64) = G_UDIV %0, %0\n    %2:_(s64) = G_UDIV %1, %1 :: (load (s64))\n...\n";
        let input = format!("---\nname: g\nbody: |\n{body}---\nname: f\nbody: |\n{body}");
        let stderr =
            |instruction: &str| format!("LLVM ERROR: cannot select: {instruction} (in function: f)\n");
        assert_eq!(
            reason_at(STATUS_1, &stderr("%1:vreg_64(s64) = G_UDIV %0:vgpr, %0:vgpr"), &input),
            "the compiler refused line 12: cannot select: %1:vreg_64(s64) = G_UDIV %0:vgpr, %0:vgpr (in function: f)"
        );
        assert!(reason_at(STATUS_1, &stderr("%3:_(s64) = G_UDIV %0, %0"), &input).contains("the input"));
        // Two that look alike.
        let input = input.replace("%2:_(s64) = G_UDIV %1, %1", "%1:_(s64) = G_UDIV %0, %0");
        assert!(reason_at(STATUS_1, &stderr("%1:_(s64) = G_UDIV %0, %0"), &input).contains("the input"));
    }

    #[test]
    fn the_verifier_of_machine_ir_names_the_instruction() {
        let stderr = "# Machine code for function f: IsSSA\n\n*** Bad machine code: Using an undefined physical register ***\n\
            - function:    f\n- basic block: %bb.0  (0x558b0021dd28)\n- instruction: $vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec\n\
            - operand 1:   $vgpr1\nLLVM ERROR: Found 1 machine code errors.\n";
        let input = "name: f\n  bb.0:\n    $vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec\n";
        assert_eq!(
            reason_at(ABORT, stderr, input),
            "the compiler refused line 3: Bad machine code: Using an undefined physical register at `$vgpr0 = V_MOV_B32_e32 $vgpr1, implicit $exec`"
        );
    }
}
