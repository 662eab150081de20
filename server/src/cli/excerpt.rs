//! The lines that are shown around a finding. Lines can be as long as the file: each is cut to what is near the marks before it is
//! rendered.

use std::ops::Range;

use wavelens_base::{TextRange, TextSize};

use crate::checked::positions::Text;

/// Bytes of a line kept before and after what is marked; more than a renderer shows.
const AROUND: u32 = 160;

/// Bytes marked at most.
const MARKED: u32 = 200;

/// Lines between two marks in one excerpt, and lines marked as one, at most.
const LINES: u32 = 10;

/// Lines of a text, cut.
#[derive(Debug)]
pub(super) struct Excerpt {
    pub(super) source: String,
    /// Number of the first line, counted from 1.
    pub(super) first_line: usize,
    pieces: Vec<Piece>,
}

/// A part of one line: its range in the text, and where it starts in the excerpt.
#[derive(Debug)]
struct Piece {
    range: TextRange,
    start: usize,
}

/// Whether one excerpt can show one more range.
pub(super) fn can_share(text: Text<'_>, marks: impl Iterator<Item = TextRange>, range: TextRange) -> bool {
    let line = |range: TextRange| text.index.position(range.start()).0;
    marks.into_iter().all(|mark| {
        let apart = line(mark).abs_diff(line(range));
        let bytes = u32::from(mark.start()).abs_diff(range.start().into());
        apart <= LINES && (apart > 0 || bytes <= AROUND)
    })
}

impl Excerpt {
    /// `marks`: the first is the main one.
    pub(super) fn new(text: Text<'_>, marks: impl Iterator<Item = TextRange>) -> Self {
        let marks: Vec<TextRange> = marks.map(|mark| cut(text, mark)).collect();
        let line = |offset| text.index.position(offset).0;
        let first = marks.iter().map(|m| line(m.start())).min().unwrap_or(0);
        let last = marks.iter().map(|m| line(m.end())).max().unwrap_or(first);
        let mut excerpt =
            Excerpt { source: String::new(), first_line: first as usize + 1, pieces: Vec::new() };
        for number in first..=last {
            let range = text.index.line(text.text, number);
            let mark = marks.iter().find_map(|m| m.intersect(range));
            let around = match mark {
                Some(mark) => around(text.text, range, mark),
                None => around(text.text, range, TextRange::empty(range.start())),
            };
            if number > first {
                excerpt.source.push('\n');
            }
            excerpt.pieces.push(Piece { range: around, start: excerpt.source.len() });
            excerpt.source.push_str(text.text.get(Range::<usize>::from(around)).unwrap_or(""));
        }
        excerpt
    }

    /// Where a range of the text is in the excerpt.
    pub(super) fn local(&self, range: TextRange) -> Range<usize> {
        let start = self.offset(range.start());
        start..self.offset(range.end()).max(start)
    }

    fn offset(&self, offset: TextSize) -> usize {
        let after = self.pieces.partition_point(|p| p.range.start() <= offset);
        let Some(piece) = self.pieces.get(after.saturating_sub(1)) else { return 0 };
        let inside = offset.clamp(piece.range.start(), piece.range.end()) - piece.range.start();
        piece.start + usize::from(inside)
    }
}

/// A mark of many lines or of a long part of a line is cut to its beginning.
fn cut(text: Text<'_>, mark: TextRange) -> TextRange {
    let (first, last) = (text.index.position(mark.start()).0, text.index.position(mark.end()).0);
    let end = match last - first {
        0 => mark.end(),
        n if n > LINES => text.index.line(text.text, first).end().max(mark.start()),
        _ => return mark,
    };
    let end = end.min(mark.start() + TextSize::new(MARKED));
    TextRange::new(mark.start(), boundary(text.text, end))
}

/// The part of a line around a mark in it.
fn around(text: &str, line: TextRange, mark: TextRange) -> TextRange {
    let start = line.start().max(u32::from(mark.start()).saturating_sub(AROUND).into());
    let end = mark.end().min(mark.start() + TextSize::new(MARKED));
    let end = line.end().min(end + TextSize::new(AROUND));
    TextRange::new(boundary(text, start), boundary(text, end))
}

/// The start of the character that an offset is in.
fn boundary(text: &str, offset: TextSize) -> TextSize {
    TextSize::new(text.floor_char_boundary(offset.into()) as u32)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::LineIndex;

    fn excerpt(text: &str, ranges: &[(u32, u32)]) -> (String, Vec<(usize, usize)>) {
        let index = LineIndex::new(text);
        let text = Text { path: Path::new("a"), text, index: &index };
        let ranges: Vec<TextRange> =
            ranges.iter().map(|(s, e)| TextRange::new((*s).into(), (*e).into())).collect();
        let excerpt = Excerpt::new(text, ranges.iter().copied());
        let local = ranges.iter().map(|r| excerpt.local(*r)).map(|r| (r.start, r.end)).collect();
        (excerpt.source, local)
    }

    #[test]
    fn short_lines_are_whole() {
        assert_eq!(excerpt("a\nbcd\ne\n", &[(3, 4)]), ("bcd".to_owned(), vec![(1, 2)]));
        assert_eq!(excerpt("a\nbcd\ne\nf", &[(3, 4), (6, 7)]), ("bcd\ne".to_owned(), vec![(1, 2), (4, 5)]));
        assert_eq!(excerpt("a\n", &[(2, 2)]), (String::new(), vec![(0, 0)]));
    }

    #[test]
    fn long_lines_and_marks_are_cut() {
        let text = format!("{}€@@{}\nend", "€".repeat(10_000), "y".repeat(30_000));
        let at = 30_003;
        let (source, local) = excerpt(&text, &[(at, at + 2)]);
        assert!(source.len() < 400, "{}", source.len());
        assert_eq!(&source[local[0].0..local[0].1], "@@");
        let (source, local) = excerpt(&text, &[(at, at + 20_000)]);
        assert!(source.len() < 600 && local[0].1 - local[0].0 > 100, "{}", source.len());
        let (source, _) = excerpt(&text, &[(at, text.len() as u32), (0, 3)]);
        assert!(source.len() < 1200, "{}", source.len());
    }

    #[test]
    fn marks_far_from_each_other_have_excerpts_of_their_own() {
        let text = format!("{}\n{}", "x".repeat(1000), "\n".repeat(30));
        let index = LineIndex::new(&text);
        let text = Text { path: Path::new("a"), text: &text, index: &index };
        let at = |offset: u32| TextRange::at(offset.into(), 1.into());
        let share = |a, b| can_share(text, std::iter::once(at(a)), at(b));
        assert!(share(0, 100) && share(0, 1005));
        assert!(!share(0, 900) && !share(0, 1020));
    }
}
