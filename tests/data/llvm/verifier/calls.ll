; ---- case: not-enough
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (i32) @g() ; error: not enough parameters specified for call
  ret void
}
declare void @g(i32)
; ---- case: too-many
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void () @g(i32 0) ; error: too many arguments specified
  ret void
}
declare void @g()
; ---- case: argument-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (i32) @g(i64 0) ; error: argument is not of expected type 'i32'
  ret void
}
declare void @g(i32)
; ---- case: variadic-not-enough
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (i32, ...) @g() ; error: not enough parameters specified for call
  ret void
}
declare void @g(i32, ...)
; ---- case: argument-void
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(void 0) ; error: void type only allowed for function results
  ret void
}
declare void @g(i32)
; ---- case: argument-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(i32 0 i32 0) ; error: expected ',' in argument list
  ret void
}
declare void @g(i32, i32)
; ---- case: paren
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g
  ret void ; error: expected '(' in call
}
declare void @g()
; ---- case: close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(
  ret void ; error: expected type
}
declare void @g()
; ---- case: callee-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() ; error: use of undefined value '@g'
  ret void
}
; ---- case: callee-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %i() ; error: '%i' defined with type 'i32' but expected 'ptr'
  ret void
}
; ---- case: callee-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void 5() ; error: integer constant must have integer type
  ret void
}
; ---- case: result-metadata
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call metadata @g() ; error: Invalid result type for LLVM function
  ret void
}
; ---- case: result-function
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void () () @g() ; error: invalid function return type
  ret void
}
; ---- case: fast-math-on-int
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call fast void @g() ; error: fast-math-flags specified for call without floating-point scalar or vector return type
  ret void
}
declare void @g()
; ---- case: group-undefined-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() #x ; error: expected debug record type here
  ret void
}
declare void @g()
; ---- case: address-space
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call addrspace(1) void @g() ; error: invalid forward reference to function 'g' with wrong type: expected 'ptr' but was 'ptr addrspace(1)'
  ret void
}
declare void @g()
; ---- case: convention-kernel
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call amdgpu_kernel void @g() ; error: calling convention does not permit calls
  ret void
}
declare amdgpu_kernel void @g()
; ---- case: convention-cs
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call amdgpu_cs void @g() ; error: calling convention does not permit calls
  ret void
}
declare amdgpu_cs void @g()
; ---- case: convention-chain
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call amdgpu_cs_chain void @g() ; error: calling convention does not permit calls
  ret void
}
declare amdgpu_cs_chain void @g()
; ---- case: speculatable
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() speculatable ; error: speculatable attribute may not apply to call sites
  ret void
}
declare void @g()
; ---- case: preallocated-call-attribute
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() preallocated(i32) ; error: preallocated as a call site attribute can only be on llvm.call.preallocated.arg
  ret void
}
declare void @g()
; ---- case: parameter-metadata
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(metadata !0) ; error: Function has metadata parameter but isn't an intrinsic
  ret void
}
declare void @g(metadata)
!0 = !{}
; ---- case: token-argument
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p(token none) ; error: Function has token parameter but isn't an intrinsic
  ret void
}
; ---- case: token-result-indirect
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call token %p() ; error: Return type cannot be token for indirect call!
  ret void
}
; ---- case: amx-result-indirect
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call x86_amx %p() ; error: Return type cannot be x86_amx for indirect call!
  ret void
}
; ---- case: swifterror-alloca
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca ptr
  call void @g(ptr swifterror %a) ; error: swifterror argument for call has mismatched alloca
  ret void
}
declare void @g(ptr swifterror)
; ---- case: swifterror-source
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(ptr swifterror null) ; error: swifterror argument should come from an alloca or parameter
  ret void
}
declare void @g(ptr swifterror)
; ---- case: swifterror-parameter
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(ptr swifterror %p) ; error: swifterror argument for call has mismatched parameter
  ret void
}
declare void @g(ptr swifterror)
; ---- case: inalloca-alloca
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = alloca i32
  call void @g(ptr inalloca(i32) %a) ; error: inalloca argument for call has mismatched alloca
  ret void
}
declare void @g(ptr inalloca(i32))
; ---- case: immarg-call-only
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(i32 immarg 0) ; error: immarg attribute only applies to intrinsics
  ret void
}
declare void @g(i32)
; ---- case: preallocated-bundle
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(ptr preallocated(i32) %p) ; error: preallocated operand either requires a preallocated bundle or the call to be musttail (but not both)
  ret void
}
declare void @g(ptr preallocated(i32))
; ---- case: variadic-sret
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @g(ptr sret(i32) %p) ; error: Attribute 'sret' cannot be used for vararg call arguments!
  ret void
}
declare void @g(...)
; ---- case: variadic-nest
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @g(ptr nest %p, ptr nest %p) ; error: More than one parameter has attribute nest!
  ret void
}
declare void @g(...)
; ---- case: variadic-returned
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @g(ptr returned %p) ; error: Incompatible argument and return types for 'returned' attribute
  ret void
}
declare void @g(...)
; ---- case: variadic-inalloca
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @g(ptr inalloca(i32) %p, i32 0) ; error: inalloca isn't on the last argument!
  ret void
}
declare void @g(...)
; ---- case: musttail-asm
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  musttail call void asm "", ""() ; error: cannot use musttail call with inline asm
  ret void
}
; ---- case: musttail-no-return
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  musttail call void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) ; error: musttail call must precede a ret with an optional bitcast
  add i32 %i, 1
  ret void
}
; ---- case: musttail-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  musttail call void @g() ; error: cannot guarantee tail call due to mismatched parameter counts
  ret void
}
declare void @g()
; ---- case: musttail-varargs
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  musttail call void (...) @g() ; error: cannot guarantee tail call due to mismatched varargs
  ret void
}
declare void @g(...)
; ---- case: musttail-result
declare i32 @g()
define void @f() {
  %a = musttail call i32 @g() ; error: cannot guarantee tail call due to mismatched return types
ret void
}
; ---- case: musttail-return-value
declare i32 @g()
define i32 @f() {
%a = musttail call i32 @g()
  ret i32 0 ; error: musttail call result must be returned
}
; ---- case: musttail-convention
declare fastcc void @g()
define void @f() {
  musttail call fastcc void @g() ; error: cannot guarantee tail call due to mismatched calling conv
ret void
}
; ---- case: musttail-parameter
declare void @g(i32)
define void @f(ptr %p) {
  musttail call void @g(i32 0) ; error: cannot guarantee tail call due to mismatched parameter types
ret void
}
; ---- case: musttail-abi
declare void @g(ptr)
define void @f(ptr byval(i32) %p) {
  musttail call void @g(ptr %p) ; error: cannot guarantee tail call due to mismatched ABI impacting function attributes
ret void
}
; ---- case: musttail-tailcc-inreg
declare tailcc void @g(i32 inreg)
define tailcc void @f() {
  musttail call tailcc void @g(i32 inreg 0) ; error: inreg attribute not allowed in tailcc musttail callee
ret void
}
; ---- case: musttail-tailcc-caller-inreg
declare tailcc void @g()
define tailcc void @f(i32 inreg %i) {
  musttail call tailcc void @g() ; error: inreg attribute not allowed in tailcc musttail caller
ret void
}
; ---- case: musttail-tailcc-byref
declare tailcc void @g(ptr byref(i32))
define tailcc void @f(ptr %p) {
  musttail call tailcc void @g(ptr byref(i32) %p) ; error: byref attribute not allowed in tailcc musttail callee
ret void
}
; ---- case: musttail-tailcc-swifterror
declare swifttailcc void @g()
define swifttailcc void @f(ptr swifterror %p) {
  musttail call swifttailcc void @g() ; error: swifterror attribute not allowed in swifttailcc musttail caller
ret void
}
; ---- case: musttail-tailcc-inalloca
declare tailcc void @g()
define tailcc void @f(ptr inalloca(i32) %p) {
  musttail call tailcc void @g() ; error: inalloca attribute not allowed in tailcc musttail caller
ret void
}
; ---- case: musttail-tailcc-preallocated
declare tailcc void @g()
define tailcc void @f(ptr preallocated(i32) %p) {
  musttail call tailcc void @g() ; error: preallocated attribute not allowed in tailcc musttail caller
ret void
}
; ---- case: musttail-tailcc-varargs
declare tailcc void @g(...)
define tailcc void @f(...) {
  musttail call tailcc void (...) @g(...) ; error: cannot guarantee tailcc tail call for varargs function
ret void
}
; ---- case: dots-not-musttail
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void (...) @g(...) ; error: unexpected ellipsis in argument list for non-musttail call
  ret void
}
declare void @g(...)
; ---- case: dots-not-variadic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  musttail call void (...) @g(...) ; error: unexpected ellipsis in argument list for musttail call in non-varargs function
  ret void
}
declare void @g(...)
; ---- case: tail-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  tail add i32 %i, 1 ; error: expected 'tail call', 'musttail call', or 'notail call'
  ret void
}
; ---- case: notail-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  notail ret void ; error: expected 'tail call', 'musttail call', or 'notail call'
  ret void
}
; ---- case: invoke-unwind
declare i32 @p(...)
define void @f() personality ptr @p {
  invoke void @f() to label %a unwind label %a ; error: The unwind destination does not have an exception handling instruction!
a:
ret void
}
; ---- case: invoke-to
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @g() label %a unwind label %a ; error: expected 'to' in invoke
a:
  ret void
}
declare void @g()
; ---- case: invoke-unwind-word
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @g() to label %a label %a ; error: expected 'unwind' in invoke
a:
  ret void
}
declare void @g()
; ---- case: invoke-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @g(i32 0) to label %a unwind label %a ; error: The unwind destination does not have an exception handling instruction!
a:
  ret void
}
declare void @g()
; ---- case: invoke-few
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @g() to label %a unwind label %a ; error: The unwind destination does not have an exception handling instruction!
a:
  ret void
}
declare void @g(i32)
; ---- case: invoke-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @g(i64 0) to label %a unwind label %a ; error: The unwind destination does not have an exception handling instruction!
a:
  ret void
}
declare void @g(i32)
; ---- case: invoke-intrinsic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  invoke void @llvm.trap() to label %a unwind label %b ; error: Cannot invoke an intrinsic other than donothing, patchpoint, statepoint, coro_resume, coro_destroy, clang.arc.attachedcall or wasm.(re)throw
a:
  ret void
b:
  landingpad i32 cleanup
  ret void
}
declare void @llvm.trap()
; ---- case: callbr-bracket
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm "", "!i"() to label %a label %a ; error: expected '[' in callbr
a:
  ret void
}
; ---- case: callbr-to
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm "", "!i"() label %a [label %a] ; error: expected 'to' in callbr
a:
  ret void
}
; ---- case: callbr-close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm "", "!i"() to label %a [label %a
a: ; error: expected ']' at end of block list
  ret void
}
; ---- case: callbr-labels
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm "", "!i"() to label %a [] ; error: Number of label constraints does not match number of callbr dests
a:
  ret void
}
; ---- case: callbr-unwind
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  callbr void asm unwind "", ""() to label %a [] ; error: Unwinding from Callbr is not allowed
a:
  ret void
}
; ---- case: asm-label-call
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "!i"() ; error: Label constraints can only be used with callbr
  ret void
}
; ---- case: asm-indirect-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "*m"(i32 elementtype(i32) %i) ; error: Attribute 'elementtype(i32)' applied to incompatible type!
  ret void
}
; ---- case: asm-indirect-element
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "*m"(ptr %p) ; error: Operand for indirect constraint must have elementtype attribute
  ret void
}
; ---- case: asm-element-direct
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "r"(ptr elementtype(i32) %p) ; error: Elementtype attribute can only be applied for indirect constraints
  ret void
}
; ---- case: asm-operand-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void asm "", "r"() ; error: number of input constraints does not match number of parameters
  ret void
}
; ---- case: bundle-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [] ; error: operand bundle set must not be empty
  ret void
}
declare void @g()
; ---- case: bundle-string
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ deopt() ] ; error: expected string constant
  ret void
}
declare void @g()
; ---- case: bundle-paren
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "deopt" ] ; error: expected '(' in operand bundle
  ret void
}
declare void @g()
; ---- case: bundle-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "deopt"(i32 0 i32 0) ] ; error: expected ',' in input list
  ret void
}
declare void @g()
; ---- case: bundle-deopt-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "deopt"(), "deopt"() ] ; error: Multiple deopt operand bundles
  ret void
}
declare void @g()
; ---- case: bundle-gc-transition-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "gc-transition"(), "gc-transition"() ] ; error: Multiple gc-transition operand bundles
  ret void
}
declare void @g()
; ---- case: bundle-gc-live-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "gc-live"(), "gc-live"() ] ; error: Multiple gc-live operand bundles
  ret void
}
declare void @g()
; ---- case: bundle-funclet-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "funclet"() ] ; error: Expected exactly one funclet bundle operand
  ret void
}
declare void @g()
; ---- case: bundle-funclet-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "funclet"(token none) ] ; error: Funclet bundle operands should correspond to a FuncletPadInst
  ret void
}
declare void @g()
; ---- case: bundle-cfguard-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "cfguardtarget"() ] ; error: Expected exactly one cfguardtarget bundle operand
  ret void
}
declare void @g()
; ---- case: bundle-cfguard-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "cfguardtarget"(ptr %p), "cfguardtarget"(ptr %p) ] ; error: Multiple CFGuardTarget operand bundles
  ret void
}
declare void @g()
; ---- case: bundle-ptrauth-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "ptrauth"(i32 0) ] ; error: Expected exactly two ptrauth bundle operands
  ret void
}
; ---- case: bundle-ptrauth-key
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "ptrauth"(i64 0, i64 0) ] ; error: Ptrauth bundle key operand must be an i32 constant
  ret void
}
; ---- case: bundle-ptrauth-discriminator
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "ptrauth"(i32 0, i32 0) ] ; error: Ptrauth bundle discriminator operand must be an i64
  ret void
}
; ---- case: bundle-ptrauth-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "ptrauth"(i32 0, i64 0), "ptrauth"(i32 0, i64 0) ] ; error: Multiple ptrauth operand bundles
  ret void
}
; ---- case: bundle-ptrauth-direct
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "ptrauth"(i32 0, i64 0) ] ; error: Direct call cannot have a ptrauth bundle
  ret void
}
declare void @g()
; ---- case: bundle-kcfi-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "kcfi"() ] ; error: Expected exactly one kcfi bundle operand
  ret void
}
; ---- case: bundle-kcfi-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "kcfi"(i64 0) ] ; error: Kcfi bundle operand must be an i32 constant
  ret void
}
; ---- case: bundle-kcfi-twice
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p() [ "kcfi"(i32 0), "kcfi"(i32 0) ] ; error: Multiple kcfi operand bundles
  ret void
}
; ---- case: bundle-preallocated-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "preallocated"() ] ; error: Expected exactly one preallocated bundle operand
  ret void
}
declare void @g()
; ---- case: bundle-preallocated-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "preallocated"(token none) ] ; error: "preallocated" argument must be a token from llvm.call.preallocated.setup
  ret void
}
declare void @g()
; ---- case: bundle-attachedcall-result
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "clang.arc.attachedcall"(ptr @objc_retainAutoreleasedReturnValue) ] ; error: a call with operand bundle "clang.arc.attachedcall" must call a function returning a pointer or a non-returning function that has a void return type
  ret void
}
declare void @g()
declare ptr @objc_retainAutoreleasedReturnValue(ptr)
; ---- case: bundle-attachedcall-function
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call ptr @g() [ "clang.arc.attachedcall"(ptr @g) ] ; error: invalid function argument
  ret void
}
declare ptr @g()
; ---- case: bundle-attachedcall-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call ptr @g() [ "clang.arc.attachedcall"() ] ; error: operand bundle "clang.arc.attachedcall" requires one function as an argument
  ret void
}
declare ptr @g()
; ---- case: bundle-convergence-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() [ "convergencectrl"() ] ; error: The 'convergencectrl' bundle requires exactly one token use.
  ret void
}
declare void @g()
; ---- case: bundle-convergence-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g() convergent [ "convergencectrl"(token none) ] ; error: Convergence control tokens can only be produced by calls to the convergence control intrinsics.
  ret void
}
declare void @g()
; ---- case: convergence-mixed
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.experimental.convergence.anchor()
  call void @g() ; error: Cannot mix controlled and uncontrolled convergence in the same function.
  ret void
}
declare void @g() convergent
declare token @llvm.experimental.convergence.anchor()
; ---- case: convergence-entry-not-convergent
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.experimental.convergence.entry() ; error: Entry intrinsic can occur only in a convergent function.
  ret void
}
declare token @llvm.experimental.convergence.entry()
; ---- case: convergence-loop-no-token
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %t = call token @llvm.experimental.convergence.loop() ; error: Loop intrinsic must have a convergencectrl token operand.
  ret void
}
declare token @llvm.experimental.convergence.loop()
; ---- case: convergence-entry-not-entry
define void @f() convergent {
br label %a
a:
  %t = call token @llvm.experimental.convergence.entry() ; error: Entry intrinsic can occur only in the entry block.
ret void
}
declare token @llvm.experimental.convergence.entry()
; ---- case: no-location
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !dbg !0
  ret void
}
declare void @g()
!0 = !DILocation(line: 1) ; error: missing required field 'scope'
