//! What to ask of an outside compiler for a document. Plain values: nothing is run here.

use wavelens_codegen::{Request, Source};

use crate::{Dialect, Options, llvm};

/// Processor used when neither the user nor the file names one.
pub const DEFAULT_TARGET: &str = "gfx1100";

/// How a document becomes ISA.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compilation {
    /// By `llc`, with the user's lines as debug locations.
    Llc(Request),
    /// It is ISA already.
    Assembly,
    /// Not yet possible: the sentence says why.
    Impossible(String),
}

/// The compilation of a whole document at an optimisation level (0 to 3).
pub fn compilation(dialect: Dialect, text: &str, options: &Options, opt_level: u8) -> Compilation {
    let target = options.target.clone().unwrap_or_else(|| DEFAULT_TARGET.to_owned());
    let request =
        |source, text| Compilation::Llc(Request { source, text, target, opt_level, flags: Vec::new() });
    match dialect {
        Dialect::Llvm => request(Source::LlvmIr, llvm::instrument::with_line_locations(text)),
        Dialect::Mir => request(Source::Mir, text.to_owned()),
        Dialect::Amdgpu => Compilation::Assembly,
        Dialect::Spirv => Compilation::Impossible("generated ISA of SPIR-V needs the RADV path".to_owned()),
    }
}
