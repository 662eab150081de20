//! Second definitions of a symbol.

wavelens_syntax::rules! {
    SYMBOL_REDEFINITION {
        code: "symbol-redefinition",
        severity: wavelens_base::Severity::Error,
        title: "a label must be defined once",
        explain: "A label or a symbol of `.equiv` has a second definition. Symbols of `=` and `.set` can change their value.",
        example: "a:\na:\n",
        fixed: "a:\nb:\n",
        source: "LLVM MCStreamer: \"symbol 'a' is already defined\"",
    }
}

/// The message about a second definition.
pub(crate) fn message(name: &str) -> String {
    format!("`{name}` is already defined")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_label_is_defined_once() {
        marks(
            "gfx900",
            expect![[r#"
                a:
                a:
                ;^ error[symbol-redefinition]: `a` is already defined
                ;= line 1:1: the first definition
                b = 1
                b = 2
                .equiv c, 1
                .equiv c, 2
                ;      ^ error[symbol-redefinition]: `c` is already defined
                ;      = line 5:8: the first definition
            "#]],
        );
    }
}
