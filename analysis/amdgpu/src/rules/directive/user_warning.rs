//! Warnings that the source asks for.

wavelens_syntax::rules! {
    USER_WARNING {
        code: "user-warning",
        severity: wavelens_base::Severity::Warning,
        title: "`.warning` reports a warning",
        explain: "The source asks for this warning, usually under a condition about its configuration.",
        example: ".warning \"slow path\"\n",
        fixed: ".if 0\n.warning \"slow path\"\n.endif\n",
        source: "LLVM AsmParser::parseDirectiveWarning",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_warning_has_its_own_words() {
        marks(
            "gfx900",
            expect![[r#"
                .warning "slow"
                ;^^^^^^^ warning[user-warning]: slow
                .warning
                ;^^^^^^^ warning[user-warning]: `.warning` is reached
                .if 0
                .warning "not here"
                .endif
            "#]],
        );
    }
}
