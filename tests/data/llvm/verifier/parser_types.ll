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
