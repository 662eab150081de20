//! The grammar tables of SPIR-V, made again from the Khronos grammar and compared with what is committed.
//! `UPDATE_TABLES=1 cargo test -p wavelens-tests --test spirv_tables` writes them.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The crate that carries the grammar, as `tests/grammar` names it.
const CRATE: &str = "spirv-tools-sys-0.13.3";

/// The folder of the grammar files in cargo's registry.
fn grammar() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")))?;
    let sources = std::fs::read_dir(home.join("registry/src")).ok()?;
    let folders = sources.filter_map(|entry| {
        Some(entry.ok()?.path().join(CRATE).join("spirv-headers/include/spirv/unified1"))
    });
    folders.into_iter().find(|folder| folder.is_dir())
}

#[test]
fn tables_are_those_of_the_grammar() {
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("../syntax/src/spirv/tables");
    let Some(grammar) = grammar() else {
        eprintln!(
            "skipped: {CRATE} is not in cargo's registry (cargo fetch --manifest-path tests/grammar/Cargo.toml)"
        );
        return;
    };
    let Ok(output) = Command::new("python3").arg(tables.join("generate.py")).arg(grammar).output() else {
        eprintln!("skipped: python3 not installed");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let file = tables.join("generated.rs");
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(&file, &output.stdout).expect("the tables can be written");
    }
    let committed = std::fs::read(&file).expect("the tables are there");
    assert!(committed == output.stdout, "{} is stale: run with UPDATE_TABLES=1", file.display());
}
