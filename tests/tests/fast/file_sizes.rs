//! A file is about one thing, and can be read in one sitting.

use std::path::Path;

use wavelens_tests::repository;

/// Lines of the longest source file; a little over 600, so that one more line somewhere does not make a split urgent.
const LONGEST: usize = 620;

/// Tables, whose rows are all alike.
const TABLES: [&str; 3] = [
    "analysis/llvm/src/tables/intrinsic_data.rs",
    "backend/isa/src/tables/generated.rs",
    "syntax/src/spirv/tables/generated.rs",
];

/// Calls `found` with the path of each source file below a folder, relative to the repository, and its lines.
fn each_source(folder: &Path, found: &mut dyn FnMut(&str, usize)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "target" && name != "node_modules" {
            each_source(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let lines = std::fs::read_to_string(&path).map_or(0, |text| text.lines().count());
            let relative = path.strip_prefix(repository()).unwrap_or(&path);
            found(&relative.to_string_lossy().replace('\\', "/"), lines);
        }
    }
}

#[test]
fn source_files_are_short() {
    let (mut files, mut long, mut tables) = (0, Vec::new(), 0);
    for folder in ["analysis", "backend", "editors", "server", "syntax", "tests"] {
        each_source(&repository().join(folder), &mut |path, lines| {
            files += 1;
            match TABLES.contains(&path) {
                true => tables += 1,
                false if lines > LONGEST => long.push(format!("{path}: {lines} lines")),
                false => {}
            }
        });
    }
    assert!(files > 1000, "{files}");
    assert_eq!(tables, TABLES.len());
    assert!(long.is_empty(), "split these by topic: {long:#?}");
}
