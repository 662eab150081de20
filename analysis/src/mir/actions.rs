//! Code actions in Machine IR, beyond the fixes of findings.

use super::Cx;
use super::ide_support::{function, ir};
use super::model::{Function, RegisterName, Type};
use crate::ide::Action;
use crate::{TextEdit, TextRange, llvm};

pub fn actions(cx: &Cx<'_>, range: TextRange) -> Vec<Action> {
    if let Some(inner) = ir(cx) {
        return llvm::actions::actions(&inner, range);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    [tracks_liveness(f, range), old_types(cx, f, range)].into_iter().flatten().collect()
}

/// `tracksRegLiveness: true` behind the name.
fn tracks_liveness(f: &Function, range: TextRange) -> Option<Action> {
    let p = &f.properties;
    let near = p.name.range.contains_range(range) || range.contains_range(p.name.range);
    if p.ranges.contains_key("tracksRegLiveness") || !near {
        return None;
    }
    let at = TextRange::empty(p.name.range.end());
    let edit = TextEdit { range: at, text: "\ntracksRegLiveness: true".to_owned() };
    Some(Action::rewrite("Add `tracksRegLiveness: true`", vec![edit]))
}

/// `%0(s32) = G_ADD ...` as `%0:_(s32) = G_ADD ...`.
fn old_types(cx: &Cx<'_>, f: &Function, range: TextRange) -> Option<Action> {
    let old = |o: &&super::model::Operand| {
        o.is_def()
            && o.register().is_some_and(|r| {
                matches!(r.name, RegisterName::Virtual(_))
                    && r.ty.is_some_and(|t| t != Type::Token)
                    && !r.class.is_some()
            })
    };
    let here =
        f.operands.iter().filter(old).any(|o| o.range.contains_range(range) || range.contains_range(o.range));
    if !here {
        return None;
    }
    let edits = f
        .operands
        .iter()
        .filter(old)
        .filter_map(|o| {
            let paren = cx.slice(o.range).find('(')?;
            let at = o.range.start() + crate::TextSize::new(paren as u32);
            Some(TextEdit { range: TextRange::empty(at), text: ":_".to_owned() })
        })
        .collect();
    Some(Action::rewrite("Write the bank of generic registers (`:_`) in this function", edits))
}
