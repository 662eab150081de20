//! `wavelens compare`: what each kernel takes on several processors and optimisation levels, and whether it takes too much.

use serde::Serialize;
use wavelens_codegen::Cancel;
use wavelens_codegen::compare::{Comparison, Excess, FIGURES, Figure, Threshold};

use super::compiled_file::{CompiledFile, version};
use super::output::say;
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
    /// Optimization levels, with commas; default: one level, as `--opt` says.
    #[arg(long, value_name = "0..3,...", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(0..=3), conflicts_with = "opt")]
    opt_levels: Vec<u8>,
    /// Fail if a kernel takes more: vgpr, agpr, sgpr, vgpr-spills, sgpr-spills, scratch, lds, bytes.
    #[arg(long, value_name = "FIGURE=N,...", value_delimiter = ',', value_parser = bound)]
    fail_above: Vec<(&'static Figure, u32)>,
    /// Fail if a kernel has less, such as waves=8.
    #[arg(long, value_name = "FIGURE=N,...", value_delimiter = ',', value_parser = bound)]
    fail_below: Vec<(&'static Figure, u32)>,
    #[command(flatten)]
    input: CompiledFile,
}

/// Reads `vgpr=64`.
fn bound(text: &str) -> Result<(&'static Figure, u32), String> {
    let (word, number) = text.split_once('=').ok_or("expected FIGURE=N, such as vgpr=64")?;
    let figure = FIGURES.iter().find(|f| f.word == word || f.field == word).ok_or_else(|| {
        let words: Vec<&str> = FIGURES.iter().map(|f| f.word).collect();
        format!("unknown figure `{word}`; expected one of {}", words.join(", "))
    })?;
    let number = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    Ok((figure, number))
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    table: &'a Comparison,
    /// Kernels beyond a threshold.
    failures: &'a [Excess],
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open(None) {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let targets: Vec<String> = arguments.targets.iter().filter(|t| !t.is_empty()).cloned().collect();
    let table = comparison(&compiler, &job, &targets, &arguments.opt_levels, &Cancel::default());
    if table.rows.is_empty() {
        let problem = table.targets.iter().find_map(|t| t.problem.as_deref());
        return arguments.input.complain(&job, problem.unwrap_or("no kernel to compare"));
    }
    let threshold =
        |above| move |(figure, limit): &(&'static Figure, u32)| Threshold { figure, above, limit: *limit };
    let above = arguments.fail_above.iter().map(threshold(true));
    let thresholds: Vec<Threshold> = above.chain(arguments.fail_below.iter().map(threshold(false))).collect();
    let failures = table.exceeding(&thresholds);
    print(&match arguments.format {
        Format::Json => {
            serde_json::to_string(&Output { table: &table, failures: &failures }).unwrap_or_default() + "\n"
        }
        Format::Human => version(&compiler, &job) + "\n" + &tables::comparison(&table),
    });
    failures.iter().for_each(|f| say(f.sentence()));
    // Without its figures a target passes no threshold.
    let uncompiled = table.targets.iter().filter(|_| !thresholds.is_empty());
    let uncompiled: Vec<_> = uncompiled.filter_map(|t| Some((t.title(), t.problem.as_deref()?))).collect();
    for (title, problem) in &uncompiled {
        complain(format!("not compared with the thresholds: {title}: {problem}"));
    }
    match (failures.is_empty(), uncompiled.is_empty()) {
        (_, false) => Outcome::CouldNotWork,
        (false, true) => Outcome::ErrorsFound,
        (true, true) => Outcome::Clean,
    }
}
