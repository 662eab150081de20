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

#[test]
fn constrained_operations_and_splices() {
    marks(expect![[r#"
        define void @f(float %x, double %d, i32 %i, <2 x float> %v, <4 x i32> %w, <vscale x 2 x i32> %s) strictfp vscale_range(2,4) {
          %a = call i1 @llvm.experimental.constrained.fcmp.f32(float %x, float %x, metadata !"oeq", metadata !"fpexcept.strict") strictfp
          %b = call i1 @llvm.experimental.constrained.fcmp.f32(float %x, float %x, metadata !"eq", metadata !"fpexcept.strict") strictfp
        ;                                                                                   ^^^^^ error[intrinsic-operands]: invalid predicate of the comparison
          %c = call i32 @llvm.experimental.constrained.fptosi.i32.f32(float %x, metadata !"fpexcept.maytrap") strictfp
          %e = call <4 x i32> @llvm.experimental.constrained.fptosi.v4i32.v2f32(<2 x float> %v, metadata !"fpexcept.strict") strictfp
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `<2 x float>` and `<4 x i32>` differ in their number of elements
          %g = call float @llvm.experimental.constrained.fptrunc.f32.f64(double %d, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
          %h = call double @llvm.experimental.constrained.fptrunc.f64.f32(float %x, metadata !"round.tonearest", metadata !"fpexcept.ignore") strictfp
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `fptrunc` cannot convert `float` to `double`
          %j = call double @llvm.experimental.constrained.fpext.f64.f32(float %x, metadata !"fpexcept.strict") strictfp
          %k = call float @llvm.experimental.constrained.fpext.f32.f64(double %d, metadata !"fpexcept.strict") strictfp
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `fpext` cannot convert `double` to `float`
          %l = call float @llvm.experimental.constrained.sitofp.f32.i32(i32 %i, metadata !"round.dynamic", metadata !"fpexcept.strict") strictfp
          %m = call float @llvm.experimental.constrained.sitofp.f32.i32(i32 %i, metadata !"round.none", metadata !"fpexcept.strict") strictfp
        ;                                                                                ^^^^^^^^^^^^^ error[intrinsic-operands]: the rounding mode must be `round.dynamic`, `round.tonearest`, `round.downward`, `round.upward`, `round.towardzero` or `round.tonearestaway`
          %n = call float @llvm.experimental.constrained.fadd.f32(float %x, float %x, metadata !"round.upward", metadata !"fpexcept.none") strictfp
        ;                                                                                                                ^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the exception behavior must be `fpexcept.ignore`, `fpexcept.maytrap` or `fpexcept.strict`
          %o = call float @llvm.experimental.constrained.sqrt.f32(float %x, metadata !"upward", metadata !"fpexcept.strict") strictfp
        ;                                                                            ^^^^^^^^^ error[intrinsic-operands]: the rounding mode must be `round.dynamic`, `round.tonearest`, `round.downward`, `round.upward`, `round.towardzero` or `round.tonearestaway`
          %p = call <2 x i32> @llvm.experimental.constrained.lrint.v2i32.v2f32(<2 x float> %v, metadata !"round.upward", metadata !"fpexcept.strict") strictfp
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `llvm.experimental.constrained.lrint.v2i32.v2f32` requires scalar operand and result
          %q = call <vscale x 2 x i32> @llvm.vector.splice.nxv2i32(<vscale x 2 x i32> %s, <vscale x 2 x i32> %s, i32 3)
        ;                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.vector.splice.nxv2i32` was replaced in newer versions of LLVM: use `llvm.vector.splice.left` or `.right`
          %r = call <vscale x 2 x i32> @llvm.vector.splice.nxv2i32(<vscale x 2 x i32> %s, <vscale x 2 x i32> %s, i32 4)
        ;                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.vector.splice.nxv2i32` was replaced in newer versions of LLVM: use `llvm.vector.splice.left` or `.right`
          %t = call <vscale x 2 x i32> @llvm.vector.splice.nxv2i32(<vscale x 2 x i32> %s, <vscale x 2 x i32> %s, i32 -4)
        ;                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.vector.splice.nxv2i32` was replaced in newer versions of LLVM: use `llvm.vector.splice.left` or `.right`
          %u = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %w, <4 x i32> %w, i32 -5)
        ;                     ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.vector.splice.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.splice.left` or `.right`
          %y = call i1 @llvm.vp.icmp.i32(i32 %i, i32 %i, metadata !"slt", i1 true, i32 1)
        ;                                    ^^ error[intrinsic-signature]: `llvm.vp.icmp` cannot take `i32` as argument 1: its signature is `i1 like T (T, T, metadata, i1 like T, i32)` where `T` is a vector
          ret void
        }
    "#]]);
}
