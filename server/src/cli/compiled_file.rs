//! A file that a command compiles: arguments that `isa`, `compare` and `passes` share.

use std::path::PathBuf;

use wavelens_analysis::codegen::Settings;
use wavelens_analysis::{Dialect, Options};
use wavelens_codegen::Compiler;

use crate::compile::{Job, find_compiler};
use crate::source::read;

#[derive(Debug, clap::Args)]
pub(super) struct CompiledFile {
    /// llvm, mir, spirv or amdgpu, instead of the file's ending.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// Optimisation level; without, that of the file's RUN line, else 2.
    #[arg(long, value_name = "0..3", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt: Option<u8>,
    /// Passes that `opt` runs first, such as 'default<O2>'.
    #[arg(long, value_name = "PIPELINE", default_value = "")]
    passes: String,
    /// Only these functions, with commas, and what they reach; of SPIR-V the entry points that reach them.
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    only: Vec<String>,
    /// Machine IR: the pass to start before or after, instead of the one that the functions' state tells.
    #[arg(long, value_name = "PASS")]
    start_before: Option<String>,
    #[arg(long, value_name = "PASS", conflicts_with = "start_before")]
    start_after: Option<String>,
    /// SPIR-V environment, such as vulkan1.2.
    #[arg(long, value_name = "ENV")]
    target_env: Option<String>,
    /// Folder with LLVM's programs, tried first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
    /// The file; `-` is standard input.
    pub(super) path: String,
}

impl CompiledFile {
    /// Reads the file and searches the compilers.
    pub(super) fn open(&self, mcpu: Option<&str>) -> Result<(Compiler, Job), String> {
        let source = read(&self.path, self.dialect)?;
        let options = Options {
            target: mcpu.map(str::to_owned),
            target_env: self.target_env.clone(),
            ..Options::default()
        };
        // The compiler would go on with a processor of its own choice.
        if let Some(complaint) = options.complaints().into_iter().next() {
            return Err(complaint);
        }
        let start = [("before", &self.start_before), ("after", &self.start_after)];
        let flags = start.iter().filter_map(|(side, pass)| Some(format!("-start-{side}={}", pass.as_ref()?)));
        let settings = Settings {
            opt_level: self.opt,
            passes: self.passes.clone(),
            flags: flags.collect(),
            functions: self.only.clone(),
        };
        let job = Job { dialect: source.dialect, text: source.text, options, settings };
        Ok((find_compiler(self.llvm_path.as_deref(), None), job))
    }
}
