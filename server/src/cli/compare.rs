//! `wavelens compare`: what each kernel takes on several processors.

use wavelens_codegen::Cancel;
use wavelens_codegen::compare::{Cell, Comparison};

use super::compiled_file::{CompiledFile, version};
use super::{Format, Outcome, complain, print};
use crate::compile::comparison;

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
        Format::Human => version(&compiler, &job) + "\n" + &human(&table),
    });
    Outcome::Clean
}

/// A table a kernel; `+` marks the best of a column and `-` the worst.
pub(crate) fn human(table: &Comparison) -> String {
    let mut out = String::new();
    for row in &table.rows {
        out.push_str(&format!(
            "{}\n  {:<16} {:>6} {:>6} {:>6} {:>7} {:>8} {:>7} {:>7} {:>6}  limited by\n",
            row.kernel, "target", "VGPR", "AGPR", "SGPR", "spills", "scratch", "LDS", "bytes", "waves"
        ));
        for (column, cell) in table.targets.iter().zip(&row.cells) {
            match cell {
                Some(cell) => out.push_str(&line(&column.target, cell)),
                None => {
                    let why = column.problem.as_deref().unwrap_or("not compiled");
                    out.push_str(&format!("  {:<16} {why}\n", column.target));
                }
            }
        }
        out.push('\n');
    }
    out
}

fn line(target: &str, cell: &Cell) -> String {
    let k = &cell.resources;
    let marked = |names: &[&str], value: u32| {
        let among = |list: &[String]| names.iter().any(|n| list.iter().any(|l| l == n));
        let mark = if among(&cell.best) {
            "+"
        } else if among(&cell.worst) {
            "-"
        } else {
            " "
        };
        format!("{value}{mark}")
    };
    format!(
        "  {target:<16} {:>7}{:>7}{:>7}{:>8}{:>9}{:>8}{:>8}{:>7} {}\n",
        marked(&["vgprs"], k.vgprs),
        marked(&["agprs"], k.agprs),
        marked(&["sgprs"], k.sgprs),
        marked(&["vgpr_spills", "sgpr_spills"], k.vgpr_spills + k.sgpr_spills),
        marked(&["scratch"], k.scratch),
        marked(&["lds"], k.lds),
        marked(&["code_size"], k.code_size),
        marked(&["occupancy"], k.occupancy),
        k.limit.map_or("", |l| l.name()),
    )
}
