//! Differences of texts, line by line.

use std::time::Duration;

use similar::{ChangeTag, TextDiff};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Time after which the rest is only approximated, so that texts with nothing in common cost little.
const TIME: Duration = Duration::from_millis(500);

/// The hunks of a unified diff, and the numbers of lines added and removed.
pub(crate) fn unified(old: &[&str], new: &[&str]) -> (String, u32, u32) {
    let diff = TextDiff::configure().timeout(TIME).diff_slices(old, new);
    let (mut out, mut added, mut removed) = (String::new(), 0, 0);
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        out.push_str(&format!("{}\n", hunk.header()));
        for change in hunk.iter_changes() {
            let mark = match change.tag() {
                ChangeTag::Equal => ' ',
                ChangeTag::Delete => {
                    removed += 1;
                    '-'
                }
                ChangeTag::Insert => {
                    added += 1;
                    '+'
                }
            };
            out.push(mark);
            out.push_str(change.value());
            out.push('\n');
        }
    }
    (out, added, removed)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn hunks_hold_changes_with_their_surroundings() {
        let old: Vec<String> = (1..=20).map(|n| n.to_string()).collect();
        let mut new = old.clone();
        new[1] = "two".to_owned();
        new.remove(15);
        new.push("21".to_owned());
        let (old, new): (Vec<&str>, Vec<&str>) =
            (old.iter().map(String::as_str).collect(), new.iter().map(String::as_str).collect());
        let (diff, added, removed) = unified(&old, &new);
        assert_eq!((added, removed), (2, 2));
        expect![[r#"
            @@ -1,5 +1,5 @@
             1
            -2
            +two
             3
             4
             5
            @@ -13,8 +13,8 @@
             13
             14
             15
            -16
             17
             18
             19
             20
            +21
        "#]]
        .assert_eq(&diff);
    }

    #[test]
    fn equal_texts_have_no_hunks() {
        assert_eq!(unified(&["a"], &["a"]), (String::new(), 0, 0));
        assert_eq!(unified(&[], &["a"]).1, 1);
    }
}
