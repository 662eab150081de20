//! Near matches for words that nothing knows.

const LONGEST: usize = 60;

/// The one candidate that is closest to a word: at most one slip (a letter too many, too few, wrong, or two swapped) for every three
/// letters, and two in all. `None` where none is close, or several are alike.
pub fn closest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let mut best: Option<(usize, &str)> = None;
    let mut alike = false;
    for candidate in candidates {
        let len = word.len().max(candidate.len());
        let limit = (len / 3).min(2).min(best.map_or(2, |(d, _)| d));
        if limit == 0 || len > LONGEST || word.len().abs_diff(candidate.len()) > limit || word == candidate {
            continue;
        }
        let Some(distance) = distance(word.as_bytes(), candidate.as_bytes(), limit) else { continue };
        match best {
            Some((d, other)) if d == distance => alike |= other != candidate,
            _ => (best, alike) = (Some((distance, candidate)), false),
        }
    }
    best.map(|(_, candidate)| candidate).filter(|_| !alike)
}

/// Whether one slip makes a word of four letters or more of the other: enough to correct a word that the language does not have.
pub fn is_one_slip(word: &str, near: &str) -> bool {
    let longest = word.len().max(near.len());
    (4..=LONGEST).contains(&longest) && distance(word.as_bytes(), near.as_bytes(), 1).is_some()
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words of [`LONGEST`] bytes at most; `None` where there are
/// more than `limit`.
fn distance(a: &[u8], b: &[u8], limit: usize) -> Option<usize> {
    let mut before = [0; LONGEST + 1];
    let mut row = std::array::from_fn(|i| i);
    for (i, x) in a.iter().enumerate() {
        let mut next = [0; LONGEST + 1];
        next[0] = i + 1;
        let mut least = next[0];
        for (j, y) in b.iter().enumerate() {
            let mut d = (row[j] + usize::from(x != y)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                d = d.min(before[j - 1] + 1);
            }
            next[j + 1] = d;
            least = least.min(d);
        }
        if least > limit {
            return None;
        }
        before = std::mem::replace(&mut row, next);
    }
    row.get(b.len()).copied().filter(|d| *d <= limit)
}

#[cfg(test)]
mod tests {
    use super::{closest, is_one_slip};

    #[test]
    fn one_slip_in_a_long_word_is_certain() {
        let certain = ["stroe", "sore", "storre", "stare"].map(|word| is_one_slip(word, "store"));
        assert_eq!(certain, [true; 4]);
        assert_eq!([is_one_slip("ad", "add"), is_one_slip("stoer3", "store")], [false; 2]);
    }

    #[test]
    fn slips_are_found_and_guesses_are_not_made() {
        assert_eq!(closest("itme", ["item", "base", "i"]), Some("item"));
        assert_eq!(closest("stroe", ["store", "load"]), Some("store"));
        assert_eq!(closest("nounwnd", ["nounwind", "nonnull"]), Some("nounwind"));
        assert_eq!(closest("x3", ["x1", "x2"]), None);
        assert_eq!(closest("arr4", ["arr1", "arr2"]), None);
        assert_eq!(closest("a", ["b"]), None);
    }
}
