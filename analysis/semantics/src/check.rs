//! Checking a whole text at once, in parallel and without salsa: the command line's way.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wavelens_syntax::ChunkSpan;

use crate::configuration::several;
use crate::dialect::{self, Lowered};
use crate::includes::{IncludedFile, Includes};
use crate::{
    ChunkId, Diagnostic, Dialect, Fix, ModuleDiagnostic, Options, Place, Rule, Severity, Tag, TextEdit,
    TextRange, TextSize,
};

/// A finding with ranges in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    pub rule: &'static Rule,
    pub severity: Severity,
    pub range: TextRange,
    pub message: String,
    pub related: Vec<RelatedFinding>,
    pub fix: Option<Fix>,
    pub tag: Option<Tag>,
}

/// The other end of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedFinding {
    /// Another file than the checked one.
    pub file: Option<Arc<IncludedFile>>,
    pub range: TextRange,
    pub message: String,
}

/// Checks a file's text. Findings are in the order of their start, then of their code.
pub fn check_text(dialect: Dialect, text: &str, options: &Options) -> Vec<Finding> {
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
    let runs = several::checked_runs(dialect, text, options);
    let mut findings = match runs.is_empty() {
        true => check(options),
        false => several::check_runs(dialect, text, options, &runs, check),
    };
    findings.extend(several::test_line_findings(dialect, text));
    finish(findings, options)
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

/// Moves a chunk's diagnostic into the file. `item` gives the file range of another chunk's entity.
pub fn to_finding(
    d: Diagnostic,
    start: TextSize,
    includes: &Includes,
    item: impl Fn(ChunkId, u32) -> Option<TextRange>,
) -> Finding {
    let resolve = |place: Place| match place {
        Place::Here(range) => Some((None, range + start)),
        Place::Item { chunk, item: index } => Some((None, item(chunk, index)?)),
        Place::Included { file, range } => Some((Some(includes.file(file)?.clone()), range)),
    };
    let related = d.related.into_iter();
    let related = related
        .filter_map(|r| {
            let (file, range) = resolve(r.place)?;
            Some(RelatedFinding { file, range, message: r.message })
        })
        .collect();
    let fix = d.fix.map(|f| Fix {
        title: f.title,
        certain: f.certain,
        edits: f.edits.into_iter().map(|e| TextEdit { range: e.range + start, text: e.text }).collect(),
    });
    let (rule, severity, message, tag) = (d.rule, d.severity, d.message, d.tag);
    Finding { rule, severity, range: d.range + start, message, related, fix, tag }
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
