//! Calls of macros.

wavelens_syntax::rules! {
    MACRO_CALL {
        code: "macro-call",
        severity: wavelens_base::Severity::Error,
        title: "the arguments of a macro call must fit the parameters",
        explain: "There are too many arguments, a required one is missing, a name is not a parameter, or macros call each other more than \
20 levels deep.",
        example: ".macro m a:req\n.byte \\a\n.endm\nm\n",
        fixed: ".macro m a:req\n.byte \\a\n.endm\nm 1\n",
        source: "LLVM AsmParser::parseMacroArguments: \"missing value for required parameter\"",
    }
}

/// How deep macros call each other at most, as in LLVM (`AsmMacroMaxNestingDepth`).
pub(crate) const DEPTH: usize = 20;

/// The message about calls that go deeper; `own` is the macro's name, if it alone is called.
pub(crate) fn too_deep(own: Option<&str>) -> String {
    match own {
        Some(name) => format!("macro `{name}` calls itself more than {DEPTH} levels deep"),
        None => format!("macros call each other more than {DEPTH} levels deep"),
    }
}

/// The message about a named argument; `name` is that of the macro, and missing for a repetition.
pub(crate) fn no_parameter(name: Option<&str>, parameter: &str) -> String {
    match name {
        Some(name) => format!("macro `{name}` has no parameter `{parameter}`"),
        None => "a repetition has no named parameters".to_owned(),
    }
}

/// The message about a required parameter.
pub(crate) fn missing(parameter: &str) -> String {
    format!("parameter `{parameter}` has no default and needs a value")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn arguments_fit_the_parameters() {
        marks(
            "gfx900",
            expect![[r#"
                .macro m a:req, b=1
                .byte \a, \b
                .endm
                m
                ;^ error[macro-call]: parameter `a` has no default and needs a value
                m 1
                m 1, 2, 3
                ;       ^ error[macro-call]: too many arguments
                m c=1
                ; ^ error[macro-call]: macro `m` has no parameter `c`
                m b=1, 2
                ;      ^ error[macro-call]: positional arguments come before named ones
            "#]],
        );
    }

    #[test]
    fn a_macro_does_not_call_itself_forever() {
        marks(
            "gfx900",
            expect![[r#"
                .macro m
                m
                .endm
                m
                ;^ error[macro-call]: macro `m` calls itself more than 20 levels deep
                ;= line 2:1: in the expansion of `m`: `m`
            "#]],
        );
    }
}
