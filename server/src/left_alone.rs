//! The sentence about what formatting leaves as it is.

use wavelens_base::Dialect;
use wavelens_ide::features::{LeftAlone, left_alone};

use crate::LineIndex;

/// Lines that are named.
const NAMED: usize = 5;

/// Which parts of a text are not formatted, and why.
pub(crate) fn left_as_it_is(dialect: Dialect, text: &str) -> Option<String> {
    let errors = match left_alone(dialect, text) {
        LeftAlone::Whole => return Some("left as it is: its test counts lines (`@LINE`)".to_owned()),
        LeftAlone::Errors(errors) => errors,
    };
    let index = LineIndex::new(text);
    let mut lines: Vec<u32> = errors.iter().map(|error| index.position(error.start()).0 + 1).collect();
    lines.dedup();
    let named: Vec<String> = lines.iter().take(NAMED).map(u32::to_string).collect();
    let more = match lines.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = if lines.len() == 1 { "line" } else { "lines" };
    (!lines.is_empty())
        .then(|| format!("what has a syntax error is left as it is: {what} {}{more}", named.join(", ")))
}
