; ---- case: int_zero
@g = global i0 0 ; error: bitwidth for integer type out of range
; ---- case: int_huge
@g = global i8388609 0 ; error: bitwidth for integer type out of range
; ---- case: void_global
@g = global void undef ; error: void type only allowed for function results
; ---- case: label_global
@g = global label undef ; error: invalid type for undef constant
; ---- case: void_array
@g = global [1 x void] undef ; error: void type only allowed for function results
; ---- case: label_array
@g = global [1 x label] undef ; error: invalid array element type
; ---- case: function_array
@g = global [1 x void ()] undef ; error: invalid array element type
; ---- case: vector_zero
@g = global <0 x i32> undef ; error: zero element vector is illegal
; ---- case: vector_struct
@g = global <1 x {i32}> undef ; error: invalid vector element type
; ---- case: void_field
%t = type { void } ; error: void type only allowed for function results
; ---- case: label_field
%t = type { label } ; error: invalid element type for struct
; ---- case: function_field
%t = type { void () } ; error: invalid element type for struct
; ---- case: void_param
declare void @f(void) ; error: void type only allowed for function results
; ---- case: function_param
declare void @f(void ()) ; error: invalid type for function argument
; ---- case: label_result
declare label @f() ; error: invalid function return type
; ---- case: function_result
declare void () @f() ; error: invalid function return type
; ---- case: space_huge
@g = addrspace(16777216) global i32 0 ; error: invalid address space, must be a 24-bit integer
; ---- case: recursive_alias
%t = type [1 x %t] ; error: non-struct types may not be recursive
; ---- case: sret_result
declare i32 @f(ptr sret(i32)) ; error: functions with 'sret' argument must return void
; ---- case: call-label
define void @f(ptr %p) {
  call label %p(i32 1) ; error: Invalid result type for LLVM function
  ret void
}
; ---- case: call-metadata
define void @f(ptr %p) {
  call metadata %p(i32 1) ; error: Invalid result type for LLVM function
  ret void
}
; ---- case: late-gep
define void @f(ptr %p) {
  %a = getelementptr %T, ptr %p, i32 0, i32 1 ; error: base element of getelementptr must be sized
  ret void
}
%T = type { i32, i32 }
; ---- case: late-alloca
define void @f(ptr %p) {
  %a = alloca [2 x %T] ; error: Cannot allocate unsized type
  ret void
}
%T = type { i32, i32 }
; ---- case: late-load
define void @f(ptr %p) {
  %a = load %T, ptr %p ; error: load operand must be a pointer to a first class type
  ret void
}
%T = type { i32, i32 }
; ---- case: late-zero
@g = global %T zeroinitializer ; error: invalid type for null constant
%T = type { i32, i32 }
; ---- case: late-aggregate
@g = global [1 x %T] [ %T { i32 0, i32 0 } ] ; error: initializer with struct type has wrong # elements
%T = type { i32, i32 }
; ---- case: late-undef
@g = global %T undef ; error: invalid type for undef constant
%T = type { i32, i32 }
; ---- case: late-expression
@g = global ptr getelementptr (%T, ptr @g, i32 0, i32 1) ; error: base element of getelementptr must be sized
%T = type { i32, i32 }
; ---- case: late-parameter
declare void @f(%T) ; error: invalid type for function argument
%T = type { i32, i32 }
; ---- case: metadata-field-text
!0 = !DITemplateTypeParameter(type: "x") ; error: expected metadata operand
; ---- case: metadata-field-node-text
!0 = !DIFile(filename: !"x", directory: "") ; error: expected string constant
; ---- case: metadata-field-wide
!0 = !DITemplateTypeParameter(type: 18446744073709551616) ; error: expected metadata operand
; ---- case: metadata-field-wide-number
!0 = !DIBasicType(align: 18446744073709551616) ; error: value for 'align' too large, limit is 4294967295
; ---- case: alloca-without-space
target datalayout = "A5"
define void @f(ptr %p) {
  %x = alloca i32
  store i32 0, ptr addrspace(5) %x ; error: '%x' defined with type 'ptr' but expected 'ptr addrspace(5)'
  ret void
}
; ---- case: struct-recursive
%T = type { i32, [2 x %T] } ; error: identified structure type 'T' is recursive
; ---- case: struct-recursive-mutual
%A = type { i32, %B }
%B = type { %A } ; error: identified structure type 'B' is recursive
; ---- case: expression-element-wide
!0 = !DIExpression(DW_OP_constu, 18446744073709551616) ; error: element too large, limit is 18446744073709551615
; ---- case: subrange-count-large
!0 = !DISubrange(count: 9223372036854775808) ; error: value for 'count' too large, limit is 9223372036854775807
