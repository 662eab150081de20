//! `wavelens isa`: the machine code that a file compiles to, with source lines and what each kernel takes.

use std::collections::BTreeSet;

use serde::Serialize;
use wavelens_base::configuration::processor_name;
use wavelens_codegen::cycles::BlockCycles;
use wavelens_codegen::{Cancel, Cost, Experiments, KernelResources, Limit, Limits, Live, Report, SourceLine};
use wavelens_ide::codegen::Detail;

use super::compiled_file::{CodeArguments, CompiledFile, header};
use super::cycles;
use super::functions::{self, FunctionResources, functions};
use super::output::{is_colored, say};
use super::why::why;
use super::{Format, Outcome, complain, note, print, shown};
use crate::compile::machine_code;
use crate::written_code::WrittenCode;

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    code: CodeArguments,
    /// Print what limits the waves of each kernel, and the values in registers where most are live, instead of the code.
    #[arg(long)]
    why: bool,
    /// Print the cycles of each block and loop by the model of llvm-mca, and what limits them, instead of the code.
    #[arg(long, conflicts_with = "why")]
    cycles: bool,
    #[command(flatten)]
    input: CompiledFile,
}

pub(super) fn run(arguments: &Arguments) -> Outcome {
    let own = &arguments.input;
    let (compiler, mut job) = match own.open() {
        Ok(opened) => opened,
        Err(message) => return complain(message),
    };
    let written = WrittenCode::of(&job, &own.path);
    let origin = written.as_ref().map(|code| code.note(&shown::path(&own.path)));
    let code = written.filter(|code| !code.is_older).map(|code| own.with_path(code.path));
    if let Some(code) = &code {
        job = match code.open() {
            Ok((_, job)) => job,
            Err(message) => return complain(message),
        };
    }
    let input = code.as_ref().unwrap_or(own);
    let origin = match (origin, arguments.code.format) {
        (Some(origin), Format::Human) => format!("{origin}\n"),
        (Some(origin), Format::Json) => {
            note(origin);
            String::new()
        }
        (None, _) => String::new(),
    };
    let shows_moves = arguments.why || arguments.code.format == Format::Json;
    let detail = if shows_moves { Detail::Moves } else { Detail::Costs };
    match machine_code(&compiler, &job, detail, &Cancel::default()) {
        Ok(report) if report.ends_at.is_some() => {
            say_messages(&shown::path(&input.path), &report);
            print(&match arguments.code.format {
                Format::Json => json(&report, &[]),
                Format::Human => {
                    header(&compiler, &job, &report.target, &report.foreign, &report.command) + &report.isa
                }
            });
            Outcome::Clean
        }
        // What a RUN line prints may be metadata alone.
        Ok(report) if report.lines.is_empty() && !job.plan().is_compilation() => {
            input.complain(&job, "the file contains no code")
        }
        Ok(report) => {
            let path = shown::path(&input.path);
            let is_other = |asked: &&String| processor_name(asked) != report.target;
            if let Some(asked) = input.mcpu.as_ref().filter(is_other) {
                note(format!("{path} is for {} alone, not for {asked}", report.target));
            }
            say_messages(&path, &report);
            let cycles = match arguments.cycles {
                true => compiler.block_cycles(&report, &Limits::default(), &Cancel::default()),
                false => Ok(Vec::new()),
            };
            let cycles = match cycles {
                Ok(cycles) => cycles,
                Err(failure) => return complain(format!("{path}: {}", failure.sentence())),
            };
            print(&match arguments.code.format {
                Format::Json => json(&report, &cycles),
                Format::Human => {
                    let code = match (arguments.why, arguments.cycles) {
                        (true, _) => why(&report, &job.text),
                        (_, true) => cycles::table(&report, &cycles),
                        _ => human(&report, &job.text, is_colored(&std::io::stdout())),
                    };
                    origin
                        + &header(&compiler, &job, &report.target, &report.foreign, &report.command)
                        + &code
                }
            });
            match report.messages.iter().any(|m| m.is_error) {
                true => Outcome::ErrorsFound,
                false => Outcome::Clean,
            }
        }
        Err(failure) => input.complain(&job, &failure.sentence()),
    }
}

/// What the compiler said, next to what it made.
fn say_messages(path: &str, report: &Report) {
    for message in &report.messages {
        let place = message.line.map(|l| format!(":{}", l + 1)).unwrap_or_default();
        say(format!("{path}{place}: {}", message.text));
    }
}

#[derive(Serialize, Default)]
struct Line<'a> {
    text: &'a str,
    /// Line of the assembly, counted from 0.
    #[serde(skip)]
    number: u32,
    /// Counted from 1; absent where no source line is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_line: Option<u32>,
    /// Only instructions have these.
    #[serde(skip_serializing_if = "str::is_empty")]
    encoding: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    live: Option<Live>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<Cost>,
}

#[derive(Serialize)]
struct Isa<'a> {
    command: &'a str,
    target: &'a str,
    /// The option that ends compilation before assembly: the lines are what the compiler prints then.
    #[serde(skip_serializing_if = "Option::is_none")]
    ends_at: Option<&'a str>,
    /// The triple of code that is not for AMDGPU.
    #[serde(skip_serializing_if = "str::is_empty")]
    triple: &'a str,
    milliseconds: u64,
    /// How the source lines were found, where the compiler names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    experiments: Option<Experiments>,
    lines: Vec<Line<'a>>,
    /// Lines count from 1.
    sources: Vec<SourceLine>,
    kernels: &'a [KernelResources],
    /// Functions that are not kernels.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    functions: Vec<FunctionResources>,
    /// With `--cycles`; lines count from 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<cycles::Block<'a>>,
}

fn lines(report: &Report) -> Vec<Line<'_>> {
    let mut known = report.lines.iter().peekable();
    (0u32..)
        .zip(report.isa.lines())
        .map(|(number, text)| match known.next_if(|l| l.line == number) {
            Some(l) => Line {
                text,
                number,
                source_line: l.source.map(|n| n + 1),
                encoding: &l.encoding,
                live: Some(l.live),
                cost: l.cost,
            },
            None => Line { text, number, ..Line::default() },
        })
        .collect()
}

fn json(report: &Report, cycles: &[Option<BlockCycles>]) -> String {
    let sources = report.sources.iter().map(|s| SourceLine { line: s.line + 1, ..*s }).collect();
    let isa = Isa {
        command: &report.command,
        target: &report.target,
        ends_at: report.ends_at.as_deref(),
        triple: &report.foreign,
        milliseconds: report.milliseconds,
        experiments: report.experiments,
        lines: lines(report),
        sources,
        kernels: &report.kernels,
        functions: functions(&report.isa, &report.kernels),
        blocks: cycles::blocks(report, cycles),
    };
    shown::json(&isa) + "\n"
}

/// Instructions and the labels among them. The directives around them are in `--format json`.
fn code(report: &Report) -> Vec<Line<'_>> {
    let mut lines = lines(report);
    let Some(last) = lines.iter().rposition(|l| !l.encoding.is_empty()) else { return lines };
    lines.truncate(last + 1);
    lines.retain(|l| {
        let text = l.text.trim_start();
        let label = text.split(';').next().is_some_and(|t| t.trim_end().ends_with(':'));
        // Keys of the metadata look like labels.
        let is_key = text.starts_with("amdhsa.") || text.starts_with('.') && !text.starts_with(".LBB");
        let label = label && !is_key;
        !l.encoding.is_empty() || label || text.starts_with("; %bb.")
    });
    lines
}

/// Source line, live VGPRs (`*` where a kernel has most) and SGPRs, cycles of latency where known, encoding, text; then the kernels.
fn human(report: &Report, text: &str, is_colored: bool) -> String {
    if !report.foreign.is_empty() {
        return report.isa.clone();
    }
    let costs = report.lines.iter().any(|l| l.cost.is_some());
    // Most instructions have 8 bytes: the table fits 80 columns.
    let width = code(report).iter().map(|l| l.encoding.len()).max().unwrap_or(0).max("encoding".len());
    let cycles = |text: &str| if costs { format!(" {text:>6}") } else { String::new() };
    let row =
        |line: &str, (vgprs, peak): (&str, &str), sgprs: &str, latency: &str, encoding: &str, text: &str| {
            let row = format!(
                "{line:>6} {vgprs:>4}{peak:1}{sgprs:>4}{}  {encoding:<width$}  {text}",
                cycles(latency)
            );
            row.trim_end().to_owned() + "\n"
        };
    let styled = |line: &Line<'_>, row: String, is_peak: bool| match (is_colored, line.encoding.is_empty()) {
        (false, _) => row,
        (true, true) => format!("\u{1b}[1m{}\u{1b}[0m\n", row.trim_end()),
        (true, false) if is_peak => format!("\u{1b}[33m{}\u{1b}[0m\n", row.trim_end()),
        (true, false) => row.replacen(line.encoding, &format!("\u{1b}[2m{}\u{1b}[0m", line.encoding), 1),
    };
    let is_peak = |line: u32| report.kernels.iter().any(|k| k.peak.as_ref().is_some_and(|p| p.line == line));
    let number = |n: Option<u32>| n.map(|n| n.to_string()).unwrap_or_default();
    let mut out = row("line", ("VGPR", ""), "SGPR", "cycles", "encoding", "instruction");
    for line in code(report) {
        let peak = is_peak(line.number);
        let shown = row(
            &line.source_line.map_or_else(|| no_source(&line).to_owned(), |n| n.to_string()),
            (&number(line.live.map(|l| l.vgprs + l.agprs)), if peak { "*" } else { "" }),
            &number(line.live.map(|l| l.sgprs)),
            &number(line.cost.map(|c| c.latency)),
            line.encoding,
            &line.text.replacen('\t', "    ", 1).replace('\t', " "),
        );
        out.push_str(&styled(&line, shown, peak));
    }
    out.push('\n');
    if let Some(Experiments { tried, possible }) = report.experiments {
        let known = report.lines.iter().filter(|l| l.source.is_some()).count();
        out.push_str(&format!(
            "- source line not known: RADV names none, and {known} of {} are found by experiment ({tried} of {possible} operations tried)\n",
            report.lines.len()
        ));
    } else if report.lines.iter().any(|l| l.source.is_some())
        && report.lines.iter().any(|l| l.source.is_none())
    {
        out.push_str("- no source line: prologue, spills, scheduling, or merged from several lines\n");
    }
    if report.kernels.iter().any(|k| k.peak.is_some()) {
        let latency = if costs { "; cycles: latency of the instruction" } else { "" };
        out.push_str(&format!("VGPR, SGPR: registers that are live before the instruction{latency}\n"));
        out.push_str("* most VGPRs live in a kernel\n\n");
    }
    if !report.kernels.is_empty() {
        out.push_str(&table(&report.kernels, text));
    }
    out.push_str(&functions::table(&functions(&report.isa, &report.kernels)));
    out
}

/// The line column of an instruction without a source line; empty for labels.
fn no_source(line: &Line<'_>) -> &'static str {
    if line.encoding.is_empty() { "" } else { "-" }
}

/// What keeps a kernel from more waves: an attribute by its name and value, where only one can be it.
fn limited_by(kernel: &KernelResources, text: &str) -> String {
    const WAVES: &str = "amdgpu-waves-per-eu";
    const WORKGROUP: &str = "amdgpu-flat-work-group-size";
    let Some(limit) = kernel.limit else { return String::new() };
    if limit != Limit::Workgroup {
        return limit.name().to_owned();
    }
    let values = |name: &str| -> BTreeSet<&str> {
        let start = format!("\"{name}\"=\"");
        text.split(&start).skip(1).filter_map(|rest| rest.split('"').next()).collect()
    };
    let most = kernel.occupancy.to_string();
    let waves = values(WAVES).into_iter().filter(|value| value.split(',').nth(1) == Some(most.as_str()));
    let sizes = values(WORKGROUP);
    match (&waves.collect::<Vec<&str>>()[..], sizes.first().filter(|_| sizes.len() == 1)) {
        ([value], _) => format!("\"{WAVES}\"=\"{value}\""),
        ([], Some(value)) => format!("\"{WORKGROUP}\"=\"{value}\""),
        _ => "the size of workgroups".to_owned(),
    }
}

/// One row for each kernel, and what keeps it from more waves.
fn table(kernels: &[KernelResources], text: &str) -> String {
    let width = kernels.iter().map(|k| k.name.len()).max().unwrap_or(0).max("kernel".len());
    let mut out = format!(
        "{:<width$}  {:>5} {:>5} {:>5} {:>6} {:>7} {:>6} {:>6} {:>5}  limited by\n",
        "kernel", "VGPR", "AGPR", "SGPR", "spills", "scratch", "LDS", "bytes", "waves"
    );
    for k in kernels {
        let limit = limited_by(k, text);
        let gain = k.gain.map(|gain| format!(" ({})", gain.text(k.limit))).unwrap_or_default();
        out.push_str(&format!(
            "{:<width$}  {:>5} {:>5} {:>5} {:>6} {:>7} {:>6} {:>6} {:>5}  {limit}{gain}\n",
            k.name,
            k.vgprs,
            k.agprs,
            k.sgprs,
            k.spills(),
            k.scratch,
            k.lds,
            k.code_size,
            k.occupancy
        ));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_that_limits_is_named_where_only_one_can() {
        let kernel =
            |limit, occupancy| KernelResources { limit: Some(limit), occupancy, ..Default::default() };
        let limited = kernel(Limit::Workgroup, 3);
        let of = |text| limited_by(&limited, text);
        assert_eq!(of("\"amdgpu-waves-per-eu\"=\"2,3\""), "\"amdgpu-waves-per-eu\"=\"2,3\"");
        assert_eq!(
            of("\"amdgpu-waves-per-eu\"=\"2,3\" \"amdgpu-waves-per-eu\"=\"1,3\""),
            "the size of workgroups"
        );
        let size = "\"amdgpu-flat-work-group-size\"=\"1,64\"";
        assert_eq!(of(&format!("\"amdgpu-waves-per-eu\"=\"4,8\" {size}")), size);
        assert_eq!(limited_by(&kernel(Limit::Vgprs, 3), size), "VGPRs");
    }
}
