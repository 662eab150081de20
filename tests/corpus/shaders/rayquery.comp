#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform accelerationStructureEXT tlas; layout(binding = 1) buffer O { vec4 o[]; };
void main() {
  rayQueryEXT rq; rayQueryInitializeEXT(rq, tlas, gl_RayFlagsNoneEXT, 0xff, vec3(gl_GlobalInvocationID), 0.0, vec3(0, 1, 0), 10.0);
  while (rayQueryProceedEXT(rq)) { if (rayQueryGetIntersectionTypeEXT(rq, false) == gl_RayQueryCandidateIntersectionTriangleEXT) rayQueryConfirmIntersectionEXT(rq); else rayQueryGenerateIntersectionEXT(rq, 3.0); if (rayQueryGetIntersectionTEXT(rq, false) > 9.0) rayQueryTerminateEXT(rq); }
  if (rayQueryGetIntersectionTypeEXT(rq, true) != 0u) o[gl_LocalInvocationIndex] = vec4(rayQueryGetIntersectionBarycentricsEXT(rq, true), rayQueryGetIntersectionTEXT(rq, true), float(rayQueryGetIntersectionInstanceIdEXT(rq, true))) + vec4(rayQueryGetIntersectionObjectToWorldEXT(rq, true)[1], rayQueryGetIntersectionFrontFaceEXT(rq, true) ? 1.0 : 0.0);
}
