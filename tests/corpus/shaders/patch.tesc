#version 460
layout(vertices = 4) out;
layout(location = 0) in vec3 p[]; layout(location = 0) out vec3 q[]; layout(location = 1) patch out vec4 extra;
void main() {
  q[gl_InvocationID] = p[gl_InvocationID] * float(gl_PatchVerticesIn);
  barrier();
  if (gl_InvocationID == 0) { gl_TessLevelOuter[0] = 2.0; gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = 4.0; gl_TessLevelOuter[3] = length(q[1]); gl_TessLevelInner[0] = 5.0; gl_TessLevelInner[1] = 6.0; extra = vec4(q[2], 1.0); }
  gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
}
