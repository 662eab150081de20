; ---- case: tbaa-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: TBAA metadata cannot have 0 operands
  ret void
}
!0 = !{}
; ---- case: tbaa-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !tbaa !0 ; error: This instruction shall not have a TBAA access tag!
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-too-many
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Struct tag metadata must have either 3 or 4 operands
  ret void
}
!0 = !{!1, !1, i64 0, i64 0, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-immutable-constant
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Immutability tag on struct tag metadata must be a constant
  ret void
}
!0 = !{!1, !1, i64 0, !"x"}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-immutable-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Immutability part of the struct tag metadata must be either 0 or 1
  ret void
}
!0 = !{!1, !1, i64 0, i64 2}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-access-null
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Malformed struct tag metadata: base and access-type should be non-null and point to Metadata nodes
  ret void
}
!0 = !{!1, null, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-access-scalar
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Access type node must be a valid scalar type
  ret void
}
!0 = !{!1, !3, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 0, !1, i64 4}
; ---- case: tbaa-offset
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Offset must be constant integer
  ret void
}
!0 = !{!1, !1, !"0"}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-path
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Did not see access type in access path!
  ret void
}
!0 = !{!1, !3, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"char", !2, i64 0}
; ---- case: tbaa-scalar-offset
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Offset not zero at the point of scalar access
  ret void
}
!0 = !{!1, !1, i64 4}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
; ---- case: tbaa-width
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Access bit-width not the same as description bit-width
  ret void
}
!0 = !{!3, !1, i32 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 0}
; ---- case: tbaa-cycle
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Cycle detected in struct path
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !3, i64 0}
; ---- case: tbaa-struct-even
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Struct tag nodes must have an odd number of operands!
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 0, !1}
; ---- case: tbaa-struct-name
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Struct tag nodes have a string as their first operand
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{i64 1, !1, i64 0}
; ---- case: tbaa-struct-field
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Incorrect field entry in struct type node!
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !"x", i64 0}
; ---- case: tbaa-struct-offset
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Offset entries must be constants!
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, !"0"}
; ---- case: tbaa-struct-widths
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Bitwidth between the offsets and struct type entries must match
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 0, !1, i32 4}
; ---- case: tbaa-struct-order
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Offsets must be increasing!
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 4, !1, i64 0}
; ---- case: tbaa-struct-parent
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Could not find TBAA parent in struct type node
  ret void
}
!0 = !{!3, !1, i64 0}
!1 = !{!"int", !2, i64 0}
!2 = !{!"root"}
!3 = !{!"s", !1, i64 4}
; ---- case: tbaa-new-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Access tag metadata must have either 4 or 5 operands
  ret void
}
!0 = !{!1, !1, i64 0}
!1 = !{!2, i64 4, !"int"}
!2 = !{!"root"}
; ---- case: tbaa-new-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Access size field must be a constant
  ret void
}
!0 = !{!1, !1, i64 0, !"4"}
!1 = !{!2, i64 4, !"int"}
!2 = !{!"root"}
; ---- case: tbaa-new-type-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Type size nodes must be constants!
  ret void
}
!0 = !{!1, !1, i64 0, i64 4}
!1 = !{!2, !"4", !"int"}
!2 = !{!"root"}
; ---- case: tbaa-new-multiple
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Access tag nodes must have the number of operands that is a multiple of 3!
  ret void
}
!0 = !{!1, !1, i64 0, i64 4}
!1 = !{!2, i64 4, !"int", !2}
!2 = !{!"root"}
; ---- case: tbaa-new-member-size
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !tbaa !0 ; error: Member size entries must be constants!
  ret void
}
!0 = !{!3, !1, i64 0, i64 4}
!1 = !{!2, i64 4, !"int"}
!2 = !{!"root"}
!3 = !{!2, i64 4, !"s", !1, i64 0, !"4"}
; ---- case: range-odd
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Unfinished range!
  ret void
}
!0 = !{i32 0}
; ---- case: range-none
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: It should have at least one range!
  ret void
}
!0 = !{}
; ---- case: range-lower
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: The lower limit must be an integer!
  ret void
}
!0 = !{!"0", i32 1}
; ---- case: range-upper
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: The upper limit must be an integer!
  ret void
}
!0 = !{i32 0, float 1.0}
; ---- case: range-pair
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Range pair types must match!
  ret void
}
!0 = !{i32 0, i64 1}
; ---- case: range-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Range types must match instruction type!
  ret void
}
!0 = !{i8 0, i8 1}
; ---- case: range-same
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: The upper and lower limits cannot be the same value
  ret void
}
!0 = !{i32 5, i32 5}
; ---- case: range-full
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Range must not be empty!
  ret void
}
!0 = !{i32 0, i32 0}
; ---- case: range-overlap
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Intervals are overlapping
  ret void
}
!0 = !{i32 0, i32 5, i32 3, i32 8}
; ---- case: range-order
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Intervals are not in order
  ret void
}
!0 = !{i32 10, i32 12, i32 3, i32 8}
; ---- case: range-contiguous
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Intervals are contiguous
  ret void
}
!0 = !{i32 0, i32 3, i32 3, i32 8}
; ---- case: range-wrap-overlap
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Intervals are overlapping
  ret void
}
!0 = !{i32 0, i32 2, i32 4, i32 6, i32 8, i32 1}
; ---- case: range-wrap-contiguous
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !range !0 ; error: Intervals are contiguous
  ret void
}
!0 = !{i32 0, i32 2, i32 4, i32 6, i32 8, i32 0}
; ---- case: range-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !range !0 ; error: Ranges are only for loads, calls and invokes!
  ret void
}
!0 = !{i32 0, i32 2}
; ---- case: noalias-addrspace-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !noalias.addrspace !0 ; error: noalias.addrspace are only for memory operations!
  ret void
}
!0 = !{i32 5, i32 6}
; ---- case: noalias-addrspace-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !noalias.addrspace !0 ; error: noalias.addrspace type must be i32!
  ret void
}
!0 = !{i64 5, i64 6}
; ---- case: fpmath-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !fpmath !0 ; error: fpmath requires a floating point result!
  ret void
}
!0 = !{float 1.0}
; ---- case: fpmath-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd float %x, %x, !fpmath !0 ; error: fpmath takes one operand!
  ret void
}
!0 = !{}
; ---- case: fpmath-float
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd float %x, %x, !fpmath !0 ; error: fpmath accuracy must have float type
  ret void
}
!0 = !{double 1.0}
; ---- case: fpmath-positive
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd float %x, %x, !fpmath !0 ; error: fpmath accuracy not a positive number!
  ret void
}
!0 = !{float -1.0}
; ---- case: fpmath-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = fadd float %x, %x, !fpmath !0 ; error: invalid fpmath accuracy!
  ret void
}
!0 = !{i32 1}
; ---- case: invariant-group
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !invariant.group !0 ; error: invariant.group metadata is only for loads and stores
  ret void
}
!0 = !{}
; ---- case: nonnull-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !nonnull !0 ; error: nonnull applies only to pointer types
  ret void
}
!0 = !{}
; ---- case: nonnull-load
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i8, ptr %p, i64 1, !nonnull !0 ; error: nonnull applies only to load instructions, use attributes for calls or invokes
  ret void
}
!0 = !{}
; ---- case: nonnull-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !nonnull !0 ; error: nonnull metadata must be empty
  ret void
}
!0 = !{i32 1}
; ---- case: dereferenceable-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !dereferenceable !0 ; error: dereferenceable, dereferenceable_or_null apply only to pointer types
  ret void
}
!0 = !{i64 1}
; ---- case: dereferenceable-load
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i8, ptr %p, i64 1, !dereferenceable !0 ; error: dereferenceable, dereferenceable_or_null apply only to load and inttoptr instructions, use attributes for calls or invokes
  ret void
}
!0 = !{i64 1}
; ---- case: dereferenceable-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !dereferenceable !0 ; error: dereferenceable, dereferenceable_or_null take one operand!
  ret void
}
!0 = !{}
; ---- case: dereferenceable-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !dereferenceable !0 ; error: dereferenceable, dereferenceable_or_null metadata value must be an i64!
  ret void
}
!0 = !{i32 1}
; ---- case: dereferenceable-or-null-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !dereferenceable_or_null !0 ; error: dereferenceable, dereferenceable_or_null metadata value must be an i64!
  ret void
}
!0 = !{!"1"}
; ---- case: align-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !align !0 ; error: align applies only to pointer types
  ret void
}
!0 = !{i64 4}
; ---- case: align-load
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = getelementptr i8, ptr %p, i64 1, !align !0 ; error: align applies only to load instructions, use attributes for calls or invokes
  ret void
}
!0 = !{i64 4}
; ---- case: align-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !align !0 ; error: align takes one operand!
  ret void
}
!0 = !{}
; ---- case: align-value
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !align !0 ; error: align metadata value must be an i64!
  ret void
}
!0 = !{i32 4}
; ---- case: align-power
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !align !0 ; error: align metadata value must be a power of 2!
  ret void
}
!0 = !{i64 3}
; ---- case: align-large
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load ptr, ptr %p, !align !0 ; error: alignment is larger that implementation defined limit
  ret void
}
!0 = !{i64 8589934592}
; ---- case: noalias-scope-node
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !noalias !0 ; error: scope list must consist of MDNodes
  ret void
}
!0 = !{!"x"}
; ---- case: alias-scope-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: scope must have two or three operands
  ret void
}
!0 = !{!1}
!1 = !{!1}
; ---- case: alias-scope-first
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: first scope operand must be self-referential or string
  ret void
}
!0 = !{!1}
!1 = !{!2, !2}
!2 = !{!2}
; ---- case: alias-scope-domain
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: second scope operand must be MDNode
  ret void
}
!0 = !{!1}
!1 = !{!1, !"x"}
; ---- case: alias-scope-name
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: third scope operand must be string (if used)
  ret void
}
!0 = !{!1}
!1 = !{!1, !2, !2}
!2 = !{!2}
; ---- case: alias-domain-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: domain must have one or two operands
  ret void
}
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{!2, !"x", !"y"}
; ---- case: alias-domain-first
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: first domain operand must be self-referential or string
  ret void
}
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{i32 0}
; ---- case: alias-domain-name
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !alias.scope !0 ; error: second domain operand must be string (if used)
  ret void
}
!0 = !{!1}
!1 = !{!1, !2}
!2 = !{!2, i32 0}
; ---- case: access-group-node
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !llvm.access.group !0 ; error: Access scope list must consist of MDNodes
  ret void
}
!0 = !{!"x"}
; ---- case: access-group-scope
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  store i32 0, ptr %p, !llvm.access.group !0 ; error: Access scope list contains invalid access scope
  ret void
}
!0 = !{!1}
!1 = !{i32 0}
; ---- case: prof-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: !prof annotations should have at least 1 operand
a:
  ret void
}
!0 = !{}
; ---- case: prof-null
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: first operand should not be null
a:
  ret void
}
!0 = !{null, i32 1, i32 1}
; ---- case: prof-string
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: expected string with name of the !prof annotation
a:
  ret void
}
!0 = !{i32 1, i32 1}
; ---- case: prof-name
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: expected either branch_weights or VP profile name
a:
  ret void
}
!0 = !{!"weights", i32 1, i32 1}
; ---- case: prof-one
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: !prof annotations should have no less than 2 operands
a:
  ret void
}
!0 = !{!"branch_weights"}
; ---- case: prof-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: Wrong number of operands
a:
  ret void
}
!0 = !{!"branch_weights", i32 1}
; ---- case: prof-weight-null
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: second operand should not be null
a:
  ret void
}
!0 = !{!"branch_weights", i32 1, null}
; ---- case: prof-weight-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: !prof brunch_weights operand is not a const int
a:
  ret void
}
!0 = !{!"branch_weights", i32 1, float 1.0}
; ---- case: prof-switch-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  switch i32 %i, label %a [ i32 0, label %a ], !prof !0 ; error: Wrong number of operands
a:
  ret void
}
!0 = !{!"branch_weights", i32 1}
; ---- case: prof-select-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = select i1 %c, i32 0, i32 1, !prof !0 ; error: Wrong number of operands
  ret void
}
!0 = !{!"branch_weights", i32 1}
; ---- case: prof-call-count
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !prof !0 ; error: Wrong number of operands
  ret void
}
declare void @g()
!0 = !{!"branch_weights", i32 1, i32 1}
; ---- case: prof-not-allowed
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !prof !0 ; error: !prof branch_weights are not allowed for this instruction
  ret void
}
!0 = !{!"branch_weights", i32 1, i32 1}
; ---- case: prof-unknown-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  br i1 %c, label %a, label %a, !prof !0 ; error: 'unknown' !prof should have a single additional operand
a:
  ret void
}
!0 = !{!"unknown", !"x", i32 1}
; ---- case: prof-unknown-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !prof !0 ; error: 'unknown' !prof should only appear on instructions on which 'branch_weights' would
  ret void
}
!0 = !{!"unknown", !"x"}
; ---- case: prof-vp-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p(), !prof !0 ; error: invalid value profiling metadata
  ret void
}
!0 = !{!"VP", i32 0}
; ---- case: prof-vp-kind
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p(), !prof !0 ; error: Invalid VP !prof kind
  ret void
}
!0 = !{!"VP", i32 9, i64 1, i64 1, i64 1}
; ---- case: prof-vp-even
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void %p(), !prof !0 ; error: VP !prof should have an even number of arguments after 'VP'
  ret void
}
!0 = !{!"VP", i32 0, i64 1, i64 1, i64 1, i64 3}
; ---- case: prof-vp-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !prof !0 ; error: VP !prof indirect call or memop size expected to be applied to CallBase instructions only
  ret void
}
!0 = !{!"VP", i32 0, i64 1, i64 1, i64 1}
; ---- case: memprof-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !memprof !0 ; error: !memprof metadata should only exist on calls
  ret void
}
!0 = !{!1}
!1 = !{!2, !"cold"}
!2 = !{i64 1}
; ---- case: memprof-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: !memprof annotations should have at least 1 metadata operand (MemInfoBlock)
  ret void
}
declare void @g()
!0 = !{}
; ---- case: memprof-block-operands
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: Each !memprof MemInfoBlock should have at least 2 operands
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2}
!2 = !{i64 1}
; ---- case: memprof-block-null
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: !memprof MemInfoBlock first operand should not be null
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{null, !"cold"}
; ---- case: memprof-block-first
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: !memprof MemInfoBlock first operand should be an MDNode
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!"x", !"cold"}
; ---- case: memprof-stack-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: call stack metadata should have at least 1 operand
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, !"cold"}
!2 = !{}
; ---- case: memprof-stack-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: call stack metadata operand should be constant integer
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, !"cold"}
!2 = !{!"x"}
; ---- case: memprof-block-tag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: !memprof MemInfoBlock second operand should be an MDString
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, i64 1}
!2 = !{i64 1}
; ---- case: memprof-block-rest
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: Not all !memprof MemInfoBlock operands 2 to N are MDNode
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, !"cold", i64 1}
!2 = !{i64 1}
; ---- case: memprof-block-pair
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: Not all !memprof MemInfoBlock operands 2 to N are MDNode with 2 operands
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, !"cold", !2}
!2 = !{i64 1}
; ---- case: memprof-block-integers
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !memprof !0 ; error: Not all !memprof MemInfoBlock operands 2 to N are MDNode with ConstantInt operands
  ret void
}
declare void @g()
!0 = !{!1}
!1 = !{!2, !"cold", !3}
!2 = !{i64 1}
!3 = !{!"a", !"b"}
; ---- case: callsite-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !callsite !0 ; error: !callsite metadata should only exist on calls
  ret void
}
!0 = !{i64 1}
; ---- case: callsite-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !callsite !0 ; error: call stack metadata should have at least 1 operand
  ret void
}
declare void @g()
!0 = !{}
; ---- case: callsite-type
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(), !callsite !0 ; error: call stack metadata operand should be constant integer
  ret void
}
declare void @g()
!0 = !{!"x"}
; ---- case: annotation-empty
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !annotation !0 ; error: annotation must have at least one operand
  ret void
}
!0 = !{}
; ---- case: annotation-operand
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !annotation !0 ; error: operands must be a string or a tuple of strings
  ret void
}
!0 = !{i32 0}
; ---- case: mmra-instruction
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = add i32 %i, 1, !mmra !0 ; error: !mmra metadata attached to unexpected instruction kind
  ret void
}
!0 = !{!"a", !"b"}
; ---- case: mmra-tag
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  fence seq_cst, !mmra !0 ; error: !mmra metadata tuple operand is not an MMRA tag
  ret void
}
!0 = !{!"a"}
; ---- case: callees
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = load i32, ptr %p, !foo !0
  ret void
}
!0 = !{!9} ; error: use of undefined metadata '!9'
; ---- case: roundtrip
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.foo(metadata metadata !0) ; error: invalid metadata-value-metadata roundtrip
  ret void
}
!0 = !{}
; ---- case: metadata-argument
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @g(metadata 5) ; error: expected metadata operand
  ret void
}
; ---- case: di-arg-list
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  ret void
}
!0 = !DIArgList(i32 0) ; error: expected metadata type
; ---- case: captured-local
!0 = !{ptr @f}
define void @g(ptr %p) {
ret void, !foo !{ptr %p} ; error: invalid use of function-local name
}
; ---- case: node-unknown
!0 = !DIFoo() ; error: expected metadata type
; ---- case: node-paren
!0 = !DIFile filename: "a" ; error: expected '(' here
; ---- case: node-field-label
!0 = !DIFile("a", directory: "b") ; error: expected field label here
; ---- case: node-field-unknown
!0 = !DIFile(name: "a", directory: "b") ; error: invalid field 'name'
; ---- case: node-field-twice
!0 = !DIFile(filename: "a", filename: "b", directory: "") ; error: field 'filename' cannot be specified more than once
; ---- case: node-field-missing
!0 = !DIFile(filename: "a") ; error: missing required field 'directory'
; ---- case: node-close
!0 = !DIFile(filename: "a", directory: "b" 0 ; error: expected ')' here
; ---- case: node-string-field
!0 = !DIFile(filename: 5, directory: "b") ; error: expected string constant
; ---- case: node-number-field
!0 = !DILocation(line: "1", scope: !1) ; error: expected unsigned integer
!1 = !{}
; ---- case: node-number-large
!0 = !DILocation(line: 4294967296, scope: !1) ; error: value for 'line' too large, limit is 4294967295
!1 = !{}
; ---- case: node-column-large
!0 = !DILocation(line: 1, column: 65536, scope: !1) ; error: value for 'column' too large, limit is 65535
!1 = !{}
; ---- case: node-negative
!0 = !DILocation(line: -1, scope: !1) ; error: expected unsigned integer
!1 = !{}
; ---- case: node-bool-field
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, isOptimized: 1) ; error: expected 'true' or 'false'
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-null-field
!0 = !DILocation(line: 1, scope: null) ; error: 'scope' cannot be null
; ---- case: node-metadata-field
!0 = !DILocation(line: 1, scope: 5) ; error: expected metadata operand
; ---- case: node-tag
!0 = !DIBasicType(tag: DW_TAG_nope, name: "int") ; error: invalid DWARF tag 'DW_TAG_nope'
; ---- case: node-tag-word
!0 = !DIBasicType(tag: base, name: "int") ; error: expected DWARF tag
; ---- case: node-encoding
!0 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_nope) ; error: invalid DWARF type attribute encoding 'DW_ATE_nope'
; ---- case: node-encoding-word
!0 = !DIBasicType(name: "int", size: 32, encoding: signed) ; error: expected DWARF type attribute encoding
; ---- case: node-language
!0 = distinct !DICompileUnit(language: DW_LANG_Nope, file: !1) ; error: invalid DWARF language 'DW_LANG_Nope'
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-language-word
!0 = distinct !DICompileUnit(language: C, file: !1) ; error: expected DWARF language
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-emission-kind
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: Some) ; error: expected emission kind
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-name-table
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, nameTableKind: Some) ; error: expected nameTable kind
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-unit-distinct
!0 = !DICompileUnit(language: DW_LANG_C99, file: !1) ; error: missing 'distinct', required for !DICompileUnit
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-flags
!0 = !DIDerivedType(tag: DW_TAG_member, baseType: !1, flags: DIFlagNope) ; error: invalid debug info flag 'DIFlagNope'
!1 = !{}
; ---- case: node-flags-word
!0 = !DIDerivedType(tag: DW_TAG_member, baseType: !1, flags: public) ; error: expected debug info flag
!1 = !{}
; ---- case: node-sp-flags
!0 = !DISubprogram(name: "f", spFlags: DISPFlagNope) ; error: invalid subprogram debug info flag 'DISPFlagNope'
; ---- case: node-sp-flags-word
!0 = !DISubprogram(name: "f", spFlags: definition) ; error: expected debug info flag
; ---- case: node-virtuality
!0 = !DISubprogram(name: "f", virtuality: DW_VIRTUALITY_nope) ; error: invalid DWARF virtuality code 'DW_VIRTUALITY_nope'
; ---- case: node-cc
!0 = !DISubroutineType(cc: DW_CC_nope, types: !1) ; error: invalid DWARF calling convention 'DW_CC_nope'
!1 = !{}
; ---- case: node-checksum-kind
!0 = !DIFile(filename: "a", directory: "b", checksumkind: CSK_CRC, checksum: "00") ; error: invalid checksum kind 'CSK_CRC'
; ---- case: node-checksum-alone
!0 = !DIFile(filename: "a", directory: "b", checksumkind: CSK_MD5) ; error: 'checksumkind' and 'checksum' must be provided together
; ---- case: node-macinfo
!0 = !DIMacro(type: DW_MACINFO_nope, line: 1, name: "x") ; error: invalid DWARF macinfo type 'DW_MACINFO_nope'
; ---- case: node-enumerator-value
!0 = !DIEnumerator(name: "a", value: x) ; error: expected integer
; ---- case: node-enumerator-unsigned
!0 = !DIEnumerator(name: "a", value: -1, isUnsigned: true) ; error: unsigned enumerator with negative value
; ---- case: node-enumerator-missing
!0 = !DIEnumerator(name: "a") ; error: missing required field 'value'
; ---- case: node-scope-missing
!0 = !DILocation(line: 1) ; error: missing required field 'scope'
; ---- case: node-block-scope-missing
!0 = distinct !DILexicalBlock(line: 1) ; error: missing required field 'scope'
; ---- case: node-local-scope-missing
!0 = !DILocalVariable(name: "a") ; error: missing required field 'scope'
; ---- case: node-derived-tag-missing
!0 = !DIDerivedType(name: "a") ; error: missing required field 'tag'
; ---- case: node-derived-base-missing
!0 = !DIDerivedType(tag: DW_TAG_pointer_type) ; error: missing required field 'baseType'
; ---- case: node-composite-tag-missing
!0 = !DICompositeType(name: "a") ; error: missing required field 'tag'
; ---- case: node-subroutine-types-missing
!0 = !DISubroutineType() ; error: missing required field 'types'
; ---- case: node-unit-file-missing
!0 = distinct !DICompileUnit(language: DW_LANG_C99) ; error: missing required field 'file'
; ---- case: node-unit-language-missing
!0 = distinct !DICompileUnit(file: !1) ; error: missing one of 'language' or 'sourceLanguageName', required for !DICompileUnit
!1 = !DIFile(filename: "a", directory: "b")
; ---- case: node-imported-missing
!0 = !DIImportedEntity(tag: DW_TAG_imported_module) ; error: missing required field 'scope'
; ---- case: node-global-expression-missing
!0 = !DIGlobalVariableExpression(var: !1) ; error: missing required field 'expr'
!1 = !{}
; ---- case: node-template-value-missing
!0 = !DITemplateValueParameter(name: "x") ; error: missing required field 'value'
; ---- case: node-label-missing
!0 = !DILabel(scope: !1, name: "x") ; error: missing required field 'file'
!1 = !{}
; ---- case: node-global-name-empty
!0 = !DIGlobalVariable(name: "") ; error: 'name' cannot be empty
; ---- case: node-subrange-count
!0 = !DISubrange(count: x) ; error: expected metadata operand
; ---- case: node-subrange-count-low
!0 = !DISubrange(count: -2) ; error: value for 'count' too small, limit is -1
; ---- case: node-assign-distinct
!0 = !DIAssignID() ; error: missing 'distinct', required for !DIAssignID()
; ---- case: node-assign-operands
!0 = distinct !DIAssignID(x: 1) ; error: expected ')' here
; ---- case: expression-op
!0 = !DIExpression(DW_OP_nope) ; error: invalid DWARF op 'DW_OP_nope'
; ---- case: expression-word
!0 = !DIExpression(deref) ; error: expected unsigned integer
; ---- case: expression-negative
!0 = !DIExpression(DW_OP_constu, -1) ; error: expected unsigned integer
; ---- case: expression-close
!0 = !DIExpression(DW_OP_deref 0 ; error: expected ')' here
; ---- case: expression-paren
!0 = !DIExpression DW_OP_deref ; error: expected '(' here
; ---- case: expression-encoding
!0 = !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_nope) ; error: invalid DWARF attribute encoding 'DW_ATE_nope'
; ---- case: generic-tag-missing
!0 = !GenericDINode(header: "x") ; error: missing required field 'tag'
; ---- case: generic-distinct
!0 = distinct !DIExpression(DW_OP_deref 0 ; error: expected ')' here
