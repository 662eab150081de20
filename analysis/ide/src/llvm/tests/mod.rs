//! Answers for LLVM IR, as an editor would ask for them.

mod completion;
mod hover;
mod names;
mod positions;
mod reading;
mod structure;

use expect_test::Expect;
use wavelens_base::Dialect;

use crate::features;
use crate::features::tests::{at_cursor, edited, places};

const MODULE: &str = r#"target datalayout = "e-i64:64"
%pair = type { i32, ptr }
@limit = constant i32 10, align 4
@.str = private constant [3 x i8] c"hi\00"

; Adds.
define i32 @sum(i32 noundef %a, i32 %b) #0 {
entry:
  %less = icmp slt i32 %a, %b
  br i1 %less, label %then, label %done

then:                                             ; preds = %entry
  %0 = add nsw i32 %a, %b
  %1 = call i32 @get(ptr @limit, i32 %0)
  br label %done

done:
  %r = phi i32 [ 0, %entry ], [ %1, %then ]
  ret i32 %r
}

declare i32 @get(ptr, i32) #1

attributes #0 = { nounwind "target-cpu"="x86-64" }
attributes #1 = { nofree }
!llvm.ident = !{!0}
!0 = !{!"wavelens"}
"#;

/// The module with the cursor before the first occurrence of `mark`, moved right by `skip`.
fn cursor(mark: &str, skip: usize) -> String {
    let at = MODULE.find(mark).expect("the mark is there") + skip;
    format!("{}$0{}", &MODULE[..at], &MODULE[at..])
}

fn check_hover(fixture: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let text = features::hover(view, at).map_or_else(|| "nothing".to_owned(), |h| h.markdown);
        expected.assert_eq(&(text + "\n"));
    });
}

fn check_references(fixture: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        expected.assert_eq(&places(view, features::references(view, at, true)));
    });
}

fn check_rename(fixture: &str, name: &str, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let text = match features::rename(view, at, name) {
            Ok(edits) => edited(view, edits),
            Err(error) => format!("error: {error}\n"),
        };
        expected.assert_eq(&text);
    });
}

/// The first suggestions, with their details.
fn check_completion(fixture: &str, count: usize, expected: Expect) {
    at_cursor(Dialect::Llvm, fixture, |view, at| {
        let completions = features::complete(view, at);
        let shown: String =
            completions.items.iter().take(count).map(|c| format!("{} {}\n", c.label, c.detail)).collect();
        expected.assert_eq(&shown);
    });
}
