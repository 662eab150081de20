//! LLVM IR constants in constant pools and memory operands.

use super::{ir_names, names};
use crate::context::RuleContext;
use crate::lower::bare;
use wavelens_base::TextRange;

/// An LLVM IR constant with its type. Names of globals inside an expression are not looked up: LLVM assumes that unknown ones
/// are defined later.
pub(super) fn check(cx: &mut RuleContext<'_>, text: &str, range: TextRange) -> bool {
    let module = format!("@constant = global {text}\n");
    if text.contains(['@', '%']) {
        let syntax_error = wavelens_llvm::lower(&module)
            .diagnostics
            .into_iter()
            .find(|d| d.rule == &wavelens_syntax::llvm::SYNTAX_ERROR);
        if let Some(error) = syntax_error {
            cx.report(
                &names::BAD_IMMEDIATE,
                range,
                format!("expected an LLVM IR constant: {}", error.message),
            );
            return false;
        }
        let value = after_type(text);
        if let Some(names) = value.strip_prefix("blockaddress").map(str::trim_start) {
            let names = names.strip_prefix('(').and_then(|n| n.trim_end().strip_suffix(')'));
            let Some((function, block)) = names.and_then(|n| n.split_once(',')) else { return true };
            let (function, block) = (function.trim(), bare(block.trim(), "%"));
            let is_unnamed = function.bytes().skip(1).all(|b| b.is_ascii_digit());
            let function = if is_unnamed { function.to_owned() } else { bare(function, "@") };
            return ir_names::check_block_address(cx, &function, &block, range);
        }
        if !value.starts_with(['@', '%']) {
            return true;
        }
        let message = format!("expected a constant literal or expression, found `{value}`");
        cx.report(&names::BAD_IMMEDIATE, range, message);
        return false;
    }
    let found = wavelens_llvm::check_alone(&module);
    let Some(problem) = found.iter().find(|d| d.severity == wavelens_base::Severity::Error) else {
        return true;
    };
    let message = format!(
        "expected an LLVM IR constant with its type (such as `float 1.0` or `ptr undef`): {}",
        problem.message
    );
    cx.report(&names::BAD_IMMEDIATE, range, message);
    false
}

/// The text after the type of a constant.
fn after_type(text: &str) -> &str {
    let mut depth = 0u32;
    let end = text.find(|c: char| {
        match c {
            '<' | '[' | '{' | '(' => depth += 1,
            '>' | ']' | '}' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && c.is_whitespace()
    });
    let value = end.and_then(|end| text.get(end..)).unwrap_or("").trim();
    let space = value.strip_prefix("addrspace").filter(|rest| rest.trim_start().starts_with('('));
    match space {
        Some(space) => space.split_once(')').map_or("", |(_, value)| value.trim_start()),
        None => value,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;
    use wavelens_base::Dialect;
    use wavelens_check::testing::findings;

    #[test]
    fn constants_that_name_the_module() {
        let with = |constant: &str| {
            let text = format!(
                "--- |\n  @g = global i32 0\n  define void @f() {{\n  a:\n    br label %b\n  b:\n    ret void\n  }}\n...\n---\nname: f\nconstants:\n  - {{ id: 0, value: '{constant}' }}\nbody: |\n  bb.0:\n    S_ENDPGM 0\n...\n"
            );
            findings(Dialect::Mir, &text)
        };
        for right in [
            "ptr blockaddress(@f, %b)",
            "ptr addrspacecast (ptr addrspace(1) @missing to ptr)",
            "<2 x ptr> <ptr @g, ptr @missing>",
            "ptr dso_local_equivalent @f",
        ] {
            assert_eq!(with(right), "");
        }
        expect![[r#"
            error[bad-ir-immediate] 13:22 `ptr addrspace(1) @g`: expected a constant literal or expression, found `@g`
        "#]]
        .assert_eq(&with("ptr addrspace(1) @g"));
        expect![[r#"
            error[undefined-ir-block] 13:22 `ptr blockaddress(@f, %c)`: use of undefined block `c` of `@f`
        "#]]
        .assert_eq(&with("ptr blockaddress(@f, %c)"));
        expect![[r#"
            error[undefined-ir-global] 13:22 `ptr blockaddress(@g, %b)`: use of undefined function `@g`
        "#]]
        .assert_eq(&with("ptr blockaddress(@g, %b)"));
    }

    #[test]
    fn constants_are_checked_as_ir() {
        marks(expect![[r#"
            ---
            name: f
            constants:
              - { id: 0, value: '<2 x float> <float 1.0, i32 undef>' }
            ;                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[bad-ir-immediate]: expected an LLVM IR constant with its type (such as `float 1.0` or `ptr undef`): expected `float` for the element at index 1, as for the first, found `i32`
            body: |
              bb.0:
                S_ENDPGM 0
            ...
        "#]]);
        let at = |constant: &str| {
            let body = format!(
                "  bb.0:\n    %0:_(p3) = G_IMPLICIT_DEF\n    %1:_(s32) = G_LOAD %0 :: (load (s32) from `{constant}`, addrspace 3)\n"
            );
            crate::rules::findings("tracksRegLiveness: true\n", &body)
        };
        assert_eq!(at("ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @lds, i32 12)"), "");
        assert_eq!(at("ptr addrspace(3) getelementptr (%t, ptr addrspace(3) null, i32 0, i32 3)"), "");
        assert!(at("ptr addrspace(3) 4").contains("bad-ir-immediate"));
    }
}
