#version 460
#extension GL_EXT_ray_tracing : require
struct P { vec3 c; int depth; }; layout(location = 0) rayPayloadInEXT P pay; hitAttributeEXT vec2 bc;
layout(binding = 0) uniform accelerationStructureEXT tlas; layout(shaderRecordEXT) buffer R { vec4 tint; };
void main() {
  vec3 p = gl_WorldRayOriginEXT + gl_WorldRayDirectionEXT * gl_HitTEXT; pay.c = vec3(1.0 - bc.x - bc.y, bc) * tint.rgb * float(gl_InstanceCustomIndexEXT + gl_PrimitiveID) + gl_ObjectToWorldEXT[3] + p;
  if (pay.depth++ < 3) traceRayEXT(tlas, gl_RayFlagsTerminateOnFirstHitEXT, 0xff, 0, 1, 0, p, 0.001, reflect(gl_WorldRayDirectionEXT, pay.c), 10.0, 0);
}
