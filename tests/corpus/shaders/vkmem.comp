#version 460
#extension GL_KHR_memory_scope_semantics : enable
#pragma use_vulkan_memory_model
layout(local_size_x = 8) in;
layout(binding = 0) workgroupcoherent buffer B { uint a[]; }; layout(binding = 1, r32ui) uniform queuefamilycoherent uimage2D im; shared uint s;
void main() {
  atomicStore(s, 3u, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelease); uint x = atomicLoad(a[0], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
  x += atomicAdd(a[1], 1u, gl_ScopeQueueFamily, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease); a[2] = x + imageLoad(im, ivec2(1)).x;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease); memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsImage, gl_SemanticsAcquire | gl_SemanticsMakeVisible);
}
