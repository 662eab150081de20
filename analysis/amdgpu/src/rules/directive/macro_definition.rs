//! Definitions of macros.

wavelens_syntax::rules! {
    MACRO_DEFINITION {
        code: "macro-definition",
        severity: wavelens_base::Severity::Error,
        title: "a macro must be well formed and defined once",
        explain: "The head of the macro is malformed, its end is missing, or there is a macro of this name: `.purgem` removes it.",
        example: ".macro m\n.endm\n.macro m\n.endm\n",
        fixed: ".macro m\n.endm\n.purgem m\n.macro m\n.endm\n",
        source: "LLVM AsmParser::parseDirectiveMacro: \"macro 'm' is already defined\"",
    }
}

/// The message about a second definition.
pub(crate) fn redefinition(name: &str) -> String {
    format!("macro `{name}` is already defined")
}

/// The message about two parameters of one name.
pub(crate) fn duplicate_parameter(name: &str, parameter: &str) -> String {
    format!("macro `{name}` has two parameters `{parameter}`")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn macros_are_defined_once_and_end() {
        marks(
            "gfx900",
            expect![[r#"
                .macro m a, b:req
                .endm
                .macro m
                ;^^^^^ error[macro-definition]: macro `m` is already defined
                ;    = line 1:8: the first definition
                .endm
                .purgem m
                .macro m a, a
                ;           ^ error[macro-definition]: macro `m` has two parameters `a`
                .endm
                ;^^^^ error[macro-definition]: `.endm` without `.macro`
                .endm
                ;^^^^ error[macro-definition]: `.endm` without `.macro`
                .macro n
                ;^^^^^ error[macro-definition]: no matching `.endm`
            "#]],
        );
    }
}
