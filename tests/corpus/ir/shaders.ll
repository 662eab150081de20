; Graphics entry points for amdgcn: images, samplers, buffers, exports, interpolation, per calling convention.
target triple = "amdgcn--amdpal"

declare <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32.v8i32.v4i32(i32 immarg, float, float, <8 x i32>, <4 x i32>, i1 immarg, i32 immarg, i32 immarg)
declare <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32.v8i32(i32 immarg, i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float>, i32 immarg, i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare float @llvm.amdgcn.image.sample.c.lz.2darray.f32.f32.v8i32.v4i32(i32 immarg, float, float, float, float, <8 x i32>, <4 x i32>, i1 immarg, i32 immarg, i32 immarg)
declare <4 x float> @llvm.amdgcn.image.gather4.l.cube.v4f32.f32.v8i32.v4i32(i32 immarg, float, float, float, float, <8 x i32>, <4 x i32>, i1 immarg, i32 immarg, i32 immarg)
declare { <2 x float>, i32 } @llvm.amdgcn.image.load.3d.sl_v2f32i32s.i32.v8i32(i32 immarg, i32, i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare i32 @llvm.amdgcn.image.atomic.add.1d.i32.i32.v8i32(i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare i32 @llvm.amdgcn.image.atomic.cmpswap.2d.i32.i32.v8i32(i32, i32, i32, i32, <8 x i32>, i32 immarg, i32 immarg)
declare void @llvm.amdgcn.exp.f32(i32 immarg, i32 immarg, float, float, float, float, i1 immarg, i1 immarg)
declare void @llvm.amdgcn.exp.compr.v2f16(i32 immarg, i32 immarg, <2 x half>, <2 x half>, i1 immarg, i1 immarg)
declare float @llvm.amdgcn.interp.p1(float, i32 immarg, i32 immarg, i32)
declare float @llvm.amdgcn.interp.p2(float, float, i32 immarg, i32 immarg, i32)
declare float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32>, i32, i32, i32 immarg)
declare <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32>, i32, i32, i32, i32 immarg)
declare void @llvm.amdgcn.raw.tbuffer.store.v4f32(<4 x float>, <4 x i32>, i32, i32, i32 immarg, i32 immarg)
declare i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32, <4 x i32>, i32, i32, i32 immarg)
declare i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32>, i32, i32 immarg)
declare <8 x float> @llvm.amdgcn.s.buffer.load.v8f32(<4 x i32>, i32, i32 immarg)
declare void @llvm.amdgcn.kill(i1)
declare i1 @llvm.amdgcn.wqm.vote(i1)
declare float @llvm.amdgcn.wqm.f32(float)
declare i1 @llvm.amdgcn.live.mask()
declare i32 @llvm.amdgcn.set.inactive.i32(i32, i32)
declare i32 @llvm.amdgcn.strict.wwm.i32(i32)
declare void @llvm.amdgcn.init.exec(i64 immarg)
declare void @llvm.amdgcn.s.sendmsg(i32 immarg, i32)
declare i32 @llvm.amdgcn.ds.ordered.add(ptr addrspace(2), i32, i32, i32, i1, i32 immarg, i1, i1)
declare <2 x half> @llvm.amdgcn.cvt.pkrtz(float, float)

define amdgpu_ps <4 x float> @ps(<8 x i32> inreg %img, <4 x i32> inreg %smp, i32 inreg %prim, <2 x float> %ij, float %d) #0 {
entry:
  %i = extractelement <2 x float> %ij, i32 0
  %j = extractelement <2 x float> %ij, i32 1
  %p1 = call float @llvm.amdgcn.interp.p1(float %i, i32 0, i32 0, i32 %prim)
  %u = call float @llvm.amdgcn.interp.p2(float %p1, float %j, i32 0, i32 0, i32 %prim)
  %t = call <4 x float> @llvm.amdgcn.image.sample.2d.v4f32.f32.v8i32.v4i32(i32 15, float %u, float %j, <8 x i32> %img, <4 x i32> %smp, i1 false, i32 0, i32 0)
  %a = extractelement <4 x float> %t, i32 3
  %c = fcmp ogt float %a, 5.000000e-01
  call void @llvm.amdgcn.kill(i1 %c)
  %s = call float @llvm.amdgcn.image.sample.c.lz.2darray.f32.f32.v8i32.v4i32(i32 1, float %d, float %u, float %j, float 1.0, <8 x i32> %img, <4 x i32> %smp, i1 true, i32 0, i32 0)
  %w = call float @llvm.amdgcn.wqm.f32(float %s)
  %r = insertelement <4 x float> %t, float %w, i32 2
  %live = call i1 @llvm.amdgcn.live.mask()
  br i1 %live, label %then, label %done
then:
  %g = call <4 x float> @llvm.amdgcn.image.gather4.l.cube.v4f32.f32.v8i32.v4i32(i32 1, float %u, float %j, float %a, float 0.0, <8 x i32> %img, <4 x i32> %smp, i1 false, i32 0, i32 0)
  %m = fmul <4 x float> %g, %r
  br label %done
done:
  %o = phi <4 x float> [ %r, %entry ], [ %m, %then ]
  ret <4 x float> %o
}

define amdgpu_vs void @vs(<4 x i32> inreg %vb, i32 inreg %base, i32 %vid) {
  %k = add i32 %vid, %base
  %v = call <4 x float> @llvm.amdgcn.struct.buffer.load.format.v4f32(<4 x i32> %vb, i32 %k, i32 0, i32 0, i32 0)
  %x = extractelement <4 x float> %v, i32 0
  %y = extractelement <4 x float> %v, i32 1
  %m = call <8 x float> @llvm.amdgcn.s.buffer.load.v8f32(<4 x i32> %vb, i32 64, i32 0)
  %m0 = extractelement <8 x float> %m, i32 0
  %z = call float @llvm.fma.f32(float %x, float %m0, float %y)
  call void @llvm.amdgcn.exp.f32(i32 12, i32 15, float %x, float %y, float %z, float 1.0, i1 false, i1 false)
  call void @llvm.amdgcn.exp.f32(i32 32, i32 15, float %z, float %y, float 0.0, float poison, i1 true, i1 false)
  ret void
}
declare float @llvm.fma.f32(float, float, float)

define amdgpu_cs void @cs(<8 x i32> inreg %img, <4 x i32> inreg %buf, <3 x i32> %tid) {
  %x = extractelement <3 x i32> %tid, i32 0
  %y = extractelement <3 x i32> %tid, i32 1
  %p = call <4 x float> @llvm.amdgcn.image.load.2d.v4f32.i32.v8i32(i32 15, i32 %x, i32 %y, <8 x i32> %img, i32 0, i32 1)
  %l = call { <2 x float>, i32 } @llvm.amdgcn.image.load.3d.sl_v2f32i32s.i32.v8i32(i32 3, i32 %x, i32 %y, i32 4, <8 x i32> %img, i32 1, i32 0)
  %e = extractvalue { <2 x float>, i32 } %l, 1
  %o = call i32 @llvm.amdgcn.image.atomic.add.1d.i32.i32.v8i32(i32 %e, i32 %x, <8 x i32> %img, i32 0, i32 0)
  %q = call i32 @llvm.amdgcn.image.atomic.cmpswap.2d.i32.i32.v8i32(i32 %o, i32 3, i32 %x, i32 %y, <8 x i32> %img, i32 0, i32 0)
  %f = uitofp i32 %q to float
  %r = insertelement <4 x float> %p, float %f, i32 1
  call void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float> %r, i32 15, i32 %x, i32 %y, <8 x i32> %img, i32 0, i32 0)
  %b = call float @llvm.amdgcn.raw.buffer.load.f32(<4 x i32> %buf, i32 %x, i32 16, i32 1)
  %h = call <2 x half> @llvm.amdgcn.cvt.pkrtz(float %b, float %f)
  %hi = bitcast <2 x half> %h to i32
  %at = call i32 @llvm.amdgcn.raw.buffer.atomic.add.i32(i32 %hi, <4 x i32> %buf, i32 %y, i32 0, i32 0)
  call void @llvm.amdgcn.raw.tbuffer.store.v4f32(<4 x float> %r, <4 x i32> %buf, i32 %at, i32 0, i32 77, i32 0)
  %si = call i32 @llvm.amdgcn.set.inactive.i32(i32 %at, i32 0)
  %ww = call i32 @llvm.amdgcn.strict.wwm.i32(i32 %si)
  %fw = sitofp i32 %ww to float
  call void @llvm.amdgcn.image.store.2d.v4f32.i32.v8i32(<4 x float> splat (float 1.0), i32 15, i32 %ww, i32 %y, <8 x i32> %img, i32 0, i32 0)
  ret void
}

define amdgpu_gs void @gs(i32 inreg %m0, i32 %v) {
  call void @llvm.amdgcn.s.sendmsg(i32 34, i32 %m0)
  call void @llvm.amdgcn.s.sendmsg(i32 3, i32 %m0)
  ret void
}

define amdgpu_hs i32 @hs(<4 x i32> inreg %b, i32 %v) {
  %x = call i32 @llvm.amdgcn.s.buffer.load.i32(<4 x i32> %b, i32 32, i32 0)
  %y = mul i32 %x, %v
  %t = lshr i32 %y, 3
  ret i32 %t
}

define amdgpu_gfx float @gfx(float %a, ptr addrspace(5) %p, i32 inreg %k) {
  %v = load float, ptr addrspace(5) %p
  %q = getelementptr float, ptr addrspace(5) %p, i32 %k
  store float %a, ptr addrspace(5) %q
  %r = fadd contract float %v, %a
  ret float %r
}

define amdgpu_es void @es() {
  ret void
}

define amdgpu_ls void @ls() {
  ret void
}

attributes #0 = { "amdgpu-depth-export"="0" "InitialPSInputAddr"="2" }
