//! How the files in `tests/data/inputs` are written.

/// `== gfx90a` or `== vulkan1.3` begins an input, `== -` one for what it says itself; a place follows where answers depend on it.
pub const INPUT: &str = "== ";
/// At the end of that line: what follows are changes of the last input without it. `3-5` replaces the lines from 3 to before 5 by those
/// after it that begin with `| `.
const VARIANT: &str = " but";
/// Between a text and what is recorded about it.
pub const FOUND: &str = "==> found\n";

/// An input with what is recorded about it.
pub struct Input<'f> {
    pub head: &'f str,
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
        let (written, recorded) = rest.split_once(FOUND).unwrap_or((rest, ""));
        let text = match head.ends_with(VARIANT) {
            true => changed(last, written),
            false => written.to_owned(),
        };
        if !head.ends_with(VARIANT) {
            last = written;
        }
        inputs.push(Input { head, written, text, recorded });
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
