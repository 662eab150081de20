groupshared float t[64]; RWByteAddressBuffer raw : register(u0); RWStructuredBuffer<float> o : register(u1); StructuredBuffer<float3> i : register(t0);
#ifdef SCALE
static const float K = SCALE;
#else
static const float K = 1.0;
#endif
[numthreads(64, 1, 1)] void main(uint3 g : SV_DispatchThreadID, uint l : SV_GroupIndex, uint3 w : SV_GroupID) {
  t[l] = dot(i[g.x], float3(1, 2, K)); GroupMemoryBarrierWithGroupSync();
  for (uint k = 32; k > 0; k >>= 1) { if (l < k) t[l] += t[l + k]; GroupMemoryBarrierWithGroupSync(); }
  uint old; raw.InterlockedMax(16, asuint(t[0]), old); raw.Store4(32, raw.Load4(64) + countbits(old) + firstbithigh(l)); if (l == 0) o[w.x] = t[0] * rcp(K); }
