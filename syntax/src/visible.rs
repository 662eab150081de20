//! Text of documents, and names of files, where people read it: on terminals and in editors.

use std::borrow::Cow;

/// Text in which characters that a terminal would obey, or that change the order of others, are escaped. Line ends and tabs stay.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |c| !matches!(c, '\n' | '\t') && is_unsafe(c))
}

/// The same in one line.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_unsafe)
}

fn escaped(text: &str, is_meant: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_meant) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match is_meant(c) {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Control characters (C0, DEL and C1), line and paragraph separators, and what changes the direction of text or cannot be seen
/// ("Trojan Source", CVE-2021-42574): marks, embeddings, overrides, isolates, the deprecated shaping controls, tags.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(text("a\u{1b}[31mb\r\tc\n\u{202e}"), "a\\u{1b}[31mb\\r\tc\n\\u{202e}");
        assert_eq!(line("a\tb\n"), "a\\tb\\n");
        for c in ['\u{0}', '\u{7f}', '\u{9b}', '\u{61c}', '\u{2028}', '\u{2066}', '\u{feff}', '\u{e0041}'] {
            assert_eq!(text(&c.to_string()), c.escape_default().to_string());
        }
    }

    #[test]
    fn words_of_all_languages_stay() {
        for word in ["naïve", "עברית", "日本語", "👩\u{200d}💻", "%x"] {
            assert!(matches!(text(word), Cow::Borrowed(_)), "{word}");
        }
    }
}
