#include "common.h"
#ifdef __AMDGCN__
#define HAS(x) __has_builtin(__builtin_amdgcn_##x)
#if HAS(perm)
#define PERM(a, b) __builtin_amdgcn_perm(a, b, 0x03020100)
#else
#define PERM(a, b) ((a) + (b))
#endif
kernel void ids(global uint *o) {
  o[0] = __builtin_amdgcn_workgroup_id_z() + __builtin_amdgcn_workitem_id_z() + __builtin_amdgcn_workgroup_size_x();
  o[1] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  constant ulong *d = (constant ulong *)__builtin_amdgcn_dispatch_ptr();
  constant ulong *k = (constant ulong *)__builtin_amdgcn_kernarg_segment_ptr();
  o[2] = (uint)(d[1] + k[0]);
}
kernel void lanes(global uint *o, global uint *a) {
  uint i = gid(), x = a[i];
  o[i] = __builtin_amdgcn_readfirstlane(x) + __builtin_amdgcn_readlane(x, 5);
  o[i + 1] = __builtin_amdgcn_ds_bpermute(x << 2, x) + __builtin_amdgcn_ds_permute(x, 9);
  o[i + 2] = __builtin_amdgcn_ds_swizzle(x, 0x8041);
#if HAS(mov_dpp)
  o[i + 3] = __builtin_amdgcn_mov_dpp(x, 0x111, 0xf, 0xf, 1);
  o[i + 4] = __builtin_amdgcn_update_dpp(a[i + 9], x, 0x4e, 0xf, 0xa, 0);
#endif
#if HAS(mov_dpp8)
  o[i + 5] = __builtin_amdgcn_mov_dpp8(x, 0xfac688);
#endif
#if HAS(permlane16)
  o[i + 6] = __builtin_amdgcn_permlane16(x, x, 0x1234, 0x5678, 0, 0) + __builtin_amdgcn_permlanex16(x, x, 1, 2, 0, 1);
#endif
#if HAS(permlane64)
  o[i + 7] = __builtin_amdgcn_permlane64(x);
#endif
#if HAS(permlane32_swap)
  uint2 sw = __builtin_bit_cast(uint2, __builtin_amdgcn_permlane32_swap(x, a[i + 3], 0, 0));
  o[i + 8] = sw.x ^ sw.y;
#endif
#if HAS(permlane16_var)
  o[i + 9] = __builtin_amdgcn_permlane16_var(x, a[i], a[i + 1], 0, 0);
#endif
#if HAS(ballot_w64) && __AMDGCN_WAVEFRONT_SIZE__ == 64
  o[i + 10] = (uint)__builtin_amdgcn_ballot_w64(x > 5);
#endif
#if HAS(ballot_w32)
  o[i + 10] = (uint)__builtin_amdgcn_ballot_w32(x > 5);
#endif
}
kernel void fmath(global float *f, global double *d, global half *h, global uint *u) {
  uint i = gid();
  float x = f[i];
  f[i] = __builtin_amdgcn_rcpf(x) + __builtin_amdgcn_rsqf(x) + __builtin_amdgcn_sinf(x) + __builtin_amdgcn_cosf(x) +
         __builtin_amdgcn_fractf(x) + __builtin_amdgcn_exp2f(x) + __builtin_amdgcn_logf(x) + __builtin_amdgcn_sqrtf(x) +
         __builtin_amdgcn_ldexpf(x, 3) + __builtin_amdgcn_frexp_mantf(x) + __builtin_amdgcn_frexp_expf(x) +
         __builtin_amdgcn_fmed3f(x, f[i + 1], f[i + 2]) + __builtin_amdgcn_trig_preop(d[i], 1);
  d[i] = __builtin_amdgcn_rcp(d[i]) + __builtin_amdgcn_fract(d[i + 1]) + __builtin_amdgcn_frexp_mant(d[i + 2]);
  u[i] = __builtin_amdgcn_class(d[i], 3) + __builtin_amdgcn_classf(x, 0x60) + __builtin_amdgcn_sad_u8(u[i], u[i + 1], 4) +
         __builtin_amdgcn_lerp(u[i], u[i + 2], u[i + 3]) + __builtin_amdgcn_ubfe(u[i], 4, 9) + __builtin_amdgcn_sbfe(u[i + 4], 3, 11) +
         __builtin_amdgcn_alignbyte(u[i], u[i + 1], 1) + __builtin_amdgcn_alignbit(u[i], u[i + 1], 7) + PERM(u[i], u[i + 5]) +
         __builtin_amdgcn_msad_u8(u[i], u[i + 1], 4) + __builtin_amdgcn_cvt_pk_u8_f32(x, 2, 3);
  half2 p = __builtin_bit_cast(half2, __builtin_amdgcn_cvt_pkrtz(x, f[i + 3]));
  h[i] = p.x + p.y;
#if HAS(rcph)
  h[i + 1] = __builtin_amdgcn_rcph(h[i]) + __builtin_amdgcn_sinh(h[i + 2]) + __builtin_amdgcn_fracth(h[i + 1]);
#endif
}
kernel void dots(global int *o, global uint *u, global half2 *h, global short2 *s, global float *f) {
  uint i = gid();
#if HAS(sdot4)
  o[i] = __builtin_amdgcn_sdot4(o[i], o[i + 1], 3, 0);
  o[i + 1] = __builtin_amdgcn_sdot8(o[i], o[i + 1], 3, 1);
#endif
#if HAS(udot4)
  u[i] = __builtin_amdgcn_udot4(u[i], u[i + 1], 4, 1);
#endif
#if HAS(udot8)
  u[i + 2] = __builtin_amdgcn_udot8(u[i], u[i + 1], 4, 0);
#endif
#if HAS(fdot2)
  f[i] = __builtin_amdgcn_fdot2(h[i], h[i + 1], f[i + 1], 0);
#endif
#if HAS(sudot4)
  o[i + 3] = __builtin_amdgcn_sudot4(1, o[i], 0, o[i + 1], 2, 0);
#endif
#if HAS(sdot2)
  o[i + 4] = __builtin_amdgcn_sdot2(s[i], s[i + 1], 5, 0);
#endif
}
kernel void control(global ulong *t, global uint *o) {
  __builtin_amdgcn_s_sleep(3);
  __builtin_amdgcn_sched_barrier(0);
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_s_setprio(1);
  __builtin_amdgcn_s_sendmsg(1, 0);
  o[0] = __builtin_amdgcn_s_getreg(0x3804);
#if HAS(s_memtime)
  t[gid()] = __builtin_amdgcn_s_memtime();
#endif
#if HAS(s_memrealtime)
  t[gid() + 1] = __builtin_amdgcn_s_memrealtime();
#endif
#if HAS(s_sendmsg_rtn)
  o[2] = __builtin_amdgcn_s_sendmsg_rtn(0x80);
#endif
#if HAS(s_sleep_var)
  __builtin_amdgcn_s_sleep_var(o[1]);
#endif
#if HAS(s_barrier_signal)
  __builtin_amdgcn_s_barrier_signal(-1);
  __builtin_amdgcn_s_barrier_wait(-1);
#endif
#if HAS(sched_group_barrier)
  __builtin_amdgcn_sched_group_barrier(1, 2, 0);
  __builtin_amdgcn_iglp_opt(0);
#endif
  if (o[3] == 99) __builtin_trap();
  if (o[4] == 98) __builtin_debugtrap();
  if (o[5] == 97) __builtin_amdgcn_endpgm();
}
kernel void buffers(global uint *p, int off) {
#if HAS(make_buffer_rsrc)
  __amdgpu_buffer_rsrc_t r = __builtin_amdgcn_make_buffer_rsrc(p, 4, 4096, 0x27000);
  uint x = __builtin_amdgcn_raw_buffer_load_b32(r, off, 16, 0);
  __builtin_amdgcn_raw_buffer_store_b32(x + 1, r, off + 4, 0, 0);
  uint4 y = __builtin_bit_cast(uint4, __builtin_amdgcn_raw_buffer_load_b128(r, off * 16, 0, 0));
  __builtin_amdgcn_raw_buffer_store_b8((uchar)y.x, r, off, 4, 0);
  p[gid()] = y.y + y.z;
#endif
}
kernel void packed_cvt(global float *f, global int *o) {
#if HAS(cvt_pk_fp8_f32)
  o[gid()] = __builtin_amdgcn_cvt_pk_fp8_f32(f[0], f[1], 0, 0);
  f[gid()] = __builtin_amdgcn_cvt_f32_fp8(o[3], 2) + __builtin_amdgcn_cvt_f32_bf8(o[4], 1);
#endif
#if HAS(cvt_sr_bf8_f32)
  o[gid() + 1] = __builtin_amdgcn_cvt_sr_bf8_f32(f[2], o[1], o[2], 3);
#endif
}
#else
kernel void nothing(global int *o) { o[0] = 1; }
#endif
