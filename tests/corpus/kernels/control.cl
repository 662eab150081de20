#include "common.h"
__attribute__((noinline)) int helper(int a, int b) { return a > b ? a * 3 - b : helper(b, a + 1); }
__attribute__((noinline)) float many(float a, float b, float4 c, global float *d, int e, long f, double g, int h, int i, int j, int k, int l, int8 m) {
  return a * b + c.x * d[e] + (float)f + (float)g + h + i + j + k + l + m.s3;
}
kernel void call(global int *o, int a) { o[gid()] = helper(a, (int)gid()); }
kernel void callmany(global float *o, int8 v) { o[gid()] = many(1, 2, (float4)(3), o, 4, 5, 6, 7, 8, 9, 10, 11, v); }
kernel void sw(global int *o, global const int *a) {
  uint i = gid();
  switch (a[i]) {
  case 0: o[i] = 5; break;
  case 1: o[i] = a[i + 1]; break;
  case 2: case 3: o[i] = a[i] * a[i + 2];
  case 4: o[i + 1] = 7; break;
  case 9: return;
  case 77: o[i] = -1; break;
  case 78: o[i] = -12; break;
  default: o[i] = o[i + 3] ^ 0x1234567;
  }
}
kernel void nested(global int *o, global const int *a, int n) {
  uint i = gid();
  int s = 0;
  for (int x = 0; x < n; x++) {
    if (a[x] == (int)i) continue;
    for (int y = x; y < n; y += a[x] + 1) {
      if (a[y] < 0) goto out;
      s += a[y] * x;
      if (s > 10000) break;
    }
    while (s & 1) s = s * 3 + 1 - (s >> 2);
  }
out:
  o[i] = s;
}
kernel void uniform_branch(global int *o, int k) {
  if (k > 4) o[gid()] = k * 7; else if (k == 2) o[0] = 1; else o[lid()] = wgid();
  for (int i = 0; i < k; i++) o[i] += i;
}
kernel void divergent(global float *o, global float *p) {
  uint l = lid();
  float x = p[l];
  do { x = x * x - 0.5f; if (x < 0) { o[l] = x; break; } } while (x < 100.0f);
  o[l + 256] = x;
}
kernel void stack(global int *o, global const int *k) {
  int arr[40];
  for (int i = 0; i < 40; i++) arr[i] = k[i] * i;
  int s = 0;
  for (int i = 0; i < 40; i++) s += arr[k[i] & 31];
  o[gid()] = s;
}
typedef struct { int a; float b; char c; double d; short e[3]; long f; } S;
kernel void byval(S s, global S *o, constant int *table) {
  o[gid()] = s;
  o[gid() + 1].e[table[lid()] & 1] = (short)s.a;
}
constant float lut[16] = {0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987};
kernel void table(global float *o, global const int *k) { o[gid()] = lut[k[gid()] & 15] * lut[wgid() & 7]; }
kernel void spills(global float *o, global const float *a) {
  float r[64];
#pragma unroll
  for (int i = 0; i < 64; i++) r[i] = a[gid() + i * 64];
#pragma unroll
  for (int i = 0; i < 64; i++) for (int j = 0; j < 3; j++) r[i] = r[i] * r[(i * 7 + j) & 63] + r[(i + 13) & 63];
#pragma unroll
  for (int i = 0; i < 64; i++) o[gid() + i * 64] = r[i];
}
__attribute__((amdgpu_num_vgpr(24))) kernel void spills24(global float *o, global const float *a) {
  float r[40];
#pragma unroll
  for (int i = 0; i < 40; i++) r[i] = a[gid() + i * 64];
#pragma unroll
  for (int i = 0; i < 40; i++) r[i] = r[i] * r[(i * 7) % 40] + r[(i + 13) % 40];
#pragma unroll
  for (int i = 0; i < 40; i++) o[gid() + i * 64] = r[i];
}
