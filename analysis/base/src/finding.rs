//! Findings: diagnostics with ranges in the file.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::includes::{IncludedFile, Includes};
use crate::{ChunkId, Diagnostic, Fix, Options, Place, Rule, Severity, Tag, TextEdit, TextRange, TextSize};

/// A finding with ranges in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that is not met.
    pub rule: &'static Rule,
    /// That of the rule, unless the check or the user says another one.
    pub severity: Severity,
    /// What it is about.
    pub range: TextRange,
    /// One sentence without a full stop.
    pub message: String,
    /// The other ends.
    pub related: Vec<RelatedFinding>,
    /// A change after which it is gone.
    pub fix: Option<Fix>,
    /// How an editor may draw the range.
    pub tag: Option<Tag>,
    /// An error that the test expects: it is shown as information.
    pub expected: bool,
}

impl Finding {
    /// A finding with the severity of its rule.
    pub fn new(rule: &'static Rule, range: TextRange, message: impl Into<String>) -> Finding {
        let (severity, message) = (rule.severity, message.into());
        Finding { rule, severity, range, message, related: Vec::new(), fix: None, tag: None, expected: false }
    }

    /// The finding under a RUN line that starts with `not`, which expects errors.
    pub fn expected(self) -> Finding {
        match self.severity {
            Severity::Error => Finding { severity: Severity::Info, expected: true, ..self },
            _ => self,
        }
    }

    /// In a text of which this one's is a part.
    pub fn moved(mut self, by: TextSize) -> Finding {
        self.range += by;
        let own = self.related.iter_mut().filter(|related| related.file.is_none());
        own.for_each(|related| related.range += by);
        self.fix.iter_mut().flat_map(|fix| &mut fix.edits).for_each(|edit| edit.range += by);
        self
    }
}

/// The other end of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelatedFinding {
    /// Another file than the checked one.
    pub file: Option<Arc<IncludedFile>>,
    /// In that file.
    pub range: TextRange,
    /// What is there, as a phrase.
    pub message: String,
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
    Finding { rule, severity, range: d.range + start, message, related, fix, tag, expected: false }
}

/// A finding about names in several chunks, which the scope alone can see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModuleDiagnostic {
    /// The chunk of the entity.
    pub chunk: ChunkId,
    /// The entity of that chunk the finding is about; its range replaces the diagnostic's.
    pub item: u32,
    /// The finding, with an empty range.
    pub diagnostic: Diagnostic,
}

impl ModuleDiagnostic {
    /// As a finding of the chunk, at its item: what it changes is there as well.
    pub fn at(self, range: TextRange) -> Diagnostic {
        let mut diagnostic = Diagnostic { range, ..self.diagnostic };
        for edit in diagnostic.fix.iter_mut().flat_map(|f| &mut f.edits) {
            edit.range = range;
        }
        diagnostic
    }
}

/// Where the chunks of a text are, and what is named in them.
pub trait Places {
    /// Where a chunk starts in the text, by its place among the chunks.
    fn start(&self, index: usize) -> TextSize;

    /// The place of a chunk among the chunks.
    fn index_of(&self, chunk: ChunkId) -> Option<usize>;

    /// Where an entity of a chunk is named, relative to the chunk.
    fn item(&self, chunk: ChunkId, item: u32) -> Option<TextRange>;
}

/// The findings of a text from those of its chunks, each with the chunk's place among the chunks, and those of the module. They are in
/// the order of [`finish`].
pub fn findings(
    places: &impl Places,
    own: impl Iterator<Item = (usize, Diagnostic)>,
    module: impl Iterator<Item = ModuleDiagnostic>,
    options: &Options,
) -> Vec<Finding> {
    let module = module.filter_map(|found| {
        let range = places.item(found.chunk, found.item)?;
        Some((places.index_of(found.chunk)?, found.at(range)))
    });
    let item = |chunk, item| Some(places.item(chunk, item)? + places.start(places.index_of(chunk)?));
    let found = own
        .chain(module)
        .map(|(index, diagnostic)| to_finding(diagnostic, places.start(index), &options.includes, item));
    finish(found.collect(), options)
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
    findings.retain(|f| options.is_enabled(f.rule.code));
    let mut seen = FxHashSet::default();
    let first = findings.iter().map(|f| seen.insert((f.range, f.rule.code, f.message.as_str())));
    let mut first = first.collect::<Vec<bool>>().into_iter();
    findings.retain(|_| first.next().unwrap_or(true));
    findings.sort_by(|a, b| {
        (a.range.start(), a.severity, a.rule.code).cmp(&(b.range.start(), b.severity, b.rule.code))
    });
    findings
}
