#include "common.h"
#ifdef __AMDGCN__
kernel void inline_asm(global uint *o, uint k) {
  uint x, y;
  __asm__ volatile("v_mov_b32 %0, %1" : "=v"(x) : "s"(k));
  __asm__ volatile("s_mov_b32 %0, 0x1234" : "=s"(y));
  __asm__ volatile("s_nop 3\n\ts_nop 1" ::: "memory");
  __asm__("v_add_f32 %0, %1, %2" : "=v"(x) : "v"(x), "v"(y) : "vcc");
  o[gid()] = x ^ y;
}
kernel void regs(global uint *o) {
  uint a, b;
  __asm__ volatile("v_mov_b32 v40, 7\n\tv_mov_b32 %0, v40" : "=v"(a) : : "v40");
  __asm__ volatile("s_mov_b64 s[30:31], exec\n\ts_mov_b32 %0, s30" : "=s"(b) : : "s30", "s31");
  o[gid()] = a + b;
}
#endif
kernel void blockcopy(global uchar *d, global const uchar *s, uint n) {
  __builtin_memcpy(d + gid() * 64, s + gid() * 64, 64);
  __builtin_memset(d + 4096 + gid() * 16, 0x5a, 16);
  __builtin_memmove(d + 8192, s + 5, n);
}
kernel void printy(global int *o, int n) {
  int vla = 0;
  for (int i = 0; i < n; i++) vla += o[i];
  int *p = __builtin_alloca(64 + (n & 63));
  p[n & 15] = vla; p[3] = 7;
  o[gid()] = p[o[0] & 15];
}
