//! Differences of texts, line by line (source: Myers, "An O(ND) Difference Algorithm and Its Variations", 1986).

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Steps after which the rest counts as replaced, so that texts with nothing in common cost little.
const STEPS: usize = 1500;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Keep,
    Remove,
    Add,
}

/// The hunks of a unified diff, and the numbers of lines added and removed.
pub(crate) fn unified(old: &[&str], new: &[&str]) -> (String, u32, u32) {
    let steps = steps(old, new);
    let count = |wanted: Step| steps.iter().filter(|s| **s == wanted).count() as u32;
    let (mut out, mut at) = (String::new(), 0);
    let (mut old_line, mut new_line) = (0, 0);
    let changed: Vec<usize> = (0..steps.len()).filter(|i| steps[*i] != Step::Keep).collect();
    let mut groups: Vec<(usize, usize)> = Vec::new();
    for index in changed {
        match groups.last_mut() {
            Some((_, end)) if index <= *end + 2 * CONTEXT => *end = index + 1,
            _ => groups.push((index, index + 1)),
        }
    }
    for (start, end) in groups {
        let (start, end) = (start.saturating_sub(CONTEXT), (end + CONTEXT).min(steps.len()));
        // Between hunks everything is kept.
        old_line += start - at;
        new_line += start - at;
        let hunk = &steps[start..end];
        let olds = hunk.iter().filter(|s| **s != Step::Add).count();
        let news = hunk.iter().filter(|s| **s != Step::Remove).count();
        let first = |line: usize, count: usize| if count == 0 { line } else { line + 1 };
        out.push_str(&format!("@@ -{},{olds} +{},{news} @@\n", first(old_line, olds), first(new_line, news)));
        for step in hunk {
            let (mark, line) = match step {
                Step::Keep => (' ', old.get(old_line)),
                Step::Remove => ('-', old.get(old_line)),
                Step::Add => ('+', new.get(new_line)),
            };
            out.push(mark);
            out.push_str(line.unwrap_or(&""));
            out.push('\n');
            old_line += usize::from(*step != Step::Add);
            new_line += usize::from(*step != Step::Remove);
        }
        at = end;
    }
    (out, count(Step::Add), count(Step::Remove))
}

/// A shortest way from one text to the other.
fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[front..], &new[front..]);
    let back = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - back], &new[..new.len() - back]);
    let mut steps = vec![Step::Keep; front];
    steps.extend(middle(old, new));
    steps.extend(std::iter::repeat_n(Step::Keep, back));
    steps
}

fn middle(old: &[&str], new: &[&str]) -> Vec<Step> {
    let (n, m) = (old.len() as isize, new.len() as isize);
    let most = ((n + m) as usize).min(STEPS) as isize;
    let slot = |k: isize| (k + most + 1) as usize;
    // Furthest old line reached on each diagonal, after each number of changes.
    let mut reach = vec![0isize; 2 * most as usize + 3];
    let mut trace: Vec<Vec<isize>> = Vec::new();
    for d in 0..=most {
        // Only the diagonals that this round reads.
        trace.push(reach[slot(-d - 1)..=slot(d + 1)].to_vec());
        let mut k = -d;
        while k <= d {
            let down = k == -d || (k != d && reach[slot(k - 1)] < reach[slot(k + 1)]);
            let mut x = if down { reach[slot(k + 1)] } else { reach[slot(k - 1)] + 1 };
            while x < n && x - k < m && x - k >= 0 && old[x as usize] == new[(x - k) as usize] {
                x += 1;
            }
            reach[slot(k)] = x;
            if x >= n && x - k >= m {
                return backtrack(&trace, n, m);
            }
            k += 2;
        }
    }
    let mut steps = vec![Step::Remove; old.len()];
    steps.extend(std::iter::repeat_n(Step::Add, new.len()));
    steps
}

fn backtrack(trace: &[Vec<isize>], n: isize, m: isize) -> Vec<Step> {
    let (mut x, mut y) = (n, m);
    let mut steps = Vec::new();
    for (d, reach) in trace.iter().enumerate().rev() {
        let d = d as isize;
        let at = |k: isize| reach[(k + d + 1) as usize];
        let k = x - y;
        let down = k == -d || (k != d && at(k - 1) < at(k + 1));
        let from_k = if down { k + 1 } else { k - 1 };
        let (from_x, from_y) = if d == 0 { (0, 0) } else { (at(from_k), at(from_k) - from_k) };
        while x > from_x && y > from_y {
            steps.push(Step::Keep);
            (x, y) = (x - 1, y - 1);
        }
        if d > 0 {
            steps.push(if down { Step::Add } else { Step::Remove });
            (x, y) = (from_x, from_y);
        }
    }
    steps.reverse();
    steps
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
    fn every_pair_of_short_texts_comes_out() {
        let words = ["a", "b"];
        let texts: Vec<Vec<&str>> = (0..6u32)
            .flat_map(|len| (0..1u32 << len).map(move |bits| (len, bits)))
            .map(|(len, bits)| (0..len).map(|i| words[(bits >> i & 1) as usize]).collect())
            .collect();
        for old in &texts {
            for new in &texts {
                let (mut from_old, mut from_new): (Vec<&&str>, Vec<&&str>) = Default::default();
                let (mut o, mut n) = (old.iter(), new.iter());
                for step in steps(old, new) {
                    if step != Step::Add {
                        from_old.extend(o.next());
                    }
                    if step != Step::Remove {
                        from_new.extend(n.next());
                    }
                    if step == Step::Keep {
                        assert_eq!(from_old.last(), from_new.last());
                    }
                }
                assert!(from_old.into_iter().eq(old) && from_new.into_iter().eq(new));
            }
        }
    }
}
