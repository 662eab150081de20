//! Tests outside the crates' own code belong to one of three programs; cargo ignores what is elsewhere.

use std::path::Path;

use wavelens_tests::repository;

/// Names of entries of a folder that end in `.rs` or are folders.
fn modules(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(".rs") || folder.join(name).is_dir()).collect()
}

#[test]
fn every_file_is_a_module_of_a_program() {
    let tests = repository().join("tests/tests");
    let mut programs = modules(&tests);
    programs.sort();
    assert_eq!(programs, ["exhaustive", "fast", "sessions"], "move a new test into one of the three folders");
    for program in programs {
        let main = std::fs::read_to_string(tests.join(&program).join("main.rs")).expect("a program");
        for name in modules(&tests.join(&program)).iter().filter(|name| *name != "main.rs") {
            let module = name.trim_end_matches(".rs");
            assert!(main.contains(&format!("mod {module};")), "{program}/main.rs lacks `mod {module};`");
        }
    }
}
