//! Inlay hints in SPIR-V assembly: what a number stands for.

use wavelens_syntax::spirv::tables::Kind;

use super::Cx;
use super::flat::{Form, NONE};
use super::fold::constant_value;
use super::ops;
use super::place::{debug_name, module};
use crate::ide::{Hint, HintKind};

pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    let m = module(cx);
    let flat = &cx.lowered.flat;
    // Names already say what they are; numbers do not.
    let labels: Vec<Option<(String, HintKind)>> = flat
        .names
        .iter()
        .zip(&m.ids)
        .map(|(name, id)| {
            if !name.text.starts_with(|c: char| c.is_ascii_digit()) || *id == NONE {
                return None;
            }
            if let Some(value) = constant_value(&m, *id) {
                return Some((value, HintKind::Note));
            }
            let named = debug_name(&m, *id).map(|n| (n, HintKind::Note));
            named.or_else(|| ops::generates_type(m.op(*id)).then(|| (m.type_name(*id), HintKind::Type)))
        })
        .collect();
    let mut hints: Vec<Hint> = flat
        .operands
        .iter()
        .zip(&cx.lowered.operand_ranges)
        .filter(|(o, _)| o.form == Form::Id && o.kind != Kind::ResultId)
        .filter_map(|(o, range)| {
            let (label, kind) = labels.get(o.value as usize)?.as_ref()?;
            let label = label.chars().take(32).collect();
            Some(Hint { offset: range.end(), label, tooltip: String::new(), kind: *kind })
        })
        .collect();
    hints.sort_by_key(|h| h.offset);
    hints
}
