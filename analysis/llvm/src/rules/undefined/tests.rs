use expect_test::expect;

use crate::rules::marks;

#[test]
fn accesses_through_no_object() {
    marks(expect![[r#"
        define void @f(ptr %out, ptr addrspace(3) %l) {
          %slot = alloca ptr
          store ptr null, ptr %slot
          %p = load ptr, ptr %slot
          %q = getelementptr inbounds i8, ptr %p, i64 8
          store i32 0, ptr %q
        ;                  ^^ warning[invalid-dereference]: store through a null pointer is undefined behavior
        ;                   = line 4:3: loaded here
        ;                   = line 3:3: stored here
          %a = load i32, ptr undef
        ;                    ^^^^^ warning[invalid-dereference]: load through an `undef` pointer is undefined behavior
          %b = load i32, ptr inttoptr (i64 -1 to ptr)
        ;                    ^^^^^^^^^^^^^^^^^^^^^^^^ warning[invalid-dereference]: load through the address -1
          %c = load volatile i32, ptr null
          %d = load i32, ptr addrspace(3) null
          call void null()
        ;           ^^^^ warning[invalid-dereference]: call through a null pointer is undefined behavior
          store i32 1, ptr @f
        ;                  ^^ warning[code-access]: store to the code of `@f` is undefined behavior
        ;                   = line 1:13: declared here
          ret void
        }
        define void @valid() null_pointer_is_valid {
          store i32 0, ptr null
          ret void
        }
        define void @dead() {
          ret void
        not_reached:
        ;^^^^^^^^^^^ hint[unreachable-block]: unreachable block `%not_reached`
          store i32 0, ptr null
          ret void
        }
    "#]]);
}

#[test]
fn bounds_and_alignment() {
    marks(expect![[r#"
        @g = global [4 x i32] zeroinitializer, align 4
        @weak = weak global i32 0
        define void @f() {
          %a = alloca [2 x i32], align 4
          %p = getelementptr [2 x i32], ptr %a, i64 0, i64 2
          %x = load i32, ptr %p
        ;                    ^^ warning[out-of-bounds]: load of 4 bytes at offset 8 of `%a`, which has 8 bytes, is undefined behavior
        ;                     = line 4:3: allocated here
          %q = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 4
          %r = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 5
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[out-of-bounds]: `inbounds` pointer at offset 20 of `@g`, which has 16 bytes, is poison
        ;                                                           = line 1:1: declared here
          store i32 0, ptr getelementptr (i8, ptr @g, i64 4), align 8
        ;                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[misaligned-access]: store with alignment 8, but `@g` at offset 4 is aligned to 4 only
        ;                                                  = line 1:1: declared here
          %y = load i64, ptr @weak
          call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 9, i1 false)
        ;                                   ^^ warning[out-of-bounds]: memset of 9 bytes at offset 0 of `%a`, which has 8 bytes, is undefined behavior
        ;                                    = line 4:3: allocated here
          call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @g, i64 0, i1 false)
          ret void
        }
    "#]]);
}

#[test]
fn results_without_meaning() {
    marks(expect![[r#"
        define void @f(i32 %x, <4 x i32> %v) {
          %s = shl i32 %x, 32
        ;                  ^^ warning[poison-result]: `shl` of 32 bits by 32 is poison
          %t = lshr <2 x i8> <i8 1, i8 2>, <i8 8, i8 9>
        ;                                  ^^^^^^^^^^^^ warning[poison-result]: `lshr` of 8 bits by 8 is poison
          %u = lshr <2 x i8> <i8 1, i8 2>, <i8 8, i8 1>
        ;                                  ^^^^^^^^^^^^ warning[poison-result]: `lshr` of 8 bits by 8 is poison in element 0
          %zero = sub i32 %x, %x
          %d = sdiv i32 %x, %zero
        ;                   ^^^^^ warning[division-by-zero]: `sdiv` by zero is undefined behavior
          %e = udiv <2 x i32> <i32 1, i32 1>, <i32 1, i32 0>
        ;                                     ^^^^^^^^^^^^^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %m = sdiv i32 -2147483648, -1
        ;                            ^^ warning[division-by-zero]: `sdiv` of -2147483648 by -1 overflows, which is undefined behavior
          %i = extractelement <4 x i32> %v, i32 4
        ;                                       ^ warning[poison-result]: `extractelement` of element 4 of a vector with 4 elements is poison
          %j = insertelement <4 x i32> poison, i32 1, i64 3
          %w = add nuw i8 255, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nuw` is poison: the unsigned result does not fit
          %k = add nsw i8 127, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nsw` is poison: the signed result does not fit
          %l = xor i32 undef, undef
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[undefined-result]: each `undef` may be another value: the result of this `xor` is undefined
          %c = icmp eq i32 %x, undef
        ;                      ^^^^^ warning[undefined-result]: `icmp` with `undef` may be true or false at each use
          %p = add i32 %x, poison
        ;                  ^^^^^^ warning[poison-result]: `add` with `poison` is poison
          ret void
        }
    "#]]);
}

/// In a test of an optimizer they stand for any value.
#[test]
fn placeholders_of_tests() {
    let text = "define void @f() {\n  store i32 0, ptr undef\n  br i1 undef, label %a, label %a\na:\n  ret void\n}\n";
    let count = |run: &str| {
        let found = crate::rules::findings(&format!("{run}{text}"));
        ["invalid-dereference", "undefined-branch"].map(|code| found.matches(code).count())
    };
    assert_eq!(count(""), [1, 1]);
    assert_eq!(count("; RUN: opt -S -passes=instcombine %s | FileCheck %s\n"), [0, 0]);
    assert_eq!(count("; RUN: opt -passes=lint %s -disable-output 2>&1 | FileCheck %s\n"), [1, 1]);
}

#[test]
fn control_flow() {
    marks(expect![[r#"
        define void @0(ptr %p, i32 %x) noreturn {
        ;           ^^ hint[unnamed-function]: other modules cannot call a function without a name
          %y = add i32 %x, 1
          switch i32 poison, label %a [ i32 0, label %b i32 1, label %c ]
        ;            ^^^^^^ warning[undefined-branch]: `switch` on `poison` is undefined behavior
        a:
          ret void
        ; ^^^^^^^^ warning[noreturn-returns]: `ret` in a `noreturn` function is undefined behavior
        b:
          indirectbr ptr %p, []
        ; ^^^^^^^^^^^^^^^^^^^^^ warning[undefined-branch]: `indirectbr` without destinations is undefined behavior
        c:
          %z = add i32 %x, 1
          unreachable
        ; ^^^^^^^^^^^ hint[unreachable-after]: `unreachable` follows `add`, which does not keep control from it
        }
    "#]]);
}

#[test]
fn arguments_and_results() {
    marks(expect![[r#"
        declare void @g(ptr nonnull, i32 noundef, i8 range(i8 0, 5))
        declare void @alias(ptr noalias, ptr)
        declare void @read(ptr noalias readonly, ptr readonly)
        declare void @deref(ptr dereferenceable(8))
        declare void @small(i8 zeroext)
        define range(i32 0, 4) i32 @f(ptr %p, i8 %x) {
          %a = alloca i32
          call void @g(ptr null, i32 undef, i8 5)
        ;                  ^^^^ warning[attribute-violated]: null for a `nonnull` parameter is poison
        ;                            ^^^^^ warning[attribute-violated]: `undef` for a `noundef` parameter is undefined behavior
        ;                                      ^ warning[attribute-violated]: 5 is outside of `range(0, 5)` of this parameter: it is poison
          call void @alias(ptr %p, ptr %p)
        ;                      ^^ warning[noalias-overlap]: `noalias` argument 1 is the same pointer as argument 2
        ;                       = line 9:32: the other argument
          call void @read(ptr %p, ptr %p)
          call void @deref(ptr %a)
        ;                      ^^ warning[attribute-violated]: `%a` has 4 bytes from here on, but the parameter is `dereferenceable(8)`
        ;                       = line 7:3: allocated here
          call void @small(i8 %x)
        ;                     ^^ warning[abi-attribute-mismatch]: `zeroext` mismatch: its parameter is, but not this argument
        ;                      = line 5:14: declared here
          tail call void @alias(ptr %a, ptr null)
        ;                           ^^ warning[tail-call-alloca]: `tail` call with the address of `%a`, which is on the caller's stack
        ;                            = line 7:3: allocated here
          call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %a, i64 4, i1 false)
          %q = getelementptr i8, ptr %p, i64 4
          call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
        ;                                      ^^ warning[noalias-overlap]: `memcpy` of 8 bytes between overlapping regions 4 bytes apart is undefined behavior
        ;                                       = guess:   call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
          ret i32 4
        ;         ^ warning[attribute-violated]: 4 is outside of `range(0, 4)` of this result: it is poison
        }
        define ptr @same(ptr returned %p, ptr %q) {
          ret ptr %q
        ;         ^^ warning[attribute-violated]: `%p` is `returned`, but this returns `%q`
        }
        define ptr @local() {
          %a = alloca i32
          ret ptr %a
        ;         ^^ warning[returned-alloca]: the result is the address of `%a`, which ends here
        ;          = line 23:3: allocated here
        }
    "#]]);
}

#[test]
fn effects() {
    marks(expect![[r#"
        @g = global i32 0
        @c = constant i32 0
        define i32 @f(ptr %p, ptr readonly %r, ptr writeonly %w) memory(read) {
          %slot = alloca i32
          store i32 0, ptr %slot
          store i32 0, ptr %p
        ;                  ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
          ret i32 0
        }
        define i32 @h(ptr readonly %r, ptr writeonly %w, ptr byval(i32) readonly %b) {
          store i32 0, ptr %r
        ;                  ^^ warning[memory-effect]: store through the `readonly` parameter `%r` is undefined behavior
          %x = load i32, ptr %w
        ;                    ^^ warning[memory-effect]: load through the `writeonly` parameter `%w` is undefined behavior
          store i32 0, ptr %b
          ret i32 %x
        }
        define i32 @arguments() memory(argmem: read) {
          %x = load i32, ptr @g
        ;                    ^^ warning[memory-effect]: load in a function whose `memory` attribute does not allow it is undefined behavior
        ;                     = line 1:1: declared here
          %y = load i32, ptr @c
          ret i32 %x
        }
    "#]]);
}

#[test]
fn lifetimes() {
    marks(expect![[r#"
        declare void @free(ptr)
        declare ptr @malloc(i64)
        define i32 @f(ptr %p) {
          %a = alloca i32
          call void @llvm.lifetime.start.p0(ptr %a)
          call void @llvm.lifetime.end.p0(ptr %a)
          br label %next
        next:
          %x = load i32, ptr %a
        ;                    ^^ warning[use-after-lifetime]: load of `%a` after its lifetime ended
        ;                     = line 6:3: the lifetime ends here
        ;                     = line 4:3: allocated here
          call void @llvm.lifetime.start.p0(ptr %a)
          %y = load i32, ptr %a
          %q = getelementptr i8, ptr %p, i64 4
          call void @free(ptr %p)
          %z = load i32, ptr %q
        ;                    ^^ warning[use-after-lifetime]: load of `%p` after it was freed
        ;                     = line 13:3: freed here
          %m = call ptr @malloc(i64 4)
          call void @free(ptr %m)
          call void @free(ptr %m)
        ;                     ^^ warning[use-after-lifetime]: `%m` is freed again, which is undefined behavior
        ;                      = line 16:3: freed here
          call void @free(ptr %a)
        ;                     ^^ warning[use-after-lifetime]: `%a` was not allocated: freeing it is undefined behavior
        ;                      = line 4:3: allocated here
          ret i32 %x
        }
    "#]]);
}

#[test]
fn results_at_the_limits_of_8_bits() {
    marks(expect![[r#"
        @g = external global [4 x i8]
        declare i8 @llvm.abs.i8(i8, i1)
        declare i8 @llvm.sshl.sat.i8(i8, i8)
        declare i8 @llvm.ushl.sat.i8(i8, i8)
        define void @f() {
          %v0 = add nuw i8 255, 0
          %v1 = add nuw i8 255, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nuw` is poison: the unsigned result does not fit
          %v2 = add nuw i8 128, 128
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nuw` is poison: the unsigned result does not fit
          %v3 = add nsw i8 126, 1
          %v4 = add nsw i8 127, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nsw` is poison: the signed result does not fit
          %v5 = add nsw i8 -128, 0
          %v6 = add nsw i8 -128, -1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nsw` is poison: the signed result does not fit
          %v7 = sub nuw i8 1, 1
          %v8 = sub nuw i8 0, 1
        ; ^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sub` with `nuw` is poison: the unsigned result does not fit
          %v9 = sub nsw i8 -127, 1
          %v10 = sub nsw i8 -128, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sub` with `nsw` is poison: the signed result does not fit
          %v11 = sub nsw i8 127, -1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sub` with `nsw` is poison: the signed result does not fit
          %v12 = mul nuw i8 15, 17
          %v13 = mul nuw i8 16, 16
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `mul` with `nuw` is poison: the unsigned result does not fit
          %v14 = mul nsw i8 16, 7
          %v15 = mul nsw i8 16, 8
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `mul` with `nsw` is poison: the signed result does not fit
          %v16 = mul nsw i8 -16, 8
          %v17 = mul nsw i8 -16, 9
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `mul` with `nsw` is poison: the signed result does not fit
          %v18 = shl nuw i8 1, 7
          %v19 = shl nuw i8 2, 7
        ; ^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` with `nuw` is poison: the unsigned result does not fit
          %v20 = shl nuw i8 1, 8
        ;                      ^ warning[poison-result]: `shl` of 8 bits by 8 is poison
          %v21 = shl nsw i8 1, 6
          %v22 = shl nsw i8 1, 7
        ; ^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` with `nsw` is poison: the signed result does not fit
          %v23 = shl nsw i8 -1, 7
          %v24 = shl i8 1, 7
          %v25 = shl i8 1, 8
        ;                  ^ warning[poison-result]: `shl` of 8 bits by 8 is poison
          %v26 = lshr i8 1, 7
          %v27 = lshr i8 1, 8
        ;                   ^ warning[poison-result]: `lshr` of 8 bits by 8 is poison
          %v28 = or disjoint i8 1, 2
          %v29 = or disjoint i8 1, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `or` with `disjoint` is poison: both operands have the same bits set
          %v30 = udiv exact i8 6, 3
          %v31 = udiv exact i8 7, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `udiv` with `exact` is poison: the division leaves a remainder
          %v32 = sdiv exact i8 -6, 3
          %v33 = sdiv exact i8 -7, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sdiv` with `exact` is poison: the division leaves a remainder
          %v34 = lshr exact i8 4, 2
          %v35 = lshr exact i8 4, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `lshr` with `exact` is poison: bits that are set are shifted out
          %v36 = ashr exact i8 -4, 2
          %v37 = ashr exact i8 -4, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `ashr` with `exact` is poison: bits that are set are shifted out
          %v38 = udiv i8 1, 0
        ;                   ^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %v39 = udiv i8 1, 1
          %v40 = sdiv i8 -128, -1
        ;                      ^^ warning[division-by-zero]: `sdiv` of -128 by -1 overflows, which is undefined behavior
          %v41 = sdiv i8 -127, -1
          %v42 = srem i8 -128, -1
        ;                      ^^ warning[division-by-zero]: `srem` of -128 by -1 overflows, which is undefined behavior
          %v43 = srem i8 1, 0
        ;                   ^ warning[division-by-zero]: `srem` by zero is undefined behavior
          %v44 = urem i8 1, 0
        ;                   ^ warning[division-by-zero]: `urem` by zero is undefined behavior
          %v45 = trunc nuw i16 255 to i8
          %v46 = trunc nuw i16 256 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nuw` is poison: 256 does not fit into 8 unsigned bits
          %v47 = trunc nsw i16 127 to i8
          %v48 = trunc nsw i16 128 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nsw` is poison: 128 does not fit into 8 signed bits
          %v49 = trunc nsw i16 -128 to i8
          %v50 = zext nneg i8 127 to i16
          %v51 = zext nneg i8 128 to i16
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `zext` with `nneg` is poison: -128 is negative
          %v52 = uitofp nneg i8 127 to float
          %v53 = uitofp nneg i8 -1 to float
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `uitofp` with `nneg` is poison: -1 is negative
          %v54 = icmp samesign ult i8 1, 2
          %v55 = icmp samesign ult i8 1, -2
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `icmp` with `samesign` is poison: 1 and -2 have different signs
          %v56 = trunc nsw i16 -129 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nsw` is poison: -129 does not fit into 8 signed bits
          %v57 = trunc nuw <2 x i16> <i16 1, i16 256> to <2 x i8>
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nuw` is poison: 256 does not fit into 8 unsigned bits
          %v58 = add nuw <2 x i8> <i8 1, i8 255>, splat (i8 1)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nuw` is poison: the unsigned result does not fit
          %v59 = fptoui float 255.5 to i8
          %v60 = fptoui float 256.0 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fptoui` is poison: 256.0 does not fit into 8 unsigned bits
          %v61 = fptoui float -0.5 to i8
          %v62 = fptoui float -1.0 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fptoui` is poison: -1.0 does not fit into 8 unsigned bits
          %v63 = fptosi float -128.5 to i8
          %v64 = fptosi float 128.0 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fptosi` is poison: 128.0 does not fit into 8 signed bits
          %v65 = fptosi float 0x7FF8000000000000 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fptosi` is poison: NaN does not fit into 8 signed bits
          %v66 = fadd nnan float 0x7FF8000000000000, 1.0
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fadd` with `nnan` is poison: an operand is not a number
          %v67 = fcmp ninf olt float 1.0, 0x7FF0000000000000
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `fcmp` with `ninf` is poison: an operand is infinite
          %v68 = fadd ninf float 0x7FF8000000000000, 1.0
          %v69 = call i8 @llvm.abs.i8(i8 -128, i1 true)
        ;                                ^^^^ warning[poison-result]: `llvm.abs` of -128 is poison if its second argument is true
          %v70 = call i8 @llvm.abs.i8(i8 -128, i1 false)
          %v71 = call i8 @llvm.ushl.sat.i8(i8 1, i8 8)
        ;                                           ^ warning[poison-result]: `llvm.ushl.sat` of 8 bits by 8 is poison
          %v72 = call i8 @llvm.sshl.sat.i8(i8 1, i8 7)
          %v73 = getelementptr nuw i8, ptr @g, i64 1
          %v74 = getelementptr nuw i8, ptr @g, i64 -1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `getelementptr` with `nuw` is poison: the index -1 is negative
          ret void
        }
    "#]]);
}

#[test]
fn what_nothing_writes_is_read_without_effect() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        %s = type { i32 }
        @g = global %s zeroinitializer
        define amdgpu_kernel void @f(ptr addrspace(4) %c, ptr addrspace(1) noalias readonly %r, ptr addrspace(1) %p) memory(argmem: write) {
          %x = load i32, ptr addrspace(4) %c
          %y = load i32, ptr addrspace(1) %r
          %z = load i32, ptr addrspace(1) %p
        ;                                 ^^ warning[memory-effect]: load in a function whose `memory` attribute does not allow it is undefined behavior
          %s = add i32 %x, %y
          %t = add i32 %s, %z
          store i32 %t, ptr addrspace(1) %p
          ret void
        }
    "#]]);
}

/// Each amount and each divisor is what the instruction before it computes.
#[test]
fn numbers_are_computed_from_constants() {
    marks(expect![[r#"
        define i32 @f(i32 %a, i64 %b, i1 %c) {
        entry:
          %slot = alloca i32
          store i32 53, ptr %slot
          %n = sub i32 %a, %a
          %trunc = trunc i64 4294967337 to i32
          %t = shl i32 1, %trunc
        ;                 ^^^^^^ warning[poison-result]: `shl` of 32 bits by 41 is poison
          %zext = zext i8 200 to i32
          %z = shl i32 1, %zext
        ;                 ^^^^^ warning[poison-result]: `shl` of 32 bits by 200 is poison
          %sext = sext i8 -56 to i32
          %s = shl i32 1, %sext
        ;                 ^^^^^ warning[poison-result]: `shl` of 32 bits by 4294967240 is poison
          %load = load i32, ptr %slot
          %l = shl i32 1, %load
        ;                 ^^^^^ warning[poison-result]: `shl` of 32 bits by 53 is poison
          %and = and i32 61, 47
          %d = shl i32 1, %and
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 45 is poison
          %mul = mul i32 7, 9
          %u = shl i32 1, %mul
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 63 is poison
          %none = mul i32 %a, 0
          %e = udiv i32 1, %none
        ;                  ^^^^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %nil = and i32 0, %a
          %g = udiv i32 1, %nil
        ;                  ^^^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %add = add i32 30, 12
          %h = shl i32 1, %add
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 42 is poison
          %sub = sub i32 30, -13
          %i = shl i32 1, %sub
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 43 is poison
          %or = or i32 33, 12
          %j = shl i32 1, %or
        ;                 ^^^ warning[poison-result]: `shl` of 32 bits by 45 is poison
          %xor = xor i32 39, 12
          %k = shl i32 1, %xor
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 43 is poison
          %same = xor i32 %a, %a
          %o = udiv i32 1, %same
        ;                  ^^^^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %p = udiv i32 1, %n
        ;                  ^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %wrap = mul i32 65536, 65536
          %q = udiv i32 1, %wrap
        ;                  ^^^^^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %chain = add i32 %add, %mul
          %r = shl i32 1, %chain
        ;                 ^^^^^^ warning[poison-result]: `shl` of 32 bits by 105 is poison
          br i1 %c, label %then, label %end
        then:
          br label %end
        end:
          %phi = phi i32 [ 47, %entry ], [ 47, %then ]
          %mixed = phi i32 [ 47, %entry ], [ 48, %then ]
          %v = shl i32 1, %phi
        ;                 ^^^^ warning[poison-result]: `shl` of 32 bits by 47 is poison
          %w = shl i32 1, %mixed
          %some = and i32 %a, 8
          %x = shl i32 1, %some
          ret i32 %x
        }
    "#]]);
}

#[test]
fn intrinsics_that_give_poison() {
    marks(expect![[r#"
        define void @f(i8 %x, i32 %n, i1 %c) {
          %a = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 0, i32 0)
        ;                                                                   ^ warning[poison-result]: `llvm.get.active.lane.mask` of 0 elements is poison
          %b = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 0, i32 1)
          %d = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 0, i32 %n)
          %e = call i8 @llvm.ctlz.i8(i8 0, i1 true)
        ;                               ^ warning[poison-result]: `llvm.ctlz` of 0 is poison if its second argument is true
          %g = call i8 @llvm.ctlz.i8(i8 0, i1 false)
          %h = call i8 @llvm.ctlz.i8(i8 1, i1 true)
          %i = call i8 @llvm.cttz.i8(i8 0, i1 true)
        ;                               ^ warning[poison-result]: `llvm.cttz` of 0 is poison if its second argument is true
          %j = call i8 @llvm.cttz.i8(i8 %x, i1 true)
          %k = call i8 @llvm.abs.i8(i8 -127, i1 true)
          %l = call i8 @llvm.abs.i8(i8 -128, i1 true)
        ;                              ^^^^ warning[poison-result]: `llvm.abs` of -128 is poison if its second argument is true
          %m = call i8 @llvm.sshl.sat.i8(i8 1, i8 8)
        ;                                         ^ warning[poison-result]: `llvm.sshl.sat` of 8 bits by 8 is poison
          %o = call i8 @llvm.ushl.sat.i8(i8 1, i8 7)
          %p = call i8 @llvm.ushl.sat.i8(i8 1, i8 9)
        ;                                         ^ warning[poison-result]: `llvm.ushl.sat` of 8 bits by 9 is poison
          %q = call i8 @llvm.umin.i8(i8 0, i8 8)
          ret void
        }
    "#]]);
}

/// A loaded pointer may be an argument or any other memory.
#[test]
fn a_memory_attribute_allows_kinds_of_memory() {
    marks(expect![[r#"
        @g = global i32 0
        @c = constant i32 0
        @p = global ptr null
        declare ptr @make()
        define void @none(ptr %a) memory(none) {
          %l = load ptr, ptr %a
        ;                    ^^ warning[memory-effect]: load in a function whose `memory` attribute does not allow it is undefined behavior
          store i32 0, ptr %l
        ;                  ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
          %m = call ptr @make()
          store i32 0, ptr %m
          store i32 0, ptr @g
        ;                  ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
        ;                   = line 1:1: declared here
          %x = load i32, ptr @c
          %s = alloca i32
          store i32 %x, ptr %s
          ret void
        }
        define void @arguments(ptr %a) memory(argmem: readwrite) {
          %l = load ptr, ptr %a
          store i32 0, ptr %l
          store i32 0, ptr @g
        ;                  ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
        ;                   = line 1:1: declared here
          %x = load i32, ptr @g
        ;                    ^^ warning[memory-effect]: load in a function whose `memory` attribute does not allow it is undefined behavior
        ;                     = line 1:1: declared here
          store i32 %x, ptr %a
          ret void
        }
        define void @reads(ptr %a) memory(read) {
          %l = load ptr, ptr %a
          store i32 0, ptr %l
        ;                  ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
          %x = load i32, ptr @g
          store i32 %x, ptr @g
        ;                   ^^ warning[memory-effect]: store in a function whose `memory` attribute does not allow it is undefined behavior
        ;                    = line 1:1: declared here
          ret void
        }
        define void @others(ptr %a) memory(readwrite, argmem: none) {
          %l = load ptr, ptr @p
          store i32 0, ptr %l
          %x = load i32, ptr %a
        ;                    ^^ warning[memory-effect]: load in a function whose `memory` attribute does not allow it is undefined behavior
          store i32 %x, ptr @g
          ret void
        }
    "#]]);
}
