//! Addresses and sizes, when everything has its place.

wavelens_syntax::rules! {
    LAYOUT {
        code: "layout",
        severity: wavelens_base::Severity::Error,
        title: "an address or a size must be possible when everything has its place",
        explain: "An `.org` goes back, a fill is negative, or a difference spans sections. This is known only when the whole file is laid \
out.",
        example: ".long 1\n.org 2\n",
        fixed: ".long 1\n.org 4\n",
        source: "LLVM MCAssembler: \"invalid .org offset\"",
    }
}

/// The message about a sum or difference that no linker can compute: of a symbol, and whether this file does not define it.
pub(crate) fn too_complex(symbol: Option<(&str, bool)>) -> String {
    let why = |is_undefined| match is_undefined {
        true => "is not defined in this file",
        false => "has no address before the file is linked",
    };
    match symbol {
        Some((name, is_undefined)) => {
            format!("`{name}` {}, so only a number can be added to it", why(is_undefined))
        }
        None => "expected a number, or a symbol plus a number".to_owned(),
    }
}

/// How far `.org` can go on, in bytes.
pub(crate) const ORIGIN: std::ops::Range<i64> = 0..0x4000_0000;

/// The message about an address that cannot be reached.
pub(crate) fn unreachable(from: i64, to: i64) -> String {
    format!("cannot move from address {from} to {to}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn addresses_do_not_go_back() {
        marks(
            "gfx900",
            expect![[r#"
                .long 1
                .org 2
                ;    ^ error[layout]: cannot move from address 4 to 2
                .org 8
                .skip -1
                ;     ^^ error[layout]: the number of bytes is negative
            "#]],
        );
    }
}
