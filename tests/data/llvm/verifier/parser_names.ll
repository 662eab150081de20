; ---- case: undefined
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %nope, %a ; error: use of undefined value '%nope'
  ret void
}
; ---- case: undefined_number
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %77, %a ; error: use of undefined value '%77'
  ret void
}
; ---- case: undefined_label
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %nope ; error: use of undefined value '%nope'
}
; ---- case: twice
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a, %a
  %s = add i32 %a, %a ; error: multiple definition of local value named 's'
  ret void
}
; ---- case: number_back
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %5 = add i32 %a, %a
  %4 = add i32 %a, %a ; error: instruction expected to be numbered '%6' or greater
  ret void
}
; ---- case: label_number
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %5 = add i32 %a, %a
  br label %3
  3: ; error: label expected to be numbered '6' or greater
  ret void
}
; ---- case: void_named
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = call void @f2() ; error: instructions returning void cannot have a name
  ret void
}
; ---- case: store_named
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = store i32 %a, ptr %p ; error: instructions returning void cannot have a name
  ret void
}
; ---- case: forward_type
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %e
  e:
  store i64 %s, ptr %p
  %s = add i32 %a, %a ; error: instruction forward referenced with type 'i64'
  ret void
}
; ---- case: backward_type
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = add i32 %a, %a
  store i64 %s, ptr %p ; error: '%s' defined with type 'i32' but expected 'i64'
  ret void
}
; ---- case: value_as_label
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %a ; error: '%a' is not a basic block
}
; ---- case: label_as_value
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  br label %e
  e:
  store i32 %e, ptr %p ; error: '%e' defined with type 'label' but expected 'i32'
  ret void
}
; ---- case: argument_type
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i64 %a, ptr %p ; error: '%a' defined with type 'i32' but expected 'i64'
  ret void
}
; ---- case: undefined_global
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void @nope() ; error: use of undefined value '@nope'
  ret void
}
; ---- case: global_not_pointer
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store i32 @g, ptr %p ; error: global variable reference must have pointer type
  ret void
}
; ---- case: global_space
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr addrspace(1) @g ; error: '@g' defined with type 'ptr' but expected 'ptr addrspace(1)'
  ret void
}
; ---- case: undefined_metadata
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  %s = load i32, ptr %p, !tbaa !77 ; error: use of undefined metadata '!77'
  ret void
}
; ---- case: constant_local
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store {i32} {i32 %a}, ptr %p ; error: invalid use of function-local name
  ret void
}
; ---- case: blockaddress_undefined
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store ptr blockaddress(@f, %nope), ptr %p ; error: use of undefined value '%nope'
  ret void
}
; ---- case: blockaddress_declaration
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store ptr blockaddress(@f2, %nope), ptr %p ; error: cannot take blockaddress inside a declaration
  ret void
}
; ---- case: blockaddress_variable
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  store ptr blockaddress(@g, %nope), ptr %p ; error: expected function name in blockaddress
  ret void
}
; ---- case: unknown_intrinsic
@g = global i32 0
declare void @f2()
define void @f(i32 %a, i64 %b, ptr %p, float %x, double %d, <4 x i32> %v, i1 %c) {
  call void @llvm.nothing.at.all() ; error: unknown intrinsic 'llvm.nothing.at.all'
  ret void
}
; ---- case: type_twice
%t = type { i32 }
%t = type { i64 } ; error: redefinition of type
; ---- case: type_undefined
@g = global %t zeroinitializer ; error: invalid type for null constant
; ---- case: global_twice
@g = global i32 0
@g = global i32 0 ; error: redefinition of global '@g'
; ---- case: function_twice
declare void @f()
declare void @f() ; error: invalid redefinition of function 'f'
; ---- case: function_global
@f = global i32 0
declare void @f() ; error: redefinition of function '@f'
; ---- case: global_number
@1 = global i32 0
@0 = global i32 0 ; error: global expected to be numbered '@2' or greater
; ---- case: comdat_twice
$c = comdat any
$c = comdat any ; error: redefinition of comdat '$c'
; ---- case: comdat_undefined
@g = global i32 0, comdat($c) ; error: use of undefined comdat '$c'
; ---- case: comdat_own
@g = global i32 0, comdat ; error: use of undefined comdat '$g'
; ---- case: argument_twice
declare void @f(i32 %a, i32 %a) ; error: redefinition of argument '%a'
; ---- case: argument_number
declare void @f(i32 %1, i32 %0) ; error: argument expected to be numbered '%2' or greater
; ---- case: initializer_undefined
@g = global ptr @nope ; error: use of undefined value '@nope'
; ---- case: named_metadata_undefined
!n = !{!7} ; error: use of undefined metadata '!7'
; ---- case: metadata_undefined
!0 = !{!7} ; error: use of undefined metadata '!7'
; ---- case: alias_twice
@g = global i32 0
@a = alias i32, ptr @g
@a = alias i32, ptr @g ; error: redefinition of global '@a'
; ---- case: local_in_global
@g = global i32 %x ; error: invalid use of function-local name
; ---- case: late_triple
@g = global i32 0
target triple = "x" ; error: expected top-level entity
; ---- case: name-nul-global
@"a\00b" = global i32 0 ; error: NUL character is not allowed in names
; ---- case: name-nul-local
define void @f(i32 %"a\00") { ; error: NUL character is not allowed in names
  ret void
}
; ---- case: comdat-replaced
$a = comdat any
@g = global i32 0, comdat($c), comdat($a) ; error: use of undefined comdat '$c'
; ---- case: comdat-own-replaced
$a = comdat any
@g = global i32 0, comdat, comdat($a) ; error: use of undefined comdat '$g'
; ---- case: comdat-unnamed-replaced
$a = comdat any
@0 = global i32 0, comdat, comdat($a) ; error: comdat cannot be unnamed
; ---- case: name-nul-comdat
$"a\00b" = comdat any ; error: NUL character is not allowed in names
; ---- case: name-nul-label
define void @f() {
"a\00": ; error: NUL character is not allowed in names
  ret void
}
; ---- case: number-label-large
define void @f() {
  br label %4294967296
4294967296: ; error: invalid value number (too large)
  ret void
}
; ---- case: number-global-large
@0 = global i32 0
@4294967296 = global i32 0 ; error: invalid value number (too large)
; ---- case: name-empty-takes-number
@"" = global i32 0
@0 = global i32 0 ; error: global expected to be numbered '@1' or greater
; ---- case: name-empty-local
define void @f() {
  %"" = add i32 1, 2
  %1 = add i32 1, 2 ; error: instruction expected to be numbered '%2' or greater
  ret void
}
; ---- case: comdat-unnamed-function
define void @0() comdat { ; error: comdat cannot be unnamed
  ret void
}
; ---- case: comdat-empty-name
$"" = comdat any
@"" = global i32 0, comdat ; error: comdat cannot be unnamed
