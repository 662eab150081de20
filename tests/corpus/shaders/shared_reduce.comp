#version 460
layout(local_size_x_id = 0, local_size_y = 1) in;
layout(constant_id = 1) const uint N = 256u;
shared float tile[N]; shared uint cnt;
layout(std430, binding = 0) readonly buffer In { float x[]; }; layout(std430, binding = 1) coherent writeonly buffer Out { float y[]; }; layout(binding = 2) volatile buffer C { uint c; uint hist[256]; };
void main() {
  uint l = gl_LocalInvocationID.x;
  tile[l] = gl_GlobalInvocationID.x < x.length() ? x[gl_GlobalInvocationID.x] : 0.0;
  if (l == 0u) cnt = 0u;
  barrier();
  for (uint k = N / 2u; k > 0u; k >>= 1) { if (l < k) tile[l] += tile[l + k]; memoryBarrierShared(); barrier(); }
  atomicAdd(cnt, 1u); atomicMin(hist[l & 255u], l); atomicMax(hist[1], l); atomicAnd(hist[2], l); atomicOr(hist[3], l); atomicXor(hist[4], l); atomicExchange(hist[5], l);
  if (atomicCompSwap(c, 0u, 1u) == 0u) y[gl_WorkGroupID.x] = tile[0];
  groupMemoryBarrier(); memoryBarrier(); memoryBarrierBuffer();
}
