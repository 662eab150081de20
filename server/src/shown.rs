//! Names and messages as text that is safe on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::Path;

use wavelens_syntax::visible;
pub(crate) use wavelens_syntax::visible::text;

/// A path in one line: what is not text and what a terminal would obey is escaped.
pub(crate) fn path(path: &Path) -> String {
    let mut shown = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        shown.push_str(&visible::line(chunk.valid()));
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
    }
    shown
}

/// What a program writes to a terminal, with the colors that it may write itself.
pub(crate) fn terminal(text: &str, is_colored: bool) -> Cow<'_, str> {
    let Cow::Owned(escaped) = visible::text(text) else { return Cow::Borrowed(text) };
    if !is_colored {
        return Cow::Owned(escaped);
    }
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('\u{1b}') {
        shown.push_str(&visible::text(&rest[..start]));
        let color = color_at(&rest[start..]);
        match color {
            0 => shown.push_str("\\u{1b}"),
            length => shown.push_str(&rest[start..start + length]),
        }
        rest = &rest[start + color.max(1)..];
    }
    shown.push_str(&visible::text(rest));
    Cow::Owned(shown)
}

/// The length of the change of color that a text begins with, or 0.
fn color_at(text: &str) -> usize {
    let Some(parameters) = text.strip_prefix("\u{1b}[") else { return 0 };
    let end = parameters.find(|c: char| !c.is_ascii_digit() && c != ';').unwrap_or(0);
    if parameters[end..].starts_with('m') { 2 + end + 1 } else { 0 }
}

/// JSON without characters that a terminal would obey: what a reader of JSON gets is the same.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let mut out = Vec::new();
    // Nothing that is written here has maps whose keys are not strings, and memory does not refuse.
    let _ = write_json(&mut out, value);
    String::from_utf8(out).unwrap_or_default()
}

/// The same for what need not be held as a whole.
pub(crate) fn write_json(out: impl std::io::Write, value: &impl serde::Serialize) -> serde_json::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(out, Visible))
}

struct Visible;

impl serde_json::ser::Formatter for Visible {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        text: &str,
    ) -> std::io::Result<()> {
        if matches!(visible::line(text), Cow::Borrowed(_)) {
            return out.write_all(text.as_bytes());
        }
        for c in text.chars() {
            match visible::line(c.encode_utf8(&mut [0; 4])) {
                Cow::Borrowed(plain) => out.write_all(plain.as_bytes())?,
                Cow::Owned(_) => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(out, "\\u{unit:04x}")?;
                    }
                }
            }
        }
        Ok(())
    }
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
    wavelens_ide::markdown::block("text", text.trim_end()) + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_all_that_a_terminal_obeys() {
        let text = "\u{1b}[1;31ma\u{1b}[0m\u{1b}[2J\u{1b}]0;pwn\u{7}\u{9b}1m\n";
        let escaped = "\\u{1b}[2J\\u{1b}]0;pwn\\u{7}\\u{9b}1m\n";
        assert_eq!(terminal(text, true), format!("\u{1b}[1;31ma\u{1b}[0m{escaped}"));
        assert_eq!(terminal(text, false), format!("\\u{{1b}}[1;31ma\\u{{1b}}[0m{escaped}"));
        assert!(matches!(terminal("é\t%x\n", true), Cow::Borrowed(_)));
    }

    #[test]
    fn json_is_what_it_was_in_other_characters() {
        let value = "a\u{1b}\u{9b}\u{202e}\u{e0041}\u{7f}é\n";
        let written = json(&value);
        assert_eq!(written, "\"a\\u001b\\u009b\\u202e\\udb40\\udc41\\u007fé\\n\"");
        assert_eq!(serde_json::from_str::<String>(&written).ok().as_deref(), Some(value));
    }

    #[test]
    fn a_path_is_one_line() {
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
