//! The control-flow graph of a function.

use wavelens_semantics::TextRange;
use wavelens_semantics::cfg::{Cfg, Dominators};

/// A basic block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowNode {
    /// Its label, or its number.
    pub name: String,
    /// In the file.
    pub range: TextRange,
    /// Instructions in it.
    pub instructions: u32,
}

/// A way from one block to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlowEdge {
    /// Indexes of nodes.
    pub from: usize,
    /// Index of the node that it reaches.
    pub to: usize,
    /// `true`, `false`, a case's value, `unwind`; may be empty.
    pub label: String,
}

/// A function's graph; node 0 is the entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flow {
    /// Name of the function.
    pub function: String,
    /// The blocks, in the order of the text.
    pub nodes: Vec<FlowNode>,
    /// The ways between them.
    pub edges: Vec<FlowEdge>,
}

impl Flow {
    /// The same blocks with an edge from each one's immediate dominator. Unreachable blocks do not have one.
    pub fn dominator_tree(&self) -> Flow {
        let mut successors = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            if let Some(list) = successors.get_mut(edge.from) {
                list.push(edge.to as u32);
            }
        }
        let dominators = Dominators::new(&Cfg::new(successors));
        let edges = (0..self.nodes.len()).filter_map(|to| {
            let from = dominators.immediate(to as u32)? as usize;
            Some(FlowEdge { from, to, label: String::new() })
        });
        Flow { function: self.function.clone(), nodes: self.nodes.clone(), edges: edges.collect() }
    }

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
