//! Names and messages as text that is safe on a terminal.

use std::fmt::Write as _;
use std::path::Path;

use wavelens_syntax::visible;

#[cfg(not(target_family = "wasm"))]
mod terminal;

#[cfg(not(target_family = "wasm"))]
pub(crate) use terminal::{json, terminal, text, write_json};

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
