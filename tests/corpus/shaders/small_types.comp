#version 460
#extension GL_EXT_shader_16bit_storage : enable
#extension GL_EXT_shader_8bit_storage : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_atomic_int64 : enable
layout(local_size_x = 32) in;
layout(binding = 0, std430) buffer B { float16_t h[32]; int8_t c[32]; uint16_t s[32]; int64_t l[32]; f16vec4 hv[8]; u8vec4 cv[8]; uint64_t a; };
layout(push_constant) uniform P { float16_t ph; uint16_t ps; } p;
void main() {
  uint k = gl_LocalInvocationID.x;
  h[k] = h[k] * p.ph + float16_t(2.5); c[k] = int8_t(c[k] + int8_t(3)); s[k] = s[k] << 2us; l[k] = l[k] * 3l - int64_t(k);
  hv[k & 7u] = fma(hv[0], hv[1], hv[2]) + f16vec4(sqrt(hv[3])); cv[k & 7u] = cv[1] & cv[2];
  atomicAdd(a, 5ul); atomicMax(a, uint64_t(k));
  h[1] = float16_t(float(s[2])); l[2] = packInt2x32(ivec2(3, 4)); s[5] = uint16_t(unpack32(a).x);
}
