; A Vulkan compute shader as the HLSL front end lowers it.
target triple = "spirv-unknown-vulkan1.3-compute"
@.s = private unnamed_addr constant [2 x i8] c"s\00"
declare target("spirv.VulkanBuffer", [0 x float], 12, 1) @llvm.spv.resource.handlefrombinding(i32, i32, i32, i32, ptr)
declare ptr addrspace(11) @llvm.spv.resource.getpointer.p11(target("spirv.VulkanBuffer", [0 x float], 12, 1), i32)
declare i32 @llvm.spv.thread.id.i32(i32)
declare float @llvm.sin.f32(float)

define float @poly(float %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = phi float [ %x, %entry ], [ %b, %loop ]
  %b = call float @llvm.sin.f32(float %a)
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %done
done:
  ret float %b
}

define void @main() #0 {
  %h = tail call target("spirv.VulkanBuffer", [0 x float], 12, 1) @llvm.spv.resource.handlefrombinding(i32 0, i32 1, i32 1, i32 0, ptr @.s)
  %t = call i32 @llvm.spv.thread.id.i32(i32 0)
  %p = call ptr addrspace(11) @llvm.spv.resource.getpointer.p11(target("spirv.VulkanBuffer", [0 x float], 12, 1) %h, i32 %t)
  %v = load float, ptr addrspace(11) %p
  %r = call float @poly(float %v, i32 5)
  store float %r, ptr addrspace(11) %p
  ret void
}
attributes #0 = { "hlsl.numthreads"="64,1,1" "hlsl.shader"="compute" }
