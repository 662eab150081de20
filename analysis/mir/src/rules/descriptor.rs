//! Operands against the instruction's description.

use wavelens_isa::mir::{Desc, Machine, flag, opcode, operand_kind};
use wavelens_syntax::mir::ASM_WORD;
use wavelens_syntax::wording;

use crate::context::{Inst, RuleContext, fail_in};
use crate::model::*;
use wavelens_base::{Diagnostic, Fault, Place, Verdict, fail, fail_at};
use wavelens_llvm as llvm;

wavelens_syntax::rules! {
    OPERAND_COUNT {
        code: "operand-count",
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
        title: "an operand has the kind that the description of the instruction requires",
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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

pub(super) fn instructions(cx: &mut RuleContext<'_>) {
    check_debug_numbers(cx);
    let instructions = std::mem::take(&mut cx.instructions);
    for inst in instructions.iter().flatten() {
        let faults = faults(cx, inst);
        faults.into_iter().for_each(|fault| cx.report_fault(inst, fault));
    }
    cx.instructions = instructions;
}

/// A `debug-instr-number` is used once in a function with debug information.
fn check_debug_numbers(cx: &mut RuleContext<'_>) {
    if !cx.ir.is_some_and(|ir| ir.has_subprogram)
        || !llvm::rules::debug_info::keeps_debug_info(&cx.scope.llvm)
    {
        return;
    }
    let mut seen = rustc_hash::FxHashMap::default();
    for instruction in cx.f.instructions.iter().filter(|i| i.debug_number != 0) {
        let first = *seen.entry(instruction.debug_number).or_insert(instruction.opcode_range);
        if first != instruction.opcode_range {
            let message = format!("duplicate `debug-instr-number` {}", instruction.debug_number);
            let d = Diagnostic::new(&INSTRUCTION_FLAG, instruction.opcode_range, message);
            cx.diagnostics.push(d.related(Place::Here(first), wording::PREVIOUS));
        }
    }
}

/// What is wrong with an instruction, at most one fault for each check and operand.
#[expect(clippy::vec_box, reason = "checks return their faults in a box")]
fn faults(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Vec<Box<Fault>> {
    let mut faults = Vec::new();
    faults.extend(check_count(cx, inst).err());
    faults.extend(check_flags(cx, inst).err());
    faults.extend(check_memory(cx, inst).err());
    if inst.is_inline_asm() {
        faults.extend(check_inline_asm(cx, inst).err());
    }
    faults.extend(super::copies::check(cx, inst).err());
    if inst.is(opcode::STATEPOINT) {
        faults.extend(super::statepoint::check(cx, inst).err());
    }
    for (index, operand) in cx.operands(inst).enumerate() {
        faults.extend(check_operand(cx, inst, index, operand).err());
        if let Some(register) = operand.register() {
            faults.extend(super::register_operands::check(cx, inst, index, operand, register).err());
        }
    }
    faults
}

fn check_count(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let (wanted, found) = (inst.desc.operand_count(), inst.order.len());
    if found >= wanted {
        return Ok(());
    }
    let name = cx.f.opcode_text(inst.source);
    fail(&OPERAND_COUNT, format!("`{name}`: {}", wording::count("operands", wanted, found)))
}

fn check_flags(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let name = cx.f.opcode_text(inst.source);
    let has = |flag: u8| inst.source.flags & flag != 0;
    if has(instruction_flag::NO_CONVERGENT) && !inst.desc.is(flag::CONVERGENT) {
        let message = format!("`noconvergent` is not allowed on `{name}`, which is not convergent");
        return fail(&INSTRUCTION_FLAG, message);
    }
    if inst.is_debug_value() && inst.order.len() == 4 && !has(instruction_flag::DEBUG_LOCATION) {
        return fail(&INSTRUCTION_FLAG, format!("missing `debug-location` on `{name}`"));
    }
    if inst.desc.is(flag::META) && inst.source.debug_number != 0 {
        let message = format!("`{name}` must not have a `debug-instr-number`: it does not define a value");
        return fail(&INSTRUCTION_FLAG, message);
    }
    Ok(())
}

/// Memory operands that load or store belong to instructions that do. A bundle's header has those of its instructions.
fn check_memory(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let memory = inst.source.memory.of(&cx.f.memory);
    if memory.is_empty() || inst.is(opcode::BUNDLE) {
        return Ok(());
    }
    let asm_flags =
        inst.is_inline_asm().then(|| cx.operand(inst, 1).and_then(Operand::immediate).unwrap_or(0));
    let loads = inst.desc.is(flag::MAY_LOAD) || asm_flags.is_some_and(|f| f & 8 != 0);
    let stores = inst.desc.is(flag::MAY_STORE) || asm_flags.is_some_and(|f| f & 16 != 0);
    let wrong = memory.iter().find(|m| m.load && !loads || m.store && !stores);
    let Some(wrong) = wrong else { return Ok(()) };
    let what = if wrong.load && !loads { "load" } else { "store" };
    fail_in(&MEMORY_FLAG, wrong.range, format!("`{}` does not {what}", cx.f.opcode_text(inst.source)))
}

fn check_inline_asm(cx: &RuleContext<'_>, inst: &Inst<'_>) -> Verdict {
    let count = inst.order.len();
    let (Some(text), Some(flags)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else {
        return fail(&INLINE_ASM, "inline assembly requires a text and flags");
    };
    if text.kind != OperandKind::External {
        return fail_at(&INLINE_ASM, 0, "the text must be an external symbol (`&\"...\"`)");
    }
    match flags.immediate() {
        None => return fail_at(&INLINE_ASM, 1, "the flags must be an immediate"),
        Some(f) if !(0..128).contains(&f) => {
            return fail_at(&INLINE_ASM, 1, "unknown flags of inline assembly");
        }
        Some(_) => {}
    }
    let mut at = 2;
    while let Some(group) = cx.operand(inst, at).and_then(Operand::immediate) {
        let is_asm_operand = |index: usize| {
            cx.operand(inst, index).is_some_and(|o| {
                o.immediate().is_none() && !matches!(o.kind, OperandKind::Metadata(_)) && !o.is_implicit()
            })
        };
        at += match group & ASM_WORD {
            0 => 1 + (group as usize >> 3 & 0x1fff),
            // A clobbered register is an implicit definition, an immediate is a number.
            _ if matches!(group & 7, 4 | 5) => 2,
            _ => 1 + (at + 1..count).take_while(|index| is_asm_operand(*index)).count().max(1),
        };
    }
    if at > count {
        return fail(&INLINE_ASM, "missing operands in the last group of inline assembly");
    }
    if matches!(cx.operand(inst, at).map(|o| o.kind), Some(OperandKind::Metadata(_))) {
        at += 1;
    }
    let is_register =
        |index: usize| cx.operand(inst, index).is_none_or(|o| o.register().is_some() && o.is_implicit());
    match (at..count).find(|index| !is_register(*index)) {
        Some(index) => fail_at(&INLINE_ASM, index, "expected an implicit register after the operand groups"),
        None => Ok(()),
    }
}

fn check_operand(cx: &RuleContext<'_>, inst: &Inst<'_>, index: usize, operand: &Operand) -> Verdict {
    let desc = &inst.desc;
    let count = desc.operand_count();
    let Some(expected) = desc.operand(index) else {
        if desc.is(flag::VARIADIC) || is_valid_excess(operand) {
            return Ok(());
        }
        let is_excess = |o: &Operand| !is_valid_excess(o);
        // The first one is enough.
        if index > count && (count..index).any(|before| cx.operand(inst, before).is_some_and(is_excess)) {
            return Ok(());
        }
        let name = cx.f.opcode_text(inst.source);
        return fail_at(
            &OPERAND_COUNT,
            index,
            format!("too many operands: `{name}` takes {}", explicit_operands(desc)),
        );
    };
    let register = operand.register();
    let mut defs = usize::from(desc.defs);
    if inst.is(opcode::PATCHPOINT) && !(index == 0 && register.is_some()) {
        defs = 0;
    }
    let message = if index < defs {
        match register {
            None => "a definition must be a register",
            Some(_) if !operand.is_def() && !expected.is_optional_def() => {
                "this operand must be a definition"
            }
            Some(_) if operand.is_implicit() => "an explicit definition must not be marked implicit",
            Some(_) => return Ok(()),
        }
    } else if desc.is(flag::VARIADIC) && index == count - 1 {
        return Ok(());
    } else if operand.is_implicit() && register.is_some() && !desc.is(flag::VARIADIC) {
        return implicit_too_early(cx, inst, index);
    } else {
        match register {
            Some(_) if operand.is_def() && !expected.is_optional_def() && !desc.is(flag::VARIADIC_DEFS) => {
                "this operand must be a use, not a definition"
            }
            Some(_) if operand.is_implicit() => "expected an explicit operand before the implicit ones",
            Some(_) if expected.kind == operand_kind::IMMEDIATE => "expected an immediate, found a register",
            Some(_)
                if expected.kind == operand_kind::PC_RELATIVE
                    && !(cx.machine == Machine::M68k
                        && is_indexed_by_register(cx.f.opcode_text(inst.source))) =>
            {
                "expected a branch target, found a register"
            }
            None if expected.kind == operand_kind::REGISTER
                && !matches!(operand.kind, OperandKind::Frame { .. }) =>
            {
                "expected a register"
            }
            _ => return Ok(()),
        }
    };
    fail_at(&OPERAND_KIND, index, message)
}

/// `1 definition and 2 other explicit operands`.
fn explicit_operands(desc: &Desc) -> String {
    let (count, defs) = (desc.operand_count(), usize::from(desc.defs));
    match defs {
        0 => wording::number(count, "explicit operands"),
        _ => {
            let others = wording::number(count.saturating_sub(defs), "other explicit operands");
            format!("{} and {others}", wording::number(defs, "definitions"))
        }
    }
}

/// An implicit operand in the place of an explicit one: reported at the first of them.
fn implicit_too_early(cx: &RuleContext<'_>, inst: &Inst<'_>, index: usize) -> Verdict {
    if index.checked_sub(1).and_then(|before| cx.operand(inst, before)).is_some_and(|o| o.is_implicit()) {
        return Ok(());
    }
    let name = cx.f.opcode_text(inst.source);
    let wanted = explicit_operands(&inst.desc);
    let message = format!("too few operands: `{name}` takes {wanted}, found {index}");
    fail_at(&OPERAND_KIND, index, message)
}

/// Whether an M68k instruction has an operand of addressing mode `k`, the program counter with an index: one of the small letters at
/// the end of its name.
fn is_indexed_by_register(name: &str) -> bool {
    name.rsplit(|c: char| !c.is_ascii_lowercase()).next().is_some_and(|modes| modes.contains('k'))
}

/// Operands that may follow those of the description: implicit registers, masks, debug information.
fn is_valid_excess(operand: &Operand) -> bool {
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

    use crate::rules::marks;

    #[test]
    fn operands() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM
            ;   ^^^^^^^^ error[operand-count]: `S_ENDPGM`: expected 1 operand, found 0
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = V_MOV_B32_e32 0, 1, implicit $exec
            ;                                 ^ error[operand-count]: too many operands: `V_MOV_B32_e32` takes 1 definition and 1 other explicit operand
            ...
        "#]]);
    }

    #[test]
    fn an_implicit_operand_ends_the_explicit_ones() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sgpr_32 = S_BUFFER_LOAD_DWORD_IMM $vcc_lo, implicit $exec, implicit-def $scc
            ;                                        ^^^^^^^ error[operand-class]: `$vcc_lo` is not in register class `sreg_128_xnull`
            ;                                                 ^^^^^^^^^^^^^^ error[operand-kind]: too few operands: `S_BUFFER_LOAD_DWORD_IMM` takes 1 definition and 3 other explicit operands, found 2
            ...
        "#]]);
    }

    #[test]
    fn flags() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_NOP 0 :: (load (s32))
            ;              ^^^^^^^^^^^^ error[unexpected-memory-operand]: `S_NOP` does not load
            ...
        "#]]);
    }

    #[test]
    fn the_first_operand_too_many_is_reported() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_ENDPGM 0, 1, 2
            ;               ^ error[operand-count]: too many operands: `S_ENDPGM` takes 1 explicit operand
            ...
        "#]]);
    }
}
