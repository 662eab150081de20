//! Control flow of Machine IR, for showing it.

use super::Cx;
use super::ide_support::{block_range, function, ir, successors};
use crate::ide::{Flow, FlowEdge, FlowNode};
use crate::{TextSize, llvm};

/// The graph of the function around an offset.
pub fn flow(cx: &Cx<'_>, at: TextSize) -> Option<Flow> {
    if let Some(inner) = ir(cx) {
        return llvm::cfg::flow(&inner, at);
    }
    let f = function(cx)?;
    let mut edges = Vec::new();
    let mut nodes = Vec::new();
    for (from, block) in f.blocks.iter().enumerate() {
        let name = f.names.get(block.name);
        let dot = if name.is_empty() { "" } else { "." };
        nodes.push(FlowNode {
            name: format!("bb.{}{dot}{name}", block.number),
            range: block_range(f, from) + cx.start(),
            instructions: block.instructions.len() as u32,
        });
        edges.extend(successors(cx, f, from).into_iter().map(|to| FlowEdge {
            from,
            to,
            label: String::new(),
        }));
    }
    Some(Flow { function: f.properties.name.text.to_string(), nodes, edges })
}
