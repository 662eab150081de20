//! Which virtual registers come out of which blocks.
//!
//! Most registers have one definition, which dominates all uses, and no kill: of these nothing needs to be computed. The others are
//! taken in batches, so that many registers in many blocks do not need much memory.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use wavelens_base::cfg::sets::Sets;
use wavelens_base::cfg::{Cfg, Dominators};

/// Numbers that the sets of a batch have, each of 64 bits.
const BATCH_WORDS: usize = 4 << 20;

/// The blocks that do something with a virtual register, for each register.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The first block of a register, plus one.
    first: Vec<u32>,
    /// All blocks of those registers that have more than one.
    several: FxHashMap<u32, FxHashSet<u32>>,
}

impl Blocks {
    fn new(registers: usize) -> Self {
        Blocks { first: vec![0; registers], several: FxHashMap::default() }
    }

    pub(super) fn add(&mut self, register: u32, block: u32) {
        let Some(first) = self.first.get_mut(register as usize) else { return };
        if *first == 0 {
            *first = block + 1;
        } else if *first != block + 1 {
            let all = self.several.entry(register).or_default();
            all.extend([*first - 1, block]);
        }
    }

    pub(super) fn has(&self, register: u32, block: u32) -> bool {
        self.first(register) == Some(block) || self.several.get(&register).is_some_and(|s| s.contains(&block))
    }

    fn first(&self, register: u32) -> Option<u32> {
        self.first.get(register as usize)?.checked_sub(1)
    }

    /// The block of a register that has only one.
    fn only(&self, register: u32) -> Option<u32> {
        self.first(register).filter(|_| !self.several.contains_key(&register))
    }

    /// The blocks of a register, in no order.
    pub(super) fn of(&self, register: u32) -> impl Iterator<Item = u32> {
        let several = self.several.get(&register);
        let first = self.first(register).filter(|_| several.is_none());
        first.into_iter().chain(several.into_iter().flatten().copied())
    }
}

/// What comes out of blocks.
#[derive(Debug)]
pub(super) struct Flow {
    /// The reachable blocks, in reverse post-order.
    order: Vec<u32>,
    reachable: Vec<bool>,
    /// Blocks that define a register which lives at their end.
    pub(super) live_out: Blocks,
    pub(super) killed: Blocks,
    dominators: OnceCell<Dominators>,
}

impl Flow {
    pub(super) fn new(cfg: &Cfg, registers: usize) -> Self {
        let order = cfg.reverse_post_order();
        let mut reachable = vec![false; cfg.len()];
        for block in &order {
            if let Some(slot) = reachable.get_mut(*block as usize) {
                *slot = true;
            }
        }
        let (live_out, killed) = (Blocks::new(registers), Blocks::new(registers));
        Flow { order, reachable, live_out, killed, dominators: OnceCell::new() }
    }

    pub(super) fn is_reachable(&self, block: u32) -> bool {
        self.reachable.get(block as usize).copied().unwrap_or(false)
    }

    /// Whether the register is never killed, and the only block that defines it dominates this one.
    pub(super) fn dominates(&self, cfg: &Cfg, register: u32, block: u32) -> bool {
        let Some(definition) = self.live_out.only(register) else { return false };
        self.killed.first(register).is_none()
            && definition != block
            && self.is_reachable(block)
            && self.dominators.get_or_init(|| Dominators::new(cfg)).dominates(definition, block)
    }

    /// Those of `asked`, registers with blocks, that are neither live out of the block nor may pass through it, in one walk, as
    /// LLVM has it.
    pub(super) fn not_out(
        &self,
        cfg: &Cfg,
        asked: impl Iterator<Item = (u32, u32)>,
    ) -> FxHashSet<(u32, u32)> {
        let asked = asked.filter(|(register, block)| {
            !self.live_out.has(*register, *block) && !self.dominates(cfg, *register, *block)
        });
        // Without a definition that lives no block passes the register on.
        let has_definition = |pair: &(u32, u32)| self.live_out.first(pair.0).is_some();
        let (open, not_out): (Vec<_>, Vec<_>) = asked.partition(has_definition);
        let mut not_out: FxHashSet<_> = not_out.into_iter().collect();
        let open = Open::new(open);
        for batch in open.batches(self.reachable.len()) {
            let passed = self.pass(cfg, &batch);
            not_out.extend(batch.pairs().filter_map(|(column, register, block)| {
                (!passed.has(block, column)).then_some((register, block))
            }));
        }
        not_out
    }

    fn pass(&self, cfg: &Cfg, batch: &Batch<'_>) -> Sets {
        let new = || Sets::new(self.reachable.len(), batch.registers.len());
        let (mut out, mut stop, mut passed) = (new(), new(), new());
        for (column, register) in (0..).zip(batch.registers) {
            self.live_out.of(*register).for_each(|block| _ = out.add(block, column));
            self.killed.of(*register).for_each(|block| _ = stop.add(block, column));
        }
        let mut row = vec![0u64; batch.registers.len().div_ceil(64)];
        for block in &self.order {
            row.fill(0);
            for predecessor in cfg.predecessors(*block).iter().filter(|block| self.is_reachable(**block)) {
                let from = out.row(*predecessor).iter().zip(passed.row(*predecessor));
                row.iter_mut().zip(from).for_each(|(word, (a, b))| *word |= a | b);
            }
            let stop = out.row(*block).iter().zip(stop.row(*block)).map(|(a, b)| a | b);
            row.iter_mut().zip(stop).for_each(|(word, stop)| *word &= !stop);
            passed.row_mut(*block).copy_from_slice(&row);
        }
        passed
    }

    /// Of the registers that blocks need at their end without defining them: the first block that cannot give them, because it is
    /// the entry or kills the register. Ordered by block and register.
    pub(super) fn unmet(&self, cfg: &Cfg, needed: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
        let open = Open::new(needed.into_iter().collect());
        let mut unmet = Vec::new();
        for batch in open.batches(self.reachable.len()) {
            let required = self.require(cfg, &batch);
            for (column, register) in (0..).zip(batch.registers) {
                let faulty =
                    self.killed.of(*register).chain([0]).filter(|block| required.has(*block, column));
                unmet.extend(faulty.min().map(|block| (block, *register)));
            }
        }
        unmet.sort_unstable();
        unmet
    }

    fn require(&self, cfg: &Cfg, batch: &Batch<'_>) -> Sets {
        let blocks = self.reachable.len();
        let (mut out, mut required) =
            (Sets::new(blocks, batch.registers.len()), Sets::new(blocks, batch.registers.len()));
        for (column, register) in (0..).zip(batch.registers) {
            self.live_out.of(*register).for_each(|block| _ = out.add(block, column));
        }
        let mut todo = Queue { blocks: Vec::new(), is_queued: vec![false; blocks] };
        for (column, _, block) in batch.pairs() {
            if required.add(block, column) {
                todo.push(block);
            }
        }
        let mut row = Vec::new();
        while let Some(block) = todo.pop() {
            row.clear();
            row.extend_from_slice(required.row(block));
            for predecessor in cfg.predecessors(block) {
                if *predecessor != block && required.add_without(*predecessor, &row, out.row(*predecessor)) {
                    todo.push(*predecessor);
                }
            }
        }
        required
    }
}

/// Registers with blocks that need a walk over the blocks.
struct Open {
    /// Sorted.
    pairs: Vec<(u32, u32)>,
    registers: Vec<u32>,
}

impl Open {
    fn new(mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        let mut registers: Vec<u32> = pairs.iter().map(|(register, _)| *register).collect();
        registers.dedup();
        Open { pairs, registers }
    }

    fn batches(&self, blocks: usize) -> impl Iterator<Item = Batch<'_>> {
        let words = (BATCH_WORDS / blocks.max(1)).max(1);
        self.registers.chunks(words * 64).map(|registers| Batch { open: self, registers })
    }
}

/// Registers that are taken together; a column of a set is the place of one in `registers`.
struct Batch<'a> {
    open: &'a Open,
    registers: &'a [u32],
}

impl Batch<'_> {
    /// Column, register and block of each pair.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32, u32)> {
        (0..).zip(self.registers).flat_map(|(column, register)| {
            let pairs = &self.open.pairs;
            let start = pairs.partition_point(|(r, _)| r < register);
            let own = pairs.get(start..).unwrap_or(&[]).iter().take_while(move |(r, _)| r == register);
            own.map(move |(register, block)| (column, *register, *block))
        })
    }
}

/// Blocks to look at, each once.
struct Queue {
    blocks: Vec<u32>,
    is_queued: Vec<bool>,
}

impl Queue {
    fn push(&mut self, block: u32) {
        if let Some(is_queued) = self.is_queued.get_mut(block as usize)
            && !std::mem::replace(is_queued, true)
        {
            self.blocks.push(block);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let block = self.blocks.pop()?;
        if let Some(is_queued) = self.is_queued.get_mut(block as usize) {
            *is_queued = false;
        }
        Some(block)
    }
}
