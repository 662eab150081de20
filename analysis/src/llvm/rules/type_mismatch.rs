//! Each use of a value must name the type that the value has.

use crate::llvm::body::LocalKind;
use crate::llvm::check::FunctionCx;
use crate::llvm::operand::{Operand, Value};
use crate::llvm::scope::layout_space;
use crate::llvm::types::TypeId;
use crate::{Place, Rule, Severity, TextRange};

pub static TYPE_MISMATCH: Rule = Rule {
    code: "type-mismatch",
    severity: Severity::Error,
    explain: "A value is used with another type than it was defined with. Every operand repeats its type, and the two must agree.",
};

pub const RULES: &[&Rule] = &[&TYPE_MISMATCH];

pub fn function(cx: &mut FunctionCx<'_>) {
    let body = cx.body;
    // What the first use ahead of the definition took a local for.
    let mut ahead: Vec<Option<TypeId>> = vec![None; body.locals.len()];
    let mut callees = body.calls.iter().map(|c| c.callee.0).peekable();
    let program_space = layout_space(cx.scope.data_layout.as_deref(), b'P');
    for (index, operand) in body.tables.operands.iter().enumerate() {
        let mut ty = cx.ty(operand.ty);
        let range = body.ranges.operands.get(index).copied().unwrap_or_default();
        if callees.peek() == Some(&(index as u32)) {
            callees.next();
            if ty == TypeId::PTR && program_space != 0 {
                ty = cx.types.ptr(program_space);
            }
        }
        match operand.value {
            Value::Local(id) => {
                let (Some(local), Some(slot)) = (body.local(id), ahead.get_mut(id.0 as usize)) else {
                    continue;
                };
                let actual = if local.range.start() < range.start() && local.kind != LocalKind::Undefined {
                    cx.local_ty(id)
                } else {
                    *slot.get_or_insert(ty)
                };
                if actual == ty || actual.is_error() || ty.is_error() {
                    continue;
                }
                mismatch(cx, *operand, range, ty, actual, local.range);
            }
            Value::Global(symbol) => {
                if ty.is_error() {
                    continue;
                }
                let Some(space) = (match cx.types.get(ty) {
                    crate::llvm::types::Type::Ptr(space) => Some(space),
                    _ => None,
                }) else {
                    let (name, ty) = (cx.display_value(*operand), cx.display_ty(ty));
                    cx.report(
                        &TYPE_MISMATCH,
                        range,
                        format!("`{name}` is a pointer, but `{ty}` is written before it"),
                    );
                    continue;
                };
                if let Some(global) = cx.scope.global(symbol, &body.tables.names)
                    && global.address_space != space
                {
                    let place = cx.scope.place(global.summary, global.head.item);
                    let message = format!(
                        "`{}` is in address space {}, but {space} is written before it",
                        cx.display_value(*operand),
                        global.address_space
                    );
                    cx.report(&TYPE_MISMATCH, range, message)
                        .related
                        .push(crate::Related { place, message: "defined here".into() });
                }
            }
            _ => {}
        }
    }
    for (index, first) in ahead.iter().enumerate() {
        let (Some(expected), Some(local)) = (first, body.locals.get(index)) else { continue };
        let actual = cx.local_types.get(index).copied().unwrap_or(TypeId::ERROR);
        let known = !actual.is_error() && !expected.is_error();
        if known && actual != *expected && local.kind != LocalKind::Undefined {
            let message = format!(
                "`{}` is a `{}` here, but was used as a `{}` before",
                cx.display_local(local.name),
                cx.display_ty(actual),
                cx.display_ty(*expected)
            );
            cx.report(&TYPE_MISMATCH, local.range, message);
        }
    }
}

fn mismatch(
    cx: &mut FunctionCx<'_>,
    operand: Operand,
    range: TextRange,
    ty: TypeId,
    actual: TypeId,
    definition: TextRange,
) {
    let name = cx.display_value(operand);
    let message = match (ty, actual) {
        (TypeId::LABEL, _) => format!("`{name}` is not a basic block but a `{}`", cx.display_ty(actual)),
        (_, TypeId::LABEL) => format!("`{name}` is a basic block, not a `{}`", cx.display_ty(ty)),
        _ => format!("`{name}` is a `{}`, not a `{}`", cx.display_ty(actual), cx.display_ty(ty)),
    };
    cx.report(&TYPE_MISMATCH, range, message)
        .related
        .push(crate::Related { place: Place::Here(definition), message: "defined here".into() });
}
