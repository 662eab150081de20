//! Arguments of directives.

wavelens_syntax::rules! {
    DIRECTIVE_ARGUMENT {
        code: "directive-argument",
        severity: wavelens_base::Severity::Error,
        title: "a directive must have the arguments that it takes",
        explain: "An argument is missing, of the wrong kind, or out of range.",
        example: ".p2align 99\n",
        fixed: ".p2align 8\n",
        source: "LLVM AsmParser: the parser of each directive, such as \"invalid alignment value\"",
    }
}

/// The message about storage of less than no bytes.
pub(crate) fn negative_size(size: i64) -> String {
    format!("the size must not be negative, is {size}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn arguments_are_of_their_kind_and_in_range() {
        marks(
            "gfx900",
            expect![[r#"
                .p2align 99
                ;        ^^ error[directive-argument]: the alignment must be at most 2^31, is 2^99
                .p2align 8
                .type f, @nothing
                ;         ^^^^^^^ error[directive-argument]: `nothing` is not a type of a symbol
                .type f, @function
                .comm f
                ;      ^ error[syntax-error]: expected `,`, found the end of the line
                .comm g, -1
                ;        ^^ error[directive-argument]: the size must not be negative, is -1
                .comm h, 4, 4
            "#]],
        );
    }
}
