//! The limit on what a file expands to, and on what is checked of it.

use wavelens_base::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    /// What exceeds the budget of a check; see [`wavelens_base::budget`].
    LIMIT {
        code: "limit",
        severity: wavelens_base::Severity::Warning,
        title: "a file must not expand to more than 1000000 lines or 64 MiB of text, and a function must not be too large to analyze",
        explain: "Macros, repetitions and included files can ask for more text than any machine can hold. What exceeds the \
limit is not checked, and neither is what depends on it: labels, distances, symbols, waits. `wavelens encode` refuses such a file.",
        example: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.rept 9223372036854775807\n.endr\n",
        fixed: ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.rept 64\ns_nop 0\n.endr\n",
        source: "Wavelens: the assembler's budget of expanded lines and bytes, and the budget of steps of control-flow checks",
    }
}

/// A function, given by its label, needs more steps than are left for the file.
pub(crate) fn too_many_steps(label: TextRange) -> Diagnostic {
    let message = "the control flow from here on needs too many steps; waits, hazards and registers are not checked completely";
    Diagnostic::new(&LIMIT, label, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn expanded_text_has_a_limit() {
        marks(
            "gfx900",
            expect![[r#"
                .rept 9223372036854775807
                ;^^^^ warning[limit]: expands to more than 1000000 lines; the rest is not checked
                .endr
                .rept 64
                s_nop 0
                .endr
            "#]],
        );
    }
}
