//! Implicit operands that the description of an instruction requires.

use wavelens_isa::mir::{Register, flag};
use wavelens_syntax::llvm::NEWER_SINCE;

use super::reserved::is_reserved;
use super::{descriptor, register_operands};
use crate::context::{Inst, RuleContext};
use crate::model::*;
use wavelens_base::{Diagnostic, TextRange, TextSize};

wavelens_syntax::rules! {
    MISSING_IMPLICIT {
        code: "missing-implicit-operand",
        severity: wavelens_base::Severity::Error,
        title: "an instruction has the implicit operands of its description",
        explain: "The parser does not add them. Calls and instructions with a variable number of operands are exempt.",
        example: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    $vgpr0 = V_MOV_B32_e32 0, implicit $exec
    S_ENDPGM 0
...
"#,
        source: "LLVM MIParser::verifyImplicitOperands: \"missing implicit register operand\"",
    }
}

/// The text has the registers that the description uses and defines implicitly.
pub(super) fn check(cx: &mut RuleContext<'_>, inst: &Inst<'_>) {
    if inst.desc.is(flag::VARIADIC) || inst.desc.is(flag::CALL) {
        return;
    }
    let defs = inst.desc.implicit_defs().map(|r| (r, true));
    let uses = inst.desc.implicit_uses().map(|r| (r, false));
    for (register, def) in defs.chain(uses) {
        let present = cx.operands(inst).any(|o| {
            o.is_def() == def && o.register().is_some_and(|r| {
                !r.sub.is_some()
                    && matches!(r.name, RegisterName::Physical(n) if cx.known_register(n) == Some(register))
            })
        });
        if present || cx.t.register_name(register) == "vcc" && is_printed_low(cx, inst, def) {
            continue;
        }
        let written =
            format!("{} ${}", if def { "implicit-def" } else { "implicit" }, cx.t.register_name(register));
        let operands = inst.source.operands.of(&cx.f.operands);
        let end = operands
            .last()
            .map_or(inst.source.opcode_range.end(), |o| o.range.end().max(inst.source.opcode_range.end()));
        let explicit = operands.iter().any(|o| o.range.start() > inst.source.opcode_range.end());
        let separator = if explicit { ", " } else { " " };
        let at = TextRange::empty(end);
        let name = cx.f.opcode_text(inst.source);
        let d = Diagnostic::new(
            &MISSING_IMPLICIT,
            inst.source.opcode_range,
            format!("missing implicit operand `{written}` of `{name}`"),
        );
        let (title, text) = (format!("Add `{written}`"), format!("{separator}{written}"));
        // A register in its place that the description does not have, or one that is written twice, may be the one that is meant. Parts of tuples may be anywhere.
        let is_described = |register: Register| match def {
            true => inst.desc.implicit_defs().any(|r| r == register),
            false => inst.desc.implicit_uses().any(|r| r == register),
        };
        let is_other = |r: &RegisterOperand| match r.name {
            RegisterName::Physical(n) => {
                let is_tuple =
                    ["vgpr", "sgpr", "agpr"].iter().any(|file| cx.f.names.get(n).starts_with(file));
                !is_tuple && cx.known_register(n).is_some_and(|register| !is_described(register))
            }
            _ => true,
        };
        let is_replaced = {
            let of_kind = cx.operands(inst).filter(|o| o.is_def() == def);
            let written: Vec<(bool, &RegisterOperand)> =
                of_kind.filter_map(|o| Some((o.is_implicit(), o.register()?))).collect();
            let is_again =
                |(i, r): (usize, &RegisterOperand)| written[..i].iter().any(|(_, o)| o.name == r.name);
            let mut implicit = written.iter().enumerate().filter(|(_, (is_implicit, _))| *is_implicit);
            implicit.any(|(i, (_, r))| is_other(r) || is_again((i, r)))
        };
        // LLVM names after it the forms for gfx9 and later, which do without `$m0`.
        let is_other_form = cx.t.opcode(&format!("{name}_gfx9")).is_some();
        let is_certain = !is_replaced && !is_other_form && (def || has_value(cx, inst, register));
        cx.diagnostics.push(if is_certain { d.fix(title, at, text) } else { d.guess(title, at, text) });
        return;
    }
}

/// Whether a register has a value before an instruction: it is reserved, live into the block or written somewhere before. Where it has no
/// value, the operand that is missing may have been `undef`.
fn has_value(cx: &RuleContext<'_>, inst: &Inst<'_>, register: Register) -> bool {
    let overlaps = |name: Symbol| {
        let other = cx.t.register(cx.f.names.get(name));
        other.is_some_and(|other| cx.t.units(other).any(|unit| cx.t.units(register).any(|own| own == unit)))
    };
    let is_written = |o: &Operand| {
        o.is_def() && o.register().is_some_and(|r| matches!(r.name, RegisterName::Physical(n) if overlaps(n)))
    };
    let place = inst.source.opcode_range;
    let block = cx.f.blocks.iter().rfind(|block| block.range.start() <= place.start());
    let live_ins = block.map_or(&[][..], |block| block.live_ins.of(&cx.f.block_live_ins));
    is_reserved(cx, register)
        || live_ins.iter().any(|live_in| overlaps(live_in.register))
        || cx.operand_before(place, is_written).is_some()
}

/// Whether the text has `$vcc_lo`, which LLVM 23 and 24 print for `$vcc` in waves of 32 lanes and do not read again: it is a dump.
fn is_printed_low(cx: &RuleContext<'_>, inst: &Inst<'_>, def: bool) -> bool {
    cx.scope.configuration.llvm_level.value >= NEWER_SINCE
        && cx.operands(inst).any(|o| {
            o.is_def() == def
                && o.register().is_some_and(
                    |r| matches!(r.name, RegisterName::Physical(n) if cx.f.names.get(n) == "vcc_lo"),
                )
        })
}

/// Removes what is said about implicit operands of an instruction whose written operands do not fit: its opcode may be the wrong one.
pub(super) fn retract_explained(diagnostics: &mut Vec<Diagnostic>, text: &str) {
    let is_unfit =
        |d: &Diagnostic| register_operands::RULES.contains(&d.rule) || descriptor::RULES.contains(&d.rule);
    let mut unfit: Vec<TextSize> =
        diagnostics.iter().filter(|d| is_unfit(d)).map(|d| d.range.start()).collect();
    unfit.sort_unstable();
    diagnostics.retain(|d| {
        let end = d.range.end();
        let next = unfit.get(unfit.partition_point(|start| *start < end));
        let between = next.and_then(|next| text.get(end.into()..(*next).into()));
        d.rule != &MISSING_IMPLICIT || between.is_none_or(|text| text.contains('\n'))
    });
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use wavelens_base::Dialect;
    use wavelens_check::testing::findings;

    #[test]
    fn operands_that_do_not_fit_come_first() {
        let check = |operands: &str| {
            let head = "---\nname: f\nbody: |\n  bb.0:\n    ";
            let text = format!("{head}$vgpr0 = V_ADD_F32_e32 {operands}\n    S_ENDPGM 0\n...\n");
            findings(Dialect::Mir, &format!("# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n{text}"))
        };
        expect![[r#"
            error[missing-implicit-operand] 6:14 `V_ADD_F32_e32`: missing implicit operand `implicit $exec` of `V_ADD_F32_e32`
              fix: Add `implicit $exec`
              |     $vgpr0 = V_ADD_F32_e32 $vgpr1, $vgpr2, implicit $mode, implicit $exec
        "#]].assert_eq(&check("$vgpr1, $vgpr2, implicit $mode"));
        expect![[r#"
            error[operand-class] 6:36 `$sgpr2`: `$sgpr2` is not in register class `vgpr_32`
        "#]]
        .assert_eq(&check("$vgpr1, $sgpr2, implicit $mode"));
        // `$scc` may be the misspelled one: nothing is certain.
        expect![[r#"
            error[missing-implicit-operand] 6:14 `V_ADD_F32_e32`: missing implicit operand `implicit $exec` of `V_ADD_F32_e32`
              fix: Add `implicit $exec`
              |     $vgpr0 = V_ADD_F32_e32 $vgpr1, $vgpr2, implicit $mode, implicit $scc, implicit $exec
        "#]].assert_eq(&check("$vgpr1, $vgpr2, implicit $mode, implicit $scc"));
    }

    #[test]
    fn what_has_no_value_may_have_been_undef() {
        let check = |before: &str| {
            let head = "# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n";
            let text = format!("{head}{before}    S_CBRANCH_VCCZ %bb.1\n\n  bb.1:\n    S_ENDPGM 0\n...\n");
            let options = wavelens_base::Options::default();
            let found = wavelens_check::check_text(Dialect::Mir, &text, &options);
            found.iter().map(|f| f.fix.as_ref().is_some_and(|fix| fix.certain)).collect::<Vec<_>>()
        };
        assert_eq!(check(""), [false]);
        assert_eq!(check("    liveins: $vcc_lo\n\n"), [true]);
        assert_eq!(check("    $vcc = S_MOV_B64 0\n"), [true]);
    }

    #[test]
    fn an_operand_that_is_written_twice_may_be_the_misspelt_one() {
        let check = |implicit: &str| {
            let head = "# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr1\n\n";
            let text =
                format!("{head}    $vgpr0 = V_ADD_F32_e32 $vgpr1, $vgpr1, {implicit}\n    S_ENDPGM 0\n...\n");
            let found = wavelens_check::check_text(Dialect::Mir, &text, &wavelens_base::Options::default());
            found.iter().map(|f| f.fix.as_ref().is_some_and(|fix| fix.certain)).collect::<Vec<_>>()
        };
        assert_eq!(check("implicit $exec"), [true]);
        assert_eq!(check("implicit $exec, implicit $exec"), [false]);
        assert_eq!(check("implicit $vgpr1, implicit $exec"), [false]);
    }

    #[test]
    fn an_opcode_of_older_processors_may_be_the_mistake() {
        let head = "# RUN: llc -mtriple=amdgcn -mcpu=gfx900 %s\n---\nname: f\nbody: |\n  bb.0:\n    liveins: $vgpr1\n\n    $m0 = S_MOV_B32 -1\n";
        let text =
            format!("{head}    $vgpr0 = DS_READ_U16 $vgpr1, 0, 0, implicit $exec\n    S_ENDPGM 0\n...\n");
        let found = wavelens_check::check_text(Dialect::Mir, &text, &wavelens_base::Options::default());
        let grades = found.iter().map(|f| f.fix.as_ref().is_some_and(|fix| fix.certain));
        assert_eq!(grades.collect::<Vec<_>>(), [false]);
    }

    #[test]
    fn dumps_name_half_of_vcc_in_waves_of_32_lanes() {
        let check = |level: Option<u8>, register: &str| {
            let text = format!(
                "# RUN: llc -mtriple=amdgcn -mcpu=gfx1100 %s\n---\nname: f\nbody: |\n  bb.0:\n    \
                 $vgpr0 = V_DIV_FMAS_F32_e64 0, $vgpr1, 0, $vgpr2, 0, $vgpr3, 0, 0, implicit $mode, implicit {register}, \
                 implicit $exec\n    S_ENDPGM 0\n...\n"
            );
            let options = wavelens_base::Options { llvm_level: level, ..Default::default() };
            let found = wavelens_check::check_text(Dialect::Mir, &text, &options);
            found.iter().filter(|f| f.rule.code == "missing-implicit-operand").count()
        };
        assert_eq!([check(None, "$vcc_lo"), check(None, "$vcc")], [0, 0]);
        assert_eq!([check(Some(22), "$vcc_lo"), check(None, "$scc")], [1, 1]);
    }
}
