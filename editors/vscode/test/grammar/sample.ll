; A comment.
target triple = "amdgcn-amd-amdhsa"
%pair = type { i32, ptr addrspace(3) }
@table = internal constant [2 x float] [float 1.5e-3, float 0x3F50624DE0000000], align 4
define amdgpu_kernel void @"quoted name"(ptr addrspace(1) noalias %p, i32 %0) #0 !dbg !5 {
entry:
  %x = add nuw nsw i32 %0, -7
  %c = icmp slt i32 %x, 10
  br i1 %c, label %then, label %"other label"
then:
  call void @llvm.amdgcn.s.barrier(), !range !{i32 0, i32 4}
  store atomic i32 %x, ptr addrspace(1) %p syncscope("agent") seq_cst, align 4
  ret void
"other label":
  unreachable
}
attributes #0 = { nounwind "amdgpu-waves-per-eu"="1,8" }
!5 = distinct !DISubprogram(name: "f", line: 12, flags: DIFlagPrototyped)
; GFX9-NEXT: s_mov [[X:s[0-9]+]], {{.*}}
; Note: not a test
