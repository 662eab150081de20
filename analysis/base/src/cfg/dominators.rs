//! Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".

use std::collections::BinaryHeap;

use super::Cfg;

const NONE: u32 = u32::MAX;

/// Which blocks every path from the entry passes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dominators {
    /// Immediate dominator of each block; the entry's is itself; `NONE` where unreachable.
    immediate: Vec<u32>,
    /// Entry and exit times of a walk over the dominator tree, for constant-time queries.
    times: Vec<(u32, u32)>,
}

impl Dominators {
    /// Computes the dominator tree from block 0.
    pub fn new(cfg: &Cfg) -> Self {
        Self::in_order(cfg, &cfg.reverse_post_order())
    }

    /// The same where the order is known: [`Cfg::reverse_post_order`].
    pub fn in_order(cfg: &Cfg, order: &[u32]) -> Self {
        let mut number = vec![NONE; cfg.len()];
        for (n, block) in order.iter().enumerate() {
            number[*block as usize] = n as u32;
        }
        // Indexed by reverse post-order number.
        let mut idom = vec![NONE; order.len()];
        if let Some(entry) = idom.first_mut() {
            *entry = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (n, block) in order.iter().enumerate().skip(1) {
                let numbers = cfg.predecessors(*block).iter().map(|block| number[*block as usize]);
                let known = numbers.filter(|p| *p != NONE && idom[*p as usize] != NONE);
                let new = match cfg.predecessors(*block).len() {
                    ..=FEW => known.reduce(|a, b| intersect(&idom, a, b)).unwrap_or(NONE),
                    _ => intersect_all(&idom, known.collect()),
                };
                if idom[n] != new {
                    idom[n] = new;
                    changed = true;
                }
            }
        }
        let mut immediate = vec![NONE; cfg.len()];
        for (n, block) in order.iter().enumerate() {
            immediate[*block as usize] = order[idom[n] as usize];
        }
        let times = tree_times(order, &idom, cfg.len());
        Dominators { immediate, times }
    }

    /// The closest strict dominator; `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: u32) -> Option<u32> {
        self.immediate.get(block as usize).copied().filter(|d| *d != NONE && *d != block)
    }

    /// Whether a path leads from block 0 to the block.
    pub fn is_reachable(&self, block: u32) -> bool {
        self.immediate.get(block as usize).is_some_and(|d| *d != NONE)
    }

    /// Whether `a` dominates `b`; a block dominates itself. Everything dominates an unreachable block.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        if a == b || !self.is_reachable(b) {
            return true;
        }
        if !self.is_reachable(a) {
            return false;
        }
        match (self.times.get(a as usize), self.times.get(b as usize)) {
            (Some(a), Some(b)) => a.0 <= b.0 && b.1 <= a.1,
            _ => false,
        }
    }
}

fn intersect(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

/// Up to so many predecessors are followed up one by one: that takes no memory.
const FEW: usize = 8;

/// [`intersect`] of many blocks. A block on the way up from several of them is visited only once.
fn intersect_all(idom: &[u32], mut blocks: BinaryHeap<u32>) -> u32 {
    while let Some(last) = blocks.pop() {
        while blocks.peek() == Some(&last) {
            blocks.pop();
        }
        if blocks.is_empty() {
            return last;
        }
        blocks.push(idom[last as usize]);
    }
    NONE
}

fn tree_times(order: &[u32], idom: &[u32], blocks: usize) -> Vec<(u32, u32)> {
    // A block's number is greater than its dominator's, so subtree sizes add up from the back.
    let mut size = vec![1u32; order.len()];
    for n in (1..order.len()).rev() {
        size[idom[n] as usize] += size[n];
    }
    let mut start = vec![0u32; order.len()];
    let mut used = vec![1u32; order.len()];
    for n in 1..order.len() {
        let parent = idom[n] as usize;
        start[n] = start[parent] + used[parent];
        used[parent] += size[n];
    }
    let mut times = vec![(0, 0); blocks];
    for (n, block) in order.iter().enumerate() {
        times[*block as usize] = (start[n], start[n] + size[n]);
    }
    times
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dominance by definition: `b` is not reachable once `a` is taken away.
    fn slow(cfg: &Cfg, a: u32, b: u32) -> bool {
        let mut seen = vec![false; cfg.len()];
        let mut stack = if a == 0 { vec![] } else { vec![0] };
        while let Some(block) = stack.pop() {
            if !std::mem::replace(&mut seen[block as usize], true) {
                stack.extend(cfg.successors(block).iter().filter(|s| **s != a));
            }
        }
        a == b || !seen[b as usize]
    }

    #[test]
    fn agrees_with_the_definition() {
        let mut state = 12345u32;
        let mut random = move |n: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % n
        };
        // Few branches, and so many that blocks have more than a few predecessors.
        for branches in [3, 14].repeat(200) {
            let n = 1 + random(14);
            let blocks: Vec<Vec<u32>> =
                (0..n).map(|_| (0..random(branches)).map(|_| random(n)).collect()).collect();
            let cfg = Cfg::new(blocks);
            let dominators = Dominators::new(&cfg);
            let reachable = cfg.reverse_post_order();
            for a in 0..n {
                for b in 0..n {
                    if reachable.contains(&a) && reachable.contains(&b) {
                        assert_eq!(dominators.dominates(a, b), slow(&cfg, a, b), "{a} {b} {cfg:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn each_block_has_an_immediate_dominator() {
        // 0 branches to 1 and 2, both go to 3, and 3 to 4; nothing reaches 5.
        let cfg = Cfg::new([vec![1, 2], vec![3], vec![3], vec![4], vec![3], vec![4]]);
        let dominators = Dominators::new(&cfg);
        let immediate: Vec<_> = (0..7).map(|block| dominators.immediate(block)).collect();
        assert_eq!(immediate, [None, Some(0), Some(0), Some(0), Some(3), None, None]);
        let reachable: Vec<_> = (0..7).filter(|block| dominators.is_reachable(*block)).collect();
        assert_eq!(reachable, [0, 1, 2, 3, 4]);
        // Everything dominates a block that is not reached, which dominates only itself and its like.
        assert!(dominators.dominates(1, 5) && !dominators.dominates(5, 4) && dominators.dominates(5, 5));
        assert!(dominators.dominates(0, 4) && dominators.dominates(3, 4) && !dominators.dominates(4, 3));
    }
}
