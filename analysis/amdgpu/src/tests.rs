//! What the assembler accepts and what it reports.

use expect_test::expect;

use crate::testing::marks;

use wavelens_base::{Dialect, Options};
use wavelens_check::check_text;

#[test]
fn the_listing_of_a_shader_is_read_for_its_processor() {
    let text = "; -------- Disassembly --------------------\nshader main\n  asic(GFX11)\n  type(PS)\n  sgpr_count(14)\n  vgpr_count(8)\n  wave_size(64)\n\
        \x20 s_version     UC_VERSION_GFX11 | UC_VERSION_W64_BIT     // 000000000000: B0802006\n\
        \x20 s_waitcnt_depctr  depctr_vm_vsrc(0) & depctr_va_vdst(0) // 000000000004: BF880F83\n\
        label_0008:\n  s_cbranch_scc0  label_0008                          // 000000000008: BFA1FFFF\n\
        \x20 image_foo     v0                                      // 00000000000C: BFA1FFFF\n\
        \x20 s_endpgm                                              // 000000000010: BFB00000\nend\n";
    let messages = check_text(Dialect::Amdgpu, text, &Options::default()).into_iter().map(|d| d.message);
    expect!["unknown instruction `image_foo`"].assert_eq(&messages.collect::<Vec<_>>().join("\n"));
}

#[test]
fn operands_of_a_listing_that_the_assembler_does_not_read_are_read_from_the_encoding() {
    let text = "shader main\n  asic(GFX11_5)\n  type(CS)\n  wave_size(64)\n\
        \x20 s_version     { version: UC_VERSION_GFX11, w64: 1 }   // 000000000000: B0802006\n\
        \x20                                     s_delay_alu  instid0(INSTID_VALU_DEP_1) // 000000000004: BF870001\n\
        label_0008:\n\
        \x20 s_sendmsg     sendmsg(MSG_DEALLOC_VGPRS, 0, 0)        // 000000000008: BFB60003\n\
        \x20 s_sendmsg     sendmsg(MSG_DEALLOC_VGPRS, 0, 0)        // 00000000000C: BFB00000\n\
        \x20 s_endpgm                                              // 000000000010: BFB00000\nend\n";
    let messages = check_text(Dialect::Amdgpu, text, &Options::default()).into_iter().map(|d| d.message);
    // The encoding is that of another instruction.
    expect!["`MSG_DEALLOC_VGPRS` does not take an operation"]
        .assert_eq(&messages.collect::<Vec<_>>().join("\n"));
    let (lines, _) = crate::encode(text, &Options::default());
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(texts[1..3], ["s_delay_alu instid0(VALU_DEP_1)", "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)"]);
}

#[test]
fn names_of_dependencies_in_a_listing_are_read_without_encodings() {
    let delay =
        "s_delay_alu instid0(INSTID_VALU_DEP_1) | instskip(INSTSKIP_SKIP_1) | instid1(INSTID_SALU_CYCLE_1)\n";
    let text = format!("shader main\n  asic(GFX11)\n  type(CS)\n  wave_size(32)\n  {delay}  s_endpgm\nend\n");
    let (lines, mistakes) = crate::encode(&text, &Options::default());
    let expected = "s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)";
    assert_eq!((lines[0].text.as_str(), mistakes.len()), (expected, 0));
    // Other assembly is read as LLVM's assembler reads it.
    let options = Options { target: Some("gfx1100".into()), ..Options::default() };
    let found = check_text(Dialect::Amdgpu, delay, &options);
    let message = "unknown value `INSTID_VALU_DEP_1` of `instid0`; expected one of NO_DEP,";
    assert!(found[0].message.starts_with(message), "{}", found[0].message);
}

#[test]
fn words_in_code_are_encoded_wherever_they_are() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nk:\n  s_mov_b32 s0, 1\n  .long 0xd73c0000, 0x02020482\n\
        \x20 s_cbranch_scc0 l\n  s_endpgm\nl:\n  .long 0xd73c0000, 0x02020482\n  s_endpgm\ntable:\n  .long 0x1, k\n  .long 0x2\n\
        \x20 .data\n  .long 3\n";
    let (lines, mistakes) = crate::encode(text, &Options::default());
    assert_eq!(mistakes, []);
    let shown: String = lines.iter().map(|l| format!("{:02x} {}\n", l.offset, l.text)).collect();
    expect![[r#"
        00 s_mov_b32 s0, 1
        04 v_lshlrev_b64 v[0:1], 2, v[2:3]
        0c s_cbranch_scc0 1
        10 s_endpgm
        14 v_lshlrev_b64 v[0:1], 2, v[2:3]
        1c s_endpgm
        20 .long 0x1, 0x0
        28 .long 0x2
    "#]]
    .assert_eq(&shown);
}

#[test]
fn a_register_or_a_symbol_ends_before_a_parenthesis() {
    marks(
        "gfx900",
        expect![[r#"
            a:
            s_nop 0
            b:
            s_add_u32 s0, s0 (a-b)>>32
            s_add_u32 s0, s0 (3)
            s_add_u32 s0, hwreg(63)
            s_cmp_eq_u32 size (1+2)
            v_mov_b32 v0 (3+1)
        "#]],
    );
}

#[test]
fn a_relocation_may_have_a_symbol_without_a_name() {
    marks(
        "gfx900",
        expect![[r#"
            s_mov_b32 s5, @rel32@lo+4
            .quad @abs64
            s_mov_b32 s5, @foo
            ;             ^^^^ error[expression]: expected a symbol
            .long @
            ;     ^ error[expression]: expected an expression, found `@`
        "#]],
    );
}

#[test]
fn expressions_have_gnu_priorities() {
    marks(
        "gfx900",
        expect![[r#"
            .if 1 + 2 * 3 != 7
            .error "a"
            .endif
            .if 1 | 2 + 1 != 4
            .error "b"
            .endif
            .if (1 == 1) != -1
            .error "c"
            .endif
        "#]],
    );
}

#[test]
fn symbols_have_one_label_and_many_values() {
    marks(
        "gfx900",
        expect![[r#"
            x = 1
            x = 2
            .if x != 2
            .err
            .endif
            l:
            l:
            ;^ error[symbol-redefinition]: `l` is already defined
            ;= line 6:1: the first definition
            .equiv y, 1
            .equiv y, 2
            ;      ^ error[symbol-redefinition]: `y` is already defined
            ;      = line 8:8: the first definition
            .if later
            ;   ^^^^^ error[undefined-symbol]: use of undefined symbol `later`; if the build defines it, pass `-D later=...`
            .endif
            later = 1
        "#]],
    );
}

#[test]
fn a_modifier_is_given_once_and_a_list_ends() {
    marks(
        "gfx1200",
        expect![[r#"
            image_sample_c_cl_o v[64:66], [v32, v16, v0, v2, v1, v4], s[4:11], s[100:103] dmask:7 dim:SQ_RSRC_IMG_3D
            ;                             ^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-operand]: `image_sample_c_cl_o`: expected at most 4 registers in the list, found 6
            ds_load_b32 v0, v1 offset:4 offset:8
            ;                           ^^^^^^^^ error[invalid-modifier]: duplicate modifier `offset:`
            v_cmp_lt_f32_e32 s[0:1], -4.0, v4
            ;                ^^^^^^ error[invalid-operand]: `v_cmp_lt_f32_e32`: expected `vcc_lo`, found `s[0:1]`
            v_dot4_f32_fp8_bf8 v0, v1, s0, v3 row_shr:15
            ;                          ^^ error[invalid-operand]: `v_dot4_f32_fp8_bf8` with DPP: expected a single vector register, found `s0`
        "#]],
    );
}

#[test]
fn branches_and_sizes_are_checked_when_all_is_placed() {
    marks(
        "gfx900",
        expect![[r#"
            a:
            s_branch a
            s_branch 1f
            1:
            s_branch nowhere
            ;        ^^^^^^^ error[undefined-label]: use of undefined label `nowhere`
            .fill 40000, 4, 0
            s_branch a
            ;        ^ error[branch-range]: the label is -40004 dwords away, and a branch reaches -32768 to 32767
            .long .Lx
            ;     ^^^ error[undefined-symbol]: `.Lx` is private to this file and not defined
        "#]],
    );
}

#[test]
fn a_misspelt_label_is_suggested() {
    marks(
        "gfx900",
        expect![[r#"
            loop:
            s_branch lop
            ;        ^^^ error[undefined-label]: use of undefined label `lop`; did you mean `loop`?
            ;          = fix: s_branch loop
            s_branch elsewhere
            ;        ^^^^^^^^^ error[undefined-label]: use of undefined label `elsewhere`
        "#]],
    );
}

#[test]
fn what_follows_from_an_unknown_symbol_is_not_told() {
    marks(
        "gfx900",
        expect![[r#"
            .if WIDTH > 4
            ;   ^^^^^^^^^ error[undefined-symbol]: use of undefined symbol `WIDTH`; if the build defines it, pass `-D WIDTH=...`
            N = 1
            .endif
            x = y * 2
            .long x
            .fill WIDTH
        "#]],
    );
}

#[test]
fn symbols_of_the_command_line_are_not_defined_again() {
    let options = Options {
        target: Some("gfx900".into()),
        defines: vec![("a".into(), "1".into())],
        ..Options::default()
    };
    let text = ".ifndef a\na = 2\n.endif\ns_nop a\n.globl a\na = 2\n.set a, 3\na:\n";
    let found = check_text(Dialect::Amdgpu, text, &options);
    let lines = found.iter().map(|f| text[..usize::from(f.range.start())].matches('\n').count() + 1);
    let shown: Vec<_> = lines.zip(&found).map(|(line, f)| format!("{line}: {}", f.message)).collect();
    assert_eq!(shown, [6, 7, 8].map(|line| format!("{line}: `a` is already defined")));
}

#[test]
fn words_are_modifiers_registers_or_symbols_by_their_place() {
    marks(
        "gfx900",
        expect![[r#"
            s_branch done
            done:
            exp null v4, v3, v2, v1
            image_load v1, [v2, v3], s[0:7] dmask:0x1 a16
            ;          ^^ warning[missing-wait]: missing `s_waitcnt expcnt(0)` before this write of `v1`
            ;           = line 3:1: this operation reads it later
            ;           = fix: s_waitcnt expcnt(0)
            s_mov_b32 s2, g@GOTPCREL
            s_mov_b32 s2, g@nowhere
            ;               ^^^^^^^ error[expression]: unknown relocation `nowhere`
        "#]],
    );
}

#[test]
fn loads_are_waited_for() {
    marks(
        "gfx900",
        expect![[r#"
            k:
            global_load_dword v1, v0, s[0:1]
            global_load_dword v2, v0, s[0:1]
            s_waitcnt vmcnt(1)
            v_mov_b32 v3, v1
            v_mov_b32 v4, v2
            ;             ^^ warning[missing-wait]: missing `s_waitcnt vmcnt(0)` before this read of `v2`
            ;              = line 3:1: this operation writes it
            ;              = line 4:1: this wait leaves 1 operation outstanding
            ;              = fix: s_waitcnt vmcnt(0)
            s_endpgm
        "#]],
    );
}

#[test]
fn names_of_registers_are_no_numbers() {
    marks(
        "gfx900",
        expect![[r#"
            v_mov_b32 v0, v[v1:2]
            ;               ^^ error[not-absolute]: expected a number, found `v1`
            v_mov_b32 v0, v[v1:2]
            ;               ^^ error[not-absolute]: expected a number, found `v1`
            s_mov_b64 s[1:2], 0
            ;         ^^^^^^ error[register-alignment]: `s[1:2]` must start at a multiple of 2
            v_add_f32 v0, v1, v2 mul:s1
            ;                    ^^^^^^ error[invalid-modifier]: expected an integer or an absolute expression, found `s1`
        "#]],
    );
}

#[test]
fn an_unknown_processor_is_told_where_it_is_named() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx940\"\ns_nop 0\n";
    let messages = check_text(Dialect::Amdgpu, text, &Options::default()).into_iter().map(|d| d.message);
    expect!["processor `gfx940` was removed in LLVM 20; use `gfx942`"]
        .assert_eq(&messages.collect::<Vec<_>>().join("\n"));
}

#[test]
fn words_of_modifiers_are_symbols_in_expressions() {
    marks(
        "gfx900",
        expect![[r#"
            v_interp_p1ll_f16 v127, v2, attr3.y high clamp
            v_interp_p2_f16 v1, v2, attr3.y |v5|
        "#]],
    );
    marks(
        "gfx900",
        expect![[r#"
            s_mov_b32 s0, gds+4
            s_mov_b32 s0, gds
            s_mov_b32 s0, vm-2
        "#]],
    );
}

#[test]
fn modifiers_stand_around_numbers_that_are_known() {
    marks(
        "gfx900",
        expect![[r#"
            v_ceil_f32 v1, -u
            v_ceil_f32 v1, |u|
            ;               ^ error[not-absolute]: expected a register or a number in this modifier, found a symbol
            v_ceil_f32 v1, -|u|
            ;                ^ error[not-absolute]: expected a register or a number in this modifier, found a symbol
            v_ceil_f32 v1, neg(u)
            ;                  ^ error[not-absolute]: expected a register or a number in this modifier, found a symbol
        "#]],
    );
}

#[test]
fn signs_and_lists_are_complete() {
    marks(
        "gfx900",
        expect![[r#"
            v_ceil_f32 v0, --1
            ;              ^ error[syntax-error]: two signs in a row: the first is a modifier, write `neg(-...)`
            v_add_u32 v0, --1, v1
            v_ldexp_f32 v0, v1, --1
            s_mov_b32 s0, neg
            v_ceil_f32 v0, neg-(v1)
            ;              ^^^ error[syntax-error]: expected `(` after `neg`
            v_ceil_f32 v0, abs
            ;              ^^^ error[syntax-error]: expected `(` after `abs`
            s_waitcnt vmcnt(0),
            ;                  ^ error[syntax-error]: expected another counter
            s_waitcnt 0,
        "#]],
    );
}

#[test]
fn modifiers_nest_in_one_order() {
    marks(
        "gfx900",
        expect![[r#"
            v_ceil_f32 v0, neg(abs(v1))
            v_ceil_f32 v0, -|v1|
            v_ceil_f32 v0, lit(|1.0|)
            v_ceil_f32 v0, neg(neg(1.0))
            ;                  ^^^^^^^^ error[invalid-operand]: `neg` must not contain `neg`
            v_ceil_f32 v0, abs(|v1|)
            ;                  ^^^^ error[invalid-operand]: `abs` must not contain `abs`
            v_ceil_f32 v0, neg(-v1)
            ;                  ^^^ error[invalid-operand]: `neg` must not contain `neg`
            v_ceil_f32 v0, |neg(v1)|
            ;               ^^^^^^^ error[invalid-operand]: `|...|` must not contain `neg`
            s_mov_b32 s0, lit(lit(1))
            ;                 ^^^^^^ error[invalid-operand]: `lit` must not contain `lit`
            s_mov_b32 s0, lit+1
            ;             ^^^ error[syntax-error]: expected `(` after `lit`
        "#]],
    );
}

#[test]
fn operands_that_are_missing_or_too_many() {
    let text = "v_cvt_f32_ubyte0_dpp v0, v1, v2 quad_perm:[0,1,2,3]
v_cndmask_b32_dpp v1, v2 dpp8:[7,6,5,4,3,2,1,0]
image_sample v[0:3], [v0, s1, v2], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_3D
s_mov_b32 exec, 1
v_fmamk_f32 v0, v1, v2, v3
v_ceil_f16 v5.h, v1 dpp8:[7,6,5,4,3,2,1,0]
v_exp_f32_dpp v1, off, v2
.amdhsa_kernel f
s_nop 0
.end_amdhsa_kernel
";
    expect![[r#"
        error[operand-count] 2:30 `v2`: unexpected operand of `v_cvt_f32_ubyte0_dpp`: only modifiers can follow here
        error[operand-count] 3:26 `dpp8:[7,6,5,4,3,2,1,0]`: missing operand of `v_cndmask_b32_dpp` before this: expected a single vector register
        error[invalid-operand] 4:22 `[v0, s1, v2]`: `image_sample`: expected a single vector register, found `s1`
        error[invalid-operand] 5:11 `exec`: expected `exec_lo`, found `exec`, because waves of gfx1100 have 32 lanes here
          fix: Replace with `exec_lo`
          | s_mov_b32 exec_lo, 1
        error[invalid-operand] 6:21 `v2`: `v_fmamk_f32`: expected a literal constant, found `v2`
        error[invalid-operand] 7:18 `v1`: `v_ceil_f16`: expected half of a vector register, such as `v1.l`, found `v1`
        error[invalid-operand] 8:19 `off`: `v_exp_f32_dpp`: expected a single vector register, found `off`
        error[kernel-descriptor] 10:1 `s_nop`: expected an `.amdhsa_` directive or `.end_amdhsa_kernel`, found `s_nop`
    "#]].assert_eq(&wavelens_check::testing::findings(
        wavelens_base::Dialect::Amdgpu,
        &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n{text}"),
    ));
}

#[test]
fn words_behind_some_modifiers_are_never_symbols() {
    marks(
        "gfx900",
        expect![[r#"
            DWORD = 1
            v_mov_b32_sdwa v0, v1 dst_sel:DWORD
            v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 -1.0
            ;                                    ^^^^ error[operand-count]: too many operands for `v_mov_b32_sdwa`
            v_mov_b32_sdwa v0, v1 dst_sel:WORD_1 -1.0
            ;                                    ^^^^ error[operand-count]: too many operands for `v_mov_b32_sdwa`
            v_mov_b32 v[dmask:1], 0
            ;           ^^^^^ error[not-absolute]: expected a number, found `dmask`
            v_mov_b32 v[dmask:1], 0
            ;           ^^^^^ error[not-absolute]: expected a number, found `dmask`
        "#]],
    );
}

#[test]
fn symbols_stand_for_values_that_can_be_told() {
    marks(
        "gfx900",
        expect![[r#"
            .set x, u*2
            ;       ^^^ error[layout]: `u` is not defined in this file, so only a number can be added to it
            .set y, max(u, 1)
            .set z, a+4
            .set w, m-l
            v = l*2
            ;   ^^^ error[layout]: `l` has no address before the file is linked, so only a number can be added to it
            l:
            v_nop
            m:
            .set o, (m-l)*2
        "#]],
    );
}

/// Each symbol is evaluated once, however often the others use it.
#[test]
fn sums_of_sums_take_no_longer_than_their_text() {
    let mut text = "a0 = start + 1\n".to_owned();
    for n in 1..60 {
        let before = n - 1;
        text += &format!("a{n} = a{before} - a{before} + a{before}\n");
    }
    text += "start:\n.long a59\n";
    let options = Options { target: Some("gfx900".into()), ..Options::default() };
    assert_eq!(check_text(Dialect::Amdgpu, &text, &options).len(), 0);
}

fn codes_for(text: &str, target: Option<&str>) -> Vec<&'static str> {
    let options =
        wavelens_base::Options { target: target.map(str::to_owned), ..wavelens_base::Options::default() };
    wavelens_check::check_text(wavelens_base::Dialect::Amdgpu, text, &options)
        .into_iter()
        .map(|f| f.rule.code)
        .collect()
}

#[test]
fn the_command_line_is_before_a_run_line() {
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx900 %s\nv_add_u32 v0, v1, v2\n";
    assert_eq!(codes_for(text, None), [""; 0]);
    assert_eq!(codes_for(text, Some("gfx1030")), ["instruction-not-on-target"]);
}

#[test]
fn without_a_processor_only_what_exists_nowhere_is_wrong() {
    assert_eq!(codes_for("foo_bar v1\nv_mov_b32 v0\nx = 1\n", None), ["unknown-instruction", "no-processor"]);
    assert_eq!(codes_for("v_mov_b32_e32 v0, v1\ns_nop 0\n", None), ["no-processor"]);
    assert_eq!(codes_for(".macro foo_bar\n.endm\nfoo_bar\n", None), [""; 0]);
    // The assembler has a default of its own.
    assert_eq!(codes_for("// RUN: llvm-mc -triple=amdgcn %s\nv_mov_b32 v0, v1\n", None), [""; 0]);
}

#[test]
fn features_that_are_not_known_keep_rules_about_instructions_quiet() {
    let text =
        "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -mattr=-true16 %s\nv_add_f16 v0, v1\nfoo_bar v1\n";
    assert_eq!(codes_for(text, None), ["unknown-instruction"]);
}

#[test]
fn the_last_of_four_addresses_of_an_image_may_be_a_range_on_gfx13() {
    let text = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1310 %s
image_sample_b_cl v[252:255], [v127, v2, v255, v[126:127]], s[16:23], s[100:103] dmask:0xf dim:SQ_RSRC_IMG_2D unorm
image_sample_b_cl v[252:255], [v127, v2, v255], s[16:23], s[100:103] dmask:0xf dim:SQ_RSRC_IMG_2D unorm
";
    assert_eq!(codes_for(text, None), ["invalid-operand"]);
}
