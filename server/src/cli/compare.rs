//! `wavelens compare`: what each kernel takes on several processors and optimisation levels, and whether it takes too much.

use std::path::{Path, PathBuf};

use serde::Serialize;
use wavelens_codegen::Cancel;
use wavelens_codegen::compare::{Comparison, Excess, FIGURES, Figure, Regression, Threshold};

use super::compiled_file::{CompiledFile, version};
use super::output::{headed, say};
use super::{Format, Outcome, complain, print};
use crate::compile::comparison;
use crate::{shown, tables};
use wavelens_base::Options;

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
    /// Fail if a figure other than the size of the code is worse than in this file, an earlier output of `--format json`.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Order the kernels by this figure, the worst first: vgpr, waves, bytes, ...
    #[arg(long, value_name = "FIGURE", value_parser = figure)]
    sort: Option<&'static Figure>,
    #[command(flatten)]
    input: CompiledFile,
}

fn figure(word: &str) -> Result<&'static Figure, String> {
    FIGURES.iter().find(|f| f.word == word || f.field == word).ok_or_else(|| {
        let words: Vec<&str> = FIGURES.iter().map(|f| f.word).collect();
        format!("unknown figure `{word}`; expected one of {}", words.join(", "))
    })
}

/// Reads `vgpr=64`.
fn bound(text: &str) -> Result<(&'static Figure, u32), String> {
    let (word, number) = text.split_once('=').ok_or("expected FIGURE=N, such as vgpr=64")?;
    let figure = figure(word)?;
    let number = number.parse().map_err(|_| format!("`{number}` is not a number"))?;
    Ok((figure, number))
}

#[derive(Serialize)]
struct Output<'a> {
    #[serde(flatten)]
    table: &'a Comparison,
    /// Kernels beyond a threshold.
    failures: &'a [Excess],
    /// What is worse than in the baseline.
    regressions: &'a [Regression],
}

/// An earlier output of `--format json`.
fn read_baseline(path: &Path) -> Result<Comparison, String> {
    let text = std::fs::read(path).map_err(|error| format!("{}: {error}", shown::path(path)))?;
    serde_json::from_slice(&text).map_err(|error| {
        format!("{}: not an output of `wavelens compare --format json`: {error}", shown::path(path))
    })
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let (compiler, job) = match arguments.input.open() {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let baseline = match arguments.baseline.as_deref().map(read_baseline).transpose() {
        Ok(baseline) => baseline,
        Err(problem) => return complain(problem),
    };
    let named = arguments.targets.iter().filter(|t| !t.is_empty()).cloned().map(super::kept_processor);
    let targets: Vec<String> = named.chain(job.options.target.clone()).collect();
    let complaint = targets.iter().find_map(|target| {
        Options { target: Some(target.clone()), ..Options::default() }.complaints().into_iter().next()
    });
    if let Some(complaint) = complaint {
        return complain(complaint);
    }
    let mut table = comparison(&compiler, &job, &targets, &arguments.opt_levels, &Cancel::default());
    if table.rows.is_empty() {
        let problem = table.targets.iter().find_map(|t| t.problem.as_deref());
        return arguments.input.complain(&job, problem.unwrap_or("no kernel to compare"));
    }
    if let (Some(path), Some(baseline)) = (&arguments.baseline, &baseline)
        && !table.has_in_common(baseline)
    {
        let kernels: Vec<&str> = baseline.rows.iter().map(|row| row.kernel.as_str()).take(8).collect();
        let columns: Vec<String> = baseline.targets.iter().map(|column| column.title()).collect();
        return complain(format!(
            "{}: no kernel and processor in common; it has {} on {}",
            shown::path(path),
            kernels.join(", "),
            columns.join(", ")
        ));
    }
    if let Some(figure) = arguments.sort {
        table.sort_by(figure);
    }
    let threshold =
        |above| move |(figure, limit): &(&'static Figure, u32)| Threshold { figure, above, limit: *limit };
    let above = arguments.fail_above.iter().map(threshold(true));
    let thresholds: Vec<Threshold> = above.chain(arguments.fail_below.iter().map(threshold(false))).collect();
    let failures = table.exceeding(&thresholds);
    let regressions = baseline.as_ref().map(|b| table.regressions(b)).unwrap_or_default();
    print(&match arguments.format {
        Format::Json => {
            let output = Output { table: &table, failures: &failures, regressions: &regressions };
            shown::json(&output) + "\n"
        }
        Format::Human => version(&compiler, &job) + "\n" + &headed(tables::comparison(&table)),
    });
    failures.iter().for_each(|f| say(f.sentence()));
    regressions.iter().for_each(|r| say(r.sentence()));
    // A target without figures is not accepted.
    let is_judged = !thresholds.is_empty() || baseline.is_some();
    let uncompiled = table.targets.iter().filter(|_| is_judged);
    let uncompiled: Vec<_> = uncompiled.filter_map(|t| Some((t.title(), t.problem.as_deref()?))).collect();
    for (title, problem) in &uncompiled {
        complain(format!(
            "not compared with the {}: {title}: {problem}",
            if thresholds.is_empty() { "baseline" } else { "thresholds" }
        ));
    }
    match (failures.is_empty() && regressions.is_empty(), uncompiled.is_empty()) {
        (_, false) => Outcome::CouldNotWork,
        (false, true) => Outcome::ErrorsFound,
        (true, true) => Outcome::Clean,
    }
}
