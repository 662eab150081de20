//! What the assembler reports.

pub mod declared;
pub mod hazards;
pub mod initialized;
pub mod limit;
pub mod waits;

use crate::{Rule, Severity};

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $severity:ident, $explain:literal;)*) => {
        $($(#[$doc])* pub(crate) static $name: Rule = Rule { code: $code, severity: Severity::$severity, explain: $explain, ..Rule::UNDOCUMENTED };)*
        /// All of this file.
        pub(crate) const ASSEMBLER: &[&Rule] = &[$(&$name),*];
    };
}

rules! {
    UNKNOWN_INSTRUCTION = "unknown-instruction", Error,
        "No processor has an instruction of this name, and no macro of this name is defined before this line.\n\nMacros must be defined above their first use.";
    WRONG_TARGET = "instruction-not-on-target", Error,
        "The instruction exists, but not on the processor that this file is assembled for. The target comes from the command line, the settings, or `.amdgcn_target`.";
    WRONG_ENCODING = "encoding-not-on-target", Error,
        "The suffix (`_e32`, `_e64`, `_dpp`, `_sdwa`) asks for an encoding that the instruction does not have on this processor.";
    INVALID_OPERAND = "invalid-operand", Error,
        "The operand is of a kind that the instruction cannot take at this place: the wrong register file, the wrong number of registers, or a constant where only a register can stand.";
    OPERAND_COUNT = "operand-count", Error,
        "The instruction has too few or too many operands.";
    NO_SUCH_REGISTER = "no-such-register", Error,
        "The register does not exist, or not on this processor.";
    REGISTER_ALIGNMENT = "register-alignment", Error,
        "Register tuples start at certain registers only: pairs of scalar registers at even ones, larger tuples at multiples of four, and vector tuples at even ones on gfx90a and later CDNA processors.";
    OPERAND_RANGE = "operand-out-of-range", Error,
        "The number does not fit into the field that the encoding has for it.";
    INVALID_MODIFIER = "invalid-modifier", Error,
        "The instruction does not have this modifier, has it twice, or not with this value.";
    LITERAL = "literal-not-allowed", Error,
        "A 32-bit literal takes a dword of its own after the instruction. Some encodings have no place for one, and none has place for two different ones. Inline constants (-16..64, 0.5, 1.0, 2.0, 4.0 and their negatives) can always be used.";
    CONSTANT_BUS = "constant-bus-limit", Error,
        "A vector instruction can read only one scalar value before gfx10, and two from gfx10 on: scalar registers, literals and `vcc` count, and the same register counts once.";
    OPERAND_CONFLICT = "operand-conflict", Error,
        "Two operands must be the same register, or must not overlap.";
    UNDEFINED_SYMBOL = "undefined-symbol", Error,
        "A number must be known here, but the symbol has no value yet: it is defined below, or not at all. What a build defines can be given with `-D NAME=VALUE`.";
    NOT_ABSOLUTE = "not-absolute", Error,
        "A number must be known here, but the expression depends on where the linker puts something.";
    SYMBOL_REDEFINITION = "symbol-redefinition", Error,
        "A label, or a symbol made with `.equiv`, gets a second definition. Symbols made with `=` and `.set` can change their value.";
    UNDEFINED_LABEL = "undefined-label", Error,
        "A branch goes to a label that this file does not define, or a numbered label is not there in this direction.";
    BRANCH_RANGE = "branch-range", Error,
        "A branch reaches 32768 dwords back and 32767 forward from the next instruction.";
    UNKNOWN_DIRECTIVE = "unknown-directive", Error,
        "A word that starts with a dot is a directive, and there is none of this name for this target.";
    DIRECTIVE_ARGUMENT = "directive-argument", Error,
        "The directive does not take this argument, or one is missing.";
    DATA_RANGE = "data-out-of-range", Error,
        "The number fits neither as a signed nor as an unsigned value into the bytes that the directive makes.";
    SECTION = "section", Error,
        "Sections cannot be used like this: unknown flags or types, `.popsection` without `.pushsection`, or a second type for a known section.";
    MACRO_DEFINITION = "macro-definition", Error,
        "The macro's head is malformed, the macro is already defined (remove it with `.purgem` first), or its end is missing.";
    MACRO_CALL = "macro-call", Error,
        "The arguments do not fit the macro's parameters, or macros call each other without end.";
    CONDITION = "unbalanced-condition", Error,
        "`.if`, `.else` and `.endif` must come in pairs.";
    USER_ERROR = "user-error", Error,
        "The source asked for this error with `.error` or `.err`.";
    USER_WARNING = "user-warning", Warning,
        "The source asked for this warning with `.warning`.";
    INCLUDE = "include", Error,
        "The file cannot be read. Only files inside the workspace are looked at.";
    TARGET_MISMATCH = "target-mismatch", Error,
        "`.amdgcn_target` names another processor or other settings than the file is assembled for.";
    KERNEL_DESCRIPTOR = "kernel-descriptor", Error,
        "A kernel descriptor (`.amdhsa_kernel` to `.end_amdhsa_kernel`) takes each directive once, needs the register counts, and has directives that only some processors know.";
    METADATA = "metadata", Error,
        "The metadata does not hold what the code object format asks for.";
    EXPRESSION = "expression", Error,
        "The expression is not complete, or cannot be evaluated.";
    LAYOUT = "layout", Error,
        "When all addresses are known, this cannot be placed: an `.org` goes back, a fill is negative, or a difference spans sections.";
    CFI = "cfi", Error,
        "Call frame directives stand between `.cfi_startproc` and `.cfi_endproc`.";
    DEBUG_LINE = "debug-line", Error,
        "`.file` and `.loc` describe source lines: numbers start at 1 (0 in DWARF 5), and a file must be declared before its lines.";
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::testing::check;

    #[test]
    fn instructions() {
        check(
            "gfx900",
            "v_foo v0\nv_add_nc_u32 v0, v1, v2\nv_add3_u32_e32 v0, v1, v2, v3\nv_mov_b32 s0, v1\nv_mov_b32 v0\nv_mov_b32 v256, v0\n\
ds_read_b32 v0, v1 offset:70000\nv_add3_u32 v0, s0, s1, v2\nv_add3_u32 v0, 0x12345, v1, v2\n\
v_add_u32 v0, v1, v2\nv_add3_u32 v0, s0, s0, v2\nv_mov_b32 v255, 0x12345\n",
            expect![[r#"
                1: unknown-instruction: unknown instruction `v_foo`
                2: instruction-not-on-target: `v_add_nc_u32` does not exist on gfx900; these have it: gfx1010, gfx1011, gfx1012, gfx1013, gfx1030, gfx1031, gfx1032, gfx1033, gfx1034, gfx1035, gfx1036, gfx10-1-generic, gfx10-3-generic, gfx1100, gfx1101, gfx1102, gfx1103, gfx1150, gfx1151, gfx1152, gfx1153, gfx11-generic, gfx1200, gfx1201, gfx12-generic, gfx1250, gfx1251
                3: encoding-not-on-target: `v_add3_u32_e32` has no e32 encoding on gfx900
                4: invalid-operand: `v_mov_b32` takes a single vector register here
                5: operand-count: `v_mov_b32` needs a vector or scalar register or an immediate here
                6: no-such-register: there is no register `v256`
                7: operand-out-of-range: 70000 is not a 16-bit unsigned offset
                8: constant-bus-limit: reads 2 scalar values; a vector instruction of gfx900 can read 1
                9: literal-not-allowed: this encoding has no room for a literal on gfx900
            "#]],
        );
        check(
            "gfx908",
            "v_mfma_f32_16x16x1f32 a[2:17], v0, v1, a[0:15]\nv_mfma_f32_16x16x1f32 a[0:15], v0, v1, a[0:15]\n",
            expect![[r#"
                1: operand-conflict: the third source must be the result's registers, or share none of them
            "#]],
        );
    }

    #[test]
    fn directives() {
        check(
            "gfx900",
            ".foo\n.p2align 99\n.macro m a\nv_mov_b32 v0, \\a\n.endm\n.macro m\n.endm\n.purgem m\n.else\n.if 1\n.else\n.endif\n\
.warning \"w\"\n.loc 9 1\n.file 1 \"a.c\"\n.loc 1 1\n.p2align 8\n.if 1\n",
            expect![[r#"
                1: unknown-directive: there is no directive `.foo`
                2: directive-argument: 2 to the 99 is too large an alignment
                6: macro-definition: macro `m` is already defined
                9: unbalanced-condition: `.else` without `.if`
                13: user-warning: w
                14: debug-line: no `.file` gave the number 9
                18: unbalanced-condition: this condition has no `.endif`
            "#]],
        );
    }
}
