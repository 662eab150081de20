//! Cutting a file into chunks at lexical anchors.
//!
//! A chunk is a function, or a bounded run of small top-level entities. Boundaries are found line by line and never by
//! matching braces, so a missing brace does not swallow the file. A dialect describes its lines with a [`LineRule`]; the
//! state at the start of every chunk is 0, so that a chunk can be split again without looking at what is before it.

use memchr::memchr;
use rowan::{TextRange, TextSize};

/// The effect of a line on the chunk that contains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// A new chunk always starts here.
    Start,
    /// A top-level entity starts here: a new chunk may start, and does when the current one is long enough.
    Boundary,
    /// Belongs to the chunk of the line before.
    Inside,
}

/// Says for a line (line end included) and the state before it what the line does, and the state after it. The state is the dialect's own;
/// 0 is that of a fresh chunk. A `Start` or `Boundary` line is stepped from 0 when a chunk starts at it.
pub type LineRule = fn(state: u32, line: &str) -> (Line, u32);

/// How many bytes of whole lines, at the start of a text, are [`Line::Inside`] and leave the state as it is. They may be more.
pub type Skip = fn(state: u32, text: &str) -> usize;

/// What a dialect says of its lines.
#[derive(Debug, Clone, Copy)]
pub struct Lines {
    /// Looks at one line.
    pub rule: LineRule,
    /// Looks at many at once. Lines that it passes over are not counted: they are not of a run.
    pub skip: Skip,
}

impl Lines {
    /// Each line is looked at.
    pub fn each(rule: LineRule) -> Lines {
        Lines { rule, skip: |_, _| 0 }
    }
}

/// One chunk's place in the file, in bytes. Chunks cover the file without gap or overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChunkSpan {
    /// From its first byte to the first byte of the next chunk.
    pub range: TextRange,
}

/// How many boundaries a run of small entities has between two cuts, on average. Which ones are cut is decided by the line itself
/// and not by counting from the start of the run: so an edit moves no cut elsewhere, and splitting again gives what splitting
/// the whole file would give.
const RUN_LINES: u32 = 256;

/// Lines after which a run is cut sooner, at one boundary of [`LONG_RUN_LINES`]: where few lines differ, as in generated code, few of
/// them are cuts.
const LONG_RUN: u32 = 512;
const LONG_RUN_LINES: u32 = 8;

/// Lines after which a run is cut at the next boundary in any case.
const LONGEST_RUN: u32 = 8192;

/// Is a run of small entities, so many lines long, cut before this line?
fn cuts_run(lines: u32, line: &str) -> bool {
    // FNV-1a over the line's start, which names the entity.
    let hash =
        line.bytes().take(48).fold(0x811c_9dc5u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
    let hash = hash ^ hash >> 15;
    match lines {
        LONGEST_RUN.. => true,
        LONG_RUN.. => hash.is_multiple_of(LONG_RUN_LINES),
        _ => hash.is_multiple_of(RUN_LINES),
    }
}

/// Splits a whole file. An empty file is one empty chunk.
pub fn split(lines: Lines, text: &str) -> Vec<ChunkSpan> {
    split_until(lines, text, |_| false).0
}

/// Splits again what an edit touched.
///
/// `text` is the new text from the start of the first chunk to be split again up to the end of the file; `resume` holds,
/// ascending, the offsets in it (all after the edit) at which a chunk started before. Returns the new chunks from the start of `text`, and
/// the offset from `resume` at which the old chunks go on unchanged, or `None` if everything to the end was split again.
pub fn resplit(lines: Lines, text: &str, resume: &[TextSize]) -> (Vec<ChunkSpan>, Option<TextSize>) {
    let (spans, stop) = split_until(lines, text, |at| resume.binary_search(&at).is_ok());
    (spans, stop)
}

/// Stops before a line that starts a chunk and that `stop` accepts.
fn split_until(
    Lines { rule, skip }: Lines,
    text: &str,
    stop: impl Fn(TextSize) -> bool,
) -> (Vec<ChunkSpan>, Option<TextSize>) {
    let mut spans = Vec::new();
    let (mut start, mut at, mut lines, mut state) = (0usize, 0usize, 0u32, 0u32);
    let span = |start: usize, end: usize| ChunkSpan {
        range: TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32)),
    };
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = skip(state, rest);
        if plain > 0 {
            at += plain;
            continue;
        }
        let line =
            rest.get(..memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |end| end + 1)).unwrap_or(rest);
        let end = at + line.len();
        let (class, next) = rule(state, line);
        let starts = match class {
            Line::Start => at > start,
            Line::Boundary => at > start && cuts_run(lines, line),
            Line::Inside => false,
        };
        if starts {
            spans.push(span(start, at));
            if stop(TextSize::new(at as u32)) {
                return (spans, Some(TextSize::new(at as u32)));
            }
            (start, lines) = (at, 0);
            state = rule(0, line).1;
        } else {
            state = next;
        }
        lines += 1;
        at = end;
    }
    if at > start || spans.is_empty() {
        spans.push(span(start, at));
    }
    (spans, None)
}
