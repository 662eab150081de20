//! Checking a whole text at once, in parallel and without salsa: the command line's way.

use memchr::memmem;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use wavelens_syntax::ChunkSpan;

use crate::dialect::{self, Lowered};
use crate::template::Edited;
use crate::{allowed, invisible, producer, runs, spans};
use wavelens_base::configuration::{Program, RunLine, run_lines, run_lines_of};
use wavelens_base::finding::{self, ChunkLayout, Finding, finish};
use wavelens_base::lit::directives::directives;
use wavelens_base::lit::sed;
use wavelens_base::parts::{check_parts, is_log, parts};
use wavelens_base::{ChunkId, Diagnostic, Dialect, Options, Place, TextRange, TextSize, sizes};
use wavelens_llvm::uses::Uses;

/// Checks a file's text. Findings are in the order of their start, then of their code.
pub fn check_text(dialect: Dialect, text: &str, options: &Options) -> Vec<Finding> {
    if let Some(finding) = invisible::wrong_encoding(dialect, text) {
        return finish(vec![finding], options);
    }
    if let Some((finding, rest)) = invisible::byte_order_mark(dialect, text) {
        let end = finding.range.end();
        let found = check_text(dialect, rest, options).into_iter().map(|f| f.moved(end));
        return finish(std::iter::once(finding).chain(found).collect(), options);
    }
    let (file, (parts, directives)) = rayon::join(
        || Chunks::of(dialect, text),
        || rayon::join(|| parts(dialect, text), || directives(text)),
    );
    let lines = run_lines_of(&directives);
    let mut findings = match parts.is_empty() {
        true => check_whole(&file, options, &lines),
        false => check_parts(dialect, text, &parts, &lines, options, |dialect, text, options| {
            check_whole(&Chunks::of(dialect, text), options, &run_lines(text))
        }),
    };
    findings.extend(runs::test_line_findings(dialect, text, &directives, &lines));
    let findings = producer::apply(dialect, text, findings);
    finish(allowed::apply(dialect, text, options, findings), options)
}

/// Whether the rules of a dialect look at a text once and as a whole: not under several RUN lines, nor part by part.
pub fn is_checked_once(dialect: Dialect, text: &str, options: &Options) -> bool {
    runs::checked_runs(dialect, text, options).is_empty() && parts(dialect, text).is_empty()
}

/// What in a text makes its check more than that of its chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TestMarks {
    /// It may have RUN lines, and so several configurations and findings about these lines; or comments that allow codes; or it starts
    /// with what is not text; or it names a producer that is newer than the rules.
    pub has_runs: bool,
    /// It may hold several texts, sections or snapshots, or be a template: chunks would show what nobody wrote.
    pub has_parts: bool,
}

impl TestMarks {
    /// Those of a text. A text of which these are the parts has the marks of any of them, if lines are not cut.
    pub fn of(text: &str) -> TestMarks {
        let has = |word: &str| memmem::find(text.as_bytes(), word.as_bytes()).is_some();
        TestMarks {
            has_runs: has("RUN:")
                || has(allowed::MARK)
                || invisible::has_byte_order_mark(text)
                || producer::is_newer(text),
            has_parts: has("split-file") || has("RUN: sed ") || is_log(text),
        }
    }

    /// Those of two parts of a text.
    pub fn or(self, other: TestMarks) -> TestMarks {
        TestMarks { has_runs: self.has_runs || other.has_runs, has_parts: self.has_parts || other.has_parts }
    }
}

/// Checks a text that is one, under each configuration of its RUN lines.
fn check_whole(file: &Chunks<'_>, options: &Options, lines: &[RunLine]) -> Vec<Finding> {
    let (dialect, text) = (file.dialect, file.text);
    let mut invocations = runs::checked(dialect, lines, options);
    let edits = |number: u32| runs::programs(lines, number).filter(|programs| sed::is_edited(programs));
    // With options that choose a target or a RUN line there is one check.
    let chosen = options.run.or_else(|| lines.first().map(|line| line.number));
    if let Some(programs) = chosen.filter(|_| invocations.is_empty()).and_then(edits) {
        return check_edited(dialect, text, programs, options).unwrap_or_default();
    }
    if invocations.is_empty()
        && (text.len() >= sizes::outlined(dialect) || file.spans.len() >= sizes::OUTLINED_CHUNKS)
        && let Some(findings) = file.check_outlined(options, file.spans.len() < sizes::OUTLINED_CHUNKS)
    {
        return findings;
    }
    let lowered = file.lower();
    if invocations.is_empty() {
        let found = file.check(&lowered, options);
        drop_later(lowered);
        return found;
    }
    // What comes out of a `sed` that is not understood is not known.
    invocations.retain(|run| edits(run.number).is_none_or(|programs| sed::edited(programs, text).is_ok()));
    runs::check_runs(dialect, text, options, lines, &invocations, |options| {
        match options.run.and_then(edits) {
            Some(programs) => check_edited(dialect, text, programs, options).unwrap_or_default(),
            None => file.check(&lowered, options),
        }
    })
}

/// Checks a template as the programs of a RUN line read it. `None` if that is not known.
fn check_edited(
    dialect: Dialect,
    text: &str,
    programs: &[Program],
    options: &Options,
) -> Option<Vec<Finding>> {
    let edited = sed::edited(programs, text).ok()?;
    let edited = edited.as_deref().unwrap_or(text);
    let file = Chunks::of(dialect, edited);
    let (found, places) = (file.check(&file.lower(), options), Edited::new(text, edited));
    Some(found.into_iter().map(|finding| places.in_template(finding)).collect())
}

/// Nobody waits until millions of small values are freed.
fn drop_later(chunks: Vec<Chunk>) {
    rayon::spawn(move || drop(chunks));
}

/// A text with its chunks.
struct Chunks<'t> {
    dialect: Dialect,
    text: &'t str,
    spans: Vec<ChunkSpan>,
}

/// A chunk before its check.
struct Chunk {
    /// `None` if the summary is from an outline: it is lowered when it is checked, and forgotten.
    lowered: Option<Lowered>,
    summary: dialect::Summary,
}

/// What the check of a chunk leaves.
struct Checked {
    diagnostics: Vec<Diagnostic>,
    uses: Uses,
}

impl<'t> Chunks<'t> {
    fn of(dialect: Dialect, text: &'t str) -> Chunks<'t> {
        let spans = match dialect {
            // Addresses and symbol values run through the whole file: it is assembled in one go.
            Dialect::Amdgpu => vec![ChunkSpan { range: TextRange::up_to(TextSize::of(text)) }],
            _ => spans::split(dialect, text),
        };
        Chunks { dialect, text, spans }
    }

    /// How many chunks a core takes at once, at most: so few that all cores end at the same time.
    fn share(&self) -> usize {
        self.spans.len().div_ceil(64)
    }

    fn text(&self, index: usize) -> &str {
        let range = self.spans.get(index).map_or(TextRange::default(), |span| span.range);
        self.text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
    }

    fn lower(&self) -> Vec<Chunk> {
        self.lower_all(self.text.len() < sizes::WITHOUT_RANGES)
    }

    fn lower_all(&self, holds_ranges: bool) -> Vec<Chunk> {
        let lower = |index| {
            let mut lowered = dialect::lower(self.dialect, self.text(index));
            if !holds_ranges {
                dialect::forget_ranges(&mut lowered);
            }
            Chunk { summary: dialect::summarize(&lowered), lowered: Some(lowered) }
        };
        (0..self.spans.len()).into_par_iter().with_max_len(self.share()).map(lower).collect()
    }

    /// Checks chunks that all are lowered.
    fn check(&self, chunks: &[Chunk], options: &Options) -> Vec<Finding> {
        self.check_chunks(chunks, options).unwrap_or_default()
    }

    /// Holds a function's lowered form only during its check, and that of other chunks if `holds_others`. `None` if an outline was not
    /// what it should be.
    fn check_outlined(&self, options: &Options, holds_others: bool) -> Option<Vec<Finding>> {
        let read = |index| {
            let (summary, lowered) = dialect::outline(self.dialect, self.text(index));
            let lowered = lowered.filter(|_| holds_others);
            Chunk { lowered, summary }
        };
        let chunks: Vec<Chunk> =
            (0..self.spans.len()).into_par_iter().with_max_len(self.share()).map(read).collect();
        let found = self.check_chunks(&chunks, options);
        drop_later(chunks);
        found
    }

    fn check_chunks(&self, chunks: &[Chunk], options: &Options) -> Option<Vec<Finding>> {
        let ids = || (0..chunks.len() as u32).map(ChunkId);
        let scope =
            dialect::scope(self.dialect, ids().zip(chunks.iter().map(|chunk| &chunk.summary)), options);
        let check = |(index, chunk)| self.check_chunk(index, chunk, &scope);
        let (checked, (mut module, ends)) = rayon::join(
            || {
                chunks
                    .par_iter()
                    .enumerate()
                    .with_max_len(self.share())
                    .map(check)
                    .collect::<Option<Vec<Checked>>>()
            },
            || (dialect::check_module(&scope), dialect::loose_ends(&scope)),
        );
        let checked = checked?;
        module.extend(dialect::check_uses(&ends, checked.iter().map(|c| &c.uses)));
        let own = checked.iter().flat_map(|checked| &checked.diagnostics).flat_map(related_items);
        let of_module = module.iter().flat_map(|found| {
            std::iter::once((found.chunk, found.item)).chain(related_items(&found.diagnostic))
        });
        let items = own.chain(of_module).collect();
        let places = ItemLayout { file: self, ranges: self.item_ranges(chunks, items) };
        let own = checked.into_iter().enumerate();
        let own = own.flat_map(|(index, checked)| checked.diagnostics.into_iter().map(move |d| (index, d)));
        Some(finding::findings(&places, own, module.into_iter(), options))
    }

    /// The ranges of items in their chunks. A chunk that does not hold them is lowered again, once for all of its items.
    fn item_ranges(
        &self,
        chunks: &[Chunk],
        mut items: Vec<(ChunkId, u32)>,
    ) -> FxHashMap<(ChunkId, u32), TextRange> {
        items.sort_unstable();
        items.dedup();
        let of_chunk = |items: &[(ChunkId, u32)]| {
            let index = items.first().map_or(0, |(id, _)| id.0 as usize);
            let ranges = |lowered: &Lowered| -> Vec<_> {
                items.iter().map(|item| (*item, dialect::item_range(lowered, item.1))).collect()
            };
            match chunks.get(index).map(|chunk| &chunk.lowered) {
                Some(Some(lowered)) if dialect::has_ranges(lowered) => ranges(lowered),
                Some(_) => ranges(&dialect::lower(self.dialect, self.text(index))),
                None => Vec::new(),
            }
        };
        items.par_chunk_by(|(a, _), (b, _)| a == b).flat_map_iter(of_chunk).collect()
    }

    /// `None` if the chunk's summary is another than that of its outline.
    fn check_chunk(&self, index: usize, chunk: &Chunk, scope: &dialect::Scope) -> Option<Checked> {
        let (text, id) = (self.text(index), ChunkId(index as u32));
        let Some(lowered) = &chunk.lowered else {
            let found = dialect::check_outlined(self.dialect, text, &chunk.summary, scope, id)?;
            return Some(Checked { diagnostics: found.0, uses: found.1 });
        };
        Some(Checked { diagnostics: dialect::check(lowered, scope, id, text), uses: dialect::uses(lowered) })
    }
}

/// The ranges of the items that findings need.
struct ItemLayout<'f, 't> {
    file: &'f Chunks<'t>,
    ranges: FxHashMap<(ChunkId, u32), TextRange>,
}

impl ChunkLayout for ItemLayout<'_, '_> {
    fn start(&self, index: usize) -> TextSize {
        self.file.spans.get(index).map_or(TextSize::new(0), |span| span.range.start())
    }

    fn index_of(&self, chunk: ChunkId) -> Option<usize> {
        Some(chunk.0 as usize)
    }

    fn item(&self, chunk: ChunkId, item: u32) -> Option<TextRange> {
        self.ranges.get(&(chunk, item)).copied()
    }
}

/// The items of other chunks that a diagnostic points at.
fn related_items(diagnostic: &Diagnostic) -> impl Iterator<Item = (ChunkId, u32)> {
    diagnostic.related.iter().filter_map(|related| match related.place {
        Place::Item { chunk, item } => Some((chunk, item)),
        Place::Here(_) | Place::Included { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_without_ranges_have_the_same_findings() {
        let options = Options::default();
        for dialect in Dialect::ALL {
            for text in dialect::rules(dialect).iter().flat_map(|rule| [rule.example, rule.fixed]) {
                let file = Chunks::of(dialect, text);
                let forgetful = file.lower_all(false);
                let forgets =
                    forgetful.iter().flat_map(|chunk| &chunk.lowered).all(|l| !dialect::has_ranges(l));
                assert_eq!(forgets, dialect == Dialect::Spirv, "{text}");
                assert_eq!(
                    file.check(&forgetful, &options),
                    file.check(&file.lower_all(true), &options),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn outlined_chunks_are_checked_as_others() {
        let options = Options::default();
        for (dialect, fewest) in Dialect::ALL.map(|dialect| (dialect, 100)) {
            let mut outlined = 0;
            for text in dialect::rules(dialect).iter().flat_map(|rule| [rule.example, rule.fixed]) {
                let file = Chunks::of(dialect, text);
                for holds_others in [true, false] {
                    if let Some(found) = file.check_outlined(&options, holds_others) {
                        outlined += 1;
                        assert_eq!(found, file.check(&file.lower(), &options), "{text}");
                    }
                }
            }
            assert!(outlined > 2 * fewest, "{outlined}");
        }
    }
}
