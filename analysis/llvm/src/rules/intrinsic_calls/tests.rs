//! The smallest bad calls.

use expect_test::expect;

use crate::rules::check;

#[test]
fn faults() {
    check(
        r#"define void @f() {
  call void @llvm.reloc.none(metadata !0)
  ret void
}
declare void @llvm.reloc.none(metadata)
!0 = !{}
"#,
        expect![[r#"
            error[intrinsic-operands] 2:39 `!0`: the symbol must be a string
        "#]],
    );
    check(
        r#"define void @f(ptr %p, i1 %c) {
  call void @llvm.assume(i1 %c) ["nonnull"(ptr %p)]
  ret void
}
declare void @llvm.assume(i1)
"#,
        expect![[r#"
            error[intrinsic-operands] 2:29 `%c`: the condition of an `assume` with bundles must be `true`
        "#]],
    );
    check(
        r#"declare ptr @llvm.eh.exceptionpointer.p0(token)
define void @f() {
  %x = call ptr @llvm.eh.exceptionpointer.p0(token none)
  ret void
}
"#,
        expect![[r#"
            error[intrinsic-operands] 3:52 `none`: the argument must be a `catchpad`
        "#]],
    );
    check(
        r#"define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
  %a = call i8 @llvm.bswap.i8(i8 0)
  ret void
}
declare i8 @llvm.bswap.i8(i8)
"#,
        expect![[r#"
            error[intrinsic-operands] 2:3 `%a = call i8 @llvm.bswap.i8(i8 0)`: `i8` does not have an even number of bytes
        "#]],
    );
}

#[test]
fn roots_may_be_cast() {
    check(
        r#"define void @f(ptr %p) gc "ocaml" {
  %a = alloca ptr
  %b = bitcast ptr %a to ptr
  %c = getelementptr i8, ptr %b, i64 0
  call void @llvm.gcroot(ptr %c, ptr null)
  %d = getelementptr i8, ptr %a, i64 8
  call void @llvm.gcroot(ptr %d, ptr null)
  ret void
}
declare void @llvm.gcroot(ptr, ptr)
"#,
        expect![[r#"
            error[intrinsic-operands] 7:30 `%d`: the root must be an `alloca`
        "#]],
    );
}
