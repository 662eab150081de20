// HIP-like device code without headers: kernels, LDS, templates, virtual calls.
#define K extern "C" __attribute__((amdgpu_kernel))
#define LDS __attribute__((address_space(3)))
#define GLB __attribute__((address_space(1)))
static LDS float tile[256]; extern LDS int dyn[]; __attribute__((address_space(4))) const int lut[4] = {1, 2, 3, 5}; GLB int counter;
template <class T, int N> __attribute__((always_inline)) T red(T *p) { T s = 0; for (int i = 0; i < N; i++) s += p[i]; return s; }
struct Base { virtual int f(int) const; int x; }; int Base::f(int k) const { return x + k; } struct Der : Base { int f(int k) const override { return x * k; } };
K void k1(float *o, const float *__restrict__ a, int n) { int t = __builtin_amdgcn_workitem_id_x(); tile[t] = a[t]; __builtin_amdgcn_s_barrier(); o[t] = tile[255 - t] + red<float, 4>((float *)tile) + (float)lut[t & 3]; }
K void k2(int *o, Base *b) { o[0] = b->f(o[1]); __atomic_fetch_add(&counter, 3, __ATOMIC_SEQ_CST); dyn[o[2]] = __scoped_atomic_fetch_add(o, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_WRKGRP); }
K void k3(double *d, int (*fp)(int)) { d[0] = __builtin_sin(d[1]) + fp(3); Der x; x.x = 3; d[1] = x.f((int)d[2]); unsigned long e = __builtin_amdgcn_read_exec(); d[2] = (double)e; }
__attribute__((amdgpu_flat_work_group_size(64, 256), amdgpu_waves_per_eu(2, 4))) K void k4(_Float16 *h, __bf16 *b) { int i = __builtin_amdgcn_workitem_id_x(); h[i] = h[i] * (_Float16)2 + (_Float16)(float)b[i]; b[i] = (__bf16)(float)h[i]; }
