//! Queries are pure: nothing that they read or return can change while it is held.
//!
//! The database holds only values that threads can share (`Sync`), so the compiler rejects `Cell`, `RefCell` and `OnceCell` in them. What it
//! does not reject are locks, atomics and lazy values for several threads: none is in the crates whose values the database holds, but for
//! the tables of the program itself.

use std::path::{Path, PathBuf};

use expect_test::expect;
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

/// The files of the crates whose values the database holds.
fn held_sources() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["analysis", "syntax/src", "backend/isa/src"] {
        sources(&repository().join(folder), &mut files);
    }
    files.sort();
    files
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a source file")
}

/// What the database holds: the fields of inputs, and what each query returns.
fn held_types(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("#[salsa::") else { continue };
        let kind = kind.split(['(', ']']).next().unwrap_or_default();
        match kind {
            "tracked" | "interned" => {
                let head = lines.by_ref().find(|line| line.contains("fn ") || line.contains("struct "));
                let head = head.unwrap_or_default().trim_end_matches(" {");
                let name = head.split("fn ").nth(1).and_then(|rest| rest.split('(').next()).unwrap_or(head);
                found.push(format!("{name}: {}", head.split(" -> ").nth(1).unwrap_or("?")));
            }
            "input" => {
                let is_field = |line: &&str| !line.starts_with(['#', '/']) && line.contains(": ");
                let name = lines.by_ref().find(|line| line.contains("struct ")).unwrap_or_default();
                let name = name.split("struct ").nth(1).unwrap_or_default().trim_end_matches(" {");
                let fields = lines.by_ref().take_while(|line| *line != "}").filter(is_field);
                let field =
                    |line: &str| line.trim_start_matches("pub(crate) ").trim_start_matches("pub ").to_owned();
                found.extend(fields.map(|line| format!("{name}.{}", field(line.trim_end_matches(',')))));
            }
            _ => {}
        }
    }
    found
}

/// Whoever adds one looks whether it is a plain value: no lock, no cell, nothing lazy, and equal only if all of it is.
#[test]
fn what_the_database_holds() {
    let mut found: Vec<String> = held_sources().iter().flat_map(|path| held_types(&read(path))).collect();
    found.sort();
    expect![[r#"
        Bundle.dialect: Dialect
        Bundle.ids: Vec<ChunkId>
        Bundle.texts: Vec<Arc<str>>
        File.assembled: Option<Assembled>
        File.chunks: Vec<Chunk>
        File.dialect: Dialect
        File.indexes: Arc<FxHashMap<ChunkId, usize>>
        File.marks: TestMarks
        File.options: Options
        File.starts: Arc<Vec<TextSize>>
        assembly: Arc<Assembly>
        check: Arc<Vec<Vec<Diagnostic>>>
        check_module: Vec<ModuleDiagnostic>
        check_uses: Vec<ModuleDiagnostic>
        chunk_alone: Arc<Listing>
        functions: Option<Arc<Listing>>
        green: Vec<GreenNode>
        line_ends: Vec<usize>
        listing: Arc<Listing>
        loose_ends: LooseEnds
        lowered: Vec<Lowered>
        reading: Reading
        scope: SharedScope
        summary: BundleSummary
        uses: Arc<Vec<Uses>>
        whole_findings: Option<Vec<Finding>>
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

/// An equality by hand may pass over what follows from the rest, and nothing else.
#[test]
fn equalities_by_hand() {
    let of_file = |path: &PathBuf| {
        let text = read(path);
        let lines = text
            .lines()
            .filter(|line| line.trim_start().starts_with("impl") && line.contains(" PartialEq for "));
        lines.map(|line| line.trim().trim_end_matches(" {").to_owned()).collect::<Vec<_>>()
    };
    let mut found: Vec<String> = held_sources().iter().flat_map(of_file).collect();
    found.sort();
    expect![[r#"
        impl PartialEq for Assembled
        impl PartialEq for BodyNames
        impl PartialEq for Names
        impl PartialEq for OwnTypes
        impl PartialEq for Rule
        impl PartialEq for Scope
        impl PartialEq for Scope
        impl PartialEq for SharedScope
        impl PartialEq for Types
        impl<T: Empty + PartialEq> PartialEq for LazyBox<T>
    "#]]
    .assert_eq(&(found.join("\n") + "\n"));
}

/// The sizes from which on a text is read in another way are in one table, and a test takes both ways.
#[test]
fn both_sides_of_each_size_are_tested() {
    let files = held_sources();
    let sizes = read(&repository().join("analysis/base/src/sizes.rs"));
    let names: Vec<&str> =
        sizes.lines().filter_map(|line| line.strip_prefix("/// Both ways: `")?.strip_suffix("`.")).collect();
    assert_eq!(names.len(), sizes.lines().filter(|line| line.starts_with("pub const ")).count());
    let texts: Vec<String> = files.iter().map(|path| read(path)).collect();
    for name in names {
        assert!(texts.iter().any(|text| text.contains(&format!("fn {name}()"))), "no test is called {name}");
    }
}

#[test]
fn nothing_that_queries_hold_changes() {
    let files = held_sources();
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for path in files {
        let shown = path.to_string_lossy().replace('\\', "/");
        if shown.ends_with("tests.rs") || ALLOWED.iter().any(|(end, _)| shown.ends_with(end)) {
            continue;
        }
        let text = read(&path);
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
