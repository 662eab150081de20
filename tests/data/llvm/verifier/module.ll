; ---- case: top-level-word
hello ; error: expected top-level entity
; ---- case: top-level-number
42 ; error: expected top-level entity
; ---- case: module-asm-word
module "x" ; error: expected 'module asm'
; ---- case: module-asm-string
module asm x ; error: expected string constant
; ---- case: target-property
target os = "linux" ; error: unknown target property
; ---- case: target-triple-equals
target triple "x86_64-linux" ; error: expected '=' after target triple
; ---- case: target-triple-string
target triple = x ; error: expected string constant
; ---- case: datalayout-equals
target datalayout "e" ; error: expected '=' after target datalayout
; ---- case: datalayout-string
target datalayout = e ; error: expected string constant
; ---- case: datalayout-spec-letter
target datalayout = "z" ; error: unknown specifier 'z'
; ---- case: datalayout-endianness
target datalayout = "eb" ; error: malformed specification, must be just 'e' or 'E'
; ---- case: datalayout-pointer-size
target datalayout = "p:0:8" ; error: pointer size must be a non-zero 24-bit integer
; ---- case: datalayout-pointer-missing-align
target datalayout = "p:64" ; error: malformed specification, must be of the form "p[<n>]:<size>:<abi>[:<pref>[:<idx>]]"
; ---- case: datalayout-alignment-order
target datalayout = "p:64:64:32" ; error: preferred alignment cannot be less than the ABI alignment
; ---- case: datalayout-pointer-index
target datalayout = "p:32:32:32:64" ; error: index size cannot be larger than the pointer size
; ---- case: datalayout-pointer-index-zero
target datalayout = "p:32:32:32:0" ; error: index size must be a non-zero 24-bit integer
; ---- case: datalayout-int-size
target datalayout = "i" ; error: malformed specification, must be of the form "i<size>:<abi>[:<pref>]"
; ---- case: datalayout-int-missing-align
target datalayout = "i32" ; error: malformed specification, must be of the form "i<size>:<abi>[:<pref>]"
; ---- case: datalayout-align-power
target datalayout = "i32:24" ; error: ABI alignment must be a power of two times the byte width
; ---- case: datalayout-i8
target datalayout = "i8:16" ; error: i8 must be 8-bit aligned
; ---- case: datalayout-vector-size
target datalayout = "v0:8" ; error: size must be a non-zero 24-bit integer
; ---- case: datalayout-float-align-zero
target datalayout = "f32:0" ; error: ABI alignment must be non-zero
; ---- case: datalayout-aggregate-size
target datalayout = "a64:64" ; error: size must be zero
; ---- case: datalayout-native-size
target datalayout = "n0" ; error: size must be a non-zero 24-bit integer
; ---- case: datalayout-native-empty
target datalayout = "n" ; error: size component cannot be empty
; ---- case: datalayout-stack-align
target datalayout = "S7" ; error: stack natural alignment must be a power of two times the byte width
; ---- case: datalayout-stack-align-empty
target datalayout = "S" ; error: malformed specification, must be of the form "S<size>"
; ---- case: datalayout-mangling-empty
target datalayout = "m:" ; error: malformed specification, must be of the form "m:<mangling>"
; ---- case: datalayout-mangling-unknown
target datalayout = "m:z" ; error: unknown mangling mode
; ---- case: datalayout-alloca-space
target datalayout = "A16777216" ; error: address space must be a 24-bit integer
; ---- case: datalayout-alloca-space-word
target datalayout = "Ax" ; error: address space must be a 24-bit integer
; ---- case: datalayout-program-space
target datalayout = "P16777216" ; error: address space must be a 24-bit integer
; ---- case: datalayout-globals-space
target datalayout = "G16777216" ; error: address space must be a 24-bit integer
; ---- case: datalayout-function-pointer
target datalayout = "F" ; error: malformed specification, must be of the form "F<type><abi>"
; ---- case: datalayout-function-pointer-kind
target datalayout = "Fx32" ; error: unknown function pointer alignment type 'x'
; ---- case: datalayout-non-integral-zero
target datalayout = "ni:0" ; error: address space 0 cannot be non-integral
; ---- case: datalayout-non-integral-empty
target datalayout = "ni" ; error: malformed specification, must be of the form "ni:<address space>[:<address space>]..."
; ---- case: datalayout-empty-spec
target datalayout = "e--" ; error: empty specification is not allowed
; ---- case: source-filename-equals
source_filename "a" ; error: expected '=' after source_filename
; ---- case: source-filename-string
source_filename = a ; error: expected string constant
; ---- case: named-type-equals
%t type {} ; error: expected '=' after name
; ---- case: named-type-word
%t = i32 ; error: expected 'type' after name
; ---- case: type-not-recursive
%t = type [4 x %t] ; error: non-struct types may not be recursive
; ---- case: type-redefined
%t = type i32
%t = type i32 ; error: redefinition of type
; ---- case: type-redefined-struct
%t = type {}
%t = type {} ; error: redefinition of type
; ---- case: type-forward-non-struct
@g = global %t zeroinitializer ; error: invalid type for null constant
%t = type i32
; ---- case: type-forward-undefined
@g = external global %t
@h = global %u zeroinitializer ; error: invalid type for null constant
; ---- case: global-word
@g = variable i32 0 ; error: expected 'global' or 'constant'
; ---- case: global-equals
@g global i32 0 ; error: expected '=' in global variable
; ---- case: global-type-void
@g = external global void ; error: void type only allowed for function results
; ---- case: global-type-label
@g = external global label ; error: invalid type for global variable
; ---- case: global-type-metadata
@g = external global metadata ; error: invalid type for global variable
; ---- case: global-type-function
@g = external global void () ; error: invalid type for global variable
; ---- case: global-type-token
@g = external global token ; error: invalid type for global variable
; ---- case: global-redefined
@g = global i32 0
@g = global i32 1 ; error: redefinition of global '@g'
; ---- case: global-no-initializer
@g = global i32 , ; error: expected value token
; ---- case: global-property
@g = global i32 0, foo "x" ; error: unknown global variable property!
; ---- case: global-section-string
@g = global i32 0, section x ; error: expected global section string
; ---- case: global-partition-string
@g = global i32 0, partition x ; error: expected partition string
; ---- case: global-align-zero
@g = global i32 0, align 0 ; error: alignment is not a power of two
; ---- case: global-align-power
@g = global i32 0, align 3 ; error: alignment is not a power of two
; ---- case: global-align-huge
@g = global i32 0, align 8589934592 ; error: huge alignments are not supported yet
; ---- case: global-code-model
@g = global i32 0, code_model "huge" ; error: expected global code model string
; ---- case: global-addrspace-large
@g = addrspace(16777216) global i32 0 ; error: invalid address space, must be a 24-bit integer
; ---- case: global-addrspace-word
@g = addrspace("Q") global i32 0 ; error: invalid symbolic addrspace 'Q'
; ---- case: global-addrspace-empty
@g = addrspace() global i32 0 ; error: expected integer or string constant
; ---- case: global-tls-model
@g = thread_local(fast) global i32 0 ; error: expected localdynamic, initialexec or localexec
; ---- case: global-tls-paren
@g = thread_local(localexec global i32 0 ; error: expected ')' after thread local model
; ---- case: global-dll-dso
@g = external dso_local dllimport global i32 ; error: dso_location and DLL-StorageClass mismatch
; ---- case: global-dso-local-dllimport
@g = dllimport dso_local global i32 0 ; error: expected 'global' or 'constant'
; ---- case: global-local-visibility
@g = internal hidden global i32 0 ; error: symbol with local linkage must have default visibility
; ---- case: global-local-dllexport
@g = internal dllexport global i32 0 ; error: symbol with local linkage cannot have a DLL storage class
; ---- case: global-private-protected
@g = private protected global i32 0 ; error: symbol with local linkage must have default visibility
; ---- case: global-undefined
@g = global ptr @h ; error: use of undefined value '@h'
; ---- case: global-init-type
@g = global i32 0.5 ; error: floating point constant invalid for type
; ---- case: global-init-local
@g = global i32 %x ; error: invalid use of function-local name
; ---- case: global-comdat-undefined
@g = global i32 0, comdat ; error: use of undefined comdat '$g'
; ---- case: global-comdat-named-undefined
@g = global i32 0, comdat($c) ; error: use of undefined comdat '$c'
; ---- case: comdat-equals
$c comdat any ; error: expected '=' here
; ---- case: comdat-word
$c = any ; error: expected comdat type
; ---- case: comdat-no-kind
$c = comdat 0 ; error: unknown selection kind
; ---- case: comdat-kind
$c = comdat largestt ; error: unknown selection kind
; ---- case: comdat-redefined
$c = comdat any
$c = comdat any ; error: redefinition of comdat '$c'
; ---- case: comdat-declaration
$c = comdat any
@g = external global i32, comdat($c) ; error: Declaration may not be in a Comdat!
; ---- case: comdat-declaration-function
$c = comdat any
declare void @c() comdat ; error: Declaration may not be in a Comdat!
; ---- case: common-comdat
$g = comdat any
@g = common global i32 0, comdat ; error: 'common' global may not be in a Comdat!
; ---- case: common-initializer
@g = common global i32 1 ; error: 'common' global must have a zero initializer!
; ---- case: common-constant
@g = common constant i32 0 ; error: 'common' global may not be marked constant!
; ---- case: common-function
define common void @f() { ; error: invalid function linkage type
ret void
}
; ---- case: appending-not-array
@g = appending global i32 0 ; error: Only global arrays can have appending linkage!
; ---- case: appending-function
define appending void @f() { ; error: invalid function linkage type
ret void
}
; ---- case: declaration-internal
@g = internal global i32 , ; error: expected value token
; ---- case: declaration-internal-function
declare internal void @f() ; error: invalid linkage for function declaration
; ---- case: declaration-weak-function
declare weak void @f() ; error: invalid linkage for function declaration
; ---- case: declaration-linkonce-function
declare linkonce_odr void @f() ; error: invalid linkage for function declaration
; ---- case: declaration-private-function
declare private void @f() ; error: invalid linkage for function declaration
; ---- case: definition-extern-weak
define extern_weak void @f() { ; error: invalid linkage for function definition
ret void
}
; ---- case: definition-extern-weak-global
@g = extern_weak global i32 0 ; error: expected top-level entity
; ---- case: dllimport-definition
@g = dllimport global i32 0 ; error: Global is marked as dllimport, but not external
; ---- case: dllimport-function-definition
define dllimport void @f() { ; error: Global is marked as dllimport, but not external
ret void
}
; ---- case: dllimport-hidden
@g = external hidden dllimport global i32 ; error: dllimport GlobalValue must have default visibility
; ---- case: dllexport-hidden
@g = hidden dllexport global i32 0 ; error: dllexport GlobalValue must have default or protected visibility
; ---- case: ctors-linkage
@llvm.global_ctors = global [0 x { i32, ptr, ptr }] zeroinitializer ; error: invalid linkage for intrinsic global variable
; ---- case: ctors-element
@llvm.global_ctors = appending global [1 x i32] zeroinitializer ; error: wrong type for intrinsic global variable
; ---- case: ctors-fields
@llvm.global_ctors = appending global [1 x { i32, ptr, i32 }] zeroinitializer ; error: wrong type for intrinsic global variable
; ---- case: ctors-priority
@llvm.global_ctors = appending global [1 x { i64, ptr, ptr }] zeroinitializer ; error: wrong type for intrinsic global variable
; ---- case: ctors-used
@llvm.global_ctors = appending global [0 x { i32, ptr, ptr }] zeroinitializer ; error: invalid uses of intrinsic global variable
@g = global ptr @llvm.global_ctors
; ---- case: dtors-four-fields
@llvm.global_dtors = appending global [1 x { i32, ptr, ptr, i8 }] zeroinitializer ; error: wrong type for intrinsic global variable
; ---- case: used-linkage
@g = global i32 0
@llvm.used = global [1 x ptr] [ptr @g] ; error: invalid linkage for intrinsic global variable
; ---- case: used-element
@llvm.used = appending global [1 x i32] [i32 0] ; error: wrong type for intrinsic global variable
; ---- case: used-zero
@llvm.used = appending global [1 x ptr] zeroinitializer ; error: wrong initializer for intrinsic global variable
; ---- case: used-null
@llvm.used = appending global [1 x ptr] [ptr null] ; error: wrong initializer for intrinsic global variable
; ---- case: used-undef
@llvm.used = appending global [1 x ptr] undef ; error: wrong initializer for intrinsic global variable
; ---- case: used-unnamed
@0 = global i32 0
@llvm.used = appending global [1 x ptr] [ptr @0] ; error: members of llvm.used must be named
; ---- case: used-used
@g = global i32 0
@llvm.used = appending global [1 x ptr] [ptr @g] ; error: invalid uses of intrinsic global variable
@h = global ptr @llvm.used
; ---- case: compiler-used-null
@llvm.compiler.used = appending global [1 x ptr] [ptr null] ; error: wrong initializer for intrinsic global variable
; ---- case: global-scalable
@g = global <vscale x 4 x i32> zeroinitializer ; error: Globals cannot contain scalable types
; ---- case: global-scalable-struct
@g = external global { <vscale x 4 x i32> } ; error: Globals cannot contain scalable types
; ---- case: global-opaque-initializer
%t = type opaque
@g = global %t undef ; error: invalid type for undef constant
; ---- case: alias-linkage
@g = global i32 0
@a = common alias i32, ptr @g ; error: invalid linkage type for alias
; ---- case: alias-extern-weak
@g = global i32 0
@a = extern_weak alias i32, ptr @g ; error: invalid linkage type for alias
; ---- case: alias-comma
@g = global i32 0
@a = alias i32 ptr @g ; error: expected comma after alias or ifunc's type
; ---- case: alias-not-pointer
@a = alias i32, i32 0 ; error: An alias or ifunc must have pointer type
; ---- case: alias-property
@g = global i32 0
@a = alias i32, ptr @g, section "x" ; error: unknown alias or ifunc property!
; ---- case: alias-redefined
@a = global i32 0
@a = alias i32, ptr @a ; error: redefinition of global '@a'
; ---- case: alias-undefined
@a = alias i32, ptr @g ; error: use of undefined value '@g'
; ---- case: alias-declaration
@g = external global i32
@a = alias i32, ptr @g ; error: Alias must point to a definition
; ---- case: alias-null
@a = alias i32, ptr null ; error: Aliasee should be either GlobalValue or ConstantExpr
; ---- case: alias-inttoptr
@a = alias i32, inttoptr (i32 4 to ptr) ; error: Aliasee should be either GlobalValue or ConstantExpr
@b = alias i32, ptr null
; ---- case: alias-cycle
@a = alias i32, ptr @b ; error: Aliases cannot form a cycle
@b = alias i32, ptr @a
; ---- case: alias-self
@a = alias i32, ptr @a ; error: Aliases cannot form a cycle
; ---- case: alias-interposable
@g = global i32 0
@b = weak alias i32, ptr @g
@a = alias i32, ptr @b ; error: Alias cannot point to an interposable alias
; ---- case: alias-available-externally
@g = global i32 0
@a = available_externally alias i32, ptr @g ; error: available_externally alias must point to available_externally global value
; ---- case: alias-to-available
@g = available_externally global i32 0
@a = alias i32, ptr @g ; error: Alias must point to a definition
; ---- case: alias-cast
@g = global i32 0
@a = alias i32, add (i32 1, i32 2) ; error: expected type
; ---- case: alias-addrspace
@g = addrspace(1) global i32 0
@a = alias i32, ptr @g ; error: '@g' defined with type 'ptr addrspace(1)' but expected 'ptr'
; ---- case: ifunc-declaration
declare ptr @r()
@i = ifunc void (), ptr @r ; error: IFunc resolver must be a definition
; ---- case: ifunc-global
@g = global i32 0
@i = ifunc void (), ptr @g ; error: IFunc must have a Function resolver
; ---- case: ifunc-result
@i = ifunc void (), ptr @r ; error: IFunc resolver must return a pointer
define i32 @r() {
ret i32 0
}
; ---- case: ifunc-property
@i = ifunc void (), ptr @r, section "x" ; error: unknown alias or ifunc property!
define ptr @r() {
ret ptr null
}
; ---- case: ifunc-linkage
@i = common ifunc void (), ptr @r ; error: IFunc should have private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage!
define ptr @r() {
ret ptr null
}
; ---- case: named-metadata-equals
foo !{} ; error: expected top-level entity
; ---- case: named-metadata-exclaim
foo = {} ; error: expected top-level entity
; ---- case: named-metadata-brace
foo = !0 ; error: expected top-level entity
; ---- case: named-metadata-undefined
foo = !{!0} ; error: expected top-level entity
; ---- case: named-metadata-operand
foo = !{i32 0} ; error: expected top-level entity
; ---- case: named-metadata-close
foo = !{!0 ; error: expected top-level entity
0 = !{}
; ---- case: metadata-type
0 = i32 0 ; error: expected top-level entity
; ---- case: metadata-redefined
0 = !{} ; error: expected top-level entity
0 = !{}
; ---- case: metadata-string-type
0 = !"x" ; error: expected top-level entity
; ---- case: metadata-undefined
0 = !{!1} ; error: expected top-level entity
; ---- case: metadata-local
0 = !{i32 %x} ; error: expected top-level entity
; ---- case: metadata-operand
0 = !{foo} ; error: expected top-level entity
; ---- case: ident-operands
llvm.ident = !{!0} ; error: expected top-level entity
!0 = !{!"a", !"b"}
; ---- case: ident-string
llvm.ident = !{!0} ; error: expected top-level entity
!0 = !{i32 1}
; ---- case: ident-empty
llvm.ident = !{!0} ; error: expected top-level entity
!0 = !{}
; ---- case: commandline-operands
llvm.commandline = !{!0} ; error: expected top-level entity
!0 = !{}
; ---- case: commandline-string
llvm.commandline = !{!0} ; error: expected top-level entity
!0 = !{null}
; ---- case: flag-operands
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 1, !"x"}
; ---- case: flag-behavior-type
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{!"1", !"x", i32 1}
; ---- case: flag-behavior-value
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 0, !"x", i32 1}
; ---- case: flag-behavior-large
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 9, !"x", i32 1}
; ---- case: flag-id
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 1, i32 5, i32 1}
; ---- case: flag-min
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 8, !"x", !"y"}
; ---- case: flag-min-negative
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 8, !"x", i32 -1}
; ---- case: flag-max
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 7, !"x", !"y"}
; ---- case: flag-require
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 3, !"x", i32 1}
; ---- case: flag-require-pair
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 3, !"x", !{!"y"}}
; ---- case: flag-require-name
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 3, !"x", !{i32 0, i32 1}}
; ---- case: flag-require-missing
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 3, !"x", !{!"y", i32 1}}
; ---- case: flag-require-value
llvm.module.flags = !{!0, !1} ; error: expected top-level entity
!0 = !{i32 3, !"x", !{!"y", i32 1}}
1 = !{i32 1, !"y", i32 2}
; ---- case: flag-append
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 5, !"x", i32 1}
; ---- case: flag-append-unique
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 6, !"x", !"y"}
; ---- case: flag-unique
llvm.module.flags = !{!0, !1} ; error: expected top-level entity
0 = !{i32 1, !"x", i32 1}
!1 = !{i32 1, !"x", i32 2}
; ---- case: flag-wchar-size
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 1, !"wchar_size", !"4"}
; ---- case: flag-semantic-interposition
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 1, !"SemanticInterposition", !"4"}
; ---- case: flag-cg-profile-triple
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 5, !"CG Profile", !{!{ptr null}}}
; ---- case: flag-cg-profile-function
@g = global i32 0
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 5, !"CG Profile", !{!{ptr @g, ptr @g, i64 1}}}
; ---- case: flag-cg-profile-count
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 5, !"CG Profile", !{!{null, null, !"1"}}}
; ---- case: flag-pauth
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 1, !"aarch64-elf-pauthabi-platform", i32 1}
; ---- case: linker-options-flag
llvm.module.flags = !{!0} ; error: expected top-level entity
!0 = !{i32 6, !"Linker Options", !{}}
; ---- case: uselistorder-word
uselistorder foo ; error: expected type
; ---- case: uselistorder-indexes
@g = global i32 0
uselistorder ptr @g, { 0 } ; error: expected >= 2 uselistorder indexes
; ---- case: uselistorder-range
@g = global i32 0
@a = global ptr @g
@b = global ptr @g
uselistorder ptr @g, { 0, 2 } ; error: expected distinct uselistorder indexes in range [0, size)
; ---- case: uselistorder-sorted
@g = global i32 0
@a = global ptr @g
@b = global ptr @g
uselistorder ptr @g, { 0, 1 } ; error: expected uselistorder indexes to change the order
; ---- case: uselistorder-count
@g = global i32 0
@a = global ptr @g
uselistorder ptr @g, { 1, 0 } ; error: value only has one use
; ---- case: attributes-id
attributes = { nounwind } ; error: expected attribute group id
; ---- case: attributes-equals
attributes #0 { nounwind } ; error: expected '=' here
; ---- case: attributes-brace
attributes #0 = nounwind ; error: expected '{' here
; ---- case: attributes-unterminated
attributes #0 = { nounwind
declare void @f() ; error: unterminated attribute group
; ---- case: attributes-empty
attributes #0 = { } ; error: attribute group has no attributes
; ---- case: attributes-nested
attributes #0 = { #1 } ; error: cannot have an attribute group reference in an attribute group
attributes #1 = { nounwind }
; ---- case: attributes-parameter-only
attributes #0 = { zeroext } ; error: this attribute does not apply to functions
; ---- case: associated-operands
@g = global i32 0, !associated !0
0 = !{} ; error: expected top-level entity
; ---- case: associated-null
@g = global i32 0, !associated !0
0 = !{null} ; error: expected top-level entity
; ---- case: associated-string
@g = global i32 0, !associated !0
0 = !{!"x"} ; error: expected top-level entity
; ---- case: associated-integer
@g = global i32 0, !associated !0
0 = !{i32 1} ; error: expected top-level entity
; ---- case: associated-self
@g = global i32 0, !associated !0
0 = !{ptr @g} ; error: expected top-level entity
; ---- case: absolute-symbol-odd
@g = external global i8, !absolute_symbol !0
0 = !{i64 0} ; error: expected top-level entity
; ---- case: absolute-symbol-type
@g = external global i8, !absolute_symbol !0
0 = !{i32 0, i32 4} ; error: expected top-level entity
; ---- case: summary-colon
^0 (path: "x") ; error: expected '=' here
; ---- case: summary-kind
^0 = modulee: (path: "x") ; error: unexpected summary kind
; ---- case: flag-unique-over-lists
!llvm.module.flags = !{!0}
!llvm.module.flags = !{!1}
!0 = !{i32 1, !"x", i32 1}
!1 = !{i32 1, !"x", i32 2} ; error: module flag identifiers must be unique
; ---- case: global-ctors-two-fields
@llvm.global_ctors = appending global [1 x { i32, ptr }] [{ i32, ptr } { i32 1, ptr @f }] ; error: the third field of the element type is mandatory
declare void @f()
; ---- case: ifunc-offset
@i = ifunc void (), ptr getelementptr (i8, ptr @r, i64 4) ; error: IFunc must have a Function resolver
define ptr @r() {
  ret ptr null
}
; ---- case: ifunc-integer
@i = ifunc void (), ptr inttoptr (i64 ptrtoint (ptr @r to i64) to ptr) ; error: IFunc must have a Function resolver
define ptr @r() {
  ret ptr null
}
; ---- case: uselistorder-no-uses
@g = global i32 0
uselistorder ptr @g, { 1, 0 } ; error: value has no uses
; ---- case: uselistorder-one-use
@g = global i32 0
@a = alias i32, ptr @g
uselistorder ptr @g, { 1, 0 } ; error: value only has one use
; ---- case: uselistorder-too-many
@g = global i32 0
@a = alias i32, ptr @g
@b = alias i32, ptr @g
uselistorder ptr @g, { 2, 1, 0 } ; error: wrong number of indexes, expected 2
; ---- case: uselistorder-too-few
@g = global i32 0
@a = alias i32, ptr @g
@b = alias i32, ptr @g
define ptr @f() {
  ret ptr @g
}
uselistorder ptr @g, { 1, 0 } ; error: wrong number of indexes, expected 3
; ---- case: uselistorder-local-one-use
define i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
  uselistorder i32 %y, { 1, 0 } ; error: value only has one use
}
; ---- case: uselistorder-local-count
define i32 @f(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
  uselistorder i32 %x, { 1, 2, 0 } ; error: wrong number of indexes, expected 2
}
; ---- case: uselistorder-block-phi
define i32 @f(i32 %x) {
  br label %a
a:
  br label %b
b:
  %y = phi i32 [ 1, %a ]
  ret i32 %y
  uselistorder label %a, { 1, 2, 0 } ; error: value only has one use
}
; ---- case: uselistorder-bb-forward
uselistorder_bb @f, %a, { 1, 0 } ; error: invalid function forward reference in uselistorder_bb
define void @f() {
  br label %a
a:
  br label %a
}
; ---- case: uselistorder-bb-declaration
declare void @f()
uselistorder_bb @f, %a, { 1, 0 } ; error: invalid declaration in uselistorder_bb
; ---- case: uselistorder-bb-variable
@f = global i32 0
uselistorder_bb @f, %a, { 1, 0 } ; error: expected function name in uselistorder_bb
; ---- case: uselistorder-bb-number
define void @f() {
  br label %1
1:
  br label %1
}
uselistorder_bb @f, %1, { 1, 0 } ; error: invalid numeric label in uselistorder_bb
; ---- case: uselistorder-bb-undefined
define void @f() { ; error: invalid basic block in uselistorder_bb
  ret void
}
uselistorder_bb @f, %a, { 1, 0 }
; ---- case: uselistorder-bb-argument
define void @f(i32 %a) { ; error: expected basic block in uselistorder_bb
  ret void
}
uselistorder_bb @f, %a, { 1, 0 }
; ---- case: uselistorder-bb-count
define void @f() { ; error: wrong number of indexes, expected 2
  br label %a
a:
  br label %a
}
uselistorder_bb @f, %a, { 3, 2, 1, 0 }
