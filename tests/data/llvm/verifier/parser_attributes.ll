; ---- case: param_on_function
define void @f() nonnull { ; error: this attribute does not apply to functions
  ret void
}
; ---- case: function_on_param
declare void @f(i32 nounwind) ; error: this attribute does not apply to parameters
; ---- case: function_on_return
declare nounwind i32 @f() ; error: this attribute does not apply to return values
; ---- case: param_on_return
declare byval(i32) ptr @f() ; error: this attribute does not apply to return values
; ---- case: builtin
declare void @f() builtin ; error: 'builtin' attribute not valid on function
; ---- case: align_power
declare void @f(ptr align 3) ; error: alignment is not a power of two
; ---- case: alignstack_power
define void @f() alignstack(3) { ; error: stack alignment is not a power of two
  ret void
}
; ---- case: dereferenceable_zero
declare void @f(ptr dereferenceable(0)) ; error: dereferenceable bytes must be non-zero
; ---- case: allocsize_same
declare ptr @f(i32, i32) allocsize(0, 0) ; error: 'allocsize' indices can't refer to the same parameter
; ---- case: allockind_word
declare ptr @f() allockind("frob") ; error: unknown allockind frob
; ---- case: range_type
declare void @f(float range(float 0, 1)) ; error: the range must have integer type!
; ---- case: range_wide
declare void @f(i8 range(i8 0, 300)) ; error: integer is too large for the bit width of specified type
; ---- case: range_empty
declare void @f(i8 range(i8 3, 3)) ; error: the range represent the empty set but limits aren't 0!
; ---- case: initializes_order
declare void @f(ptr initializes((4, 8), (0, 2))) ; error: Invalid (unordered or overlapping) range list
; ---- case: initializes_empty
declare void @f(ptr initializes((4, 4))) ; error: the range should not represent the full or empty set!
; ---- case: nofpclass_mask
declare void @f(float nofpclass(4096)) ; error: invalid mask value for 'nofpclass'
; ---- case: group_empty
attributes #0 = { } ; error: attribute group has no attributes
; ---- case: group_param
attributes #0 = { nonnull } ; error: this attribute does not apply to functions
; ---- case: align_negative
@g = global i32 0, align -4 ; error: expected integer
; ---- case: define_extern_weak
define extern_weak void @f() { ; error: invalid linkage for function definition
  ret void
}
; ---- case: declare_internal
declare internal void @f() ; error: invalid linkage for function declaration
; ---- case: declare_common
declare common void @f() ; error: invalid function linkage type
; ---- case: internal_hidden
@g = internal hidden global i32 0 ; error: symbol with local linkage must have default visibility
; ---- case: internal_dll
@g = internal dllexport global i32 0 ; error: symbol with local linkage cannot have a DLL storage class
; ---- case: alias_common
@g = global i32 0
@a = common alias i32, ptr @g ; error: invalid linkage type for alias
; ---- case: alias_int
@a = alias i32, i32 0 ; error: An alias or ifunc must have pointer type
; ---- case: comdat_unnamed
@0 = global i32 0, comdat ; error: comdat cannot be unnamed
