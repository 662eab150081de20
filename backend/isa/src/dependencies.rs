//! Which facts about a processor a computation reads. Its result is the same for all processors with the same facts, so that a file
//! with ten RUN lines is checked once for each set of processors that differ in them.
//!
//! A fact is recorded for the current thread where [`Target`] or a table gives it; only [`with_dependencies`] reads the record.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashSet;

use crate::assemble::ForcedEncoding;
use crate::mir::{CpuRows, Tables};
use crate::tables::{Candidates, Row};
use crate::target::Target;

/// The facts about a processor that a computation read.
#[derive(Clone, Debug, Default)]
pub struct Dependencies {
    features: [u64; 4],
    others: u32,
    lookups: FxHashSet<Lookup>,
}

/// A fact of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Lookup {
    /// The first rows of a mnemonic that the processor has with an encoding.
    Rows { candidates: Candidates, forced: ForcedEncoding, tried: u16 },
    /// Whether a row of this availability exists.
    Available(u16),
    /// A class of operands of Machine IR.
    OperandClass(i16),
    /// Whether a register unit is reserved in Machine IR.
    ReservedUnit(u16),
}

/// Lanes of a wave.
pub(crate) const WAVE_SIZE: u32 = 1 << 0;
/// The generation's number; whether it is at least `n` is bit `n`.
pub(crate) const GENERATION: u32 = 1 << 1;
/// Something that no other processor shares, such as the name.
pub(crate) const IDENTITY: u32 = 1 << 2;

thread_local! {
    static FEATURES: [Cell<u64>; 4] = const { [const { Cell::new(0) }; 4] };
    static OTHERS: Cell<u32> = const { Cell::new(0) };
    /// `None` outside of [`with_dependencies`].
    static LOOKUPS: RefCell<Option<FxHashSet<Lookup>>> = const { RefCell::new(None) };
}

/// Records that a feature was read.
pub(crate) fn record_feature(feature: u16) {
    FEATURES.with(|all| {
        let word = &all[usize::from(feature / 64) & 3];
        word.set(word.get() | 1 << (feature % 64));
    });
}

/// Records that one of [`WAVE_SIZE`], [`GENERATION`] and [`IDENTITY`], or a threshold of generations, was read.
pub(crate) fn record(fact: u32) {
    OTHERS.with(|all| all.set(all.get() | fact));
}

fn record_lookup(lookup: Lookup) {
    LOOKUPS.with_borrow_mut(|all| all.as_mut().is_some_and(|all| all.insert(lookup)));
}

/// Records that the first `tried` rows of a mnemonic were compared with a line.
pub(crate) fn record_rows(candidates: Candidates, forced: ForcedEncoding, tried: usize) {
    record_lookup(Lookup::Rows { candidates, forced, tried: tried as u16 });
}

/// Records that an availability in the instruction table was read.
pub(crate) fn record_available(avail: u16) {
    record_lookup(Lookup::Available(avail));
}

/// Records that a class of operands was read whose number depends on the processor.
pub(crate) fn record_operand_class(number: i16) {
    record_lookup(Lookup::OperandClass(number));
}

/// Records that it was read whether a register unit is reserved.
pub(crate) fn record_reserved_unit(unit: u16) {
    record_lookup(Lookup::ReservedUnit(unit));
}

/// Gives the record back to the computation around, also if the one inside unwinds.
struct Outer(Dependencies, bool);

impl Outer {
    fn begin() -> Outer {
        let is_wanted = LOOKUPS.with_borrow(Option::is_some);
        let outer = take();
        LOOKUPS.set(Some(FxHashSet::default()));
        Outer(outer, is_wanted)
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        let mut all = std::mem::take(&mut self.0);
        all.add(&take());
        FEATURES.with(|own| own.iter().zip(all.features).for_each(|(word, bits)| word.set(bits)));
        OTHERS.set(all.others);
        LOOKUPS.set(self.1.then_some(all.lookups));
    }
}

/// Everything that was recorded in this thread so far.
fn take() -> Dependencies {
    Dependencies {
        features: FEATURES.with(|all| [0, 1, 2, 3].map(|index: usize| all[index].take())),
        others: OTHERS.take(),
        lookups: LOOKUPS.with_borrow_mut(|all| all.as_mut().map(std::mem::take)).unwrap_or_default(),
    }
}

/// Runs a computation and returns what it depends on. It must not go on in other threads.
pub fn with_dependencies<T>(computation: impl FnOnce() -> T) -> (T, Dependencies) {
    let outer = Outer::begin();
    let result = computation();
    let dependencies = Dependencies {
        features: FEATURES.with(|all| [0, 1, 2, 3].map(|index: usize| all[index].get())),
        others: OTHERS.get(),
        lookups: LOOKUPS.with_borrow(|all| all.clone()).unwrap_or_default(),
    };
    drop(outer);
    (result, dependencies)
}

/// Runs a computation without a record, because its results are compared in another way.
pub fn untracked<T>(computation: impl FnOnce() -> T) -> T {
    let before = take();
    let result = computation();
    take();
    FEATURES.with(|own| own.iter().zip(before.features).for_each(|(word, bits)| word.set(bits)));
    OTHERS.set(before.others);
    LOOKUPS.with_borrow_mut(|all| all.as_mut().map(|all| *all = before.lookups));
    result
}

impl Dependencies {
    fn add(&mut self, other: &Dependencies) {
        self.features.iter_mut().zip(other.features).for_each(|(own, bits)| *own |= bits);
        self.others |= other.others;
        self.lookups.extend(&other.lookups);
    }

    /// Whether all recorded facts are equal for two processors.
    pub fn are_equal_for(&self, a: Target, b: Target) -> bool {
        if a == b {
            return true;
        }
        let reads = |fact: u32| self.others & fact != 0;
        let (old, new) = untracked(|| (a.major(), b.major()));
        let thresholds = (3..32).filter(|n| self.others >> n & 1 == 1);
        let features = a.feature_bits().into_iter().zip(b.feature_bits()).zip(self.features);
        !reads(IDENTITY)
            && !(reads(WAVE_SIZE) && untracked(|| a.wave_size() != b.wave_size()))
            && !(reads(GENERATION) && old != new)
            && !thresholds.into_iter().any(|n| (old >= n) != (new >= n))
            && !{ features }.any(|((a, b), read)| (a ^ b) & read != 0)
            && self.lookups.iter().all(|lookup| match lookup {
                Lookup::Rows { candidates, forced, tried } => {
                    let rows = |target| {
                        let own = candidates.available(target, *forced).take(usize::from(*tried));
                        own.map(|c| (c.formals, c.variant, Row::new(c.row)))
                    };
                    untracked(|| {
                        rows(a).count() == rows(b).count()
                            && rows(a).zip(rows(b)).all(|(a, b)| (a.0, a.1) == (b.0, b.1) && a.2.is_like(b.2))
                    })
                }
                Lookup::Available(avail) => a.can_unrecorded(*avail) == b.can_unrecorded(*avail),
                Lookup::OperandClass(_) | Lookup::ReservedUnit(_) => true,
            })
    }

    /// Whether two processors of Machine IR have the same rows, as far as they were read.
    pub fn has_same_rows(&self, tables: &Tables, a: CpuRows, b: CpuRows) -> bool {
        self.lookups.iter().all(|lookup| match *lookup {
            Lookup::Rows { .. } | Lookup::Available(_) => true,
            Lookup::OperandClass(number) => {
                tables.class_by_mode(number, a) == tables.class_by_mode(number, b)
            }
            Lookup::ReservedUnit(unit) => tables.reserves(a, unit) == tables.reserves(b, unit),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::feature;

    fn target(name: &str) -> Target {
        Target::named(name).expect("a known processor")
    }

    fn same(a: &str, b: &str, read: impl Fn(Target)) -> bool {
        let (a, b) = (target(a), target(b));
        with_dependencies(|| read(a)).1.are_equal_for(a, b)
    }

    #[test]
    fn only_facts_that_were_read_count() {
        assert!(same("gfx900", "gfx1100", |_| ()));
        assert!(same("gfx900", "gfx906", |t| _ = t.has(feature::GFX90_AINSTS)));
        assert!(!same("gfx900", "gfx90a", |t| _ = t.has(feature::GFX90_AINSTS)));
        assert!(!same("gfx900", "gfx906", |t| _ = t.name()));
        assert!(!same("gfx900", "gfx1030", |t| _ = t.wave_size()));
        assert!(!same("gfx900", "gfx1030", |t| _ = t.major()));
        assert!(same("gfx900", "gfx1030", |t| _ = t.is_from(11)));
        assert!(!same("gfx900", "gfx1030", |t| _ = t.is_from(10)));
    }

    #[test]
    fn facts_read_inside_count_outside_and_not_the_other_way() {
        let (gfx900, gfx906) = (target("gfx900"), target("gfx906"));
        let ((inner, _), outer) = with_dependencies(|| {
            let inner = with_dependencies(|| gfx900.wave_size()).1;
            (inner, gfx900.name())
        });
        assert!(inner.are_equal_for(gfx900, gfx906));
        assert!(!outer.are_equal_for(gfx900, gfx906));
        let ((), outer) = with_dependencies(|| _ = with_dependencies(|| gfx900.name()));
        assert!(!outer.are_equal_for(gfx900, gfx906));
        let ((), outer) = with_dependencies(|| _ = untracked(|| gfx900.name()));
        assert!(outer.are_equal_for(gfx900, gfx906));
    }

    #[test]
    fn unwinding_keeps_the_facts() {
        let gfx900 = target("gfx900");
        let ((), dependencies) = with_dependencies(|| {
            let unwound = std::panic::catch_unwind(|| {
                with_dependencies(|| std::panic::resume_unwind(Box::new(gfx900.name())))
            });
            assert!(unwound.is_err());
        });
        assert!(!dependencies.are_equal_for(gfx900, target("gfx906")));
    }
}
