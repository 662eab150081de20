//! Sections of a test that `split-file` writes as files: `;--- name`.

use memchr::memmem;

use crate::{TextRange, TextSize};

/// One part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The name after `//--- `.
    pub name: String,
    /// Of the name, in the line that starts the section.
    pub name_range: TextRange,
    /// Without the line that starts it.
    pub range: TextRange,
}

/// The sections of a text; none if it is not split.
pub fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    if memmem::find(text.as_bytes(), b"--- ").is_none() {
        return found;
    }
    let mut start = 0usize;
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len();
        let Some((at, name)) = marker(line) else { continue };
        if let Some(last) = found.last_mut() {
            last.range = TextRange::new(last.range.start(), size(line_start));
        }
        found.push(Section {
            name: name.to_owned(),
            name_range: TextRange::at(size(line_start + at), TextSize::of(name)),
            range: TextRange::new(size(start), TextSize::of(text)),
        });
    }
    // A file is split only if its RUN lines say so.
    if text.contains("split-file") { found } else { Vec::new() }
}

/// The name in a line that starts a section, and where it is: one character or `//`, then `--- `.
fn marker(line: &str) -> Option<(usize, &str)> {
    let line = line.trim_end();
    let first = line.chars().next()?.len_utf8();
    let start = if line.starts_with("//") { 2 } else { first };
    let name = line.get(start..)?.strip_prefix("--- ")?;
    (!name.is_empty() && !name.starts_with(' ')).then_some((line.len() - name.len(), name))
}

fn size(n: usize) -> TextSize {
    TextSize::new(u32::try_from(n).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_split_file_has_named_sections() {
        let text = "; RUN: split-file %s %t\n;--- a.ll\ndefine void @f()\n#--- b/c.ll\nx\n//--- d\n";
        let shown: Vec<String> = sections(text)
            .iter()
            .map(|s| {
                let at = |range: TextRange| &text[usize::from(range.start())..usize::from(range.end())];
                assert_eq!(at(s.name_range), s.name);
                format!("{}: {:?}", s.name, at(s.range))
            })
            .collect();
        assert_eq!(shown, ["a.ll: \"define void @f()\\n\"", "b/c.ll: \"x\\n\"", "d: \"\""]);
        assert_eq!(sections("--- |\n;--- a\n"), []);
    }
}
