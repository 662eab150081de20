//! Helpers of fixes: ranges of the words around a value.

use super::lower::rules::VOID_NAMED;
use wavelens_base::{Diagnostic, TextEdit, TextRange, TextSize};

pub(crate) fn slice(text: &str, range: TextRange) -> &str {
    text.get(std::ops::Range::<usize>::from(range)).unwrap_or("")
}

fn before(text: &str, at: TextSize) -> &str {
    slice(text, TextRange::up_to(at))
}

pub(super) fn after(text: &str, at: TextSize) -> &str {
    text.get(usize::from(at)..).unwrap_or("")
}

/// The type that is written right before a value, if it is written just so.
pub(super) fn type_before(text: &str, value: TextRange, ty: &str) -> Option<TextRange> {
    let head = before(text, value.start());
    let trimmed = head.trim_end();
    let start = trimmed.strip_suffix(ty)?;
    let whole = !start.ends_with(|c: char| c.is_ascii_alphanumeric() || "%._-$\"*".contains(c));
    (trimmed.len() < head.len() && whole).then(|| TextRange::new(TextSize::of(start), TextSize::of(trimmed)))
}

/// Whether a comma precedes a value, so that its type is that of the previous value.
pub(super) fn shares_type(text: &str, value: TextRange) -> bool {
    before(text, value.start()).trim_end().ends_with(',')
}

/// The first place of a whole word in a range.
pub(super) fn word_in(text: &str, range: TextRange, word: &str) -> Option<TextRange> {
    let part = slice(text, range);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "%@!._-$\"".contains(c);
    let mut from = 0;
    while let Some(at) = part.get(from..)?.find(word).map(|n| n + from) {
        let end = at + word.len();
        let free = !part.get(..at)?.ends_with(is_name) && !part.get(end..)?.starts_with(is_name);
        if free {
            return Some(TextRange::at(range.start() + TextSize::new(at as u32), TextSize::of(word)));
        }
        from = end;
    }
    None
}

/// `[ value, %block ]` around a phi's value and block.
pub(super) fn phi_entry(text: &str, value: TextRange, block: TextRange) -> Option<TextRange> {
    let head = before(text, value.start()).trim_end().strip_suffix('[')?;
    let tail = after(text, block.end());
    let close = tail.len() - tail.trim_start().strip_prefix(']')?.len();
    Some(TextRange::new(TextSize::of(head), block.end() + TextSize::new(close as u32)))
}

/// A piece of a list with the comma that goes with it.
pub(super) fn with_comma(text: &str, piece: TextRange) -> TextRange {
    let head = before(text, piece.start()).trim_end();
    if let Some(rest) = head.strip_suffix(',') {
        return TextRange::new(TextSize::of(rest), piece.end());
    }
    let tail = after(text, piece.end());
    match tail.trim_start().strip_prefix(',') {
        Some(rest) => {
            let taken = tail.len() - rest.trim_start().len();
            TextRange::new(piece.start(), piece.end() + TextSize::new(taken as u32))
        }
        None => piece,
    }
}

/// The line that an offset is in, with its end.
pub(super) fn line(text: &str, at: TextSize) -> TextRange {
    let start = before(text, at).rfind('\n').map_or(0, |n| n + 1);
    let rest = after(text, at);
    let end = usize::from(at) + rest.find('\n').map_or(rest.len(), |n| n + 1);
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// Takes the name, the `=` and the space from an instruction that gives no value.
pub(super) fn unname(text: &str, name: TextRange) -> Option<TextRange> {
    let rest = after(text, name.end());
    let opcode = rest.trim_start().strip_prefix('=')?.trim_start();
    let taken = TextSize::new((rest.len() - opcode.len()) as u32);
    Some(TextRange::new(name.start(), name.end() + taken))
}

/// A fix that takes a word out takes one of the spaces around it as well.
pub(super) fn tidy(diagnostics: &mut [Diagnostic], text: &str) {
    for d in diagnostics.iter_mut().filter(|d| d.fix.is_none() && d.rule == &VOID_NAMED) {
        if let Some(range) = unname(text, d.range) {
            d.set_fix("Remove the name", vec![TextEdit::new(range, "")]);
        }
    }
    for edit in diagnostics.iter_mut().filter_map(|d| d.fix.as_mut()).flat_map(|f| &mut f.edits) {
        let spaced = |edit: &TextEdit| {
            edit.text.is_empty()
                && !edit.range.is_empty()
                && !slice(text, edit.range).ends_with(['\n', ' '])
                && before(text, edit.range.start()).ends_with([' ', '\n'])
                && after(text, edit.range.end()).starts_with(' ')
        };
        if spaced(edit) {
            edit.range = TextRange::new(edit.range.start(), edit.range.end() + TextSize::new(1));
        } else if edit.text.is_empty()
            && before(text, edit.range.start()).ends_with(' ')
            && after(text, edit.range.end()).starts_with([')', ',', '\n'])
        {
            edit.range = TextRange::new(edit.range.start() - TextSize::new(1), edit.range.end());
        }
    }
}
