//! The library as WebAssembly: what it finds, and what is made of it for pages, Node, C and Python.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use wavelens_test_support::required::{program, skip};
use wavelens_test_support::texts::{DIALECTS, Text, damaged, inputs};
use wavelens_tests::{repository, server};

/// Texts of each dialect.
const TEXTS: usize = 250;

/// The module that `cargo xtask web` has made. That takes minutes, so it is asked for only where `WAVELENS_WEB` is set.
fn module() -> Option<PathBuf> {
    if std::env::var_os("WAVELENS_WEB").is_none() {
        println!("skipped: WAVELENS_WEB is not set");
        return None;
    }
    let module = repository().join("editors/web/npm/wavelens.wasm");
    if !module.is_file() {
        skip("editors/web/npm/wavelens.wasm is missing: `cargo xtask web` makes it");
        return None;
    }
    Some(module)
}

/// Writes examples, inputs and damaged variants of these.
fn write_texts(folder: &Path) -> usize {
    let mut count = 0;
    let mut write = |name: String, text: &str| {
        std::fs::write(folder.join(name), text).expect("the folder can be written to");
        count += 1;
    };
    for kind in ["examples", "examples-broken"] {
        for example in std::fs::read_dir(repository().join(kind)).expect("examples").flatten() {
            let text = std::fs::read_to_string(example.path()).expect("examples can be read");
            write(format!("{kind}-{}", example.file_name().to_string_lossy()), &text);
        }
    }
    for (_, extension) in DIALECTS {
        let own = inputs(extension);
        let variants = TEXTS / own.len() + 2;
        let texts: Vec<Text> = own.into_iter().chain(damaged(extension, variants, 1)).collect();
        // The module has no files that could be included.
        let alone = texts.iter().filter(|text| !text.text.contains(".inc"));
        for (number, text) in alone.take(TEXTS).enumerate() {
            write(format!("text{number:04}.{extension}"), &text.text);
        }
    }
    count
}

/// What was printed of each file, by its name.
fn by_name(output: &std::process::Output) -> BTreeMap<String, Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let objects = text.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).expect("a line is an object");
        let file = object["file"].take();
        let name = Path::new(file.as_str().unwrap_or_default()).file_name().unwrap_or_default();
        (name.to_string_lossy().into_owned(), object)
    });
    objects.collect()
}

/// The first files of which both say something else.
fn differences(program: &BTreeMap<String, Value>, module: &BTreeMap<String, Value>) -> String {
    let mut out = String::new();
    let differ = |name: &&String| program.get(*name) != module.get(*name);
    for name in program.keys().filter(differ).take(5) {
        let of = |all: &BTreeMap<String, Value>| all.get(name).cloned().unwrap_or_default();
        out += &format!("{name}:\n  program: {}\n  module:  {}\n", of(program), of(module));
    }
    out
}

#[test]
fn the_module_finds_what_the_program_finds() {
    let Some(_) = module().filter(|_| program("node")) else { return };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("web");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let count = write_texts(&folder);
    for (arguments, options) in [
        (&[][..], "{}"),
        (
            &["--mcpu", "gfx1030", "--target-env", "vulkan1.2"],
            r#"{"target":"gfx1030","targetEnv":"vulkan1.2"}"#,
        ),
    ] {
        let found = Command::new(server())
            .args(["check", "--format", "json", "--quiet"])
            .args(arguments)
            .arg(&folder)
            .output()
            .expect("the program starts");
        let script = repository().join("tests/web/check.mjs");
        let node = Command::new("node").arg(script).arg(&folder).arg(options).output().expect("node starts");
        assert!(node.status.success(), "{}", String::from_utf8_lossy(&node.stderr));
        let (found, mut node) = (by_name(&found), by_name(&node));
        assert_eq!(node.len(), count, "files");
        // In folders the program leaves out what does not look like AMDGPU assembly.
        node.retain(|name, _| found.contains_key(name));
        assert!(found.len() > count * 9 / 10, "only {} of {count} files", found.len());
        assert!(found == node, "{}", differences(&found, &node));
    }
}

/// It takes minutes and installs what it needs, so it runs only where `tests/run` asks for it.
#[test]
fn page_and_packages() {
    if std::env::var_os("WAVELENS_WEB").is_none() {
        println!("skipped: WAVELENS_WEB is not set");
        return;
    }
    let output = Command::new(repository().join("tests/web/run")).output().expect("the script starts");
    println!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "tests/web/run failed: {}", output.status);
}
