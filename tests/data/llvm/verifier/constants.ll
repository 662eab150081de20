; ---- case: integer-for-pointer
@g = global ptr 0 ; error: integer constant must have integer type
; ---- case: integer-for-float
@g = global float 0 ; error: integer constant must have integer type
; ---- case: float-for-integer
@g = global i32 1.0 ; error: floating point constant invalid for type
; ---- case: float-inexact
@g = global float 0.1 ; error: floating point constant invalid for type
; ---- case: float-exponent
@g = global half 1.0e10 ; error: floating point constant invalid for type
; ---- case: half-hex
@g = global half 0x3FF0000000000001 ; error: floating point constant invalid for type
; ---- case: hex-kind-half
@g = global float 0xH3C00 ; error: floating point constant does not have type 'float'
; ---- case: hex-kind-bfloat
@g = global half 0xR3F80 ; error: floating point constant does not have type 'half'
; ---- case: hex-kind-x86
@g = global double 0xK3FFF8000000000000000 ; error: floating point constant does not have type 'double'
; ---- case: hex-kind-quad
@g = global double 0xL00000000000000003FFF000000000000 ; error: floating point constant does not have type 'double'
; ---- case: hex-kind-ppc
@g = global fp128 0xM00000000000000000000000000000000 ; error: floating point constant invalid for type
; ---- case: true-for-i8
@g = global i8 true ; error: constant expression type mismatch: got type 'i1' but expected 'i8'
; ---- case: null-for-integer
@g = global i32 null ; error: null must be a pointer type
; ---- case: none-for-integer
@g = global i32 none ; error: invalid type for none constant
; ---- case: none-for-pointer
@g = global ptr none ; error: invalid type for none constant
; ---- case: undef-label
define void @f() {
br label undef ; error: invalid type for undef constant
}
; ---- case: undef-for-void
define void @f() {
ret void undef ; error: expected instruction opcode
}
; ---- case: poison-function
define void @f() {
store void () poison, ptr null ; error: functions are not values, refer to them as pointers
ret void
}
; ---- case: zeroinitializer-label
define void @f() {
br label zeroinitializer ; error: invalid type for null constant
}
; ---- case: empty-array-for-struct
@g = global { i32 } [] ; error: invalid empty array initializer
; ---- case: array-element-type
@g = global [2 x i32] [i32 0, i64 0] ; error: array element #1 is not of type 'i32
; ---- case: array-element-count
@g = global [3 x i32] [i32 0, i32 0] ; error: constant expression type mismatch: got type '[2 x i32]' but expected '[3 x i32]'
; ---- case: array-element-kind
@g = global [1 x i64] [i32 0] ; error: constant expression type mismatch: got type '[1 x i32]' but expected '[1 x i64]'
; ---- case: array-void-element
@g = global [1 x i32] [void 0] ; error: void type only allowed for function results
; ---- case: array-close
@g = global [1 x i32] [i32 0 0 ; error: expected end of array constant
; ---- case: vector-empty
@g = global <1 x i32> <> ; error: constant vector must not be empty
; ---- case: vector-element-type
@g = global <2 x i32> <i32 0, i64 0> ; error: vector element #1 is not of type 'i32
; ---- case: vector-element-kind
@g = global <1 x [1 x i32]> <[1 x i32] zeroinitializer> ; error: invalid vector element type
; ---- case: vector-for-array
@g = global [1 x i32] <i32 0> ; error: constant expression type mismatch: got type '<1 x i32>' but expected '[1 x i32]'
; ---- case: vector-close
@g = global <1 x i32> <i32 0 0 ; error: expected end of constant
; ---- case: struct-count
@g = global { i32, i32 } { i32 0 } ; error: initializer with struct type has wrong # elements
; ---- case: struct-field
@g = global { i32, i32 } { i32 0, i64 0 } ; error: element 1 of struct initializer doesn't match struct element type
; ---- case: struct-packed
@g = global { i32 } <{ i32 0 }> ; error: packed'ness of initializer and type don't match
; ---- case: struct-not-packed
@g = global <{ i32 }> { i32 0 } ; error: packed'ness of initializer and type don't match
; ---- case: struct-for-array
@g = global [1 x i32] { i32 0 } ; error: constant expression type mismatch
; ---- case: struct-close
@g = global { i32 } { i32 0 0 ; error: expected end of struct constant
; ---- case: packed-close
@g = global <{ i32 }> <{ i32 0 } 0 ; error: expected end of constant
; ---- case: string-type
@g = global [3 x i16] c"abc" ; error: constant expression type mismatch: got type '[3 x i8]' but expected '[3 x i16]'
; ---- case: string-length
@g = global [4 x i8] c"abc" ; error: constant expression type mismatch: got type '[3 x i8]' but expected '[4 x i8]'
; ---- case: string-word
@g = global [3 x i8] c abc ; error: expected string
; ---- case: splat-for-scalar
@g = global i32 splat (i32 1) ; error: vector constant must have vector type
; ---- case: splat-element
@g = global <2 x i32> splat (i64 1) ; error: constant expression type mismatch: got type 'i64' but expected 'i32'
; ---- case: splat-paren
@g = global <2 x i32> splat i32 1 ; error: expected '(' after vector splat
; ---- case: blockaddress-function
@g = global ptr blockaddress(@f, %x) ; error: expected function name in blockaddress
@f = global i32 0
; ---- case: blockaddress-declaration
@g = global ptr blockaddress(@f, %x) ; error: cannot take blockaddress inside a declaration
declare void @f()
; ---- case: blockaddress-name
@g = global ptr blockaddress(%f, %x) ; error: expected function name in blockaddress
; ---- case: blockaddress-label
@g = global ptr blockaddress(@f, @x) ; error: expected basic block name in blockaddress
; ---- case: blockaddress-undefined-block
@g = global ptr blockaddress(@f, %x) ; error: use of undefined value '%x'
define void @f() {
ret void
}
; ---- case: blockaddress-undefined-function
@g = global ptr blockaddress(@f, %x) ; error: expected function name in blockaddress
; ---- case: blockaddress-not-block
@g = global ptr blockaddress(@f, %x) ; error: referenced value is not a basic block
define void @f(i32 %x) {
ret void
}
; ---- case: blockaddress-paren
@g = global ptr blockaddress @f, %x ; error: expected '(' in block address expression
; ---- case: blockaddress-comma
@g = global ptr blockaddress(@f %x) ; error: expected comma in block address expression
; ---- case: blockaddress-entry
@g = global ptr blockaddress(@f, %x)
define void @f() { ; error: blockaddress may not be used with the entry block!
x:
ret void
}
; ---- case: dso-local-equivalent-global
@g = global ptr dso_local_equivalent @h ; error: expected a function, alias to function, or ifunc in dso_local_equivalent
@h = global i32 0
; ---- case: dso-local-equivalent-name
@g = global ptr dso_local_equivalent %h ; error: expected global value name in dso_local_equivalent
; ---- case: dso-local-equivalent-undefined
@g = global ptr dso_local_equivalent @h ; error: unknown function 'h' referenced by dso_local_equivalent
; ---- case: no-cfi-name
@g = global ptr no_cfi %h ; error: expected global value name in no_cfi
; ---- case: no-cfi-undefined
@g = global ptr no_cfi @h ; error: use of undefined value '@h'
; ---- case: ptrauth-pointer
@g = global ptr ptrauth (i32 0, i32 0) ; error: constant ptrauth base pointer must be a pointer
; ---- case: ptrauth-key
@h = global i32 0
@g = global ptr ptrauth (ptr @h, i64 0) ; error: constant ptrauth key must be i32 constant
; ---- case: ptrauth-discriminator
@h = global i32 0
@g = global ptr ptrauth (ptr @h, i32 0, i32 0) ; error: constant ptrauth integer discriminator must be i64 constant
; ---- case: ptrauth-address
@h = global i32 0
@g = global ptr ptrauth (ptr @h, i32 0, i64 0, i64 0) ; error: constant ptrauth address discriminator must be a pointer
; ---- case: ptrauth-paren
@h = global i32 0
@g = global ptr ptrauth ptr @h, i32 0 ; error: expected '(' in constant ptrauth expression
; ---- case: expr-cast-invalid
@g = global i32 ptrtoint (i32 0 to i32) ; error: invalid cast opcode for cast from 'i32' to 'i32'
; ---- case: expr-cast-to
@h = global i32 0
@g = global i64 ptrtoint (ptr @h, i64) ; error: expected 'to' in constantexpr cast
; ---- case: expr-cast-paren
@h = global i32 0
@g = global i64 ptrtoint ptr @h to i64 ; error: expected '(' after constantexpr cast
; ---- case: expr-cast-close
@h = global i32 0
@g = global i64 ptrtoint (ptr @h to i64 0 ; error: expected ')' at end of constantexpr cast
; ---- case: expr-bitcast-addrspace
@h = global i32 0
@g = global ptr addrspace(1) bitcast (ptr @h to ptr addrspace(1)) ; error: invalid cast opcode for cast from 'ptr' to 'ptr addrspace(1)'
; ---- case: expr-addrspacecast-int
@g = global ptr addrspacecast (i32 0 to ptr) ; error: invalid cast opcode for cast from 'i32' to 'ptr'
; ---- case: expr-type
@h = global i32 0
@g = global i32 ptrtoint (ptr @h to i64) ; error: constant expression type mismatch: got type 'i64' but expected 'i32'
; ---- case: expr-zext
@g = global i32 zext (i8 1 to i32) ; error: zext constexprs are no longer supported
; ---- case: expr-sext
@g = global i32 sext (i8 1 to i32) ; error: sext constexprs are no longer supported
; ---- case: expr-fptrunc
@g = global float fptrunc (double 1.0 to float) ; error: fptrunc constexprs are no longer supported
; ---- case: expr-fpext
@g = global double fpext (float 1.0 to double) ; error: fpext constexprs are no longer supported
; ---- case: expr-uitofp
@g = global double uitofp (i32 1 to double) ; error: uitofp constexprs are no longer supported
; ---- case: expr-sitofp
@g = global double sitofp (i32 1 to double) ; error: sitofp constexprs are no longer supported
; ---- case: expr-fptoui
@g = global i32 fptoui (float 1.0 to i32) ; error: fptoui constexprs are no longer supported
; ---- case: expr-fptosi
@g = global i32 fptosi (float 1.0 to i32) ; error: fptosi constexprs are no longer supported
; ---- case: expr-icmp
@g = global i1 icmp eq (i32 1, i32 2) ; error: icmp constexprs are no longer supported
; ---- case: expr-fcmp
@g = global i1 fcmp oeq (float 1.0, float 2.0) ; error: fcmp constexprs are no longer supported
; ---- case: expr-udiv
@g = global i32 udiv (i32 1, i32 2) ; error: udiv constexprs are no longer supported
; ---- case: expr-sdiv
@g = global i32 sdiv (i32 1, i32 2) ; error: sdiv constexprs are no longer supported
; ---- case: expr-urem
@g = global i32 urem (i32 1, i32 2) ; error: urem constexprs are no longer supported
; ---- case: expr-srem
@g = global i32 srem (i32 1, i32 2) ; error: srem constexprs are no longer supported
; ---- case: expr-mul
@g = global i32 mul (i32 1, i32 2) ; error: mul constexprs are no longer supported
; ---- case: expr-shl
@g = global i32 shl (i32 1, i32 2) ; error: shl constexprs are no longer supported
; ---- case: expr-lshr
@g = global i32 lshr (i32 1, i32 2) ; error: lshr constexprs are no longer supported
; ---- case: expr-ashr
@g = global i32 ashr (i32 1, i32 2) ; error: ashr constexprs are no longer supported
; ---- case: expr-and
@g = global i32 and (i32 1, i32 2) ; error: and constexprs are no longer supported
; ---- case: expr-or
@g = global i32 or (i32 1, i32 2) ; error: or constexprs are no longer supported
; ---- case: expr-fadd
@g = global float fadd (float 1.0, float 2.0) ; error: fadd constexprs are no longer supported
; ---- case: expr-fsub
@g = global float fsub (float 1.0, float 2.0) ; error: fsub constexprs are no longer supported
; ---- case: expr-fmul
@g = global float fmul (float 1.0, float 2.0) ; error: fmul constexprs are no longer supported
; ---- case: expr-fdiv
@g = global float fdiv (float 1.0, float 2.0) ; error: fdiv constexprs are no longer supported
; ---- case: expr-frem
@g = global float frem (float 1.0, float 2.0) ; error: frem constexprs are no longer supported
; ---- case: expr-fneg
@g = global float fneg (float 1.0) ; error: fneg constexprs are no longer supported
; ---- case: expr-select
@g = global i32 select (i1 true, i32 1, i32 2) ; error: select constexprs are no longer supported
; ---- case: expr-extractvalue
@g = global i32 extractvalue ({ i32 } zeroinitializer, 0) ; error: extractvalue constexprs are no longer supported
; ---- case: expr-insertvalue
@g = global { i32 } insertvalue ({ i32 } zeroinitializer, i32 0, 0) ; error: insertvalue constexprs are no longer supported
; ---- case: expr-shufflevector-mask
@g = global <2 x i32> shufflevector (<2 x i32> zeroinitializer, <2 x i32> zeroinitializer, <2 x i64> zeroinitializer) ; error: invalid operands to shufflevector
; ---- case: expr-extractelement
@g = global i32 extractelement (<2 x i32> zeroinitializer, float 0.0) ; error: invalid extractelement operands
; ---- case: expr-insertelement
@g = global <2 x i32> insertelement (<2 x i32> zeroinitializer, i64 0, i32 0) ; error: invalid insertelement operands
; ---- case: expr-add-types
@g = global i32 add (i32 1, i64 2) ; error: operands of constexpr must have same type
; ---- case: expr-add-float
@g = global float add (float 1.0, float 2.0) ; error: constexpr requires integer or integer vector operands
; ---- case: expr-sub-comma
@g = global i32 sub (i32 1 i32 2) ; error: expected comma in binary constantexpr
; ---- case: expr-binary-paren
@g = global i32 xor i32 1, i32 2 ; error: expected '(' in binary constantexpr
; ---- case: expr-xor-pointer
@h = global i32 0
@g = global ptr xor (ptr @h, ptr @h) ; error: constexpr requires integer or integer vector operands
; ---- case: expr-gep-base
@g = global ptr getelementptr (i32, i32 0, i32 0) ; error: base of getelementptr must be a pointer
; ---- case: expr-gep-index
@h = global i32 0
@g = global ptr getelementptr (i32, ptr @h, float 0.0) ; error: getelementptr index must be an integer
; ---- case: expr-gep-indices
@h = global i32 0
@g = global ptr getelementptr (i32, ptr @h, i32 0, i32 0) ; error: invalid getelementptr indices
; ---- case: expr-gep-struct-index
@h = global i32 0
@g = global ptr getelementptr ({ i32 }, ptr @h, i32 0, i32 1) ; error: invalid getelementptr indices
; ---- case: expr-gep-struct-index-width
@h = global i32 0
@g = global ptr getelementptr ({ i32 }, ptr @h, i32 0, i64 0) ; error: invalid getelementptr indices
; ---- case: expr-gep-unsized
%t = type opaque
@h = global i32 0
@g = global ptr getelementptr (%t, ptr @h, i32 1) ; error: base element of getelementptr must be sized
; ---- case: expr-gep-inrange
@h = global i32 0
@g = global ptr getelementptr inrange(4, 0) (i32, ptr @h, i32 1) ; error: expected end to be larger than start
; ---- case: expr-gep-inrange-integer
@h = global i32 0
@g = global ptr getelementptr inrange(x, 0) (i32, ptr @h, i32 1) ; error: expected integer
; ---- case: expr-gep-comma
@h = global i32 0
@g = global ptr getelementptr (i32 ptr @h, i32 1) ; error: expected comma after getelementptr's type
; ---- case: expr-unknown
@g = global i32 foo (i32 1) ; error: expected value token
; ---- case: asm-not-called
@g = global ptr asm "", "" ; error: invalid type for inline asm constraint string
; ---- case: asm-output-type
define void @f() {
call i32 asm "", "r"() ; error: inline asm without outputs must return void
ret void
}
; ---- case: asm-comma
define void @f() {
call void asm "" ""() ; error: expected comma in inline asm expression
ret void
}
; ---- case: asm-constraint-string
define void @f() {
call void asm "", x() ; error: expected constraint string
ret void
}
; ---- case: constant-wanted
@g = global i32 metadata ; error: expected value token
; ---- case: token-wanted
@g = global i32 , ; error: expected value token
; ---- case: function-as-value
declare void @f()
@g = global void () @f ; error: functions are not values, refer to them as pointers
; ---- case: global-address-space
@h = global i32 0
@g = global ptr addrspace(1) @h ; error: '@h' defined with type 'ptr' but expected 'ptr addrspace(1)'
; ---- case: local-in-constant
@g = global i32 %x ; error: invalid use of function-local name
; ---- case: half-digits
@g = global half 0xH10000 ; error: hexadecimal constant too large for half (16-bit)
; ---- case: bfloat-digits
@g = global bfloat 0xR10000 ; error: hexadecimal constant too large for bfloat (16-bit)
