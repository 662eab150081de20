//! What `--version` prints.

pub(super) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// Version, commit, and the versions of the tables that checking relies on.
pub(super) const LONG: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit: ",
    env!("WAVELENS_COMMIT"),
    "\nLLVM tables: LLVM 22, 23 and 24\nSPIR-V tables: SPIR-V 1.6, SPIRV-Headers of August 2026"
);
