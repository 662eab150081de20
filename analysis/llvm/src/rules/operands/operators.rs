//! The operator for a type: `fadd` where `add` is given floating-point values, and the other way round.

use wavelens_base::{TextRange, TextSize};

/// Operators of integers, with those of floating-point values. The first that fits is taken: a signed one, an ordered comparison.
const OPERATORS: [(&str, &str); 7] = [
    ("add", "fadd"),
    ("sub", "fsub"),
    ("mul", "fmul"),
    ("sdiv", "fdiv"),
    ("udiv", "fdiv"),
    ("srem", "frem"),
    ("urem", "frem"),
];

/// Predicates of integers and pointers, with those of floating-point values.
const PREDICATES: [(&str, &str); 18] = [
    ("eq", "oeq"),
    ("ne", "une"),
    ("slt", "olt"),
    ("sle", "ole"),
    ("sgt", "ogt"),
    ("sge", "oge"),
    ("ult", "olt"),
    ("ule", "ole"),
    ("ugt", "ogt"),
    ("uge", "oge"),
    ("eq", "ueq"),
    ("ne", "one"),
    ("slt", "ult"),
    ("sle", "ule"),
    ("sgt", "ugt"),
    ("sge", "uge"),
    ("ne", "une"),
    ("eq", "oeq"),
];

fn other(pairs: &[(&'static str, &'static str)], word: &str, to_float: bool) -> Option<&'static str> {
    match to_float {
        true => pairs.iter().find(|(int, _)| *int == word).map(|(_, float)| *float),
        false => pairs.iter().find(|(_, float)| *float == word).map(|(int, _)| *int),
    }
}

/// What is written in an instruction's text up to its first operand, and what fits the other kind of type. `None` where flags of the
/// operator would have to go too.
pub(super) fn replacement(head: &str, to_float: bool) -> Option<(TextRange, String)> {
    let after_name = head.find('=').map_or(0, |at| at + 1);
    let rest = head.get(after_name..)?;
    let start = after_name + rest.len() - rest.trim_start().len();
    let mut words = rest.split_whitespace();
    let word = words.next()?;
    let (written, new) = match (word, to_float) {
        ("icmp", true) | ("fcmp", false) => {
            let predicate = words.next()?;
            let new = other(&PREDICATES, predicate, to_float)?;
            (format!("{word} {predicate}"), format!("{} {new}", if to_float { "fcmp" } else { "icmp" }))
        }
        _ => (word.to_owned(), other(&OPERATORS, word, to_float)?.to_owned()),
    };
    // A type follows, not a flag: `nuw`, `exact`, `fast`.
    let is_flag = |word: &str| word.chars().all(|c| c.is_ascii_lowercase());
    let type_word = words.next()?;
    let is_type = !is_flag(type_word) || matches!(type_word, "half" | "bfloat" | "float" | "double");
    let text = head.get(start..)?;
    (is_type && text.starts_with(&written))
        .then(|| (TextRange::at(TextSize::new(start as u32), TextSize::of(written.as_str())), new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_fit_the_type() {
        let replaced = |head: &str, to_float| {
            let (range, new) = replacement(head, to_float)?;
            let mut text = head.to_owned();
            text.replace_range(std::ops::Range::<usize>::from(range), &new);
            Some(text)
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(replaced("%1 = add float ", true), some("%1 = fadd float "));
        assert_eq!(replaced("%1 = fdiv <2 x i32> ", false), some("%1 = sdiv <2 x i32> "));
        assert_eq!(replaced("%c = icmp ult double ", true), some("%c = fcmp olt double "));
        assert_eq!(replaced("%c = fcmp une i32 ", false), some("%c = icmp ne i32 "));
        assert_eq!(replaced("fadd i32 ", false), some("add i32 "));
        assert_eq!(replaced("%1 = add nuw float ", true), None);
        assert_eq!(replaced("%1 = shl float ", true), None);
    }
}
