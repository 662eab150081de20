//! No word of a message decides anything: what the code asks about a finding is a field of it.

use std::path::{Path, PathBuf};

use expect_test::expect;
use wavelens_tests::repository;

/// Ends of paths of files that may search in a message, and why.
const ALLOWED: [(&str, &str); 4] = [
    (
        "server/src/lsp/diagnostics.rs",
        "names are between backticks in every message: it says what they are in the source",
    ),
    ("server/src/tables.rs", "remarks of LLVM, of which some belong together"),
    ("base/src/lit/outcome.rs", "FileCheck's words, said in another way"),
    ("amdgpu/src/rules/hazards/distances.rs", "a test"),
];

/// What searches in a text.
const SEARCHES: [&str; 13] = [
    "contains(",
    "starts_with(",
    "ends_with(",
    "find(",
    "rfind(",
    "split(",
    "split_once(",
    "rsplit_once(",
    "strip_prefix(",
    "strip_suffix(",
    "matches(",
    "replace(",
    "trim_end_matches(",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match path.is_dir() {
            true => sources(&path, found),
            false if name.ends_with(".rs") && !name.contains("test") => found.push(path),
            false => {}
        }
    }
}

/// Whether a line searches in what is named `message`, or compares it with a text.
fn decides_by_words(line: &str) -> bool {
    line.match_indices("message").any(|(at, word)| {
        let rest = line[at + word.len()..].trim_start_matches("()");
        let rest = rest.strip_prefix(".as_str()").unwrap_or(rest);
        let called = rest.strip_prefix('.').is_some_and(|call| SEARCHES.iter().any(|s| call.starts_with(s)));
        called || rest.starts_with(" == \"") || rest.starts_with(" != \"")
    })
}

/// The lines of a text that decide by words, without tests.
fn lines_that_decide(text: &str) -> Vec<&str> {
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or(text);
    text.lines().filter(|line| !line.trim_start().starts_with("//") && decides_by_words(line)).collect()
}

#[test]
fn a_search_in_a_message_is_found() {
    let text = "\
        if found.message.contains(\" requires \") {\n\
        let is_question = d.message.as_str().ends_with('?');\n\
        if message == \"expected a value\" {\n\
        // message.contains(\"x\")\n\
        messages.push(message.replace_range(1..));\n\
        f.message == other.message\n\
        #[cfg(test)]\nmod tests {\n  found.message.contains(\"x\")\n";
    expect![[r#"
        [
            "if found.message.contains(\" requires \") {",
            "let is_question = d.message.as_str().ends_with('?');",
            "if message == \"expected a value\" {",
        ]
    "#]]
    .assert_debug_eq(&lines_that_decide(text));
}

#[test]
fn no_word_of_a_message_decides() {
    let mut files = Vec::new();
    for folder in ["analysis", "syntax/src", "backend/isa/src", "server/src"] {
        sources(&repository().join(folder), &mut files);
    }
    assert!(files.len() > 500, "{} files", files.len());
    let mut found = Vec::new();
    for path in files {
        let shown = path.strip_prefix(repository()).expect("a file of the tree").display().to_string();
        if ALLOWED.iter().any(|(end, _)| shown.ends_with(end)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source file");
        found.extend(lines_that_decide(&text).into_iter().map(|line| format!("{shown}: {}", line.trim())));
    }
    assert!(found.is_empty(), "ask a field of the finding, not its words:\n{}", found.join("\n"));
}
