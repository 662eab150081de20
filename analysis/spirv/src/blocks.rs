//! A function's blocks, and its control-flow graph in the two forms that the rules ask for.

use rustc_hash::{FxHashMap, FxHashSet};
use wavelens_syntax::spirv::tables::Op;

use super::code::{Id, Inst};
use super::ops;
use crate::context::RuleContext;
use wavelens_base::cfg::{Cfg, Dominators};

/// A block: from OpLabel to its terminator.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// The `<id>` of its `OpLabel`.
    pub label: Id,
    /// Index of OpLabel in the code.
    pub first: u32,
    /// Index of the terminator in the code.
    pub last: u32,
    /// Index of the OpLoopMerge or OpSelectionMerge directly before the terminator.
    pub merge: Option<u32>,
}

/// A function with a well-formed body: every block ends, every branch goes to a block of the function.
#[derive(Debug)]
pub struct Body {
    /// Index of OpFunction in the code.
    pub first: u32,
    /// In the order of the text.
    pub blocks: Vec<Block>,
    /// The index of each block by its label.
    pub by_label: FxHashMap<Id, u32>,
    /// The block and the index of each OpPhi, in the order of the text.
    pub(super) phis: Vec<(u32, u32)>,
    /// From each block to those that its terminator names.
    pub cfg: Cfg,
    /// Of the edges.
    pub dominators: Dominators,
    /// Before these edges, from a header to its merge block and its continue target.
    pub(crate) structural: Cfg,
    pub(crate) structural_dominators: Dominators,
    /// The blocks that the entry reaches, along the edges of `cfg` and of `structural`: [`Cfg::reverse_post_order`].
    pub(super) order: Vec<u32>,
    pub(super) structural_order: Vec<u32>,
}

/// The successors of blocks that are found one after another.
#[derive(Default)]
struct Edges {
    ends: Vec<usize>,
    to: Vec<u32>,
}

impl Edges {
    fn cfg(&self) -> Cfg {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let of = |(start, end): (usize, &usize)| self.to.get(start..*end).unwrap_or_default().iter().copied();
        Cfg::new(starts.zip(&self.ends).map(of))
    }
}

/// The functions of a chunk: first and last instruction.
pub fn functions(m: &RuleContext<'_>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let mut start = None;
    for inst in m.insts() {
        match inst.op() {
            Op::Function => start = Some(inst.at),
            Op::FunctionEnd => {
                if let Some(first) = start.take() {
                    found.push((first, inst.at));
                }
            }
            _ => {}
        }
    }
    found
}

/// The labels that a terminator may go to, with the operand that names each.
pub(super) fn targets(inst: Inst<'_>) -> impl Iterator<Item = (usize, Id)> {
    let (operands, step) = match inst.op() {
        Op::Branch => (0..1, 1),
        Op::BranchConditional => (1..3, 1),
        Op::Switch => (1..inst.count(), 2),
        _ => (0..0, 1),
    };
    operands.step_by(step).map(move |i| (i, inst.operand(i)))
}

impl Body {
    /// `None` where the blocks are not well-formed, which other rules report, or where there are none.
    pub fn new(m: &RuleContext<'_>, first: u32, last: u32) -> Option<Body> {
        let (mut blocks, mut phis): (Vec<Block>, Vec<(u32, u32)>) = Default::default();
        let mut open: Option<Block> = None;
        for at in first + 1..last {
            let inst = m.inst(at)?;
            match inst.op() {
                Op::Label => {
                    if open.is_some() || !inst.is_whole() {
                        return None;
                    }
                    open = Some(Block { label: inst.id(), first: at, last: at, merge: None });
                }
                Op::Phi if open.is_some() => phis.push((blocks.len() as u32, at)),
                op if ops::is_terminator(op) => {
                    let mut block = open.take()?;
                    if !inst.is_whole() {
                        return None;
                    }
                    block.last = at;
                    let before = m.inst(at - 1)?;
                    if matches!(before.op(), Op::LoopMerge | Op::SelectionMerge) && before.is_whole() {
                        block.merge = Some(at - 1);
                    }
                    blocks.push(block);
                }
                _ => {}
            }
        }
        if open.is_some() || blocks.is_empty() {
            return None;
        }
        let by_label: FxHashMap<Id, u32> =
            blocks.iter().enumerate().map(|(i, b)| (b.label, i as u32)).collect();
        let (mut edges, mut structural) = (Edges::default(), Edges::default());
        for block in &blocks {
            if let Some(merge) = block.merge.and_then(|at| m.inst(at)) {
                let named = if merge.op() == Op::LoopMerge { 2 } else { 1 };
                for operand in 0..named {
                    structural.to.push(*by_label.get(&merge.operand(operand))?);
                }
            }
            for (_, label) in targets(m.inst(block.last)?) {
                let target = *by_label.get(&label)?;
                edges.to.push(target);
                structural.to.push(target);
            }
            edges.ends.push(edges.to.len());
            structural.ends.push(structural.to.len());
        }
        let (cfg, structural) = (edges.cfg(), structural.cfg());
        let (order, structural_order) = (cfg.reverse_post_order(), structural.reverse_post_order());
        Some(Body {
            first,
            blocks,
            by_label,
            phis,
            dominators: Dominators::in_order(&cfg, &order),
            structural_dominators: Dominators::in_order(&structural, &structural_order),
            cfg,
            structural,
            order,
            structural_order,
        })
    }

    pub(super) fn is_reachable(&self, block: u32) -> bool {
        self.dominators.is_reachable(block)
    }

    pub(super) fn is_structurally_reachable(&self, block: u32) -> bool {
        self.structural_dominators.is_reachable(block)
    }

    /// Along the branches; an unreachable block is dominated by itself alone.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        a == b || self.dominators.is_reachable(b) && self.dominators.dominates(a, b)
    }

    /// Along the branches and from headers to their merge blocks and continue targets.
    pub(super) fn structurally_dominates(&self, a: u32, b: u32) -> bool {
        a == b || self.structural_dominators.is_reachable(b) && self.structural_dominators.dominates(a, b)
    }

    /// Post-dominators over the structural edges: node 0 is the exit, block `n` is node `n + 1`.
    pub(super) fn post_dominators(&self) -> Dominators {
        let count = self.blocks.len();
        let mut exits: Vec<u32> = Vec::new();
        let mut seen = vec![false; count];
        let mut stack = Vec::new();
        let ends = |block: &u32| self.structural.successors(*block).is_empty();
        // Of blocks that never end the first.
        for from in (0..count as u32).filter(ends).chain(0..count as u32) {
            if std::mem::replace(&mut seen[from as usize], true) {
                continue;
            }
            exits.push(from);
            stack.push(from);
            while let Some(block) = stack.pop() {
                for p in self.structural.predecessors(block) {
                    if !std::mem::replace(&mut seen[*p as usize], true) {
                        stack.push(*p);
                    }
                }
            }
        }
        let before = (0..count as u32).map(|block| self.structural.predecessors(block));
        let reversed = std::iter::once(exits.as_slice()).chain(before);
        Dominators::new(&Cfg::new(reversed.map(|blocks| blocks.iter().map(|block| block + 1))))
    }

    /// Branches from a block to one that is open above it in a depth-first walk of the structural edges.
    pub(super) fn back_edges(&self) -> Vec<(u32, u32)> {
        let count = self.blocks.len();
        let mut found = Vec::new();
        let mut known = FxHashSet::default();
        // 0 not seen, 1 on the path, 2 done.
        let mut state = vec![0u8; count];
        let roots = std::iter::once(0)
            .chain((0..count as u32).filter(|b| self.structural.predecessors(*b).is_empty()))
            .chain(0..count as u32);
        let mut stack: Vec<(u32, usize)> = Vec::new();
        for root in roots {
            if state[root as usize] != 0 {
                continue;
            }
            state[root as usize] = 1;
            stack.push((root, 0));
            while let Some((block, next)) = stack.last_mut() {
                let from = *block;
                match self.structural.successors(from).get(*next) {
                    Some(to) => {
                        *next += 1;
                        match state[*to as usize] {
                            0 => {
                                state[*to as usize] = 1;
                                stack.push((*to, 0));
                            }
                            1 if self.cfg.successors(from).contains(to) && known.insert((from, *to)) => {
                                found.push((from, *to));
                            }
                            _ => {}
                        }
                    }
                    None => {
                        state[from as usize] = 2;
                        stack.pop();
                    }
                }
            }
        }
        found
    }
}
