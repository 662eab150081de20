//! Code actions in AMDGPU assembly, beyond the fixes of findings.
//!
//! A change is offered when the chunk assembles with it at this place: what was wrong is right then, and what was right has
//! the same bytes.

use std::fmt::Write as _;
use std::ops::Range;

use wavelens_amdgpu::wait_counters::waitcnt_fields;
use wavelens_amdgpu::{assembled, lower};
use wavelens_base::{TextEdit, TextRange, TextSize};
use wavelens_isa::{decode, print};
use wavelens_syntax::amdgpu::AmdgpuKind::*;
use wavelens_syntax::machine::Kind as _;

use super::{Cx, renames};
use crate::answers::Action;

/// Bytes of the longest line that is tried as an instruction.
const LONGEST: usize = 1000;

/// What can be changed in a range of the chunk, besides fixes of findings.
pub fn actions(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    let Some(line) = statement(cx, range.start()) else { return Vec::new() };
    let text = cx.slice(line);
    if text.trim_start().starts_with(".amd_kernel_code_t") {
        return kernel_code(cx, line).into_iter().collect();
    }
    if let Some(action) = old_directive(cx, line, text) {
        return vec![action];
    }
    if let Some(action) = machine_words(cx, line, text) {
        return vec![action];
    }
    if cx.scope.settings.target.is_none() || text.starts_with('.') || text.len() > LONGEST {
        return Vec::new();
    }
    let now = try_text(cx, line, text);
    let replace = |new: String| vec![TextEdit { range: line, text: new }];
    let works = |new: &str| try_text(cx, line, new).is_some();
    let mut found = Vec::new();
    let corrections = || {
        let aligned = aligned(text).into_iter().map(|new| ("Align the registers", new));
        let long = long_form(text).map(|new| ("Use the 64-bit encoding", new));
        let renamed = renamed(text).into_iter().map(|new| ("Use this processor's name", new));
        let carries = with_carry(text).into_iter().map(|new| ("Add the carry", new));
        aligned.chain(long).chain(carries).chain(renamed).collect::<Vec<_>>()
    };
    let corrections = if now.is_none() { corrections() } else { Vec::new() };
    for (title, new) in corrections {
        if works(&new) {
            let shown = new.split_whitespace().collect::<Vec<_>>().join(" ");
            found.push(Action::fix(format!("{title}: `{shown}`"), replace(new)));
        }
    }
    if let Some(new) = split_waits(cx, text).filter(|new| works(new)) {
        found.push(Action::fix("Split the wait by counter", replace(new)));
    }
    if let Some(bytes) = now {
        found.extend(inline_number(cx, line, range.start(), &bytes));
    }
    found
}

/// The statement at an offset, without its label, comment and outer space.
fn statement(cx: &Cx<'_>, at: TextSize) -> Option<TextRange> {
    let lexed = &cx.lowered.lexed;
    let here = lexed.at_offset(at);
    let mut first = here;
    while first > 0 && !matches!(lexed.kind(first - 1), EOL) {
        first -= 1;
    }
    let trivia = |token: usize| lexed.kind(token).is_trivia();
    let mut last = first;
    let mut end = None;
    let mut start = None;
    while !matches!(lexed.kind(last), EOL | EOF) {
        if !trivia(last) {
            if lexed.kind(last) == COLON
                && lexed.kind(last + 1) != COLON
                && end.is_some()
                && start.is_some_and(|s| s + 1 == last)
            {
                (start, end) = (None, None);
            } else {
                start.get_or_insert(last);
                end = Some(last);
            }
        }
        last += 1;
    }
    let range = TextRange::new(lexed.range(start?).start(), lexed.range(end?).end());
    Some(range)
}

/// The bytes of a statement's instruction when it is replaced by another text; `None` if that has a mistake.
fn try_text(cx: &Cx<'_>, line: TextRange, new: &str) -> Option<Vec<u8>> {
    let mut text = cx.text.to_owned();
    text.replace_range(Range::<usize>::from(line), new);
    let lowered = lower(&text);
    let assembler = assembled(&lowered, cx.scope, cx.id(), &text);
    let place = TextRange::at(line.start(), TextSize::of(new));
    let wrong = |d: &wavelens_base::Diagnostic| {
        d.rule.severity == wavelens_base::Severity::Error
            && d.range.intersect(place).is_some_and(|r| !r.is_empty())
    };
    if assembler.diagnostics.iter().any(wrong) {
        return None;
    }
    let own = assembler.program.instructions.iter().filter(|i| place.contains_range(i.range));
    let bytes: Vec<u8> = own.flat_map(|i| i.encoded.bytes().to_vec()).collect();
    (!bytes.is_empty()).then_some(bytes)
}

/// Registers in the largest tuple.
const LARGEST: u32 = 32;

/// The text with each register tuple moved down, or up, to where it may start.
fn aligned(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for up in [false, true] {
        for scalar_only in [false, true] {
            let mut new = String::new();
            let mut rest = text;
            while let Some(open) = rest.find('[') {
                let (head, tail) = rest.split_at(open + 1);
                new.push_str(head);
                rest = tail;
                let scalar = head.ends_with("s[") || head.ends_with("ttmp[");
                let tuple = tail.find(']').and_then(|close| {
                    let (low, high) = tail.get(..close)?.split_once(':')?;
                    let (low, high) = (low.trim().parse::<u32>().ok()?, high.trim().parse::<u32>().ok()?);
                    let count = high.checked_sub(low)?.checked_add(1).filter(|count| *count <= LARGEST)?;
                    Some((close, low, count))
                });
                let Some((close, low, count)) = tuple else { continue };
                let step = match scalar {
                    true => count.next_power_of_two().min(4),
                    false => 2,
                };
                if low % step == 0 || (scalar_only && !scalar) {
                    continue;
                }
                let low = if up { low.next_multiple_of(step) } else { low - low % step };
                let _ = write!(new, "{low}:{}", low + count - 1);
                rest = tail.get(close..).unwrap_or("");
            }
            new.push_str(rest);
            if new != text && !out.contains(&new) {
                out.push(new);
            }
        }
    }
    out
}

fn mnemonic(text: &str) -> (&str, &str) {
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

fn long_form(text: &str) -> Option<String> {
    let (name, rest) = mnemonic(text);
    let base = name.strip_suffix("_e32").unwrap_or(name);
    (base.starts_with("v_") && !name.ends_with("_e64")).then(|| format!("{base}_e64{rest}"))
}

/// An instruction that reads a carry, with the one that is missing at its end: as wide as the waves are.
fn with_carry(text: &str) -> Vec<String> {
    let name = mnemonic(text).0;
    let reads = ["_co_ci_", "v_addc_", "v_subb_", "v_subbrev_", "v_cndmask_"];
    match reads.iter().any(|part| name.contains(part)) {
        true => ["vcc_lo", "vcc"].map(|carry| format!("{text}, {carry}")).to_vec(),
        false => Vec::new(),
    }
}

fn renamed(text: &str) -> Vec<String> {
    let (name, rest) = mnemonic(text);
    let names = renames::mnemonics(&name.to_ascii_lowercase());
    let mut tails = vec![rest.to_owned()];
    tails.extend(renames::cache_bits(rest));
    let operands: Vec<&str> = rest.split(',').collect();
    match operands.as_slice() {
        // What reads the carry later needs it: it may be as wide as the waves are, and is never left out.
        [result, carry, sources @ ..] if matches!(carry.trim(), "vcc" | "vcc_lo") => {
            let other = if carry.trim() == "vcc" { "vcc_lo" } else { "vcc" };
            tails.push(format!("{result}, {other},{}", sources.join(",")));
        }
        // A carry that one generation writes and another does not.
        [result, sources @ ..] if sources.len() == 2 => {
            tails.push(format!("{result}, vcc,{}", sources.join(",")));
            tails.push(format!("{result}, vcc_lo,{}", sources.join(",")));
        }
        _ => {}
    }
    // Shifts with their operands the other way round.
    if let [result, a, b] = operands.as_slice()
        && (name.contains("lshl") || name.contains("lshr") || name.contains("ashr"))
    {
        tails = vec![format!("{result},{b},{a}")];
    }
    let changed = tails.iter().skip(1).map(|tail| format!("{name}{tail}"));
    let plain = names.iter().flat_map(|name| tails.iter().map(move |tail| format!("{name}{tail}")));
    let mut all: Vec<String> = plain.chain(changed.take(1)).collect();
    all.truncate(24);
    all
}

/// `s_waitcnt` as the waits of gfx12, each in its line.
fn split_waits(cx: &Cx<'_>, text: &str) -> Option<String> {
    let arguments = text.strip_prefix("s_waitcnt")?.trim();
    let target = cx.scope.settings.target.filter(|t| t.facts().has_split_counters)?;
    let mut lines = Vec::new();
    let mut add = |field: &str, n: u32| match field {
        "vmcnt" => lines.push(format!("s_wait_loadcnt {n:#x}")),
        "expcnt" => lines.push(format!("s_wait_expcnt {n:#x}")),
        "lgkmcnt" => lines.extend([format!("s_wait_dscnt {n:#x}"), format!("s_wait_kmcnt {n:#x}")]),
        _ => {}
    };
    if let Some(number) = wavelens_amdgpu::assembler::cursor::integer(arguments) {
        // A bare number has the layout of an earlier generation; that of gfx9 is the most common.
        let gfx9 = wavelens_isa::Target::named("gfx900").unwrap_or(target);
        for (counter, n) in waitcnt_fields(gfx9, number as u32) {
            match counter {
                wavelens_isa::Counter::Vm => add("vmcnt", n),
                wavelens_isa::Counter::Exp => add("expcnt", n),
                _ => add("lgkmcnt", n),
            }
        }
    } else {
        for field in arguments.split(')') {
            if let Some((name, n)) = field.trim_start_matches([' ', '&', ',']).split_once('(') {
                add(name.trim(), n.trim().parse().ok()?);
            }
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Numbers that are inline constants under another spelling: `0x3f800000` is `1.0` to a 32-bit float operand.
fn inline_number(cx: &Cx<'_>, line: TextRange, at: TextSize, bytes: &[u8]) -> Option<Action> {
    let lexed = &cx.lowered.lexed;
    let token = lexed.at_offset(at);
    let (range, word) = (lexed.range(token), lexed.text(cx.text, token));
    if lexed.kind(token) != INT || !line.contains_range(range) {
        return None;
    }
    let value = wavelens_amdgpu::assembler::cursor::integer(word)?;
    const FLOATS: [f64; 9] = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, std::f64::consts::FRAC_1_PI / 2.0];
    let spellings = FLOATS.iter().filter(|f| {
        let single = u64::from((**f as f32).to_bits());
        u64::try_from(value).is_ok_and(|v| v == single || v == f.to_bits())
    });
    let mut spellings: Vec<String> =
        spellings.map(|f| if f.abs() < 0.2 { "0.15915494".to_owned() } else { format!("{f:?}") }).collect();
    let bits = u32::try_from(value).unwrap_or(0) as i32;
    if (-16..0).contains(&bits) || (word.starts_with("0x") && (0..=64).contains(&bits)) {
        spellings.push(bits.to_string());
    }
    let line_text = cx.slice(line);
    let start = usize::from(range.start() - line.start());
    spellings.into_iter().find_map(|spelling| {
        let mut new = line_text.to_owned();
        new.replace_range(start..start + word.len(), &spelling);
        let same = try_text(cx, line, &new)? == bytes;
        let edits = vec![TextEdit { range, text: spelling.clone() }];
        same.then(|| Action::rewrite(format!("Replace with the inline constant `{spelling}`"), edits))
    })
}

/// Machine words of a directive as the instructions that they are, where these assemble to the same bytes.
fn machine_words(cx: &Cx<'_>, line: TextRange, text: &str) -> Option<Action> {
    let (directive, rest) = mnemonic(text);
    let target = cx.scope.settings.target.filter(|_| text.len() <= LONGEST)?;
    let size = match directive {
        ".long" | ".4byte" | ".int" => 4,
        ".quad" | ".8byte" => 8,
        _ => return None,
    };
    let mut bytes = Vec::new();
    for word in rest.split(',') {
        let value = wavelens_amdgpu::assembler::cursor::integer(word.trim())?;
        (value >> (8 * size) == 0).then_some(())?;
        bytes.extend_from_slice(value.to_le_bytes().get(..size)?);
    }
    let (mut at, mut lines) = (0, Vec::new());
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let found = decode(target, rest).filter(|found| found.len > 0)?;
        lines.push(print(target, &found.inst));
        at += found.len;
    }
    let new = lines.join("\n");
    (try_text(cx, line, &new)? == bytes).then(|| {
        let title =
            if lines.len() == 1 { "Replace with the instruction" } else { "Replace with the instructions" };
        Action::rewrite(title, vec![TextEdit { range: line, text: new }])
    })
}

/// Directives of the code objects before version 3, by what stands for them since.
fn old_directive(cx: &Cx<'_>, line: TextRange, text: &str) -> Option<Action> {
    let (directive, rest) = mnemonic(text);
    let new = match directive {
        ".amdgpu_hsa_kernel" => format!(".type {},@function", rest.trim()),
        ".hsa_code_object_version" => ".amdhsa_code_object_version 4".to_owned(),
        ".hsa_code_object_isa" => {
            let target = match rest.trim() {
                "" => cx.scope.settings.target?,
                numbers => {
                    let mut parts = numbers.split(',').take(3).map(|n| n.trim().parse::<u32>().ok());
                    let (major, minor, stepping) = (parts.next()??, parts.next()??, parts.next()??);
                    wavelens_isa::Target::named(&format!("gfx{major}{minor}{stepping:x}"))?
                }
            };
            format!(".amdgcn_target \"amdgcn-amd-amdhsa--{}\"", target.name())
        }
        _ => return None,
    };
    Some(Action::fix(format!("Replace with `{new}`"), vec![TextEdit { range: line, text: new }]))
}

/// An old kernel header as a kernel descriptor. The code follows it in the same section as before.
fn kernel_code(cx: &Cx<'_>, line: TextRange) -> Option<Action> {
    let rest = cx.text.get(usize::from(line.start())..)?;
    let end = rest.find(".end_amd_kernel_code_t")? + ".end_amd_kernel_code_t".len();
    let block = rest.get(..end)?;
    let before = cx.text.get(..usize::from(line.start()))?;
    let name = before.lines().rev().find_map(|l| l.trim().strip_suffix(':'))?;
    let mut out = format!(".section .rodata,\"a\"\n.p2align 6\n.amdhsa_kernel {name}\n");
    let indent = "    ";
    let mut seen = Vec::new();
    for line in block.lines() {
        let Some((field, value)) = line.split_once('=') else { continue };
        let (field, value) = (field.trim(), value.split([';', '/']).next().unwrap_or("").trim());
        if field == "float_mode" {
            let mode = wavelens_amdgpu::assembler::cursor::integer(value)
                .and_then(|v| u32::try_from(v).ok())
                .unwrap_or(192);
            let fields = ["round_mode_32", "round_mode_16_64", "denorm_mode_32", "denorm_mode_16_64"];
            for (index, field) in fields.into_iter().enumerate() {
                let _ = writeln!(out, "{indent}.amdhsa_float_{field} {}", mode >> (2 * index) & 3);
            }
        }
        if let Some((_, new)) = renames::KERNEL_CODE.iter().find(|(old, _)| *old == field) {
            let _ = writeln!(out, "{indent}.amdhsa_{new} {value}");
            seen.push(*new);
        }
    }
    // Counts of granules less one, of 4 vector and 8 scalar registers, as the processors with this header have them.
    let granules = |field: &str| {
        let line = block.lines().find_map(|l| l.trim().strip_prefix(field)?.trim().strip_prefix('='))?;
        wavelens_amdgpu::assembler::cursor::integer(line.trim()).and_then(|n| u32::try_from(n).ok())
    };
    let vgprs =
        granules("granulated_workitem_vgpr_count").map_or(256, |n| n.saturating_add(1).saturating_mul(4));
    let sgprs =
        granules("granulated_wavefront_sgpr_count").map_or(96, |n| n.saturating_add(1).saturating_mul(8));
    for (needed, value) in [("next_free_vgpr", vgprs), ("next_free_sgpr", sgprs.min(96))] {
        if !seen.contains(&needed) {
            let _ = writeln!(out, "{indent}.amdhsa_{needed} {value}");
        }
    }
    out.push_str(".end_amdhsa_kernel\n.text");
    let range = TextRange::at(line.start(), TextSize::new(end as u32));
    Some(Action::fix(
        "Turn this into a kernel descriptor (`.amdhsa_kernel`)",
        vec![TextEdit { range, text: out }],
    ))
}

#[cfg(test)]
mod tests;
