//! Registers that the processor does not have.

use wavelens_isa::{Place, Problem};

use super::{RejectedLine, suggestion, with_suggestion};
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    NO_SUCH_REGISTER {
        code: "no-such-register",
        severity: wavelens_base::Severity::Error,
        title: "a register must exist on the processor",
        explain: "Register files differ in size between generations, and some named registers exist only on some processors.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 v256, v0
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_mov_b32 v255, v0
"#,
        source: "LLVM AMDGPUAsmParser: \"register index is out of range\", \"register not available on this GPU\"",
    }
}

/// A register that the processor does not have, or whose file does not exist.
pub(super) fn report(line: &RejectedLine<'_>, problem: &Problem) -> Diagnostic {
    let meant = match line.error.place {
        Place::Operand(index) if line.word().contains('[') => suggestion::register(line, usize::from(index)),
        _ => None,
    };
    with_suggestion(line, &NO_SUCH_REGISTER, problem, meant)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn a_number_beyond_the_last_register() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 v256, v0
                ;         ^^^^ error[no-such-register]: unknown register `v256`; the last is `v255`
            "#]],
        );
        marks(
            "gfx600",
            expect![[r#"
                s_load_dwordx4 s[100:103], s[2:111], s4
                ;                          ^^^^^^^^ error[no-such-register]: tuples of 110 registers do not exist
            "#]],
        );
    }

    #[test]
    fn a_number_beyond_32_bits_does_not_name_a_register() {
        marks(
            "gfx900",
            expect![[r#"
                v_mov_b32 v0, v4294967295
                ;             ^^^^^^^^^^^ error[no-such-register]: unknown register `v4294967295`; the last is `v255`
                v_mov_b32 v0, v4294967296
                v_mov_b32 v0, ttmp9223372036854775809
            "#]],
        );
    }
}
