//! Signature help in AMDGPU assembly.

use wavelens_amdgpu::statement::{Statement, statement_at};
use wavelens_base::TextSize;
use wavelens_isa::{NamedValue, Slot, Takes, Template};

use super::Cx;
use crate::answers::Signature;

/// The operands of the instruction under the cursor, by the names of the instruction table.
pub fn signature(cx: &Cx<'_>, at: TextSize) -> Option<Signature> {
    let statement = statement_at(cx.lowered, cx.scope, cx.id(), cx.text, at)?;
    let template = best(&statement)?;
    let mut label = statement.name.clone();
    let mut parameters = Vec::new();
    for slot in template.slots.iter().filter(|s| is_shown(s)) {
        let separator = match parameters.is_empty() || slot.is_optional {
            true => " ",
            false => ", ",
        };
        label.push_str(separator);
        let start = label.len();
        label.push_str(&form(slot));
        parameters.push(start..label.len());
    }
    let in_operands = at > statement.mnemonic.end();
    let active = active(&statement, &template, at).filter(|a| in_operands && *a < parameters.len());
    let documentation = super::hover::mnemonic(&statement.name).unwrap_or_default();
    Some(Signature { label, parameters, active, documentation })
}

fn is_shown(slot: &Slot) -> bool {
    !matches!(slot.takes, Takes::Word("[" | "]"))
}

/// `vdst`, `[offset:bytes]`.
fn form(slot: &Slot) -> String {
    let text = match &slot.takes {
        Takes::Word(word) | Takes::Flag(word) => (*word).to_owned(),
        Takes::Named { name, value } => match value {
            NamedValue::Bits | NamedValue::Lanes { .. } => format!("{name}:[...]"),
            NamedValue::Format => format!("{name}:[...]"),
            _ => format!("{name}:..."),
        },
        Takes::CachePolicy => "cache policy".to_owned(),
        Takes::DppControl => "DPP control".to_owned(),
        Takes::Counters => "counters".to_owned(),
        Takes::DependencyCounters => "counters".to_owned(),
        Takes::Label => "label".to_owned(),
        Takes::RegisterOrOff(_) => format!("{} or off", slot.name),
        _ => slot.name.to_owned(),
    };
    if slot.is_optional { format!("[{text}]") } else { text }
}

/// The encoding that has the most of the operands that are written.
fn best(statement: &Statement) -> Option<Template> {
    let templates = wavelens_isa::templates(statement.target, &statement.name);
    let written: Vec<&Slot> = statement.operands.iter().filter_map(|o| o.slot.as_ref()).collect();
    let fits = |template: &Template| written.iter().filter(|s| template.slots.contains(s)).count();
    // The first one wins among equals: it is the shortest encoding.
    templates.into_iter().rev().max_by_key(fits)
}

/// The parameter that the cursor is in.
fn active(statement: &Statement, template: &Template, at: TextSize) -> Option<usize> {
    let shown = || template.slots.iter().filter(|s| is_shown(s));
    if let Some(slot) = statement.operand_at(at).and_then(|(_, o)| o.slot.as_ref()) {
        return shown().position(|s| s == slot);
    }
    let next = statement.expected.first()?;
    shown().position(|s| s.name == next.name)
}
