#version 460
layout(triangles, invocations = 2) in; layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec3 n[]; layout(location = 0) out vec3 c; layout(stream = 0) out; layout(xfb_buffer = 0, xfb_stride = 16, xfb_offset = 0, location = 1) out vec4 x;
void main() {
  for (int i = 0; i < gl_in.length(); i++) {
    c = n[i]; x = gl_in[i].gl_Position; gl_Position = gl_in[i].gl_Position * float(gl_InvocationID); gl_Layer = gl_PrimitiveIDIn; gl_ViewportIndex = 1; EmitVertex();
  }
  EndPrimitive();
}
