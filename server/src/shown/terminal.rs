//! What the command line prints: text with colours, and JSON.

use std::borrow::Cow;

use wavelens_syntax::visible;
pub(crate) use wavelens_syntax::visible::text;

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
}
