//! Words that are more likely than others of their kind.

/// Instructions that compilers write most often, in all generations, the most frequent first.
#[rustfmt::skip]
const INSTRUCTIONS: &[&str] = &[
    "s_waitcnt", "v_mov_b32_e32", "s_endpgm", "s_load_dwordx2", "s_mov_b32", "s_load_dwordx4", "s_mov_b64", "s_add_u32",
    "s_addc_u32", "v_add_u32_e32", "v_lshlrev_b32_e32", "v_and_b32_e32", "s_load_dword", "global_load_dword",
    "global_store_dword", "s_load_b64", "s_load_b128", "s_cbranch_scc1", "s_cbranch_execz", "s_and_saveexec_b64", "s_or_b64",
    "v_cndmask_b32_e32", "v_cmp_eq_u32_e32", "v_mul_f32_e32", "v_add_f32_e32", "v_fma_f32", "v_fmac_f32_e32", "s_branch",
    "s_cbranch_vccnz", "s_cbranch_scc0", "s_barrier", "s_nop", "s_lshl_b32", "s_and_b32", "s_cmp_eq_u32", "s_cmp_lg_u32",
    "s_add_i32", "s_mul_i32", "v_dual_mov_b32", "s_delay_alu", "s_clause", "global_load_b32", "global_store_b32",
    "global_load_dwordx4", "global_store_dwordx4", "global_load_dwordx2", "global_store_dwordx2", "global_load_b128",
    "global_store_b128", "buffer_load_dword", "buffer_store_dword", "ds_read_b32", "ds_write_b32", "ds_read_b128",
    "ds_write_b128", "ds_load_b32", "ds_store_b32", "flat_load_dword", "flat_store_dword", "scratch_load_dword",
    "scratch_store_dword", "v_add_co_u32", "v_addc_co_u32_e32", "v_add_co_ci_u32_e32", "v_lshl_add_u32", "v_mad_u64_u32",
    "v_cndmask_b32_e64", "v_readfirstlane_b32", "v_readlane_b32", "v_writelane_b32", "v_cvt_f32_u32_e32", "s_wait_kmcnt",
    "s_wait_loadcnt", "s_wait_dscnt", "s_wait_storecnt", "s_waitcnt_vscnt", "s_swappc_b64", "s_setpc_b64", "s_getpc_b64",
    "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_mfma_f32_16x16x16_f16", "v_mfma_f32_32x32x8_f16", "s_cselect_b32",
    "v_or_b32_e32", "v_xor_b32_e32", "v_sub_u32_e32", "v_mul_lo_u32", "v_add3_u32", "v_bfe_u32", "v_max_f32_e32", "s_lshr_b32",
];

/// Directives that nearly every file has.
#[rustfmt::skip]
const DIRECTIVES: &[&str] = &[
    ".amdgcn_target", ".amdhsa_code_object_version", ".text", ".globl", ".p2align", ".type", ".section", ".size", ".set",
    ".amdhsa_kernel", ".end_amdhsa_kernel", ".amdgpu_metadata", ".protected", ".fill",
];

/// Sections and types of sections, as compilers write them.
pub(super) const SECTIONS: &[&str] = &[
    ".text",
    ".rodata",
    ".data",
    ".bss",
    ".AMDGPU.csdata",
    ".AMDGPU.gpr_maximums",
    ".AMDGPU.config",
    ".note.GNU-stack",
];
pub(super) const SECTION_TYPES: &[&str] = &["progbits", "nobits", "note"];

/// How much earlier than others an instruction or a directive is proposed, 0 to 10.
pub(super) fn lead(word: &str) -> u8 {
    // There are fewer directives.
    let (list, step) = if word.starts_with('.') { (DIRECTIVES, 1) } else { (INSTRUCTIONS, 10) };
    let is_meant = |name: &str| name == word || name.strip_suffix("_e32") == Some(word);
    let at = list.iter().position(|name| is_meant(name));
    at.map_or(0, |at| 10 - (at / step).min(9) as u8)
}
