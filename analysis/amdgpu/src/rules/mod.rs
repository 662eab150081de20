//! The rules over the assembled program, and the list of all rules. What the assembler itself checks is declared next to each
//! check in [`assembler`](super::assembler).

pub mod declared;
pub mod hazards;
pub mod initialized;
mod inserted_line;
mod named_operand;
mod tuning;
pub mod waits;

use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::assembler;
use super::context::FunctionContext;
use wavelens_base::{Diagnostic, Rule};

/// Every rule of this dialect. A rule is in the file of its check.
pub static RULES: std::sync::LazyLock<Vec<&'static Rule>> = std::sync::LazyLock::new(|| {
    let files = [
        &[&SYNTAX_ERROR],
        assembler::attributes::RULES,
        assembler::conditions::RULES,
        assembler::debug_info::RULES,
        assembler::directives::RULES,
        assembler::target_directives::RULES,
        assembler::expression::RULES,
        assembler::includes::RULES,
        assembler::kernel_descriptor::RULES,
        assembler::layout::RULES,
        assembler::macros::RULES,
        assembler::metadata::RULES,
        assembler::mismatch::RULES,
        assembler::sections::RULES,
        assembler::limit::RULES,
        waits::RULES,
        waits::overwritten::RULES,
        initialized::RULES,
        declared::RULES,
    ];
    files
        .into_iter()
        .chain(hazards::RULES.iter().copied())
        .chain(tuning::RULES.iter().copied())
        .flatten()
        .copied()
        .collect()
});

/// Runs the rules that follow the control flow on a function.
pub(super) fn check_function(cx: &FunctionContext<'_>, out: &mut Vec<Diagnostic>) {
    let config = hazards::Config { xnack: cx.xnack, pedantic: cx.pedantic };
    waits::missing_waits(cx, config, out);
    hazards::hazards(cx, config, out);
    if cx.pedantic {
        tuning::hints(cx, out);
    }
    if let Some(descriptor) = cx.descriptor {
        declared::declared_resources(cx.graph, descriptor, out);
        initialized::uninitialized(cx.graph, descriptor, cx.text, cx.label, out);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::testing::check;

    #[test]
    fn a_number_beyond_32_bits_does_not_name_a_register() {
        check(
            "gfx900",
            "v_mov_b32 v0, v4294967295\nv_mov_b32 v0, v4294967296\nv_mov_b32 v0, ttmp9223372036854775809\n",
            expect![[r#"
                1: no-such-register: unknown register `v4294967295`; the last is `v255`
            "#]],
        );
    }

    #[test]
    fn an_offset_beyond_its_bits_is_not_an_extra_operand() {
        check(
            "gfx600",
            "s_load_dword s1, s[2:3], 0x100\ns_load_dword s1, s[2:3], 0xff\n",
            expect![[r#"
                1: invalid-operand: `s_load_dword`: expected a single scalar register, found 0x100
            "#]],
        );
        check(
            "gfx600",
            "s_load_dwordx4 s[100:103], s[2:111], s4\n",
            expect![[r#"
            1: no-such-register: tuples of 110 registers do not exist
        "#]],
        );
    }

    #[test]
    fn instructions() {
        check(
            "gfx900",
            "v_foo v0\nv_add_nc_u32 v0, v1, v2\nv_add3_u32_e32 v0, v1, v2, v3\nv_mov_b32 s0, v1\nv_mov_b32 v0\nv_mov_b32 v256, v0\n\
ds_read_b32 v0, v1 offset:70000\nv_add3_u32 v0, s0, s1, v2\nv_add3_u32 v0, 0x12345, v1, v2\n\
v_add_u32 v0, v1, v2\nv_add3_u32 v0, s0, s0, v2\nv_mov_b32 v255, 0x12345\n",
            expect![[r#"
                1: unknown-instruction: unknown instruction `v_foo`
                2: instruction-not-on-target: `v_add_nc_u32` is not supported on gfx900; use `v_add_u32`
                3: encoding-not-on-target: `v_add3_u32` has no e32 encoding on gfx900
                4: invalid-operand: `v_mov_b32`: expected a single vector register, found `s0`
                5: operand-count: missing operand of `v_mov_b32`: expected a vector or scalar register or an immediate
                6: no-such-register: unknown register `v256`; the last is `v255`
                7: operand-out-of-range: the offset must be between 0 and 65535, is 70000
                8: constant-bus-limit: reads 2 scalar values; `v_add3_u32` can read 1 on gfx900
                9: literal-not-allowed: the VOP3 encoding, which these operands need, has no room for a literal on gfx900
            "#]],
        );
        check(
            "gfx908",
            "v_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]\nv_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]\n",
            expect![[r#"
                1: operand-conflict: the third source must be the same registers as the result, or share none of them
            "#]],
        );
    }

    #[test]
    fn directives() {
        check(
            "gfx900",
            ".foo\n.p2align 99\n.macro m a\nv_mov_b32 v0, \\a\n.endm\n.macro m\n.endm\n.purgem m\n.else\n.if 1\n.else\n.endif\n\
.warning \"w\"\n.loc 9 1\n.file 1 \"a.c\"\n.loc 1 1\n.p2align 8\n.if 1\n",
            expect![[r#"
                1: unknown-directive: unknown directive `.foo`
                2: directive-argument: the alignment must be at most 2^31, is 2^99
                6: macro-definition: macro `m` is already defined
                9: unbalanced-condition: `.else` without `.if`
                13: user-warning: w
                14: debug-line: no `.file` gave the number 9
                18: unbalanced-condition: this condition has no `.endif`
            "#]],
        );
    }
}
