//! The control-flow graph of a function, for showing it.

use super::ask;
use crate::db::View;
use crate::{TextRange, TextSize};

/// A basic block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowNode {
    pub name: String,
    pub range: TextRange,
    /// Instructions in it.
    pub instructions: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowEdge {
    /// Indexes of nodes.
    pub from: usize,
    pub to: usize,
    /// `true`, `false`, a case's value, `unwind`; may be empty.
    pub label: String,
}

/// A function's graph; node 0 is the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    pub function: String,
    pub nodes: Vec<FlowNode>,
    pub edges: Vec<FlowEdge>,
}

impl Flow {
    /// In Graphviz' language.
    pub fn dot(&self) -> String {
        use std::fmt::Write;
        let quote = |s: &str| s.replace('\\', "\\\\").replace('"', "\\\"");
        let mut dot = format!("digraph \"{}\" {{\n  node [shape=box];\n", quote(&self.function));
        for (index, node) in self.nodes.iter().enumerate() {
            let _ = writeln!(dot, "  n{index} [label=\"{} ({})\"];", quote(&node.name), node.instructions);
        }
        for edge in &self.edges {
            let label = if edge.label.is_empty() {
                String::new()
            } else {
                format!(" [label=\"{}\"]", quote(&edge.label))
            };
            let _ = writeln!(dot, "  n{} -> n{}{label};", edge.from, edge.to);
        }
        dot.push_str("}\n");
        dot
    }
}

/// The graph of the function around an offset of the file.
pub fn flow(view: View<'_>, offset: TextSize) -> Option<Flow> {
    let (index, _, at) = view.chunk_at(offset)?;
    let mut flow = ask!(view, index, cfg::flow(at)).flatten()?;
    let start = view.start(index);
    flow.nodes.iter_mut().for_each(|n| n.range += start);
    Some(flow)
}
