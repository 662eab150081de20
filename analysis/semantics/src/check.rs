//! Checking a whole text at once, in parallel and without salsa: the command line's way.

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wavelens_syntax::ChunkSpan;

use crate::configuration::{RunLine, run_lines, run_lines_of};
use crate::dialect::{self, Lowered};
use crate::finding::{Finding, to_finding};
use crate::lit::directives::directives;
use crate::parts::{check_parts, parts};
use crate::{ChunkId, Diagnostic, Dialect, ModuleDiagnostic, Options, Severity, TextRange, TextSize, runs};

/// Checks a file's text. Findings are in the order of their start, then of their code.
pub fn check_text(dialect: Dialect, text: &str, options: &Options) -> Vec<Finding> {
    let (parts, directives) = (parts(dialect, text), directives(text));
    let lines = run_lines_of(&directives);
    let mut findings = match parts.is_empty() {
        true => check_whole(dialect, text, options, &lines),
        false => check_parts(dialect, text, (&parts, &lines), options, |dialect, text, options| {
            check_whole(dialect, text, options, &run_lines(text))
        }),
    };
    findings.extend(runs::test_line_findings(dialect, text, &directives, &lines));
    finish(findings, options)
}

/// Whether [`check_text`] finds no more in a text than its rules do under one configuration.
pub fn is_plain(dialect: Dialect, text: &str, options: &Options) -> bool {
    let directives = directives(text);
    let lines = run_lines_of(&directives);
    runs::checked(dialect, &lines, options).is_empty()
        && runs::test_line_findings(dialect, text, &directives, &lines).is_empty()
        && parts(dialect, text).is_empty()
}

/// Whether the rules of a dialect look at a text once and as a whole: not under several RUN lines, nor part by part.
pub fn is_checked_once(dialect: Dialect, text: &str, options: &Options) -> bool {
    runs::checked_runs(dialect, text, options).is_empty() && parts(dialect, text).is_empty()
}

/// Checks a text that is one, under each configuration of its RUN lines.
fn check_whole(dialect: Dialect, text: &str, options: &Options, lines: &[RunLine]) -> Vec<Finding> {
    let spans = match dialect {
        // Addresses and symbol values run through the whole file: it is assembled in one go.
        Dialect::Amdgpu => vec![ChunkSpan { range: TextRange::up_to(TextSize::of(text)) }],
        _ => wavelens_syntax::split(dialect, text),
    };
    let slice = |range: TextRange| text.get(std::ops::Range::<usize>::from(range)).unwrap_or("");
    let lowered: Vec<(Lowered, dialect::Summary)> = spans
        .par_iter()
        .map(|span| {
            let lowered = dialect::lower(dialect, slice(span.range));
            let summary = dialect::summarize(&lowered);
            (lowered, summary)
        })
        .collect();
    let check = |options: &Options| check_lowered(dialect, &spans, &lowered, &slice, options);
    let invocations = runs::checked(dialect, lines, options);
    match invocations.is_empty() {
        true => check(options),
        false => runs::check_runs(dialect, text, options, (lines, &invocations), check),
    }
}

/// Checks a lowered text under one configuration.
fn check_lowered<'t>(
    dialect: Dialect,
    spans: &[ChunkSpan],
    lowered: &[(Lowered, dialect::Summary)],
    slice: &(impl Fn(TextRange) -> &'t str + Sync),
    options: &Options,
) -> Vec<Finding> {
    let ids = || (0..spans.len() as u32).map(ChunkId);
    let scope = dialect::scope(dialect, ids().zip(lowered.iter().map(|(_, s)| s)), options);
    let mut gathered: Vec<(usize, Diagnostic)> = lowered
        .par_iter()
        .enumerate()
        .flat_map_iter(|(index, (lowered, _))| {
            let chunk = ChunkId(index as u32);
            let found = dialect::check(lowered, &scope, chunk, slice(spans[index].range));
            found.into_iter().map(move |d| (index, d))
        })
        .collect();
    let uses: Vec<_> = lowered.par_iter().map(|(l, _)| dialect::uses(l)).collect();
    let mut module = dialect::check_module(&scope);
    module.extend(dialect::check_uses(&dialect::loose_ends(&scope), uses.iter()));
    gathered.extend(module_findings(module, |id| {
        let index = id.0 as usize;
        lowered.get(index).map(|(l, _)| (index, l))
    }));
    let place = |chunk: usize| spans.get(chunk).map_or(TextSize::new(0), |s| s.range.start());
    let findings = gathered
        .into_iter()
        .map(|(index, d)| {
            to_finding(d, place(index), &options.includes, |id, item| {
                let index = id.0 as usize;
                lowered.get(index).map(|(l, _)| dialect::item_range(l, item) + place(index))
            })
        })
        .collect();
    finish(findings, options)
}

/// Drops what is switched off, orders, and removes repetitions of one finding at one place.
pub fn finish(mut findings: Vec<Finding>, options: &Options) -> Vec<Finding> {
    for finding in &mut findings {
        // What a rule or a RUN line has weakened stays weak.
        let set = options.severities.iter().find(|(code, _)| code == finding.rule.code);
        if let Some((_, severity)) = set.filter(|_| finding.severity == finding.rule.severity) {
            finding.severity = *severity;
        }
    }
    findings.retain(|f| f.severity == Severity::Error || options.is_enabled(f.rule.code));
    let mut seen = FxHashMap::default();
    findings.retain(|f| seen.insert((f.range, f.rule.code, f.message.clone()), ()).is_none());
    findings.sort_by(|a, b| {
        (a.range.start(), a.severity, a.rule.code).cmp(&(b.range.start(), b.severity, b.rule.code))
    });
    findings
}

/// The module's own findings, each with the key of its chunk and its range set, which is also what its fix replaces.
pub(crate) fn module_findings<'a, C>(
    found: Vec<ModuleDiagnostic>,
    lowered: impl Fn(ChunkId) -> Option<(C, &'a Lowered)>,
) -> Vec<(C, Diagnostic)> {
    found
        .into_iter()
        .filter_map(|m| {
            let (chunk, lowered) = lowered(m.chunk)?;
            let range = dialect::item_range(lowered, m.item);
            Some((chunk, m.at(range)))
        })
        .collect()
}
