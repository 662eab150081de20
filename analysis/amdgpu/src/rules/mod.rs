//! The rules about instructions and over the assembled program, and the list of all rules. What the assembler checks of directives,
//! macros and expressions is declared next to each check in [`assembler`](super::assembler).

pub mod declared;
pub mod hazards;
pub mod initialized;
mod inserted_line;
pub mod instruction;
mod named_operand;
mod tuning;
pub mod waits;

use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::assembler;
use super::context::FunctionContext;
use wavelens_base::{Diagnostic, Rule};

/// Every rule of this dialect. A rule is in the file of its check.
pub static RULES: std::sync::LazyLock<Vec<&'static Rule>> = std::sync::LazyLock::new(|| {
    let first = [
        &[&SYNTAX_ERROR],
        assembler::attributes::RULES,
        assembler::conditions::RULES,
        assembler::debug_info::RULES,
        assembler::directives::RULES,
        assembler::target_directives::RULES,
        assembler::expression::RULES,
        assembler::includes::RULES,
        assembler::kernel_descriptor::RULES,
        assembler::layout::RULES,
        assembler::macros::RULES,
        assembler::metadata::RULES,
    ];
    let last = [
        assembler::sections::RULES,
        assembler::limit::RULES,
        waits::RULES,
        waits::barrier::RULES,
        waits::overwritten::RULES,
        initialized::RULES,
        declared::RULES,
    ];
    first
        .into_iter()
        .chain(instruction::RULES)
        .chain(last)
        .chain(hazards::RULES.iter().copied())
        .chain(tuning::RULES.iter().copied())
        .flatten()
        .copied()
        .collect()
});

/// Runs the rules that follow the control flow on a function.
pub(super) fn check_function(cx: &FunctionContext<'_>, out: &mut Vec<Diagnostic>) {
    let config = hazards::Config { xnack: cx.xnack, pedantic: cx.pedantic };
    waits::missing_waits(cx, config, out);
    waits::barrier::early_barriers(cx, out);
    hazards::hazards(cx, config, out);
    if cx.pedantic {
        tuning::hints(cx, out);
    }
    if let Some(descriptor) = cx.descriptor {
        declared::declared_resources(cx.graph, descriptor, out);
        initialized::uninitialized(cx.graph, descriptor, cx.text, cx.label, out);
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
