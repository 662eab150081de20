//! What a document compiled to, shown at its lines: hints with the instructions of a line, the place where most registers are
//! live, and a lens with the resources of each kernel.

use std::cmp::Reverse;

use lsp_types::{CodeLens, InlayHint, InlayHintLabel, InlayHintTooltip, Position};
use wavelens_base::TextRange;
use wavelens_codegen::remarks::{Remark, RemarkKind};
use wavelens_codegen::{Allocated, KernelResources, Limit, LiveValue, Peak, SourceCosts, SourceLine};
use wavelens_ide::db::View;
use wavelens_ide::features::{self, Symbol};

use super::commands;
use super::config::Hints;
use super::convert::markup;
use super::hints::rank;
use super::snapshot::DocumentView;

/// Lines of a tooltip that name live values.
const VALUES: usize = 24;

/// Machine instructions of one line from which on they are worth a look: most instructions of LLVM IR take up to three.
const MANY_INSTRUCTIONS: u32 = 8;

/// Lines with the most instructions that have a hint among those within [`NEAR`] lines: on a screen with five small kernels, each
/// with its peak, all would be 15 hints; of three lines they are 9, and of two 8.
const MOST_NEAR: usize = 2;

/// Half a screen.
const NEAR: u32 = 23;

/// The hints in a range, after the text of their lines, with their ranks. With `is_calm` the instructions of a line are shown where they are many, and more
/// than those of the lines around it.
pub(super) fn hints(
    document: &DocumentView,
    range: TextRange,
    switches: Hints,
    is_calm: bool,
) -> Vec<(u8, InlayHint)> {
    let Some(costs) = document.costs.as_deref().filter(|_| switches.need_costs()) else {
        return Vec::new();
    };
    let positions = &document.positions;
    let lines = positions.position(range.start()).line..=positions.position(range.end()).line;
    let mut hints = Vec::new();
    for line in costs.sources.iter().filter(|s| lines.contains(&s.line) && s.instructions > 0) {
        let is_wanted = !is_calm || stands_out(&costs.sources, line);
        let shown = Hints { isa: switches.isa && is_wanted, ..switches };
        let label = line_label(line, shown);
        if !label.is_empty() {
            hints.push((rank::COST, hint(document, line.line, label, line_tooltip(costs, line))));
        }
    }
    if switches.peak {
        for kernel in &costs.kernels {
            if let Some(peak) = &kernel.peak
                && let Some(line) = peak.source.filter(|l| lines.contains(l))
                && let Some(label) = peak_label(kernel, peak)
            {
                hints.push((rank::PEAK, hint(document, line, label, peak_tooltip(document, kernel, peak))));
            }
        }
    }
    if switches.remarks {
        let here = |r: &&Remark| r.line.is_some_and(|line| lines.contains(&line)) && is_news(r);
        let found: Vec<&Remark> = costs.remarks.iter().filter(here).collect();
        for of_line in found.chunk_by(|a, b| a.line == b.line) {
            let Some(line) = of_line.first().and_then(|r| r.line) else { continue };
            let hint = hint(document, line, remark_label(of_line), remark_tooltip(of_line));
            hints.push((rank::REMARK, hint));
        }
    }
    hints.sort_by_key(|(_, hint)| hint.position.line);
    hints
}

/// Whether a line takes many instructions, and more than all but a few of the lines around it. `lines` are in order.
fn stands_out(lines: &[SourceLine], line: &SourceLine) -> bool {
    let first = lines.partition_point(|other| other.line + NEAR < line.line);
    let near = lines.iter().skip(first).take_while(|other| other.line <= line.line + NEAR);
    let key = |line: &SourceLine| (line.instructions, Reverse(line.line));
    line.instructions >= MANY_INSTRUCTIONS
        && near.filter(|other| key(other) > key(line)).take(MOST_NEAR).count() < MOST_NEAR
}

/// What a reader can do something about: that a pass could not do its work.
fn is_news(remark: &Remark) -> bool {
    matches!(remark.kind, RemarkKind::Missed | RemarkKind::Failure)
}

/// `missed: loop-vectorize`, or with the number of more.
fn remark_label(remarks: &[&Remark]) -> String {
    let mut passes: Vec<&str> = remarks.iter().map(|r| r.pass.as_str()).collect();
    passes.dedup();
    match passes.as_slice() {
        [one] => format!("missed: {one}"),
        [first, more @ ..] => format!("missed: {first} and {} more", more.len()),
        [] => String::new(),
    }
}

fn remark_tooltip(remarks: &[&Remark]) -> String {
    let rows =
        remarks.iter().map(|r| format!("- {} `{}` ({}): {}", r.kind.name(), r.pass, r.tool, r.message));
    rows.collect::<Vec<_>>().join("\n")
}

fn hint(document: &DocumentView, line: u32, label: String, tooltip: String) -> InlayHint {
    let positions = &document.positions;
    // The end of the line, wherever that is.
    let end = positions.position(positions.offset(Position::new(line, u32::MAX)));
    InlayHint {
        position: end,
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::MarkupContent(markup(tooltip))),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn line_label(line: &SourceLine, switches: Hints) -> String {
    let mut label = String::new();
    if switches.isa {
        label = format!("→ {}", line.instructions);
    }
    // Encodings and registers of other machines are not known.
    if line.bytes == 0 {
        return label;
    }
    if switches.isa {
        label.push_str(&format!(" · {} B", line.bytes));
    }
    if switches.pressure {
        label.push_str(if label.is_empty() { "" } else { " · " });
        label.push_str(&line.live.to_string());
    }
    label
}

fn plural(n: u32) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn line_tooltip(costs: &SourceCosts, line: &SourceLine) -> String {
    let count = format!("{} instruction{} of {}", line.instructions, plural(line.instructions), costs.target);
    match line.bytes {
        0 => format!("{count}."),
        bytes => format!("{count}, {bytes} bytes; at most {} live there.", line.live),
    }
}

/// `▲ VGPR 9/44, SGPR 8/16`: the registers that are live, of those that are used, as in assembly; `None` without any.
fn peak_label(kernel: &KernelResources, peak: &Peak) -> Option<String> {
    let kinds = [
        ("VGPR", peak.most.vgprs, kernel.vgprs),
        ("AGPR", peak.most.agprs, kernel.agprs),
        ("SGPR", peak.most.sgprs, kernel.sgprs),
    ];
    let shown = kinds.iter().filter(|(.., used)| *used > 0);
    // A driver counts scalar registers without those that it passes arguments in.
    let shown: Vec<String> =
        shown.map(|(name, live, used)| format!("{name} {live}/{}", used.max(live))).collect();
    (!shown.is_empty()).then(|| format!("▲ {}", shown.join(", ")))
}

/// What the figures of a kernel mean and why they differ, for the hover of its name.
pub(super) fn explained(document: &DocumentView, name: &str) -> Option<String> {
    let costs = document.costs.as_deref()?;
    let kernel = costs.kernels.iter().find(|k| names(name, &k.name)).filter(|k| k.vgprs > 0)?;
    let mut text = format!("Registers on {}:\n\n- used: {}", costs.target, kernel.registers());
    text += ", up to the highest that the kernel or what it calls names";
    if let Some(peak) = &kernel.peak {
        let place = peak.source.map_or(String::new(), |line| format!(" (line {})", line + 1));
        text += &format!("\n- live at once: at most {}{place}, with a value that is read later", peak.most);
        if kernel.vgprs + kernel.agprs > peak.most.vgprs + peak.most.agprs {
            text += "; the others are kept over calls, or are gaps between tuples";
        }
    }
    if let Some(allocated) = kernel.allocated {
        let Allocated { vgprs, granule } = allocated;
        text += &format!("\n- allocated: {vgprs} VGPRs for each wave, the used ones in steps of {granule}");
    }
    if kernel.occupancy > 0 {
        text += &format!("\n- {}", occupancy(kernel));
    }
    Some(text)
}

fn peak_tooltip(document: &DocumentView, kernel: &KernelResources, peak: &Peak) -> String {
    let mut text = format!("In `{}` most vector registers are live here: {}.", kernel.name, peak.live);
    let used = kernel.vgprs + kernel.agprs;
    if used > peak.live.vgprs + peak.live.agprs {
        text += &format!(" It uses {used}: the others are kept over calls, or are gaps between tuples.");
    }
    text.push('\n');
    // What one line computes in several instructions is one value to the reader.
    let origin = |v: &LiveValue| (v.source, v.source.is_none() && v.written.is_some());
    let values: Vec<&[LiveValue]> = peak.values.chunk_by(|a, b| origin(a) == origin(b)).collect();
    for value in values.iter().take(VALUES) {
        let from = match value.first().map(origin) {
            Some((Some(line), _)) => format!("line {}: `{}`", line + 1, line_text(document, line)),
            Some((None, true)) => "written by instructions without a source line".to_owned(),
            _ => "live at the start of the function".to_owned(),
        };
        let registers: Vec<&str> = value.iter().map(|v| v.registers.as_str()).collect();
        text.push_str(&format!("\n- `{}` {from}", registers.join("`, `")));
    }
    if let Some(more) = values.len().checked_sub(VALUES).filter(|n| *n > 0) {
        text.push_str(&format!("\n- and {more} more"));
    }
    text
}

fn line_text(document: &DocumentView, line: u32) -> String {
    let rope = &document.positions.rope;
    let text = rope.get_line(line as usize).map(|l| l.to_string()).unwrap_or_default();
    text.trim().chars().filter(|c| *c != '`').take(72).collect()
}

/// A lens over a function for which there is a report.
pub(super) fn lens(document: &DocumentView, function: &Symbol) -> Option<CodeLens> {
    let costs = document.costs.as_deref()?;
    let kernel = costs.kernels.iter().find(|k| names(&function.name, &k.name))?;
    let title = format!("{} · {}", costs.target, resources(kernel));
    let command = commands::show_isa(document, &function.name, title);
    Some(CodeLens { range: document.positions.range(function.selection), command: Some(command), data: None })
}

/// A lens over each kernel of assembly, which tells by itself what the kernel takes. It draws the control flow.
pub(super) fn kernel_lenses(view: View<'_>, document: &DocumentView) -> Vec<CodeLens> {
    let target = features::assembled_for(view).map(|name| format!("{name} · ")).unwrap_or_default();
    let lens = |(label, kernel)| {
        let range = document.positions.range(label);
        let title = format!("{target}{}", resources(&kernel));
        CodeLens { range, command: Some(commands::show_flow(document, range.start, title)), data: None }
    };
    features::kernels(view).into_iter().map(lens).collect()
}

/// Whether an outline's name, with its sigil and quotes, is the one in the assembly.
fn names(outline: &str, assembly: &str) -> bool {
    let bare = |name: &str| name.trim_start_matches(['@', '%']).trim_matches('"').to_owned();
    bare(outline) == bare(assembly)
}

/// `VGPR 34 · SGPR 18 · LDS 0 B · occupancy 12 waves (limited by VGPRs; 2 fewer give 4 more waves)`.
fn resources(k: &KernelResources) -> String {
    let mut parts = vec![format!("VGPR {}", k.vgprs)];
    if k.agprs > 0 {
        parts.push(format!("AGPR {}", k.agprs));
    }
    parts.extend([format!("SGPR {}", k.sgprs), format!("LDS {} B", k.lds)]);
    if k.scratch > 0 {
        parts.push(format!("scratch {} B", k.scratch));
    }
    if k.spills() > 0 {
        parts.push(format!("spills {}", k.spills()));
    }
    if k.occupancy > 0 {
        parts.push(occupancy(k));
    }
    parts.join(" · ")
}

/// `occupancy 12 waves (limited by VGPRs; 2 fewer give 4 more waves)`.
fn occupancy(k: &KernelResources) -> String {
    let mut why = Vec::new();
    if let Some(limit) = k.limit.filter(|l| *l != Limit::Hardware) {
        why.push(format!("limited by {}", limit.name()));
    }
    why.extend(k.gain.map(|gain| gain.text(k.limit)));
    let why = if why.is_empty() { String::new() } else { format!(" ({})", why.join("; ")) };
    format!("occupancy {} waves{why}", k.occupancy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_told_in_one_line() {
        use wavelens_codegen::Gain;

        let mut kernel = KernelResources { vgprs: 34, sgprs: 18, occupancy: 12, ..Default::default() };
        (kernel.limit, kernel.gain) = (Some(Limit::Vgprs), Some(Gain { fewer: 2, more: 4 }));
        assert_eq!(
            resources(&kernel),
            "VGPR 34 · SGPR 18 · LDS 0 B · occupancy 12 waves (limited by VGPRs; 2 fewer give 4 more waves)"
        );
        (kernel.limit, kernel.gain, kernel.vgpr_spills) = (Some(Limit::Hardware), None, 3);
        assert_eq!(resources(&kernel), "VGPR 34 · SGPR 18 · LDS 0 B · spills 3 · occupancy 12 waves");
    }

    #[test]
    fn the_peak_is_of_what_is_used() {
        let kernel = KernelResources { vgprs: 44, sgprs: 16, ..Default::default() };
        let live = wavelens_codegen::Live { vgprs: 9, agprs: 0, sgprs: 18 };
        let peak = Peak { most: live, ..Default::default() };
        assert_eq!(peak_label(&kernel, &peak).as_deref(), Some("▲ VGPR 9/44, SGPR 18/18"));
    }

    #[test]
    fn remarks_of_a_line_are_one_hint() {
        let remark = |pass: &str, message: &str| Remark {
            kind: RemarkKind::Missed,
            tool: "opt".to_owned(),
            pass: pass.to_owned(),
            name: "Missed".to_owned(),
            function: "k".to_owned(),
            line: Some(3),
            message: message.to_owned(),
        };
        let (inline, vectorize) = (remark("inline", "too costly"), remark("loop-vectorize", "no loop"));
        assert_eq!(remark_label(&[&inline, &inline]), "missed: inline");
        assert_eq!(remark_label(&[&inline, &vectorize]), "missed: inline and 1 more");
        assert_eq!(remark_tooltip(&[&inline]), "- missed `inline` (opt): too costly");
        assert!(!is_news(&Remark { kind: RemarkKind::Analysis, ..inline }));
    }

    #[test]
    fn the_lines_with_most_instructions_around_stand_out() {
        let found = |lines: &[(u32, u32)]| {
            let of =
                |&(line, instructions)| SourceLine { line, instructions, bytes: 4, ..Default::default() };
            let lines: Vec<SourceLine> = lines.iter().map(of).collect();
            let found = lines.iter().filter(|line| stands_out(&lines, line));
            found.map(|line| line.line).collect::<Vec<_>>()
        };
        assert_eq!(found(&[(0, 8), (1, 7), (2, 9)]), [0, 2]);
        assert_eq!(found(&[(0, 8), (1, 20), (2, 9), (3, 10), (4, 10)]), [1, 3]);
        assert_eq!(found(&[(0, 9), (1, 9), (2, 9), (3, 9)]), [0, 1]);
        // What is further away does not count.
        assert_eq!(found(&[(0, 8), (23, 20), (24, 20)]), [0, 23, 24]);
        assert_eq!(found(&[(1, 8), (23, 20), (24, 20)]), [23, 24]);
    }

    #[test]
    fn only_what_is_switched_on_is_shown() {
        let live = wavelens_codegen::Live { vgprs: 1, agprs: 0, sgprs: 9 };
        let line = SourceLine { line: 0, instructions: 3, bytes: 20, live };
        let none = Hints { isa: false, pressure: false, ..crate::lsp::Config::default().hints };
        assert_eq!(line_label(&line, none), "");
        assert_eq!(line_label(&line, Hints { isa: true, ..none }), "→ 3 · 20 B");
        assert_eq!(
            line_label(&line, Hints { isa: true, pressure: true, ..none }),
            "→ 3 · 20 B · 1 VGPR, 9 SGPRs"
        );
        // Of another machine.
        let elsewhere = SourceLine { bytes: 0, ..line };
        assert_eq!(line_label(&elsewhere, Hints { isa: true, pressure: true, ..none }), "→ 3");
    }
}
