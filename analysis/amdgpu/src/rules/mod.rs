//! The rules, one file a rule: about directives, symbols and instructions, which the assembler asks, and over the assembled program.

pub mod declared_resources;
pub mod directive;
pub mod hazards;
mod inserted_line;
pub mod instruction;
pub(crate) mod limit;
mod named_operand;
pub mod symbol;
mod tuning;
pub mod uninitialized_register;
pub mod waits;

use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::context::FunctionContext;
use wavelens_base::{Diagnostic, Rule};

/// Every rule of this dialect. A rule is in the file of its check.
pub static RULES: std::sync::LazyLock<Vec<&'static Rule>> = std::sync::LazyLock::new(|| {
    let others = [
        &[&SYNTAX_ERROR],
        limit::RULES,
        waits::missing_wait::RULES,
        waits::barrier_wait::RULES,
        waits::overwritten_load::RULES,
        uninitialized_register::RULES,
        declared_resources::RULES,
    ];
    (directive::RULES.into_iter())
        .chain(symbol::RULES)
        .chain(instruction::RULES)
        .chain(others)
        .chain(hazards::RULES.iter().copied())
        .chain(tuning::RULES.iter().copied())
        .flatten()
        .copied()
        .collect()
});

/// Runs the rules that follow the control flow on a function.
pub(super) fn check_function(cx: &FunctionContext<'_>, out: &mut Vec<Diagnostic>) {
    let config = hazards::Config { xnack: cx.xnack, pedantic: cx.pedantic };
    waits::missing_wait::missing_waits(cx, config, out);
    waits::barrier_wait::early_barriers(cx, out);
    hazards::hazards(cx, config, out);
    if cx.pedantic {
        tuning::hints(cx, out);
    }
    if let Some(descriptor) = cx.descriptor {
        declared_resources::declared_resources(cx.graph, descriptor, out);
        uninitialized_register::uninitialized(cx.graph, descriptor, cx.text, cx.label, out);
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::testing::marks;

    #[test]
    fn directives() {
        marks(
            "gfx900",
            expect![[r#"
                .foo
                ;^^^ error[unknown-directive]: unknown directive `.foo`
                .p2align 99
                ;        ^^ error[directive-argument]: the alignment must be at most 2^31, is 2^99
                .macro m a
                v_mov_b32 v0, \a
                .endm
                .macro m
                ;^^^^^ error[macro-definition]: macro `m` is already defined
                ;    = line 3: the first definition
                .endm
                .purgem m
                .else
                ;^^^^ error[unbalanced-condition]: `.else` without `.if`
                .if 1
                .else
                .endif
                .warning "w"
                ;^^^^^^^ warning[user-warning]: w
                .loc 9 1
                ;    ^ error[debug-line]: no `.file` gave the number 9
                .file 1 "a.c"
                .loc 1 1
                .p2align 8
                .if 1
                ;^^ error[unbalanced-condition]: this condition has no `.endif`
            "#]],
        );
    }
}
