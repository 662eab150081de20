// A kernel.
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.set lanes, 32
.macro twice r
  v_add_f32 \r, \r, \r
.endm
f:
  s_load_b64 s[0:1], s[4:5], 0x10
  s_waitcnt vmcnt(0) & lgkmcnt(0)
  v_fma_f32 v3, -|v0|, s0, 0.5 clamp ; a comment
  global_store_b32 v[0:1], v3, off offset:16 glc
  s_cbranch_vccnz .LBB0_1
.LBB0_1:
  s_endpgm
; GFX9-NEXT: s_mov [[X:s[0-9]+]], {{.*}}
; Note: not a test
