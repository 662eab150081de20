// Shared by the OpenCL C kernels of the corpus: work-item ids without a device library.
#pragma once
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#ifdef __AMDGCN__
static inline uint lid(void) { return __builtin_amdgcn_workitem_id_x(); }
static inline uint lidy(void) { return __builtin_amdgcn_workitem_id_y(); }
static inline uint wgid(void) { return __builtin_amdgcn_workgroup_id_x(); }
static inline uint wgidy(void) { return __builtin_amdgcn_workgroup_id_y(); }
static inline void barrier_lds(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
#else
static inline uint lid(void) { return get_local_id(0); }
static inline uint lidy(void) { return get_local_id(1); }
static inline uint wgid(void) { return get_group_id(0); }
static inline uint wgidy(void) { return get_group_id(1); }
static inline void barrier_lds(void) { barrier(CLK_LOCAL_MEM_FENCE); }
#endif
static inline uint gid(void) { return wgid() * 256 + lid(); }
static inline uint gidy(void) { return wgidy() * 16 + lidy(); }
