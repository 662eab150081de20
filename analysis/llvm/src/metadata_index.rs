//! Where each numbered metadata node is defined.

use rustc_hash::{FxHashMap, FxHashSet};

/// Index of a summary, and of the definition in it.
type Place = (u32, u32);

const NOWHERE: Place = (u32::MAX, u32::MAX);

/// The first definition of each number. A module can have millions, numbered almost without gaps.
#[derive(Debug, Default)]
pub(super) struct MetadataIndex {
    /// By number; [`NOWHERE`] for one that is not defined.
    dense: Vec<Place>,
    /// Numbers that do not fit there.
    sparse: FxHashMap<u32, Place>,
    count: usize,
    /// Numbers that are defined again.
    repeated: FxHashSet<u32>,
}

impl MetadataIndex {
    /// For so many definitions.
    pub(super) fn with_capacity(definitions: usize) -> Self {
        MetadataIndex { dense: vec![NOWHERE; 2 * definitions], ..MetadataIndex::default() }
    }

    /// Does nothing for a number that has a place.
    pub(super) fn insert(&mut self, number: u32, place: Place) {
        let known = match self.dense.get_mut(number as usize) {
            Some(known) => known,
            None => self.sparse.entry(number).or_insert(NOWHERE),
        };
        if *known == NOWHERE {
            *known = place;
            self.count += 1;
        } else {
            self.repeated.insert(number);
        }
    }

    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<Place> {
        let place = self.dense.get(number as usize).or_else(|| self.sparse.get(&number))?;
        (*place != NOWHERE).then_some(*place)
    }

    /// Whether a number is defined more than once.
    #[inline]
    pub(super) fn is_repeated(&self, number: u32) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&number)
    }

    /// How many numbers are defined.
    pub(super) fn count(&self) -> usize {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_definition_counts() {
        let mut places = MetadataIndex::with_capacity(3);
        for (number, place) in [(1, (0, 0)), (u32::MAX, (0, 1)), (1, (0, 2)), (u32::MAX, (0, 3))] {
            places.insert(number, place);
        }
        assert_eq!([1, 2, u32::MAX].map(|number| places.get(number)), [Some((0, 0)), None, Some((0, 1))]);
        assert_eq!(places.count(), 2);
        places.insert(0, (0, 4));
        assert_eq!([0, 1, 2].map(|number| places.is_repeated(number)), [false, true, false]);
    }
}
