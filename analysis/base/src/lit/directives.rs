//! The lines of a test that lit reads: `RUN:`, `DEFINE:`, `REQUIRES:` and others, continued lines joined.

use memchr::{memchr, memchr_iter, memmem, memrchr};
use smol_str::SmolStr;

use crate::{TextRange, TextSize};

/// What a line is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Keyword {
    /// `RUN:`
    Run,
    /// `DEFINE:`
    Define,
    /// `REDEFINE:`
    Redefine,
    /// `REQUIRES:`
    Requires,
    /// `UNSUPPORTED:`
    Unsupported,
    /// `XFAIL:`
    XFail,
    /// `ALLOW_RETRIES:`
    AllowRetries,
    /// `END.`
    End,
}

impl Keyword {
    /// With the words that tests write.
    pub const ALL: [(Keyword, &str, &str); 8] = [
        (Keyword::Run, "RUN:", "A command of the test. The test passes if all commands succeed, in order."),
        (
            Keyword::Define,
            "DEFINE:",
            "Defines a substitution, `%{name} = text`, for the RUN lines that follow.",
        ),
        (Keyword::Redefine, "REDEFINE:", "Gives a substitution of a `DEFINE:` line another text."),
        (
            Keyword::Requires,
            "REQUIRES:",
            "Features without which the test is not run: `asserts`, `amdgpu-registered-target`.",
        ),
        (Keyword::Unsupported, "UNSUPPORTED:", "Features with which the test is not run."),
        (Keyword::XFail, "XFAIL:", "Features with which the test is expected to fail; `*` is always."),
        (Keyword::AllowRetries, "ALLOW_RETRIES:", "How often a test that fails is tried again."),
        (Keyword::End, END, "The lines that follow are not read by lit."),
    ];
}

/// One such line, or several that a backslash joins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Which directive it is.
    pub keyword: Keyword,
    /// Of the first line, with its colon.
    pub keyword_range: TextRange,
    /// From the keyword to the end of the last line.
    pub range: TextRange,
    /// What follows the keyword.
    pub text: SmolStr,
    /// Where stretches of the text are in the file: offset in the text, offset in the file.
    source_map: Vec<(TextSize, TextSize)>,
    /// The line of the keyword, counted from 1.
    pub line: u32,
}

impl Directive {
    /// Where a part of the text is in the file.
    pub fn place(&self, range: TextRange) -> TextRange {
        let place = |offset: TextSize| {
            let index = self.source_map.partition_point(|(start, _)| *start <= offset).saturating_sub(1);
            self.source_map.get(index).map_or(self.range.start(), |(start, file)| *file + (offset - *start))
        };
        let start = place(range.start());
        match range.is_empty() {
            true => TextRange::empty(start),
            // The end belongs to the stretch of the last character.
            false => TextRange::new(start, place(range.end() - TextSize::new(1)) + TextSize::new(1)),
        }
    }

    /// Where an offset of the file is in the text.
    pub fn offset(&self, file: TextSize) -> Option<TextSize> {
        let (start, place) = *self.source_map.iter().rev().find(|(_, place)| *place <= file)?;
        let offset = start + (file - place);
        (offset <= TextSize::of(self.text.as_str())).then_some(offset)
    }
}

/// All such lines of a text, in order.
pub fn directives(text: &str) -> Vec<Directive> {
    let end = end_line(text);
    let read = text.get(..end.unwrap_or(text.len())).unwrap_or("");
    let mut found: Vec<Directive> = Vec::new();
    let mut open = false;
    let mut lines = Lines { text, start: 0, number: 1 };
    let (mut line_start, mut line) = (0, "");
    let mut read_to = 0;
    // Every keyword ends in a colon, and few lines have one.
    for colon in memchr_iter(b':', read.as_bytes()).filter(|colon| ends_keyword(text, *colon)) {
        if colon < read_to {
            continue;
        }
        // A long line can have many colons.
        if colon >= line_start + line.len() {
            (line_start, line) = line_around(text, colon);
        }
        let Some((keyword, at, word)) = keyword(line, colon - line_start) else { continue };
        read_to = line_start + line.len();
        let rest = line.get(at + word.len()..).unwrap_or("");
        let content = rest.trim();
        let place = line_start + at + word.len() + (rest.len() - rest.trim_start().len());
        let range = TextRange::new(size(line_start + at), size(line_start + line.len()));
        let (content, continues) = match content.strip_suffix('\\') {
            Some(head) => (head, true),
            None => (content, false),
        };
        match found.last_mut().filter(|last| open && last.keyword == keyword) {
            Some(last) => {
                let joined = format!("{} {content}", last.text);
                last.source_map.push((TextSize::of(last.text.as_str()) + TextSize::new(1), size(place)));
                (last.text, last.range) = (joined.into(), last.range.cover(range));
            }
            None => found.push(Directive {
                keyword,
                keyword_range: TextRange::at(range.start(), TextSize::of(word)),
                range,
                text: content.into(),
                source_map: vec![(TextSize::new(0), size(place))],
                line: lines.number_at(line_start),
            }),
        }
        open = continues;
    }
    found.extend(end.map(|start| {
        let (_, line) = line_around(text, start);
        let at = start + (line.len() - END.len());
        let range = TextRange::at(size(at), TextSize::of(END));
        Directive {
            keyword: Keyword::End,
            keyword_range: range,
            range,
            text: SmolStr::default(),
            source_map: vec![(TextSize::new(0), range.end())],
            line: lines.number_at(start),
        }
    }));
    found
}

/// Counts lines up to offsets that ascend.
struct Lines<'t> {
    text: &'t str,
    start: usize,
    number: usize,
}

impl Lines<'_> {
    fn number_at(&mut self, start: usize) -> u32 {
        let between = self.text.as_bytes().get(self.start..start).unwrap_or(&[]);
        self.number += memchr_iter(b'\n', between).count();
        self.start = start;
        u32::try_from(self.number).unwrap_or(u32::MAX)
    }
}

/// The line of an offset, without white space at its end, and where it starts.
fn line_around(text: &str, at: usize) -> (usize, &str) {
    let bytes = text.as_bytes();
    let start = memrchr(b'\n', bytes.get(..at).unwrap_or(&[])).map_or(0, |before| before + 1);
    let end = memchr(b'\n', bytes.get(at..).unwrap_or(&[])).map_or(text.len(), |after| at + after);
    (start, text.get(start..end).unwrap_or("").trim_end())
}

const END: &str = "END.";

/// Where the first line starts that ends what lit reads. A sentence may end in these letters too.
fn end_line(text: &str) -> Option<usize> {
    memmem::find_iter(text.as_bytes(), END).find_map(|at| {
        let after = text.get(at + END.len()..)?.trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
        let start = text.get(..at)?.trim_end_matches([';', '#', '/', '@', ' ', '\t']);
        let is_line =
            (start.is_empty() || start.ends_with('\n')) && (after.is_empty() || after.starts_with('\n'));
        is_line.then_some(start.len())
    })
}

fn size(n: usize) -> TextSize {
    TextSize::new(u32::try_from(n).unwrap_or(u32::MAX))
}

/// What may precede the text of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Whether the letter before a colon is the last one of a keyword.
fn ends_keyword(text: &str, colon: usize) -> bool {
    let last = colon.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    matches!(last, Some(b'N' | b'E' | b'S' | b'D' | b'L'))
}

/// The keyword that a colon of a line ends, and where it starts: after the start of a comment, as a word of its own.
fn keyword(line: &str, colon: usize) -> Option<(Keyword, usize, &'static str)> {
    let head = line.get(..=colon)?;
    Keyword::ALL.iter().find_map(|(keyword, word, _)| {
        let before = head.strip_suffix(word)?;
        let start = before.trim_start_matches(BYTE_ORDER_MARK).trim_start();
        let is_comment = start.starts_with([';', '#', '/', '*', '@', '!', '<', '-']);
        let is_word = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        (is_comment && is_word || start.is_empty()).then_some((*keyword, before.len(), *word))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, expected: Expect) {
        let shown = directives(text).into_iter().map(|d| {
            let end = TextSize::of(d.text.as_str());
            let last = d.place(TextRange::new(end - TextSize::new(1).min(end), end));
            let last = &text[usize::from(last.start())..usize::from(last.end())];
            format!("{} {:?} `{}` ends in `{last}`\n", d.line, d.keyword, d.text)
        });
        expected.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn a_byte_order_mark_precedes_the_first_line() {
        check(
            "\u{feff}# RUN: llc %s\n",
            expect![[r#"
            1 Run `llc %s` ends in `s`
        "#]],
        );
    }

    #[test]
    fn continued_lines_are_joined_and_keep_their_places() {
        check(
            "; RUN: llc \\\n; RUN:   -o - %s | \\\n; a comment\n; RUN: FileCheck %s\n\
             # DEFINE: %{run} = \\\n# DEFINE: llc\n// REQUIRES: asserts\n; RUN: %{run}\n",
            expect![[r#"
                1 Run `llc  -o - %s |  FileCheck %s` ends in `s`
                5 Define `%{run} =  llc` ends in `c`
                7 Requires `asserts` ends in `s`
                8 Run `%{run}` ends in `}`
            "#]],
        );
    }

    #[test]
    fn only_words_of_their_own_in_comments_count() {
        check(
            "; PRERUN: a\nname: RUN: b\n; the END.\n  RUN: c\n; END.\n; RUN: d\n",
            expect![[r#"
                4 Run `c` ends in `c`
                5 End `` ends in ``
            "#]],
        );
    }

    #[test]
    fn places_go_both_ways() {
        let text = "; RUN: llc \\\n; RUN:   -mcpu=gfx900 %s\n";
        let directive = &directives(text)[0];
        let at = directive.text.find("gfx900").unwrap();
        let range = TextRange::at(TextSize::new(at as u32), TextSize::new(6));
        let place = directive.place(range);
        assert_eq!(&text[usize::from(place.start())..usize::from(place.end())], "gfx900");
        assert_eq!(directive.offset(place.start()), Some(range.start()));
    }
}
