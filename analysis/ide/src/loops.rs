//! Natural loops of a control-flow graph, for showing how deeply a block is nested.

use wavelens_base::TextSize;
use wavelens_base::cfg::{Cfg, Dominators, natural_loops};

use crate::answers::{Hint, HintKind};

/// How many loops each block is in, and which blocks are headers.
#[derive(Debug)]
pub(crate) struct Loops {
    depths: Vec<u32>,
    headers: Vec<bool>,
}

impl Loops {
    /// From the natural loops; nothing is known if they are not.
    pub(crate) fn new(cfg: &Cfg, dominators: &Dominators) -> Self {
        let Some(found) = natural_loops(cfg, dominators) else {
            return Loops { depths: Vec::new(), headers: Vec::new() };
        };
        let mut loops = Loops { depths: vec![0; cfg.len()], headers: vec![false; cfg.len()] };
        for (header, body) in found {
            loops.headers[header as usize] = true;
            body.iter().for_each(|block| loops.depths[*block as usize] += 1);
        }
        loops
    }

    /// `loop header, depth 2`, `loop depth 1`; `None` outside of loops.
    pub(crate) fn text(&self, block: usize) -> Option<String> {
        let depth = *self.depths.get(block).filter(|depth| **depth > 0)?;
        let header = self.headers.get(block).copied().unwrap_or(false);
        Some(if header { format!("loop header, depth {depth}") } else { format!("loop depth {depth}") })
    }
}

/// Predecessors that are listed.
const LISTED: usize = 6;

/// What is shown at a block's label.
#[derive(Debug)]
pub(crate) struct BlockText {
    /// `← %entry, %body`.
    from: Option<String>,
    /// `loop header, depth 1`.
    place: Option<String>,
}

impl BlockText {
    pub(crate) fn new(predecessors: Option<Vec<String>>, place: Option<String>) -> Self {
        let from = predecessors.map(|mut names| {
            let more = names.len().saturating_sub(LISTED);
            names.truncate(LISTED);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            match names.is_empty() {
                true => "no predecessors".to_owned(),
                false => format!("← {}{more}", names.join(", ")),
            }
        });
        BlockText { from, place }
    }

    /// All in one line.
    pub(crate) fn line(self) -> Option<String> {
        let parts: Vec<String> = self.from.into_iter().chain(self.place).collect();
        (!parts.is_empty()).then(|| parts.join(" · "))
    }

    /// The hints; few readers miss any but that of a loop's start.
    pub(crate) fn hints(self, at: TextSize) -> impl Iterator<Item = Hint> {
        let hint = move |label: String| {
            let starts_loop = label.contains("loop header");
            Hint::new(at, label, HintKind::Block).minor_if(!starts_loop)
        };
        self.from.into_iter().chain(self.place).map(hint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_loops_count() {
        // 0 -> 1 -> 2 -> 3 -> 2, 3 -> 1, 3 -> 4; 5 is unreachable and jumps to 2.
        let cfg = Cfg::new([vec![1], vec![2], vec![3], vec![2, 1, 4], vec![], vec![2]]);
        let loops = Loops::new(&cfg, &Dominators::new(&cfg));
        let shown: Vec<_> = (0..6).map(|block| loops.text(block).unwrap_or_default()).collect();
        let expected = ["", "loop header, depth 1", "loop header, depth 2", "loop depth 2", "", ""];
        assert_eq!(shown, expected);
    }
}
