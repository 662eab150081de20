//! `.if`, `.else` and `.endif` without each other.

wavelens_syntax::rules! {
    CONDITION {
        code: "unbalanced-condition",
        severity: wavelens_base::Severity::Error,
        title: "`.if`, `.else` and `.endif` must form pairs",
        explain: "A condition has no `.endif`, or an `.else` or `.endif` has no condition.",
        example: ".if 1\n",
        fixed: ".if 1\n.endif\n",
        source: "LLVM AsmParser: \"unmatched .ifs or .elses\"",
    }
}

/// The message about a condition that is open at the end of the file.
pub(crate) const UNCLOSED: &str = "this condition has no `.endif`";

/// The message about a directive that needs an open condition.
pub(crate) fn without_if(directive: &str) -> String {
    format!("`{directive}` without `.if`")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn conditions_have_a_beginning_and_an_end() {
        marks(
            "gfx900",
            expect![[r#"
                .else
                ;^^^^ error[unbalanced-condition]: `.else` without `.if`
                .endif
                ;^^^^^ error[unbalanced-condition]: `.endif` without `.if`
                .if 1
                .elseif 0
                .else
                .endif
                .ifdef x
                ;^^^^^ error[unbalanced-condition]: this condition has no `.endif`
            "#]],
        );
    }

    #[test]
    fn strings_end_in_what_is_skipped_too() {
        marks(
            "gfx900",
            expect![[r#"
                .if 0
                .ascii "x" "y
                ;          ^^ error[syntax-error]: this string does not end on its line
                .endif
                .macro m
                "
                ;^ error[syntax-error]: this string does not end on its line
                .endm
                .if 0
                ; "
                that's it
                .endif
            "#]],
        );
    }
}
