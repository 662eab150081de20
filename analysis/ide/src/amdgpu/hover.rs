//! Hover in AMDGPU assembly.

use std::fmt::Write as _;

use wavelens_isa::{Access, IssueClass, decode, print, register_range};
use wavelens_semantics::TextSize;
use wavelens_semantics::amdgpu::flow::{dword_name, dwords};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use super::queries::facts;
use crate::answers::Hover;
use crate::assembly::{Extent, Line, Whole};

/// What is shown about the word at an offset of the chunk.
pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let mut token = lexed.at_offset(at);
    if matches!(lexed.kind(token), WHITESPACE | EOL | COMMA) {
        token = token.checked_sub(1)?;
    }
    let (range, word) = (lexed.range(token), lexed.text(cx.text, token));
    let whole = facts(cx);
    let file_offset = cx.start() + range.start();
    let index = whole.at(file_offset);
    let lines = whole.statement_at(file_offset);
    let markdown = match lexed.kind(token) {
        IDENT
            if lines
                .first()
                .is_some_and(|l| l.instruction.nested && l.instruction.range.start() == file_offset) =>
        {
            let head = symbol(cx, word).map(|head| format!("{head}\n\n")).unwrap_or_default();
            head + &expansion(whole, lines)
        }
        IDENT => match index.and_then(|i| Some((i, whole.lines.get(i)?))) {
            Some((_, line)) if file_offset == line.instruction.range.start() => instruction(whole, line),
            Some((index, _)) => match register_at(cx, token) {
                Some(reg) => register(cx, whole, index, reg),
                None => symbol(cx, word)?,
            },
            None => symbol(cx, word)?,
        },
        INT if matches!(directive(cx, token), ".long" | ".4byte" | ".int" | ".quad" | ".8byte") => {
            match decoded(cx, whole, token) {
                Some(text) => format!("{text}\n\n{}", number(word)?),
                None => number(word)?,
            }
        }
        INT | REAL => match index.and_then(|i| whole.lines.get(i)).zip(whole.target) {
            Some((line, target)) if !line.instruction.nested => {
                let inst = &line.instruction.encoded.inst();
                let own = super::fields::number_in(inst, target, word);
                own.map(|own| own + "\n\n").unwrap_or_default() + &number(word)?
            }
            _ => number(word)?,
        },
        _ => return None,
    };
    Some(Hover { range, markdown })
}

fn instruction(whole: &Whole, line: &Line) -> String {
    let inst = &line.instruction.encoded.inst();
    let bytes: Vec<String> = line.instruction.encoded.bytes().iter().map(|b| format!("{b:02x}")).collect();
    let mut text = format!("```amdgpu\n{}\n```\n", whole.target.map(|t| print(t, inst)).unwrap_or_default());
    if let Some(formula) = super::formula::formula(inst.mnemonic()) {
        let _ = writeln!(text, "{formula}\n");
    }
    let place = match whole.extent {
        Extent::File => format!(" at {:#x}", line.instruction.offset),
        _ => String::new(),
    };
    let (count, class) = (bytes.len(), unit(line.effects.class));
    let _ = writeln!(text, "{count} bytes `{}`{place}; {class}\n", bytes.join(" "));
    if let Some(target) = whole.target {
        let _ = writeln!(text, "{}", super::fields::table(inst, target));
    }
    let list = |list: &[Access]| {
        let names: Vec<String> = list
            .iter()
            .filter(|a| !a.reg.name().is_empty())
            .map(|a| if a.implicit() { format!("*{}*", a.reg.name()) } else { format!("`{}`", a.reg.name()) })
            .collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let _ = writeln!(text, "Writes {}; reads {}\n", list(&line.effects.writes), list(&line.effects.reads));
    if whole.extent == Extent::Chunk {
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

/// The register that a word starts: `v3`, or `v[2:5]` by its first word.
fn register_at(cx: &Cx<'_>, token: usize) -> Option<wavelens_isa::Reg> {
    let lexed = &cx.lowered.lexed;
    let word = lexed.text(cx.text, token);
    if let Some(reg) = wavelens_isa::named_register(word) {
        return Some(reg);
    }
    let number = |index: usize| {
        let value = wavelens_semantics::amdgpu::assembler::cursor::integer(lexed.text(cx.text, index))?;
        i64::try_from(value).ok()
    };
    if lexed.kind(token + 1) != L_BRACKET {
        return None;
    }
    let low = number(token + 2)?;
    let high = if lexed.kind(token + 3) == COLON { number(token + 4)? } else { low };
    register_range(word, low, high, wavelens_isa::Half::Full)?.ok()
}

fn register(cx: &Cx<'_>, whole: &Whole, index: usize, reg: wavelens_isa::Reg) -> String {
    let mut text = format!("`{}`\n", reg.name());
    let own = whole.lines.get(index);
    for dword in dwords(reg).take(4) {
        let (writer, readers) = whole.around(index, dword);
        let writes = own.is_some_and(|l| l.effects.writes.iter().any(|a| dwords(a.reg).contains(&dword)));
        let from = match writer {
            Some(writer) => format!("written last in line {}", line_number(cx, whole, writer)),
            None => "not written before in this function".to_owned(),
        };
        let to: Vec<String> = readers.iter().map(|r| line_number(cx, whole, *r).to_string()).collect();
        let next = match to.is_empty() {
            true => "not read after in line order".to_owned(),
            false => format!("read next in line {}", to.join(", ")),
        };
        let range = match whole.live_range(index, dword) {
            Some((first, last)) if first != last => {
                format!(
                    "; lives from line {} to {}",
                    line_number(cx, whole, first),
                    line_number(cx, whole, last)
                )
            }
            _ => String::new(),
        };
        let here = if writes { "written here; " } else { "" };
        let _ = write!(text, "\n- `{}`: {here}{from}; {next}{range}", dword_name(dword));
    }
    text
}

/// Line of an instruction in the file, from 1.
fn line_number(cx: &Cx<'_>, whole: &Whole, index: usize) -> usize {
    let line = || {
        let (chunk, _, at) = cx.view.chunk_at(whole.lines.get(index)?.instruction.range.start())?;
        cx.view.line_of(chunk, at)
    };
    line().unwrap_or(0)
}

/// The name of the directive whose line a token is in; empty for other lines.
fn directive<'t>(cx: &Cx<'t>, token: usize) -> &'t str {
    let lexed = &cx.lowered.lexed;
    let start = (0..token).rev().find(|t| lexed.kind(*t) == EOL).map_or(0, |t| t + 1);
    let words = (start..token).filter(|t| lexed.kind(*t) == IDENT).map(|t| lexed.text(cx.text, t));
    words.into_iter().find(|w| w.starts_with('.')).unwrap_or("")
}

/// The instruction that the words from a token on are, where a data directive stands in for it.
fn decoded(cx: &Cx<'_>, whole: &Whole, token: usize) -> Option<String> {
    let target = whole.target?;
    let lexed = &cx.lowered.lexed;
    let wide = matches!(directive(cx, token), ".quad" | ".8byte");
    let mut bytes = Vec::new();
    let mut at = token;
    while bytes.len() < 20 && !matches!(lexed.kind(at), EOF) {
        match lexed.kind(at) {
            INT => {
                let value = wavelens_semantics::amdgpu::assembler::cursor::integer(lexed.text(cx.text, at))?;
                let all = (value as u64).to_le_bytes();
                bytes.extend(all.iter().take(if wide { 8 } else { 4 }));
            }
            // Instructions of several words go on in the next line.
            EOL if directive(cx, at + 2) != directive(cx, token) => break,
            _ => {}
        }
        at += 1;
    }
    let found = decode(target, &bytes)?;
    let text = print(target, &found.inst);
    (!text.is_empty())
        .then(|| format!("```amdgpu\n{text}\n```\nThe {} bytes from here as an instruction", found.len))
}

/// The instructions of a macro call or repetition.
fn expansion(whole: &Whole, lines: &[Line]) -> String {
    const SHOWN: usize = 40;
    let mut text = String::from("Here:\n```amdgpu\n");
    for line in lines.iter().take(SHOWN) {
        let shown = whole.target.map(|t| print(t, &line.instruction.encoded.inst())).unwrap_or_default();
        let _ = writeln!(text, "{shown}");
    }
    if lines.len() > SHOWN {
        let _ = writeln!(text, "; {} more", lines.len() - SHOWN);
    }
    text.push_str("```");
    text
}

/// A number as an operand: how it is encoded, and what its bits are as each type.
fn number(word: &str) -> Option<String> {
    const FLOATS: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
    let float_code = |value: f64| {
        let place = FLOATS.iter().position(|f| *f == value.abs())?;
        Some(240 + 2 * place + usize::from(value < 0.0))
    };
    let how = |code: Option<usize>| match code {
        Some(code) => format!("inline constant {code}"),
        None => "a literal dword".to_owned(),
    };
    if word.contains('.') && !word.starts_with("0x") {
        let value = wavelens_semantics::amdgpu::assembler::cursor::real(word)?;
        return Some(format!(
            "`{word}` as an operand: {}\n\n- f16 `{:#06x}`\n- f32 `{:#010x}`\n- f64 `{:#018x}`",
            how(float_code(value)),
            half_bits(value),
            (value as f32).to_bits(),
            value.to_bits()
        ));
    }
    let value = wavelens_semantics::amdgpu::assembler::cursor::integer(word)?;
    let bits = u32::try_from(value).ok();
    let code = match bits {
        Some(bits @ 0..=64) => Some(128 + bits as usize),
        Some(bits) if (-16..0).contains(&(bits as i32)) => Some((192 - (bits as i32)) as usize),
        Some(bits) => float_code(f64::from(f32::from_bits(bits))),
        None => None,
    };
    let mut text = format!("`{word}` = {value} = `{value:#x}` as a 32-bit operand: {}\n", how(code));
    if let Some(bits) = bits {
        if (bits as i32) < 0 {
            let _ = write!(text, "\n- i32 {}", bits as i32);
        }
        let _ = write!(text, "\n- f32 {:?}", f32::from_bits(bits));
        if bits <= 0xffff {
            let _ = write!(text, "\n- f16 {}", half_value(bits as u16));
        } else {
            let (low, high) = (half_value(bits as u16), half_value((bits >> 16) as u16));
            let _ = write!(text, "\n- two f16: low {low}, high {high}");
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

fn symbol(cx: &Cx<'_>, word: &str) -> Option<String> {
    let name = word.split('@').next()?;
    if let Some(found) = cx.scope.any_macro(name) {
        let head: Vec<&str> = found.parameters.iter().map(|p| p.name.as_str()).collect();
        return Some(format!(
            "```amdgpu\n.macro {} {}\n{}\n```",
            found.name,
            head.join(", "),
            found.body.trim_end()
        ));
    }
    let kernel = facts(cx);
    let facts = kernel.functions.iter().find(|f| f.name == name)?;
    let what = if facts.kernel.is_some() { "Kernel" } else { "Function" };
    Some(format!(
        "{what} `{name}`: {} instructions; names {}; at most live at once: {}; {} waves on each SIMD",
        facts.lines.len(),
        facts.used,
        facts.peak,
        facts.waves
    ))
}
