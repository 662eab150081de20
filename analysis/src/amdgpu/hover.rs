//! Hover in AMDGPU assembly.

use std::fmt::Write as _;

use wavelens_isa::{Access, IssueClass, print, register_range};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::Cx;
use super::flow::{dword_name, dwords};
use super::whole::{Line, Whole, whole};
use crate::TextSize;
use crate::ide::Hover;

pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let mut token = lexed.at_offset(at);
    if matches!(lexed.kind(token), WHITESPACE | EOL | COMMA) {
        token = token.checked_sub(1)?;
    }
    let (range, word) = (lexed.range(token), lexed.text(cx.text, token));
    let whole = whole(cx.view.db, cx.view.file);
    let file_offset = cx.start() + range.start();
    let index = whole.at(file_offset);
    let markdown = match lexed.kind(token) {
        IDENT => match index.and_then(|i| Some((i, whole.lines.get(i)?))) {
            Some((_, line)) if file_offset == line.instruction.range.start() => instruction(whole, line),
            Some((index, _)) => match register_at(cx, token) {
                Some(reg) => register(cx, whole, index, reg),
                None => symbol(cx, word)?,
            },
            None => symbol(cx, word)?,
        },
        INT | REAL => number(word)?,
        _ => return None,
    };
    Some(Hover { range, markdown })
}

fn instruction(whole: &Whole, line: &Line) -> String {
    let inst = &line.instruction.encoded.inst;
    let bytes: Vec<String> = line.instruction.encoded.bytes().iter().map(|b| format!("{b:02x}")).collect();
    let mut text = format!("```amdgpu\n{}\n```\n", whole.target.map(|t| print(t, inst)).unwrap_or_default());
    if let Some(formula) = super::formula::formula(inst.mnemonic()) {
        let _ = writeln!(text, "{formula}\n");
    }
    let _ = writeln!(
        text,
        "{} bytes `{}` at {:#x}; {}\n",
        bytes.len(),
        bytes.join(" "),
        line.instruction.offset,
        unit(line.effects.class)
    );
    let list = |list: &[Access]| {
        let names: Vec<String> = list
            .iter()
            .filter(|a| !a.reg.name().is_empty())
            .map(|a| if a.implicit() { format!("*{}*", a.reg.name()) } else { format!("`{}`", a.reg.name()) })
            .collect();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let _ = writeln!(text, "Writes {}; reads {}\n", list(&line.effects.writes), list(&line.effects.reads));
    let live = line.live;
    let agprs = if live.agprs > 0 { format!("{} AGPRs, ", live.agprs) } else { String::new() };
    let _ = write!(text, "Live before it: {} VGPRs, {agprs}{} SGPRs", live.vgprs, live.sgprs);
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
        let value = super::cursor::integer(lexed.text(cx.text, index))?;
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
        let here = if writes { "written here; " } else { "" };
        let _ = write!(text, "\n- `{}`: {here}{from}; {next}", dword_name(dword));
    }
    text
}

/// Line of an instruction in the file, from 1.
fn line_number(cx: &Cx<'_>, whole: &Whole, index: usize) -> usize {
    let Some(line) = whole.lines.get(index) else { return 0 };
    let offset = line.instruction.range.start();
    let mut count = 1;
    for chunk in 0..cx.view.chunks().len() {
        let start = cx.view.start(chunk);
        let Some(text) = cx.view.chunks().get(chunk).map(|c| cx.view.text(*c)) else { break };
        let end = start + TextSize::of(text);
        let shown = if offset < end { usize::from(offset - start) } else { text.len() };
        count += text.get(..shown).unwrap_or("").matches('\n').count();
        if offset < end {
            break;
        }
    }
    count
}

fn number(word: &str) -> Option<String> {
    let float_bits =
        |value: f64| format!("f32 `{:#010x}`, f64 `{:#018x}`", (value as f32).to_bits(), value.to_bits());
    if word.contains('.') && !word.starts_with("0x") {
        let value = super::cursor::real(word)?;
        let inline = [0.5, 1.0, 2.0, 4.0].contains(&value);
        let how = if inline { "inline constant" } else { "literal" };
        return Some(format!("{value}: {how} for floating-point operands; {}", float_bits(value)));
    }
    let value = super::cursor::integer(word)?;
    let inline = match value {
        0..=64 => format!("inline constant {}", 128 + value),
        _ => "literal dword".to_owned(),
    };
    let mut text = format!("{value} = `{value:#x}`; as an integer operand: {inline}");
    if let Ok(bits) = u32::try_from(value)
        && bits > 64
    {
        let _ = write!(text, "; as f32 bits: {}", f32::from_bits(bits));
    }
    Some(text)
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
    let kernel = whole(cx.view.db, cx.view.file);
    let facts = kernel.functions.iter().find(|f| f.name == name)?;
    let what = if facts.kernel { "Kernel" } else { "Function" };
    Some(format!(
        "{what} `{name}`: {} instructions; names {} VGPRs and {} SGPRs, of which {} and {} are live at once; {} waves on each SIMD",
        facts.lines.len(),
        facts.used.vgprs,
        facts.used.sgprs,
        facts.peak.vgprs,
        facts.peak.sgprs,
        facts.waves
    ))
}
