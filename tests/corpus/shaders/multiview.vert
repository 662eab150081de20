#version 460
#extension GL_EXT_multiview : enable
#extension GL_ARB_shader_draw_parameters : enable
#extension GL_EXT_debug_printf : enable
layout(binding = 0) uniform U { mat4 m[2]; layout(row_major) mat3x4 r; layout(offset = 256) vec2 z[3]; } u;
layout(location = 0) out vec4 c; layout(location = 1, component = 0) out vec2 lo; layout(location = 1, component = 2) out vec2 hi; invariant gl_Position;
void main() { precise vec4 p = u.m[gl_ViewIndex] * vec4(gl_DrawIDARB, gl_BaseVertexARB, gl_BaseInstanceARB, 1); c = vec4(p * u.r, 1).xyzw; gl_Position = p; lo = u.z[1]; hi = p.xy; debugPrintfEXT("v %d %f", gl_VertexIndex, p.x); gl_CullDistance[0] = 1.0; }
