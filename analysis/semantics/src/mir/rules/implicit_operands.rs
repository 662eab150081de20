//! Implicit operands that the description of an instruction requires.

use wavelens_isa::mir::flag;

use crate::mir::context::{Inst, RuleContext};
use crate::mir::model::*;
use crate::{Diagnostic, TextRange};

wavelens_syntax::rules! {
    MISSING_IMPLICIT {
        code: "missing-implicit-operand",
        severity: crate::Severity::Error,
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
pub(super) fn check(cx: &mut RuleContext<'_>, inst: &Inst<'_>) -> bool {
    if inst.desc.is(flag::VARIADIC) || inst.desc.is(flag::CALL) {
        return true;
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
        if present {
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
        cx.diagnostics.push(d.fix(format!("Add `{written}`"), at, format!("{separator}{written}")));
        return false;
    }
    true
}
