#version 460
layout(local_size_x = 8, local_size_y = 4, local_size_z = 2) in;
layout(binding = 0) buffer B { float f[64]; int i[64]; uint u[64]; vec4 v[16]; mat3 m; dvec2 d[8]; mat4x2 r; } b;
void main() {
  uint k = gl_LocalInvocationIndex;
  float x = b.f[k], e;
  b.f[k] = sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan(x, 2.0) + sinh(x) + cosh(x) + tanh(x) + asinh(x) + acosh(x) + atanh(x);
  b.f[k + 1] = pow(x, 3.0) + exp(x) + log(x) + exp2(x) + log2(x) + sqrt(x) + inversesqrt(x) + abs(x) + sign(x) + floor(x) + trunc(x) + round(x) + roundEven(x) + ceil(x) + fract(x) + mod(x, 3.0) + min(x, 2.0) + max(x, 1.0) + clamp(x, 0.0, 1.0) + mix(x, 2.0, 0.5) + step(x, 0.5) + smoothstep(0.0, 1.0, x) + fma(x, x, x) + frexp(x, b.i[0]) + ldexp(x, 3) + modf(x, e) + e;
  b.v[k & 15] = normalize(b.v[0]) + cross(b.v[1].xyz, b.v[2].xyz).xyzz + reflect(b.v[3], b.v[4]) + refract(b.v[3], b.v[4], 0.7) + faceforward(b.v[0], b.v[1], b.v[2]) + distance(b.v[0], b.v[1]) + vec4(lessThan(b.v[0], b.v[1])) + vec4(any(equal(b.v[1], b.v[2])));
  b.m = transpose(b.m) * inverse(b.m) * determinant(b.m) + outerProduct(b.v[0].xyz, b.v[1].xyz) - matrixCompMult(b.m, b.m);
  b.r = b.r * 2.0; b.v[3].xy = b.r * b.v[4];
  b.u[k] = packHalf2x16(b.v[0].xy) ^ packUnorm4x8(b.v[1]) ^ packSnorm2x16(b.v[2].zw) + floatBitsToUint(x) + bitfieldReverse(b.u[1]) + bitfieldExtract(b.u[2], 3, 4) + bitfieldInsert(b.u[3], b.u[4], 5, 6);
  b.v[5] = vec4(unpackHalf2x16(b.u[0]), unpackSnorm2x16(b.u[1])) + unpackUnorm4x8(b.u[3]);
  b.i[k] = bitCount(b.u[k]) + findLSB(b.u[k]) + findMSB(b.i[k]) + (b.i[1] << 3) + (b.i[2] >> 2) + b.i[3] % 7 + b.i[4] / 3 + ~b.i[5] + int(b.f[5]) + (b.i[6] > 3 ? 4 : -5);
  uint c, lo; int hi, li;
  b.u[5] = uaddCarry(b.u[6], b.u[7], c) + c + usubBorrow(b.u[1], b.u[2], lo) + lo;
  umulExtended(b.u[1], b.u[2], c, lo); imulExtended(b.i[1], b.i[2], hi, li); b.u[6] = c ^ lo; b.i[7] = hi ^ li;
  b.d[k & 7] = sqrt(b.d[1]) * b.d[2] + fma(b.d[1], b.d[2], b.d[3]) + dvec2(x, 2.5lf);
  bool t = isnan(x) || isinf(x) && !(x > 1.0) ^^ (x != 2.0);
  if (t) b.f[9] = intBitsToFloat(b.i[9]);
}
