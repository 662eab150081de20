; ---- case: alloc-token-not-call
define void @f(i32 %x) {
  %a = add i32 %x, 1, !alloc_token !0 ; error: !alloc_token should only exist on calls
  ret void
}
!0 = !{!"int", i1 false}
; ---- case: alloc-token-count
define void @f() {
  call void @f(), !alloc_token !0 ; error: !alloc_token must have 2 operands
  ret void
}
!0 = !{!"int"}
; ---- case: alloc-token-name
define void @f() {
  call void @f(), !alloc_token !0 ; error: expected string
  ret void
}
!0 = !{i32 1, i1 false}
; ---- case: alloc-token-flag
define void @f() {
  call void @f(), !alloc_token !0 ; error: expected integer constant
  ret void
}
!0 = !{!"int", !"int"}
; ---- case: nofree-type
define void @f(i32 %x) {
  %a = add i32 %x, 1, !nofree !0 ; error: nofree applies only to pointer types
  ret void
}
!0 = !{}
; ---- case: nofree-instruction
define void @f(ptr %x) {
  %a = load ptr, ptr %x, !nofree !0 ; error: nofree applies only to inttoptr instruction
  ret void
}
!0 = !{}
; ---- case: nofree-operands
define void @f(i64 %x) {
  %a = inttoptr i64 %x to ptr, !nofree !0 ; error: nofree metadata must be empty
  ret void
}
!0 = !{i32 1}
; ---- case: captures-instruction
define void @f(ptr %x) {
  %a = load ptr, ptr %x, !captures !0 ; error: !captures metadata can only be applied to store instructions
  ret void
}
!0 = !{!"address"}
; ---- case: captures-type
define void @f(ptr %x) {
  store i32 1, ptr %x, !captures !0 ; error: !captures metadata can only be applied to store with value operand of pointer type
  ret void
}
!0 = !{!"address"}
; ---- case: captures-empty
define void @f(ptr %x) {
  store ptr %x, ptr %x, !captures !0 ; error: !captures metadata cannot be empty
  ret void
}
!0 = !{}
; ---- case: captures-string
define void @f(ptr %x) {
  store ptr %x, ptr %x, !captures !0 ; error: !captures metadata must be a list of strings
  ret void
}
!0 = !{i32 1}
; ---- case: captures-entry
define void @f(ptr %x) {
  store ptr %x, ptr %x, !captures !0 ; error: invalid entry in !captures metadata
  ret void
}
!0 = !{!"all"}
; ---- case: callee-type-instruction
define void @f(ptr %x) {
  store ptr %x, ptr %x, !callee_type !0 ; error: !callee_type metadata should only exist on calls
  ret void
}
!0 = !{!1}
!1 = !{i64 0, !"_ZTSFivE.generalized"}
; ---- case: callee-type-entry
define void @f(ptr %x) {
  call void @f(ptr %x), !callee_type !0 ; error: The callee_type metadata must be a list of type metadata nodes
  ret void
}
!0 = !{i32 1}
; ---- case: callee-type-count
define void @f(ptr %x) {
  call void @f(ptr %x), !callee_type !0 ; error: Well-formed generalized type metadata must contain exactly two operands
  ret void
}
!0 = !{!1}
!1 = !{i64 0}
; ---- case: callee-type-offset
define void @f(ptr %x) {
  call void @f(ptr %x), !callee_type !0 ; error: The first operand of type metadata for functions must be zero
  ret void
}
!0 = !{!1}
!1 = !{i64 8, !"_ZTSFivE.generalized"}
; ---- case: callee-type-plain
define void @f(ptr %x) {
  call void @f(ptr %x), !callee_type !0 ; error: Only generalized type metadata can be part of the callee_type metadata list
  ret void
}
!0 = !{!1}
!1 = !{i64 0, !"_ZTSFivE"}
; ---- case: implicit-ref-count
define void @f() !implicit.ref !0 { ; error: ref metadata must have one operand
  ret void
}
!0 = !{}
; ---- case: implicit-ref-value
define void @f() !implicit.ref !0 { ; error: ref metadata must be ValueAsMetadata
  ret void
}
!0 = !{!"x"}
; ---- case: implicit-ref-constant
define void @f() !implicit.ref !0 { ; error: ref value must be pointer typed
  ret void
}
!0 = !{i32 1}
; ---- case: implicit-ref-self
define void @f() !implicit.ref !0 { ; error: values should not reference themselves
  ret void
}
!0 = !{ptr @f}
; ---- case: implicit-ref-declaration
@g = external global i32, !implicit.ref !0 ; error: ref metadata must not be placed on a declaration
@h = global i32 0
!0 = !{ptr @h}
; ---- case: implicit-ref-global
@g = global i32 0, !implicit.ref !0 ; error: ref metadata must have one operand
!0 = !{}
; ---- case: errno-empty
!llvm.errno.tbaa = !{} ; error: llvm.errno.tbaa must have at least one operand
; ---- case: errno-scalar
!llvm.errno.tbaa = !{!0}
!0 = !{!"int", !1, i64 0} ; error: Old-style TBAA is no longer allowed, use struct-path TBAA instead
!1 = !{!"root"}
; ---- case: errno-access
!llvm.errno.tbaa = !{!0}
!0 = !{!1, !2, i64 0} ; error: Access type node must be a valid scalar type
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: prof-unknown-string
define void @f() {
  call void @f(), !prof !0 ; error: 'unknown' !prof should have a single additional operand
  ret void
}
!0 = !{!"unknown"}
; ---- case: prof-unknown-operand
define void @f() {
  call void @f(), !prof !0 ; error: 'unknown' !prof should have an additional operand of type string
  ret void
}
!0 = !{!"unknown", i32 1}
; ---- case: prof-unknown-empty
define void @f() {
  call void @f(), !prof !0 ; error: the 'unknown' !prof operand should not be an empty string
  ret void
}
!0 = !{!"unknown", !""}
; ---- case: prof-value-profile-kind
define void @f() {
  call void @f(), !prof !0 ; error: !prof annotations should have no less than 2 operands
  ret void
}
!0 = !{!"VP"}
; ---- case: prof-value-profile-kind-type
define void @f() {
  call void @f(), !prof !0 ; error: invalid value profiling metadata
  ret void
}
!0 = !{!"VP", !"x"}
; ---- case: module-flag-require-value
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"a", i32 1}
!1 = !{i32 3, !"b", !2} ; error: invalid requirement on flag, flag does not have the required value
!2 = !{!"a", i32 2}
; ---- case: module-flag-require-present
!llvm.module.flags = !{!0}
!0 = !{i32 3, !"b", !1} ; error: invalid requirement on flag, flag is not present in module
!1 = !{!"a", i32 2}
; ---- case: module-flag-pauth
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"aarch64-elf-pauthabi-platform", i32 1} ; error: either both or no 'aarch64-elf-pauthabi-platform' and 'aarch64-elf-pauthabi-version' module flags must be present
; ---- case: module-flag-wchar
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"wchar_size", !"x"} ; error: wchar_size metadata requires constant integer argument
; ---- case: module-flag-interposition
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"SemanticInterposition", !"x"} ; error: SemanticInterposition metadata requires constant integer argument
; ---- case: module-flag-linker-options
!llvm.module.flags = !{!0}
!0 = !{i32 6, !"Linker Options", !1} ; error: 'Linker Options' named metadata no longer supported
!1 = !{!2}
!2 = !{!"x"}
; ---- case: associated-count
@g = global i32 0, !associated !0 ; error: associated metadata must have one operand
!0 = !{}
; ---- case: associated-value
@g = global i32 0, !associated !0 ; error: associated metadata must be ValueAsMetadata
!0 = !{!"x"}
; ---- case: associated-constant
@g = global i32 0, !associated !0 ; error: associated value must be pointer typed
!0 = !{i32 1}
; ---- case: associated-self
@g = global i32 0, !associated !0 ; error: global values should not associate to themselves
!0 = !{ptr @g}
; ---- case: associated-alias
@g = global i32 0, !associated !0 ; error: global values should not associate to themselves
@a = alias i32, ptr @g
!0 = !{ptr @a}
; ---- case: fpmath-count
define void @f(float %x) {
  %a = fadd float %x, %x, !fpmath !0 ; error: fpmath takes one operand!
  ret void
}
!0 = !{float 1.0, float 2.0}
; ---- case: memprof-two-tags
declare void @g()
define void @f() {
  call void @g(), !memprof !0 ; error: Not all !memprof MemInfoBlock operands 2 to N are MDNode
  ret void
}
!0 = !{!1}
!1 = !{!2, !"default", !"tag2"}
!2 = !{i64 1}
; ---- case: tbaa-access-specialized
define void @f(ptr %p) {
  %a = load i32, ptr %p, !tbaa !0 ; error: Access type node must be a valid scalar type
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !DIFile(filename: "a", directory: "b")
