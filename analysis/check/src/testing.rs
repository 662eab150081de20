//! The findings about a text, for `expect!` tests next to the rules.

use std::fmt::Write as _;
use std::ops::Range;

use crate::check_text;
use wavelens_base::{Dialect, Finding, Fix, Options, Severity, TextEdit, TextRange, TextSize};

/// Every finding: severity, code, place, the text it is about, message; indented below it the other ends, and the lines that
/// its fix changes, as they are after it.
pub fn findings(dialect: Dialect, text: &str) -> String {
    findings_with(dialect, text, &Options::default())
}

/// The same with options.
pub fn findings_with(dialect: Dialect, text: &str, options: &Options) -> String {
    tell(text);
    let mut out = String::new();
    for finding in check_text(dialect, text, options) {
        let severity = severity(finding.severity);
        let (place, code) = (place(text, finding.range), finding.rule.code);
        let _ = writeln!(out, "{severity}[{code}] {place}: {}", finding.message);
        for related in &finding.related {
            let _ = writeln!(out, "  {}: {}", self::place(text, related.range), related.message);
        }
        if let Some(fix) = &finding.fix {
            let _ = writeln!(out, "  fix: {}", fix.title);
            for line in changed_lines(text, fix) {
                let _ = writeln!(out, "  | {line}");
            }
        }
    }
    out
}

/// What a test that fails shows besides what differs: the input, and the commands to go on with. A test that passes shows nothing.
pub fn tell(text: &str) {
    println!("\nthe input:");
    for (number, line) in text.lines().enumerate() {
        println!("{:5} | {line}", number + 1);
    }
    // The program of the tests is named after its package, and its threads after the tests.
    let program = std::env::current_exe().ok();
    let package = program.as_deref().and_then(|path| path.file_stem()?.to_str()?.rsplit_once('-'));
    if let (Some((package, _)), Some(test)) = (package, std::thread::current().name()) {
        println!("this test alone: cargo test -p {} --lib {test}", package.replace('_', "-"));
    }
    println!("what a code means: cargo run -p wavelens -- explain CODE");
    println!("if the change is meant: the same test with UPDATE_EXPECT=1");
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
        Severity::Hint => "hint",
    }
}

/// A text in which lines that start with `;` and go on with `^` or `=` are marks: they are left out of what is checked, and what is
/// returned has those that the findings make.
///
/// ```text
/// v_ad_f32 v0, v1, v2
/// ;^^^^^^^ error[unknown-instruction]: unknown instruction `v_ad_f32`; did you mean `v_add_f32`?
/// ;      = fix: v_add_f32 v0, v1, v2
/// ```
///
/// A certain fix is a `fix`, a likely one a `guess`; of the lines that it changes, those after it are shown.
pub fn marked(dialect: Dialect, text: &str, options: &Options) -> String {
    let is_mark = |line: &&str| {
        line.strip_prefix(';').is_some_and(|rest| rest.trim_start_matches(' ').starts_with(['^', '=']))
    };
    let text: String = text.split_inclusive('\n').filter(|line| !is_mark(line)).collect();
    tell(&text);
    let found = check_text(dialect, &text, options);
    let mut out = String::new();
    let mut start = 0;
    let mut all = text.split_inclusive('\n').peekable();
    while let Some(line) = all.next() {
        out.push_str(line);
        if !line.ends_with('\n') {
            out.push('\n');
        }
        let lines = start..start + line.len();
        start = lines.end;
        // What is missing at the end of the text is shown below its last line.
        let is_last = all.peek().is_none();
        let is_here = |at: usize| lines.contains(&at) || is_last && at >= lines.end;
        for finding in found.iter().filter(|f| is_here(f.range.start().into())) {
            mark(&text, &lines, finding, &mut out);
        }
    }
    out
}

/// Marks the text of an `expect!`, and gives the outcome to its comparison.
#[track_caller]
pub fn marks(dialect: Dialect, text: &str, compare: impl FnOnce(&str)) {
    compare(&marked(dialect, &dedent(text), &Options::default()));
}

fn mark(text: &str, line: &Range<usize>, finding: &Finding, out: &mut String) {
    let last = text[line.clone()].trim_end().len() + line.start;
    let column = |at: TextSize| text[line.start..usize::from(at).clamp(line.start, last)].chars().count();
    let (from, to) = (column(finding.range.start()), column(finding.range.end()));
    let (indent, carets) = (from.max(1) - 1, to.saturating_sub(from.max(1)).max(1));
    let (severity, code) = (severity(finding.severity), finding.rule.code);
    let _ = writeln!(
        out,
        ";{}{} {severity}[{code}]: {}",
        " ".repeat(indent),
        "^".repeat(carets),
        finding.message
    );
    let tail = format!(";{}=", " ".repeat(indent + carets - 1));
    for related in &finding.related {
        let before = &text[..usize::from(related.range.start()).min(text.len())];
        let (line, column) =
            (before.matches('\n').count() + 1, before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1);
        let _ = writeln!(out, "{tail} line {line}:{column}: {}", related.message);
    }
    if let Some(fix) = &finding.fix {
        let word = if fix.certain { "fix" } else { "guess" };
        for line in changed_lines(text, fix) {
            let _ = writeln!(out, "{tail} {word}: {line}");
        }
    }
}

/// A text of a test without the indentation that all its lines share, as `expect!` takes it.
pub fn dedent(text: &str) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let indents = text.lines().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len());
    let indent = indents.min().unwrap_or(0);
    text.split_inclusive('\n')
        .filter_map(|l| l.get(indent.min(l.len() - 1)..).filter(|_| l.ends_with('\n')))
        .collect()
}

/// `line:column` and the first line of the text there.
fn place(text: &str, range: TextRange) -> String {
    let before = text.get(..usize::from(range.start())).unwrap_or("");
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1;
    let slice = text.get(Range::<usize>::from(range)).unwrap_or("");
    format!("{line}:{column} `{}`", slice.lines().next().unwrap_or(""))
}

/// The lines that a fix changes, as they are after it.
fn changed_lines(text: &str, fix: &Fix) -> Vec<String> {
    let Some(fixed) = TextEdit::apply_all(text, &fix.edits) else { return Vec::new() };
    let (old, new): (Vec<_>, Vec<_>) = (text.lines().collect(), fixed.lines().collect());
    let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[same..], &new[same..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    new_rest[..new_rest.len() - tail].iter().map(|line| (*line).to_owned()).collect()
}
