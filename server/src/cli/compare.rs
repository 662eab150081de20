//! `wavelens compare`: what each kernel takes on several processors.

use wavelens_codegen::Cancel;

use super::compiled_file::{CompiledFile, version};
use super::{Format, Outcome, complain, print};
use crate::compile::comparison;
use crate::tables;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Output format.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// AMDGPU processors, with commas; default: one of each generation.
    #[arg(long, value_name = "gfxNNN,...", value_delimiter = ',')]
    targets: Vec<String>,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open(None) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let targets: Vec<String> = arguments.targets.iter().filter(|t| !t.is_empty()).cloned().collect();
    let table = comparison(&compiler, &job, &targets, &Cancel::default());
    if table.rows.is_empty() {
        let problem = table.targets.iter().find_map(|t| t.problem.as_deref());
        return arguments.input.complain(&job, problem.unwrap_or("no kernel to compare"));
    }
    print(&match arguments.format {
        Format::Json => serde_json::to_string(&table).unwrap_or_default() + "\n",
        Format::Human => version(&compiler, &job) + "\n" + &tables::comparison(&table),
    });
    Outcome::Clean
}
