#version 460
layout(location = 0) in vec3 pos; layout(location = 1) in vec3 nrm; layout(location = 2) in vec2 uv; layout(location = 3) in uvec4 joints; layout(location = 4) in vec4 weights;
layout(set = 0, binding = 0, std140) uniform View { mat4 view; mat4 proj; vec3 eye; float time; } view;
layout(set = 1, binding = 0, std430) readonly buffer Bones { mat4 m[]; } bones;
layout(push_constant) uniform Push { mat4 model; vec4 tint; int flags; } pc;
layout(location = 0) out V { vec3 nrm; vec2 uv; vec4 tint; flat int flags; } o;
void main() {
  mat4 skin = mat4(0.0);
  for (int i = 0; i < 4; i++) skin += bones.m[joints[i]] * weights[i];
  vec4 p = pc.model * skin * vec4(pos, 1.0);
  o.nrm = normalize(mat3(pc.model) * nrm);
  o.uv = uv + vec2(sin(view.time), cos(view.time)) * float(gl_VertexIndex & 3);
  o.tint = pc.tint; o.flags = pc.flags + gl_InstanceIndex;
  gl_Position = view.proj * view.view * p;
  gl_PointSize = 2.0;
}
