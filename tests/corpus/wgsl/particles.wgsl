struct Particle { pos: vec3<f32>, vel: vec3<f32>, life: f32 }
struct Params { dt: f32, count: u32, gravity: vec3<f32>, m: mat4x4<f32> }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(0) @binding(2) var<storage, read_write> alive: atomic<u32>;
var<workgroup> tile: array<vec4<f32>, 64>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) gid: vec3<u32>, @builtin(local_invocation_index) lid: u32) {
  let i = gid.x;
  if (i >= params.count || i >= arrayLength(&particles)) { return; }
  var p = particles[i];
  p.vel += params.gravity * params.dt;
  p.pos = (params.m * vec4<f32>(p.pos + p.vel * params.dt, 1.0)).xyz;
  p.life -= params.dt;
  tile[lid] = vec4<f32>(p.pos, p.life);
  workgroupBarrier();
  for (var k = 32u; k > 0u; k = k / 2u) { if (lid < k) { tile[lid] = max(tile[lid], tile[lid + k]); } workgroupBarrier(); }
  if (p.life > 0.0) { atomicAdd(&alive, 1u); } else { p.life = select(0.0, 1.0, tile[0].w > 2.0); }
  particles[i] = p;
}
