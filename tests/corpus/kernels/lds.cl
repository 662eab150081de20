#include "common.h"
kernel void reduce(global float *out, global const float *in, uint n) {
  local float tile[256];
  uint l = lid();
  float s = 0;
  for (uint i = gid(); i < n; i += 65536) s += in[i];
  tile[l] = s;
  barrier_lds();
#pragma unroll 1
  for (uint k = 128; k > 0; k >>= 1) {
    if (l < k) tile[l] += tile[l + k];
    barrier_lds();
  }
  if (l == 0) out[wgid()] = tile[0];
}
kernel void transpose(global float *o, global const float *i, uint w, uint h) {
  local float t[16][17];
  uint x = wgid() * 16 + lid(), y = wgidy() * 16 + lidy();
  if (x < w && y < h) t[lidy()][lid()] = i[y * w + x];
  barrier_lds();
  x = wgidy() * 16 + lid(); y = wgid() * 16 + lidy();
  if (x < h && y < w) o[y * h + x] = t[lid()][lidy()];
}
__attribute__((reqd_work_group_size(16, 16, 1)))
kernel void gemm(global float *c, global const float *a, global const float *b, int n) {
  local float as[16][16], bs[16][16];
  int x = wgid() * 16 + lid(), y = wgidy() * 16 + lidy();
  float acc = 0;
  for (int t = 0; t < n; t += 16) {
    as[lidy()][lid()] = a[y * n + t + lid()];
    bs[lidy()][lid()] = b[(t + lidy()) * n + x];
    barrier_lds();
#pragma unroll
    for (int k = 0; k < 16; k++) acc += as[lidy()][k] * bs[k][lid()];
    barrier_lds();
  }
  c[y * n + x] = acc;
}
kernel void histogram(global uint *h, global const uchar *d, uint n) {
  local uint bins[256];
  bins[lid()] = 0;
  barrier_lds();
  for (uint i = gid(); i < n; i += 8192) __opencl_atomic_fetch_add((local atomic_uint *)&bins[d[i]], 1, memory_order_relaxed, memory_scope_work_group);
  barrier_lds();
  __opencl_atomic_fetch_add((global atomic_uint *)&h[lid()], bins[lid()], memory_order_relaxed, memory_scope_device);
}
kernel void dyn(local float4 *scratch, global float4 *io) {
  uint l = lid();
  scratch[l] = io[gid()];
  barrier_lds();
  io[gid()] = scratch[l ^ 1] + scratch[255 - l];
}
kernel void wide(local long *p, local uchar *b, global long *o, local short *s, local double2 *d) {
  uint l = lid();
  p[l] = l; p[l + 5] = 7; b[l] = 3; s[l + 1] = b[l + 2];
  d[l] = d[l + 1] + d[l + 9];
  barrier_lds();
  o[l] = p[l + 8] + p[l + 1] + b[l] + s[l];
}
