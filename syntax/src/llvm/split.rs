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
    match (state, starts_entity(line)) {
        (AFTER, true) => (Line::Start, 0),
        (AFTER, false) => (Line::Inside, AFTER),
        (_, true) => (Line::Boundary, 0),
        (_, false) => (Line::Inside, 0),
    }
}

/// After a function's closing brace, before the next entity.
const AFTER: u32 = 2;

/// Whether an entity other than a function's body starts with this line: a continued line may start with `%`, `@` or a word as well.
fn starts_entity(line: &str) -> bool {
    match line.as_bytes().first() {
        Some(b'@' | b'$' | b'!') => after_name(line).is_some(),
        Some(b'%') => {
            after_name(line).is_some_and(|rest| rest.trim_start_matches([' ', '\t']).starts_with("type"))
        }
        Some(b'^') => true,
        Some(b'a') => line.starts_with("attributes"),
        Some(b'd') => line.starts_with("declare"),
        Some(b'm') => line.starts_with("module"),
        Some(b's') => line.starts_with("source_filename"),
        Some(b't') => line.starts_with("target"),
        Some(b'u') => line.starts_with("uselistorder"),
        _ => false,
    }
}

/// What follows `@name =`.
fn after_name(line: &str) -> Option<&str> {
    let name = line.get(1..)?;
    let rest = match name.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"')?.1,
        None => name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || "-$._\\".contains(c)),
    };
    rest.trim_start_matches([' ', '\t']).strip_prefix('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_continued_line_starts_no_entity() {
        let of = |line: &str| line_rule(0, line).0;
        for line in [
            "@g = global i32 0",
            "@\"a b\"=global i32 0",
            "%0 = type opaque",
            "$c = comdat any",
            "!0 = !{}",
            "!llvm.\\41 = !{}",
            "^0 = module: ()",
            "attributes #0 = { }",
            "declare void @f()",
            "module asm \"\"",
            "source_filename = \"a\"",
            "target triple = \"\"",
            "uselistorder_bb @f, %a, { 1, 0 }",
        ] {
            assert_eq!(of(line), Line::Boundary, "{line}");
        }
        for line in [
            "@g, i32 0",
            "%T }",
            "%t = add i32 0, 1",
            "%\"a = type",
            "!0}",
            "align 4",
            "double }",
            "metadata !0",
            "sub (i64 0, i64 1)",
            "to ptr)",
            "udiv (i64 1, i64 1)",
            "",
            "}",
            " @g = global i32 0",
        ] {
            assert_eq!(of(line), Line::Inside, "{line}");
        }
    }

    #[test]
    fn a_label_starts_no_function() {
        assert_eq!(line_rule(FUNCTION, "define:"), (Line::Inside, FUNCTION));
        assert_eq!(line_rule(FUNCTION, "define.body:"), (Line::Inside, FUNCTION));
        assert_eq!(line_rule(FUNCTION, "define void @f() {"), (Line::Start, FUNCTION));
        assert_eq!(line_rule(0, "define"), (Line::Start, FUNCTION));
    }
}
