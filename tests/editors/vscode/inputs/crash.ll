; gfx600 does not have the instruction that this call needs.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @bad(i32 %a, ptr addrspace(1) %p) #0 {
  %t = add i32 %a, 3
  %r = call i32 @llvm.amdgcn.sdot4(i32 %t, i32 %a, i32 1, i1 false)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.amdgcn.sdot4(i32, i32, i32, i1)

attributes #0 = { "target-cpu"="gfx600" }
