//! Queries are pure: nothing that they read or return can change while it is held.
//!
//! The database holds only values that threads can share (`Sync`), so the compiler rejects `Cell`, `RefCell` and `OnceCell` in them. What it
//! does not reject are locks, atomics and lazy values for several threads: none is in the crates whose values the database holds, but for
//! the tables of the program itself.

use std::path::{Path, PathBuf};

use wavelens_tests::repository;

/// What changes behind a shared reference that threads can hold.
const WORDS: [&str; 10] = [
    "Mutex<",
    "RwLock<",
    "OnceLock<",
    "LazyLock<",
    "Condvar",
    "AtomicU32",
    "AtomicU64",
    "AtomicUsize",
    "AtomicBool",
    "thread_local!",
];

/// Ends of paths of files that may name one outside of a `static`, and why.
const ALLOWED: [(&str, &str); 2] = [
    ("isa/src/mir/table.rs", "facts of the tables that are part of the program"),
    ("ide/src/amdgpu/completion_order.rs", "the type of a static: the mnemonics of each processor, in order"),
];

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

/// The lines of a text that name something mutable, without tests, comments, imports and statics.
fn mutable_lines(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    let mut is_static = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.trim_start();
        let starts_static = code.split_whitespace().take(2).any(|word| word == "static");
        is_static = starts_static || is_static;
        let is_code = !code.starts_with("//") && !code.starts_with("use ") && !is_static;
        if is_code && WORDS.iter().any(|word| code.contains(word)) {
            found.push(line);
        }
        is_static &= !code.ends_with(';') && !code.ends_with('{');
    }
    found
}

#[test]
fn nothing_that_queries_hold_changes() {
    let mut files = Vec::new();
    for folder in ["analysis", "syntax/src", "backend/isa/src"] {
        sources(&repository().join(folder), &mut files);
    }
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for path in files {
        let shown = path.to_string_lossy().replace('\\', "/");
        if shown.ends_with("tests.rs") || ALLOWED.iter().any(|(end, _)| shown.ends_with(end)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source file");
        found.extend(mutable_lines(&text).into_iter().map(|line| format!("{shown}: {}", line.trim())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn locks_in_fields_are_seen_and_those_in_statics_are_not() {
    let text = "use std::sync::Mutex;\nstatic A: Mutex<u32> = Mutex::new(0);\npub static B: [LazyLock<u32>; 1] =\n    [const { OnceLock<u32> }];\n\
                struct S {\n    // Mutex<u32>\n    last: Mutex<u32>,\n}\n#[cfg(test)]\nmod tests { type T = Mutex<u32>; }\n";
    assert_eq!(mutable_lines(text), ["    last: Mutex<u32>,"]);
}
