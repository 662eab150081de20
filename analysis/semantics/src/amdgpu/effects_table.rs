//! What each instruction of a function reads, writes and counts, in one list of accesses and one of counters.

use wavelens_isa::{Access, Counter, Effects, IssueClass};

/// The effects of the instructions of a function. A function can have millions of instructions, most with few effects.
#[derive(Debug, Default)]
pub struct EffectsTable {
    entries: Vec<Entry>,
    /// Reads, then writes of each instruction.
    accesses: Vec<Access>,
    counters: Vec<Counter>,
}

#[derive(Debug)]
struct Entry {
    accesses: u32,
    counters: u32,
    reads: u16,
    writes: u16,
    counted: u8,
    class: IssueClass,
    flags: u8,
}

/// See [`Effects`].
#[derive(Debug, Clone, Copy)]
pub struct EffectsOf<'t> {
    /// Registers that it reads.
    pub reads: &'t [Access],
    /// Registers that it writes.
    pub writes: &'t [Access],
    pub(crate) counters: &'t [Counter],
    /// The unit that issues it.
    pub class: IssueClass,
    /// Whether it branches.
    pub branch: bool,
    pub(crate) conditional: bool,
    /// Whether it calls.
    pub call: bool,
    /// Whether control never goes on to the next instruction.
    pub terminates: bool,
    pub(crate) may_load: bool,
    /// Whether it may write memory.
    pub may_store: bool,
    pub(crate) indexed: bool,
}

impl EffectsTable {
    /// Gives back what was reserved for more.
    pub(super) fn shrink_to_fit(&mut self) {
        self.entries.shrink_to_fit();
        self.accesses.shrink_to_fit();
        self.counters.shrink_to_fit();
    }

    pub(super) fn push(&mut self, effects: &Effects) {
        let e = effects;
        let flags = [e.branch, e.conditional, e.call, e.terminates, e.may_load, e.may_store, e.indexed];
        self.entries.push(Entry {
            accesses: self.accesses.len() as u32,
            counters: self.counters.len() as u32,
            reads: e.reads.len() as u16,
            writes: e.writes.len() as u16,
            counted: e.counters.len() as u8,
            class: e.class,
            flags: flags.iter().rev().fold(0, |bits, flag| bits << 1 | u8::from(*flag)),
        });
        self.accesses.extend(e.reads.iter().chain(&e.writes));
        self.counters.extend(&e.counters);
    }

    /// The effects of an instruction of the function.
    pub fn get(&self, index: usize) -> Option<EffectsOf<'_>> {
        let entry = self.entries.get(index)?;
        let accesses = self.accesses.get(entry.accesses as usize..)?;
        let (reads, rest) = accesses.split_at_checked(entry.reads.into())?;
        let counters = self.counters.get(entry.counters as usize..)?;
        let flag = |bit: u8| entry.flags >> bit & 1 == 1;
        Some(EffectsOf {
            reads,
            writes: rest.get(..entry.writes.into())?,
            counters: counters.get(..entry.counted.into())?,
            class: entry.class,
            branch: flag(0),
            conditional: flag(1),
            call: flag(2),
            terminates: flag(3),
            may_load: flag(4),
            may_store: flag(5),
            indexed: flag(6),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The effects of all instructions, in order.
    pub fn iter(&self) -> impl Iterator<Item = EffectsOf<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

impl EffectsOf<'_> {
    /// As a value of its own.
    pub fn to_owned(self) -> Effects {
        Effects {
            reads: self.reads.to_vec(),
            writes: self.writes.to_vec(),
            counters: self.counters.to_vec(),
            class: self.class,
            branch: self.branch,
            conditional: self.conditional,
            call: self.call,
            terminates: self.terminates,
            may_load: self.may_load,
            may_store: self.may_store,
            indexed: self.indexed,
        }
    }
}
