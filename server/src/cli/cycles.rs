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
    let text = |line: u32| {
        let text = isa.get(line as usize).copied().unwrap_or("");
        text.split_whitespace().next().unwrap_or("").to_owned()
    };
    let mut out = String::new();
    let blocks = blocks(report, cycles);
    for function in blocks.chunk_by(|a, b| a.block.function == b.block.function) {
        let Some(first) = function.first() else { continue };
        out.push_str(&format!(
            "\n{}\n  {:<16} {:>6} {:>5} {:>8} {:>6}  limited by\n",
            first.block.function, "block", "line", "loops", "cycles", "issue"
        ));
        for Block { block, cycles } in function {
            let (name, line, depth) = (&block.name, block.first + 1, block.loops.len());
            let Some(c) = cycles else {
                out.push_str(&format!(
                    "  {name:<16} {line:>6} {depth:>5} {:>8} {:>6}  not known\n",
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
                "  {name:<16} {line:>6} {depth:>5} {:>8} {issue:>6}  {limit}{iteration}\n",
                c.cycles
            ));
        }
        out.push_str(&loops(function));
    }
    out.push_str("\nOne wave alone, by the scheduling model of llvm-mca: latencies of memory are assumed, and waits for other waves are not counted.\n");
    out
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
              block              line loops   cycles  issue  limited by
              entry                 2     0        4    2.0  VALU unit
              .LBB0_1               3     1      330    2.0  latency, at most that of global_load_dword (320 cycles)
              .LBB0_2               4     1        8    2.0  VALU unit
              .LBB0_3               5     0        -      -  not known
              loop at .LBB0_1: 2 blocks, 338 cycles if each runs once

            One wave alone, by the scheduling model of llvm-mca: latencies of memory are assumed, and waits for other waves are not counted.
        "#]].assert_eq(&table(&report, &cycles));
    }
}
