#include "common.h"
kernel void blur3x3(global uchar4 *o, global const uchar4 *i, int w, int h) {
  int x = (int)gid(), y = (int)gidy();
  if (x <= 0 || y <= 0 || x >= w - 1 || y >= h - 1) return;
  uint4 s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) s += __builtin_convertvector(i[(y + dy) * w + x + dx], uint4);
  o[y * w + x] = __builtin_convertvector(s / 9u, uchar4);
}
kernel void mandel(global uint *o, float x0, float y0, float dx, int w) {
  float cx = x0 + dx * gid(), cy = y0 + dx * gidy(), x = 0, y = 0;
  uint n = 0;
  while (x * x + y * y < 4.0f && n < 256) { float t = x * x - y * y + cx; y = 2 * x * y + cy; x = t; n++; }
  o[gidy() * w + gid()] = n;
}
kernel void nbody(global float4 *v, global const float4 *p, int n, float dt) {
  float4 me = p[gid()], a = 0;
  for (int j = 0; j < n; j++) {
    float4 d = p[j] - me;
    float r = d.x * d.x + d.y * d.y + d.z * d.z + 1e-6f;
    float inv = 1.0f / __builtin_sqrtf(r);
    a += d * (inv * inv * inv * p[j].w);
  }
  v[gid()] += a * dt;
}
kernel void scan(global int *o, global const int *i) {
  local int t[2][256];
  uint l = lid(), k = 0;
  t[0][l] = i[gid()];
  barrier_lds();
  for (uint d = 1; d < 256; d <<= 1) {
    t[1 - k][l] = t[k][l] + (l >= d ? t[k][l - d] : 0);
    k = 1 - k;
    barrier_lds();
  }
  o[gid()] = t[k][l];
}
kernel void bitonic(global int *a, uint j, uint k) {
  uint i = gid(), x = i ^ j;
  if (x > i) {
    int u = a[i], v = a[x];
    if (((i & k) == 0) == (u > v)) { a[i] = v; a[x] = u; }
  }
}
kernel void spmv(global float *y, global const int *row, global const int *col, global const float *val, global const float *x, int n) {
  int r = (int)gid();
  if (r >= n) return;
  float s = 0;
  for (int k = row[r]; k < row[r + 1]; k++) s = __builtin_fmaf(val[k], x[col[k]], s);
  y[r] = s;
}
