//! Control-flow graphs and dominators, shared by all dialects as plain functions over block numbers.

mod dominators;
mod loops;
pub mod sets;

pub use dominators::Dominators;
pub use loops::natural_loops;

/// A control-flow graph over blocks 0..n; block 0 is the entry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cfg {
    successor_starts: Vec<u32>,
    successors: Vec<u32>,
    predecessor_starts: Vec<u32>,
    predecessors: Vec<u32>,
}

impl Cfg {
    /// From each block's successors, in block order. Edges to blocks that do not exist are dropped.
    pub fn new<I: IntoIterator<Item = u32>>(blocks: impl IntoIterator<Item = I>) -> Self {
        let (mut successor_starts, mut successors) = (vec![0], Vec::new());
        for block in blocks {
            successors.extend(block);
            successor_starts.push(successors.len() as u32);
        }
        let count = successor_starts.len() - 1;
        let mut cfg = Cfg { successor_starts, successors, ..Cfg::default() };
        let mut counts = vec![0u32; count + 1];
        for target in &cfg.successors {
            if let Some(c) = counts.get_mut(*target as usize + 1).filter(|_| (*target as usize) < count) {
                *c += 1;
            }
        }
        for i in 1..counts.len() {
            counts[i] += counts[i - 1];
        }
        cfg.predecessor_starts = counts.clone();
        cfg.predecessors = vec![0; counts[count] as usize];
        for block in 0..count {
            for edge in cfg.successor_starts[block]..cfg.successor_starts[block + 1] {
                let target = cfg.successors[edge as usize] as usize;
                if target < count {
                    cfg.predecessors[counts[target] as usize] = block as u32;
                    counts[target] += 1;
                }
            }
        }
        cfg
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.predecessor_starts.len().saturating_sub(1)
    }

    /// Whether the graph is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One entry per edge, in the order given; a block can occur twice.
    pub fn successors(&self, block: u32) -> &[u32] {
        edges(&self.successor_starts, &self.successors, block)
    }

    /// One entry per edge; a block can occur twice.
    pub fn predecessors(&self, block: u32) -> &[u32] {
        edges(&self.predecessor_starts, &self.predecessors, block)
    }

    /// Blocks reachable from the entry in reverse post-order.
    pub fn reverse_post_order(&self) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::with_capacity(self.len());
        let mut stack: Vec<(u32, usize)> = Vec::new();
        if let Some(first) = seen.first_mut() {
            *first = true;
            stack.push((0, 0));
        }
        while let Some((block, next)) = stack.last_mut() {
            match self.successors(*block).get(*next) {
                Some(target) => {
                    *next += 1;
                    if let Some(seen) = seen.get_mut(*target as usize).filter(|s| !**s) {
                        *seen = true;
                        stack.push((*target, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

fn edges<'a>(starts: &[u32], all: &'a [u32], block: u32) -> &'a [u32] {
    let block = block as usize;
    match (starts.get(block), starts.get(block + 1)) {
        (Some(from), Some(to)) => all.get(*from as usize..*to as usize).unwrap_or(&[]),
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_go_both_ways() {
        let cfg = Cfg::new([vec![1, 2, 9], vec![2, 2, 0], vec![], vec![2]]);
        assert_eq!((cfg.len(), cfg.is_empty()), (4, false));
        let successors: Vec<&[u32]> = (0..5).map(|block| cfg.successors(block)).collect();
        assert_eq!(successors, [&[1, 2, 9][..], &[2, 2, 0], &[], &[2], &[]]);
        let predecessors: Vec<&[u32]> = (0..5).map(|block| cfg.predecessors(block)).collect();
        assert_eq!(predecessors, [&[1][..], &[0], &[0, 1, 1, 3], &[], &[]]);
        assert_eq!(cfg.reverse_post_order(), [0, 1, 2]);
        let chain = Cfg::new([vec![2, 1], vec![3], vec![3], vec![0]]);
        assert_eq!(chain.reverse_post_order(), [0, 1, 2, 3]);
        let empty = Cfg::new([[0u32; 0]; 0]);
        assert_eq!((empty.len(), empty.is_empty(), empty.reverse_post_order()), (0, true, vec![]));
    }
}
