//! Hover in SPIR-V assembly.

use std::fmt::Write;

use wavelens_syntax::spirv::tables::{Kind, Op};

use super::code::Id;
use super::flat::Form;
use super::module::{Definition, Module};
use super::place::{
    constant_value, debug_name, decoration_text, definition_text, inst_at, module, operand_at, requirements,
};
use super::{Cx, ops};
use crate::ide::Hover;
use crate::{TextRange, TextSize};

pub fn hover(cx: &Cx<'_>, at: TextSize) -> Option<Hover> {
    let m = module(cx);
    let index = inst_at(cx, at)?;
    let raw = cx.lowered.flat.insts.get(index)?;
    let Some(operand) = operand_at(cx, index, at) else { return opcode(cx, &m, index, at) };
    let range = *cx.lowered.operand_ranges.get(raw.first as usize + operand)?;
    let flat = cx.lowered.flat.operands_of(raw).get(operand)?;
    let markdown = match flat.form {
        Form::Id => id(cx, &m, *m.ids.get(flat.value as usize)?),
        Form::Word => enumerants(flat.kind, flat.value)?,
        Form::Text if flat.kind == Kind::LiteralString => return None,
        Form::Text => {
            let set = m.inst(m.first + index as u32)?.raw.set?;
            let known = set.named(cx.slice(range))?;
            let operands: Vec<String> = known.operands.iter().map(|o| format!("{:?}", o.kind)).collect();
            format!("`{}` of {set:?}, number {}\n\n{}", known.name, known.number, operands.join(", "))
        }
    };
    Some(Hover { range, markdown })
}

/// The instruction itself: what it wants, and its words.
fn opcode(cx: &Cx<'_>, m: &Module<'_>, index: usize, at: TextSize) -> Option<Hover> {
    let range = *cx.lowered.inst_ranges.get(index)?;
    let raw = cx.lowered.flat.insts.get(index)?;
    let name = raw.op.name();
    let start = range.start() + TextSize::new(cx.slice(range).find(name)? as u32);
    let written = TextRange::at(start, TextSize::of(name));
    if !written.contains_inclusive(at) {
        return None;
    }
    let info = raw.op.info()?;
    let mut text = format!("**{name}** (opcode {}, {})\n\n", raw.op.0, info.class);
    let operands: Vec<String> = info.operands.iter().map(|o| format!("{:?}", o.kind)).collect();
    if !operands.is_empty() {
        let _ = writeln!(text, "Operands: {}\n", operands.join(", "));
    }
    let needs = requirements(info.capabilities, info.extensions, info.first_version, info.last_version);
    if !needs.is_empty() {
        let _ = writeln!(text, "{needs}\n");
    }
    words(m, m.first + index as u32, &mut text);
    Some(Hover { range: written, markdown: text })
}

fn words(m: &Module<'_>, at: u32, text: &mut String) {
    let Some(inst) = m.inst(at).filter(|i| i.is_whole()) else { return };
    let mut encoded = Vec::new();
    let mut operands = inst.operands().iter().peekable();
    for (offset, word) in inst.words().iter().enumerate() {
        let operand = operands.next_if(|o| usize::from(o.offset) == offset);
        // Ids get their number only when the whole module is written.
        match operand.is_some_and(|o| o.kind.is_id()) {
            true => encoded.push(m.name(*word)),
            false => encoded.push(format!("{word:08x}")),
        }
    }
    let _ = writeln!(text, "Words: `{}`", encoded.join(" "));
}

fn id(cx: &Cx<'_>, m: &Module<'_>, id: Id) -> String {
    let mut text = String::new();
    match definition_text(cx, m, id) {
        Some(definition) => {
            let _ = writeln!(text, "```spirv\n{definition}\n```\n");
        }
        None => {
            let _ = writeln!(text, "`{}`\n", m.name(id));
        }
    }
    if let Some(name) = debug_name(m, id) {
        let _ = writeln!(text, "Name: `{name}`  ");
    }
    if let Some(value) = constant_value(m, id) {
        let _ = writeln!(text, "Value: `{value}`  ");
    }
    let op = m.op(id);
    if ops::generates_type(op) {
        let _ = writeln!(text, "Type: `{}`  ", m.type_name(id));
        members(m, id, &mut text);
    } else if let Some(def) = m.def(id).filter(|d| d.ty() != super::flat::NONE) {
        let _ = writeln!(text, "Type: `{}`  ", m.type_name(def.ty()));
    }
    let own: Vec<String> =
        m.decorations(id).iter().filter(|d| d.member.is_none()).map(|d| decoration_text(m, d)).collect();
    if !own.is_empty() {
        let _ = writeln!(text, "Decorations: `{}`  ", own.join("`, `"));
    }
    match m.definition(id) {
        Definition::Here(at) => words(m, m.first + at, &mut text),
        Definition::Elsewhere => text.push_str("Defined in another function.\n"),
        Definition::Missing => text.push_str("Not defined.\n"),
        Definition::Module(_) => {}
    }
    text
}

fn members(m: &Module<'_>, ty: Id, text: &mut String) {
    let Some(def) = m.def(ty).filter(|d| d.op() == Op::TypeStruct) else { return };
    text.push_str("\n```\n");
    for (number, index) in (1..def.count()).enumerate() {
        let decorations: Vec<String> = m
            .decorations(ty)
            .iter()
            .filter(|d| d.member == Some(number as u32))
            .map(|d| decoration_text(m, d))
            .collect();
        let _ = writeln!(text, "{number}: {}  {}", m.type_name(def.operand(index)), decorations.join(", "));
    }
    text.push_str("```\n");
}

/// The values of an enumeration, or the bits of a mask.
fn enumerants(kind: Kind, value: u32) -> Option<String> {
    let mut text = String::new();
    for known in kind.enumerants() {
        let set = match kind.is_mask() && known.value != 0 {
            true => value & known.value == known.value,
            false => value == known.value,
        };
        if set {
            let needs =
                requirements(known.capabilities, known.extensions, known.first_version, known.last_version);
            let _ = writeln!(text, "**{}** ({kind:?} {})\n\n{needs}\n", known.name, known.value);
        }
    }
    (!text.is_empty()).then_some(text)
}
