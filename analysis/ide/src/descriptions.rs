//! What words of a language mean, read from text files.
//!
//! A line is `Name Name: text`. A `*` in a name matches any characters, and `{}` in the text is what it matched, as separate words; the
//! longest such line wins, and a name without `*` wins over all. `[Section]` begins a group of names, `#` a comment.

use rustc_hash::FxHashMap;

/// The descriptions in one file.
#[derive(Debug)]
pub(crate) struct Descriptions {
    /// By section and name.
    exact: FxHashMap<(&'static str, &'static str), &'static str>,
    patterns: Vec<Pattern>,
}

/// A name with a `*` in it.
#[derive(Debug)]
struct Pattern {
    section: &'static str,
    before: &'static str,
    after: &'static str,
    text: &'static str,
}

impl Descriptions {
    pub(crate) fn read(file: &'static str) -> Self {
        let mut all = Descriptions { exact: FxHashMap::default(), patterns: Vec::new() };
        let mut section = "";
        for line in file.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name;
                continue;
            }
            let Some((names, text)) = line.split_once(": ") else { continue };
            for name in names.split(' ') {
                match name.split_once('*') {
                    Some((before, after)) => all.patterns.push(Pattern { section, before, after, text }),
                    None => {
                        all.exact.insert((section, name), text);
                    }
                }
            }
        }
        all.patterns.sort_by_key(|p| std::cmp::Reverse(p.before.len() + p.after.len()));
        all
    }

    /// The description of a name in a section; sections are `""` in files without them.
    pub(crate) fn find(&self, section: &str, name: &str) -> Option<String> {
        if let Some(text) = self.exact.get(&(section, name)) {
            return Some((*text).to_owned());
        }
        self.patterns.iter().filter(|p| p.section == section).find_map(|p| {
            let matched = name.strip_prefix(p.before)?.strip_suffix(p.after)?;
            let text = p.text.replace("{}", &words(matched));
            let mut letters = text.chars();
            let first = letters.next()?;
            Some(first.to_uppercase().chain(letters).collect())
        })
    }

    /// The names in a section that are written in full, in no order.
    pub(crate) fn names(&self, section: &'static str) -> impl Iterator<Item = &'static str> {
        self.exact.keys().filter(move |(own, _)| *own == section).map(|(_, name)| *name)
    }

    /// Names of which nothing in `known` is one: for tests.
    #[cfg(test)]
    pub(crate) fn unused(&self, known: &[(&str, &str)]) -> Vec<String> {
        let exact = self.exact.keys().filter(|key| !known.contains(key)).map(|(s, n)| format!("{s} {n}"));
        let matches = |p: &Pattern, section: &str, name: &str| {
            p.section == section
                && name.strip_prefix(p.before).is_some_and(|rest| rest.strip_suffix(p.after).is_some())
        };
        let unmatched = self.patterns.iter().filter(|p| !known.iter().any(|(s, n)| matches(p, s, n)));
        exact.chain(unmatched.map(|p| format!("{} {}*{}", p.section, p.before, p.after))).collect()
    }
}

/// `InterShapePenalty` is `inter shape penalty`, `LSSRadii` is `LSS radii`, `wave.reduce` is `wave reduce`.
fn words(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let at = |i: usize| letters.get(i).copied().unwrap_or('_');
    let mut text = String::new();
    for (i, c) in letters.iter().enumerate() {
        let before = i.checked_sub(1).map_or('_', at);
        let is_start = c.is_uppercase()
            && (before.is_lowercase() || before.is_ascii_digit() || at(i + 1).is_lowercase());
        if is_start && i > 0 {
            text.push(' ');
        }
        match c {
            '.' | '_' => text.push(' '),
            c if c.is_uppercase() && at(i + 1).is_lowercase() => text.extend(c.to_lowercase()),
            c => text.push(*c),
        }
    }
    text.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_in_words() {
        let split = ["InterShapePenalty", "LSSRadii", "wave.reduce", "Int64", "GTINTEL", "16x16x4f16"];
        let shown: Vec<String> = split.iter().map(|name| words(name)).collect();
        assert_eq!(
            shown,
            ["inter shape penalty", "LSS radii", "wave reduce", "int64", "GTINTEL", "16x16x4f16"]
        );
    }

    #[test]
    fn the_longest_pattern_wins_and_an_exact_name_over_all() {
        let all = Descriptions::read("# c\nA*: {} of a\nAb*: {} of ab\nAbc: exact\n[S]\nAbc: other\n");
        let found = |name| all.find("", name).unwrap_or_default();
        assert_eq!(["Abc", "AbX", "AX", "B"].map(found), ["exact", "X of ab", "X of a", ""]);
        assert_eq!(all.find("S", "Abc").as_deref(), Some("other"));
    }
}
