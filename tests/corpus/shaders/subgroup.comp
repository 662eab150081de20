#version 460
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_KHR_shader_subgroup_arithmetic : enable
#extension GL_KHR_shader_subgroup_ballot : enable
#extension GL_KHR_shader_subgroup_shuffle : enable
#extension GL_KHR_shader_subgroup_shuffle_relative : enable
#extension GL_KHR_shader_subgroup_clustered : enable
#extension GL_KHR_shader_subgroup_quad : enable
layout(local_size_x = 64) in;
layout(binding = 0) buffer B { uint u[64]; vec4 v[64]; int i[64]; };
void main() {
  uint k = gl_SubgroupInvocationID + gl_SubgroupID * gl_SubgroupSize + gl_NumSubgroups;
  u[k] = subgroupAdd(u[k]) + subgroupMin(u[k]) + subgroupExclusiveMul(u[k]) + subgroupInclusiveXor(u[k]) + subgroupClusteredMax(u[k], 4u);
  v[k] = subgroupBroadcast(v[k], 3u) + subgroupShuffle(v[k], k ^ 1u) + subgroupShuffleUp(v[k], 1u) + subgroupShuffleDown(v[k], 2u) + subgroupShuffleXor(v[k], 5u) + subgroupQuadSwapHorizontal(v[k]) + subgroupQuadBroadcast(v[k], 2u);
  uvec4 m = subgroupBallot(i[k] > 3);
  if (subgroupElect()) u[0] = subgroupBallotBitCount(m) + subgroupBallotFindLSB(m) + subgroupBallotFindMSB(m);
  if (subgroupAll(k > 1u) || subgroupAny(k > 3u) || subgroupAllEqual(k)) u[1] = subgroupBallotExclusiveBitCount(m);
  u[2] = subgroupBroadcastFirst(u[3]) + (subgroupInverseBallot(m) ? 1u : 0u) + (subgroupBallotBitExtract(m, 5u) ? 1u : 0u) + gl_SubgroupEqMask.x + gl_SubgroupLtMask.y;
  subgroupBarrier(); subgroupMemoryBarrier(); subgroupMemoryBarrierShared();
}
