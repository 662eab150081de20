; ---- case: kind
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_foo(ptr %p, !0, !DIExpression(), !0) ; error: expected debug record type here
  ret void
}
!0 = !{}
; ---- case: paren
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value ptr %p, !0, !DIExpression(), !0) ; error: Expected '(' here
  ret void
}
!0 = !{}
; ---- case: comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p !0, !DIExpression(), !0) ; error: Expected ',' here
  ret void
}
!0 = !{}
; ---- case: comma-variable
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p, !0 !DIExpression(), !0) ; error: Expected ',' here
  ret void
}
!0 = !{}
; ---- case: comma-expression
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p, !0, !DIExpression() !0) ; error: Expected ',' here
  ret void
}
!0 = !{}
; ---- case: close
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p, !0, !DIExpression(), !0
  ret void ; error: Expected ')' here
}
!0 = !{}
; ---- case: label-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_label(!0 !0) ; error: Expected ',' here
  ret void
}
!0 = !{}
; ---- case: assign-comma
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_assign(ptr %p, !0, !DIExpression(), !0 ptr %p, !DIExpression(), !0) ; error: Expected ',' here
  ret void
}
!0 = !{}
; ---- case: value-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %q, !0, !DIExpression(), !0) ; error: use of undefined value '%q'
  ret void
}
!0 = !{}
; ---- case: metadata-undefined
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p, !9, !DIExpression(), !9) ; error: use of undefined metadata '!9'
  ret void
}
; ---- case: trailing
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  ret void
  #dbg_value(ptr %p, !0, !DIExpression(), !0)
  } ; error: expected instruction opcode
}
!0 = !{}
; ---- case: mixed-intrinsic
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  #dbg_value(ptr %p, !0, !DIExpression(), !0)
  call void @llvm.dbg.value(metadata ptr %p, metadata !0, metadata !DIExpression()) ; error: llvm.dbg intrinsic should not appear in a module using non-intrinsic debug info
  ret void
}
!0 = !{}
declare void @llvm.dbg.value(metadata, metadata, metadata)
; ---- case: mixed-record
define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  call void @llvm.dbg.value(metadata ptr %p, metadata !0, metadata !DIExpression())
  #dbg_value(ptr %p, !0, !DIExpression(), !0) ; error: debug record should not appear in a module containing debug info intrinsics
  ret void
}
!0 = !{}
declare void @llvm.dbg.value(metadata, metadata, metadata)
