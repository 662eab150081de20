//! What a line is likely to start with: words that start the lines after similar ones.

/// Lines before and after the cursor that are looked at.
const LINES: usize = 2000;
/// More than a list shows at once is not ordered.
const WORDS: usize = 10;

/// The first words that follow the lines before the cursor elsewhere in a text, the most likely first.
#[derive(Debug, Default)]
pub(super) struct Followers<'t>(Vec<&'t str>);

impl<'t> Followers<'t> {
    /// `before` ends where a word starts; the rest of its line is in `after`.
    pub(super) fn new(before: &'t str, after: &'t str) -> Followers<'t> {
        let (lines, line) = before.rsplit_once('\n').unwrap_or(("", before));
        if !line.trim_start_matches([' ', '\t', '-']).is_empty() {
            return Followers::default();
        }
        // From the cursor upwards, and from it downwards.
        let above: Vec<&str> = lines.lines().rev().take(LINES).filter_map(first_word).collect();
        let below: Vec<&str> = after.lines().skip(1).take(LINES).filter_map(first_word).collect();
        let mut found = Followers::default();
        for length in [3, 2, 1] {
            let Some(context) = above.get(..length) else { continue };
            for at in 1..above.len() {
                if above.get(at..at + length) == Some(context) {
                    found.add(above[at - 1]);
                }
            }
            let reversed: Vec<&str> = context.iter().rev().copied().collect();
            for window in below.windows(length + 1) {
                if window.get(..length) == Some(&reversed[..]) {
                    found.add(window[length]);
                }
            }
        }
        found
    }

    fn add(&mut self, word: &'t str) {
        if self.0.len() < WORDS && !self.0.contains(&word) {
            self.0.push(word);
        }
    }

    /// How likely a word is: 0 for one that follows nowhere.
    pub(super) fn score(&self, word: &str) -> usize {
        self.0.iter().position(|other| *other == word).map_or(0, |at| WORDS - at)
    }
}

/// The word that starts a line, without the mark of a list and the colon of a key; `None` for comments and blank lines.
fn first_word(line: &str) -> Option<&str> {
    let word = line.trim_start_matches([' ', '\t', '-']).split([' ', '\t', ',', '(']).next()?;
    let word = word.strip_suffix(':').unwrap_or(word);
    word.starts_with(|c: char| c.is_alphabetic() || ".%@_".contains(c)).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_those_that_they_follow_elsewhere() {
        let before = "a x\nb y\nc z\n; comment\na x\nd y\na x\n  ";
        let followers = Followers::new(before, "\nb\ne\n");
        assert!(followers.score("d") > followers.score("b") && followers.score("b") > 0);
        assert_eq!(followers.score("e"), 0);
        assert_eq!(Followers::new("a\nb\na\n c ", "").score("b"), 0);
    }

    #[test]
    fn longer_contexts_come_first() {
        let followers = Followers::new("a\nb\nc\nx\nb\nd\na\nb\n", "");
        assert!(followers.score("c") > followers.score("d") && followers.score("d") > 0);
    }
}
