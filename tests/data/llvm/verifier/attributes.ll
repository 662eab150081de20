; ---- case: function-on-parameter
declare void @f(i32 nounwind) ; error: this attribute does not apply to parameters
; ---- case: function-on-result
declare nounwind void @f() ; error: this attribute does not apply to return values
; ---- case: parameter-on-result
declare byval(i32) ptr @f() ; error: this attribute does not apply to return values
; ---- case: parameter-on-function
declare void @f() zeroext ; error: this attribute does not apply to functions
; ---- case: result-returned
declare returned i32 @f() ; error: this attribute does not apply to return values
; ---- case: result-nest
declare nest ptr @f() ; error: this attribute does not apply to return values
; ---- case: align-zero
declare void @f(ptr align 0) ; error: alignment is not a power of two
; ---- case: align-power
declare void @f(ptr align 3) ; error: alignment is not a power of two
; ---- case: align-number
declare void @f(ptr align x) ; error: expected integer
; ---- case: align-close
declare void @f(ptr align(8 ) 0 ; error: expected ')' at end of argument list
; ---- case: align-huge
declare void @f(ptr align 8589934592) ; error: huge alignments are not supported yet
; ---- case: alignstack-power
declare void @f() alignstack(3) ; error: stack alignment is not a power of two
; ---- case: alignstack-paren
declare void @f() alignstack 4 ; error: expected '('
; ---- case: dereferenceable-zero
declare void @f(ptr dereferenceable(0)) ; error: dereferenceable bytes must be non-zero
; ---- case: dereferenceable-paren
declare void @f(ptr dereferenceable 4) ; error: expected '('
; ---- case: dereferenceable-number
declare void @f(ptr dereferenceable(x)) ; error: expected integer
; ---- case: dereferenceable-or-null-zero
declare void @f(ptr dereferenceable_or_null(0)) ; error: dereferenceable bytes must be non-zero
; ---- case: byval-paren
declare void @f(ptr byval) ; error: expected '('
; ---- case: byval-type
declare void @f(ptr byval(4)) ; error: expected type
; ---- case: byval-close
declare void @f(ptr byval(i32) 0 ; error: expected ')' at end of argument list
; ---- case: sret-paren
declare void @f(ptr sret) ; error: expected '('
; ---- case: byref-paren
declare void @f(ptr byref) ; error: expected '('
; ---- case: inalloca-paren
declare void @f(ptr inalloca) ; error: expected '('
; ---- case: preallocated-paren
declare void @f(ptr preallocated) ; error: expected '('
; ---- case: elementtype-paren
declare void @f(ptr elementtype) ; error: expected '('
; ---- case: allocsize-paren
declare void @f() allocsize 0 ; error: expected '('
; ---- case: allocsize-number
declare void @f() allocsize(x) ; error: expected integer
; ---- case: allocsize-same
declare void @f(i32) allocsize(0, 0) ; error: 'allocsize' indices can't refer to the same parameter
; ---- case: allocsize-bounds
declare void @f() allocsize(0) ; error: 'allocsize' element size argument is out of bounds
; ---- case: allocsize-bounds-second
declare void @f(i32) allocsize(0, 1) ; error: 'allocsize' number of elements argument is out of bounds
; ---- case: allocsize-type
declare void @f(ptr) allocsize(0) ; error: 'allocsize' element size argument must refer to an integer parameter
; ---- case: allocsize-type-second
declare void @f(i32, ptr) allocsize(0, 1) ; error: 'allocsize' number of elements argument must refer to an integer parameter
; ---- case: allockind-paren
declare void @f() allockind 0 ; error: expected '('
; ---- case: allockind-string
declare void @f() allockind(alloc) ; error: expected allockind value
; ---- case: allockind-word
declare void @f() allockind("allocate") ; error: unknown allockind allocate
; ---- case: allockind-none
declare void @f() allockind("") ; error: unknown allockind 
; ---- case: allockind-two
declare void @f() allockind("alloc,free") ; error: 'allockind()' requires exactly one of alloc, realloc, and free
; ---- case: allockind-free-zeroed
declare void @f() allockind("free,zeroed") ; error: 'allockind("free")' doesn't allow uninitialized, zeroed, or aligned modifiers.
; ---- case: allockind-both
declare void @f() allockind("alloc,zeroed,uninitialized") ; error: 'allockind()' can't be both zeroed and uninitialized
; ---- case: uwtable-kind
declare void @f() uwtable(fast) ; error: expected unwind table kind
; ---- case: uwtable-close
declare void @f() uwtable(sync 0 ; error: expected ')'
; ---- case: vscale-range-paren
declare void @f() vscale_range 0 ; error: expected '('
; ---- case: vscale-range-number
declare void @f() vscale_range(x) ; error: expected integer
; ---- case: vscale-range-zero
declare void @f() vscale_range(0, 2) ; error: 'vscale_range' minimum must be greater than 0
; ---- case: vscale-range-order
declare void @f() vscale_range(4, 2) ; error: 'vscale_range' minimum cannot be greater than maximum
; ---- case: vscale-range-power
declare void @f() vscale_range(3, 8) ; error: 'vscale_range' minimum must be power-of-two value
; ---- case: vscale-range-power-max
declare void @f() vscale_range(2, 7) ; error: 'vscale_range' maximum must be power-of-two value
; ---- case: memory-paren
declare void @f() memory 0 ; error: expected '('
; ---- case: memory-colon
declare void @f() memory(argmem read) ; error: expected ':' after location
; ---- case: memory-location
declare void @f() memory(heap: read) ; error: expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, read, write, readwrite)
; ---- case: memory-access
declare void @f() memory(argmem: execute) ; error: expected access kind (none, read, write, readwrite)
; ---- case: memory-default-late
declare void @f() memory(argmem: read, none) ; error: default access kind must be specified first
; ---- case: memory-unterminated
declare void @f() memory(read 0 ; error: unterminated memory attribute
; ---- case: nofpclass-paren
declare void @f(float nofpclass) ; error: expected '('
; ---- case: nofpclass-word
declare void @f(float nofpclass(big)) ; error: expected nofpclass test mask
; ---- case: nofpclass-empty
declare void @f(float nofpclass()) ; error: expected nofpclass test mask
; ---- case: nofpclass-mask
declare void @f(float nofpclass(1024)) ; error: invalid mask value for 'nofpclass'
; ---- case: nofpclass-zero
declare void @f(float nofpclass(0)) ; error: invalid mask value for 'nofpclass'
; ---- case: nofpclass-type
declare void @f(i32 nofpclass(nan)) ; error: Attribute 'nofpclass(nan)' applied to incompatible type!
; ---- case: range-paren
declare void @f(i32 range) ; error: expected '('
; ---- case: range-type
declare void @f(i32 range(float 0, 1)) ; error: the range must have integer type!
; ---- case: range-comma
declare void @f(i32 range(i32 0 1)) ; error: expected ','
; ---- case: range-integer
declare void @f(i32 range(i32 x, 1)) ; error: expected integer
; ---- case: range-width
declare void @f(i32 range(i8 0, 256)) ; error: integer is too large for the bit width of specified type
; ---- case: range-empty
declare void @f(i32 range(i32 4, 4)) ; error: the range represent the empty set but limits aren't 0!
; ---- case: range-close
declare void @f(i32 range(i32 0, 1) 0 ; error: expected ')' at end of argument list
; ---- case: range-type-width
declare void @f(i32 range(i64 0, 1)) ; error: Attribute 'range(i64 0, 1)' applied to incompatible type!
; ---- case: range-pointer
declare void @f(ptr range(i64 0, 1)) ; error: Attribute 'range(i64 0, 1)' applied to incompatible type!
; ---- case: initializes-paren
declare void @f(ptr initializes) ; error: expected '('
; ---- case: initializes-inner
declare void @f(ptr initializes(0, 4)) ; error: expected '('
; ---- case: initializes-full
declare void @f(ptr initializes((4, 4))) ; error: the range should not represent the full or empty set!
; ---- case: initializes-order
declare void @f(ptr initializes((4, 8), (0, 4))) ; error: Invalid (unordered or overlapping) range list
; ---- case: initializes-overlap
declare void @f(ptr initializes((0, 8), (4, 12))) ; error: Invalid (unordered or overlapping) range list
; ---- case: initializes-number
declare void @f(ptr initializes((x, 4))) ; error: expected integer
; ---- case: captures-paren
declare void @f(ptr captures) ; error: expected '('
; ---- case: captures-word
declare void @f(ptr captures(maybe)) ; error: expected one of 'none', 'address', 'address_is_null', 'provenance' or 'read_provenance'
; ---- case: captures-none-and
declare void @f(ptr captures(none, address)) ; error: cannot use 'none' with other component
; ---- case: captures-none-after
declare void @f(ptr captures(address, none)) ; error: cannot use 'none' with other component
; ---- case: captures-ret-twice
declare void @f(ptr captures(ret: address, ret: address)) ; error: duplicate 'ret' location
; ---- case: captures-colon
declare void @f(ptr captures(ret address)) ; error: expected ':'
; ---- case: captures-comma
declare void @f(ptr captures(address provenance)) ; error: expected ',' or ')'
; ---- case: zeroext-type
declare void @f(float zeroext) ; error: Attribute 'zeroext' applied to incompatible type!
; ---- case: signext-type
declare void @f(ptr signext) ; error: Attribute 'signext' applied to incompatible type!
; ---- case: zeroext-signext
declare void @f(i32 zeroext signext) ; error: Attributes 'zeroext and signext' are incompatible!
; ---- case: noalias-type
declare void @f(i32 noalias) ; error: Attribute 'noalias' applied to incompatible type!
; ---- case: nonnull-type
declare void @f(i32 nonnull) ; error: Attribute 'nonnull' applied to incompatible type!
; ---- case: align-type
declare void @f(i32 align 4) ; error: Attribute 'align 4' applied to incompatible type!
; ---- case: dereferenceable-type
declare void @f(i32 dereferenceable(4)) ; error: Attribute 'dereferenceable(4)' applied to incompatible type!
; ---- case: readonly-type
declare void @f(i32 readonly) ; error: Attribute 'readonly' applied to incompatible type!
; ---- case: byval-type-applied
declare void @f(i32 byval(i32)) ; error: Attribute 'byval(i32)' applied to incompatible type!
; ---- case: sret-type-applied
declare void @f(i32 sret(i32)) ; error: Attribute 'sret(i32)' applied to incompatible type!
; ---- case: nest-type
declare void @f(i32 nest) ; error: Attribute 'nest' applied to incompatible type!
; ---- case: captures-type
declare void @f(i32 captures(none)) ; error: Attribute 'captures(none)' applied to incompatible type!
; ---- case: swifterror-type
declare void @f(i32 swifterror) ; error: Attribute 'swifterror' applied to incompatible type!
; ---- case: allocptr-type
declare void @f(i32 allocptr) ; error: Attribute 'allocptr' applied to incompatible type!
; ---- case: allocalign-type
declare void @f(ptr allocalign) ; error: Attribute 'allocalign' applied to incompatible type!
; ---- case: result-noalias-type
declare noalias i32 @f() ; error: Attribute 'noalias' applied to incompatible type!
; ---- case: result-zeroext-void
declare zeroext void @f() ; error: Attribute 'zeroext' applied to incompatible type!
; ---- case: result-align-type
declare align 4 i32 @f() ; error: Attribute 'align 4' applied to incompatible type!
; ---- case: noundef-void
declare noundef void @f() ; error: Attribute 'noundef' applied to incompatible type!
; ---- case: readnone-readonly
declare void @f(ptr readnone readonly) ; error: Attributes 'readnone and readonly' are incompatible!
; ---- case: readnone-writeonly
declare void @f(ptr readnone writeonly) ; error: Attributes 'readnone and writeonly' are incompatible!
; ---- case: readonly-writeonly
declare void @f(ptr readonly writeonly) ; error: Attributes 'readonly and writeonly' are incompatible!
; ---- case: writable-readnone
declare void @f(ptr writable readnone) ; error: Attributes writable and readnone are incompatible!
; ---- case: writable-readonly
declare void @f(ptr writable readonly) ; error: Attributes writable and readonly are incompatible!
; ---- case: writable-memory
declare void @f(ptr writable) memory(read) ; error: Attribute writable and memory without argmem: write are incompatible!
; ---- case: byval-inreg
declare void @f(ptr byval(i32) inreg) ; error: Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!
; ---- case: byval-sret
declare void @f(ptr byval(i32) sret(i32)) ; error: Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!
; ---- case: byval-nest
declare void @f(ptr byval(i32) nest) ; error: Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!
; ---- case: inalloca-readonly
declare void @f(ptr inalloca(i32) readonly) ; error: Attributes 'inalloca and readonly' are incompatible!
; ---- case: sret-returned
declare void @f(ptr sret(i32) returned) ; error: Attributes 'sret and returned' are incompatible!
; ---- case: immarg-function
declare void @f(i32 immarg) ; error: immarg attribute only applies to intrinsics
; ---- case: elementtype-function
declare void @f(ptr elementtype(i32)) ; error: Attribute 'elementtype' can only be applied to intrinsics and inline asm.
; ---- case: nest-twice
declare void @f(ptr nest, ptr nest) ; error: More than one parameter has attribute nest!
; ---- case: returned-twice
declare i32 @f(i32 returned, i32 returned) ; error: More than one parameter has attribute returned!
; ---- case: returned-type
declare i32 @f(i64 returned) ; error: Incompatible argument and return types for 'returned' attribute
; ---- case: sret-twice
declare void @f(ptr sret(i32), ptr sret(i32)) ; error: Cannot have multiple 'sret' parameters!
; ---- case: sret-third
declare void @f(i32, i32, ptr sret(i32)) ; error: Attribute 'sret' is not on first or second parameter!
; ---- case: swiftself-twice
declare void @f(ptr swiftself, ptr swiftself) ; error: Cannot have multiple 'swiftself' parameters!
; ---- case: swiftasync-twice
declare void @f(ptr swiftasync, ptr swiftasync) ; error: Cannot have multiple 'swiftasync' parameters!
; ---- case: swifterror-twice
declare void @f(ptr swifterror, ptr swifterror) ; error: Cannot have multiple 'swifterror' parameters!
; ---- case: inalloca-last
declare void @f(ptr inalloca(i32), i32) ; error: inalloca isn't on the last parameter!
; ---- case: byval-unsized
%t = type opaque
declare void @f(ptr byval(%t)) ; error: Attribute 'byval' does not support unsized types!
; ---- case: byref-unsized
%t = type opaque
declare void @f(ptr byref(%t)) ; error: Attribute 'byref' does not support unsized types!
; ---- case: inalloca-unsized
%t = type opaque
declare void @f(ptr inalloca(%t)) ; error: Attribute 'inalloca' does not support unsized types!
; ---- case: preallocated-unsized
%t = type opaque
declare void @f(ptr preallocated(%t)) ; error: Attribute 'preallocated' does not support unsized types!
; ---- case: byval-huge
declare void @f(ptr byval([4294967296 x i8])) ; error: huge 'byval' arguments are unsupported
; ---- case: byref-huge
declare void @f(ptr byref([4294967296 x i8])) ; error: huge 'byref' arguments are unsupported
; ---- case: inalloca-huge
declare void @f(ptr inalloca([4294967296 x i8])) ; error: huge 'inalloca' arguments are unsupported
; ---- case: preallocated-huge
declare void @f(ptr preallocated([4294967296 x i8])) ; error: huge 'preallocated' arguments are unsupported
; ---- case: noinline-alwaysinline
declare void @f() noinline alwaysinline ; error: Attributes 'noinline and alwaysinline' are incompatible!
; ---- case: optnone-noinline
declare void @f() optnone ; error: Attribute 'optnone' requires 'noinline'!
; ---- case: optnone-optsize
declare void @f() optnone noinline optsize ; error: Attributes 'optsize and optnone' are incompatible!
; ---- case: optnone-minsize
declare void @f() optnone noinline minsize ; error: Attributes 'minsize and optnone' are incompatible!
; ---- case: optnone-optdebug
declare void @f() optnone noinline optdebug ; error: Attributes 'optdebug and optnone' are incompatible!
; ---- case: optdebug-optsize
declare void @f() optdebug optsize ; error: Attributes 'optsize and optdebug' are incompatible!
; ---- case: optdebug-minsize
declare void @f() optdebug minsize ; error: Attributes 'minsize and optdebug' are incompatible!
; ---- case: realtime-blocking
declare void @f() sanitize_realtime sanitize_realtime_blocking ; error: Attributes 'sanitize_realtime and sanitize_realtime_blocking' are incompatible!
; ---- case: jumptable
define void @f() jumptable { ; error: Attribute 'jumptable' requires 'unnamed_addr'
ret void
}
; ---- case: sm-enabled-compatible
declare void @f() "aarch64_pstate_sm_enabled" "aarch64_pstate_sm_compatible" ; error: Attributes 'aarch64_pstate_sm_enabled and aarch64_pstate_sm_compatible' are incompatible!
; ---- case: za-exclusive
declare void @f() "aarch64_new_za" "aarch64_in_za" ; error: Attributes 'aarch64_new_za', 'aarch64_in_za', 'aarch64_out_za', 'aarch64_inout_za', 'aarch64_preserves_za' and 'aarch64_za_state_agnostic' are mutually exclusive
; ---- case: zt0-exclusive
declare void @f() "aarch64_new_zt0" "aarch64_in_zt0" ; error: Attributes 'aarch64_new_zt0', 'aarch64_in_zt0', 'aarch64_out_zt0', 'aarch64_inout_zt0', 'aarch64_preserves_zt0' and 'aarch64_za_state_agnostic' are mutually exclusive
; ---- case: zt0-undef
declare void @f() "aarch64_zt0_undef" ; error: Attribute 'aarch64_zt0_undef' can only be applied to a callsite.
; ---- case: alloc-variant-empty
declare void @f() "alloc-variant-zeroed"="" ; error: 'alloc-variant-zeroed' must not be empty
; ---- case: alloc-variant-family
declare void @f() "alloc-variant-zeroed"="g" "alloc-family"="a" ; error: 'alloc-variant-zeroed' must name a function belonging to the same 'alloc-family'
declare void @g() allockind("alloc,zeroed") "alloc-family"="b"
; ---- case: alloc-variant-kind
declare void @f() "alloc-variant-zeroed"="g" ; error: 'alloc-variant-zeroed' must name a function with 'allockind("zeroed")'
declare void @g()
; ---- case: alloc-variant-signature
declare void @f() "alloc-variant-zeroed"="g" ; error: 'alloc-variant-zeroed' must name a function with the same signature
declare void @g(i32) allockind("alloc,zeroed")
; ---- case: frame-pointer
declare void @f() "frame-pointer"="some" ; error: invalid value for 'frame-pointer' attribute: some
; ---- case: patchable-prefix
declare void @f() "patchable-function-prefix"="x" ; error: "patchable-function-prefix" takes an unsigned integer: x
; ---- case: patchable-entry
declare void @f() "patchable-function-entry"="-1" ; error: "patchable-function-entry" takes an unsigned integer: -1
; ---- case: patchable-section
declare void @f() "patchable-function-entry-section"="" ; error: "patchable-function-entry-section" must not be empty
; ---- case: warn-stack-size
declare void @f() "warn-stack-size"="many" ; error: "warn-stack-size" takes an unsigned integer: many
; ---- case: sign-return-address
declare void @f() "sign-return-address"="some" ; error: invalid value for 'sign-return-address' attribute: some
; ---- case: sign-return-address-key
declare void @f() "sign-return-address"="all" "sign-return-address-key"="c_key" ; error: invalid value for 'sign-return-address-key' attribute: c_key
; ---- case: sign-return-address-key-alone
declare void @f() "sign-return-address-key"="a_key" ; error: 'sign-return-address-key' present without `sign-return-address`
; ---- case: branch-target-enforcement
declare void @f() "branch-target-enforcement"="yes" ; error: invalid value for 'branch-target-enforcement' attribute: yes
; ---- case: branch-protection-pauth-lr
declare void @f() "branch-protection-pauth-lr"="yes" ; error: invalid value for 'branch-protection-pauth-lr' attribute: yes
; ---- case: guarded-control-stack
declare void @f() "guarded-control-stack"="yes" ; error: invalid value for 'guarded-control-stack' attribute: yes
; ---- case: vector-abi-variant
declare void @f() "vector-function-abi-variant"="x" ; error: invalid name for a VFABI variant: x
; ---- case: denormal-fp-math
declare void @f() "denormal-fp-math"="flush" ; error: invalid value for 'denormal-fp-math' attribute: flush
; ---- case: denormal-fp-math-f32
declare void @f() "denormal-fp-math-f32"="ieee,flush" ; error: invalid value for 'denormal-fp-math-f32' attribute: ieee,flush
; ---- case: modular-format
declare void @f() "modular-format"="x" ; error: modular-format attribute requires at least 5 arguments
; ---- case: boolean-no-infs
declare void @f() "no-infs-fp-math"="yes" ; error: invalid value for 'no-infs-fp-math' attribute: yes
; ---- case: boolean-no-jump-tables
declare void @f() "no-jump-tables"="1" ; error: invalid value for 'no-jump-tables' attribute: 1
; ---- case: boolean-less-precise
declare void @f() "less-precise-fpmad"="x" ; error: invalid value for 'less-precise-fpmad' attribute: x
; ---- case: boolean-no-nans
declare void @f() "no-nans-fp-math"="x" ; error: invalid value for 'no-nans-fp-math' attribute: x
; ---- case: boolean-no-signed-zeros
declare void @f() "no-signed-zeros-fp-math"="x" ; error: invalid value for 'no-signed-zeros-fp-math' attribute: x
; ---- case: boolean-profile-sample
declare void @f() "profile-sample-accurate"="x" ; error: invalid value for 'profile-sample-accurate' attribute: x
; ---- case: boolean-use-sample
declare void @f() "use-sample-profile"="x" ; error: invalid value for 'use-sample-profile' attribute: x
; ---- case: boolean-loader-replaceable
declare void @f() "loader-replaceable"="x" ; error: invalid value for 'loader-replaceable' attribute: x
; ---- case: boolean-no-inline-line-tables
declare void @f() "no-inline-line-tables"="x" ; error: invalid value for 'no-inline-line-tables' attribute: x
; ---- case: boolean-on-group
declare void @f() #0 ; error: invalid value for 'no-infs-fp-math' attribute: x
attributes #0 = { "no-infs-fp-math"="x" }
; ---- case: string-value
declare void @f() "a"= 0 ; error: expected string constant
; ---- case: word-unknown
declare void @f() nounwinded ; error: expected top-level entity
; ---- case: word-unknown-parameter
declare void @f(i32 zeroextended) ; error: expected ')' at end of argument list
; ---- case: word-unknown-result
declare zeroextend i32 @f() ; error: expected type
; ---- case: writeonly-result
declare writeonly ptr @f() ; error: this attribute does not apply to return values
; ---- case: deadonunwind-type
declare void @f(i32 dead_on_unwind) ; error: Attribute 'dead_on_unwind' applied to incompatible type!
; ---- case: inreg-nest
declare void @f(ptr inreg nest) ; error: Attributes 'byval', 'inalloca', 'preallocated', 'inreg', 'nest', 'byref', and 'sret' are incompatible!
; ---- case: immarg-other
declare void @llvm.foo(i32 immarg zeroext) ; error: Attribute 'immarg' is incompatible with other attributes except the 'range' attribute
; ---- case: target-features
declare void @f() "target-features"="gfx1100" ; error: target feature must start with a + or -
; ---- case: target-features-empty
declare void @f() "target-features"=",+a" ; error: target-features attribute should not contain an empty string
; ---- case: builtin-declaration
declare void @f() builtin ; error: 'builtin' attribute not valid on function
; ---- case: builtin-group
declare void @f() #0 ; error: Attribute 'builtin' can only be applied to a callsite.
attributes #0 = { builtin }
; ---- case: align-call
declare void @f()
define void @g() {
  call void @f() align 8 ; error: Attribute 'align 8' does not apply to functions!
  ret void
}
