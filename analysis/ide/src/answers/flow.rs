//! The control-flow graph of a function.

use rustc_hash::FxHashSet;
use wavelens_base::TextRange;
use wavelens_base::cfg::{Cfg, Dominators, natural_loops};

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
        let dominators = Dominators::new(&self.cfg());
        let edges = (0..self.nodes.len()).filter_map(|to| {
            let from = dominators.immediate(to as u32)? as usize;
            Some(FlowEdge { from, to, label: String::new() })
        });
        Flow { function: self.function.clone(), nodes: self.nodes.clone(), edges: edges.collect() }
    }

    /// The natural loops: their headers, and all their blocks; none if there are too many to find.
    pub fn loops(&self) -> Vec<(usize, Vec<usize>)> {
        let cfg = self.cfg();
        let found = natural_loops(&cfg, &Dominators::new(&cfg)).unwrap_or_default();
        let indexes = |body: Vec<u32>| body.into_iter().map(|block| block as usize).collect();
        found.into_iter().map(|(header, body)| (header as usize, indexes(body))).collect()
    }

    /// The same graph with each outermost loop as one block, and without the blocks of a straight line but the first.
    pub fn collapsed(&self) -> Flow {
        let cfg = self.cfg();
        let mut loops = natural_loops(&cfg, &Dominators::new(&cfg)).unwrap_or_default();
        loops.sort_by_key(|(_, body)| std::cmp::Reverse(body.len()));
        let mut head: Vec<usize> = (0..self.nodes.len()).collect();
        let mut is_taken = vec![false; self.nodes.len()];
        for (header, body) in loops {
            // The larger loop has taken the blocks of those inside.
            if is_taken[header as usize] {
                continue;
            }
            for block in body {
                is_taken[block as usize] = true;
                head[block as usize] = header as usize;
            }
        }
        self.joined(&head, |names| format!("loop at {} ({} blocks)", names[0], names.len())).without_chains()
    }

    /// The part of the graph around a block: at most so many blocks, those that the fewest edges part from it.
    pub fn near(&self, block: usize, most: usize) -> Flow {
        let mut neighbours = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(|e| e.from.max(e.to) < self.nodes.len()) {
            neighbours[edge.from].push(edge.to);
            neighbours[edge.to].push(edge.from);
        }
        let mut new: Vec<Option<usize>> = vec![None; self.nodes.len()];
        let mut kept = Vec::new();
        let mut waiting = std::collections::VecDeque::from_iter((block < self.nodes.len()).then_some(block));
        while let Some(at) = waiting.pop_front().filter(|_| kept.len() < most) {
            if new[at].is_none() {
                new[at] = Some(0);
                kept.push(at);
                waiting.extend(&neighbours[at]);
            }
        }
        // In the order of the text.
        kept.sort_unstable();
        kept.iter().enumerate().for_each(|(index, at)| new[*at] = Some(index));
        let index = |at: usize| new.get(at).copied().flatten();
        let edges = self.edges.iter().filter_map(|e| {
            Some(FlowEdge { from: index(e.from)?, to: index(e.to)?, label: e.label.clone() })
        });
        Flow {
            function: self.function.clone(),
            nodes: kept.iter().map(|at| self.nodes[*at].clone()).collect(),
            edges: edges.collect(),
        }
    }

    fn without_chains(&self) -> Flow {
        let cfg = self.cfg();
        let mut head: Vec<usize> = (0..self.nodes.len()).collect();
        for block in cfg.reverse_post_order() {
            if let [before] = cfg.predecessors(block)
                && cfg.successors(*before).len() == 1
                && *before != block
                && block != 0
            {
                head[block as usize] = head[*before as usize];
            }
        }
        self.joined(&head, |names| format!("{} .. {}", names[0], names[names.len() - 1]))
    }

    fn cfg(&self) -> Cfg {
        let mut successors = vec![Vec::new(); self.nodes.len()];
        for edge in &self.edges {
            if let Some(list) = successors.get_mut(edge.from) {
                list.push(edge.to as u32);
            }
        }
        Cfg::new(successors)
    }

    /// Each block with those whose head it is as one; `name` gets the names of several.
    fn joined(&self, head: &[usize], name: impl Fn(&[&str]) -> String) -> Flow {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for (block, head) in head.iter().enumerate() {
            groups[*head].push(block);
        }
        let mut new = vec![0; self.nodes.len()];
        let mut nodes: Vec<FlowNode> = Vec::new();
        for (at, group) in groups.iter().enumerate().filter(|(at, _)| head[*at] == *at) {
            new[at] = nodes.len();
            // The head is the first in the order of control flow, if not of the text.
            let others = group.iter().copied().filter(|block| *block != at);
            let inside: Vec<&FlowNode> = std::iter::once(at).chain(others).map(|n| &self.nodes[n]).collect();
            let names: Vec<&str> = inside.iter().map(|n| n.name.as_str()).collect();
            let name = if names.len() == 1 { names[0].to_owned() } else { name(&names) };
            let instructions = inside.iter().map(|n| n.instructions).sum();
            nodes.push(FlowNode { name, range: self.nodes[at].range, instructions });
        }
        let mut edges: Vec<FlowEdge> = Vec::new();
        let mut known = FxHashSet::default();
        for edge in &self.edges {
            let (Some(from), Some(to)) = (head.get(edge.from), head.get(edge.to)) else { continue };
            let is_inside = from == to && edge.from != edge.to;
            if !is_inside && known.insert((from, to, &edge.label)) {
                edges.push(FlowEdge { from: new[*from], to: new[*to], label: edge.label.clone() });
            }
        }
        Flow { function: self.function.clone(), nodes, edges }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_around_a_block_has_its_nearest_neighbours() {
        let node = |n: u32| FlowNode { name: format!("b{n}"), range: TextRange::default(), instructions: n };
        let edge = |from| FlowEdge { from, to: from + 1, label: String::new() };
        let nodes = (0..9).map(node).collect();
        let flow = Flow { function: "f".to_owned(), nodes, edges: (0..8).map(edge).collect() };
        let near = |block, most| {
            let part = flow.near(block, most);
            let names: Vec<&str> = part.nodes.iter().map(|n| n.name.as_str()).collect();
            let edges: Vec<_> = part.edges.iter().map(|e| (e.from, e.to)).collect();
            (names.join(" "), edges)
        };
        assert_eq!(near(4, 3), ("b3 b4 b5".to_owned(), vec![(0, 1), (1, 2)]));
        assert_eq!(near(0, 2), ("b0 b1".to_owned(), vec![(0, 1)]));
        assert_eq!(near(20, 2), (String::new(), Vec::new()));
    }

    #[test]
    fn loops_and_chains_become_one_block() {
        let edges = [(0, 1, ""), (1, 2, "true"), (2, 1, ""), (1, 3, "false"), (3, 4, ""), (4, 5, "")];
        let node = |n: u32| FlowNode { name: format!("b{n}"), range: TextRange::default(), instructions: n };
        let edge = |(from, to, label): (usize, usize, &str)| FlowEdge { from, to, label: label.to_owned() };
        let flow = Flow {
            function: "f".to_owned(),
            nodes: (0..6).map(node).collect(),
            edges: edges.map(edge).into(),
        };
        let small = flow.collapsed();
        let names: Vec<_> = small.nodes.iter().map(|n| (n.name.as_str(), n.instructions)).collect();
        assert_eq!(names, [("b0 .. b5", 15)]);
        assert_eq!(small.edges, []);
        let flow = Flow { edges: edges.into_iter().chain([(0, 3, "x")]).map(edge).collect(), ..flow };
        let small = flow.collapsed();
        let names: Vec<_> = small.nodes.iter().map(|n| (n.name.as_str(), n.instructions)).collect();
        assert_eq!(names, [("b0", 0), ("loop at b1 (2 blocks)", 3), ("b3 .. b5", 12)]);
        let edges: Vec<_> = small.edges.iter().map(|e| (e.from, e.to, e.label.as_str())).collect();
        assert_eq!(edges, [(0, 1, ""), (1, 2, "false"), (0, 2, "x")]);
    }
}
