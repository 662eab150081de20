//! Inlay hints in Machine IR: types of generic registers at their uses.

use super::Cx;
use super::ide_support::{function, ir};
use super::model::{RegisterName, Type};
use crate::ide::{Hint, HintKind};
use crate::llvm;

pub fn hints(cx: &Cx<'_>) -> Vec<Hint> {
    if let Some(inner) = ir(cx) {
        return llvm::hints::hints(&inner);
    }
    let Some(f) = function(cx) else { return Vec::new() };
    let mut types: Vec<Option<Type>> = vec![None; f.registers.len()];
    let virtuals = || {
        f.operands.iter().filter_map(|o| match o.register() {
            Some(r) => match r.name {
                RegisterName::Virtual(v) => Some((o, r, v as usize)),
                _ => None,
            },
            None => None,
        })
    };
    for (_, register, v) in virtuals() {
        if let (Some(ty), Some(slot)) = (register.ty, types.get_mut(v)) {
            *slot = Some(ty);
        }
    }
    virtuals()
        .filter(|(operand, register, _)| !operand.is_def() && register.ty.is_none())
        .filter_map(|(operand, _, v)| {
            let ty = types.get(v).copied().flatten()?;
            let label = format!("({ty})");
            Some(Hint { offset: operand.range.end(), label, tooltip: String::new(), kind: HintKind::Type })
        })
        .collect()
}
