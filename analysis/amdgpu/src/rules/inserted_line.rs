//! Fixes that put an instruction on a line of its own.

use wavelens_base::{Diagnostic, TextRange, TextSize};

/// Adds the fix that inserts `lines` before the statement at `range` of `text`, indented like the statement.
pub(super) fn insert_before(diagnostic: Diagnostic, text: &str, range: TextRange, lines: &str) -> Diagnostic {
    let indent = indentation(text, range.start());
    let title = format!("Add `{}`", lines.replace('\n', "`, `"));
    let new = lines.lines().map(|line| format!("{line}\n{indent}")).collect::<String>();
    diagnostic.fix(title, TextRange::empty(range.start()), new)
}

/// The blanks before a statement. After a label, these follow the label.
pub(super) fn indentation(text: &str, start: TextSize) -> &str {
    let before = text.get(..usize::from(start)).and_then(|before| before.rsplit('\n').next()).unwrap_or("");
    before.get(before.trim_end_matches([' ', '\t']).len()..).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::rules::waits::missing_wait::MISSING_WAIT;

    fn check(text: &str, statement: &str, lines: &str, expected: expect_test::Expect) {
        let start = text.find(statement).unwrap_or(0);
        let range = TextRange::new((start as u32).into(), ((start + statement.len()) as u32).into());
        let diagnostic =
            insert_before(Diagnostic::new(&MISSING_WAIT, range, String::new()), text, range, lines);
        let fix = diagnostic.fix.expect("a fix");
        let mut fixed = text.to_owned();
        fixed.insert_str(start, &fix.edits[0].text);
        expected.assert_eq(&format!("{}\n{fixed}", fix.title));
    }

    #[test]
    fn inserted_lines_are_indented_like_the_statement() {
        check(
            "k:\n\t  v_mov_b32 v1, v0\n",
            "v_mov",
            "s_nop 0\ns_nop 1",
            expect![[r#"
                Add `s_nop 0`, `s_nop 1`
                k:
                	  s_nop 0
                	  s_nop 1
                	  v_mov_b32 v1, v0
            "#]],
        );
        check(
            "k: v_nop\n",
            "v_nop",
            "s_nop 0",
            expect![[r#"
            Add `s_nop 0`
            k: s_nop 0
             v_nop
        "#]],
        );
    }
}
