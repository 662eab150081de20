; ---- case: whole-wave-first-argument
define amdgpu_gfx_whole_wave i32 @f(i32 %x) { ; error: Calling convention requires first argument to be i1
  ret i32 0
}
; ---- case: whole-wave-no-argument
define amdgpu_gfx_whole_wave i32 @f() { ; error: Calling convention requires first argument to be i1
  ret i32 0
}
; ---- case: whole-wave-inreg
define amdgpu_gfx_whole_wave i32 @f(i1 inreg %x) { ; error: Calling convention requires first argument to not be inreg
  ret i32 0
}
; ---- case: whole-wave-variadic
define amdgpu_gfx_whole_wave i32 @f(i1 %x, ...) { ; error: Calling convention does not support varargs or perfect forwarding!
  ret i32 0
}
; ---- case: whole-wave-call
define amdgpu_gfx_whole_wave i32 @f(i1 %x) {
  ret i32 0
}
define void @g() {
  %a = call amdgpu_gfx_whole_wave i32 @f(i1 0) ; error: calling convention does not permit calls
  ret void
}
; ---- case: whole-wave-intrinsic-callee
define amdgpu_gfx i32 @f(i1 %x) {
  ret i32 0
}
define void @g() {
  %a = call i32(ptr, ...) @llvm.amdgcn.call.whole.wave(ptr @f) ; error: Callee must have the amdgpu_gfx_whole_wave calling convention
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave(ptr, ...)
; ---- case: whole-wave-intrinsic-indirect
define void @g(ptr %p) {
  %a = call i32(ptr, ...) @llvm.amdgcn.call.whole.wave(ptr %p) ; error: Indirect whole wave calls are not allowed
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave(ptr, ...)
; ---- case: whole-wave-intrinsic-arguments
declare amdgpu_gfx_whole_wave i32 @f(i1 %x, i32 %y)
define void @g(ptr %p) {
  %a = call i32(ptr, ...) @llvm.amdgcn.call.whole.wave(ptr @f) ; error: Call argument count must match callee argument count
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave(ptr, ...)
; ---- case: whole-wave-intrinsic-argument-type
declare amdgpu_gfx_whole_wave i32 @f(i1 %x, i32 %y)
define void @g(ptr %p) {
  %a = call i32(ptr, ...) @llvm.amdgcn.call.whole.wave(ptr @f, i64 1) ; error: Argument types must match
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave(ptr, ...)
; ---- case: whole-wave-intrinsic-inreg
declare amdgpu_gfx_whole_wave i32 @f(i1 %x, i32 inreg %y)
define void @g(ptr %p) {
  %a = call i32(ptr, ...) @llvm.amdgcn.call.whole.wave(ptr @f, i32 1) ; error: Argument inreg attributes must match
  ret void
}
declare i32 @llvm.amdgcn.call.whole.wave(ptr, ...)
; ---- case: callbr-intrinsic
define void @f() {
  callbr void @llvm.donothing() to label %a [label %b] ; error: Callbr currently only supports asm-goto and selected intrinsics
a:
  ret void
b:
  ret void
}
declare void @llvm.donothing()
; ---- case: callbr-kill-unreachable
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) to label %a [label %b] ; error: Callbr amdgcn_kill indirect dest needs to be unreachable
a:
  ret void
b:
  ret void
}
declare void @llvm.amdgcn.kill(i1)
; ---- case: callbr-kill-two
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) to label %a [label %b, label %d] ; error: Callbr amdgcn_kill only supports one indirect dest
a:
  ret void
b:
  unreachable
d:
  unreachable
}
declare void @llvm.amdgcn.kill(i1)
; ---- case: callbr-kill-bundle
define void @f(i1 %c) {
  callbr void @llvm.amdgcn.kill(i1 %c) ["deopt"()] to label %a [label %b] ; error: Callbr for intrinsics currently doesn't support operand bundles
a:
  ret void
b:
  unreachable
}
declare void @llvm.amdgcn.kill(i1)
; ---- case: assume-bundles-true
define void @f(ptr %p, i1 %c) {
  call void @llvm.assume(i1 %c) ["nonnull"(ptr %p)] ; error: assume with operand bundles must have i1 true condition
  ret void
}
declare void @llvm.assume(i1)
; ---- case: clang-arc-attached-twice
define void @f(ptr %p) {
  call ptr @g() ["clang.arc.attachedcall"(ptr @h), "clang.arc.attachedcall"(ptr @h)] ; error: invalid function argument
  ret void
}
declare ptr @g()
declare ptr @h(ptr)
; ---- case: reloc-none
define void @f() {
  call void @llvm.reloc.none(metadata !0) ; error: llvm.reloc.none argument must be a metadata string
  ret void
}
declare void @llvm.reloc.none(metadata)
!0 = !{}
; ---- case: range-prefetch-write
define void @f(ptr %p) {
  call void @llvm.aarch64.range.prefetch(ptr %p, i32 2, i32 0, i64 0) ; error: write argument to llvm.aarch64.range.prefetch must be 0 or 1
  ret void
}
declare void @llvm.aarch64.range.prefetch(ptr, i32, i32, i64)
; ---- case: range-prefetch-stream
define void @f(ptr %p) {
  call void @llvm.aarch64.range.prefetch(ptr %p, i32 0, i32 2, i64 0) ; error: stream argument to llvm.aarch64.range.prefetch must be 0 or 1
  ret void
}
declare void @llvm.aarch64.range.prefetch(ptr, i32, i32, i64)
; ---- case: active-lane-mask-scalar
define void @f() {
  %a = call i1 @llvm.get.active.lane.mask.i1.i32(i32 0, i32 0) ; error: Intrinsic has incorrect return type!
  ret void
}
declare i1 @llvm.get.active.lane.mask.i1.i32(i32, i32)
; ---- case: active-lane-mask-element
define void @f() {
  %a = call <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32 0, i32 0) ; error: get_active_lane_mask: element type is not i1
  ret void
}
declare <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32, i32)
; ---- case: splice-left
define void @f(<4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32> %v, <4 x i32> %v, i32 5) ; error: The splice index exceeds the range [0, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
  ret void
}
declare <4 x i32> @llvm.vector.splice.left.v4i32(<4 x i32>, <4 x i32>, i32)
; ---- case: cooperative-atomic-scope
define void @f(ptr %p) {
  %a = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B(ptr %p, i32 0, metadata !0) ; error: cooperative atomic intrinsics require that the last argument is a metadata string
  ret void
}
declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B(ptr, i32, metadata)
!0 = !{}
; ---- case: cooperative-atomic-pointer
define void @f(ptr addrspace(5) %p) {
  %a = call i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p5(ptr addrspace(5) %p, i32 0, metadata !0) ; error: cooperative atomic intrinsics require a generic or global pointer
  ret void
}
declare i32 @llvm.amdgcn.cooperative.atomic.load.32x4B.p5(ptr addrspace(5), i32, metadata)
!0 = !{!"x"}
; ---- case: mfma-scale-format
define void @f(<8 x i32> %a, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> %a, <8 x i32> %a, <4 x float> %c, i32 0, i32 5, i32 0, i32 0, i32 0, i32 0) ; error: invalid value for blgp format
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32>, <8 x i32>, <4 x float>, i32, i32, i32, i32, i32, i32)
; ---- case: mfma-scale-width
define void @f(<8 x i32> %a, <4 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32(<4 x i32> %b, <8 x i32> %a, <4 x float> %c, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0) ; error: invalid vector type for format
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32(<4 x i32>, <8 x i32>, <4 x float>, i32, i32, i32, i32, i32, i32)
; ---- case: mfma-scale-vector
define void @f(<8 x i32> %a, <5 x i32> %b, <4 x float> %c) {
  %r = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v5i32.v8i32(<5 x i32> %b, <8 x i32> %a, <4 x float> %c, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0) ; error: operand 0 must be 4, 6 or 8 element i32 vector
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v5i32.v8i32(<5 x i32>, <8 x i32>, <4 x float>, i32, i32, i32, i32, i32, i32)
; ---- case: wmma-format
define void @f(<16 x i32> %a, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32(i32 7, <16 x i32> %a, i32 0, <16 x i32> %a, i16 0, <8 x float> %c) ; error: invalid value for matrix format
  ret void
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v16i32.v16i32(i32, <16 x i32>, i32, <16 x i32>, i16, <8 x float>)
; ---- case: wmma-width
define void @f(<16 x i32> %a, <8 x i32> %b, <8 x float> %c) {
  %r = call <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32 0, <8 x i32> %b, i32 0, <16 x i32> %a, i16 0, <8 x float> %c) ; error: invalid vector type for format
  ret void
}
declare <8 x float> @llvm.amdgcn.wmma.f32.16x16x128.f8f6f4.v8f32.v8i32.v16i32(i32, <8 x i32>, i32, <16 x i32>, i16, <8 x float>)
; ---- case: target-features-sign
define void @f() "target-features"="sse2" { ; error: target feature 'sse2' must start with a '+' or '-'
  ret void
}
; ---- case: target-features-empty
define void @f() "target-features"="+sse2,,+avx" { ; error: target-features attribute should not contain an empty string
  ret void
}
; ---- case: modular-format-index
declare void @f(ptr, ...) "modular-format"="printf,1,x,impl,aspect" ; error: modular-format attribute first arg index is not an integer
; ---- case: modular-format-bounds
declare void @f(ptr, ...) "modular-format"="printf,1,9,impl,aspect" ; error: modular-format attribute first arg index is out of bounds
; ---- case: modular-format-count
declare void @f(ptr, ...) "modular-format"="printf" ; error: modular-format attribute requires at least 5 arguments
; ---- case: hot-patch-value
define void @f() "marked_for_windows_hot_patching"="x" { ; error: invalid value for 'marked_for_windows_hot_patching' attribute: x
  ret void
}
; ---- case: hot-patch-access-value
define void @f() "allow_direct_access_in_hot_patch_function"="x" { ; error: invalid value for 'allow_direct_access_in_hot_patch_function' attribute: x
  ret void
}
; ---- case: ptrauth-deactivation-type
@g = global i32 0
@p = global ptr ptrauth (ptr @g, i32 0, i64 0, ptr null, i64 1) ; error: constant ptrauth deactivation symbol must be a pointer
; ---- case: ptrauth-deactivation-value
@g = global i32 0
@p = global ptr ptrauth (ptr @g, i32 0, i64 0, ptr null, ptr inttoptr (i64 4 to ptr)) ; error: signed ptrauth constant deactivation symbol must be a global value or null
; ---- case: ptrtoaddr-width
define void @f(ptr %p) {
  %a = ptrtoaddr ptr %p to i32 ; error: PtrToAddr result must be address width
  ret void
}
; ---- case: x86-amx-constant-argument
define void @f() {
  call void @g(x86_amx undef)
  ret void
}
declare void @g(x86_amx) ; error: Function takes x86_amx but isn't an intrinsic
; ---- case: deoptimize-conventions
define void @f() {
  call fastcc void (...) @llvm.experimental.deoptimize.isVoid() [ "deopt"() ]
  ret void
}
define i32 @g() {
  %a = call i32 (...) @llvm.experimental.deoptimize.i32() [ "deopt"() ]
  ret i32 %a
}
declare fastcc void @llvm.experimental.deoptimize.isVoid(...) ; error: Calling convention does not support varargs or perfect forwarding!
declare i32 @llvm.experimental.deoptimize.i32(...)
; ---- case: cs-chain-unreachable
define amdgpu_cs void @f(ptr %p) {
  call void(ptr, i32, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr %p, i32 0, i32 inreg 0, i32 0, i32 0) ; error: llvm.amdgcn.cs.chain must be followed by unreachable
  ret void
}
declare void @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr, i32, i32, i32, i32, ...)
; ---- case: callbr-landingpad
define void @f() {
  callbr void asm "", "!i"() to label %a [label %b]
a:
  ret void
b:
  %x = add i32 1, 1
  %r = call i32 @llvm.callbr.landingpad.i32(i32 %x) ; error: intrinstic requires callbr operand
  ret void
}
declare i32 @llvm.callbr.landingpad.i32(i32)
