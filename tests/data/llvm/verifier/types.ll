; ---- case: void-parameter
declare void @f(void) ; error: void type only allowed for function results
; ---- case: void-field
%t = type { void } ; error: void type only allowed for function results
; ---- case: void-array
%t = type [1 x void] ; error: void type only allowed for function results
; ---- case: label-array
@g = external global [1 x label] ; error: invalid array element type
; ---- case: label-field
%t = type { label } ; error: invalid element type for struct
; ---- case: function-array
@g = external global [1 x void ()] ; error: invalid array element type
; ---- case: function-field
%t = type { void () } ; error: invalid element type for struct
; ---- case: metadata-field
%t = type { metadata } ; error: invalid element type for struct
; ---- case: token-field
%t = type { token } ; error: invalid element type for struct
; ---- case: vector-zero
@g = external global <0 x i32> ; error: zero element vector is illegal
; ---- case: vector-large
@g = external global <4294967296 x i32> ; error: size too large for vector
; ---- case: vector-element
@g = external global <4 x [2 x i32]> ; error: invalid vector element type
; ---- case: vector-vector
@g = external global <4 x <4 x i32>> ; error: invalid vector element type
; ---- case: vector-void
@g = external global <4 x void> ; error: void type only allowed for function results
; ---- case: vector-x
@g = external global <4 i32> ; error: expected 'x' after element count
; ---- case: vector-count
@g = external global <x x i32> ; error: expected number in address space
; ---- case: vector-close
@g = external global <4 x i32 0 ; error: expected end of sequential type
; ---- case: vscale-x
declare void @f(<vscale 4 x i32>) ; error: expected 'x' after vscale
; ---- case: vscale-count
declare void @f(<vscale x x i32>) ; error: expected number in address space
; ---- case: array-count
@g = external global [x x i32] ; error: expected number in address space
; ---- case: array-x
@g = external global [4 i32] ; error: expected 'x' after element count
; ---- case: array-close
@g = external global [4 x i32 0 ; error: expected end of sequential type
; ---- case: struct-close
%t = type { i32 0 ; error: expected '}' at end of struct
; ---- case: packed-close
%t = type <{ i32 } 0 ; error: expected '>' in packed struct
; ---- case: struct-comma
%t = type { i32, } ; error: expected type
; ---- case: typed-pointer-pointer
@g = external global ptr* ; error: ptr* is invalid - use ptr instead
; ---- case: typed-pointer-void
declare void* @f() ; error: pointers to void are invalid - use i8* instead
; ---- case: typed-pointer-label
declare void @f(label*) ; error: basic block pointers are invalid
; ---- case: int-too-wide
@g = external global i8388609 ; error: bitwidth for integer type out of range
; ---- case: int-zero-bits
@g = external global i0 ; error: bitwidth for integer type out of range
; ---- case: unknown-type
@g = external global integer ; error: expected type
; ---- case: function-type-name
@g = external global { void (i32 %x) } ; error: argument name invalid in function type
; ---- case: function-type-attribute
declare void @f({ void (i32 zeroext) }) ; error: argument attributes invalid in function type
; ---- case: target-type-paren
declare void @f(target "spirv.Event") ; error: expected '(' in target extension type
; ---- case: target-type-name
declare void @f(target(foo)) ; error: expected string constant
; ---- case: target-type-order
declare void @f(target("foo", 1, i32)) ; error: expected uint32 param
; ---- case: target-type-params
declare void @f(target("aarch64.svcount", i32)) ; error: target extension type aarch64.svcount should have no parameters
; ---- case: target-type-integers
declare void @f(target("aarch64.svcount", 1)) ; error: target extension type aarch64.svcount should have no parameters
; ---- case: target-type-amdgcn
declare void @f(target("amdgcn.named.barrier", i32)) ; error: target extension type amdgcn.named.barrier should have no type parameters and one integer parameter
; ---- case: target-type-close
declare void @f(target("foo") 0 ; error: expected ')' at end of argument list
; ---- case: pointer-addrspace
declare void @f(ptr addrspace) ; error: expected '(' in address space
; ---- case: pointer-addrspace-word
declare void @f(ptr addrspace(x)) ; error: expected integer or string constant
; ---- case: pointer-addrspace-large
declare void @f(ptr addrspace(16777216)) ; error: invalid address space, must be a 24-bit integer
; ---- case: type-undefined
declare void @f(%t) ; error: invalid type for function argument
; ---- case: type-number-undefined
declare void @f(%0) ; error: invalid type for function argument
; ---- case: return-function
declare void () @f() ; error: invalid function return type
; ---- case: return-label
declare label @f() ; error: invalid function return type
; ---- case: return-metadata
declare metadata @f() ; error: invalid function return type
; ---- case: parameter-function
declare void @f(void ()) ; error: invalid type for function argument
; ---- case: parameter-label
declare void @f(label) ; error: invalid type for function argument
; ---- case: parameter-opaque
%t = type opaque
define void @f(%t %x) { ; error: invalid type for function argument
ret void
}
; ---- case: parameter-metadata
declare void @f(metadata) ; error: Function takes metadata but isn't an intrinsic
; ---- case: parameter-token
declare void @f(token) ; error: Function takes token but isn't an intrinsic
; ---- case: parameter-amx
declare void @f(x86_amx) ; error: Function takes x86_amx but isn't an intrinsic
; ---- case: return-token
declare token @f() ; error: Function returns a token but isn't an intrinsic
; ---- case: return-amx
declare x86_amx @f() ; error: Function returns a x86_amx but isn't an intrinsic
; ---- case: varargs-not-last
declare void @f(..., i32) ; error: expected ')' at end of argument list
; ---- case: parameters-comma
declare void @f(i32 i32) ; error: expected ')' at end of argument list
; ---- case: parameters-close
declare void @f(i32 0 ; error: expected ')' at end of argument list
; ---- case: parameter-duplicate
define void @f(i32 %x, i32 %x) { ; error: redefinition of argument '%x'
ret void
}
; ---- case: gep-scalable-struct
define ptr @f(ptr %p) {
  %g = getelementptr { <vscale x 2 x i32> }, ptr %p, i32 0 ; error: getelementptr cannot target structure that contains scalable vector type
  ret ptr %g
}
; ---- case: gep-scalable-index
define <vscale x 2 x ptr> @f(<vscale x 2 x ptr> %p) {
  %g = getelementptr { i32, i32 }, <vscale x 2 x ptr> %p, <vscale x 2 x i32> zeroinitializer, <vscale x 2 x i32> zeroinitializer ; error: invalid getelementptr indices
  ret <vscale x 2 x ptr> %g
}
; ---- case: gep-constant-scalable
@g = global i32 0
@h = global ptr getelementptr (<vscale x 2 x i32>, ptr @g, i64 1) ; error: invalid base element for constant getelementptr
; ---- case: alloca-scalable-in-struct
define void @f() {
  %a = alloca { [2 x <vscale x 2 x i32>] } ; error: Cannot allocate unsized type
  ret void
}
; ---- case: alloca-opaque-aligned
%o = type opaque
define void @f() {
  %a = alloca %o, align 8 ; error: Cannot allocate unsized type
  ret void
}
; ---- case: target-type-zero
define target("unknown") @f() {
  ret target("unknown") zeroinitializer ; error: invalid type for null constant
}
; ---- case: target-type-global
@g = external global target("unknown") ; error: Global @g has illegal target extension type
; ---- case: target-type-global-array
@g = external global [2 x target("spirv.Literal", 1)] ; error: Global @g has illegal target extension type
; ---- case: target-type-scalable-global
@g = external global target("aarch64.svcount") ; error: Globals cannot contain scalable types
; ---- case: target-type-alloca
define void @f() {
  %a = alloca target("amdgcn.named.barrier", 0) ; error: Alloca has illegal target extension type
  ret void
}
; ---- case: target-type-unsized
define void @f() {
  %a = alloca target("unknown") ; error: Cannot allocate unsized type
  ret void
}
; ---- case: target-type-element
declare void @f(<2 x target("spirv.Event")>) ; error: invalid vector element type
; ---- case: blockaddress-space
@g = global ptr addrspace(1) blockaddress(@f, %b) ; error: 'b' defined with type 'ptr' but expected 'ptr addrspace(1)'
define void @f() {
  br label %b
b:
  ret void
}
