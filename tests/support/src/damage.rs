//! Damage that still parses: variants of a text in which a word, a number or a line is replaced by what occurs in the same
//! position elsewhere in a corpus. Most variants are wrong in meaning only, or valid.

use std::collections::{HashMap, HashSet};

use crate::random::Random;

/// What a token is, as far as every dialect agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Class {
    /// Before the first and after the last token of a line.
    Edge,
    Word,
    Number,
    Text,
    /// A word after `%`, `@`, `$`, `!`, `#`, `^` or `&`.
    Name(char),
    Mark(char),
}

/// A token with its class and its bytes in the line.
#[derive(Debug, Clone, Copy)]
struct Token<'t> {
    class: Class,
    text: &'t str,
    start: usize,
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let length = |text: &str| text.find(|c| !is_word(c)).unwrap_or(text.len());
        let next = after.chars().next();
        let (class, size) = match first {
            c if c.is_whitespace() => {
                rest = after;
                continue;
            }
            '"' => (Class::Text, 1 + after.find('"').map_or(after.len(), |end| end + 1)),
            '%' | '@' | '$' | '!' | '#' | '^' | '&' if next.is_some_and(is_word) => {
                (Class::Name(first), 1 + length(after))
            }
            c if c.is_ascii_digit() || c == '-' && next.is_some_and(|n| n.is_ascii_digit()) => {
                let size = 1 + length(after);
                let is_number = rest[1..size].bytes().all(|b| b.is_ascii_digit());
                (if is_number { Class::Number } else { Class::Word }, size)
            }
            c if is_word(c) && c != '-' => (Class::Word, 1 + length(after)),
            c => (Class::Mark(c), c.len_utf8()),
        };
        tokens.push(Token { class, text: &rest[..size], start: line.len() - rest.len() });
        rest = &rest[size..];
    }
    tokens
}

/// A position: the classes of a token and of its neighbours.
type Position = (Class, Class, Class);

fn position(tokens: &[Token<'_>], at: usize) -> Position {
    let class = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(Class::Edge, |t| t.class);
    (class(at.checked_sub(1)), class(Some(at)), class(Some(at + 1)))
}

fn shape(tokens: &[Token<'_>]) -> Vec<Class> {
    tokens.iter().map(|token| token.class).collect()
}

/// Lines with something to damage: neither empty nor only a comment.
fn is_code(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && ![";", "//", "#"].iter().any(|comment| line.starts_with(comment))
}

/// What occurs where in some texts of one kind, for example in all tests of one target.
#[derive(Debug, Default)]
pub struct Corpus {
    words: HashMap<Position, Vec<String>>,
    shapes: HashMap<Vec<Class>, Vec<String>>,
    lines: Vec<String>,
    known: HashSet<String>,
    placed: HashSet<(Position, String)>,
}

impl Corpus {
    pub fn add(&mut self, text: &str) {
        for line in text.lines().filter(|line| is_code(line)) {
            if !self.known.insert(line.trim().to_owned()) {
                continue;
            }
            let tokens = tokens(line);
            for (at, token) in tokens.iter().enumerate() {
                let position = position(&tokens, at);
                let is_replaceable = matches!(token.class, Class::Word | Class::Number);
                if is_replaceable && self.placed.insert((position, token.text.to_owned())) {
                    self.words.entry(position).or_default().push(token.text.to_owned());
                }
            }
            self.shapes.entry(shape(&tokens)).or_default().push(line.to_owned());
            self.lines.push(line.to_owned());
        }
    }

    /// A text with one piece of damage; `None` if no attempt changed it.
    pub fn variant(&self, text: &str, random: &mut Random) -> Option<String> {
        let lines: Vec<&str> = text.split('\n').collect();
        let code: Vec<usize> = (0..lines.len()).filter(|at| is_code(lines[*at])).collect();
        let own: Vec<&str> = code.iter().map(|at| lines[*at]).collect();
        for _ in 0..20 {
            let at = *code.get(random.below(code.len()))?;
            if random.below(8) == 0 {
                match arrange(&lines, at, random).filter(|new| new != text) {
                    Some(new) => return Some(new),
                    None => continue,
                }
            }
            let changed: Option<Vec<String>> = match random.below(16) {
                0..5 => self.replace_word(lines[at], random).map(|line| vec![line]),
                5..8 => replace_number(lines[at], random).map(|line| vec![line]),
                8..11 => replace_name(lines[at], &own, random).map(|line| vec![line]),
                11..13 => self.replace_line(lines[at], random).map(|line| vec![line]),
                13 => self.insert_line(lines[at], &own, random).map(|line| vec![line, lines[at].to_owned()]),
                14 => insert_or_remove_word(self, lines[at], random).map(|line| vec![line]),
                _ => Some(Vec::new()),
            };
            let Some(changed) = changed.filter(|new| *new != [lines[at]]) else { continue };
            let mut all: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
            all.splice(at..=at, changed);
            return Some(all.join("\n"));
        }
        None
    }

    /// A word becomes another one of the same position.
    fn replace_word(&self, line: &str, random: &mut Random) -> Option<String> {
        let tokens = tokens(line);
        let at = random.below(tokens.len());
        let known = self.words.get(&position(&tokens, at))?;
        Some(with(line, tokens[at], &known[random.below(known.len())]))
    }

    /// Another line of the same shape, with the names of this one.
    fn replace_line(&self, line: &str, random: &mut Random) -> Option<String> {
        let own = tokens(line);
        let others = self.shapes.get(&shape(&own))?;
        let other = &others[random.below(others.len())];
        let mut new = other.clone();
        for (token, own) in tokens(other).iter().zip(&own).rev() {
            if matches!(token.class, Class::Name(_)) {
                new.replace_range(token.start..token.start + token.text.len(), own.text);
            }
        }
        Some(new)
    }

    /// A line of the corpus that is indented as much as `before`, with names of this text.
    fn insert_line(&self, before: &str, lines: &[&str], random: &mut Random) -> Option<String> {
        let indentation = |line: &str| line.len() - line.trim_start().len();
        let mut candidates = (0..20).filter_map(|_| self.lines.get(random.below(self.lines.len())));
        let mut new = candidates.find(|line| indentation(line) == indentation(before))?.clone();
        for token in tokens(&new.clone()).iter().rev() {
            if let Some(name) = name_like(token.class, lines, random) {
                new.replace_range(token.start..token.start + token.text.len(), &name);
            }
        }
        Some(new)
    }
}

/// The text with its lines in another order or number, or with other bytes between its words: what editors, merges and
/// interrupted downloads do. Some variants mean the same.
fn arrange(lines: &[&str], at: usize, random: &mut Random) -> Option<String> {
    let text = lines.join("\n");
    Some(match random.below(12) {
        0 => move_block(lines, at, random)?,
        1 => double_line(lines, at),
        2 => cut(&text, random)?,
        3 => text.replace('\n', "\r\n"),
        4 => with_line(lines, at, &format!("{}\r", lines[at])),
        5 => with_line(lines, at, &lines[at].replace(' ', "\t")),
        6 => format!("\u{feff}{text}"),
        7 => insert_in_line(lines, at, "\u{a0}", random)?,
        8 => insert_in_line(lines, at, "\u{e9}", random)?,
        9 => insert_in_line(lines, at, "\0", random)?,
        10 => insert_in_line(lines, at, "\n", random)?,
        _ => move_word(lines, at, random)?,
    })
}

fn with_line(lines: &[&str], at: usize, new: &str) -> String {
    let mut lines = lines.to_vec();
    lines[at] = new;
    lines.join("\n")
}

fn double_line(lines: &[&str], at: usize) -> String {
    let mut lines = lines.to_vec();
    lines.insert(at, lines[at]);
    lines.join("\n")
}

/// The lines between two blank ones or labels change places with those that follow.
fn move_block(lines: &[&str], at: usize, random: &mut Random) -> Option<String> {
    let is_start = |line: &&str| line.trim().is_empty() || line.trim_end().ends_with(':');
    let starts: Vec<usize> = (0..lines.len()).filter(|line| is_start(&lines[*line])).collect();
    let first = starts.iter().position(|start| *start > at)?.checked_sub(1)?;
    let after = first + 2 + random.below(3);
    let (start, middle, end) = (starts[first], *starts.get(first + 1)?, *starts.get(after)?);
    let order = [&lines[..start], &lines[middle..end], &lines[start..middle], &lines[end..]];
    Some(order.concat().join("\n"))
}

fn cut(text: &str, random: &mut Random) -> Option<String> {
    let end = random.below(text.len());
    text.get(..end).map(str::to_owned)
}

fn insert_in_line(lines: &[&str], at: usize, new: &str, random: &mut Random) -> Option<String> {
    let line = lines[at];
    let place = random.below(line.len() + 1);
    let (before, after) = (line.get(..place)?, line.get(place..)?);
    Some(with_line(lines, at, &format!("{before}{new}{after}")))
}

/// A word goes to another place of its line.
fn move_word(lines: &[&str], at: usize, random: &mut Random) -> Option<String> {
    let tokens = tokens(lines[at]);
    let token = *tokens.get(random.below(tokens.len()))?;
    let before = *tokens.get(random.below(tokens.len()))?;
    let mut line = lines[at].to_owned();
    line.replace_range(token.start..token.start + token.text.len(), "");
    let shift = if token.start < before.start { token.text.len() } else { 0 };
    line.insert_str(before.start - shift, &format!("{} ", token.text));
    Some(with_line(lines, at, &line))
}

fn with(line: &str, token: Token<'_>, text: &str) -> String {
    format!("{}{text}{}", &line[..token.start], &line[token.start + token.text.len()..])
}

/// A name of the text with the same sigil.
fn name_like(class: Class, lines: &[&str], random: &mut Random) -> Option<String> {
    let Class::Name(_) = class else { return None };
    for _ in 0..10 {
        let tokens = tokens(lines[random.below(lines.len())]);
        let names: Vec<&Token<'_>> = tokens.iter().filter(|token| token.class == class).collect();
        if let Some(name) = names.get(random.below(names.len())) {
            return Some(name.text.to_owned());
        }
    }
    None
}

fn replace_name(line: &str, lines: &[&str], random: &mut Random) -> Option<String> {
    let mut tokens = tokens(line);
    tokens.retain(|token| matches!(token.class, Class::Name(_)));
    let token = *tokens.get(random.below(tokens.len()))?;
    Some(with(line, token, &name_like(token.class, lines, random)?))
}

/// Numbers around which encodings, types and LLVM's own fields end.
const POWERS: [u32; 16] = [2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 20, 24, 31, 32, 63, 64];

/// A number, or the number at the end of a word, becomes one at a boundary.
fn replace_number(line: &str, random: &mut Random) -> Option<String> {
    let mut tokens = tokens(line);
    tokens.retain(|token| {
        matches!(token.class, Class::Word | Class::Number)
            && token.text.ends_with(|c: char| c.is_ascii_digit())
    });
    let token = *tokens.get(random.below(tokens.len()))?;
    let digits = token.text.trim_end_matches(|c: char| c.is_ascii_digit());
    let old: i128 = token.text[digits.len()..].parse().ok()?;
    let power = 1i128 << POWERS[random.below(POWERS.len())];
    let near =
        [old.saturating_sub(1), old.saturating_add(1), old.saturating_mul(2), 0, 1, -1, old.saturating_neg()];
    let boundary = [power - 1, power, power + 1, -power, -power - 1];
    let new = match random.below(2) {
        0 => near[random.below(near.len())],
        _ => boundary[random.below(boundary.len())],
    };
    let word = digits.strip_suffix('-').filter(|_| token.class == Class::Number).unwrap_or(digits);
    Some(with(line, token, &format!("{word}{new}")))
}

/// A word goes, or one is written before a token that follows such words elsewhere.
fn insert_or_remove_word(corpus: &Corpus, line: &str, random: &mut Random) -> Option<String> {
    let tokens = tokens(line);
    let at = random.below(tokens.len());
    let token = *tokens.get(at)?;
    if token.class == Class::Word && random.below(2) == 0 {
        return Some(with(line, token, ""));
    }
    let (before, own, _) = position(&tokens, at);
    let known = corpus.words.get(&(before, Class::Word, own))?;
    let word = &known[random.below(known.len())];
    Some(format!("{}{word} {}", &line[..token.start], &line[token.start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corpus() -> Corpus {
        let mut corpus = Corpus::default();
        corpus.add("; a comment\n%0:vgpr_32 = COPY killed %1\n%2:sgpr_32 = S_MOV_B32 7, implicit $exec\n");
        corpus
    }

    #[test]
    fn tokens_have_classes() {
        let classes: Vec<Class> = tokens("%a.b:s32 = G_ADD -1, \"x y\" !0").iter().map(|t| t.class).collect();
        let expected = [
            Class::Name('%'),
            Class::Mark(':'),
            Class::Word,
            Class::Mark('='),
            Class::Word,
            Class::Number,
            Class::Mark(','),
            Class::Text,
            Class::Name('!'),
        ];
        assert_eq!(classes, expected);
    }

    #[test]
    fn words_are_replaced_by_words_of_their_position() {
        let corpus = corpus();
        let mut random = Random::new(1);
        let line = "%7:areg_64 = COPY killed %9";
        let variants: HashSet<String> =
            (0..200).filter_map(|_| corpus.replace_word(line, &mut random)).collect();
        assert!(variants.contains("%7:sgpr_32 = COPY killed %9"), "{variants:?}");
        assert!(
            variants.iter().all(|v| v.ends_with("killed %9") || v.ends_with("implicit %9")),
            "{variants:?}"
        );
    }

    #[test]
    fn lines_of_the_same_shape_keep_the_names() {
        let new = corpus().replace_line("%7:areg_64 = COPY undef %9", &mut Random::new(1));
        assert_eq!(new.as_deref(), Some("%7:vgpr_32 = COPY killed %9"));
    }

    #[test]
    fn lines_and_bytes_are_arranged_anew() {
        let lines = ["bb.0:", "  %0 = COPY %1", "bb.1:", "  S_ENDPGM 0", "bb.2:", "  %2 = COPY %3", "bb.3:"];
        let mut random = Random::new(1);
        let variants: HashSet<String> = (0..2000).filter_map(|_| arrange(&lines, 1, &mut random)).collect();
        let has = |part: &str| variants.iter().any(|variant| variant.contains(part));
        for part in
            ["\r\n  %0", "\u{feff}bb.0", "%1\r\nbb.1", "\t%0\t=\tCOPY\t%1", "\0", "\u{a0}", "%0 %1 = COPY"]
        {
            assert!(has(part), "{part:?}");
        }
        assert!(has("  %0 = COPY %1\n  %0 = COPY %1\n"), "a line twice");
        assert!(
            variants.iter().any(|v| v.starts_with("bb.1:\n  S_ENDPGM 0\nbb.0:")),
            "blocks in another order"
        );
        assert!(variants.iter().any(|v| v.ends_with("S_END")), "a text that ends early");
    }

    #[test]
    fn a_seed_gives_the_same_variants_again() {
        let text = "%0:vgpr_32 = COPY killed %1\n; comment\n%2:sgpr_32 = S_MOV_B32 7, implicit $exec\n";
        let all = |seed| {
            let mut random = Random::new(seed);
            (0..50).map(|_| corpus().variant(text, &mut random)).collect::<Vec<_>>()
        };
        assert_eq!(all(3), all(3));
        assert_ne!(all(3), all(4));
        assert!(all(3).iter().flatten().all(|variant| variant != text));
    }
}
