Texture2D<float4> tex : register(t0); Texture2DArray arr : register(t1); TextureCube<float3> cube : register(t2); SamplerState s : register(s0); SamplerComparisonState sc : register(s1); Texture2D<float> sm : register(t4);
RWTexture2D<uint> rw : register(u1); RWStructuredBuffer<uint2> sb : register(u2); Buffer<float4> buf : register(t5);
struct O { float4 c : SV_Target0; float2 d : SV_Target1; float z : SV_Depth; };
[earlydepthstencil] O main(float4 p : SV_Position, float2 uv : TEXCOORD0, nointerpolation uint k : K, bool f : SV_IsFrontFace) {
  O o; o.c = tex.Sample(s, uv) + arr.SampleLevel(s, float3(uv, 2), 1) + tex.Gather(s, uv) + buf[3] + tex.Load(int3(p.xy, 0)); o.c.rgb += cube.SampleBias(s, p.xyz, 0.5) * sm.SampleCmpLevelZero(sc, uv, 0.4);
  clip(o.c.a - 0.3); uint q; InterlockedAdd(rw[uint2(p.xy)], 1, q); sb[k].y = q; [unroll] for (int i = 0; i < 3; i++) o.c[i] = f ? saturate(o.c[i]) : lerp(o.c[i], ddx(uv.x), 0.3);
  o.d = uv; o.z = p.z * 0.5; return o; }
