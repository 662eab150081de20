//! What messages about operands and descriptors say.

use expect_test::expect;

use super::tests::check;
use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;

/// Forms with an implied destination fit the first operands better.
#[test]
fn a_destination_is_named_where_another_form_implies_it() {
    crate::testing::check(
        "gfx900",
        "v_cmp_f_f32 v2, vcc, v4\nv_cmp_f_f32 v2, v3, v4\nv_cmp_eq_u32 s0, v2, v3\nv_add_co_u32 v1, v2, v3, v4\n\
         v_cndmask_b32 v1, v2, v3, v4\nv_addc_co_u32 v0, v1, v2, v3, v4\nv_cmp_f_f32 vcc, v2, v3, v4\n",
        expect![[r#"
            1: invalid-operand: `v_cmp_f_f32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            2: invalid-operand: `v_cmp_f_f32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            3: invalid-operand: `v_cmp_eq_u32`: expected a lane mask (a pair of scalar registers in wave64), found `s0`
            4: invalid-operand: `v_add_co_u32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            5: invalid-operand: `v_cndmask_b32`: expected a lane mask (a pair of scalar registers in wave64), found `v4`
            6: invalid-operand: `v_addc_co_u32`: expected a lane mask (a pair of scalar registers in wave64), found `v1`
            7: operand-count: too many operands for `v_cmp_f_f32`
        "#]],
    );
}

#[test]
fn messages_say_what_was_found() {
    crate::testing::check(
        "gfx1100",
        "v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,8]\nv_mov_b32_dpp v0, v1 dpp8:3\nv_mov_b32_dpp v0, v1 row_shl:16\n\
         v_mul_f32 v0, v1, v2 mul:3\nv_add_f32 v0, v1, v2 clmp\nv_add_f32 v0, v1, v2 foo:1\n\
         v_add_f32 v0, v1, v2 offset:4\nds_load_2addr_b32 v[0:1], v2 offset0:1 offset0:2\n\
         image_load v0, v1, s[0:7] dmask:1 dim:4D\ns_waitcnt vmcnt(0x40)\ns_delay_alu instid0(VALU_DEP_9)\n\
         ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2,4)\nds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)\n\
         v_mov_b32 v0, v256\nv_mov_b32 v0, v[256]\ns_mov_b64 s[0:1], s[106:107]\ns_sendmsg sendmsg(v0)\n\
         s_getreg_b32 s0, hwreg(\"x\")\nv_cmpx_ngt_f16_e32 0xFFFF0000, v0\n",
        expect![[r#"
            1: invalid-modifier: `dpp8` takes numbers from 0 to 7, found 8
            2: invalid-modifier: `dpp8` takes a list of 8 numbers in square brackets, found 3
            3: invalid-modifier: `row_shl` must be between 1 and 15, is 16
            4: invalid-modifier: `mul` must be 1, 2 or 4, is 3
            5: operand-count: too many operands for `v_add_f32`; did you mean `clamp`?
            6: invalid-modifier: unknown modifier `foo:`
            7: invalid-modifier: `v_add_f32` does not take `offset:` here
            8: invalid-modifier: duplicate modifier `offset0:`
            9: invalid-modifier: unknown image dimension `4D`; expected one of 1D, 2D, 3D, CUBE, 1D_ARRAY, 2D_ARRAY, 2D_MSAA, 2D_MSAA_ARRAY
            10: invalid-operand: `vmcnt` must be between 0 and 63 on gfx1100, is 64
            11: invalid-operand: unknown value `VALU_DEP_9` of `instid0`; expected one of NO_DEP, VALU_DEP_1, VALU_DEP_2, VALU_DEP_3, VALU_DEP_4, TRANS32_DEP_1, TRANS32_DEP_2, TRANS32_DEP_3, FMA_ACCUM_CYCLE_1, SALU_CYCLE_1, SALU_CYCLE_2, SALU_CYCLE_3
            12: invalid-modifier: the lanes of QUAD_PERM must be between 0 and 3, is 4
            13: invalid-modifier: the group size must be a power of two from 1 to 16, is 3
            14: no-such-register: unknown register `v256`; the last is `v255`
            15: no-such-register: `v[256]` goes beyond the last register, `v255`
            16: no-such-register: `s[106:107]` goes beyond the last register, `s105`
            17: invalid-operand: expected a message such as MSG_INTERRUPT, found `v0`
            18: invalid-operand: expected the name or number of a hardware register, found "x"
            19: invalid-operand: a literal of `v_cmpx_ngt_f16_e32` must fit in 16 bits
        "#]],
    );
}

#[test]
fn apertures_are_sources_only() {
    crate::testing::check(
        "gfx1100",
        "s_mov_b64 s[0:1], src_shared_base\ns_mov_b64 src_shared_base, 0\ns_load_b32 s1, src_shared_base, 0x0\n\
         global_load_b32 v1, v0, src_private_base\ns_setpc_b64 src_shared_base\ns_getpc_b64 src_private_limit\n",
        expect![[r#"
            2: invalid-operand: `s_mov_b64`: expected a pair of scalar registers, found `src_shared_base`
            3: invalid-operand: `s_load_b32`: expected a pair of scalar registers, found `src_shared_base`
            4: invalid-operand: `global_load_b32`: expected a pair of scalar registers, found `src_private_base`
            5: invalid-operand: `s_setpc_b64`: expected a pair of scalar registers, found `src_shared_base`
            6: invalid-operand: `s_getpc_b64`: expected a pair of scalar registers, found `src_private_limit`
        "#]],
    );
}

#[test]
fn hardware_registers_with_named_fields() {
    crate::testing::check(
        "gfx1100",
        "s_getreg_b32 s0, {id: 1, size: 4, offset: 2}\ns_getreg_b32 s0, {id: HW_REG_MODE}\ns_getreg_b32 s0, {id: 1, foo: 2}\n\
         s_getreg_b32 s0, {id: 1, id: 2}\ns_getreg_b32 s0, {size: 40}\ns_getreg_b32 s0, {id: 1 size: 4}\ns_getreg_b32 s0, {}\n\
         s_mov_b32 s0, {id: 1}\ns_getreg_b32 s0, {id: 1\n",
        expect![[r#"
            2: not-absolute: expected a number: the names of hardware registers are for `hwreg(...)`
            3: invalid-operand: unknown field `foo`
            4: invalid-operand: field `id` is repeated
            5: invalid-operand: the size must be between 1 and 32 bits, is 40
            6: syntax-error: expected `,` or `}`
            8: invalid-operand: `s_mov_b32`: expected a single scalar register or an immediate
            9: syntax-error: expected `,` or `}`
        "#]],
    );
}

#[test]
fn directives_without_effect() {
    crate::testing::check(
        "gfx1100",
        ".fill -1\n.fill 2, -1, 3\n.fill 2, 9, 5\n.p2align 4, , 16\n.p2align 4, , 15\n.balign 8, , 8\n",
        expect![[r#"
            1: directive-argument: a negative count of `.fill` has no effect
            2: directive-argument: a negative size of `.fill` has no effect
            3: directive-argument: values of `.fill` have at most 8 bytes, not 9
            4: directive-argument: padding is shorter than 16 bytes: this limit has no effect
            6: directive-argument: padding is shorter than 8 bytes: this limit has no effect
        "#]],
    );
}

#[test]
fn messages_name_the_operands_that_fit() {
    crate::testing::check(
        "gfx1100",
        "v_cos_f16_e32 v5, v199\ns_sendmsg sendmsg(MSG_INTERRUPT, 0)\n\
         v_dual_fmamk_f32 v6, v1, 0xaf123456, v3\nbuffer_load_dword v5, off, s[8:11], s3 r128\n\
         v_dot4_i32_iu8 v0, |v1|, v2, v3\n",
        expect![[r#"
            1: invalid-operand: `v_cos_f16_e32`: expected one of v0 to v127, a scalar register or an immediate, found `v199`
            2: invalid-operand: `MSG_INTERRUPT` does not take an operation
            3: operand-count: too few operands for `v_dual_fmamk_f32`, or missing `::` after them
            4: invalid-modifier: `buffer_load_dword` does not take `r128` here
            5: invalid-operand: `v_dot4_i32_iu8` does not take `abs` at this operand
        "#]],
    );
    check(
        "v_cvt_pkrtz_f16_f32_e32 v255, v1, v2\ns_load_dword s1, s[2:3], 0xfc slc\nv_ceil_f16 v0, abs(neg(1))\n",
        expect![[r#"
            1: encoding-not-on-target: `v_cvt_pkrtz_f16_f32` has no e32 encoding on gfx900
            2: invalid-modifier: scalar memory instructions take glc and dlc only; did you mean `glc`?
            3: invalid-operand: `abs` must not contain `neg`
        "#]],
    );
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -mattr=-wavefrontsize32,+wavefrontsize64 %s\n\
                v_dual_sub_f32 v255, v1, v2 :: v_dual_mov_b32 v6, v3\nv_cmp_f_f32 vcc_lo, 0.5, v2\n\
                v_trunc_f32 v0, 2.3509886e-70\n.end_amdhsa_kernel\n";
    let found = check_text(Dialect::Amdgpu, text, &Options::default());
    let messages: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    expect![[r#"
        `v_dual_sub_f32` exists for waves of 32 lanes only
        expected `vcc`, found `vcc_lo`, because waves of gfx1100 have 64 lanes here
        `v_trunc_f32` cannot represent `2.3509886e-70` in its literal
        `.end_amdhsa_kernel` without `.amdhsa_kernel`"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn the_operand_that_is_wrong_is_named() {
    // A modifier asks for an encoding, whose operands explain the mistake.
    check(
        "v_add_f32 v0, s1, v2 row_shl:1\nv_mov_b32 v0, s1 quad_perm:[0,1,2,3]\nv_add_f32_e32 v0, 1.0, v2 row_shl:1\n\
v_add_f32 v0, 0x123, v2 src0_sel:BYTE_0\nv_fma_f32 v0, s1, v2, v3 row_shl:1\n",
        expect![[r#"
            1: invalid-operand: `v_add_f32` with DPP: expected a single vector register, found `s1`
            2: invalid-operand: `v_mov_b32` with DPP: expected a single vector register, found `s1`
            3: invalid-operand: `v_add_f32_e32` with DPP: expected a single vector register, found `1.0`
            4: invalid-operand: `v_add_f32` with SDWA: expected a vector or scalar register, found 0x123
            5: invalid-modifier: `v_fma_f32` does not take `row_shl:` here
        "#]],
    );
    check(
        "v_add_f32 v0, v1, attr32.w\ns_nop attr32.w\nexp mrt0 v0, v1, v2, attr32.w\nv_interp_mov_f32 v4, attr32.w\n\
v_interp_p1_f32 v4, v0, attr0.w attr1.w\n",
        expect![[r#"
            1: invalid-operand: `v_add_f32`: expected a single vector register, found `attr32.w`
            2: invalid-operand: `s_nop`: expected a number, found `attr32.w`
            3: invalid-operand: `exp`: expected a vector register or `off`, found `attr32.w`
            4: operand-count: missing operand of `v_interp_mov_f32` before this: expected p0, p10 or p20
            5: invalid-modifier: `v_interp_p1_f32` does not take `attr1.w` here
        "#]],
    );
    check(
        "v_mov_b32_dpp v0, v1 quad_perm:swizzle [0,1,2,3]\n",
        expect![[r#"
        1: syntax-error: expected `[`, found `swizzle`
    "#]],
    );
    check(
        "v_mov_b32 vv[0:1], v0\nv_mov_b32 v0, vv[0]\nglobal_load_dword v1, v0, s[0:1] glc noglc\n\
global_load_dword v1, v0, s[0:1] noglc noglc\n",
        expect![[r#"
            1: no-such-register: unknown register file `vv`
            2: no-such-register: unknown register file `vv`
            3: invalid-modifier: `noglc` contradicts `glc`
            4: invalid-modifier: duplicate modifier `noglc`
        "#]],
    );
}

#[test]
fn what_ends_a_line_too_early_is_marked_on_it() {
    let text = ".set a,\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr foo bar\n.end_amdhsa_kernel\n";
    expect![[r#"
        error[expression] 2:8 ``: expected an expression, found the end of the line
        error[kernel-descriptor] 4:28 `bar`: expected an `.amdhsa_` directive or `.end_amdhsa_kernel`, found `bar`
    "#]].assert_eq(&wavelens_check::testing::findings(
        wavelens_base::Dialect::Amdgpu,
        &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{text}"),
    ));
}

#[test]
fn an_error_in_a_descriptor_has_no_followers() {
    check(
        ".amdhsa_kernel a\n.amdhsa_next_free_vgpr 4\n.amdhsa_nxt 8\n.amdhsa_next_free_sgpr 8\n.amdhsa_next_free_sgpr 9\n\
.end_amdhsa_kernel\n.amdhsa_kernel\n.amdhsa_next_free_vgpr 4\n.end_amdhsa_kernel\nv_foo v0\n.amdhsa_kernel\ns_nop 0\n\
.amdhsa_next_free_sgpr 9\n",
        expect![[r#"
            3: kernel-descriptor: unknown directive `.amdhsa_nxt`
            5: kernel-descriptor: duplicate `.amdhsa_next_free_sgpr` in this kernel descriptor
            7: kernel-descriptor: expected the kernel's name, found the end of the line
            10: unknown-instruction: unknown instruction `v_foo`
            11: kernel-descriptor: expected the kernel's name, found the end of the line
        "#]],
    );
}

#[test]
fn counts_of_registers_near_the_end_of_the_numbers_are_too_many() {
    crate::testing::check(
        "gfx700",
        ".amdhsa_kernel k\n.amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 9223372036854775807\n.end_amdhsa_kernel\n",
        expect![[r#"
            3: kernel-descriptor: 9223372036854775807 scalar registers are more than the 104 there are
        "#]],
    );
}

#[test]
fn what_llvm_takes_with_a_warning() {
    crate::testing::check(
        "gfx900",
        ".globl x\n.weak x\n.local u\n.weak u\n.weak w\n.weak w\n\
         v_ceil_f64 v[0:1], 0.1\nv_ceil_f64 v[0:1], 1.25\nv_ceil_f64 v[0:1], 0.15915494309189532\nv_mov_b32 v0, 0.1\n",
        expect![[r#"
            2: directive-argument: `x` was made visible above: from here on it is weak
            4: directive-argument: `u` was made local above: from here on it is weak
            7: literal-not-allowed: a literal holds the upper 32 bits of a 64-bit floating-point number: `0.1` becomes 0.09999996423721313
        "#]],
    );
    // The whole number is in the encoding.
    crate::testing::check("gfx1250", "v_ceil_f64 v[0:1], 0.1\n", expect![""]);
}

/// The report about `A` is made once, whatever takes its place.
#[test]
fn an_unknown_instruction_hides_only_what_its_own_line_reports() {
    crate::testing::check(
        "gfx900",
        "v_foo f((A)\ns_bad\nv_foo f(A[\n",
        expect![[r#"
            1: unknown-instruction: unknown instruction `v_foo`
            2: unknown-instruction: unknown instruction `s_bad`
            3: unknown-instruction: unknown instruction `v_foo`
        "#]],
    );
}

#[test]
fn a_section_is_linked_to_one_above() {
    crate::testing::check(
        "gfx900",
        ".section .a,\"ao\",@progbits,.text\n.section .b,\"ao\",@progbits,y\n.section .c,\"ao\",@progbits,0\ny:\n\
         .section .d,\"ao\",@progbits,y\n.set q, 5\n.section .e,\"ao\",@progbits,q\n.section .f,\"ao\",@progbits\n",
        expect![[r#"
            2: section: `y` must be defined in a section above to be linked to
            7: section: `q` must be defined in a section above to be linked to
            8: syntax-error: expected `,`, found the end of the line
        "#]],
    );
}

#[test]
fn expansions_of_one_macro_are_counted() {
    crate::testing::check(
        "gfx900",
        ".macro m\n.if \\+ != expected\n.error \"\\+\"\n.endif\n.endm\n.set expected, 0\nm\n.set expected, 1\nm\nm\n\
         .purgem m\n.macro m\n.if \\+ != 0\n.error \"counted on\"\n.endif\n.endm\nm\n\
         .rept 2\n.if \\+ == 1\n.error \"round \\+\"\n.endif\n.endr\n.irp x,a,b\n.if \\+ == 1\n.error \"\\x \\+\"\n.endif\n.endr\n",
        expect![[r#"
            10: user-error: 2
            18: user-error: round 1
            23: user-error: b 1
        "#]],
    );
}
