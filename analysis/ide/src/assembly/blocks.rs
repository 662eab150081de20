//! Basic blocks of generated code, and the loops around them.

use wavelens_amdgpu::flow::Graph;
use wavelens_base::cfg::{Dominators, natural_loops};

/// A basic block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BasicBlock {
    /// Its label; `entry` for the first, `+12` with the number of the instruction for others.
    pub name: String,
    /// Its instructions.
    pub lines: std::ops::Range<usize>,
    /// The blocks at which the loops around it start, outermost first.
    pub loops: Vec<String>,
    /// It is all of a loop.
    pub repeats: bool,
}

/// The blocks of a function; `label` names the instruction at which one starts.
pub(super) fn blocks(graph: &Graph<'_>, label: impl Fn(usize) -> Option<String>) -> Vec<BasicBlock> {
    let loops = natural_loops(&graph.cfg, &Dominators::new(&graph.cfg)).unwrap_or_default();
    let mut around: Vec<Vec<&(u32, Vec<u32>)>> = vec![Vec::new(); graph.cfg.len()];
    for found in &loops {
        found.1.iter().for_each(|block| around[*block as usize].push(found));
    }
    around.iter_mut().for_each(|loops| loops.sort_by_key(|(_, body)| std::cmp::Reverse(body.len())));
    let name = |block: usize| {
        let start = graph.block(block).start;
        match label(start) {
            _ if block == 0 => "entry".to_owned(),
            Some(label) => label,
            None => format!("+{start}"),
        }
    };
    let block = |number: usize| {
        let around = &around[number];
        BasicBlock {
            name: name(number),
            lines: graph.block(number),
            loops: around.iter().map(|(header, _)| name(*header as usize)).collect(),
            repeats: around
                .last()
                .is_some_and(|(header, body)| *header as usize == number && body.len() == 1),
        }
    };
    (0..graph.cfg.len()).map(block).collect()
}
