//! Expressions that cannot be read or computed.

wavelens_syntax::rules! {
    EXPRESSION {
        code: "expression",
        severity: wavelens_base::Severity::Error,
        title: "an expression must be complete and have a value",
        explain: "An operand of the expression is missing, a parenthesis is not closed, or the value cannot be computed.",
        example: ".long (1 + 2\n",
        fixed: ".long (1 + 2)\n",
        source: "LLVM AsmParser::parsePrimaryExpr: \"unknown token in expression\"",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn expressions_are_complete() {
        marks(
            "gfx900",
            expect![[r#"
                .long (1 + 2
                ;           ^ error[expression]: expected `)`
                .long 1 +
                ;        ^ error[expression]: expected an expression, found the end of the line
                .long (1 + 2)
                .long 99999999999999999999999999999999999999999
                ;     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[expression]: the number needs more than 64 bits
                a = a + 1
                ;   ^^^^^ error[expression]: the value of `a` depends on itself
                .long f@nothing
                ;       ^^^^^^^ error[expression]: unknown relocation `nothing`
            "#]],
        );
    }
}
