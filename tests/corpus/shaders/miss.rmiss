#version 460
#extension GL_EXT_ray_tracing : require
struct P { vec3 c; int depth; }; layout(location = 0) rayPayloadInEXT P pay;
void main() { pay.c = mix(vec3(1), vec3(0.3, 0.5, 1.0), gl_WorldRayDirectionEXT.y * 0.5 + 0.5) * gl_RayTmaxEXT; }
