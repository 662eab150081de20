//! How the files in `tests/data/inputs` are written.

use std::collections::{BTreeSet, HashMap};

/// `== gfx90a` or `== vulkan1.3` begins an input, `== -` one for what it says itself; a place follows where answers depend on it.
pub const INPUT: &str = "== ";
/// Then: what follows are changes of the last input without it. `3-5` replaces the lines from 3 to before 5 by those after it that begin
/// with `| `.
const VARIANT: &str = " but";
/// At the end of that line: what the input holds, see [`Names`].
pub const NAME: &str = ": ";
/// Between a text and what is recorded about it.
pub const FOUND: &str = "==> found\n";

/// An input with what is recorded about it.
pub struct Input<'f> {
    pub head: &'f str,
    /// What it holds; nothing for a new one.
    pub name: &'f str,
    /// As in the file.
    pub written: &'f str,
    pub text: String,
    pub recorded: &'f str,
}

impl Input<'_> {
    /// The processor or environment of the head.
    pub fn machine(&self) -> Option<&str> {
        self.head.split(' ').next().filter(|name| *name != "-")
    }

    /// The place in the head.
    pub fn offset(&self) -> Option<u32> {
        self.head.split(' ').nth(1).and_then(|offset| offset.parse().ok())
    }
}

/// The inputs of a file's text.
pub fn inputs(file: &str) -> Vec<Input<'_>> {
    let starts = file.match_indices(INPUT).map(|(at, _)| at);
    let starts: Vec<usize> = starts.filter(|at| *at == 0 || file[..*at].ends_with('\n')).collect();
    let ends = starts.iter().skip(1).copied().chain([file.len()]);
    let (mut inputs, mut last) = (Vec::new(), "");
    for (start, end) in starts.iter().copied().zip(ends) {
        let (head, rest) = file[start + INPUT.len()..end].split_once('\n').expect("a head");
        let (head, name) = head.split_once(NAME).unwrap_or((head, ""));
        let (written, recorded) = rest.split_once(FOUND).unwrap_or((rest, ""));
        let text = match head.ends_with(VARIANT) {
            true => changed(last, written),
            false => written.to_owned(),
        };
        if !head.ends_with(VARIANT) {
            last = written;
        }
        inputs.push(Input { head, name, written, text, recorded });
    }
    inputs
}

/// A text after changes of its lines.
fn changed(text: &str, changes: &str) -> String {
    let old: Vec<&str> = text.split_inclusive('\n').collect();
    let (mut out, mut copied) = (String::new(), 0);
    for line in changes.split_inclusive('\n') {
        if let Some(new) = line.strip_prefix("| ") {
            out += new;
        } else if let Some((from, to)) = line.trim_end().split_once('-') {
            let number = |text: &str| text.parse::<usize>().expect("the number of a line");
            out.extend(old[copied..number(from) - 1].iter().copied());
            copied = number(to) - 1;
        }
    }
    out.extend(old[copied..].iter().copied());
    out
}

/// Codes in a name, at most.
const CODES: usize = 4;

/// Says what inputs hold: the codes that are found, the word that answers are about, or else the word that the fewest inputs of the file have, which
/// is what took the input to a path of its own.
pub struct Names(HashMap<String, usize>);

fn words(text: &str) -> BTreeSet<&str> {
    let is_part =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '%' | '@' | '!' | '-' | ':');
    text.split(|c| !is_part(c)).filter(|word| word.bytes().any(|b| b.is_ascii_alphabetic())).collect()
}

impl Names {
    pub fn new(inputs: &[Input<'_>]) -> Names {
        let mut counts = HashMap::new();
        for word in inputs.iter().flat_map(|input| words(&input.text)) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
        Names(counts)
    }

    /// The name of an input of which `found` is recorded.
    pub fn of(&self, input: &Input<'_>, found: &str) -> String {
        let code = |line: &str| Some(line.split_once('[')?.1.split_once("]: ")?.0.to_owned());
        let mut codes: Vec<String> = Vec::new();
        for code in found.lines().filter(|line| !line.starts_with([' ', '0'])).filter_map(code) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        if codes.len() > CODES {
            let others = codes.len() - CODES;
            codes.truncate(CODES);
            codes.push(format!("{others} more"));
        }
        match codes.is_empty() {
            true => format!("accepted, with `{}`", self.rarest(&input.text)),
            false => codes.join(", "),
        }
    }

    fn rarest<'t>(&self, text: &'t str) -> &'t str {
        let words = words(text).into_iter();
        words.min_by_key(|word| (self.0.get(*word), word.len())).unwrap_or("no word")
    }
}

/// The name of an input about whose place answers are asked.
pub fn place_name(input: &Input<'_>) -> String {
    let at = input.offset().unwrap_or(0) as usize;
    let is_part = |c: char| !c.is_whitespace() && !matches!(c, ',' | '(' | ')' | '`');
    let (before, after) = input.text.split_at_checked(at).unwrap_or((&input.text, ""));
    let start = before.trim_end_matches(is_part).len();
    let end = at.min(input.text.len()) + (after.len() - after.trim_start_matches(is_part).len());
    match input.text.get(start..end).unwrap_or("").trim() {
        "" => "answers between words".to_owned(),
        word => format!("answers at `{word}`"),
    }
}
