//! Reading a machine function's YAML: scalars, mappings, lists.

use std::borrow::Cow;

use wavelens_syntax::machine::Node;
use wavelens_syntax::mir::MirKind;

use wavelens_base::TextRange;

pub(super) type N<'t> = Node<'t, MirKind>;

/// The text that a scalar node means, quotes and escapes gone; `None` for other nodes.
pub(super) fn scalar_text<'t>(node: N<'t>) -> Option<Cow<'t, str>> {
    let token = match node.kind() {
        MirKind::SCALAR => node.first_token()?,
        MirKind::BLOCK_SCALAR | MirKind::BODY => return Some(Cow::Borrowed("")),
        _ => return None,
    };
    let text = token.text();
    let inner = || text.get(1..text.len().saturating_sub(1)).unwrap_or("");
    Some(match token.kind() {
        MirKind::SINGLE_QUOTED if inner().contains('\'') => inner().replace("''", "'").into(),
        MirKind::SINGLE_QUOTED => inner().into(),
        MirKind::DOUBLE_QUOTED => unescape(inner()).0.into(),
        // Line breaks in plain words are blanks.
        _ if text.contains('\n') => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
        _ => text.into(),
    })
}

/// The text that escapes in double quotes mean, and the first escape that YAML does not know.
pub(super) fn unescape(text: &str) -> (String, Option<&str>) {
    let mut out = String::with_capacity(text.len());
    let mut unknown = None;
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        out.push_str(plain);
        let Some(letter) = escape.chars().next() else { break };
        let digits = match letter {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let meant = match letter {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' | '\t' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            ' ' | '"' | '/' | '\\' => letter,
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            _ if digits > 0 => {
                let code = escape.get(1..=digits).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            '\n' | '\r' => {
                rest = escape.trim_start_matches(['\r', '\n', ' ', '\t']);
                continue;
            }
            _ => {
                unknown = unknown.or(escape.get(..letter.len_utf8()));
                letter
            }
        };
        out.push(meant);
        rest = escape.get(letter.len_utf8() + digits..).unwrap_or("");
    }
    out.push_str(rest);
    (out, unknown)
}

/// A scalar's place without quotes.
pub(super) fn inner_range(node: N<'_>) -> TextRange {
    let range = node.range();
    let quoted = node.first_token().is_some_and(|t| {
        matches!(t.kind(), MirKind::SINGLE_QUOTED | MirKind::DOUBLE_QUOTED) && t.text().len() >= 2
    });
    if quoted {
        TextRange::new(
            range.start() + wavelens_base::TextSize::new(1),
            range.end() - wavelens_base::TextSize::new(1),
        )
    } else {
        range
    }
}

/// A value's place; that of a block is its text without the `|` before it.
pub(super) fn place(node: N<'_>) -> TextRange {
    let text = node.token(MirKind::BLOCK_TEXT).filter(|_| node.kind() == MirKind::BLOCK_SCALAR);
    text.map_or(node.range(), |t| t.range())
}

/// The key and value of a mapping's entries.
pub(super) fn entries<'t>(mapping: N<'t>) -> impl Iterator<Item = (N<'t>, N<'t>)> {
    mapping.children().filter(|n| n.kind() == MirKind::ENTRY).filter_map(|entry| {
        let mut parts = entry.children();
        Some((parts.next()?, parts.next()?))
    })
}

/// The elements of a sequence.
pub(super) fn items<'t>(sequence: N<'t>) -> impl Iterator<Item = N<'t>> {
    let is_list = matches!(sequence.kind(), MirKind::SEQUENCE | MirKind::FLOW_SEQUENCE);
    sequence.children().filter(move |_| is_list)
}

/// The value of a key.
pub(super) fn value<'t>(mapping: N<'t>, key: &str) -> Option<N<'t>> {
    entries(mapping).find(|(k, _)| scalar_text(*k).as_deref() == Some(key)).map(|(_, v)| v)
}

/// `0x10`, `017`, `0b1`, `12` as LLVM reads unsigned numbers.
pub(super) fn unsigned(text: &str) -> Option<u64> {
    let parse = |digits: &str, radix| {
        if digits.is_empty() || digits.starts_with('+') {
            None
        } else {
            u64::from_str_radix(digits, radix).ok()
        }
    };
    if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        return parse(hex, 16);
    }
    if let Some(binary) = text.strip_prefix("0b").or(text.strip_prefix("0B")) {
        return parse(binary, 2);
    }
    if let Some(octal) = text.strip_prefix("0o") {
        return parse(octal, 8);
    }
    match text.strip_prefix('0').filter(|t| t.starts_with(|c: char| c.is_ascii_digit())) {
        Some(octal) => parse(octal, 8),
        None => parse(text, 10),
    }
}

pub(super) fn signed(text: &str) -> Option<i64> {
    match text.strip_prefix('-') {
        Some(digits) => unsigned(digits).and_then(|v| 0i64.checked_sub_unsigned(v)),
        None => unsigned(text).and_then(|v| i64::try_from(v).ok()),
    }
}

pub(super) fn boolean(text: &str) -> Option<bool> {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" | "true" | "True" | "TRUE" => Some(true),
        "n" | "N" | "no" | "No" | "NO" | "off" | "Off" | "OFF" | "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn escapes_have_the_meaning_of_yaml() {
        let mut shown = String::new();
        for text in [
            r"\0",
            r"\a",
            r"\b",
            r"\t",
            r"\n",
            r"\v",
            r"\f",
            r"\r",
            r"\e",
            r"\ ",
            r#"\""#,
            r"\/",
            r"\\",
            r"\N",
            r"\_",
            r"\L",
            r"\P",
            r"\x41b",
            r"\u0041b",
            r"\U00000041b",
            r"\xZZ",
            r"\ud800",
            r"a\qb\z",
            "a\\\n  b",
            r"a\",
        ] {
            shown += &format!("{text:?} {:?}\n", unescape(text));
        }
        expect![[r#"
            "\\0" ("\0", None)
            "\\a" ("\u{7}", None)
            "\\b" ("\u{8}", None)
            "\\t" ("\t", None)
            "\\n" ("\n", None)
            "\\v" ("\u{b}", None)
            "\\f" ("\u{c}", None)
            "\\r" ("\r", None)
            "\\e" ("\u{1b}", None)
            "\\ " (" ", None)
            "\\\"" ("\"", None)
            "\\/" ("/", None)
            "\\\\" ("\\", None)
            "\\N" ("\u{85}", None)
            "\\_" ("\u{a0}", None)
            "\\L" ("\u{2028}", None)
            "\\P" ("\u{2029}", None)
            "\\x41b" ("Ab", None)
            "\\u0041b" ("Ab", None)
            "\\U00000041b" ("Ab", None)
            "\\xZZ" ("�", None)
            "\\ud800" ("�", None)
            "a\\qb\\z" ("aqbz", Some("q"))
            "a\\\n  b" ("ab", None)
            "a\\" ("aa\\", None)
        "#]]
        .assert_eq(&shown);
    }

    #[test]
    fn numbers_have_a_radix() {
        let texts = [
            "0", "12", "012", "08", "0x1F", "0Xf", "0x", "0b101", "0B11", "0b2", "0o17", "0o8", "+1", "0x+1",
            "-1", "",
        ];
        let shown: Vec<String> = texts.iter().map(|text| format!("{text}: {:?}", unsigned(text))).collect();
        expect!["0: Some(0), 12: Some(12), 012: Some(10), 08: None, 0x1F: Some(31), 0Xf: Some(15), 0x: None, 0b101: Some(5), 0B11: Some(3), 0b2: None, 0o17: Some(15), 0o8: None, +1: None, 0x+1: None, -1: None, : None"].assert_eq(&shown.join(", "));
    }
}
