//! Values in registers: which accesses of a function are about the same value.
//!
//! A value is a web of definitions and uses: a use belongs with every definition that reaches it. Dwords that one operand names
//! together belong together, because they must be neighbours.

use rustc_hash::FxHashMap;

use super::flow::{Graph, RegSet, dwords};

/// The value of each access of a function.
#[derive(Debug, Default, Clone)]
pub struct Webs {
    /// Where the accesses of each instruction start: its reads, then its writes.
    starts: Vec<usize>,
    values: Vec<u32>,
    /// Values that the function starts with, or that something uses that is not written in the text.
    fixed: Vec<u32>,
}

/// Nodes that are merged into sets.
#[derive(Default)]
struct Sets(Vec<u32>);

impl Sets {
    fn fresh(&mut self) -> u32 {
        self.0.push(self.0.len() as u32);
        self.0.len() as u32 - 1
    }

    fn find(&mut self, node: u32) -> u32 {
        let mut at = node;
        while let Some(parent) = self.0.get(at as usize).copied().filter(|p| *p != at) {
            let next = self.0.get(parent as usize).copied().unwrap_or(parent);
            if let Some(slot) = self.0.get_mut(at as usize) {
                *slot = next;
            }
            at = parent;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        if let Some(slot) = self.0.get_mut(a.max(b) as usize) {
            *slot = a.min(b);
        }
    }
}

/// The value in each dword at a place: only of dwords that are live or written before in the block.
type Current = FxHashMap<usize, u32>;

impl Webs {
    /// From a function's graph and the registers live into its blocks.
    pub fn new(graph: &Graph<'_>, live_ins: &[RegSet]) -> Webs {
        let mut sets = Sets::default();
        // The value that each block starts with, by dword.
        let mut entries: Vec<Current> = vec![Current::default(); graph.cfg.len()];
        let mut webs = Webs::default();
        let mut implicit = Vec::new();
        // What comes from outside.
        for (block, (entry, live)) in entries.iter_mut().zip(live_ins).enumerate() {
            if block == 0 || graph.cfg.predecessors(block as u32).is_empty() {
                entry.extend(live.all_dwords().map(|dword| (dword, sets.fresh())));
                implicit.extend(entry.values());
            }
        }
        let mut by_block: Vec<(usize, Vec<usize>, Vec<u32>)> = Vec::new();
        for block in 0..graph.cfg.len() {
            let mut current: Current = entries.get(block).cloned().unwrap_or_default();
            let (mut starts, mut values) = (Vec::new(), Vec::new());
            for index in graph.block(block) {
                starts.push(values.len());
                let Some(effects) = graph.effects.get(index) else { continue };
                let first_read = values.len();
                for read in effects.reads {
                    let node = sets.fresh();
                    for dword in dwords(read.reg()) {
                        let entry = &mut entries[block];
                        let value = *current
                            .entry(dword)
                            .or_insert_with(|| *entry.entry(dword).or_insert_with(|| sets.fresh()));
                        sets.join(node, value);
                    }
                    if read.implicit() {
                        implicit.push(node);
                    }
                    values.push(node);
                }
                for write in effects.writes {
                    let node = sets.fresh();
                    for dword in dwords(write.reg()) {
                        if write.partial()
                            && let Some(old) = current.get(&dword)
                        {
                            sets.join(node, *old);
                        }
                        current.insert(dword, node);
                    }
                    if write.implicit() {
                        implicit.push(node);
                    }
                    // The accumulator of `v_fmac`: one word names what is read and what is written.
                    let tied = effects.reads.iter().zip(first_read..).filter(|(read, _)| {
                        let ends = read.operand().zip(write.operand());
                        ends.is_some_and(|(a, b)| graph.are_tied(index, a.into(), b.into()))
                    });
                    tied.for_each(|(_, at)| sets.join(values.get(at).copied().unwrap_or(node), node));
                    values.push(node);
                }
            }
            by_block.push((block, starts, values));
            for next in graph.cfg.successors(block as u32) {
                let next = *next as usize;
                let Some(live) = live_ins.get(next) else { continue };
                for (dword, node) in current.iter().filter(|(dword, _)| live.contains(**dword)) {
                    let entry = *entries[next].entry(*dword).or_insert_with(|| sets.fresh());
                    sets.join(entry, *node);
                }
            }
        }
        webs.pass_through(graph, live_ins, &mut entries, &mut sets);
        for (block, starts, values) in by_block {
            for (index, start) in graph.block(block).zip(starts) {
                webs.starts.resize(index, webs.values.len());
                webs.starts.push(webs.values.len() + start);
            }
            webs.values.extend(values);
        }
        webs.starts.resize(graph.instructions.len() + 1, webs.values.len());
        webs.values.iter_mut().for_each(|v| *v = sets.find(*v));
        webs.fixed = implicit.into_iter().map(|v| sets.find(v)).collect();
        webs.fixed.sort_unstable();
        webs.fixed.dedup();
        webs
    }

    /// Joins the values that blocks pass on without touching them.
    fn pass_through(
        &mut self,
        graph: &Graph<'_>,
        live_ins: &[RegSet],
        entries: &mut [Current],
        sets: &mut Sets,
    ) {
        let mut written: Vec<RegSet> = vec![RegSet::default(); graph.cfg.len()];
        for (block, set) in written.iter_mut().enumerate() {
            let effects = graph.block(block).filter_map(|index| graph.effects.get(index));
            effects.for_each(|e| e.writes.iter().for_each(|w| set.insert(w.reg())));
        }
        let mut work: Vec<usize> = (0..graph.cfg.len()).collect();
        while let Some(block) = work.pop() {
            let passed: Vec<(usize, u32)> = entries[block].iter().map(|(d, v)| (*d, *v)).collect();
            for next in graph.cfg.successors(block as u32) {
                let next = *next as usize;
                let Some(live) = live_ins.get(next) else { continue };
                let mut changed = false;
                for (dword, value) in &passed {
                    if !live.contains(*dword) || written[block].contains(*dword) {
                        continue;
                    }
                    let known = entries[next].contains_key(dword);
                    let entry = *entries[next].entry(*dword).or_insert(*value);
                    sets.join(entry, *value);
                    changed |= !known;
                }
                if changed {
                    work.push(next);
                }
            }
        }
    }

    /// The values of an instruction's reads, then of its writes, as in its effects. The instruction counts from the function's start.
    pub fn of(&self, instruction: usize) -> &[u32] {
        let start = self.starts.get(instruction).copied().unwrap_or_default();
        let end = self.starts.get(instruction + 1).copied().unwrap_or(start);
        self.values.get(start..end).unwrap_or(&[])
    }

    /// Whether a value comes from outside of the function, or is used by something that the text does not name.
    pub fn is_fixed(&self, value: u32) -> bool {
        self.fixed.binary_search(&value).is_ok()
    }
}
