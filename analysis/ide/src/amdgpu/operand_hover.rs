//! Hover over operands of instructions other than registers: numbers, modifiers, counters, messages, labels.

use wavelens_amdgpu::statement::{Encoding, Number, Statement, WrittenOperand};
use wavelens_base::TextSize;
use wavelens_isa::{MachineOperand, NamedValue, Slot, Takes, print};
use wavelens_syntax::amdgpu::AmdgpuKind::*;

use super::{Cx, fields, operand_help as help};
use crate::answers::Hover;

/// What the operand at a token is.
pub(super) fn operand(
    cx: &Cx<'_>,
    statement: &Statement,
    operand: &WrittenOperand,
    token: usize,
) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let word = lexed.text(cx.text, token);
    let empty = Hover { range: operand.range, markdown: String::new() };
    let one = |markdown: String| Some(Hover { range: lexed.range(token), markdown });
    let slot = operand.slot.as_ref()?;
    if matches!(word, "neg" | "abs" | "sext" | "lit" | "lit64") && lexed.kind(token) == IDENT {
        return one(help::word(word)?.to_owned());
    }
    let markdown = match &slot.takes {
        Takes::Source { ty, .. } | Takes::Literal(ty) => match operand.number {
            Some(number) => source(cx, statement, operand, slot, ty, number),
            None => return None,
        },
        Takes::Number { min, max } => plain(statement, operand, slot, *min, *max)?,
        Takes::Named { name, value } => {
            return named(cx, statement, operand, name, value, token);
        }
        Takes::Word(word) | Takes::Flag(word) => flag(cx, operand, word)?,
        Takes::RegisterOrOff(_) if word == "off" => help::word("off")?.to_owned(),
        Takes::CachePolicy => {
            let name = cx.slice(operand.range).split(':').next().unwrap_or("");
            match help::value(word).filter(|_| word.starts_with("TH_") || word.starts_with("SCOPE_")) {
                Some(value) => return one(format!("`{word}`: {value}")),
                None => format!("`{name}`: {}", help::word(name)?),
            }
        }
        Takes::DppControl => controls(cx, operand)?,
        Takes::Counters | Takes::DependencyCounters => return counters(cx, statement, operand),
        Takes::Delay | Takes::Event | Takes::Message | Takes::HardwareRegister | Takes::IndexMode => {
            return call(cx, statement, operand, slot, token);
        }
        Takes::ExportTarget => help::export_target(cx.slice(operand.range))?,
        Takes::InterpolationSlot => help::word(word)?.to_owned(),
        Takes::Attribute => attribute(cx.slice(operand.range))?,
        Takes::Label => label(cx, statement, operand)?,
        Takes::Register(_) | Takes::RegisterOrOff(_) => return None,
    };
    Some(Hover { markdown, ..empty })
}

/// `a 32-bit integer`, `f32`.
fn type_words(ty: &str) -> String {
    match ty {
        "i16" | "i32" | "i64" => format!("{}-bit integer", ty.get(1..).unwrap_or("")),
        "v2i16" => "two 16-bit integers".to_owned(),
        "v2i32" => "two 32-bit integers".to_owned(),
        _ => match ty.strip_prefix("v2") {
            Some(element) => format!("two {element}"),
            None => ty.to_owned(),
        },
    }
}

/// A number as a source operand: its type, how it is encoded and its bits.
fn source(
    cx: &Cx<'_>,
    statement: &Statement,
    operand: &WrittenOperand,
    slot: &Slot,
    ty: &str,
    number: Number,
) -> String {
    let written = cx.slice(operand.range);
    let head = format!("`{written}` as `{}` ({})", slot.name, type_words(ty));
    let Some((encoding, stored)) = statement.encoding(slot) else { return head };
    let size = match (encoding, &slot.takes) {
        (_, Takes::Literal(_)) => "literal".to_owned(),
        (Encoding::Inline(code), _) => format!("inline constant {code}"),
        (Encoding::Literal, _) if statement_bytes(statement) > 8 && ty.ends_with("64") => {
            "literal, after the instruction".to_owned()
        }
        (Encoding::Literal, _) => "literal, a dword after the instruction".to_owned(),
    };
    let value = match number {
        Number::Integer(value) if matches!(ty, "i16" | "i32" | "i64" | "v2i16" | "v2i32") => {
            integer(value, ty, stored)
        }
        // Bits of small integers say more than the denormal numbers that they are.
        Number::Integer(value @ -16..=64) => format!("the bits of the integer {value}"),
        _ => format!("`{}`", fields::shown(stored, ty.strip_prefix("v2").unwrap_or(ty))),
    };
    format!("{head}: {size}, {value}")
}

fn statement_bytes(statement: &Statement) -> usize {
    statement.inst.as_ref().map_or(0, wavelens_isa::Inst::size)
}

fn integer(value: i64, ty: &str, stored: i64) -> String {
    let bits = match ty {
        "i16" | "v2i16" if (-0x8000..=0xffff).contains(&value) => format!("{:#06x}", stored as u16),
        "i64" | "v2i32" => format!("{stored:#x}"),
        _ => format!("{:#x}", stored as u32),
    };
    match value {
        0..=9 => format!("`{value}`"),
        _ => format!("`{value}` = `{bits}`"),
    }
}

/// A number that is a field of the encoding.
fn plain(statement: &Statement, operand: &WrittenOperand, slot: &Slot, min: i64, max: i64) -> Option<String> {
    let Number::Integer(value) = operand.number? else { return None };
    if let Some(text) = help::control(statement.target, &statement.name, value) {
        return Some(format!("`{}` = {value}: {text}", slot.name));
    }
    if slot.name == "offset" {
        return Some(offset(statement, value, min, max));
    }
    let signed = value as u16 as i16;
    let as_signed =
        if value > 0x7fff && max == 0xffff { format!(" (as i16 {signed})") } else { String::new() };
    let size = if (min, max) == (-0x8000, 0xffff) { ", a 16-bit constant" } else { "" };
    Some(format!("`{}`{size}: {value} = `{value:#x}`{as_signed}", slot.name))
}

/// An offset with its unit and range.
fn offset(statement: &Statement, value: i64, min: i64, max: i64) -> String {
    let scalar = statement.name.starts_with("s_");
    let unit =
        if scalar && !statement.target.facts().scalar_offset_counts_bytes { "dwords" } else { "bytes" };
    let hex = if value < 0 { format!("-{:#x}", -value) } else { format!("{value:#x}") };
    format!("Offset {value} {unit} (`{hex}`); from {min} to {max} on {}", statement.target.name())
}

/// `name:value`.
fn named(
    cx: &Cx<'_>,
    statement: &Statement,
    operand: &WrittenOperand,
    name: &str,
    value: &NamedValue,
    token: usize,
) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let (text, word) = (cx.slice(operand.range), lexed.text(cx.text, token));
    let written = text.split(':').next().unwrap_or(name).trim();
    let argument = token > 0 && word != written && lexed.kind(token) == IDENT;
    if let Some(value) = help::value(word).filter(|_| argument) {
        return Some(Hover { range: lexed.range(token), markdown: format!("`{word}`: {value}") });
    }
    let number = match operand.number {
        Some(Number::Integer(value)) => Some(value),
        _ => None,
    };
    let meaning = help::word(written).or_else(|| help::word(name)).unwrap_or("");
    let markdown = match (value, number) {
        (NamedValue::Number { min, max }, Some(value)) if written.ends_with("offset") => {
            offset(statement, value, *min, *max)
        }
        (NamedValue::Swizzle, Some(value)) if statement.name != "ds_swizzle_b32" => {
            offset(statement, value, 0, 0xffff)
        }
        (_, Some(value)) => {
            let detail = number_detail(written, value).map(|d| format!(" {d}")).unwrap_or_default();
            format!("`{written}` = {value}: {meaning}{detail}")
        }
        (NamedValue::Bits, None) => bits(statement, written, text, meaning),
        _ => format!("`{written}`: {meaning}"),
    };
    Some(Hover { range: operand.range, markdown })
}

/// What the number of a modifier selects.
pub(super) fn number_detail(name: &str, value: i64) -> Option<String> {
    let set = |names: &[&str]| {
        let on: Vec<&str> =
            names.iter().enumerate().filter(|(i, _)| value >> i & 1 == 1).map(|(_, n)| *n).collect();
        if on.is_empty() { "none".to_owned() } else { on.join(", ") }
    };
    Some(match name {
        "dmask" => format!("Here: {}.", set(&["x", "y", "z", "w"])),
        "row_mask" => format!("Rows written here: {}.", set(&["0", "1", "2", "3"])),
        "bank_mask" => format!("Banks written here: {}.", set(&["0", "1", "2", "3"])),
        "fi" if value == 0 => "Here it is switched off.".to_owned(),
        "bound_ctrl" if value == 0 => "0 switches it off from gfx11 on, and on before.".to_owned(),
        "bitop3" => format!("The table is `{:#010b}`.", value & 0xff),
        _ => return None,
    })
}

/// Bits in square brackets, each with the operand that it is about.
fn bits(statement: &Statement, name: &str, text: &str, meaning: &str) -> String {
    let list = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let bits: Vec<&str> = list.split(',').map(str::trim).collect();
    let permutes = ["v_permlane16_", "v_permlanex16_"].iter().any(|p| statement.name.starts_with(p));
    let permutes = permutes && name == "op_sel" && !statement.name.contains("swap");
    let operand = |i: usize| match i + 1 == bits.len() && i > 0 && name == "op_sel" && bits.len() > 2 {
        _ if permutes => ["`fi`", "`bound_ctrl`"].get(i).copied().unwrap_or("nothing").to_owned(),
        true => "the result (or the last source)".to_owned(),
        false => format!("`src{i}`"),
    };
    let on: Vec<String> =
        bits.iter().enumerate().filter(|(_, b)| **b == "1").map(|(i, _)| operand(i)).collect();
    let on = if on.is_empty() { "none".to_owned() } else { on.join(", ") };
    let meaning = match permutes {
        true => "Two controls: `fi` reads inactive lanes too, `bound_ctrl` reads 0 where there is no lane.",
        false => meaning,
    };
    format!("`{name}`: {meaning} Set for: {on}.")
}

/// A bare word.
fn flag(cx: &Cx<'_>, operand: &WrittenOperand, word: &str) -> Option<String> {
    let written = cx.slice(operand.range);
    if word.starts_with("v_dual_") {
        return super::hover::mnemonic(word);
    }
    let meaning = help::word(word)?;
    let off =
        if written.starts_with("no") && !word.starts_with("no") { " Here it is switched off." } else { "" };
    Some(format!("`{written}`: {meaning}{off}"))
}

fn controls(cx: &Cx<'_>, operand: &WrittenOperand) -> Option<String> {
    let text = cx.slice(operand.range);
    let name = text.split(':').next().unwrap_or("").trim();
    let meaning = help::word(name)?;
    let value = text.split_once(':').map(|(_, v)| v.trim());
    Some(match value {
        Some(value) => format!("`{name}` = {value}: {meaning}"),
        None => format!("`{name}`: {meaning}"),
    })
}

/// A counter of a wait, or the number that holds all of them.
fn counters(cx: &Cx<'_>, statement: &Statement, operand: &WrittenOperand) -> Option<Hover> {
    let text = cx.slice(operand.range);
    let markdown = match (operand.number, text.split_once('(')) {
        (Some(_), _) => {
            let decoded = decoded(statement);
            match decoded.is_empty() {
                true => return None,
                false => format!("`{text}` waits for `{decoded}`"),
            }
        }
        (None, Some((name, rest))) => {
            let name = name.trim();
            let value = rest.trim_end_matches(')').trim();
            let limit = wavelens_isa::counter_limit(statement.target, name.trim_end_matches("_sat"));
            let range = limit.map(|l| format!(" Values from 0 to {l} on {}.", statement.target.name()));
            let waits = match value {
                "0" => "Waits until none is outstanding.".to_owned(),
                _ => format!("Waits until at most {value} are outstanding."),
            };
            format!("`{name}`: {} {waits}{}", help::counter(name)?, range.unwrap_or_default())
        }
        _ => return None,
    };
    Some(Hover { range: operand.range, markdown })
}

/// The operands of the instruction as they are printed.
fn decoded(statement: &Statement) -> String {
    let Some(inst) = &statement.inst else { return String::new() };
    let printed = print(statement.target, inst);
    printed.split_once(' ').map_or_else(String::new, |(_, operands)| operands.to_owned())
}

/// `sendmsg(...)`, `hwreg(...)`, `instid0(...)`: the argument under the cursor, or the whole.
fn call(
    cx: &Cx<'_>,
    statement: &Statement,
    operand: &WrittenOperand,
    slot: &Slot,
    token: usize,
) -> Option<Hover> {
    let lexed = &cx.lowered.lexed;
    let (word, range) = (lexed.text(cx.text, token), lexed.range(token));
    if let Some(value) = help::value(word) {
        let number = match slot.takes {
            Takes::HardwareRegister => wavelens_isa::hardware_register(statement.target, word),
            Takes::Message => wavelens_isa::message(statement.target, word),
            _ => None,
        };
        let number = number.map(|n| format!(" (number {n})")).unwrap_or_default();
        return Some(Hover { range, markdown: format!("`{word}`{number}: {value}") });
    }
    let text = cx.slice(operand.range);
    let inst = statement.inst.as_ref()?;
    let stored = slot.operand.and_then(|i| match inst.operands().get(i) {
        Some(MachineOperand::Imm(value)) => Some(*value),
        _ => None,
    });
    let markdown = match (&slot.takes, stored) {
        (Takes::HardwareRegister, Some(value)) => {
            let (first, size) = (value >> 6 & 31, (value >> 11 & 31) + 1);
            let name = decoded(statement);
            let name =
                name.split_once("hwreg(").map_or("", |(_, rest)| rest).split([',', ')']).next().unwrap_or("");
            let meaning = help::value(name).unwrap_or_default();
            format!("Bits {}:{first} of hardware register `{name}`. {meaning}", first + size - 1)
        }
        (Takes::Delay, _) => match word {
            "instid0" => "What the next instruction depends on.".to_owned(),
            "instskip" => "Which instruction `instid1` is about.".to_owned(),
            "instid1" => "What a second instruction depends on.".to_owned(),
            _ => format!("`{text}` means `{}`", decoded(statement)),
        },
        (Takes::Message, Some(value)) => format!("Message `{value:#x}`: `{}`", decoded(statement)),
        (Takes::IndexMode, _) => format!("Indexed operands: `{}`", decoded(statement)),
        _ => return None,
    };
    Some(Hover { range: operand.range, markdown })
}

pub(super) fn attribute(text: &str) -> Option<String> {
    let (number, channel) = text.strip_prefix("attr")?.split_once('.')?;
    Some(format!("Component {channel} of attribute {number}"))
}

/// Where a branch goes.
fn label(cx: &Cx<'_>, statement: &Statement, operand: &WrittenOperand) -> Option<String> {
    let name = cx.slice(operand.range);
    if let Some(Number::Integer(dwords)) = operand.number {
        let dwords = i64::from(dwords as i16);
        let way = if dwords < 0 { "back" } else { "forward" };
        return Some(format!("{} {way} from the next instruction", counted(dwords.abs())));
    }
    let listing = super::queries::facts_at(cx, operand.range.start());
    let known = super::hover::symbol(cx, listing, name)?;
    let place: TextSize = cx.start() + statement.mnemonic.start();
    let line = listing.at(place).and_then(|i| listing.lines.get(i));
    let distance = line.and_then(|line| {
        let next = line.instruction.offset + line.instruction.encoded.bytes().len() as u64;
        Some((line.goal? as i64).wrapping_sub(next as i64) / 4)
    });
    let distance = distance.map(|d| {
        let way = if d < 0 { "back" } else { "forward" };
        format!(", {} {way}", counted(d.abs()))
    });
    Some(known + &distance.unwrap_or_default())
}

fn counted(dwords: i64) -> String {
    format!("{dwords} dword{}", if dwords == 1 { "" } else { "s" })
}
