//! The grammar of SPIR-V, from Khronos' machine-readable grammar.

use std::path::PathBuf;
use std::process::Command;

use super::{Made, Sources, places};
use crate::Outcome;
use crate::repository::{output, root};

/// The crate that carries the grammar, as `tests/grammar` names it.
const CRATE: &str = "spirv-tools-sys-0.13.3";

/// The folder with `spirv.core.grammar.json`.
pub(crate) fn grammar(sources: &Sources) -> Outcome<PathBuf> {
    if let Some(folder) = &sources.spirv_grammar {
        return Ok(folder.clone());
    }
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let registries = home.and_then(|home| std::fs::read_dir(home.join("registry/src")).ok());
    registries
        .into_iter()
        .flatten()
        .flatten()
        .map(|registry| registry.path().join(CRATE).join("spirv-headers/include/spirv/unified1"))
        .find(|folder| folder.is_dir())
        .ok_or_else(|| {
            format!(
                "{CRATE} is not in cargo's registry: `cargo fetch --manifest-path tests/grammar/Cargo.toml`"
            )
        })
}

pub(crate) fn make(sources: &Sources) -> Outcome<Vec<Made>> {
    let generator = root().join(places::GENERATORS).join("spirv/generate.py");
    let made = output(Command::new("python3").arg(generator).arg(grammar(sources)?))?;
    Ok(vec![Made::new(places::SPIRV, "generated.rs", made)])
}
