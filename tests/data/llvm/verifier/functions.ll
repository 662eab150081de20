; ---- case: name-missing
define void f() { ; error: expected function name
ret void
}
; ---- case: parameters-missing
define void @f { ; error: expected '(' in function argument list
ret void
}
; ---- case: redefined
define void @f() {
ret void
}
define void @f() { ; error: invalid redefinition of function 'f'
ret void
}
; ---- case: declared-twice
declare void @f()
declare void @f() ; error: invalid redefinition of function 'f'
; ---- case: defined-as-global
@f = global i32 0
declare void @f() ; error: redefinition of function '@f'
; ---- case: forward-space
@g = global ptr @f ; error: invalid forward reference to function 'f' with wrong type: expected 'ptr addrspace(1)' but was 'ptr'
declare void @f() addrspace(1)
; ---- case: number-order
define void @1() {
ret void
}
define void @0() { ; error: function expected to be numbered '@2' or greater
ret void
}
; ---- case: body-missing
define void @f() 0 ; error: expected '{' in function body
; ---- case: body-empty
define void @f() {
} ; error: function body requires at least one basic block
; ---- case: body-brace
define void @f()
ret void ; error: expected '{' in function body
}
; ---- case: body-open
define void @f() {
ret void ; error: found end of file when expecting more instructions
; ---- case: sret-result
define i32 @f(ptr sret(i32) %p) { ; error: functions with 'sret' argument must return void
ret i32 0
}
; ---- case: builtin-attribute
define void @f() builtin { ; error: 'builtin' attribute not valid on function
ret void
}
; ---- case: section-string
define void @f() section x { ; error: expected string constant
ret void
}
; ---- case: partition-string
define void @f() partition x { ; error: expected string constant
ret void
}
; ---- case: comdat-undefined
define void @f() comdat($c) { ; error: use of undefined comdat '$c'
ret void
}
; ---- case: align-power
define void @f() align 3 { ; error: alignment is not a power of two
ret void
}
; ---- case: gc-string
define void @f() gc x { ; error: expected string constant
ret void
}
; ---- case: prefix-type
define void @f() prefix void 0 { ; error: void type only allowed for function results
ret void
}
; ---- case: personality-type
define void @f() personality {
ret void ; error: expected type
}
; ---- case: convention-number
define cc x void @f() { ; error: expected integer
ret void
}
; ---- case: visibility-twice
define hidden protected void @f() { ; error: expected type
ret void
}
; ---- case: unnamed-addr-order
define void @f() nounwind unnamed_addr nounwind { ; error: expected '{' in function body
ret void
}
; ---- case: declaration-body
declare void @f() { ; error: expected top-level entity
ret void
}
; ---- case: declaration-personality
declare i32 @p(...)
declare void @f() personality ptr @p ; error: Function declaration shouldn't have a personality routine
; ---- case: declaration-prof
declare !prof !0 void @f() ; error: function declaration may not have a !prof attachment
!0 = !{!"function_entry_count", i64 1}
; ---- case: declaration-distinct-dbg
declare !dbg !0 void @f()
!0 = distinct !DISubprogrm(name: "f") ; error: expected metadata type
; ---- case: intrinsic-defined
define void @llvm.trap() { ; error: llvm intrinsics cannot be defined!
ret void
}
; ---- case: intrinsic-prefix-defined
define void @llvm.foo() { ; error: llvm intrinsics cannot be defined!
ret void
}
; ---- case: entry-predecessor
define void @f() {
entry:
  br label %entry ; error: Entry block to function must not have predecessors!
}
; ---- case: prof-operands
define void @f() !prof !0 { ; error: !prof annotations should have no less than 2 operands
ret void
}
!0 = !{!"function_entry_count"}
; ---- case: prof-name
define void @f() !prof !0 { ; error: first operand should be 'function_entry_count' or 'synthetic_function_entry_count'
ret void
}
!0 = !{!"entry_count", i64 1}
; ---- case: prof-string
define void @f() !prof !0 { ; error: expected string with name of the !prof annotation
ret void
}
!0 = !{i32 1, i64 1}
; ---- case: prof-null
define void @f() !prof !0 { ; error: first operand should not be null
ret void
}
!0 = !{null, i64 1}
; ---- case: prof-count-null
define void @f() !prof !0 { ; error: second operand should not be null
ret void
}
!0 = !{!"function_entry_count", null}
; ---- case: prof-count
define void @f() !prof !0 { ; error: expected integer argument to function_entry_count
ret void
}
!0 = !{!"function_entry_count", !"1"}
; ---- case: prof-unknown
define void @f() !prof !0 { ; error: !prof annotations should have no less than 2 operands
ret void
}
!0 = !{!"unknown"}
; ---- case: prof-twice
define void @f() !prof !0 !prof !0 { ; error: function must have a single !prof attachment
ret void
}
!0 = !{!"function_entry_count", i64 1}
; ---- case: kcfi-operands
define void @f() !kcfi_type !0 { ; error: !kcfi_type must have exactly one operand
ret void
}
!0 = !{}
; ---- case: kcfi-null
define void @f() !kcfi_type !0 { ; error: !kcfi_type operand must not be null
ret void
}
!0 = !{null}
; ---- case: kcfi-constant
define void @f() !kcfi_type !0 { ; error: expected a constant operand for !kcfi_type
ret void
}
!0 = !{!"x"}
; ---- case: kcfi-integer
define void @f() !kcfi_type !0 { ; error: expected a constant integer operand for !kcfi_type
ret void
}
!0 = !{float 1.0}
; ---- case: kcfi-width
define void @f() !kcfi_type !0 { ; error: expected a 32-bit integer constant operand for !kcfi_type
ret void
}
!0 = !{i64 1}
; ---- case: kcfi-twice
define void @f() !kcfi_type !0 !kcfi_type !0 { ; error: function must have a single !kcfi_type attachment
ret void
}
!0 = !{i32 1}
; ---- case: naked-argument
define i32 @f(i32 %x) naked {
  ret i32 %x ; error: cannot use argument of naked function
}
; ---- case: convention-x86-intr
define x86_intrcc void @f(ptr %p) { ; error: Calling convention parameter requires byval
ret void
}
; ---- case: convention-kernel-result
define amdgpu_kernel i32 @f() { ; error: Calling convention requires void return type
ret i32 0
}
; ---- case: convention-spir-kernel-result
define spir_kernel i32 @f() { ; error: Calling convention requires void return type
ret i32 0
}
; ---- case: convention-kernel-varargs
define amdgpu_kernel void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: convention-kernel-sret
define amdgpu_kernel void @f(ptr sret(i32) %p) { ; error: Calling convention does not allow sret
ret void
}
; ---- case: convention-kernel-byval
define amdgpu_kernel void @f(ptr byval(i32) %p) { ; error: Calling convention disallows byval
ret void
}
; ---- case: convention-kernel-inalloca
define amdgpu_kernel void @f(ptr inalloca(i32) %p) { ; error: Calling convention disallows inalloca
ret void
}
; ---- case: convention-kernel-preallocated
define amdgpu_kernel void @f(ptr preallocated(i32) %p) { ; error: Calling convention disallows preallocated
ret void
}
; ---- case: convention-kernel-byref
target datalayout = "A5"
define amdgpu_kernel void @f(ptr addrspace(5) byref(i32) %p) { ; error: Calling convention disallows stack byref
ret void
}
; ---- case: convention-vs-varargs
define amdgpu_vs void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: convention-ps-sret
define amdgpu_ps void @f(ptr sret(i32) %p) { ; error: Calling convention does not allow sret
ret void
}
; ---- case: convention-chain-result
define amdgpu_cs_chain i32 @f() { ; error: Calling convention requires void return type
ret i32 0
}
; ---- case: convention-fast-varargs
define fastcc void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: convention-cold-varargs
define coldcc void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: convention-ptx-varargs
define ptx_kernel void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: convention-ocl-varargs
define intel_ocl_bicc void @f(...) { ; error: Calling convention does not support varargs or perfect forwarding!
ret void
}
; ---- case: swifterror-stored
define swiftcc void @f(ptr swifterror %e, ptr %p) {
  store ptr %e, ptr %p ; error: swifterror value should be the second operand when used by stores
ret void
}
; ---- case: swifterror-gep
define swiftcc void @f(ptr swifterror %e) {
  %g = getelementptr i8, ptr %e, i64 1 ; error: swifterror value can only be loaded and stored from, or as a swifterror argument!
ret void
}
; ---- case: swifterror-call
declare void @g(ptr)
define swiftcc void @f(ptr swifterror %e) {
  call void @g(ptr %e) ; error: swifterror value when used in a callsite should be marked with swifterror attribute
ret void
}
; ---- case: swifterror-alloca-type
define void @f() {
  %a = alloca swifterror i32 ; error: swifterror alloca must have pointer type
ret void
}
; ---- case: swifterror-alloca-array
define void @f() {
  %a = alloca swifterror ptr, i32 2 ; error: swifterror alloca must not be array allocation
ret void
}
