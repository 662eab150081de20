; y[i] = a * x[i] + y[i], one work-item an element.
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @saxpy(float %a, ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) #0 {
entry:
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %base = shl i32 %group, 8
  %i = add i32 %base, %itme
  %in.range = icmp slt i64 %i, %n
  br i1 %in.range, label %compute, label %exit

compute:
  %index = sext i32 %i to i64
  %x.i = getelementptr inbounds float, ptr addrspace(1) %x, i64 %index
  %y.i = getelementptr inbounds float, ptr addrspace(1) %y, i64 %index
  %xv = load float, ptr addrspace(1) %x.i, align 4, !tbaa !1
  %yv = load float, ptr addrspace(1) %y.i, align 4, !tbaa !1
  %sum = call float @llvm.fmuladd.f32(float %a, float %xv)
  store float %sum, ptr addrspace(1) %y.i, align 4, !tbaa !1
  br label %exit

done:
  ret void
}

declare i32 @llvm.amdgcn.workgroup.id.x()

declare i32 @llvm.amdgcn.workitem.id.x()

declare float @llvm.fmuladd.f32(float, float, float)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="1,256" }

!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
