; ---- case: add_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add float %x, %x ; error: invalid operand type for instruction
  ret void
}
; ---- case: fadd_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fadd i32 %a, %a ; error: invalid operand type for instruction
  ret void
}
; ---- case: and_pointer
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = and ptr %p, %p ; error: instruction requires integer or integer vector operands
  ret void
}
; ---- case: fneg_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fneg i32 %a ; error: invalid operand type for instruction
  ret void
}
; ---- case: icmp_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = icmp eq float %x, %x ; error: icmp requires integer operands
  ret void
}
; ---- case: fcmp_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fcmp oeq i32 %a, %a ; error: fcmp requires floating point operands
  ret void
}
; ---- case: ret_type
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  ret i32 %a ; error: value doesn't match function result type 'void'
}
; ---- case: ret_missing_void
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  ret float %x ; error: value doesn't match function result type 'void'
}
; ---- case: br_condition
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br i32 %a, label %e, label %e ; error: branch condition must have 'i1' type
  e:
  ret void
}
; ---- case: br_label
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br i1 %c, i32 %a, label %e ; error: expected a basic block
  e:
  ret void
}
; ---- case: switch_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  switch float %x, label %e [] ; error: switch condition must have integer type
  e:
  ret void
}
; ---- case: switch_case
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  switch i32 %a, label %e [ i32 %a, label %e ] ; error: case value is not a constant integer
  e:
  ret void
}
; ---- case: switch_twice
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  switch i32 %a, label %e [ i32 1, label %e
  i32 1, label %e ] ; error: duplicate case value in switch
  e:
  ret void
}
; ---- case: indirectbr_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  indirectbr i32 %a, [label %e] ; error: indirectbr address must have pointer type
  e:
  ret void
}
; ---- case: select_types
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = select i1 %c, i32 %a, i64 %b ; error: both values to select must have same type
  ret void
}
; ---- case: select_condition
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = select i32 %a, i32 %a, i32 %a ; error: select condition must be i1 or <n x i1>
  ret void
}
; ---- case: select_vector
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = select <2 x i1> zeroinitializer, <4 x i32> %v, <4 x i32> %v ; error: vector select requires selected vectors to have the same vector length as select condition
  ret void
}
; ---- case: extractelement_scalar
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = extractelement i32 %a, i32 0 ; error: invalid extractelement operands
  ret void
}
; ---- case: extractelement_index
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = extractelement <4 x i32> %v, float %x ; error: invalid extractelement operands
  ret void
}
; ---- case: insertelement_type
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = insertelement <4 x i32> %v, i64 %b, i32 0 ; error: invalid insertelement operands
  ret void
}
; ---- case: shuffle_mask
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = shufflevector <4 x i32> %v, <4 x i32> %v, <4 x i32> %v ; error: invalid shufflevector operands
  ret void
}
; ---- case: shuffle_range
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = shufflevector <4 x i32> %v, <4 x i32> %v, <1 x i32> <i32 9> ; error: invalid shufflevector operands
  ret void
}
; ---- case: shuffle_types
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = shufflevector <4 x i32> %v, <2 x i32> undef, <1 x i32> zeroinitializer ; error: invalid shufflevector operands
  ret void
}
; ---- case: extractvalue_scalar
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = extractvalue i32 %a, 0 ; error: extractvalue operand must be aggregate type
  ret void
}
; ---- case: extractvalue_index
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = extractvalue {i32} undef, 1 ; error: invalid indices for extractvalue
  ret void
}
; ---- case: insertvalue_type
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = insertvalue {i32} undef, i64 %b, 0 ; error: insertvalue operand and field disagree in type: 'i64' instead of 'i32'
  ret void
}
; ---- case: gep_base
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr i32, i32 %a, i32 0 ; error: base of getelementptr must be a pointer
  ret void
}
; ---- case: gep_index
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr i32, ptr %p, float %x ; error: getelementptr index must be an integer
  ret void
}
; ---- case: gep_field
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr {i32}, ptr %p, i32 0, i32 3 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep_field_width
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr {i32}, ptr %p, i32 0, i64 0 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep_field_variable
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr {i32}, ptr %p, i32 0, i32 %a ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep_scalar
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr i32, ptr %p, i32 0, i32 0 ; error: invalid getelementptr indices
  ret void
}
; ---- case: gep_vector
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = getelementptr i32, <2 x ptr> undef, <4 x i32> %v ; error: getelementptr vector index has a wrong number of elements
  ret void
}
; ---- case: alloca_function
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = alloca void () ; error: invalid type for alloca
  ret void
}
; ---- case: alloca_count
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = alloca i32, float %x ; error: element count must have integer type
  ret void
}
; ---- case: alloca_unsized
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = alloca %o ; error: Cannot allocate unsized type
  ret void
}
; ---- case: load_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, i32 %a ; error: load operand must be a pointer to a first class type
  ret void
}
; ---- case: load_unsized
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load %o, ptr %p ; error: load operand must be a pointer to a first class type
  ret void
}
; ---- case: load_function
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load void (), ptr %p ; error: load operand must be a pointer to a first class type
  ret void
}
; ---- case: load_atomic_align
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load atomic i32, ptr %p seq_cst ; error: atomic load must have explicit non-zero alignment
  ret void
}
; ---- case: load_release
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load atomic i32, ptr %p release, align 4 ; error: atomic load cannot use Release ordering
  ret void
}
; ---- case: store_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i32 %a, i32 %a ; error: store operand must be a pointer
  ret void
}
; ---- case: store_acquire
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store atomic i32 %a, ptr %p acquire, align 4 ; error: atomic store cannot use Acquire ordering
  ret void
}
; ---- case: store_atomic_align
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store atomic i32 %a, ptr %p seq_cst ; error: atomic store must have explicit non-zero alignment
  ret void
}
; ---- case: cmpxchg_types
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = cmpxchg ptr %p, i32 %a, i64 %b seq_cst seq_cst ; error: compare value and new value type do not match
  ret void
}
; ---- case: cmpxchg_failure
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = cmpxchg ptr %p, i32 %a, i32 %a seq_cst release ; error: invalid cmpxchg failure ordering
  ret void
}
; ---- case: cmpxchg_success
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = cmpxchg ptr %p, i32 %a, i32 %a unordered monotonic ; error: invalid cmpxchg success ordering
  ret void
}
; ---- case: cmpxchg_pointer
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = cmpxchg i32 %a, i32 %a, i32 %a seq_cst seq_cst ; error: cmpxchg operand must be a pointer
  ret void
}
; ---- case: rmw_unordered
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw add ptr %p, i32 %a unordered ; error: atomicrmw cannot be unordered
  ret void
}
; ---- case: rmw_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw add ptr %p, float %x seq_cst ; error: atomicrmw add operand must be an integer
  ret void
}
; ---- case: rmw_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw fadd ptr %p, i32 %a seq_cst ; error: atomicrmw fadd operand must be a floating point type
  ret void
}
; ---- case: rmw_pointer
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw add i32 %a, i32 %a seq_cst ; error: atomicrmw operand must be a pointer
  ret void
}
; ---- case: rmw_xchg
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = atomicrmw xchg ptr %p, <4 x i32> %v seq_cst ; error: atomicrmw xchg operand must be an integer, floating point, or pointer type
  ret void
}
; ---- case: fence_monotonic
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  fence monotonic ; error: fence cannot be monotonic
  ret void
}
; ---- case: trunc_wider
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = trunc i32 %a to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: zext_narrower
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = zext i64 %b to i32 ; error: invalid cast opcode for cast from 'i64' to 'i32'
  ret void
}
; ---- case: sext_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = sext float %x to i64 ; error: invalid cast opcode for cast from 'float' to 'i64'
  ret void
}
; ---- case: fptrunc_wider
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fptrunc float %x to double ; error: invalid cast opcode for cast from 'float' to 'double'
  ret void
}
; ---- case: fpext_narrower
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fpext double %d to float ; error: invalid cast opcode for cast from 'double' to 'float'
  ret void
}
; ---- case: fptoui_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = fptoui i32 %a to i32 ; error: invalid cast opcode for cast from 'i32' to 'i32'
  ret void
}
; ---- case: sitofp_float
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = sitofp float %x to float ; error: invalid cast opcode for cast from 'float' to 'float'
  ret void
}
; ---- case: ptrtoint_int
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = ptrtoint i32 %a to i32 ; error: invalid cast opcode for cast from 'i32' to 'i32'
  ret void
}
; ---- case: inttoptr_pointer
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = inttoptr ptr %p to ptr ; error: invalid cast opcode for cast from 'ptr' to 'ptr'
  ret void
}
; ---- case: bitcast_size
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = bitcast i32 %a to i64 ; error: invalid cast opcode for cast from 'i32' to 'i64'
  ret void
}
; ---- case: bitcast_pointer
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = bitcast ptr %p to i64 ; error: invalid cast opcode for cast from 'ptr' to 'i64'
  ret void
}
; ---- case: addrspacecast_same
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = addrspacecast ptr %p to ptr ; error: invalid cast opcode for cast from 'ptr' to 'ptr'
  ret void
}
; ---- case: cast_lanes
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = zext <4 x i32> %v to <2 x i64> ; error: invalid cast opcode for cast from '<4 x i32>' to '<2 x i64>'
  ret void
}
; ---- case: call_many
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void () @f2(i32 %a) ; error: too many arguments specified
  ret void
}
; ---- case: call_few
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void (i32) @f2() ; error: not enough parameters specified for call
  ret void
}
; ---- case: call_type
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void (i32) @f2(i64 %b) ; error: argument is not of expected type 'i32'
  ret void
}
; ---- case: call_local
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void %a() ; error: '%a' defined with type 'i32' but expected 'ptr'
  ret void
}
; ---- case: call_flags
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = call fast i32 @f3() ; error: fast-math-flags specified for call without floating-point scalar or vector return type
  ret void
}
; ---- case: select_flags
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = select fast i1 %c, i32 %a, i32 %a ; error: fast-math-flags specified for select without floating-point scalar or vector return type
  ret void
}
; ---- case: phi_flags
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %e
  e:
  %s = phi fast i32 [ 0, %0 ] ; error: fast-math-flags specified for phi without floating-point scalar or vector return type
  ret void
}
; ---- case: landingpad_catch
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = landingpad i32 catch [1 x i32] zeroinitializer ; error: 'catch' clause has an invalid type
  ret void
}
; ---- case: landingpad_filter
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = landingpad i32 filter i32 0 ; error: 'filter' clause has an invalid type
  ret void
}
; ---- case: va_arg_function
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = va_arg ptr %p, void () ; error: va_arg requires operand with first class type
  ret void
}
; ---- case: align_power
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr %p, align 3 ; error: alignment is not a power of two
  ret void
}
; ---- case: align_huge
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr %p, align 8589934592 ; error: huge alignments are not supported yet
  ret void
}
; ---- case: metadata_operand
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add metadata !0, !0 ; error: expected value token
  ret void
}
; ---- case: void_operand
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add void 0, 0 ; error: void type only allowed for function results
  ret void
}
; ---- case: function_value
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store void () 0, ptr %p ; error: functions are not values, refer to them as pointers
  ret void
}
; ---- case: use_order
%o = type opaque
declare void @f2()
declare i32 @f3()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %e
  e:
  %s = add i32 %a, %a
  ret void
  uselistorder i32 %a, { 0, 1 } ; error: expected uselistorder indexes to change the order
}
