//! Commands that are our own: small ones for files, `count`, `split-file`, and `sed` for plain text. None leaves the private folder.

use std::path::{Component, Path};

use wavelens_base::lit::sed::Substitution;

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
    program: &str,
    arguments: &[String],
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
        "sed" => {
            Substitution::of(arguments.iter().map(String::as_str)).map_err(Problem::from).and_then(|found| {
                let text = match found.file {
                    Some(file) => places.read(file, bounds.bytes)?,
                    None => input.to_vec(),
                };
                let text = String::from_utf8_lossy(&text);
                let edited = found.apply(&text, bounds.bytes, bounds.is_over);
                edited.map(String::into_bytes).ok_or(Problem::TooMuch)
            })
        }
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
