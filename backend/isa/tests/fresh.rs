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
