//! Blocks of a function by their role in its structured control flow.

use rustc_hash::FxHashMap;
use wavelens_spirv::blocks::{Body, functions};
use wavelens_spirv::code::Id;
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::type_names::debug_name;
use wavelens_syntax::spirv::tables::Op;

use crate::loops::{BlockText, Loops};

/// For each label of the chunk: the index of its instruction in the code, its predecessors and its role.
pub(super) fn labels(m: &RuleContext<'_>) -> Vec<(u32, BlockText)> {
    let bodies = functions(m).into_iter().filter_map(|(first, last)| Body::new(m, first, last));
    bodies.flat_map(|body| of_body(m, &body)).collect()
}

fn of_body(m: &RuleContext<'_>, body: &Body) -> Vec<(u32, BlockText)> {
    let name = |id: Id| debug_name(m, id).map_or_else(|| m.name(id), |name| format!("%{name}"));
    let mut roles: FxHashMap<Id, Vec<String>> = FxHashMap::default();
    for block in &body.blocks {
        let Some(merge) = block.merge.and_then(|at| m.inst(at)) else { continue };
        let header = name(block.label);
        let mut add = |target: Id, role: String| roles.entry(target).or_default().push(role);
        if merge.op() == Op::LoopMerge {
            add(merge.operand(0), format!("merge of the loop at {header}"));
            add(merge.operand(1), format!("continue target of the loop at {header}"));
        } else {
            add(merge.operand(0), format!("merge of the selection at {header}"));
        }
    }
    let loops = Loops::new(&body.cfg, &body.dominators);
    let text = |(index, block): (usize, &wavelens_spirv::blocks::Block)| {
        let mut from = body.cfg.predecessors(index as u32).to_vec();
        from.dedup();
        let from =
            from.into_iter().filter_map(|n| body.blocks.get(n as usize)).map(|b| name(b.label)).collect();
        let mut places = roles.remove(&block.label).unwrap_or_default();
        places.extend(loops.text(index));
        let place = (!places.is_empty()).then(|| places.join(", "));
        (block.first, BlockText::new((index > 0).then_some(from), place))
    };
    body.blocks.iter().enumerate().map(text).collect()
}
