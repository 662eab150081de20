//! What is suggested while typing.

use expect_test::{Expect, expect};
use wavelens_base::Dialect;

use crate::features;
use crate::features::tests::at_cursor;

/// The first proposals at `$0`.
fn check(text: &str, expected: Expect) {
    at_cursor(Dialect::Amdgpu, text, |view, at| {
        let found = features::complete(view, at);
        let labels: Vec<&str> = found.items.iter().take(4).map(|item| item.label.as_str()).collect();
        expected.assert_eq(&labels.join(" "));
    });
}

#[test]
fn without_a_processor_the_text_tells_it() {
    check(
        "  v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3\n  s_load$0\n",
        expect!["s_load_b64 s_load_b128 s_load_b32 s_load_b256"],
    );
    check(
        "  ds_read_b32 v0, v1\n  s_or_b64 exec, e$0\n",
        expect!["exec src_execz src_pops_exiting_wave_id src_private_base"],
    );
    check("  ds_read_b32 v0, v1\n  s_waitcnt lg$0\n", expect!["lgkmcnt"]);
    check("  ds_read_b32 v0, v1\n  s_waitcnt vmcnt(0), lg$0\n", expect!["lgkmcnt"]);
    let delay = "  s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | inst$0\n";
    check(
        &format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n{delay}"),
        expect!["instskip instid0 instid1"],
    );
    check(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n  v_mov_b$0\n",
        expect!["v_mov_b32 v_mov_b32_e32 v_mov_b32_dpp v_mov_b32_e64"],
    );
}

#[test]
fn symbols_of_other_chunks_without_a_processor() {
    let lines = "  s_nop 0\n".repeat(4000);
    check(&format!(".set v_tmp, 4\n{lines}  v_mov_b32 v[v$0\n"), expect!["v_tmp"]);
}

#[test]
fn metadata_in_braces() {
    let text = ".amdgpu_metadata\namdhsa.kernels:\n  - .name: k\n    .args:\n    - { .name: p, .size: 8, .value_kind: global_buffer, .address_space: global }\n    - { .name: q, .size: 8, .value_kind: ";
    check(
        &format!("{text}g$0 }}\n.end_amdgpu_metadata\n"),
        expect!["global_buffer image hidden_group_size_x hidden_group_size_y"],
    );
    check(
        &format!("{text}global_buffer, .$0 }}\n.end_amdgpu_metadata\n"),
        expect![".address_space .value_kind .size .name"],
    );
}

#[test]
fn symbols_between_brackets_and_parameters_of_macros() {
    let symbols = ".set v_tmp, 4\n.set v_out, 8\n.set s_out, 2\n";
    check(&format!("{symbols}  v_mov_b32 v[v_out], v[v_tmp]\n  v_mov_b32 v[v$0\n"), expect!["v_out v_tmp"]);
    check(&format!("{symbols}  ds_read_b64 v[v_tmp:v$0\n"), expect!["v_tmp v_out"]);
    check(".macro m a, bc:req, bd=1\n  v_mov_b32 v[\\b$0\n.endm\n", expect!["bd bc"]);
}

#[test]
fn settings_of_a_kernel_are_proposed_in_their_order() {
    check(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 3\n  .$0\n.end_amdhsa_kernel\n",
        expect![
            ".amdhsa_next_free_sgpr .amdhsa_reserve_vcc .amdhsa_reserve_flat_scratch .amdhsa_system_vgpr_workitem_id"
        ],
    );
}

#[test]
fn kinds_of_arguments_are_proposed_in_their_order() {
    check(
        ".amdgpu_metadata\n---\namdhsa.kernels:\n  - .args:\n      - .size: 2\n        .value_kind:     hidden_remainder_y\n      - .size: 2\n        .value_kind:     h$0\n",
        expect!["hidden_remainder_z hidden_global_offset_x hidden_global_offset_y hidden_global_offset_z"],
    );
}

#[test]
fn common_instructions_come_first() {
    check(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\nf:\n  s_$0\n",
        expect!["s_add_u32 s_addc_u32 s_endpgm s_load_dwordx2"],
    );
}

#[test]
fn types_of_symbols_and_sections_do_not_repeat_the_sign() {
    check(
        ".section .note.x,\"\",@p$0\n",
        expect!["progbits .AMDGPU.config .AMDGPU.csdata .AMDGPU.gpr_maximums"],
    );
    check(".type f,$0\n", expect!["@function @object f"]);
}

#[test]
fn the_second_of_two_instructions_issued_together() {
    let target = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nf:\n";
    check(
        &format!("{target}  v_dual_mov_b32 v1, v2 :: v_dual_mo$0\n"),
        expect!["v_dual_mov_b32 v_dual_mul_dx9_zero_f32"],
    );
    check(&format!("{target}  v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v4, v1, $0\n"), expect!["v2 v1 v4 v0"]);
}

#[test]
fn registers_in_lists_and_attributes() {
    let target = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1100\"\nf:\n  v_mov_b32 v9, v7\n";
    check(
        &format!("{target}  image_load v[0:3], [v7, v$0], s[0:7] dmask:0xf dim:SQ_RSRC_IMG_2D\n"),
        expect!["v7 v9 v0 v1"],
    );
    check(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n  v_interp_p1_f32 v5, v2, attr0$0\n",
        expect!["attr0.w attr0.x attr0.y attr0.z"],
    );
}

#[test]
fn the_next_label_and_descriptors_of_kernels() {
    check(".globl a\na:\n.globl $0\n.p2align 8\nb:\n  s_endpgm\nc:\n", expect!["b a c"]);
    check(
        "a:\nb:\n.amdgpu_metadata\namdhsa.kernels:\n  - .name: b\n    .symbol: $0\n.end_amdgpu_metadata\n",
        expect!["b.kd b a a.kd"],
    );
}

#[test]
fn scalar_offsets() {
    let target = |cpu: &str, line: &str| {
        format!(".amdgcn_target \"amdgcn-amd-amdhsa--{cpu}\"\nf:\n  {line}\n  s_endpgm\n")
    };
    check(
        &target("gfx803", "tbuffer_store_format_xyz v[1:3], off, ttmp[8:11], s$0 format:1"),
        expect!["src_execz src_scc src_vccz s0"],
    );
    check(
        &target("gfx803", "tbuffer_store_format_xyz v[1:3], off, ttmp[8:11], s$0"),
        expect!["src_execz src_scc src_vccz s0"],
    );
    check(&target("gfx1100", "v_ceil_f16 v5, s10$0"), expect!["s10 s100 s101 s102"]);
}

#[test]
fn symbols_that_the_assembler_defines() {
    check(
        ".if .amdgcn.gfx$0\n.endif\n",
        expect![".amdgcn.gfx_generation_minor .amdgcn.gfx_generation_number .amdgcn.gfx_generation_stepping"],
    );
    check(".loc 1 2 3 p$0\n", expect!["prologue_end epilogue_begin"]);
    check(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n  tbuffer_load_format_x v0, off, s[0:3], s4 format:[BUF_NUM$0\n",
        expect!["BUF_NUM_FORMAT_FLOAT BUF_NUM_FORMAT_RESERVED_6 BUF_NUM_FORMAT_SINT BUF_NUM_FORMAT_SNORM"],
    );
}

#[test]
fn results_that_are_not_read_yet_and_further_modifiers() {
    let target = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx1010\"\nf:\n";
    check(
        &format!("{target}  v_mov_b32 v3, v9\n  v_mov_b32 v4, v3\n  v_mov_b32 v5, v8\n  v_add_f32 v6, v$0\n"),
        expect!["v5 v4 v8 v3"],
    );
    check(
        &format!("{target}  s_buffer_load_dword s2, s[4:7], 0x10 glc d$0\n"),
        expect!["dlc src_pops_exiting_wave_id"],
    );
    check(".globl there\n.quad th$0\n", expect!["there"]);
    check(".reloc 0, R_AMDGPU_N$0\n", expect!["R_AMDGPU_NONE"]);
    check(".globl Rx\n.reloc 0, R_AMDGPU_NONE, R$0\n", expect!["Rx"]);
}

#[test]
fn instructions_of_other_processors_have_operands() {
    let on =
        |processor: &str, line: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n{line}\n");
    check(&on("gfx1010", "v_subrev_co_u32_e32 v2, vc$0"), expect!["vcc vcc_hi vcc_lo src_vccz"]);
    check(&on("gfx1100", "v_dot2c_f32_f16_e64 v0, v1, v1$0"), expect!["v1 v10 v11 v12"]);
}

#[test]
fn inline_registers_and_parts_of_formats() {
    let on = |line: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{line}\n");
    check(
        &on("s_cmp_lg_u64 s[2:3], src_$0"),
        expect!["src_execz src_pops_exiting_wave_id src_private_base src_private_limit"],
    );
    check(&on("tbuffer_load_format_x v1, off, s[4:7], df$0"), expect!["dfmt"]);
}

#[test]
fn items_of_lists_are_of_the_file_of_the_first() {
    let on = |line: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n{line}\n");
    check(&on("s_mov_b64 s[0:1], [exec_lo, e$0"), expect!["exec_hi"]);
    check(&on("s_mov_b64 s[0:1], [s4, $0"), expect!["s4 s0 s1 s2"]);
    check(&on("global_load_dword v0, [v2, $0"), expect!["v2 v0 v1 v3"]);
}

#[test]
fn processors_that_are_not_checked_for_have_their_instructions() {
    let features = "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -mattr=-true16 %s\n";
    check(&format!("{features}  v_ceil_f16 v5, v1 dpp$0\n"), expect!["dpp8"]);
    check(
        &format!("{features}  v_ceil_f16 v5, v1 row_m$0\n"),
        expect!["row_mask row_mirror row_half_mirror row_xmask"],
    );
    check(&format!("{features}  v_ceil_f16 v5, v1 row_xmask:0 row_$0\n"), expect!["row_mask"]);
    check(&format!("{features}  .warning \"v$0\"\n"), expect![""]);
    check(
        "// RUN: llvm-mc -triple=amdgcn -mcpu=gfx940 %s\n  v_mfma_f32_16x16x16_$0\n",
        expect![
            "v_mfma_f32_16x16x16_f16 v_mfma_f32_16x16x16_bf16 v_mfma_f32_16x16x16_bf16_e64 v_mfma_f32_16x16x16_f16_e64"
        ],
    );
}

#[test]
fn names_of_processors_and_macros() {
    check(".amdgcn_target \"amdgcn-amd-amdhsa--gfx94$0\"\n", expect!["gfx942 gfx904 gfx9-4-generic"]);
    check(".amdgcn_target \"$0\"\n", expect!["amdgcn-amd-amdhsa-- amdgcn-amd-amdpal-- amdgcn-amd-mesa3d--"]);
    check(".amdgcn_target \"amdgcn-amd-a$0\"\n", expect!["amdhsa-- amdpal-- mesa3d--"]);
    let call =
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro ADD_TWO n\n  s_nop \\n\n.endm\n\nADD_T$0WO 4\n";
    check(call, expect!["ADD_TWO ds_add_rtn_f32 ds_add_rtn_u32 ds_add_rtn_u64"]);
}

#[test]
fn no_instructions_in_metadata() {
    check(".amdgpu_pal_metadata\n---\namdpal.pipelines:\n  - $0\n", expect![".end_amdgpu_pal_metadata"]);
    check(".amdgpu_metadata\namdhsa.version:\n  - $0\n.end_amdgpu_metadata\n", expect![""]);
}

#[test]
fn registers_in_place_of_constants_and_values_of_exports() {
    let target = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nf:\n";
    check(&format!("{target}  s_and_b64 s[0:1], src_vc$0\n"), expect!["src_vccz"]);
    check(&format!("{target}  v_mov_b32 v7, v8\n  exp mrt0 v$0\n"), expect!["v7 v8 v0 v1"]);
    check(
        ".amdgpu_metadata\namdhsa.kernels:\n  - .name: elsewhere\n    .symbol: $0\n.end_amdgpu_metadata\n",
        expect!["elsewhere.kd"],
    );
}

#[test]
fn what_comes_next_in_the_order_of_the_lines_before() {
    let on = |lines: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nf:\n{lines}\n");
    // By opcode.
    check(
        &on("  s_cbranch_scc0 4\n  s_cbranch_scc1 4\n  s_cbranch_vccz 4\n  s_cbranch_vccnz 4\n  s_$0"),
        expect!["s_cbranch_vccz s_cbranch_execz s_cbranch_execnz s_barrier"],
    );
    // By name.
    check(
        &on("  v_add_f16 v0, v1, v2\n  v_add_f32 v0, v1, v2\n  v_add_u32 v0, v1, v2\n  v$0"),
        expect!["v_add_u32 v_add_f32 v_addc_co_u32 v_alignbit_b32"],
    );
    check(&on("  v_mov_b32 v4, v9\n  v_mov_b32 v6, v9\n  v_mov_b32 v$0"), expect!["v8 v6 v4 v9"]);
    let exports = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n  exp mrt0 v0, off, off, off\n  exp m$0";
    check(exports, expect!["mrt1 mrt0 mrt2 mrt3"]);
    check(
        ".reloc 0, R_AMDGPU_REL32\n.reloc 0, R$0",
        expect!["R_AMDGPU_REL64 R_AMDGPU_REL32 R_AMDGPU_ABS32 R_AMDGPU_ABS32_HI"],
    );
}

#[test]
fn what_ends_an_open_block_comes_first() {
    check(".macro m\n  s_nop 0\n.e$0", expect![".endm .equ .equiv .error"]);
    check(".if 1\n  s_nop 0\n.e$0", expect![".else .elseif .endif .equ"]);
    let kernel =
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 3\n";
    check(
        &format!("{kernel}  .amdhsa_next_free_sgpr 3\n  .$0"),
        expect![
            ".end_amdhsa_kernel .amdhsa_reserve_vcc .amdhsa_reserve_flat_scratch .amdhsa_reserve_xnack_mask"
        ],
    );
    // A comment begins no metadata.
    check(
        "// CHECK: .amdgpu_metadata\n.amdgpu_m$0",
        expect![".amdgpu_metadata .amd_amdgpu_pal_metadata .amdgpu_pal_metadata .end_amdgpu_metadata"],
    );
}

#[test]
fn accumulators_are_spelled_as_elsewhere() {
    let on = |line: &str| {
        format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx90a\"\n  v_accvgpr_write_b32 acc2, v1\n{line}\n")
    };
    check(&on("  v_accvgpr_read_b32 v0, a$0"), expect!["acc2 acc0 acc1 acc3"]);
    check(&on("  v_mfma_f32_32x32x1f32 acc[0:31], v0, v1, a$0[0:31]"), expect!["acc a"]);
}

#[test]
fn target_ids_of_metadata() {
    check(
        ".amdgpu_metadata\n  amdhsa.target: amdgcn-amd-a$0\n.end_amdgpu_metadata\n",
        expect!["amdhsa-- amdpal-- mesa3d--"],
    );
}

/// What each position of each kind of line takes: a processor, a line up to the position, and the first proposals.
#[test]
fn each_position_takes_its_operands() {
    let lines = [
        ("gfx1100", ""),
        ("gfx1100", "v_add_f"),
        ("gfx1100", "v_add_f32 "),
        ("gfx1100", "v_add_f32 v1, "),
        ("gfx1100", "v_add_f32 v1, v0, "),
        ("gfx1100", "v_add_f32_e64 v1, v0, v2 "),
        ("gfx1100", "v_add_f32_e64 v1, v0, v2 mul:"),
        ("gfx1100", "v_add_f32_dpp v1, v0, v2 "),
        ("gfx1100", "v_add_f32_dpp v1, v0, v2 quad_perm:"),
        ("gfx1100", "v_cmp_eq_u32 "),
        ("gfx1100", "v_cndmask_b32 v1, v0, v2, "),
        ("gfx1100", "v_dual_add_f32 v1, v0, v2 :: "),
        ("gfx1100", "v_pk_add_f16 v1, v0, v2 "),
        ("gfx1100", "v_pk_add_f16 v1, v0, v2 op_sel:"),
        ("gfx1100", "s_mov_b32 "),
        ("gfx1100", "s_mov_b32 s0, "),
        ("gfx1100", "s_mov_b64 s[0:1], "),
        ("gfx1100", "s_mov_b64 s["),
        ("gfx1100", "s_load_b32 "),
        ("gfx1100", "s_load_b32 s4, "),
        ("gfx1100", "s_load_b32 s4, s[2:3], "),
        ("gfx1100", "s_load_b32 s4, s[2:3], 0x0 "),
        ("gfx1100", "s_branch "),
        ("gfx1100", "s_cbranch_scc0 "),
        ("gfx1100", "s_waitcnt "),
        ("gfx1100", "s_waitcnt vmcnt(0) "),
        ("gfx1100", "s_delay_alu "),
        ("gfx1100", "s_delay_alu instid0("),
        ("gfx1100", "s_sendmsg "),
        ("gfx1100", "s_sendmsg sendmsg("),
        ("gfx1100", "s_getreg_b32 s0, "),
        ("gfx1100", "s_getreg_b32 s0, hwreg("),
        ("gfx1100", "s_setprio "),
        ("gfx1100", "s_sleep "),
        ("gfx1100", "global_load_b32 "),
        ("gfx1100", "global_load_b32 v4, "),
        ("gfx1100", "global_load_b32 v4, v[2:3], "),
        ("gfx1100", "global_load_b32 v4, v[2:3], off "),
        ("gfx1100", "global_load_b32 v4, v[2:3], off offset:"),
        ("gfx1100", "buffer_load_b32 v4, "),
        ("gfx1100", "buffer_load_b32 v4, off, "),
        ("gfx1100", "buffer_load_b32 v4, off, s[4:7], "),
        ("gfx1100", "buffer_load_b32 v4, off, s[4:7], 0 "),
        ("gfx1100", "tbuffer_load_format_x v4, off, s[4:7], 0 "),
        ("gfx1100", "tbuffer_load_format_x v4, off, s[4:7], 0 format:["),
        ("gfx1100", "ds_load_b32 v4, "),
        ("gfx1100", "ds_load_b32 v4, v2 "),
        ("gfx1100", "ds_swizzle_b32 v4, v2 offset:swizzle("),
        ("gfx1100", "image_sample v[0:3], v[4:5], s[0:7], s[8:11] "),
        ("gfx1100", "image_sample v[0:3], v[4:5], s[0:7], s[8:11] dim:"),
        ("gfx1100", "exp "),
        ("gfx1100", "exp mrt0 "),
        ("gfx1100", "exp mrt0 v0, v0, v0, v0 "),
        ("gfx1200", "global_load_b32 v4, v[2:3], off th:"),
        ("gfx1200", "global_load_b32 v4, v[2:3], off scope:"),
        ("gfx1200", "s_wait_loadcnt "),
        ("gfx1200", "s_wait"),
        ("gfx1200", "s_barrier_"),
        ("gfx942", "v_mfma_f32_4x4x1_16b_f32 "),
        ("gfx942", "v_mfma_f32_4x4x1_16b_f32 a[0:15], v0, v1, "),
        ("gfx942", "v_mfma_f32_4x4x1_16b_f32 a[0:15], v0, v1, a[0:15] "),
        ("gfx942", "v_accvgpr_read_b32 v1, "),
        ("gfx942", "global_load_dword v4, v[2:3], off "),
        ("gfx942", "v_mov_b32_sdwa v1, v0 "),
        ("gfx942", "v_mov_b32_sdwa v1, v0 dst_sel:"),
        ("gfx942", "s_set_gpr_idx_on s0, gpr_idx("),
        ("gfx900", "v_interp_p1_f32 v5, v2, "),
        ("gfx900", "tbuffer_load_format_x v4, off, s[4:7], 0 "),
        ("gfx900", "s_waitcnt lgkmcnt("),
        ("gfx900", "s_sendmsg sendmsg(MSG_GS, "),
        ("gfx1010", "s_waitcnt_depctr "),
        ("gfx1100", "s_waitcnt_depctr depctr_"),
        ("gfx1100", "."),
        ("gfx1100", ".amdhsa_"),
        ("gfx1100", ".section "),
        ("gfx1100", ".section .text,\""),
        ("gfx1100", ".type f,"),
        ("gfx1100", ".globl "),
        ("gfx1100", ".size f, "),
        ("gfx1100", ".set x, "),
        ("gfx1100", ".if "),
        ("gfx1100", ".loc "),
        ("gfx1100", ".cfi_"),
        ("gfx1100", ".amdgcn_target "),
    ];
    let mut shown = String::new();
    for (processor, line) in lines {
        let text = format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--{processor}\"\n.set count, 4\nf:\n  v_mov_b32 v3, v2\n  s_mov_b32 s9, s8\nnext:\n  {line}$0\n  s_endpgm\nlast:\n"
        );
        let labels = at_cursor(Dialect::Amdgpu, &text, |view, at| {
            let items = features::complete(view, at).items;
            items.iter().take(7).map(|item| item.label.clone()).collect::<Vec<_>>().join(" ")
        });
        shown += &format!("{processor} {}: {labels}\n", line.trim_end());
    }
    expect![[r#"
        gfx1100 : s_mov_b32 v_mov_b32 s_endpgm s_add_u32 s_addc_u32 s_mov_b64 s_waitcnt
        gfx1100 v_add_f: v_add_f32 v_add_f32_e32 v_add_f16 v_add_f64 v_add_f16_dpp v_add_f16_e32 v_add_f16_e64
        gfx1100 v_add_f32: v2 v3 v0 v1 v4 v5 v6
        gfx1100 v_add_f32 v1,: s9 v3 s8 v2 v1 next f
        gfx1100 v_add_f32 v1, v0,: s9 v3 v0 s8 v2 v1 count
        gfx1100 v_add_f32_e64 v1, v0, v2: clamp div mul
        gfx1100 v_add_f32_e64 v1, v0, v2 mul:: count
        gfx1100 v_add_f32_dpp v1, v0, v2: bank_mask bound_ctrl dpp8 fi quad_perm row_half_mirror row_mask
        gfx1100 v_add_f32_dpp v1, v0, v2 quad_perm:: count
        gfx1100 v_cmp_eq_u32: s8 v2 s9 v3 next f count
        gfx1100 v_cndmask_b32 v1, v0, v2,: s9 s8 dpp8 quad_perm row_half_mirror row_mirror row_ror
        gfx1100 v_dual_add_f32 v1, v0, v2 ::: v_dual_add_f32 v_dual_mov_b32 v_dual_add_nc_u32 v_dual_and_b32 v_dual_cndmask_b32 v_dual_dot2acc_f32_bf16 v_dual_dot2acc_f32_f16
        gfx1100 v_pk_add_f16 v1, v0, v2: clamp neg_hi neg_lo op_sel op_sel_hi
        gfx1100 v_pk_add_f16 v1, v0, v2 op_sel:: count
        gfx1100 s_mov_b32: s9 s8 null exec_hi exec_lo m0 src_scc
        gfx1100 s_mov_b32 s0,: s9 s8 s0 next f count exec_hi
        gfx1100 s_mov_b64 s[0:1],: s[8:9] s[0:1] count exec null vcc s[2:3]
        gfx1100 s_mov_b64 s[: s[8:9] s[0:1] s[2:3] s[4:5] s[6:7] s[10:11] s[12:13]
        gfx1100 s_load_b32: s8 s9 null src_scc vcc_hi vcc_lo s0
        gfx1100 s_load_b32 s4,: s[8:9] exec null vcc s[0:1] s[2:3] s[4:5]
        gfx1100 s_load_b32 s4, s[2:3],: s9 s8 s4 dlc glc count exec_hi
        gfx1100 s_load_b32 s4, s[2:3], 0x0: dlc glc offset
        gfx1100 s_branch: next f last
        gfx1100 s_cbranch_scc0: next f last
        gfx1100 s_waitcnt: expcnt lgkmcnt vmcnt
        gfx1100 s_waitcnt vmcnt(0): vmcnt expcnt lgkmcnt
        gfx1100 s_delay_alu: instid0 instid1 instskip
        gfx1100 s_delay_alu instid0(: FMA_ACCUM_CYCLE_1 NO_DEP SALU_CYCLE_1 SALU_CYCLE_2 SALU_CYCLE_3 TRANS32_DEP_1 TRANS32_DEP_2
        gfx1100 s_sendmsg: sendmsg
        gfx1100 s_sendmsg sendmsg(: MSG_DEALLOC_VGPRS MSG_GS_ALLOC_REQ MSG_HALT_WAVES MSG_HS_TESSFACTOR MSG_INTERRUPT MSG_RTN_GET_DDID MSG_RTN_GET_DOORBELL
        gfx1100 s_getreg_b32 s0,: hwreg
        gfx1100 s_getreg_b32 s0, hwreg(: HW_REG_FLAT_SCR_HI HW_REG_FLAT_SCR_LO HW_REG_GPR_ALLOC HW_REG_HW_ID1 HW_REG_HW_ID2 HW_REG_IB_STS HW_REG_LDS_ALLOC
        gfx1100 s_setprio: count
        gfx1100 s_sleep: count
        gfx1100 global_load_b32: v2 v3 v0 v1 v4 v5 v6
        gfx1100 global_load_b32 v4,: v3 v2 v4 v[2:3] v[3:4] v0 v1
        gfx1100 global_load_b32 v4, v[2:3],: off
        gfx1100 global_load_b32 v4, v[2:3], off: dlc glc offset slc
        gfx1100 global_load_b32 v4, v[2:3], off offset:: count
        gfx1100 buffer_load_b32 v4,: v3 v2 v4 off v[2:3] v[3:4] v0
        gfx1100 buffer_load_b32 v4, off,: s[0:3] s[4:7] s[8:11] s[12:15] s[16:19] s[20:23] s[24:27]
        gfx1100 buffer_load_b32 v4, off, s[4:7],: s9 s8 count exec_hi exec_lo m0 null
        gfx1100 buffer_load_b32 v4, off, s[4:7], 0: dlc glc offset slc
        gfx1100 tbuffer_load_format_x v4, off, s[4:7], 0: dlc format glc offset slc
        gfx1100 tbuffer_load_format_x v4, off, s[4:7], 0 format:[: BUF_FMT_2_10_10_10_SINT BUF_FMT_2_10_10_10_SNORM BUF_FMT_2_10_10_10_SSCALED BUF_FMT_2_10_10_10_UINT BUF_FMT_2_10_10_10_UNORM BUF_FMT_2_10_10_10_USCALED BUF_FMT_8_8_8_8_SINT
        gfx1100 ds_load_b32 v4,: v3 v2 v4 v0 v1 v5 v6
        gfx1100 ds_load_b32 v4, v2: gds offset
        gfx1100 ds_swizzle_b32 v4, v2 offset:swizzle(: BITMASK_PERM BROADCAST FFT QUAD_PERM REVERSE ROTATE SWAP
        gfx1100 image_sample v[0:3], v[4:5], s[0:7], s[8:11]: a16 d16 dim dlc dmask glc lwe
        gfx1100 image_sample v[0:3], v[4:5], s[0:7], s[8:11] dim:: SQ_RSRC_IMG_1D SQ_RSRC_IMG_1D_ARRAY SQ_RSRC_IMG_2D SQ_RSRC_IMG_2D_ARRAY SQ_RSRC_IMG_2D_MSAA SQ_RSRC_IMG_2D_MSAA_ARRAY SQ_RSRC_IMG_3D
        gfx1100 exp: dual_src_blend0 dual_src_blend1 mrt0 mrt1 mrt2 mrt3 mrt4
        gfx1100 exp mrt0: v3 v2 off v0 v1 v4 v5
        gfx1100 exp mrt0 v0, v0, v0, v0: done row_en
        gfx1200 global_load_b32 v4, v[2:3], off th:: TH_DEFAULT TH_LOAD_BYPASS TH_LOAD_HT TH_LOAD_LU TH_LOAD_NT TH_LOAD_NT_HT TH_LOAD_NT_RT
        gfx1200 global_load_b32 v4, v[2:3], off scope:: SCOPE_CU SCOPE_DEV SCOPE_SE SCOPE_SYS count
        gfx1200 s_wait_loadcnt: count
        gfx1200 s_wait: s_waitcnt s_wait_dscnt s_wait_kmcnt s_wait_loadcnt s_wait_storecnt s_wait_alu s_wait_bvhcnt
        gfx1200 s_barrier_: s_barrier_init s_barrier_join s_barrier_leave s_barrier_signal s_barrier_signal_isfirst s_barrier_wait s_get_barrier_state
        gfx942 v_mfma_f32_4x4x1_16b_f32: v[0:3] v[2:5] v[4:7] v[6:9] v[8:11] v[10:13] v[12:15]
        gfx942 v_mfma_f32_4x4x1_16b_f32 a[0:15], v0, v1,: v[0:3] count v[2:5] v[4:7] v[6:9] v[8:11] v[10:13]
        gfx942 v_mfma_f32_4x4x1_16b_f32 a[0:15], v0, v1, a[0:15]: abid blgp cbsz v[0:3] count v[2:5] v[4:7]
        gfx942 v_accvgpr_read_b32 v1,: a0 a1 a2 a3 a4 a5 a6
        gfx942 global_load_dword v4, v[2:3], off: nt offset sc0 sc1
        gfx942 v_mov_b32_sdwa v1, v0: clamp dst_sel dst_unused src0_sel
        gfx942 v_mov_b32_sdwa v1, v0 dst_sel:: BYTE_0 BYTE_1 BYTE_2 BYTE_3 DWORD WORD_0 WORD_1
        gfx942 s_set_gpr_idx_on s0, gpr_idx(: DST SRC0 SRC1 SRC2 count
        gfx900 v_interp_p1_f32 v5, v2,: attr0.w attr0.x attr0.y attr0.z attr1.w attr1.x attr1.y
        gfx900 tbuffer_load_format_x v4, off, s[4:7], 0: dfmt format glc nfmt offset slc
        gfx900 s_waitcnt lgkmcnt(: count
        gfx900 s_sendmsg sendmsg(MSG_GS,: GS_OP_CUT GS_OP_EMIT GS_OP_EMIT_CUT count
        gfx1010 s_waitcnt_depctr: depctr_sa_sdst depctr_va_sdst depctr_va_ssrc depctr_va_vcc depctr_va_vdst depctr_vm_vsrc
        gfx1100 s_waitcnt_depctr depctr_: depctr_hold_cnt depctr_sa_sdst depctr_va_sdst depctr_va_ssrc depctr_va_vcc depctr_va_vdst depctr_vm_vsrc
        gfx1100 .: .set .amdgcn_target .text .globl .p2align .type .section
        gfx1100 .amdhsa_: .amdhsa_kernel .amdhsa_accum_offset .amdhsa_code_object_version .amdhsa_dx10_clamp .amdhsa_enable_private_segment .amdhsa_exception_fp_denorm_src .amdhsa_exception_fp_ieee_div_zero
        gfx1100 .section: @nobits @note @progbits .AMDGPU.config .AMDGPU.csdata .AMDGPU.gpr_maximums .bss
        gfx1100 .section .text,": 
        gfx1100 .type f,: last @function @object f next count
        gfx1100 .globl: last next f count
        gfx1100 .size f,: f next count last
        gfx1100 .set x,: x next f count last
        gfx1100 .if: next f count last
        gfx1100 .loc: basic_block discriminator epilogue_begin is_stmt isa prologue_end next
        gfx1100 .cfi_: .cfi_adjust_cfa_offset .cfi_def_cfa .cfi_def_cfa_offset .cfi_def_cfa_register .cfi_endproc .cfi_escape .cfi_offset
        gfx1100 .amdgcn_target: next f count last
    "#]].assert_eq(&shown);
}

#[test]
fn values_go_from_results_to_uses() {
    let on = |text: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\nf:\n{text}\n");
    // What is read below: what the instruction reads itself, then what nothing computes. And what is computed and nothing reads.
    let needed = on(
        "  v_mov_b32_e32 v1, 0\n  v_add_f32_e32 v2, v1, v1\n  v_mul_f32_e32 $0, v2, v1\n  v_add_f32_e32 v3, v7, v1",
    );
    check(&needed, expect!["v1 v7 v2 v3"]);
    let unread = on(
        "  v_mov_b32_e32 v1, 0\n  v_mov_b32_e32 v5, 0\n  v_add_f32_e32 v2, v1, v1\n  v_mul_f32_e32 v3, v2, $0\n  v_mov_b32_e32 v1, 1",
    );
    check(&unread, expect!["v5 v1 v2 v3"]);
}

#[test]
fn directives_follow_each_other_as_compilers_write_them() {
    let on = |text: &str| format!(".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.text\n{text}\n");
    check(
        &on(".type f,@function\nf:\n  s_endpgm\n.Lfunc_end0:\n  $0"),
        expect![".size .text .type s_endpgm"],
    );
    check(
        &on(".type f,@function\nf:\n  s_endpgm\n.Lfunc_end0:\n  .size $0, .Lfunc_end0-f"),
        expect!["f .Lfunc_end0"],
    );
    check(&on(".globl f\n  $0"), expect![".amdhsa_code_object_version .p2align .type .text"]);
    // No instructions in data.
    check(
        &on(".section .debug_info,\"\",@progbits\n  .long 1\n  .byte 2\n  $0"),
        expect![".byte .long .section .text"],
    );
    check(
        &on("f:\n  v_mov_b32_e32 v0, 0\n  $0"),
        expect!["v_mov_b32_e32 v_mul_f16_e32 v_readfirstlane_b32_e32 v_cvt_i32_f64_e32"],
    );
}
