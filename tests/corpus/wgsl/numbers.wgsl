@group(0) @binding(0) var<storage, read_write> f: array<f32>;
@group(0) @binding(1) var<storage, read_write> i: array<i32>;
@group(0) @binding(2) var<storage, read_write> u: array<u32>;
override scale: f32 = 2.0; const K = array<i32, 4>(1, 2, 3, 5); var<private> counter: i32 = 4;
fn inc(p: ptr<function, i32>) -> i32 { *p += 1; counter += *p; return counter; }
@compute @workgroup_size(8, 4, 2)
fn main(@builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>) {
  let k = w.x; let x = f[k];
  f[k] = sin(x) + cos(x) * exp2(x) - log(x) + pow(x, 2.5) + sqrt(abs(x)) + fract(x) + mix(x, scale, 0.5) + clamp(x, 0.0, 1.0) + smoothstep(0.0, 1.0, x) + fma(x, x, x) + sign(x) + round(x) + atan2(x, 2.0) + ldexp(x, 3) + degrees(x);
  let m = modf(x); let r = frexp(x); f[k + 1u] = m.fract + m.whole + r.fract; i[k] = r.exp + i32(x) + K[k % 4u];
  u[k] = countOneBits(u[k]) + firstLeadingBit(u[k]) + reverseBits(u[k]) + extractBits(u[k], 3u, 5u) + insertBits(u[k], 7u, 2u, 4u) + pack4x8unorm(vec4(x)) + pack2x16float(vec2(x)) + bitcast<u32>(x) + dot(vec3(k), n);
  i[k + 1u] = i[k] / 3 + i[k] % 7 + (i[k] << 2u) + (i[k] >> 3u) + dot(vec2(i[k]), vec2(3, 4)) + select(-1, 1, x > 0.0 && k != 3u || any(vec2(x) < vec2(1.0)));
  var q = 3; while q < 10 { q = inc(&q); if q == 7 { continue; } } loop { q -= 1; continuing { q -= 2; break if q < 0; } }
  let mm = mat3x3<f32>(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0); f[2] = determinant(mm * transpose(mm)) + (mm * vec3(x)).y + length(cross(vec3(x), vec3(1.0, 2.0, 3.0))) + unpack4x8snorm(u[3]).z;
}
