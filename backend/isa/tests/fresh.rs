//! The committed tables are what the generator makes of the facts.

use std::{path::Path, process::Command};

#[test]
fn tables_are_fresh() {
    let Some(data) = std::env::var_os("WAVELENS_AMDGPU_DATA") else {
        println!("skipped: WAVELENS_AMDGPU_DATA names no folder of instruction facts");
        return;
    };
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("gen/generate.py");
    let out = Command::new("python3").arg(generator).arg(data).arg("--check").output();
    match out {
        Ok(o) => assert!(o.status.success(), "{}", String::from_utf8_lossy(&o.stdout)),
        Err(e) => println!("skipped: python3 cannot be started: {e}"),
    }
}

/// The same of the tables of Machine IR, which come from LLVM 22's own libraries too.
#[test]
fn machine_ir_tables_are_fresh() {
    let Some(data) = std::env::var_os("WAVELENS_AMDGPU_DATA") else {
        println!("skipped: WAVELENS_AMDGPU_DATA names no folder of instruction facts");
        return;
    };
    if Command::new("clang++-22").arg("--version").output().is_err() {
        println!("skipped: clang++-22 not installed");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let made = std::env::temp_dir().join(format!("wavelens-mir-tables-{}", std::process::id()));
    let facts = Path::new(&data).join("mir-opcodes.jsonl.gz");
    let out = Command::new("sh")
        .arg(root.join("tools/mir/regenerate.sh"))
        .arg(facts)
        .arg(&made)
        .output()
        .expect("sh starts");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let read = |path: &Path| std::fs::read(path).unwrap_or_default();
    let tables = std::fs::read_dir(root.join("src/mir/tables")).expect("the tables are there");
    for name in tables.filter_map(|t| t.ok()?.file_name().into_string().ok()) {
        let table = format!("tables/{name}");
        assert!(read(&made.join(&table)) == read(&root.join("src/mir").join(&table)), "{table} is not fresh");
    }
    let _ = std::fs::remove_dir_all(&made);
}
