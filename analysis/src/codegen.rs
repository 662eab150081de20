//! What to ask of an outside compiler for a document. Plain values: nothing is run here.

use wavelens_codegen::{Request, Source};
use wavelens_isa::mir::Machine;

use crate::{Dialect, Options, llvm, mir};

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
    match dialect {
        Dialect::Llvm => {
            let text = llvm::instrument::with_line_locations(text);
            Compilation::Llc(Request { source: Source::LlvmIr, text, target, opt_level, flags: Vec::new() })
        }
        Dialect::Mir => {
            let setting = mir::start::setting(text);
            if setting.machine != Some(Machine::Amdgpu) {
                return Compilation::Impossible("these machine functions are not for AMDGPU".to_owned());
            }
            // Instructions are selected for one processor: the file's goes before the user's.
            let target = setting.processor.unwrap_or(target);
            let flags = setting.stage.map(mir::start::Stage::flags).unwrap_or_default();
            let text = mir::instrument::with_line_locations(text);
            Compilation::Llc(Request { source: Source::Mir, text, target, opt_level, flags })
        }
        Dialect::Amdgpu => Compilation::Assembly,
        Dialect::Spirv => Compilation::Impossible("generated ISA of SPIR-V needs the RADV path".to_owned()),
    }
}
