//! What compilers made, as text for people: on the command line and in the files that editors open.

use wavelens_codegen::compare::{Cell, Comparison};
use wavelens_codegen::passes::PassChanges;
use wavelens_codegen::remarks::{Remark, Remarks};
use wavelens_codegen::trace::{Change, History, Place, Step};
use wavelens_codegen::{KernelResources, Limit};

use crate::advise::{Advice, Effect, Trial, is_limited};

/// A table a kernel; `*` marks the best of a column. Accumulation registers are a column where some kernel has them.
pub(crate) fn comparison(table: &Comparison) -> String {
    let titles: Vec<String> = table.targets.iter().map(|column| column.title()).collect();
    let width = titles.iter().map(String::len).max().unwrap_or(0).max("target".len());
    let cells = || table.rows.iter().flat_map(|row| &row.cells).flatten();
    let with_agprs = cells().any(|cell| cell.resources.agprs > 0);
    let heads = ["VGPR", "AGPR", "SGPR", "spills", "scratch", "LDS", "bytes", "lanes", "waves"];
    let row_of = |title: &str, values: [String; 9], last: &str| {
        let shown = values.into_iter().enumerate().filter(|(n, _)| *n != 1 || with_agprs);
        let columns: String =
            shown.map(|(n, value)| format!("{value:>w$}", w = heads[n].len().max(4) + 2)).collect();
        format!("  {title:<width$}{columns} {last}\n")
    };
    let mut out = String::new();
    for row in &table.rows {
        let heads = heads.map(|head| format!("{head} "));
        out.push_str(&format!("{}\n{}", row.kernel, row_of("target", heads, "limited by")));
        for ((column, title), cell) in table.targets.iter().zip(&titles).zip(&row.cells) {
            match cell {
                Some(cell) => {
                    let limit = cell.resources.limit.map_or("", |limit| limit.name());
                    out.push_str(&row_of(title, figures(cell), limit));
                }
                None => {
                    let why = column.problem.as_deref().unwrap_or("not compiled");
                    out.push_str(&format!("  {title:<width$} {why}\n"));
                }
            }
        }
        let sizes = || row.cells.iter().flatten().map(|c| c.resources.wave_size);
        if sizes().zip(sizes().skip(1)).any(|(a, b)| a != b) {
            out.push_str("  waves of 64 and of 32 lanes are not compared\n");
        }
        out.push('\n');
    }
    if cells().any(|cell| !cell.best.is_empty()) {
        out.push_str("* best of its column\n");
    }
    out
}

/// In the order of the columns.
fn figures(cell: &Cell) -> [String; 9] {
    let k = &cell.resources;
    let marked = |names: &[&str], value: u32| {
        let is_best = names.iter().any(|name| cell.best.iter().any(|best| best == name));
        format!("{value}{}", if is_best { '*' } else { ' ' })
    };
    [
        marked(&["vgprs"], k.vgprs),
        marked(&["agprs"], k.agprs),
        marked(&["sgprs"], k.sgprs),
        marked(&["vgpr_spills", "sgpr_spills"], k.spills()),
        marked(&["scratch"], k.scratch),
        marked(&["lds"], k.lds),
        marked(&["code_size"], k.code_size),
        if k.wave_size > 0 { format!("{} ", k.wave_size) } else { String::new() },
        marked(&["occupancy"], k.occupancy),
    ]
}

/// What precedes a pass: `opt`, `llc`, or nothing in a dump.
fn tool(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{name} ") }
}

pub(crate) fn pass_changes(found: &PassChanges, summary: bool) -> String {
    let mut out = String::new();
    for change in &found.changes {
        let argument = change.argument.as_ref().map(|a| format!(" ({a})")).unwrap_or_default();
        out.push_str(&format!(
            "{}{}{argument} on {}: +{} -{}\n",
            tool(&change.tool),
            change.pass,
            change.function,
            change.added,
            change.removed
        ));
        if !summary {
            out.push_str(&change.diff);
            out.push('\n');
        }
    }
    out
}

/// What is traced, and each pass that did something to it with the instructions before and after.
pub(crate) fn history(found: &History) -> String {
    let subject = match (&found.value, found.line) {
        (Some(value), Some(line)) => format!("{value} in `{}`, line {}", found.function, line + 1),
        (Some(value), None) => format!("{value}, an argument of `{}`", found.function),
        (None, line) => format!("line {} in `{}`", line.map_or(0, |l| l + 1), found.function),
    };
    let mut out = format!("{subject}\n\n");
    for step in &found.steps {
        out.push_str(&step_text(step));
    }
    for note in &found.notes {
        out.push_str(&format!("note: {note}\n"));
    }
    let changed = found.steps.iter().filter(|s| !matches!(s.change, Change::Start | Change::Emitted)).count();
    out.push_str(&format!("{changed} of {} passes did something to it\n", found.passes));
    out
}

fn step_text(step: &Step) -> String {
    let pass = match (&step.argument, step.pass.as_str()) {
        (Some(argument), pass) => format!("{}{pass} ({argument}): ", tool(&step.tool)),
        (None, "") => String::new(),
        (None, pass) => format!("{}{pass}: ", tool(&step.tool)),
    };
    let note = step.note.as_ref().map(|n| format!(": {n}")).unwrap_or_default();
    let mut out = format!("{pass}{}{note}\n", step.change.name());
    let is_start = step.change == Change::Start;
    let lines = |mark: char, places: &[Place]| {
        let line = |p: &Place| format!("{mark} {:<20} {}\n", format!("{} #{}", p.block, p.number), p.text);
        places.iter().map(line).collect::<String>()
    };
    out.push_str(&lines('-', &step.before));
    out.push_str(&lines(if is_start { ' ' } else { '+' }, &step.after));
    out.push('\n');
    out
}

/// What was found for a kernel; `command` repeats a trial.
pub(crate) fn advice(advice: &Advice, all: bool, command: impl Fn(&Trial, &str) -> String) -> String {
    let mut out = format!("{}: {}\n", advice.kernel, state(&advice.base));
    if !is_limited(&advice.base) {
        out.push_str("  nothing to gain: no spills, and as many waves as the hardware takes\n");
        return out;
    }
    let helpful: Vec<&Trial> = advice.trials.iter().filter(|t| t.effect == Effect::Gain).collect();
    if helpful.is_empty() {
        out.push_str(&format!(
            "  none of {} change{} tried gives more waves or fewer spills for free\n",
            advice.trials.len(),
            if advice.trials.len() == 1 { "" } else { "s" }
        ));
    }
    for trial in &advice.trials {
        let Some(resources) = &trial.resources else { continue };
        let word = match trial.effect {
            Effect::Gain => "gain",
            Effect::Trade => "trade",
            Effect::None | Effect::Failed if !all => continue,
            Effect::None | Effect::Failed => "none",
        };
        let condition = trial.condition.as_ref().map(|c| format!(" ({c})")).unwrap_or_default();
        out.push_str(&format!("  {word:<6} {}{condition}\n         {}\n", trial.change, state(resources)));
        out.push_str(&format!("         {}\n", command(trial, &advice.kernel)));
    }
    for trial in advice.trials.iter().filter(|_| all) {
        if let Some(problem) = &trial.problem {
            out.push_str(&format!("  failed {}: {problem}\n", trial.change));
        }
    }
    out
}

/// `5 waves, 96 VGPRs, 40 SGPRs, 3 spills, limited by VGPRs`.
fn state(k: &KernelResources) -> String {
    let counted = |n: u32, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut parts = vec![counted(k.occupancy, "wave"), counted(k.vgprs, "VGPR")];
    if k.agprs > 0 {
        parts.push(counted(k.agprs, "AGPR"));
    }
    parts.push(counted(k.sgprs, "SGPR"));
    if k.spills() > 0 {
        parts.push(counted(k.spills(), "spill"));
    }
    if k.scratch > 0 {
        parts.push(format!("{} of scratch memory", counted(k.scratch, "byte")));
    }
    if let Some(limit) = k.limit.filter(|l| *l != Limit::Hardware) {
        parts.push(format!("limited by {}", limit.name()));
    }
    parts.join(", ")
}

/// Whether two remarks are figures of one kernel, which `llc` reports one by one.
fn is_same_usage(one: &Remark, two: &Remark) -> bool {
    let key = |r: &Remark| (r.function.clone(), r.line, r.pass.clone());
    one.pass == "kernel-resource-usage" && key(one) == key(two) && !two.message.starts_with("Function Name")
}

/// One line each.
pub(crate) fn remarks(found: &Remarks, path: &str) -> String {
    let mut out = String::new();
    for group in found.remarks.chunk_by(is_same_usage) {
        let Some(r) = group.first() else { continue };
        let place = match r.line {
            Some(line) => format!("{path}:{}", line + 1),
            None => format!("{path}: in `{}`", r.function),
        };
        let message = match group {
            [only] => only.message.clone(),
            // The first repeats the name of the function.
            [_, figures @ ..] => figures.iter().map(|r| r.message.trim()).collect::<Vec<_>>().join(", "),
            [] => continue,
        };
        out.push_str(&format!("{place}: {}: {message} [{} {}]\n", r.kind.name(), r.tool, r.pass));
    }
    if found.remarks.is_empty() {
        out.push_str("no remarks\n");
    }
    out
}
