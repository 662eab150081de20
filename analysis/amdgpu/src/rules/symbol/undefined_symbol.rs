//! Symbols without a value where their number is needed.

use wavelens_syntax::wording;

wavelens_syntax::rules! {
    UNDEFINED_SYMBOL {
        code: "undefined-symbol",
        severity: wavelens_base::Severity::Error,
        title: "a symbol must have a value where its number is needed",
        explain: "The symbol is defined below, or not at all. Symbols that a build defines can be given with `-D NAME=VALUE`.",
        example: ".if count > 2\n.endif\n",
        fixed: "count = 3\n.if count > 2\n.endif\n",
        source: "LLVM AsmParser::parseAbsoluteExpression: \"expected absolute expression\"",
    }
}

/// The message about a symbol whose number is needed when its line is read.
pub(crate) fn message(name: &str, is_defined_later: bool) -> String {
    if is_defined_later {
        return format!("use of symbol `{name}` before its definition");
    }
    let undefined = wording::undefined("symbol", name, std::iter::empty());
    format!("{undefined}; if the build defines it, pass `-D {name}=...`")
}

/// The message about a symbol that a linker cannot subtract.
pub(crate) fn subtracted(name: &str) -> String {
    format!("`{name}` is subtracted here, so this file must define it")
}

/// The message about an address to continue at.
pub(crate) fn as_origin(name: &str) -> String {
    format!("`{name}` is not defined here, so it tells no address")
}

/// The message about a symbol in fewer bytes than an address has.
pub(crate) fn in_short_data(name: &str) -> String {
    format!(
        "`{name}` is not defined in this file, and the linker cannot write an address of fewer than 32 bits"
    )
}

/// The message about a name that no other file can define.
pub(crate) fn private(name: &str) -> String {
    format!("`{name}` is private to this file and not defined")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn numbers_need_their_symbols() {
        marks(
            "gfx900",
            expect![[r#"
                .if count > 2
                ;   ^^^^^^^^^ error[undefined-symbol]: use of undefined symbol `count`; if the build defines it, pass `-D count=...`
                .endif
                known = 3
                .if known > 2
                .endif
                .if later > 2
                ;   ^^^^^^^^^ error[undefined-symbol]: use of undefined symbol `later`; if the build defines it, pass `-D later=...`
                .endif
                later = 3
            "#]],
        );
    }

    #[test]
    fn linkers_write_only_whole_addresses() {
        marks(
            "gfx900",
            expect![[r#"
                .short outside
                ;      ^^^^^^^ error[undefined-symbol]: `outside` is not defined in this file, and the linker cannot write an address of fewer than 32 bits
                .long outside
                .long .Lprivate
                ;     ^^^^^^^^^ error[undefined-symbol]: `.Lprivate` is private to this file and not defined
                .long 1 - outside
                ;     ^^^^^^^^^^^ error[undefined-symbol]: `outside` is subtracted here, so this file must define it
            "#]],
        );
    }
}
