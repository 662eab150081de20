//! What to ask of an outside compiler for a document, and what its answer means. Plain values: nothing is run here.

mod complete;
mod dialect;
mod legalization;
mod named;
mod plan;
mod processors;
mod reference;
mod request;
mod run_line;

use wavelens_base::configuration::{Configuration, Stated};
use wavelens_base::{Dialect, Options};
use wavelens_isa::mir::Machine;
use wavelens_llvm::older::{self, Older};

pub use self::complete::{complete, sources};
pub use self::dialect::{
    compile_options, compiled_for, definition, ends_before_assembly, functions, has_passes, is_assembled,
    is_compiled, is_entry_point, is_for_one_processor, may_need_experiments, target_name,
};
pub use self::legalization::{legalization, legalization_note};
pub use self::named::named;
pub use self::plan::Plan;
pub use self::processors::Part;
pub use self::reference::reference;
pub use self::run_line::{RunEnd, is_harmless_pipeline};
pub use crate::assembly::Detail;
pub use crate::llvm::attributes::{Attribute, attribute_edits};

/// Processor used when neither the user nor the file names one.
pub const DEFAULT_TARGET: &str = "gfx1100";

/// How to compile. What is left open here, a file's `RUN:` line may say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// 0 to 3.
    pub opt_level: Option<u8>,
    /// A pipeline for `opt` before `llc`; empty: none.
    pub passes: String,
    /// Flags for `llc` beyond the usual.
    pub flags: Vec<String>,
    /// Compile only these functions and what they reach, in SPIR-V the entry points that reach them; empty: all.
    pub functions: Vec<String>,
    /// LLVM IR: attributes that functions get in place of their own.
    pub attributes: Vec<Attribute>,
    /// SPIR-V for Vulkan: do without source lines, which take many compilations.
    pub no_experiments: bool,
}

/// The text for compilers before LLVM 23; `None` if they read it as it is.
fn in_older_form(dialect: Dialect, text: &str) -> Option<Older> {
    match dialect {
        Dialect::Llvm => older::in_older_form(text),
        Dialect::Mir => crate::mir::older::in_older_form(text),
        Dialect::Amdgpu | Dialect::Spirv => None,
    }
}

/// Whether a document is compiled for a GPU, by its dialect and its first lines.
pub fn is_for_gpu(dialect: Dialect, head: &str) -> bool {
    match dialect {
        Dialect::Llvm => {
            let triple =
                Configuration::decide(dialect, &Stated::of(dialect, head), &Options::default()).triple;
            triple.is_some_and(|triple| wavelens_isa::is_amdgpu(&triple.value))
        }
        Dialect::Mir => {
            head.contains("amdgcn")
                || head.contains("triple = \"amdgpu")
                || crate::mir::start::setting(head, &Options::default()).machine == Some(Machine::Amdgpu)
        }
        Dialect::Spirv => true,
        Dialect::Amdgpu => false,
    }
}

/// The function that holds a line, counted from 0, by a name that [`Settings::functions`] takes.
pub fn function_at(dialect: Dialect, text: &str, line: u32) -> Option<String> {
    match dialect {
        Dialect::Llvm => crate::llvm::slice::function_at(text, line),
        Dialect::Mir => crate::mir::slice::function_at(text, line),
        Dialect::Spirv => crate::spirv::slice::function_at(text, line),
        Dialect::Amdgpu => None,
    }
}
