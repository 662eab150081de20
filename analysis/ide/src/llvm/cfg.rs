//! Control flow of LLVM IR, for showing it.

use wavelens_base::{TextRange, TextSize};
use wavelens_llvm::body::{Body, Opcode};
use wavelens_llvm::context::successors;

use super::Cx;
use super::place::body_at;
use crate::answers::{Flow, FlowEdge, FlowNode};

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    let body = body_at(cx, at)?;
    let function = cx.lowered.summary.functions.get(body.function as usize)?;
    let nodes = (0..body.blocks.len() as u32).map(|block| FlowNode {
        name: block_name(body, block),
        range: block_range(body, block) + cx.start(),
        instructions: body.blocks.get(block as usize).map_or(0, |b| b.insts.len),
    });
    let edges = (0..body.blocks.len() as u32).flat_map(|block| {
        let targets: Vec<u32> = successors(body, block).collect();
        let labels = edge_labels(cx, body, block, targets.len());
        targets.into_iter().zip(labels).map(move |(to, label)| FlowEdge {
            from: block as usize,
            to: to as usize,
            label,
        })
    });
    Some(Flow {
        function: function.head.name.display('@', &cx.lowered.summary.tables.names),
        nodes: nodes.collect(),
        edges: edges.collect(),
    })
}

/// The block's name with its sigil.
pub(super) fn block_name(body: &Body, block: u32) -> String {
    let local = body.blocks.get(block as usize).and_then(|b| body.local(b.local));
    local.map_or_else(String::new, |l| l.name.display('%', &body.tables.names))
}

/// From the label, if it is written, to the last instruction.
pub(super) fn block_range(body: &Body, block: u32) -> TextRange {
    let Some(b) = body.blocks.get(block as usize) else { return TextRange::default() };
    let insts = b.insts.of(&body.inst_ranges);
    let label = body.local(b.local).map(|l| l.range);
    match (label, insts.first(), insts.last()) {
        (Some(label), Some(_), Some(last)) if label.start() <= last.end() => label.cover(*last),
        (_, Some(first), Some(last)) => first.cover(*last),
        (label, ..) => label.unwrap_or_default(),
    }
}

fn edge_labels(cx: &Cx<'_>, body: &Body, block: u32, count: usize) -> Vec<String> {
    let Some((id, inst)) = body.terminator(block) else { return vec![String::new(); count] };
    (0..count)
        .map(|n| match (inst.opcode, n) {
            (Opcode::Br, 0) if count == 2 => "true".to_owned(),
            (Opcode::Br, 1) => "false".to_owned(),
            (Opcode::Switch, 0) => "default".to_owned(),
            (Opcode::Switch, n) => cx.slice(body.operand_range(id, 2 * n as u32)).to_owned(),
            (Opcode::Invoke, 1) => "unwind".to_owned(),
            _ => String::new(),
        })
        .collect()
}
