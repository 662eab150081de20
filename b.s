	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"

	.text
	.p2align 8

	.globl saxpy
	.type saxpy,@function
saxpy:
	s_load_dwordx2 s[4:5], s[0:1], 0x10
	s_lshl_b32 s2, s2, 8
	v_add_u32_e32 v0, s2, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_u32_e32 vcc, s5, v0
	s_and_saveexec_b64 s[2:3], vcc
	.long 0xbf880016	; s_cbranch_execz .L_0078
	s_load_dwordx4 s[0:3], s[0:1], 0x0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[2:3], s[0:1]
	v_add_co_u32_e32 v2, vcc, v2, v0
	v_mov_b64_e32 v[4:5], s[2:3]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v1, vcc
	v_add_co_u32_e32 v0, vcc, v4, v0
	s_nop 1
	v_addc_co_u32_e32 v1, vcc, v5, v1, vcc
	global_load_dword v4, v[0:1], off
	global_load_dword v5, v[2:3], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v5, s4, v4
	global_store_dword v[2:3], v5, off
.L_0078:
	s_endpgm

	.globl __clang_ocl_kern_imp_saxpy
	.type __clang_ocl_kern_imp_saxpy,@function
__clang_ocl_kern_imp_saxpy:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v6, 0x3ff, v31
	v_add_u32_e32 v6, s0, v6
	v_cmp_lt_u32_e32 vcc, v6, v5
	s_and_saveexec_b64 s[0:1], vcc
	.long 0xbf880011	; s_cbranch_execz .L_00e0
	v_mov_b32_e32 v7, 0
	v_lshlrev_b64 v[6:7], 2, v[6:7]
	v_add_co_u32_e32 v0, vcc, v0, v6
	s_nop 1
	v_addc_co_u32_e32 v1, vcc, v1, v7, vcc
	v_add_co_u32_e32 v2, vcc, v2, v6
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v3, v7, vcc
	global_load_dword v5, v[2:3], off
	global_load_dword v6, v[0:1], off
	s_waitcnt vmcnt(0)
	v_fmac_f32_e32 v6, v4, v5
	global_store_dword v[0:1], v6, off
.L_00e0:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl dsaxpy
	.type dsaxpy,@function
dsaxpy:
	s_load_dword s4, s[0:1], 0x18
	s_lshl_b32 s2, s2, 8
	v_add_u32_e32 v0, s2, v0
	s_waitcnt lgkmcnt(0)
	v_cmp_gt_u32_e32 vcc, s4, v0
	s_and_saveexec_b64 s[2:3], vcc
	.long 0xbf88001f	; s_cbranch_execz .L_019c
	s_load_dwordx4 s[8:11], s[0:1], 0x0
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	s_mov_b64 s[0:1], 0
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[2:3], s[10:11]
	v_mov_b64_e32 v[4:5], s[8:9]
.L_0144:
	v_lshlrev_b64 v[6:7], 3, v[0:1]
	v_add_co_u32_e32 v8, vcc, v2, v6
	v_add_u32_e32 v0, 0x1000, v0
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v3, v7, vcc
	v_add_co_u32_e32 v6, vcc, v4, v6
	s_nop 1
	v_addc_co_u32_e32 v7, vcc, v5, v7, vcc
	global_load_dwordx2 v[10:11], v[8:9], off
	global_load_dwordx2 v[12:13], v[6:7], off
	v_cmp_le_u32_e32 vcc, s4, v0
	s_or_b64 s[0:1], vcc, s[0:1]
	s_waitcnt vmcnt(0)
	v_fmac_f64_e32 v[12:13], s[2:3], v[10:11]
	global_store_dwordx2 v[6:7], v[12:13], off
	s_andn2_b64 exec, exec, s[0:1]
	.long 0xbf89ffea	; s_cbranch_execnz .L_0144
.L_019c:
	s_endpgm

	.globl __clang_ocl_kern_imp_dsaxpy
	.type __clang_ocl_kern_imp_dsaxpy,@function
__clang_ocl_kern_imp_dsaxpy:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v7, 0x3ff, v31
	v_add_u32_e32 v8, s0, v7
	v_cmp_lt_u32_e32 vcc, v8, v6
	s_and_saveexec_b64 s[0:1], vcc
	.long 0xbf880018	; s_cbranch_execz .L_0220
	s_mov_b64 s[2:3], 0
	v_mov_b32_e32 v9, 0
.L_01c8:
	v_lshlrev_b64 v[10:11], 3, v[8:9]
	v_add_co_u32_e32 v12, vcc, v2, v10
	v_add_u32_e32 v8, 0x1000, v8
	s_nop 0
	v_addc_co_u32_e32 v13, vcc, v3, v11, vcc
	v_add_co_u32_e32 v10, vcc, v0, v10
	s_nop 1
	v_addc_co_u32_e32 v11, vcc, v1, v11, vcc
	global_load_dwordx2 v[14:15], v[12:13], off
	global_load_dwordx2 v[16:17], v[10:11], off
	v_cmp_ge_u32_e32 vcc, v8, v6
	s_or_b64 s[2:3], vcc, s[2:3]
	s_waitcnt vmcnt(0)
	v_fmac_f64_e32 v[16:17], v[4:5], v[14:15]
	global_store_dwordx2 v[10:11], v[16:17], off
	s_andn2_b64 exec, exec, s[2:3]
	.long 0xbf89ffea	; s_cbranch_execnz .L_01c8
.L_0220:
	s_or_b64 exec, exec, s[0:1]
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl int_mix
	.type int_mix,@function
int_mix:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[4:5], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[2:3], s[6:7]
	v_add_co_u32_e32 v2, vcc, v2, v4
	v_mov_b64_e32 v[6:7], s[8:9]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_add_co_u32_e32 v4, vcc, v6, v4
	global_load_dword v3, v[2:3], off
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v7, v5, vcc
	global_load_dword v6, v[4:5], off
	v_lshlrev_b32_e32 v0, 3, v0
	v_lshl_add_u64 v[4:5], v[0:1], 2, s[4:5]
	s_waitcnt vmcnt(0)
	v_sub_u32_e32 v1, v3, v6
	v_add_u32_e32 v0, v6, v3
	v_mul_lo_u32 v2, v6, v3
	v_cmp_ne_u32_e32 vcc, 0, v6
	global_store_dwordx3 v[4:5], v[0:2], off
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	.long 0xbf880029	; s_cbranch_execz .L_0434
	v_ashrrev_i32_e32 v0, 31, v6
	v_add_u32_e32 v1, v6, v0
	v_xor_b32_e32 v2, v1, v0
	v_cvt_f32_u32_e32 v1, v2
	v_ashrrev_i32_e32 v7, 31, v3
	v_xor_b32_e32 v8, v7, v0
	v_rcp_f32_e32 v1, v1
	s_nop 0
	v_mul_f32_e32 v0, 0x4f7ffffe, v1
	v_cvt_u32_f32_e32 v9, v0
	v_add_u32_e32 v0, v3, v7
	v_xor_b32_e32 v7, v0, v7
	v_sub_u32_e32 v0, 0, v2
	v_mul_lo_u32 v10, v0, v9
	v_mad_u64_u32 v[0:1], s[2:3], v9, v10, 0
	v_add_u32_e32 v9, v9, v1
	v_mad_u64_u32 v[0:1], s[2:3], v7, v9, 0
	v_mul_lo_u32 v0, v1, v2
	v_sub_u32_e32 v0, v7, v0
	v_add_u32_e32 v9, 1, v1
	v_cmp_ge_u32_e32 vcc, v0, v2
	v_sub_u32_e32 v7, v0, v2
	s_nop 0
	v_cndmask_b32_e32 v1, v1, v9, vcc
	v_cndmask_b32_e32 v0, v0, v7, vcc
	v_add_u32_e32 v7, 1, v1
	v_cmp_ge_u32_e32 vcc, v0, v2
	s_nop 1
	v_cndmask_b32_e32 v0, v1, v7, vcc
	v_xor_b32_e32 v0, v0, v8
	v_sub_u32_e32 v0, v0, v8
	global_store_dword v[4:5], v0, off offset:12
	v_mul_lo_u32 v0, v0, v6
	v_sub_u32_e32 v0, v3, v0
.L_0434:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	.long 0xbf880005	; s_cbranch_execz .L_0450
	v_mov_b32_e32 v0, 0
	s_mov_b32 s2, 1
	global_store_dword v[4:5], v0, off offset:12
	v_mov_b32_e32 v0, s2
.L_0450:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v7, 31, v6
	v_ashrrev_i32_e32 v2, v7, v3
	v_lshlrev_b32_e32 v1, v7, v3
	v_lshrrev_b32_e32 v7, v7, v3
	v_bfi_b32 v8, v6, 0, v3
	v_cmp_eq_u32_e32 vcc, v3, v6
	v_xor_b32_e32 v7, v7, v8
	s_nop 0
	v_cndmask_b32_e64 v3, 0, 1, vcc
	v_or_b32_e32 v3, v7, v3
	global_store_dwordx4 v[4:5], v[0:3], off offset:16
	s_endpgm

	.globl __clang_ocl_kern_imp_int_mix
	.type __clang_ocl_kern_imp_int_mix,@function
__clang_ocl_kern_imp_int_mix:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v6, 0x3ff, v31
	v_add_u32_e32 v8, s0, v6
	v_mov_b32_e32 v9, 0
	v_lshlrev_b64 v[6:7], 2, v[8:9]
	v_add_co_u32_e32 v2, vcc, v2, v6
	v_lshlrev_b32_e32 v8, 3, v8
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v7, vcc
	v_add_co_u32_e32 v4, vcc, v4, v6
	global_load_dword v3, v[2:3], off
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v7, vcc
	global_load_dword v6, v[4:5], off
	v_lshl_add_u64 v[4:5], v[8:9], 2, v[0:1]
	s_waitcnt vmcnt(0)
	v_sub_u32_e32 v1, v3, v6
	v_add_u32_e32 v0, v6, v3
	v_mul_lo_u32 v2, v6, v3
	v_cmp_ne_u32_e32 vcc, 0, v6
	global_store_dwordx3 v[4:5], v[0:2], off
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
	.long 0xbf880029	; s_cbranch_execz .L_05b4
	v_ashrrev_i32_e32 v0, 31, v6
	v_add_u32_e32 v1, v6, v0
	v_xor_b32_e32 v2, v1, v0
	v_cvt_f32_u32_e32 v1, v2
	v_ashrrev_i32_e32 v7, 31, v3
	v_xor_b32_e32 v8, v7, v0
	v_rcp_f32_e32 v1, v1
	s_nop 0
	v_mul_f32_e32 v0, 0x4f7ffffe, v1
	v_cvt_u32_f32_e32 v9, v0
	v_add_u32_e32 v0, v3, v7
	v_xor_b32_e32 v7, v0, v7
	v_sub_u32_e32 v0, 0, v2
	v_mul_lo_u32 v10, v0, v9
	v_mad_u64_u32 v[0:1], s[2:3], v9, v10, 0
	v_add_u32_e32 v9, v9, v1
	v_mad_u64_u32 v[0:1], s[2:3], v7, v9, 0
	v_mul_lo_u32 v0, v1, v2
	v_sub_u32_e32 v0, v7, v0
	v_add_u32_e32 v9, 1, v1
	v_cmp_ge_u32_e32 vcc, v0, v2
	v_sub_u32_e32 v7, v0, v2
	s_nop 0
	v_cndmask_b32_e32 v1, v1, v9, vcc
	v_cndmask_b32_e32 v0, v0, v7, vcc
	v_add_u32_e32 v7, 1, v1
	v_cmp_ge_u32_e32 vcc, v0, v2
	s_nop 1
	v_cndmask_b32_e32 v0, v1, v7, vcc
	v_xor_b32_e32 v0, v0, v8
	v_sub_u32_e32 v0, v0, v8
	global_store_dword v[4:5], v0, off offset:12
	v_mul_lo_u32 v0, v0, v6
	v_sub_u32_e32 v0, v3, v0
.L_05b4:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
	.long 0xbf880005	; s_cbranch_execz .L_05d0
	v_mov_b32_e32 v0, 0
	s_mov_b32 s2, 1
	global_store_dword v[4:5], v0, off offset:12
	v_mov_b32_e32 v0, s2
.L_05d0:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v7, 31, v6
	v_ashrrev_i32_e32 v2, v7, v3
	v_lshlrev_b32_e32 v1, v7, v3
	v_lshrrev_b32_e32 v7, v7, v3
	v_bfi_b32 v8, v6, 0, v3
	v_cmp_eq_u32_e32 vcc, v3, v6
	v_xor_b32_e32 v7, v7, v8
	s_nop 0
	v_cndmask_b32_e64 v3, 0, 1, vcc
	v_or_b32_e32 v3, v7, v3
	global_store_dwordx4 v[4:5], v[0:3], off offset:16
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl long_mix
	.type long_mix,@function
long_mix:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 3, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[8:9]
	v_add_co_u32_e32 v4, vcc, v4, v2
	v_mov_b64_e32 v[6:7], s[6:7]
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
	v_add_co_u32_e32 v2, vcc, v6, v2
	global_load_dwordx2 v[4:5], v[4:5], off
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v7, v3, vcc
	global_load_dwordx2 v[2:3], v[2:3], off
	s_mov_b64 s[0:1], 3
	v_mov_b64_e32 v[6:7], s[0:1]
	s_waitcnt vmcnt(1)
	v_cmp_ne_u64_e32 vcc, 0, v[4:5]
	s_and_saveexec_b64 s[2:3], vcc
	.long 0xbf8800f3	; s_cbranch_execz .L_0b3c
	v_cvt_f32_u32_e32 v8, v4
	s_waitcnt vmcnt(0)
	v_or_b32_e32 v7, v3, v5
	v_mov_b32_e32 v6, v1
	v_cmp_ne_u64_e32 vcc, 0, v[6:7]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[6:7], exec, s[0:1]
	.long 0xbf8800ce	; s_cbranch_execz .L_0ac8
	v_cvt_f32_u32_e32 v6, v5
	v_sub_co_u32_e32 v12, vcc, 0, v4
	v_mul_f32_e32 v6, 0x4f800000, v6
	v_add_f32_e32 v6, v6, v8
	v_rcp_iflag_f32_e32 v6, v6
	v_subb_co_u32_e32 v13, vcc, 0, v5, vcc
	v_mul_f32_e32 v6, 0x5f7ffffc, v6
	v_mul_f32_e32 v7, 0x2f800000, v6
	v_trunc_f32_e32 v7, v7
	v_mul_f32_e32 v8, 0xcf800000, v7
	v_cvt_u32_f32_e32 v14, v7
	v_add_f32_e32 v6, v8, v6
	v_cvt_u32_f32_e32 v15, v6
	v_mad_u64_u32 v[6:7], s[0:1], v12, v14, 0
	v_mad_u64_u32 v[8:9], s[0:1], v12, v15, 0
	v_mad_u64_u32 v[10:11], s[0:1], v13, v15, v[6:7]
	v_add_u32_e32 v6, v9, v10
	v_mul_lo_u32 v7, v14, v8
	v_mul_lo_u32 v9, v15, v6
	v_mul_hi_u32 v10, v15, v8
	v_add_co_u32_e32 v7, vcc, v7, v9
	v_mul_hi_u32 v8, v14, v8
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v7, vcc, v7, v10
	v_mul_hi_u32 v10, v15, v6
	s_nop 0
	v_cndmask_b32_e64 v7, 0, 1, vcc
	v_add_u32_e32 v7, v9, v7
	v_mul_lo_u32 v9, v14, v6
	v_add_co_u32_e32 v8, vcc, v9, v8
	v_mul_hi_u32 v6, v14, v6
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v10
	s_nop 1
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add_co_u32_e32 v7, vcc, v8, v7
	v_add_u32_e32 v9, v9, v10
	s_nop 0
	v_cndmask_b32_e64 v8, 0, 1, vcc
	v_add3_u32 v6, v9, v8, v6
	v_add_co_u32_e32 v15, vcc, v15, v7
	s_nop 1
	v_addc_co_u32_e32 v14, vcc, v14, v6, vcc
	v_mad_u64_u32 v[8:9], s[0:1], v12, v14, 0
	v_mad_u64_u32 v[6:7], s[0:1], v12, v15, 0
	v_mad_u64_u32 v[10:11], s[0:1], v13, v15, v[8:9]
	v_add_u32_e32 v7, v7, v10
	v_mul_lo_u32 v8, v14, v6
	v_mul_lo_u32 v9, v15, v7
	v_mul_hi_u32 v10, v15, v6
	v_add_co_u32_e32 v8, vcc, v8, v9
	v_mul_hi_u32 v6, v14, v6
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v10
	v_mul_hi_u32 v10, v15, v7
	s_nop 0
	v_cndmask_b32_e64 v8, 0, 1, vcc
	v_add_u32_e32 v8, v9, v8
	v_mul_lo_u32 v9, v14, v7
	v_add_co_u32_e32 v6, vcc, v9, v6
	v_mul_hi_u32 v7, v14, v7
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v6, vcc, v6, v10
	s_nop 1
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add_co_u32_e32 v6, vcc, v6, v8
	v_add_u32_e32 v9, v9, v10
	s_nop 0
	v_cndmask_b32_e64 v8, 0, 1, vcc
	v_add3_u32 v7, v9, v8, v7
	v_add_co_u32_e32 v6, vcc, v15, v6
	v_mul_lo_u32 v8, v3, v6
	s_nop 0
	v_addc_co_u32_e32 v7, vcc, v14, v7, vcc
	v_mul_lo_u32 v9, v2, v7
	v_mul_hi_u32 v10, v2, v6
	v_add_co_u32_e32 v8, vcc, v8, v9
	v_mul_hi_u32 v6, v3, v6
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v10
	v_mul_hi_u32 v10, v2, v7
	s_nop 0
	v_cndmask_b32_e64 v8, 0, 1, vcc
	v_add_u32_e32 v8, v9, v8
	v_mul_lo_u32 v9, v3, v7
	v_add_co_u32_e32 v6, vcc, v9, v6
	v_mul_hi_u32 v7, v3, v7
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_co_u32_e32 v6, vcc, v6, v10
	s_nop 1
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add_co_u32_e32 v12, vcc, v6, v8
	v_add_u32_e32 v9, v9, v10
	s_nop 0
	v_cndmask_b32_e64 v6, 0, 1, vcc
	v_add3_u32 v13, v9, v6, v7
	v_mad_u64_u32 v[8:9], s[0:1], v4, v13, 0
	v_mad_u64_u32 v[6:7], s[0:1], v4, v12, 0
	v_mad_u64_u32 v[10:11], s[0:1], v5, v12, v[8:9]
	v_add_u32_e32 v7, v7, v10
	v_sub_co_u32_e32 v6, vcc, v2, v6
	s_nop 1
	v_subb_co_u32_e64 v8, s[0:1], v3, v7, vcc
	v_sub_u32_e32 v7, v3, v7
	v_cmp_ge_u32_e64 s[0:1], v8, v5
	v_subb_co_u32_e32 v7, vcc, v7, v5, vcc
	s_nop 0
	v_cndmask_b32_e64 v9, 0, -1, s[0:1]
	v_cmp_ge_u32_e64 s[0:1], v6, v4
	v_sub_co_u32_e32 v6, vcc, v6, v4
	s_nop 0
	v_cndmask_b32_e64 v10, 0, -1, s[0:1]
	v_cmp_eq_u32_e64 s[0:1], v8, v5
	v_subbrev_co_u32_e32 v7, vcc, 0, v7, vcc
	s_nop 0
	v_cndmask_b32_e64 v8, v9, v10, s[0:1]
	v_add_co_u32_e32 v9, vcc, 1, v12
	s_nop 1
	v_addc_co_u32_e32 v10, vcc, 0, v13, vcc
	v_cmp_ge_u32_e32 vcc, v7, v5
	s_nop 1
	v_cndmask_b32_e64 v11, 0, -1, vcc
	v_cmp_ge_u32_e32 vcc, v6, v4
	s_nop 1
	v_cndmask_b32_e64 v6, 0, -1, vcc
	v_cmp_eq_u32_e32 vcc, v7, v5
	s_nop 1
	v_cndmask_b32_e32 v6, v11, v6, vcc
	v_add_co_u32_e32 v7, vcc, 1, v9
	s_nop 1
	v_addc_co_u32_e32 v11, vcc, 0, v10, vcc
	v_cmp_ne_u32_e32 vcc, 0, v6
	s_nop 1
	v_cndmask_b32_e32 v6, v9, v7, vcc
	v_cndmask_b32_e32 v7, v10, v11, vcc
	v_cmp_ne_u32_e32 vcc, 0, v8
	s_nop 1
	v_cndmask_b32_e32 v6, v12, v6, vcc
	v_cndmask_b32_e32 v7, v13, v7, vcc
.L_0ac8:
	s_andn2_saveexec_b64 s[0:1], s[6:7]
	.long 0xbf88001a	; s_cbranch_execz .L_0b38
	v_rcp_iflag_f32_e32 v6, v8
	v_sub_u32_e32 v8, 0, v4
	v_mov_b32_e32 v7, 0
	v_mul_f32_e32 v6, 0x4f7ffffe, v6
	v_cvt_u32_f32_e32 v6, v6
	v_mul_lo_u32 v8, v8, v6
	v_mul_hi_u32 v8, v6, v8
	v_add_u32_e32 v6, v6, v8
	v_mul_hi_u32 v6, v2, v6
	v_mul_lo_u32 v8, v6, v4
	v_sub_u32_e32 v8, v2, v8
	v_add_u32_e32 v9, 1, v6
	v_cmp_ge_u32_e32 vcc, v8, v4
	s_nop 1
	v_cndmask_b32_e32 v6, v6, v9, vcc
	v_sub_u32_e32 v9, v8, v4
	v_cndmask_b32_e32 v8, v8, v9, vcc
	v_add_u32_e32 v9, 1, v6
	v_cmp_ge_u32_e32 vcc, v8, v4
	s_nop 1
	v_cndmask_b32_e32 v6, v6, v9, vcc
.L_0b38:
	s_or_b64 exec, exec, s[0:1]
.L_0b3c:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_mad_u64_u32 v[10:11], s[0:1], v4, v3, 0
	v_cmp_lt_i64_e32 vcc, v[2:3], v[4:5]
	v_mad_u64_u32 v[8:9], s[0:1], v4, v2, 0
	v_mad_u64_u32 v[12:13], s[0:1], v5, v2, v[10:11]
	v_lshrrev_b64 v[10:11], 7, v[4:5]
	v_cndmask_b32_e64 v4, v2, -1, vcc
	v_cndmask_b32_e64 v5, v3, -1, vcc
	v_lshlrev_b64 v[2:3], 3, v[2:3]
	v_sub_co_u32_e32 v2, vcc, v10, v2
	v_add_u32_e32 v9, v9, v12
	s_nop 0
	v_subb_co_u32_e32 v3, vcc, v11, v3, vcc
	v_add_co_u32_e32 v2, vcc, v2, v8
	v_lshl_add_u64 v[0:1], v[0:1], 3, s[4:5]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v9, vcc
	v_add_co_u32_e32 v2, vcc, v2, v4
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_add_co_u32_e32 v2, vcc, v2, v6
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v3, v7, vcc
	global_store_dwordx2 v[0:1], v[2:3], off
	s_endpgm

	.globl __clang_ocl_kern_imp_long_mix
	.type __clang_ocl_kern_imp_long_mix,@function
__clang_ocl_kern_imp_long_mix:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v6, 0x3ff, v31
	v_add_u32_e32 v6, s0, v6
	v_mov_b32_e32 v7, 0
	v_lshlrev_b64 v[8:9], 3, v[6:7]
	v_add_co_u32_e32 v4, vcc, v4, v8
	s_mov_b64 s[0:1], 3
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v9, vcc
	v_add_co_u32_e32 v2, vcc, v2, v8
	global_load_dwordx2 v[4:5], v[4:5], off
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v9, vcc
	global_load_dwordx2 v[2:3], v[2:3], off
	v_mov_b64_e32 v[8:9], s[0:1]
	s_waitcnt vmcnt(1)
	v_cmp_ne_u64_e32 vcc, 0, v[4:5]
	s_and_saveexec_b64 s[2:3], vcc
	.long 0xbf8800f3	; s_cbranch_execz .L_0ff4
	v_cvt_f32_u32_e32 v10, v4
	s_waitcnt vmcnt(0)
	v_or_b32_e32 v9, v3, v5
	v_mov_b32_e32 v8, v7
	v_cmp_ne_u64_e32 vcc, 0, v[8:9]
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[4:5], exec, s[0:1]
	.long 0xbf8800ce	; s_cbranch_execz .L_0f80
	v_cvt_f32_u32_e32 v8, v5
	v_sub_co_u32_e32 v14, vcc, 0, v4
	v_mul_f32_e32 v8, 0x4f800000, v8
	v_add_f32_e32 v8, v8, v10
	v_rcp_iflag_f32_e32 v8, v8
	v_subb_co_u32_e32 v15, vcc, 0, v5, vcc
	v_mul_f32_e32 v8, 0x5f7ffffc, v8
	v_mul_f32_e32 v9, 0x2f800000, v8
	v_trunc_f32_e32 v9, v9
	v_mul_f32_e32 v10, 0xcf800000, v9
	v_cvt_u32_f32_e32 v16, v9
	v_add_f32_e32 v8, v10, v8
	v_cvt_u32_f32_e32 v17, v8
	v_mad_u64_u32 v[8:9], s[0:1], v14, v16, 0
	v_mad_u64_u32 v[10:11], s[0:1], v14, v17, 0
	v_mad_u64_u32 v[12:13], s[0:1], v15, v17, v[8:9]
	v_add_u32_e32 v8, v11, v12
	v_mul_lo_u32 v9, v16, v10
	v_mul_lo_u32 v11, v17, v8
	v_mul_hi_u32 v12, v17, v10
	v_add_co_u32_e32 v9, vcc, v9, v11
	v_mul_hi_u32 v10, v16, v10
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v9, vcc, v9, v12
	v_mul_hi_u32 v12, v17, v8
	s_nop 0
	v_cndmask_b32_e64 v9, 0, 1, vcc
	v_add_u32_e32 v9, v11, v9
	v_mul_lo_u32 v11, v16, v8
	v_add_co_u32_e32 v10, vcc, v11, v10
	v_mul_hi_u32 v8, v16, v8
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v10, vcc, v10, v12
	s_nop 1
	v_cndmask_b32_e64 v12, 0, 1, vcc
	v_add_co_u32_e32 v9, vcc, v10, v9
	v_add_u32_e32 v11, v11, v12
	s_nop 0
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add3_u32 v8, v11, v10, v8
	v_add_co_u32_e32 v17, vcc, v17, v9
	s_nop 1
	v_addc_co_u32_e32 v16, vcc, v16, v8, vcc
	v_mad_u64_u32 v[10:11], s[0:1], v14, v16, 0
	v_mad_u64_u32 v[8:9], s[0:1], v14, v17, 0
	v_mad_u64_u32 v[12:13], s[0:1], v15, v17, v[10:11]
	v_add_u32_e32 v9, v9, v12
	v_mul_lo_u32 v10, v16, v8
	v_mul_lo_u32 v11, v17, v9
	v_mul_hi_u32 v12, v17, v8
	v_add_co_u32_e32 v10, vcc, v10, v11
	v_mul_hi_u32 v8, v16, v8
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v10, vcc, v10, v12
	v_mul_hi_u32 v12, v17, v9
	s_nop 0
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add_u32_e32 v10, v11, v10
	v_mul_lo_u32 v11, v16, v9
	v_add_co_u32_e32 v8, vcc, v11, v8
	v_mul_hi_u32 v9, v16, v9
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v12
	s_nop 1
	v_cndmask_b32_e64 v12, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v10
	v_add_u32_e32 v11, v11, v12
	s_nop 0
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add3_u32 v9, v11, v10, v9
	v_add_co_u32_e32 v8, vcc, v17, v8
	v_mul_lo_u32 v10, v3, v8
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v16, v9, vcc
	v_mul_lo_u32 v11, v2, v9
	v_mul_hi_u32 v12, v2, v8
	v_add_co_u32_e32 v10, vcc, v10, v11
	v_mul_hi_u32 v8, v3, v8
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v10, vcc, v10, v12
	v_mul_hi_u32 v12, v2, v9
	s_nop 0
	v_cndmask_b32_e64 v10, 0, 1, vcc
	v_add_u32_e32 v10, v11, v10
	v_mul_lo_u32 v11, v3, v9
	v_add_co_u32_e32 v8, vcc, v11, v8
	v_mul_hi_u32 v9, v3, v9
	s_nop 0
	v_cndmask_b32_e64 v11, 0, 1, vcc
	v_add_co_u32_e32 v8, vcc, v8, v12
	s_nop 1
	v_cndmask_b32_e64 v12, 0, 1, vcc
	v_add_co_u32_e32 v14, vcc, v8, v10
	v_add_u32_e32 v11, v11, v12
	s_nop 0
	v_cndmask_b32_e64 v8, 0, 1, vcc
	v_add3_u32 v15, v11, v8, v9
	v_mad_u64_u32 v[10:11], s[0:1], v4, v15, 0
	v_mad_u64_u32 v[8:9], s[0:1], v4, v14, 0
	v_mad_u64_u32 v[12:13], s[0:1], v5, v14, v[10:11]
	v_add_u32_e32 v9, v9, v12
	v_sub_co_u32_e32 v8, vcc, v2, v8
	s_nop 1
	v_subb_co_u32_e64 v10, s[0:1], v3, v9, vcc
	v_sub_u32_e32 v9, v3, v9
	v_cmp_ge_u32_e64 s[0:1], v10, v5
	v_subb_co_u32_e32 v9, vcc, v9, v5, vcc
	s_nop 0
	v_cndmask_b32_e64 v11, 0, -1, s[0:1]
	v_cmp_ge_u32_e64 s[0:1], v8, v4
	v_sub_co_u32_e32 v8, vcc, v8, v4
	s_nop 0
	v_cndmask_b32_e64 v12, 0, -1, s[0:1]
	v_cmp_eq_u32_e64 s[0:1], v10, v5
	v_subbrev_co_u32_e32 v9, vcc, 0, v9, vcc
	s_nop 0
	v_cndmask_b32_e64 v10, v11, v12, s[0:1]
	v_add_co_u32_e32 v11, vcc, 1, v14
	s_nop 1
	v_addc_co_u32_e32 v12, vcc, 0, v15, vcc
	v_cmp_ge_u32_e32 vcc, v9, v5
	s_nop 1
	v_cndmask_b32_e64 v13, 0, -1, vcc
	v_cmp_ge_u32_e32 vcc, v8, v4
	s_nop 1
	v_cndmask_b32_e64 v8, 0, -1, vcc
	v_cmp_eq_u32_e32 vcc, v9, v5
	s_nop 1
	v_cndmask_b32_e32 v8, v13, v8, vcc
	v_add_co_u32_e32 v9, vcc, 1, v11
	s_nop 1
	v_addc_co_u32_e32 v13, vcc, 0, v12, vcc
	v_cmp_ne_u32_e32 vcc, 0, v8
	s_nop 1
	v_cndmask_b32_e32 v8, v11, v9, vcc
	v_cndmask_b32_e32 v9, v12, v13, vcc
	v_cmp_ne_u32_e32 vcc, 0, v10
	s_nop 1
	v_cndmask_b32_e32 v8, v14, v8, vcc
	v_cndmask_b32_e32 v9, v15, v9, vcc
.L_0f80:
	s_andn2_saveexec_b64 s[0:1], s[4:5]
	.long 0xbf88001a	; s_cbranch_execz .L_0ff0
	v_rcp_iflag_f32_e32 v8, v10
	v_sub_u32_e32 v10, 0, v4
	v_mov_b32_e32 v9, 0
	v_mul_f32_e32 v8, 0x4f7ffffe, v8
	v_cvt_u32_f32_e32 v8, v8
	v_mul_lo_u32 v10, v10, v8
	v_mul_hi_u32 v10, v8, v10
	v_add_u32_e32 v8, v8, v10
	v_mul_hi_u32 v8, v2, v8
	v_mul_lo_u32 v10, v8, v4
	v_sub_u32_e32 v10, v2, v10
	v_add_u32_e32 v11, 1, v8
	v_cmp_ge_u32_e32 vcc, v10, v4
	s_nop 1
	v_cndmask_b32_e32 v8, v8, v11, vcc
	v_sub_u32_e32 v11, v10, v4
	v_cndmask_b32_e32 v10, v10, v11, vcc
	v_add_u32_e32 v11, 1, v8
	v_cmp_ge_u32_e32 vcc, v10, v4
	s_nop 1
	v_cndmask_b32_e32 v8, v8, v11, vcc
.L_0ff0:
	s_or_b64 exec, exec, s[0:1]
.L_0ff4:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_mad_u64_u32 v[12:13], s[0:1], v4, v3, 0
	v_cmp_lt_i64_e32 vcc, v[2:3], v[4:5]
	v_mad_u64_u32 v[10:11], s[0:1], v4, v2, 0
	v_mad_u64_u32 v[14:15], s[0:1], v5, v2, v[12:13]
	v_lshrrev_b64 v[12:13], 7, v[4:5]
	v_cndmask_b32_e64 v4, v2, -1, vcc
	v_cndmask_b32_e64 v5, v3, -1, vcc
	v_lshlrev_b64 v[2:3], 3, v[2:3]
	v_sub_co_u32_e32 v2, vcc, v12, v2
	v_add_u32_e32 v11, v11, v14
	s_nop 0
	v_subb_co_u32_e32 v3, vcc, v13, v3, vcc
	v_add_co_u32_e32 v2, vcc, v2, v10
	v_lshl_add_u64 v[0:1], v[6:7], 3, v[0:1]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v11, vcc
	v_add_co_u32_e32 v2, vcc, v2, v4
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_add_co_u32_e32 v2, vcc, v2, v8
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v3, v9, vcc
	global_store_dwordx2 v[0:1], v[2:3], off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl short_byte
	.type short_byte,@function
short_byte:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 1, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[10:11]
	v_add_co_u32_e32 v4, vcc, v4, v2
	global_load_ubyte v8, v0, s[6:7]
	global_load_sbyte v9, v0, s[8:9]
	v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
	global_load_ushort v1, v[4:5], off
	v_mov_b64_e32 v[6:7], s[4:5]
	v_add_co_u32_e32 v2, vcc, v6, v2
	s_waitcnt vmcnt(0)
	v_mad_legacy_u16 v1, v9, v8, v1
	v_addc_co_u32_e32 v3, vcc, v7, v3, vcc
	global_store_short v[2:3], v1, off
	global_load_ubyte v0, v0, s[6:7]
	s_waitcnt vmcnt(0)
	v_add_u16_e32 v0, 7, v0
	v_lshrrev_b16_e32 v0, 2, v0
	global_store_short v[4:5], v0, off
	s_endpgm

	.globl __clang_ocl_kern_imp_short_byte
	.type __clang_ocl_kern_imp_short_byte,@function
__clang_ocl_kern_imp_short_byte:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v8, 0x3ff, v31
	v_add_u32_e32 v8, s0, v8
	v_add_co_u32_e32 v2, vcc, v2, v8
	v_mov_b32_e32 v9, 0
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
	v_add_co_u32_e32 v4, vcc, v4, v8
	global_load_ubyte v10, v[2:3], off
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	global_load_sbyte v11, v[4:5], off
	v_lshlrev_b64 v[4:5], 1, v[8:9]
	v_add_co_u32_e32 v6, vcc, v6, v4
	s_nop 1
	v_addc_co_u32_e32 v7, vcc, v7, v5, vcc
	global_load_ushort v8, v[6:7], off
	v_add_co_u32_e32 v0, vcc, v0, v4
	s_waitcnt vmcnt(0)
	v_mad_legacy_u16 v8, v11, v10, v8
	v_addc_co_u32_e32 v1, vcc, v1, v5, vcc
	global_store_short v[0:1], v8, off
	global_load_ubyte v0, v[2:3], off
	s_waitcnt vmcnt(0)
	v_add_u16_e32 v0, 7, v0
	v_lshrrev_b16_e32 v0, 2, v0
	global_store_short v[6:7], v0, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl half_math
	.type half_math,@function
half_math:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dword s3, s[0:1], 0x10
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 1, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[6:7]
	v_add_co_u32_e32 v4, vcc, v4, v2
	v_add_f16_e64 v7, s3, 1.0
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
	global_load_ushort v6, v[4:5], off
	v_cvt_f32_f16_e32 v8, v7
	v_mov_b64_e32 v[4:5], s[4:5]
	v_add_co_u32_e32 v2, vcc, v4, v2
	v_rcp_f32_e32 v8, v8
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v5, v3, vcc
	s_xor_b32 s0, s3, 0x8000
	v_add_u32_e32 v0, 1, v0
	v_mov_b32_e32 v4, s0
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[4:5]
	s_waitcnt vmcnt(0)
	v_cvt_f32_f16_e32 v9, v6
	v_cmp_lt_f16_e32 vcc, s3, v6
	v_mul_f32_e32 v5, v9, v8
	v_fma_mix_f32 v9, -v7, v5, v6 op_sel_hi:[1,0,1]
	v_cndmask_b32_e32 v4, v4, v6, vcc
	v_fmac_f32_e32 v5, v9, v8
	v_fma_mix_f32 v9, -v7, v5, v6 op_sel_hi:[1,0,1]
	s_nop 0
	v_mul_f32_e32 v8, v9, v8
	v_and_b32_e32 v8, 0xff800000, v8
	v_add_f32_e32 v5, v8, v5
	v_cvt_f16_f32_e32 v5, v5
	v_fma_f16 v8, v6, s3, 2.0
	v_div_fixup_f16 v5, v5, v7, v6
	v_sub_f16_e32 v5, v8, v5
	global_store_short v[2:3], v5, off
	global_store_short v[0:1], v4, off
	s_endpgm

	.globl __clang_ocl_kern_imp_half_math
	.type __clang_ocl_kern_imp_half_math,@function
__clang_ocl_kern_imp_half_math:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v5, 0x3ff, v31
	v_add_u32_e32 v6, s0, v5
	v_mov_b32_e32 v7, 0
	v_lshlrev_b64 v[8:9], 1, v[6:7]
	v_add_co_u32_e32 v2, vcc, v2, v8
	v_add_f16_e32 v10, 1.0, v4
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v9, vcc
	global_load_ushort v5, v[2:3], off
	v_cvt_f32_f16_e32 v2, v10
	v_add_u32_e32 v6, 1, v6
	v_xor_b32_e32 v11, 0x8000, v4
	v_rcp_f32_e32 v12, v2
	v_add_co_u32_e32 v2, vcc, v0, v8
	s_waitcnt vmcnt(0)
	v_cvt_f32_f16_e32 v13, v5
	v_addc_co_u32_e32 v3, vcc, v1, v9, vcc
	v_lshl_add_u64 v[0:1], v[6:7], 1, v[0:1]
	v_mul_f32_e32 v6, v13, v12
	v_fma_mix_f32 v7, -v10, v6, v5 op_sel_hi:[1,0,1]
	v_cmp_gt_f16_e32 vcc, v5, v4
	v_fmac_f32_e32 v6, v7, v12
	v_fma_mix_f32 v7, -v10, v6, v5 op_sel_hi:[1,0,1]
	s_nop 0
	v_mul_f32_e32 v7, v7, v12
	v_and_b32_e32 v7, 0xff800000, v7
	v_add_f32_e32 v6, v7, v6
	v_cvt_f16_f32_e32 v6, v6
	v_fma_f16 v7, v5, v4, 2.0
	v_cndmask_b32_e32 v4, v11, v5, vcc
	v_div_fixup_f16 v5, v6, v10, v5
	v_sub_f16_e32 v5, v7, v5
	global_store_short v[2:3], v5, off
	global_store_short v[0:1], v4, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl conv
	.type conv,@function
conv:
	s_load_dwordx8 s[4:11], s[0:1], 0x0
	s_load_dwordx4 s[12:15], s[0:1], 0x20
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[6:7]
	v_add_u32_e32 v16, 1, v0
	v_mov_b32_e32 v17, v1
	v_add_co_u32_e32 v4, vcc, v4, v2
	v_lshl_add_u64 v[18:19], v[16:17], 2, s[4:5]
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
	v_mov_b64_e32 v[6:7], s[8:9]
	global_load_dword v27, v[18:19], off
	v_add_u32_e32 v18, 2, v0
	v_mov_b32_e32 v19, v1
	v_add_co_u32_e32 v6, vcc, v6, v2
	v_lshl_add_u64 v[20:21], v[18:19], 2, s[4:5]
	s_nop 0
	v_addc_co_u32_e32 v7, vcc, v7, v3, vcc
	v_lshlrev_b64 v[8:9], 3, v[0:1]
	v_mov_b64_e32 v[10:11], s[10:11]
	global_load_dword v28, v[20:21], off
	v_add_u32_e32 v20, 3, v0
	v_mov_b32_e32 v21, v1
	v_add_co_u32_e32 v10, vcc, v10, v8
	v_lshl_add_u64 v[18:19], v[18:19], 1, s[12:13]
	v_lshl_add_u64 v[20:21], v[20:21], 2, s[4:5]
	v_addc_co_u32_e32 v11, vcc, v11, v9, vcc
	global_load_ushort v29, v[18:19], off
	v_mov_b64_e32 v[18:19], s[14:15]
	global_load_dword v30, v[20:21], off
	v_add_u32_e32 v20, 4, v0
	v_mov_b32_e32 v21, v1
	v_lshl_add_u64 v[20:21], v[20:21], 3, s[10:11]
	v_add_co_u32_e32 v8, vcc, v18, v8
	global_load_dword v24, v[4:5], off
	global_load_dword v25, v[6:7], off
	v_addc_co_u32_e32 v9, vcc, v19, v9, vcc
	global_load_dwordx2 v[20:21], v[20:21], off
	v_lshl_add_u64 v[14:15], v[0:1], 1, s[12:13]
	global_load_dwordx2 v[12:13], v[10:11], off
	global_load_dwordx2 v[18:19], v[8:9], off
	global_load_ushort v26, v[14:15], off
	v_lshl_add_u64 v[16:17], v[16:17], 3, s[10:11]
	global_load_dwordx2 v[16:17], v[16:17], off
	v_add_u32_e32 v0, 5, v0
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
	global_load_dword v31, v[0:1], off
	v_mov_b64_e32 v[22:23], s[4:5]
	v_add_co_u32_e32 v2, vcc, v22, v2
	v_mov_b32_e32 v0, 0
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v23, v3, vcc
	v_mov_b32_e32 v1, 0x3df00000
	s_waitcnt vmcnt(11)
	v_cvt_i32_f32_e32 v23, v27
	s_waitcnt vmcnt(10)
	v_cvt_u32_f32_e32 v27, v28
	s_waitcnt vmcnt(9)
	v_cvt_f32_f16_e32 v28, v29
	s_waitcnt vmcnt(7)
	v_cvt_f32_i32_e32 v24, v24
	s_waitcnt vmcnt(6)
	v_cvt_f32_u32_e32 v25, v25
	s_waitcnt vmcnt(5)
	v_trunc_f64_e32 v[20:21], v[20:21]
	v_mul_f64 v[0:1], v[20:21], v[0:1]
	s_waitcnt vmcnt(4)
	v_cvt_f32_f64_e32 v29, v[12:13]
	s_waitcnt vmcnt(3)
	v_cvt_f64_i32_e32 v[12:13], v19
	s_waitcnt vmcnt(2)
	v_cvt_f32_f16_e32 v22, v26
	v_cvt_f64_u32_e32 v[18:19], v18
	v_ldexp_f64 v[12:13], v[12:13], 32
	v_floor_f64_e32 v[0:1], v[0:1]
	s_waitcnt vmcnt(1)
	v_cvt_i32_f64_e32 v26, v[16:17]
	v_cvt_f64_f32_e32 v[16:17], v30
	v_add_f64 v[12:13], v[12:13], v[18:19]
	v_fmac_f64_e32 v[20:21], 0xc1f00000, v[0:1]
	v_cvt_u32_f32_e32 v19, v28
	v_cvt_i32_f64_e32 v1, v[0:1]
	v_add_u32_e32 v18, v26, v23
	v_add_f64 v[12:13], v[12:13], v[16:17]
	v_cvt_u32_f64_e32 v0, v[20:21]
	v_add_f32_e32 v16, v24, v25
	s_waitcnt vmcnt(0)
	v_cvt_f16_f32_e32 v30, v31
	global_store_dword v[4:5], v18, off
	global_store_dwordx2 v[10:11], v[12:13], off
	global_store_dwordx2 v[8:9], v[0:1], off
	v_add_f32_e32 v0, v16, v29
	v_add_f32_e32 v0, v0, v22
	global_store_dword v[2:3], v0, off
	v_add_u32_e32 v0, v19, v27
	global_store_dword v[6:7], v0, off
	global_store_short v[14:15], v30, off
	s_endpgm

	.globl __clang_ocl_kern_imp_conv
	.type __clang_ocl_kern_imp_conv,@function
__clang_ocl_kern_imp_conv:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v12, 0x3ff, v31
	v_add_u32_e32 v12, s0, v12
	v_mov_b32_e32 v13, 0
	v_lshlrev_b64 v[14:15], 2, v[12:13]
	v_add_co_u32_e32 v2, vcc, v2, v14
	v_add_u32_e32 v24, 1, v12
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v15, vcc
	v_add_co_u32_e32 v4, vcc, v4, v14
	v_mov_b32_e32 v25, v13
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, v5, v15, vcc
	v_lshlrev_b64 v[16:17], 3, v[12:13]
	v_lshl_add_u64 v[26:27], v[24:25], 2, v[0:1]
	v_add_co_u32_e32 v18, vcc, v6, v16
	global_load_dword v33, v[26:27], off
	v_add_u32_e32 v26, 2, v12
	v_mov_b32_e32 v27, v13
	v_addc_co_u32_e32 v19, vcc, v7, v17, vcc
	v_lshl_add_u64 v[22:23], v[12:13], 1, v[8:9]
	v_lshl_add_u64 v[8:9], v[26:27], 1, v[8:9]
	v_lshl_add_u64 v[28:29], v[26:27], 2, v[0:1]
	global_load_ushort v26, v[8:9], off
	v_add_co_u32_e32 v8, vcc, v10, v16
	global_load_dword v30, v[2:3], off
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v11, v17, vcc
	global_load_dword v31, v[4:5], off
	global_load_dwordx2 v[10:11], v[8:9], off
	v_add_u32_e32 v16, 3, v12
	v_mov_b32_e32 v17, v13
	global_load_dwordx2 v[20:21], v[18:19], off
	v_lshl_add_u64 v[16:17], v[16:17], 2, v[0:1]
	global_load_ushort v32, v[22:23], off
	v_lshl_add_u64 v[24:25], v[24:25], 3, v[6:7]
	global_load_dword v27, v[16:17], off
	v_add_u32_e32 v16, 4, v12
	global_load_dwordx2 v[24:25], v[24:25], off
	v_mov_b32_e32 v17, v13
	global_load_dword v28, v[28:29], off
	v_lshl_add_u64 v[6:7], v[16:17], 3, v[6:7]
	global_load_dwordx2 v[6:7], v[6:7], off
	v_add_u32_e32 v12, 5, v12
	v_lshl_add_u64 v[12:13], v[12:13], 2, v[0:1]
	global_load_dword v29, v[12:13], off
	v_add_co_u32_e32 v0, vcc, v0, v14
	v_mov_b32_e32 v12, 0
	s_nop 0
	v_addc_co_u32_e32 v1, vcc, v1, v15, vcc
	v_mov_b32_e32 v13, 0x3df00000
	s_waitcnt vmcnt(10)
	v_cvt_f32_f16_e32 v26, v26
	s_waitcnt vmcnt(9)
	v_cvt_f32_i32_e32 v30, v30
	s_waitcnt vmcnt(8)
	v_cvt_f32_u32_e32 v31, v31
	s_waitcnt vmcnt(7)
	v_cvt_f64_i32_e32 v[14:15], v11
	v_cvt_f64_u32_e32 v[10:11], v10
	v_ldexp_f64 v[14:15], v[14:15], 32
	s_waitcnt vmcnt(6)
	v_cvt_f32_f64_e32 v20, v[20:21]
	v_cvt_i32_f32_e32 v21, v33
	s_waitcnt vmcnt(5)
	v_cvt_f32_f16_e32 v32, v32
	v_add_f64 v[10:11], v[14:15], v[10:11]
	s_waitcnt vmcnt(4)
	v_cvt_f64_f32_e32 v[16:17], v27
	v_add_f64 v[10:11], v[10:11], v[16:17]
	s_waitcnt vmcnt(3)
	v_cvt_i32_f64_e32 v24, v[24:25]
	v_cvt_u32_f32_e32 v16, v26
	s_waitcnt vmcnt(2)
	v_cvt_u32_f32_e32 v25, v28
	v_add_f32_e32 v14, v30, v31
	v_add_u32_e32 v15, v24, v21
	global_store_dwordx2 v[18:19], v[10:11], off
	v_add_f32_e32 v10, v14, v20
	global_store_dword v[2:3], v15, off
	v_add_f32_e32 v2, v10, v32
	s_waitcnt vmcnt(3)
	v_trunc_f64_e32 v[6:7], v[6:7]
	global_store_dword v[0:1], v2, off
	v_add_u32_e32 v0, v16, v25
	global_store_dword v[4:5], v0, off
	v_mul_f64 v[0:1], v[6:7], v[12:13]
	v_floor_f64_e32 v[0:1], v[0:1]
	s_waitcnt vmcnt(4)
	v_cvt_f16_f32_e32 v2, v29
	v_fmac_f64_e32 v[6:7], 0xc1f00000, v[0:1]
	v_cvt_i32_f64_e32 v1, v[0:1]
	v_cvt_u32_f64_e32 v0, v[6:7]
	global_store_dwordx2 v[8:9], v[0:1], off
	global_store_short v[22:23], v2, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl bits
	.type bits,@function
bits:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[6:7]
	v_add_u32_e32 v6, 1, v0
	v_mov_b32_e32 v7, v1
	v_lshl_add_u64 v[8:9], v[0:1], 3, s[8:9]
	v_add_co_u32_e32 v4, vcc, v4, v2
	global_load_dwordx2 v[10:11], v[8:9], off
	v_lshl_add_u64 v[12:13], v[6:7], 3, s[8:9]
	v_addc_co_u32_e32 v5, vcc, v5, v3, vcc
	global_load_dwordx2 v[14:15], v[12:13], off
	global_load_dword v16, v[4:5], off
	v_mov_b64_e32 v[4:5], s[4:5]
	v_add_co_u32_e32 v2, vcc, v4, v2
	s_mov_b32 s0, 0x10203
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v5, v3, vcc
	v_add_u32_e32 v0, 2, v0
	v_lshl_add_u64 v[6:7], v[6:7], 2, s[4:5]
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[4:5]
	s_waitcnt vmcnt(2)
	v_bfrev_b32_e32 v5, v10
	v_bfrev_b32_e32 v4, v11
	s_waitcnt vmcnt(1)
	v_bcnt_u32_b32 v10, v14, 0
	s_waitcnt vmcnt(0)
	v_ffbh_u32_e32 v12, v16
	v_ffbl_b32_e32 v13, v16
	v_bfrev_b32_e32 v14, v16
	v_perm_b32 v17, 0, v16, s0
	v_bcnt_u32_b32 v10, v15, v10
	v_bcnt_u32_b32 v11, v16, 0
	v_alignbit_b32 v18, v16, v16, 27
	v_alignbit_b32 v16, v16, v16, v16
	v_min_u32_e32 v12, 32, v12
	v_min_u32_e32 v13, 32, v13
	v_xor_b32_e32 v14, v14, v17
	v_add_co_u32_e32 v4, vcc, v10, v4
	v_or_b32_e32 v15, v18, v16
	s_nop 0
	v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
	v_add3_u32 v10, v11, v12, v13
	global_store_dword v[6:7], v14, off
	global_store_dword v[0:1], v15, off
	global_store_dword v[2:3], v10, off
	global_store_dwordx2 v[8:9], v[4:5], off
	s_endpgm

	.globl __clang_ocl_kern_imp_bits
	.type __clang_ocl_kern_imp_bits,@function
__clang_ocl_kern_imp_bits:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v6, 0x3ff, v31
	v_add_u32_e32 v6, s0, v6
	v_mov_b32_e32 v7, 0
	v_lshlrev_b64 v[8:9], 2, v[6:7]
	v_add_co_u32_e32 v2, vcc, v2, v8
	v_lshl_add_u64 v[10:11], v[6:7], 3, v[4:5]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v9, vcc
	global_load_dword v14, v[2:3], off
	v_add_u32_e32 v2, 1, v6
	v_mov_b32_e32 v3, v7
	v_lshl_add_u64 v[4:5], v[2:3], 3, v[4:5]
	global_load_dwordx2 v[12:13], v[10:11], off
	s_mov_b32 s0, 0x10203
	global_load_dwordx2 v[4:5], v[4:5], off
	v_add_u32_e32 v6, 2, v6
	v_add_co_u32_e32 v8, vcc, v0, v8
	v_lshl_add_u64 v[2:3], v[2:3], 2, v[0:1]
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v1, v9, vcc
	v_lshl_add_u64 v[0:1], v[6:7], 2, v[0:1]
	s_waitcnt vmcnt(2)
	v_ffbl_b32_e32 v15, v14
	v_bfrev_b32_e32 v16, v14
	v_perm_b32 v17, 0, v14, s0
	v_alignbit_b32 v18, v14, v14, 27
	s_waitcnt vmcnt(1)
	v_bfrev_b32_e32 v6, v13
	v_ffbh_u32_e32 v13, v14
	s_waitcnt vmcnt(0)
	v_bcnt_u32_b32 v4, v4, 0
	v_bfrev_b32_e32 v7, v12
	v_bcnt_u32_b32 v12, v14, 0
	v_alignbit_b32 v14, v14, v14, v14
	v_min_u32_e32 v13, 32, v13
	v_min_u32_e32 v15, 32, v15
	v_xor_b32_e32 v16, v16, v17
	v_bcnt_u32_b32 v4, v5, v4
	v_or_b32_e32 v14, v18, v14
	v_add3_u32 v5, v12, v13, v15
	global_store_dword v[2:3], v16, off
	global_store_dword v[0:1], v14, off
	v_add_co_u32_e32 v0, vcc, v4, v6
	s_nop 1
	v_addc_co_u32_e32 v1, vcc, 0, v7, vcc
	global_store_dword v[8:9], v5, off
	global_store_dwordx2 v[10:11], v[0:1], off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl minmax
	.type minmax,@function
minmax:
	s_mov_b64 s[36:37], s[2:3]
	s_mov_b64 s[38:39], s[0:1]
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_load_dwordx2 s[52:53], s[4:5], 0x10
	v_mov_b32_e32 v40, v0
	s_mov_b64 s[48:49], s[4:5]
	s_lshl_b32 s4, s8, 8
	v_and_b32_e32 v0, 0x3ff, v40
	v_add_u32_e32 v0, s4, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[42:43], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[2:3], s[0:1]
	v_add_co_u32_e32 v4, vcc, v2, v42
	v_add_u32_e32 v6, 1, v0
	v_mov_b32_e32 v7, v1
	v_addc_co_u32_e32 v5, vcc, v3, v43, vcc
	v_lshlrev_b64 v[44:45], 2, v[6:7]
	v_add_u32_e32 v0, 2, v0
	v_add_co_u32_e32 v2, vcc, v2, v44
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[0:1]
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v45, vcc
	global_load_dword v6, v[4:5], off
	global_load_dword v7, v[2:3], off
	global_load_dword v8, v[0:1], off
	v_mov_b64_e32 v[0:1], s[2:3]
	v_add_co_u32_e32 v46, vcc, v0, v42
	s_mov_b32 s33, s8
	s_nop 0
	v_addc_co_u32_e32 v47, vcc, v1, v43, vcc
	v_add_co_u32_e32 v2, vcc, v0, v44
	s_add_u32 s8, s48, 24
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v1, v45, vcc
	global_load_dword v0, v[46:47], off
	global_load_dword v1, v[2:3], off
	v_bfrev_b32_e32 v2, -2
	s_mov_b32 s50, s10
	s_mov_b32 s51, s9
	s_mov_b64 s[34:35], s[6:7]
	s_addc_u32 s9, s49, 0
	s_getpc_b64 s[0:1]
	.long 0x8000ff00, 0x00000000	; s_add_u32 s0, s0, 0
	.long 0x8201ff01, 0x00000000	; s_addc_u32 s1, s1, 0
	s_mov_b64 s[4:5], s[38:39]
	s_mov_b64 s[6:7], s[36:37]
	s_mov_b64 s[10:11], s[34:35]
	s_mov_b32 s12, s33
	s_mov_b32 s13, s51
	s_mov_b32 s14, s50
	v_mov_b32_e32 v31, v40
	s_mov_b32 s32, 0
	s_waitcnt vmcnt(4)
	v_max_f32_e32 v3, v6, v6
	s_waitcnt vmcnt(3)
	v_max_f32_e32 v9, v7, v7
	s_waitcnt vmcnt(2)
	v_max_f32_e32 v8, v8, v8
	v_min_f32_e32 v3, v3, v9
	v_and_b32_e32 v7, 0x80000000, v7
	v_max_f32_e32 v3, v3, v8
	v_and_or_b32 v2, v6, v2, v7
	v_add_f32_e64 v3, |v6|, v3
	v_add_f32_e32 v2, v2, v3
	global_store_dword v[4:5], v2, off
	s_swappc_b64 s[30:31], s[0:1]
	s_add_u32 s8, s48, 24
	s_addc_u32 s9, s49, 0
	s_getpc_b64 s[0:1]
	.long 0x8000ff00, 0x00000000	; s_add_u32 s0, s0, 0
	.long 0x8201ff01, 0x00000000	; s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v1, 17
	s_mov_b64 s[4:5], s[38:39]
	s_mov_b64 s[6:7], s[36:37]
	s_mov_b64 s[10:11], s[34:35]
	s_mov_b32 s12, s33
	s_mov_b32 s13, s51
	s_mov_b32 s14, s50
	v_mov_b32_e32 v31, v40
	s_swappc_b64 s[30:31], s[0:1]
	global_store_dword v[46:47], v0, off
	v_mov_b64_e32 v[0:1], s[52:53]
	v_add_co_u32_e32 v2, vcc, v0, v42
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, v1, v43, vcc
	v_add_co_u32_e32 v0, vcc, v0, v44
	s_nop 1
	v_addc_co_u32_e32 v1, vcc, v1, v45, vcc
	global_load_dword v4, v[2:3], off
	global_load_dword v5, v[0:1], off
	s_waitcnt vmcnt(0)
	v_max_u32_e32 v0, v4, v5
	global_store_dword v[2:3], v0, off
	s_endpgm

	.globl __clang_ocl_kern_imp_minmax
	.type __clang_ocl_kern_imp_minmax,@function
__clang_ocl_kern_imp_minmax:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_mov_b32 s0, s33
	s_mov_b32 s33, s32
	s_or_saveexec_b64 s[2:3], -1
	scratch_store_dword off, v43, s33 offset:36
	s_mov_b64 exec, s[2:3]
	scratch_store_dword off, v40, s33 offset:32
	scratch_store_dword off, v41, s33 offset:28
	scratch_store_dword off, v42, s33 offset:24
	scratch_store_dword off, v44, s33 offset:20
	scratch_store_dword off, v45, s33 offset:16
	scratch_store_dword off, v46, s33 offset:12
	scratch_store_dword off, v47, s33 offset:8
	scratch_store_dword off, v56, s33 offset:4
	scratch_store_dword off, v57, s33
	v_mov_b32_e32 v40, v31
	v_writelane_b32 v43, s0, 14
	v_mov_b32_e32 v41, v4
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v4, 0x3ff, v40
	v_mov_b32_e32 v42, v5
	v_add_u32_e32 v4, s0, v4
	v_mov_b32_e32 v5, 0
	v_lshlrev_b64 v[44:45], 2, v[4:5]
	v_add_co_u32_e32 v6, vcc, v0, v44
	v_add_u32_e32 v8, 1, v4
	v_mov_b32_e32 v9, v5
	v_addc_co_u32_e32 v7, vcc, v1, v45, vcc
	v_lshlrev_b64 v[46:47], 2, v[8:9]
	v_add_co_u32_e32 v8, vcc, v0, v46
	v_add_u32_e32 v4, 2, v4
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v1, v47, vcc
	v_lshl_add_u64 v[0:1], v[4:5], 2, v[0:1]
	global_load_dword v4, v[6:7], off
	global_load_dword v5, v[8:9], off
	global_load_dword v10, v[0:1], off
	v_add_co_u32_e32 v56, vcc, v2, v44
	v_writelane_b32 v43, s30, 0
	s_nop 0
	v_addc_co_u32_e32 v57, vcc, v3, v45, vcc
	v_add_co_u32_e32 v2, vcc, v2, v46
	v_writelane_b32 v43, s31, 1
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v3, v47, vcc
	global_load_dword v0, v[56:57], off
	global_load_dword v1, v[2:3], off
	v_writelane_b32 v43, s34, 2
	v_writelane_b32 v43, s35, 3
	v_writelane_b32 v43, s36, 4
	v_writelane_b32 v43, s37, 5
	v_writelane_b32 v43, s38, 6
	v_writelane_b32 v43, s39, 7
	v_writelane_b32 v43, s48, 8
	v_writelane_b32 v43, s49, 9
	v_writelane_b32 v43, s50, 10
	v_bfrev_b32_e32 v2, -2
	s_add_i32 s32, s32, 48
	v_writelane_b32 v43, s51, 11
	v_writelane_b32 v43, s52, 12
	s_getpc_b64 s[0:1]
	.long 0x8000ff00, 0x00000000	; s_add_u32 s0, s0, 0
	.long 0x8201ff01, 0x00000000	; s_addc_u32 s1, s1, 0
	v_writelane_b32 v43, s53, 13
	s_mov_b32 s50, s12
	s_mov_b32 s51, s15
	s_mov_b32 s52, s14
	s_mov_b32 s53, s13
	s_mov_b64 s[34:35], s[10:11]
	s_mov_b64 s[36:37], s[8:9]
	s_mov_b64 s[38:39], s[6:7]
	s_mov_b64 s[48:49], s[4:5]
	s_waitcnt vmcnt(4)
	v_max_f32_e32 v3, v4, v4
	s_waitcnt vmcnt(3)
	v_max_f32_e32 v8, v5, v5
	s_waitcnt vmcnt(2)
	v_max_f32_e32 v9, v10, v10
	v_min_f32_e32 v3, v3, v8
	v_and_b32_e32 v5, 0x80000000, v5
	v_max_f32_e32 v3, v3, v9
	v_and_or_b32 v2, v4, v2, v5
	v_add_f32_e64 v3, |v4|, v3
	v_add_f32_e32 v2, v2, v3
	global_store_dword v[6:7], v2, off
	s_swappc_b64 s[30:31], s[0:1]
	s_getpc_b64 s[0:1]
	.long 0x8000ff00, 0x00000000	; s_add_u32 s0, s0, 0
	.long 0x8201ff01, 0x00000000	; s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v1, 17
	s_mov_b64 s[4:5], s[48:49]
	s_mov_b64 s[6:7], s[38:39]
	s_mov_b64 s[8:9], s[36:37]
	s_mov_b64 s[10:11], s[34:35]
	s_mov_b32 s12, s50
	s_mov_b32 s13, s53
	s_mov_b32 s14, s52
	s_mov_b32 s15, s51
	v_mov_b32_e32 v31, v40
	s_swappc_b64 s[30:31], s[0:1]
	global_store_dword v[56:57], v0, off
	v_add_co_u32_e32 v0, vcc, v41, v44
	v_readlane_b32 s53, v43, 13
	s_nop 0
	v_addc_co_u32_e32 v1, vcc, v42, v45, vcc
	v_add_co_u32_e32 v2, vcc, v41, v46
	v_readlane_b32 s52, v43, 12
	s_nop 0
	v_addc_co_u32_e32 v3, vcc, v42, v47, vcc
	scratch_load_dword v57, off, s33
	scratch_load_dword v56, off, s33 offset:4
	scratch_load_dword v47, off, s33 offset:8
	scratch_load_dword v46, off, s33 offset:12
	scratch_load_dword v45, off, s33 offset:16
	scratch_load_dword v44, off, s33 offset:20
	scratch_load_dword v42, off, s33 offset:24
	scratch_load_dword v41, off, s33 offset:28
	scratch_load_dword v40, off, s33 offset:32
	global_load_dword v4, v[0:1], off
	global_load_dword v5, v[2:3], off
	v_readlane_b32 s51, v43, 11
	v_readlane_b32 s50, v43, 10
	v_readlane_b32 s49, v43, 9
	v_readlane_b32 s48, v43, 8
	v_readlane_b32 s39, v43, 7
	v_readlane_b32 s38, v43, 6
	v_readlane_b32 s37, v43, 5
	v_readlane_b32 s36, v43, 4
	v_readlane_b32 s35, v43, 3
	v_readlane_b32 s34, v43, 2
	v_readlane_b32 s31, v43, 1
	v_readlane_b32 s30, v43, 0
	s_mov_b32 s32, s33
	v_readlane_b32 s0, v43, 14
	s_waitcnt vmcnt(0)
	v_max_u32_e32 v2, v4, v5
	global_store_dword v[0:1], v2, off
	s_or_saveexec_b64 s[2:3], -1
	scratch_load_dword v43, off, s33 offset:36
	s_mov_b64 exec, s[2:3]
	s_mov_b32 s33, s0
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.globl elementary
	.type elementary,@function
elementary:
	s_load_dwordx2 s[0:1], s[0:1], 0x0
	s_lshl_b32 s2, s2, 8
	v_add_u32_e32 v0, s2, v0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v3, 0x800000
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[0:1], v[0:1], 2, s[0:1]
	global_load_dword v2, v[0:1], off
	v_mov_b32_e32 v4, 0xc2fc0000
	v_mov_b32_e32 v5, 0x42800000
	v_not_b32_e32 v6, 63
	v_mov_b32_e32 v7, 0x42000000
	s_waitcnt vmcnt(0)
	v_cmp_lt_f32_e32 vcc, v2, v3
	s_nop 1
	v_cndmask_b32_e64 v3, 0, 1, vcc
	v_lshlrev_b32_e32 v3, 5, v3
	v_ldexp_f32 v3, v2, v3
	v_sqrt_f32_e32 v13, v3
	v_cmp_lt_f32_e64 s[0:1], v2, v4
	v_floor_f32_e32 v8, v2
	v_ceil_f32_e32 v9, v2
	v_cndmask_b32_e64 v4, 0, v5, s[0:1]
	v_cndmask_b32_e64 v5, 0, -16, vcc
	v_add_f32_e32 v4, v2, v4
	v_ldexp_f32 v5, v13, v5
	v_exp_f32_e32 v4, v4
	v_add_f32_e32 v5, v5, v8
	v_trunc_f32_e32 v10, v2
	v_log_f32_e32 v3, v3
	v_add_f32_e32 v5, v9, v5
	v_rndne_f32_e32 v11, v2
	v_add_f32_e32 v5, v10, v5
	v_fma_f32 v12, v2, v2, 1.0
	v_cndmask_b32_e64 v6, 0, v6, s[0:1]
	v_add_f32_e32 v5, v11, v5
	v_cndmask_b32_e32 v7, 0, v7, vcc
	v_ldexp_f32 v4, v4, v6
	v_add_f32_e32 v5, v12, v5
	v_sub_f32_e32 v3, v3, v7
	v_add_f32_e32 v4, v4, v5
	v_add_f32_e32 v3, v3, v4
	v_max_f32_e32 v2, v2, v2
	v_add_f32_e32 v2, v2, v3
	global_store_dword v[0:1], v2, off
	s_endpgm

	.globl __clang_ocl_kern_imp_elementary
	.type __clang_ocl_kern_imp_elementary,@function
__clang_ocl_kern_imp_elementary:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v2, 0x3ff, v31
	v_add_u32_e32 v2, s0, v2
	v_mov_b32_e32 v3, 0
	v_lshl_add_u64 v[0:1], v[2:3], 2, v[0:1]
	global_load_dword v2, v[0:1], off
	v_mov_b32_e32 v3, 0x800000
	v_mov_b32_e32 v4, 0xc2fc0000
	v_mov_b32_e32 v5, 0x42800000
	v_not_b32_e32 v6, 63
	v_mov_b32_e32 v7, 0x42000000
	s_waitcnt vmcnt(0)
	v_cmp_lt_f32_e32 vcc, v2, v3
	s_nop 1
	v_cndmask_b32_e64 v3, 0, 1, vcc
	v_lshlrev_b32_e32 v3, 5, v3
	v_ldexp_f32 v3, v2, v3
	v_sqrt_f32_e32 v13, v3
	v_cmp_lt_f32_e64 s[0:1], v2, v4
	v_floor_f32_e32 v8, v2
	v_ceil_f32_e32 v9, v2
	v_cndmask_b32_e64 v4, 0, v5, s[0:1]
	v_cndmask_b32_e64 v5, 0, -16, vcc
	v_add_f32_e32 v4, v2, v4
	v_ldexp_f32 v5, v13, v5
	v_exp_f32_e32 v4, v4
	v_add_f32_e32 v5, v5, v8
	v_trunc_f32_e32 v10, v2
	v_log_f32_e32 v3, v3
	v_add_f32_e32 v5, v9, v5
	v_rndne_f32_e32 v11, v2
	v_add_f32_e32 v5, v10, v5
	v_fma_f32 v12, v2, v2, 1.0
	v_cndmask_b32_e64 v6, 0, v6, s[0:1]
	v_add_f32_e32 v5, v11, v5
	v_cndmask_b32_e32 v7, 0, v7, vcc
	v_ldexp_f32 v4, v4, v6
	v_add_f32_e32 v5, v12, v5
	v_sub_f32_e32 v3, v3, v7
	v_add_f32_e32 v4, v4, v5
	v_add_f32_e32 v3, v3, v4
	v_max_f32_e32 v2, v2, v2
	v_add_f32_e32 v2, v2, v3
	global_store_dword v[0:1], v2, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0

	.globl overflow
	.type overflow,@function
overflow:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_lshl_b32 s0, s2, 8
	v_add_u32_e32 v0, s0, v0
	v_mov_b32_e32 v1, 0
	v_lshlrev_b64 v[2:3], 2, v[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b64_e32 v[4:5], s[4:5]
	v_add_co_u32_e32 v6, vcc, v4, v2
	v_add_u32_e32 v8, 1, v0
	v_mov_b32_e32 v9, v1
	v_addc_co_u32_e32 v7, vcc, v5, v3, vcc
	v_lshlrev_b64 v[8:9], 2, v[8:9]
	v_add_co_u32_e32 v10, vcc, v4, v8
	v_bfrev_b32_e32 v18, -2
	s_nop 0
	v_addc_co_u32_e32 v11, vcc, v5, v9, vcc
	global_load_dword v14, v[6:7], off
	global_load_dword v15, v[10:11], off
	v_mov_b64_e32 v[10:11], s[6:7]
	v_add_co_u32_e32 v2, vcc, v10, v2
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v19, v14, v15
	v_addc_co_u32_e32 v3, vcc, v11, v3, vcc
	v_add_co_u32_e32 v8, vcc, v10, v8
	v_cmp_lt_i32_e64 s[0:1], v19, v14
	s_nop 0
	v_addc_co_u32_e32 v9, vcc, v11, v9, vcc
	global_load_dword v16, v[2:3], off
	global_load_dword v17, v[8:9], off
	v_mov_b32_e32 v9, v1
	v_add_u32_e32 v8, 3, v0
	v_lshlrev_b64 v[8:9], 2, v[8:9]
	v_add_co_u32_e32 v12, vcc, v4, v8
	v_add_u32_e32 v0, 2, v0
	s_nop 0
	v_addc_co_u32_e32 v13, vcc, v5, v9, vcc
	v_cmp_gt_i32_e32 vcc, 0, v15
	s_xor_b64 vcc, vcc, s[0:1]
	v_lshlrev_b64 v[0:1], 2, v[0:1]
	s_waitcnt vmcnt(0)
	v_mul_hi_u32 v15, v16, v17
	v_mul_lo_u32 v16, v16, v17
	v_cmp_ne_u32_e64 s[2:3], 0, v15
	v_cndmask_b32_e32 v15, v19, v18, vcc
	v_add_co_u32_e32 v4, vcc, v4, v0
	v_cndmask_b32_e64 v14, v16, -1, s[2:3]
	global_store_dword v[6:7], v15, off
	global_store_dword v[2:3], v14, off
	global_load_dword v14, v[6:7], off
	s_nop 0
	global_load_dword v15, v[12:13], off
	v_addc_co_u32_e32 v5, vcc, v5, v1, vcc
	v_add_co_u32_e32 v6, vcc, v10, v8
	s_waitcnt vmcnt(0)
	v_add_i32 v8, v14, v15 clamp
	global_store_dword v[4:5], v8, off
	v_addc_co_u32_e32 v7, vcc, v11, v9, vcc
	global_load_dword v4, v[2:3], off
	global_load_dword v5, v[6:7], off
	v_add_co_u32_e32 v0, vcc, v10, v0
	s_waitcnt vmcnt(0)
	v_sub_u32_e64 v2, v4, v5 clamp
	v_addc_co_u32_e32 v1, vcc, v11, v1, vcc
	global_store_dword v[0:1], v2, off
	s_endpgm

	.globl __clang_ocl_kern_imp_overflow
	.type __clang_ocl_kern_imp_overflow,@function
__clang_ocl_kern_imp_overflow:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	s_lshl_b32 s0, s12, 8
	v_and_b32_e32 v4, 0x3ff, v31
	v_add_u32_e32 v4, s0, v4
	v_mov_b32_e32 v5, 0
	v_lshlrev_b64 v[6:7], 2, v[4:5]
	v_add_co_u32_e32 v8, vcc, v0, v6
	v_add_u32_e32 v10, 1, v4
	v_mov_b32_e32 v11, v5
	v_addc_co_u32_e32 v9, vcc, v1, v7, vcc
	v_lshlrev_b64 v[10:11], 2, v[10:11]
	v_add_co_u32_e32 v12, vcc, v0, v10
	v_bfrev_b32_e32 v18, -2
	s_nop 0
	v_addc_co_u32_e32 v13, vcc, v1, v11, vcc
	v_add_co_u32_e32 v6, vcc, v2, v6
	global_load_dword v14, v[8:9], off
	global_load_dword v15, v[12:13], off
	v_addc_co_u32_e32 v7, vcc, v3, v7, vcc
	v_add_co_u32_e32 v10, vcc, v2, v10
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v19, v14, v15
	v_addc_co_u32_e32 v11, vcc, v3, v11, vcc
	global_load_dword v16, v[6:7], off
	global_load_dword v17, v[10:11], off
	v_mov_b32_e32 v11, v5
	v_add_u32_e32 v10, 3, v4
	v_lshlrev_b64 v[10:11], 2, v[10:11]
	v_add_co_u32_e32 v12, vcc, v0, v10
	v_cmp_lt_i32_e64 s[0:1], v19, v14
	s_nop 0
	v_addc_co_u32_e32 v13, vcc, v1, v11, vcc
	v_cmp_gt_i32_e32 vcc, 0, v15
	s_xor_b64 vcc, vcc, s[0:1]
	v_add_u32_e32 v4, 2, v4
	v_lshlrev_b64 v[4:5], 2, v[4:5]
	s_waitcnt vmcnt(0)
	v_mul_hi_u32 v15, v16, v17
	v_mul_lo_u32 v16, v16, v17
	v_cmp_ne_u32_e64 s[2:3], 0, v15
	v_cndmask_b32_e32 v15, v19, v18, vcc
	v_add_co_u32_e32 v0, vcc, v0, v4
	v_cndmask_b32_e64 v14, v16, -1, s[2:3]
	global_store_dword v[8:9], v15, off
	global_store_dword v[6:7], v14, off
	global_load_dword v14, v[8:9], off
	s_nop 0
	global_load_dword v15, v[12:13], off
	v_addc_co_u32_e32 v1, vcc, v1, v5, vcc
	v_add_co_u32_e32 v8, vcc, v2, v10
	s_waitcnt vmcnt(0)
	v_add_i32 v10, v14, v15 clamp
	global_store_dword v[0:1], v10, off
	v_addc_co_u32_e32 v9, vcc, v3, v11, vcc
	global_load_dword v0, v[6:7], off
	global_load_dword v1, v[8:9], off
	s_waitcnt vmcnt(0)
	v_sub_u32_e64 v6, v0, v1 clamp
	v_add_co_u32_e32 v0, vcc, v2, v4
	s_nop 1
	v_addc_co_u32_e32 v1, vcc, v3, v5, vcc
	global_store_dword v[0:1], v6, off
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0

	.section .rodata,"a",@progbits
	.p2align 6

	.amdhsa_kernel saxpy
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 8
	.end_amdhsa_kernel

	.amdhsa_kernel dsaxpy
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 28
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 18
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel

	.amdhsa_kernel int_mix
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel

	.amdhsa_kernel long_mix
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel

	.amdhsa_kernel short_byte
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 32
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 18
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel

	.amdhsa_kernel half_math
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 12
	.end_amdhsa_kernel

	.amdhsa_kernel conv
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 48
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 18
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 32
	.end_amdhsa_kernel

	.amdhsa_kernel bits
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 20
	.end_amdhsa_kernel

	.amdhsa_kernel minmax
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 280
		.amdhsa_user_sgpr_count 8
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 1
		.amdhsa_enable_private_segment 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 64
		.amdhsa_next_free_sgpr 58
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 60
	.end_amdhsa_kernel

	.amdhsa_kernel elementary
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 8
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 16
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 16
	.end_amdhsa_kernel

	.amdhsa_kernel overflow
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 10
		.amdhsa_reserve_vcc 0
		.amdhsa_accum_offset 20
	.end_amdhsa_kernel

	.amdgpu_metadata
---
amdhsa.kernels: 
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'float*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'float*'
        .value_kind: global_buffer
      - .offset: 16
        .size: 4
        .type_name: float
        .value_kind: by_value
      - .offset: 20
        .size: 4
        .type_name: uint
        .value_kind: by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: saxpy
    .private_segment_fixed_size: 0
    .sgpr_count: 12
    .sgpr_spill_count: 0
    .symbol: saxpy.kd
    .uses_dynamic_stack: false
    .vgpr_count: 6
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'double*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'double*'
        .value_kind: global_buffer
      - .offset: 16
        .size: 8
        .type_name: double
        .value_kind: by_value
      - .offset: 24
        .size: 4
        .type_name: uint
        .value_kind: by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: dsaxpy
    .private_segment_fixed_size: 0
    .sgpr_count: 18
    .sgpr_spill_count: 0
    .symbol: dsaxpy.kd
    .uses_dynamic_stack: false
    .vgpr_count: 14
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 16
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: int_mix
    .private_segment_fixed_size: 0
    .sgpr_count: 16
    .sgpr_spill_count: 0
    .symbol: int_mix.kd
    .uses_dynamic_stack: false
    .vgpr_count: 11
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'long*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'long*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 16
        .size: 8
        .type_name: 'ulong*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: long_mix
    .private_segment_fixed_size: 0
    .sgpr_count: 16
    .sgpr_spill_count: 0
    .symbol: long_mix.kd
    .uses_dynamic_stack: false
    .vgpr_count: 16
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'short*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'uchar*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 16
        .size: 8
        .type_name: 'char*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 24
        .size: 8
        .type_name: 'ushort*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 32
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: short_byte
    .private_segment_fixed_size: 0
    .sgpr_count: 18
    .sgpr_spill_count: 0
    .symbol: short_byte.kd
    .uses_dynamic_stack: false
    .vgpr_count: 10
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'half*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'half*'
        .value_kind: global_buffer
      - .offset: 16
        .size: 2
        .type_name: half
        .value_kind: by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: half_math
    .private_segment_fixed_size: 0
    .sgpr_count: 14
    .sgpr_spill_count: 0
    .symbol: half_math.kd
    .uses_dynamic_stack: false
    .vgpr_count: 10
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'float*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 8
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 16
        .size: 8
        .type_name: 'uint*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 24
        .size: 8
        .type_name: 'double*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 32
        .size: 8
        .type_name: 'half*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 40
        .size: 8
        .type_name: 'long*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: conv
    .private_segment_fixed_size: 0
    .sgpr_count: 22
    .sgpr_spill_count: 0
    .symbol: conv.kd
    .uses_dynamic_stack: false
    .vgpr_count: 32
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'uint*'
        .value_kind: global_buffer
      - .address_space: global
        .is_const: true
        .offset: 8
        .size: 8
        .type_name: 'uint*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 16
        .size: 8
        .type_name: 'ulong*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: bits
    .private_segment_fixed_size: 0
    .sgpr_count: 16
    .sgpr_spill_count: 0
    .symbol: bits.kd
    .uses_dynamic_stack: false
    .vgpr_count: 19
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'float*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 8
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 16
        .size: 8
        .type_name: 'uint*'
        .value_kind: global_buffer
      - .offset: 24
        .size: 4
        .value_kind: hidden_block_count_x
      - .offset: 28
        .size: 4
        .value_kind: hidden_block_count_y
      - .offset: 32
        .size: 4
        .value_kind: hidden_block_count_z
      - .offset: 36
        .size: 2
        .value_kind: hidden_group_size_x
      - .offset: 38
        .size: 2
        .value_kind: hidden_group_size_y
      - .offset: 40
        .size: 2
        .value_kind: hidden_group_size_z
      - .offset: 42
        .size: 2
        .value_kind: hidden_remainder_x
      - .offset: 44
        .size: 2
        .value_kind: hidden_remainder_y
      - .offset: 46
        .size: 2
        .value_kind: hidden_remainder_z
      - .offset: 64
        .size: 8
        .value_kind: hidden_global_offset_x
      - .offset: 72
        .size: 8
        .value_kind: hidden_global_offset_y
      - .offset: 80
        .size: 8
        .value_kind: hidden_global_offset_z
      - .offset: 88
        .size: 2
        .value_kind: hidden_grid_dims
      - .offset: 104
        .size: 8
        .value_kind: hidden_hostcall_buffer
      - .offset: 112
        .size: 8
        .value_kind: hidden_multigrid_sync_arg
      - .offset: 120
        .size: 8
        .value_kind: hidden_heap_v1
      - .offset: 128
        .size: 8
        .value_kind: hidden_default_queue
      - .offset: 136
        .size: 8
        .value_kind: hidden_completion_action
      - .offset: 224
        .size: 8
        .value_kind: hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 280
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: minmax
    .private_segment_fixed_size: 0
    .sgpr_count: 60
    .sgpr_spill_count: 0
    .symbol: minmax.kd
    .uses_dynamic_stack: true
    .vgpr_count: 58
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'float*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 8
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: elementary
    .private_segment_fixed_size: 0
    .sgpr_count: 9
    .sgpr_spill_count: 0
    .symbol: elementary.kd
    .uses_dynamic_stack: false
    .vgpr_count: 14
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count: 0
    .args: 
      - .address_space: global
        .offset: 0
        .size: 8
        .type_name: 'int*'
        .value_kind: global_buffer
      - .address_space: global
        .offset: 8
        .size: 8
        .type_name: 'uint*'
        .value_kind: global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .language: 'OpenCL C'
    .language_version: 
      - 2
      - 0
    .max_flat_workgroup_size: 256
    .name: overflow
    .private_segment_fixed_size: 0
    .sgpr_count: 14
    .sgpr_spill_count: 0
    .symbol: overflow.kd
    .uses_dynamic_stack: false
    .vgpr_count: 20
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.version: 
  - 1
  - 2
...
	.end_amdgpu_metadata
