//! What messages about operands and descriptors say.

use expect_test::expect;

use crate::testing::marks;

use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;

/// Forms with an implied destination fit the first operands better.
#[test]
fn a_destination_is_named_where_another_form_implies_it() {
    marks(
        "gfx900",
        expect![[r#"
            v_cmp_f_f32 v2, vcc, v4
            ;           ^^ error[invalid-operand]: `v_cmp_f_f32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            v_cmp_f_f32 v2, v3, v4
            ;           ^^ error[invalid-operand]: `v_cmp_f_f32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            v_cmp_eq_u32 s0, v2, v3
            ;            ^^ error[invalid-operand]: `v_cmp_eq_u32`: expected a lane mask (a pair of scalar registers in wave64), found `s0`
            v_add_co_u32 v1, v2, v3, v4
            ;                ^^ error[invalid-operand]: `v_add_co_u32`: expected a lane mask (a pair of scalar registers in wave64), found `v2`
            v_cndmask_b32 v1, v2, v3, v4
            ;                         ^^ error[invalid-operand]: `v_cndmask_b32`: expected a lane mask (a pair of scalar registers in wave64), found `v4`
            v_addc_co_u32 v0, v1, v2, v3, v4
            ;                 ^^ error[invalid-operand]: `v_addc_co_u32`: expected a lane mask (a pair of scalar registers in wave64), found `v1`
            v_cmp_f_f32 vcc, v2, v3, v4
            ;                        ^^ error[operand-count]: too many operands for `v_cmp_f_f32`
        "#]],
    );
}

#[test]
fn messages_say_what_was_found() {
    marks(
        "gfx1100",
        expect![[r#"
            v_mov_b32_dpp v0, v1 dpp8:[7,6,5,4,3,2,1,8]
            ;                    ^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: `dpp8` takes numbers from 0 to 7, found 8
            v_mov_b32_dpp v0, v1 dpp8:3
            ;                    ^^^^^^ error[invalid-modifier]: `dpp8` takes a list of 8 numbers in square brackets, found 3
            v_mov_b32_dpp v0, v1 row_shl:16
            ;                    ^^^^^^^^^^ error[invalid-modifier]: `row_shl` must be between 1 and 15, is 16
            v_mul_f32 v0, v1, v2 mul:3
            ;                    ^^^^^ error[invalid-modifier]: `mul` must be 1, 2 or 4, is 3
            v_add_f32 v0, v1, v2 clmp
            ;                    ^^^^ error[operand-count]: too many operands for `v_add_f32`; did you mean `clamp`?
            ;                       = fix: v_add_f32 v0, v1, v2 clamp
            v_add_f32 v0, v1, v2 foo:1
            ;                    ^^^^^ error[invalid-modifier]: unknown modifier `foo:`
            v_add_f32 v0, v1, v2 offset:4
            ;                    ^^^^^^^^ error[invalid-modifier]: `v_add_f32` does not take `offset:` here
            ds_load_2addr_b32 v[0:1], v2 offset0:1 offset0:2
            ;                                      ^^^^^^^^^ error[invalid-modifier]: duplicate modifier `offset0:`
            image_load v0, v1, s[0:7] dmask:1 dim:4D
            ;                                 ^^^^^^ error[invalid-modifier]: unknown image dimension `4D`; expected one of 1D, 2D, 3D, CUBE, 1D_ARRAY, 2D_ARRAY, 2D_MSAA, 2D_MSAA_ARRAY
            s_waitcnt vmcnt(0x40)
            ;         ^^^^^^^^^^^ error[invalid-operand]: `vmcnt` must be between 0 and 63 on gfx1100, is 64
            s_delay_alu instid0(VALU_DEP_9)
            ;           ^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: unknown value `VALU_DEP_9` of `instid0`; expected one of NO_DEP, VALU_DEP_1, VALU_DEP_2, VALU_DEP_3, VALU_DEP_4, TRANS32_DEP_1, TRANS32_DEP_2, TRANS32_DEP_3, FMA_ACCUM_CYCLE_1, SALU_CYCLE_1, SALU_CYCLE_2, SALU_CYCLE_3
            ds_swizzle_b32 v0, v1 offset:swizzle(QUAD_PERM,0,1,2,4)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the lanes of QUAD_PERM must be between 0 and 3, is 4
            ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)
            ;                     ^^^^^^^^^^^^^^^^^^^^^^ error[invalid-modifier]: the group size must be a power of two from 1 to 16, is 3
            v_mov_b32 v0, v256
            ;             ^^^^ error[no-such-register]: unknown register `v256`; the last is `v255`
            v_mov_b32 v0, v[256]
            ;             ^^^^^^ error[no-such-register]: `v[256]` goes beyond the last register, `v255`
            s_mov_b64 s[0:1], s[106:107]
            ;                 ^^^^^^^^^^ error[no-such-register]: `s[106:107]` goes beyond the last register, `s105`
            s_sendmsg sendmsg(v0)
            ;         ^^^^^^^^^^^ error[invalid-operand]: expected a message such as MSG_INTERRUPT, found `v0`
            s_getreg_b32 s0, hwreg("x")
            ;                ^^^^^^^^^^ error[invalid-operand]: expected the name or number of a hardware register, found "x"
            v_cmpx_ngt_f16_e32 0xFFFF0000, v0
            ;                  ^^^^^^^^^^ error[invalid-operand]: a literal of `v_cmpx_ngt_f16_e32` must fit in 16 bits
        "#]],
    );
}

#[test]
fn apertures_are_sources_only() {
    marks(
        "gfx1100",
        expect![[r#"
            s_mov_b64 s[0:1], src_shared_base
            s_mov_b64 src_shared_base, 0
            ;         ^^^^^^^^^^^^^^^ error[invalid-operand]: `s_mov_b64`: expected a pair of scalar registers, found `src_shared_base`
            s_load_b32 s1, src_shared_base, 0x0
            ;              ^^^^^^^^^^^^^^^ error[invalid-operand]: `s_load_b32`: expected a pair of scalar registers, found `src_shared_base`
            global_load_b32 v1, v0, src_private_base
            ;                       ^^^^^^^^^^^^^^^^ error[invalid-operand]: `global_load_b32`: expected a pair of scalar registers, found `src_private_base`
            s_setpc_b64 src_shared_base
            ;           ^^^^^^^^^^^^^^^ error[invalid-operand]: `s_setpc_b64`: expected a pair of scalar registers, found `src_shared_base`
            s_getpc_b64 src_private_limit
            ;           ^^^^^^^^^^^^^^^^^ error[invalid-operand]: `s_getpc_b64`: expected a pair of scalar registers, found `src_private_limit`
        "#]],
    );
}

#[test]
fn hardware_registers_with_named_fields() {
    marks(
        "gfx1100",
        expect![[r#"
            s_getreg_b32 s0, {id: 1, size: 4, offset: 2}
            s_getreg_b32 s0, {id: HW_REG_MODE}
            ;                     ^^^^^^^^^^^ error[not-absolute]: expected a number: the names of hardware registers are for `hwreg(...)`
            s_getreg_b32 s0, {id: 1, foo: 2}
            ;                        ^^^ error[invalid-operand]: unknown field `foo`
            s_getreg_b32 s0, {id: 1, id: 2}
            ;                        ^^ error[invalid-operand]: field `id` is repeated
            s_getreg_b32 s0, {size: 40}
            ;                ^^^^^^^^^^ error[invalid-operand]: the size must be between 1 and 32 bits, is 40
            s_getreg_b32 s0, {id: 1 size: 4}
            ;                       ^^^^ error[syntax-error]: expected `,` or `}`
            s_getreg_b32 s0, {}
            s_mov_b32 s0, {id: 1}
            ;             ^^^^^^^ error[invalid-operand]: `s_mov_b32`: expected a single scalar register or an immediate
            s_getreg_b32 s0, {id: 1
            ;                      ^ error[syntax-error]: expected `,` or `}`
        "#]],
    );
}

#[test]
fn directives_without_effect() {
    marks(
        "gfx1100",
        expect![[r#"
            .fill -1
            ;     ^^ warning[directive-argument]: a negative count of `.fill` has no effect
            .fill 2, -1, 3
            ;        ^^ warning[directive-argument]: a negative size of `.fill` has no effect
            .fill 2, 9, 5
            ;        ^ warning[directive-argument]: values of `.fill` have at most 8 bytes, not 9
            .p2align 4, , 16
            ;             ^^ warning[directive-argument]: padding is shorter than 16 bytes: this limit has no effect
            .p2align 4, , 15
            .balign 8, , 8
            ;            ^ warning[directive-argument]: padding is shorter than 8 bytes: this limit has no effect
        "#]],
    );
}

#[test]
fn messages_name_the_operands_that_fit() {
    marks(
        "gfx1100",
        expect![[r#"
            v_cos_f16_e32 v5, v199
            ;                 ^^^^ error[invalid-operand]: `v_cos_f16_e32`: expected one of v0 to v127, a scalar register or an immediate, found `v199`
            s_sendmsg sendmsg(MSG_INTERRUPT, 0)
            ;         ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `MSG_INTERRUPT` does not take an operation
            v_dual_fmamk_f32 v6, v1, 0xaf123456, v3
            ;^^^^^^^^^^^^^^^ error[operand-count]: too few operands for `v_dual_fmamk_f32`, or missing `::` after them
            buffer_load_dword v5, off, s[8:11], s3 r128
            ;                                      ^^^^ error[invalid-modifier]: `buffer_load_dword` does not take `r128` here
            v_dot4_i32_iu8 v0, |v1|, v2, v3
            ;                  ^^^^ error[invalid-operand]: `v_dot4_i32_iu8` does not take `abs` at this operand
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            v_cvt_pkrtz_f16_f32_e32 v255, v1, v2
            ;^^^^^^^^^^^^^^^^^^^^^^ error[encoding-not-on-target]: `v_cvt_pkrtz_f16_f32` has no e32 encoding on gfx900
            s_load_dword s1, s[2:3], 0xfc slc
            ;                             ^^^ error[invalid-modifier]: scalar memory instructions take glc and dlc only; did you mean `glc`?
            ;                               = fix: s_load_dword s1, s[2:3], 0xfc glc
            v_ceil_f16 v0, abs(neg(1))
            ;                  ^^^^^^ error[invalid-operand]: `abs` must not contain `neg`
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
    marks(
        "gfx900",
        expect![[r#"
            v_add_f32 v0, s1, v2 row_shl:1
            ;             ^^ error[invalid-operand]: `v_add_f32` with DPP: expected a single vector register, found `s1`
            v_mov_b32 v0, s1 quad_perm:[0,1,2,3]
            ;             ^^ error[invalid-operand]: `v_mov_b32` with DPP: expected a single vector register, found `s1`
            v_add_f32_e32 v0, 1.0, v2 row_shl:1
            ;                 ^^^ error[invalid-operand]: `v_add_f32_e32` with DPP: expected a single vector register, found `1.0`
            v_add_f32 v0, 0x123, v2 src0_sel:BYTE_0
            ;             ^^^^^ error[invalid-operand]: `v_add_f32` with SDWA: expected a vector or scalar register, found 0x123
            v_fma_f32 v0, s1, v2, v3 row_shl:1
            ;                        ^^^^^^^^^ error[invalid-modifier]: `v_fma_f32` does not take `row_shl:` here
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            v_add_f32 v0, v1, attr32.w
            ;                 ^^^^^^^^ error[invalid-operand]: `v_add_f32`: expected a single vector register, found `attr32.w`
            s_nop attr32.w
            ;     ^^^^^^^^ error[invalid-operand]: `s_nop`: expected a number, found `attr32.w`
            exp mrt0 v0, v1, v2, attr32.w
            ;                    ^^^^^^^^ error[invalid-operand]: `exp`: expected a vector register or `off`, found `attr32.w`
            v_interp_mov_f32 v4, attr32.w
            ;                    ^^^^^^^^ error[operand-count]: missing operand of `v_interp_mov_f32` before this: expected p0, p10 or p20
            v_interp_p1_f32 v4, v0, attr0.w attr1.w
            ;                               ^^^^^^^ error[invalid-modifier]: `v_interp_p1_f32` does not take `attr1.w` here
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            v_mov_b32_dpp v0, v1 quad_perm:swizzle [0,1,2,3]
            ;                              ^^^^^^^ error[syntax-error]: expected `[`, found `swizzle`
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            v_mov_b32 vv[0:1], v0
            ;         ^^^^^^^ error[no-such-register]: unknown register file `vv`
            v_mov_b32 v0, vv[0]
            ;             ^^^^^ error[no-such-register]: unknown register file `vv`; did you mean `v[0]`?
            ;                 = guess: v_mov_b32 v0, v[0]
            global_load_dword v1, v0, s[0:1] glc noglc
            ;                                    ^^^^^ error[invalid-modifier]: `noglc` contradicts `glc`
            global_load_dword v1, v0, s[0:1] noglc noglc
            ;                                      ^^^^^ error[invalid-modifier]: duplicate modifier `noglc`
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
    marks(
        "gfx900",
        expect![[r#"
            .amdhsa_kernel a
            .amdhsa_next_free_vgpr 4
            .amdhsa_nxt 8
            ;^^^^^^^^^^ error[kernel-descriptor]: unknown directive `.amdhsa_nxt`
            .amdhsa_next_free_sgpr 8
            .amdhsa_next_free_sgpr 9
            ;^^^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: duplicate `.amdhsa_next_free_sgpr` in this kernel descriptor
            ;                    = line 4:1: the first value is here
            .end_amdhsa_kernel
            .amdhsa_kernel
            ;             ^ error[kernel-descriptor]: expected the kernel's name, found the end of the line
            .amdhsa_next_free_vgpr 4
            .end_amdhsa_kernel
            v_foo v0
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
            .amdhsa_kernel
            ;             ^ error[kernel-descriptor]: expected the kernel's name, found the end of the line
            s_nop 0
            .amdhsa_next_free_sgpr 9
        "#]],
    );
}

#[test]
fn counts_of_registers_near_the_end_of_the_numbers_are_too_many() {
    marks(
        "gfx700",
        expect![[r#"
            .amdhsa_kernel k
            .amdhsa_next_free_vgpr 4
            .amdhsa_next_free_sgpr 9223372036854775807
            ;                      ^^^^^^^^^^^^^^^^^^^ error[kernel-descriptor]: 9223372036854775807 scalar registers are more than the 104 there are
            .end_amdhsa_kernel
        "#]],
    );
}

#[test]
fn what_llvm_takes_with_a_warning() {
    marks(
        "gfx900",
        expect![[r#"
            .globl x
            .weak x
            ;     ^ warning[directive-argument]: `x` was made visible above: from here on it is weak
            .local u
            .weak u
            ;     ^ warning[directive-argument]: `u` was made local above: from here on it is weak
            .weak w
            .weak w
            v_ceil_f64 v[0:1], 0.1
            ;                  ^^^ warning[literal-not-allowed]: a literal holds the upper 32 bits of a 64-bit floating-point number: `0.1` becomes 0.09999996423721313
            v_ceil_f64 v[0:1], 1.25
            v_ceil_f64 v[0:1], 0.15915494309189532
            v_mov_b32 v0, 0.1
        "#]],
    );
    // The whole number is in the encoding.
    marks(
        "gfx1250",
        expect![[r#"
            v_ceil_f64 v[0:1], 0.1
        "#]],
    );
}

/// The report about `A` is made once, whatever takes its place.
#[test]
fn an_unknown_instruction_hides_only_what_its_own_line_reports() {
    marks(
        "gfx900",
        expect![[r#"
            v_foo f((A)
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
            s_bad
            ;^^^^ error[unknown-instruction]: unknown instruction `s_bad`
            v_foo f(A[
            ;^^^^ error[unknown-instruction]: unknown instruction `v_foo`
        "#]],
    );
}

#[test]
fn a_section_is_linked_to_one_above() {
    marks(
        "gfx900",
        expect![[r#"
            .section .a,"ao",@progbits,.text
            .section .b,"ao",@progbits,y
            ;                          ^ error[section]: `y` must be defined in a section above to be linked to
            .section .c,"ao",@progbits,0
            y:
            .section .d,"ao",@progbits,y
            .set q, 5
            .section .e,"ao",@progbits,q
            ;                          ^ error[section]: `q` must be defined in a section above to be linked to
            .section .f,"ao",@progbits
            ;                         ^ error[syntax-error]: expected `,`, found the end of the line
        "#]],
    );
}

#[test]
fn expansions_of_one_macro_are_counted() {
    marks(
        "gfx900",
        expect![[r#"
            .macro m
            .if \+ != expected
            .error "\+"
            .endif
            .endm
            .set expected, 0
            m
            .set expected, 1
            m
            m
            ;^ error[user-error]: 2
            ;= line 3:1: in the expansion of `m`: `.error "2"`
            .purgem m
            .macro m
            .if \+ != 0
            .error "counted on"
            .endif
            .endm
            m
            .rept 2
            ;^^^^ error[user-error]: round 1
            ;   = line 20:1: in the repetition: `.error "round 1"`
            .if \+ == 1
            .error "round \+"
            .endif
            .endr
            .irp x,a,b
            ;^^^ error[user-error]: b 1
            ;  = line 25:1: in the repetition: `.error "b 1"`
            .if \+ == 1
            .error "\x \+"
            .endif
            .endr
        "#]],
    );
}
