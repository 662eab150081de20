//! Byte offsets to lines and columns.

use wavelens_semantics::{TextRange, TextSize};

/// Starts of a text's lines. Lines end with `\n`.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1);
        LineIndex { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// Line and column of an offset, both counted from 0, the column in bytes.
    pub fn position(&self, offset: TextSize) -> (u32, u32) {
        let offset = u32::from(offset);
        let line = self.starts.partition_point(|s| *s <= offset).saturating_sub(1);
        (line as u32, offset - self.starts.get(line).copied().unwrap_or(0))
    }

    /// Byte offset of a line's start; `None` past the last line.
    pub fn line_start(&self, line: u32) -> Option<TextSize> {
        self.starts.get(line as usize).map(|s| TextSize::new(*s))
    }

    /// The lines from the one that holds the range's start to the one that holds its end, in bytes, without the last line's end.
    pub fn lines_around(&self, text: &str, range: TextRange) -> std::ops::Range<usize> {
        let start = self.line_start(self.position(range.start()).0).map_or(0, usize::from);
        let next = self.line_start(self.position(range.end()).0 + 1).map_or(text.len(), usize::from);
        let end = start + text.get(start..next).unwrap_or("").trim_end_matches(['\n', '\r']).len();
        start..end.max(usize::from(range.end()).min(text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_line_starts() {
        let index = LineIndex::new("ab\ncd\n");
        assert_eq!(index.position(TextSize::new(2)), (0, 2));
        assert_eq!(index.position(TextSize::new(3)), (1, 0));
        assert_eq!(index.position(TextSize::new(6)), (2, 0));
        let range = TextRange::new(TextSize::new(4), TextSize::new(5));
        assert_eq!(index.lines_around("ab\ncd\n", range), 3..5);
    }
}
