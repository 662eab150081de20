//! Arguments of instructions, intrinsics, attributes and nodes at their limits: the last that is accepted, and the first that is not.

use expect_test::expect;

use crate::rules::marks;

#[test]
fn vectors_of_intrinsics() {
    marks(expect![[r#"
        define void @f(i32 %n, float %x, ptr %p, <4 x i32> %v) {
          %a0 = call <4 x i32> @llvm.vector.splice.v4i32(<4 x i32> %v, <4 x i32> %v, i32 3)
        ;                      ^^^^^^^^^^^^^^^^^^^^^^^^^ hint[deprecated-intrinsic]: `@llvm.vector.splice.v4i32` was replaced in newer versions of LLVM: use `llvm.vector.splice.left` or `.right`
          %a1 = call <2 x i8> @llvm.scmp.v2i8.v2i32(<2 x i32> zeroinitializer, <2 x i32> zeroinitializer)
          %a2 = call <2 x i8> @llvm.scmp.v2i8.v4i32(<4 x i32> %v, <4 x i32> %v)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `<4 x i32>` and `<2 x i8>` differ in their number of elements
          %a3 = call i1 @llvm.ucmp.i1.i32(i32 %n, i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the result must have at least 2 bits per element
          %a4 = call i2 @llvm.ucmp.i2.i32(i32 %n, i32 %n)
          %b0 = call <4 x i1> @llvm.get.active.lane.mask.v4i1.i32(i32 %n, i32 %n)
          %b1 = call <4 x i8> @llvm.get.active.lane.mask.v4i8.i32(i32 %n, i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected a vector of `i1` as result, found `<4 x i8>`
          %c0 = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
          %c1 = call float @llvm.vector.reduce.fadd.v4f32(float %x, <4 x float> zeroinitializer)
          %d0 = call <6 x float> @llvm.matrix.multiply.v6f32.v4f32.v6f32(<4 x float> zeroinitializer, <6 x float> zeroinitializer, i32 2, i32 2, i32 3)
          %d1 = call <6 x float> @llvm.matrix.multiply.v6f32.v4f32.v6f32(<4 x float> zeroinitializer, <6 x float> zeroinitializer, i32 2, i32 3, i32 2)
        ;                                                                            ^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected 2 x 3 elements, found 4
          %d2 = call <4 x float> @llvm.matrix.multiply.v4f32.v4f32.v6f32(<4 x float> zeroinitializer, <6 x float> zeroinitializer, i32 2, i32 2, i32 3)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: a 2 x 3 matrix does not fit 4 elements
          %d3 = call <6 x i32> @llvm.matrix.transpose.v6i32(<6 x i32> zeroinitializer, i32 2, i32 3)
          %d4 = call <6 x i32> @llvm.matrix.transpose.v6i32(<6 x i32> zeroinitializer, i32 2, i32 2)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: a 2 x 2 matrix does not fit 6 elements
          %d5 = call <4 x ptr> @llvm.matrix.transpose.v4p0(<4 x ptr> zeroinitializer, i32 2, i32 2)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the elements of a matrix must be integers or floating-point values, found `ptr`
          %d6 = call <6 x i32> @llvm.matrix.column.major.load.v6i32.i64(ptr %p, i64 3, i1 false, i32 3, i32 2)
          %d7 = call <6 x i32> @llvm.matrix.column.major.load.v6i32.i64(ptr %p, i64 2, i1 false, i32 3, i32 2)
        ;                                                                           ^ error[intrinsic-operands]: the stride must be at least 3, the number of rows, is 2
          call void @llvm.matrix.column.major.store.v6i32.i64(<6 x i32> zeroinitializer, ptr %p, i64 3, i1 false, i32 3, i32 2)
          call void @llvm.matrix.column.major.store.v6i32.i64(<6 x i32> zeroinitializer, ptr %p, i64 2, i1 false, i32 3, i32 2)
        ;                                                                                            ^ error[intrinsic-operands]: the stride must be at least 3, the number of rows, is 2
          %e0 = call <4 x i8> @llvm.stepvector.v4i8()
          %e1 = call <4 x i7> @llvm.stepvector.v4i7()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the elements of the result must be integers of at least 8 bits, found `<4 x i7>`
          %f0 = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, i64 2)
          %f1 = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, i64 3)
        ;                                                                                                   ^ error[intrinsic-operands]: the start index of the 2 elements inserted must be a multiple of 2, is 3
          %f2 = call <4 x i32> @llvm.vector.insert.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, i64 4)
        ;                                                                                                   ^ error[intrinsic-operands]: `<2 x i32>` inserted at index 4 goes beyond the end of `<4 x i32>`
          %f3 = call <4 x i32> @llvm.vector.insert.v4i32.v2i8(<4 x i32> %v, <2 x i8> zeroinitializer, i64 0)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: both vectors must have the same element type, found `<4 x i32>` and `<2 x i8>`
          %f4 = call <vscale x 4 x i32> @llvm.vector.insert.nxv4i32.v4i32(<vscale x 4 x i32> zeroinitializer, <4 x i32> %v, i64 8)
          %g0 = call <2 x i32> @llvm.vector.partial.reduce.add.v2i32.v4i32(<2 x i32> zeroinitializer, <4 x i32> %v)
          %g1 = call <3 x i32> @llvm.vector.partial.reduce.add.v3i32.v4i32(<3 x i32> zeroinitializer, <4 x i32> %v)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: cannot reduce 4 elements to 3
          %h0 = call <4 x i1> @llvm.experimental.vector.match.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, <4 x i1> zeroinitializer)
          %h1 = call <4 x i1> @llvm.experimental.vector.match.v4i32.v2i8(<4 x i32> %v, <2 x i8> zeroinitializer, <4 x i1> zeroinitializer)
        ;                                                                                       ^^^^^^^^^^^^^^^ error[intrinsic-operands]: both vectors must have the same element type, found `<4 x i32>` and `<2 x i8>`
          %h2 = call <4 x i1> @llvm.experimental.vector.match.v4i32.nxv2i32(<4 x i32> %v, <vscale x 2 x i32> zeroinitializer, <4 x i1> zeroinitializer)
        ;                                                                                                    ^^^^^^^^^^^^^^^ error[intrinsic-operands]: the vector to search for must have a fixed length
          %h3 = call <2 x i1> @llvm.experimental.vector.match.v4i32.v2i32(<4 x i32> %v, <2 x i32> zeroinitializer, <2 x i1> zeroinitializer)
        ;                                                                                                                   ^^^^^^^^^^^^^^^ error[intrinsic-signature]: `llvm.experimental.vector.match` cannot take `<2 x i1>` as argument 3: its signature is `i1 like T (T, U, i1 like T)` where `T` is a vector, `U` is a vector
          %i0 = call i64 @llvm.lrint.i64.f32(float %x)
          %i1 = call <2 x i64> @llvm.lrint.v2i64.v4f32(<4 x float> zeroinitializer)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `<4 x float>` and `<2 x i64>` differ in their number of elements
          %j0 = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -8)
          %j1 = call ptr @llvm.ptrmask.p0.i32(ptr %p, i32 -8)
        ;                                                 ^^ error[intrinsic-operands]: expected a mask of `i64`, the index width, found `i32`
          ret void
        }
    "#]]);
}

#[test]
fn intrinsics_of_amdgpu() {
    marks(expect![[r#"
        target triple = "amdgcn-amd-amdhsa"
        define void @f(ptr addrspace(1) %g, ptr addrspace(3) %l, ptr addrspace(4) %c, i32 %n, i32 inreg %i) {
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 1, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 2, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 3, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 8, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 12, i32 0, i32 0)
          call void @llvm.amdgcn.global.load.lds(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 16, i32 0, i32 0)
          call void @llvm.amdgcn.load.to.lds.p1(ptr addrspace(1) %g, ptr addrspace(3) %l, i32 5, i32 0, i32 0)
          call void @llvm.amdgcn.s.prefetch.data.p4(ptr addrspace(4) %c, i32 0)
          call void @llvm.amdgcn.s.prefetch.data.p3(ptr addrspace(3) %l, i32 0)
        ;                                                            ^^ error[intrinsic-operands]: the pointer must be in global or constant memory, is in address space 3
          call void @llvm.amdgcn.init.exec.from.input(i32 %n, i32 8)
        ;                                                 ^^ error[intrinsic-operands]: the input must be an `inreg` parameter of the function
          call void @llvm.amdgcn.init.exec.from.input(i32 %i, i32 8)
          %m0 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> zeroinitializer, <8 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 0, i32 1, i32 0, i32 0, i32 0, i32 0)
          %m1 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v6i32.v4i32(<6 x i32> zeroinitializer, <4 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 2, i32 4, i32 0, i32 0, i32 0, i32 0)
          %m2 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v6i32.v4i32(<6 x i32> zeroinitializer, <4 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 1, i32 4, i32 0, i32 0, i32 0, i32 0)
        ;                                                                                           ^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected 8 registers for format 1, found 6
          %m3 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v6i32.v4i32(<6 x i32> zeroinitializer, <4 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 3, i32 3, i32 0, i32 0, i32 0, i32 0)
        ;                                                                                                                      ^^^^^^^^^^^^^^^ error[intrinsic-operands]: expected 6 registers for format 3, found 4
          %m4 = call <4 x float> @llvm.amdgcn.mfma.scale.f32.16x16x128.f8f6f4.v8i32.v8i32(<8 x i32> zeroinitializer, <8 x i32> zeroinitializer, <4 x float> zeroinitializer, i32 5, i32 0, i32 0, i32 0, i32 0, i32 0)
        ;                                                                                                                                                                        ^ error[intrinsic-operands]: the matrix format must be between 0 and 4, is 5
          ret void
        }
    "#]]);
}

#[test]
fn variants_that_zero_their_memory() {
    marks(expect![[r#"
        declare ptr @ok(i64) "alloc-variant-zeroed"="zeroed" "alloc-family"="a"
        declare ptr @zeroed(i64) allockind("alloc,zeroed") "alloc-family"="a"
        declare ptr @kind(i64) "alloc-variant-zeroed"="plain" "alloc-family"="a"
        ;                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[attribute-conflict]: `alloc-variant-zeroed` must name a function with `allockind("zeroed")`, which `@plain` is not
        declare ptr @plain(i64) allockind("alloc") "alloc-family"="a"
        declare ptr @no_kind(i64) "alloc-variant-zeroed"="bare" "alloc-family"="a"
        ;                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[attribute-conflict]: `alloc-variant-zeroed` must name a function with `allockind("zeroed")`, which `@bare` is not
        declare ptr @bare(i64) "alloc-family"="a"
        declare ptr @type(i32) "alloc-variant-zeroed"="zeroed" "alloc-family"="a"
        ;                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[attribute-conflict]: `alloc-variant-zeroed` must name a function of the same type, which `@zeroed` is not
        declare fastcc ptr @convention(i64) "alloc-variant-zeroed"="zeroed" "alloc-family"="a"
        declare ptr @elsewhere(i64) "alloc-variant-zeroed"="other" "alloc-family"="a"
        declare ptr @both(i64) "alloc-variant-zeroed"="realloc" "alloc-family"="a"
        declare ptr @realloc(i64) allockind("realloc,zeroed,aligned") "alloc-family"="a"
    "#]]);
}

#[test]
fn paths_of_tags() {
    marks(expect![[r#"
        define void @f(ptr %p) {
          %a0 = load i32, ptr %p, !tbaa !0
          %a1 = load i32, ptr %p, !tbaa !1
          %a2 = load i32, ptr %p, !tbaa !2
          %a3 = load i32, ptr %p, !tbaa !3
        ;                         ^^^^^^^^ error[tbaa]: the offset in a scalar type must be 0, is 2
          %a4 = load i32, ptr %p, !tbaa !4
        ;                         ^^^^^^^^ error[tbaa]: the offset in a scalar type must be 0, is 4
          %a5 = load i32, ptr %p, !tbaa !5
        ;                         ^^^^^^^^ error[tbaa]: the offset of the tag is `i32`, but those of the type are `i64`
          %a6 = load i32, ptr %p, !tbaa !6
        ;                         ^^^^^^^^ error[tbaa]: the offset in a scalar type must be 0, is 4
          %a7 = load i32, ptr %p, !tbaa !7
        ;                         ^^^^^^^^ error[tbaa]: the access type must be a scalar type, `!{!"name", parent, i64 0}`
          %a8 = load i32, ptr %p, !tbaa !8
          %a9 = load i32, ptr %p, !tbaa !9
          %a10 = load i32, ptr %p, !tbaa !10
          %a11 = load i32, ptr %p, !tbaa !11
        ;                          ^^^^^^^^^ error[tbaa]: the offset in a scalar type must be 0, is 4
          %a12 = load i32, ptr %p, !tbaa !12
        ;                          ^^^^^^^^^ error[tbaa]: a struct type must have a name and then a type and an offset per field
          %a13 = load i32, ptr %p, !tbaa !13
        ;                          ^^^^^^^^^ error[tbaa]: the type of a field must be a node
          %a14 = load i32, ptr %p, !tbaa !14
        ;                          ^^^^^^^^^ error[tbaa]: the offset of a field must be an integer
          %a15 = load i32, ptr %p, !tbaa !15
        ;                          ^^^^^^^^^ error[tbaa]: the offsets of a type must have the same width
          %a16 = load i32, ptr %p, !tbaa !16
        ;                          ^^^^^^^^^ error[tbaa]: the offsets of a type must not decrease
          %a17 = load i32, ptr %p, !tbaa !17
        ;                          ^^^^^^^^^ error[tbaa]: the offset of a tag must be an integer
          %a18 = load i32, ptr %p, !tbaa !18
        ;                          ^^^^^^^^^ error[tbaa]: the base and access type of a tag must be nodes
          %a19 = load i32, ptr %p, !tbaa !19
        ;                          ^^^^^^^^^ error[tbaa]: a tag must have 3 or 4 operands
          %a20 = load i32, ptr %p, !tbaa !20
        ;                          ^^^^^^^^^ error[tbaa]: a `!tbaa` tag must not be empty
          %a21 = load i32, ptr %p, !tbaa !21
          %a22 = load i32, ptr %p, !tbaa !22
          %a23 = load i32, ptr %p, !tbaa !23
        ;                          ^^^^^^^^^ error[tbaa]: the flag for constant memory must be 0 or 1
          %a24 = load i32, ptr %p, !tbaa !24
        ;                          ^^^^^^^^^ error[tbaa]: the access type must be a scalar type, `!{!"name", parent, i64 0}`
          %a25 = load i32, ptr %p, !tbaa !25
        ;                          ^^^^^^^^^ error[tbaa]: the access type must be a scalar type, `!{!"name", parent, i64 0}`
          %a26 = load i32, ptr %p, !tbaa !26
        ;                          ^^^^^^^^^ error[tbaa]: the access type must be a scalar type, `!{!"name", parent, i64 0}`
          %a27 = load i32, ptr %p, !tbaa !27
        ;                          ^^^^^^^^^ error[tbaa]: the first operand of a struct type, its name, must be a string
          ret void
        }
        !0 = !{!40, !40, i64 0}
        !1 = !{!41, !40, i64 0}
        !2 = !{!41, !40, i64 4}
        !3 = !{!41, !40, i64 2}
        !4 = !{!41, !40, i64 8}
        !5 = !{!41, !40, i32 4}
        !6 = !{!40, !40, i64 4}
        !7 = !{!41, !41, i64 0}
        !8 = !{!42, !40, i64 12}
        !9 = !{!42, !40, i64 8}
        !10 = !{!42, !43, i64 0}
        !11 = !{!42, !43, i64 4}
        !12 = !{!44, !40, i64 0}
        !13 = !{!45, !40, i64 0}
        !14 = !{!46, !40, i64 0}
        !15 = !{!47, !40, i64 0}
        !16 = !{!48, !40, i64 0}
        !17 = !{!40, !40, !"x"}
        !18 = !{!40, !"x", i64 0}
        !19 = !{!40, !40, i64 0, i64 0, i64 0}
        !20 = !{}
        !21 = !{!"int", !49}
        !22 = !{!"int", !49, i64 1}
        !23 = !{!"int", !49, i64 2}
        !24 = !{!50, !50, i64 0}
        !25 = !{!51, !51, i64 0}
        !26 = !{!52, !52, i64 0}
        !27 = !{!53, !40, i64 0}
        !40 = !{!"int", !49, i64 0}
        !41 = !{!"pair", !40, i64 0, !40, i64 4}
        !42 = !{!"outer", !43, i64 0, !41, i64 8}
        !43 = !{!"short", !49, i64 0}
        !44 = !{!"even", !40, i64 0, !40}
        !45 = !{!"field", !"x", i64 0}
        !46 = !{!"offset", !40, !"x"}
        !47 = !{!"widths", !40, i64 0, !40, i32 4}
        !48 = !{!"order", !40, i64 4, !40, i64 0}
        !49 = !{!"root"}
        !50 = !{!"scalar", !49, i64 1}
        !51 = !{i32 1, !49, i64 0}
        !52 = distinct !{!"self", !52, i64 0}
        !53 = !{i32 1, !40, i64 0}
    "#]]);
}

#[test]
fn paths_of_tags_with_sizes() {
    marks(expect![[r#"
        define void @f(ptr %p) {
          %a0 = load i32, ptr %p, !tbaa !0
          %a1 = load i32, ptr %p, !tbaa !1
          %a2 = load i32, ptr %p, !tbaa !2
        ;                         ^^^^^^^^ error[tbaa]: a tag with sizes must have 4 or 5 operands
          %a3 = load i32, ptr %p, !tbaa !3
          %a4 = load i32, ptr %p, !tbaa !4
        ;                         ^^^^^^^^ error[tbaa]: the flag for constant memory must be 0 or 1
          %a5 = load i32, ptr %p, !tbaa !5
        ;                         ^^^^^^^^ error[tbaa]: a tag with sizes must have 4 or 5 operands
          %a6 = load i32, ptr %p, !tbaa !6
        ;                         ^^^^^^^^ error[tbaa]: the size of the access must be an integer
          %a7 = load i32, ptr %p, !tbaa !7
        ;                         ^^^^^^^^ error[tbaa]: the offset in a scalar type must be 0, is 4
          %a8 = load i32, ptr %p, !tbaa !8
        ;                         ^^^^^^^^ error[tbaa]: a type descriptor with sizes must have 3 operands and 3 more per field
          %a9 = load i32, ptr %p, !tbaa !9
        ;                         ^^^^^^^^ error[tbaa]: the size of a type must be an integer
          %a10 = load i32, ptr %p, !tbaa !10
        ;                          ^^^^^^^^^ error[tbaa]: the flag for constant memory must be an integer
          ret void
        }
        !0 = !{!40, !40, i64 0, i64 4}
        !1 = !{!41, !40, i64 4, i64 4}
        !2 = !{!41, !40, i64 4}
        !3 = !{!41, !40, i64 4, i64 4, i64 1}
        !4 = !{!41, !40, i64 4, i64 4, i64 2}
        !5 = !{!41, !40, i64 4, i64 4, i64 1, i64 1}
        !6 = !{!41, !40, i64 4, !"x"}
        !7 = !{!41, !40, i64 8, i64 4}
        !8 = !{!42, !40, i64 0, i64 4}
        !9 = !{!43, !40, i64 0, i64 4}
        !10 = !{!41, !40, i64 4, i64 4, !"x"}
        !39 = !{!"root"}
        !40 = !{!39, i64 4, !"int"}
        !41 = !{!39, i64 8, !"pair", !40, i64 0, i64 4, !40, i64 4, i64 4}
        !42 = !{!39, i64 8, !"odd", !40, i64 0, i64 4, !40}
        !43 = !{!39, !"x", !"size", !40, i64 0, i64 4}
    "#]]);
}

#[test]
fn results_that_are_undefined() {
    marks(expect![[r#"
        define void @f(i32 %x, i8 %c, <2 x i32> %v) {
          %a0 = shl i32 %x, 31
          %a1 = shl i32 %x, 32
        ;                   ^^ warning[poison-result]: `shl` of 32 bits by 32 is poison
          %a2 = lshr i8 %c, 7
          %a3 = lshr i8 %c, 8
        ;                   ^ warning[poison-result]: `lshr` of 8 bits by 8 is poison
          %a4 = ashr i64 1, 64
        ;                   ^^ warning[poison-result]: `ashr` of 64 bits by 64 is poison
          %a5 = shl <2 x i32> %v, <i32 32, i32 1>
        ;                         ^^^^^^^^^^^^^^^ warning[poison-result]: `shl` of 32 bits by 32 is poison in element 0
          %a6 = shl <2 x i32> %v, <i32 32, i32 33>
        ;                         ^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` of 32 bits by 32 is poison
          %a7 = udiv i32 %x, 1
          %a8 = udiv i32 %x, 0
        ;                    ^ warning[division-by-zero]: `udiv` by zero is undefined behavior
          %a9 = sdiv i32 %x, undef
        ;                    ^^^^^ warning[division-by-zero]: `sdiv` by `undef`, which may be zero, is undefined behavior
          %a10 = urem <2 x i32> %v, <i32 1, i32 0>
        ;                           ^^^^^^^^^^^^^^ warning[division-by-zero]: `urem` by zero is undefined behavior
          %a11 = srem <2 x i32> %v, zeroinitializer
        ;                           ^^^^^^^^^^^^^^^ warning[division-by-zero]: `srem` by zero is undefined behavior
          %a12 = sdiv i32 -2147483648, -1
        ;                              ^^ warning[division-by-zero]: `sdiv` of -2147483648 by -1 overflows, which is undefined behavior
          %a13 = sdiv i32 -2147483647, -1
          %a14 = srem i8 -128, -1
        ;                      ^^ warning[division-by-zero]: `srem` of -128 by -1 overflows, which is undefined behavior
          %a15 = sdiv i1 true, true
          %a16 = extractelement <2 x i32> %v, i32 1
          %a17 = extractelement <2 x i32> %v, i32 2
        ;                                         ^ warning[poison-result]: `extractelement` of element 2 of a vector with 2 elements is poison
          %a18 = insertelement <2 x i32> %v, i32 0, i32 1
          %a19 = insertelement <2 x i32> %v, i32 0, i32 2
        ;                                               ^ warning[poison-result]: `insertelement` of element 2 of a vector with 2 elements is poison
          %a20 = insertelement <2 x i32> %v, i32 0, i64 -1
        ;                                               ^^ warning[poison-result]: `insertelement` of element 18446744073709551615 of a vector with 2 elements is poison
          %a21 = extractelement <vscale x 2 x i32> zeroinitializer, i32 2
          %a22 = add nuw i8 -1, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nuw` is poison: the unsigned result does not fit
          %a23 = add nuw i8 -2, 1
          %a24 = add nsw i8 127, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `add` with `nsw` is poison: the signed result does not fit
          %a25 = add nsw i8 126, 1
          %a26 = sub nuw i8 0, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sub` with `nuw` is poison: the unsigned result does not fit
          %a27 = sub nsw i8 -128, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `sub` with `nsw` is poison: the signed result does not fit
          %a28 = mul nuw i8 16, 16
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `mul` with `nuw` is poison: the unsigned result does not fit
          %a29 = mul nuw i8 15, 17
          %a30 = mul nsw i8 16, 8
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `mul` with `nsw` is poison: the signed result does not fit
          %a31 = mul nsw i8 -16, 8
          %a32 = shl nuw i8 64, 2
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` with `nuw` is poison: the unsigned result does not fit
          %a33 = shl nuw i8 64, 1
          %a34 = shl nsw i8 64, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `shl` with `nsw` is poison: the signed result does not fit
          %a35 = shl nsw i8 -64, 1
          %a36 = lshr exact i8 6, 1
          %a37 = lshr exact i8 5, 1
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `lshr` with `exact` is poison: bits that are set are shifted out
          %a38 = udiv exact i8 6, 3
          %a39 = udiv exact i8 7, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `udiv` with `exact` is poison: the division leaves a remainder
          %a40 = or disjoint i8 1, 2
          %a41 = or disjoint i8 1, 3
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `or` with `disjoint` is poison: both operands have the same bits set
          %a42 = trunc nuw i16 256 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nuw` is poison: 256 does not fit into 8 unsigned bits
          %a43 = trunc nuw i16 255 to i8
          %a44 = trunc nsw i16 -129 to i8
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `trunc` with `nsw` is poison: -129 does not fit into 8 signed bits
          %a45 = trunc nsw i16 -128 to i8
          %a46 = zext nneg i8 -1 to i16
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[poison-result]: `zext` with `nneg` is poison: -1 is negative
          %a47 = xor i32 undef, undef
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[undefined-result]: each `undef` may be another value: the result of this `xor` is undefined
          %a48 = sub i32 undef, undef
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[undefined-result]: each `undef` may be another value: the result of this `sub` is undefined
          ret void
        }
    "#]]);
}
