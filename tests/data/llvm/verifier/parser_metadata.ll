; ---- case: field_unknown
!0 = distinct !{}
!1 = !DILocation(frob: 1, scope: !0) ; error: invalid field 'frob'
; ---- case: field_twice
!0 = distinct !{}
!1 = !DILocation(line: 1, line: 1, scope: !0) ; error: field 'line' cannot be specified more than once
; ---- case: field_required
!0 = distinct !{}
!1 = !DILocation(line: 1) ; error: missing required field 'scope'
; ---- case: field_null
!0 = distinct !{}
!1 = !DILocation(line: 1, scope: null) ; error: 'scope' cannot be null
; ---- case: line_large
!0 = distinct !{}
!1 = !DILocation(line: 4294967296, scope: !0) ; error: value for 'line' too large, limit is 4294967295
; ---- case: column_large
!0 = distinct !{}
!1 = !DILocation(line: 1, column: 65536, scope: !0) ; error: value for 'column' too large, limit is 65535
; ---- case: line_negative
!0 = distinct !{}
!1 = !DILocation(line: -1, scope: !0) ; error: expected unsigned integer
; ---- case: line_word
!0 = distinct !{}
!1 = !DILocation(line: x, scope: !0) ; error: expected unsigned integer
; ---- case: bool_number
!0 = distinct !{}
!1 = !DILocation(line: 1, scope: !0, isImplicitCode: 1) ; error: expected 'true' or 'false'
; ---- case: tag_word
!0 = distinct !{}
!1 = !DIBasicType(tag: DW_TAG_frob) ; error: invalid DWARF tag 'DW_TAG_frob'
; ---- case: tag_other
!0 = distinct !{}
!1 = !DIBasicType(tag: frob) ; error: expected DWARF tag
; ---- case: encoding_word
!0 = distinct !{}
!1 = !DIBasicType(encoding: DW_ATE_frob) ; error: invalid DWARF type attribute encoding 'DW_ATE_frob'
; ---- case: flags_word
!0 = distinct !{}
!1 = !DIBasicType(flags: DIFlagFrob) ; error: invalid debug info flag 'DIFlagFrob'
; ---- case: name_number
!0 = distinct !{}
!1 = !DIBasicType(name: 5) ; error: expected string constant
; ---- case: file_checksum
!0 = distinct !{}
!1 = !DIFile(filename: "a", directory: "b", checksum: "c") ; error: 'checksumkind' and 'checksum' must be provided together
; ---- case: file_directory
!0 = distinct !{}
!1 = !DIFile(filename: "a") ; error: missing required field 'directory'
; ---- case: checksum_kind
!0 = distinct !{}
!1 = !DIFile(filename: "a", directory: "b", checksumkind: CSK_FROB, checksum: "c") ; error: invalid checksum kind 'CSK_FROB'
; ---- case: unit_distinct
!0 = distinct !{}
!1 = !DICompileUnit(language: DW_LANG_C, file: !0) ; error: missing 'distinct', required for !DICompileUnit
; ---- case: subprogram_distinct
!0 = distinct !{}
!1 = !DISubprogram(name: "x", spFlags: DISPFlagDefinition) ; error: missing 'distinct', required for !DISubprogram that is a Definition
; ---- case: sp_flags
!0 = distinct !{}
!1 = !DISubprogram(name: "x", spFlags: DISPFlagFrob) ; error: invalid subprogram debug info flag 'DISPFlagFrob'
; ---- case: enumerator_negative
!0 = distinct !{}
!1 = !DIEnumerator(name: "x", value: -1, isUnsigned: true) ; error: unsigned enumerator with negative value
; ---- case: enumerator_value
!0 = distinct !{}
!1 = !DIEnumerator(name: "x") ; error: missing required field 'value'
; ---- case: derived_base
!0 = distinct !{}
!1 = !DIDerivedType(tag: DW_TAG_typedef) ; error: missing required field 'baseType'
; ---- case: subroutine_types
!0 = distinct !{}
!1 = !DISubroutineType(flags: 0) ; error: missing required field 'types'
; ---- case: cc_word
!0 = distinct !{}
!1 = !DISubroutineType(cc: DW_CC_frob, types: null) ; error: invalid DWARF calling convention 'DW_CC_frob'
; ---- case: expression_op
!0 = distinct !{}
!1 = !DIExpression(DW_OP_frob) ; error: invalid DWARF op 'DW_OP_frob'
; ---- case: expression_negative
!0 = distinct !{}
!1 = !DIExpression(-1) ; error: expected unsigned integer
; ---- case: global_name
!0 = distinct !{}
!1 = !DIGlobalVariable(name: "") ; error: 'name' cannot be empty
; ---- case: local_scope
!0 = distinct !{}
!1 = !DILocalVariable(name: "x") ; error: missing required field 'scope'
; ---- case: arg_large
!0 = distinct !{}
!1 = !DILocalVariable(scope: !0, arg: 65536) ; error: value for 'arg' too large, limit is 65535
; ---- case: label_line
!0 = distinct !{}
!1 = !DILabel(scope: !0, name: "x", file: !0) ; error: missing required field 'line'
; ---- case: macro_type
!0 = distinct !{}
!1 = !DIMacro(type: DW_MACINFO_frob, name: "x") ; error: invalid DWARF macinfo type 'DW_MACINFO_frob'
; ---- case: module_name
!0 = distinct !{}
!1 = !DIModule(scope: null) ; error: missing required field 'name'
; ---- case: imported_tag
!0 = distinct !{}
!1 = !DIImportedEntity(scope: null) ; error: missing required field 'tag'
; ---- case: block_file
!0 = distinct !{}
!1 = !DILexicalBlockFile(scope: !0) ; error: missing required field 'discriminator'
; ---- case: subrange_count
!0 = distinct !{}
!1 = !DISubrange(count: -2) ; error: value for 'count' too small, limit is -1
; ---- case: template_value
!0 = distinct !{}
!1 = !DITemplateValueParameter(name: "x") ; error: missing required field 'value'
; ---- case: ptrauth_key
!0 = distinct !{}
!1 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, ptrAuthKey: 8) ; error: value for 'ptrAuthKey' too large, limit is 7
; ---- case: assign_id
!0 = distinct !{}
!1 = !DIAssignID() ; error: missing 'distinct', required for !DIAssignID()
; ---- case: generic_tag
!0 = distinct !{}
!1 = !GenericDINode(header: "x") ; error: missing required field 'tag'
; ---- case: namespace_scope
!0 = distinct !{}
!1 = !DINamespace(name: "x") ; error: missing required field 'scope'
; ---- case: objc_attributes
!0 = distinct !{}
!1 = !DIObjCProperty(attributes: 4294967296) ; error: value for 'attributes' too large, limit is 4294967295
; ---- case: global_expression
!0 = distinct !{}
!1 = !DIGlobalVariableExpression(var: null) ; error: missing required field 'expr'
; ---- case: string_size
!0 = distinct !{}
!1 = !DIStringType(size: -1) ; error: expected unsigned integer
; ---- case: fixed_kind
!0 = distinct !{}
!1 = !DIFixedPointType(kind: Frob) ; error: expected fixed-point kind
; ---- case: emission
!0 = distinct !{}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !0, emissionKind: Frob) ; error: expected emission kind
; ---- case: name_table
!0 = distinct !{}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !0, nameTableKind: Frob) ; error: expected nameTable kind
; ---- case: language
!0 = distinct !{}
!1 = distinct !DICompileUnit(language: DW_LANG_Frob, file: !0) ; error: invalid DWARF language 'DW_LANG_Frob'
; ---- case: unit_language
!0 = distinct !{}
!1 = distinct !DICompileUnit(file: !0) ; error: missing one of 'language' or 'sourceLanguageName', required for !DICompileUnit
; ---- case: label_syntax
!0 = distinct !{}
!1 = !DILocation(5) ; error: expected field label here
