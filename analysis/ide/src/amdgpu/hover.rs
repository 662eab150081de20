//! Hover in AMDGPU assembly.

use std::fmt::Write as _;

use wavelens_amdgpu::statement::{Statement, statement_at};
use wavelens_base::{TextRange, TextSize};
use wavelens_isa::{Access, IssueClass, Takes, decode, print, register_range};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use super::queries::{facts, facts_at};
use crate::answers::Hover;
use crate::assembly::{Extent, Line, Listing};
use crate::markdown::{block, code};

/// What is shown about the word at an offset of the chunk.
pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let mut token = lexed.at_offset(at);
    let mut before = (0..token.saturating_sub(1)).rev().map(|t| lexed.kind(t));
    let is_second = before.find(|kind| *kind != WHITESPACE).is_none_or(|kind| kind == EOL);
    if matches!(lexed.kind(token), COLON | EQUAL) && is_second
        || matches!(lexed.kind(token), WHITESPACE | EOL | COMMA | EOF)
    {
        token = token.checked_sub(1)?;
    }
    let range = lexed.range(token);
    if matches!(lexed.kind(token), WHITESPACE | EOL | COMMENT) {
        return None;
    }
    let at = at.clamp(range.start(), range.end());
    let statement = statement_at(cx.lowered, cx.scope, cx.id(), cx.text, range.start());
    match &statement {
        Some(statement) => {
            Place { cx, token, listing: facts_at(cx, range.start()) }.in_statement(statement, at)
        }
        None => {
            let place = Place { cx, token, listing: facts(cx) };
            // An instruction for a processor that is not known.
            let is_instruction = directive(cx, token).is_empty() && !in_metadata(cx, token);
            let operand = || super::operand_fallback::operand(cx, token).filter(|_| is_instruction);
            match lexed.kind(token) {
                IDENT => place.elsewhere().or_else(operand),
                _ => operand().or_else(|| place.elsewhere()),
            }
        }
    }
}

/// A token that is hovered over.
struct Place<'c, 'db> {
    cx: &'c Cx<'db>,
    token: usize,
    listing: &'c Listing,
}

impl Place<'_, '_> {
    fn word(&self) -> &str {
        self.cx.lowered.lexed.text(self.cx.text, self.token)
    }

    fn range(&self) -> TextRange {
        self.cx.lowered.lexed.range(self.token)
    }

    /// In an instruction that the assembler has read.
    fn in_statement(&self, statement: &Statement, at: TextSize) -> Option<Hover> {
        let (range, file_offset) = (self.range(), self.cx.start() + self.range().start());
        if range == statement.mnemonic {
            let line = self.listing.at(file_offset).and_then(|i| self.listing.lines.get(i));
            let markdown = match line.filter(|l| l.instruction.range.start() == file_offset) {
                Some(line) => instruction(self.listing, line, &statement.name),
                None => mnemonic(&statement.name)?,
            };
            return Some(Hover { range, markdown });
        }
        let written = statement.operand_at(at).and_then(|(_, operand)| operand.slot.as_ref());
        let is_label = written.is_some_and(|slot| slot.takes == Takes::Label);
        let by_itself = || super::operand_fallback::operand(self.cx, self.token).filter(|_| !is_label);
        self.operand(statement, at).or_else(by_itself)
    }

    fn operand(&self, statement: &Statement, at: TextSize) -> Option<Hover> {
        let range = self.range();
        let (_, operand) = statement.operand_at(at)?;
        let is_policy = operand.slot.as_ref().is_some_and(|s| s.takes == Takes::CachePolicy);
        if let Some((range, reg)) = register_around(self.cx, self.token).filter(|_| !is_policy) {
            let named =
                super::registers::named(self.cx, self.listing, statement.mnemonic.cover(operand.range));
            let own = named.into_iter().find(|n| n.range == range);
            let mut markdown = match own.filter(|_| self.listing.extent != Extent::Chunk) {
                Some(named) => super::registers::describe(self.cx, self.listing, named),
                None => format!("Register `{}`", reg.name()),
            };
            if let Some(what) = super::operand_help::register(reg) {
                let _ = write!(markdown, "\n\n{what}");
            }
            return Some(Hover { range, markdown });
        }
        let inside = super::operand_hover::operand(self.cx, statement, operand, self.token);
        inside.or_else(|| Some(Hover { range, markdown: symbol(self.cx, self.listing, self.word())? }))
    }

    /// In a directive, a macro, a label, or where nothing is known about the processor.
    fn elsewhere(&self) -> Option<Hover> {
        let (cx, range, word) = (self.cx, self.range(), self.word());
        let lines = self.listing.statement_at(cx.start() + range.start());
        let directive = directive(cx, self.token);
        let markdown = match cx.lowered.lexed.kind(self.token) {
            _ if in_metadata(cx, self.token) => {
                let name = super::directive_help::key(word)
                    .or_else(|| super::directive_help::key(&key_at(cx, self.token)))?;
                name.to_owned()
            }
            IDENT if word.starts_with('.') && word == directive => {
                super::directive_help::directive(word).or_else(|| symbol(cx, self.listing, word))?
            }
            IDENT => match lines.first().filter(|l| l.instruction.nested) {
                Some(first) if first.instruction.range.start() == cx.start() + range.start() => {
                    let head =
                        symbol(cx, self.listing, word).map(|head| format!("{head}\n\n")).unwrap_or_default();
                    head + &expansion(self.listing, lines)
                }
                _ => symbol(cx, self.listing, word)
                    .or_else(|| register_at(cx, self.token).map(|reg| format!("Register `{}`", reg.name())))
                    .or_else(|| super::directive_help::relocation(word).filter(|_| directive == ".reloc"))
                    .or_else(|| mnemonic(word))
                    .or_else(|| section(word))?,
            },
            STRING if super::directive_help::TAKES_TARGET.contains(&directive) => target_id(word)?,
            INT if matches!(directive, ".long" | ".4byte" | ".int" | ".quad" | ".8byte") => {
                match decoded(cx, self.listing, self.token) {
                    Some(text) => format!("{text}\n\n{}", number(word)?),
                    None => number(word)?,
                }
            }
            INT | REAL if directive.starts_with(".amdhsa_") => {
                format!("{}\n\n{}", super::directive_help::directive(directive)?, number(word)?)
            }
            INT | REAL => number(word)?,
            _ => return None,
        };
        Some(Hover { range, markdown })
    }
}

/// The processor that a target id in quotes names.
fn target_id(text: &str) -> Option<String> {
    let id = text.trim_matches('"');
    let target = wavelens_isa::Target::of_id(id)?;
    let limits = target.limits();
    Some(format!(
        "Processor `{}`: waves of {} lanes; at most {} waves on a SIMD, which share {} VGPRs",
        target.name(),
        target.wave_size().lanes(),
        limits.max_waves_per_eu,
        limits.total_vgprs
    ))
}

/// Whether a token is between `.amdgpu_metadata` and its end.
fn in_metadata(cx: &Cx<'_>, token: usize) -> bool {
    let start = usize::from(cx.lowered.lexed.range(token).start());
    let before = cx.text.get(..start).unwrap_or("");
    let begin =
        before.rfind(".amdgpu_metadata").filter(|at| !before.get(..*at).is_some_and(|b| b.ends_with("end_")));
    begin.is_some_and(|begin| !before.get(begin..).is_some_and(|b| b.contains(".end_amdgpu_metadata")))
}

/// The key of the metadata in the line of a token, or of the list that the line is an item of.
fn key_at(cx: &Cx<'_>, token: usize) -> String {
    let start = usize::from(cx.lowered.lexed.range(token).start());
    let line = cx.text.get(..start).unwrap_or("").rfind('\n').map_or(0, |n| n + 1);
    let rest = cx.text.get(line..).unwrap_or("").lines().next().unwrap_or("");
    let key = match rest.contains(':') {
        true => rest.trim_start_matches([' ', '-']).split(':').next(),
        false => list_key(cx.text.get(..line).unwrap_or("")),
    };
    key.unwrap_or("").trim().to_owned()
}

/// The key whose list of plain values ends a text of metadata.
pub(super) fn list_key(before: &str) -> Option<&str> {
    let mut lines = before.lines().rev();
    let head = lines.find(|line| !line.trim_start().starts_with('-') || line.contains(':'))?;
    head.trim().strip_suffix(':')
}

/// What a mnemonic does and which processors have it.
pub(super) fn mnemonic(name: &str) -> Option<String> {
    mnemonic_on(name, None)
}

fn mnemonic_on(name: &str, target: Option<wavelens_isa::Target>) -> Option<String> {
    let description = super::formula::describe_on(name, target)?.markdown();
    let generations = super::formula::generations(name);
    if !generations.is_empty() {
        return Some(format!("{description}\n\nOn {generations}"));
    }
    let (base, suffix) = wavelens_isa::split_mnemonic(name);
    let generations = super::formula::generations(base);
    let is_known = !suffix.is_empty() && !generations.is_empty();
    is_known.then(|| format!("{description}\n\nOn {generations}, without `{suffix}`"))
}

/// A section that a directive other than `.section` names.
fn section(name: &str) -> Option<String> {
    super::common::SECTIONS.contains(&name).then(|| format!("The start of section `{name}`"))
}

/// An instruction with the mnemonic that the line writes: other generations may have it under that name alone.
fn instruction(listing: &Listing, line: &Line, written: &str) -> String {
    let inst = &line.instruction.encoded.inst();
    let bytes: Vec<String> = line.instruction.encoded.bytes().iter().map(|b| format!("{b:02x}")).collect();
    let mut text =
        format!("```amdgpu\n{}\n```\n", listing.target.map(|t| print(t, inst)).unwrap_or_default());
    let known = [written, inst.mnemonic()].into_iter().find_map(|name| mnemonic_on(name, listing.target));
    if let Some(what) = known {
        let _ = writeln!(text, "{what}\n");
    }
    let place = match listing.extent {
        Extent::File => format!(" at {:#x}", line.instruction.offset),
        _ => String::new(),
    };
    let (count, class) = (bytes.len(), unit(line.effects.class));
    let _ = writeln!(text, "{count} bytes `{}`{place}; {class}\n", bytes.join(" "));
    if let Some(target) = listing.target {
        let _ = writeln!(text, "{}", super::fields::table(inst, target));
    }
    let list = |list: &[Access]| {
        let names: Vec<String> =
            list.iter()
                .filter(|a| !a.reg().name().is_empty())
                .map(|a| {
                    if a.implicit() {
                        format!("*{}*", a.reg().name())
                    } else {
                        format!("`{}`", a.reg().name())
                    }
                })
                .collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let _ = writeln!(text, "Writes {}; reads {}\n", list(&line.effects.writes), list(&line.effects.reads));
    if listing.extent == Extent::Chunk {
        return text;
    }
    let _ = write!(text, "Live before it: {}", line.live);
    text
}

fn unit(class: IssueClass) -> &'static str {
    match class {
        IssueClass::Salu => "scalar unit",
        IssueClass::Smem => "scalar memory",
        IssueClass::Valu => "vector unit",
        IssueClass::Trans => "transcendental unit",
        IssueClass::Matrix => "matrix core",
        IssueClass::Vmem => "vector memory",
        IssueClass::Lds => "local memory",
        IssueClass::Export => "export",
        IssueClass::Branch => "branch",
        IssueClass::Other => "sequencer",
    }
}

/// The register that a token is part of, and its range: `v3`, or all of `v[2:5]` in each of its tokens.
pub(super) fn register_around(cx: &Cx<'_>, token: usize) -> Option<(TextRange, wavelens_isa::Reg)> {
    let lexed = &cx.lowered.lexed;
    if let Some(reg) = wavelens_isa::named_register(lexed.text(cx.text, token)) {
        return Some((lexed.range(token), reg));
    }
    let is_part = |t: usize| matches!(lexed.kind(t), L_BRACKET | R_BRACKET | COLON | INT | WHITESPACE);
    let is_file = |t: usize| matches!(lexed.text(cx.text, t), "v" | "s" | "a" | "acc" | "ttmp");
    let mut first = token;
    while !is_file(first) {
        if !is_part(first) || first != token && lexed.kind(first) == R_BRACKET {
            return None;
        }
        first = first.checked_sub(1)?;
    }
    let reg = register_at(cx, first)?;
    let last = (first..lexed.len()).find(|t| lexed.kind(*t) == R_BRACKET)?;
    Some((lexed.range(first).cover(lexed.range(last)), reg)).filter(|_| token <= last)
}

/// The register that a word starts: `v3`, or `v[2:5]` by its first word.
fn register_at(cx: &Cx<'_>, token: usize) -> Option<wavelens_isa::Reg> {
    let lexed = &cx.lowered.lexed;
    let word = lexed.text(cx.text, token);
    if let Some(reg) = wavelens_isa::named_register(word) {
        return Some(reg);
    }
    let number = |index: usize| {
        let value = wavelens_amdgpu::assembler::cursor::integer(lexed.text(cx.text, index))?;
        i64::try_from(value).ok()
    };
    if lexed.kind(token + 1) != L_BRACKET {
        return None;
    }
    let low = number(token + 2)?;
    let high = if lexed.kind(token + 3) == COLON { number(token + 4)? } else { low };
    register_range(word, low, high, wavelens_isa::Half::Full)?.ok()
}

/// Line of an instruction in the file, from 1.
pub(super) fn line_number(cx: &Cx<'_>, listing: &Listing, index: usize) -> usize {
    let line = || {
        let (chunk, _, at) = cx.view.chunk_at(listing.lines.get(index)?.instruction.range.start())?;
        cx.view.line_of(chunk, at)
    };
    line().unwrap_or(0)
}

/// The name of the directive whose line a token is in; empty for other lines.
fn directive<'t>(cx: &Cx<'t>, token: usize) -> &'t str {
    let lexed = &cx.lowered.lexed;
    let start = (0..token).rev().find(|t| lexed.kind(*t) == EOL).map_or(0, |t| t + 1);
    let words = (start..=token).filter(|t| lexed.kind(*t) == IDENT).map(|t| lexed.text(cx.text, t));
    words.into_iter().find(|w| w.starts_with('.')).unwrap_or("")
}

/// The instruction that a word is in, where a data directive encodes it: each line starts with an instruction.
fn decoded(cx: &Cx<'_>, listing: &Listing, token: usize) -> Option<String> {
    let target = listing.target?;
    let lexed = &cx.lowered.lexed;
    let wide = matches!(directive(cx, token), ".quad" | ".8byte");
    let line = (0..token).rev().find(|t| lexed.kind(*t) == EOL).map_or(0, |t| t + 1);
    let (mut bytes, mut place) = (Vec::new(), 0);
    let mut at = line;
    while bytes.len() < place + 20 && !matches!(lexed.kind(at), EOF) {
        match lexed.kind(at) {
            INT => {
                let value = wavelens_amdgpu::assembler::cursor::integer(lexed.text(cx.text, at))?;
                let all = (value as u64).to_le_bytes();
                place = if at == token { bytes.len() } else { place };
                bytes.extend(all.iter().take(if wide { 8 } else { 4 }));
            }
            // Instructions of several words go on in the next line.
            EOL if directive(cx, at + 2) != directive(cx, token) => break,
            _ => {}
        }
        at += 1;
    }
    let mut start = 0;
    let mut found = decode(target, &bytes);
    while let Some(before) = found.as_ref().filter(|found| start + found.len <= place) {
        start += before.len;
        found = decode(target, bytes.get(start..)?);
    }
    let found = found.or_else(|| {
        start = place;
        decode(target, bytes.get(place..)?)
    })?;
    let text = print(target, &found.inst);
    let place = match start == place {
        true => format!("The {} bytes from here as an instruction", found.len),
        false => format!("These bytes belong to the {} bytes of an instruction", found.len),
    };
    (!text.is_empty()).then(|| format!("{}\n{place}", block("amdgpu", &text)))
}

/// The instructions of a macro call or repetition.
fn expansion(listing: &Listing, lines: &[Line]) -> String {
    const SHOWN: usize = 40;
    let mut text = String::from("Here:\n```amdgpu\n");
    for line in lines.iter().take(SHOWN) {
        let shown = listing.target.map(|t| print(t, &line.instruction.encoded.inst())).unwrap_or_default();
        let _ = writeln!(text, "{shown}");
    }
    if lines.len() > SHOWN {
        let _ = writeln!(text, "; {} more", lines.len() - SHOWN);
    }
    text.push_str("```");
    text
}

/// A number by itself: its bits and what they are as floating point.
pub(super) fn number(word: &str) -> Option<String> {
    if word.contains('.') && !word.starts_with("0x") {
        let (sign, digits) = word.strip_prefix('-').map_or((1.0, word), |digits| (-1.0, digits));
        let value = sign * wavelens_amdgpu::assembler::cursor::real(digits)?;
        return Some(format!(
            "`{word}`\n\n- f16 `{:#06x}`\n- f32 `{:#010x}`\n- f64 `{:#018x}`",
            half_bits(value),
            (value as f32).to_bits(),
            value.to_bits()
        ));
    }
    let integer = wavelens_amdgpu::assembler::cursor::integer;
    let mut text = format!("`{word}`");
    if let Some(digits) = word.strip_prefix('-') {
        let value = 0i32.checked_sub_unsigned(u32::try_from(integer(digits)?).ok()?)?;
        return Some(format!("{text} = `{value:#x}`"));
    }
    let value = integer(word)?;
    let (decimal, hex) = (format!("{value}"), format!("{value:#x}"));
    if decimal != word {
        let _ = write!(text, " = {decimal}");
    }
    if hex != word {
        let _ = write!(text, " = `{hex}`");
    }
    text.push('\n');
    if let Ok(bits) = u32::try_from(value) {
        if (bits as i32) < 0 {
            let _ = write!(text, "\n- i32 {}", bits as i32);
        }
        if bits > 0xffff {
            let (low, high) = (half_value(bits as u16), half_value((bits >> 16) as u16));
            let _ = write!(text, "\n- f32 {:?}\n- two f16: low {low}, high {high}", f32::from_bits(bits));
        }
    }
    Some(text)
}

/// The nearest f16, to even.
pub(super) fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let value = value.abs();
    let steps = |unit: f64| (value / unit).round_ties_even();
    match value {
        v if v.is_nan() => sign | 0x7e00,
        v if v >= 65520.0 => sign | 0x7c00,
        v if v < 2f64.powi(-14) => sign | steps(2f64.powi(-24)) as u16,
        v => {
            let exponent = v.log2().floor().clamp(-14.0, 15.0) as i32;
            let bits = steps(2f64.powi(exponent - 10)) as u16;
            // A fraction that rounds up to the next power carries into the exponent.
            sign | (((exponent + 15) as u16) << 10).wrapping_add(bits.wrapping_sub(1024))
        }
    }
}

pub(super) fn half_value(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits & 0x8000 != 0 { -size } else { size }
}

pub(super) fn symbol(cx: &Cx<'_>, listing: &Listing, word: &str) -> Option<String> {
    let name = word.split('@').next()?;
    if let Some(found) = cx.scope.any_macro(name) {
        let head: Vec<&str> = found.parameters.iter().map(|p| p.name.as_str()).collect();
        let text = format!(".macro {} {}\n{}", found.name, head.join(", "), found.body.trim_end());
        return Some(block("amdgpu", &text));
    }
    if let Some(own) = macro_text(cx.text, name) {
        return Some(block("amdgpu", own));
    }
    if let Some(facts) = listing.functions.iter().find(|f| f.name == name) {
        let what = if facts.kernel.is_some() { "Kernel" } else { "Function" };
        let allocated = facts.kernel.as_ref().and_then(|k| k.allocated);
        let allocated = allocated
            .map_or(String::new(), |a| format!("; allocated: {} VGPRs, in steps of {}", a.vgprs, a.granule));
        return Some(format!(
            "{what} {}: {}; used: {}; live at once: {}{allocated}; {} waves on each SIMD",
            code(name),
            wavelens_syntax::wording::number(facts.lines.len(), "instructions"),
            facts.used,
            facts.peak,
            facts.waves
        ));
    }
    super::definition::defined(cx, name)
        .or_else(|| super::directive_help::predefined(name).map(str::to_owned))
}

/// The lines that begin the definition of a macro, with the macro's name.
pub(super) fn macro_heads(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let head = line.trim_start().strip_prefix(".macro")?.strip_prefix([' ', '\t'])?;
        Some((line, head.trim_start().split([' ', '\t', ',']).next()?))
    })
}

/// The definition of a macro in a text. A file of one chunk has no macros in its scope.
fn macro_text<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    const END: &str = ".endm";
    let (line, _) = macro_heads(text).find(|(_, own)| *own == name)?;
    let rest = text.get(text.find(line)?..)?;
    rest.get(..rest.find(END)? + END.len())
}
