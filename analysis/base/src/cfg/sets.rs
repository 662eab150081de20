//! A set of small numbers for each block, as rows of bits.

/// Sets of the numbers below a bound, one for each block.
#[derive(Debug, Clone)]
pub struct Sets {
    words: usize,
    bits: Vec<u64>,
}

impl Sets {
    /// Empty sets of numbers below `numbers`, one for each block.
    pub fn new(blocks: usize, numbers: usize) -> Self {
        let words = numbers.div_ceil(64);
        Sets { words, bits: vec![0; blocks * words] }
    }

    /// Whether a block's set has a number.
    pub fn has(&self, block: u32, number: u32) -> bool {
        has(self.row(block), number)
    }

    /// Whether it is new.
    pub fn add(&mut self, block: u32, number: u32) -> bool {
        let Some(word) = self.row_mut(block).get_mut(number as usize / 64) else { return false };
        let old = *word;
        *word |= 1 << (number % 64);
        *word != old
    }

    /// The bits of a block's set.
    pub fn row(&self, block: u32) -> &[u64] {
        let at = block as usize * self.words;
        self.bits.get(at..at + self.words).unwrap_or(&[])
    }

    /// The bits of a block's set, to be changed.
    pub fn row_mut(&mut self, block: u32) -> &mut [u64] {
        let at = block as usize * self.words;
        self.bits.get_mut(at..at + self.words).unwrap_or(&mut [])
    }

    /// Adds the set of one block to that of another. Whether any number was new.
    pub fn add_all(&mut self, to: u32, from: u32) -> bool {
        let mut is_new = false;
        for word in 0..self.words {
            let added = self.row(from).get(word).copied().unwrap_or(0);
            if let Some(own) = self.row_mut(to).get_mut(word) {
                is_new |= added & !*own != 0;
                *own |= added;
            }
        }
        is_new
    }

    /// Adds what of a row another one does not have. Whether any number was new.
    pub fn add_without(&mut self, block: u32, row: &[u64], without: &[u64]) -> bool {
        let mut is_new = false;
        for ((own, word), without) in self.row_mut(block).iter_mut().zip(row).zip(without) {
            let new = word & !without & !*own;
            *own |= new;
            is_new |= new != 0;
        }
        is_new
    }
}

/// The numbers below `count` that `is_one` chooses, as a row.
pub fn chosen(count: usize, is_one: impl Fn(u32) -> bool) -> Vec<u64> {
    let count = count as u32;
    let word = |first: u32| (first..count.min(first + 64)).map(|n| u64::from(is_one(n)) << (n - first)).sum();
    (0..count).step_by(64).map(word).collect()
}

/// Whether a row has a number.
pub fn has(row: &[u64], number: u32) -> bool {
    row.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 != 0)
}

/// Adds a number to a row that has a place for it.
pub fn add(row: &mut [u64], number: u32) {
    if let Some(word) = row.get_mut(number as usize / 64) {
        *word |= 1 << (number % 64);
    }
}

/// The numbers of a row, ascending.
pub fn numbers(row: &[u64]) -> impl Iterator<Item = u32> {
    let of_word = |(first, word): (u32, u64)| {
        let rest = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
        let words = std::iter::successors(Some(word).filter(|word| *word != 0), rest);
        words.map(move |word| first + word.trailing_zeros())
    };
    (0..).step_by(64).zip(row.iter().copied()).flat_map(of_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_rows() {
        let mut sets = Sets::new(2, 130);
        let wanted = [0, 63, 64, 129];
        assert!(wanted.iter().all(|number| sets.add(1, *number)));
        assert_eq!(numbers(sets.row(1)).collect::<Vec<_>>(), wanted);
        assert_eq!(numbers(sets.row(0)).next(), None);
    }

    #[test]
    fn rows_are_joined() {
        let mut sets = Sets::new(3, 70);
        assert!(sets.add(0, 3) && !sets.add(0, 3) && sets.add(0, 69));
        assert!(!sets.add(0, 128) && !sets.add(3, 1), "outside");
        assert!(sets.has(0, 69) && !sets.has(0, 5) && !sets.has(1, 69));
        // What is new is said once.
        assert!(sets.add_all(1, 0));
        assert!(!sets.add_all(1, 0));
        assert!(!sets.add_all(1, 2));
        assert_eq!(numbers(sets.row(1)).collect::<Vec<_>>(), [3, 69]);
        let (row, without) = (chosen(70, |n| n % 23 == 0), chosen(70, |n| n == 46));
        assert_eq!(numbers(&row).collect::<Vec<_>>(), [0, 23, 46, 69]);
        assert!(sets.add_without(1, &row, &without));
        assert!(!sets.add_without(1, &row, &without));
        assert_eq!(numbers(sets.row(1)).collect::<Vec<_>>(), [0, 3, 23, 69]);
        let mut row = [0u64; 2];
        add(&mut row, 64);
        add(&mut row, 1);
        add(&mut row, 64);
        add(&mut row, 128);
        assert_eq!(row, [2, 1]);
        assert!(has(&row, 64) && !has(&row, 0) && !has(&row, 128));
    }
}
