//! Between byte offsets and the protocol's positions. Nowhere else knows about encodings.

use lsp_types::{Position, PositionEncodingKind, Range};
use ropey::Rope;
use wavelens_base::{TextRange, TextSize};

/// What a position's `character` counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The best of what the client offers: UTF-8 costs nothing, UTF-16 is what everybody must speak.
    pub(super) fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        let offers = |kind| offered.is_some_and(|o| o.contains(&kind));
        if offers(PositionEncodingKind::UTF8) {
            Encoding::Utf8
        } else if offers(PositionEncodingKind::UTF32) && !offers(PositionEncodingKind::UTF16) {
            Encoding::Utf32
        } else {
            Encoding::Utf16
        }
    }

    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// Length of a text in this encoding's units.
    pub(super) fn len(self, text: &str) -> u32 {
        let len = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
            Encoding::Utf32 => text.chars().count(),
        };
        len as u32
    }
}

/// A text with its lines. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Positions {
    pub(super) rope: Rope,
    pub(super) encoding: Encoding,
}

impl Positions {
    /// The byte offset of a position; one past the end of its line or of the text is cut to it, one inside a character moves to
    /// the character's start.
    pub(super) fn offset(&self, position: Position) -> TextSize {
        let rope = &self.rope;
        let line = position.line as usize;
        if line >= rope.len_lines() {
            return TextSize::new(rope.len_bytes() as u32);
        }
        let start = rope.line_to_byte(line);
        let text = rope.line(line);
        let mut end = text.len_bytes();
        while end > 0 && matches!(text.byte(end - 1), b'\n' | b'\r') {
            end -= 1;
        }
        let column = position.character as usize;
        let in_line = match self.encoding {
            Encoding::Utf8 => {
                let column = column.min(end);
                text.char_to_byte(text.byte_to_char(column))
            }
            Encoding::Utf16 => {
                let column = column.min(text.len_utf16_cu());
                text.char_to_byte(text.utf16_cu_to_char(column)).min(end)
            }
            Encoding::Utf32 => text.char_to_byte(column.min(text.len_chars())).min(end),
        };
        TextSize::new((start + in_line) as u32)
    }

    pub(super) fn position(&self, offset: TextSize) -> Position {
        let rope = &self.rope;
        let offset = usize::from(offset).min(rope.len_bytes());
        let line = rope.byte_to_line(offset);
        let start = rope.line_to_byte(line);
        let character = match self.encoding {
            Encoding::Utf8 => offset - start,
            Encoding::Utf16 => {
                let (from, to) = (rope.byte_to_char(start), rope.byte_to_char(offset));
                rope.char_to_utf16_cu(to) - rope.char_to_utf16_cu(from)
            }
            Encoding::Utf32 => rope.byte_to_char(offset) - rope.byte_to_char(start),
        };
        Position::new(line as u32, character as u32)
    }

    pub(super) fn range(&self, range: TextRange) -> Range {
        Range::new(self.position(range.start()), self.position(range.end()))
    }

    /// A range whose end is before its start is empty.
    pub(super) fn text_range(&self, range: Range) -> TextRange {
        let start = self.offset(range.start);
        TextRange::new(start, self.offset(range.end).max(start))
    }

    /// Replaces a range.
    pub(super) fn replace(&mut self, range: TextRange, text: &str) {
        let start = self.rope.byte_to_char(usize::from(range.start()));
        let end = self.rope.byte_to_char(usize::from(range.end()));
        self.rope.remove(start..end);
        self.rope.insert(start, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positions(text: &str, encoding: Encoding) -> Positions {
        Positions { rope: Rope::from_str(text), encoding }
    }

    #[test]
    fn columns_count_in_units_of_the_encoding() {
        let text = "aß𝄞b\r\nc";
        for (encoding, column) in [(Encoding::Utf8, 7), (Encoding::Utf16, 4), (Encoding::Utf32, 3)] {
            let p = positions(text, encoding);
            assert_eq!(p.offset(Position::new(0, column)), TextSize::new(7), "{encoding:?}");
            assert_eq!(p.position(TextSize::new(7)), Position::new(0, column), "{encoding:?}");
            assert_eq!(p.position(TextSize::new(10)), Position::new(1, 0), "{encoding:?}");
        }
    }

    #[test]
    fn positions_outside_are_cut() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let p = positions("ab\r\nß", encoding);
            assert_eq!(p.offset(Position::new(0, 99)), TextSize::new(2));
            assert_eq!(p.offset(Position::new(1, 99)), TextSize::new(6));
            assert_eq!(p.offset(Position::new(9, 0)), TextSize::new(6));
        }
        assert_eq!(positions("ß", Encoding::Utf8).offset(Position::new(0, 1)), TextSize::new(0));
        assert_eq!(positions("𝄞", Encoding::Utf16).offset(Position::new(0, 1)), TextSize::new(0));
    }

    #[test]
    fn only_line_ends_of_the_protocol_count() {
        let p = positions("a\u{2028}b\u{b}c\rd\ne", Encoding::Utf16);
        assert_eq!(p.position(TextSize::new(10)).line, 2);
    }
}
