//! A second opinion on AMDGPU assembly: `llvm-mc` on encodings, `llvm-mca` on latency and throughput.

use serde_json::Value;

use crate::llc::{run_tool, target_arguments};
use crate::process::{Cancel, Limits};
use crate::report::{Cost, Failure, Message, Report};
use crate::tools::Tool;

/// Bytes of one instruction; `None` for those that a relocation fills.
type Bytes = Vec<Option<u8>>;

/// The processor, and the wave size that the assembly declares, which these programs are told on the command line.
fn target(report: &Report) -> Vec<String> {
    let declared = report.isa.split_once(".amdhsa_wavefront_size32").map(|(_, rest)| rest.trim_start());
    let read_as = report.lanes.first().map(|(_, lanes)| *lanes);
    let wave64 = read_as.map_or(declared.is_some_and(|value| value.starts_with('0')), |lanes| lanes == 64);
    let attribute = wave64.then(|| "-mattr=+wavefrontsize64".to_owned());
    target_arguments(&report.target).into_iter().chain(attribute).collect()
}

/// Assembles the report's text with `llvm-mc` and compares, instruction by instruction, with the encodings in the report.
/// A difference is a mistake of ours: one message each, the first 20.
///
/// # Errors
/// When `llvm-mc` could not be run to its end, or refuses the text.
pub fn confirm(
    report: &Report,
    llvm_mc: &Tool,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Vec<Message>, Failure> {
    let mut arguments = target(report);
    arguments.extend(["-triple=amdgcn-amd-amdhsa".to_owned(), "-show-encoding".to_owned()]);
    let output = run_tool(llvm_mc, &arguments, report.isa.as_bytes(), limits, cancel)?;
    let theirs = encodings(&String::from_utf8_lossy(&output.stdout));
    Ok(differences(report, &theirs))
}

/// The bytes after `; encoding:` on each line that has them.
fn encodings(text: &str) -> Vec<Bytes> {
    let byte = |word: &str| word.trim().strip_prefix("0x").and_then(|hex| u8::from_str_radix(hex, 16).ok());
    text.lines()
        .filter_map(|l| l.split_once("; encoding: [")?.1.split_once(']'))
        .map(|(bytes, _)| bytes.split(',').map(byte).collect())
        .collect()
}

fn differences(report: &Report, theirs: &[Bytes]) -> Vec<Message> {
    const SHOWN: usize = 20;
    let message = |line, text| Message { line, is_error: false, text };
    let mut theirs = theirs.iter();
    let mut found = Vec::new();
    for line in report.lines.iter().filter(|l| !l.encoding.is_empty()) {
        let ours: Vec<u8> = hex(&line.encoding);
        // One line may hold several instructions.
        let mut at = 0;
        while at < ours.len() {
            let Some(their) = theirs.next() else {
                found.push(message(Some(line.line), "llvm-mc makes fewer instructions".to_owned()));
                return found;
            };
            let own = ours.get(at..at + their.len()).unwrap_or(&[]);
            if own.len() != their.len() || own.iter().zip(their).any(|(a, b)| b.is_some_and(|b| b != *a)) {
                let spelled: String =
                    their.iter().map(|b| b.map_or("??".to_owned(), |b| format!("{b:02x}"))).collect();
                found.push(message(
                    Some(line.line),
                    format!("llvm-mc encodes this as {spelled}, the built-in encoder as {}", line.encoding),
                ));
                if found.len() == SHOWN || own.len() != their.len() {
                    return found;
                }
            }
            at += their.len().max(1);
        }
    }
    if theirs.next().is_some() {
        found.push(message(None, "llvm-mc makes more instructions than the built-in encoder".to_owned()));
    }
    found
}

fn hex(text: &str) -> Vec<u8> {
    let digits = |at: usize| text.get(at..at + 2).and_then(|d| u8::from_str_radix(d, 16).ok());
    (0..text.len()).step_by(2).filter_map(digits).collect()
}

/// Adds what the scheduling model says of each instruction. Text that `llvm-mca` cannot read changes nothing.
///
/// # Errors
/// When `llvm-mca` could not be run to its end, or refuses the text.
pub fn add_costs(
    report: &mut Report,
    llvm_mca: &Tool,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<(), Failure> {
    let mut arguments = target(report);
    let fixed = ["-mtriple=amdgcn-amd-amdhsa", "--json", "-instruction-tables", "-resource-pressure=0"];
    arguments.extend(fixed.map(str::to_owned));
    let output = run_tool(llvm_mca, &arguments, report.isa.as_bytes(), limits, cancel)?;
    let costs = costs(&String::from_utf8_lossy(&output.stdout));
    // Lines that hold several instructions make the count differ; then nothing is said.
    let own = report.lines.iter_mut().filter(|l| !l.encoding.is_empty());
    if costs.len() == own.count() {
        let own = report.lines.iter_mut().filter(|l| !l.encoding.is_empty());
        own.zip(costs).for_each(|(line, cost)| line.cost = Some(cost));
    }
    Ok(())
}

/// The instructions of all regions, in order.
fn costs(json: &str) -> Vec<Cost> {
    let value: Value = serde_json::from_str(json).unwrap_or_default();
    let regions = value.get("CodeRegions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    regions
        .iter()
        .filter_map(|r| r.get("InstructionInfoView")?.get("InstructionList")?.as_array())
        .flatten()
        .filter_map(|i| {
            let latency = u32::try_from(i.get("Latency")?.as_u64()?).ok()?;
            Some(Cost { latency, throughput: i.get("RThroughput")?.as_f64()? })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::IsaLine;

    fn report(encodings: &[&str]) -> Report {
        let line = |(line, encoding): (u32, &&str)| IsaLine {
            line,
            encoding: (*encoding).to_owned(),
            ..IsaLine::default()
        };
        Report { lines: (0..).zip(encodings).map(line).collect(), ..Report::default() }
    }

    #[test]
    fn differences_are_said_by_line() {
        let theirs = encodings(
            "\ts_nop 0 ; encoding: [0x00,0x00,0x80,0xbf]\nx:\n\ts_branch x ; encoding: [A,A,0x82,0xbf]\n",
        );
        assert_eq!(differences(&report(&["000080bf", "000082bf"]), &theirs), []);
        // Two instructions of one line.
        assert_eq!(differences(&report(&["000080bf000082bf"]), &theirs), []);
        let texts = |encodings: &[&str]| {
            differences(&report(encodings), &theirs).into_iter().map(|m| (m.line, m.text)).collect::<Vec<_>>()
        };
        let different = "llvm-mc encodes this as 000080bf, the built-in encoder as 010080bf".to_owned();
        assert_eq!(texts(&["010080bf", "000082bf"]), [(Some(0), different)]);
        assert_eq!(
            texts(&["000080bf"]),
            [(None, "llvm-mc makes more instructions than the built-in encoder".to_owned())]
        );
    }

    #[test]
    fn costs_are_read() {
        let json = r#"{"CodeRegions":[{"InstructionInfoView":{"InstructionList":[{"Latency":5,"RThroughput":1},{"Latency":320,"RThroughput":0.5}]}}]}"#;
        let found: Vec<_> = costs(json).iter().map(|c| (c.latency, c.throughput)).collect();
        assert_eq!(found, [(5, 1.0), (320, 0.5)]);
        assert_eq!(costs("oh no"), []);
    }
}
