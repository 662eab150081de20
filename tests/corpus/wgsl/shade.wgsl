struct V { @builtin(position) pos: vec4<f32>, @location(0) uv: vec2<f32>, @location(1) @interpolate(flat) id: u32 }
struct Light { pos: vec4<f32>, color: vec3<f32> }
struct Lights { n: u32, items: array<Light, 8> }
@group(0) @binding(0) var tex: texture_2d<f32>;
@group(0) @binding(1) var smp: sampler;
@group(0) @binding(2) var shadow: texture_depth_2d_array;
@group(0) @binding(3) var cmp: sampler_comparison;
@group(0) @binding(4) var<uniform> lights: Lights;
@group(1) @binding(0) var out_tex: texture_storage_2d<rgba8unorm, write>;
@vertex fn vs(@builtin(vertex_index) i: u32, @builtin(instance_index) j: u32, @location(0) p: vec3<f32>) -> V {
  var o: V; let xy = array<vec2<f32>, 3>(vec2(-1.0, -1.0), vec2(3.0, -1.0), vec2(-1.0, 3.0)); var t = xy;
  o.pos = vec4(t[i % 3u], p.z, 1.0); o.uv = t[i % 3u] * 0.5 + 0.5; o.id = j; return o;
}
fn falloff(d: f32) -> f32 { if d < 1.0 { return 1.0; } else if d > 10.0 { return 0.0; } return 1.0 / (d * d); }
@fragment fn fs(v: V, @builtin(front_facing) ff: bool) -> @location(0) vec4<f32> {
  var c = textureSample(tex, smp, v.uv);
  if c.a < 0.1 { discard; }
  var acc = vec3<f32>();
  for (var i = 0u; i < min(lights.n, 8u); i++) { let l = lights.items[i]; acc += l.color * falloff(distance(l.pos.xyz, v.pos.xyz)); if acc.x > 100.0 { break; } }
  let s = textureSampleCompareLevel(shadow, cmp, v.uv, i32(v.id), 0.5);
  switch v.id { case 0u, 1u: { c.r = 1.0; } case 2u: { c.g = textureLoad(tex, vec2<i32>(v.uv * 4.0), 0).x; } default: { c.b = dpdx(v.uv.x); } }
  textureStore(out_tex, vec2<i32>(v.pos.xy), c);
  return vec4(acc * s * c.rgb, select(0.5, 1.0, ff));
}
