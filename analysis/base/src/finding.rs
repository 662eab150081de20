//! Findings: diagnostics with ranges in the file.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use wavelens_syntax::wording;

use crate::includes::{IncludedFile, Includes};
use crate::{
    ChunkId, Diagnostic, Fix, Lack, Options, Place, Rule, Severity, Tag, TextEdit, TextRange, TextSize,
};

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
    /// What stands for the place after the item in a fix.
    pub const AFTER_ITEM: TextRange = TextRange::empty(TextSize::new(u32::MAX));

    /// As a finding of the chunk, at its item: what it changes is there as well, or after it.
    pub fn at(self, range: TextRange) -> Diagnostic {
        let mut diagnostic = Diagnostic { range, ..self.diagnostic };
        for edit in diagnostic.fix.iter_mut().flat_map(|f| &mut f.edits) {
            edit.range = match edit.range {
                Self::AFTER_ITEM => TextRange::empty(range.end()),
                _ => range,
            };
        }
        diagnostic
    }
}

/// Where the chunks of a text are, and what is named in them.
pub trait ChunkLayout {
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
    places: &impl ChunkLayout,
    own: impl Iterator<Item = (usize, Diagnostic)>,
    module: impl Iterator<Item = ModuleDiagnostic>,
    options: &Options,
) -> Vec<Finding> {
    let module = module.filter_map(|found| {
        let range = places.item(found.chunk, found.item)?;
        Some((places.index_of(found.chunk)?, found.at(range)))
    });
    let item = |chunk, item| Some(places.item(chunk, item)? + places.start(places.index_of(chunk)?));
    let found = own.chain(module).map(|(index, mut diagnostic)| {
        let lack = diagnostic.lack.take().map(|lack| Lacked::of(lack, index));
        (lack, to_finding(diagnostic, places.start(index), &options.includes, item))
    });
    finish(each_lack_once(found.collect()), options)
}

/// The findings of a text that was checked as one chunk, which starts at an offset.
pub fn findings_of_one(diagnostics: Vec<Diagnostic>, start: TextSize, options: &Options) -> Vec<Finding> {
    let found = diagnostics.into_iter().map(|mut diagnostic| {
        let lack = diagnostic.lack.take().map(|lack| Lacked::of(lack, 0));
        (lack, to_finding(diagnostic, start, &options.includes, |_, _| None))
    });
    finish(each_lack_once(found.collect()), options)
}

/// What is missing, and from which chunk if not from the file.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Lacked(Option<usize>, Box<str>);

impl Lacked {
    fn of(lack: Lack, index: usize) -> Lacked {
        match lack {
            Lack::InChunk(name) => Lacked(Some(index), name),
            Lack::InFile(name) => Lacked(None, name),
        }
    }
}

/// Places that a finding lists besides its own where the same is missing.
const SHOWN_USES: usize = 3;

/// Of the findings of one severity that lack the same, the first one of the text, with the places of the next ones and with the fixes of all.
fn each_lack_once(mut found: Vec<(Option<Lacked>, Finding)>) -> Vec<Finding> {
    if found.iter().filter(|(lack, _)| lack.is_some()).nth(1).is_none() {
        return found.into_iter().map(|(_, finding)| finding).collect();
    }
    found.sort_by_key(|(_, finding)| finding.range.start());
    let mut first: FxHashMap<(Severity, Lacked), (usize, usize)> = FxHashMap::default();
    let mut shown: Vec<Finding> = Vec::with_capacity(found.len());
    for (lack, finding) in found {
        let Some(lack) = lack else {
            shown.push(finding);
            continue;
        };
        let (at, uses) = first.entry((finding.severity, lack)).or_insert((shown.len(), 0));
        let Some(earlier) = shown.get_mut(*at) else {
            shown.push(finding);
            continue;
        };
        if *uses < SHOWN_USES {
            let (file, message) = (None, wording::ALSO_HERE.to_owned());
            earlier.related.push(RelatedFinding { file, range: finding.range, message });
        }
        *uses += 1;
        if let Some((fix, other)) = earlier.fix.as_mut().zip(finding.fix)
            && fix.title == other.title
        {
            fix.certain &= other.certain;
            fix.edits.extend(other.edits);
        }
    }
    shown
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

#[cfg(test)]
mod tests {
    use super::*;

    wavelens_syntax::rules! {
        UNDEFINED { code: "undefined", severity: Severity::Error, title: "", explain: "", example: "", fixed: "", source: "" }
    }

    fn undefined(at: u32, lack: Lack) -> Diagnostic {
        let range = TextRange::at(at.into(), 2.into());
        Diagnostic::new(&UNDEFINED, range, "undefined").guess("Replace", range, "%b").with_lack(lack)
    }

    fn shown(found: Vec<(usize, Diagnostic)>) -> Vec<(u32, usize, usize)> {
        struct Chunks;
        impl ChunkLayout for Chunks {
            fn start(&self, index: usize) -> TextSize {
                (100 * index as u32).into()
            }

            fn index_of(&self, _: ChunkId) -> Option<usize> {
                None
            }

            fn item(&self, _: ChunkId, _: u32) -> Option<TextRange> {
                None
            }
        }
        let found = findings(&Chunks, found.into_iter(), std::iter::empty(), &Options::default());
        let facts = |f: &Finding| {
            (f.range.start().into(), f.related.len(), f.fix.as_ref().map_or(0, |fix| fix.edits.len()))
        };
        found.iter().map(facts).collect()
    }

    #[test]
    fn what_a_file_lacks_is_found_once() {
        let in_file = || Lack::InFile("%a".into());
        let places = [(1, 5), (0, 40), (0, 7), (2, 1), (2, 9)];
        let found = places.map(|(index, at)| (index, undefined(at, in_file())));
        assert_eq!(shown(found.into()), [(7, SHOWN_USES, 5)]);
    }

    #[test]
    fn what_a_chunk_lacks_is_found_once_in_it() {
        let in_chunk = || Lack::InChunk("%a".into());
        let places = [(1, 5), (0, 40), (0, 7)];
        let found = places.map(|(index, at)| (index, undefined(at, in_chunk())));
        assert_eq!(shown(found.into()), [(7, 1, 2), (105, 0, 1)]);
    }

    #[test]
    fn what_else_is_missing_is_another_finding() {
        let found = ["%a", "%b"].map(|name| (0, undefined(3, Lack::InFile(name.into()))));
        // One message at one place is one finding.
        assert_eq!(shown(found.into()).len(), 1);
        let found = [("%a", 3), ("%b", 9)].map(|(name, at)| (0, undefined(at, Lack::InFile(name.into()))));
        assert_eq!(shown(found.into()), [(3, 0, 1), (9, 0, 1)]);
    }
}
