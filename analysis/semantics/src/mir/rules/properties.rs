//! What the function says about itself against its body.

use wavelens_isa::mir::opcode;

use super::{names, registers};
use crate::Diagnostic;
use crate::mir::context::Cx;
use crate::mir::model::Function;

rule!(
    PROPERTY,
    "property-contradiction",
    "A property of the function (`noPhis`, `isSSA`, `noVRegs`, `hasFakeUses`) says something that its body contradicts."
);
rule!(
    CALL_SITE,
    "bad-call-site",
    "Call site information must point at a call instruction by block and offset."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[&PROPERTY, &CALL_SITE];

fn range(cx: &Cx<'_>, key: &str) -> crate::TextRange {
    let p = &cx.f.properties;
    p.ranges.get(key).copied().unwrap_or(p.name.range)
}

/// Properties that LLVM also computes. `ssa` and `phis` are what the body shows.
pub(super) fn computed(cx: &mut Cx<'_>, ssa: bool, phis: bool) {
    let p = &cx.f.properties;
    let fake = cx.instructions.iter().flatten().any(|i| i.is(opcode::FAKE_USE));
    let found = [
        (p.no_phis == Some(true) && phis, "noPhis", "the function has PHI instructions"),
        (p.is_ssa == Some(true) && !ssa, "isSSA", "the function defines a register twice, or a part of one"),
        (
            p.no_vregs == Some(true) && !cx.f.registers.is_empty(),
            "noVRegs",
            "the function has virtual registers",
        ),
        (p.has_fake_uses == Some(false) && fake, "hasFakeUses", "the function has fake uses"),
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
        let message = "LLVM cannot read constants of a target's own kind";
        diagnostics.push(Diagnostic::new(&names::UNDEFINED_CONSTANT, constant.value.range, message));
    }
    if let Some(first) = f.call_sites.first() {
        let message = "LLVM reads call site information only when asked to emit it";
        diagnostics.push(Diagnostic::new(&CALL_SITE, first.range, message));
    }
}

/// Call sites.
pub(super) fn check(cx: &mut Cx<'_>) {
    let f = cx.f;
    for site in f.call_sites.iter().chain(&f.called_globals) {
        let message = match f.blocks.get(site.block as usize) {
            None => Some(format!("the function has no block number {} in order", site.block)),
            Some(block) => {
                let instructions = block.instructions.of(&cx.instructions);
                match instructions.get(site.offset as usize) {
                    None => Some(format!("the block has only {} instructions", instructions.len())),
                    Some(Some(i)) if !i.desc.is(wavelens_isa::mir::flag::CALL) => {
                        Some(format!("`{}` is no call", f.opcode_text(i.source)))
                    }
                    Some(_) => None,
                }
            }
        };
        match message {
            Some(message) => cx.report(&CALL_SITE, site.range, message),
            None => {
                for register in &site.registers {
                    registers::physical_text(cx, register);
                }
            }
        }
    }
    for site in &f.called_globals {
        if cx.scope.has_ir && !cx.scope.globals.contains(&site.callee.text) {
            cx.report(
                &CALL_SITE,
                site.callee.range,
                format!("no global `{}` in the IR module", site.callee.text),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn promises() {
        expect![[r#"
            error[property-contradiction] 3:1 `noVRegs: true`: the function has virtual registers
        "#]]
        .assert_eq(&findings("noVRegs: true\n", "  bb.0:\n    %0:sgpr_32 = IMPLICIT_DEF\n"));
        expect![[r#"
            error[property-contradiction] 3:1 `isSSA: true`: the function defines a register twice, or a part of one
        "#]].assert_eq(&findings(
            "isSSA: true\n",
            "  bb.0:\n    %0:sgpr_32 = IMPLICIT_DEF\n    %0:sgpr_32 = IMPLICIT_DEF\n",
        ));
        expect![[r#"
            error[generic-register] 6:5 `%0:_(s32)`: `%0` is generic, but the function says it is selected
            error[generic-in-selected] 6:17 `G_IMPLICIT_DEF`: `G_IMPLICIT_DEF` is generic, but the function says it is selected
        "#]]
            .assert_eq(&findings("selected: true\n", "  bb.0:\n    %0:_(s32) = G_IMPLICIT_DEF\n"));
    }
}
