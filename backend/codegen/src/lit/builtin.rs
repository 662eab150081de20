//! Commands that are our own: small ones for files, `count`, `split-file`, and `sed` for plain text. None leaves the private folder.

use std::io::Write;
use std::path::Path;

use super::{Places, Test};

/// Names of the commands.
pub(super) const BUILTINS: &[&str] =
    &["cat", "count", "echo", "false", "mkdir", "rm", "sed", "split-file", "true"];

/// What a command wrote, and whether it succeeded.
pub(super) struct Done {
    pub(super) passed: bool,
    pub(super) output: Vec<u8>,
    pub(super) error: String,
}

impl Done {
    fn output(output: impl Into<Vec<u8>>) -> Done {
        Done { passed: true, output: output.into(), error: String::new() }
    }

    fn failed(error: impl Into<String>) -> Done {
        Done { passed: false, output: Vec::new(), error: error.into() }
    }
}

/// Runs a command whose arguments were checked and expanded.
pub(super) fn run(program: &str, arguments: &[String], input: &[u8], test: &Test, places: &Places) -> Done {
    let paths =
        || arguments.iter().filter(|word| !word.starts_with('-')).map(|word| places.folder.join(word));
    let outcome = match program {
        "true" => Ok(Vec::new()),
        "false" => return Done::failed(""),
        "echo" => Ok(echo(arguments)),
        "cat" if arguments.is_empty() => Ok(input.to_vec()),
        "cat" => paths().try_fold(Vec::new(), |mut all, path| {
            all.extend(read(&path)?);
            Ok(all)
        }),
        "count" => return count(arguments, input),
        "mkdir" => {
            paths().try_for_each(|path| failed(&path, std::fs::create_dir_all(&path))).map(|()| Vec::new())
        }
        "rm" => {
            paths().for_each(|path| remove(&path));
            Ok(Vec::new())
        }
        "sed" => Substitution::of(arguments).and_then(|found| {
            let text = match found.file {
                Some(file) => read(&places.folder.join(file))?,
                None => input.to_vec(),
            };
            Ok(found.apply(&String::from_utf8_lossy(&text)).into_bytes())
        }),
        _ => split_file(arguments, test, places).map(|()| Vec::new()),
    };
    match outcome {
        Ok(output) => Done::output(output),
        Err(error) => Done::failed(format!("{program}: {error}\n")),
    }
}

fn failed<T>(path: &Path, result: std::io::Result<T>) -> Result<T, String> {
    result.map_err(|error| format!("{}: {error}", path.display()))
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    failed(path, std::fs::read(path))
}

/// What is not there needs not be removed.
fn remove(path: &Path) {
    let _ = std::fs::remove_dir_all(path);
    let _ = std::fs::remove_file(path);
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
        true => Done::output(""),
        false => Done::failed(format!("Expected {expected} lines, got {lines}.\n")),
    }
}

/// Writes the parts of the test below a folder.
fn split_file(arguments: &[String], test: &Test, places: &Places) -> Result<(), String> {
    let mut words = arguments.iter().filter(|word| !word.starts_with('-'));
    let (Some(file), Some(folder)) = (words.next(), words.next()) else {
        return Err("expected a file and a folder".to_owned());
    };
    if Path::new(file) != places.test {
        return Err("only the test itself can be split".to_owned());
    }
    let folder = places.folder.join(folder);
    remove(&folder);
    failed(&folder, std::fs::create_dir_all(&folder))?;
    for (name, text) in &test.sections {
        let path = super::allow::plain(Path::new(name), &folder);
        if !path.starts_with(&folder) || path == folder {
            return Err(format!("the name of section `{name}` leads out of the folder"));
        }
        path.parent().map_or(Ok(()), |parent| failed(parent, std::fs::create_dir_all(parent)))?;
        let mut file = failed(&path, std::fs::File::create(&path))?;
        failed(&path, file.write_all(text.as_bytes()))?;
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
    let growth = found.changes.iter().map(|(_, to, _)| to.len().max(1));
    let longest = growth.fold(text.len(), |length, to| length.saturating_mul(to));
    match longest <= LONGEST || found.changes.len() == 1 && text.len() <= LONGEST / 64 {
        true => Ok(found.apply(text)),
        false => Err("`sed` may make the text too long".to_owned()),
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

    fn apply(&self, text: &str) -> String {
        let lines = text.split_inclusive('\n').map(|line| {
            self.changes.iter().fold(line.to_owned(), |line, (from, to, all)| match all {
                true => line.replace(from, to),
                false => line.replacen(from, to, 1),
            })
        });
        lines.collect()
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
