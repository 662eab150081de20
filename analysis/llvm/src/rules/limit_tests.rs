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
