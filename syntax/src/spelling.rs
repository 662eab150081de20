//! Near matches for words that nothing knows.

const LONGEST: usize = 60;

/// More slips than this make another word.
pub const MOST_SLIPS: usize = 2;

/// The one candidate that is closest to a word: at most one slip (a letter too many, too few, wrong, or two swapped) for every three
/// letters, and two in all; a letter typed twice in shorter words too. `None` where none is close, or several are alike.
pub fn closest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    match nearest(word, candidates)[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// The closest of names that someone gave, as for [`closest`]. `%v2` and `%v3` are two things, not one with a slip.
pub fn closest_name<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let letters = |name: &'n str| name.bytes().filter(|byte| !byte.is_ascii_digit());
    let own = || word.bytes().filter(|byte| !byte.is_ascii_digit());
    closest(word, candidates).filter(|near| !letters(near).eq(own()))
}

/// Whether two names differ only in that one has letters before the same number, or a number after the same letters, and the other has
/// not: `2` and `x2`, `tmp` and `tmp1`.
pub fn differ_in_number(a: &str, b: &str) -> bool {
    let split = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let ((a, a_number), (b, b_number)) = (a.split_at(split(a)), b.split_at(split(b)));
    let is_short = |letters: &str| letters.len() <= 4 && letters.bytes().all(|c| c.is_ascii_alphabetic());
    match (a == b, a_number == b_number) {
        (false, true) => !a_number.is_empty() && (a.is_empty() && is_short(b) || b.is_empty() && is_short(a)),
        (true, false) => !a.is_empty() && (a_number.is_empty() || b_number.is_empty()),
        _ => false,
    }
}

/// The candidates that are closest to a word, as for [`closest`], each once.
pub fn nearest<'n>(word: &str, candidates: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let mut least = 2;
    let mut near: Vec<&str> = Vec::new();
    let own = letters(word);
    for candidate in candidates {
        if word.len().abs_diff(candidate.len()) > MOST_SLIPS {
            continue;
        }
        let len = word.len().max(candidate.len());
        let floor = usize::from(has_letter_twice(word, candidate) || has_letter_twice(candidate, word));
        let limit = (len / 3).min(MOST_SLIPS).max(floor).min(least);
        if limit == 0 || len > LONGEST || word.len().abs_diff(candidate.len()) > limit || word == candidate {
            continue;
        }
        // A slip makes at most two letters differ.
        if (own ^ letters(candidate)).count_ones() as usize > 2 * limit {
            continue;
        }
        let Some(distance) = distance(word.as_bytes(), candidate.as_bytes(), limit) else { continue };
        if distance < least {
            near.clear();
        }
        least = distance;
        if !near.contains(&candidate) {
            near.push(candidate);
        }
    }
    near
}

/// Whether a word may be [`closest`] to another by its length and letters alone: what few of many names are.
pub fn is_alike(word: &str, other: &str) -> bool {
    word.len().abs_diff(other.len()) <= MOST_SLIPS
        && (letters(word) ^ letters(other)).count_ones() as usize <= 2 * MOST_SLIPS
}

/// The set of a word's letters, some of them counted as the same.
fn letters(word: &str) -> u64 {
    word.bytes().fold(0, |set, byte| set | 1 << (byte % 64))
}

/// Whether one slip makes a word of four letters or more of the other: enough to correct a word that the language does not have.
/// What says how large or of which type something is must be the same: `fp4` is not a misspelt `fp8`, nor `bf8` a misspelt `bf16`. A part
/// of one or two letters must be the same too: `amdgpu_lo` may be `amdgpu_ls` or another convention.
pub fn is_one_slip(word: &str, near: &str) -> bool {
    let longest = word.len().max(near.len());
    (4..=LONGEST).contains(&longest)
        && names_same_sizes(word, near)
        && has_same_short_parts(word, near)
        && distance(word.as_bytes(), near.as_bytes(), 1).is_some()
}

/// Whether one slip makes a word of the other.
pub fn is_slip(word: &str, other: &str) -> bool {
    word != other
        && word.len().max(other.len()) <= LONGEST
        && word.len().abs_diff(other.len()) <= 1
        && distance(word.as_bytes(), other.as_bytes(), 1).is_some()
}

/// Whether two words have the same numbers after the same letters: those of `v_add_f32` are `f32`, of `v_add_bf16` `bf16`.
pub fn names_same_sizes(word: &str, near: &str) -> bool {
    sizes(word).eq(sizes(near))
}

/// Whether the parts of one or two letters are the same; a slip may also have joined or split parts.
fn has_same_short_parts(word: &str, near: &str) -> bool {
    const BETWEEN: [char; 2] = ['_', '.'];
    let is_same = |(own, other): (&str, &str)| own == other || own.len().max(other.len()) > 2;
    let (own, other) = (word.split(BETWEEN), near.split(BETWEEN));
    own.clone().count() != other.clone().count() || !near.contains(BETWEEN) || own.zip(other).all(is_same)
}

/// The numbers in a word, each with the letter before it, or both where there are two.
fn sizes(word: &str) -> impl Iterator<Item = &[u8]> {
    let is_number =
        |a: &u8, b: &u8| a.is_ascii_digit() == b.is_ascii_digit() || !a.is_ascii_digit() && *a != b'_';
    word.as_bytes().chunk_by(is_number).filter(|part| part.last().is_some_and(u8::is_ascii_digit)).map(
        |part| {
            let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            let letters =
                part.iter().rev().skip(digits).take_while(|byte| byte.is_ascii_alphabetic()).count();
            &part[part.len().saturating_sub(digits + if letters == 2 { 2 } else { 1 })..]
        },
    )
}

/// Whether a word is a shorter one with one of its letters typed twice, as `nn` for `n`.
fn has_letter_twice(word: &str, shorter: &str) -> bool {
    let (word, shorter) = (word.as_bytes(), shorter.as_bytes());
    let same = word.iter().zip(shorter).take_while(|(a, b)| a == b).count();
    let twice = same.checked_sub(1).and_then(|at| word.get(at)).filter(|letter| letter.is_ascii_alphabetic());
    twice.is_some() && word.get(same) == twice && word.get(same + 1..) == shorter.get(same..)
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

/// What names are written with.
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$-";

/// The one of many names that is closest to a word, one slip away at most; `known` finds a name. `None` as for [`closest_name`]. A word of
/// 20 letters asks for 2,700 names.
pub fn closest_known<'n>(word: &str, known: impl Fn(&str) -> Option<&'n str>) -> Option<&'n str> {
    let bytes = word.as_bytes();
    if bytes.len() > LONGEST {
        return None;
    }
    let (mut near, mut slip) = (Vec::new(), Vec::with_capacity(bytes.len() + 1));
    let mut look = |start: &[u8], letters: &[u8], rest: &[u8]| {
        slip.clear();
        [start, letters, rest].into_iter().for_each(|part| slip.extend_from_slice(part));
        near.extend(std::str::from_utf8(&slip).ok().and_then(&known));
    };
    for at in 0..=bytes.len() {
        let (start, rest) = bytes.split_at(at);
        LETTERS.iter().for_each(|letter| look(start, &[*letter], rest));
        let Some((first, rest)) = rest.split_first() else { continue };
        look(start, &[], rest);
        LETTERS.iter().for_each(|letter| look(start, &[*letter], rest));
        if let Some((second, rest)) = rest.split_first() {
            look(start, &[*second, *first], rest);
        }
    }
    closest_name(word, near)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{closest, closest_known, closest_name, differ_in_number, is_one_slip, nearest};

    #[test]
    fn names_that_differ_in_a_number_are_others() {
        assert_eq!(closest("v3half", ["v2half"]), Some("v2half"));
        assert_eq!(closest_name("v3half", ["v2half"]), None);
        assert_eq!(closest_name("v3hafl", ["v3half"]), Some("v3half"));
    }

    #[test]
    fn names_with_and_without_a_number() {
        for (a, b) in [("2", "x2"), ("x2", "2"), ("tmp", "tmp1"), ("tmp1", "tmp"), ("tmp12", "12")] {
            assert!(differ_in_number(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("2", "3"),
            ("x2", "y2"),
            ("2", "x3"),
            ("tmp1", "tmp2"),
            ("tmp", "tmp"),
            ("", "1"),
            ("2", "counter2"),
        ] {
            assert!(!differ_in_number(a, b), "{a} {b}");
        }
    }

    #[test]
    fn one_slip_in_a_long_word_is_certain() {
        let certain = ["stroe", "sore", "storre", "stare"].map(|word| is_one_slip(word, "store"));
        assert_eq!(certain, [true; 4]);
        assert_eq!([is_one_slip("ad", "add"), is_one_slip("stoer3", "store")], [false; 2]);
    }

    #[test]
    fn a_part_of_two_letters_is_not_certain() {
        assert!(!is_one_slip("amdgpu_lo", "amdgpu_ls"));
        assert!(!is_one_slip("v_cmp_lf_f32", "v_cmp_lt_f32"));
        assert!(is_one_slip("amdgp_ls", "amdgpu_ls"));
        assert!(is_one_slip("amdgpuls", "amdgpu_ls"));
    }

    #[test]
    fn a_number_or_the_letter_before_it_is_not_a_slip() {
        for (word, near) in [
            ("v_cvt_sr_fp4_f32", "v_cvt_sr_fp8_f32"),
            ("v_mfma_f32_32x32x8_bf8", "v_mfma_f32_32x32x8_bf16"),
            ("global_load_dwordx5", "global_load_dwordx4"),
            ("v_add_u32", "v_add_i32"),
            ("v_add_f3", "v_add_f32"),
            ("v_add_bf16", "v_add_f16"),
            ("float2", "float"),
        ] {
            assert!(!is_one_slip(word, near), "{word} {near}");
        }
        assert!(is_one_slip("v_ad_f32", "v_add_f32"));
        assert!(is_one_slip("gloabl_load_dwordx4", "global_load_dwordx4"));
    }

    #[test]
    fn all_that_are_equally_close() {
        let names = ["v_add_f16", "v_add_f32", "v_add_f64", "v_add_f64", "v_max_f16"];
        assert_eq!(nearest("v_add_f6", names), ["v_add_f16", "v_add_f64"]);
        assert_eq!(closest("v_add_f6", names), None);
    }

    #[test]
    fn one_slip_among_many_names() {
        let many: Vec<String> = (0..1000).map(|i| format!("function_{}", i * 7919)).collect();
        let names: HashSet<&str> = many.iter().map(String::as_str).chain(["item", "store"]).collect();
        let closest = |word| closest_known(word, |name| names.get(name).copied());
        for word in ["itme", "ite", "items", "iten"] {
            assert_eq!(closest(word), Some("item"), "{word}");
        }
        assert_eq!([closest("item"), closest("unrelated"), closest("")], [None; 3]);
    }

    #[test]
    fn slips_are_found_and_guesses_are_not_made() {
        assert_eq!(closest("itme", ["item", "base", "i"]), Some("item"));
        assert_eq!(closest("stroe", ["store", "load"]), Some("store"));
        assert_eq!(closest("nounwnd", ["nounwind", "nonnull"]), Some("nounwind"));
        assert_eq!(closest("x3", ["x1", "x2"]), None);
        assert_eq!(closest("arr4", ["arr1", "arr2"]), None);
        assert_eq!(closest("a", ["b"]), None);
        assert_eq!(closest("nn", ["n", "ab"]), Some("n"));
        assert_eq!(closest("n", ["nn", "ab"]), Some("nn"));
        assert_eq!(closest("x11", ["x1"]), Some("x1"));
        assert_eq!(closest("11", ["1"]), None);
    }
}
