//! Real editors against the built server. An editor that is not installed is skipped, and says so.

use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn installed(program: &str) -> bool {
    let found = Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

/// Built by cargo beside the tests.
fn server() -> PathBuf {
    let mut path = std::env::current_exe().unwrap_or_default();
    path.pop();
    path.pop();
    path.join("wavelens")
}

#[test]
fn neovim_shows_findings_and_follows_edits() {
    if !installed("nvim") || !server().exists() {
        return;
    }
    let root = repository();
    let output = Command::new("nvim")
        .args(["--clean", "--headless"])
        .arg("--cmd")
        .arg(format!("set rtp^={}", root.join("editors/neovim").display()))
        .args(["-c", "runtime! ftdetect/wavelens.lua"])
        .arg("-c")
        .arg(format!("luafile {}", root.join("tests/editors/neovim.lua").display()))
        .env("WAVELENS", server())
        .env("WAVELENS_FILE", root.join("examples/broken/saxpy.ll"))
        .output()
        .expect("nvim starts");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    for step in ["FILETYPE llvm", "DIAGNOSTIC", "HOVER yes", "DEFINITION", "MENDED one of"] {
        assert!(said.contains(step), "no `{step}` in:\n{said}");
    }
    assert!(!said.contains("FAILED"), "{said}");
}
