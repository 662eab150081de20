//! Where chunks of LLVM IR may start.

use crate::machine::split::Line;

/// Inside a function, from `define` to the closing brace.
const FUNCTION: u32 = 1;

/// See [`crate::machine::split::LineRule`]. A function reaches from `define` at column 0 to `}` at column 0; all else comes in runs.
pub(crate) fn line_rule(state: u32, line: &str) -> (Line, u32) {
    let is_label = |rest: &str| {
        rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-$._".contains(c)).starts_with(':')
    };
    if line.strip_prefix("define").is_some_and(|rest| !is_label(rest)) {
        return (Line::Start, FUNCTION);
    }
    if state == FUNCTION {
        // What follows the closing brace starts a chunk of its own: the state between is that of its line.
        return if line.starts_with('}') { (Line::Inside, AFTER) } else { (Line::Inside, FUNCTION) };
    }
    let starts = matches!(
        line.as_bytes().first(),
        Some(b'@' | b'%' | b'!' | b'$' | b'^' | b'a' | b'd' | b'm' | b's' | b't' | b'u')
    );
    match (state, starts) {
        (AFTER, true) => (Line::Start, 0),
        (AFTER, false) => (Line::Inside, AFTER),
        (_, true) => (Line::Boundary, 0),
        (_, false) => (Line::Inside, 0),
    }
}

/// After a function's closing brace, before the next entity.
const AFTER: u32 = 2;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_starts_no_function() {
        assert_eq!(line_rule(FUNCTION, "define:"), (Line::Inside, FUNCTION));
        assert_eq!(line_rule(FUNCTION, "define.body:"), (Line::Inside, FUNCTION));
        assert_eq!(line_rule(FUNCTION, "define void @f() {"), (Line::Start, FUNCTION));
        assert_eq!(line_rule(0, "define"), (Line::Start, FUNCTION));
    }
}
