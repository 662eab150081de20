//! White space between tokens: what is there, what is wanted, and the edits from one to the other.
//!
//! A dialect passes over the significant tokens of a chunk in order and names the [`Gap`] it wants before each. Comments and what is
//! not known to be plain white space are kept: every edit replaces white space by white space.

use std::ops::Range;

use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_syntax::machine::{Kind, Lexed};

/// The white space wanted before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Exactly what is there.
    Keep,
    /// Nothing; a line break stays.
    None,
    /// One space; a line break stays.
    Space,
    /// One space if there is any white space; a line break stays.
    Squeeze,
    /// At least one space, and as many as it takes to reach a column; a line break stays.
    Column(usize),
    /// A line of its own, indented by so many columns.
    Line { indent: usize, blank: Blank },
}

/// Blank lines before a line. There is never more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blank {
    /// As it is, but at most one.
    Optional,
    /// One, unless the line before is a comment or there is none.
    Wanted,
    /// One, before the comments that come before this line.
    Required,
}

/// How tabs are counted.
const TAB: usize = 8;

/// A comment on its own line, whose column may follow that of the next line of code.
#[derive(Debug)]
struct Held {
    gap: Range<usize>,
    column: usize,
    newlines: usize,
}

/// The gaps of one chunk, in order.
#[derive(Debug)]
pub(crate) struct Gaps<'t, K> {
    text: &'t str,
    lexed: &'t Lexed<K>,
    /// Kinds besides white space that separate lines and can be written anew.
    line_end: Option<K>,
    /// The column of comments after code, if they have one.
    comments_at: Option<usize>,
    newline: &'static str,
    /// Index of the next token.
    next: usize,
    /// Byte offset of the end of the last visible token.
    end: usize,
    /// Column of that end in the new text.
    column: usize,
    /// What the line of the current entity moved by, for the lines that continue it.
    shift: isize,
    /// The text starts here, or a line does: no token comes before on the line.
    at_start: Start,
    held: Vec<Held>,
    after_comment: bool,
    /// The last visible token is a comment on its own line.
    below_comment: bool,
    /// The current line stays as it is.
    keeps_line: bool,
    /// A blank line is due before what comes next, comments included.
    blank_due: bool,
    /// The chunk starts the file.
    is_first: bool,
    /// Lines that hold nothing but this many spaces may stay.
    pub(crate) padding: usize,
    edits: Vec<TextEdit>,
}

/// What a chunk starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    File,
    Line,
    Inside,
}

impl<'t, K: Kind> Gaps<'t, K> {
    /// `is_first`: the chunk starts the file.
    pub(crate) fn new(text: &'t str, lexed: &'t Lexed<K>, newline: &'static str, is_first: bool) -> Self {
        Gaps {
            text,
            lexed,
            line_end: None,
            comments_at: None,
            newline,
            next: 0,
            end: 0,
            column: 0,
            shift: 0,
            at_start: if is_first { Start::File } else { Start::Line },
            held: Vec::new(),
            after_comment: false,
            below_comment: false,
            keeps_line: false,
            blank_due: false,
            is_first,
            padding: 0,
            edits: Vec::new(),
        }
    }

    /// Tokens of this kind end lines, and are white space otherwise.
    pub(crate) fn with_line_end(mut self, kind: K) -> Self {
        self.line_end = Some(kind);
        self
    }

    /// Comments that end a line of code go to this column.
    pub(crate) fn with_comments_at(mut self, column: usize) -> Self {
        self.comments_at = Some(column);
        self
    }

    fn is_blank(&self, index: usize) -> bool {
        let kind = self.lexed.kind(index);
        Some(kind) == self.line_end
            || kind.is_trivia() && self.text_of(index).bytes().all(|b| b.is_ascii_whitespace() || b == 0)
    }

    fn text_of(&self, index: usize) -> &'t str {
        self.lexed.text(self.text, index)
    }

    /// Index of the next significant token.
    pub(crate) fn peek(&self) -> usize {
        let mut index = self.next;
        while index < self.lexed.len() && (self.lexed.kind(index).is_trivia() || self.is_blank(index)) {
            index += 1;
        }
        index
    }

    /// Column in the new text at which the last visible token ends.
    pub(crate) fn column(&self) -> usize {
        self.column
    }

    /// There is nothing between the last and the next token.
    pub(crate) fn touches_next(&self) -> bool {
        self.lexed.start(self.next) as usize == self.end && self.peek() == self.next
    }

    /// The white space before the next significant token has a line break, or the chunk starts there.
    pub(crate) fn is_at_line_start(&self) -> bool {
        let start = self.lexed.start(self.peek()) as usize;
        let mut before = self.text.as_bytes()[..start].iter().rev();
        before.find(|b| !matches!(b, b' ' | b'\t')).is_none_or(|b| *b == b'\n')
    }

    /// Passes the comments before the next significant token, and that token, with this gap before it.
    pub(crate) fn token(&mut self, gap: Gap) {
        let target = self.peek();
        let gap = self.comments(target, gap);
        let space = self.end..self.lexed.start(target) as usize;
        self.apply(space, gap);
        self.pass(target);
        self.after_comment = false;
        self.below_comment = false;
    }

    /// The comments before a token. Returns the gap that is left to make.
    fn comments(&mut self, target: usize, gap: Gap) -> Gap {
        let mut gap = gap;
        if let Gap::Line { blank: Blank::Required, indent } = gap {
            self.blank_due = self.at_start == Start::Inside;
            gap = Gap::Line { blank: Blank::Optional, indent };
        }
        while self.next < target {
            if self.is_blank(self.next) {
                self.next += 1;
                continue;
            }
            self.comment(self.next, matches!(gap, Gap::Keep));
        }
        gap
    }

    /// One comment. `is_preserved`: it is in a part that stays as it is.
    fn comment(&mut self, index: usize, is_preserved: bool) {
        let space = self.end..self.lexed.start(index) as usize;
        let old = &self.text[space.clone()];
        let newlines = old.matches('\n').count();
        let is_trailing = newlines == 0 && self.at_start == Start::Inside;
        if !is_plain(old) || is_preserved || is_trailing && self.keeps_line {
            self.preserve(space);
        } else if is_trailing {
            self.trailing(space, index);
        } else {
            let column = width(0, last_line(old));
            self.column = column;
            self.held.push(Held { gap: space, column, newlines });
        }
        self.pass(index);
        self.after_comment = true;
        self.below_comment = !is_trailing;
    }

    /// A comment after code keeps its column where it can.
    fn trailing(&mut self, space: Range<usize>, index: usize) {
        let old = &self.text[space.clone()];
        let ends_line = index + 1 >= self.lexed.len()
            || self.is_blank(index + 1) && self.text_of(index + 1).contains(['\n', '\r']);
        let column = match self.comments_at.filter(|_| ends_line) {
            Some(column) if self.column > 0 && !self.after_comment => column,
            _ if old.contains('\t') => return self.preserve(space),
            _ => {
                let line = self.text[..space.start].rfind('\n').map_or(0, |at| at + 1);
                width(0, &self.text[line..space.end])
            }
        };
        let wanted = column.max(self.column + usize::from(!old.is_empty()));
        self.replace(space, &" ".repeat(wanted - self.column));
        self.column = wanted;
    }

    fn preserve(&mut self, space: Range<usize>) {
        let old = &self.text[space];
        self.column = match old.rsplit_once('\n') {
            Some((_, indent)) => width(0, indent),
            None => width(self.column, old),
        };
    }

    fn apply(&mut self, space: Range<usize>, gap: Gap) {
        let old = &self.text[space.clone()];
        if self.at_start == Start::Inside && is_right(old, gap) {
            self.column += old.len();
            return;
        }
        let has_break = old.contains('\n') || self.at_start != Start::Inside;
        if has_break {
            self.keeps_line = gap == Gap::Keep;
        }
        if gap == Gap::Keep || !is_plain(old) {
            self.release(None);
            self.shift = 0;
            return self.preserve(space);
        }
        match gap {
            // A block comment before: the token stays after it.
            Gap::Line { .. } if self.after_comment && !has_break => self.preserve(space),
            Gap::Line { indent, blank } => self.line(space, indent, blank),
            _ if has_break => {
                let column = width(0, last_line(old));
                let indent = column.saturating_add_signed(self.shift);
                self.release(Some((column, indent)));
                self.break_line(space, indent, Blank::Optional);
            }
            Gap::None => self.spaces(space, 0),
            Gap::Space => self.spaces(space, 1),
            Gap::Squeeze => {
                let some = usize::from(!old.is_empty());
                self.spaces(space, some);
            }
            Gap::Column(column) => {
                let count = column.saturating_sub(self.column).max(1);
                self.spaces(space, count);
            }
            Gap::Keep => {}
        }
    }

    fn spaces(&mut self, space: Range<usize>, count: usize) {
        // Nothing is moved out of or into a comment.
        if self.after_comment {
            return self.preserve(space);
        }
        self.replace(space, &" ".repeat(count));
        self.column += count;
    }

    fn line(&mut self, space: Range<usize>, indent: usize, blank: Blank) {
        let old = &self.text[space.clone()];
        if old.contains('\n') || self.at_start != Start::Inside {
            let column = width(0, last_line(old));
            self.shift = indent as isize - column as isize;
            self.release(Some((column, indent)));
        } else {
            self.shift = 0;
            self.release(None);
        }
        self.break_line(space, indent, blank);
    }

    /// Line breaks, and the indentation of the next line.
    fn break_line(&mut self, space: Range<usize>, indent: usize, blank: Blank) {
        let newlines = self.text[space.clone()].bytes().filter(|b| *b == b'\n').count();
        let wanted = blank == Blank::Wanted && !self.below_comment && self.at_start == Start::Inside;
        let due = std::mem::take(&mut self.blank_due);
        let lines = match self.at_start {
            Start::File => 0,
            Start::Line => newlines.min(1),
            Start::Inside => newlines.clamp(1, 2).max(if wanted || due { 2 } else { 1 }),
        };
        self.write_lines(space, lines, indent);
        self.column = indent;
    }

    fn write_lines(&mut self, space: Range<usize>, lines: usize, indent: usize) {
        let old = &self.text[space.clone()];
        let is_written = old.len() == lines + indent
            && old.bytes().enumerate().all(|(at, b)| b == if at < lines { b'\n' } else { b' ' });
        if is_written && self.newline == "\n" {
            return;
        }
        let mut wanted = String::with_capacity(lines * 2 + indent);
        // A comment may hold the carriage return of its line.
        let is_ended = self.text[..space.start].ends_with('\r');
        let second = old.split('\n').nth(1).map(|line| line.strip_suffix('\r').unwrap_or(line));
        let padded = self.padding > 0 && second.is_some_and(|line| line == " ".repeat(self.padding));
        for line in 0..lines {
            if line == 1 && padded {
                wanted.extend(std::iter::repeat_n(' ', self.padding));
            }
            wanted.push_str(if line == 0 && is_ended { "\n" } else { self.newline });
        }
        wanted.extend(std::iter::repeat_n(' ', indent));
        self.replace(space, &wanted);
    }

    /// Places the comments that were held: with the line of code at `moved.0`, which goes to `moved.1`, or where they are.
    fn release(&mut self, moved: Option<(usize, usize)>) {
        for held in std::mem::take(&mut self.held) {
            let is_directive = is_directive(&self.text[held.gap.end..]);
            let indent = match moved {
                Some((old, new)) if held.column == old && old > 0 && !is_directive => new,
                _ => held.column,
            };
            let due = std::mem::take(&mut self.blank_due);
            let is_start = held.gap.start == 0;
            let lines = match held.newlines {
                _ if is_start && self.is_first => 0,
                newlines if is_start => newlines.min(1),
                _ if due => 2,
                newlines => newlines.min(2),
            };
            let old = &self.text[held.gap.clone()];
            // Tabs before a comment stay if it does not move.
            let is_in_place = indent == held.column && old.contains('\t');
            if is_in_place && lines == held.newlines {
                continue;
            }
            self.write_lines(held.gap, lines, indent);
        }
    }

    /// Advances past a visible token.
    fn pass(&mut self, index: usize) {
        let text = self.text_of(index);
        self.column = match text.bytes().rposition(|b| b == b'\n') {
            Some(at) => text.len() - at - 1,
            None => self.column + text.len(),
        };
        self.end = self.lexed.start(index + 1) as usize;
        self.next = index + 1;
        self.at_start = Start::Inside;
    }

    fn replace(&mut self, space: Range<usize>, wanted: &str) {
        let old = &self.text[space.clone()];
        if old == wanted {
            return;
        }
        debug_assert!(is_plain(old) && is_plain(wanted));
        // Only what differs is replaced.
        let prefix = old.bytes().zip(wanted.bytes()).take_while(|(a, b)| a == b).count();
        let rest = old[prefix..].bytes().rev().zip(wanted[prefix..].bytes().rev());
        let suffix = rest.take_while(|(a, b)| a == b).count();
        let offset = |at: usize| TextSize::new(at as u32);
        self.edits.push(TextEdit {
            range: TextRange::new(offset(space.start + prefix), offset(space.end - suffix)),
            text: wanted[prefix..wanted.len() - suffix].to_owned(),
        });
    }

    /// Passes what is left: comments, and the white space at the end. `is_last`: the file ends here; `blank`: what the next
    /// chunk wants before its first line.
    pub(crate) fn finish(mut self, is_last: bool, blank: Blank) -> Vec<TextEdit> {
        let end = self.lexed.len();
        self.blank_due = blank == Blank::Required && !is_last && self.at_start == Start::Inside;
        while self.next < end {
            if self.is_blank(self.next) {
                self.next += 1;
                continue;
            }
            self.comment(self.next, false);
        }
        self.release(None);
        let space = self.end..self.text.len();
        let old = &self.text[space.clone()];
        let newlines = old.matches('\n').count();
        let is_ended = space.is_empty() && self.text.ends_with('\n');
        if is_plain(old) && (is_last && !is_ended || newlines > 0) {
            let wanted = blank == Blank::Wanted && !self.below_comment || self.blank_due;
            let lines = match self.at_start {
                Start::File => 0,
                Start::Line if is_last => 0,
                Start::Line => newlines.min(1),
                _ if is_last => 1,
                Start::Inside => newlines.min(2).max(if wanted { 2 } else { 1 }),
            };
            self.write_lines(space, lines, 0);
        }
        self.edits.sort_by_key(|e| e.range.start());
        self.edits
    }
}

/// Whether there is the white space that is wanted between two tokens of a line.
fn is_right(space: &str, gap: Gap) -> bool {
    match gap {
        Gap::None => space.is_empty(),
        Gap::Space => space == " ",
        Gap::Squeeze => matches!(space, "" | " "),
        Gap::Keep | Gap::Column(_) | Gap::Line { .. } => false,
    }
}

/// What follows the last line break.
fn last_line(text: &str) -> &str {
    let start = text.bytes().rposition(|b| b == b'\n').map_or(0, |at| at + 1);
    text.get(start..).unwrap_or("")
}

/// Plain white space: what else is there stays.
fn is_plain(text: &str) -> bool {
    let mut bytes = text.bytes().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b' ' | b'\t' | b'\n' => {}
            b'\r' if bytes.peek() == Some(&b'\n') => {}
            _ => return false,
        }
    }
    true
}

/// The column after blanks that start at a column.
fn width(start: usize, blanks: &str) -> usize {
    blanks.bytes().fold(start, |column, b| if b == b'\t' { (column / TAB + 1) * TAB } else { column + 1 })
}

/// Whether a comment is for a test tool (`; CHECK-NEXT: ...`, `# RUN: ...`), by its looks.
fn is_directive(comment: &str) -> bool {
    let text = comment.trim_start_matches([';', '/', '#', ' ', '\t']);
    let word = text.find(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || "-_{}".contains(c)));
    word.is_some_and(|end| end > 1 && text[end..].starts_with(':'))
}
