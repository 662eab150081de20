cbuffer Scene : register(b0) { float4x4 vp; float3 eye; float t; row_major float3x4 w; };
struct I { float3 p : POSITION; float2 uv : TEXCOORD0; uint id : SV_InstanceID; }; struct O { float4 p : SV_Position; float2 uv : TEXCOORD0; nointerpolation uint k : K; };
StructuredBuffer<float4> inst : register(t3);
O main(I i) { O o; o.p = mul(vp, float4(i.p + inst[i.id].xyz * sin(t), 1)); o.uv = i.uv * 2 - frac(eye.xy); o.k = asuint(i.p.x) ^ i.id; return o; }
