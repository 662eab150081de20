//! Register operands: their class, part, type and flags against the description.

use wavelens_isa::mir::{Class, Machine};

use super::generic::type_bits;
use super::reserved::is_reserved;
use crate::mir::context::{Inst, Reg, RuleContext, VirtualKind};
use crate::mir::model::*;

wavelens_syntax::rules! {
    OPERAND_CLASS {
        code: "operand-class",
        severity: crate::Severity::Error,
        title: "a register operand is in the register class that the description names",
        explain: "Other registers cannot be encoded.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Illegal virtual register for instruction\", \"Illegal physical register for instruction\"",
    }

    SUBREGISTER {
        code: "bad-subregister",
        severity: crate::Severity::Error,
        title: "every register of the class has the subregister index",
        explain: "Physical and generic registers do not have subregister indices.",
        example: r#"---
name: f
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
    %1:vgpr_32 = COPY %0.sub1
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
        source: "LLVM MachineVerifier::visitMachineOperand: \"Invalid subregister index for virtual register\"",
    }

    GENERIC_REGISTER {
        code: "generic-register",
        severity: crate::Severity::Error,
        title: "a generic register has a type, and a bank after register bank selection",
        explain: "In a function with `selected: true` there are none.",
        example: r#"---
name: f
selected: true
body: |
  bb.0:
    %0:_(s32) = COPY $vgpr0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
selected: true
body: |
  bb.0:
    %0:vgpr_32 = COPY $vgpr0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand: \"Generic virtual register must have a valid type\", \"Generic virtual register must have a bank in a RegBankSelected function\"",
    }

    DEBUG_FLAG {
        code: "debug-use-flag",
        severity: crate::Severity::Error,
        title: "register uses of debug instructions, and only those, have `debug-use`",
        explain: "Passes ignore debug uses so that debug information does not change code.",
        example: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 debug-use $sgpr1
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $sgpr0 = S_MOV_B32 $sgpr1
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::visitMachineOperand, MachineOperand::isDebug",
    }
}

pub(super) fn check(
    cx: &mut RuleContext<'_>,
    inst: &Inst<'_>,
    index: usize,
    operand: &Operand,
    register: &RegisterOperand,
) {
    if !inst.is_debug() && operand.has(operand_flag::DEBUG) {
        cx.report(
            &DEBUG_FLAG,
            operand.range,
            "`debug-use` is allowed only on operands of debug instructions",
        );
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
                    format!("`{name}` is not in register class {class}"),
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
                    format!("reserved register `{name}` must not be `renamable`"),
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
    cx: &mut RuleContext<'_>,
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
                format!("register class {class} does not have subregister index {part}"),
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
        let part = if register.sub.is_some() { "this subregister of " } else { "" };
        cx.report(
            &OPERAND_CLASS,
            operand.range,
            format!("expected register class {want}, but {part}`{name}` has register class {class}"),
        );
    }
}

fn generic_operand(
    cx: &mut RuleContext<'_>,
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
            format!("a use of generic register `{}` must not be `undef`", name()),
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
            (true, _, _) => {
                Some(format!("generic register `{}` in a function with `selected: true`", name()))
            }
            (_, None, _) => Some(format!("generic register `{}` has no type", name())),
            (_, _, None) if cx.f.properties.reg_bank_selected => Some(format!(
                "generic register `{}` has no bank in a function with `regBankSelected: true`",
                name()
            )),
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
            format!("generic register `{}` must not have a subregister index", name()),
        );
        return;
    }
    if let (Some(class), false) = (expected, inst.is_pre_isel_opcode()) {
        let class = cx.class_text(class);
        cx.report(
            &OPERAND_CLASS,
            operand.range,
            format!("expected register class {class}, found generic register `{}`", name()),
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
            error[operand-class] 5:5 `%0:sgpr_32`: expected register class vgpr_32, but `%0` has register class sgpr_32
        "#]]
        .assert_eq(&findings("", "  bb.0:\n    %0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec\n"));
    }
}
