//! One source on several processors and optimisation levels, side by side.

use serde::{Deserialize, Serialize};

use crate::report::{KernelResources, Report};

/// A table of kernels by processors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Comparison {
    /// One for each processor and optimisation level.
    pub targets: Vec<TargetColumn>,
    /// One for each kernel.
    pub rows: Vec<ComparedKernel>,
}

/// How the compilation for one processor went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct TargetColumn {
    /// The processor.
    pub target: String,
    /// 0 to 3, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opt: Option<u8>,
    /// Why the figures are missing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
    /// What ran for it.
    pub command: String,
}

impl TargetColumn {
    /// `gfx1100`, or with an optimisation level `gfx1100 -O3`.
    pub fn title(&self) -> String {
        title(&self.target, self.opt)
    }
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

/// A figure of a kernel.
#[derive(Debug, Clone, Copy)]
pub struct Figure {
    /// The field of the resources.
    pub field: &'static str,
    /// As a threshold names it: `vgpr`, `waves`.
    pub word: &'static str,
    /// As a sentence names it: `VGPRs`, `waves`.
    pub noun: &'static str,
    /// Its value.
    pub value: fn(&KernelResources) -> u32,
    /// Whether more is better.
    more_is_better: bool,
}

impl Figure {
    /// The value of a kernel, unless it is not known.
    fn known(&self, kernel: &KernelResources) -> Option<u32> {
        Some((self.value)(kernel)).filter(|value| self.field != "occupancy" || *value > 0)
    }
}

const fn figure(
    field: &'static str,
    word: &'static str,
    noun: &'static str,
    value: fn(&KernelResources) -> u32,
) -> Figure {
    Figure { field, word, noun, value, more_is_better: false }
}

/// Figures that are compared.
pub const FIGURES: &[Figure] = &[
    figure("vgprs", "vgpr", "VGPRs", |k| k.vgprs),
    figure("agprs", "agpr", "AGPRs", |k| k.agprs),
    figure("sgprs", "sgpr", "SGPRs", |k| k.sgprs),
    figure("vgpr_spills", "vgpr-spills", "spilled VGPRs", |k| k.vgpr_spills),
    figure("sgpr_spills", "sgpr-spills", "spilled SGPRs", |k| k.sgpr_spills),
    figure("scratch", "scratch", "bytes of scratch memory", |k| k.scratch),
    figure("lds", "lds", "bytes of LDS", |k| k.lds),
    figure("code_size", "bytes", "bytes of code", |k| k.code_size),
    Figure { more_is_better: true, ..figure("occupancy", "waves", "waves", |k| k.occupancy) },
];

/// What a figure must not be.
#[derive(Debug, Clone, Copy)]
pub struct Threshold {
    /// The figure.
    pub figure: &'static Figure,
    /// Above the limit, and not below.
    pub above: bool,
    /// The last value that is accepted.
    pub limit: u32,
}

/// A kernel beyond a threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Excess {
    /// The kernel.
    pub kernel: String,
    /// The processor.
    pub target: String,
    /// 0 to 3, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opt: Option<u8>,
    /// The field of the resources.
    pub figure: String,
    /// What it is.
    pub value: u32,
    /// The last value that is accepted.
    pub limit: u32,
}

impl Excess {
    /// `kernel k on gfx1100: 72 VGPRs, at most 64 are accepted`.
    pub fn sentence(&self) -> String {
        let figure = FIGURES.iter().find(|f| f.field == self.figure);
        let noun = figure.map_or(self.figure.as_str(), |f| f.noun);
        let bound = if self.value > self.limit { "at most" } else { "at least" };
        let target = title(&self.target, self.opt);
        format!(
            "kernel `{}` on {target}: {} {noun}, {bound} {} accepted",
            self.kernel, self.value, self.limit
        )
    }
}

fn title(target: &str, opt: Option<u8>) -> String {
    opt.map_or_else(|| target.to_owned(), |level| format!("{target} -O{level}"))
}

impl Comparison {
    /// The kernels beyond a threshold. Waves that are not known are not judged.
    pub fn exceeding(&self, thresholds: &[Threshold]) -> Vec<Excess> {
        let mut found = Vec::new();
        for row in &self.rows {
            for (column, cell) in self.targets.iter().zip(&row.cells) {
                let Some(Cell { resources, .. }) = cell else { continue };
                for Threshold { figure, above, limit } in thresholds {
                    let Some(value) = figure.known(resources) else { continue };
                    if if *above { value > *limit } else { value < *limit } {
                        found.push(Excess {
                            kernel: row.kernel.clone(),
                            target: column.target.clone(),
                            opt: column.opt,
                            figure: figure.field.to_owned(),
                            value,
                            limit: *limit,
                        });
                    }
                }
            }
        }
        found
    }
}

/// A figure that got worse since an earlier comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regression {
    /// The kernel.
    pub kernel: String,
    /// The processor.
    pub target: String,
    /// 0 to 3, where several were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub opt: Option<u8>,
    /// The field of the resources.
    pub figure: String,
    /// What it was.
    pub before: u32,
    /// What it is.
    pub after: u32,
}

impl Regression {
    /// `kernel k on gfx1100: 72 VGPRs, 64 in the baseline`.
    pub fn sentence(&self) -> String {
        let noun = FIGURES.iter().find(|f| f.field == self.figure).map_or("", |f| f.noun);
        let target = title(&self.target, self.opt);
        format!(
            "kernel `{}` on {target}: {} {noun}, {} in the baseline",
            self.kernel, self.after, self.before
        )
    }
}

impl Comparison {
    /// The figures of kernels that are worse than in an earlier comparison, without the size of the code. Kernels and columns that
    /// only one of the two has are not judged.
    pub fn regressions(&self, baseline: &Comparison) -> Vec<Regression> {
        let mut found = Vec::new();
        for row in &self.rows {
            let Some(old_row) = baseline.rows.iter().find(|r| r.kernel == row.kernel) else { continue };
            for (column, cell) in self.targets.iter().zip(&row.cells) {
                let same = |c: &TargetColumn| c.target == column.target && c.opt == column.opt;
                let old = baseline.targets.iter().zip(&old_row.cells).find(|(c, _)| same(c));
                let (Some(cell), Some((_, Some(old)))) = (cell, old) else { continue };
                for figure in FIGURES.iter().filter(|f| f.field != "code_size") {
                    let values = figure.known(&old.resources).zip(figure.known(&cell.resources));
                    let Some((before, after)) = values else { continue };
                    if if figure.more_is_better { after < before } else { after > before } {
                        found.push(Regression {
                            kernel: row.kernel.clone(),
                            target: column.target.clone(),
                            opt: column.opt,
                            figure: figure.field.to_owned(),
                            before,
                            after,
                        });
                    }
                }
            }
        }
        found
    }

    /// Whether a kernel has figures for a processor and level in both comparisons.
    pub fn has_in_common(&self, other: &Comparison) -> bool {
        let figures = |comparison: &Comparison| -> Vec<(String, String, Option<u8>)> {
            let rows = comparison.rows.iter().flat_map(|row| {
                let cells = comparison.targets.iter().zip(&row.cells).filter(|(_, cell)| cell.is_some());
                cells.map(move |(column, _)| (row.kernel.clone(), column.target.clone(), column.opt))
            });
            rows.collect()
        };
        let own = figures(self);
        figures(other).iter().any(|figure| own.contains(figure))
    }

    /// Orders the kernels by a figure, the worst one on any processor first.
    pub fn sort_by(&mut self, figure: &Figure) {
        let worst = |row: &ComparedKernel| {
            let values = row.cells.iter().flatten().map(|cell| (figure.value)(&cell.resources));
            if figure.more_is_better { values.min().map(|v| u32::MAX - v) } else { values.max() }
        };
        self.rows.sort_by_key(|row| std::cmp::Reverse(worst(row)));
    }
}

/// A processor, with an optimisation level where several were asked for, and what was compiled for it or why nothing was.
#[derive(Debug)]
pub struct Compiled {
    /// The processor.
    pub target: String,
    /// 0 to 3.
    pub opt: Option<u8>,
    /// A problem leaves the column empty.
    pub result: Result<Report, String>,
}

/// Puts reports side by side.
pub fn compare(results: &[Compiled]) -> Comparison {
    let targets = results.iter().map(|c| TargetColumn {
        target: c.target.clone(),
        opt: c.opt,
        problem: c.result.as_ref().err().cloned(),
        command: c.result.as_ref().map(|r| r.command.clone()).unwrap_or_default(),
    });
    let reports = || results.iter().map(|c| c.result.as_ref().ok());
    let mut names: Vec<&str> = Vec::new();
    for kernel in reports().flatten().flat_map(|r| &r.kernels) {
        if !names.contains(&kernel.name.as_str()) {
            names.push(&kernel.name);
        }
    }
    let rows = names.iter().map(|name| {
        let found: Vec<Option<&KernelResources>> =
            reports().map(|r| r?.kernels.iter().find(|k| k.name == *name)).collect();
        ComparedKernel { kernel: (*name).to_owned(), cells: cells(&found) }
    });
    Comparison { targets: targets.collect(), rows: rows.collect() }
}

fn cells(found: &[Option<&KernelResources>]) -> Vec<Option<Cell>> {
    let mut cells: Vec<Option<Cell>> =
        found.iter().map(|k| Some(Cell { resources: (*k)?.clone(), ..Cell::default() })).collect();
    // A wave of 64 lanes does the work of two waves of 32: their numbers do not compare.
    let mut sizes = found.iter().flatten().map(|k| k.wave_size);
    let first = sizes.next();
    let same_waves = sizes.all(|size| Some(size) == first);
    for Figure { field, value, more_is_better, .. } in FIGURES {
        let values = || found.iter().flatten().map(|k| value(k));
        let (Some(least), Some(most)) = (values().min(), values().max()) else { continue };
        if least == most || *more_is_better && !same_waves {
            continue;
        }
        let (best, worst) = if *more_is_better { (most, least) } else { (least, most) };
        for cell in cells.iter_mut().flatten() {
            let own = value(&cell.resources);
            if own == best {
                cell.best.push((*field).to_owned());
            } else if own == worst {
                cell.worst.push((*field).to_owned());
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiled(target: &str, result: Result<(u32, u32, u32), &str>) -> Compiled {
        let kernel = |(vgprs, occupancy, wave_size)| KernelResources {
            name: "k".to_owned(),
            vgprs,
            occupancy,
            wave_size,
            ..Default::default()
        };
        let report = |figures| Report { kernels: vec![kernel(figures)], ..Report::default() };
        Compiled { target: target.to_owned(), opt: None, result: result.map(report).map_err(str::to_owned) }
    }

    #[test]
    fn best_and_worst_are_marked() {
        let table = compare(&[
            compiled("gfx900", Ok((40, 6, 64))),
            compiled("gfx90a", Ok((30, 8, 64))),
            compiled("gfx1100", Err("oh no")),
        ]);
        let cell = |at: usize| table.rows[0].cells[at].as_ref();
        assert_eq!(cell(0).map(|c| c.worst.join(" ")).as_deref(), Some("vgprs occupancy"));
        assert_eq!(cell(1).map(|c| c.best.join(" ")).as_deref(), Some("vgprs occupancy"));
        assert_eq!(cell(2), None);
        assert_eq!(table.targets[2].problem.as_deref(), Some("oh no"));
    }

    #[test]
    fn waves_of_different_sizes_are_not_compared() {
        let table = compare(&[compiled("gfx900", Ok((40, 6, 64))), compiled("gfx1100", Ok((30, 16, 32)))]);
        let cell = |at: usize| table.rows[0].cells[at].as_ref();
        assert_eq!(cell(0).map(|c| c.worst.join(" ")).as_deref(), Some("vgprs"));
        assert_eq!(cell(1).map(|c| c.best.join(" ")).as_deref(), Some("vgprs"));
    }

    #[test]
    fn what_got_worse_since_the_baseline_is_named() {
        let baseline = compare(&[compiled("gfx900", Ok((40, 6, 64))), compiled("gfx1030", Ok((40, 6, 64)))]);
        let table = compare(&[compiled("gfx900", Ok((48, 5, 64))), compiled("gfx1100", Ok((99, 1, 32)))]);
        let sentences: Vec<String> = table.regressions(&baseline).iter().map(Regression::sentence).collect();
        assert_eq!(
            sentences,
            [
                "kernel `k` on gfx900: 48 VGPRs, 40 in the baseline",
                "kernel `k` on gfx900: 5 waves, 6 in the baseline"
            ]
        );
        assert_eq!(baseline.regressions(&baseline), []);
        let elsewhere = compare(&[compiled("gfx90a", Ok((1, 8, 64)))]);
        assert!(table.has_in_common(&baseline) && !elsewhere.has_in_common(&baseline));
    }

    #[test]
    fn the_worst_kernel_comes_first() {
        let kernel = |name: &str, vgprs, occupancy| KernelResources {
            name: name.to_owned(),
            vgprs,
            occupancy,
            ..Default::default()
        };
        let report = Report {
            kernels: vec![kernel("a", 10, 8), kernel("b", 30, 6), kernel("c", 20, 4)],
            ..Report::default()
        };
        let mut table = compare(&[Compiled { target: "gfx900".to_owned(), opt: None, result: Ok(report) }]);
        let mut order = |word| {
            table.sort_by(FIGURES.iter().find(|f| f.word == word).expect("a figure"));
            table.rows.iter().map(|row| row.kernel.as_str()).collect::<String>()
        };
        assert_eq!((order("vgpr"), order("waves")), ("bca".to_owned(), "cba".to_owned()));
    }

    #[test]
    fn kernels_beyond_a_threshold_are_named() {
        let table = compare(&[compiled("gfx900", Ok((64, 4, 64))), compiled("gfx90a", Ok((65, 0, 64)))]);
        let of = |word| FIGURES.iter().find(|f| f.word == word).expect("a figure");
        let found = table.exceeding(&[
            Threshold { figure: of("vgpr"), above: true, limit: 64 },
            Threshold { figure: of("waves"), above: false, limit: 5 },
        ]);
        let sentences: Vec<String> = found.iter().map(Excess::sentence).collect();
        assert_eq!(
            sentences,
            [
                "kernel `k` on gfx900: 4 waves, at least 5 accepted",
                "kernel `k` on gfx90a: 65 VGPRs, at most 64 accepted"
            ]
        );
    }
}
