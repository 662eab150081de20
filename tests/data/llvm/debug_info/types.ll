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
; ---- case: basic-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIBasicType(tag: DW_TAG_member) ; warning: invalid tag
; ---- case: basic-size
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIBasicType(name: "a", size: !105) ; warning: SizeInBits must be a constant
; ---- case: fixed-point-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIFixedPointType(tag: DW_TAG_string_type, encoding: DW_ATE_signed_fixed, kind: Binary) ; warning: invalid tag
; ---- case: fixed-point-encoding
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIFixedPointType(encoding: DW_ATE_signed, kind: Binary) ; warning: invalid encoding
; ---- case: fixed-point-factor
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIFixedPointType(encoding: DW_ATE_signed_fixed, kind: Rational, factor: 1) ; warning: factor should be 0 for rationals
; ---- case: fixed-point-numerator
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIFixedPointType(encoding: DW_ATE_signed_fixed, kind: Binary, numerator: 1) ; warning: numerator and denominator should be 0 for non-rationals
; ---- case: fixed-point-denominator
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIFixedPointType(encoding: DW_ATE_signed_fixed, kind: Decimal, denominator: 1) ; warning: numerator and denominator should be 0 for non-rationals
; ---- case: string-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIStringType(tag: DW_TAG_base_type, name: "s") ; warning: invalid tag
; ---- case: subrange-type-base
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", baseType: !102) ; warning: BaseType must be a type
; ---- case: subrange-type-lowerbound
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", baseType: !105, lowerBound: !105) ; warning: LowerBound must be signed constant or DIVariable or DIExpression or DIDerivedType
; ---- case: subrange-type-upperbound
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", baseType: !105, upperBound: !105) ; warning: UpperBound must be signed constant or DIVariable or DIExpression or DIDerivedType
; ---- case: subrange-type-stride
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", baseType: !105, stride: !105) ; warning: Stride must be signed constant or DIVariable or DIExpression
; ---- case: subrange-type-bias
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", baseType: !105, bias: !105) ; warning: Bias must be signed constant or DIVariable or DIExpression
; ---- case: subrange-type-size
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubrangeType(name: "r", size: !DIExpression()) ; warning: SizeInBits must be a constant
; ---- case: subrange-count-and-end
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(count: 1, upperBound: 1) ; warning: Subrange can have any one of count or upperBound
; ---- case: subrange-count-negative
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(count: i64 -2) ; warning: invalid subrange count
; ---- case: subrange-count
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(count: !105) ; warning: Count must be signed constant or DIVariable or DIExpression
; ---- case: subrange-lowerbound
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(lowerBound: !105) ; warning: LowerBound must be signed constant or DIVariable or DIExpression
; ---- case: subrange-upperbound
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(upperBound: !105) ; warning: UpperBound must be signed constant or DIVariable or DIExpression
; ---- case: subrange-stride
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DISubrange(stride: !105) ; warning: Stride must be signed constant or DIVariable or DIExpression
; ---- case: generic-subrange-count-and-end
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(count: !DIExpression(), upperBound: !DIExpression(), lowerBound: !DIExpression(), stride: !DIExpression()) ; warning: GenericSubrange can have any one of count or upperBound
; ---- case: generic-subrange-count
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(count: !105, lowerBound: !DIExpression(), stride: !DIExpression()) ; warning: Count must be signed constant or DIVariable or DIExpression
; ---- case: generic-subrange-no-lower
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(stride: !DIExpression()) ; warning: GenericSubrange must contain lowerBound
; ---- case: generic-subrange-upper
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(upperBound: !105, lowerBound: !DIExpression(), stride: !DIExpression()) ; warning: UpperBound must be signed constant or DIVariable or DIExpression
; ---- case: generic-subrange-no-stride
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(lowerBound: !DIExpression()) ; warning: GenericSubrange must contain stride
; ---- case: generic-subrange-stride
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, elements: !{!8})
!8 = !DIGenericSubrange(lowerBound: !DIExpression(), stride: !105) ; warning: Stride must be signed constant or DIVariable or DIExpression
; ---- case: derived-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_base_type, baseType: !105) ; warning: invalid tag
; ---- case: derived-variable
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_variable, baseType: !105) ; warning: invalid tag
; ---- case: derived-file
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !105, file: !105) ; warning: invalid file
; ---- case: derived-scope
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !105, scope: !100) ; warning: invalid scope
; ---- case: derived-base
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !102) ; warning: invalid base type
; ---- case: derived-member-pointer
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_ptr_to_member_type, baseType: !105, extraData: !102) ; warning: invalid pointer to member type
; ---- case: derived-member-extra
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_member, baseType: !105, extraData: !105) ; warning: extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
; ---- case: derived-inheritance-extra
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_inheritance, baseType: !105, extraData: !{i32 1, i32 2}) ; warning: extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
; ---- case: derived-static-extra
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_variable, baseType: !105, extraData: !{null}, flags: DIFlagStaticMember) ; warning: extraData must be ConstantAsMetadata, MDString, DIObjCProperty, or MDTuple with single ConstantAsMetadata operand
; ---- case: derived-alias-parameters
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_template_alias, baseType: !105, extraData: !105) ; warning: invalid template parameters
; ---- case: derived-set
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_set_type, baseType: !8) ; warning: invalid set base type
!8 = !DIBasicType(name: "f", encoding: DW_ATE_float)
; ---- case: derived-set-structure
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_set_type, baseType: !8) ; warning: invalid set base type
!8 = !DICompositeType(tag: DW_TAG_structure_type)
; ---- case: derived-address-space
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !105, dwarfAddressSpace: 1) ; warning: DWARF address space only applies to pointer or reference types
; ---- case: derived-size
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_typedef, baseType: !105, size: !105) ; warning: SizeInBits must be a constant or DIVariable or DIExpression
; ---- case: composite-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_base_type) ; warning: invalid tag
; ---- case: composite-tag-number
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: 36) ; warning: invalid tag
; ---- case: composite-file
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, file: !105) ; warning: invalid file
; ---- case: composite-scope
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, scope: !{}) ; warning: invalid scope
; ---- case: composite-base
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, baseType: !102) ; warning: invalid base type
; ---- case: composite-elements
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, elements: !105) ; warning: invalid composite elements
; ---- case: composite-holder
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, vtableHolder: !102) ; warning: invalid vtable holder
; ---- case: composite-flags
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, flags: DIFlagLValueReference | DIFlagRValueReference) ; warning: invalid reference flags
; ---- case: composite-passing
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, flags: DIFlagTypePassByValue | DIFlagTypePassByReference) ; warning: invalid reference flags
; ---- case: composite-block
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, flags: DIFlagReservedBit4) ; warning: DIBlockByRefStruct on DICompositeType is no longer supported
; ---- case: composite-null-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, elements: !{null}) ; warning: DISubprogram contains null entry in `elements` field
; ---- case: composite-vector
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, flags: DIFlagVector, elements: !{}) ; warning: invalid vector, expected one element of type subrange
; ---- case: composite-vector-element
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type, baseType: !105, flags: DIFlagVector, elements: !{!105}) ; warning: invalid vector, expected one element of type subrange
; ---- case: composite-templates
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, templateParams: !105) ; warning: invalid template params
; ---- case: composite-template
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, templateParams: !{!105}) ; warning: invalid template parameter
; ---- case: composite-discriminator
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, discriminator: !8) ; warning: discriminator can only appear on variant part
!8 = !DIDerivedType(tag: DW_TAG_member, baseType: !105)
; ---- case: composite-discriminator-kind
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_variant_part, discriminator: !105) ; warning: discriminator can only appear on variant part
; ---- case: composite-datalocation
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, dataLocation: !DIExpression()) ; warning: dataLocation can only appear in array type
; ---- case: composite-associated
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, associated: !DIExpression()) ; warning: associated can only appear in array type
; ---- case: composite-allocated
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, allocated: !DIExpression()) ; warning: allocated can only appear in array type
; ---- case: composite-rank
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, rank: !DIExpression()) ; warning: rank can only appear in array type
; ---- case: composite-array
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_array_type) ; warning: array types must have a base type
; ---- case: composite-size
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, size: !105) ; warning: SizeInBits must be a constant or DIVariable or DIExpression
; ---- case: signature-types
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubroutineType(types: !105) ; warning: invalid composite elements
; ---- case: signature-type
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubroutineType(types: !{null, !102}) ; warning: invalid subroutine type ref
; ---- case: signature-flags
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DISubroutineType(flags: DIFlagLValueReference | DIFlagRValueReference, types: null) ; warning: invalid reference flags
; ---- case: template-type
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, templateParams: !{!DITemplateTypeParameter(name: "T", type: !102)}) ; warning: invalid type ref
; ---- case: template-value-tag
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DICompositeType(tag: DW_TAG_structure_type, templateParams: !{!DITemplateValueParameter(tag: DW_TAG_member, value: i32 1)}) ; warning: invalid tag
; ---- case: objc-type
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_member, baseType: !105, extraData: !DIObjCProperty(name: "p", type: !102)) ; warning: invalid type ref
; ---- case: objc-file
!llvm.dbg.cu = !{!1}
!1 = distinct !DICompileUnit(language: DW_LANG_C, file: !102, retainedTypes: !{!7})
!7 = !DIDerivedType(tag: DW_TAG_member, baseType: !105, extraData: !DIObjCProperty(name: "p", file: !105)) ; warning: invalid file
