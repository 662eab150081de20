; What follows is added to every case below: a module with one unit, two subprograms, a type, a location and a variable.
!llvm.module.flags = !{!100}
!llvm.dbg.cu = !{!101}
!100 = !{i32 2, !"Debug Info Version", i32 3}
!101 = distinct !DICompileUnit(language: DW_LANG_C, file: !102)
!102 = !DIFile(filename: "a.c", directory: "")
!103 = distinct !DISubprogram(name: "f", file: !102, unit: !101)
!104 = distinct !DISubprogram(name: "g", file: !102, unit: !101)
!105 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!106 = !DILocation(line: 1, scope: !103)
!107 = !DILocalVariable(name: "v", scope: !103, type: !105)
!108 = !DISubprogram(name: "h", spFlags: 0)
; ---- case: global-scope
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = !DIGlobalVariable(name: "v", scope: !100, type: !105) ; warning: invalid scope
; ---- case: global-file
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = !DIGlobalVariable(name: "v", file: !105, type: !105) ; warning: invalid file
; ---- case: global-type
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = !DIGlobalVariable(name: "v", type: !102) ; warning: invalid type ref
; ---- case: global-no-type
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = !DIGlobalVariable(name: "v") ; warning: missing global variable type
; ---- case: global-declaration
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = !DIGlobalVariable(name: "v", type: !105, declaration: !105) ; warning: invalid static data member declaration
; ---- case: global-attachment
@v = global i32 0, !dbg !105 ; warning: !dbg attachment of global variable must be a DIGlobalVariableExpression
; ---- case: fragment-outside
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_LLVM_fragment, 16, 32)) ; warning: fragment is larger than or outside of variable
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: fragment-whole
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_LLVM_fragment, 0, 32)) ; warning: fragment covers entire variable
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: fragment-not-last
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_LLVM_fragment, 0, 8, DW_OP_deref)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-operator
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_call2)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-number
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(9)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-value
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_stack_value, DW_OP_deref)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-swap
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_swap)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-entry
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_deref, DW_OP_LLVM_entry_value, 1)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: expression-entry-count
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression(DW_OP_LLVM_entry_value, 2)) ; warning: invalid expression
!8 = !DIGlobalVariable(name: "v", type: !105)
; ---- case: global-expression-variable
@v = global i32 0, !dbg !7
!7 = !DIGlobalVariableExpression(var: !105, expr: !DIExpression()) ; warning: invalid file
; ---- case: local-scope
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106)
  ret void
}
!7 = !DILocalVariable(name: "x", scope: !102) ; warning: local variable requires a valid scope
; ---- case: local-file
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106)
  ret void
}
!7 = !DILocalVariable(name: "x", scope: !103, file: !105) ; warning: invalid file
; ---- case: local-type
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106)
  ret void
}
!7 = !DILocalVariable(name: "x", scope: !103, type: !102) ; warning: invalid type ref
; ---- case: local-function-type
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106)
  ret void
}
!7 = !DILocalVariable(name: "x", scope: !103, type: !8) ; warning: invalid type
!8 = !DISubroutineType(types: null)
; ---- case: record-value
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(!105, !107, !DIExpression(), !106) ; warning: invalid #dbg record address/value
  ret void
}
; ---- case: record-declare-type
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_declare(float 1.0, !107, !DIExpression(), !106) ; warning: location of #dbg_declare must be a pointer or int
  ret void
}
; ---- case: record-variable
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !105, !DIExpression(), !106) ; warning: invalid #dbg record variable
  ret void
}
; ---- case: record-expression
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !107, !105, !106) ; warning: invalid #dbg record expression
  ret void
}
; ---- case: record-location
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !107, !DIExpression(), !105) ; warning: invalid #dbg record DILocation
  ret void
}
; ---- case: record-fragment
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !107, !DIExpression(DW_OP_LLVM_fragment, 0, 32), !106) ; warning: fragment covers entire variable
  ret void
}
; ---- case: record-entry-value
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !107, !DIExpression(DW_OP_LLVM_entry_value, 1), !106) ; warning: Entry values are only allowed in MIR unless they target a swiftasync Argument
  ret void
}
; ---- case: record-subprogram
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106) ; warning: mismatched subprogram between #dbg record variable and DILocation
  ret void
}
!7 = !DILocalVariable(name: "y", scope: !104)
; ---- case: record-label
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_label(!105, !106) ; warning: invalid #dbg_label intrinsic variable
  ret void
}
; ---- case: record-label-subprogram
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_label(!7, !106) ; warning: mismatched subprogram between #dbg_label label and !dbg attachment
  ret void
}
!7 = !DILabel(scope: !104, name: "l", file: !102, line: 1)
; ---- case: assign-id
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_assign(i32 %x, !107, !DIExpression(), !105, ptr %p, !DIExpression(), !106) ; warning: invalid #dbg_assign DIAssignID
  ret void
}
; ---- case: assign-address
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_assign(i32 %x, !107, !DIExpression(), !7, !105, !DIExpression(), !106) ; warning: invalid #dbg_assign address
  ret void
}
!7 = distinct !DIAssignID()
; ---- case: assign-address-expression
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_assign(i32 %x, !107, !DIExpression(), !7, ptr %p, !105, !106) ; warning: invalid #dbg_assign address expression
  ret void
}
!7 = distinct !DIAssignID()
; ---- case: record-argument
define void @f(i32 %x, ptr %p) !dbg !103 {
  #dbg_value(i32 %x, !7, !DIExpression(), !106)
  #dbg_value(i32 %x, !8, !DIExpression(), !106) ; warning: conflicting debug info for argument
  ret void
}
!7 = !DILocalVariable(name: "a", arg: 1, scope: !103)
!8 = !DILocalVariable(name: "b", arg: 1, scope: !103)
; ---- case: call-value
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @llvm.dbg.value(metadata !105, metadata !107, metadata !DIExpression()), !dbg !106 ; warning: invalid #dbg record address/value
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
; ---- case: call-variable
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !105, metadata !DIExpression()), !dbg !106 ; warning: invalid #dbg record variable
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
; ---- case: call-location
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !107, metadata !DIExpression()) ; warning: invalid #dbg record DILocation
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
