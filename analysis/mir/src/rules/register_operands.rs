//! Register operands: their class, part, type and flags against the description.

use wavelens_isa::mir::{Class, Machine, Register};

use super::generic::type_bits;
use super::registers::class_place;
use super::reserved::is_reserved;
use crate::context::{Inst, Reg, RuleContext, VirtualKind, fail_in};
use crate::model::*;
use wavelens_base::{Fault, Part, Place, Verdict, fail_at};

wavelens_syntax::rules! {
    OPERAND_CLASS {
        code: "operand-class",
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
    cx: &RuleContext<'_>,
    inst: &Inst<'_>,
    index: usize,
    operand: &Operand,
    register: &RegisterOperand,
) -> Verdict {
    if !inst.is_debug() && operand.has(operand_flag::DEBUG) {
        let message = "`debug-use` is allowed only on operands of debug instructions";
        return fail_at(&DEBUG_FLAG, index, message);
    }
    let reg = cx.reg(register);
    if operand.is_def()
        && operand.has(operand_flag::UNDEF)
        && !register.sub.is_some()
        && matches!(reg, Reg::Virtual(_))
    {
        return fail_at(&SUBREGISTER, index, "an `undef` definition must define a part of a register");
    }
    let expected = inst.desc.operand(index).and_then(|o| cx.t.operand_class(&o, cx.cpu_rows));
    match reg {
        Reg::None => Ok(()),
        Reg::Physical(physical) => {
            let expected = expected.filter(|class| {
                cx.t.contains(*class, physical) || !may_be_unaligned(cx, inst, &cx.class_text(*class))
            });
            check_physical(cx, operand, register, physical, expected)
        }
        Reg::Virtual(v) => match cx.virtual_of(v).kind {
            VirtualKind::Error | VirtualKind::Unknown => Ok(()),
            VirtualKind::Class(class) => check_class(cx, operand, register, class, expected),
            VirtualKind::Generic | VirtualKind::Bank(_) => check_generic(cx, inst, operand, v, expected),
        },
    }
}

/// Whether LLVM 24 no longer asks of an instruction that a tuple of VGPRs starts at an even register.
fn may_be_unaligned(cx: &RuleContext<'_>, inst: &Inst<'_>, class: &str) -> bool {
    let opcode = cx.f.opcode_text(inst.source);
    let is_pseudo = opcode == "V_MOV_B64_PSEUDO" || opcode.starts_with("SI_SPILL_");
    cx.reads_newer() && is_pseudo && class.ends_with("_align2")
}

fn check_physical(
    cx: &RuleContext<'_>,
    operand: &Operand,
    register: &RegisterOperand,
    physical: Register,
    expected: Option<Class>,
) -> Verdict {
    if let Some(class) = expected.filter(|class| !cx.t.contains(*class, physical)) {
        let (name, class) = (cx.register_text(register), cx.class_text(class));
        return fail_in(
            &OPERAND_CLASS,
            operand.range,
            format!("`{name}` is not in register class `{class}`"),
        );
    }
    let is_renamable = operand.has(operand_flag::RENAMABLE) && !operand.is_implicit();
    if is_renamable && is_surely_reserved(cx, physical) {
        let message = format!("reserved register `{}` must not be `renamable`", cx.register_text(register));
        return fail_in(&OPERAND_CLASS, operand.range, message);
    }
    Ok(())
}

/// Whether a register is reserved in every function.
fn is_surely_reserved(cx: &RuleContext<'_>, physical: Register) -> bool {
    let name = cx.t.register_name(physical);
    match cx.machine {
        Machine::Amdgpu => {
            let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
            let is_general = |prefix: &str| name.strip_prefix(prefix).is_some_and(is_number);
            // How many general registers are reserved depends on more than the function says. A processor without instructions for AGPRs
            // reserves all of them.
            let is_known = match is_general("agpr") {
                true => cx.has_processor() && cx.t.register("agpr0").is_some_and(|r| is_reserved(cx, r)),
                false => !is_general("vgpr") && !is_general("sgpr"),
            };
            is_known && is_reserved(cx, physical)
        }
        Machine::Aarch64 => matches!(name.as_str(), "sp" | "wsp" | "xzr" | "wzr"),
        Machine::X86 => matches!(name.as_str(), "rsp" | "esp" | "sp" | "spl" | "rip" | "eip" | "ip"),
        _ => false,
    }
}

fn check_class(
    cx: &RuleContext<'_>,
    operand: &Operand,
    register: &RegisterOperand,
    class: Class,
    expected: Option<Class>,
) -> Verdict {
    let mut have = class;
    if register.sub.is_some() {
        let Some(index) = cx.known_sub_index(register.sub) else { return Ok(()) };
        let Some(part) = cx.t.part_class(class, index) else {
            let (class, part) = (cx.class_text(class), cx.t.sub_index_name(index));
            let message = format!("register class `{class}` does not have subregister index `{part}`");
            return fail_in(&SUBREGISTER, operand.range, message);
        };
        have = part;
    }
    if let Some(expected) = expected.filter(|expected| !cx.t.is_subclass(*expected, have)) {
        let name = cx.register_text(register);
        let (want, class) = (cx.class_text(expected), cx.class_text(class));
        let message = match register.sub.is_some() {
            true => {
                let part = cx.class_text(have);
                format!("expected register class `{want}`, but this subregister of `{name}` has `{part}`")
            }
            false => format!("expected register class `{want}`, but `{name}` has register class `{class}`"),
        };
        let fault = Fault::new(&OPERAND_CLASS, message).at(Part::Range(operand.range));
        let named = match register.name {
            RegisterName::Virtual(index) => Some(index),
            _ => None,
        };
        return Err(match named.and_then(|index| class_place(cx, index, operand.range)) {
            Some(range) => fault.related(Place::Here(range), "the register gets its class here"),
            None => fault,
        });
    }
    Ok(())
}

fn check_generic(
    cx: &RuleContext<'_>,
    inst: &Inst<'_>,
    operand: &Operand,
    register: u32,
    expected: Option<Class>,
) -> Verdict {
    let info = cx.virtual_of(register);
    let name = || cx.f.register_text(register);
    let fail_generic = |message: String| fail_in(&GENERIC_REGISTER, operand.range, message);
    if operand.has(operand_flag::UNDEF) {
        return fail_generic(format!("a use of generic register `{}` must not be `undef`", name()));
    }
    let is_strict = cx.f.properties.tracks_debug_user_values
        || operand.is_def()
        || !inst.is_debug_value()
        || info.definitions > 0;
    if is_strict {
        if cx.f.properties.selected {
            return fail_generic(format!(
                "generic register `{}` in a function with `selected: true`",
                name()
            ));
        }
        let Some(ty) = info.ty else {
            // An instruction that cannot be read may give it one.
            if cx.f.broken {
                return Ok(());
            }
            return fail_generic(format!("generic register `{}` has no type", name()));
        };
        let bank = match info.kind {
            VirtualKind::Bank(bank) => cx.t.facts().banks.get(usize::from(bank)),
            _ => None,
        };
        match bank {
            None if cx.f.properties.reg_bank_selected => {
                let name = name();
                return fail_generic(format!(
                    "generic register `{name}` has no bank in a function with `regBankSelected: true`"
                ));
            }
            None => {}
            Some(bank) => {
                let bits = type_bits(cx, ty).filter(|bits| !ty.is_scalable() && *bits > u64::from(bank.size));
                if let Some(bits) = bits {
                    return fail_generic(format!(
                        "`{}` has {bits} bits, but a register of bank `{}` has at most {}",
                        name(),
                        bank.name,
                        bank.size
                    ));
                }
            }
        }
    }
    if operand.register().is_some_and(|r| r.sub.is_some()) {
        let message = format!("generic register `{}` must not have a subregister index", name());
        return fail_in(&SUBREGISTER, operand.range, message);
    }
    if let (Some(class), false) = (expected, inst.is_pre_isel_opcode()) {
        let class = cx.class_text(class);
        let message = format!("expected register class `{class}`, found generic register `{}`", name());
        return fail_in(&OPERAND_CLASS, operand.range, message);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn classes() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sgpr_32 = V_MOV_B32_e32 0, implicit $exec
            ;   ^^^^^^^^^^ error[operand-class]: expected register class `vgpr_32`, but `%0` has register class `sgpr_32`
            ...
        "#]]);
    }

    #[test]
    fn accumulation_registers_are_reserved_where_no_instruction_uses_them() {
        let on = |processor: &str| {
            let text = format!(
                "# RUN: llc -mtriple=amdgcn{processor} %s\n---\nname: f\nbody: |\n  bb.0:\n    \
                renamable $agpr4_agpr5 = COPY $vgpr0_vgpr1\n    S_ENDPGM 0\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        for processor in [" -mcpu=gfx908", ""] {
            expect![""].assert_eq(&on(processor));
        }
        expect![[r#"
            error[operand-class] 6:5 `renamable $agpr4_agpr5`: reserved register `$agpr4_agpr5` must not be `renamable`
        "#]].assert_eq(&on(" -mcpu=gfx900"));
        expect![[r#"
            warning[unknown-processor] 1:34 `gfx940`: processor `gfx940` was removed in LLVM 20; use `gfx942`
            error[operand-class] 6:5 `renamable $agpr4_agpr5`: reserved register `$agpr4_agpr5` must not be `renamable`
        "#]].assert_eq(&on(" -mcpu=gfx940"));
    }

    #[test]
    fn pointers_on_machines_with_one_table() {
        let with = |triple: &str, base: &str| {
            let name = base.split(':').next().unwrap_or("");
            let text = format!(
                "# RUN: llc -mtriple={triple} %s\n---\nname: f\nbody: |\n  bb.0:\n    {base} = IMPLICIT_DEF\n    \
                %1:gr32 = IMPLICIT_DEF\n    MOV32mr {name}, 1, $noreg, 0, $noreg, %1 :: (store (s32))\n    RET 0\n"
            );
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text)
        };
        expect![[r#"
            error[operand-class] 8:13 `$eax`: `$eax` is not in register class `gr64`
        "#]]
        .assert_eq(&with("x86_64-linux", "$eax"));
        expect![[r#"
            error[operand-class] 8:13 `%0`: expected register class `gr64`, but `%0` has register class `gr32`
              6:5 `%0:gr32`: the register gets its class here
        "#]]
        .assert_eq(&with("x86_64-linux", "%0:gr32"));
        for (triple, base) in
            [("x86_64-linux", "$rax"), ("x86_64-linux-gnux32", "$eax"), ("i686-linux", "$eax")]
        {
            expect![[""]].assert_eq(&with(triple, base));
        }
    }
}
