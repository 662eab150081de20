//! The rules, one file a rule: about directives, symbols and instructions, which the assembler asks, and over the assembled program.

pub mod declared_resources;
pub mod directive;
pub mod hazards;
mod inserted_line;
pub mod instruction;
mod kernel_arguments;
pub(crate) mod limit;
mod matrix_scale;
pub(crate) mod metadata_mismatch;
mod named_operand;
pub mod symbol;
mod tuning;
pub mod uninitialized_register;
mod vgpr_banks;
pub mod waits;

use wavelens_syntax::amdgpu::SYNTAX_ERROR;

use super::context::RuleContext;
use wavelens_base::Rule;

/// A family of rules: those of one file, and the check that reports them. What the assembler asks has no check here.
pub(crate) struct Family {
    rules: &'static [&'static Rule],
    function: Option<fn(&mut RuleContext<'_>)>,
}

impl Family {
    const fn of(rules: &'static [&'static Rule]) -> Family {
        Family { rules, function: None }
    }

    /// Looks at each function, in the order of the list.
    const fn function(self, check: fn(&mut RuleContext<'_>)) -> Family {
        Family { function: Some(check), ..self }
    }
}

/// What the grammar reports.
const SYNTAX: &[&Rule] = &[&SYNTAX_ERROR];

/// The families of this folder. Those of the folders inside are listed there.
const FAMILIES: &[Family] = &[
    Family::of(SYNTAX),
    Family::of(limit::RULES),
    Family::of(waits::missing_wait::RULES).function(waits::missing_wait::function),
    Family::of(waits::overwritten_load::RULES),
    Family::of(waits::barrier_wait::RULES).function(waits::barrier_wait::function),
    Family::of(waits::missing_alu_wait::RULES).function(waits::missing_alu_wait::function),
    Family::of(waits::async_copy_wait::RULES).function(waits::async_copy_wait::function),
    Family::of(waits::lds_copy_wait::RULES).function(waits::lds_copy_wait::function),
    Family::of(&[]).function(hazards::function),
    Family::of(&[]).function(tuning::function),
    Family::of(matrix_scale::RULES).function(matrix_scale::function),
    Family::of(vgpr_banks::RULES).function(vgpr_banks::function),
    Family::of(declared_resources::RULES).function(declared_resources::function),
    Family::of(metadata_mismatch::RULES).function(metadata_mismatch::function),
    Family::of(kernel_arguments::RULES).function(kernel_arguments::function),
    Family::of(uninitialized_register::RULES).function(uninitialized_register::function),
];

/// Every rule of this dialect.
pub static RULES: std::sync::LazyLock<Vec<&'static Rule>> = std::sync::LazyLock::new(|| {
    let folders = [&directive::RULES[..], &symbol::RULES, &instruction::RULES, hazards::RULES, tuning::RULES];
    let own = FAMILIES.iter().map(|family| family.rules);
    folders.into_iter().flatten().copied().chain(own).flatten().copied().collect()
});

/// Runs the rules that follow the control flow on a function.
pub(super) fn check_function(cx: &mut RuleContext<'_>) {
    for check in FAMILIES.iter().filter_map(|family| family.function) {
        check(cx);
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
                ;    = line 3:8: the first definition
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
