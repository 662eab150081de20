//! PHI instructions against the block's predecessors.

use rustc_hash::FxHashSet;
use wavelens_syntax::wording;

use super::flow::Flow;
use crate::context::{Inst, Reg, RuleContext};
use crate::model::*;

wavelens_syntax::rules! {
    BAD_PHI {
        code: "bad-phi",
        severity: wavelens_base::Severity::Error,
        title: "a PHI has a live register for each predecessor of its block",
        explain: "An edge without a value leaves the result unknown.",
        example: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.1
    S_ENDPGM 0
...
"#,
        fixed: r#"---
name: f
tracksRegLiveness: true
body: |
  bb.0:
    successors: %bb.1

    %0:vgpr_32 = IMPLICIT_DEF
    S_BRANCH %bb.1

  bb.1:
    %1:vgpr_32 = PHI %0, %bb.0
    S_ENDPGM 0
...
"#,
        source: "LLVM MachineVerifier::checkPHIOps: \"PHI operand is not in the CFG\", \"Missing PHI operand\"",
    }
}

/// The PHIs at the start of a block.
fn at_start<'a>(
    cx: &RuleContext<'_>,
    block: u32,
    instructions: &'a [Option<Inst<'a>>],
) -> impl Iterator<Item = &'a Inst<'a>> + use<'a> {
    let own = cx.block_of(block).map_or(&[][..], |b| b.instructions.of(instructions));
    own.iter().flatten().take_while(|inst| inst.is_phi())
}

/// The virtual registers that the PHIs of a block read, each with its operand and the block it comes from.
pub(super) fn incoming<'a>(
    cx: &RuleContext<'a>,
    block: u32,
    instructions: &[Option<Inst<'_>>],
) -> Vec<(&'a Operand, u32, u32)> {
    let mut incoming = Vec::new();
    for phi in at_start(cx, block, instructions) {
        for index in (1..phi.order.len()).step_by(2) {
            let (Some(value), Some(from)) = (cx.operand(phi, index), cx.operand(phi, index + 1)) else {
                continue;
            };
            let (Some(register), OperandKind::Block(number, _)) = (value.register(), &from.kind) else {
                continue;
            };
            if let (Reg::Virtual(v), Some(predecessor)) = (cx.reg(register), cx.blocks.get(number)) {
                incoming.push((value, v, *predecessor));
            }
        }
    }
    incoming
}

/// All PHIs at the start of blocks.
pub(super) fn check(cx: &mut RuleContext<'_>, instructions: &[Option<Inst<'_>>], flow: &Flow) {
    let blocks = 0..cx.f.blocks.len() as u32;
    let read = blocks.clone().filter(|block| flow.is_reachable(*block)).flat_map(|block| {
        incoming(cx, block, instructions).into_iter().map(|(_, register, from)| (register, from))
    });
    let not_out = flow.not_out(&cx.cfg, read.filter(|(_, from)| flow.is_reachable(*from)));
    for block in blocks {
        let mut phis = at_start(cx, block, instructions).peekable();
        if phis.peek().is_none() {
            continue;
        }
        let mut predecessors = cx.cfg.predecessors(block).to_vec();
        predecessors.dedup();
        for phi in phis {
            check_phi(cx, block, &predecessors, phi, flow.is_reachable(block), &not_out);
        }
    }
}

/// `not_out`: registers with blocks of which they do not come out.
fn check_phi(
    cx: &mut RuleContext<'_>,
    block: u32,
    predecessors: &[u32],
    phi: &Inst<'_>,
    is_reachable: bool,
    not_out: &FxHashSet<(u32, u32)>,
) {
    let unusual =
        operand_flag::IMPLICIT | operand_flag::INTERNAL | operand_flag::EARLY_CLOBBER | operand_flag::DEBUG;
    let Some(def) = cx.operand(phi, 0) else { return };
    let Some(register) = def.register().filter(|_| def.is_def()) else {
        cx.report(&BAD_PHI, def.range, "a PHI must define a register");
        return;
    };
    if def.flags & unusual != 0 || register.tied.is_some() {
        cx.report(&BAD_PHI, def.range, "operands of a PHI must not have these register flags");
    }
    if !matches!(cx.reg(register), Reg::Virtual(_)) {
        cx.report(&BAD_PHI, def.range, "a PHI must define a virtual register");
    }
    let mut seen = FxHashSet::default();
    for index in (1..phi.order.len()).step_by(2) {
        let Some(value) = cx.operand(phi, index) else { continue };
        let Some(register) = value.register() else {
            cx.report(&BAD_PHI, value.range, "expected a register");
            continue;
        };
        if value.flags & unusual != 0 || register.tied.is_some() {
            cx.report(&BAD_PHI, value.range, "operands of a PHI must not have these register flags");
        }
        let Some(from) = cx.operand(phi, index + 1) else {
            cx.report(&BAD_PHI, value.range, "expected a block after the register");
            continue;
        };
        let OperandKind::Block(number, _) = from.kind else {
            cx.report(&BAD_PHI, from.range, "expected a basic block");
            continue;
        };
        let Some(predecessor) = cx.blocks.get(&number).copied() else { continue };
        if !cx.cfg.successors(predecessor).contains(&block) {
            let text = cx.block_text(predecessor);
            cx.report(&BAD_PHI, from.range, format!("`{text}` is not a predecessor of this block"));
            continue;
        }
        if is_reachable {
            seen.insert(predecessor);
            if let Reg::Virtual(v) = cx.reg(register) {
                let undefined = value.has(operand_flag::UNDEF);
                if !undefined && not_out.contains(&(v, predecessor)) {
                    let (name, text) = (cx.f.register_text(v), cx.block_text(predecessor));
                    cx.report(&BAD_PHI, value.range, format!("`{name}` is not live out of `{text}`"));
                }
            }
        }
    }
    if is_reachable && let Some(message) = missing(cx, predecessors, &seen) {
        cx.report(&BAD_PHI, phi.source.opcode_range, message);
    }
}

/// Says which predecessors of a block are not among those that a PHI has.
fn missing(cx: &RuleContext<'_>, predecessors: &[u32], seen: &FxHashSet<u32>) -> Option<String> {
    let lacking = predecessors.iter().filter(|block| !seen.contains(block)).take(wording::LISTED);
    let names: Vec<String> = lacking.map(|block| format!("`{}`", cx.block_text(*block))).collect();
    let count = predecessors.len().saturating_sub(seen.len());
    let (operands, of) = if count == 1 { ("operand", "predecessor") } else { ("operands", "predecessors") };
    let all = wording::list_of(&names, count);
    (count > 0).then(|| format!("missing PHI {operands} for {of} {all}"))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::{findings, marks};

    #[test]
    fn incoming_values() {
        marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                successors: %bb.1
                %0:sgpr_32 = IMPLICIT_DEF
              bb.1:
                successors: %bb.1
                %1:sgpr_32 = PHI %0, %bb.0
            ;                ^^^ error[bad-phi]: missing PHI operand for predecessor `%bb.1`
                S_BRANCH %bb.1
            ...
        "#]]);
        marks(expect![[r#"
            ---
            name: f
            tracksRegLiveness: true
            body: |
              bb.0:
                successors: %bb.1
                %0:sgpr_32 = IMPLICIT_DEF
              bb.1:
                %1:sgpr_32 = PHI %0, %bb.0, %0, %bb.1
            ;                                   ^^^^^ error[bad-phi]: `%bb.1` is not a predecessor of this block
                S_ENDPGM 0
            ...
        "#]]);
    }

    #[test]
    fn the_first_predecessors_that_a_phi_lacks_are_named() {
        let with = |blocks: u32| {
            let branch = |block: u32| {
                format!(
                    "  bb.{block}:\n    successors: %bb.{}, %bb.9\n    S_CBRANCH_SCC0 %bb.9, implicit undef $scc\n",
                    block + 1
                )
            };
            let blocks: String = (1..=blocks)
                .map(branch)
                .chain((blocks + 1..9).map(|b| format!("  bb.{b}:\n    S_ENDPGM 0\n")))
                .collect();
            let text = format!(
                "  bb.0:\n    %0:sgpr_32 = IMPLICIT_DEF\n    S_BRANCH %bb.1\n{blocks}  bb.9:\n    %1:sgpr_32 = PHI %0, %bb.1\n    S_ENDPGM 0\n"
            );
            let found = findings("tracksRegLiveness: true\n", &text);
            found.lines().filter(|line| line.contains("PHI")).collect::<Vec<_>>().join("\n")
        };
        expect!["error[bad-phi] 28:18 `PHI`: missing PHI operands for predecessors `%bb.2` and `%bb.3`"]
            .assert_eq(&with(3));
        expect!["error[bad-phi] 32:18 `PHI`: missing PHI operands for predecessors `%bb.2`, `%bb.3`, `%bb.4` and 3 others"].assert_eq(&with(7));
    }
}
