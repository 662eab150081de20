//! `wavelens isa`: the machine code that a file compiles to, with source lines and what each kernel takes.

use std::path::PathBuf;

use serde::Serialize;
use wavelens_analysis::codegen::{Compilation, compilation};
use wavelens_analysis::{Dialect, Options};
use wavelens_codegen::{Cancel, KernelResources, Limits, Report, Tools, llc};

use super::check::Format;
use super::{Outcome, complain, print};
use crate::source::read;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format: human or json.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// llvm, mir, spirv or amdgpu, instead of the file's ending.
    #[arg(long)]
    dialect: Option<Dialect>,
    /// AMDGPU processor.
    #[arg(long, value_name = "gfxNNN")]
    mcpu: Option<String>,
    /// Optimisation level.
    #[arg(long, value_name = "0..3", default_value = "2", value_parser = clap::value_parser!(u8).range(0..=3))]
    opt: u8,
    /// Folder with LLVM's programs, tried first.
    #[arg(long, value_name = "FOLDER")]
    llvm_path: Option<PathBuf>,
    /// The file; `-` is standard input.
    path: String,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let source = match read(&arguments.path, arguments.dialect) {
        Ok(source) => source,
        Err(message) => return complain(message),
    };
    let options = Options { target: arguments.mcpu.clone(), ..Options::default() };
    let request = match compilation(source.dialect, &source.text, &options, arguments.opt) {
        Compilation::Llc(request) => request,
        Compilation::Assembly => {
            return complain(format!("{}: is assembly already; see `wavelens encode`", arguments.path));
        }
        Compilation::Impossible(why) => return complain(why),
    };
    let tools = Tools::find(arguments.llvm_path.as_deref());
    match llc::compile(&request, &tools, &Limits::default(), &Cancel::default()) {
        Ok(report) => {
            print(&if arguments.format == Format::Json { json(&report) } else { human(&report) });
            Outcome::Clean
        }
        Err(failure) => complain(format!("{}: {}", arguments.path, failure.sentence())),
    }
}

#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    /// Counted from 1; absent where no source line is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_line: Option<u32>,
}

#[derive(Serialize)]
struct Isa<'a> {
    command: &'a str,
    milliseconds: u64,
    lines: Vec<Line<'a>>,
    kernels: &'a [KernelResources],
}

fn lines(report: &Report) -> Vec<Line<'_>> {
    let mut map = report.line_map.iter().peekable();
    (0u32..)
        .zip(report.isa.lines())
        .map(|(number, text)| {
            let source_line = map.next_if(|(isa, _)| *isa == number).map(|(_, source)| source + 1);
            Line { text, source_line }
        })
        .collect()
}

fn json(report: &Report) -> String {
    let lines = lines(report);
    let isa =
        Isa { command: &report.command, milliseconds: report.milliseconds, lines, kernels: &report.kernels };
    serde_json::to_string(&isa).unwrap_or_default() + "\n"
}

fn human(report: &Report) -> String {
    let mut out = String::new();
    for line in lines(report) {
        let source = line.source_line.map(|n| n.to_string()).unwrap_or_default();
        out.push_str(format!("{source:>6}  {}", line.text).trim_end());
        out.push('\n');
    }
    out.push('\n');
    out.push_str(&table(&report.kernels));
    out
}

/// One row a kernel.
fn table(kernels: &[KernelResources]) -> String {
    let width = kernels.iter().map(|k| k.name.len()).max().unwrap_or(0).max("kernel".len());
    let mut out = format!(
        "{:<width$}  {:>5} {:>5} {:>5} {:>6} {:>7} {:>6} {:>5} {:>6}\n",
        "kernel", "VGPR", "AGPR", "SGPR", "spills", "scratch", "LDS", "bytes", "waves"
    );
    for k in kernels {
        out.push_str(&format!(
            "{:<width$}  {:>5} {:>5} {:>5} {:>6} {:>7} {:>6} {:>5} {:>6}\n",
            k.name,
            k.vgprs,
            k.agprs,
            k.sgprs,
            k.vgpr_spills + k.sgpr_spills,
            k.scratch,
            k.lds,
            k.code_size,
            k.occupancy
        ));
    }
    out
}
