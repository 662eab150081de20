//! Numbers that do not fit into the bytes of their directive.

wavelens_syntax::rules! {
    DATA_RANGE {
        code: "data-out-of-range",
        severity: wavelens_base::Severity::Error,
        title: "a number must fit into the bytes of its directive",
        explain: "The value fits neither as a signed nor as an unsigned number.",
        example: ".byte 256\n",
        fixed: ".byte 255\n",
        source: "LLVM AsmParser::parseDirectiveValue: \"out of range literal value\"",
    }
}

/// Whether a number fits into some bytes, with a sign or without.
pub(crate) fn fits(value: i64, bytes: u32) -> bool {
    let bits = 8 * bytes;
    bits >= 64 || (-(1i64 << (bits - 1))..1i64 << bits).contains(&value)
}

/// The message about a number that does not fit, as it is written.
pub(crate) fn written(value: i64, bytes: u32) -> String {
    format!("{value} does not fit into {}", width(bytes))
}

/// The message about the value of an expression.
pub(crate) fn computed(value: i64, bytes: u32) -> String {
    format!("the value is {value} and does not fit into {}", width(bytes))
}

fn width(bytes: u32) -> String {
    format!("{bytes} byte{}", if bytes == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn numbers_fit_with_a_sign_or_without() {
        marks(
            "gfx900",
            expect![[r#"
                .byte 255, -128
                .byte 256
                ;     ^^^ error[data-out-of-range]: 256 does not fit into 1 byte
                .byte -129
                ;     ^^^^ error[data-out-of-range]: -129 does not fit into 1 byte
                .short 65536
                ;      ^^^^^ error[data-out-of-range]: 65536 does not fit into 2 bytes
                .long 0xffffffff, -0x80000000
                .long 0x100000000
                ;     ^^^^^^^^^^^ error[data-out-of-range]: 4294967296 does not fit into 4 bytes
                a:
                .long 0
                .fill 100, 4, 0
                b:
                .byte b - a
                ;     ^^^^^ error[data-out-of-range]: the value is 404 and does not fit into 1 byte
            "#]],
        );
    }
}
