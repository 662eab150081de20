//! The recurring messages, so that the same mistake reads the same in every dialect.
//!
//! | situation | function |
//! |---|---|
//! | name without definition | [`undefined`] |
//! | name defined twice | [`redefinition`], with [`PREVIOUS`] as the related message |
//! | wrong type or kind | [`expected`], [`is_not`] |
//! | wrong token | [`expected_token`] |
//! | unknown word | [`unknown`] |
//! | not on this processor, environment or version | [`not_supported`] |
//! | missing thing | [`missing`] |
//! | number out of range | [`out_of_range`] |
//! | too many or too few | [`count`], [`number`] |
//! | one word of a list | [`one_of`], [`alternatives`] |
//! | capability, extension or mode that is needed | [`requires`] |

use std::fmt::Display;

use crate::spelling::closest;

/// Message of another place where the same is missing.
pub const ALSO_HERE: &str = "also here";

/// Message of the place where a name was defined before.
pub const PREVIOUS: &str = "previous definition is here";

/// Message of the place at which the reference tool reports a mistake, where that is not the mistake's own. Machine formats give
/// this place first.
pub const REFERENCE: &str = "LLVM reports it here";

/// [`REFERENCE`] in SPIR-V.
pub const SPIRV_REFERENCE: &str = "SPIRV-Tools report it here";

/// Whether a related message marks the place at which the reference tool reports the mistake.
pub fn is_reference(message: &str) -> bool {
    matches!(message, REFERENCE | SPIRV_REFERENCE)
}

/// "use of undefined value `%x`", with a suggestion if a known name is close.
pub fn undefined<'n>(kind: &str, name: &str, known: impl Iterator<Item = &'n str>) -> String {
    with_suggestion(format!("use of undefined {kind} `{name}`"), name, known)
}

/// "redefinition of `@f`".
pub fn redefinition(name: impl Display) -> String {
    format!("redefinition of `{name}`")
}

/// "expected `i64`, found `i32`". Quote what is written in the text; leave descriptions such as "an integer" without backticks.
pub fn expected(expected: impl Display, found: impl Display) -> String {
    format!("expected {expected}, found {found}")
}

/// "`@g` is not a function".
pub fn is_not(name: impl Display, kind: &str) -> String {
    format!("`{name}` is not {}", with_article(kind))
}

/// "unknown instruction `v_foo`; did you mean `v_fob`?".
pub fn unknown<'n>(kind: &str, word: &str, known: impl Iterator<Item = &'n str>) -> String {
    with_suggestion(format!("unknown {kind} `{word}`"), word, known)
}

/// "`v_foo` is not supported on gfx1100".
pub fn not_supported(what: impl Display, on: impl Display) -> String {
    format!("`{what}` is not supported on {on}")
}

/// "missing `s_waitcnt vmcnt(0)` before this read of `v3`": `what` in full, with backticks where it is text.
pub fn missing(what: impl Display) -> String {
    format!("missing {what}")
}

/// "`amount` must be between 0 and 31, is 32".
pub fn out_of_range(
    name: impl Display,
    least: impl Display,
    greatest: impl Display,
    is: impl Display,
) -> String {
    format!("`{name}` must be between {least} and {greatest}, is {is}")
}

/// "expected 3 operands, found 2".
pub fn count(things: &str, expected: usize, found: usize) -> String {
    format!("expected {}, found {found}", number(expected, things))
}

/// "1 member", "3 members".
pub fn number(count: usize, things: &str) -> String {
    let thing = if count == 1 { things.strip_suffix('s').unwrap_or(things) } else { things };
    format!("{count} {thing}")
}

/// "a", "a or b", "a, b or c": all of them.
pub fn alternatives<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    let names: Vec<String> = names.into_iter().map(|n| n.to_string()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// "unexpected character `@`", or by its number and name if it cannot be seen.
pub fn unexpected_character(c: char) -> String {
    let name = match c {
        _ if !is_invisible(c) => return format!("unexpected character `{c}`"),
        '\0' => " (NUL)",
        '\u{a0}' | '\u{202f}' => " (no-break space)",
        '\u{200b}' => " (zero-width space)",
        '\u{feff}' => " (byte order mark)",
        _ => "",
    };
    format!("unexpected invisible character U+{:04X}{name}", u32::from(c))
}

/// "expected `)`, found `x`" for the text that was found, of which the first line counts: by its number if its first character cannot
/// be seen.
pub fn expected_token(expected: &str, found: Option<&str>) -> String {
    match found.map(|found| found.lines().next().unwrap_or_default()) {
        None => format!("expected {expected}, found the end of the input"),
        Some("") => format!("expected {expected}, found the end of the line"),
        Some(text) => match text.chars().next().filter(|c| is_invisible(*c) && *c != ' ' && *c != '\t') {
            Some(c) => format!("expected {expected}, found the invisible character U+{:04X}", u32::from(c)),
            None => match (text.char_indices().find(|(_, c)| c.is_control() && *c != '\t'), quotable(text)) {
                (Some((at, c)), _) => {
                    let start = text.get(..at).unwrap_or_default();
                    let number = u32::from(c);
                    format!("expected {expected}, found `{start}` and the invisible character U+{number:04X}")
                }
                (None, Some(text)) => format!("expected {expected}, found `{text}`"),
                (None, None) => format!("expected {expected}"),
            },
        },
    }
}

/// What a message quotes of the text that was found: of a line that begins with a foreign character, that character.
fn quotable(text: &str) -> Option<&str> {
    let first = text.chars().next().filter(|c| !c.is_ascii());
    match first {
        Some(c) if text.contains(' ') => text.get(..c.len_utf8()),
        _ => (text.chars().count() <= LONGEST_TOKEN).then_some(text),
    }
}

/// Longer texts are not quoted in messages.
const LONGEST_TOKEN: usize = 40;

/// Whether a character has no shape of its own on the screen.
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace() || c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// "`a`, `b` or `c`": words of which one is expected.
pub fn one_of<T: Display>(words: impl IntoIterator<Item = T>) -> String {
    alternatives(words.into_iter().map(|word| format!("`{word}`")))
}

/// "OpImageQuerySize requires the ImageQuery capability".
pub fn requires(what: impl Display, needed: impl Display) -> String {
    format!("{what} requires {needed}")
}

/// Processors, versions or other names in a row: at most three, then "and 12 others".
pub fn list<T: Display>(names: impl IntoIterator<Item = T>) -> String {
    let mut names = names.into_iter();
    let first: Vec<String> = names.by_ref().take(LISTED).map(|name| name.to_string()).collect();
    list_of(&first, first.len() + names.count())
}

/// So many names of a row are written.
pub const LISTED: usize = 3;

/// As [`list`], of the first [`LISTED`] names and of how many there are.
pub fn list_of(first: &[String], count: usize) -> String {
    match (count.saturating_sub(first.len()), first) {
        (0, []) => String::new(),
        (0, [one]) => one.clone(),
        (0, [head @ .., last]) => format!("{} and {last}", head.join(", ")),
        (1, _) => format!("{} and 1 other", first.join(", ")),
        (others, _) => format!("{} and {others} others", first.join(", ")),
    }
}

fn with_suggestion<'n>(message: String, word: &str, known: impl Iterator<Item = &'n str>) -> String {
    match closest(word, known) {
        Some(near) => format!("{message}; did you mean `{near}`?"),
        None => message,
    }
}

/// "use of undefined value `%x`; on gfx942", and after a question "did you mean `%y`? (on gfx942)".
pub fn with_clause(sentence: String, clause: &str) -> String {
    match sentence.ends_with('?') {
        true => format!("{sentence} ({clause})"),
        false => format!("{sentence}; {clause}"),
    }
}

/// "a function", "an instruction".
pub fn with_article(kind: &str) -> String {
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn found_tokens_can_be_seen() {
        let message = |found| expected_token("`)`", found);
        assert_eq!(message(Some("x y")), "expected `)`, found `x y`");
        assert_eq!(message(Some("é %0 = x")), "expected `)`, found `é`");
        assert_eq!(message(Some(" x")), "expected `)`, found ` x`");
        assert_eq!(message(Some("\u{a0}x")), "expected `)`, found the invisible character U+00A0");
        assert_eq!(message(Some("%\x00a")), "expected `)`, found `%` and the invisible character U+0000");
        assert_eq!(message(Some("a:\nb")), "expected `)`, found `a:`");
        assert_eq!(message(Some("\0")), "expected `)`, found the invisible character U+0000");
        assert_eq!(message(Some("12345678901234567890123456789012345678901")), "expected `)`");
        assert_eq!(message(Some("")), "expected `)`, found the end of the line");
        assert_eq!(message(None), "expected `)`, found the end of the input");
    }

    #[test]
    fn sentences_follow_the_guide() {
        assert_eq!(
            undefined("value", "%itme", ["%item", "%n"].into_iter()),
            "use of undefined value `%itme`; did you mean `%item`?"
        );
        assert_eq!(redefinition("@f"), "redefinition of `@f`");
        assert_eq!(expected("`i64`", "`i32`"), "expected `i64`, found `i32`");
        assert_eq!(is_not("@g", "function"), "`@g` is not a function");
        assert_eq!(is_not("%p", "integer"), "`%p` is not an integer");
        assert_eq!(unknown("directive", ".x", [".text"].into_iter()), "unknown directive `.x`");
        assert_eq!(not_supported("v_foo", "gfx1100"), "`v_foo` is not supported on gfx1100");
        assert_eq!(
            missing("`s_nop 1` before this read of `v3`"),
            "missing `s_nop 1` before this read of `v3`"
        );
        assert_eq!(out_of_range("amount", 0, 31, 32), "`amount` must be between 0 and 31, is 32");
        assert_eq!(count("operands", 3, 2), "expected 3 operands, found 2");
        assert_eq!(count("operands", 1, 2), "expected 1 operand, found 2");
        assert_eq!(number(1, "members"), "1 member");
        assert_eq!(one_of(["sync", "async"]), "`sync` or `async`");
        assert_eq!(alternatives(["A", "B", "C"]), "A, B or C");
        assert_eq!(
            requires("OpImageQuerySize", "the ImageQuery capability"),
            "OpImageQuerySize requires the ImageQuery capability"
        );
    }

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(["gfx90a"]), "gfx90a");
        assert_eq!(list(["gfx90a", "gfx942", "gfx950"]), "gfx90a, gfx942 and gfx950");
        assert_eq!(list(["a", "b", "c", "d", "e"]), "a, b, c and 2 others");
    }
}
