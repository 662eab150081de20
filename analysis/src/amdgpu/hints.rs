//! Inlay hints in AMDGPU assembly: what a numeric wait waits for, and each kernel's resources.

use wavelens_isa::Counter;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use super::waits::waitcnt_fields;
use super::whole::whole;
use crate::ide::{Hint, HintKind};
use crate::{TextRange, TextSize};

pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let whole = whole(cx.view.db, cx.view.file);
    let Some(target) = whole.target else { return Vec::new() };
    let start = cx.start();
    let range = TextRange::at(start, TextSize::of(cx.text));
    let mut hints = Vec::new();
    for line in whole.lines_in(range) {
        let instruction = &line.instruction;
        let Some(own) = instruction.range.checked_sub(start) else { continue };
        let text = cx.slice(own);
        let number = text.strip_prefix("s_waitcnt").map(str::trim);
        if let Some(bits) = number.filter(|n| n.starts_with(|c: char| c.is_ascii_digit())) {
            let Some(bits) = super::cursor::integer(bits) else { continue };
            let fields = waitcnt_fields(target, bits as u32);
            let full = |counter| fields.iter().find(|(c, _)| *c == counter);
            let shown: Vec<String> = [
                ("vmcnt", full(Counter::Vm)),
                ("expcnt", full(Counter::Exp)),
                ("lgkmcnt", full(Counter::Lgkm)),
            ]
            .into_iter()
            .filter_map(|(name, field)| Some(format!("{name}({})", field?.1)))
            .collect();
            let label = if shown.is_empty() { "waits for nothing".to_owned() } else { shown.join(" ") };
            let tooltip = "The fields of the number".to_owned();
            hints.push(Hint { offset: own.end(), label, tooltip, kind: HintKind::Note });
        }
    }
    for function in whole.functions.iter().filter(|f| f.kernel) {
        let Some(own) =
            function.label.filter(|l| range.contains_range(*l)).and_then(|l| l.checked_sub(start))
        else {
            continue;
        };
        let (peak, used) = (function.peak, function.used);
        let agprs =
            if used.agprs > 0 { format!(", {} of {} AGPRs", peak.agprs, used.agprs) } else { String::new() };
        let gain = function.fewer.map(|n| format!(", {n} VGPRs fewer gain a wave")).unwrap_or_default();
        let label = format!(
            "{} of {} VGPRs live at most{agprs}, {} of {} SGPRs, {} waves{gain}",
            peak.vgprs, used.vgprs, peak.sgprs, used.sgprs, function.waves
        );
        let offset = own.end()
            + TextSize::new(u32::from(cx.lowered.lexed.kind(cx.lowered.lexed.at_offset(own.end())) == COLON));
        let tooltip = "Registers that are live at one place, of those that are named; waves on each SIMD by vector registers".to_owned();
        hints.push(Hint { offset, label, tooltip, kind: HintKind::Live });
    }
    hints
}
