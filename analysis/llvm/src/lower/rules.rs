//! The rules that lowering itself checks: what it cannot represent, it reports.
//!
//! They are declared here and not with the rules over the lowered form, so that lowering depends on nothing above it. Some of
//! those rules report the same mistake where only the whole module shows it.

use wavelens_base::{Diagnostic, Severity};
use wavelens_syntax::llvm::SYNTAX_ERROR;

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

    UNDEFINED_VALUE {
        code: "undefined-value",
        severity: Severity::Error,
        title: "each value that is used is defined",
        explain: "A local `%x` must be defined in its function, a global `@f` in its module. Functions and \
            variables of other modules need a declaration (`declare`, `external global`).",
        example: r"define i32 @f(i32 %item) {
  ret i32 %itme
}
",
        fixed: r"define i32 @f(i32 %item) {
  ret i32 %item
}
",
        source: "LLVM `LLParser`: \"use of undefined value '%itme'\"; LLVM Language Reference, \"Identifiers\"",
    }

    LOCAL_OUTSIDE {
        code: "local-in-constant",
        severity: Severity::Error,
        title: "constants and module-level entities do not refer to `%` values",
        explain: "Constants are known at link time. Values of a function exist only while it runs, so nothing \
            outside it can refer to them.",
        example: "@g = global ptr %x\n",
        fixed: "@g = global ptr null\n",
        source: "LLVM `LLParser`: \"invalid use of function-local name\"",
    }

    INVALID_NAME {
        code: "invalid-name",
        severity: Severity::Error,
        title: "a name does not contain a NUL character",
        explain: "A quoted name may contain any character except NUL (`\\00`), which ends strings in object files.",
        example: "@\"a\\00b\" = global i32 0\n",
        fixed: "@\"a\\01b\" = global i32 0\n",
        source: "LLVM `LLLexer`: \"NUL character is not allowed in names\"; LLVM Language Reference, \"Identifiers\"",
    }

    USE_LIST_ORDER {
        code: "use-list-order",
        severity: Severity::Error,
        title: "the indexes of `uselistorder` are a permutation of the value's uses, other than the identity",
        explain: "The directive restores the order of a value's uses in memory. The indexes must be distinct, less \
            than their number, and change the order, and there must be as many as the value has uses before the \
            directive. Operands of phi that are blocks, and metadata, are not uses.",
        example: r"define i32 @f(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
  uselistorder i32 %x, { 0, 1 }
}
",
        fixed: r"define i32 @f(i32 %x) {
  %y = add i32 %x, %x
  ret i32 %y
  uselistorder i32 %x, { 1, 0 }
}
",
        source: "LLVM `LLParser`: \"expected uselistorder indexes to change the order\" and \"wrong number of indexes\"; LLVM Language Reference, \
            \"Use-list Order Directives\"",
    }

    INVALID_TYPE {
        code: "invalid-type",
        severity: Severity::Error,
        title: "a type is used where it is allowed",
        explain: "`void` is only a function's result, functions are only reached through pointers, vectors have \
            integer, floating-point or pointer elements, and integers have at most 2^23 bits.",
        example: "@g = external global [4 x void]\n",
        fixed: "@g = external global [4 x i32]\n",
        source: "LLVM `LLParser`: \"void type only allowed for function results\"; LLVM Language Reference, \"Type \
            System\"",
    }

    INVALID_LINKAGE {
        code: "invalid-linkage",
        severity: Severity::Error,
        title: "linkage, visibility and DLL storage class are allowed for the entity",
        explain: "Declarations are `external` or `extern_weak`; symbols with local linkage have default visibility \
            and no DLL storage class, because no other module sees them.",
        example: "declare weak void @f()\n",
        fixed: "declare void @f()\n",
        source: "LLVM `LLParser`: \"invalid linkage for function declaration\" and \"symbol with local linkage \
            must have default visibility\"; LLVM Language Reference, \"Linkage Types\"",
    }

    INVALID_CONSTANT {
        code: "invalid-constant",
        severity: Severity::Error,
        title: "a constant has the form and range of its type",
        explain: "A constant must be valid for the type before it: an integer for an integer type, elements that \
            agree with the aggregate, a decimal number within the range of the floating-point type. Before LLVM 23 the \
            type had to represent it exactly.",
        example: "@large = global half 65520.0\n",
        fixed: "@large = global half 65504.0\n",
        source: "LLVM `LLParser`: \"floating point constant invalid for type\" and \"integer constant must have \
            integer type\"; LLVM Language Reference, \"Constants\"",
    }
}

/// Removes what is said about numbers below a syntax error: what cannot be read may have had some.
pub(crate) fn retract_explained(diagnostics: &mut Vec<Diagnostic>) {
    let errors = diagnostics.iter().filter(|d| d.rule == &SYNTAX_ERROR);
    if let Some(first) = errors.map(|d| d.range.start()).min() {
        diagnostics.retain(|d| d.rule != &WRONG_NUMBER || d.range.start() < first);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::check;

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
                error[invalid-attribute] 1:48 `3`: the alignment must be a power of two, is 3
                error[attribute-place] 2:9 `noreturn`: `noreturn` applies to functions, not to return values
                  fix: Remove `noreturn`
                  | declare i32 @g() zeroext
                error[attribute-place] 2:27 `zeroext`: `zeroext` applies to parameters and return values, not to functions and calls
                  fix: Remove `zeroext`
                  | declare noreturn i32 @g()
            "#]],
        );
    }

    #[test]
    fn a_first_block_without_label_has_a_number() {
        check(
            "define void @f() {\n  %0 = add i32 1, 2\n  br label %entry\nb:\n  br label %4\n}\n",
            expect![[r#"
                error[wrong-number] 2:3 `%0`: `%0` is the first block, which has no label: expected number 1 or higher for this instruction
                  fix: Renumber to `%1`
                  |   %1 = add i32 1, 2
                error[undefined-value] 3:12 `%entry`: use of undefined block `%entry`; the first block of the function has no label
                error[undefined-value] 5:12 `%4`: use of undefined block `%4`
            "#]],
        );
    }

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
                warning[invalid-dereference] 5:25 `null`: store through a null pointer is undefined behavior
                error[void-result-named] 6:3 `%w`: an instruction without a result must not be named
                  fix: Remove the name
                  |   call void @g()
            "#]],
        );
    }
}
