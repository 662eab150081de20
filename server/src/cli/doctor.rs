//! `wavelens doctor`: which external tools were found. The checker itself does not need them.

use std::path::PathBuf;

use wavelens_codegen::radv::driver::find_driver;
use wavelens_codegen::{Tool, Tools};

use super::{Outcome, print};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Folder with LLVM's tools, searched first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let tools = Tools::find(arguments.llvm_path.as_deref());
    let mut out = String::from("checking: built in, for all four dialects\n");
    let llvm = "apt-get install llvm";
    out.push_str(&line(
        "llc",
        "generated ISA of LLVM IR and Machine IR, what passes change",
        tools.llc(),
        llvm,
    ));
    out.push_str(&line("opt", "pass pipelines before llc, what its passes change", tools.opt(), llvm));
    out.push_str(&line("llvm-mc", "a second opinion on encodings", tools.llvm_mc(), llvm));
    out.push_str(&line("llvm-mca", "latency and throughput a line", tools.llvm_mca(), llvm));
    let spirv = "apt-get install llvm-spirv-15";
    out.push_str(&line("llvm-spirv", "generated ISA of OpenCL SPIR-V", tools.llvm_spirv(), spirv));
    out.push_str(&match find_driver(None) {
        Some(driver) => format!("radv: {} (generated ISA of Vulkan SPIR-V)\n", driver.display()),
        None => missing("radv", "generated ISA of Vulkan SPIR-V", "apt-get install mesa-vulkan-drivers"),
    });
    print(&out);
    Outcome::Clean
}

fn line(name: &str, purpose: &str, tool: Option<&Tool>, install: &str) -> String {
    match tool {
        Some(tool) => {
            let build = if tool.rocm { "ROCm's LLVM" } else { "LLVM" };
            format!("{name}: {build} {} at {} ({purpose})\n", tool.version, tool.path.display())
        }
        None => missing(name, purpose, install),
    }
}

fn missing(name: &str, purpose: &str, install: &str) -> String {
    format!("{name}: not found ({purpose}); install it with `{install}`\n")
}
