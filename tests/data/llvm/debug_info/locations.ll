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
; ---- case: instruction-kind
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !dbg !105 ; warning: invalid !dbg metadata attachment
  ret void
}
; ---- case: instruction-subprogram
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !dbg !7 ; warning: !dbg attachment points at wrong subprogram for function
  ret void
}
!7 = !DILocation(line: 1, scope: !104)
; ---- case: instruction-loop
define void @f(i32 %x, ptr %p) !dbg !103 {
  br label %l
l:
  br label %l, !llvm.loop !7 ; warning: !dbg attachment points at wrong subprogram for function
m:
  ret void
}
!7 = distinct !{!7, !8}
!8 = !DILocation(line: 1, scope: !104)
; ---- case: instruction-group
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !dbg !7 ; warning: DbgLoc uses atomGroup but DISubprogram doesn't have Key Instructions enabled
  ret void
}
!7 = !DILocation(line: 1, scope: !103, atomGroup: 1, atomRank: 1)
; ---- case: location-scope
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !dbg !7
  ret void
}
!7 = !DILocation(line: 1, scope: !102) ; warning: DILocation's scope must be a DILocalScope
; ---- case: location-declared
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !dbg !7
  ret void
}
!7 = !DILocation(line: 1, scope: !108) ; warning: !dbg attachment points at wrong subprogram for function
; ---- case: call-without
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @k() ; warning: inlinable function call in a function with debug info must have a !dbg location
  ret void
}
define void @k() !dbg !104 {
  ret void
}
; ---- case: assign-id-instruction
define void @f(i32 %x, ptr %p) !dbg !103 {
  %a = add i32 %x, 1, !DIAssignID !7 ; warning: !DIAssignID attached to unexpected instruction kind
  ret void
}
!7 = distinct !DIAssignID()
; ---- case: function-two
define void @k() !dbg !103 !dbg !104 { ; warning: function must have a single !dbg attachment
  ret void
}
; ---- case: function-kind
define void @k() !dbg !105 { ; warning: function !dbg attachment must be a subprogram
  ret void
}
; ---- case: function-distinct
define void @k() !dbg !108 { ; warning: function definition may only have a distinct !dbg attachment
  ret void
}
; ---- case: function-shared
define void @k() !dbg !103 {
  ret void
}
define void @l() !dbg !103 { ; warning: DISubprogram attached to more than one function
  ret void
}
; ---- case: declaration-distinct
declare !dbg !103 void @k() ; warning: function declaration may only have a unique !dbg attachment
