//! What README shows is what the program prints.

use std::path::Path;
use std::process::Command;

use wavelens_test_support::required;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the server has a workspace")
}

/// The lines below `$ wavelens ...` in README, and what the program prints for it.
fn shown_and_printed(command: &str) -> (String, String) {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README is there");
    let (_, rest) = readme.split_once(&format!("```text\n$ wavelens {command}\n")).expect("README shows it");
    let (shown, _) = rest.split_once("\n```").expect("the excerpt ends");
    let output = Command::new(env!("CARGO_BIN_EXE_wavelens"))
        .args(command.split(' '))
        .current_dir(root())
        .output()
        .expect("the program starts");
    (shown.to_owned(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn the_findings_are_those_of_the_examples() {
    let (shown, printed) = shown_and_printed("check examples/broken");
    for finding in shown.split("\n\n") {
        assert!(printed.contains(finding), "README shows\n{finding}\nbut the program prints\n{printed}");
    }
}

#[test]
fn the_machine_code_is_what_llc_makes() {
    if !required::program("llc-22") {
        return;
    }
    let (shown, printed) = shown_and_printed("isa --mcpu gfx1100 examples/saxpy.ll");
    let mut lines = printed.lines();
    for line in shown.lines().filter(|l| *l != "...") {
        assert!(
            lines.any(|l| l == line),
            "README shows, in this order,\n{line}\nbut the program prints\n{printed}"
        );
    }
}
