//! Scalar values that a vector instruction reads.

use wavelens_isa::Target;

wavelens_syntax::rules! {
    CONSTANT_BUS {
        code: "constant-bus-limit",
        severity: wavelens_base::Severity::Error,
        title: "a vector instruction must not read more scalar values than the constant bus carries",
        explain: "A vector instruction reads one scalar value before gfx10, and two from gfx10 on. Scalar registers, literals and `vcc` \
count; the same register counts once.",
        example: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, s0, s1, v2
"#,
        fixed: r#".amdgcn_target "amdgcn-amd-amdhsa--gfx900"
v_add3_u32 v0, s0, s0, v2
"#,
        source: "LLVM AMDGPUAsmParser::validateConstantBusLimitations: \"invalid operand (violates constant bus restrictions)\"",
    }
}

pub(super) fn message(mnemonic: &str, reads: usize, limit: usize, target: Target) -> String {
    format!("reads {reads} scalar values; `{mnemonic}` can read {limit} on {target}")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn one_scalar_value_before_gfx10() {
        marks(
            "gfx900",
            expect![[r#"
                v_add3_u32 v0, s0, s1, v2
                ;                  ^^ error[constant-bus-limit]: reads 2 scalar values; `v_add3_u32` can read 1 on gfx900
                v_add3_u32 v0, s0, s0, v2
            "#]],
        );
    }

    #[test]
    fn two_scalar_values_from_gfx10_on() {
        marks(
            "gfx1030",
            expect![[r#"
                v_add3_u32 v0, s0, s1, v2
                v_add3_u32 v0, s0, s1, s2
                ;                      ^^ error[constant-bus-limit]: reads 3 scalar values; `v_add3_u32` can read 2 on gfx1030
                v_lshlrev_b64 v[0:1], s0, s[2:3]
                ;                         ^^^^^^ error[constant-bus-limit]: reads 2 scalar values; `v_lshlrev_b64` can read 1 on gfx1030
            "#]],
        );
    }
}
