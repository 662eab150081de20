//! `wavelens check --fix`: applies the fixes that are certain, and keeps a change only if it makes no new error.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use anstream::stream::RawStream;
use similar::TextDiff;
use wavelens_base::{Finding, Fix, Options, Severity, TextEdit};

use super::checked::Checker;
use super::output::is_colored;
use crate::checked::suggestions;
use crate::shown;
use crate::source::Source;

/// What fixing came to.
#[derive(Debug)]
pub(super) struct Fixed {
    pub(super) text: String,
    /// The findings that are left.
    pub(super) left: Vec<Finding>,
    /// Fixes applied.
    pub(super) count: usize,
}

/// A fix may uncover what another one fixes.
const ROUNDS: usize = 10;

/// Checks after a change that made a new error, to find out which fixes make none.
const RETRIES: usize = 64;

/// Applies all certain fixes of a text, again and again until none is left. Fixes with which there would be a new error are left out.
pub(super) fn fix(source: &Source, findings: Vec<Finding>, options: &Options, checker: &Checker) -> Fixed {
    let mut source = Source { dialect: source.dialect, text: source.text.clone(), is_exact: true };
    let mut fixed = Fixed { text: String::new(), left: findings, count: 0 };
    for _ in 0..ROUNDS {
        let fixes = applicable(&source, &fixed.left, options, checker.unsafe_fixes);
        let before = errors(&fixed.left);
        let mut trial = Trial { source: &source, before, options, checker, checks: 0, best: None };
        let mut kept = Vec::new();
        trial.add(&mut kept, &fixes);
        let Some((text, left)) = trial.best else { break };
        source.text = text;
        fixed.count += kept.len();
        fixed.left = left;
    }
    fixed.text = source.text;
    fixed
}

/// The certain fixes of a text that do not touch each other, in the order of the text; with `likely` also those that have no alternative.
fn applicable<'f>(
    source: &Source,
    findings: &'f [Finding],
    options: &Options,
    likely: bool,
) -> Vec<Chosen<'f>> {
    let chosen = |(finding, mut own): (&'f Finding, Vec<Fix>)| {
        let at = own.iter().position(|fix| fix.certain).or((likely && own.len() == 1).then_some(0));
        at.map(|at| Chosen { finding, fix: own.swap_remove(at) })
    };
    let all = findings.iter().zip(suggestions(source, findings, options)).filter_map(chosen);
    let mut taken: Vec<Chosen<'f>> = Vec::new();
    let mut edits: Vec<TextEdit> = Vec::new();
    for chosen in all {
        // Findings are in order: what could overlap came shortly before.
        let overlaps =
            |e: &TextEdit| edits.iter().rev().take(256).any(|o| o.range.intersect(e.range).is_some());
        let own = &chosen.fix.edits;
        if !own.is_empty() && !own.iter().any(overlaps) {
            edits.extend(own.iter().cloned());
            taken.push(chosen);
        }
    }
    taken
}

/// A fix and the finding that it is for.
#[derive(Clone)]
struct Chosen<'f> {
    finding: &'f Finding,
    fix: Fix,
}

/// Whether the findings of some fixes are gone after some edits, theirs among them. Another place may have the same ones.
fn are_gone(fixes: &[Chosen<'_>], edits: &[TextEdit], left: &[Finding]) -> bool {
    let mut moves: Vec<(usize, isize)> = edits
        .iter()
        .map(|edit| {
            (edit.range.end().into(), edit.text.len() as isize - usize::from(edit.range.len()) as isize)
        })
        .collect();
    moves.sort_unstable();
    let mut sum = 0;
    for (_, by) in &mut moves {
        sum += *by;
        *by = sum;
    }
    let moved = |start: usize| {
        let before = moves.partition_point(|(end, _)| *end <= start);
        let by = before.checked_sub(1).map_or(0, |last| moves[last].1);
        start.saturating_add_signed(by)
    };
    let is_at = |f: &Finding, start| (f.rule.code, f.message.clone(), start);
    let left: HashSet<_> = left.iter().map(|f| is_at(f, f.range.start().into())).collect();
    fixes
        .iter()
        .all(|Chosen { finding, .. }| !left.contains(&is_at(finding, moved(finding.range.start().into()))))
}

/// A search for as many fixes as make no new error and leave none of their findings.
struct Trial<'a> {
    source: &'a Source,
    before: HashMap<(&'static str, String), usize>,
    options: &'a Options,
    checker: &'a Checker,
    checks: usize,
    /// The text with all that was kept, and its findings.
    best: Option<(String, Vec<Finding>)>,
}

impl Trial<'_> {
    /// Adds those of some fixes that do what they are for: all at once, else half by half.
    fn add<'f>(&mut self, kept: &mut Vec<Chosen<'f>>, fixes: &[Chosen<'f>]) {
        if fixes.is_empty() || self.checks >= RETRIES {
            return;
        }
        self.checks += 1;
        let edits: Vec<TextEdit> =
            kept.iter().chain(fixes).flat_map(|f| f.fix.edits.iter().cloned()).collect();
        if let Some(text) = TextEdit::apply_all(&self.source.text, &edits) {
            let left = self.checker.findings(self.source.dialect, &text, self.options);
            let no_more = |(error, n): (&_, &usize)| self.before.get(error).is_some_and(|before| n <= before);
            if errors(&left).iter().all(no_more) && are_gone(fixes, &edits, &left) {
                kept.extend_from_slice(fixes);
                self.best = Some((text, left));
                return;
            }
        }
        if fixes.len() > 1 {
            let (first, second) = fixes.split_at(fixes.len() / 2);
            self.add(kept, first);
            self.add(kept, second);
        }
    }
}

/// Errors by what they say, with their number: places move.
fn errors(findings: &[Finding]) -> HashMap<(&'static str, String), usize> {
    let mut errors = HashMap::new();
    for finding in
        findings.iter().filter(|f| Severity::Error == f.severity || Severity::Error == f.rule.severity)
    {
        *errors.entry((finding.rule.code, finding.message.clone())).or_default() += 1;
    }
    errors
}

/// What changed, as a unified diff that `patch` and `git apply` read.
pub(super) fn diff(path: &Path, before: &str, after: &str, stream: &impl RawStream) -> String {
    let diff = TextDiff::from_lines(before, after);
    let path = shown::path(path);
    let text = diff.unified_diff().header(&path, &path).to_string();
    if is_colored(stream) { colored_diff(&text) } else { text }
}

/// A diff whose lines have colors by their first characters.
pub(super) fn colored_diff(text: &str) -> String {
    text.lines().map(colored).collect()
}

fn colored(line: &str) -> String {
    let color = match line.as_bytes().first() {
        Some(b'+') => 32,
        Some(b'-') => 31,
        Some(b'@') => 36,
        _ => return format!("{line}\n"),
    };
    format!("\u{1b}[{color}m{line}\u{1b}[0m\n")
}
