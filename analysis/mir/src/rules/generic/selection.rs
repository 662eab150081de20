//! Intrinsics that the processor lacks: selecting them ends with "cannot select".

use wavelens_isa::mir::Machine;
use wavelens_isa::mir::opcode::*;

use super::intrinsic;
use crate::context::{Inst, RuleContext};
use crate::model::*;

pub(in crate::rules) fn instructions(cx: &mut RuleContext<'_>) {
    if cx.machine != Machine::Amdgpu {
        return;
    }
    if cx.f.properties.selected || !is_selected(cx) {
        return;
    }
    let Some(target) = cx.target() else { return };
    let mut found = Vec::new();
    for inst in cx.instructions.iter().flatten().filter(|inst| inst.is_pre_isel()) {
        let is_call = [
            G_INTRINSIC,
            G_INTRINSIC_W_SIDE_EFFECTS,
            G_INTRINSIC_CONVERGENT,
            G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS,
        ];
        if !is_call.iter().any(|opcode| inst.is(*opcode)) {
            continue;
        }
        let operands = (0..inst.order.len()).filter_map(|index| cx.operand(inst, index));
        let named = operands.filter_map(|operand| match operand.kind {
            OperandKind::Intrinsic(name) => Some((cx.f.names.get(name), operand.range)),
            _ => None,
        });
        let Some((name, range)) = named.last() else { continue };
        // What nothing uses is gone by then.
        let has_effects = intrinsic(name).is_some_and(|i| !i.has("nomem") || i.has("effects"));
        if has_effects || is_used(cx, inst) {
            found.extend(wavelens_llvm::not_selected(name, target, range));
        }
    }
    cx.diagnostics.append(&mut found);
}

/// Whether the command that the file is for selects instructions, with no other features than the processor's.
fn is_selected(cx: &RuleContext<'_>) -> bool {
    let configuration = &cx.scope.configuration;
    let selects = configuration.run.as_ref().is_none_or(|run| {
        let of_passes =
            |word: &&str| word.contains("run-pass") || word.contains("stop-") || word.contains("passes=");
        let mut passes = run.arguments.iter().map(|argument| argument.as_str()).filter(of_passes).peekable();
        !run.fails && (passes.peek().is_none() || passes.any(|word| word.contains("instruction-select")))
    });
    let function = cx.scope.functions.get(&cx.f.properties.name.text);
    let has_features = function.is_some_and(|f| f.target.features.is_some() || !f.groups.is_empty());
    selects && !has_features && configuration.features.is_empty()
}

fn is_used(cx: &RuleContext<'_>, inst: &Inst<'_>) -> bool {
    let own = inst.source.range;
    (0..inst.order.len()).filter_map(|index| cx.operand(inst, index)).filter(|operand| operand.is_def()).any(
        |result| {
            let register = result.register().map(|register| cx.reg(register));
            let is_other = |operand: &&Operand| !own.contains_range(operand.range);
            cx.f.operands.iter().filter(is_other).any(|o| o.register().map(|r| cx.reg(r)) == register)
        },
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    #[test]
    fn intrinsics_by_processor() {
        let text = |arguments: &str| {
            format!(
                "# RUN: llc -mtriple=amdgcn-amd-amdhsa {arguments} %s\n---\nname: f\nlegalized: true\nbody: |\n  bb.0:\n    \
                 G_INTRINSIC_CONVERGENT_W_SIDE_EFFECTS intrinsic(@llvm.amdgcn.s.barrier.signal), -1\n    S_ENDPGM 0\n...\n"
            )
        };
        let found = |arguments: &str| {
            wavelens_check::testing::findings(wavelens_base::Dialect::Mir, &text(arguments))
        };
        expect![[r#"
            warning[target-intrinsic] 7:43 `intrinsic(@llvm.amdgcn.s.barrier.signal)`: `llvm.amdgcn.s.barrier.signal` is not supported on gfx942; it is supported on gfx1200, gfx1250 and gfx1251
        "#]]
        .assert_eq(&found("-mcpu=gfx942 -run-pass=instruction-select"));
        assert_eq!(found("-mcpu=gfx942 -run-pass=legalizer"), "");
        assert_eq!(found("-mcpu=gfx1201 -run-pass=instruction-select"), "");
    }
}
