//! Names of the target: opcodes, registers, classes, operands, flags.

use rowan::TextSize;
use wavelens_isa::mir::{Class, SubIndex, Tables, is_newer_register, is_removed_register};
use wavelens_syntax::spelling::{MOST_SLIPS, closest, is_alike};
use wavelens_syntax::wording;

use super::{block_names, debug_expression, frame_objects};
use crate::context::{RuleContext, VirtualKind};
use crate::model::*;
use wavelens_base::{Diagnostic, Rule, TextEdit, TextRange};

wavelens_syntax::rules! {
    UNKNOWN_OPCODE {
        code: "unknown-opcode",
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
        severity: wavelens_base::Severity::Error,
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
    let range = instruction.opcode_range;
    report_unknown(cx, &UNKNOWN_OPCODE, "instruction", &name, range, |t| {
        let lengths = name.len().saturating_sub(MOST_SLIPS)..=name.len() + MOST_SLIPS;
        let may_be_meant =
            |known: &&str| is_alike(&name, known) && !wavelens_isa::differ_in_type(&name, known);
        let alike: Vec<&str> = t.opcodes_of_length(lengths).filter(may_be_meant).collect();
        // Slips at the start of a name are rarer than names that differ there alone: `S_` and `V_`.
        let same_start = || alike.iter().copied().filter(|known| known.get(..2) == name.get(..2));
        let near = closest(&name, same_start()).or_else(|| closest(&name, alike.iter().copied()));
        let longer = t.opcodes_with_prefix(&format!("{name}_"), 1).into_iter().map(|(_, name)| name);
        near.map(str::to_owned).into_iter().chain(longer).collect()
    });
}

/// Reports a name that the target does not have. The fix writes the one that is close.
fn report_unknown(
    cx: &mut RuleContext<'_>,
    rule: &'static Rule,
    kind: &str,
    name: &str,
    range: TextRange,
    known: impl Fn(&Tables) -> Vec<String>,
) {
    // A file for another target has nothing but unknown names: the first few are worth a search.
    let searched = cx.diagnostics.iter().filter(|d| std::ptr::eq(d.rule, rule)).take(5).count();
    let known = if searched < 5 { known(cx.t) } else { Vec::new() };
    let near = closest(name, known.iter().map(String::as_str));
    let sigil = if std::ptr::eq(rule, &UNKNOWN_REGISTER) { "$" } else { "" };
    let shown = near.map(|near| format!("{sigil}{near}"));
    let mut message = wording::unknown(kind, &format!("{sigil}{name}"), shown.as_deref().into_iter());
    if near.is_none() && cx.scope.is_target_assumed() {
        message += "; the file names no target, and amdgcn is assumed";
    }
    let mut diagnostic = Diagnostic::new(rule, range, message);
    // The range of an operand has flags and more than one name.
    let text = debug_expression::text_of(cx, range);
    if let Some(near) = near
        && let [(start, _)] = text.match_indices(name).collect::<Vec<_>>()[..]
    {
        let start = range.start() + TextSize::new(start as u32);
        let edit = TextEdit::new(TextRange::at(start, TextSize::of(name)), near);
        let title = format!("Replace with `{sigil}{near}`");
        // `S_CBRANCH` may be the beginning of `S_CBRANCH_SCC1` as well as a misspelt `S_BRANCH`.
        let begins = |known: &String| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('_'));
        match known.iter().any(begins) {
            true => diagnostic.set_guess(title, vec![edit]),
            false => diagnostic = diagnostic.respell(title, edit, name, near),
        }
    }
    cx.diagnostics.push(diagnostic);
}

pub(super) fn check_physical(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.register(name).is_some() {
        if cx.f.names.get(name) == "noreg" && !debug_expression::text_of(cx, range).contains("noreg") {
            let message = "LLVM reads `$` without a name as `$noreg`";
            cx.diagnostics.push(Diagnostic::warning(&UNKNOWN_REGISTER, range, message));
        }
        let name = cx.f.names.get(name);
        if cx.follows(24) && is_removed_register(name) {
            let message = format!("LLVM 24 does not have the register `${name}`");
            cx.report(&UNKNOWN_REGISTER, range, message);
            return false;
        }
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    if cx.reads_newer() && is_newer_register(&text) {
        return false;
    }
    report_unknown(cx, &UNKNOWN_REGISTER, "register", &text, range, |t| {
        // Another number is another register.
        let own: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).collect();
        let is_numbered_so = |name: &str| name.bytes().filter(u8::is_ascii_digit).eq(own.iter().copied());
        // The first letter may be the one too many: `$svgpr0` is as close to `$vgpr0`.
        let starts = [text.get(..1), text.get(1..2).filter(|second| text.get(..1) != Some(*second))];
        starts
            .into_iter()
            .flatten()
            .flat_map(|start| t.registers_with_prefix(start, is_numbered_so))
            .collect()
    });
    false
}

pub(super) fn check_sub_index(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> bool {
    if cx.sub_index(name).is_some() {
        return true;
    }
    let text = cx.f.names.get(name).to_owned();
    report_unknown(cx, &UNKNOWN_SUBREGISTER, "subregister index", &text, range, |t| {
        (1..t.sub_index_count() as u16).map(|index| t.sub_index_name(SubIndex(index))).collect()
    });
    false
}

pub(super) fn resolve_class(cx: &mut RuleContext<'_>, name: Symbol, range: TextRange) -> VirtualKind {
    let kind = cx.class_or_bank(name);
    if kind == VirtualKind::Error {
        let text = cx.f.names.get(name).to_owned();
        report_unknown(cx, &UNKNOWN_CLASS, "register class or register bank", &text, range, |t| {
            let banks = t.facts().banks.iter().map(|bank| bank.name.clone());
            (0..t.class_count() as u16).map(|class| t.class_name(Class(class))).chain(banks).collect()
        });
    }
    kind
}

/// Everything in an operand that is a name; false where something was reported.
pub(super) fn check_operand(cx: &mut RuleContext<'_>, operand: &Operand) -> bool {
    let range = operand.range;
    let has_all_keys = !cx.f.properties.has_unknown_key;
    let (message, rule) = match operand.kind {
        OperandKind::Block(number, name) => {
            return block_names::resolve_block(cx, number, name, range).is_some();
        }
        OperandKind::Frame { fixed, id, name } => {
            return frame_objects::check_reference(cx, fixed, id, name, range);
        }
        OperandKind::ConstantPool(id) if has_all_keys && !cx.f.constants.iter().any(|c| c.id == id) => {
            (format!("use of undefined constant `%const.{id}`"), &UNDEFINED_CONSTANT)
        }
        OperandKind::JumpTable(id) if has_all_keys && !cx.f.jump_tables.iter().any(|t| t.id == id) => {
            (format!("use of undefined jump table `%jump-table.{id}`"), &UNDEFINED_JUMP_TABLE)
        }
        OperandKind::SubIndex(name) => return check_sub_index(cx, name, range),
        OperandKind::Mask(name) => {
            let text = cx.f.names.get(name);
            if cx.t.facts().masks.iter().any(|m| m == text) {
                return true;
            }
            (format!("unknown flag, register mask or immediate type `{text}`"), &UNKNOWN_OPERAND)
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
            let message = match (letter, bits) {
                (b'i', 0x80_0000..) => {
                    format!("the width of an integer must be less than 2^23 bits, is {bits}")
                }
                _ => "expected an integer constant such as `i32 7` or `i1 true`".to_owned(),
            };
            (message, &BAD_IMMEDIATE)
        }
        OperandKind::Expression => return debug_expression::check(cx, range),
        OperandKind::FpImmediate { exact: false, .. } => {
            let text = debug_expression::text_of(cx, range);
            (format!("the number in `{text}` is not exactly representable in its type"), &BAD_IMMEDIATE)
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

/// Reports a name that is defined twice: where it was defined before, and here.
pub(super) fn report_redefinition(
    cx: &mut RuleContext<'_>,
    rule: &'static Rule,
    name: &str,
    first: TextRange,
    here: TextRange,
) {
    let diagnostic = Diagnostic::new(rule, here, wording::redefinition(name));
    cx.diagnostics.push(diagnostic.related(wavelens_base::Place::Here(first), wording::PREVIOUS));
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn misspelt_names_have_fixes() {
        let fixed = |body: &str| {
            let text = format!(
                "---\nname: f\ntracksRegLiveness: true\nbody: |\n  bb.0:\n    liveins: $vgpr0\n{body}    S_ENDPGM 0\n...\n"
            );
            let found = wavelens_check::check_text(
                wavelens_base::Dialect::Mir,
                &text,
                &wavelens_base::Options::default(),
            );
            let fixes = found.iter().filter_map(|f| f.fix.as_ref().map(|fix| (f, fix)));
            let shown = |(f, fix): (&wavelens_base::Finding, &wavelens_base::Fix)| {
                let certain = if fix.certain { "certain" } else { "likely" };
                format!("{}: {} ({certain})\n", f.message, fix.title)
            };
            fixes.map(shown).collect::<String>()
        };
        expect![[r#"
            unknown register `$vgprr0`; did you mean `$vgpr0`?: Replace with `$vgpr0` (certain)
        "#]]
        .assert_eq(&fixed("    %0:vgpr_32 = COPY $vgprr0\n"));
        expect![[r#"
            unknown register class or register bank `vgpr_3`; did you mean `vgpr_32`?: Replace with `vgpr_32` (likely)
        "#]].assert_eq(&fixed("    %0:vgpr_3 = COPY $vgpr0\n"));
        expect![[r#"
            unknown instruction `S_NOPP`; did you mean `S_NOP`?: Replace with `S_NOP` (certain)
            unknown register flag `renamabel`; did you mean `renamable`?: Replace with `renamable` (certain)
        "#]]
        .assert_eq(&fixed("    S_NOPP 0\n    %0:vgpr_32 = COPY renamabel $vgpr0\n"));
        expect![[r#"
            unknown instruction `S_CBRANCH`; did you mean `S_BRANCH`?: Replace with `S_BRANCH` (likely)
        "#]]
        .assert_eq(&fixed("    S_CBRANCH %bb.0\n"));
        expect![[r#"
            unknown block attribute `livein`; did you mean `liveins`?: Replace with `liveins` (certain)
        "#]]
        .assert_eq(&fixed("    livein: $vgpr1\n"));
        // Another number is another register.
        expect![[""]].assert_eq(&fixed("    %0:vgpr_32 = COPY $vgpr9999\n"));
        // `$sgpr0` and `$vgpr0` are as close.
        expect![[""]].assert_eq(&fixed("    %0:vgpr_32 = COPY $svgpr0\n"));
    }

    #[test]
    fn unknown_names() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgpr_32 = V_MVO_B32_e32 0, implicit $exec
            ;                ^^^^^^^^^^^^^ error[unknown-opcode]: unknown instruction `V_MVO_B32_e32`; did you mean `V_MOV_B32_e32`?
            ;                            = fix:     %0:vgpr_32 = V_MOV_B32_e32 0, implicit $exec
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                $vgpr9999 = IMPLICIT_DEF
            ;   ^^^^^^^^^ error[unknown-register]: unknown register `$vgpr9999`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:sgpr_32 = COPY $
            ;                     ^ warning[unknown-register]: LLVM reads `$` without a name as `$noreg`
                S_NOP 0, implicit $noreg
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vgrp_32 = IMPLICIT_DEF
            ;   ^^^^^^^^^^ error[unknown-register-class]: unknown register class or register bank `vgrp_32`; did you mean `vgpr_32`?
            ;            = fix:     %0:vgpr_32 = IMPLICIT_DEF
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                %0:vreg_64 = IMPLICIT_DEF
                %1:vgpr_32 = COPY %0.sub77
            ;                     ^^^^^^^^ error[unknown-subregister]: unknown subregister index `sub77`
            ...
        "#]]);
    }

    #[test]
    fn undefined_numbers() {
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                S_BRANCH %bb.7
            ;            ^^^^^ error[undefined-machine-block]: use of undefined block `%bb.7`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                $vgpr0 = SI_SPILL_V32_RESTORE %stack.3, $sgpr32, 0, implicit $exec
            ;                                 ^^^^^^^^ error[undefined-frame-object]: use of undefined stack object `%stack.3`
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            body: |
              bb.0:
                DBG_VALUE $vgpr0, $noreg, !1, !DIExpression(DW_OP_plsu)
            ;                             ^^ error[undefined-metadata]: use of undefined metadata `!1`
            ;                                 ^^^^^^^^^^^^^^^^^^^^^^^^^ error[bad-debug-expression]: expected a `DW_OP_` operation, a `DW_ATE_` encoding or an unsigned 64-bit number, found `DW_OP_plsu`
            ...
        "#]]);
    }
}
