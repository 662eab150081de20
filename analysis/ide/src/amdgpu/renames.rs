//! Names that changed from one generation to another, and modifiers.
//!
//! A name leads to others that may mean the same elsewhere; whether one does on the target, the assembler tells.

/// Mnemonics that stand for each other, without encoding suffixes.
const GROUPS: &[&[&str]] = &[
    &["v_add_i32", "v_add_u32", "v_add_co_u32", "v_add_nc_u32"],
    &["v_sub_i32", "v_sub_u32", "v_sub_co_u32", "v_sub_nc_u32"],
    &["v_subrev_i32", "v_subrev_u32", "v_subrev_co_u32", "v_subrev_nc_u32"],
    &["v_addc_u32", "v_addc_co_u32", "v_add_co_ci_u32"],
    &["v_subb_u32", "v_subb_co_u32", "v_sub_co_ci_u32"],
    &["v_subbrev_u32", "v_subbrev_co_u32", "v_subrev_co_ci_u32"],
    &["v_mac_f32", "v_fmac_f32"],
    &["v_mac_f16", "v_fmac_f16"],
    &["v_mad_f32", "v_fma_f32"],
    &["v_lshl_b32", "v_lshlrev_b32"],
    &["v_lshr_b32", "v_lshrrev_b32"],
    &["v_ashr_i32", "v_ashrrev_i32"],
    &["v_lshl_b64", "v_lshlrev_b64"],
    &["v_lshr_b64", "v_lshrrev_b64"],
    &["v_ashr_i64", "v_ashrrev_i64"],
    &["v_mul_lo_i32", "v_mul_lo_u32"],
    &["v_min_f32", "v_min_num_f32"],
    &["v_max_f32", "v_max_num_f32"],
    &["s_add_u32", "s_add_co_u32"],
    &["s_addc_u32", "s_add_co_ci_u32"],
    &["s_sub_u32", "s_sub_co_u32"],
    &["s_subb_u32", "s_sub_co_ci_u32"],
    &["s_add_i32", "s_add_co_i32"],
    &["s_sub_i32", "s_sub_co_i32"],
    &["s_andn2_b32", "s_and_not1_b32"],
    &["s_andn2_b64", "s_and_not1_b64"],
    &["s_orn2_b32", "s_or_not1_b32"],
    &["s_orn2_b64", "s_or_not1_b64"],
    &["s_andn2_saveexec_b64", "s_and_not1_saveexec_b64"],
    &["s_orn2_saveexec_b64", "s_or_not1_saveexec_b64"],
    &["s_ff1_i32_b32", "s_ctz_i32_b32"],
    &["s_flbit_i32_b32", "s_clz_i32_u32"],
    &["s_barrier", "s_barrier_signal"],
];

/// Ends of memory mnemonics: in dwords, and in bits since gfx11.
const WIDTHS: &[(&str, &str)] = &[
    ("load_dwordx16", "load_b512"),
    ("load_dwordx8", "load_b256"),
    ("load_dwordx4", "load_b128"),
    ("load_dwordx3", "load_b96"),
    ("load_dwordx2", "load_b64"),
    ("load_dword", "load_b32"),
    ("load_ubyte", "load_u8"),
    ("load_sbyte", "load_i8"),
    ("load_ushort", "load_u16"),
    ("load_sshort", "load_i16"),
    ("load_short_d16", "load_d16_b16"),
    ("load_short_d16_hi", "load_d16_hi_b16"),
    ("load_ubyte_d16", "load_d16_u8"),
    ("load_sbyte_d16", "load_d16_i8"),
    ("store_dwordx4", "store_b128"),
    ("store_dwordx3", "store_b96"),
    ("store_dwordx2", "store_b64"),
    ("store_dword", "store_b32"),
    ("store_byte", "store_b8"),
    ("store_short", "store_b16"),
    ("atomic_swap", "atomic_swap_b32"),
    ("atomic_cmpswap", "atomic_cmpswap_b32"),
    ("atomic_add", "atomic_add_u32"),
    ("atomic_sub", "atomic_sub_u32"),
    ("atomic_smin", "atomic_min_i32"),
    ("atomic_umin", "atomic_min_u32"),
    ("atomic_smax", "atomic_max_i32"),
    ("atomic_umax", "atomic_max_u32"),
    ("atomic_and", "atomic_and_b32"),
    ("atomic_or", "atomic_or_b32"),
    ("atomic_xor", "atomic_xor_b32"),
    ("atomic_inc", "atomic_inc_u32"),
    ("atomic_dec", "atomic_dec_u32"),
    ("atomic_add_x2", "atomic_add_u64"),
];

/// Cache bits: before gfx940, and on gfx940 and gfx950.
const CACHE: &[(&str, &str)] = &[("glc", "sc0"), ("slc", "nt"), ("scc", "sc1")];

/// Other names of a mnemonic.
pub(super) fn mnemonics(name: &str) -> Vec<String> {
    let suffix =
        ["_e32", "_e64_dpp", "_e64", "_dpp", "_sdwa"].into_iter().find(|s| name.ends_with(s)).unwrap_or("");
    let base = name.strip_suffix(suffix).unwrap_or(name);
    let mut found: Vec<String> = GROUPS
        .iter()
        .filter(|group| group.contains(&base))
        .flat_map(|group| group.iter().filter(|n| **n != base).map(|n| (*n).to_owned()))
        .collect();
    for (old, new) in WIDTHS {
        for (from, to) in [(old, new), (new, old)] {
            if let Some(head) = base.strip_suffix(from).filter(|h| h.ends_with('_')) {
                found.push(format!("{head}{to}"));
            }
        }
    }
    if let Some(rest) = base.strip_prefix("ds_") {
        for (from, to) in
            [("read", "load"), ("load", "store"), ("write", "store"), ("load", "read"), ("store", "write")]
        {
            if let Some(tail) = rest.strip_prefix(from).filter(|_| (from, to) != ("load", "store")) {
                found.push(format!("ds_{to}{tail}"));
            }
        }
    }
    if !suffix.is_empty() {
        let plain = found.clone();
        found = plain.iter().map(|n| format!("{n}{suffix}")).chain(plain.iter().cloned()).collect();
    }
    found
}

/// The operand text with the cache bits of the other generation, if it has any.
pub(super) fn cache_bits(text: &str) -> Option<String> {
    let mut changed = false;
    let words: Vec<String> = text
        .split(' ')
        .map(|word| {
            let other = CACHE.iter().find_map(|(a, b)| match word {
                _ if word == *a => Some(*b),
                _ if word == *b => Some(*a),
                _ => None,
            });
            changed |= other.is_some();
            other.unwrap_or(word).to_owned()
        })
        .collect();
    changed.then(|| words.join(" "))
}

/// Fields of `.amd_kernel_code_t`, and what they are called in `.amdhsa_kernel`.
pub(super) const KERNEL_CODE: &[(&str, &str)] = &[
    ("workgroup_group_segment_byte_size", "group_segment_fixed_size"),
    ("workitem_private_segment_byte_size", "private_segment_fixed_size"),
    ("kernarg_segment_byte_size", "kernarg_size"),
    ("user_sgpr_count", "user_sgpr_count"),
    ("enable_sgpr_private_segment_buffer", "user_sgpr_private_segment_buffer"),
    ("enable_sgpr_dispatch_ptr", "user_sgpr_dispatch_ptr"),
    ("enable_sgpr_queue_ptr", "user_sgpr_queue_ptr"),
    ("enable_sgpr_kernarg_segment_ptr", "user_sgpr_kernarg_segment_ptr"),
    ("enable_sgpr_dispatch_id", "user_sgpr_dispatch_id"),
    ("enable_sgpr_flat_scratch_init", "user_sgpr_flat_scratch_init"),
    ("enable_sgpr_private_segment_size", "user_sgpr_private_segment_size"),
    ("enable_sgpr_private_segment_wave_byte_offset", "system_sgpr_private_segment_wavefront_offset"),
    ("enable_sgpr_workgroup_id_x", "system_sgpr_workgroup_id_x"),
    ("enable_sgpr_workgroup_id_y", "system_sgpr_workgroup_id_y"),
    ("enable_sgpr_workgroup_id_z", "system_sgpr_workgroup_id_z"),
    ("enable_sgpr_workgroup_info", "system_sgpr_workgroup_info"),
    ("enable_vgpr_workitem_id", "system_vgpr_workitem_id"),
    ("workitem_vgpr_count", "next_free_vgpr"),
    ("wavefront_sgpr_count", "next_free_sgpr"),
    ("enable_dx10_clamp", "dx10_clamp"),
    ("enable_ieee_mode", "ieee_mode"),
    ("enable_wgp_mode", "workgroup_processor_mode"),
    ("enable_mem_ordered", "memory_ordered"),
    ("enable_fwd_progress", "forward_progress"),
];
