#include "common.h"
kernel void v4(global float4 *o, global const float4 *a, global const float4 *b) {
  uint i = gid();
  float4 x = a[i], y = b[i];
  o[i] = x * y.wzyx + (float4)(x.lo, y.hi) - y.xxyy;
}
kernel void v8(global float8 *o, global const float8 *a) {
  uint i = gid();
  o[i] = a[i] * a[i].s76543210 + (float8)(1.0f);
}
kernel void v16(global int16 *o, global const int16 *a) {
  uint i = gid();
  int16 m = a[i] > (int16)(3);
  o[i] = m ? a[i] * 3 : a[i].sfedcba9876543210;
}
kernel void v2h(global half2 *o, global const half2 *a, global const half2 *b) {
  uint i = gid();
  o[i] = a[i] * b[i] + a[i].yx - (half2)(b[i].x, a[i].y);
}
kernel void v3(global float *o, global const float *a) {
  uint i = gid();
  float3 x = vload3(i, a);
  o[3 * i] = x.x * x.y; o[3 * i + 1] = x.z; o[3 * i + 2] = x.x - x.z;
}
kernel void pack8(global uchar4 *o, global const float4 *a, global short2 *s) {
  uint i = gid();
  o[i] = __builtin_convertvector(a[i] * 255.0f, uchar4);
  s[i] = s[i] * s[i + 1] + (short2)(3, -4);
}
kernel void dyn_index(global float *o, global const float4 *a, global const int *k) {
  uint i = gid();
  float4 x = a[i];
  float8 y = (float8)(x, x * 2.0f);
  y[k[i] & 7] = 3.0f;
  o[i] = x[k[i] & 3] + y[k[i + 1] & 7];
}
kernel void reduce_vec(global int *o, global const int4 *a, global const ushort8 *u) {
  uint i = gid();
  o[i] = __builtin_reduce_add(a[i]) + __builtin_reduce_max(a[i]) + __builtin_reduce_xor(u[i]);
}
kernel void dbl2(global double2 *o, global const double2 *a, global long4 *l) {
  uint i = gid();
  o[i] = a[i] * a[i + 1].yx;
  l[i] = l[i] + l[i + 1].wzyx;
}
