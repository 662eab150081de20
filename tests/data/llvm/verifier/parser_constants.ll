; ---- case: int_pointer
%o = type opaque
@h = global i32 0
@g = global ptr 5 ; error: integer constant must have integer type
; ---- case: int_float
%o = type opaque
@h = global i32 0
@g = global float 5 ; error: integer constant must have integer type
; ---- case: float_int
%o = type opaque
@h = global i32 0
@g = global i32 1.0 ; error: floating point constant invalid for type
; ---- case: float_inexact
%o = type opaque
@h = global i32 0
@g = global float 0.1 ; error: floating point constant invalid for type
; ---- case: half_inexact
%o = type opaque
@h = global i32 0
@g = global half 0.1 ; error: floating point constant invalid for type
; ---- case: hex_format
%o = type opaque
@h = global i32 0
@g = global float 0xK3FFF8000000000000000 ; error: floating point constant does not have type 'float'
; ---- case: null_int
%o = type opaque
@h = global i32 0
@g = global i32 null ; error: null must be a pointer type
; ---- case: bool_wide
%o = type opaque
@h = global i32 0
@g = global i32 true ; error: constant expression type mismatch: got type 'i1' but expected 'i32'
; ---- case: none_int
%o = type opaque
@h = global i32 0
@g = global i32 none ; error: invalid type for none constant
; ---- case: zero_label
%o = type opaque
@h = global i32 0
@g = global i32 zeroinitializer2 ; error: expected value token
; ---- case: string_length
%o = type opaque
@h = global i32 0
@g = global [2 x i8] c"abc" ; error: constant expression type mismatch: got type '[3 x i8]' but expected '[2 x i8]'
; ---- case: string_type
%o = type opaque
@h = global i32 0
@g = global [3 x i16] c"abc" ; error: constant expression type mismatch: got type '[3 x i8]' but expected '[3 x i16]'
; ---- case: struct_count
%o = type opaque
@h = global i32 0
@g = global {i32, i32} {i32 1} ; error: initializer with struct type has wrong # elements
; ---- case: struct_field
%o = type opaque
@h = global i32 0
@g = global {i32, i32} {i32 1, i64 2} ; error: element 1 of struct initializer doesn't match struct element type
; ---- case: struct_packed
%o = type opaque
@h = global i32 0
@g = global <{i32}> {i32 1} ; error: packed'ness of initializer and type don't match
; ---- case: struct_array
%o = type opaque
@h = global i32 0
@g = global [1 x i32] {i32 1} ; error: constant expression type mismatch
; ---- case: array_mixed
%o = type opaque
@h = global i32 0
@g = global [2 x i32] [i32 1, i64 2] ; error: array element #1 is not of type 'i32
; ---- case: array_length
%o = type opaque
@h = global i32 0
@g = global [3 x i32] [i32 1, i32 2] ; error: constant expression type mismatch: got type '[2 x i32]' but expected '[3 x i32]'
; ---- case: array_empty
%o = type opaque
@h = global i32 0
@g = global [3 x i32] [] ; error: invalid empty array initializer
; ---- case: vector_mixed
%o = type opaque
@h = global i32 0
@g = global <2 x i32> <i32 1, i64 2> ; error: vector element #1 is not of type 'i32
; ---- case: vector_empty
%o = type opaque
@h = global i32 0
@g = global <2 x i32> <> ; error: constant vector must not be empty
; ---- case: vector_of_structs
%o = type opaque
@h = global i32 0
@g = global <1 x i32> <{i32} {i32 1}> ; error: expected value token
; ---- case: splat_scalar
%o = type opaque
@h = global i32 0
@g = global i32 splat (i32 1) ; error: vector constant must have vector type
; ---- case: splat_type
%o = type opaque
@h = global i32 0
@g = global <2 x i32> splat (i64 1) ; error: constant expression type mismatch: got type 'i64' but expected 'i32'
; ---- case: add_types
%o = type opaque
@h = global i32 0
@g = global i32 add (i32 1, i64 2) ; error: operands of constexpr must have same type
; ---- case: add_float
%o = type opaque
@h = global i32 0
@g = global float add (float 1.0, float 2.0) ; error: constexpr requires integer or integer vector operands
; ---- case: cast_invalid
%o = type opaque
@h = global i32 0
@g = global i64 trunc (i32 1 to i64) ; error: invalid cast opcode for cast from 'i32' to 'i64'
; ---- case: bitcast_size
%o = type opaque
@h = global i32 0
@g = global i64 bitcast (i32 1 to i64) ; error: invalid cast opcode for cast from 'i32' to 'i64'
; ---- case: cast_type
%o = type opaque
@h = global i32 0
@g = global i64 ptrtoint (ptr @h to i32) ; error: constant expression type mismatch: got type 'i32' but expected 'i64'
; ---- case: gep_base
%o = type opaque
@h = global i32 0
@g = global ptr getelementptr (i8, i64 1, i64 2) ; error: base of getelementptr must be a pointer
; ---- case: gep_index
%o = type opaque
@h = global i32 0
@g = global ptr getelementptr (i8, ptr @h, float 1.0) ; error: getelementptr index must be an integer
; ---- case: gep_struct
%o = type opaque
@h = global i32 0
@g = global ptr getelementptr ({i32}, ptr @h, i32 0, i32 5) ; error: invalid getelementptr indices
; ---- case: gep_unsized
%o = type opaque
@h = global i32 0
@g = global ptr getelementptr (%o, ptr @h, i32 1) ; error: base element of getelementptr must be sized
; ---- case: extract_operands
%o = type opaque
@h = global i32 0
@g = global i32 extractelement (i32 1, i32 0) ; error: invalid extractelement operands
; ---- case: insert_operands
%o = type opaque
@h = global i32 0
@g = global <1 x i32> insertelement (<1 x i32> undef, i64 1, i32 0) ; error: invalid insertelement operands
; ---- case: shuffle_operands
%o = type opaque
@h = global i32 0
@g = global <1 x i32> shufflevector (<1 x i32> undef, <2 x i32> undef, <1 x i32> undef) ; error: invalid operands to shufflevector
; ---- case: asm
%o = type opaque
@h = global i32 0
@g = global ptr asm "", "" ; error: invalid type for inline asm constraint string
; ---- case: ptrauth_key
%o = type opaque
@h = global i32 0
@g = global ptr ptrauth (ptr @h, i64 1) ; error: constant ptrauth key must be i32 constant
; ---- case: ptrauth_pointer
%o = type opaque
@h = global i32 0
@g = global ptr ptrauth (i32 1, i32 1) ; error: constant ptrauth base pointer must be a pointer
; ---- case: ptrauth_discriminator
%o = type opaque
@h = global i32 0
@g = global ptr ptrauth (ptr @h, i32 1, i32 2) ; error: constant ptrauth integer discriminator must be i64 constant
; ---- case: space
%o = type opaque
@h = global i32 0
@g = global ptr addrspace(1) @h ; error: '@h' defined with type 'ptr' but expected 'ptr addrspace(1)'
; ---- case: undef_void
%o = type opaque
@h = global i32 0
@g = global %o undef ; error: invalid type for undef constant
; ---- case: dso_variable
%o = type opaque
@h = global i32 0
@g = global ptr dso_local_equivalent @h ; error: expected a function, alias to function, or ifunc in dso_local_equivalent
; ---- case: no_cfi_undefined
%o = type opaque
@h = global i32 0
@g = global ptr no_cfi @nope ; error: use of undefined value '@nope'
; ---- case: metadata_constant
%o = type opaque
@h = global i32 0
@g = global metadata !0 ; error: expected value token
