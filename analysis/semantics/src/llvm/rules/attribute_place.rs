//! Attributes: where they may stand and what they take.

use crate::{Rule, Severity};

pub static ATTRIBUTE_PLACE: Rule = Rule {
    code: "attribute-place",
    severity: Severity::Error,
    explain: "Each attribute applies to functions, to parameters, to return values, or to several of these. Source: LLVM Language \
              Reference, *Parameter Attributes* and *Function Attributes*.",
    ..Rule::UNDOCUMENTED
};

pub static INVALID_ATTRIBUTE: Rule = Rule {
    code: "invalid-attribute",
    severity: Severity::Error,
    explain: "An attribute's argument is out of its range: alignments are powers of two, `dereferenceable` is not zero, ranges are not \
              empty. Source: LLVM Language Reference, *Parameter Attributes* and *Function Attributes*.",
    ..Rule::UNDOCUMENTED
};

pub const RULES: &[&Rule] = &[&ATTRIBUTE_PLACE, &INVALID_ATTRIBUTE];

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn words_in_the_wrong_place() {
        check(
            r#"declare void @f(i32 nounwind noundef, i8 align 3)
declare noreturn i32 @g() zeroext
"#,
            expect![[r#"
                error[attribute-place] 1:21 `nounwind`: `nounwind` is for functions, not for parameters
                  fix: Remove `nounwind`
                  | declare void @f(i32 noundef, i8 align 3)
                error[attribute-type] 1:42 `align 3`: `align` is for pointers, this is i8
                error[invalid-attribute] 1:48 `3`: the alignment is not a power of two
                error[attribute-place] 2:9 `noreturn`: `noreturn` is for functions, not for return values
                  fix: Remove `noreturn`
                  | declare i32 @g() zeroext
                error[attribute-place] 2:27 `zeroext`: `zeroext` is for parameters and return values, not for functions and calls
                  fix: Remove `zeroext`
                  | declare noreturn i32 @g()
            "#]],
        );
    }
}
