//! Register operands: their class, part, type and flags against the description.

use wavelens_isa::mir::{Class, Machine};

use super::generic::type_bits;
use super::reserved::is_reserved;
use crate::mir::context::{Cx, Inst, Reg, VirtualKind};
use crate::mir::model::*;

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
pub(in crate::mir) const RULES: &[&crate::Rule] =
    &[&OPERAND_CLASS, &SUBREGISTER, &GENERIC_REGISTER, &DEBUG_FLAG];

pub(super) fn check(
    cx: &mut Cx<'_>,
    inst: &Inst<'_>,
    index: usize,
    operand: &Operand,
    register: &RegisterOperand,
) {
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
    let expected = inst.desc.operand(index).and_then(|o| cx.t.operand_class(&o, cx.cpu_rows));
    match reg {
        Reg::None => {}
        Reg::Physical(physical) => {
            if let Some(class) = expected
                && !cx.t.contains(class, physical)
            {
                let (name, class) = (cx.register_text(register), cx.class_text(class));
                cx.report(
                    &OPERAND_CLASS,
                    operand.range,
                    format!("`{name}` does not belong to the class {class}"),
                );
            }
            let renamable = operand.has(operand_flag::RENAMABLE) && !operand.is_implicit();
            if !renamable || cx.machine != Machine::Amdgpu {
                return;
            }
            let name = cx.register_text(register);
            // How many general registers are reserved depends on more than the function says.
            let general =
                |p: &str| name.strip_prefix(p).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit()));
            if !["$vgpr", "$agpr", "$sgpr"].into_iter().any(general) && is_reserved(cx, physical) {
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
    class: Class,
    expected: Option<Class>,
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
    expected: Option<Class>,
) {
    let info = cx.virtual_of(v);
    let f = cx.f;
    let name = || f.register_text(v);
    if operand.has(operand_flag::UNDEF) {
        cx.report(
            &GENERIC_REGISTER,
            operand.range,
            format!("the use of the generic register `{}` cannot be `undef`", name()),
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
            (true, _, _) => Some(format!("`{}` is generic, but the function says it is selected", name())),
            (_, None, _) => Some(format!("the generic register `{}` has no type", name())),
            (_, _, None) if cx.f.properties.reg_bank_selected => {
                Some(format!("`{}` has no bank, but the function says banks are selected", name()))
            }
            (_, Some(ty), Some(bank)) => match type_bits(cx, ty) {
                Some(bits) if !ty.is_scalable() && bits > u64::from(bank.size) => {
                    Some(format!("{bits} bits of `{}` do not fit the bank {}", name(), bank.name))
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
            format!("the generic register `{}` takes no subregister index", name()),
        );
        return;
    }
    if let (Some(class), false) = (expected, inst.is_pre_isel_opcode()) {
        let class = cx.class_text(class);
        cx.report(
            &OPERAND_CLASS,
            operand.range,
            format!("`{}` is generic; the instruction wants the class {class}", name()),
        );
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn classes() {
        expect![[r#"
            error[operand-class] 5:5 `%0:sgpr_32`: expected the class vgpr_32: `%0` has the class sgpr_32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec\n"));
    }
}
