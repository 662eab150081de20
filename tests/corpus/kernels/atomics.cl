#include "common.h"
#define RMW(name, T, space, op, ord, scope) \
  kernel void name(space T *p, global T *o, T v) { o[gid()] = op((space atomic_##T *)p, v, ord, scope); }
RMW(add_g, int, global, __opencl_atomic_fetch_add, memory_order_relaxed, memory_scope_device)
RMW(sub_g, int, global, __opencl_atomic_fetch_sub, memory_order_acquire, memory_scope_device)
RMW(and_g, int, global, __opencl_atomic_fetch_and, memory_order_release, memory_scope_device)
RMW(or_g, int, global, __opencl_atomic_fetch_or, memory_order_acq_rel, memory_scope_device)
RMW(xor_g, int, global, __opencl_atomic_fetch_xor, memory_order_seq_cst, memory_scope_all_svm_devices)
RMW(min_g, int, global, __opencl_atomic_fetch_min, memory_order_relaxed, memory_scope_work_group)
RMW(umax_g, uint, global, __opencl_atomic_fetch_max, memory_order_seq_cst, memory_scope_device)
RMW(xchg_g, int, global, __opencl_atomic_exchange, memory_order_relaxed, memory_scope_all_svm_devices)
RMW(add_l, int, local, __opencl_atomic_fetch_add, memory_order_seq_cst, memory_scope_work_group)
RMW(umin_l, uint, local, __opencl_atomic_fetch_min, memory_order_relaxed, memory_scope_work_group)
RMW(xchg_l, int, local, __opencl_atomic_exchange, memory_order_acq_rel, memory_scope_work_group)
RMW(ladd_g, long, global, __opencl_atomic_fetch_add, memory_order_relaxed, memory_scope_device)
RMW(lmax_g, ulong, global, __opencl_atomic_fetch_max, memory_order_relaxed, memory_scope_device)
RMW(fadd_g, float, global, __opencl_atomic_fetch_add, memory_order_relaxed, memory_scope_device)
RMW(fadd_l, float, local, __opencl_atomic_fetch_add, memory_order_relaxed, memory_scope_work_group)
RMW(dadd_g, double, global, __opencl_atomic_fetch_add, memory_order_relaxed, memory_scope_device)
RMW(fmin_g, float, global, __opencl_atomic_fetch_min, memory_order_relaxed, memory_scope_device)
kernel void cas(global int *p, global int *o, int e, int d) {
  int x = e;
  o[gid()] = __opencl_atomic_compare_exchange_strong((global atomic_int *)p, &x, d, memory_order_acq_rel, memory_order_acquire, memory_scope_device);
  o[gid() + 1] = x;
}
kernel void lcas(local long *p, global long *o, long e, long d) {
  long x = e;
  o[gid()] = __opencl_atomic_compare_exchange_weak((local atomic_long *)p, &x, d, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group);
  o[gid() + 1] = x;
}
kernel void flat(global int *g, local int *l, int k, global int *o) {
  generic int *p = k ? (generic int *)g : (generic int *)l;
  o[gid()] = __opencl_atomic_fetch_add((generic atomic_int *)p, 4, memory_order_seq_cst, memory_scope_device);
  *p = 5;
}
kernel void lock(global int *m, global int *data) {
  int free = 0;
  while (!__opencl_atomic_compare_exchange_strong((global atomic_int *)m, &free, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) free = 0;
  data[0] += 3;
  __opencl_atomic_store((global atomic_int *)m, 0, memory_order_release, memory_scope_device);
}
kernel void ldst(global int *p, global long *q, local int *r) {
  int x = __opencl_atomic_load((global atomic_int *)p, memory_order_acquire, memory_scope_work_group);
  __opencl_atomic_store((global atomic_long *)q, (long)x, memory_order_seq_cst, memory_scope_device);
  __opencl_atomic_store((local atomic_int *)r, x, memory_order_release, memory_scope_work_group);
}
