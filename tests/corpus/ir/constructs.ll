; Corners of the language which compilers seldom print.
source_filename = "constructs.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

module asm "\09.globl nothing"
module asm ".set nothing, 0"

%0 = type { i32, ptr, [3 x i8] }
%opaque = type opaque
%packed = type <{ i8, i64, <4 x float> }>
%rec = type { ptr, [2 x { i16, %0 }] }
%"quoted name" = type { x86_fp80, fp128, ppc_fp128, half, bfloat }

$grp = comdat any
$big = comdat largest
$nd = comdat nodeduplicate

@a = global i32 0, align 4
@b = private unnamed_addr constant [6 x i8] c"hi\0A\00\22\\"
@c = external dso_local thread_local(localexec) global i64
@d = linkonce_odr hidden local_unnamed_addr global %0 { i32 -3, ptr @a, [3 x i8] c"abc" }, comdat($grp)
@e = internal addrspace(3) global [4 x [2 x i32]] undef
@f = weak_odr protected constant ptr getelementptr inbounds nuw ([6 x i8], ptr @b, i64 0, i64 2)
@g = common global i128 0
@h = available_externally global i1 true
@i = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @fn, ptr null }]
@j = extern_weak externally_initialized global ptr, section "data.j", partition "p", code_model "large"
@k = dllexport global float 0x3FB99999A0000000, no_sanitize_address, sanitize_memtag, align 16
@l = global <3 x half> <half 0xH3C00, half 0xHFC00, half poison>
@m = global { x86_fp80, fp128, ppc_fp128, bfloat } { x86_fp80 0xK3FFF8000000000000000, fp128 0xL00000000000000003FFF000000000000, ppc_fp128 0xM3FF00000000000000000000000000000, bfloat 0xR3F80 }
@n = constant i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @d to i64))
@o = global ptr blockaddress(@fn, %loop)
@p = global ptr dso_local_equivalent @fn
@q = global ptr no_cfi @fn
@r = global i77 u0x1FFFFFFFFFFFFFFFFF
@s = global [2 x ptr] [ptr inttoptr (i64 42 to ptr), ptr addrspacecast (ptr addrspace(3) @e to ptr)]
@t = global <4 x i32> splat (i32 7)
@u = global double 0x7FF8000000000001
@"quoted \22 global" = global %packed zeroinitializer
@v = global ptr ptrauth (ptr @fn, i32 1, i64 1234, ptr @a)
@al = weak alias i32, ptr @a
@al2 = internal unnamed_addr alias i8, getelementptr (i8, ptr @d, i64 4)
@if = ifunc i32 (i32), ptr @resolve

declare token @llvm.experimental.convergence.entry() #2
declare void @llvm.assume(i1)
declare i32 @vararg(ptr nocapture readonly, ...) local_unnamed_addr #1
declare void @cc1(i32) 
declare fastcc void @cc2(ptr sret(%0) align 8, ptr byval(%packed), ptr nest)
declare i32 @__gxx_personality_v0(...)
declare void @llvm.va_start.p0(ptr)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v4i32(<vscale x 4 x i32>, <4 x i32>, i64)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare i32 @llvm.vp.reduce.add.v4i32(i32, <4 x i32>, <4 x i1>, i32)
declare void @llvm.memcpy.p0.p3.i64(ptr noalias writeonly, ptr addrspace(3) noalias readonly, i64, i1 immarg)
declare ptr @llvm.launder.invariant.group.p0(ptr)
declare range(i32 0, 10) i32 @ranged(i32 range(i32 -5, 6) noundef, float nofpclass(nan inf), ptr captures(address, read_provenance) dead_on_unwind initializes((0, 4), (8, 12)))

define ptr @resolve() { ret ptr @fn }

define i32 @fn(i32 %x) personality ptr @__gxx_personality_v0 {
entry:
  %m = alloca i32, i32 %x, align 16, addrspace(0)
  %arr = alloca inalloca [3 x i8]
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %cont ]
  %next = add nuw nsw i32 %i, 1
  %o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 %x)
  %ov = extractvalue { i32, i1 } %o, 1
  switch i32 %i, label %cont [
    i32 0, label %zero
    i32 -1, label %zero
    i32 7, label %exit
  ]
zero:
  %p = getelementptr inbounds %rec, ptr %m, i64 0, i32 1, i32 %i, i32 1, i32 2, i64 1
  store volatile i8 3, ptr %p, align 1, !nontemporal !0
  %q = invoke fastcc i32 (ptr, ...) @vararg(ptr %p, double 1.0, i32 signext %i) #3 [ "deopt"(i32 1, ptr %m), "tag"() ] to label %cont unwind label %lp
lp:
  %e = landingpad { ptr, i32 } cleanup catch ptr null filter [1 x ptr] [ptr @a]
  %e0 = extractvalue { ptr, i32 } %e, 0
  resume { ptr, i32 } %e
cont:
  %c = icmp samesign ult i32 %next, 100
  br i1 %c, label %loop, label %exit, !prof !1, !llvm.loop !2
exit:
  %r = phi i32 [ %i, %loop ], [ %next, %cont ]
  ret i32 %r
}

define void @atomics(ptr %p, ptr addrspace(1) %g) {
  %1 = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  store atomic volatile i64 3, ptr %p seq_cst, align 8
  %2 = atomicrmw add ptr %p, i32 1 monotonic
  %3 = atomicrmw fmax ptr addrspace(1) %g, float 1.0 syncscope("one-as") acq_rel, align 4, !amdgpu.no.fine.grained.memory !3
  %4 = cmpxchg weak volatile ptr %p, i32 0, i32 %1 acq_rel monotonic, align 4
  %5 = extractvalue { i32, i1 } %4, 1
  %6 = atomicrmw uinc_wrap ptr %p, i32 5 seq_cst
  %7 = atomicrmw usub_sat ptr %p, i32 5 release
  fence syncscope("singlethread") release
  fence seq_cst
  ret void
}

define <vscale x 4 x i32> @vec(<4 x i32> %a, <4 x i32> %b, <vscale x 4 x i32> %s, <4 x i1> %m) vscale_range(1,16) {
  %1 = shufflevector <4 x i32> %a, <4 x i32> %b, <8 x i32> <i32 0, i32 4, i32 poison, i32 7, i32 3, i32 2, i32 1, i32 0>
  %2 = extractelement <8 x i32> %1, i64 2
  %3 = insertelement <4 x i32> poison, i32 %2, i32 1
  %4 = select <4 x i1> %m, <4 x i32> %3, <4 x i32> splat (i32 9)
  %5 = call i32 @llvm.vp.reduce.add.v4i32(i32 0, <4 x i32> %4, <4 x i1> %m, i32 3)
  %6 = call <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v4i32(<vscale x 4 x i32> %s, <4 x i32> %4, i64 0)
  %7 = shufflevector <vscale x 4 x i32> %6, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer
  %8 = freeze <vscale x 4 x i32> %7
  ret <vscale x 4 x i32> %8
}

define double @fp(double %a, float %b, half %h) strictfp {
  %1 = fadd reassoc nnan ninf nsz arcp contract afn double %a, 1.0e+10
  %2 = fneg fast double %1
  %3 = frem double %2, 0x400921FB54442D18
  %4 = fcmp une float %b, -0.0
  %5 = call double @llvm.experimental.constrained.fadd.f64(double %3, double %a, metadata !"round.dynamic", metadata !"fpexcept.strict") #4
  %6 = fptosi double %5 to i65
  %7 = uitofp nneg i65 %6 to double
  %8 = fptrunc double %7 to float
  %9 = fpext half %h to double
  %10 = bitcast double %9 to <2 x i32>
  %11 = trunc nuw nsw <2 x i32> %10 to <2 x i8>
  %12 = zext nneg <2 x i8> %11 to <2 x i40>
  ret double %9
}

define i32 @bits(i32 %a, i32 %b) section ".text.bits" align 32 gc "shadow-stack" prefix i32 5 prologue i8 1 {
  %1 = or disjoint i32 %a, %b
  %2 = sdiv exact i32 %1, 3
  %3 = shl nuw i32 %2, 4
  %4 = ashr exact i32 %3, 2
  %5 = call i32 asm sideeffect alignstack inteldialect "add $0, $1", "=r,r,~{dirflag},~{fpsr},~{flags}"(i32 %4), !srcloc !4
  callbr void asm sideeffect "", "!i"() to label %6 [label %7]
6:
  ret i32 %5
7:
  indirectbr ptr blockaddress(@fn, %loop), [label %6]
}

define void @funclet(ptr %p) personality ptr @__CxxFrameHandler3 {
  invoke void @cc1(i32 1) to label %done unwind label %cs
cs:
  %s = catchswitch within none [label %cp] unwind label %cl
cp:
  %c = catchpad within %s [ptr null, i32 64, ptr null]
  call void @cc1(i32 2) [ "funclet"(token %c) ]
  catchret from %c to label %done
cl:
  %k = cleanuppad within none []
  cleanupret from %k unwind to caller
done:
  ret void
}
declare i32 @__CxxFrameHandler3(...)

define swifttailcc void @tail(ptr swiftasync %c, ptr swiftself %s) {
  musttail call swifttailcc void @tail(ptr swiftasync %s, ptr swiftself %c)
  ret void
}

define i32 @va(i32 %n, ...) {
  %ap = alloca [24 x i8], align 16
  call void @llvm.va_start.p0(ptr %ap)
  %v = va_arg ptr %ap, i32
  %c = icmp eq ptr %ap, null
  call void @llvm.assume(i1 true) [ "align"(ptr %ap, i64 16), "nonnull"(ptr %ap) ]
  ret i32 %v
}

define dso_local i32 @conv() convergent {
  %t = call token @llvm.experimental.convergence.entry()
  %r = call i32 @ranged(i32 3, float 1.0, ptr @a) convergent [ "convergencectrl"(token %t) ]
  ret i32 %r
}

uselistorder_bb @fn, %loop, { 1, 2, 0 }

attributes #1 = { nounwind "frame-pointer"="all" memory(argmem: readwrite, inaccessiblemem: read, errnomem: none) uwtable(sync) }
attributes #2 = { convergent nocallback nofree nosync nounwind willreturn memory(none) }
attributes #3 = { cold noinline allockind("alloc,zeroed") "alloc-family"="malloc" alignstack=16 }
attributes #4 = { strictfp }

!llvm.module.flags = !{!5, !6}
!llvm.ident = !{!7}
!named = !{!8, !9, !DIExpression(DW_OP_plus_uconst, 4, DW_OP_stack_value)}

!0 = !{i32 1}
!1 = !{!"branch_weights", i32 99, i32 1}
!2 = distinct !{!2, !10}
!3 = !{}
!4 = !{i32 77}
!5 = !{i32 1, !"wchar_size", i32 4}
!6 = !{i32 7, !"PIC Level", i32 2}
!7 = !{!"corpus \22quoted\22"}
!8 = !{null, !"x", float 1.0, ptr @a, !9}
!9 = distinct !{!9}
!10 = !{!"llvm.loop.unroll.disable"}
