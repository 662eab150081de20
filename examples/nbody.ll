; One body a work-item: its acceleration by all others, which the workgroup reads together into LDS, 256 at a time.
target datalayout = "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

@tile = internal addrspace(3) global [256 x <4 x float>] poison, align 16

define amdgpu_kernel void @nbody(ptr addrspace(1) noalias %positions, ptr addrspace(1) noalias %accelerations, i32 %count) #0 {
entry:
  %item = call i32 @llvm.amdgcn.workitem.id.x()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %base = shl i32 %group, 8
  %body = add i32 %base, %item
  %own = getelementptr inbounds <4 x float>, ptr addrspace(1) %positions, i32 %body
  %p = load <4 x float>, ptr addrspace(1) %own, align 16
  %slot = getelementptr inbounds <4 x float>, ptr addrspace(3) @tile, i32 %item
  br label %tiles

tiles:
  %first = phi i32 [ 0, %entry ], [ %first.next, %tile.done ]
  %sum.tiles = phi <3 x float> [ zeroinitializer, %entry ], [ %sum.next, %tile.done ]
  %source = add i32 %first, %item
  %from = getelementptr inbounds <4 x float>, ptr addrspace(1) %positions, i32 %source
  %loaded = load <4 x float>, ptr addrspace(1) %from, align 16
  store <4 x float> %loaded, ptr addrspace(3) %slot, align 16
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %bodies

bodies:
  %j = phi i32 [ 0, %tiles ], [ %j.next, %bodies ]
  %sum = phi <3 x float> [ %sum.tiles, %tiles ], [ %sum.next, %bodies ]
  %other = getelementptr inbounds <4 x float>, ptr addrspace(3) @tile, i32 %j
  %q = load <4 x float>, ptr addrspace(3) %other, align 16
  %d4 = fsub <4 x float> %q, %p
  %d = shufflevector <4 x float> %d4, <4 x float> poison, <3 x i32> <i32 0, i32 1, i32 2>
  %x = extractelement <3 x float> %d, i64 0
  %y = extractelement <3 x float> %d, i64 1
  %z = extractelement <3 x float> %d, i64 2
  %xx = call float @llvm.fma.f32(float %x, float %x, float 0x3F50624DE0000000)
  %xy = call float @llvm.fma.f32(float %y, float %y, float %xx)
  %r2 = call float @llvm.fma.f32(float %z, float %z, float %xy)
  %inverse = call float @llvm.amdgcn.rsq.f32(float %r2)
  %cube = fmul float %inverse, %inverse
  %cubed = fmul float %cube, %inverse
  %mass = extractelement <4 x float> %q, i64 3
  %strength = fmul float %mass, %cubed
  %one = insertelement <3 x float> poison, float %strength, i64 0
  %all = shufflevector <3 x float> %one, <3 x float> poison, <3 x i32> zeroinitializer
  %sum.next = call <3 x float> @llvm.fma.v3f32(<3 x float> %d, <3 x float> %all, <3 x float> %sum)
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp samesign ult i32 %j.next, 256
  br i1 %more, label %bodies, label %tile.done

tile.done:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %first.next = add i32 %first, 256
  %left = icmp slt i32 %first.next, %count
  br i1 %left, label %tiles, label %store

store:
  %into = getelementptr inbounds <4 x float>, ptr addrspace(1) %accelerations, i32 %body
  store <3 x float> %sum.next, ptr addrspace(1) %into, align 16
  ret void
}

declare i32 @llvm.amdgcn.workitem.id.x()

declare i32 @llvm.amdgcn.workgroup.id.x()

declare void @llvm.amdgcn.s.barrier()

declare float @llvm.amdgcn.rsq.f32(float)

declare float @llvm.fma.f32(float, float, float)

declare <3 x float> @llvm.fma.v3f32(<3 x float>, <3 x float>, <3 x float>)

attributes #0 = { nounwind "amdgpu-flat-work-group-size"="256,256" }
