//! Attributes: where they apply and what they take.

use crate::Severity;

wavelens_syntax::rules! {
    ATTRIBUTE_PLACE {
        code: "attribute-place",
        severity: Severity::Error,
        title: "an attribute is used where it applies: function, parameter or return value",
        explain: "Each attribute applies to functions, parameters, return values, or several of these. In another \
            place it has no meaning and LLVM does not read the file.",
        example: "declare void @f(i32 nounwind)\n",
        fixed: "declare void @f(i32) nounwind\n",
        source: "LLVM `LLParser`: \"this attribute does not apply to parameters\"; LLVM Language Reference, \
            \"Parameter Attributes\" and \"Function Attributes\"",
    }

    INVALID_ATTRIBUTE {
        code: "invalid-attribute",
        severity: Severity::Error,
        title: "the argument of an attribute is within its range",
        explain: "Arguments of attributes have limits: alignments are powers of two, `dereferenceable` is not zero, \
            ranges are not empty. LLVM does not read a file with another value.",
        example: "declare void @f(ptr align 3)\n",
        fixed: "declare void @f(ptr align 4)\n",
        source: "LLVM `LLParser`: \"alignment is not a power of two\"; LLVM Language Reference, \"Parameter \
            Attributes\" and \"Function Attributes\"",
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::llvm::rules::check;

    #[test]
    fn misplaced_attributes() {
        check(
            r#"declare void @f(i32 nounwind noundef, i8 align 3)
declare noreturn i32 @g() zeroext
"#,
            expect![[r#"
                error[attribute-place] 1:21 `nounwind`: `nounwind` applies to functions, not to parameters
                  fix: Remove `nounwind`
                  | declare void @f(i32 noundef, i8 align 3)
                error[attribute-type] 1:42 `align 3`: `align` requires pointers, found `i8`
                error[invalid-attribute] 1:48 `3`: the alignment is not a power of two
                error[attribute-place] 2:9 `noreturn`: `noreturn` applies to functions, not to return values
                  fix: Remove `noreturn`
                  | declare i32 @g() zeroext
                error[attribute-place] 2:27 `zeroext`: `zeroext` applies to parameters and return values, not to functions and calls
                  fix: Remove `zeroext`
                  | declare noreturn i32 @g()
            "#]],
        );
    }
}
