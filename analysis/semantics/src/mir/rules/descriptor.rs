//! Operands against the instruction's description.

use wavelens_isa::mir::{flag, opcode, operand_kind};

use crate::mir::context::{Inst, RuleContext};
use crate::mir::model::*;
use crate::{Diagnostic, Place};

wavelens_syntax::rules! {
    OPERAND_COUNT {
        code: "operand-count",
        severity: crate::Severity::Error,
        title: "an instruction has the explicit operands of its description",
        explain: "More operands are allowed only if the instruction takes a variable number.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32
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
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Too few operands\"; visitMachineOperand: \"Extra explicit operand on non-variadic instruction\"",
    }

    OPERAND_KIND {
        code: "operand-kind",
        severity: crate::Severity::Error,
        title: "an operand is of the kind that the description names",
        explain: "Definitions, register uses and immediates cannot be exchanged.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOVK_I32 $sgpr1
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOVK_I32 1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Expected a non-register operand.\", \"Explicit definition must be a register\"",
    }

    MEMORY_FLAG {
        code: "unexpected-memory-operand",
        severity: crate::Severity::Error,
        title: "only instructions that load or store have memory operands that do",
        explain: "Alias analysis trusts memory operands.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 0 :: (load (s32))
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
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"Missing mayLoad flag\", \"Missing mayStore flag\"",
    }

    INSTRUCTION_FLAG {
        code: "bad-instruction-flag",
        severity: crate::Severity::Error,
        title: "an instruction flag suits the instruction",
        explain: "For example `noconvergent` is meaningful only on convergent instructions, and DBG_VALUE requires a `debug-location`.",
        example: r#"---
name: f
body: |
  bb.0:
    noconvergent S_NOP 0
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
        source: "LLVM MachineVerifier::visitMachineInstrBefore: \"NoConvergent flag expected only on convergent instructions.\", \"Missing DebugLoc for debug instruction\"",
    }

    INLINE_ASM {
        code: "bad-inline-asm",
        severity: crate::Severity::Error,
        title: "INLINEASM has a text, flags and complete operand groups",
        explain: "The printer walks the groups by the counts in their flags.",
        example: r#"---
name: f
body: |
  bb.0:
    INLINEASM 7, 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    INLINEASM &"", 0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::verifyInlineAsm: \"Too few operands on inline asm\", \"Asm string must be an external symbol\"",
    }
}

/// Value numbers are told apart where the function has debug information.
fn debug_numbers(cx: &mut RuleContext<'_>) {
    if !cx.ir.is_some_and(|ir| ir.has_subprogram) {
        return;
    }
    let mut seen = rustc_hash::FxHashMap::default();
    for instruction in cx.f.instructions.iter().filter(|i| i.debug_number != 0) {
        let first = *seen.entry(instruction.debug_number).or_insert(instruction.opcode_range);
        if first != instruction.opcode_range {
            let message = format!("duplicate `debug-instr-number` {}", instruction.debug_number);
            let d = Diagnostic::new(&INSTRUCTION_FLAG, instruction.opcode_range, message);
            cx.diagnostics.push(d.related(Place::Here(first), wavelens_syntax::wording::PREVIOUS));
        }
    }
}

pub(super) fn check(cx: &mut RuleContext<'_>) {
    debug_numbers(cx);
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        instruction(cx, inst);
        for index in 0..inst.order.len() {
            operand(cx, inst, index);
        }
    }
    cx.instructions = instructions;
}

fn instruction(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    let name = cx.f.opcode_text(inst.source);
    let at = inst.source.opcode_range;
    let count = inst.desc.operand_count();
    if inst.order.len() < count {
        cx.report(
            &OPERAND_COUNT,
            at,
            format!("expected {count} operands for `{name}`, found {}", inst.order.len()),
        );
    }
    if inst.source.flags & instruction_flag::NO_CONVERGENT != 0 && !inst.desc.is(flag::CONVERGENT) {
        cx.report(
            &INSTRUCTION_FLAG,
            at,
            format!("`noconvergent` is not allowed on `{name}`, which is not convergent"),
        );
    }
    if inst.is_debug_value()
        && inst.order.len() == 4
        && inst.source.flags & instruction_flag::DEBUG_LOCATION == 0
    {
        cx.report(&INSTRUCTION_FLAG, at, format!("missing `debug-location` on `{name}`"));
    }
    if inst.desc.is(flag::META) && inst.source.debug_number != 0 {
        cx.report(
            &INSTRUCTION_FLAG,
            at,
            format!("`{name}` must not have a `debug-instr-number`: it does not define a value"),
        );
    }
    let memory = inst.source.memory.of(&cx.f.memory);
    let asm_flags =
        inst.is_inline_asm().then(|| cx.operand(inst, 1).and_then(Operand::immediate).unwrap_or(0));
    let loads = inst.desc.is(flag::MAY_LOAD) || asm_flags.is_some_and(|f| f & 8 != 0);
    let stores = inst.desc.is(flag::MAY_STORE) || asm_flags.is_some_and(|f| f & 16 != 0);
    // A bundle's header speaks for what is inside.
    if !inst.is(opcode::BUNDLE) {
        for m in memory {
            if (m.load && !loads) || (m.store && !stores) {
                let what = if m.load && !loads { "load" } else { "store" };
                cx.report(&MEMORY_FLAG, m.range, format!("`{name}` does not {what}"));
            }
        }
    }
    if inst.is_inline_asm() {
        inline_asm(cx, inst);
    }
    super::copies::check(cx, inst);
    if inst.is(opcode::STATEPOINT) {
        super::statepoint::check(cx, inst);
    }
}

fn inline_asm(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    let count = inst.order.len();
    let at = inst.source.opcode_range;
    let (Some(text), Some(flags)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else {
        cx.report(&INLINE_ASM, at, "inline assembly requires a text and flags");
        return;
    };
    if text.kind != OperandKind::External {
        cx.report(&INLINE_ASM, text.range, "the text must be an external symbol (`&\"...\"`)");
    }
    match flags.immediate() {
        None => {
            cx.report(&INLINE_ASM, flags.range, "the flags must be an immediate");
            return;
        }
        Some(f) if !(0..128).contains(&f) => {
            cx.report(&INLINE_ASM, flags.range, "unknown flags of inline assembly")
        }
        Some(_) => {}
    }
    let mut at_operand = 2;
    while let Some(group) = cx.operand(inst, at_operand).and_then(Operand::immediate) {
        at_operand += 1 + (group as usize >> 3 & 0x1fff);
    }
    if at_operand > count {
        cx.report(&INLINE_ASM, at, "missing operands in the last group of inline assembly");
    }
    if matches!(cx.operand(inst, at_operand).map(|o| o.kind), Some(OperandKind::Metadata(_))) {
        at_operand += 1;
    }
    for index in at_operand..count {
        let Some(operand) = cx.operand(inst, index) else { continue };
        if operand.register().is_none() || !operand.is_implicit() {
            cx.report(&INLINE_ASM, operand.range, "expected an implicit register after the operand groups");
        }
    }
}

fn operand(cx: &mut RuleContext<'_>, inst: &Inst<'_>, index: usize) {
    let Some(operand) = cx.operand(inst, index) else { return };
    let desc = &inst.desc;
    let count = desc.operand_count();
    let mut defs = usize::from(desc.defs);
    if inst.is(opcode::PATCHPOINT) && !(index == 0 && operand.register().is_some()) {
        defs = 0;
    }
    let register = operand.register();
    if let Some(expected) = desc.operand(index) {
        let variadic_last = desc.is(flag::VARIADIC) && index == count - 1;
        let message = if index < defs {
            match register {
                None => Some("a definition must be a register"),
                Some(_) if !operand.is_def() && !expected.is_optional_def() => {
                    Some("this operand must be a definition")
                }
                Some(_) if operand.is_implicit() => {
                    Some("an explicit definition must not be marked implicit")
                }
                Some(_) => None,
            }
        } else if variadic_last {
            None
        } else {
            match register {
                Some(_)
                    if operand.is_def() && !expected.is_optional_def() && !desc.is(flag::VARIADIC_DEFS) =>
                {
                    Some("this operand must be a use, not a definition")
                }
                Some(_) if operand.is_implicit() => {
                    Some("expected an explicit operand before the implicit ones")
                }
                Some(_) if expected.kind == operand_kind::IMMEDIATE => {
                    Some("expected an immediate, found a register")
                }
                None if expected.kind == operand_kind::REGISTER
                    && !matches!(operand.kind, OperandKind::Frame { .. }) =>
                {
                    Some("expected a register")
                }
                _ => None,
            }
        };
        if let Some(message) = message {
            cx.report(&OPERAND_KIND, operand.range, message);
        }
    } else if !desc.is(flag::VARIADIC) && !valid_excess(operand) {
        let name = cx.f.opcode_text(inst.source);
        cx.report(
            &OPERAND_COUNT,
            operand.range,
            format!("too many operands: `{name}` has {count} explicit operands"),
        );
    }
    if let Some(register) = register {
        super::register_operands::check(cx, inst, index, operand, register);
    }
}

/// Operands that may stand behind those of the description: implicit registers, masks, what debuggers read.
fn valid_excess(operand: &Operand) -> bool {
    match operand.kind {
        OperandKind::Register(_) => operand.is_implicit(),
        OperandKind::Mask(_)
        | OperandKind::CustomMask(_)
        | OperandKind::McSymbol
        | OperandKind::Metadata(_)
        | OperandKind::Expression => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn operands() {
        expect![[r#"
            error[operand-count] 5:5 `S_ENDPGM`: expected 1 operands for `S_ENDPGM`, found 0
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_ENDPGM\n"));
        expect![[r#"
            error[operand-count] 5:35 `1`: too many operands: `V_MOV_B32_e32` has 2 explicit operands
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, 1, implicit $exec\n"));
    }

    #[test]
    fn flags() {
        expect![[r#"
            error[unexpected-memory-operand] 5:16 `(load (s32))`: `S_NOP` does not load
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_NOP 0 :: (load (s32))\n"));
    }
}
