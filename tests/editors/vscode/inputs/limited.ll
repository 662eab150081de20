; Two vectors of 32 elements live through a loop: the vector registers limit the waves.
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @limited(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n) {
entry:
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  %p = getelementptr <32 x float>, ptr addrspace(1) %in, i32 %id
  %a = load <32 x float>, ptr addrspace(1) %p, align 16
  %q = getelementptr <32 x float>, ptr addrspace(1) %p, i32 64
  %b = load <32 x float>, ptr addrspace(1) %q, align 16
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi <32 x float> [ %a, %entry ], [ %next, %loop ]
  %m = fmul <32 x float> %acc, %b
  %next = fadd <32 x float> %m, %a
  %i.next = add i32 %i, 1
  %c = icmp slt i32 %i.next, %n
  br i1 %c, label %loop, label %exit

exit:
  %o = getelementptr <32 x float>, ptr addrspace(1) %out, i32 %id
  store <32 x float> %next, ptr addrspace(1) %o, align 16
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()
