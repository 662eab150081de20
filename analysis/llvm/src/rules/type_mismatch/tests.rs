use expect_test::expect;

use crate::rules::marks;

#[test]
fn a_type_is_certain_where_more_than_the_definition_says_so() {
    let grade = |text: &str| {
        let options = wavelens_base::Options::default();
        let found = wavelens_check::check_text(wavelens_base::Dialect::Llvm, text, &options);
        found.into_iter().find_map(|f| f.fix).map(|fix| fix.certain)
    };
    let function = |body: &str| format!("define i64 @f(i32 %n, i64 %m) {{\n{body}  ret i64 0\n}}\n");
    let both = "  %x = add i32 %n, 1\n  %y = mul i32 %x, 2\n  %z = mul i64 %x, 2\n";
    assert_eq!(grade(&function(both)), Some(true));
    // The definition may be what is wrong.
    assert_eq!(grade(&function("  %x = trunc i64 %m to i16\n  %z = mul i64 %x, 2\n")), Some(false));
    // The name may be what is wrong: `%1` has the type.
    let near = "  %1 = add i64 %m, 1\n  %2 = add i32 %n, 1\n  %3 = mul i32 %2, 2\n  %4 = mul i64 %2, 2\n";
    assert_eq!(grade(&function(near)), Some(false));
    let number =
        "  %tmp1 = add i64 %m, 1\n  %tmp = add i32 %n, 1\n  %y = mul i32 %tmp, 2\n  %z = mul i64 %tmp, 2\n";
    assert_eq!(grade(&function(number)), Some(false));
}

#[test]
fn one_wrong_type_is_reported_once() {
    marks(expect![[r#"
            define i32 @f(i32 %n) {
            entry:
              br label %l
            l:
              %j = phi i32 [ 0, %entry ], [ %next, %l ]
              %next = add i64 %j, 1
            ;                 ^^ error[type-mismatch]: expected `i64`, found `%j` of type `i32`
            ;                  = line 5:3: defined here
            ;                  = fix:   %next = add i32 %j, 1
              %c = icmp slt i32 %next, %n
              br i1 %c, label %l, label %e
            e:
              ret i32 %next
            }
            define i32 @g(i32 %n, i64 %m) {
              %x = add i64 %n, 1
            ;              ^^ error[type-mismatch]: expected `i64`, found `%n` of type `i32`
            ;               = line 12:19: defined here
              %y = add i32 %x, 1
            ;              ^^ error[type-mismatch]: expected `i32`, found `%x` of type `i64`
            ;               = line 13:3: defined here
              %z = add i64 %x, %m
              ret i32 %y
            }
        "#]]);
}

#[test]
fn no_other_type_is_written_where_the_result_is_used() {
    marks(expect![[r#"
            define i32 @f(i1 %c) {
              %a = add i32 %c, 1
            ;              ^^ error[type-mismatch]: expected `i32`, found `%c` of type `i1`
            ;               = line 1:18: defined here
              %b = add i32 %c, 2
            ;              ^^ error[type-mismatch]: expected `i32`, found `%c` of type `i1`
            ;               = line 1:18: defined here
            ;               = guess:   %b = add i1 %c, 2
              ret i32 %a
            }
            define i64 @g(ptr %p) {
              %a = load i64, metadata addrspace(1) %p
            ;                                      ^^ error[syntax-error]: only pointers have an address space: expected `ptr addrspace(1)`, found `metadata addrspace(1)`
              ret i64 %a
            }
            define i64 @h(i32 %a) {
              call void @k(i8 0, i64 %a)
            ;                        ^^ error[type-mismatch]: expected `i64`, found `%a` of type `i32`
            ;                         = line 10:19: defined here
              call void @k(i8 0, i16 %a)
            ;           ^^ warning[call-mismatch]: `@k` has type `void (i8, i64)`, but is called as `void (i8, i16)`: undefined behavior
            ;            = line 15:14: declared here
            ;                        ^^ error[type-mismatch]: expected `i16`, found `%a` of type `i32`
            ;                         = line 10:19: defined here
            ;                         = guess:   call void @k(i8 0, i32 %a)
              ret i64 %a
            ;         ^^ error[type-mismatch]: expected `i64`, found `%a` of type `i32`
            ;          = line 10:19: defined here
            }
            declare void @k(i8, i64)
        "#]]);
}

#[test]
fn a_block_is_not_a_value() {
    marks(expect![[r#"
            define void @f() {
              %p = getelementptr i8, ptr %b, i64 1
            ;                            ^^ error[type-mismatch]: expected `ptr`, found the basic block `%b`, whose type is `label`
            ;                             = line 4:1: defined here
            ;                             = line 3:12: LLVM reports it here
              br label %b
            b:
              ret void
            }
            define void @g() {
              store i8 0, ptr %b
            ;                 ^^ error[type-mismatch]: expected `ptr`, found the basic block `%b`, whose type is `label`
            ;                  = line 11:1: defined here
            ;                  = line 11:1: LLVM reports it here
              store i8 0, ptr %b
              ret void
            b:
            ;^ hint[unreachable-block]: unreachable block `%b`
              store i8 0, ptr %b
            ;                 ^^ error[type-mismatch]: expected `ptr`, found the basic block `%b`, whose type is `label`
            ;                  = line 11:1: defined here
              ret void
            }
            define void @h() {
              br label %b
            b:
              store i8 0, ptr %b
            ;                 ^^ error[type-mismatch]: expected `ptr`, found the basic block `%b`, whose type is `label`
            ;                  = line 17:1: defined here
              ret void
            }
        "#]]);
}

#[test]
fn a_destination_is_a_label() {
    marks(expect![[r#"
            define void @f(i1 %c, i32 %n) {
              br i1 %c, i64 %a, label %b
            ;               ^^ error[type-mismatch]: expected `label` before the basic block `%a`, found `i64`
            ;                = line 3:1: defined here
            ;                = fix:   br i1 %c, label %a, label %b
            a:
              br ptr %b
            ;    ^^^ error[syntax-error]: expected `label`, found `ptr`
            b:
              switch i32 %n, i1 %a [ i32 1, ptr %d ]
            ;                   ^^ error[type-mismatch]: expected `label` before the basic block `%a`, found `i1`
            ;                    = line 3:1: defined here
            ;                    = fix:   switch i32 %n, label %a [ i32 1, ptr %d ]
            ;                                   ^^ error[type-mismatch]: expected `label` before the basic block `%d`, found `ptr`
            ;                                    = line 7:1: defined here
            ;                                    = fix:   switch i32 %n, i1 %a [ i32 1, label %d ]
            d:
              ret void
            }
        "#]]);
}

#[test]
fn operands_name_the_type_of_their_value() {
    marks(expect![[r#"
            define i64 @f(i32 %a, i32 %b, ptr %p) {
              %s = add i64 %a, %b
            ;              ^^ error[type-mismatch]: expected `i64`, found `%a` of type `i32`
            ;               = line 1:19: defined here
            ;               = fix:   %s = add i32 %a, %b
              %t = mul i64 %a, 3
            ;              ^^ error[type-mismatch]: expected `i64`, found `%a` of type `i32`
            ;               = line 1:19: defined here
            ;               = guess:   %t = mul i32 %a, 3
              store i16 %a, ptr %p
            ;           ^^ error[type-mismatch]: expected `i16`, found `%a` of type `i32`
            ;            = line 1:19: defined here
            ;            = guess:   store i32 %a, ptr %p
              store i32 %p, ptr %p
            ;           ^^ error[type-mismatch]: expected `i32`, found `%p` of type `ptr`
            ;            = line 1:35: defined here
            ;            = fix:   store ptr %p, ptr %p
              br i1 %a, label %b, label %p
            ;       ^^ error[type-mismatch]: expected `i1`, found `%a` of type `i32`
            ;        = line 1:19: defined here
            ;                 ^^ error[type-mismatch]: expected a basic block, found `%b` of type `i32`
            ;                  = line 1:27: defined here
            ;                           ^^ error[type-mismatch]: expected a basic block, found `%p` of type `ptr`
            ;                            = line 1:35: defined here
            }
        "#]]);
}

#[test]
fn a_type_that_is_wrong_is_reported_once() {
    marks(expect![[r#"
            define i8 @f(i8 %a, i8 %b) {
              %c = sub float %a, %b
            ;                ^^ error[type-mismatch]: expected `float`, found `%a` of type `i8`
            ;                 = line 1:17: defined here
              ret i16 %a
            ;     ^^^ error[type-mismatch]: expected `i8`, the function's result type, found `i16`
            ;       = line 1:11: the function
            ;       = fix:   ret i8 %a
            }
            define void @g(i8 %a) {
              switch i16 %a, label %l [
            ;            ^^ error[type-mismatch]: expected `i16`, found `%a` of type `i8`
            ;             = line 5:19: defined here
            ;             = guess:   switch i8 %a, label %l [
                i16 0, label %l
              ]
            l:
              %c = load i8, i64 %p
            ;                   ^^ error[dominance]: definition of `%p` does not dominate this use
            ;                    = line 11:3: defined here
              %p = alloca i8
            ; ^^ error[type-mismatch]: `%p` has type `ptr`, but was used as `i64` before
            ;  = line 10:21: used here
            ; ^^^^^^^^^^^^^^ hint[alloca-outside-entry]: `alloca` outside the entry block allocates each time it is executed
              ret void
            }
        "#]]);
}

#[test]
fn a_name_that_is_defined_twice_is_reported_once() {
    marks(expect![[r#"
            define i8 @f(i8 %a) {
              br label %b
            c:
              %b = add i8 %a, 1
              br label %b
            b:
            ;^ error[duplicate-name]: redefinition of `%b`
            ;= line 4:3: previous definition is here
            ;= line 4:3: LLVM reports it here
              ret i8 %b
            }
        "#]]);
}

#[test]
fn a_type_that_only_the_definition_confirms_is_likely() {
    marks(expect![[r#"
        define void @f(<2 x float> %in, ptr %out) {
          store <2 x half> %in, ptr %out
        ;                  ^^^ error[type-mismatch]: expected `<2 x half>`, found `%in` of type `<2 x float>`
        ;                    = line 1:28: defined here
        ;                    = guess:   store <2 x float> %in, ptr %out
          ret void
        }
        define <2 x float> @g(<2 x float> %in, ptr %out) {
          store <2 x half> %in, ptr %out
        ;                  ^^^ error[type-mismatch]: expected `<2 x half>`, found `%in` of type `<2 x float>`
        ;                    = line 5:35: defined here
        ;                    = fix:   store <2 x float> %in, ptr %out
          ret <2 x float> %in
        }
    "#]]);
}

#[test]
fn what_nothing_defines_is_one_mistake() {
    marks(expect![[r#"
        define i32 @f(ptr %p) {
          %a = add i32 %x, 1
        ;              ^^ error[undefined-value]: use of undefined value `%x`
          store i64 %x, ptr %p
          ret i32 %a
        }
    "#]]);
}

#[test]
fn one_operand_is_one_error() {
    marks(expect![[r#"
        declare i32 @llvm.smin.i32(i32, i32)
        define <8 x i32> @f(<8 x i1> %a, i32 %b) {
          %c = call i32 @llvm.smin.i32(i1 %b, i32 1)
        ;                                 ^^ error[type-mismatch]: expected `i1`, found `%b` of type `i32`
        ;                                  = line 2:38: defined here
        ;                                  = guess:   %c = call i32 @llvm.smin.i32(i32 %b, i32 1)
          %d = sext <88 x i1> %a to <8 x i32>
        ;                     ^^ error[type-mismatch]: expected `<88 x i1>`, found `%a` of type `<8 x i1>`
        ;                      = line 2:30: defined here
        ;                      = guess:   %d = sext <8 x i1> %a to <8 x i32>
          ret <8 x i32> %d
        }
    "#]]);
}
