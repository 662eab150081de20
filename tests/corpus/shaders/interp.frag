#version 460
layout(location = 0) in vec4 a; layout(location = 1) centroid in vec4 b; layout(location = 2) noperspective in vec2 c; layout(location = 3) sample in float d; layout(location = 4) flat in ivec3 e;
layout(location = 0) out vec4 o; layout(depth_greater) out float gl_FragDepth; 
void main() {
  o = interpolateAtCentroid(a) + interpolateAtSample(a, 1) + interpolateAtOffset(b, vec2(0.1)) + vec4(c, d, e.x);
  gl_FragDepth = gl_FragCoord.z + 0.1; gl_SampleMask[0] = gl_SampleMaskIn[0];
  if (gl_FrontFacing && !gl_HelperInvocation) o.x = gl_ClipDistance[0];
  o.yz += gl_PointCoord;
}
