//! What a misspelt word or a wrong register may mean, and a fix where the line is an instruction with just one of them.

use wavelens_isa::{self as isa, Line, RegFile, Takes, Target, Term, Value};
use wavelens_syntax::{closest, names_same_sizes};

use super::RejectedLine;
use wavelens_base::{Diagnostic, Fix, TextEdit, TextRange, TextSize};

/// What is likely meant.
pub(super) struct Suggestion {
    text: String,
    fix: Option<Fix>,
}

impl Suggestion {
    /// The finding with the suggestion.
    pub(super) fn add_to(self, mut found: Diagnostic) -> Diagnostic {
        found.message.push_str(&format!("; did you mean `{}`?", self.text));
        found.fix = self.fix;
        found
    }

    fn new(text: String, edit: Option<TextEdit>, certain: bool) -> Suggestion {
        let title = format!("Replace with `{text}`");
        let fix = edit.map(|edit| Fix { title, certain, edits: vec![edit] });
        Suggestion { text, fix }
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

/// The register with the number of a word whose letters are not those of a file, if just one fits, or one file's letter is in the word.
pub(super) fn register(line: &RejectedLine<'_>, index: usize) -> Option<Suggestion> {
    let word = line.word();
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let number: i64 = word.get(letters.len()..)?.parse().ok()?;
    let is_short = (1..=2).contains(&letters.len()) && letters.bytes().all(|c| c.is_ascii_lowercase());
    let fits = |file: &&str| {
        let register = isa::named_register(&format!("{file}{number}"));
        register.is_some_and(|register| line.fits_with_register(index, register))
    };
    let fitting: Vec<&str> = ["v", "s", "a"].into_iter().filter(|_| is_short).filter(fits).collect();
    let is_in_word = |file: &&&str| letters.contains(**file);
    let file = match fitting.as_slice() {
        [only] => only,
        several => {
            several.iter().find(is_in_word).filter(|_| several.iter().filter(is_in_word).count() == 1)?
        }
    };
    let text = format!("{file}{number}");
    let edit = TextEdit::new(line.range(), text.as_str());
    Some(Suggestion::new(text, Some(edit), false))
}

/// `null`, which reads as zero, where a scalar register is read.
pub(super) fn null(line: &RejectedLine<'_>, index: usize) -> Option<Suggestion> {
    let null = isa::named_register("null")?;
    let is_source = slots(line.target, line.line).any(|slot| slot.name == "soffset");
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
