//! Expressions without a known value where a number is needed.

wavelens_syntax::rules! {
    NOT_ABSOLUTE {
        code: "not-absolute",
        severity: wavelens_base::Severity::Error,
        title: "an expression must be a number where one is needed",
        explain: "The value depends on where the linker puts something, but it is needed while the file is assembled.",
        example: "a:\n.p2align a\n",
        fixed: ".p2align 2\n",
        source: "LLVM AsmParser::parseAbsoluteExpression: \"expected absolute expression\"",
    }
}

/// The message about an expression that is read at once.
pub(crate) const WHEN_READ: &str = "expected an expression whose value is known when the line is read";

/// The message about an expression that may be known only at the end of the file.
pub(crate) const AT_THE_END: &str = "this must be a number by the end of the file";

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn counts_are_numbers_when_they_are_read() {
        marks(
            "gfx900",
            expect![[r#"
                a:
                .p2align a
                ;        ^ error[not-absolute]: expected an expression whose value is known when the line is read
                .p2align 2
                b:
                .rept b - a
                .endr
            "#]],
        );
    }
}
