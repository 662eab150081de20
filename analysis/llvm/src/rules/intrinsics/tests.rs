use expect_test::expect;

use crate::rules::marks;

#[test]
fn calls_of_removed_intrinsics_are_made_anew() {
    marks(expect![[r#"
            declare i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8>, <16 x i8>, i6)
            define i16 @f(<16 x i8> %a, i16 %m) {
              %r = call i16 @llvm.x86.avx512.mask.vpshufbitqmb.128(<16 x i8> %a, <16 x i8> %a, i16 %m)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.x86.avx512.mask.vpshufbitqmb.128` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              ret i16 %r
            }
        "#]]);
}

#[test]
fn what_is_written_at_a_call_that_is_made_anew_is_dropped() {
    marks(expect![[r#"
            define i32 @f(i1 %c, ptr %p, i32 %x, <4 x i1> %m, <4 x i32> %v) {
            entry:
              %s = alloca i32
              call amdgpu_vs void @llvm.lifetime.start.p0(i64 4, ptr byref(i32) %s) [ "funclet"(token none) ]
              call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroext %v, ptr %p, i32 4, <4 x i1> %m)
              br i1 %c, label %a, label %b
            a:
              br label %b
            b:
              %y = phi i32 [ 1, %entry ], [ 2, %a ]
              call void @llvm.dbg.value(metadata i32 %y, metadata !0, metadata !DIExpression()), !nonnull !1
              %z = phi i32 [ 1, %entry ], [ 2, %a ]
              ret i32 %z
            }
            declare void @llvm.lifetime.start.p0(i64, ptr)
            declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
            declare void @llvm.dbg.value(metadata, metadata, metadata)
            !0 = !{}
            !1 = !{i8 1}
        "#]]);
}

/// LLVM replaces these declarations before it looks at calls; those of lifetime markers it leaves to their calls.
#[test]
fn a_call_as_of_today_fits_an_old_declaration() {
    marks(expect![[r#"
            declare void @llvm.memset.p0.i64(ptr, i8, i64, i32, i1)
            declare i32 @llvm.ctlz.i32(i32)
            declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
            declare void @llvm.lifetime.start.p0(i64, ptr)
            define void @f(i32 %x, ptr %p, <4 x i1> %m, <4 x i32> %v) {
              %s = alloca i32
              call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4, i1 false)
              %n = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
              call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, <4 x i1> %m)
              call void @llvm.masked.store.v4i32.p0(<4 x i32> %v, ptr %p, i32 4)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.masked.store.v4i32.p0` is declared as `void (<4 x i32>, ptr, i32, <4 x i1>)`, but called as `void (<4 x i32>, ptr, i32)`
            ;                                                                  = line 3:14: declared here
              call void @llvm.lifetime.start.p0(ptr %s)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.lifetime.start.p0` is declared as `void (i64, ptr)`, but called as `void (ptr)`
            ;                                         = line 4:14: declared here
              ret void
            }
        "#]]);
}

/// LLVM asks the declaration whether an intrinsic is an old one.
#[test]
fn a_call_of_old_does_not_fit_another_declaration() {
    marks(expect![[r#"
            declare i32 @llvm.ctlz.i32()
            declare i64 @llvm.cttz.i64(i64, i1)
            declare i32 @llvm.nvvm.brev32()
            declare i64 @llvm.nvvm.brev64(i64)
            define void @f(i32 %x, i64 %y) {
              call i32 @llvm.ctlz.i32(i32 %x)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.ctlz.i32` is declared as `i32 ()`, but called as `i32 (i32)`
            ;                               = line 1:13: declared here
            ;          ^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.ctlz.i32` was replaced in newer versions of LLVM: it now takes a second argument: whether zero gives poison
              call i64 @llvm.cttz.i64(i64 %y)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.cttz.i64` is declared as `i64 (i64, i1)`, but called as `i64 (i64)`
            ;                               = line 2:13: declared here
            ;          ^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.cttz.i64` was replaced in newer versions of LLVM: it now takes a second argument: whether zero gives poison
              call i32 @llvm.nvvm.brev32(i32 %x)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.nvvm.brev32` is declared as `i32 ()`, but called as `i32 (i32)`
            ;                                  = line 3:13: declared here
            ;          ^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.nvvm.brev32` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call i64 @llvm.nvvm.brev64(i64 %y)
            ;          ^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.nvvm.brev64` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              ret void
            }
        "#]]);
}

#[test]
fn renamed_intrinsics_are_called_as_declared() {
    marks(expect![[r#"
            declare i32 @llvm.experimental.vector.reduce.smin.v4i32(<4 x i32>)
            declare float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float, <4 x float>)
            declare <8 x i8> @llvm.arm.neon.vqadds.v8i8(<8 x i8>, <8 x i8>)
            declare <4 x i8> @llvm.arm.neon.vqsubu.v8i8(<4 x i8>, <4 x i8>)
            define void @f(<4 x i32> %i, <4 x float> %x, <8 x i8> %v, <4 x i8> %w) {
              call i32 @llvm.experimental.vector.reduce.smin.v4i32(<4 x i32> %i)
            ;          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.smin.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call float @llvm.experimental.vector.reduce.v2.fadd.f32.v4f32(float 0.0, <4 x float> %x)
            ;            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.v2.fadd.f32.v4f32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call <8 x i8> @llvm.arm.neon.vqadds.v8i8(<8 x i8> %v, <8 x i8> %v)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqadds.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call <4 x i8> @llvm.arm.neon.vqsubu.v8i8(<4 x i8> %w, <4 x i8> %w)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqsubu.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call i32 @llvm.experimental.vector.reduce.smin.v4i32(i32 1)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.experimental.vector.reduce.smin.v4i32` is declared as `i32 (<4 x i32>)`, but called as `i32 (i32)`
            ;                                                           = line 1:13: declared here
            ;          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.smin.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              call <8 x i8> @llvm.arm.neon.vqsubu.v8i8(<8 x i8> %v, <8 x i8> %v)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.arm.neon.vqsubu.v8i8` is declared as `<4 x i8> (<4 x i8>, <4 x i8>)`, but called as `<8 x i8> (<8 x i8>, <8 x i8>)`
            ;                                                                  = line 4:18: declared here
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.arm.neon.vqsubu.v8i8` was replaced in newer versions of LLVM: LLVM rewrites the call when it reads the file
              call float @llvm.experimental.vector.reduce.v2.fmul.f32.v4f32(float 0.0, <4 x i32> %i)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `llvm.vector.reduce.fmul` cannot return `float` here: its signature is `element of T (element of T, T)` where `T` is a vector
            ;            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.vector.reduce.v2.fmul.f32.v4f32` was replaced in newer versions of LLVM: use `llvm.vector.reduce...`
              ret void
            }
        "#]]);
}

#[test]
fn llvm_makes_a_literal_struct_of_a_named_result() {
    marks(expect![[r#"
            %pair = type { i32, i1 }
            declare %pair @llvm.umul.with.overflow.i32(i32, i32)
            define void @f(i32 %i) {
              %r = call %pair @llvm.umul.with.overflow.i32(i32 %i, i32 3)
              ret void
            }
        "#]]);
    marks(expect![[r#"
            %pair = type { i32, i2 }
            declare %pair @llvm.umul.with.overflow.i32(i32, i32)
            define void @f(i32 %i) {
              %r = call %pair @llvm.umul.with.overflow.i32(i32 %i, i32 3)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `llvm.umul.with.overflow` cannot return `%pair` here: its signature is `{T, i1 like T} (T, T)` where `T` is an integer or a vector of them
              ret void
            }
        "#]]);
}

#[test]
fn faults() {
    marks(expect![[r#"
            @g = global ptr @llvm.trap
            ;               ^^^^^^^^^^ error[intrinsic-address]: the address of intrinsic `@llvm.trap` must not be taken
            declare void @llvm.trap()
        "#]]);
    marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call i32 @llvm.ctpop.i64(i64 0)
            ;                              ^ error[intrinsic-signature]: `llvm.ctpop` cannot take `i64` as argument 1: its signature is `T (T)` where `T` is an integer or a vector of them
              ret void
            }
        "#]]);
    marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              call void @llvm.trap(i32 0)
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.trap` is declared as `void ()`, but called as `void (i32)`
            ;                           = line 5:14: declared here
              ret void
            }
            declare void @llvm.trap()
        "#]]);
    // Debug calls become records, which have no result and take the arguments they need.
    marks(expect![[r#"
            define void @f(i32 %x) {
              call i32 @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression())
              call void @llvm.dbg.value(metadata i32 %x, metadata !1, metadata !DIExpression(), i32 0, i32 1)
              call void @llvm.dbg.value(metadata i32 %x, i32 %x, metadata !DIExpression())
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.dbg.value` is declared as `void (metadata, metadata, metadata)`, but called as `void (metadata, i32, metadata)`
            ;                                                                            = line 8:14: declared here
              call void @llvm.dbg.value(metadata i32 %x, i64 0, metadata !1, metadata !DIExpression())
              ret void
            }
            declare void @llvm.dbg.value(metadata, metadata, metadata)
            !1 = !{}
        "#]]);
    marks(expect![[r#"
            define void @f(i32 %i, ptr %p, float %x, i1 %c, <4 x i32> %v) {
              %a = call i32 @llvm.ctlz.i32(i32 %i, i1 %c)
            ;                                         ^^ error[intrinsic-immediate]: argument 2 of `llvm.ctlz` must be a constant in the call itself
              ret void
            }
            declare i32 @llvm.ctlz.i32(i32, i1)
        "#]]);
}

#[test]
fn calls_of_renamed_intrinsics_have_the_type_of_the_declaration() {
    marks(expect![[r#"
            define void @f() {
              %a = call <vscale x 1 x i8> @llvm.experimental.stepvector.nxv8i64()
            ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-signature]: `@llvm.experimental.stepvector.nxv8i64` is declared as `<vscale x 8 x i64> ()`, but called as `<vscale x 1 x i8> ()`
            ;                                                                   = line 5:28: declared here
            ;                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.experimental.stepvector.nxv8i64` was replaced in newer versions of LLVM: use `@llvm.stepvector.nxv8i64`
            ;                                                                 = fix:   %a = call <vscale x 1 x i8> @llvm.stepvector.nxv8i64()
              ret void
            }
            declare <vscale x 8 x i64> @llvm.experimental.stepvector.nxv8i64()
        "#]]);
}

#[test]
fn calls_of_old_shape_are_made_anew() {
    marks(expect![[r#"
            declare void @llvm.lifetime.end.p0(i64, ptr)
            define void @f(ptr %p) {
              call void @llvm.lifetime.end.p0(i67 4, ptr %p)
              ret void
            }
        "#]]);
}
