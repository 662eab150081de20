//! Convergence control: which tokens a convergent call may name, and where.
//!
//! Source: LLVM, "Convergence And Uniformity" and "Convergent Operation Semantics".

use super::bundles::BUNDLE;
use crate::attribute::AttrKind;
use crate::attribute_set::AttributeSet;
use crate::body::{Call, InstId, Opcode};
use crate::context::RuleContext;
use crate::tables::Intrinsic;
use crate::types::TypeId;
use wavelens_base::TextRange;

/// What a call does with tokens.
#[derive(Clone, Copy, PartialEq)]
enum Control {
    Entry,
    Anchor,
    Loop,
    None,
}

fn control(name: &str) -> Control {
    match name {
        "llvm.experimental.convergence.entry" => Control::Entry,
        "llvm.experimental.convergence.anchor" => Control::Anchor,
        "llvm.experimental.convergence.loop" => Control::Loop,
        _ => Control::None,
    }
}

fn is_convergent(cx: &RuleContext<'_>, call: &Call, name: &str) -> bool {
    let has = |set: AttributeSet<'_>| set.has(AttrKind::Convergent);
    if has(AttributeSet::new(cx.scope, &cx.body.tables, call.fn_attrs, |_| TypeId::ERROR)) {
        return true;
    }
    if let Some(intrinsic) = Intrinsic::lookup(name) {
        return intrinsic.has("convergent");
    }
    let callee = cx.callee(call);
    callee.is_some_and(|(s, f)| has(AttributeSet::new(cx.scope, &s.tables, f.attrs, |_| TypeId::ERROR)))
}

/// The instruction whose token a call names in its bundle.
fn token(cx: &RuleContext<'_>, call: &Call) -> Option<InstId> {
    let body = cx.body;
    let bundle =
        call.bundles.of(&body.cold.bundles).iter().find(|b| body.tables.name(b.tag) == "convergencectrl")?;
    match body.operands(bundle.operands) {
        [token] => body.defining_inst(*token),
        _ => None,
    }
}

pub(super) fn function(cx: &mut RuleContext<'_>) {
    // Without tokens there is nothing to check.
    let names = &cx.body.tables.names;
    if !["entry", "anchor", "loop"]
        .iter()
        .any(|w| names.find(&format!("llvm.experimental.convergence.{w}")).is_some())
    {
        return;
    }
    let found = mixed(cx).or_else(|| nesting(cx));
    if let Some((range, message)) = found {
        cx.report(&BUNDLE, range, message);
    }
}

fn mixed(cx: &RuleContext<'_>) -> Option<(TextRange, String)> {
    let body = cx.body;
    let (mut controlled, mut uncontrolled) = (false, false);
    for block in 0..body.blocks.len() as u32 {
        let mut seen = false;
        for (id, inst) in body.block_insts(block) {
            if inst.opcode == Opcode::Error {
                return None;
            }
            let Some(call) = body.call(inst) else { continue };
            let name = cx.callee_name(call).unwrap_or("");
            let control = control(name);
            let range = body.inst_range(id);
            if seen && matches!(control, Control::Entry | Control::Loop) {
                let message = format!("`{name}` must precede all other convergent calls of its block");
                return Some((range, message));
            }
            let convergent = is_convergent(cx, call, name);
            seen |= convergent;
            if token(cx, call).is_some() || control != Control::None {
                controlled = true;
            } else if convergent {
                uncontrolled = true;
            }
            if controlled && uncontrolled {
                let message =
                    "either all convergent calls of a function or none must have a `convergencectrl` bundle";
                return Some((range, message.into()));
            }
        }
    }
    None
}

fn nesting(cx: &RuleContext<'_>) -> Option<(TextRange, String)> {
    let body = cx.body;
    let (cfg, dominators) = (cx.cfg(), cx.dominators());
    let mut live_at: Vec<Option<Vec<InstId>>> = vec![None; body.blocks.len()];
    for block in cfg.reverse_post_order() {
        let mut live = live_at.get_mut(block as usize).and_then(Option::take).unwrap_or_default();
        for (id, inst) in body.block_insts(block) {
            let Some(call) = body.call(inst) else { continue };
            let control = control(cx.callee_name(call).unwrap_or(""));
            if let Some(token) = token(cx, call) {
                let from = cx.block_of_inst(token);
                let range = body.inst_range(id);
                if !dominators.dominates(from, block) {
                    return Some((range, "the token does not dominate this call".into()));
                }
                let Some(at) = live.iter().position(|t| *t == token) else {
                    let message = "convergence regions must nest: the region of this token was left";
                    return Some((range, message.into()));
                };
                live.truncate(at + 1);
                let cycle = if from == block { None } else { cycle(cx, block, from) };
                if let Some(cycle) = cycle {
                    if control != Control::Loop {
                        let message = "in a loop that does not define the token, only `llvm.experimental.convergence.loop` may use it";
                        return Some((range, message.into()));
                    }
                    let is_inside = |b: u32| cycle.get(b as usize).is_some_and(|c| *c);
                    let enters = |p: &u32| dominators.is_reachable(*p) && !is_inside(*p);
                    let is_entry = |b: u32| cfg.predecessors(b).iter().any(enters);
                    if (0..cycle.len() as u32).any(|b| b != block && is_inside(b) && is_entry(b)) {
                        let message = "a loop must be entered only through the block of its `llvm.experimental.convergence.loop`";
                        return Some((range, message.into()));
                    }
                }
            }
            if control != Control::None {
                live.push(id);
            }
        }
        for next in cfg.successors(block) {
            let Some(slot) = live_at.get_mut(*next as usize) else { continue };
            match slot {
                Some(known) => known.retain(|t| live.contains(t)),
                None => {
                    let reaches = |t: &&InstId| dominators.dominates(cx.block_of_inst(**t), *next);
                    *slot = Some(live.iter().take_while(reaches).copied().collect());
                }
            }
        }
    }
    None
}

/// Which blocks are in a loop with a block, without another one; `None` if it is in no such loop.
fn cycle(cx: &RuleContext<'_>, block: u32, without: u32) -> Option<Vec<bool>> {
    let cfg = cx.cfg();
    let reached = |next: &dyn Fn(u32) -> Vec<u32>| {
        let mut seen = vec![false; cfg.len()];
        let mut todo = vec![block];
        while let Some(at) = todo.pop() {
            for to in next(at) {
                if to != without && seen.get_mut(to as usize).is_some_and(|s| !std::mem::replace(s, true)) {
                    todo.push(to);
                }
            }
        }
        seen
    };
    let forward = reached(&|b| cfg.successors(b).to_vec());
    if !*forward.get(block as usize)? {
        return None;
    }
    let backward = reached(&|b| cfg.predecessors(b).to_vec());
    Some(forward.iter().zip(backward).map(|(f, b)| *f && b).collect())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use crate::rules::findings;

    #[test]
    fn tokens() {
        let text = "declare token @llvm.experimental.convergence.anchor()
declare void @g() convergent
define void @mixed() {
  %t = call token @llvm.experimental.convergence.anchor()
  call void @g()
  ret void
}
define void @nested() {
  %a = call token @llvm.experimental.convergence.anchor()
  %b = call token @llvm.experimental.convergence.anchor()
  call void @g() [ \"convergencectrl\"(token %a) ]
  call void @g() [ \"convergencectrl\"(token %b) ]
  ret void
}
define void @looping() {
  %a = call token @llvm.experimental.convergence.anchor()
  br label %l
l:
  call void @g() [ \"convergencectrl\"(token %a) ]
  br label %l
}
define void @entered_twice(i1 %c) {
  %a = call token @llvm.experimental.convergence.anchor()
  br i1 %c, label %l, label %m
l:
  %b = call token @llvm.experimental.convergence.loop() [ \"convergencectrl\"(token %a) ]
  br label %m
m:
  br label %l
}
declare token @llvm.experimental.convergence.loop()
";
        expect![[r#"
            5: operand-bundle: either all convergent calls of a function or none must have a `convergencectrl` bundle
            12: operand-bundle: convergence regions must nest: the region of this token was left
            19: operand-bundle: in a loop that does not define the token, only `llvm.experimental.convergence.loop` may use it
            26: operand-bundle: a loop must be entered only through the block of its `llvm.experimental.convergence.loop`
        "#]].assert_eq(&findings(text));
    }
}
