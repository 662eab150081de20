//! PHI instructions against the block's predecessors.

use super::dominance::Flow;
use crate::mir::context::{Cx, Inst, Reg};
use crate::mir::model::*;

rule!(
    BAD_PHI,
    "bad-phi",
    "A PHI defines a virtual register and has, for each predecessor of its block, a register that is live out of it and the predecessor itself."
);

pub(in crate::mir) const RULES: &[&crate::Rule] = &[&BAD_PHI];

/// All PHIs at the start of a block.
pub(super) fn check(cx: &mut Cx<'_>, block: u32, own: &[&Inst<'_>], flow: &Flow) {
    for phi in own.iter().take_while(|i| i.is_phi()) {
        one(cx, block, phi, flow);
    }
}

fn one(cx: &mut Cx<'_>, block: u32, phi: &Inst<'_>, flow: &Flow) {
    let unusual =
        operand_flag::IMPLICIT | operand_flag::INTERNAL | operand_flag::EARLY_CLOBBER | operand_flag::DEBUG;
    let Some(def) = cx.operand(phi, 0) else { return };
    let Some(register) = def.register().filter(|_| def.is_def()) else {
        cx.report(&BAD_PHI, def.range, "a PHI must define a register");
        return;
    };
    if def.flags & unusual != 0 || register.tied.is_some() {
        cx.report(&BAD_PHI, def.range, "a PHI's registers have no such flags");
    }
    if !matches!(cx.reg(register), Reg::Virtual(_)) {
        cx.report(&BAD_PHI, def.range, "a PHI must define a virtual register");
    }
    let mut seen = Vec::new();
    let reachable = flow.reachable(block);
    for index in (1..phi.order.len()).step_by(2) {
        let Some(value) = cx.operand(phi, index) else { continue };
        let Some(register) = value.register() else {
            cx.report(&BAD_PHI, value.range, "expected a register");
            continue;
        };
        if value.flags & unusual != 0 || register.tied.is_some() {
            cx.report(&BAD_PHI, value.range, "a PHI's registers have no such flags");
        }
        let Some(from) = cx.operand(phi, index + 1) else {
            cx.report(&BAD_PHI, value.range, "expected a block behind the register");
            continue;
        };
        let OperandKind::Block(number, _) = from.kind else {
            cx.report(&BAD_PHI, from.range, "expected a basic block");
            continue;
        };
        let Some(predecessor) = cx.blocks.get(&number).copied() else { continue };
        if !cx.cfg.successors(predecessor).contains(&block) {
            let text = cx.block_text(predecessor);
            cx.report(&BAD_PHI, from.range, format!("`{text}` is no predecessor of this block"));
            continue;
        }
        if reachable {
            seen.push(predecessor);
            if let Reg::Virtual(v) = cx.reg(register) {
                let undefined = value.has(operand_flag::UNDEF);
                if !undefined && flow.reachable(predecessor) && !flow.is_live_out(predecessor, v) {
                    let (name, text) = (cx.f.register_text(v), cx.block_text(predecessor));
                    cx.report(&BAD_PHI, value.range, format!("`{name}` is not live out of `{text}`"));
                }
            }
        }
    }
    if reachable {
        let mut predecessors = cx.cfg.predecessors(block).to_vec();
        predecessors.dedup();
        for predecessor in predecessors {
            if !seen.contains(&predecessor) {
                let text = cx.block_text(predecessor);
                cx.report(
                    &BAD_PHI,
                    phi.source.opcode_range,
                    format!("the PHI has no value for the predecessor `{text}`"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::mir::rules::findings;

    #[test]
    fn incoming_values() {
        expect![[r#"
            error[bad-phi] 10:18 `PHI`: the PHI has no value for the predecessor `%bb.1`
        "#]].assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    successors: %bb.1\n    %0:sgpr_32 = IMPLICIT_DEF\n  bb.1:\n    successors: %bb.1\n    %1:sgpr_32 = PHI %0, %bb.0\n    S_BRANCH %bb.1\n"));
        expect![[r#"
            error[bad-phi] 9:37 `%bb.1`: `%bb.1` is no predecessor of this block
        "#]].assert_eq(&findings("tracksRegLiveness: true\n", "  bb.0:\n    successors: %bb.1\n    %0:sgpr_32 = IMPLICIT_DEF\n  bb.1:\n    %1:sgpr_32 = PHI %0, %bb.0, %0, %bb.1\n    S_ENDPGM 0\n"));
    }
}
