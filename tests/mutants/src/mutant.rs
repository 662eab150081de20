//! What is drawn from: the mutants that cargo-mutants lists, and integers that are one more or less.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};
use wavelens_test_support::random::Random;

use crate::Outcome;
use crate::sites::{self, Shape};

/// One change of the source.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Mutant {
    pub(crate) package: String,
    pub(crate) file: String,
    /// Where and what, for people.
    pub(crate) name: String,
    /// As cargo-mutants names kinds of mutants; `Integer` for ours.
    pub(crate) genre: String,
    pub(crate) replacement: String,
    /// Where the change begins: line and column, counted from 1.
    pub(crate) start: (usize, usize),
}

#[derive(Deserialize)]
struct Listed {
    package: String,
    file: String,
    name: String,
    genre: String,
    replacement: String,
    span: Span,
}

#[derive(Deserialize)]
struct Span {
    start: Position,
}

#[derive(Deserialize)]
struct Position {
    line: usize,
    column: usize,
}

/// What [`list`] gives, from a file if no source has changed since it was written: listing takes half a minute.
pub(crate) fn list_once(root: &Path, packages: &[String], out: &Path) -> Outcome<Vec<Mutant>> {
    let mut sources = DefaultHasher::new();
    packages.hash(&mut sources);
    for file in ["analysis", "backend"].iter().flat_map(|folder| sources_in(&root.join(folder))) {
        std::fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?.hash(&mut sources);
    }
    let file = out.join(format!("mutants-{:016x}.json", sources.finish()));
    if let Some(mutants) = std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        return Ok(mutants);
    }
    let mutants = list(root, packages)?;
    let text = serde_json::to_vec(&mutants).map_err(|e| e.to_string())?;
    std::fs::create_dir_all(out)
        .and_then(|()| std::fs::write(&file, text))
        .map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(mutants)
}

/// The Rust files in a folder and those below it.
fn sources_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let files = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => sources_in(&path),
        false => vec![path],
    });
    files.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect()
}

/// Every mutant of some packages in a tree, in the order of the source. Tables that tools write are left out.
pub(crate) fn list(root: &Path, packages: &[String]) -> Outcome<Vec<Mutant>> {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(["mutants", "--list", "--json", "--no-config"]);
    packages.iter().for_each(|package| _ = command.args(["--package", package]));
    let output = command.output().map_err(|e| format!("cargo mutants: {e}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("cargo mutants (cargo install cargo-mutants): {message}"));
    }
    let listed: Vec<Listed> = serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())?;
    let mut mutants: Vec<Mutant> = listed.into_iter().map(Mutant::from).collect();
    mutants.retain(|mutant| !is_generated(&mutant.file));
    let files: BTreeSet<(String, String)> =
        mutants.iter().map(|mutant| (mutant.package.clone(), mutant.file.clone())).collect();
    for (package, file) in files {
        let text = std::fs::read_to_string(root.join(&file)).map_err(|e| format!("{file}: {e}"))?;
        mutants.extend(integers(&package, &file, &text)?);
    }
    mutants.sort_by(|a, b| (&a.file, a.start).cmp(&(&b.file, b.start)));
    Ok(mutants)
}

impl From<Listed> for Mutant {
    fn from(listed: Listed) -> Self {
        Mutant {
            package: listed.package,
            file: listed.file,
            name: listed.name,
            genre: listed.genre,
            replacement: listed.replacement,
            start: (listed.span.start.line, listed.span.start.column),
        }
    }
}

fn is_generated(file: &str) -> bool {
    file.ends_with("_data.rs") || file.ends_with("/generated.rs")
}

fn integers(package: &str, file: &str, text: &str) -> Outcome<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for site in sites::find(text).map_err(|e| format!("{file}: {e}"))? {
        let Shape::Integer { value, suffix } = &site.shape else { continue };
        for other in [value.checked_sub(1), value.checked_add(1)].into_iter().flatten() {
            let (line, column) = site.start;
            mutants.push(Mutant {
                package: package.to_owned(),
                file: file.to_owned(),
                name: format!("{file}:{line}:{column}: replace {value} with {other}"),
                genre: "Integer".to_owned(),
                replacement: format!("{other}{suffix}"),
                start: site.start,
            });
        }
    }
    Ok(mutants)
}

/// Some of the mutants, the same for the same seed.
pub(crate) fn draw(mut mutants: Vec<Mutant>, seed: u64, count: usize) -> Vec<Mutant> {
    let mut random = Random::new(seed);
    let count = count.min(mutants.len());
    for place in 0..count {
        let other = place + random.below(mutants.len() - place);
        mutants.swap(place, other);
    }
    mutants.truncate(count);
    mutants
}
