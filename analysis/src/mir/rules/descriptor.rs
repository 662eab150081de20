//! Operands against the instruction's description.

use wavelens_isa::mir::{flag, opcode, operand_kind};

use crate::mir::context::{Cx, Inst, Reg, VirtualKind};
use crate::mir::model::*;
use crate::{Diagnostic, Place};

rule!(
    OPERAND_COUNT,
    "operand-count",
    "An instruction has the explicit operands that its description names: no fewer, and more only where it takes a variable number."
);
rule!(
    OPERAND_KIND,
    "operand-kind",
    "An operand must be of the kind that the description names: a definition, a register, an immediate."
);
rule!(
    OPERAND_CLASS,
    "operand-class",
    "A register operand must belong to the register class that the description names.\n\n```mir\n%0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec   ; wants a vgpr_32\n```"
);
rule!(
    SUBREGISTER,
    "bad-subregister",
    "A subregister index must exist in every register of the class; physical and generic registers take none."
);
rule!(
    GENERIC_REGISTER,
    "generic-register",
    "A generic virtual register must have a type, a bank once banks are selected, and is gone when instructions are selected."
);
rule!(
    DEBUG_FLAG,
    "debug-use-flag",
    "Registers that debug instructions use, and only those, are marked `debug-use`."
);
rule!(
    MEMORY_FLAG,
    "unexpected-memory-operand",
    "Only an instruction that loads or stores has memory operands that do."
);
rule!(INSTRUCTION_FLAG, "bad-instruction-flag", "An instruction flag must suit the instruction.");
pub(in crate::mir) static COPY_SOURCE: crate::Rule = crate::Rule {
    code: "copy-of-no-register",
    severity: crate::Severity::Warning,
    explain: "A COPY copies a register to a register. LLVM's verifier does not look at other operands, and takes them for registers.",
};
rule!(COPY_SIZES, "copy-mismatch", "A COPY's source and destination have the same type, or the same size.");
rule!(
    REG_SEQUENCE,
    "bad-reg-sequence",
    "A REG_SEQUENCE has pairs of a register and a subregister index, and defines a virtual register."
);
rule!(
    INLINE_ASM,
    "bad-inline-asm",
    "An INLINEASM starts with its text and flags; groups of operands follow."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[
    &OPERAND_COUNT,
    &OPERAND_KIND,
    &OPERAND_CLASS,
    &SUBREGISTER,
    &GENERIC_REGISTER,
    &DEBUG_FLAG,
    &MEMORY_FLAG,
    &INSTRUCTION_FLAG,
    &COPY_SIZES,
    &COPY_SOURCE,
    &REG_SEQUENCE,
    &INLINE_ASM,
    &super::statepoint::STATEPOINT,
];

/// Value numbers are told apart where the function has debug information.
fn debug_numbers(cx: &mut Cx<'_>) {
    if !cx.ir.is_some_and(|ir| ir.has_subprogram) {
        return;
    }
    let mut seen = rustc_hash::FxHashMap::default();
    for instruction in cx.f.instructions.iter().filter(|i| i.debug_number != 0) {
        let first = *seen.entry(instruction.debug_number).or_insert(instruction.opcode_range);
        if first != instruction.opcode_range {
            let message = format!("the `debug-instr-number` {} is given already", instruction.debug_number);
            let d = Diagnostic::new(&INSTRUCTION_FLAG, instruction.opcode_range, message);
            cx.diagnostics.push(d.related(Place::Here(first), "first here"));
        }
    }
}

pub(super) fn check(cx: &mut Cx<'_>) {
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

fn instruction(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let name = cx.f.opcode_text(inst.source);
    let at = inst.source.opcode_range;
    let count = inst.desc.operand_count();
    if inst.order.len() < count {
        cx.report(&OPERAND_COUNT, at, format!("`{name}` has {count} operands, not {}", inst.order.len()));
    }
    if inst.source.flags & instruction_flag::NO_CONVERGENT != 0 && !inst.desc.is(flag::CONVERGENT) {
        cx.report(
            &INSTRUCTION_FLAG,
            at,
            format!("`noconvergent` says nothing about `{name}`, which is never convergent"),
        );
    }
    if inst.is_debug_value()
        && inst.order.len() == 4
        && inst.source.flags & instruction_flag::DEBUG_LOCATION == 0
    {
        cx.report(&INSTRUCTION_FLAG, at, format!("`{name}` needs a `debug-location`"));
    }
    if inst.desc.is(flag::META) && inst.source.debug_number != 0 {
        cx.report(
            &INSTRUCTION_FLAG,
            at,
            format!("`{name}` makes no value, so it has no `debug-instr-number`"),
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
    if inst.is(opcode::COPY) {
        copy(cx, inst);
    }
    if inst.is(opcode::REG_SEQUENCE) {
        reg_sequence(cx, inst);
    }
    if inst.is(opcode::INSERT_SUBREG) {
        insert_subreg(cx, inst);
    }
    if inst.is(opcode::STATEPOINT) {
        super::statepoint::check(cx, inst);
    }
}

fn inline_asm(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let count = inst.order.len();
    let at = inst.source.opcode_range;
    let (Some(text), Some(flags)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else {
        cx.report(&INLINE_ASM, at, "inline assembly needs its text and its flags");
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
        Some(f) if !(0..64).contains(&f) => cx.report(&INLINE_ASM, flags.range, "unknown flags"),
        Some(_) => {}
    }
    let mut at_operand = 2;
    while let Some(group) = cx.operand(inst, at_operand).and_then(Operand::immediate) {
        at_operand += 1 + (group as usize >> 3 & 0x1fff);
    }
    if at_operand > count {
        cx.report(&INLINE_ASM, at, "the last group lacks operands");
    }
    if matches!(cx.operand(inst, at_operand).map(|o| o.kind), Some(OperandKind::Metadata(_))) {
        at_operand += 1;
    }
    for index in at_operand..count {
        let Some(operand) = cx.operand(inst, index) else { continue };
        if operand.register().is_none() || !operand.is_implicit() {
            cx.report(&INLINE_ASM, operand.range, "expected an implicit register after the groups");
        }
    }
}

fn copy(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let (Some(to), Some(from)) = (cx.operand(inst, 0), cx.operand(inst, 1)) else { return };
    let (Some(to_register), Some(from_register)) = (to.register(), from.register()) else {
        // LLVM never looks; what it makes of the operand is undefined.
        let source = if to.register().is_some() { from.range } else { to.range };
        cx.report(&COPY_SOURCE, source, "a COPY copies a register to a register");
        return;
    };
    let (to_type, from_type) = (cx.type_of(to), cx.type_of(from));
    if let (Some(a), Some(b)) = (to_type, from_type) {
        if a != b {
            cx.report(&COPY_SIZES, inst.source.range, format!("a COPY from {b} to {a}: the types differ"));
        }
        return;
    }
    if to_type.is_none() && from_type.is_none() {
        return;
    }
    if to_register.sub.is_some() || from_register.sub.is_some() {
        return;
    }
    let size = |cx: &Cx<'_>,
                register: &RegisterOperand,
                own: Option<Type>,
                other: Option<Type>|
     -> Option<(u64, bool)> {
        match cx.reg(register) {
            Reg::Virtual(v) => match (own, cx.virtual_of(v).kind) {
                (Some(ty), _) => Some((super::generic::type_bits(cx, ty)?, ty.is_scalable())),
                (None, VirtualKind::Class(class)) => Some((cx.t.class_bits(class).into(), false)),
                _ => None,
            },
            Reg::Physical(p) => {
                let minimal = cx.t.minimal_class(p)?;
                let typed = other.and_then(|ty| {
                    let (lanes, bits) = match ty {
                        Type::Scalar(bits) => (0, bits),
                        Type::Vector { lanes, element: Element::Scalar(bits), scalable } => {
                            (lanes | u16::from(scalable) << 15, bits)
                        }
                        _ => return None,
                    };
                    (0..cx.t.class_count() as u16)
                        .map(wavelens_isa::mir::Class)
                        .filter(|c| cx.t.has_type(*c, lanes, bits as u16) && cx.t.contains(*c, p))
                        .min_by_key(|c| cx.t.class_len(*c))
                });
                Some((cx.t.class_bits(typed.unwrap_or(minimal)).into(), false))
            }
            Reg::None => None,
        }
    };
    let (Some(a), Some(b)) =
        (size(cx, to_register, to_type, from_type), size(cx, from_register, from_type, to_type))
    else {
        return;
    };
    if a.1 || b.1 || a.0 == 0 || b.0 == 0 {
        return;
    }
    if a.0 != b.0 {
        cx.report(&COPY_SIZES, inst.source.range, format!("a COPY from {} bits to {} bits", b.0, a.0));
    }
}

fn reg_sequence(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let count = inst.order.len();
    if count.is_multiple_of(2) {
        cx.report(
            &REG_SEQUENCE,
            inst.source.opcode_range,
            "a REG_SEQUENCE has pairs of a register and a subregister index",
        );
        return;
    }
    for index in (1..count).step_by(2) {
        let (Some(register), Some(part)) = (cx.operand(inst, index), cx.operand(inst, index + 1)) else {
            continue;
        };
        if register.register().is_none() {
            cx.report(&REG_SEQUENCE, register.range, "expected a register");
        }
        let valid = match part.kind {
            OperandKind::SubIndex(_) => true,
            OperandKind::Immediate(v) => v > 0 && v < cx.t.sub_index_count() as i64,
            _ => false,
        };
        if !valid {
            cx.report(&REG_SEQUENCE, part.range, "expected a subregister index (`%subreg.sub0`)");
        }
    }
    if let Some(register) = cx.operand(inst, 0).and_then(Operand::register) {
        let range = cx.operand(inst, 0).map_or(inst.source.range, |o| o.range);
        if matches!(cx.reg(register), Reg::Physical(_)) {
            cx.report(&REG_SEQUENCE, range, "a REG_SEQUENCE defines a virtual register");
        }
        if register.sub.is_some() {
            cx.report(&REG_SEQUENCE, range, "a REG_SEQUENCE defines a whole register");
        }
    }
}

fn insert_subreg(cx: &mut Cx<'_>, inst: &Inst<'_>) {
    let (Some(inserted), Some(part)) = (cx.operand(inst, 2), cx.operand(inst, 3)) else { return };
    let Some(register) = inserted.register() else { return };
    let size = if register.sub.is_some() {
        cx.known_sub_index(register.sub).map(|i| u32::from(cx.t.sub_index_span(i).0))
    } else {
        match cx.reg(register) {
            Reg::Virtual(v) => match cx.virtual_of(v).kind {
                VirtualKind::Class(c) => Some(cx.t.class_bits(c)),
                _ => None,
            },
            Reg::Physical(p) => cx.t.minimal_class(p).map(|c| cx.t.class_bits(c)),
            Reg::None => None,
        }
    };
    let room = match part.kind {
        OperandKind::SubIndex(name) => cx.known_sub_index(name).map(|i| u32::from(cx.t.sub_index_span(i).0)),
        _ => None,
    };
    if let (Some(size), Some(room)) = (size, room)
        && room < size
        && room != 65535
        && size != 65535
    {
        cx.report(&REG_SEQUENCE, inserted.range, format!("{size} bits do not fit a part of {room} bits"));
    }
}

fn operand(cx: &mut Cx<'_>, inst: &Inst<'_>, index: usize) {
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
                Some(_) if operand.is_implicit() => Some("an explicit definition cannot be implicit"),
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
                    Some("expected an immediate, not a register")
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
        cx.report(&OPERAND_COUNT, operand.range, format!("`{name}` has only {count} explicit operands"));
    }
    if let Some(register) = register {
        register_operand(cx, inst, index, operand, register);
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

fn register_operand(
    cx: &mut Cx<'_>,
    inst: &Inst<'_>,
    index: usize,
    operand: &Operand,
    register: &RegisterOperand,
) {
    let name = cx.register_text(register);
    if !inst.is_debug() && operand.has(operand_flag::DEBUG) {
        cx.report(&DEBUG_FLAG, operand.range, "only debug instructions have `debug-use`");
    }
    let reg = cx.reg(register);
    if reg == Reg::None {
        return;
    }
    if operand.is_def()
        && operand.has(operand_flag::UNDEF)
        && !register.sub.is_some()
        && matches!(reg, Reg::Virtual(_))
    {
        cx.report(&SUBREGISTER, operand.range, "an `undef` definition must define a part of a register");
    }
    let expected = inst.desc.operand(index).and_then(|o| cx.t.operand_class(&o, cx.cpu));
    match reg {
        Reg::None => {}
        Reg::Physical(physical) => {
            if let Some(class) = expected
                && !cx.t.contains(class, physical)
            {
                let class = cx.class_text(class);
                cx.report(
                    &OPERAND_CLASS,
                    operand.range,
                    format!("`{name}` does not belong to the class {class}"),
                );
            }
            // How many general registers are reserved depends on more than the function says.
            let general =
                |p: &str| name.strip_prefix(p).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
            let special = cx.machine == wavelens_isa::mir::Machine::Amdgpu
                && !["$vgpr", "$agpr", "$sgpr"].into_iter().any(general);
            let renamable = operand.has(operand_flag::RENAMABLE) && !operand.is_implicit();
            if special && renamable && super::reserved::is_reserved(cx, physical) {
                cx.report(
                    &OPERAND_CLASS,
                    operand.range,
                    format!("`{name}` is reserved, so it cannot be `renamable`"),
                );
            }
        }
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Error | VirtualKind::Unknown => {}
            VirtualKind::Class(class) => class_operand(cx, operand, register, class, expected),
            kind => generic_operand(cx, inst, v, kind, operand, register, expected),
        },
    }
}

fn class_operand(
    cx: &mut Cx<'_>,
    operand: &Operand,
    register: &RegisterOperand,
    class: wavelens_isa::mir::Class,
    expected: Option<wavelens_isa::mir::Class>,
) {
    let mut have = class;
    if register.sub.is_some() {
        let Some(index) = cx.known_sub_index(register.sub) else { return };
        let Some(part) = cx.t.part_class(class, index) else {
            let (class, part) = (cx.class_text(class), cx.t.sub_index_name(index));
            cx.report(
                &SUBREGISTER,
                operand.range,
                format!("registers of the class {class} have no part {part}"),
            );
            return;
        };
        have = part;
    }
    if let Some(expected) = expected
        && !cx.t.is_subclass(expected, have)
    {
        let name = cx.register_text(register);
        let (want, class) = (cx.class_text(expected), cx.class_text(class));
        let part = if register.sub.is_some() { "this part of " } else { "" };
        cx.report(
            &OPERAND_CLASS,
            operand.range,
            format!("expected the class {want}: {part}`{name}` has the class {class}"),
        );
    }
}

fn generic_operand(
    cx: &mut Cx<'_>,
    inst: &Inst<'_>,
    v: u32,
    kind: VirtualKind,
    operand: &Operand,
    register: &RegisterOperand,
    expected: Option<wavelens_isa::mir::Class>,
) {
    let name = cx.register_text(register);
    let info = cx.virtual_of(v);
    if operand.has(operand_flag::UNDEF) {
        cx.report(
            &GENERIC_REGISTER,
            operand.range,
            format!("the use of the generic register `{name}` cannot be `undef`"),
        );
    }
    let strict = cx.f.properties.tracks_debug_user_values
        || operand.is_def()
        || !inst.is_debug_value()
        || info.definitions > 0;
    if strict {
        let bank = match kind {
            VirtualKind::Bank(bank) => cx.t.facts().banks.get(usize::from(bank)),
            _ => None,
        };
        let message = match (cx.f.properties.selected, info.ty, bank) {
            (true, _, _) => Some(format!("`{name}` is generic, but the function says it is selected")),
            (_, None, _) => Some(format!("the generic register `{name}` has no type")),
            (_, _, None) if cx.f.properties.reg_bank_selected => {
                Some(format!("`{name}` has no bank, but the function says banks are selected"))
            }
            (_, Some(ty), Some(bank)) => match super::generic::type_bits(cx, ty) {
                Some(bits) if !ty.is_scalable() && bits > u64::from(bank.size) => {
                    Some(format!("{bits} bits of `{name}` do not fit the bank {}", bank.name))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some(message) = message {
            cx.report(&GENERIC_REGISTER, operand.range, message);
            return;
        }
    }
    if register.sub.is_some() {
        cx.report(
            &SUBREGISTER,
            operand.range,
            format!("the generic register `{name}` takes no subregister index"),
        );
        return;
    }
    if let (Some(class), false) = (expected, inst.is_pre_isel_opcode()) {
        let class = cx.class_text(class);
        cx.report(
            &OPERAND_CLASS,
            operand.range,
            format!("`{name}` is generic; the instruction wants the class {class}"),
        );
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn operands() {
        expect![[r#"
            error[operand-count] 5:5 `S_ENDPGM`: `S_ENDPGM` has 1 operands, not 0
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_ENDPGM\n"));
        expect![[r#"
            error[operand-class] 5:5 `%0:sgpr_32`: expected the class vgpr_32: `%0` has the class sgpr_32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec\n"));
        expect![[r#"
            error[operand-count] 5:35 `1`: `V_MOV_B32_e32` has only 2 explicit operands
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:vgpr_32 = V_MOV_B32_e32 0, 1, implicit $exec\n"));
        expect![[r#"
            error[copy-mismatch] 6:5 `%1:vreg_64 = COPY %0`: a COPY from 32 bits to 64 bits
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n    %1:vreg_64 = COPY %0\n"));
    }

    #[test]
    fn sequences_and_flags() {
        expect![[r#"
            error[bad-reg-sequence] 6:18 `REG_SEQUENCE`: a REG_SEQUENCE has pairs of a register and a subregister index
        "#]].assert_eq(&findings(
            "",
            "  bb.0:\n    %0:vgpr_32 = IMPLICIT_DEF\n    %1:vreg_64 = REG_SEQUENCE %0, %subreg.sub0, %0\n",
        ));
        expect![[r#"
            error[unexpected-memory-operand] 5:16 `(load (s32))`: `S_NOP` does not load
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    S_NOP 0 :: (load (s32))\n"));
        expect![[r#"
            warning[copy-of-no-register] 5:23 `5`: a COPY copies a register to a register
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sreg_32 = COPY 5\n"));
    }
}
