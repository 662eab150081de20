//! Commands that are our own: small ones for files, `count`, `split-file`, and `sed` for plain text. None leaves the private folder.

use std::path::{Component, Path};

use super::places::{Places, Problem};
use super::{Ended, Test};

/// Names of the commands.
pub(super) const BUILTINS: &[&str] =
    &["cat", "count", "echo", "false", "mkdir", "rm", "sed", "split-file", "true"];

/// What a command wrote, and how it ended.
pub(super) struct Done {
    pub(super) ended: Ended,
    pub(super) output: Vec<u8>,
    pub(super) error: String,
}

impl Done {
    fn output(output: Vec<u8>) -> Done {
        Done { ended: Ended::Status(0), output, error: String::new() }
    }

    fn failed(error: impl Into<String>) -> Done {
        Done { ended: Ended::Status(1), output: Vec::new(), error: error.into() }
    }
}

/// What commands may use, and whether they should go on.
pub(super) struct Bounds<'b> {
    /// Bytes that are read or written.
    pub(super) bytes: usize,
    /// Asked often.
    pub(super) is_over: &'b dyn Fn() -> bool,
}

/// Runs a command whose arguments were checked and expanded. Paths are resolved here once more.
pub(super) fn run(
    (program, arguments): (&str, &[String]),
    input: &[u8],
    test: &Test,
    places: &Places,
    bounds: &Bounds<'_>,
) -> Done {
    let mut paths = arguments.iter().filter(|word| !word.starts_with('-'));
    let outcome = match program {
        "true" => Ok(Vec::new()),
        "false" => return Done::failed(""),
        "echo" => within(echo(arguments), bounds),
        "cat" if arguments.is_empty() => within(input.to_vec(), bounds),
        "cat" => paths.try_fold(Vec::new(), |mut all, path| {
            all.extend(places.read(path, bounds.bytes.saturating_sub(all.len()))?);
            Ok(all)
        }),
        "count" => return count(arguments, input),
        "mkdir" => {
            paths.try_for_each(|path| places.make_folder(path)).map(|()| Vec::new()).map_err(Problem::from)
        }
        "rm" => paths.try_for_each(|path| places.remove(path)).map(|()| Vec::new()).map_err(Problem::from),
        "sed" => Substitution::of(arguments).map_err(Problem::from).and_then(|found| {
            let text = match found.file {
                Some(file) => places.read(file, bounds.bytes)?,
                None => input.to_vec(),
            };
            found.apply(&String::from_utf8_lossy(&text), bounds)
        }),
        _ => split_file(arguments, test, places, bounds).map(|()| Vec::new()),
    };
    match outcome {
        Ok(output) => Done::output(output),
        Err(Problem::Failed(error)) => Done::failed(format!("{program}: {error}\n")),
        Err(Problem::TooMuch) => {
            Done { ended: Ended::TooMuchOutput, output: Vec::new(), error: String::new() }
        }
    }
}

fn within(output: Vec<u8>, bounds: &Bounds<'_>) -> Result<Vec<u8>, Problem> {
    if output.len() > bounds.bytes { Err(Problem::TooMuch) } else { Ok(output) }
}

fn echo(words: &[String]) -> Vec<u8> {
    let (words, end) = match words.split_first() {
        Some((first, rest)) if first == "-n" => (rest, ""),
        _ => (words, "\n"),
    };
    (words.join(" ") + end).into_bytes()
}

fn count(arguments: &[String], input: &[u8]) -> Done {
    let Some(expected) = arguments.first().and_then(|n| n.parse::<usize>().ok()) else {
        return Done::failed("usage: count <expected line count>\n");
    };
    let lines = input.split_inclusive(|byte| *byte == b'\n').count();
    match lines == expected {
        true => Done::output(Vec::new()),
        false => Done::failed(format!("Expected {expected} lines, got {lines}.\n")),
    }
}

/// Writes the parts of the test below a folder.
fn split_file(
    arguments: &[String],
    test: &Test,
    places: &Places,
    bounds: &Bounds<'_>,
) -> Result<(), Problem> {
    let mut words = arguments.iter().filter(|word| !word.starts_with('-'));
    let (Some(file), Some(folder)) = (words.next(), words.next()) else {
        return Err("expected a file and a folder".to_owned().into());
    };
    if Path::new(file) != places.test {
        return Err("only the test itself can be split".to_owned().into());
    }
    if test.sections.iter().map(|(_, text)| text.len()).sum::<usize>() > bounds.bytes {
        return Err(Problem::TooMuch);
    }
    places.remove(folder)?;
    places.make_folder(folder)?;
    for (name, text) in &test.sections {
        let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if name.is_empty() || !Path::new(name).components().all(is_plain) {
            return Err(format!("the name of section `{name}` leads out of the folder").into());
        }
        let path = format!("{folder}/{name}");
        let parent = Path::new(&path).parent().map(|parent| parent.to_string_lossy().into_owned());
        parent.map_or(Ok(()), |parent| places.make_folder(&parent))?;
        places.write(&path, false, text.as_bytes())?;
    }
    Ok(())
}

/// `sed s/this/that/g`, where `this` is plain text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Substitution<'a> {
    changes: Vec<(&'a str, &'a str, bool)>,
    pub(super) file: Option<&'a str>,
}

/// Bytes that a text may have after a substitution.
const LONGEST: usize = 64 << 20;

/// A text as `sed` with these arguments writes it.
///
/// # Errors
/// One sentence: only plain `s/this/that/g` is known, and a text that gets too long is given up.
pub fn substituted(arguments: &[String], text: &str) -> Result<String, String> {
    let found = Substitution::of(arguments)?;
    match found.apply(text, &Bounds { bytes: LONGEST, is_over: &|| false }) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(Problem::TooMuch) => Err("`sed` may make the text too long".to_owned()),
        Err(Problem::Failed(why)) => Err(why),
    }
}

impl<'a> Substitution<'a> {
    pub(super) fn of(arguments: &'a [String]) -> Result<Self, String> {
        let mut found = Substitution { changes: Vec::new(), file: None };
        let mut words = arguments.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let script = match word {
                "-e" => words.next().ok_or("expected an expression after `-e`")?,
                _ if word.starts_with('-') => return Err(format!("`sed {word}` is not supported")),
                _ if found.changes.is_empty() => word,
                _ => {
                    found.file = Some(word);
                    continue;
                }
            };
            found.changes.push(
                change(script)
                    .ok_or_else(|| format!("only plain `s/this/that/g` is supported, not `{script}`"))?,
            );
        }
        match found.changes.is_empty() {
            true => Err("expected an expression for `sed`".to_owned()),
            false => Ok(found),
        }
    }

    fn apply(&self, text: &str, bounds: &Bounds<'_>) -> Result<Vec<u8>, Problem> {
        let mut out = Vec::new();
        for line in text.split_inclusive('\n') {
            let mut line = line.to_owned();
            for (from, to, all) in &self.changes {
                // Before it is done: one step can make a line thousands of times as long.
                let times = if *all { line.matches(from).count() } else { 1 };
                let longest = times.saturating_mul(to.len()).saturating_add(line.len());
                if longest > bounds.bytes || (bounds.is_over)() {
                    return Err(Problem::TooMuch);
                }
                line = if *all { line.replace(from, to) } else { line.replacen(from, to, 1) };
            }
            out.extend_from_slice(line.as_bytes());
            if out.len() > bounds.bytes {
                return Err(Problem::TooMuch);
            }
        }
        Ok(out)
    }
}

fn change(script: &str) -> Option<(&str, &str, bool)> {
    let rest = script.strip_prefix('s')?;
    let separator = rest.chars().next().filter(char::is_ascii_punctuation)?;
    let mut parts = rest.get(1..)?.split(separator);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let is_plain = !from.is_empty()
        && !from.contains(['.', '*', '[', ']', '^', '$', '\\', '+', '?', '('])
        && !to.contains(['\\', '&', '\n']);
    let all = match flags {
        "g" => true,
        "" => false,
        _ => return None,
    };
    (is_plain && parts.next().is_none()).then_some((from, to, all))
}
