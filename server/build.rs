//! Records the commit that a release is built from.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=WAVELENS_COMMIT");
    // Development builds would be made again after each commit.
    let release = std::env::var("PROFILE").is_ok_and(|p| p == "release");
    let given = std::env::var("WAVELENS_COMMIT").ok().filter(|c| !c.is_empty());
    let commit = given.or_else(|| release.then(commit).flatten()).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo:rustc-env=WAVELENS_COMMIT={commit}");
    if !release {
        println!("cargo:rerun-if-changed=build.rs");
    }
}

/// Short hash and date, such as `05a01a7 2026-11-22`; `None` outside of the project's own repository.
fn commit() -> Option<String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(workspace).args(arguments).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    // A source archive may be unpacked within another repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != workspace.canonicalize().ok()? {
        return None;
    }
    let head = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={}", workspace.join(head).display());
    git(&["log", "-1", "--format=%h %cs", "--abbrev=7"])
}
