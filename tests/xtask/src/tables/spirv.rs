//! The grammar of SPIR-V, from Khronos' machine-readable grammar.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Made, Sources, places};
use crate::Outcome;
use crate::repository::{Scratch, output, read, root};

const FACTS: &str = "grammar.json.xz";

fn python(name: &str) -> Command {
    let mut command = Command::new("python3");
    command.arg(root().join(places::GENERATORS).join("spirv").join(name));
    command
}

/// The file of the facts: reduced from a checkout of SPIRV-Headers, or committed.
fn facts(sources: &Sources, scratch: &Path) -> Outcome<PathBuf> {
    let Some(headers) = &sources.spirv_headers else {
        return Ok(root().join(places::SPIRV_FACTS).join(FACTS));
    };
    let commit = output(Command::new("git").arg("-C").arg(headers).args(["rev-parse", "HEAD"]))?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let facts = scratch.join(FACTS);
    output(python("reduce.py").arg(headers.join("include/spirv/unified1")).arg(commit).arg(&facts))?;
    Ok(facts)
}

pub(crate) fn make(sources: &Sources) -> Outcome<Vec<Made>> {
    let scratch = Scratch::new("spirv-tables")?;
    let facts = facts(sources, scratch.path())?;
    let made = output(python("generate.py").arg(&facts))?;
    let mut made = vec![Made::new(places::SPIRV, "generated.rs", made)];
    if sources.spirv_headers.is_some() {
        made.push(Made::new(places::SPIRV_FACTS, FACTS, read(&facts)?));
    }
    Ok(made)
}
