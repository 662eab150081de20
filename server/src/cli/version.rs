//! What `--version` prints.

pub(super) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// Version, commit, and the versions of the tables that checking relies on.
pub(super) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("WAVELENS_COMMIT"),
    "\nLLVM tables: LLVM 22\nSPIR-V tables: SPIR-V 1.6, SPIRV-Headers of spirv-tools-sys 0.13.3"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_the_one_that_the_tables_are_made_from() {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/grammar/Cargo.toml");
        let manifest = std::fs::read_to_string(manifest).expect("the manifest is there");
        let (_, version) = LONG.rsplit_once(' ').expect("the version is last");
        assert!(manifest.contains(&format!("spirv-tools-sys = \"={version}\"")), "{manifest}");
    }
}
