//! `wavelens isa --cycles`: cycles of each block and loop, by the scheduling model of `llvm-mca`.

use serde::Serialize;
use wavelens_codegen::cycles::BlockCycles;
use wavelens_codegen::{CodeBlock, Report};

/// A block with its cycles.
#[derive(Debug, Serialize)]
pub(super) struct Block<'a> {
    #[serde(flatten)]
    block: &'a CodeBlock,
    #[serde(flatten)]
    cycles: Option<&'a BlockCycles>,
}

pub(super) fn blocks<'a>(report: &'a Report, cycles: &'a [Option<BlockCycles>]) -> Vec<Block<'a>> {
    let pairs = report.blocks.iter().zip(cycles);
    pairs.map(|(block, cycles)| Block { block, cycles: cycles.as_ref() }).collect()
}

/// One table for each function, then its loops.
pub(super) fn table(report: &Report, cycles: &[Option<BlockCycles>]) -> String {
    let isa: Vec<&str> = report.isa.lines().collect();
    let before = |line: u32| line.checked_sub(1).and_then(|n| isa.get(n as usize)).copied().unwrap_or("");
    let text = |line: u32| {
        let text = isa.get(line as usize).copied().unwrap_or("");
        text.split_whitespace().next().unwrap_or("").to_owned()
    };
    let mut out = String::new();
    let blocks = blocks(report, cycles);
    for function in blocks.chunk_by(|a, b| a.block.function == b.block.function) {
        let Some(first) = function.first() else { continue };
        out.push_str(&format!(
            "\n{}\n  {:<24} {:>9} {:>5} {:>8} {:>6}  limited by\n",
            first.block.function, "block", "lines", "loops", "cycles", "issue"
        ));
        for Block { block, cycles } in function {
            let (name, depth) = (named(&block.name, before(block.first)), block.loops.len());
            let lines = source_lines(report, block);
            let Some(c) = cycles else {
                out.push_str(&format!(
                    "  {name:<24} {lines:>9} {depth:>5} {:>8} {:>6}  not known\n",
                    "-", "-"
                ));
                continue;
            };
            let limit = match c.waits_for {
                Some(line) => format!("latency, at most that of {} ({} cycles)", text(line), c.latency),
                None => format!("{} unit", c.unit),
            };
            let iteration =
                c.iteration.map(|n| format!("; {n:.1} cycles for each iteration")).unwrap_or_default();
            let issue = format!("{:.1}", c.issue);
            out.push_str(&format!(
                "  {name:<24} {lines:>9} {depth:>5} {:>8} {issue:>6}  {limit}{iteration}\n",
                c.cycles
            ));
        }
        out.push_str(&loops(function));
    }
    out.push_str("\nOne wave alone, by the scheduling model of llvm-mca: latencies of memory are assumed, and waits for other waves are not counted.\n");
    out
}

/// A block's name with that of the block in the source, which `llc` prints as a comment in the line before the instructions.
fn named(name: &str, before: &str) -> String {
    let mut parts = before.split(';').map(str::trim).filter(|part| !part.is_empty());
    let label = parts.next().map_or("", |part| part.trim_end_matches(':'));
    let block = parts.next().filter(|part| part.starts_with('%')).and_then(|part| part.split(' ').next());
    match label.strip_prefix('%') {
        Some(label) if label.starts_with("bb.") => {
            format!("{label} {}", block.unwrap_or("")).trim().to_owned()
        }
        _ if label == name => format!("{name} {}", block.unwrap_or("")).trim().to_owned(),
        _ => name.to_owned(),
    }
}

/// The first and the last line of the source that a block comes from.
fn source_lines(report: &Report, block: &CodeBlock) -> String {
    let inside = report.lines.iter().filter(|l| (block.first..=block.last).contains(&l.line));
    let lines: Vec<u32> = inside.filter_map(|l| l.source).collect();
    match (lines.iter().min(), lines.iter().max()) {
        (Some(first), Some(last)) if first < last => format!("{}-{}", first + 1, last + 1),
        (Some(only), _) => (only + 1).to_string(),
        _ => "-".to_owned(),
    }
}

/// What the blocks of each loop take together, each run once.
fn loops(function: &[Block<'_>]) -> String {
    let mut out = String::new();
    let mut headers: Vec<&str> =
        function.iter().flat_map(|b| b.block.loops.iter().map(String::as_str)).collect();
    headers.sort_unstable();
    headers.dedup();
    for header in headers {
        let inside = || function.iter().filter(|b| b.block.loops.iter().any(|l| l == header));
        let count = inside().count();
        if count < 2 {
            continue;
        }
        match inside().map(|b| Some(b.cycles?.cycles)).sum::<Option<u32>>() {
            Some(sum) => {
                out.push_str(&format!("  loop at {header}: {count} blocks, {sum} cycles if each runs once\n"))
            }
            None => out.push_str(&format!("  loop at {header}: {count} blocks, cycles not known\n")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn blocks_and_loops_have_cycles() {
        let block = |name: &str, first, loops: &[&str]| CodeBlock {
            function: "k".to_owned(),
            name: name.to_owned(),
            first,
            last: first,
            loops: loops.iter().map(|l| (*l).to_owned()).collect(),
            repeats: false,
        };
        let report = Report {
            isa: "k:\n\ts_nop 0\n\tglobal_load_dword v0, v0, s[0:1]\n\tv_add_f32 v0, v0, v0\n\ts_endpgm\n"
                .to_owned(),
            blocks: vec![
                block("entry", 1, &[]),
                block(".LBB0_1", 2, &[".LBB0_1"]),
                block(".LBB0_2", 3, &[".LBB0_1"]),
                block(".LBB0_3", 4, &[]),
            ],
            ..Report::default()
        };
        let of = |cycles, waits_for| {
            Some(BlockCycles {
                cycles,
                issue: 2.0,
                unit: "VALU".to_owned(),
                waits_for,
                latency: 320,
                ..BlockCycles::default()
            })
        };
        let cycles = [of(4, None), of(330, Some(2)), of(8, None), None];
        expect![[r#"

            k
              block                        lines loops   cycles  issue  limited by
              entry                            -     0        4    2.0  VALU unit
              .LBB0_1                          -     1      330    2.0  latency, at most that of global_load_dword (320 cycles)
              .LBB0_2                          -     1        8    2.0  VALU unit
              .LBB0_3                          -     0        -      -  not known
              loop at .LBB0_1: 2 blocks, 338 cycles if each runs once

            One wave alone, by the scheduling model of llvm-mca: latencies of memory are assumed, and waits for other waves are not counted.
        "#]].assert_eq(&table(&report, &cycles));
    }
}
