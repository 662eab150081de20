//! Basic blocks of generated code, and the loops around them.

use wavelens_semantics::amdgpu::flow::Graph;
use wavelens_semantics::cfg::{Cfg, Dominators};

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
    let loops = loops(&graph.cfg);
    let name = |block: usize| {
        let start = graph.block(block).start;
        match label(start) {
            _ if block == 0 => "entry".to_owned(),
            Some(label) => label,
            None => format!("+{start}"),
        }
    };
    let block = |number: usize| {
        let mut around: Vec<&(u32, Vec<u32>)> =
            loops.iter().filter(|(_, body)| body.contains(&(number as u32))).collect();
        around.sort_by_key(|(_, body)| std::cmp::Reverse(body.len()));
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

/// The natural loops: their headers, each with the blocks of the loop. Loops with one header are one.
fn loops(cfg: &Cfg) -> Vec<(u32, Vec<u32>)> {
    let dominators = Dominators::new(cfg);
    let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
    for block in 0..cfg.len() as u32 {
        for header in cfg.successors(block).iter().copied() {
            if !dominators.is_reachable(block) || !dominators.dominates(header, block) {
                continue;
            }
            let at = found.iter().position(|(h, _)| *h == header).unwrap_or_else(|| {
                found.push((header, vec![header]));
                found.len() - 1
            });
            let body = &mut found[at].1;
            let mut open = vec![block];
            while let Some(next) = open.pop() {
                if !body.contains(&next) {
                    body.push(next);
                    open.extend(cfg.predecessors(next));
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_have_their_blocks() {
        // 1 and 2 are a loop, in which 2 repeats.
        let cfg = Cfg::new([vec![1], vec![2, 3], vec![2, 1], vec![]]);
        assert_eq!(loops(&cfg), [(2, vec![2]), (1, vec![1, 2])]);
        assert_eq!(loops(&Cfg::new([vec![1, 2], vec![2], vec![]])), []);
    }
}
