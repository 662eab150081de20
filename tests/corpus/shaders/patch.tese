#version 460
layout(quads, fractional_even_spacing, ccw) in;
layout(location = 0) in vec3 q[]; layout(location = 1) patch in vec4 extra; layout(location = 0) out vec3 n;
void main() {
  vec3 a = mix(q[0], q[1], gl_TessCoord.x), b = mix(q[2], q[3], gl_TessCoord.x);
  n = cross(a, b) + extra.xyz * gl_TessLevelInner[0];
  gl_Position = vec4(mix(a, b, gl_TessCoord.y), 1.0) + gl_in[0].gl_Position; gl_ClipDistance[0] = n.z; gl_ClipDistance[1] = 2.0;
}
