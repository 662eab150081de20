#include "common.h"
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))
constant uint K[64] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
                       0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};
kernel void rounds(global uint *st, global const uint *m) {
  uint a = st[0], b = st[1], c = st[2], d = st[3], e = st[4], f = st[5], g = st[6], h = st[7];
  for (int i = 0; i < 64; i++) {
    uint t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) + ((e & f) ^ (~e & g)) + K[i & 15] + m[(gid() * 16 + i) & 1023];
    uint t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
  }
  st[gid() * 8] += a; st[1] += b; st[2] += c; st[3] += d; st[4] += e; st[5] += f; st[6] += g; st[7] += h;
}
kernel void xorshift(global ulong *s, uint n) {
  ulong x = s[gid()];
  for (uint i = 0; i < n; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
  s[gid()] = x;
}
kernel void mulhi(global uint *o, global ulong *w) {
  uint i = gid();
  o[i] = (uint)(((ulong)o[i] * o[i + 1]) >> 32);
  __uint128_t p = (__uint128_t)w[i] * w[i + 1];
  w[i] = (ulong)(p >> 64) ^ (ulong)p;
}
