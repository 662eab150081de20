//! Names: each is defined once, and numbers ascend.

use crate::{Rule, Severity};

pub static DUPLICATE_NAME: Rule = Rule {
    code: "duplicate-name",
    severity: Severity::Error,
    explain: "A name is defined once: `%x` within a function, `@f`, `%T`, `$c` and `!0` within a module. Source: LLVM Language \
              Reference, *Identifiers*.",
    ..Rule::UNDOCUMENTED
};

pub static WRONG_NUMBER: Rule = Rule {
    code: "wrong-number",
    severity: Severity::Error,
    explain: "Unnamed values are numbered in the order in which they are defined; parameters, blocks and instructions of a \
              function share one sequence. A number may be skipped but not come back. Source: LLVM Language Reference, *Identifiers*.",
    ..Rule::UNDOCUMENTED
};

pub static VOID_NAMED: Rule = Rule {
    code: "void-result-named",
    severity: Severity::Error,
    explain: "Instructions that give no value (`store`, `ret`, a call of a `void` function, ...) cannot be named.",
    ..Rule::UNDOCUMENTED
};

pub const RULES: &[&Rule] = &[&DUPLICATE_NAME, &WRONG_NUMBER, &VOID_NAMED];

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
                error[duplicate-name] 2:3 `%x`: `%x` is defined twice
                  1:19 `%x`: first defined here
                error[duplicate-name] 4:3 `%1`: `%1` is defined twice
                  3:3 `%1`: first defined here
                error[wrong-number] 4:3 `%1`: this instruction must be numbered 2 or higher
                  fix: Renumber to `%2`
                  |   %2 = add i32 %1, 1
                error[void-result-named] 5:3 `%v`: this instruction gives no value that could be named
                  fix: Remove the name
                  |   store i32 1, ptr null
                error[void-result-named] 6:3 `%w`: this instruction gives no value that could be named
                  fix: Remove the name
                  |   call void @g()
            "#]],
        );
    }
}
