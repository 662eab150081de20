//! Inlay hints in AMDGPU assembly: what a numeric wait waits for, and each kernel's resources.

use wavelens_amdgpu::wait_counters::waitcnt_fields;
use wavelens_base::{TextRange, TextSize};
use wavelens_codegen::Live;
use wavelens_isa::Counter;
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use super::queries::facts;
use crate::answers::{Hint, HintKind};
use crate::assembly::{Extent, Line};

/// The hints in the chunk.
pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let listing = facts(cx);
    let live_is_known = listing.extent != Extent::Chunk;
    let Some(target) = listing.target else { return Vec::new() };
    let start = cx.start();
    let range = TextRange::at(start, TextSize::of(cx.text));
    let mut hints = Vec::new();
    for line in listing.lines_in(range) {
        let instruction = &line.instruction;
        let Some(own) = instruction.range.checked_sub(start) else { continue };
        let text = cx.slice(own);
        let number = text.strip_prefix("s_waitcnt").map(str::trim);
        if let Some(bits) = number.filter(|n| n.starts_with(|c: char| c.is_ascii_digit())) {
            let Some(bits) = wavelens_amdgpu::assembler::cursor::integer(bits) else { continue };
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
            let hint = Hint::new(own.end(), label, HintKind::Note);
            hints.push(hint.tooltip("The fields of the number"));
        }
    }
    for lines in listing.lines_in(range).chunk_by(|a, b| a.instruction.range == b.instruction.range) {
        hints.extend(
            line_hints(cx, lines).into_iter().filter(|h| live_is_known || h.kind != HintKind::LiveCount),
        );
    }
    for function in listing.functions.iter().filter(|f| f.kernel.is_some() && live_is_known) {
        let Some(own) =
            function.label.filter(|l| range.contains_range(*l)).and_then(|l| l.checked_sub(start))
        else {
            continue;
        };
        let (peak, used) = (function.peak, function.used);
        // VS Code cuts what is longer than 43 characters; the lens has the waves.
        let agprs =
            if used.agprs > 0 { format!(", AGPR {}/{}", peak.agprs, used.agprs) } else { String::new() };
        let label =
            format!("▲ VGPR {}/{}{agprs}, SGPR {}/{}", peak.vgprs, used.vgprs, peak.sgprs, used.sgprs);
        let gain =
            function.gain.map(|(limit, gain)| format!("; of {}, {}", limit.name(), gain.text(Some(limit))));
        let gain = gain.unwrap_or_default();
        let offset = own.end()
            + TextSize::new(u32::from(cx.lowered.lexed.kind(cx.lowered.lexed.at_offset(own.end())) == COLON));
        let tooltip = format!(
            "Registers that are live at one place at most, of those that are used: {} of {}. {} waves on each SIMD{gain}.",
            peak, used, function.waves
        );
        hints.push(Hint::new(offset, label, HintKind::Live).tooltip(tooltip));
    }
    hints
}

/// What is known of the instructions that one statement was assembled to.
fn line_hints(cx: &Cx<'_>, lines: &[Line]) -> Vec<Hint> {
    let Some(first) = lines.first() else { return Vec::new() };
    let Some(own) = first.instruction.range.checked_sub(cx.start()) else { return Vec::new() };
    let mut hints = Vec::new();
    let mut add = |label: String, tooltip: &str, kind: HintKind| {
        let hint = Hint::new(own.end(), label, kind).tooltip(tooltip);
        hints.push(hint.minor_if(kind == HintKind::Distance));
    };
    let size: usize = lines.iter().map(|l| l.instruction.encoded.bytes().len()).sum();
    match lines {
        [one] => {
            let bytes: Vec<String> =
                one.instruction.encoded.bytes().iter().map(|b| format!("{b:02x}")).collect();
            add(
                bytes.join(" "),
                "Bytes in memory order; those that the linker fills are 00",
                HintKind::Encoding,
            );
        }
        _ => add(
            format!("{} instructions, {size} bytes", lines.len()),
            "Size of the expansion",
            HintKind::Encoding,
        ),
    }
    let live = lines.iter().map(|l| l.live);
    let most = |count: fn(Live) -> u32| live.clone().map(count).max().unwrap_or(0);
    let (vgprs, agprs, sgprs) = (most(|l| l.vgprs), most(|l| l.agprs), most(|l| l.sgprs));
    let accumulators = if agprs > 0 { format!(" {agprs}a") } else { String::new() };
    add(
        format!("{vgprs}v{accumulators} {sgprs}s live"),
        "Live VGPRs, AGPRs and SGPRs before this",
        HintKind::LiveCount,
    );
    if let [one] = lines
        && let Some(goal) = one.goal
    {
        let next = one.instruction.offset + one.instruction.encoded.bytes().len() as u64;
        let dwords = (goal as i64).wrapping_sub(next as i64) / 4;
        let arrow = if dwords < 0 { "\u{2191}" } else { "\u{2193}" };
        add(
            format!("{arrow} {} dwords", dwords.abs()),
            "Distance from the next instruction",
            HintKind::Distance,
        );
    }
    hints
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::{Dialect, TextRange};

    use crate::features;
    use crate::features::tests::at_cursor;

    #[test]
    fn lines_show_bytes_live_registers_and_distances() {
        let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx900\"\n.macro two\ns_nop 0\ns_nop 1\n.endm\nl:\n\
v_add_f32 v2, v0, v1\ntwo\ns_waitcnt 0\ns_cbranch_scc0 l\nglobal_store_dword v[0:1], v2, off\ns_endpgm\n";
        at_cursor(Dialect::Amdgpu, text, |view, _| {
            let mut shown = String::new();
            for hint in features::hints(view, TextRange::up_to(wavelens_base::TextSize::of(text))) {
                let line = text[..usize::from(hint.offset)].lines().last().unwrap_or("");
                shown.push_str(&format!("{line} | {:?}: {}\n", hint.kind, hint.label));
            }
            expect![[r#"
                v_add_f32 v2, v0, v1 | Encoding: 00 03 04 02
                v_add_f32 v2, v0, v1 | LiveCount: 2v 0s live
                two | Encoding: 2 instructions, 8 bytes
                two | LiveCount: 3v 0s live
                s_waitcnt 0 | Note: vmcnt(0) expcnt(0) lgkmcnt(0)
                s_waitcnt 0 | Encoding: 00 00 8c bf
                s_waitcnt 0 | LiveCount: 3v 0s live
                s_cbranch_scc0 l | Encoding: fb ff 84 bf
                s_cbranch_scc0 l | LiveCount: 3v 0s live
                s_cbranch_scc0 l | Distance: ↑ 5 dwords
                global_store_dword v[0:1], v2, off | Encoding: 00 80 70 dc 00 02 7f 00
                global_store_dword v[0:1], v2, off | LiveCount: 3v 0s live
                s_endpgm | Encoding: 00 00 81 bf
                s_endpgm | LiveCount: 0v 0s live
            "#]]
            .assert_eq(&shown);
        });
    }
}
