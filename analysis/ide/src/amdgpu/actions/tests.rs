use expect_test::{Expect, expect};
use wavelens_base::Dialect;

use crate::answers::ActionKind;
use crate::features;
use crate::features::tests::{at_cursor, edited};

/// Each action with its kind and the text after it.
fn check(target: &str, line: &str, expected: Expect) {
    let fixture = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n{line}\n");
    at_cursor(Dialect::Amdgpu, &fixture, |view, at| {
        let mut shown = String::new();
        for action in features::actions(view, wavelens_base::TextRange::empty(at)) {
            let text = edited(view, action.edits);
            let new = text.split_once('\n').map_or("", |(_, rest)| rest);
            let kind = if action.kind == ActionKind::QuickFix { "fix" } else { "rewrite" };
            shown.push_str(&format!("{kind}: {}\n{new}", action.title));
        }
        expected.assert_eq(&shown);
    });
}

#[test]
fn registers_are_aligned() {
    check(
        "gfx900",
        "s_load_dwordx2 s[$03:4], s[0:1], 0x0",
        expect![[r#"
                fix: Align the registers: `s_load_dwordx2 s[2:3], s[0:1], 0x0`
                s_load_dwordx2 s[2:3], s[0:1], 0x0
                fix: Align the registers: `s_load_dwordx2 s[4:5], s[0:1], 0x0`
                s_load_dwordx2 s[4:5], s[0:1], 0x0
            "#]],
    );
    check(
        "gfx90a",
        "v_pk_add_f32 v[0:1], v[$03:4], v[6:7]",
        expect![[r#"
                fix: Align the registers: `v_pk_add_f32 v[0:1], v[2:3], v[6:7]`
                v_pk_add_f32 v[0:1], v[2:3], v[6:7]
                fix: Align the registers: `v_pk_add_f32 v[0:1], v[4:5], v[6:7]`
                v_pk_add_f32 v[0:1], v[4:5], v[6:7]
            "#]],
    );
}

#[test]
fn tuples_that_do_not_exist_are_left_alone() {
    check("gfx900", "s_load_dwordx2 s[$01:4294967295], s[0:1], 0x0", expect![""]);
    check("gfx900", "s_load_dwordx2 s[$05:4], s[0:1], 0x0", expect![""]);
}

#[test]
fn encodings_and_names_of_the_processor() {
    check(
        "gfx900",
        "v_cmp_eq_u32_e32 s[0:1], v0, $0v1",
        expect![[r#"
                fix: Use the 64-bit encoding: `v_cmp_eq_u32_e64 s[0:1], v0, v1`
                v_cmp_eq_u32_e64 s[0:1], v0, v1
            "#]],
    );
    check(
        "gfx1030",
        "v_add_u32$0 v0, v1, v2",
        expect![[r#"
                fix: Replace with `v_add_nc_u32`
                v_add_nc_u32 v0, v1, v2
                fix: Use this processor's name: `v_add_co_u32 v0, vcc_lo, v1, v2`
                v_add_co_u32 v0, vcc_lo, v1, v2
            "#]],
    );
    // What reads the carry later needs it.
    check(
        "gfx1100",
        "v_add_i32 v0, vcc$0, v1, v2",
        expect![[r#"
                fix: Replace with `v_add_co_u32`
                v_add_co_u32 v0, vcc_lo, v1, v2
            "#]],
    );
    check(
        "gfx906",
        "v_add_u32 v0, vcc$0, v1, v2",
        expect![[r#"
                fix: Replace with `v_add_co_u32`
                v_add_co_u32 v0, vcc, v1, v2
            "#]],
    );
    check(
        "gfx803",
        "v_add_u32$0 v0, v1, v2",
        expect![[r#"
            fix: Insert `vcc`
            v_add_u32 v0, vcc, v1, v2
        "#]],
    );

    check(
        "gfx942",
        "global_load_dword v0, v2, s[0:1]$0 glc",
        expect![[r#"
                fix: Use this processor's name: `global_load_dword v0, v2, s[0:1] sc0`
                global_load_dword v0, v2, s[0:1] sc0
            "#]],
    );
    check(
        "gfx900",
        "ds_load_b32$0 v0, v1",
        expect![[r#"
                fix: Replace with `ds_read_b32`
                ds_read_b32 v0, v1
            "#]],
    );
    check(
        "gfx900",
        "v_lshl_b32$0 v0, v1, v2",
        expect![[r#"
                fix: Use this processor's name: `v_lshlrev_b32 v0, v2, v1`
                v_lshlrev_b32 v0, v2, v1
            "#]],
    );
}

#[test]
fn a_missing_carry_is_added() {
    check(
        "gfx1100",
        "v_add_co_ci_u32_e64 v3, null, s1, v1$0",
        expect![[r#"
                fix: Add the carry: `v_add_co_ci_u32_e64 v3, null, s1, v1, vcc_lo`
                v_add_co_ci_u32_e64 v3, null, s1, v1, vcc_lo
            "#]],
    );
}

#[test]
fn machine_words_become_instructions() {
    check(
        "gfx900",
        ".long$0 0xbf800001, 0xbf810000",
        expect![[r#"
                rewrite: Replace with the instructions
                s_nop 1
                s_endpgm
            "#]],
    );
    check("gfx900", ".long$0 0xffffffff", expect![""]);
    check("gfx900", ".byte$0 1", expect![""]);
}

#[test]
fn waits_are_split() {
    check(
        "gfx1200",
        "s_waitcnt$0 vmcnt(0) lgkmcnt(1)",
        expect![[r#"
                fix: Split the wait by counter
                s_wait_loadcnt 0x0
                s_wait_dscnt 0x1
                s_wait_kmcnt 0x1
            "#]],
    );
}

#[test]
fn numbers_become_inline_constants() {
    check(
        "gfx900",
        "v_add_f32 v0, 0x3f8$000000, v1",
        expect![[r#"
                rewrite: Replace with the inline constant `1.0`
                v_add_f32 v0, 1.0, v1
            "#]],
    );
    check(
        "gfx900",
        "v_add_u32 v0, 0xffff$0fff0, v1",
        expect![[r#"
                rewrite: Replace with the inline constant `-16`
                v_add_u32 v0, -16, v1
            "#]],
    );
    check("gfx900", "v_add_u32 v0, 0x1234$0, v1", expect![""]);
}

#[test]
fn old_directives_become_new_ones() {
    check(
        "gfx803",
        ".hsa_code_object_$0isa 8,0,3,\"AMD\",\"AMDGPU\"",
        expect![[r#"
                fix: Replace with `.amdgcn_target "amdgcn-amd-amdhsa--gfx803"`
                .amdgcn_target "amdgcn-amd-amdhsa--gfx803"
            "#]],
    );
    check(
        "gfx803",
        ".hsa_code_object_$0version 2,1",
        expect![[r#"
                fix: Replace with `.amdhsa_code_object_version 4`
                .amdhsa_code_object_version 4
            "#]],
    );
    check(
        "gfx803",
        ".amdgpu_hsa_$0kernel k",
        expect![[r#"
                fix: Replace with `.type k,@function`
                .type k,@function
            "#]],
    );
}

/// An old kernel with every field that has a successor, after all actions: it assembles.
#[test]
fn mended_old_kernels_assemble() {
    let value = |name: &str| if name == "user_sgpr_count" { 16 } else { 1 };
    let fields = super::renames::KERNEL_CODE.iter().map(|(old, _)| format!("  {old} = {}\n", value(old)));
    let fields: String = fields.collect();
    let mut text = format!(
        ".hsa_code_object_version 2,1\n.hsa_code_object_isa 10,3,0,\"AMD\",\"AMDGPU\"\n.text\n.p2align 8\n\
         .amdgpu_hsa_kernel k\nk:\n.amd_kernel_code_t\n{fields}.end_amd_kernel_code_t\ns_endpgm\n"
    );
    for old in
        [".hsa_code_object_version", ".hsa_code_object_isa", ".amdgpu_hsa_kernel", ".amd_kernel_code_t"]
    {
        let at = text.find(old).unwrap_or(0) + 1;
        let fixture = format!("{}$0{}", &text[..at], &text[at..]);
        at_cursor(Dialect::Amdgpu, &fixture, |view, at| {
            let action = features::actions(view, wavelens_base::TextRange::empty(at)).pop();
            text = edited(view, action.expect(old).edits);
        });
    }
    let options = wavelens_base::Options { target: Some("gfx1030".into()), ..Default::default() };
    let found = wavelens_check::check_text(Dialect::Amdgpu, &text, &options);
    let errors: Vec<_> = found.iter().filter(|f| f.severity == wavelens_base::Severity::Error).collect();
    assert!(errors.is_empty(), "{text}\n{errors:?}");
}

#[test]
fn old_headers_become_descriptors() {
    check(
        "gfx803",
        "k:\n.amd_kernel_$0code_t\n enable_sgpr_kernarg_segment_ptr = 1\n float_mode = 192\n workitem_vgpr_count = 4\n\
 wavefront_sgpr_count = 8\n.end_amd_kernel_code_t\ns_endpgm",
        expect![[r#"
                fix: Turn this into a kernel descriptor (`.amdhsa_kernel`)
                k:
                .section .rodata,"a"
                .p2align 6
                .amdhsa_kernel k
                    .amdhsa_user_sgpr_kernarg_segment_ptr 1
                    .amdhsa_float_round_mode_32 0
                    .amdhsa_float_round_mode_16_64 0
                    .amdhsa_float_denorm_mode_32 0
                    .amdhsa_float_denorm_mode_16_64 3
                    .amdhsa_next_free_vgpr 4
                    .amdhsa_next_free_sgpr 8
                .end_amdhsa_kernel
                .text
                s_endpgm
            "#]],
    );
}

/// What is tried for a line, whether or not it assembles.
#[test]
fn candidates_of_lines() {
    type Candidates = fn(&str) -> Vec<String>;
    let shown = |of: Candidates, lines: &[&str]| {
        let line = |line: &&str| format!("{line} -> {}\n", of(line).join(" | "));
        lines.iter().map(line).collect::<String>()
    };
    let aligned = [
        "s_mov_b64 s[1:2], 0",
        "s_mov_b64 s[2:3], 0",
        "s_load_dwordx4 s[2:5], s[1:2], 0x0",
        "s_load_dwordx8 s[6:13], s[0:1], 0x0",
        "v_add_f64 v[1:2], s[1:2], v[3:4]",
        "s_mov_b64 ttmp[3:4], s[x:y]",
        "s_load_dword s0, s[ 3 : 4 ], 0x0",
        "v_mov_b32 v0, v1",
        "s_foo s[1:32]",
        "s_foo s[1:33]",
    ];
    expect![[r#"
        s_mov_b64 s[1:2], 0 -> s_mov_b64 s[0:1], 0 | s_mov_b64 s[2:3], 0
        s_mov_b64 s[2:3], 0 -> 
        s_load_dwordx4 s[2:5], s[1:2], 0x0 -> s_load_dwordx4 s[0:3], s[0:1], 0x0 | s_load_dwordx4 s[4:7], s[2:3], 0x0
        s_load_dwordx8 s[6:13], s[0:1], 0x0 -> s_load_dwordx8 s[4:11], s[0:1], 0x0 | s_load_dwordx8 s[8:15], s[0:1], 0x0
        v_add_f64 v[1:2], s[1:2], v[3:4] -> v_add_f64 v[0:1], s[0:1], v[2:3] | v_add_f64 v[1:2], s[0:1], v[3:4] | v_add_f64 v[2:3], s[2:3], v[4:5] | v_add_f64 v[1:2], s[2:3], v[3:4]
        s_mov_b64 ttmp[3:4], s[x:y] -> s_mov_b64 ttmp[2:3], s[x:y] | s_mov_b64 ttmp[4:5], s[x:y]
        s_load_dword s0, s[ 3 : 4 ], 0x0 -> s_load_dword s0, s[2:3], 0x0 | s_load_dword s0, s[4:5], 0x0
        v_mov_b32 v0, v1 -> 
        s_foo s[1:32] -> s_foo s[0:31] | s_foo s[4:35]
        s_foo s[1:33] -> 
    "#]].assert_eq(&shown(super::aligned, &aligned));
    let long = [
        "v_add_f32 v0, v1, v2",
        "v_add_f32_e32 v0, v1, v2",
        "v_add_f32_e64 v0, v1, v2",
        "s_add_u32 s0, s1, s2",
        "v_nop",
    ];
    expect![[r#"
        v_add_f32 v0, v1, v2 -> v_add_f32_e64 v0, v1, v2
        v_add_f32_e32 v0, v1, v2 -> v_add_f32_e64 v0, v1, v2
        v_add_f32_e64 v0, v1, v2 -> 
        s_add_u32 s0, s1, s2 -> 
        v_nop -> v_nop_e64
    "#]]
    .assert_eq(&shown(|line| super::long_form(line).into_iter().collect(), &long));
    let carry = [
        "v_cndmask_b32 v0, v1, v2",
        "v_add_co_ci_u32 v0, vcc, v1, v2",
        "v_addc_u32 v0, vcc, v1, v2",
        "v_subb_u32 v0, vcc, v1, v2",
        "v_subbrev_u32 v0, vcc, v1, v2",
        "v_add_u32 v0, v1, v2",
    ];
    expect![[r#"
        v_cndmask_b32 v0, v1, v2 -> v_cndmask_b32 v0, v1, v2, vcc_lo | v_cndmask_b32 v0, v1, v2, vcc
        v_add_co_ci_u32 v0, vcc, v1, v2 -> v_add_co_ci_u32 v0, vcc, v1, v2, vcc_lo | v_add_co_ci_u32 v0, vcc, v1, v2, vcc
        v_addc_u32 v0, vcc, v1, v2 -> v_addc_u32 v0, vcc, v1, v2, vcc_lo | v_addc_u32 v0, vcc, v1, v2, vcc
        v_subb_u32 v0, vcc, v1, v2 -> v_subb_u32 v0, vcc, v1, v2, vcc_lo | v_subb_u32 v0, vcc, v1, v2, vcc
        v_subbrev_u32 v0, vcc, v1, v2 -> v_subbrev_u32 v0, vcc, v1, v2, vcc_lo | v_subbrev_u32 v0, vcc, v1, v2, vcc
        v_add_u32 v0, v1, v2 -> 
    "#]].assert_eq(&shown(super::with_carry, &carry));
    let renamed = [
        "v_add_u32 v0, v1, v2",
        "v_add_u32 v0, vcc, v1, v2",
        "v_add_co_u32 v0, vcc_lo, v1, v2",
        "v_lshl_b32 v0, v1, v2",
        "v_lshlrev_b32 v0, v1, v2",
        "v_mov_b32 v0, v1",
        "global_load_dword v0, v[2:3], off glc",
        "ds_read_b32 v0, v1",
        "S_LOAD_DWORD s0, s[2:3], 0x0",
    ];
    expect![[r#"
        v_add_u32 v0, v1, v2 -> v_add_i32 v0, v1, v2 | v_add_i32 v0, vcc, v1, v2 | v_add_i32 v0, vcc_lo, v1, v2 | v_add_co_u32 v0, v1, v2 | v_add_co_u32 v0, vcc, v1, v2 | v_add_co_u32 v0, vcc_lo, v1, v2 | v_add_nc_u32 v0, v1, v2 | v_add_nc_u32 v0, vcc, v1, v2 | v_add_nc_u32 v0, vcc_lo, v1, v2 | v_add_u32 v0, vcc, v1, v2
        v_add_u32 v0, vcc, v1, v2 -> v_add_i32 v0, vcc, v1, v2 | v_add_i32 v0, vcc_lo, v1, v2 | v_add_co_u32 v0, vcc, v1, v2 | v_add_co_u32 v0, vcc_lo, v1, v2 | v_add_nc_u32 v0, vcc, v1, v2 | v_add_nc_u32 v0, vcc_lo, v1, v2 | v_add_u32 v0, vcc_lo, v1, v2
        v_add_co_u32 v0, vcc_lo, v1, v2 -> v_add_i32 v0, vcc_lo, v1, v2 | v_add_i32 v0, vcc, v1, v2 | v_add_u32 v0, vcc_lo, v1, v2 | v_add_u32 v0, vcc, v1, v2 | v_add_nc_u32 v0, vcc_lo, v1, v2 | v_add_nc_u32 v0, vcc, v1, v2 | v_add_co_u32 v0, vcc, v1, v2
        v_lshl_b32 v0, v1, v2 -> v_lshlrev_b32 v0, v2, v1
        v_lshlrev_b32 v0, v1, v2 -> v_lshl_b32 v0, v2, v1
        v_mov_b32 v0, v1 -> 
        global_load_dword v0, v[2:3], off glc -> global_load_b32 v0, v[2:3], off glc | global_load_b32 v0, v[2:3], off sc0 | global_load_b32 v0, vcc, v[2:3], off glc | global_load_b32 v0, vcc_lo, v[2:3], off glc | global_load_dword v0, v[2:3], off sc0
        ds_read_b32 v0, v1 -> ds_load_b32 v0, v1
        S_LOAD_DWORD s0, s[2:3], 0x0 -> s_load_b32 s0, s[2:3], 0x0 | s_load_b32 s0, vcc, s[2:3], 0x0 | s_load_b32 s0, vcc_lo, s[2:3], 0x0 | S_LOAD_DWORD s0, vcc, s[2:3], 0x0
    "#]].assert_eq(&shown(super::renamed, &renamed));
}
