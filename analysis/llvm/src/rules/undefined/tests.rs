use expect_test::expect;

use crate::rules::check;

#[test]
fn accesses_through_no_object() {
    check(
        "define void @f(ptr %out, ptr addrspace(3) %l) {
  %slot = alloca ptr
  store ptr null, ptr %slot
  %p = load ptr, ptr %slot
  %q = getelementptr inbounds i8, ptr %p, i64 8
  store i32 0, ptr %q
  %a = load i32, ptr undef
  %b = load i32, ptr inttoptr (i64 -1 to ptr)
  %c = load volatile i32, ptr null
  %d = load i32, ptr addrspace(3) null
  call void null()
  store i32 1, ptr @f
  ret void
}
define void @valid() null_pointer_is_valid {
  store i32 0, ptr null
  ret void
}
define void @dead() {
  ret void
not_reached:
  store i32 0, ptr null
  ret void
}
",
        expect![[r#"
            warning[invalid-dereference] 6:20 `%q`: store through a null pointer is undefined behavior
              4:3 `%p = load ptr, ptr %slot`: loaded here
              3:3 `store ptr null, ptr %slot`: stored here
            warning[invalid-dereference] 7:22 `undef`: load through an `undef` pointer is undefined behavior
            warning[invalid-dereference] 8:22 `inttoptr (i64 -1 to ptr)`: load through the address -1
            warning[invalid-dereference] 11:13 `null`: call through a null pointer is undefined behavior
            warning[code-access] 12:20 `@f`: store to the code of `@f` is undefined behavior
              1:13 `@f`: declared here
            hint[unreachable-block] 21:1 `not_reached:`: unreachable block `%not_reached`
        "#]],
    );
}

#[test]
fn bounds_and_alignment() {
    check(
        "@g = global [4 x i32] zeroinitializer, align 4
@weak = weak global i32 0
define void @f() {
  %a = alloca [2 x i32], align 4
  %p = getelementptr [2 x i32], ptr %a, i64 0, i64 2
  %x = load i32, ptr %p
  %q = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 4
  %r = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 5
  store i32 0, ptr getelementptr (i8, ptr @g, i64 4), align 8
  %y = load i64, ptr @weak
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 9, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @g, i64 0, i1 false)
  ret void
}
",
        expect![[r#"
            warning[out-of-bounds] 6:22 `%p`: load of 4 bytes at offset 8 of `%a`, which has 8 bytes, is undefined behavior
              4:3 `%a = alloca [2 x i32], align 4`: allocated here
            warning[out-of-bounds] 8:3 `%r = getelementptr inbounds [4 x i32], ptr @g, i64 0, i64 5`: `inbounds` pointer at offset 20 of `@g`, which has 16 bytes, is poison
              1:1 `@g`: declared here
            warning[misaligned-access] 9:20 `getelementptr (i8, ptr @g, i64 4)`: store with alignment 8, but `@g` at offset 4 is aligned to 4 only
              1:1 `@g`: declared here
            warning[out-of-bounds] 11:37 `%a`: memset of 9 bytes at offset 0 of `%a`, which has 8 bytes, is undefined behavior
              4:3 `%a = alloca [2 x i32], align 4`: allocated here
        "#]],
    );
}

#[test]
fn results_without_meaning() {
    check(
        "define void @f(i32 %x, <4 x i32> %v) {
  %s = shl i32 %x, 32
  %t = lshr <2 x i8> <i8 1, i8 2>, <i8 8, i8 9>
  %u = lshr <2 x i8> <i8 1, i8 2>, <i8 8, i8 1>
  %zero = sub i32 %x, %x
  %d = sdiv i32 %x, %zero
  %e = udiv <2 x i32> <i32 1, i32 1>, <i32 1, i32 0>
  %m = sdiv i32 -2147483648, -1
  %i = extractelement <4 x i32> %v, i32 4
  %j = insertelement <4 x i32> poison, i32 1, i64 3
  %w = add nuw i8 255, 1
  %k = add nsw i8 127, 1
  %l = xor i32 undef, undef
  %c = icmp eq i32 %x, undef
  %p = add i32 %x, poison
  ret void
}
",
        expect![[r#"
            warning[poison-result] 2:20 `32`: `shl` of 32 bits by 32 is poison
            warning[poison-result] 3:36 `<i8 8, i8 9>`: `lshr` of 8 bits by 8 is poison
            warning[division-by-zero] 6:21 `%zero`: `sdiv` by zero is undefined behavior
            warning[division-by-zero] 7:39 `<i32 1, i32 0>`: `udiv` by zero is undefined behavior
            warning[division-by-zero] 8:30 `-1`: `sdiv` of -2147483648 by -1 overflows, which is undefined behavior
            warning[poison-result] 9:41 `4`: `extractelement` of element 4 of a vector with 4 elements is poison
            warning[poison-result] 11:3 `%w = add nuw i8 255, 1`: `add` with `nuw` is poison: the unsigned result does not fit
            warning[poison-result] 12:3 `%k = add nsw i8 127, 1`: `add` with `nsw` is poison: the signed result does not fit
            warning[undefined-result] 13:3 `%l = xor i32 undef, undef`: each `undef` may be another value: the result of this `xor` is undefined
            warning[undefined-result] 14:24 `undef`: `icmp` with `undef` may be true or false at each use
            warning[poison-result] 15:20 `poison`: `add` with `poison` is poison
        "#]],
    );
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
    check(
        "define void @0(ptr %p, i32 %x) noreturn {
  %y = add i32 %x, 1
  switch i32 poison, label %a [ i32 0, label %b i32 1, label %c ]
a:
  ret void
b:
  indirectbr ptr %p, []
c:
  %z = add i32 %x, 1
  unreachable
}
",
        expect![[r#"
            hint[unnamed-function] 1:13 `@0`: other modules cannot call a function without a name
            warning[undefined-branch] 3:14 `poison`: `switch` on `poison` is undefined behavior
            warning[noreturn-returns] 5:3 `ret void`: `ret` in a `noreturn` function is undefined behavior
            warning[undefined-branch] 7:3 `indirectbr ptr %p, []`: `indirectbr` without destinations is undefined behavior
            hint[unreachable-after] 10:3 `unreachable`: `unreachable` follows `add`, which does not keep control from it
        "#]],
    );
}

#[test]
fn arguments_and_results() {
    check(
        "declare void @g(ptr nonnull, i32 noundef, i8 range(i8 0, 5))
declare void @alias(ptr noalias, ptr)
declare void @read(ptr noalias readonly, ptr readonly)
declare void @deref(ptr dereferenceable(8))
declare void @small(i8 zeroext)
define range(i32 0, 4) i32 @f(ptr %p, i8 %x) {
  %a = alloca i32
  call void @g(ptr null, i32 undef, i8 5)
  call void @alias(ptr %p, ptr %p)
  call void @read(ptr %p, ptr %p)
  call void @deref(ptr %a)
  call void @small(i8 %x)
  tail call void @alias(ptr %a, ptr null)
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %a, i64 4, i1 false)
  %q = getelementptr i8, ptr %p, i64 4
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
  ret i32 4
}
define ptr @same(ptr returned %p, ptr %q) {
  ret ptr %q
}
define ptr @local() {
  %a = alloca i32
  ret ptr %a
}
",
        expect![[r#"
            warning[attribute-violated] 8:20 `null`: null for a `nonnull` parameter is poison
            warning[attribute-violated] 8:30 `undef`: `undef` for a `noundef` parameter is undefined behavior
            warning[attribute-violated] 8:40 `5`: 5 is outside of `range(0, 5)` of this parameter: it is poison
            warning[noalias-overlap] 9:24 `%p`: `noalias` argument 1 is the same pointer as argument 2
              9:32 `%p`: the other argument
            warning[attribute-violated] 11:24 `%a`: `%a` has 4 bytes from here on, but the parameter is `dereferenceable(8)`
              7:3 `%a = alloca i32`: allocated here
            warning[abi-attribute-mismatch] 12:23 `%x`: `zeroext` mismatch: its parameter is, but not this argument
              5:14 `@small`: declared here
            warning[tail-call-alloca] 13:29 `%a`: `tail` call with the address of `%a`, which is on the caller's stack
              7:3 `%a = alloca i32`: allocated here
            warning[noalias-overlap] 16:40 `%q`: `memcpy` of 8 bytes between overlapping regions 4 bytes apart is undefined behavior
              fix: Replace with `@llvm.memmove`
              |   call void @llvm.memmove.p0.p0.i64(ptr %q, ptr %p, i64 8, i1 false)
            warning[attribute-violated] 17:11 `4`: 4 is outside of `range(0, 4)` of this result: it is poison
            warning[attribute-violated] 20:11 `%q`: `%p` is `returned`, but this returns `%q`
            warning[returned-alloca] 24:11 `%a`: the result is the address of `%a`, which ends here
              23:3 `%a = alloca i32`: allocated here
        "#]],
    );
}

#[test]
fn effects() {
    check(
        "@g = global i32 0
@c = constant i32 0
define i32 @f(ptr %p, ptr readonly %r, ptr writeonly %w) memory(read) {
  %slot = alloca i32
  store i32 0, ptr %slot
  store i32 0, ptr %p
  ret i32 0
}
define i32 @h(ptr readonly %r, ptr writeonly %w, ptr byval(i32) readonly %b) {
  store i32 0, ptr %r
  %x = load i32, ptr %w
  store i32 0, ptr %b
  ret i32 %x
}
define i32 @arguments() memory(argmem: read) {
  %x = load i32, ptr @g
  %y = load i32, ptr @c
  ret i32 %x
}
",
        expect![[r#"
            warning[memory-effect] 6:20 `%p`: store in a function whose `memory` attribute does not allow it is undefined behavior
            warning[memory-effect] 10:20 `%r`: store through the `readonly` parameter `%r` is undefined behavior
            warning[memory-effect] 11:22 `%w`: load through the `writeonly` parameter `%w` is undefined behavior
            warning[memory-effect] 16:22 `@g`: load in a function whose `memory` attribute does not allow it is undefined behavior
              1:1 `@g`: declared here
        "#]],
    );
}

#[test]
fn lifetimes() {
    check(
        "declare void @free(ptr)
declare ptr @malloc(i64)
define i32 @f(ptr %p) {
  %a = alloca i32
  call void @llvm.lifetime.start.p0(ptr %a)
  call void @llvm.lifetime.end.p0(ptr %a)
  br label %next
next:
  %x = load i32, ptr %a
  call void @llvm.lifetime.start.p0(ptr %a)
  %y = load i32, ptr %a
  %q = getelementptr i8, ptr %p, i64 4
  call void @free(ptr %p)
  %z = load i32, ptr %q
  %m = call ptr @malloc(i64 4)
  call void @free(ptr %m)
  call void @free(ptr %m)
  call void @free(ptr %a)
  ret i32 %x
}
",
        expect![[r#"
            warning[use-after-lifetime] 9:22 `%a`: load of `%a` after its lifetime ended
              6:3 `call void @llvm.lifetime.end.p0(ptr %a)`: the lifetime ends here
              4:3 `%a = alloca i32`: allocated here
            warning[use-after-lifetime] 14:22 `%q`: load of `%p` after it was freed
              13:3 `call void @free(ptr %p)`: freed here
            warning[use-after-lifetime] 17:23 `%m`: `%m` is freed again, which is undefined behavior
              16:3 `call void @free(ptr %m)`: freed here
            warning[use-after-lifetime] 18:23 `%a`: `%a` was not allocated: freeing it is undefined behavior
              4:3 `%a = alloca i32`: allocated here
        "#]],
    );
}
