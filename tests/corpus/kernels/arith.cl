#include "common.h"
kernel void saxpy(global float *y, global const float *x, float a, uint n) {
  uint i = gid();
  if (i < n) y[i] = a * x[i] + y[i];
}
kernel void dsaxpy(global double *y, global const double *x, double a, uint n) {
  for (uint i = gid(); i < n; i += 4096) y[i] = a * x[i] + y[i];
}
kernel void int_mix(global int *o, global const int *a, global const int *b) {
  uint i = gid();
  int x = a[i], y = b[i];
  o[8 * i] = x + y; o[8 * i + 1] = x - y; o[8 * i + 2] = x * y; o[8 * i + 3] = y ? x / y : 0;
  o[8 * i + 4] = y ? x % y : 1; o[8 * i + 5] = x << (y & 31); o[8 * i + 6] = x >> (y & 31);
  o[8 * i + 7] = (int)((uint)x >> (y & 31)) ^ (x & ~y) | (x == y);
}
kernel void long_mix(global long *o, global const long *a, global const ulong *b) {
  uint i = gid();
  long x = a[i]; ulong y = b[i];
  o[i] = x * (long)y + (long)(y >> 7) - (x << 3) + (y ? (long)((ulong)x / y) : 3) + (x < (long)y ? -1 : x);
}
kernel void short_byte(global short *o, global const uchar *a, global const char *b, global ushort *q) {
  uint i = gid();
  o[i] = (short)(a[i] * b[i]) + (short)q[i];
  q[i] = (ushort)(a[i] + 7) >> 2;
}
kernel void half_math(global half *o, global const half *a, half k) {
  uint i = gid();
  half x = a[i];
  o[i] = x * k + (half)2.0f - x / (k + (half)1.0f);
  o[i + 1] = x > k ? x : -k;
}
kernel void conv(global float *f, global int *s, global uint *u, global double *d, global half *h, global long *l) {
  uint i = gid();
  f[i] = (float)s[i] + (float)u[i] + (float)d[i] + (float)h[i];
  s[i] = (int)f[i + 1] + (int)d[i + 1];
  u[i] = (uint)f[i + 2] + (uint)h[i + 2];
  d[i] = (double)l[i] + (double)f[i + 3];
  l[i] = (long)d[i + 4];
  h[i] = (half)f[i + 5];
}
kernel void bits(global uint *o, global const uint *a, global ulong *w) {
  uint i = gid();
  uint x = a[i];
  o[i] = __builtin_popcount(x) + (x ? __builtin_clz(x) : 32) + (x ? __builtin_ctz(x) : 32);
  o[i + 1] = __builtin_bitreverse32(x) ^ __builtin_bswap32(x);
  o[i + 2] = __builtin_rotateleft32(x, 5) | __builtin_rotateright32(x, x & 31);
  w[i] = __builtin_bitreverse64(w[i]) + __builtin_popcountl(w[i + 1]);
}
kernel void minmax(global float *f, global int *s, global uint *u) {
  uint i = gid();
  float a = f[i], b = f[i + 1], c = f[i + 2];
  f[i] = __builtin_fmaxf(__builtin_fminf(a, b), c) + __builtin_fabsf(a) + __builtin_copysignf(a, b);
  s[i] = max(min(s[i], s[i + 1]), 17);
  u[i] = u[i] > u[i + 1] ? u[i] : u[i + 1];
}
kernel void elementary(global float *f) {
  uint i = gid();
  float x = f[i];
  f[i] = __builtin_sqrtf(x) + __builtin_floorf(x) + __builtin_ceilf(x) + __builtin_truncf(x) + __builtin_rintf(x) +
         __builtin_fmaf(x, x, 1.0f) + __builtin_elementwise_exp2(x) + __builtin_elementwise_log2(x) +
         __builtin_elementwise_canonicalize(x);
}
kernel void overflow(global int *o, global uint *u) {
  uint i = gid();
  int r; uint q;
  int c = __builtin_sadd_overflow(o[i], o[i + 1], &r);
  int d = __builtin_umul_overflow(u[i], u[i + 1], &q);
  o[i] = c ? 0x7fffffff : r;
  u[i] = d ? 0xffffffffu : q;
  o[i + 2] = __builtin_elementwise_add_sat(o[i], o[i + 3]);
  u[i + 2] = __builtin_elementwise_sub_sat(u[i], u[i + 3]);
}
