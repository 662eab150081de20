//! Errors that the source asks for.

wavelens_syntax::rules! {
    USER_ERROR {
        code: "user-error",
        severity: wavelens_base::Severity::Error,
        title: "`.error` and `.err` report an error",
        explain: "The source asks for this error, usually under a condition about its configuration.",
        example: ".error \"unsupported tile size\"\n",
        fixed: ".if 0\n.error \"unsupported tile size\"\n.endif\n",
        source: "LLVM AsmParser::parseDirectiveError",
    }
}

/// The message about `.err`, and `.error` without a text.
pub(crate) fn reached(directive: &str) -> String {
    format!("`{directive}` is reached")
}

/// The message about `.abort`.
pub(crate) const ABORT: &str = "`.abort` stops the assembly here";

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_error_has_its_own_words() {
        marks(
            "gfx900",
            expect![[r#"
                .error "no such tile"
                ;^^^^^ error[user-error]: no such tile
                .err
                ;^^^ error[user-error]: `.err` is reached
                .abort
                ;^^^^^ error[user-error]: `.abort` stops the assembly here
                .if 0
                .error "not here"
                .endif
            "#]],
        );
    }
}
