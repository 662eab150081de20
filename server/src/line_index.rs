//! Byte offsets to lines and columns.

use wavelens_base::{TextRange, TextSize};

/// Starts of a text's lines, and where a column in UTF-16 differs from one in bytes. Lines end with `\n`.
#[derive(Debug, Clone)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// For each character of more than one byte: the offset of its end, and by how much all characters up to there are longer in UTF-8
    /// bytes than in UTF-16 units.
    wide: Vec<(u32, u32)>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let lines = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(lines.map(|at| at as u32 + 1)).collect();
        let wide = if text.is_ascii() { Vec::new() } else { Self::wide(text) };
        LineIndex { starts, wide }
    }

    fn wide(text: &str) -> Vec<(u32, u32)> {
        let (mut wide, mut longer) = (Vec::new(), 0);
        for (offset, byte) in (0u32..).zip(text.bytes()) {
            // The first byte of a character tells its length; a character of four bytes takes two units.
            let (length, excess) = match byte {
                0xc0..=0xdf => (2, 1),
                0xe0..=0xef => (3, 2),
                0xf0..=0xff => (4, 2),
                _ => continue,
            };
            longer += excess;
            wide.push((offset + length, longer));
        }
        wide
    }

    /// Line and column of an offset, both counted from 0, the column in bytes.
    pub fn position(&self, offset: TextSize) -> (u32, u32) {
        let offset = u32::from(offset);
        let line = self.starts.partition_point(|s| *s <= offset).saturating_sub(1);
        (line as u32, offset - self.starts.get(line).copied().unwrap_or(0))
    }

    /// Column of an offset in UTF-16 units, counted from 0.
    pub fn utf16_column(&self, offset: TextSize) -> u32 {
        let (_, column) = self.position(offset);
        let offset = u32::from(offset);
        column - (self.longer(offset) - self.longer(offset - column))
    }

    fn longer(&self, offset: u32) -> u32 {
        let before = self.wide.partition_point(|(end, _)| *end <= offset);
        before.checked_sub(1).and_then(|last| self.wide.get(last)).map_or(0, |(_, longer)| *longer)
    }

    /// Byte offset of a line's start; `None` past the last line.
    pub fn line_start(&self, line: u32) -> Option<TextSize> {
        self.starts.get(line as usize).map(|s| TextSize::new(*s))
    }

    /// A line of the text, in bytes, without its end.
    pub fn line(&self, text: &str, line: u32) -> TextRange {
        let start = self.line_start(line).map_or(text.len(), usize::from);
        let next = self.line_start(line + 1).map_or(text.len(), usize::from);
        let length = text.get(start..next).unwrap_or("").trim_end_matches(['\n', '\r']).len();
        TextRange::at(TextSize::new(start as u32), TextSize::new(length as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_from_line_starts() {
        let index = LineIndex::new("ab\ncd\r\n");
        assert_eq!(index.position(TextSize::new(2)), (0, 2));
        assert_eq!(index.position(TextSize::new(3)), (1, 0));
        assert_eq!(index.position(TextSize::new(7)), (2, 0));
        let line = |line| std::ops::Range::<usize>::from(index.line("ab\ncd\r\n", line));
        assert_eq!((line(0), line(1), line(2), line(3)), (0..2, 3..5, 7..7, 7..7));
    }

    #[test]
    fn utf16_columns_count_units_from_the_line_start() {
        let text = "é𝄞\nßa€𝄞b";
        let index = LineIndex::new(text);
        for (offset, c) in text.char_indices() {
            let line = text[..offset].rfind('\n').map_or(0, |n| n + 1);
            let units = text[line..offset].encode_utf16().count() as u32;
            assert_eq!(index.utf16_column(TextSize::new(offset as u32)), units, "{c}");
        }
    }
}
