//! Definitions, references, renames.

use expect_test::expect;

use super::*;

#[test]
fn references_of_names() {
    check_references(
        &cursor("%a, i32 %b", 1),
        expect![[r#"
        7:29 %a
        9:24 %a
        13:20 %a
    "#]],
    );
    check_references(
        &cursor("@limit", 1),
        expect![[r#"
        3:1 @limit
        14:26 @limit
    "#]],
    );
    check_references(
        &cursor("done:", 1),
        expect![[r#"
        10:35 %done
        15:12 %done
        17:1 done
    "#]],
    );
    check_references(
        &cursor("#1", 1),
        expect![[r#"
        22:28 #1
        25:12 #1
    "#]],
    );
    check_references(
        &cursor("!0 =", 1),
        expect![[r#"
        26:17 !0
        27:1 !0
    "#]],
    );
}

#[test]
fn definitions_of_what_is_not_written() {
    let fixture = "define i32 @f(i32) {\n  %2 = add i32 %0$0, 1\n  ret i32 %2\n}\n";
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let targets = features::definition(view, at).into_iter().map(|t| t.range);
        expect![[r#"
            1:15 
        "#]]
        .assert_eq(&places(view, targets));
    });
}

#[test]
fn rename_of_names() {
    let fixture =
        "define i32 @f(i32 %a) {\nx:\n  %b = add i32 %a$0, %a\n  br label %y\ny:\n  ret i32 %b\n}\n";
    check_rename(
        fixture,
        "my value",
        expect![[r#"
        define i32 @f(i32 %"my value") {
        x:
          %b = add i32 %"my value", %"my value"
          br label %y
        y:
          ret i32 %b
        }
    "#]],
    );
    check_rename(
        fixture,
        "b",
        expect![[r#"
        error: the name `b` is already in use
    "#]],
    );
    check_rename(
        fixture,
        "7",
        expect![[r#"
            error: the number 7 does not fit the numbering here: choose a name
        "#]],
    );
    check_rename(
        &fixture.replace("$0", "").replace("%y", "%y$0"),
        "%end",
        expect![[r#"
        define i32 @f(i32 %a) {
        x:
          %b = add i32 %a, %a
          br label %end
        end:
          ret i32 %b
        }
    "#]],
    );
    check_rename(
        &fixture.replace("$0", "").replace("@f", "@f$0"),
        "g",
        expect![[r#"
        define i32 @g(i32 %a) {
        x:
          %b = add i32 %a, %a
          br label %y
        y:
          ret i32 %b
        }
    "#]],
    );
}

#[test]
fn rename_of_numbered_values_renumbers() {
    let fixture = "define i32 @f(i32 %0) {\n  %2 = add i32 %0, 1\n  %3 = mul i32 %2, %2\n  br label %4\n4:\n  ret i32 %3\n}\n";
    check_rename(
        &fixture.replace("%2, %2", "%2$0, %2"),
        "sum",
        expect![[r#"
        define i32 @f(i32 %0) {
          %sum = add i32 %0, 1
          %2 = mul i32 %sum, %sum
          br label %3
        3:
          ret i32 %2
        }
    "#]],
    );
    check_rename(
        &fixture.replace("%0, 1", "%0$0, 1"),
        "x",
        expect![[r#"
        define i32 @f(i32 %x) {
          %1 = add i32 %x, 1
          %2 = mul i32 %1, %1
          br label %3
        3:
          ret i32 %2
        }
    "#]],
    );
    check_rename(
        &fixture.replace("%4", "%4$0"),
        "end",
        expect![[r#"
        define i32 @f(i32 %0) {
          %2 = add i32 %0, 1
          %3 = mul i32 %2, %2
          br label %end
        end:
          ret i32 %3
        }
    "#]],
    );
}

#[test]
fn rename_writes_what_was_not_written() {
    let fixture = "define i32 @f(i32) {\n  br label %2\n2:\n  %3 = add i32 %0$0, 1\n  ret i32 %3\n}\n";
    check_rename(
        fixture,
        "x",
        expect![[r#"
        define i32 @f(i32 %x) {
          br label %1
        1:
          %2 = add i32 %x, 1
          ret i32 %2
        }
    "#]],
    );
}

#[test]
fn rename_writes_a_label() {
    let fixture = "define void @f() {\n  %1 = add i32 0, 0\n  br label %2\n2:\n  br label %0$0\n}\n";
    check_rename(
        fixture,
        "entry",
        expect![[r#"
        define void @f() {
        entry:
          %0 = add i32 0, 0
          br label %1
        1:
          br label %entry
        }
    "#]],
    );
}
