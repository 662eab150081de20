#version 460
#extension GL_EXT_demote_to_helper_invocation : enable
#extension GL_EXT_fragment_shader_barycentric : enable
#extension GL_ARB_fragment_shader_interlock : enable
#extension GL_EXT_fragment_invocation_density : enable
layout(pixel_interlock_ordered) in; layout(location = 0) out vec4 o; layout(binding = 0) buffer B { vec4 b[]; }; layout(location = 0) pervertexEXT in vec3 pv[];
void main() { if (gl_BaryCoordEXT.x < 0.1) demote; beginInvocationInterlockARB(); b[3] += vec4(pv[0] * gl_BaryCoordEXT.y + pv[1], 1); endInvocationInterlockARB(); o = helperInvocationEXT() ? vec4(0) : b[2]; }
