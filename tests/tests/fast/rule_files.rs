//! Whoever looks for a rule by its code finds its file.

use std::path::{Path, PathBuf};

use wavelens_tests::repository;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|ending| ending == "rs") => found.push(path),
            false => {}
        }
    }
}

/// The code that a line declares, in the card of a rule.
fn declared(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("code: \"")?.strip_suffix("\",")
}

/// The files of a dialect that declare rules, with the codes.
fn rules(dialect: &str) -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    sources(&repository().join("analysis").join(dialect).join("src"), &mut files);
    let of = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let codes: Vec<String> = text.lines().filter_map(declared).map(str::to_owned).collect();
        codes.into_iter().map(move |code| (code, path.clone()))
    };
    files.into_iter().flat_map(of).collect()
}

/// A card is in a folder `rules`, or in `lower/rules.rs` for what reading a text reports.
#[test]
fn rules_are_declared_among_the_rules() {
    for dialect in ["amdgpu", "llvm", "mir", "spirv"] {
        let rules = rules(dialect);
        assert!(rules.len() > 60, "{dialect}: {}", rules.len());
        for (code, path) in rules {
            let is_among = path.components().any(|part| part.as_os_str() == "rules");
            assert!(is_among || path.ends_with("lower/rules.rs"), "{code} is declared in {}", path.display());
        }
    }
}

/// A rule of assembly is in the file of its code; in `hazards/` without the word that all of them share.
#[test]
fn rules_of_assembly_are_in_the_file_of_their_code() {
    for (code, path) in rules("amdgpu") {
        let name = code.strip_prefix("hazard-").unwrap_or(&code).replace('-', "_");
        assert!(
            path.file_stem().is_some_and(|stem| stem == name.as_str()),
            "{code} is in {}",
            path.display()
        );
    }
}
