//! Units that need no knowledge of a dialect, and applying them.

use std::cmp::Reverse;
use std::hash::BuildHasher;
use std::ops::Range;

use rowan::{NodeCache, NodeOrToken};
use rustc_hash::FxBuildHasher;
use wavelens_syntax::{Dialect, TextRange, TextSize};

use crate::dialect;
use wavelens_base::TextEdit;
use wavelens_base::reduction_unit::{Unit, removal};

/// The text with some changes made; one that begins inside an earlier or larger one is dropped.
pub(super) fn apply<'e>(text: &str, edits: impl Iterator<Item = &'e TextEdit>) -> Option<String> {
    let mut edits: Vec<&TextEdit> = edits.collect();
    edits.sort_by_key(|e| (e.range.start(), Reverse(e.range.end())));
    let mut done = TextSize::new(0);
    edits.retain(|edit| {
        let is_inside = edit.range.start() < done;
        done = if is_inside { done } else { edit.range.end() };
        !is_inside
    });
    TextEdit::apply_all(text, edits)
}

pub(super) fn slice(text: &str, range: TextRange) -> &str {
    text.get(Range::<usize>::from(range)).unwrap_or("")
}

/// Hashes of the lines of a text, without blanks around them.
pub(super) struct Lines(Vec<u64>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        Lines(lines.map(|line| FxBuildHasher.hash_one(line)).collect())
    }

    /// Whether the other text has these lines in this order.
    pub(super) fn are_in(&self, other: &Lines) -> bool {
        let mut rest = other.0.iter();
        self.0.len() <= other.0.len() && self.0.iter().all(|line| rest.any(|other| other == line))
    }
}

/// What an edit changes: the lines around it, its place in them, and the new text.
pub(super) fn change<'t>(text: &'t str, edit: &'t TextEdit) -> (&'t str, usize, usize, &'t str) {
    let (start, end) = (usize::from(edit.range.start()), usize::from(edit.range.end()));
    let first = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let last = text.get(end..).and_then(|after| after.find('\n')).map_or(text.len(), |at| end + at);
    (text.get(first..last).unwrap_or(""), start - first, end - start, &edit.text)
}

const RUN: &str = "RUN:";

/// What says for which machine a text is compiled: that it has a RUN line, else the processor if it names one; and its triple.
pub(super) fn target(text: &str) -> Vec<String> {
    let named = text.split("\"target-cpu\"=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let mut parts: Vec<String> = match text.contains(RUN) {
        true => vec![RUN.to_owned()],
        false => named.map(|name| format!("\"target-cpu\"=\"{name}\"")).collect(),
    };
    parts.dedup();
    if parts.len() > 1 {
        parts.clear();
    }
    let is_target = |line: &&str| line.starts_with("target triple") || line.starts_with(".amdgcn_target");
    parts.extend(text.lines().map(str::trim).filter(is_target).map(str::to_owned));
    parts
}

/// Each chunk: a function, a global, a document. The RUN lines before it stay.
pub(super) fn entities(dialect: Dialect, text: &str) -> Vec<Unit> {
    let spans = wavelens_syntax::split(dialect, text);
    spans.iter().map(|span| without_runs(text, span.range)).collect()
}

fn without_runs(text: &str, range: TextRange) -> Unit {
    let chunk = slice(text, range);
    let Some(last) = chunk.rfind(RUN) else { return removal(range) };
    let head = TextSize::of(chunk.get(..last).unwrap_or(""));
    let end = chunk.get(last..).and_then(|rest| rest.find('\n')).map_or(chunk.len(), |end| last + end + 1);
    let rest = TextRange::new(range.start() + TextSize::of(chunk.get(..end).unwrap_or("")), range.end());
    let lines = line_ranges(slice(text, TextRange::at(range.start(), head)));
    let dropped = lines.map(|line| line + range.start()).filter(|line| !slice(text, *line).contains(RUN));
    let whole = dropped.filter(|line| slice(text, *line).ends_with('\n'));
    whole.chain([rest]).map(|range| TextEdit::new(range, "")).collect()
}

/// Each line that holds something.
pub(super) fn lines(text: &str) -> Vec<Unit> {
    line_ranges(text).filter(|range| !slice(text, *range).trim().is_empty()).map(removal).collect()
}

/// Blank lines, blanks at the ends of lines, comments that are lines.
pub(super) fn trivia(text: &str, keeps_runs: bool) -> Vec<Unit> {
    let mut units = Vec::new();
    for range in line_ranges(text) {
        let line = slice(text, range);
        let kept = line.trim_end();
        if keeps_runs && kept.contains(RUN) {
            continue;
        }
        if kept.is_empty() || kept.trim_start().starts_with([';', '#']) || kept.trim_start().starts_with("//")
        {
            units.push(removal(range));
        } else if kept.len() < line.trim_end_matches('\n').len() {
            let start = range.start() + TextSize::of(kept);
            units.push(removal(TextRange::new(start, range.end() - TextSize::new(1))));
        }
    }
    units
}

/// With the line break at the end.
fn line_ranges(text: &str) -> impl Iterator<Item = TextRange> + '_ {
    let mut start = TextSize::new(0);
    text.split_inclusive('\n').map(move |line| {
        let range = TextRange::at(start, TextSize::of(line));
        start = range.end();
        range
    })
}

/// Nodes and tokens of all chunks by their depth; 0 are the chunks themselves.
pub(super) fn levels(dialect: Dialect, text: &str) -> Vec<Vec<TextRange>> {
    let mut levels: Vec<Vec<TextRange>> = Vec::new();
    let mut cache = NodeCache::default();
    for span in wavelens_syntax::split(dialect, text).iter() {
        let green = dialect::green(dialect, slice(text, span.range), &mut cache);
        let mut open = vec![(0, span.range.start(), green)];
        while let Some((depth, start, node)) = open.pop() {
            let mut at = start;
            for child in node.children() {
                let range = TextRange::at(at, child.text_len());
                at = range.end();
                if slice(text, range).trim().is_empty() {
                    continue;
                }
                if levels.len() <= depth {
                    levels.resize(depth + 1, Vec::new());
                }
                if let Some(level) = levels.get_mut(depth) {
                    level.push(range);
                }
                if let NodeOrToken::Node(node) = child {
                    open.push((depth + 1, range.start(), node.to_owned()));
                }
            }
        }
    }
    levels.iter_mut().for_each(|level| level.sort_by_key(|range| range.start()));
    levels
}

/// A range with the comma that separates it from its neighbour.
pub(super) fn without(text: &str, range: TextRange) -> TextRange {
    let before = text.get(..usize::from(range.start())).unwrap_or("").trim_end_matches([' ', '\t']);
    if let Some(before) = before.strip_suffix(',') {
        return TextRange::new(TextSize::of(before), range.end());
    }
    let after = text.get(usize::from(range.end())..).unwrap_or("");
    let rest = after.trim_start_matches([' ', '\t']);
    let Some(rest) = rest.strip_prefix(',') else { return range };
    let rest = rest.trim_start_matches([' ', '\t']);
    TextRange::new(range.start(), TextSize::of(text) - TextSize::of(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_inside_another_is_dropped() {
        let edit =
            |start: u32, end: u32, text: &str| TextEdit::new(TextRange::new(start.into(), end.into()), text);
        let edits = [edit(2, 3, "x"), edit(1, 4, ""), edit(5, 6, "y")];
        assert_eq!(apply("abcdefg", edits.iter()).as_deref(), Some("aeyg"));
    }

    #[test]
    fn lines_that_another_text_has() {
        let all = Lines::new("a\n b\nc\nb\n");
        assert!(["a\nc", "  b\n\nb", ""].iter().all(|text| Lines::new(text).are_in(&all)));
        assert!(!["c\na", "a\nbc", "b\nb\nb"].iter().any(|text| Lines::new(text).are_in(&all)));
    }

    #[test]
    fn elements_of_lists_go_with_their_comma() {
        let cut = |range: Range<u32>| {
            let text = "f(a, b, c)";
            let range = without(text, TextRange::new(range.start.into(), range.end.into()));
            apply(text, removal(range).iter()).unwrap_or_default()
        };
        assert_eq!(
            [cut(2..3), cut(5..6), cut(8..9), cut(0..1)],
            ["f(b, c)", "f(a, c)", "f(a, b)", "(a, b, c)"]
        );
    }
}
