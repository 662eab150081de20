use expect_test::{Expect, expect};

use super::*;

/// The texts that the units of a stage make, those alone that have some words.
fn check(text: &str, stage: Stage, words: &str, expected: Expect) {
    let made = |unit: Unit| {
        let mut unit = unit;
        unit.sort_by_key(|edit| edit.range.start());
        TextEdit::apply_all(text, &unit).unwrap_or_default()
    };
    let all: Vec<String> = units(text, stage).into_iter().map(made).filter(|t| t.contains(words)).collect();
    let all: String = all.join("--\n").lines().flat_map(|line| [line.trim_end(), "\n"]).collect();
    expected.assert_eq(&all);
}

const LOOP: &str = "define i32 @f(i32 %a) {\nentry:\n  br label %l\nl:\n  %x = phi i32 [ 0, %entry ], [ %y, %l ]\n  \
    %y = add i32 %x, %a\n  br i1 true, label %l, label %e\ne:\n  ret i32 %y\n}\n";

#[test]
fn a_branch_goes_to_one_of_its_targets() {
    check(
        LOOP,
        Stage::Blocks,
        "br label %e\n",
        expect![[r#"
            define i32 @f(i32 %a) {
            entry:
              br label %l
            l:
              %x = phi i32 [ 0, %entry ]
              %y = add i32 %x, %a
              br label %e
            e:
              ret i32 %y
            }
        "#]],
    );
}

#[test]
fn a_block_becomes_the_end_of_another() {
    check(
        "define i32 @f(i32 %a) {\nentry:\n  %b = add i32 %a, 1\n  br label %e\ne:\n  ret i32 %b\n}\n",
        Stage::Blocks,
        "1\n  ret",
        expect![[r#"
                define i32 @f(i32 %a) {
                entry:
                  %b = add i32 %a, 1
                  ret i32 %b

                }
            "#]],
    );
}

#[test]
fn a_value_becomes_an_operand_or_an_argument() {
    let text = "define i32 @f() {\n  %b = add i32 7, 8\n  ret i32 %b\n}\n";
    check(
        text,
        Stage::Operands,
        "ret i32 7",
        expect![[r#"
                define i32 @f() {
  
                  ret i32 7
                }
            "#]],
    );
    check(
        text,
        Stage::Operands,
        "ret i32 0",
        expect![[r#"
                define i32 @f() {
  
                  ret i32 0
                }
            "#]],
    );
    check(
        text,
        Stage::Values,
        "(i32 %b)",
        expect![[r#"
                define i32 @f(i32 %b) {
  
                  ret i32 %b
                }
            "#]],
    );
}

#[test]
fn a_value_becomes_an_earlier_one_of_its_kind() {
    let text = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 8\n  %c = add i32 %a, 9\n  ret i32 %c\n}\n";
    check(
        text,
        Stage::Operands,
        "ret i32 %b",
        expect![[r#"
            define i32 @f(i32 %a) {
              %b = add i32 %a, 8
  
              ret i32 %b
            }
        "#]],
    );
}

#[test]
fn an_argument_takes_the_place_of_all_that_it_is_computed_from() {
    let text = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  %c = mul i32 %b, %b\n  ret i32 %c\n}\n";
    check(
        text,
        Stage::Values,
        "i32 %c,",
        expect![[r#"
                define i32 @f(i32 %c, i32 %a) {
  
  
                  ret i32 %c
                }
            "#]],
    );
}

#[test]
fn numbers_are_names() {
    let text = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  ret i32 %2\n}\n";
    check(
        text,
        Stage::Instructions,
        "poison",
        expect![[r#"
            define i32 @f(i32 %0) {
  
              ret i32 poison
            }
        "#]],
    );
    check(
        text,
        Stage::Values,
        "%v2",
        expect![[r#"
            define i32 @f(i32 %v2, i32 %0) {
  
              ret i32 %v2
            }
        "#]],
    );
    let text = "define void @f() {\n  call void @f(ptr @f)\n  ret void\n}\n";
    check(
        text,
        Stage::Operands,
        "poison",
        expect![[r#"
            define void @f() {
              call void @f(ptr poison)
              ret void
            }
        "#]],
    );
}

#[test]
fn a_parameter_goes_from_the_function_and_its_calls() {
    let text = "define void @f(i32 %a, i32 %b) {\n  call void @f(i32 1, i32 2)\n  ret void\n}\n";
    check(
        text,
        Stage::Operands,
        "@f(i32 1 )",
        expect![[r#"
            define void @f(i32 %a ) {
              call void @f(i32 1 )
              ret void
            }
        "#]],
    );
}
