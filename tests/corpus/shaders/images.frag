#version 460
layout(binding = 0, rgba8) uniform image2D a; layout(binding = 1, r32ui) uniform uimage2D b; layout(binding = 2, r32i) uniform iimageBuffer c;
layout(binding = 3, rgba16f) uniform writeonly image3D d; layout(binding = 4) uniform isampler2DArray e; layout(binding = 5) uniform sampler2DMS ms;
layout(binding = 6) uniform samplerCubeArray ca; layout(binding = 7) uniform samplerBuffer sb; layout(binding = 8) uniform sampler1D s1;
layout(input_attachment_index = 0, binding = 9) uniform subpassInput sp; layout(binding = 10) uniform sampler2DArrayShadow as;
layout(location = 0) out vec4 o; layout(early_fragment_tests) in;
void main() {
  ivec2 p = ivec2(gl_FragCoord.xy);
  vec4 x = imageLoad(a, p) + vec4(imageAtomicAdd(b, p, 3u)) + vec4(imageAtomicCompSwap(c, p.x, 1, 2));
  imageStore(d, ivec3(p, 2), x); imageStore(a, p, x.wzyx);
  x += vec4(texelFetch(e, ivec3(p, 1), 0)) + texelFetch(ms, p, 2) + texture(ca, vec4(1, 2, 3, 4)) + texelFetch(sb, 5);
  x += textureGrad(s1, 0.5, 0.1, 0.2) + textureOffset(s1, 0.25, 3) + subpassLoad(sp) + texture(as, vec4(0.5));
  x += textureGather(as, vec3(0.2), 0.5) + vec4(textureSize(e, 1), imageSize(a).x) + vec4(textureQueryLevels(ca)) + textureProj(s1, vec2(1, 2));
  x.xy += textureQueryLod(s1, 0.3);
  memoryBarrierImage();
  o = x * float(imageAtomicMax(b, p, 4u) + imageAtomicExchange(b, p, 9u)) + float(textureSamples(ms)) + vec4(gl_SampleID, gl_SamplePosition, 1.0);
}
