//! The smallest bad calls.

use expect_test::expect;

use crate::rules::marks;

#[test]
fn faults() {
    marks(expect![[r#"
        define void @f() {
          call void @llvm.reloc.none(metadata !0)
        ;                                     ^^ error[intrinsic-operands]: the symbol must be a string
          ret void
        }
        declare void @llvm.reloc.none(metadata)
        !0 = !{}
    "#]]);
    marks(expect![[r#"
        define void @f(ptr %p, i1 %c) {
          call void @llvm.assume(i1 %c) ["nonnull"(ptr %p)]
        ;                           ^^ error[intrinsic-operands]: the condition of an `assume` with bundles must be `true`
          ret void
        }
        declare void @llvm.assume(i1)
    "#]]);
    marks(expect![[r#"
        declare ptr @llvm.eh.exceptionpointer.p0(token)
        define void @f() {
          %x = call ptr @llvm.eh.exceptionpointer.p0(token none)
        ;                                                  ^^^^ error[intrinsic-operands]: the argument must be a `catchpad`
          ret void
        }
    "#]]);
    marks(expect![[r#"
        define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
          %a = call i8 @llvm.bswap.i8(i8 0)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `i8` does not have an even number of bytes
          ret void
        }
        declare i8 @llvm.bswap.i8(i8)
    "#]]);
}

#[test]
fn roots_may_be_cast() {
    marks(expect![[r#"
        define void @f(ptr %p) gc "ocaml" {
          %a = alloca ptr
          %b = bitcast ptr %a to ptr
          %c = getelementptr i8, ptr %b, i64 0
          call void @llvm.gcroot(ptr %c, ptr null)
          %d = getelementptr i8, ptr %a, i64 8
          call void @llvm.gcroot(ptr %d, ptr null)
        ;                            ^^ error[intrinsic-operands]: the root must be an `alloca`
          ret void
        }
        declare void @llvm.gcroot(ptr, ptr)
    "#]]);
}

#[test]
fn a_memset_pattern_has_a_size() {
    marks(expect![[r#"
        define void @f(ptr %p, target("foo") %value) {
          call void @llvm.experimental.memset.pattern.p0.tfoot.i32(ptr %p, target("foo") %value, i32 4, i1 false)
        ;                                                                                ^^^^^^ error[intrinsic-operands]: the type of the pattern must have a size
          ret void
        }
    "#]]);
}
