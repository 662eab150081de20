//! What a misspelt word or a wrong register may mean, and a fix where the line is an instruction with just one of them.

use wavelens_isa::{self as isa, Half, Line, Reg, RegFile, Takes, Target, Term, Value};
use wavelens_syntax::{closest, names_same_sizes, wording};

use super::RejectedLine;
use wavelens_base::{Diagnostic, Fix, TextEdit, TextRange, TextSize};

/// What is likely meant.
pub(super) struct Suggestion {
    texts: Vec<String>,
    fix: Option<Fix>,
}

impl Suggestion {
    /// The finding with the suggestion.
    pub(super) fn add_to(self, mut found: Diagnostic) -> Diagnostic {
        found.message.push_str(&format!("; did you mean {}?", wording::one_of(self.texts)));
        found.fix = self.fix;
        found
    }

    fn new(text: String, edit: Option<TextEdit>, certain: bool) -> Suggestion {
        let title = format!("Replace with `{text}`");
        let fix = edit.map(|edit| Fix { title, certain, edits: vec![edit] });
        Suggestion { texts: vec![text], fix }
    }
}

/// The one of `known` that a word of the wrong operand, or of its arguments, may mean. There is a fix if the line is an instruction
/// with it.
pub(super) fn word(line: &RejectedLine<'_>, index: usize, word: &str, known: &[&str]) -> Option<Suggestion> {
    // A known one has a wrong value, or is one of other processors.
    let is_known = || known.contains(&word) || isa::is_dpp_control(word);
    let near = closest(word, known.iter().copied()).filter(|_| !is_known())?;
    let at = line.word().find(word)?;
    let mut other = line.line.clone();
    let operand = other.operands.get_mut(index)?;
    let argument = match operand.value {
        Value::Named { name, value } if name != word => Some(value),
        Value::Named { value, .. } => {
            operand.value = Value::Named { name: near, value };
            None
        }
        Value::Call { name, args } if name == word => {
            operand.value = Value::Call { name: near, args };
            None
        }
        Value::Call { args, .. } => Some(args),
        _ => {
            operand.value = isa::named_register(near).map_or(Value::Word(near), Value::Reg);
            None
        }
    };
    if let Some(args) = argument {
        other.set_first_term(args, Term::Word(near));
    }
    let problem = isa::assemble(line.target, &other).err();
    let is_here = |place| matches!(place, isa::Place::Operand(at) if usize::from(at) == index);
    if problem.as_ref().is_some_and(|problem| is_here(problem.place)) {
        return None;
    }
    let start = line.range().start() + TextSize::new(at as u32);
    let edit = TextEdit::new(TextRange::at(start, TextSize::of(word)), near);
    Some(Suggestion::new(near.to_owned(), problem.is_none().then_some(edit), names_same_sizes(word, near)))
}

/// Registers of a tuple.
const TUPLES: [i64; 13] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 32];

/// The tuple of the right size that keeps the first or the last register, where just one of these fits.
pub(super) fn tuple(line: &RejectedLine<'_>, index: usize, reg: isa::Reg) -> Option<Suggestion> {
    let (prefix, _) = line.word().split_once('[')?;
    let (first, last) = (i64::from(reg.index), i64::from(reg.index) + i64::from(reg.dwords) - 1);
    let sizes = TUPLES.iter().filter(|size| **size != i64::from(reg.dwords));
    let tuples = sizes.flat_map(|size| [(first, first + size - 1), (last - size + 1, last)]);
    let mut fitting = tuples.filter(|(low, high)| {
        let Some(Ok(resized)) = isa::register_range(prefix, *low, *high, reg.half) else { return false };
        line.fits_with_register(index, resized)
    });
    let (Some((low, high)), None) = (fitting.next(), fitting.next()) else { return None };
    let text = format!("{prefix}[{low}:{high}]");
    let edit = TextEdit::new(line.range(), text.as_str());
    // Vector tuples may start anywhere on most processors.
    let is_certain = matches!(reg.file, RegFile::Sgpr | RegFile::Ttmp);
    Some(Suggestion::new(text, Some(edit), is_certain))
}

/// The registers that are one slip from what is written as the operand, where the line is an instruction with them.
pub(super) fn register(line: &RejectedLine<'_>, index: usize) -> Option<Suggestion> {
    // A number with letters after it is two operands: `3v`.
    let written = word_around(line.text, line.operands.get(index)?.start());
    let is_part = |range: &TextRange| written.contains_range(*range);
    let first = line.operands.iter().position(is_part).unwrap_or(index);
    let parts = line.operands.iter().filter(|range| is_part(range)).count();
    let fits = |name: &String| {
        register_named(name).is_some_and(|register| {
            line.fits_with(|other| {
                other.operands.drain(first + 1..(first + parts).clamp(first + 1, other.operands.len()));
                if let Some(operand) = other.operands.get_mut(first) {
                    operand.value = Value::Reg(register);
                }
            })
        })
    };
    let range = if parts > 1 { written } else { *line.operands.get(index)? };
    let mut fitting: Vec<String> = respelt(line.slice(range)).into_iter().filter(fits).collect();
    fitting.sort_unstable();
    fitting.dedup();
    match fitting.as_slice() {
        [only] => Some(Suggestion::new(only.clone(), Some(TextEdit::new(range, only.as_str())), false)),
        // The names are for the operand that the message is about.
        several if several.len() <= MAX_REGISTERS && range == line.range() => {
            (!several.is_empty()).then_some(Suggestion { texts: fitting, fix: None })
        }
        _ => None,
    }
}

/// Registers in a suggestion.
const MAX_REGISTERS: usize = 3;

/// The letters and digits around a place.
fn word_around(text: &str, at: TextSize) -> TextRange {
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let (before, after) = text.split_at_checked(at.into()).unwrap_or_default();
    let start = before.trim_end_matches(is_word).len();
    let end = before.len() + after.find(|c| !is_word(c)).unwrap_or(after.len());
    TextRange::new(TextSize::new(start as u32), TextSize::new(end as u32))
}

/// A register or a tuple by its name.
fn register_named(name: &str) -> Option<Reg> {
    let Some((file, range)) = name.split_once('[') else {
        let is_numbered = name.ends_with(|c: char| c.is_ascii_digit());
        return isa::named_register(name).filter(|_| is_numbered);
    };
    let range = range.strip_suffix(']')?;
    let (low, high) = range.split_once(':').unwrap_or((range, range));
    isa::register_range(file, low.parse().ok()?, high.parse().ok()?, Half::Full)?.ok()
}

/// A word with one slip less in what is before a bracket: a letter too many, two characters that are swapped, or the letter of a register
/// file that is wrong or missing.
fn respelt(word: &str) -> Vec<String> {
    let (head, tail) = word.split_at(word.find('[').unwrap_or(word.len()));
    let chars: Vec<char> = head.chars().collect();
    let mut all: Vec<Vec<char>> = Vec::new();
    if chars.len() > MAX_NAME || !chars.iter().all(char::is_ascii_alphanumeric) {
        return Vec::new();
    }
    let with = |at: usize, letters: &[char], skipped: usize| {
        let (before, after) = (chars.iter().take(at), chars.iter().skip(at + skipped));
        before.chain(letters).chain(after).copied().collect()
    };
    for (at, pair) in chars.windows(2).enumerate() {
        all.push(with(at, &[pair[1], pair[0]], 2));
    }
    for (at, _) in chars.iter().enumerate().filter(|(_, c)| !c.is_ascii_digit()) {
        all.push(with(at, &[], 1));
        all.extend(FILES.map(|file| with(at, &[file], 1)));
    }
    all.extend(FILES.map(|file| with(0, &[file], 0)));
    // `v05` is not written.
    let is_written = |chars: &Vec<char>| chars.get(1) != Some(&'0') || chars.len() == 2;
    all.iter()
        .filter(|chars| is_written(chars))
        .map(|chars| chars.iter().collect::<String>() + tail)
        .collect()
}

/// The letters of register files.
const FILES: [char; 3] = ['v', 's', 'a'];

/// The longest name of a register that has a slip.
const MAX_NAME: usize = 6;

/// The operands in the other order, where a number is where a register must be, and the line is an instruction with the two swapped.
pub(super) fn swapped(line: &RejectedLine<'_>, index: usize) -> Option<Suggestion> {
    let others = (0..line.operands.len()).filter(|other| *other != index);
    let fits = |other: &usize| line.fits_with(|line| line.operands.swap(index, *other));
    let mut fitting = others.filter(fits);
    let (Some(other), None) = (fitting.next(), fitting.next()) else { return None };
    let (first, second) = (*line.operands.get(index.min(other))?, *line.operands.get(index.max(other))?);
    let between = line.slice(TextRange::new(first.end(), second.start()));
    let text = format!("{}{between}{}", line.slice(second), line.slice(first));
    let edit = TextEdit::new(first.cover(second), text.as_str());
    Some(Suggestion::new(text, Some(edit), false))
}

/// `null`, which reads as zero, where a scalar register is read.
pub(super) fn null(line: &RejectedLine<'_>, index: usize) -> Option<Suggestion> {
    let null = isa::named_register("null")?;
    let is_offset = |slot: Option<&isa::Slot>| slot.is_some_and(|slot| slot.name == "soffset");
    let templates = isa::templates(line.target, line.line.mnemonic);
    let is_source = templates.iter().any(|template| is_offset(template.slots.get(index)));
    let edit = TextEdit::new(line.range(), "null");
    (is_source && line.fits_with_register(index, null))
        .then(|| Suggestion::new("null".to_owned(), Some(edit), true))
}

fn slots(target: Target, line: &Line<'_>) -> impl Iterator<Item = isa::Slot> {
    isa::templates(target, line.mnemonic).into_iter().flat_map(|template| template.slots)
}

/// The modifiers of an instruction.
pub(super) fn modifiers(target: Target, line: &Line<'_>) -> Vec<&'static str> {
    let mut known = isa::cache_policies(target, line.mnemonic);
    known.iter_mut().for_each(|word| *word = word.trim_end_matches(':'));
    known.extend(slots(target, line).filter_map(|slot| match slot.takes {
        Takes::Word(word) | Takes::Flag(word) | Takes::Named { name: word, .. } => {
            Some(word.trim_end_matches(':'))
        }
        _ => None,
    }));
    known.extend(isa::dpp_controls(target));
    known
}

/// The calls that can be operands of an instruction.
pub(super) fn calls(target: Target, line: &Line<'_>) -> Vec<&'static str> {
    slots(target, line).flat_map(|slot| isa::calls(target, &slot.takes)).collect()
}

/// Words that can be operands of an instruction.
pub(super) fn words(target: Target, line: &Line<'_>) -> Vec<String> {
    let mut known: Vec<String> = isa::special_registers().map(str::to_owned).collect();
    for slot in slots(target, line) {
        match slot.takes {
            Takes::Word(word) => known.push(word.to_owned()),
            Takes::ExportTarget => known.extend(isa::export_targets(target)),
            Takes::Attribute => {
                let channels = |n: u32| ['x', 'y', 'z', 'w'].map(|channel| format!("attr{n}.{channel}"));
                known.extend((0..=MAX_ATTRIBUTE).flat_map(channels));
            }
            _ => {}
        }
    }
    known
}

/// The last attribute of interpolation.
const MAX_ATTRIBUTE: u32 = 32;

pub(super) fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
