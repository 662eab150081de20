//! How the text around the cursor is written: what follows the same words elsewhere, and which names were used last.
//!
//! Only the order of proposals depends on it, never which ones there are.

use rustc_hash::FxHashMap;

/// Bytes before and after the cursor that are read.
const BEFORE: usize = 96 << 10;
const AFTER: usize = 32 << 10;

/// Words after a definition within which its first use is expected.
const NEW: u32 = 200;

/// What is known of one word.
#[derive(Debug, Default, Clone, Copy)]
struct Use {
    count: u32,
    /// Words since its last use before the cursor.
    distance: Option<u32>,
    /// Occurrences before the cursor.
    before: u32,
    /// Occurrences after the two words, after the word, at the same operand of the same opcode, and below the same opcode as here.
    after_two: u32,
    after_one: u32,
    same_operand: u32,
    same_line_before: u32,
}

/// The uses of words around a cursor.
#[derive(Debug, Default)]
pub(super) struct Usage<'t> {
    words: FxHashMap<&'t str, Use>,
}

/// A word or a punctuation mark of a line, and where it is.
#[derive(Debug, Clone, Copy)]
struct Item<'t> {
    text: &'t str,
    line: u32,
}

/// The place of a word in its line, as far as it tells what may come there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Context<'t> {
    last: &'t str,
    before_last: &'t str,
    opcode: &'t str,
    operand: u32,
    above: &'t str,
}

impl<'t> Usage<'t> {
    /// `before` ends where the typed word starts; `after` starts where it ends.
    pub(super) fn new(before: &'t str, after: &'t str) -> Usage<'t> {
        let before = tail(before);
        let after = after.get(..floor(after, AFTER)).unwrap_or(after);
        let items = items(before);
        let mut scan = Scan::default();
        let contexts: Vec<Context<'t>> = items.iter().map(|item| scan.step(*item)).collect();
        let lines = items.last().map_or(0, |i| i.line) + u32::from(before.ends_with('\n'));
        let here = scan.step(Item { text: "", line: lines });
        let mut usage = Usage::default();
        let count = items.len() as u32;
        for (index, (item, context)) in items.iter().zip(&contexts).enumerate() {
            let used = usage.words.entry(item.text).or_default();
            used.distance = Some(count - index as u32);
            used.before += 1;
            used.add(context, &here);
        }
        let mut scan = Scan::default();
        for item in self::items(after.split_once('\n').map_or("", |(_, rest)| rest)) {
            let context = scan.step(item);
            usage.words.entry(item.text).or_default().add(&context, &here);
        }
        usage
    }

    /// How much speaks for a label: 0 for one that does not occur.
    pub(super) fn score(&self, label: &str) -> f32 {
        let Some(used) = self.words.get(label) else { return 0.0 };
        let many = |count: u32| (1.0 + count as f32).ln();
        let recent = used.distance.map_or(0.0, |distance| 6.0 / (1.0 + distance as f32 / 24.0));
        // What a name was used for says little about where it is used again.
        let is_name = label.starts_with(['%', '@', '!', '#', '$']);
        let weight = if is_name { 0.5 } else { 1.0 };
        // A result is computed to be used.
        let is_unused = is_name && used.before == 1 && used.distance.is_some_and(|distance| distance < NEW);
        let unused = if is_unused { 2.0 } else { 0.0 };
        let same = 3.0 * many(used.after_two)
            + 1.5 * many(used.after_one)
            + 2.0 * many(used.same_operand)
            + many(used.same_line_before);
        weight * same + 0.5 * many(used.count) + recent + unused
    }
}

impl Use {
    fn add(&mut self, context: &Context<'_>, here: &Context<'_>) {
        self.count += 1;
        let after_one = context.last == here.last;
        self.after_one += u32::from(after_one);
        self.after_two += u32::from(after_one && context.before_last == here.before_last);
        let same_opcode = context.opcode == here.opcode && context.operand == here.operand;
        self.same_operand += u32::from(same_opcode && !here.opcode.is_empty());
        self.same_line_before +=
            u32::from(here.opcode.is_empty() && context.opcode.is_empty() && context.above == here.above);
    }
}

/// The line that is being read.
#[derive(Debug, Default)]
struct Scan<'t> {
    line: u32,
    last: &'t str,
    before_last: &'t str,
    opcode: &'t str,
    operand: u32,
    above: &'t str,
}

impl<'t> Scan<'t> {
    /// The context of a word, and past it.
    fn step(&mut self, item: Item<'t>) -> Context<'t> {
        if item.line != self.line {
            if !self.opcode.is_empty() {
                self.above = self.opcode;
            }
            (self.line, self.last, self.before_last, self.opcode, self.operand) = (item.line, "", "", "", 0);
        }
        let context = Context {
            last: self.last,
            before_last: self.before_last,
            opcode: self.opcode,
            operand: self.operand,
            above: self.above,
        };
        self.before_last = self.last;
        self.last = shape(item.text);
        match item.text {
            "," => self.operand += 1,
            "=" => (self.opcode, self.operand) = ("", 0),
            text if self.opcode.is_empty() && text.starts_with(|c: char| c.is_alphabetic() || c == '.') => {
                self.opcode = text;
            }
            _ => self.operand += u32::from(item.text.starts_with('%')),
        }
        context
    }
}

/// A word as context: names and numbers by their kind alone.
fn shape(word: &str) -> &str {
    match word.as_bytes().first() {
        Some(b'%' | b'@' | b'!' | b'#' | b'$') => word.get(..1).unwrap_or(word),
        Some(b'0'..=b'9') => "0",
        _ => word,
    }
}

fn items(text: &str) -> Vec<Item<'_>> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b"_.$%@!#-".contains(&b) || b >= 0x80;
    let bytes = text.as_bytes();
    let (mut items, mut at, mut line) = (Vec::with_capacity(text.len() / 4), 0, 0);
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        at += 1;
        match byte {
            b'\n' => line += 1,
            b' ' | b'\t' | b'\r' => {}
            // Comments do not use what they name.
            b';' => at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at),
            b'/' if bytes.get(at) == Some(&b'/') => {
                at += bytes[at..].iter().position(|b| *b == b'\n').unwrap_or(bytes.len() - at);
            }
            _ => {
                if is_word(byte) {
                    // A sigil starts another word.
                    // So does a minus sign between two labels of assembly.
                    let ends = |at: usize| {
                        !is_word(bytes[at])
                            || b"%@$".contains(&bytes[at])
                            || bytes[at..].starts_with(b"-.")
                            || bytes[at - 1..].starts_with(b"-.")
                    };
                    at = (at..bytes.len()).find(|at| ends(*at)).unwrap_or(bytes.len());
                }
                items.push(Item { text: text.get(start..at).unwrap_or(""), line });
            }
        }
    }
    items
}

/// The last lines of a text.
fn tail(text: &str) -> &str {
    let start = text.len().saturating_sub(BEFORE);
    let line = text.as_bytes()[start..].iter().position(|b| *b == b'\n').map_or(start, |n| start + n + 1);
    if start == 0 { text } else { text.get(line..).unwrap_or("") }
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_the_same_words_counts_more() {
        let usage = Usage::new("%a = add i32 %x, 1\nstore i32 %a, ptr %p\n%b = add ", "");
        assert!(usage.score("i32") > usage.score("ptr"));
        assert_eq!(usage.score("i64"), 0.0);
    }

    #[test]
    fn the_last_name_comes_first() {
        let usage = Usage::new("%a = add i32 %x, 1\n%b = add i32 %x, 2\nret i32 ", "");
        assert!(usage.score("%b") > usage.score("%a"));
    }
}
