//! Values at the limits of rules: the last that is accepted, and the first that is not.

use expect_test::expect;

use crate::rules::marks;

#[test]
fn an_immediate_argument_is_one_of_the_callee() {
    marks(expect![[r#"
        declare void @plain(i32)
        declare void @immediate(i32 immarg)
        ;                           ^^^^^^ error[attribute-conflict]: `immarg` applies only to intrinsics
        define void @f() {
          call void @plain(i32 immarg 1)
        ;                      ^^^^^^ error[attribute-conflict]: `immarg` applies only to intrinsics
        ;                             ^ error[call-site]: `immarg` on a call requires `immarg` on the callee's parameter
          call void @immediate(i32 1)
          ret void
        }
    "#]]);
}

#[test]
fn the_flag_of_constant_memory_is_0_or_1() {
    marks(expect![[r#"
        define void @f(ptr %p) {
          %a = load i32, ptr %p, !tbaa !0
          %b = load i32, ptr %p, !tbaa !4
          %c = load i32, ptr %p, !tbaa !5
        ;                        ^^^^^^^^ error[tbaa]: the flag for constant memory must be 0 or 1
          %d = load i32, ptr %p, !tbaa !6
        ;                        ^^^^^^^^ error[tbaa]: the flag for constant memory must be an integer
          ret void
        }
        !0 = !{!1, !1, i64 0, i64 0}
        !1 = !{!"int", !2, i64 0}
        !2 = !{!"root"}
        !4 = !{!1, !1, i64 0, i64 1}
        !5 = !{!1, !1, i64 0, i64 2}
        !6 = !{!1, !1, i64 0, !"x"}
    "#]]);
}

#[test]
fn the_values_of_a_value_profile_differ() {
    marks(expect![[r#"
        define void @f(ptr %p, i64 %n) {
          call void %p(), !prof !0
          call void %p(), !prof !1
          %a = add i64 %n, 1, !prof !0
        ;                     ^^^^^^^^ error[profile-metadata]: a value profile of calls does not apply to `add`
          call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %p, i64 %n, i1 false), !prof !2
          ret void
        }
        declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
        !0 = !{!"VP", i32 0, i64 20, i64 1, i64 10, i64 2, i64 10}
        !1 = !{!"VP", i32 0, i64 20, i64 1, i64 10, i64 1, i64 10}
        !2 = !{!"VP", i32 1, i64 20, i64 1, i64 10, i64 2, i64 10}
    "#]]);
}

#[test]
fn weights_of_branches() {
    marks(expect![[r#"
        define i32 @f(i32 %a, i1 %c, ptr %p) {
        entry:
          %s0 = select i1 %c, i32 %a, i32 0, !prof !2
          %s1 = select i1 %c, i32 %a, i32 0, !prof !1
        ;                                    ^^^^^^^^ error[profile-metadata]: `select`: expected 2 weights, found 1
          %s2 = select i1 %c, i32 %a, i32 0, !prof !3
        ;                                    ^^^^^^^^ error[profile-metadata]: `select`: expected 2 weights, found 3
          %s3 = select i1 %c, i32 %a, i32 0, !prof !12
          %s4 = select i1 %c, i32 %a, i32 0, !prof !13
        ;                                    ^^^^^^^^^ error[profile-metadata]: `select`: expected 2 weights, found 1
          %s5 = select i1 %c, i32 %a, i32 0, !prof !20
          %s6 = select i1 %c, i32 %a, i32 0, !prof !21
        ;                                    ^^^^^^^^^ error[profile-metadata]: the operand after `unknown`, the name of a pass, must be a string
          %s7 = select i1 %c, i32 %a, i32 0, !prof !22
        ;                                    ^^^^^^^^^ error[profile-metadata]: the operand after `unknown`, the name of a pass, must be a string
          %s8 = select i1 %c, i32 %a, i32 0, !prof !23
        ;                                    ^^^^^^^^^ error[profile-metadata]: expected `branch_weights` or `VP` in `!prof`, found `other`
          %s9 = select i1 %c, i32 %a, i32 0, !prof !24
        ;                                    ^^^^^^^^^ error[profile-metadata]: `branch_weights` must not have operands
          %s10 = select i1 %c, i32 %a, i32 0, !prof !25
        ;                                     ^^^^^^^^^ error[profile-metadata]: a weight must be an integer
          %s11 = select i1 %c, i32 %a, i32 0, !prof !26
        ;                                     ^^^^^^^^^ error[profile-metadata]: the first operand of `!prof`, its kind, must be a string
          %s12 = select i1 %c, i32 %a, i32 0, !prof !30
        ;                                     ^^^^^^^^^ error[profile-metadata]: a value profile of calls does not apply to `select`
          %c0 = call i32 @g(i32 %a), !prof !1
          %c1 = call i32 @g(i32 %a), !prof !2
        ;                            ^^^^^^^^ error[profile-metadata]: `call`: expected 1 weight, found 2
          %c2 = call i32 @g(i32 %a), !prof !30
          %c3 = call i32 @g(i32 %a), !prof !31
        ;                            ^^^^^^^^^ error[profile-metadata]: a value profile must have at least 5 operands
          %c4 = call i32 @g(i32 %a), !prof !32
        ;                            ^^^^^^^^^ error[profile-metadata]: a value profile must list values and counts in pairs
          %c5 = call i32 @g(i32 %a), !prof !33
          %c6 = call i32 @g(i32 %a), !prof !34
          %c7 = call i32 @g(i32 %a), !prof !35
        ;                            ^^^^^^^^^ error[profile-metadata]: the kind of a value profile must be between 0 and 2, is 3
          %c8 = call i32 @g(i32 %a), !prof !36
        ;                            ^^^^^^^^^ error[profile-metadata]: the kind of a value profile must be an integer
          %c9 = call i32 @g(i32 %a), !prof !37
          %a0 = add i32 %a, 1, !prof !1
        ;                      ^^^^^^^^ error[profile-metadata]: `branch_weights` does not apply to `add`
          %a1 = add i32 %a, 1, !prof !2
        ;                      ^^^^^^^^ error[profile-metadata]: `branch_weights` does not apply to `add`
          %a2 = add i32 %a, 1, !prof !20
        ;                      ^^^^^^^^^ error[profile-metadata]: `unknown` applies only to instructions with branch weights, not to `add`
          %a3 = add i32 %a, 1, !prof !30
        ;                      ^^^^^^^^^ error[profile-metadata]: a value profile of calls does not apply to `add`
          %a4 = add i32 %a, 1, !prof !34
          %l0 = load i32, ptr %p, !prof !34
          ret i32 0
        }
        declare i32 @g(i32)
        !1 = !{!"branch_weights", i32 1}
        !2 = !{!"branch_weights", i32 1, i32 2}
        !3 = !{!"branch_weights", i32 1, i32 2, i32 3}
        !12 = !{!"branch_weights", !"expected", i32 1, i32 2}
        !13 = !{!"branch_weights", !"expected", i32 1}
        !20 = !{!"unknown", !"pass"}
        !21 = !{!"unknown"}
        !22 = !{!"unknown", !""}
        !23 = !{!"other", i32 1}
        !24 = !{!"branch_weights"}
        !25 = !{!"branch_weights", !"expected", i32 1, !"x"}
        !26 = !{i32 1, i32 2}
        !30 = !{!"VP", i32 0, i64 20, i64 1, i64 10}
        !31 = !{!"VP", i32 0, i64 20, i64 1}
        !32 = !{!"VP", i32 0, i64 20, i64 1, i64 10, i64 2}
        !33 = !{!"VP", i32 0, i64 20, i64 1, i64 10, i64 2, i64 10}
        !34 = !{!"VP", i32 2, i64 20, i64 1, i64 10}
        !35 = !{!"VP", i32 3, i64 20, i64 1, i64 10}
        !36 = !{!"VP", !"x", i64 20, i64 1, i64 10}
        !37 = !{!"VP", i32 0, i64 20, !"x", i64 10}
    "#]]);
}

#[test]
fn weights_of_terminators() {
    marks(expect![[r#"
        declare i32 @g(i32)
        declare i32 @p(...)
        define void @br1(i1 %c) {
          br label %x, !prof !1
        x:
          ret void
        }
        define void @br2(i1 %c) {
          br label %x, !prof !2
        ;              ^^^^^^^^ error[profile-metadata]: `br`: expected 1 weight, found 2
        x:
          ret void
        }
        define void @br3(i1 %c) {
          br i1 %c, label %x, label %y, !prof !2
        x:
          ret void
        y:
          ret void
        }
        define void @br4(i1 %c) {
          br i1 %c, label %x, label %y, !prof !1
        ;                               ^^^^^^^^ error[profile-metadata]: `br`: expected 2 weights, found 1
        x:
          ret void
        y:
          ret void
        }
        define void @sw0(i32 %a) {
          switch i32 %a, label %x [], !prof !1
        x:
          ret void
        }
        define void @sw1(i32 %a) {
          switch i32 %a, label %x [ i32 1, label %y ], !prof !2
        x:
          ret void
        y:
          ret void
        }
        define void @sw2(i32 %a) {
          switch i32 %a, label %x [ i32 1, label %y ], !prof !1
        ;                                              ^^^^^^^^ error[profile-metadata]: `switch`: expected 2 weights, found 1
        x:
          ret void
        y:
          ret void
        }
        define void @sw3(i32 %a) {
          switch i32 %a, label %x [ i32 1, label %y i32 2, label %y ], !prof !3
        x:
          ret void
        y:
          ret void
        }
        define void @ind(ptr %p) {
          indirectbr ptr %p, [label %x, label %y], !prof !2
        x:
          ret void
        y:
          ret void
        }
        define void @ind1(ptr %p) {
          indirectbr ptr %p, [label %x, label %y], !prof !1
        ;                                          ^^^^^^^^ error[profile-metadata]: `indirectbr`: expected 2 weights, found 1
        x:
          ret void
        y:
          ret void
        }
        define void @ret() {
          ret void, !prof !1
        ;           ^^^^^^^^ error[profile-metadata]: `branch_weights` does not apply to `ret`
        }
        define void @inv1() personality ptr @p {
          invoke i32 @g(i32 0) to label %x unwind label %y, !prof !1
        x:
          ret void
        y:
          %l = landingpad { ptr, i32 } cleanup
          resume { ptr, i32 } %l
        }
        define void @inv2() personality ptr @p {
          invoke i32 @g(i32 0) to label %x unwind label %y, !prof !2
        x:
          ret void
        y:
          %l = landingpad { ptr, i32 } cleanup
          resume { ptr, i32 } %l
        }
        define void @inv3() personality ptr @p {
          invoke i32 @g(i32 0) to label %x unwind label %y, !prof !3
        ;                                                   ^^^^^^^^ error[profile-metadata]: expected 1 or 2 weights for `invoke`, found 3
        x:
          ret void
        y:
          %l = landingpad { ptr, i32 } cleanup
          resume { ptr, i32 } %l
        }
        define void @cb1() {
          callbr void asm "", "!i"() to label %x [label %y], !prof !2
        x:
          ret void
        y:
          ret void
        }
        define void @cb2() {
          callbr void asm "", "!i"() to label %x [label %y], !prof !1
        ;                                                    ^^^^^^^^ error[profile-metadata]: `callbr`: expected 2 weights, found 1
        x:
          ret void
        y:
          ret void
        }
        define void @e1() !prof !40 {
          ret void
        }
        define void @e2() !prof !41 {
          ret void
        }
        define void @e3() !prof !42 {
        ;                 ^^^^^^^^^ error[profile-metadata]: expected `function_entry_count` in `!prof` of a function, found `entry_count`
          ret void
        }
        define void @e4() !prof !43 {
        ;                 ^^^^^^^^^ error[profile-metadata]: `!prof` of a function must have the form `!{!"function_entry_count", i64 n}`
          ret void
        }
        define void @e5() !prof !44 {
        ;                 ^^^^^^^^^ error[profile-metadata]: the entry count must be an integer
          ret void
        }
        define void @e6() !prof !45 {
        ;                 ^^^^^^^^^ error[profile-metadata]: the first operand of `!prof`, its kind, must be a string
          ret void
        }
        define void @e7() !prof !46 {
          ret void
        }
        declare !prof !40 void @e8()
        ;       ^^^^^^^^^ error[profile-metadata]: a declaration must not have `!prof`
        !1 = !{!"branch_weights", i32 1}
        !2 = !{!"branch_weights", i32 1, i32 2}
        !3 = !{!"branch_weights", i32 1, i32 2, i32 3}
        !40 = !{!"function_entry_count", i64 1}
        !41 = !{!"synthetic_function_entry_count", i64 1}
        !42 = !{!"entry_count", i64 1}
        !43 = !{!"function_entry_count"}
        !44 = !{!"function_entry_count", !"x"}
        !45 = !{i32 1, i64 1}
        !46 = !{!"unknown", !"pass"}
    "#]]);
}

#[test]
fn arguments_of_intrinsics_have_limits() {
    marks(expect![[r#"
        define void @f(i32 %n, float %x, ptr %p, ptr %q, <4 x i32> %v) {
          %slot = alloca i32
          %p0 = call i1 @llvm.is.fpclass.f32(float %x, i32 0)
          %p1 = call i1 @llvm.is.fpclass.f32(float %x, i32 1023)
          %p2 = call i1 @llvm.is.fpclass.f32(float %x, i32 1024)
        ;                                                  ^^^^ error[intrinsic-operands]: the mask of `is.fpclass` must be between 0 and 0x3ff, is 0x400
          call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
          call void @llvm.prefetch.p0(ptr %p, i32 1, i32 0, i32 0)
          call void @llvm.prefetch.p0(ptr %p, i32 2, i32 3, i32 1)
        ;                                         ^ error[intrinsic-operands]: the read/write argument must be 0 or 1, is 2
          call void @llvm.prefetch.p0(ptr %p, i32 1, i32 4, i32 1)
        ;                                                ^ error[intrinsic-operands]: the locality must be between 0 and 3, is 4
          call void @llvm.prefetch.p0(ptr %p, i32 1, i32 3, i32 2)
        ;                                                       ^ error[intrinsic-operands]: the cache type must be 0 or 1, is 2
          %t0 = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"round.tonearest")
          %t1 = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"round.dynamic")
        ;                                                                ^^^^^^^^^^^^^^^^ error[intrinsic-operands]: the rounding mode must be a string such as `round.tonearest`
          %t2 = call half @llvm.fptrunc.round.f16.f32(float %x, metadata !"nearest")
        ;                                                                ^^^^^^^^^^ error[intrinsic-operands]: the rounding mode must be a string such as `round.tonearest`
          %t3 = call half @llvm.fptrunc.round.f16.f32(float %x, metadata i32 1)
        ;                                                                ^^^^^ error[intrinsic-operands]: the rounding mode must be a string such as `round.tonearest`
          %b0 = call i16 @llvm.bswap.i16(i16 1)
          %b1 = call i24 @llvm.bswap.i24(i24 1)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `i24` does not have an even number of bytes
          %b2 = call i48 @llvm.bswap.i48(i48 1)
          %b3 = call i8 @llvm.bswap.i8(i8 1)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `i8` does not have an even number of bytes
          %i0 = call ptr @llvm.invariant.start.p0(i64 -1, ptr %p)
          %i1 = call ptr @llvm.invariant.start.p0(i64 -2, ptr %p)
        ;                                             ^^ error[intrinsic-operands]: the size must be a constant of at least -1
          %i2 = call ptr @llvm.invariant.start.p0(i64 0, ptr %p)
          call void @llvm.stackprotector(ptr %p, ptr %slot)
          call void @llvm.stackprotector(ptr %p, ptr %q)
        ;                                            ^^ error[intrinsic-operands]: the protected slot must be an `alloca`
          call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 8, i32 4)
          call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 8, i32 3)
        ;                                                                                                      ^ error[intrinsic-operands]: the element size must be a power of two, is 3
          call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 2 %p, ptr align 4 %q, i64 8, i32 4)
        ;                                                                       ^^ error[intrinsic-operands]: the pointer requires `align 4` or more, the element size
          call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 2 %q, i64 8, i32 4)
        ;                                                                                       ^^ error[intrinsic-operands]: the pointer requires `align 4` or more, the element size
          call void @llvm.memcpy.element.unordered.atomic.p0.p0.i64(ptr align 4 %p, ptr align 4 %q, i64 6, i32 4)
          call void @llvm.memset.element.unordered.atomic.p0.i64(ptr align 4 %p, i8 0, i64 8, i32 4)
          call void @llvm.memset.element.unordered.atomic.p0.i64(ptr %p, i8 0, i64 8, i32 4)
        ;                                                            ^^ error[intrinsic-operands]: the pointer requires `align 4` or more, the element size
          %l0 = call i32 @llvm.experimental.get.vector.length.i32(i32 %n, i32 1, i1 true)
          %l1 = call i32 @llvm.experimental.get.vector.length.i32(i32 %n, i32 0, i1 true)
        ;                                                                     ^ error[intrinsic-operands]: the vector factor must be positive
          call void @llvm.va_start.p0(ptr %p)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[intrinsic-operands]: `llvm.va_start` requires a function with variable arguments
          %g0 = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 0)
          %g1 = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 2)
          %g2 = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 1)
        ;                                                                         ^ error[intrinsic-operands]: the start index of the 2 elements extracted must be a multiple of 2, is 1
          %g3 = call <2 x i32> @llvm.vector.extract.v2i32.v4i32(<4 x i32> %v, i64 4)
        ;                                                                         ^ error[intrinsic-operands]: `<2 x i32>` extracted at index 4 goes beyond the end of `<4 x i32>`
          %h0 = call i32 @llvm.smul.fix.i32(i32 %n, i32 %n, i32 31)
          %h1 = call i32 @llvm.smul.fix.i32(i32 %n, i32 %n, i32 32)
        ;                                                       ^^ error[intrinsic-operands]: the scale 32 does not fit operands of 32 bits
          %h2 = call i32 @llvm.umul.fix.i32(i32 %n, i32 %n, i32 32)
          %h3 = call i32 @llvm.umul.fix.i32(i32 %n, i32 %n, i32 33)
        ;                                                       ^^ error[intrinsic-operands]: the scale 33 does not fit operands of 32 bits
          %k0 = call i32 @llvm.abs.i32(i32 %n, i1 true)
          %k1 = call i32 @llvm.ctlz.i32(i32 %n, i1 false)
          %m0 = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr align 4 %p, <4 x i1> splat (i1 true), <4 x i32> %v)
          call void @llvm.lifetime.start.p0(ptr %slot)
          call void @llvm.lifetime.start.p0(ptr %p)
        ;                                       ^^ error[intrinsic-operands]: the argument of `lifetime.start` must be an `alloca` or `poison`
          call void @llvm.memcpy.p0.p0.i64(ptr align 4 %p, ptr align 3 %q, i64 8, i1 false)
        ;                                                            ^ error[invalid-attribute]: the alignment must be a power of two, is 3
          %r0 = call i1 @llvm.type.test(ptr %p, metadata !"x")
          %r1 = call i32 @llvm.read_register.i32(metadata !0)
          %r2 = call i32 @llvm.read_register.i32(metadata !1)
          ret void
        }
        !0 = !{!"s0"}
        !1 = !{i32 1}
    "#]]);
}

#[test]
fn types_are_defined_before_their_parts_are_used() {
    marks(expect![[r#"
        %early = type { i32 }
        define void @f(ptr %p, ptr %q) {
          %a0 = alloca %early
          %a1 = alloca %late
        ; ^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          %a2 = alloca %late, align 4
          %g0 = getelementptr %early, ptr %p, i32 0, i32 0
          %g1 = getelementptr %late, ptr %p, i32 0, i32 0
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          %g2 = getelementptr %late, ptr %p
          %l0 = load %early, ptr %p
          %l1 = load %late, ptr %p
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          %e0 = extractvalue %early zeroinitializer, 0
          %e1 = extractvalue %late zeroinitializer, 0
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          %i0 = insertvalue %early poison, i32 1, 0
          %i1 = insertvalue %late poison, i32 1, 0
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          store %early zeroinitializer, ptr %p
          store %late zeroinitializer, ptr %p
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          store %late { i32 1 }, ptr %p
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          store ptr getelementptr (%late, ptr @g, i32 0, i32 0), ptr %p
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[type-order]: use of type `%late` before its definition
          store ptr getelementptr (%early, ptr @g, i32 0, i32 0), ptr %p
          %s0 = select i1 true, ptr %p, ptr %q
          ret void
        }
        %late = type { i32 }
        @g = global i32 0
    "#]]);
}

#[test]
fn flags_of_each_instruction() {
    marks(expect![[r#"
        define void @f(i32 %n, float %x, ptr %p) {
          %a0 = or disjoint i32 %n, 1
          %a1 = and disjoint i32 %n, 1
        ;           ^^^^^^^^ error[syntax-error]: expected a type, found `disjoint`
          %a2 = add nuw nsw i32 %n, 1
          %a3 = add exact i32 %n, 1
        ;           ^^^^^ error[syntax-error]: expected a type, found `exact`
          %a4 = udiv exact i32 %n, 2
          %a5 = udiv nuw i32 %n, 2
        ;            ^^^ error[syntax-error]: expected a type, found `nuw`
          %a6 = zext nneg i32 %n to i64
          %a7 = sext nneg i32 %n to i64
        ;            ^^^^ error[syntax-error]: expected a type, found `nneg`
          %a8 = uitofp nneg i32 %n to float
          %a9 = sitofp nneg i32 %n to float
        ;              ^^^^ error[syntax-error]: expected a type, found `nneg`
          %a10 = icmp samesign ult i32 %n, 1
          %a11 = fcmp samesign oeq float %x, %x
        ;             ^^^^^^^^ error[syntax-error]: expected a predicate of `fcmp` (oeq, ult, ...), found `samesign`
          %a12 = fcmp fast oeq float %x, %x
          %a13 = icmp fast eq i32 %n, 1
        ;             ^^^^ error[syntax-error]: expected a predicate of `icmp` (eq, ne, slt, ...), found `fast`
          %a14 = trunc nuw nsw i32 %n to i8
          %a15 = bitcast nuw i32 %n to float
        ;                ^^^ error[syntax-error]: expected a type, found `nuw`
          %a16 = fadd nnan ninf nsz arcp contract afn reassoc float %x, %x
          %a17 = fadd nuw float %x, %x
        ;             ^^^ error[syntax-error]: expected a type, found `nuw`
          %a18 = add fast i32 %n, 1
        ;            ^^^^ error[syntax-error]: expected a type, found `fast`
          %a19 = fneg fast float %x
          %a20 = getelementptr inbounds nuw i8, ptr %p, i32 1
          %a21 = getelementptr nusw i8, ptr %p, i32 1
          %a22 = getelementptr nsw i8, ptr %p, i32 1
        ;                      ^^^ error[syntax-error]: expected a type, found `nsw`
          %a23 = load volatile i32, ptr %p
          %a24 = load atomic volatile i32, ptr %p acquire, align 4
          %a25 = load volatile atomic i32, ptr %p acquire, align 4
        ;                      ^^^^^^ error[syntax-error]: expected a type, found `atomic`
          %a26 = cmpxchg weak volatile ptr %p, i32 0, i32 1 acquire monotonic
          %a27 = atomicrmw volatile add ptr %p, i32 1 monotonic
          %a28 = atomicrmw weak add ptr %p, i32 1 monotonic
        ;                  ^^^^ error[syntax-error]: expected an operation of `atomicrmw`, found `weak`
          %a29 = select fast i1 true, float %x, float %x
          %a30 = select fast i1 true, i32 %n, i32 %n
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-flag]: fast-math flags require a floating-point result, found `i32`
        ;                                          = fix:   %a30 = select i1 true, i32 %n, i32 %n
          %a31 = shl nuw nsw i32 %n, 1
          %a32 = lshr exact i32 %n, 1
          %a33 = lshr nuw i32 %n, 1
        ;             ^^^ error[syntax-error]: expected a type, found `nuw`
          %a34 = fptrunc fast double 1.0 to float
          %a35 = fpext fast float %x to double
          %a36 = fptosi fast float %x to i32
        ;               ^^^^ error[syntax-error]: expected a type, found `fast`
          %a37 = call fast float @g(float %x)
          %a38 = call fast i32 @h(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-flag]: fast-math flags require a floating-point result, found `i32`
        ;                               = fix:   %a38 = call i32 @h(i32 %n)
          %a39 = freeze fast float %x
        ;               ^^^^ error[syntax-error]: expected a type, found `fast`
          ret void
        }
        declare float @g(float)
        declare i32 @h(i32)
    "#]]);
}

#[test]
fn constraints_of_inline_assembly() {
    marks(expect![[r#"
        define void @f(i32 %n, ptr %p) {
          call void asm "", ""()
          call void asm "", "r"(i32 %n)
          call void asm "", "r"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 0 input constraints, one per argument, found 1
          call void asm "", ""(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 1 input constraints, one per argument, found 0
          call void asm "", "r,r"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 1 input constraints, one per argument, found 2
          %a0 = call i32 asm "", "=r"()
          %a1 = call i32 asm "", "r"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 1 output constraint, found 0: the result type is `i32`
          %a2 = call i32 asm "", "=r,0"(i32 %n)
          %a3 = call i32 asm "", "=r,1"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: invalid constraint `1`
          call void asm "", "=r"()
          call void asm "", "=*r"(ptr elementtype(i32) %p)
          call void asm "", "=*r"(ptr %p)
        ;                             ^^ error[inline-asm]: an indirect constraint requires `elementtype(...)`
          call void asm "", "*m"(ptr elementtype(i32) %p)
          call void asm "", "*m"(ptr %p)
        ;                            ^^ error[inline-asm]: an indirect constraint requires `elementtype(...)`
          call void asm "", "*m"(i32 %n)
        ;                            ^^ error[inline-asm]: an indirect constraint requires a pointer, found `i32`
          call void asm "", "r"(ptr elementtype(i32) %p)
        ;                                            ^^ error[inline-asm]: `elementtype` requires an indirect constraint
          %a4 = call { i32, i32 } asm "", "=r,=r"()
          %a5 = call { i32, i32 } asm "", "=r"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 2 output constraints, found 1: the result type is `{ i32, i32 }`
          %a6 = call i32 asm "", "=r,=r"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 1 output constraint, found 2: the result type is `i32`
          %a7 = call { i32, i32 } asm "", "=r,=r,=r"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 2 output constraints, found 3: the result type is `{ i32, i32 }`
          call void asm "", "~{memory}"()
          call void asm "", "~memory"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: invalid constraint `~memory`
          call void asm "", "~{memory},r"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: the constraint `r` must precede clobbers
          call void asm "", "r,~{memory}"(i32 %n)
          %a8 = call i32 asm "", "r,=r"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: the output constraint `=r` must precede inputs, clobbers and labels
          %a9 = call i32 asm "", "=&r,r"(i32 %n)
          %a10 = call i32 asm "", "={v0}"()
          %a11 = call i32 asm "", "={v0"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: invalid constraint `={v0`
          %a12 = call i32 asm "", "="()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: invalid constraint `=`
          call void asm "", "r,"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: invalid constraint ``
          call void asm "", "!i"()
        ; ^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: label constraints apply only to `callbr`
          call void asm "", "%r"(i32 %n)
          call void asm "", "=%r"()
          call void asm "", "r|m"(i32 %n)
          call void asm "", "^ab"(i32 %n)
          %a13 = call i32 asm "", "=r,r,0"(i32 %n, i32 %n)
          %a14 = call i32 asm "", "=r,r,0"(i32 %n)
        ; ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[inline-asm]: expected 1 input constraints, one per argument, found 2
          ret void
        }
    "#]]);
}
