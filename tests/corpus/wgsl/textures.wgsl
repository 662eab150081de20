@group(0) @binding(0) var a: texture_3d<f32>; @group(0) @binding(1) var b: texture_cube_array<f32>; @group(0) @binding(2) var c: texture_multisampled_2d<i32>; @group(0) @binding(3) var d: texture_depth_cube;
@group(0) @binding(4) var s: sampler; @group(0) @binding(5) var sc: sampler_comparison; @group(0) @binding(6) var e: texture_storage_3d<r32uint, read_write>; @group(0) @binding(7) var g: texture_2d_array<u32>; @group(0) @binding(8) var h: texture_1d<f32>;
@fragment fn main(@location(0) p: vec3<f32>, @builtin(sample_index) si: u32) -> @location(0) vec4<f32> {
  var r = vec4<f32>(textureLoad(e, vec3(1, 2, 3))) + vec4<f32>(textureLoad(g, vec2(1, 2), 3, 0)) + f32(textureNumLevels(a) + textureDimensions(g).x + textureNumLayers(b)) + textureSampleLevel(a, s, p, 1.0) + textureSampleBias(b, s, p, 2, 0.5) + vec4<f32>(textureLoad(c, vec2(1, 2), i32(si))) + vec4(textureSampleCompare(d, sc, p, 0.3)) + textureSampleGrad(a, s, p, p, p, vec3(1, 2, 3)) + textureSample(h, s, p.x);
  textureStore(e, vec3(1, 2, 3), vec4(7u)); return r;
}
