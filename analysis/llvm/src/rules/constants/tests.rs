use expect_test::expect;

use crate::rules::marks;
use wavelens_base::{Dialect, Options, Severity};
use wavelens_check::check_text;

#[test]
fn addresses_have_the_width_of_the_data_layout() {
    marks(expect![[r#"
            target datalayout = "p:64:64:64:32"
            @g = global i32 0
            @a = global i32 ptrtoaddr (ptr @g to i32)
            @b = global i64 ptrtoaddr (ptr @g to i64)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-constant]: the result of `ptrtoaddr` must be `i32`, the width of addresses in the data layout
        "#]]);
}

#[test]
fn the_nearest_number_of_a_small_type_and_the_cast_that_fits() {
    let found = |text: &str| {
        let options = Options { llvm_level: Some(22), ..Options::default() };
        let found = check_text(Dialect::Llvm, text, &options);
        found.iter().filter_map(|f| Some(format!("{}\n", f.fix.as_ref()?.title))).collect::<String>()
    };
    expect![[r#"
            Replace with `0xH2E66`
            Replace with `0xR3F8D`
            Replace with `0x3FB99999A0000000`
            Replace `bitcast` with `addrspacecast`
            Replace `inttoptr` with `ptrtoint`
        "#]]
    .assert_eq(&found(
        "@a = global half 0.1\n@b = global bfloat 1.1\n@c = global float 0.1\n@t = addrspace(4) constant i8 1\n\
         @d = constant ptr bitcast (ptr addrspace(4) @t to ptr)\n@e = constant i64 inttoptr (ptr @d to i64)\n\
         @f = constant i64 bitcast (i64 1 to i64)\n",
    ));
}

#[test]
fn masks_of_shuffles_name_elements() {
    let of = |mask: &str| {
        wavelens_check::testing::findings(
            wavelens_base::Dialect::Llvm,
            &format!(
                "@g = global <2 x i32> shufflevector (<4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <2 x i32> {mask})\n"
            ),
        )
    };
    for fits in ["<i32 0, i32 7>", "<i32 poison, i32 undef>", "zeroinitializer", "splat (i32 7)"] {
        assert_eq!(of(fits), "", "{fits}");
    }
    for other in ["<i32 0, i32 8>", "<i32 0, i32 -1>", "splat (i32 8)"] {
        assert!(of(other).contains("a mask element must be between 0 and 7, is "), "{other}");
    }
}

#[test]
fn addresses_have_the_address_space_of_their_global() {
    let of = |space: &str, constant: &str| {
        wavelens_check::testing::findings(
            wavelens_base::Dialect::Llvm,
            &format!("declare void @f() addrspace(3)\n@a = global ptr{space} {constant} @f\n"),
        )
    };
    for constant in ["dso_local_equivalent", "no_cfi"] {
        assert_eq!(of(" addrspace(3)", constant), "");
        assert!(
            of("", constant).contains("expected `ptr`, found the address of `@f`, `ptr addrspace(3)`"),
            "{}",
            of("", constant)
        );
    }
}

#[test]
fn constants_suit_their_type() {
    marks(expect![[r#"
            @a = global ptr 0
            ;               ^ error[invalid-constant]: expected a constant of type `ptr`, found an integer
            ;               = guess: @a = global ptr null
            @b = global i32 null
            ;               ^^^^ error[invalid-constant]: expected a constant of type `i32`, found `null`, a pointer
            ;                  = guess: @b = global i32 0
            @c = global double 1
            ;                  ^ error[invalid-constant]: expected a constant of type `double`, found an integer
            ;                  = guess: @c = global double 1.0
            @d = global float 0.1
            @e = global i32 true
            ;               ^^^^ error[invalid-constant]: expected a constant of type `i32`, found an `i1`
            ;                  = guess: @e = global i32 1
            @f = global [2 x i32] 0
            ;                     ^ error[invalid-constant]: expected a constant of type `[2 x i32]`, found an integer
            ;                     = guess: @f = global [2 x i32] zeroinitializer
            @g = global { i32, i8 } { i32 1, i16 2 }
            ;                       ^^^^^^^^^^^^^^^^ error[invalid-constant]: expected `i8` for the field at index 1, found `i16`
            @h = global [3 x i8] c"hi"
            ;                    ^^^^^ error[invalid-constant]: expected `[3 x i8]`, found a string of type `[2 x i8]`
            @i = global i32 2.0
            ;               ^^^ error[invalid-constant]: expected a constant of type `i32`, found a floating-point number
            ;                 = guess: @i = global i32 2
        "#]]);
}

/// As LLVM 24 judges them.
#[test]
fn literals_of_newer_versions() {
    let types = ["half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128", "i32"];
    let accepted = |literal: &str, llvm_level| {
        let options = Options { llvm_level, ..Options::default() };
        let is_read = |ty: &&&str| {
            let text = format!("@g = global {ty} {literal}\n");
            check_text(Dialect::Llvm, &text, &options).iter().all(|found| found.severity != Severity::Error)
        };
        types.iter().filter(is_read).copied().collect::<Vec<_>>().join(" ")
    };
    let all = "half bfloat float double fp128 x86_fp80 ppc_fp128";
    for (literal, expected) in [
        ("f0x3F800001", "float"),
        ("f0x3C00", "half bfloat"),
        ("f0x003F800001", ""),
        ("+inf", all),
        ("-qnan", all),
        ("+nan(0x3F)", all),
        ("-snan(0x2)", "half bfloat float double fp128 x86_fp80"),
        ("+nan(63)", ""),
        ("inf", ""),
        ("0.1", all),
        ("0x1.8p3", all),
        ("65520.0", "bfloat float double fp128 x86_fp80 ppc_fp128"),
        ("1.0e-40", "bfloat float double fp128 x86_fp80 ppc_fp128"),
        ("7.0e-46", "double fp128 x86_fp80 ppc_fp128"),
        ("0x3F800000", "double"),
    ] {
        assert_eq!(accepted(literal, None), expected, "{literal}");
    }
    assert_eq!(accepted("0.1", Some(22)), "double");
    assert_eq!(accepted("+inf", Some(22)), "");
}

#[test]
fn a_number_with_too_many_digits_is_a_warning() {
    let text = format!("@g = global i8388608 {}\n", "9".repeat(100_001));
    let found =
        wavelens_check::check_text(wavelens_base::Dialect::Llvm, &text, &wavelens_base::Options::default());
    let found: Vec<_> = found.iter().map(|f| (f.severity, f.message.as_str())).collect();
    let message = "the number has more than 100000 digits and is not checked";
    assert_eq!(found, [(wavelens_base::Severity::Warning, message)]);
}

/// A comparison of integers does not take the type: it is what is wrong.
#[test]
fn a_number_of_a_type_that_the_instruction_does_not_take_is_likely_only() {
    marks(expect![[r#"
        define i1 @f(i32 %x) {
          %a = icmp ne float %x, 0
        ;                    ^^ error[type-mismatch]: expected `float`, found `%x` of type `i32`
        ;                     = line 1:18: defined here
        ;                     = guess:   %a = icmp ne i32 %x, 0
        ;                        ^ error[invalid-constant]: expected a constant of type `float`, found an integer
        ;                        = guess:   %a = icmp ne float %x, 0.0
          ret i1 %a
        }
    "#]]);
}

/// The value next to it has another type than the one written.
#[test]
fn a_number_next_to_a_value_of_another_type_is_likely_only() {
    marks(expect![[r#"
        define i1 @f(i32 %x, ptr %p) {
          %a = icmp ne ptr %x, 0
        ;                  ^^ error[type-mismatch]: expected `ptr`, found `%x` of type `i32`
        ;                   = line 1:18: defined here
        ;                      ^ error[invalid-constant]: expected a constant of type `ptr`, found an integer
        ;                      = guess:   %a = icmp ne ptr %x, null
          %b = icmp ne ptr %p, 0
        ;                      ^ error[invalid-constant]: expected a constant of type `ptr`, found an integer
        ;                      = fix:   %b = icmp ne ptr %p, null
          ret i1 %a
        }
    "#]]);
}

#[test]
fn a_number_that_is_rounded_is_only_proposed() {
    let text = "define half @f(half %x) {\n  %a = fadd half %x, 1.90\n  ret half %a\n}\n";
    let options = Options { llvm_level: Some(22), ..Options::default() };
    let found = wavelens_check::check_text(wavelens_base::Dialect::Llvm, text, &options);
    let grades: Vec<_> = found.iter().filter_map(|f| Some(f.fix.as_ref()?.certain)).collect();
    assert_eq!(grades, [false]);
}
