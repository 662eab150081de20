//! Literal constants, for which most encodings have room for one or none.

use wavelens_isa::{Literal, Target};

wavelens_syntax::rules! {
    LITERAL {
        code: "literal-not-allowed",
        severity: wavelens_base::Severity::Error,
        title: "a literal constant needs an encoding with room for it",
        explain: "A 32-bit literal takes a dword after the instruction. Some encodings have no room for it, and none has room for two \
different ones. Inline constants (-16 to 64, 0.5, 1.0, 2.0, 4.0 and their negatives) can always be used.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, 0x12345, v1, v2
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, 64, v1, v2
"#,
        source: "LLVM AMDGPUAsmParser: \"literal operands are not supported\", \"only one unique literal operand is allowed\"",
    }
}

pub(super) fn message(fault: Literal, target: Target) -> String {
    match fault {
        Literal::Second => "a second literal value: an instruction must have at most one".to_owned(),
        Literal::Wide => "this literal does not fit in 32 bits".to_owned(),
        Literal::NoRoom { encoding, is_symbol } => {
            let what = if is_symbol { "the value of a symbol" } else { "a literal" };
            format!("the {encoding} encoding, which these operands need, has no room for {what} on {target}")
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn an_encoding_without_room_for_a_literal() {
        marks(
            "gfx900",
            expect![[r#"
                v_add3_u32 v0, 0x12345, v1, v2
                ;              ^^^^^^^ error[literal-not-allowed]: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
                v_add3_u32 v0, 64, v1, v2
                v_mov_b32 v255, 0x12345
            "#]],
        );
    }

    #[test]
    fn an_encoding_has_room_for_one_literal() {
        marks(
            "gfx1030",
            expect![[r#"
                s_add_u32 s0, 0x12345, 0x12346
                ;                      ^^^^^^^ error[literal-not-allowed]: a second literal value: an instruction must have at most one
                s_add_u32 s0, 0x12345, 0x12345
                v_add3_u32 v0, 0x12345, 0x12346, v2
                ;                       ^^^^^^^ error[literal-not-allowed]: a second literal value: an instruction must have at most one
            "#]],
        );
    }
}
