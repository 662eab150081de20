//! No expected value is a digest: nobody can read what changed when it does.

use std::path::{Path, PathBuf};

use wavelens_test_support::texts::inputs::inputs;
use wavelens_test_support::texts::{DIALECTS, path};
use wavelens_tests::repository;

/// Text files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// A line that ends in 8 to 64 hexadecimal digits, some of them letters and some not, after a word or a count; encodings have their text
/// after the digits.
fn ends_in_digest(line: &str) -> bool {
    let Some((before, last)) = line.rsplit_once(' ') else { return false };
    let is_hex = |c: char| c.is_ascii_digit() || matches!(c, 'a'..='f');
    let is_digest = matches!(last.len(), 8 | 16 | 32 | 40 | 64)
        && last.chars().all(is_hex)
        && last.contains(|c: char| c.is_ascii_digit())
        && last.contains(|c: char| c.is_ascii_alphabetic());
    is_digest && before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, ':' | ';'))
}

#[test]
fn a_digest_at_the_end_of_a_line_is_found() {
    assert!(ends_in_digest("syntax-error 3: 3:1 syntax-error 0699ca9e"));
    assert!(ends_in_digest("0 56fc31a0"));
    assert!(!ends_in_digest("0x1: 03b3047e v_permlane16_swap_b32_e32 v2, v3"));
    assert!(!ends_in_digest("  waves of workgroups 2366"));
}

#[test]
fn no_record_has_digests() {
    let mut found = Vec::new();
    for folder in ["tests/data/recorded", "tests/data/families"] {
        files(&repository().join(folder), &mut found);
    }
    assert!(!found.is_empty());
    for path in found {
        let text = std::fs::read_to_string(&path).expect("a record is text");
        let digest = text.lines().find(|line| ends_in_digest(line));
        assert_eq!(
            digest,
            None,
            "{}: record what a digest is made of, or compare with `cargo xtask diff`",
            path.display()
        );
    }
}

#[test]
fn no_input_has_digests() {
    for (name, _) in DIALECTS {
        let path = path(&format!("inputs/{name}.txt"));
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        for (number, input) in inputs(&text).iter().enumerate() {
            let digest = input.recorded.lines().find(|line| ends_in_digest(line));
            assert_eq!(digest, None, "input {number} of {}", path.display());
        }
    }
}

#[test]
fn no_test_computes_digests() {
    let mut found = Vec::new();
    for folder in ["syntax", "backend", "analysis", "server", "tests/src", "tests/support", "tests/tests"] {
        files(&repository().join(folder), &mut found);
    }
    for path in found.iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(path).expect("a source file is text");
        let hash = ["Sha", "256"].concat();
        assert!(!text.contains(&hash), "{}: a test must not compare hashes of what it found", path.display());
    }
}
