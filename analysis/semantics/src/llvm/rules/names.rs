//! Names: each is defined once, and numbers ascend.

use crate::Severity;

wavelens_syntax::rules! {
    DUPLICATE_NAME {
        code: "duplicate-name",
        severity: Severity::Error,
        title: "a name is defined once",
        explain: "Local names (`%x`) are unique within a function; globals (`@f`), types (`%T`), comdats (`$c`) and \
            metadata nodes (`!0`) within a module.",
        example: r"@counter = global i32 0
@counter = global i32 1
",
        fixed: r"@counter = global i32 0
@limit = global i32 1
",
        source: "LLVM `LLParser`: \"redefinition of global '@counter'\" and \"multiple definition of local value \
            named\"; LLVM Language Reference, \"Identifiers\"",
    }

    WRONG_NUMBER {
        code: "wrong-number",
        severity: Severity::Error,
        title: "unnamed values are numbered in ascending order",
        explain: "Parameters, blocks and instructions without names share one sequence of numbers, and so do \
            unnamed globals; an unlabelled entry block takes a number too. Numbers may be skipped but not go \
            back.",
        example: r"define i32 @f(i32 %0) {
  %1 = add i32 %0, 1
  ret i32 %1
}
",
        fixed: r"define i32 @f(i32 %0) {
  %2 = add i32 %0, 1
  ret i32 %2
}
",
        source: "LLVM `LLParser`: \"instruction expected to be numbered '%2' or greater\"; LLVM Language \
            Reference, \"Identifiers\"",
    }

    VOID_NAMED {
        code: "void-result-named",
        severity: Severity::Error,
        title: "an instruction without a result has no name",
        explain: "`store`, `ret` and calls of `void` functions produce no value that a name could refer to.",
        example: r"define void @f(ptr %p) {
  %x = store i32 0, ptr %p
  ret void
}
",
        fixed: r"define void @f(ptr %p) {
  store i32 0, ptr %p
  ret void
}
",
        source: "LLVM `LLParser`: \"instructions returning void cannot have a name\"",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn values_have_one_name_or_number() {
        check(
            r#"define i32 @f(i32 %x) {
  %x = add i32 1, 2
  %1 = add i32 %x, 1
  %1 = add i32 %1, 1
  %v = store i32 1, ptr null
  %w = call void @g()
  ret i32 %1
}
declare void @g()
"#,
            expect![[r#"
                error[duplicate-name] 2:3 `%x`: redefinition of `%x`
                  1:19 `%x`: previous definition is here
                error[wrong-number] 4:3 `%1`: expected number 2 or higher for this instruction
                  fix: Renumber to `%2`
                  |   %2 = add i32 %1, 1
                error[void-result-named] 5:3 `%v`: an instruction without a result must not be named
                  fix: Remove the name
                  |   store i32 1, ptr null
                error[void-result-named] 6:3 `%w`: an instruction without a result must not be named
                  fix: Remove the name
                  |   call void @g()
            "#]],
        );
    }
}
