//! The instructions of AMDGPU and what Machine IR names, from LLVM's description of AMDGPU and from its libraries.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Made, Sources, places};
use crate::Outcome;
use crate::repository::{Scratch, failed_at, names, output, read, root};

fn generator(name: &str) -> PathBuf {
    root().join(places::GENERATORS).join(name)
}

/// A python program of the generators.
fn python(name: &str) -> Command {
    let mut command = Command::new("python3");
    // The generators import each other; nothing of that belongs into the tree.
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(generator(name));
    command
}

/// The folder of the facts: reduced from an LLVM source tree, or committed.
fn facts(sources: &Sources, scratch: &Path) -> Outcome<PathBuf> {
    let Some(tree) = &sources.llvm_source else { return Ok(root().join(places::ISA_FACTS)) };
    let (dump, target) = (scratch.join("AMDGPU.json"), tree.join("llvm/lib/Target/AMDGPU"));
    let mut tblgen = Command::new("llvm-tblgen-22");
    tblgen.arg("--dump-json").arg("-I").arg(tree.join("llvm/include")).arg("-I").arg(&target);
    output(tblgen.arg(target.join("AMDGPU.td")).arg("-o").arg(&dump))?;
    let facts = scratch.join("facts");
    let records = File::open(&dump).map_err(failed_at(&dump))?;
    let status = python("amdgpu/reduce.py").arg(&facts).stdin(records).status();
    match status {
        Ok(status) if status.success() => Ok(facts),
        Ok(status) => Err(format!("reduce.py failed: {status}")),
        Err(e) => Err(format!("python3 cannot be started: {e}")),
    }
}

/// The files of a folder, sorted by name.
fn files(folder: &Path) -> Outcome<Vec<(String, Vec<u8>)>> {
    let file = |name: String| Ok((name.clone(), read(&folder.join(&name))?));
    names(folder)?.into_iter().map(file).collect()
}

pub(crate) fn instructions(sources: &Sources) -> Outcome<Vec<Made>> {
    let scratch = Scratch::new("amdgpu-tables")?;
    let facts = facts(sources, scratch.path())?;
    output(python("amdgpu/generate.py").arg(&facts).arg(scratch.path()))?;
    let mut made = vec![
        Made::new(places::ISA_ROWS, "isa.bin", read(&scratch.path().join("isa.bin"))?),
        Made::new(places::ISA_WORDS, "generated.rs", read(&scratch.path().join("generated.rs"))?),
    ];
    if sources.llvm_source.is_some() {
        made.extend(
            files(&facts)?.into_iter().map(|(name, content)| Made::new(places::ISA_FACTS, &name, content)),
        );
    }
    Ok(made)
}

pub(crate) fn machine_ir(sources: &Sources) -> Outcome<Vec<Made>> {
    let scratch = Scratch::new("mir-tables")?;
    let opcodes = facts(sources, scratch.path())?.join("mir-opcodes.jsonl.xz");
    let out = scratch.path().join("made");
    output(Command::new("sh").arg(generator("mir/regenerate.sh")).arg(opcodes).arg(&out))?;
    let machines = files(&out.join("tables"))?;
    let mut made = vec![Made::new(places::MIR, "opcode.rs", read(&out.join("opcode.rs"))?)];
    made.extend(machines.into_iter().map(|(name, content)| Made::new(places::MIR_MACHINES, &name, content)));
    Ok(made)
}
