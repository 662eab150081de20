//! What the function says about itself against its body.

use wavelens_isa::mir::opcode;
use wavelens_syntax::wording;

use super::{names, register_declarations};
use crate::context::RuleContext;
use crate::model::Function;
use wavelens_base::Diagnostic;

wavelens_syntax::rules! {
    PROPERTY {
        code: "property-contradiction",
        severity: wavelens_base::Severity::Error,
        title: "a property of the function agrees with its body",
        explain: "The properties are `noPhis`, `isSSA`, `noVRegs` and `hasFakeUses`. Omit a property to let the parser compute it.",
        example: r#"---
name: f
noVRegs: true
body: |
  bb.0:
    %0:vgpr_32 = IMPLICIT_DEF
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
        source: "LLVM MIRParserImpl::computeFunctionProperties: \"has explicit property\"",
    }

    CALL_SITE {
        code: "bad-call-site",
        severity: wavelens_base::Severity::Error,
        title: "call site information refers to a call instruction by block and offset",
        explain: "Debuggers use it to find argument values at the call.",
        example: r#"---
name: f
callSites:
  - { bb: 0, offset: 0, fwdArgRegs: [] }
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
body: |
  bb.0:
    S_ENDPGM 0
...
"#,
        source: "LLVM MIRParserImpl::initializeCallSiteInfo: \"call site info should reference call instruction\"",
    }
}

fn range(cx: &RuleContext<'_>, key: &str) -> wavelens_base::TextRange {
    let p = &cx.f.properties;
    p.ranges.get(key).copied().unwrap_or(p.name.range)
}

/// Properties that LLVM also computes. `phis` is what the body shows; `not_ssa` is a register that is not in SSA form, and how it is
/// defined.
pub(super) fn computed(cx: &mut RuleContext<'_>, not_ssa: Option<(u32, &str)>, phis: bool) {
    let ssa = not_ssa.map(|(register, how)| {
        format!("the function has `isSSA: true`, but `{}` is defined {how}", cx.f.register_text(register))
    });
    let p = &cx.f.properties;
    let fake = cx.instructions.iter().flatten().any(|i| i.is(opcode::FAKE_USE));
    let found = [
        (
            p.no_phis == Some(true) && phis,
            "noPhis",
            "the function has `noPhis: true`, but contains PHI instructions",
        ),
        (p.is_ssa == Some(true) && ssa.is_some(), "isSSA", ssa.as_deref().unwrap_or_default()),
        (
            p.no_vregs == Some(true) && !cx.f.registers.is_empty(),
            "noVRegs",
            "the function has `noVRegs: true`, but contains virtual registers",
        ),
        (
            p.has_fake_uses == Some(false) && fake,
            "hasFakeUses",
            "the function has `hasFakeUses: false`, but contains FAKE_USE",
        ),
    ];
    for (wrong, key, message) in found {
        if wrong && !cx.f.broken {
            let range = range(cx, key);
            cx.report(&PROPERTY, range, message);
        }
    }
}

/// What LLVM refuses to read, whatever the target.
pub(super) fn unreadable(f: &Function, diagnostics: &mut Vec<Diagnostic>) {
    for constant in f.constants.iter().filter(|c| c.target_specific) {
        let message = "target-specific constants cannot be read by LLVM";
        diagnostics.push(Diagnostic::new(&names::UNDEFINED_CONSTANT, constant.value.range, message));
    }
    if let Some(first) = f.call_sites.first() {
        let message = "LLVM rejects call site information unless `-emit-call-site-info` is given";
        diagnostics.push(Diagnostic::new(&CALL_SITE, first.range, message));
    }
}

/// Call sites.
pub(super) fn function(cx: &mut RuleContext<'_>) {
    let f = cx.f;
    for site in f.call_sites.iter().chain(&f.called_globals) {
        let message = match f.blocks.get(site.block as usize) {
            None => Some(format!("use of undefined block number {}", site.block)),
            Some(block) => {
                let instructions = block.instructions.of(&cx.instructions);
                match instructions.get(site.offset as usize) {
                    None => Some(format!(
                        "offset {} is out of range: the block has {}",
                        site.offset,
                        wording::number(instructions.len(), "instructions")
                    )),
                    Some(Some(i)) if !i.desc.is(wavelens_isa::mir::flag::CALL) => {
                        let (opcode, offset) = (f.opcode_text(i.source), site.offset);
                        Some(format!("instruction {offset} of the block, `{opcode}`, is not a call"))
                    }
                    Some(_) => None,
                }
            }
        };
        match message {
            Some(message) => cx.report(&CALL_SITE, site.range, message),
            None => {
                for register in &site.registers {
                    register_declarations::physical_text(cx, register);
                }
            }
        }
    }
    for site in &f.called_globals {
        if cx.scope.has_ir && !cx.scope.globals.contains(&site.callee.text) {
            cx.report(
                &CALL_SITE,
                site.callee.range,
                format!("use of undefined global `{}`", site.callee.text),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::marks;

    #[test]
    fn promises() {
        marks(expect![[r#"
            ---
            name: f
            noVRegs: true
            ;^^^^^^^^^^^^ error[property-contradiction]: the function has `noVRegs: true`, but contains virtual registers
            body: |
              bb.0:
                %0:sgpr_32 = IMPLICIT_DEF
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            isSSA: true
            ;^^^^^^^^^^ error[property-contradiction]: the function has `isSSA: true`, but `%0` is defined more than once
            body: |
              bb.0:
                %0:sgpr_32 = IMPLICIT_DEF
                %0:sgpr_32 = IMPLICIT_DEF
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            selected: true
            body: |
              bb.0:
                %0:_(s32) = G_IMPLICIT_DEF
            ;   ^^^^^^^^^ error[generic-register]: generic register `%0` in a function with `selected: true`
            ;               ^^^^^^^^^^^^^^ error[generic-in-selected]: generic instruction `G_IMPLICIT_DEF` in a function with `selected: true`
            ...
        "#]]);
    }
}
