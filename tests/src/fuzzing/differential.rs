//! Our verdicts and bytes compared with those of LLVM. A difference is noted, not a failure: there are known ones.

use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;

use super::Input;
use super::targets::Differences;
use crate::isa::{Answer, ours, reference};

/// The first error of `llvm-as`; the inner `None` if it accepts the text, the outer one without the program.
fn llvm_as(text: &str) -> Option<Option<String>> {
    let verdict = crate::reference::llvm_as(text).ok()?;
    if verdict.accepts {
        return Some(None);
    }
    // The verifier's sentence is the first line, the parser's follows the place.
    let first = verdict.messages.lines().next().unwrap_or_default();
    Some(Some(first.rsplit("error: ").next().unwrap_or(first).to_owned()))
}

/// Whether a text is accepted.
pub fn verdict(data: &[u8], differences: &mut Differences) {
    let Some(input) = Input::read(data) else { return };
    if input.text.contains('\0') {
        return;
    }
    let Some(theirs) = llvm_as(&input.text) else { return };
    let found = check_text(Dialect::Llvm, &input.text, &Options::default());
    let error = found.iter().find(|finding| finding.severity == Severity::Error);
    match (error, theirs) {
        (Some(error), None) => {
            differences.push(format!("false alarm: [{}] {}", error.rule.code, error.message));
        }
        (None, Some(theirs)) => differences.push(format!("miss: {theirs}")),
        _ => {}
    }
}

/// The bytes of each instruction.
pub fn assembler(data: &[u8], differences: &mut Differences) {
    let Some(input) = Input::read(data) else { return };
    let is_instruction = |line: &&str| {
        let line = line.trim();
        line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.contains([':', '=', '/', ';', '"', '\\'])
    };
    let lines: Vec<String> = input.text.lines().filter(is_instruction).map(str::to_owned).collect();
    let Some(theirs) = reference("gfx1100", &lines) else { return };
    for ((line, ours), theirs) in lines.iter().zip(ours("gfx1100", &lines)).zip(theirs) {
        // Symbols are undefined for us, relocations for `llvm-mc`.
        let has_fixup = matches!(&theirs, Answer::Accepted(hex) if hex.contains('?'));
        if ours != theirs && !has_fixup {
            differences.push(format!("{}: {ours:?}, llvm-mc {theirs:?}", line.trim()));
        }
    }
}
