; ---- case: no_opcode
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  frobnicate i32 1 ; error: expected instruction opcode
  ret void
}
; ---- case: missing_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a %a ; error: expected ',' in arithmetic operation
  ret void
}
; ---- case: missing_value
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a,
  ret void ; error: expected value token
}
; ---- case: bad_predicate
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = icmp foo i32 %a, %a ; error: expected icmp predicate (e.g. 'eq')
  ret void
}
; ---- case: fcmp_predicate
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fcmp slt float %x, %x ; error: expected fcmp predicate (e.g. 'oeq')
  ret void
}
; ---- case: icmp_float_predicate
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = icmp oeq i32 %a, %a ; error: expected icmp predicate (e.g. 'eq')
  ret void
}
; ---- case: bad_type
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add foo %a, %a ; error: expected type
  ret void
}
; ---- case: missing_to
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = zext i32 %a i64 ; error: expected 'to' after cast value
  ret void
}
; ---- case: missing_equal
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s add i32 %a, %a ; error: expected '=' after instruction name
  ret void
}
; ---- case: bad_ordering
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store atomic i32 %a, ptr %p, align 4 ; error: Expected ordering on atomic instruction
  ret void
}
; ---- case: fence_word
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  fence sideways ; error: Expected ordering on atomic instruction
  ret void
}
; ---- case: rmw_word
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw nope ptr %p, i32 1 seq_cst ; error: expected binary operation in atomicrmw
  ret void
}
; ---- case: missing_bracket
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  switch i32 %a, label %e
  e: ; error: expected '[' with switch table
  ret void
}
; ---- case: br_missing
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br i1 %c, label %e
  e: ; error: expected ',' after true destination
  ret void
}
; ---- case: phi_bracket
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %e
  e:
  %s = phi i32 (1, %e) ; error: expected type
  ret void
}
; ---- case: call_paren
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void @f
  ret void ; error: expected '(' in call
}
; ---- case: bundle_empty
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void @f2() [] ; error: operand bundle set must not be empty
  ret void
}
; ---- case: alloca_junk
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = alloca i32, align
  ret void ; error: expected integer
}
; ---- case: load_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32 ptr %p ; error: expected comma after load's type
  ret void
}
; ---- case: gep_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr i32 ptr %p ; error: expected comma after getelementptr's type
  ret void
}
; ---- case: extract_index
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = extractvalue {i32} undef
  ret void ; error: expected ',' as start of index list
}
; ---- case: metadata_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a, %a, dbg ; error: expected metadata after comma
  ret void
}
; ---- case: label_after_no_terminator
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a, %a
  e: ; error: expected instruction opcode
  ret void
}
; ---- case: tail_alone
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  tail void @f() ; error: expected 'tail call', 'musttail call', or 'notail call'
  ret void
}
; ---- case: landingpad_word
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = landingpad i32 catch
  ret void ; error: expected type
}
; ---- case: ret_type
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  ret
} ; error: expected type
; ---- case: resume_type
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  resume
} ; error: expected type
; ---- case: cleanupret_from
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  cleanupret %a unwind to caller ; error: expected 'from' after cleanupret
}
; ---- case: catchret_to
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  catchret from %a label %e ; error: '%a' defined with type 'i32' but expected 'token'
}
; ---- case: catchswitch_within
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = catchswitch %a [label %e] unwind to caller ; error: expected 'within' after catchswitch
}
; ---- case: indirectbr_bracket
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  indirectbr ptr %p, label %e ; error: expected '[' with indirectbr
}
; ---- case: invoke_to
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  invoke void @f2() label %e unwind label %e ; error: expected 'to' in invoke
}
; ---- case: callbr_bracket
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  callbr void asm "", ""() to label %e
} ; error: expected '[' in callbr
; ---- case: ptr_star
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load ptr*, ptr %p ; error: ptr* is invalid - use ptr instead
  ret void
}
; ---- case: void_pointer
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load void*, ptr %p ; error: pointers to void are invalid - use i8* instead
  ret void
}
; ---- case: fp_flags_order
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add nsw nuw nsw i32 %a, %a ; error: expected type
  ret void
}
; ---- case: dbg_record
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  #dbg_nothing(i32 0) ; error: expected debug record type here
  ret void
}
; ---- case: dbg_record_paren
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  #dbg_value i32 0 ; error: Expected '(' here
  ret void
}
; ---- case: syncscope_string
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  fence syncscope(x) seq_cst ; error: Expected synchronization scope name
  ret void
}
; ---- case: syncscope_paren
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  fence syncscope "x" seq_cst ; error: Expected '(' in syncscope
  ret void
}
; ---- case: align_number
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr %p, align x ; error: expected integer
  ret void
}
; ---- case: load_junk
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr %p, volatile ; error: expected metadata or 'align'
  ret void
}
; ---- case: splat_paren
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add <4 x i32> %v, splat i32 1 ; error: expected '(' after vector splat
  ret void
}
; ---- case: asm_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void asm "x" "y"() ; error: expected comma in inline asm expression
  ret void
}
; ---- case: blockaddress_comma
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store ptr blockaddress(@f %e), ptr %p ; error: expected comma in block address expression
  ret void
}
; ---- case: inrange_paren
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store ptr getelementptr inrange 1 (i8, ptr @g, i64 1), ptr %p ; error: expected '('
  ret void
}
; ---- case: select_constant
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i32 select (i1 true, i32 1, i32 2), ptr %p ; error: select constexprs are no longer supported
  ret void
}
; ---- case: mul_constant
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i64 mul (i64 1, i64 2), ptr %p ; error: mul constexprs are no longer supported
  ret void
}
; ---- case: icmp_constant
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i1 icmp eq (i64 1, i64 2), ptr %p ; error: icmp constexprs are no longer supported
  ret void
}
; ---- case: insertvalue_constant
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i32 extractvalue ({i32} undef, 0), ptr %p ; error: extractvalue constexprs are no longer supported
  ret void
}
; ---- case: zext_constant
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i64 zext (i32 1 to i64), ptr %p ; error: zext constexprs are no longer supported
  ret void
}
; ---- case: cmpxchg_one_ordering
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = cmpxchg ptr %p, i32 %a, i32 %a seq_cst
  ret void ; error: Expected ordering on atomic instruction
}
; ---- case: ellipsis_call
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void (...) @v(...) ; error: unexpected ellipsis in argument list for non-musttail call
  ret void
}
; ---- case: top_word
frob ; error: expected top-level entity
; ---- case: target_word
target frob = "x" ; error: unknown target property
; ---- case: target_equal
target triple "x" ; error: expected '=' after target triple
; ---- case: source_equal
source_filename "x" ; error: expected '=' after source_filename
; ---- case: type_word
%t = i32 ; error: expected 'type' after name
; ---- case: global_word
@g = 5 ; error: expected 'global' or 'constant'
; ---- case: global_kind
@g = external i32 ; error: expected 'global' or 'constant'
; ---- case: attributes_number
attributes = { nounwind } ; error: expected attribute group id
; ---- case: attributes_word
attributes #0 = { frob } ; error: unterminated attribute group
; ---- case: attributes_nested
attributes #0 = { #1 } ; error: cannot have an attribute group reference in an attribute group
; ---- case: comdat_kind
$c = comdat sometimes ; error: unknown selection kind
; ---- case: comdat_word
$c = any ; error: expected comdat type
; ---- case: module_asm
module "x" ; error: expected 'module asm'
; ---- case: metadata_brace
!0 = !(i32 0) ; error: expected '{' here
; ---- case: metadata_equal
!0 !{} ; error: expected '=' here
; ---- case: named_metadata
!n = {!0} ; error: Expected '!' here
!0 = !{}
; ---- case: metadata_kind
!0 = !DINothing() ; error: expected metadata type
; ---- case: metadata_type
!0 = metadata !{} ; error: unexpected type in metadata definition
; ---- case: declare_name
declare void f() ; error: expected function name
; ---- case: define_brace
define void @f()
declare void @g() ; error: expected '{' in function body
; ---- case: empty_body
define void @f() {
} ; error: function body requires at least one basic block
; ---- case: global_property
@g = global i32 0, frob ; error: unknown global variable property!
; ---- case: alias_comma
@g = global i32 0
@a = alias i32 ptr @g ; error: expected comma after alias or ifunc's type
; ---- case: alias_property
@g = global i32 0
@a = alias i32, ptr @g, frob ; error: unknown alias or ifunc property!
; ---- case: tls
@g = thread_local(frob) global i32 0 ; error: expected localdynamic, initialexec or localexec
; ---- case: addrspace
@g = addrspace 1 global i32 0 ; error: expected '(' in address space
; ---- case: addrspace_letter
@g = addrspace("X") global i32 0 ; error: invalid symbolic addrspace 'X'
; ---- case: code_model
@g = global i32 0, code_model "huge" ; error: expected global code model string
; ---- case: uselistorder
uselistorder ptr @g, {0} ; error: expected >= 2 uselistorder indexes
@g = global i32 0
; ---- case: summary
^0 = frob: (1) ; error: unexpected summary kind
; ---- case: memory_attr
define void @f() memory(frob) { ; error: expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, read, write, readwrite)
  ret void
}
; ---- case: memory_default
define void @f() memory(argmem: read, write) { ; error: default access kind must be specified first
  ret void
}
; ---- case: captures_attr
declare void @f(ptr captures(frob)) ; error: expected one of 'none', 'address', 'address_is_null', 'provenance' or 'read_provenance'
; ---- case: captures_none
declare void @f(ptr captures(none, address)) ; error: cannot use 'none' with other component
; ---- case: nofpclass_attr
declare void @f(float nofpclass(frob)) ; error: expected nofpclass test mask
; ---- case: range_paren
declare void @f(i32 range i32 0, 1) ; error: expected '('
; ---- case: uwtable_word
define void @f() uwtable(frob) { ; error: expected unwind table kind
  ret void
}
; ---- case: allockind_string
declare ptr @f() allockind(alloc) ; error: expected allockind value
; ---- case: dereferenceable_paren
declare void @f(ptr dereferenceable 4) ; error: expected '('
; ---- case: cc_number
define cc void @f() { ; error: expected integer
  ret void
}
; ---- case: vscale_x
@g = global <vscale 4 x i32> zeroinitializer ; error: expected 'x' after vscale
; ---- case: array_x
@g = global [4 i32] zeroinitializer ; error: expected 'x' after element count
; ---- case: target_type
@g = global target(x) zeroinitializer ; error: expected string constant
; ---- case: struct_comma
%t = type { i32 i32 } ; error: expected '}' at end of struct
; ---- case: dso_local_import
@g = external dso_local dllimport global i32 ; error: dso_location and DLL-StorageClass mismatch
; ---- case: function_type_name
@g = global void (i32 %a)* null ; error: argument name invalid in function type
