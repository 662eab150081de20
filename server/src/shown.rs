//! Names and messages as text that is safe on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

/// A path in one line: what is not text and what a terminal would obey is escaped.
pub(crate) fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&text(chunk.valid()).replace('\n', "\\n").replace('\t', "\\t"));
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// Text in which characters that a terminal would obey, or that change the order of others, are escaped. Line ends and tabs stay.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_unsafe(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

fn is_unsafe(c: char) -> bool {
    // Embeddings, overrides and isolates of bidirectional text.
    let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && !matches!(c, '\n' | '\t')
}

/// A word as a shell reads it.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A `wavelens isa` command for a shell. An option with a value in `options` is omitted where `more` has it too.
pub(crate) fn isa_command(options: &[(&str, Option<String>)], more: &[String], file: &Path) -> String {
    let mut words = vec!["wavelens".to_owned(), "isa".to_owned()];
    for (name, value) in options.iter().filter(|(name, _)| !more.iter().any(|word| word == name)) {
        words.extend(value.iter().flat_map(|value| [(*name).to_owned(), value.clone()]));
    }
    words.extend(more.iter().cloned());
    words.push(file.display().to_string());
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

/// A block of Markdown that holds a text, whatever is in it.
pub(crate) fn fence(text: &str) -> String {
    let ticks = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(ticks.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(text("a\u{1b}[31mb\r\tc\n\u{202e}"), "a\\u{1b}[31mb\\r\tc\n\\u{202e}");
        assert_eq!(path(Path::new("é %.ll")), "é %.ll");
        assert_eq!(path(Path::new("a\nb\t\u{7}")), "a\\nb\\t\\u{7}");
    }

    #[cfg(unix)]
    #[test]
    fn bytes_that_are_not_text_are_written_in_hexadecimal() {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"a\xffb.ll");
        assert_eq!(path(Path::new(name)), "a\\xffb.ll");
    }

    #[test]
    fn a_fence_is_longer_than_what_is_in_it() {
        assert_eq!(fence("a\n"), "```text\na\n```\n");
        assert_eq!(fence("````"), "`````text\n````\n`````\n");
    }
}
