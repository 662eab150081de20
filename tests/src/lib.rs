//! Helpers for whole-program tests.

pub mod answers;
pub mod client;
pub mod completion;
pub mod edits;
pub mod failing;
pub mod fuzzing;
pub mod inputs;
pub mod isa;
pub mod isa_samples;
pub mod isa_text;
pub mod properties;
pub mod recording;
pub mod soak;

use std::path::{Path, PathBuf};

use wavelens_base::Dialect;
pub use wavelens_test_support::{macros, random, reference, required};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The `wavelens` program that cargo built together with the tests.
pub fn server() -> PathBuf {
    let mut path = std::env::current_exe().unwrap_or_default();
    path.pop();
    path.pop();
    path.join("wavelens")
}

/// The texts of the examples in a dialect.
pub fn examples(dialect: Dialect) -> Vec<String> {
    let folder = repository().join("examples");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())).collect())
        .unwrap_or_default();
    paths.sort();
    paths
        .iter()
        .filter(|p| {
            p.file_name().is_some_and(|n| Dialect::from_file_name(&n.to_string_lossy()) == Some(dialect))
        })
        .filter_map(|p| std::fs::read_to_string(p).ok())
        .collect()
}

/// Adds the files of a dialect in a folder and those below it that have fewer bytes.
pub fn gather(folder: &Path, dialect: Dialect, largest: u64, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            gather(&path, dialect, largest, files);
        } else if Dialect::from_file_name(&name.to_string_lossy()) == Some(dialect)
            && entry.metadata().is_ok_and(|m| m.len() < largest)
        {
            files.push(path);
        }
    }
}
