//! Natural loops.

use super::{Cfg, Dominators};

/// Steps after which the loops of a function stay unknown: each block is visited once for each loop around it.
const STEPS: usize = 1 << 22;

/// The natural loops by their headers, ascending, each with its blocks, ascending. Loops with one header are one. A loop is the header
/// and all blocks from which an edge back to it is reached without passing it. `None` if it takes too long to find them.
pub fn natural_loops(cfg: &Cfg, dominators: &Dominators) -> Option<Vec<(u32, Vec<u32>)>> {
    let mut found = Vec::new();
    let mut seen_for = vec![u32::MAX; cfg.len()];
    let mut left = STEPS;
    for header in 0..cfg.len() as u32 {
        let is_back = |from: &u32| dominators.is_reachable(*from) && dominators.dominates(header, *from);
        let mut open: Vec<u32> = cfg.predecessors(header).iter().copied().filter(is_back).collect();
        if open.is_empty() {
            continue;
        }
        let mut body = Vec::new();
        open.push(header);
        while let Some(block) = open.pop() {
            let Some(mark) = seen_for.get_mut(block as usize).filter(|mark| **mark != header) else {
                continue;
            };
            *mark = header;
            body.push(block);
            let before = cfg.predecessors(block);
            if block != header {
                open.extend(before.iter().copied().filter(|block| dominators.is_reachable(*block)));
            }
            left = left.checked_sub(1 + before.len())?;
        }
        body.sort_unstable();
        found.push((header, body));
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_have_their_blocks() {
        // 1 and 2 are a loop, in which 2 repeats.
        let loops = |cfg: &Cfg| natural_loops(cfg, &Dominators::new(cfg));
        let cfg = Cfg::new([vec![1], vec![2, 3], vec![2, 1], vec![]]);
        assert_eq!(loops(&cfg), Some(vec![(1, vec![1, 2]), (2, vec![2])]));
        assert_eq!(loops(&Cfg::new([vec![1, 2], vec![2], vec![]])), Some(vec![]));
    }

    #[test]
    fn too_many_nested_loops_are_unknown() {
        // A chain in which every block jumps back to all before it.
        let count = 400;
        let cfg = Cfg::new((0..count).map(|block| (0..(block + 2).min(count)).collect::<Vec<u32>>()));
        assert_eq!(natural_loops(&cfg, &Dominators::new(&cfg)), None);
    }
}
