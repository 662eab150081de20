struct A { a: f32, @align(16) b: vec2<f32>, @size(32) c: i32 } struct B { x: array<A, 3>, y: mat2x3<f32>, z: vec3<u32> } struct C { n: u32, bs: array<B> }
@group(0) @binding(0) var<storage, read> src: C; @group(0) @binding(1) var<storage, read_write> dst: C; @group(0) @binding(2) var<uniform> idx: array<vec4<i32>, 4>;
fn make(i: i32) -> A { var a: A; a.a = f32(i); a.b = vec2(a.a, 1.0); a.c = i; return a; }
fn total(a: array<A, 3>) -> f32 { var t = 0.0; var l = a; for (var i = 0; i < 3; i++) { t += l[i].a + l[i].b.y; } return t; }
@compute @workgroup_size(1) fn main() { let k = idx[1].y; dst.bs[k] = src.bs[k + 1]; dst.bs[0].x[k % 3] = make(k); dst.bs[1].y[1].z = total(src.bs[2].x); dst.bs[2].z = vec3<u32>(src.n, arrayLength(&src.bs), 3u).zyx; var b = src.bs[1]; b.y[k & 1] = vec3(1.0); dst.bs[3] = b; }
@compute @workgroup_size(64, 2) fn second(@builtin(local_invocation_id) l: vec3<u32>) { dst.n = l.x * src.n; }
