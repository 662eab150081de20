; ---- case: signature-result
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.ctpop.i64(i64 0) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare i32 @llvm.ctpop.i64(i64)
; ---- case: signature-argument
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.sadd.sat.i64(i64 0, i32 0) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare i64 @llvm.sadd.sat.i64(i64, i32)
; ---- case: signature-few
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.sadd.sat.i64(i64 0) ; error: Callsite was not defined with variable arguments!
  ret void
}
declare i64 @llvm.sadd.sat.i64(i64)
; ---- case: signature-many
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.sadd.sat.i64(i64 0, i64 0, i64 0) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare i64 @llvm.sadd.sat.i64(i64, i64, i64)
; ---- case: signature-variadic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @llvm.trap() ; error: Intrinsic was not defined with variable arguments!
  ret void
}
declare void @llvm.trap(...)
; ---- case: signature-not-variadic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.localescape() ; error: Callsite was not defined with variable arguments!
  ret void
}
declare void @llvm.localescape()
; ---- case: signature-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call float @llvm.ctpop.f32(float 0.0) ; error: Intrinsic has incorrect return type!
  ret void
}
declare float @llvm.ctpop.f32(float)
; ---- case: signature-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.sqrt.i32(i32 0) ; error: Intrinsic has incorrect return type!
  ret void
}
declare i32 @llvm.sqrt.i32(i32)
; ---- case: signature-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.vector.reduce.add.i32(i32 0) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare i32 @llvm.vector.reduce.add.i32(i32)
; ---- case: signature-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memcpy.i32.i32.i64(i32 0, i32 0, i64 0, i1 false) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare void @llvm.memcpy.i32.i32.i64(i32, i32, i64, i1)
; ---- case: signature-struct
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call { i32, i32 } @llvm.sadd.with.overflow.i32(i32 0, i32 0) ; error: Intrinsic has incorrect return type!
  ret void
}
declare { i32, i32 } @llvm.sadd.with.overflow.i32(i32, i32)
; ---- case: signature-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.vector.reduce.add.v4i32(<4 x i32> %v) ; error: Intrinsic has incorrect return type!
  ret void
}
declare i64 @llvm.vector.reduce.add.v4i32(<4 x i32>)
; ---- case: signature-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.masked.gather.v4i32.v2p0(<2 x ptr> zeroinitializer, <4 x i1> zeroinitializer, <4 x i32> %v) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare <4 x i32> @llvm.masked.gather.v4i32.v2p0(<2 x ptr>, <4 x i1>, <4 x i32>)
; ---- case: signature-call
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.trap(i32 0) ; error: Intrinsic called with incompatible signature
  ret void
}
declare void @llvm.trap()
; ---- case: undeclared-callee
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store ptr @llvm.trap, ptr %p ; error: intrinsic can only be used as callee
  ret void
}
; ---- case: undeclared-signature
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call i32 @llvm.ctpop.i64(i64 0) ; error: invalid intrinsic signature
  ret void
}
; ---- case: undeclared-unknown
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.nope() ; error: unknown intrinsic 'llvm.nope'
  ret void
}
; ---- case: immediate-memcpy
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 1, i1 %c) ; error: immarg operand has non-immediate parameter
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; ---- case: immediate-ctlz
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.ctlz.i32(i32 %i, i1 %c) ; error: immarg operand has non-immediate parameter
  ret void
}
declare i32 @llvm.ctlz.i32(i32, i1)
; ---- case: immediate-undef
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.ctlz.i32(i32 %i, i1 undef) ; error: immarg operand has non-immediate parameter
  ret void
}
declare i32 @llvm.ctlz.i32(i32, i1)
; ---- case: assume-tag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "nope"(ptr %p) ] ; error: tags must be valid attribute names
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-align-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p) ] ; error: alignment assumptions should have 2 or 3 arguments
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-align-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "align"(i32 %i, i32 4) ] ; error: first argument should be a pointer
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-align-integer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, ptr %p) ] ; error: second argument should be an integer
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-align-offset
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i32 4, ptr %p) ] ; error: third argument should be an integer if present
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-dereferenceable-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %p) ] ; error: dereferenceable assumptions should have 2 arguments
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-dereferenceable-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "dereferenceable"(i32 %i, i64 4) ] ; error: first argument should be a pointer
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-dereferenceable-integer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "dereferenceable"(ptr %p, ptr %p) ] ; error: second argument should be an integer
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-separate-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "separate_storage"(ptr %p) ] ; error: separate_storage assumptions should have 2 arguments
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-separate-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "separate_storage"(ptr %p, i32 0) ] ; error: arguments to separate_storage assumptions should be pointers
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-many
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p, i32 1, i32 2) ] ; error: too many arguments
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-one
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "nonnull"(ptr %p, i32 1) ] ; error: this attribute should have one argument
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-none
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "cold"(ptr %p) ] ; error: this attribute has no argument
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-two
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "dereferenceable_or_null"(ptr %p) ] ; error: this attribute should have 2 arguments
  ret void
}
declare void @llvm.assume(i1)
; ---- case: assume-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.assume(i1 true) [ "dereferenceable_or_null"(ptr %p, i32 %i) ] ; error: the second argument should be a constant integral value
  ret void
}
declare void @llvm.assume(i1)
; ---- case: ucmp-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i1 @llvm.ucmp.i1.i32(i32 %i, i32 0) ; error: result type must be at least 2 bits wide
  ret void
}
declare i1 @llvm.ucmp.i1.i32(i32, i32)
; ---- case: scmp-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i8 @llvm.scmp.i8.v4i32(<4 x i32> %v, <4 x i32> %v) ; error: ucmp/scmp argument and result types must both be either vector or scalar types
  ret void
}
declare i8 @llvm.scmp.i8.v4i32(<4 x i32>, <4 x i32>)
; ---- case: scmp-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i8> @llvm.scmp.v2i8.v4i32(<4 x i32> %v, <4 x i32> %v) ; error: return type and arguments must have the same number of elements
  ret void
}
declare <2 x i8> @llvm.scmp.v2i8.v4i32(<4 x i32>, <4 x i32>)
; ---- case: coro-id-info
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr %p) ; error: info argument of llvm.coro.id must refer to an initialized constant
  ret void
}
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
; ---- case: coro-id-initializer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr @g) ; error: info argument of llvm.coro.id must refer to either a struct or an array
  ret void
}
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
@g = constant i32 0
; ---- case: is-fpclass
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i1 @llvm.is.fpclass.f32(float %x, i32 1024) ; error: unsupported bits for llvm.is.fpclass test mask
  ret void
}
declare i1 @llvm.is.fpclass.f32(float, i32)
; ---- case: fptrunc-round
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"round.sideways") ; error: unsupported rounding mode argument
  ret void
}
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
; ---- case: fptrunc-round-dynamic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"round.dynamic") ; error: unsupported rounding mode argument
  ret void
}
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
; ---- case: fptrunc-round-string
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !0) ; error: invalid value for llvm.fptrunc.round metadata operand (the operand should be a string)
  ret void
}
!0 = !{}
declare half @llvm.fptrunc.round.f16.f32(float, metadata)
; ---- case: memcpy-atomic-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %p, i64 4, i32 3) ; error: element size of the element-wise atomic memory intrinsic must be a power of 2
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
; ---- case: memcpy-atomic-destination
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 2 %p, ptr align 4 %p, i64 4, i32 4) ; error: incorrect alignment of the destination argument
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
; ---- case: memcpy-atomic-source
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr %p, i64 4, i32 4) ; error: incorrect alignment of the source argument
  ret void
}
declare void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr, ptr, i64, i32)
; ---- case: memset-atomic-destination
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.memset.element.unordered.atomic.p0.i64(ptr %p, i8 0, i64 4, i32 4) ; error: incorrect alignment of the destination argument
  ret void
}
declare void @llvm.memset.element.unordered.atomic.p0.i64(ptr, i8, i64, i32)
; ---- case: preallocated-setup-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.call.preallocated.setup(i32 %i) ; error: immarg operand has non-immediate parameter
  ret void
}
declare token @llvm.call.preallocated.setup(i32)
; ---- case: preallocated-arg-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.call.preallocated.arg(token none, i32 0) preallocated(i32) ; error: llvm.call.preallocated.arg token argument must be a llvm.call.preallocated.setup
  ret void
}
declare ptr @llvm.call.preallocated.arg(token, i32)
; ---- case: preallocated-arg-attribute
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.call.preallocated.setup(i32 1)
  %a = call ptr @llvm.call.preallocated.arg(token %t, i32 0) ; error: llvm.call.preallocated.arg must be called with a "preallocated" call site attribute
  ret void
}
declare ptr @llvm.call.preallocated.arg(token, i32)
declare token @llvm.call.preallocated.setup(i32)
; ---- case: preallocated-arg-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.call.preallocated.setup(i32 1) ; error: llvm.call.preallocated.alloc arg index must be between 0 and corresponding llvm.call.preallocated.setup's argument count
  %a = call ptr @llvm.call.preallocated.arg(token %t, i32 1) preallocated(i32)
  ret void
}
declare ptr @llvm.call.preallocated.arg(token, i32)
declare token @llvm.call.preallocated.setup(i32)
; ---- case: preallocated-teardown-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.call.preallocated.teardown(token none) ; error: llvm.call.preallocated.teardown token argument must be a llvm.call.preallocated.setup
  ret void
}
declare void @llvm.call.preallocated.teardown(token)
; ---- case: preallocated-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.call.preallocated.setup(i32 2) ; error: llvm.call.preallocated.setup arg size must be equal to number of preallocated arguments at call site
  call void @g(ptr preallocated(i32) %p) [ "preallocated"(token %t) ]
  ret void
}
declare void @g(ptr preallocated(i32))
declare token @llvm.call.preallocated.setup(i32)
; ---- case: gcroot-alloca
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.gcroot(ptr %p, ptr null) ; error: llvm.gcroot parameter #1 must be an alloca.
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
; ---- case: gcroot-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr %p) ; error: llvm.gcroot parameter #2 must be a constant.
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
; ---- case: gcroot-non-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32
  call void @llvm.gcroot(ptr %a, ptr null) ; error: llvm.gcroot parameter #1 must either be a pointer alloca, or argument #2 must be a non-null constant.
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
; ---- case: gcroot-no-gc
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca ptr
  call void @llvm.gcroot(ptr %a, ptr null) ; error: Enclosing function does not use GC.
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
; ---- case: gcread-no-gc
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.gcread(ptr %p, ptr %p) ; error: Enclosing function does not use GC.
  ret void
}
declare ptr @llvm.gcread(ptr, ptr)
; ---- case: gcwrite-no-gc
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.gcwrite(ptr %p, ptr %p, ptr %p) ; error: Enclosing function does not use GC.
  ret void
}
declare void @llvm.gcwrite(ptr, ptr, ptr)
; ---- case: init-trampoline
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.init.trampoline(ptr %p, ptr %p, ptr %p) ; error: llvm.init_trampoline parameter #2 must resolve to a function.
  ret void
}
declare void @llvm.init.trampoline(ptr, ptr, ptr)
; ---- case: prefetch-rw
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.prefetch.p0(ptr %p, i32 2, i32 0, i32 0) ; error: rw argument to llvm.prefetch must be 0-1
  ret void
}
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
; ---- case: prefetch-locality
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 4, i32 0) ; error: locality argument to llvm.prefetch must be 0-3
  ret void
}
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
; ---- case: prefetch-cache
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 0, i32 2) ; error: cache type argument to llvm.prefetch must be 0-1
  ret void
}
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
; ---- case: stackprotector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.stackprotector(ptr %p, ptr %p) ; error: llvm.stackprotector parameter #2 must resolve to an alloca.
  ret void
}
declare void @llvm.stackprotector(ptr, ptr)
; ---- case: localescape-entry
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br label %a
a:
  call void (...) @llvm.localescape() ; error: llvm.localescape used outside of entry block
  ret void
}
declare void @llvm.localescape(...)
; ---- case: localescape-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @llvm.localescape()
  call void (...) @llvm.localescape() ; error: multiple calls to llvm.localescape in one function
  ret void
}
declare void @llvm.localescape(...)
; ---- case: localescape-alloca
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @llvm.localescape(ptr %p) ; error: llvm.localescape only accepts static allocas
  ret void
}
declare void @llvm.localescape(...)
; ---- case: localrecover-function
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.localrecover(ptr %p, ptr %p, i32 0) ; error: llvm.localrecover first argument must be function defined in this module
  ret void
}
declare ptr @llvm.localrecover(ptr, ptr, i32)
; ---- case: localrecover-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.localrecover(ptr @f, ptr %p, i32 1) ; error: all indices passed to llvm.localrecover must be less than the number of arguments passed to llvm.localescape in the parent function
  ret void
}
declare ptr @llvm.localrecover(ptr, ptr, i32)
; ---- case: statepoint-no-gc
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ; error: Enclosing function does not use GC.
  ret void
}
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
; ---- case: statepoint-elementtype
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr @g, i32 0, i32 0, i32 0, i32 0) ; error: gc.statepoint callee argument must have elementtype attribute
ret void
}
; ---- case: statepoint-not-function
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(i32) @g, i32 0, i32 0, i32 0, i32 0) ; error: gc.statepoint callee elementtype must be function type
ret void
}
; ---- case: statepoint-patch-bytes
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 -1, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0) ; error: gc.statepoint number of patchable bytes must be positive
ret void
}
; ---- case: statepoint-arguments
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 1, i32 0, i32 5, i32 0, i32 0) ; error: gc.statepoint mismatch in number of call args
ret void
}
; ---- case: statepoint-flags
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 16, i32 0, i32 0) ; error: unknown flag used in gc.statepoint flags argument
ret void
}
; ---- case: statepoint-argument-type
declare void @g(i32)
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void (i32)) @g, i32 1, i32 0, i64 0, i32 0, i32 0) ; error: gc.statepoint call argument does not match wrapped function type
ret void
}
; ---- case: statepoint-transition
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 1, i32 0) ; error: gc.statepoint w/inline transition bundle is deprecated
ret void
}
; ---- case: statepoint-deopt
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 1) ; error: gc.statepoint w/inline deopt operands is deprecated
ret void
}
; ---- case: statepoint-too-many
declare void @g()
declare token @llvm.experimental.gc.statepoint.p0(i64, i32, ptr, i32, i32, ...)
define void @f() gc "statepoint-example" {
  %t = call token (i64, i32, ptr, i32, i32, ...) @llvm.experimental.gc.statepoint.p0(i64 0, i32 0, ptr elementtype(void ()) @g, i32 0, i32 0, i32 0, i32 0, i32 0) ; error: gc.statepoint too many arguments
ret void
}
; ---- case: gc-result-token
declare i32 @llvm.experimental.gc.result.i32(token)
define void @f() gc "statepoint-example" {
  %t = call i32 @llvm.experimental.gc.result.i32(token none) ; error: gc.result operand #1 must be from a statepoint
ret void
}
; ---- case: gc-relocate-token
declare ptr @llvm.experimental.gc.relocate.p0(token, i32, i32)
define void @f() gc "statepoint-example" {
  %t = call ptr @llvm.experimental.gc.relocate.p0(token none, i32 0, i32 0) ; error: gc relocate is incorrectly tied to the statepoint
ret void
}
; ---- case: lane-mask-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32 0, i32 0) ; error: get_active_lane_mask: element type is not i1
  ret void
}
declare <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32, i32)
; ---- case: vector-length
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.experimental.get.vector.length.i32(i32 0, i32 0, i1 false) ; error: get_vector_length: VF must be positive
  ret void
}
declare i32 @llvm.experimental.get.vector.length.i32(i32, i32, i1)
; ---- case: masked-load-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, <2 x i1> zeroinitializer, <4 x i32> %v) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, <2 x i1>, <4 x i32>)
; ---- case: guard-bundle
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (i1, ...) @llvm.experimental.guard(i1 %c) ; error: experimental_guard must have exactly one "deopt" operand bundle
  ret void
}
declare void @llvm.experimental.guard(i1, ...)
; ---- case: deoptimize-bundle
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @llvm.experimental.deoptimize.isVoid() ; error: experimental_deoptimize must have exactly one "deopt" operand bundle
  ret void
}
declare void @llvm.experimental.deoptimize.isVoid(...)
; ---- case: deoptimize-result
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 (...) @llvm.experimental.deoptimize.i32() [ "deopt"() ] ; error: experimental_deoptimize return type must match caller return type
  ret void
}
declare i32 @llvm.experimental.deoptimize.i32(...)
; ---- case: deoptimize-return
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @llvm.experimental.deoptimize.isVoid() [ "deopt"() ] ; error: calls to experimental_deoptimize must be followed by a return
  add i32 %i, 1
  ret void
}
declare void @llvm.experimental.deoptimize.isVoid(...)
; ---- case: vastart
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.va_start.p0(ptr %p) ; error: va_start called in a non-varargs function
  ret void
}
declare void @llvm.va_start.p0(ptr)
; ---- case: dynamic-area
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.get.dynamic.area.offset.i32() ; error: get_dynamic_area_offset result type must be scalar integer matching alloca address space width
  ret void
}
declare i32 @llvm.get.dynamic.area.offset.i32()
; ---- case: reduce-integer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call float @llvm.vector.reduce.add.v4f32(<4 x float> zeroinitializer) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare float @llvm.vector.reduce.add.v4f32(<4 x float>)
; ---- case: reduce-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.vector.reduce.fmax.v4i32(<4 x i32> %v) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare i32 @llvm.vector.reduce.fmax.v4i32(<4 x i32>)
; ---- case: smul-fix-scale
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.smul.fix.i32(i32 0, i32 0, i32 32) ; error: the scale of s[mul|div]_fix[_sat] must be less than the width of the operands
  ret void
}
declare i32 @llvm.smul.fix.i32(i32, i32, i32)
; ---- case: umul-fix-scale
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.umul.fix.i32(i32 0, i32 0, i32 33) ; error: the scale of u[mul|div]_fix[_sat] must be less than or equal to the width of the operands
  ret void
}
declare i32 @llvm.umul.fix.i32(i32, i32, i32)
; ---- case: lrint-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.lrint.i64.v4f32(<4 x float> zeroinitializer) ; error: llvm.lrint.i64.v4f32: argument and result disagree on vector use
  ret void
}
declare i64 @llvm.lrint.i64.v4f32(<4 x float>)
; ---- case: llround-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i64> @llvm.llround.v2i64.v4f32(<4 x float> zeroinitializer) ; error: llvm.llround.v2i64.v4f32: argument must be same length as result
  ret void
}
declare <2 x i64> @llvm.llround.v2i64.v4f32(<4 x float>)
; ---- case: bswap-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i8 @llvm.bswap.i8(i8 0) ; error: bswap must be an even number of bytes
  ret void
}
declare i8 @llvm.bswap.i8(i8)
; ---- case: invariant-start
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.invariant.start.p0(i64 -2, ptr %p) ; error: invariant_start parameter must be -1, 0 or a positive number
  ret void
}
declare ptr @llvm.invariant.start.p0(i64, ptr)
; ---- case: matrix-multiply-first
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float> zeroinitializer, <4 x float> zeroinitializer, i32 3, i32 2, i32 2) ; error: First argument of a matrix operation does not match specified shape!
  ret void
}
declare <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
; ---- case: matrix-multiply-second
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float> zeroinitializer, <4 x float> zeroinitializer, i32 2, i32 2, i32 3) ; error: Second argument of a matrix operation does not match specified shape!
  ret void
}
declare <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
; ---- case: matrix-multiply-result
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x float> @llvm.matrix.multiply.v2f32.v4f32.v4f32(<4 x float> zeroinitializer, <4 x float> zeroinitializer, i32 2, i32 2, i32 2) ; error: Result of a matrix operation does not fit in the returned vector!
  ret void
}
declare <2 x float> @llvm.matrix.multiply.v2f32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
; ---- case: matrix-transpose-result
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.matrix.transpose.v4f32(<4 x float> zeroinitializer, i32 3, i32 2) ; error: Result of a matrix operation does not fit in the returned vector!
  ret void
}
declare <4 x float> @llvm.matrix.transpose.v4f32(<4 x float>, i32, i32)
; ---- case: matrix-stride
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.matrix.column.major.load.v4f32.i64(ptr %p, i64 1, i1 false, i32 2, i32 2) ; error: Stride must be greater or equal than the number of rows!
  ret void
}
declare <4 x float> @llvm.matrix.column.major.load.v4f32.i64(ptr, i64, i1, i32, i32)
; ---- case: matrix-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.matrix.multiply.v4i32.v4f32.v4f32(<4 x float> zeroinitializer, <4 x float> zeroinitializer, i32 2, i32 2, i32 2) ; error: Vector element type mismatch of the result and first operand vector!
  ret void
}
declare <4 x i32> @llvm.matrix.multiply.v4i32.v4f32.v4f32(<4 x float>, <4 x float>, i32, i32, i32)
; ---- case: splice-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 4) ; error: The splice index exceeds the range [0, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
  ret void
}
declare <4 x i32> @llvm.vector.splice.v4i32(<4 x i32>, <4 x i32>, i32)
; ---- case: stepvector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i4> @llvm.stepvector.v4i4() ; error: stepvector only supported for vectors of integers with a bitwidth of at least 8.
  ret void
}
declare <4 x i4> @llvm.stepvector.v4i4()
; ---- case: vector-insert-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, i64 1) ; error: vector_insert index must be a constant multiple of the subvector's known minimum vector length.
  ret void
}
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
; ---- case: vector-insert-overrun
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, i64 4) ; error: subvector operand of vector_insert would overrun the vector being inserted into.
  ret void
}
declare <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32>, <2 x i32>, i64)
; ---- case: vector-insert-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vector.insert.v4i32.v2i64(<4 x i32> %v, <2 x i64> zeroinitializer, i64 0) ; error: vector_insert parameters must have the same element type.
  ret void
}
declare <4 x i32> @llvm.vector.insert.v4i32.v2i64(<4 x i32>, <2 x i64>, i64)
; ---- case: vector-extract-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 1) ; error: vector_extract index must be a constant multiple of the result type's known minimum vector length.
  ret void
}
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
; ---- case: vector-extract-overrun
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 4) ; error: vector_extract would overrun.
  ret void
}
declare <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32>, i64)
; ---- case: vector-extract-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i64> @llvm.vector.extract.v2i64.v4i32(<4 x i32> %v, i64 0) ; error: vector_extract result must have the same element type as the input vector.
  ret void
}
declare <2 x i64> @llvm.vector.extract.v2i64.v4i32(<4 x i32>, i64)
; ---- case: partial-reduce-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <3 x i32> @llvm.vector.partial.reduce.add.v3i32.v4i32(<3 x i32> zeroinitializer, <4 x i32> %v) ; error: Invalid vector widths for partial reduction. The width of the input vector must be a positive integer multiple of the width of the accumulator vector.
  ret void
}
declare <3 x i32> @llvm.vector.partial.reduce.add.v3i32.v4i32(<3 x i32>, <4 x i32>)
; ---- case: noalias-scope-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0) ; error: !id.scope.list must point to a list with a single scope
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
!0 = !{}
; ---- case: aarch64-prefetch
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.aarch64.prefetch(ptr %p, i32 2, i32 0, i32 0, i32 0) ; error: write argument to llvm.aarch64.prefetch must be 0 or 1
  ret void
}
declare void @llvm.aarch64.prefetch(ptr, i32, i32, i32, i32)
; ---- case: aarch64-ldxr
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i64 @llvm.aarch64.ldxr.p0(ptr %p) ; error: Intrinsic requires elementtype attribute on first argument.
  ret void
}
declare i64 @llvm.aarch64.ldxr.p0(ptr)
; ---- case: aarch64-stxr
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.aarch64.stxr.p0(i64 0, ptr %p) ; error: Intrinsic requires elementtype attribute on second argument.
  ret void
}
declare i32 @llvm.aarch64.stxr.p0(i64, ptr)
; ---- case: preserve-access-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.preserve.array.access.index.p0.p0(ptr %p, i32 0, i32 0) ; error: Intrinsic requires elementtype attribute on first argument.
  ret void
}
declare ptr @llvm.preserve.array.access.index.p0.p0(ptr, i32, i32)
; ---- case: cs-chain-caller
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (ptr, i32, i32, i32, i32, ...) @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr %p, i32 0, i32 inreg 0, i32 0, i32 0) ; error: Intrinsic cannot be called from functions with this calling convention
  ret void
}
declare void @llvm.amdgcn.cs.chain.p0.i32.i32.i32(ptr, i32, i32, i32, i32, ...)
; ---- case: init-exec-input
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.amdgcn.init.exec.from.input(i32 %i, i32 0) ; error: only inreg arguments to the parent function are valid as inputs to this intrinsic
  ret void
}
declare void @llvm.amdgcn.init.exec.from.input(i32, i32)
; ---- case: inactive-chain-caller
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32 0, i32 %i) ; error: Intrinsic can only be used from functions with the amdgpu_cs_chain or amdgpu_cs_chain_preserve calling conventions
  ret void
}
declare i32 @llvm.amdgcn.set.inactive.chain.arg.i32(i32, i32)
; ---- case: prefetch-data-space
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3) null, i32 0) ; error: llvm.amdgcn.s.prefetch.data only supports global or constant memory
  ret void
}
declare void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3), i32)
; ---- case: mfma-scale-format
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> zeroinitializer, <8 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 5, i32 0, i32 0, i32 0, i32 0, i32 0) ; error: invalid value for cbsz format
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32>, <8 x i32>, <4 x float>, i32, i32, i32, i32, i32, i32)
; ---- case: mfma-scale-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32(<4 x i32> zeroinitializer, <8 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0) ; error: invalid vector type for format
  ret void
}
declare <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v4i32.v8i32(<4 x i32>, <8 x i32>, <4 x float>, i32, i32, i32, i32, i32, i32)
; ---- case: setmaxnreg
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32 25) ; error: reg_count argument to nvvm.setmaxnreg must be in multiples of 8
  ret void
}
declare void @llvm.nvvm.setmaxnreg.inc.sync.aligned.u32(i32)
; ---- case: ptrmask-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.ptrmask.p0.v2i64(ptr %p, <2 x i64> zeroinitializer) ; error: llvm.ptrmask intrinsic arguments must be both scalars or both vectors
  ret void
}
declare ptr @llvm.ptrmask.p0.v2i64(ptr, <2 x i64>)
; ---- case: ptrmask-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 0) ; error: llvm.ptrmask intrinsic second argument bitwidth must match pointer index type size of first argument
  ret void
}
declare ptr @llvm.ptrmask.p0.i32(ptr, i32)
; ---- case: thread-pointer
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr addrspace(1) @llvm.thread.pointer.p1() ; error: llvm.thread.pointer intrinsic return type must be for the globals address space
  ret void
}
declare ptr addrspace(1) @llvm.thread.pointer.p1()
; ---- case: threadlocal-global
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.threadlocal.address.p0(ptr %p) ; error: llvm.threadlocal.address first argument must be a GlobalValue
  ret void
}
declare ptr @llvm.threadlocal.address.p0(ptr)
; ---- case: threadlocal-not-local
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call ptr @llvm.threadlocal.address.p0(ptr @g) ; error: llvm.threadlocal.address operand isThreadLocal() must be true
  ret void
}
@g = global i32 0
declare ptr @llvm.threadlocal.address.p0(ptr)
; ---- case: vp-trunc-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i64> @llvm.vp.trunc.v4i64.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.trunc intrinsic the bit size of first argument must be larger than the bit size of the return type
  ret void
}
declare <4 x i64> @llvm.vp.trunc.v4i64.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-trunc-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i8> @llvm.vp.trunc.v2i8.v4i32(<4 x i32> %v, <2 x i1> zeroinitializer, i32 0) ; error: VP cast intrinsic first argument and result vector lengths must be equal
  ret void
}
declare <2 x i8> @llvm.vp.trunc.v2i8.v4i32(<4 x i32>, <2 x i1>, i32)
; ---- case: vp-trunc-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.vp.trunc.v4f32.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.trunc intrinsic first argument and result element type must be integer
  ret void
}
declare <4 x float> @llvm.vp.trunc.v4f32.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-zext-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i8> @llvm.vp.zext.v4i8.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.zext or llvm.vp.sext intrinsic the bit size of first argument must be smaller than the bit size of the return type
  ret void
}
declare <4 x i8> @llvm.vp.zext.v4i8.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-fptoui-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vp.fptoui.v4i32.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.fptoui, llvm.vp.fptosi, llvm.vp.lrint or llvm.vp.llrintintrinsic first argument element type must be floating-point and result element type must be integer
  ret void
}
declare <4 x i32> @llvm.vp.fptoui.v4i32.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-uitofp-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.vp.uitofp.v4i32.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.uitofp or llvm.vp.sitofp intrinsic first argument element type must be integer and result element type must be floating-point
  ret void
}
declare <4 x i32> @llvm.vp.uitofp.v4i32.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-fptrunc-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x double> @llvm.vp.fptrunc.v4f64.v4f32(<4 x float> zeroinitializer, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.fptrunc intrinsic the bit size of first argument must be larger than the bit size of the return type
  ret void
}
declare <4 x double> @llvm.vp.fptrunc.v4f64.v4f32(<4 x float>, <4 x i1>, i32)
; ---- case: vp-fpext-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x half> @llvm.vp.fpext.v4f16.v4f32(<4 x float> zeroinitializer, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.fpext intrinsic the bit size of first argument must be smaller than the bit size of the return type
  ret void
}
declare <4 x half> @llvm.vp.fpext.v4f16.v4f32(<4 x float>, <4 x i1>, i32)
; ---- case: vp-ptrtoint-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i64> @llvm.vp.ptrtoint.v4i64.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.ptrtoint intrinsic first argument element type must be pointer and result element type must be integer
  ret void
}
declare <4 x i64> @llvm.vp.ptrtoint.v4i64.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-inttoptr-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i64> @llvm.vp.inttoptr.v4i64.v4i32(<4 x i32> %v, <4 x i1> zeroinitializer, i32 0) ; error: llvm.vp.inttoptr intrinsic first argument element type must be integer and result element type must be pointer
  ret void
}
declare <4 x i64> @llvm.vp.inttoptr.v4i64.v4i32(<4 x i32>, <4 x i1>, i32)
; ---- case: vp-icmp-predicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i1> @llvm.vp.icmp.v4i32(<4 x i32> %v, <4 x i32> %v, metadata !"oeq", <4 x i1> zeroinitializer, i32 0) ; error: invalid predicate for VP integer comparison intrinsic
  ret void
}
declare <4 x i1> @llvm.vp.icmp.v4i32(<4 x i32>, <4 x i32>, metadata, <4 x i1>, i32)
; ---- case: vp-fcmp-predicate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i1> @llvm.vp.fcmp.v4f32(<4 x float> zeroinitializer, <4 x float> zeroinitializer, metadata !"eq", <4 x i1> zeroinitializer, i32 0) ; error: invalid predicate for VP FP comparison intrinsic
  ret void
}
declare <4 x i1> @llvm.vp.fcmp.v4f32(<4 x float>, <4 x float>, metadata, <4 x i1>, i32)
; ---- case: vp-is-fpclass
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i1> @llvm.vp.is.fpclass.v4f32(<4 x float> zeroinitializer, i32 1024, <4 x i1> zeroinitializer, i32 0) ; error: unsupported bits for llvm.vp.is.fpclass test mask
  ret void
}
declare <4 x i1> @llvm.vp.is.fpclass.v4f32(<4 x float>, i32, <4 x i1>, i32)
; ---- case: vp-splice-index
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.experimental.vp.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 4, <4 x i1> zeroinitializer, i32 0, i32 0) ; error: The splice index exceeds the range [-VL, VL-1] where VL is the known minimum number of elements in the vector. For scalable vectors the minimum number of elements is determined from vscale_range.
  ret void
}
declare <4 x i32> @llvm.experimental.vp.splice.v4i32(<4 x i32>, <4 x i32>, i32, <4 x i1>, i32, i32)
; ---- case: constrained-exception
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call float @llvm.experimental.constrained.fadd.f32(float %x, float %x, metadata !"round.dynamic", metadata !"fpexcept.loud") ; error: invalid exception behavior argument
  ret void
}
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
; ---- case: constrained-rounding
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call float @llvm.experimental.constrained.fadd.f32(float %x, float %x, metadata !"round.sideways", metadata !"fpexcept.strict") ; error: invalid rounding mode argument
  ret void
}
declare float @llvm.experimental.constrained.fadd.f32(float, float, metadata, metadata)
; ---- case: constrained-fcmp
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i1 @llvm.experimental.constrained.fcmp.f32(float %x, float %x, metadata !"eq", metadata !"fpexcept.strict") ; error: invalid predicate for constrained FP comparison intrinsic
  ret void
}
declare i1 @llvm.experimental.constrained.fcmp.f32(float, float, metadata, metadata)
; ---- case: constrained-fptosi-source
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.experimental.constrained.fptosi.v4i32.f32(float %x, metadata !"fpexcept.strict") ; error: Intrinsic first argument and result disagree on vector use
  ret void
}
declare <4 x i32> @llvm.experimental.constrained.fptosi.v4i32.f32(float, metadata)
; ---- case: constrained-fptosi-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.experimental.constrained.fptosi.v4i32.v2f32(<2 x float> zeroinitializer, metadata !"fpexcept.strict") ; error: Intrinsic first argument and result vector lengths must be equal
  ret void
}
declare <4 x i32> @llvm.experimental.constrained.fptosi.v4i32.v2f32(<2 x float>, metadata)
; ---- case: constrained-sitofp-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.experimental.constrained.sitofp.v4f32.v2i32(<2 x i32> zeroinitializer, metadata !"round.dynamic", metadata !"fpexcept.strict") ; error: Intrinsic first argument and result vector lengths must be equal
  ret void
}
declare <4 x float> @llvm.experimental.constrained.sitofp.v4f32.v2i32(<2 x i32>, metadata, metadata)
; ---- case: constrained-sitofp-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x float> @llvm.experimental.constrained.sitofp.v4f32.i32(i32 0, metadata !"round.dynamic", metadata !"fpexcept.strict") ; error: Intrinsic first argument and result disagree on vector use
  ret void
}
declare <4 x float> @llvm.experimental.constrained.sitofp.v4f32.i32(i32, metadata, metadata)
; ---- case: constrained-fptrunc-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call double @llvm.experimental.constrained.fptrunc.f64.f32(float %x, metadata !"round.dynamic", metadata !"fpexcept.strict") ; error: Intrinsic first argument's type must be larger than result type
  ret void
}
declare double @llvm.experimental.constrained.fptrunc.f64.f32(float, metadata, metadata)
; ---- case: constrained-fpext-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call half @llvm.experimental.constrained.fpext.f16.f32(float %x, metadata !"fpexcept.strict") ; error: Intrinsic first argument's type must be smaller than result type
  ret void
}
declare half @llvm.experimental.constrained.fpext.f16.f32(float, metadata)
; ---- case: constrained-fpext-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x double> @llvm.experimental.constrained.fpext.v2f64.f32(float %x, metadata !"fpexcept.strict") ; error: Intrinsic first argument and result disagree on vector use
  ret void
}
declare <2 x double> @llvm.experimental.constrained.fpext.v2f64.f32(float, metadata)
; ---- case: constrained-lrint-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <4 x i32> @llvm.experimental.constrained.lrint.v4i32.v4f32(<4 x float> zeroinitializer, metadata !"round.dynamic", metadata !"fpexcept.strict") ; error: Intrinsic does not support vectors
  ret void
}
declare <4 x i32> @llvm.experimental.constrained.lrint.v4i32.v4f32(<4 x float>, metadata, metadata)
; ---- case: vector-match-lanes
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <2 x i1> @llvm.experimental.vector.match.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, <2 x i1> zeroinitializer) ; error: Intrinsic has incorrect argument type!
  ret void
}
declare <2 x i1> @llvm.experimental.vector.match.v4i32.v2i32(<4 x i32>, <2 x i32>, <2 x i1>)
; ---- case: callbr-landingpad
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.callbr.landingpad.i32(i32 %i) ; error: intrinstic requires callbr operand
  ret void
}
declare i32 @llvm.callbr.landingpad.i32(i32)
; ---- case: gather-no-vector
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i32 @llvm.masked.gather.i32.p0(ptr %p, i1 true, i32 0) ; error: Intrinsic has incorrect return type!
  ret void
}
declare i32 @llvm.masked.gather.i32.p0(ptr, i1, i32)
; ---- case: invoke-of-intrinsic-address
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i1 %c, ptr @llvm.trap, ptr null ; error: Cannot take the address of an intrinsic!
  ret void
}
declare void @llvm.trap()
; ---- case: range-immediate
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call <16 x bfloat> @llvm.amdgcn.cvt.scale.pk16.bf16.bf6(<3 x i32> zeroinitializer, i32 0, i32 16) ; error: immarg value 16 out of range [0, 16)
  ret void
}
declare <16 x bfloat> @llvm.amdgcn.cvt.scale.pk16.bf16.bf6(<3 x i32>, i32, i32)
; ---- case: masked-load-old-mask
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <8 x i1>, <4 x i32>)
define <4 x i32> @f(ptr %p, <8 x i1> %m, <4 x i32> %v) {
  %r = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <8 x i1> %m, <4 x i32> %v) ; error: Call parameter type does not match function signature!
  ret <4 x i32> %r
}
; ---- case: masked-gather-old-pointers
declare <4 x i32> @llvm.masked.gather.v4i32.v8p0(<8 x ptr>, i32, <4 x i1>, <4 x i32>)
define <4 x i32> @f(<8 x ptr> %p, <4 x i1> %m, <4 x i32> %v) {
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v8p0(<8 x ptr> %p, i32 4, <4 x i1> %m, <4 x i32> %v) ; error: Intrinsic has incorrect argument type!
  ret <4 x i32> %r
}
; ---- case: masked-scatter-old-value
declare void @llvm.masked.scatter.p0.v8p0(ptr, <8 x ptr>, i32, <8 x i1>)
define void @f(ptr %v, <8 x ptr> %p, <8 x i1> %m) {
  call void @llvm.masked.scatter.p0.v8p0(ptr %v, <8 x ptr> %p, i32 4, <8 x i1> %m) ; error: Call parameter type does not match function signature!
  ret void
}
; ---- case: stepvector-old-scalar
declare i32 @llvm.experimental.stepvector.i32()
define i32 @f() {
  %r = call i32 @llvm.experimental.stepvector.i32() ; error: Intrinsic has incorrect return type!
  ret i32 %r
}
; ---- case: stepvector-old-float
declare <vscale x 4 x float> @llvm.experimental.stepvector.nxv4f32()
define <vscale x 4 x float> @f() {
  %r = call <vscale x 4 x float> @llvm.experimental.stepvector.nxv4f32() ; error: stepvector only supported for vectors of integers with a bitwidth of at least 8.
  ret <vscale x 4 x float> %r
}
; ---- case: splice-old-index
declare <2 x double> @llvm.experimental.vector.splice.v2f64(<2 x double>, <2 x double>, i32)
define <2 x double> @f(<2 x double> %a) {
  %r = call <2 x double> @llvm.experimental.vector.splice.v2f64(<2 x double> %a, <2 x double> %a, i32 -3) ; error: The splice index exceeds the range [0, VL]
  ret <2 x double> %r
}
; ---- case: aarch64-ld2-result
declare { <4 x i64>, <4 x i32> } @llvm.aarch64.neon.ld2.v4i32.p0(ptr)
define void @f(ptr %p) {
  %r = call { <4 x i64>, <4 x i32> } @llvm.aarch64.neon.ld2.v4i32.p0(ptr %p) ; error: Intrinsic has incorrect return type!
  ret void
}
; ---- case: riscv-vlseg2-struct
declare { <vscale x 16 x i16>, <vscale x 16 x i16> } @llvm.riscv.vlseg2.nxv16i16(<vscale x 16 x i16>, <vscale x 16 x i16>, ptr, i64)
define void @f(ptr %p, i64 %n) {
  %r = call { <vscale x 16 x i16>, <vscale x 16 x i16> } @llvm.riscv.vlseg2.nxv16i16(<vscale x 16 x i16> undef, <vscale x 16 x i16> undef, ptr %p, i64 %n) ; error: Intrinsic has incorrect argument type!
  ret void
}
; ---- case: amx-constant-tile
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)
define void @f(ptr %p) {
  call void @llvm.x86.tilestored64.internal(i16 1, i16 1, ptr %p, i64 64, x86_amx bitcast (<256 x i32> zeroinitializer to x86_amx)) ; error: const x86_amx is not allowed in argument!
  ret void
}
; ---- case: threadlocal-address-cast
@t = thread_local addrspace(1) global i32 0
declare ptr @llvm.threadlocal.address.p0(ptr)
define void @f() {
  %r = call ptr @llvm.threadlocal.address.p0(ptr addrspacecast (ptr addrspace(1) @t to ptr)) ; error: llvm.threadlocal.address first argument must be a GlobalValue
  ret void
}
; ---- case: masked-gather-old-alignment
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x i32>)
define <4 x i32> @f(<4 x ptr> %p, <4 x i1> %m, <4 x i32> %v) {
  %r = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, i32 undef, <4 x i1> %m, <4 x i32> %v) ; error: Invalid alignment argument
  ret <4 x i32> %r
}
; ---- case: x86-result
declare { i64, i32 } @llvm.x86.avx.hsub.ps.256()
define void @f() {
  %r = call { i64, i32 } @llvm.x86.avx.hsub.ps.256() ; error: Intrinsic has incorrect return type!
  ret void
}
