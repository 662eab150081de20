#include "common.h"
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef half f16x4 __attribute__((ext_vector_type(4)));
typedef half f16x8 __attribute__((ext_vector_type(8)));
typedef half f16x16 __attribute__((ext_vector_type(16)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef short s16x2 __attribute__((ext_vector_type(2)));
typedef int i32x4 __attribute__((ext_vector_type(4)));
typedef int i32x8 __attribute__((ext_vector_type(8)));
typedef int i32x2 __attribute__((ext_vector_type(2)));
typedef int i32x16 __attribute__((ext_vector_type(16)));
typedef double f64x4 __attribute__((ext_vector_type(4)));
#ifdef __AMDGCN__
#define HAS(x) __has_builtin(__builtin_amdgcn_##x)
kernel void mm(global f32x4 *a, global f32x16 *b, global f16x4 *h, global float *f, global i32x4 *i4, global int *i1, global long *l, global double *d, global f64x4 *d4) {
  uint i = gid();
#if HAS(mfma_f32_16x16x16f16)
  a[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(h[i], h[i + 1], a[i], 0, 0, 0);
  b[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(h[i], h[i + 1], b[i], 1, 2, 3);
  a[i + 1] = __builtin_amdgcn_mfma_f32_4x4x1f32(f[i], f[i + 1], a[i + 1], 0, 0, 0);
  b[i + 1] = __builtin_amdgcn_mfma_f32_32x32x2f32(f[i], f[i + 1], b[i + 1], 0, 0, 0);
#endif
#if HAS(mfma_i32_16x16x16i8) && !HAS(mfma_i32_16x16x32_i8)
  i4[i] = __builtin_amdgcn_mfma_i32_16x16x16i8(i1[i], i1[i + 1], i4[i], 0, 0, 0);
#endif
#if HAS(mfma_f64_16x16x4f64)
  d4[i] = __builtin_amdgcn_mfma_f64_16x16x4f64(d[i], d[i + 1], d4[i], 0, 0, 0);
  d[i] = __builtin_amdgcn_mfma_f64_4x4x4f64(d[i], d[i + 1], d[i + 2], 0, 0, 0);
#endif
#if HAS(mfma_i32_16x16x32_i8)
  i4[i + 2] = __builtin_amdgcn_mfma_i32_16x16x32_i8(l[i], l[i + 1], i4[i], 0, 0, 0);
  a[i + 2] = __builtin_amdgcn_mfma_f32_16x16x32_fp8_bf8(l[i], l[i + 1], a[i], 0, 0, 0);
  a[i + 3] = __builtin_amdgcn_smfmac_f32_16x16x32_f16(h[i], (f16x8)(h[i], h[i + 1]), a[i + 3], i1[i], 0, 0);
#endif
#if HAS(mfma_f32_16x16x32_f16)
  a[i + 4] = __builtin_amdgcn_mfma_f32_16x16x32_f16((f16x8)(h[i], h[i + 3]), (f16x8)(h[i], h[i + 1]), a[i + 3], 0, 0, 0);
#endif
#if HAS(mfma_scale_f32_16x16x128_f8f6f4)
  global i32x8 *w = (global i32x8 *)i1;
  a[i + 5] = __builtin_amdgcn_mfma_scale_f32_16x16x128_f8f6f4(w[i], w[i + 1], a[i], 0, 0, 0, i1[i], 1, i1[i + 1]);
#endif
}
kernel void wm(global f32x8 *a, global f16x16 *h, global i32x8 *c, global i32x4 *p, global f16x8 *q, global f32x4 *a4, global i32x2 *p2) {
  uint i = gid();
#if HAS(wmma_f32_16x16x16_f16_w32) && !HAS(wmma_f32_16x16x16_f16_w32_gfx12)
  a[i] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(h[i], h[i + 1], a[i]);
  h[i] = __builtin_amdgcn_wmma_f16_16x16x16_f16_w32(h[i], h[i + 1], h[i], 1);
  c[i] = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32(1, p[i], 0, p[i + 1], c[i], 1);
#endif
#if HAS(wmma_f32_16x16x16_f16_w32_gfx12) && !HAS(wmma_f32_16x16x32_f16)
  a[i] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(q[i], q[i + 1], a[i]);
  c[i] = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12(1, p2[i], 0, p2[i + 1], c[i], 0);
  a[i + 1] = __builtin_amdgcn_wmma_f32_16x16x16_fp8_bf8_w32_gfx12(p2[i], p2[i + 1], a[i]);
  a[i + 2] = __builtin_amdgcn_swmmac_f32_16x16x32_f16_w32(q[i], h[i], a[i], (short)i);
#endif
#if HAS(wmma_f32_16x16x32_f16)
  a[i] = __builtin_amdgcn_wmma_f32_16x16x32_f16(0, h[i], 0, h[i + 1], (short)0, a[i], 0, 1);
#endif
}
#endif
kernel void plain(global float4 *o, global const float4 *m, global const float4 *v) {
  uint i = gid();
  float4 x = v[i];
  o[i] = m[0] * x.x + m[1] * x.y + m[2] * x.z + m[3] * x.w;
}
