//! Helpers for whole-program tests.

pub mod client;
pub mod completion;
pub mod fuzzing;
pub mod isa;
pub mod properties;
pub mod soak;

use wavelens_semantics::Dialect;
pub use wavelens_test_support::{macros, random, required};

/// The texts of the examples in a dialect.
pub fn examples(dialect: Dialect) -> Vec<String> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
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
