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
; ---- case: generic-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, elements: !{!GenericDINode(tag: 0)}) ; warning: invalid tag
; ---- case: file-checksum-length
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !7)
!7 = !DIFile(filename: "a.c", directory: "", checksumkind: CSK_MD5, checksum: "00") ; warning: invalid checksum length
; ---- case: file-checksum-digits
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !7)
!7 = !DIFile(filename: "a.c", directory: "", checksumkind: CSK_MD5, checksum: "0000000000000000000000000000000g") ; warning: invalid checksum
; ---- case: unit-file
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !105) ; warning: invalid file
; ---- case: unit-file-name
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !DIFile(filename: "", directory: "")) ; warning: invalid filename
; ---- case: unit-enums
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, enums: !105) ; warning: invalid enum list
; ---- case: unit-enums-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, enums: !{!105}) ; warning: invalid enum type
; ---- case: unit-retainedtypes
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !105) ; warning: invalid retained type list
; ---- case: unit-retainedtypes-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!103}) ; warning: invalid retained type
; ---- case: unit-globals
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, globals: !105) ; warning: invalid global variable list
; ---- case: unit-globals-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, globals: !{!105}) ; warning: invalid global variable ref
; ---- case: unit-imports
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, imports: !105) ; warning: invalid imported entity list
; ---- case: unit-imports-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, imports: !{!105}) ; warning: invalid imported entity ref
; ---- case: unit-macros
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !105) ; warning: invalid macro list
; ---- case: unit-macros-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!105}) ; warning: invalid macro ref
; ---- case: unit-unlisted
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, unit: !1)
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102) ; warning: DICompileUnit not listed in llvm.dbg.cu
; ---- case: units-name
!llvm.dbg.sp = !{!103} ; warning: unrecognized named metadata node in the llvm.dbg namespace
; ---- case: units-element
!llvm.dbg.cu = !{!105} ; warning: invalid compile unit
; ---- case: subprogram-scope
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, scope: !100, unit: !101) ; warning: invalid scope
; ---- case: subprogram-file
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !105, unit: !101) ; warning: invalid file
; ---- case: subprogram-line
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", line: 3, unit: !101) ; warning: line specified with no file
; ---- case: subprogram-type
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, type: !105, unit: !101) ; warning: invalid subroutine type
; ---- case: subprogram-containing
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, containingType: !102, unit: !101) ; warning: invalid containing type
; ---- case: subprogram-templates
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, templateParams: !105, unit: !101) ; warning: invalid template params
; ---- case: subprogram-template
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, templateParams: !{!105}, unit: !101) ; warning: invalid template parameter
; ---- case: subprogram-declaration
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, declaration: !103, unit: !101) ; warning: invalid subprogram declaration
; ---- case: subprogram-retained
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, retainedNodes: !105, unit: !101) ; warning: invalid retained nodes list
; ---- case: subprogram-retained-kind
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, retainedNodes: !{!105}, unit: !101) ; warning: invalid retained nodes, expected DILocalVariable, DILabel or DIImportedEntity
; ---- case: subprogram-retained-global
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, retainedNodes: !{!8}, unit: !101) ; warning: invalid retained nodes, retained node is not local
!8 = !DIImportedEntity(tag: DW_TAG_imported_declaration, scope: !101, entity: !105)
; ---- case: subprogram-retained-other
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, retainedNodes: !{!107}, unit: !101) ; warning: invalid retained nodes, retained node does not belong to subprogram
; ---- case: subprogram-flags
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, flags: DIFlagLValueReference | DIFlagRValueReference, unit: !101) ; warning: invalid reference flags
; ---- case: subprogram-no-unit
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102) ; warning: subprogram definitions must have a compile unit
; ---- case: subprogram-unit
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, unit: !105) ; warning: invalid unit type
; ---- case: subprogram-thrown
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, thrownTypes: !105, unit: !101) ; warning: invalid thrown types list
; ---- case: subprogram-thrown-kind
define void @k() !dbg !7 {
  ret void
}
!7 = distinct !DISubprogram(name: "k", file: !102, thrownTypes: !{!102}, unit: !101) ; warning: invalid thrown type
; ---- case: declaration-unit
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubprogram(name: "k", spFlags: 0, unit: !101) ; warning: subprogram declarations must not have a compile unit
; ---- case: declaration-declaration
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubprogram(name: "k", spFlags: 0, declaration: !108) ; warning: subprogram declaration must not have a declaration field
; ---- case: declaration-calls
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubprogram(name: "k", spFlags: 0, flags: DIFlagAllCallsDescribed) ; warning: DIFlagAllCallsDescribed must be attached to a definition
; ---- case: block-scope
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @e(), !dbg !8
  ret void
}
declare void @e()
!8 = !DILocation(line: 1, scope: !9)
!9 = distinct !DILexicalBlock(scope: !102) ; warning: !dbg attachment points at wrong subprogram for function
; ---- case: block-declared
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @e(), !dbg !8
  ret void
}
declare void @e()
!8 = !DILocation(line: 1, scope: !9)
!9 = distinct !DILexicalBlock(scope: !108) ; warning: !dbg attachment points at wrong subprogram for function
; ---- case: block-column
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @e(), !dbg !8
  ret void
}
declare void @e()
!8 = !DILocation(line: 1, scope: !9)
!9 = distinct !DILexicalBlock(scope: !103, column: 3) ; warning: cannot have column info without line info
; ---- case: block-file-scope
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @e(), !dbg !8
  ret void
}
declare void @e()
!8 = !DILocation(line: 1, scope: !9)
!9 = !DILexicalBlockFile(scope: !102, discriminator: 0) ; warning: !dbg attachment points at wrong subprogram for function
; ---- case: block-file-declared
define void @f(i32 %x, ptr %p) !dbg !103 {
  call void @e(), !dbg !8
  ret void
}
declare void @e()
!8 = !DILocation(line: 1, scope: !9)
!9 = !DILexicalBlockFile(scope: !108, discriminator: 0) ; warning: !dbg attachment points at wrong subprogram for function
; ---- case: common-scope
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, scope: !DICommonBlock(scope: !{}, name: "c")) ; warning: invalid scope ref
; ---- case: common-declaration
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, scope: !DICommonBlock(scope: null, declaration: !105)) ; warning: invalid declaration
; ---- case: namespace-scope
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, scope: !DINamespace(name: "n", scope: !{})) ; warning: invalid scope ref
; ---- case: module-name
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, scope: !DIModule(name: "", scope: null)) ; warning: anonymous module
; ---- case: macro-type
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacro(type: DW_MACINFO_start_file, name: "m") ; warning: invalid macinfo type
; ---- case: macro-name
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacro(type: DW_MACINFO_define, name: "") ; warning: anonymous macro
; ---- case: macro-file-type
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacroFile(type: DW_MACINFO_define, file: !102) ; warning: invalid macinfo type
; ---- case: macro-file
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacroFile(file: !105) ; warning: invalid file
; ---- case: macro-file-nodes
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacroFile(file: !102, nodes: !105) ; warning: invalid macro list
; ---- case: macro-file-node
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, macros: !{!7})
!7 = !DIMacroFile(file: !102, nodes: !{!105}) ; warning: invalid macro ref
; ---- case: import-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, imports: !{!7})
!7 = !DIImportedEntity(tag: DW_TAG_member, scope: !101) ; warning: invalid tag
; ---- case: import-scope
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, imports: !{!7})
!7 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !{}) ; warning: invalid scope for imported entity
; ---- case: import-entity
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, imports: !{!7})
!7 = !DIImportedEntity(tag: DW_TAG_imported_module, scope: !101, entity: !{}) ; warning: invalid imported entity
