//! One source on several processors, side by side.

use serde::{Deserialize, Serialize};

use crate::report::{KernelResources, Report};

/// A table of kernels by processors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Comparison {
    /// One for each processor.
    pub targets: Vec<TargetColumn>,
    /// One for each kernel.
    pub rows: Vec<ComparedKernel>,
}

/// How the compilation for one processor went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct TargetColumn {
    /// The processor.
    pub target: String,
    /// Why the figures are missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
    /// What ran for it.
    pub command: String,
}

/// One kernel on all processors; cells in the order of the columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct ComparedKernel {
    /// Name of the kernel.
    pub kernel: String,
    /// One for each target; none where it was not compiled.
    pub cells: Vec<Option<Cell>>,
}

/// A kernel on one processor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "camelCase")]
pub struct Cell {
    /// What the kernel takes there.
    pub resources: KernelResources,
    /// Figures that are better than elsewhere in the row, and worse: names of fields of `resources`.
    pub best: Vec<String>,
    /// As `best`, for the worst ones.
    pub worst: Vec<String>,
}

/// A figure: its field's name, its value, and whether more is better.
type Figure = (&'static str, fn(&KernelResources) -> u32, bool);

/// Figures that are compared.
const FIGURES: &[Figure] = &[
    ("vgprs", |k| k.vgprs, false),
    ("agprs", |k| k.agprs, false),
    ("sgprs", |k| k.sgprs, false),
    ("vgpr_spills", |k| k.vgpr_spills, false),
    ("sgpr_spills", |k| k.sgpr_spills, false),
    ("scratch", |k| k.scratch, false),
    ("lds", |k| k.lds, false),
    ("code_size", |k| k.code_size, false),
    ("occupancy", |k| k.occupancy, true),
];

/// Puts reports side by side, each under its processor; a problem in place of a report leaves its column empty.
pub fn compare(results: &[(String, Result<Report, String>)]) -> Comparison {
    let targets = results.iter().map(|(target, result)| TargetColumn {
        target: target.clone(),
        problem: result.as_ref().err().cloned(),
        command: result.as_ref().map(|r| r.command.clone()).unwrap_or_default(),
    });
    let mut names: Vec<&str> = Vec::new();
    for kernel in results.iter().filter_map(|(_, r)| r.as_ref().ok()).flat_map(|r| &r.kernels) {
        if !names.contains(&kernel.name.as_str()) {
            names.push(&kernel.name);
        }
    }
    let rows = names.iter().map(|name| {
        let found: Vec<Option<&KernelResources>> =
            results.iter().map(|(_, r)| r.as_ref().ok()?.kernels.iter().find(|k| k.name == *name)).collect();
        ComparedKernel { kernel: (*name).to_owned(), cells: cells(&found) }
    });
    Comparison { targets: targets.collect(), rows: rows.collect() }
}

fn cells(found: &[Option<&KernelResources>]) -> Vec<Option<Cell>> {
    let mut cells: Vec<Option<Cell>> =
        found.iter().map(|k| Some(Cell { resources: (*k)?.clone(), ..Cell::default() })).collect();
    for (name, value, more_is_better) in FIGURES {
        let values = || found.iter().flatten().map(|k| value(k));
        let (Some(least), Some(most)) = (values().min(), values().max()) else { continue };
        if least == most {
            continue;
        }
        let (best, worst) = if *more_is_better { (most, least) } else { (least, most) };
        for cell in cells.iter_mut().flatten() {
            let own = value(&cell.resources);
            if own == best {
                cell.best.push((*name).to_owned());
            } else if own == worst {
                cell.worst.push((*name).to_owned());
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_and_worst_are_marked() {
        let report = |vgprs, occupancy| Report {
            kernels: vec![KernelResources { name: "k".to_owned(), vgprs, occupancy, ..Default::default() }],
            ..Report::default()
        };
        let results = [
            ("gfx900".to_owned(), Ok(report(40, 6))),
            ("gfx1030".to_owned(), Ok(report(30, 16))),
            ("gfx1100".to_owned(), Err("oh no".to_owned())),
        ];
        let table = compare(&results);
        let cell = |at: usize| table.rows[0].cells[at].as_ref();
        assert_eq!(cell(0).map(|c| c.worst.join(" ")).as_deref(), Some("vgprs occupancy"));
        assert_eq!(cell(1).map(|c| c.best.join(" ")).as_deref(), Some("vgprs occupancy"));
        assert_eq!(cell(2), None);
        assert_eq!(table.targets[2].problem.as_deref(), Some("oh no"));
    }
}
