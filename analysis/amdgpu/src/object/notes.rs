//! The metadata note of a code object: MessagePack, written as the YAML that `.amdgpu_metadata` takes.

use std::fmt::Write as _;

/// `NT_AMDGPU_METADATA`
const METADATA: u32 = 32;
const DEPTH: u32 = 32;

/// The metadata among a section's notes, as YAML lines.
pub(super) fn metadata(mut notes: &[u8]) -> Option<String> {
    while let Some((head, rest)) = notes.split_at_checked(12) {
        let word = |at: usize| Some(u32::from_le_bytes(head.get(at..at + 4)?.try_into().ok()?));
        let (name_len, len, kind) = (word(0)? as usize, word(4)? as usize, word(8)?);
        let start = name_len.checked_next_multiple_of(4)?;
        let name = rest.get(..name_len)?;
        let content = rest.get(start..start.checked_add(len)?)?;
        if kind == METADATA && name.starts_with(b"AMDGPU") {
            let mut reader = Reader { bytes: content, out: String::new() };
            reader.value(0, DEPTH, false)?;
            return Some(reader.out);
        }
        notes = rest.get(start + len.checked_next_multiple_of(4)?..).unwrap_or_default();
    }
    None
}

struct Reader<'b> {
    bytes: &'b [u8],
    out: String,
}

impl Reader<'_> {
    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn number(&mut self, count: usize) -> Option<u64> {
        Some(self.take(count)?.iter().fold(0, |n, b| n << 8 | u64::from(*b)))
    }

    /// Writes one value. In a list, the first line of a map or list goes after the dash.
    fn value(&mut self, indent: usize, depth: u32, inline: bool) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        let tag = self.number(1)? as u8;
        let sized = |small: u8, len: usize| usize::from(tag & small) + len;
        match tag {
            0x80..=0x8f => self.map(sized(15, 0), indent, depth, inline)?,
            0xde => {
                let count = self.number(2)? as usize;
                self.map(count, indent, depth, inline)?;
            }
            0xdf => {
                let count = self.number(4)? as usize;
                self.map(count, indent, depth, inline)?;
            }
            0x90..=0x9f => self.list(sized(15, 0), indent, depth, inline)?,
            0xdc => {
                let count = self.number(2)? as usize;
                self.list(count, indent, depth, inline)?;
            }
            0xdd => {
                let count = self.number(4)? as usize;
                self.list(count, indent, depth, inline)?;
            }
            _ => {
                let text = self.scalar(tag)?;
                let _ = writeln!(self.out, "{text}");
            }
        }
        Some(())
    }

    fn scalar(&mut self, tag: u8) -> Option<String> {
        let signed = |n: u64, bytes: u32| ((n << (64 - 8 * bytes)) as i64 >> (64 - 8 * bytes)).to_string();
        Some(match tag {
            0..=0x7f => tag.to_string(),
            0xe0.. => (tag as i8).to_string(),
            0xa0..=0xbf => self.text(usize::from(tag & 31))?,
            0xd9 => {
                let len = self.number(1)? as usize;
                self.text(len)?
            }
            0xda => {
                let len = self.number(2)? as usize;
                self.text(len)?
            }
            0xdb => {
                let len = self.number(4)? as usize;
                self.text(len)?
            }
            0xc0 => "~".into(),
            0xc2 => "false".into(),
            0xc3 => "true".into(),
            0xca => f32::from_bits(self.number(4)? as u32).to_string(),
            0xcb => f64::from_bits(self.number(8)?).to_string(),
            0xcc..=0xcf => self.number(1 << (tag - 0xcc))?.to_string(),
            0xd0..=0xd3 => {
                let bytes = 1u32 << (tag - 0xd0);
                signed(self.number(bytes as usize)?, bytes)
            }
            _ => return None,
        })
    }

    fn text(&mut self, len: usize) -> Option<String> {
        let text = String::from_utf8_lossy(self.take(len)?).into_owned();
        let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '.'));
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let word = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"];
        if starts && text.chars().all(plain) && !word.contains(&text.to_ascii_lowercase().as_str()) {
            return Some(text);
        }
        Some(format!("'{}'", text.replace('\'', "''")))
    }

    fn map(&mut self, count: usize, indent: usize, depth: u32, inline: bool) -> Option<()> {
        if count == 0 {
            self.out.push_str("{}\n");
            return Some(());
        }
        if !inline && !self.out.is_empty() {
            self.out.push('\n');
        }
        for number in 0..count {
            if number > 0 || !inline {
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            let tag = self.number(1)? as u8;
            let key = self.scalar(tag)?;
            let _ = write!(self.out, "{key}: ");
            self.value(indent + 2, depth, false)?;
        }
        Some(())
    }

    fn list(&mut self, count: usize, indent: usize, depth: u32, inline: bool) -> Option<()> {
        if count == 0 {
            self.out.push_str("[]\n");
            return Some(());
        }
        if !inline {
            self.out.push('\n');
        }
        for number in 0..count {
            if number > 0 || !inline {
                self.out.extend(std::iter::repeat_n(' ', indent));
            }
            self.out.push_str("- ");
            self.value(indent + 2, depth, true)?;
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn maps_and_lists_become_yaml() {
        let content = b"\x82\xa1a\x92\x01\xa1x\xa1b\x91\x82\xa1c\xc3\xa1d\xcd\x01\x00";
        let mut note = Vec::new();
        for word in [7u32, content.len() as u32, 32] {
            note.extend(word.to_le_bytes());
        }
        note.extend(b"AMDGPU\0\0");
        note.extend(content);
        expect![[r#"
            a: 
              - 1
              - x
            b: 
              - c: true
                d: 256
        "#]]
        .assert_eq(&super::metadata(&note).unwrap_or_default());
    }

    /// The metadata of a note with a value.
    fn shown(content: &[u8]) -> String {
        let mut note = Vec::new();
        for word in [7u32, content.len() as u32, 32] {
            note.extend(word.to_le_bytes());
        }
        note.extend(b"AMDGPU\0\0");
        note.extend(content);
        super::metadata(&note).unwrap_or_else(|| "nothing\n".to_owned())
    }

    #[test]
    fn each_kind_of_value() {
        let values: &[&[u8]] = &[
            b"\x00",
            b"\x7f",
            b"\xe0",
            b"\xff",
            b"\xc0",
            b"\xc1",
            b"\xc2",
            b"\xc3",
            b"\xcc\xff",
            b"\xcd\xff\xff",
            b"\xce\xff\xff\xff\xff",
            b"\xcf\0\0\0\x01\0\0\0\0",
            b"\xd0\x80",
            b"\xd1\x80\0",
            b"\xd2\x80\0\0\0",
            b"\xd3\xff\xff\xff\xff\xff\xff\xff\xff",
            b"\xca\x3f\x80\0\0",
            b"\xcb\xc0\0\0\0\0\0\0\0",
            b"\xcd\xff",
            b"\xa3a.b",
            b"\xa0",
            b"\xa2no",
            b"\xa3a'b",
            b"\xa21a",
            b"\xd9\x02ab",
            b"\xda\0\x02ab",
            b"\xdb\0\0\0\x02ab",
            b"\x80",
            b"\x90",
            b"\xde\0\x01\xa1a\x01",
            b"\xdf\0\0\0\x01\xa1a\x01",
            b"\xdc\0\x01\x07",
            b"\xdd\0\0\0\x01\x07",
            b"\x81\xa1a\x80",
            b"\x81\xa1a\x90",
            b"\x92\x91\x01\x92\x02\x03",
            b"\x81\xa1a\x81\xa1b\x81\xa1c\x01",
        ];
        let shown: String =
            values.iter().map(|value| format!("{}:\n{}", value.escape_ascii(), shown(value))).collect();
        expect![[r#"
            \x00:
            0
            \x7f:
            127
            \xe0:
            -32
            \xff:
            -1
            \xc0:
            ~
            \xc1:
            nothing
            \xc2:
            false
            \xc3:
            true
            \xcc\xff:
            255
            \xcd\xff\xff:
            65535
            \xce\xff\xff\xff\xff:
            4294967295
            \xcf\x00\x00\x00\x01\x00\x00\x00\x00:
            4294967296
            \xd0\x80:
            -128
            \xd1\x80\x00:
            -32768
            \xd2\x80\x00\x00\x00:
            -2147483648
            \xd3\xff\xff\xff\xff\xff\xff\xff\xff:
            -1
            \xca?\x80\x00\x00:
            1
            \xcb\xc0\x00\x00\x00\x00\x00\x00\x00:
            -2
            \xcd\xff:
            nothing
            \xa3a.b:
            a.b
            \xa0:
            ''
            \xa2no:
            'no'
            \xa3a\'b:
            'a''b'
            \xa21a:
            '1a'
            \xd9\x02ab:
            ab
            \xda\x00\x02ab:
            ab
            \xdb\x00\x00\x00\x02ab:
            ab
            \x80:
            {}
            \x90:
            []
            \xde\x00\x01\xa1a\x01:
            a: 1
            \xdf\x00\x00\x00\x01\xa1a\x01:
            a: 1
            \xdc\x00\x01\x07:

            - 7
            \xdd\x00\x00\x00\x01\x07:

            - 7
            \x81\xa1a\x80:
            a: {}
            \x81\xa1a\x90:
            a: []
            \x92\x91\x01\x92\x02\x03:

            - - 1
            - - 2
              - 3
            \x81\xa1a\x81\xa1b\x81\xa1c\x01:
            a: 
              b: 
                c: 1
        "#]]
        .assert_eq(&shown);
    }

    /// Notes of others and other notes are passed over; their parts are padded to four bytes.
    #[test]
    fn the_metadata_is_found_among_notes() {
        let note = |name: &str, kind: u32, content: &[u8]| {
            let mut note = Vec::new();
            for word in [name.len() as u32, content.len() as u32, kind] {
                note.extend(word.to_le_bytes());
            }
            for part in [name.as_bytes(), content] {
                note.extend(part);
                note.resize(note.len().next_multiple_of(4), 0);
            }
            note
        };
        let found =
            |notes: &[Vec<u8>]| super::metadata(&notes.concat()).unwrap_or_else(|| "nothing".to_owned());
        let (other, own) = (note("GNU\0", 32, b"\x01"), note("AMDGPU\0", 32, b"\x02"));
        assert_eq!(found(&[other.clone(), own.clone()]), "2\n");
        assert_eq!(found(&[note("AMDGPU\0", 27, b"\x03\x03\x03"), own.clone()]), "2\n");
        assert_eq!(found(&[note("GNU", 3, b"12345"), own]), "2\n");
        assert_eq!(found(&[other]), "nothing");
        assert_eq!(found(&[]), "nothing");
    }
}
