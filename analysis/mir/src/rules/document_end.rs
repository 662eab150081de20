//! The line that ends the last document: LLVM's YAML reader finds `...` and `---` only in front of another character.

use wavelens_syntax::mir::SYNTAX_ERROR;

use wavelens_base::{Diagnostic, TextRange, TextSize};

/// Reports an end that is the last line of the file and has no line break; `text` is that of a chunk.
pub(crate) fn check(text: &str) -> Option<Diagnostic> {
    let line = text.rsplit('\n').next().filter(|line| matches!(*line, "..." | "---"))?;
    let end = TextSize::of(text);
    let message = format!("the file ends in `{line}` without a line break, so LLVM reads `{line}` as a key");
    let range = TextRange::new(end - TextSize::of(line), end);
    Some(Diagnostic::new(&SYNTAX_ERROR, range, message).fix("Add a line break", TextRange::empty(end), "\n"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn the_last_line_needs_a_line_break() {
        let after = |end: &str| {
            let text = format!("---\nname: f\nbody: |\n  bb.0:\n    S_ENDPGM 0\n{end}");
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        for end in ["", "...\n", "... ", "...\r", "...\n...\n", "...\n# end"] {
            expect![""].assert_eq(&after(end));
        }
        expect![[r#"
            error[syntax-error] 6:1 `...`: the file ends in `...` without a line break, so LLVM reads `...` as a key
              fix: Add a line break
        "#]].assert_eq(&after("..."));
        expect![[r#"
            error[syntax-error] 6:1 `---`: the file ends in `---` without a line break, so LLVM reads `---` as a key
              fix: Add a line break
        "#]].assert_eq(&after("---"));
        expect![[r#"
            error[syntax-error] 7:1 `...`: the file ends in `...` without a line break, so LLVM reads `...` as a key
              fix: Add a line break
        "#]].assert_eq(&after("...\n..."));
    }
}
