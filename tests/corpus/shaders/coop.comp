#version 460
#extension GL_NV_cooperative_matrix : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_KHR_memory_scope_semantics : enable
layout(local_size_x = 32) in;
layout(binding = 0) buffer A { float16_t a[]; }; layout(binding = 1) buffer C { float c[]; };
layout(constant_id = 0) const uint M = 16;
void main() {
  fcoopmatNV<16, gl_ScopeSubgroup, M, 16> x, y; fcoopmatNV<32, gl_ScopeSubgroup, M, 16> z = fcoopmatNV<32, gl_ScopeSubgroup, M, 16>(0.0);
  coopMatLoadNV(x, a, 0, 16, false); coopMatLoadNV(y, a, 256, 16, true);
  z = coopMatMulAddNV(x, y, z); for (int i = 0; i < z.length(); i++) z[i] *= 2.0; coopMatStoreNV(z, c, 0, 16, false);
}
