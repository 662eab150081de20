//! Control flow of SPIR-V assembly, for showing it.

use wavelens_syntax::spirv::tables::Op;

use super::Cx;
use super::blocks::{Body, functions};
use super::place::{debug_name, inst_at, module};
use crate::TextSize;
use crate::ide::{Flow, FlowEdge, FlowNode};

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    let m = module(cx);
    let here = inst_at(cx, at)? as u32 + m.first;
    let function = functions(&m).into_iter().find(|(first, last)| (*first..=*last).contains(&here))?;
    let body = Body::new(&m, function)?;
    let range =
        |inst: u32| cx.lowered.inst_ranges.get((inst - m.first) as usize).copied().unwrap_or_default();
    let nodes = body.blocks.iter().map(|b| FlowNode {
        name: m.name(b.label),
        range: range(b.first).cover(range(b.last)) + cx.start(),
        instructions: b.last - b.first,
    });
    let mut edges = Vec::new();
    for (from, block) in body.blocks.iter().enumerate() {
        let Some(end) = m.inst(block.last) else { continue };
        for (n, to) in block.successors.iter().enumerate() {
            let label = match (end.op(), n) {
                (Op::BranchConditional, 0) => "true".to_owned(),
                (Op::BranchConditional, _) => "false".to_owned(),
                (Op::Switch, 0) => "default".to_owned(),
                (Op::Switch, n) => match end.operand_words(2 * n) {
                    [low, high] => (u64::from(*low) | u64::from(*high) << 32).to_string(),
                    words => words.first().map_or_else(String::new, |w| (*w as i32).to_string()),
                },
                _ => String::new(),
            };
            edges.push(FlowEdge { from, to: *to as usize, label });
        }
    }
    let id = m.inst(function.0)?.id();
    let name = debug_name(&m, id).unwrap_or_else(|| m.name(id));
    Some(Flow { function: name, nodes: nodes.collect(), edges })
}
