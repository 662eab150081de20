//! Findings about a test that was run.

use crate::{Finding, RelatedFinding, Severity, TextRange, TextSize};

wavelens_syntax::rules! {
    CHECK_FAILED {
        code: "check-failed",
        severity: Severity::Error,
        title: "a CHECK line matches the output of its RUN line",
        explain: "FileCheck did not find what the line asks for. The message names the place in the output where the search began, and the text that \
            is closest. Found only when a test is run.",
        example: "",
        fixed: "",
        source: "LLVM, FileCheck",
    }
    RUN_FAILED {
        code: "run-line-failed",
        severity: Severity::Error,
        title: "the programs of a RUN line succeed",
        explain: "A program ended with an error, crashed, ran out of time or was not found, or `not` met a program that succeeded. Found only when \
            a test is run.",
        example: "",
        fixed: "",
        source: "LLVM, lit",
    }
    RUN_REFUSED {
        code: "run-line-refused",
        severity: Severity::Warning,
        title: "RUN lines use only programs and options that are known to be harmless",
        explain: "Only llc, opt, llvm-as, llvm-dis, llvm-mc, FileCheck, not, count, split-file, spirv-as, spirv-val, spirv-dis and a few commands for \
            files are run, without a shell, and no option that loads a plugin, writes outside a private folder or reads more arguments from a file. \
            If one command of a test is refused, none is run. Use lit for such tests.",
        example: "",
        fixed: "",
        source: "",
    }
}

/// The place where FileCheck searched, or what it found: line of the output, counted from 1, and its text.
pub type OutputPlace = (u32, String);

/// A CHECK line that did not match.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mismatch {
    /// Counted from 1.
    pub line: u32,
    /// What FileCheck says: `CHECK-NEXT: expected string not found in input`.
    pub message: String,
    /// Where FileCheck began to search.
    pub search: Option<OutputPlace>,
    /// The nearest text that nearly matches.
    pub closest: Option<OutputPlace>,
    /// The text that matches, and must not, or not there.
    pub found: Option<OutputPlace>,
    /// FileCheck's further notes.
    pub notes: Vec<String>,
}

/// The finding for a CHECK line that did not match the output of a RUN line.
pub fn check_failed(text: &str, number: u32, run_range: TextRange, mismatch: &Mismatch) -> Finding {
    let mut message =
        format!("{} of RUN line {number}", mismatch.message.replace("found in input", "found in the output"));
    let place = |(line, text): &OutputPlace| match shortened(text) {
        text if text.is_empty() => format!("output line {line}"),
        text => format!("output line {line}, `{text}`"),
    };
    if let Some(search) = &mismatch.search {
        message += &format!("; the search began at {}", place(search));
    }
    if let Some(closest) = &mismatch.closest {
        message += &format!("; closest is {}", place(closest));
    }
    if let Some(found) = &mismatch.found {
        message += &format!("; it is at {}", place(found));
    }
    for note in mismatch.notes.iter().take(MAX_NOTES) {
        message += &format!("; {note}");
    }
    let mut finding = Finding::new(&CHECK_FAILED, line_range(text, mismatch.line), message);
    finding.related.push(RelatedFinding { file: None, range: run_range, message: "the RUN line".to_owned() });
    finding
}

/// Notes of FileCheck that a message repeats.
const MAX_NOTES: usize = 4;
/// Characters of a line of output in a message.
const MAX_TEXT: usize = 100;

fn shortened(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}...", text.get(..end).unwrap_or("")),
        None => text.to_owned(),
    }
}

/// The finding for a RUN line whose program failed: at the RUN line, or at the line that the program's message names.
pub fn run_failed(text: &str, range: TextRange, line: Option<u32>, message: String) -> Finding {
    let Some(line) = line else { return Finding::new(&RUN_FAILED, range, message) };
    let mut finding = Finding::new(&RUN_FAILED, line_range(text, line), message);
    finding.related.push(RelatedFinding { file: None, range, message: "the RUN line".to_owned() });
    finding
}

/// The finding for a command that may not run.
pub fn run_refused(range: TextRange, reason: &str) -> Finding {
    Finding::new(&RUN_REFUSED, range, format!("this RUN line is not run: {reason}"))
}

/// A line, counted from 1, without the blanks around it.
fn line_range(text: &str, line: u32) -> TextRange {
    let start = match line {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line as usize - 2).map_or(0, |(at, _)| at + 1),
    };
    let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
    let indent = line.len() - line.trim_start().len();
    let start = TextSize::new(u32::try_from(start + indent).unwrap_or(0));
    TextRange::at(start, TextSize::of(line.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "; RUN: llc\n  ; CHECK: a \n";

    fn shown(finding: &Finding) -> String {
        let at = |range: TextRange| TEXT.get(std::ops::Range::<usize>::from(range)).unwrap_or("?");
        let related = finding.related.iter().map(|r| format!(" ({}: {})", r.message, at(r.range)));
        format!("`{}` {}{}", at(finding.range), finding.message, related.collect::<String>())
    }

    #[test]
    fn a_mismatch_names_the_places_in_the_output() {
        let run = TextRange::new(2.into(), 10.into());
        let mismatch =
            Mismatch { line: 2, message: "CHECK: string not found in input".into(), ..Mismatch::default() };
        let message = "`; CHECK: a` CHECK: string not found in the output of RUN line 2";
        assert_eq!(
            shown(&check_failed(TEXT, 2, run, &mismatch)),
            format!("{message} (the RUN line: RUN: llc)")
        );
        let notes = (1..=MAX_NOTES + 1).map(|number| format!("note {number}")).collect();
        let places = Mismatch {
            search: Some((3, " ".into())),
            closest: Some((4, " b ".into())),
            found: Some((5, "c".repeat(MAX_TEXT))),
            notes,
            ..mismatch
        };
        let long = "c".repeat(MAX_TEXT);
        assert_eq!(
            shown(&check_failed(TEXT, 2, run, &places)),
            format!(
                "{message}; the search began at output line 3; closest is output line 4, `b`; it is at output line 5, `{long}`; \
                 note 1; note 2; note 3; note 4 (the RUN line: RUN: llc)"
            )
        );
        assert_eq!(shortened(&format!("{long}d")), format!("{long}..."));
    }

    #[test]
    fn a_failed_program_is_shown_at_the_line_that_it_names() {
        let run = TextRange::new(2.into(), 10.into());
        let of = |line| shown(&run_failed(TEXT, run, line, "failed".to_owned()));
        assert_eq!(of(None), "`RUN: llc` failed");
        assert_eq!(of(Some(0)), "`; RUN: llc` failed (the RUN line: RUN: llc)");
        assert_eq!(of(Some(1)), "`; RUN: llc` failed (the RUN line: RUN: llc)");
        assert_eq!(of(Some(2)), "`; CHECK: a` failed (the RUN line: RUN: llc)");
        assert_eq!(of(Some(3)), "`` failed (the RUN line: RUN: llc)");
        assert_eq!(shown(&run_refused(run, "why")), "`RUN: llc` this RUN line is not run: why");
    }
}
