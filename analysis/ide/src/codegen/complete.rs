//! Completing a compiler's report: its assembly goes through this program's own reading of AMDGPU assembly.

use std::collections::BTreeMap;
use std::ops::Range;

use wavelens_base::finding::{Finding, findings_of_one};
use wavelens_base::{Options, TextSize};
use wavelens_codegen::{
    AddedMove, CodeBlock, IsaLine, KernelResources, Live, LiveValue, MoveKind, Peak, Report, SourceLine,
};

use crate::assembly::{
    BasicBlock, CodeFunction, CodeMove, Detail, GeneratedCode, lanes_by_line, read_generated,
};

/// Adds encodings, live registers, the instructions of source lines, and what limits each kernel. Returns what is wrong with the
/// assembly.
pub fn complete(report: &mut Report, options: &Options, detail: Detail) -> Vec<Finding> {
    if report.ends_at.is_some() {
        return Vec::new();
    }
    if !report.foreign.is_empty() {
        report.sources = sources(&report.lines);
        return Vec::new();
    }
    if report.lanes.is_empty() {
        report.lanes = lanes_by_line(&report.isa, &report.target, options);
    }
    let (code, findings) = read(report, options, detail);
    // What the assembly names goes before what was asked for.
    if let Some(target) = code.target() {
        report.target = target.to_owned();
    }
    add_lines(report, &code);
    if report.kernels.is_empty() {
        report.kernels = kernels(&code);
    }
    report.sources = sources(&report.lines);
    report.blocks = blocks(&code);
    add_kernels(report, &code);
    findings
}

/// The basic blocks of all functions.
fn blocks(code: &GeneratedCode) -> Vec<CodeBlock> {
    let all = code.functions.iter().flat_map(|f| f.blocks.iter().map(move |b| (f, b)));
    let block = |(function, block): (&CodeFunction, &BasicBlock)| {
        let lines = code.lines.get(block.lines.clone())?;
        Some(CodeBlock {
            function: function.name.clone(),
            name: block.name.clone(),
            first: lines.first()?.line,
            last: lines.last()?.line,
            loops: block.loops.clone(),
            repeats: block.repeats,
        })
    };
    all.filter_map(block).collect()
}

/// Reads the assembly: in one go, or each part with lanes of its own by itself.
fn read(report: &Report, options: &Options, detail: Detail) -> (GeneratedCode, Vec<Finding>) {
    let Some((first, _)) = report.lanes.first() else {
        let mut code = read_generated(&report.isa, &report.target, None, options, detail);
        let found = findings_of_one(std::mem::take(&mut code.diagnostics), TextSize::new(0), options);
        return (code, found);
    };
    let starts: Vec<usize> = std::iter::once(0)
        .chain(report.isa.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1))
        .collect();
    let offset = |line: u32| starts.get(line as usize).copied().unwrap_or(report.isa.len());
    let ends = report.lanes.iter().skip(1).map(|(line, _)| offset(*line)).chain([report.isa.len()]);
    let (mut code, mut found) = (GeneratedCode::default(), Vec::new());
    for ((line, lanes), end) in report.lanes.iter().zip(ends) {
        let start = if line == first { 0 } else { offset(*line) };
        let part = report.isa.get(start..end).unwrap_or("");
        let mut part = read_generated(part, &report.target, Some(*lanes), options, detail);
        found.extend(findings_of_one(
            std::mem::take(&mut part.diagnostics),
            TextSize::new(start as u32),
            options,
        ));
        code.append(part, if start == 0 { 0 } else { *line });
    }
    (code, found)
}

/// Encodings and live registers. The lines that the compiler's side listed keep their source; others are new.
fn add_lines(report: &mut Report, code: &GeneratedCode) {
    let mut known = std::mem::take(&mut report.lines).into_iter().peekable();
    let mut lines: Vec<IsaLine> = Vec::with_capacity(code.lines.len());
    for own in &code.lines {
        while let Some(unread) = known.next_if(|l| l.line < own.line) {
            lines.push(unread);
        }
        let hex = own.bytes.iter().map(|b| format!("{b:02x}"));
        match lines.last_mut().filter(|l| l.line == own.line) {
            // One line made several instructions.
            Some(line) => {
                line.encoding.extend(hex);
                line.opcode = None;
            }
            None => {
                let base = known.next_if(|l| l.line == own.line);
                let base = base.unwrap_or(IsaLine { line: own.line, ..IsaLine::default() });
                let opcode = Some(own.opcode);
                lines.push(IsaLine { encoding: hex.collect(), live: own.live, opcode, ..base });
            }
        }
    }
    lines.extend(known);
    report.lines = lines;
}

/// What each source line compiled to.
pub fn sources(lines: &[IsaLine]) -> Vec<SourceLine> {
    let mut found: BTreeMap<u32, SourceLine> = BTreeMap::new();
    for line in lines {
        let Some(source) = line.source else { continue };
        let entry = found.entry(source).or_insert(SourceLine { line: source, ..SourceLine::default() });
        entry.instructions += 1;
        entry.bytes += line.size();
        entry.live = entry.live.max(line.live);
    }
    found.into_values().collect()
}

/// The kernels of assembly that nothing else is known about: what their descriptors say, else the registers that are named.
fn kernels(code: &GeneratedCode) -> Vec<KernelResources> {
    code.functions.iter().filter_map(|f| Some(f.declared?.resources(&f.name, f.used))).collect()
}

/// The source line of an instruction, else of the nearest one before it in its function, else after it.
fn nearest(at: usize, function: &Range<usize>, source: impl Fn(usize) -> Option<u32>) -> Option<u32> {
    let before = (function.start..=at).rev().find_map(&source);
    before.or_else(|| (at..function.end).find_map(&source))
}

fn add_kernels(report: &mut Report, code: &GeneratedCode) {
    let line = |index: usize| code.lines.get(index).map(|l| l.line);
    let source = |index: usize| {
        let line = line(index)?;
        let at = report.lines.binary_search_by_key(&line, |l| l.line).ok()?;
        report.lines.get(at)?.source
    };
    for kernel in &mut report.kernels {
        let function = code.functions.iter().find(|f| f.name == kernel.name);
        // Where a call leaves the file the compiler says sums of symbols, which are in the assembly.
        if let Some((function, declared)) = function.and_then(|f| Some((f, f.declared?)))
            && (kernel.vgprs, kernel.sgprs) == (0, 0)
            && function.used != Live::default()
        {
            let found = declared.resources(&kernel.name, function.used);
            (kernel.vgprs, kernel.agprs, kernel.sgprs) = (found.vgprs, found.agprs, found.sgprs);
        }
        let occupancy = code.limit(function, kernel.registers(), kernel.lds, kernel.occupancy);
        kernel.occupancy = occupancy.waves;
        kernel.limit = occupancy.limit;
        kernel.gain = occupancy.gain;
        kernel.allocated = occupancy.allocated;
        let Some(function) = function else { continue };
        kernel.wave_size = function.lanes();
        if kernel.code_size == 0 {
            let lines = code.lines.get(function.lines.clone()).unwrap_or(&[]);
            kernel.code_size = lines.iter().map(|l| l.bytes.len() as u32).sum();
        }
        kernel.peak = code.lines.get(function.peak).map(|l| Peak {
            line: l.line,
            // An instruction without a line of its own belongs to what is around it, so that the peak always has a place.
            source: nearest(function.peak, &function.lines, source),
            live: l.live,
            most: function.most,
            values: function
                .values
                .iter()
                .map(|value| {
                    let writer = value.writers.last().copied();
                    LiveValue {
                        registers: value.registers.clone(),
                        written: writer.and_then(line),
                        source: writer.and_then(source),
                        size: value.size,
                        other_writers: value.writers.len().saturating_sub(1) as u32,
                        last_used: value.last_use.and_then(line),
                        last_source: value.last_use.and_then(source),
                    }
                })
                .collect(),
        });
        // A copy with a line of its own is what the user's text asks for.
        let is_added = |m: &&CodeMove| m.kind != MoveKind::Copy || source(m.at).is_none();
        let moves = function.moves.iter().filter(is_added).filter_map(|m| {
            let (kind, registers) = (m.kind, m.registers.clone());
            Some(AddedMove { kind, line: line(m.at)?, registers, source: m.origin.and_then(source) })
        });
        kernel.moves = moves.collect();
    }
}

#[cfg(test)]
mod tests {
    use wavelens_base::Severity;
    use wavelens_codegen::{Gain, Limit};

    use super::*;

    #[test]
    fn a_report_is_completed() {
        let isa = "\t.text\n\t.type k,@function\nk:\n\tv_mov_b32_e32 v1, 0\n\tv_mov_b32_e32 v2, v1\n\
                   \tglobal_store_dword v0, v2, s[0:1]\n\ts_endpgm\n";
        let line = |line, source| IsaLine { line, source: Some(source), ..IsaLine::default() };
        let mut report = Report {
            target: "gfx1030".to_owned(),
            isa: isa.to_owned(),
            lines: vec![line(3, 7), line(4, 7), line(5, 8), line(6, 9)],
            kernels: vec![KernelResources {
                name: "k".to_owned(),
                vgprs: 80,
                occupancy: 12,
                ..Default::default()
            }],
            ..Report::default()
        };
        complete(&mut report, &Options::default(), Detail::Costs);
        assert_eq!((report.lines[0].encoding.as_str(), report.lanes.len()), ("8002027e", 0));
        let sources: Vec<_> =
            report.sources.iter().map(|s| (s.line, s.instructions, s.bytes, s.live.vgprs)).collect();
        assert_eq!(sources, [(7, 2, 8, 2), (8, 1, 8, 2), (9, 1, 4, 0)]);
        let kernel = &report.kernels[0];
        assert_eq!(
            (kernel.limit, kernel.gain, kernel.code_size),
            (Some(Limit::Vgprs), Some(Gain { fewer: 16, more: 4 }), 20)
        );
        let peak = kernel.peak.as_ref().expect("a peak");
        assert_eq!((peak.line, peak.source, peak.values.len()), (4, Some(7), 2));
        assert_eq!(report.isa_lines_of(7).collect::<Vec<_>>(), [3, 4]);
    }

    #[test]
    fn registers_that_the_compiler_says_in_symbols_come_from_the_descriptor() {
        let isa = "\t.text\n\t.type k,@function\nk:\n\tv_mov_b32_e32 v40, 0\n\ts_endpgm\n\
                   \t.set k.num_vgpr, max(41, f.num_vgpr)\n\t.set f.num_vgpr, 44\n\
                   \t.amdhsa_kernel k\n\t\t.amdhsa_next_free_vgpr k.num_vgpr\n\t\t.amdhsa_next_free_sgpr 36\n\
                   \t.end_amdhsa_kernel\n";
        let kernel = KernelResources { name: "k".to_owned(), ..Default::default() };
        let mut report = Report {
            target: "gfx1030".to_owned(),
            isa: isa.to_owned(),
            kernels: vec![kernel],
            ..Report::default()
        };
        complete(&mut report, &Options::default(), Detail::Costs);
        assert_eq!((report.kernels[0].vgprs, report.kernels[0].sgprs), (44, 38));
    }

    #[test]
    fn kernels_have_waves_of_their_own_size() {
        let kernel = |name: &str, mask: &str, wave32: u32| {
            format!(
                "\t.type {name},@function\n{name}:\n\tv_cmp_eq_u32_e32 {mask}, v0, v1\n\ts_endpgm\n\
                 \t.amdhsa_kernel {name}\n\t\t.amdhsa_next_free_vgpr 80\n\t\t.amdhsa_next_free_sgpr 8\n\
                 \t\t.amdhsa_wavefront_size32 {wave32}\n\t.end_amdhsa_kernel\n\t.text\n"
            )
        };
        let called = "\t.type f,@function\nf:\n\tv_cmp_eq_u32_e32 vcc, v0, v1\n\ts_setpc_b64 s[30:31]\n";
        let (a, b, c) = (kernel("a", "vcc_lo", 1), kernel("b", "vcc", 0), kernel("c", "vcc_lo", 1));
        // The metadata follow all functions.
        let a = a.replace("_kernel a\n", "_kernel a\n\t\t.amdhsa_group_segment_fixed_size 65536\n");
        let metadata = "\t.amdgpu_metadata\namdhsa.kernels:\n  - .max_flat_workgroup_size: 64\n    .name: a\namdhsa.version:\n  - 1\n  - 2\n...\n\t.end_amdgpu_metadata\n";
        let isa = format!("\t.text\n{a}{called}{b}{c}\ts_foo 1\n{metadata}");
        let mut report = Report { target: "gfx1030".to_owned(), isa, ..Report::default() };
        let found = complete(&mut report, &Options::default(), Detail::Costs);
        // The metadata have only what is read of them.
        let is_code = |f: &&Finding| f.severity == Severity::Error && !f.message.starts_with("missing key");
        let errors = found.iter().filter(is_code);
        let errors: Vec<_> =
            errors.map(|f| (&report.isa[std::ops::Range::from(f.range)], f.message.as_str())).collect();
        assert_eq!(errors, [("s_foo", "unknown instruction `s_foo`")]);
        let kernels: Vec<_> = report.kernels.iter().map(|k| (k.name.as_str(), k.occupancy)).collect();
        assert_eq!(kernels, [("a", 1), ("b", 6), ("c", 12)]);
        assert_eq!(report.lanes.iter().map(|(_, lanes)| *lanes).collect::<Vec<_>>(), [32, 64, 32]);
        assert!(report.lines.iter().all(|l| !l.encoding.is_empty()));
    }
}
