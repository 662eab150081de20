//! Cycles of blocks by the scheduling model of `llvm-mca`: one wave that runs alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::includes::opens_files;
use crate::llc::run_tool;
use crate::mc::{arguments, has_both_sizes, lanes};
use crate::process::{Cancel, Limits};
use crate::report::{CodeBlock, Failure, Report, is_zero};
use crate::tools::Tool;

/// What the model says of a block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct BlockCycles {
    /// From the first instruction to the last result, when it runs once.
    pub cycles: u32,
    /// Of a loop that is this block alone: cycles for each iteration, once it runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub iteration: Option<f64>,
    /// Cycles that the busiest unit takes for it, whatever the latencies.
    pub issue: f64,
    /// That unit: `VALU`, `VMEM` and the like.
    pub unit: String,
    /// Line of the assembly with the instruction of the greatest latency, where waiting takes most of the cycles.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub waits_for: Option<u32>,
    /// The latency of that instruction.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub latency: u32,
}

/// Iterations from which the time of one is taken.
const ITERATIONS: u32 = 20;

/// The cycles of a report's blocks, in their order; `None` for a block that the model does not cover.
///
/// # Errors
/// When `llvm-mca` could not be run to its end, or refuses the text.
pub fn block_cycles(
    report: &Report,
    llvm_mca: &Tool,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<Option<BlockCycles>>, Failure> {
    let lines: Vec<Vec<u32>> = report.blocks.iter().map(|block| instructions(report, block)).collect();
    let mut is_left_out = vec![false; lines.len()];
    let (mut text, mut blocks) = regions(report, &lines, &is_left_out);
    // It reads waves of one size in one text, and would open what the document includes.
    if has_both_sizes(report) || opens_files(&text) {
        return Ok(vec![None; report.blocks.len()]);
    }
    let ask = |text: &str, iterations: u32| {
        let mut arguments = arguments(&report.target, lanes(report));
        arguments.extend(["-mtriple=amdgcn-amd-amdhsa", "--json"].map(str::to_owned));
        arguments.push(format!("-iterations={iterations}"));
        let output = run_tool(llvm_mca, &arguments, text.as_bytes(), limits, cancel)?;
        Ok(serde_json::from_slice::<Value>(&output.stdout).unwrap_or_default())
    };
    // What it does not read costs the figures of its block, not those of all: each round leaves out a block more.
    let once = loop {
        if text.is_empty() {
            return Ok(vec![None; report.blocks.len()]);
        }
        match ask(&text, 1) {
            Err(Failure::Rejected(messages)) => {
                let errors = messages.iter().filter(|m| m.is_error);
                let refused: Vec<usize> =
                    errors.filter_map(|m| blocks.get(m.line? as usize).copied()).collect();
                if refused.is_empty() {
                    return Err(Failure::Rejected(messages));
                }
                refused.into_iter().for_each(|block| is_left_out[block] = true);
                (text, blocks) = regions(report, &lines, &is_left_out);
            }
            answer => break answer?,
        }
    };
    let mut found = read(&once, &lines);
    if report.blocks.iter().any(|block| block.repeats) {
        let many = read(&ask(&text, ITERATIONS + 1)?, &lines);
        for ((block, once), many) in report.blocks.iter().zip(&mut found).zip(many) {
            if let (Some(once), Some(many)) = (once, many)
                && block.repeats
            {
                let more = many.cycles.saturating_sub(once.cycles);
                once.iteration = Some(f64::from(more) / f64::from(ITERATIONS));
            }
        }
    }
    Ok(found)
}

/// The text that is asked about, and the block of each of its lines.
fn regions(report: &Report, lines: &[Vec<u32>], is_left_out: &[bool]) -> (String, Vec<usize>) {
    let texts: Vec<&str> = report.isa.lines().collect();
    let (mut text, mut blocks) = (String::new(), Vec::new());
    for (number, lines) in lines.iter().enumerate().filter(|(number, _)| !is_left_out[*number]) {
        let begin = format!("# LLVM-MCA-BEGIN b{number}");
        let end = format!("# LLVM-MCA-END b{number}");
        let own = lines.iter().filter_map(|line| texts.get(*line as usize).copied());
        for line in std::iter::once(&*begin).chain(own).chain(std::iter::once(&*end)) {
            text.push_str(line);
            text.push('\n');
            blocks.push(number);
        }
    }
    (text, blocks)
}

/// The lines of a block's instructions.
fn instructions(report: &Report, block: &CodeBlock) -> Vec<u32> {
    let first = report.lines.partition_point(|l| l.line < block.first);
    let inside = report.lines[first..].iter().take_while(|l| l.line <= block.last);
    inside.filter(|l| !l.encoding.is_empty()).map(|l| l.line).collect()
}

/// The regions of an answer by the number in their names.
fn read(answer: &Value, lines: &[Vec<u32>]) -> Vec<Option<BlockCycles>> {
    let list =
        |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let units = list(&answer["TargetInfo"], "Resources");
    let mut found = vec![None; lines.len()];
    for region in list(answer, "CodeRegions") {
        let name = region["Name"].as_str().and_then(|n| n.strip_prefix('b')?.parse::<usize>().ok());
        let Some((slot, lines)) = name.and_then(|n| Some((found.get_mut(n)?, lines.get(n)?))) else {
            continue;
        };
        let infos = list(&region["InstructionInfoView"], "InstructionList");
        // A line that made several instructions would shift the others.
        if infos.len() != lines.len() {
            continue;
        }
        let Some(cycles) = region["SummaryView"]["TotalCycles"].as_u64() else { continue };
        let pressure = list(&region["ResourcePressureView"], "ResourcePressureInfo");
        let of_all = pressure.iter().filter(|p| p["InstructionIndex"].as_u64() == Some(lines.len() as u64));
        let usage = of_all.filter_map(|p| {
            let unit = units.get(p["ResourceIndex"].as_u64()? as usize)?.as_str()?;
            // Every instruction with a result takes the port that writes it.
            (unit != "HWRC").then_some((p["ResourceUsage"].as_f64()?, unit))
        });
        let (issue, unit) = usage.fold((0.0, ""), |best, next| if next.0 > best.0 { next } else { best });
        // Nothing waits for what a store returns.
        let is_store = |i: &Value| i["mayStore"] == Value::Bool(true) && i["mayLoad"] != Value::Bool(true);
        let waited = infos.iter().zip(lines).filter(|(i, _)| !is_store(i));
        let latencies = waited.map(|(i, line)| (i["Latency"].as_u64().unwrap_or(0) as u32, line));
        // The first of the greatest.
        let slowest = latencies.rev().max_by_key(|(latency, _)| *latency);
        let waits = slowest.filter(|_| cycles as f64 > 2.0 * issue);
        *slot = Some(BlockCycles {
            cycles: cycles as u32,
            iteration: None,
            issue,
            unit: unit.trim_start_matches("HW").to_owned(),
            waits_for: waits.map(|(_, line)| *line),
            latency: waits.map_or(0, |(latency, _)| latency),
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::IsaLine;
    use crate::tools::Tools;
    use wavelens_test_support::required;

    #[test]
    fn a_block_that_cannot_be_read_has_no_figures() {
        let tools = Tools::find(None);
        let Some(llvm_mca) = tools.llvm_mca() else {
            required::skip("llvm-mca is not installed");
            return;
        };
        let block =
            |name: &str, at| CodeBlock { name: name.to_owned(), first: at, last: at, ..CodeBlock::default() };
        let line = |line| IsaLine { line, encoding: "00".to_owned(), ..IsaLine::default() };
        let report = Report {
            target: "gfx1100".to_owned(),
            isa: "v_mov_b32 v0, v1\nv_of_tomorrow v0\nv_mov_b32 v2, v3\n".to_owned(),
            lines: vec![line(0), line(1), line(2)],
            blocks: vec![block("a", 0), block("b", 1), block("c", 2)],
            ..Report::default()
        };
        let found = block_cycles(&report, llvm_mca, &Limits::default(), &Cancel::default());
        let is_known: Vec<bool> = found.expect("it answers").iter().map(Option::is_some).collect();
        assert_eq!(is_known, [true, false, true]);
    }

    #[test]
    fn regions_are_read() {
        let answer = serde_json::json!({
            "TargetInfo": { "Resources": ["HWBranch", "HWRC", "HWVALU", "HWVMEM"] },
            "CodeRegions": [{
                "Name": "b1",
                "InstructionInfoView": { "InstructionList": [{ "Latency": 5 }, { "Latency": 320 }] },
                "SummaryView": { "TotalCycles": 333 },
                "ResourcePressureView": { "ResourcePressureInfo": [
                    { "InstructionIndex": 0, "ResourceIndex": 2, "ResourceUsage": 9 },
                    { "InstructionIndex": 2, "ResourceIndex": 1, "ResourceUsage": 2 },
                    { "InstructionIndex": 2, "ResourceIndex": 2, "ResourceUsage": 1.5 },
                    { "InstructionIndex": 2, "ResourceIndex": 3, "ResourceUsage": 1 }
                ] }
            }]
        });
        let found = read(&answer, &[vec![1], vec![7, 9]]);
        assert_eq!(found[0], None);
        let block = found[1].as_ref().expect("cycles");
        assert_eq!((block.cycles, block.issue, block.unit.as_str()), (333, 1.5, "VALU"));
        assert_eq!((block.waits_for, block.latency), (Some(9), 320));
        assert_eq!(read(&answer, &[vec![1], vec![7]])[1], None);
    }
}
