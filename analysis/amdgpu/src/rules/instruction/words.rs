//! The words about an operand, made of the machine's [`Problem`].

use wavelens_isa::{Found, Joint, Problem};

/// Bytes of an operand that a message quotes.
const MAX_QUOTED: usize = 40;

/// An operand's text, if it is short enough for a message.
pub(super) fn quoted(text: &str) -> Option<&str> {
    (text.len() <= MAX_QUOTED).then_some(text)
}

/// The message about an operand with this text.
pub(super) fn problem(problem: &Problem, text: &str) -> String {
    let message = without_choices(problem, text);
    match problem.choices.as_slice() {
        [] => message,
        choices => format!("{message}; expected one of {}", choices.join(", ")),
    }
}

/// Likewise, without the words that are possible in its place.
pub(super) fn without_choices(problem: &Problem, text: &str) -> String {
    let Some((joint, found)) = &problem.found else { return problem.text.to_string() };
    let joint = match joint {
        Joint::Found => ", found",
        Joint::Is => ", is",
        Joint::Object => "",
    };
    let found = match found {
        Found::Int(value) => number(*value, quoted(text)),
        Found::Word(word) => format!("`{word}`"),
        Found::Str(string) => format!("\"{string}\""),
        Found::Register(register) => format!("`{}`", register.name()),
        Found::Call(name) => format!("`{name}(...)`"),
        Found::List => "a list".to_owned(),
        Found::Expression => quoted(text).map_or("this expression".to_owned(), |text| format!("`{text}`")),
    };
    format!("{}{joint} {found}{}", problem.text, problem.end)
}

/// A number, as the text writes it where that is another number: in hexadecimal, or too large for the assembler's numbers.
pub(super) fn number(value: i64, text: Option<&str>) -> String {
    let written = text.map_or("", |text| text.rsplit(':').next().unwrap_or(text));
    let digits = written.strip_prefix('-').unwrap_or(written);
    let is_number =
        digits.starts_with(|c: char| c.is_ascii_digit()) && digits.bytes().all(|b| b.is_ascii_alphanumeric());
    let is_hexadecimal = digits.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"));
    match is_number && (is_hexadecimal || value < 0 && digits == written) {
        true => written.to_owned(),
        false => value.to_string(),
    }
}
