//! Operands with a syntax of their own, one family a file: from what the line says to the number in the encoding.

pub(crate) mod cpol;
pub(crate) mod dpp;
pub(crate) mod export;
pub(crate) mod format;
pub(crate) mod hwreg;
pub(crate) mod modifiers;
pub(crate) mod sendmsg;
pub(crate) mod swizzle;
pub(crate) mod syntax;
pub(crate) mod wait;

pub use wait::{event_field, waitcnt_counts};

use std::borrow::Cow;

use crate::error::{Found, Joint, Problem};
use crate::operand::{Line, Term, TermRange};
use crate::tables::{KINDS, TOKENS, kind::Class};

/// Whether a word stands for a message, its operation or a hardware register, whatever symbol has the same name.
pub fn is_named_field(word: &str) -> bool {
    sendmsg::is_name(word) || hwreg::is_name(word)
}

/// Whether a word after `name:` is one of its values, and never a symbol.
pub fn takes_word(name: &str) -> bool {
    matches!(name, "dim" | "dst_sel" | "src0_sel" | "src1_sel" | "dst_unused" | "th" | "scope")
}

/// Whether a word is the name of a modifier with a value.
pub fn is_modifier_name(word: &str) -> bool {
    takes_word(word) || KINDS.iter().any(|k| k.print.prefix() == Some(word))
}

/// Modifiers with a syntax of their own.
const OTHER_MODIFIERS: [&str; 11] =
    ["offset", "inst_offset", "mul", "div", "dim", "format", "dfmt", "nfmt", "r128", "dpp8", "neg"];

/// Whether a word is a modifier, or the name of one with a value, of some instruction of some processor.
pub(crate) fn is_modifier(word: &str) -> bool {
    let plain = word.strip_prefix("no").unwrap_or(word);
    let of_kind = |imm| syntax::Syntax::of(imm).is_some_and(|s| s.name() == word || s.name() == plain);
    OTHER_MODIFIERS.contains(&word)
        || cpol::is_word(word)
        || dpp::CONTROLS.contains(&word)
        || TOKENS.contains(&word)
        || takes_word(word)
        || KINDS.iter().any(|k| matches!(k.class, Class::Imm(imm) if of_kind(imm)))
}

/// Outcome of reading one operand as one family.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Read {
    Value(i64),
    /// The value depends on something unknown.
    Unknown,
    /// Not of this family at all.
    No,
    /// Of this family, and wrong.
    Bad(Problem),
}

pub(crate) fn bad(text: impl Into<Cow<'static, str>>) -> Read {
    Read::Bad(Problem::new(text))
}

/// "expected a number, found `x`"
pub(crate) fn bad_term(text: impl Into<Cow<'static, str>>, found: Option<&Term<'_>>) -> Read {
    Read::Bad(Problem::new(text).with(Joint::Found, Found::of(found)))
}

/// "the lane must be between 0 and 3, is `x`"
pub(crate) fn bad_value(text: impl Into<Cow<'static, str>>, found: Option<&Term<'_>>) -> Read {
    Read::Bad(Problem::new(text).with(Joint::Is, Found::of(found)))
}

/// "`offset` must be between 0 and 255, is 300"
pub(crate) fn bad_number(text: impl Into<Cow<'static, str>>, found: i64) -> Read {
    bad_value(text, Some(&Term::Int(found)))
}

/// "unknown counter `x`; expected one of ..."
pub(crate) fn unknown_word(text: String, choices: impl IntoIterator<Item = &'static str>) -> Read {
    Read::Bad(Problem { choices: choices.into_iter().collect(), ..Problem::new(text) })
}

/// The only term of a range, when it is a number or unknown.
pub(crate) fn int(line: &Line<'_>, range: TermRange) -> Read {
    match line.terms(range) {
        [Term::Int(v)] => Read::Value(*v),
        [Term::Unknown] => Read::Unknown,
        terms => bad_term("expected an integer or an absolute expression", terms.first()),
    }
}
