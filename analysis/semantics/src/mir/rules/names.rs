//! Names of the target: opcodes, registers, classes, operands, flags.

use wavelens_syntax::spelling::closest;

use super::{block_names, debug_expression, frame_objects};
use crate::Diagnostic;
use crate::TextRange;
use crate::mir::context::{RuleContext, VirtualKind};
use crate::mir::model::*;

wavelens_syntax::rules! {
    UNKNOWN_OPCODE {
        code: "unknown-opcode",
        severity: crate::Severity::Error,
        title: "an instruction is one of the target",
        explain: "The names are those of the `.td` files of the target.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MVO_B32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseInstruction: \"unknown machine instruction name\"",
    }

    UNKNOWN_REGISTER {
        code: "unknown-register",
        severity: crate::Severity::Error,
        title: "a physical register is one of the target",
        explain: "Register names are written in lower case.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr9999 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegister: \"unknown register name\"",
    }

    UNKNOWN_SUBREGISTER {
        code: "unknown-subregister",
        severity: crate::Severity::Error,
        title: "a subregister index is one of the target",
        explain: "The index selects a part of a virtual register.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0.sub77
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vreg_64 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0.sub1
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseSubRegisterIndex: \"use of unknown subregister index\"",
    }

    UNKNOWN_CLASS {
        code: "unknown-register-class",
        severity: crate::Severity::Error,
        title: "a register class or bank is one of the target",
        explain: "`_` is a generic register without a bank.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_23 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseRegisterClassOrBank: \"use of undefined register class or register bank\"",
    }

    UNKNOWN_OPERAND {
        code: "unknown-operand",
        severity: crate::Severity::Error,
        title: "a bare word as operand is a register mask or the type of an immediate",
        explain: "Masks are written in lower case, immediates with a type as `i32 7`.",
        example: r#"---
name: f
body: |
  bb.0:
    S_NOP foo
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_NOP 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachineOperand: \"expected a machine operand\"",
    }

    UNKNOWN_TARGET_NAME {
        code: "unknown-target-name",
        severity: crate::Severity::Error,
        title: "a target flag, index or pseudo source value is one of the target",
        explain: "The names are those that the target registers for serialization.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 target-flags(foo) 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseMachineOperandAndTargetFlags: \"use of undefined target flag\"",
    }

    UNDEFINED_CONSTANT {
        code: "undefined-constant-pool-item",
        severity: crate::Severity::Error,
        title: "a constant pool item is declared once in `constants:`",
        explain: "The value comes from the declaration.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %const.0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
constants:
  - { id: 0, value: 'i32 7', alignment: 4 }
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %const.0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseConstantPoolIndexOperand: \"use of undefined constant\"",
    }

    UNDEFINED_JUMP_TABLE {
        code: "undefined-jump-table",
        severity: crate::Severity::Error,
        title: "a jump table is declared once in `jumpTable:`",
        explain: "The targets come from the declaration.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %jump-table.0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
jumpTable:
  kind: block-address
  entries:
    - { id: 0, blocks: [ '%bb.0' ] }
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 %jump-table.0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseJumpTableIndexOperand: \"use of undefined jump table\"",
    }

    BAD_IMMEDIATE {
        code: "bad-ir-immediate",
        severity: crate::Severity::Error,
        title: "a typed immediate is an integer constant that fits its type",
        explain: "The type is written as `iN`.",
        example: r#"---
name: f
constants:
  - { id: 0, value: 'i32 x', alignment: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
constants:
  - { id: 0, value: 'i32 7', alignment: 4 }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::parseTypedImmediateOperand: \"expected an integer\"",
    }
}

pub(super) fn report_unknown_opcode(cx: &mut RuleContext<'_>, instruction: &Instruction) {
    let name = cx.f.opcode_text(instruction).to_owned();
    let mut d =
        Diagnostic::new(&UNKNOWN_OPCODE, instruction.opcode_range, format!("unknown instruction `{name}`"));
    // A file for another target has nothing but unknown opcodes: the first few are worth a search.
    let searched = cx.diagnostics.iter().filter(|d| d.rule == &UNKNOWN_OPCODE).take(5).count();
    if searched < 5 {
        let known = cx.t.opcodes_with_prefix(name.get(..2).unwrap_or(""), usize::MAX);
        d = nearest(d, &name, known.iter().map(|(_, n)| n.as_str()));
    }
    cx.diagnostics.push(d);
}

/// Adds the fix that writes the word that was meant, where one is close.
fn nearest<'n>(d: Diagnostic, name: &str, known: impl IntoIterator<Item = &'n str>) -> Diagnostic {
    match closest(name, known) {
        Some(near) => {
            let range = d.range;
            d.guess(format!("Replace with `{near}`"), range, near)
        }
        None => d,
    }
}

pub(super) fn check_physical(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.register(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_REGISTER, range, format!("unknown register `${text}`"));
    false
}

pub(super) fn check_sub_index(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.sub_index(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    cx.report(&UNKNOWN_SUBREGISTER, range, format!("unknown subregister index `{text}`"));
    false
}

pub(super) fn resolve_class(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> VirtualKind {
    let kind = cx.class_or_bank(name);
    if kind == VirtualKind::Error {
        let text = cx.f.names.get(name).to_owned();
        cx.report(&UNKNOWN_CLASS, range, format!("unknown register class or register bank `{text}`"));
    }
    kind
}

/// Everything in an operand that is a name; false where something was reported.
pub(super) fn check_operand(cx: &mut RuleContext<'_>, operand: &Operand) -> bool {
    let range = operand.range;
    let (message, rule) = match operand.kind {
        OperandKind::Block(number, name) => {
            return block_names::resolve_block(cx, number, name, range).is_some();
        }
        OperandKind::Frame { fixed, id, name } => {
            return frame_objects::check_reference(cx, fixed, id, name, range);
        }
        OperandKind::ConstantPool(id) if !cx.f.constants.iter().any(|c| c.id == id) => {
            (format!("use of undefined constant `%const.{id}`"), &UNDEFINED_CONSTANT)
        }
        OperandKind::JumpTable(id) if !cx.f.jump_tables.iter().any(|t| t.id == id) => {
            (format!("use of undefined jump table `%jump-table.{id}`"), &UNDEFINED_JUMP_TABLE)
        }
        OperandKind::SubIndex(name) => return check_sub_index(cx, name, range),
        OperandKind::Mask(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().masks.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown register mask or immediate type `{text}`"), &UNKNOWN_OPERAND)
        }
        OperandKind::TargetIndex(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().target_indices.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown target index `{text}`"), &UNKNOWN_TARGET_NAME)
        }
        OperandKind::TypedImmediate { letter, bits, value, boolean } => {
            let fits = match value {
                _ if boolean => bits == 1,
                _ => true,
            };
            if letter == b'i' && bits > 0 && bits < 1 << 23 && fits {
                return true;
            }
            ("expected an integer constant such as `i32 7` or `i1 true`".to_owned(), &BAD_IMMEDIATE)
        }
        OperandKind::Expression => return debug_expression::check(cx, range),
        OperandKind::FpImmediate { exact: false, .. } => {
            ("the number is not exactly representable in its type".to_owned(), &BAD_IMMEDIATE)
        }
        _ => return true,
    };
    cx.report(rule, range, message);
    false
}

/// Names of registers in CFI directives, custom masks and live-out lists.
pub(super) fn check_listed(cx: &mut RuleContext<'_>) -> bool {
    let mut ok = true;
    let f = cx.f;
    for (name, range) in &f.listed_registers {
        ok &= check_physical(cx, *name, *range);
    }
    for (name, range, first) in &f.target_flags {
        let text = f.names.get(*name);
        let facts = cx.t.facts();
        let known = facts.bitmask_flags.iter().any(|n| n == text)
            || (*first && facts.direct_flags.iter().any(|n| n == text));
        if !known {
            ok = false;
            cx.report(&UNKNOWN_TARGET_NAME, *range, format!("unknown target flag `{text}`"));
        }
    }
    ok
}

/// CFI directives need registers that debuggers know.
pub(super) fn check_cfi(cx: &mut RuleContext<'_>, range: TextRange) -> bool {
    let f = cx.f;
    for (name, at) in f.listed_registers.iter().filter(|(_, r)| range.contains_range(*r)) {
        if let Some(register) = cx.register(*name)
            && !cx.t.has_dwarf_number(register)
            // The tables number registers as 64-bit debuggers do.
            && !cx.scope.has_short_pointers
            && cx.machine.is_uniform()
        {
            let text = f.names.get(*name);
            cx.report(&UNKNOWN_REGISTER, *at, format!("`${text}` does not have a DWARF register number"));
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn unknown_names() {
        expect![[r#"
            error[unknown-opcode] 5:18 `V_MVO_B32_e32`: unknown instruction `V_MVO_B32_e32`
              fix: Replace with `V_MOV_B32_e32`
              |     %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = V_MVO_B32_e32 0, implicit $exec\n"));
        expect![[r#"
            error[unknown-register] 5:5 `$vgpr9999`: unknown register `$vgpr9999`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    $vgpr9999 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-register-class] 5:5 `%0:vgrp_32`: unknown register class or register bank `vgrp_32`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgrp_32 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[unknown-subregister] 6:23 `%0.sub77`: unknown subregister index `sub77`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vreg_64 = IMPLICIT_DEF\n    %1:vgpr_32 = COPY %0.sub77\n"));
    }

    #[test]
    fn undefined_numbers() {
        expect![[r#"
            error[undefined-machine-block] 5:14 `%bb.7`: use of undefined block `%bb.7`
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_BRANCH %bb.7\n"));
        expect![[r#"
            error[undefined-frame-object] 5:35 `%stack.3`: use of undefined stack object `%stack.3`
        "#]]
        .assert_eq(&findings(
            "",
            "  bb.0:\n    $vgpr0 = SI_SPILL_V32_RESTORE %stack.3, $sgpr32, 0, implicit $exec\n",
        ));
        expect![[r#"
            error[undefined-metadata] 5:31 `!1`: use of undefined metadata `!1`
            error[bad-debug-expression] 5:35 `!DIExpression(DW_OP_plsu)`: expected a `DW_OP_` operation, a `DW_ATE_` encoding or an unsigned 64-bit number, found `DW_OP_plsu`
        "#]].assert_eq(&findings(
            "",
            "  bb.0:\n    DBG_VALUE $vgpr0, $noreg, !1, !DIExpression(DW_OP_plsu)\n",
        ));
    }
}
