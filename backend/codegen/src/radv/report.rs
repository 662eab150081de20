//! What the driver captured, as a report.

use std::time::{Duration, Instant};

use super::client::Workers;
use super::lines::Attribution;
use super::twins::Source;
use super::{Executable, PipelineRequest};
use crate::process::{Cancel, Limits};
use crate::report::{Experiments, Failure, Input, IsaLine, KernelResources, Report, Request};

/// How long experiments that tell source lines may take.
const EXPERIMENTS: Duration = Duration::from_millis(2000);

/// Compiles a Vulkan module. Blocks.
pub fn compile(
    request: &Request,
    workers: &Workers,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Report, Failure> {
    let Input::Words(words) = &request.input else {
        return Err(Failure::NotCompiled("the driver takes words of SPIR-V".to_owned()));
    };
    let start = Instant::now();
    let source = Source::read(words);
    let compile = |words: Vec<u32>, limits: &Limits, cancel: &Cancel| {
        let pipeline = PipelineRequest { words, entry_points: Vec::new() };
        workers.compile(&request.target, &pipeline, limits, cancel)
    };
    let executables = compile(source.words.clone(), limits, cancel)?;
    let mut attributions: Vec<_> = executables.iter().map(|e| Attribution::new(&e.assembly)).collect();
    let begin = Instant::now();
    // To cancel one of these would end the driver's process, which the next compilation needs.
    let (short, uncancelled) = (Limits { time: EXPERIMENTS, ..*limits }, Cancel::default());
    let mut tried = 0;
    'operations: for operation in source.operations.iter().take_while(|_| begin.elapsed() < EXPERIMENTS) {
        for twin in &operation.twins {
            if cancel.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let others = match compile(source.with_twin(operation, twin), &short, &uncancelled) {
                Ok(others) if others.len() == executables.len() => others,
                Ok(_) | Err(Failure::Refused(_) | Failure::Crashed { .. }) => continue,
                // Another time it may be known.
                Err(_) => break 'operations,
            };
            let mut is_told = false;
            for (attribution, other) in attributions.iter_mut().zip(&others) {
                is_told |= attribution.compare(operation.line, &other.assembly);
            }
            if is_told {
                break;
            }
        }
        tried += 1;
    }
    let mut report = Report {
        target: request.target.clone(),
        command: workers.shown(&request.target),
        milliseconds: start.elapsed().as_millis() as u64,
        experiments: (!source.operations.is_empty())
            .then_some(Experiments { tried, possible: source.operations.len() as u32 }),
        ..Report::default()
    };
    let known = attributions.iter().flat_map(Attribution::lines).flatten().count();
    if let Some(Experiments { tried, possible }) = report.experiments {
        report.isa = format!(
            "\t; RADV names no source lines. {known} instructions have one by experiment: {tried} of {possible} operations\n\
             \t; were replaced one by one, and the machine code compared.\n"
        );
    }
    let mut line = report.isa.matches('\n').count() as u32;
    for (index, executable) in executables.iter().enumerate() {
        let name = label(executable, executables.iter().take(index).map(|e| e.entry.as_str()));
        let text = format!(
            "\t; {}, wave{}\n\t.type\t{name},@function\n{name}:\n{}\n",
            executable.name,
            executable.subgroup_size,
            code(&executable.assembly, index)
        );
        report.lanes.push((line, executable.subgroup_size));
        // After the stage, its type and its label.
        let sources = (line + 3..).zip(attributions.get(index).into_iter().flat_map(Attribution::lines));
        let with_source = sources.filter(|(_, source)| source.is_some());
        report.lines.extend(with_source.map(|(line, source)| IsaLine { line, source, ..IsaLine::default() }));
        line += text.matches('\n').count() as u32;
        report.isa.push_str(&text);
        report.kernels.push(resources(name, executable));
    }
    Ok(report)
}

/// The entry point's name, with the stage when another stage has the same.
fn label<'e>(executable: &Executable, mut before: impl Iterator<Item = &'e str>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let entry: String = executable.entry.chars().map(plain).collect();
    if entry.is_empty() || before.any(|b| b == executable.entry) {
        let stage: String = executable.name.to_lowercase().chars().map(plain).collect();
        return format!("{entry}.{stage}");
    }
    entry
}

/// The disassembly without its encodings, which are found again; labels are made the stage's own.
fn code(assembly: &str, stage: usize) -> String {
    let mut out = String::with_capacity(assembly.len());
    for line in assembly.lines() {
        let text = line.split(" ; ").next().unwrap_or(line).trim_end();
        let mut rest = text;
        while let Some(at) = rest.find("BB") {
            let (before, label) = rest.split_at(at);
            let digits = label.get(2..).map_or(0, |l| l.bytes().take_while(u8::is_ascii_digit).count());
            out.push_str(before);
            match digits {
                0 => out.push_str("BB"),
                _ => out.push_str(&format!(".LBB{stage}_{}", label.get(2..2 + digits).unwrap_or(""))),
            }
            rest = label.get(2 + digits..).unwrap_or("");
        }
        out.push_str(rest);
        out.push('\n');
    }
    out
}

/// The driver's statistics.
fn resources(name: String, executable: &Executable) -> KernelResources {
    let statistic = |name: &str| u32::try_from(executable.statistic(name)).unwrap_or(u32::MAX);
    KernelResources {
        name,
        vgprs: statistic("VGPRs"),
        sgprs: statistic("SGPRs"),
        vgpr_spills: statistic("Spilled VGPRs"),
        sgpr_spills: statistic("Spilled SGPRs"),
        scratch: statistic("Scratch size"),
        lds: statistic("LDS size"),
        code_size: statistic("Code size"),
        occupancy: statistic("Subgroups per SIMD"),
        ..KernelResources::default()
    }
}
