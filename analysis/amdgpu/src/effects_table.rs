//! What each instruction of a function reads, writes and counts, in one list of accesses and one of counters.

use rustc_hash::FxHashMap;
use wavelens_isa::{Access, Counter, Effects, IssueClass};

/// The effects of the instructions of a function. A function can have millions of instructions, most with few effects.
#[derive(Debug, Default)]
pub struct EffectsTable {
    /// Of each instruction where its accesses start: reads, then writes.
    starts: Vec<u32>,
    /// Of each instruction the index of its shape.
    shapes: Vec<u16>,
    accesses: Vec<Access>,
    /// All else, of which there are few kinds.
    distinct: Vec<Shape>,
    known: FxHashMap<Shape, u16>,
}

/// What effects are apart from the registers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Shape {
    reads: u8,
    writes: u8,
    counters: Vec<Counter>,
    class: IssueClass,
    branch: bool,
    conditional: bool,
    call: bool,
    terminates: bool,
    may_load: bool,
    may_store: bool,
    indexed: bool,
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
        self.starts.shrink_to_fit();
        self.shapes.shrink_to_fit();
        self.accesses.shrink_to_fit();
    }

    pub(super) fn push(&mut self, effects: Effects) {
        let e = effects;
        self.starts.push(self.accesses.len() as u32);
        self.accesses.extend(e.reads.iter().chain(&e.writes));
        let shape = Shape {
            reads: e.reads.len() as u8,
            writes: e.writes.len() as u8,
            counters: e.counters,
            class: e.class,
            branch: e.branch,
            conditional: e.conditional,
            call: e.call,
            terminates: e.terminates,
            may_load: e.may_load,
            may_store: e.may_store,
            indexed: e.indexed,
        };
        let index = self.known.get(&shape).copied().unwrap_or_else(|| {
            let index = self.distinct.len() as u16;
            self.known.insert(shape.clone(), index);
            self.distinct.push(shape);
            index
        });
        self.shapes.push(index);
    }

    /// The effects of an instruction of the function.
    pub fn get(&self, index: usize) -> Option<EffectsOf<'_>> {
        let shape = self.distinct.get(usize::from(*self.shapes.get(index)?))?;
        let accesses = self.accesses.get(*self.starts.get(index)? as usize..)?;
        let (reads, rest) = accesses.split_at_checked(shape.reads.into())?;
        Some(EffectsOf {
            reads,
            writes: rest.get(..shape.writes.into())?,
            counters: &shape.counters,
            class: shape.class,
            branch: shape.branch,
            conditional: shape.conditional,
            call: shape.call,
            terminates: shape.terminates,
            may_load: shape.may_load,
            may_store: shape.may_store,
            indexed: shape.indexed,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len()
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
