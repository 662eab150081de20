//! Constants: literals, aggregates and expressions must suit their type.

mod literals;

use std::cell::OnceCell;

use wavelens_syntax::llvm::NEWER_SINCE;

use self::literals::{float, instead, is_rounded, newer_float};
use super::operands::{GepProblem, address_problem, cast_is_valid, gep_result, mask_problem, right_cast};
use crate::body::{Inst, Opcode};
use crate::context::{ModuleContext, RuleContext, TablesContext};
use crate::layout::is_scalable;
use crate::lower::rules::INVALID_CONSTANT;
use crate::names::Symbol;
use crate::operand::{AggregateKind, Const, ConstExpr, Operand, OperandId, Value};
use crate::target_types;
use crate::types::{Span, Type, TypeId};
use wavelens_base::{Fix, TextEdit, TextRange, TextSize};

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    // Inline assembly is a callee only.
    let callees: Vec<u32> = cx.body.calls.iter().map(|c| c.callee.0).collect();
    let body = cx.body;
    let users = OnceCell::new();
    let local_types = std::mem::take(&mut cx.local_types);
    let user = |operand: usize| {
        let all = users.get_or_init(|| {
            let mut all = vec![None; body.tables.operands.len()];
            for inst in &body.insts {
                all.get_mut(inst.operands.range()).into_iter().flatten().for_each(|o| *o = Some(inst));
            }
            all
        });
        let inst: &Inst = all.get(operand).copied().flatten()?;
        let partner = inst.operands.range().find(|other| *other != operand);
        let partner = partner.and_then(|other| match body.tables.operands.get(other)?.value {
            Value::Local(local) => local_types.get(local.0 as usize).copied(),
            _ => None,
        });
        Some(User { opcode: inst.opcode, partner })
    };
    check_operands(&mut cx.tables_context(), &callees, &user);
    cx.local_types = local_types;
}

pub(crate) fn module(cx: &mut ModuleContext<'_>) {
    let mut cx = cx.tables_context();
    check_operands(&mut cx, &[], &|_| None);
    // In functions the type rule looks at these.
    for (index, operand) in cx.tables.operands.iter().enumerate() {
        if let Value::Global(symbol) = operand.value {
            let ty = cx.ty(operand.ty);
            let range = cx.ranges.operand(OperandId(index as u32));
            let problem = match cx.types.get(ty) {
                Type::Error => continue,
                Type::Ptr(space) => match cx.scope.global(symbol, &cx.tables.names) {
                    Some(global) if global.address_space != space => format!(
                        "`{}` is in address space {}, but is used as a pointer to address space {space}",
                        symbol.display('@', &cx.tables.names),
                        global.address_space
                    ),
                    _ => continue,
                },
                _ => format!(
                    "expected a pointer type before `{}`, found `{}`",
                    symbol.display('@', &cx.tables.names),
                    cx.display_ty(ty)
                ),
            };
            cx.report(&super::type_mismatch::TYPE_MISMATCH, range, problem);
        }
    }
}

/// The instruction that an operand belongs to.
struct User {
    opcode: Opcode,
    /// The type of the value that is the other operand.
    partner: Option<TypeId>,
}

/// `user` finds an operand's.
fn check_operands(cx: &mut TablesContext<'_, '_>, callees: &[u32], user: &dyn Fn(usize) -> Option<User>) {
    let tables = cx.tables;
    for (index, operand) in tables.operands.iter().enumerate() {
        match operand.value {
            Value::Const(id) => {
                let ty = cx.ty(operand.ty);
                let constant = tables.constant(id);
                if let Some(message) = problem(cx, constant, ty) {
                    let range = cx.ranges.operand(OperandId(index as u32));
                    let instead = instead(cx, constant, ty);
                    let cast = other_cast(cx, constant);
                    // Elsewhere the type may be what is wrong.
                    let certain = !is_rounded(cx, constant, ty)
                        && user(index).is_some_and(|user| {
                            takes(cx, user.opcode, ty) && user.partner.is_none_or(|partner| partner == ty)
                        });
                    let diagnostic = cx.report(&INVALID_CONSTANT, range, message);
                    if let Some((written, meant)) = cast {
                        let opcode = TextRange::at(range.start(), TextSize::of(written));
                        let title = format!("Replace `{written}` with `{meant}`");
                        diagnostic.set_guess(title, vec![TextEdit::new(opcode, meant)]);
                    } else if let Some(text) = instead {
                        let title = format!("Replace with `{text}`");
                        diagnostic.fix =
                            Some(Fix { title, certain, edits: vec![TextEdit::new(range, text)] });
                    }
                }
            }
            Value::Asm(_) if callees.binary_search(&(index as u32)).is_err() => {
                let range = cx.ranges.operand(OperandId(index as u32));
                cx.report(&INVALID_CONSTANT, range, "inline assembly must only be called");
            }
            _ => {}
        }
    }
}

/// Whether an opcode says which kind of type its operands have, and a type is of that kind.
fn takes(cx: &TablesContext<'_, '_>, opcode: Opcode, ty: TypeId) -> bool {
    match opcode {
        Opcode::FAdd | Opcode::FSub | Opcode::FMul | Opcode::FDiv | Opcode::FRem | Opcode::FCmp => {
            !cx.types.is_int(ty) && !cx.types.is_ptr(ty)
        }
        Opcode::ICmp => !cx.types.is_float_or_vector(ty),
        _ => opcode.is_binary() && cx.types.is_int(ty),
    }
}

/// The opcode of a cast that cannot convert its operand, and the one that can.
fn other_cast(cx: &TablesContext<'_, '_>, constant: Const) -> Option<(&'static str, &'static str)> {
    let Const::Expr(index) = constant else { return None };
    let expr = cx.tables.cold.exprs.get(index as usize).filter(|expr| expr.opcode.is_cast())?;
    let operands: &[Operand] = expr.operands.of(&cx.tables.operands);
    let (from, to) = (cx.ty(operands.first()?.ty), cx.ty(expr.ty));
    let is_wrong =
        !from.is_error() && !to.is_error() && !cast_is_valid(cx.scope, cx.types, expr.opcode, from, to);
    let right = right_cast(cx.scope, cx.types, expr.opcode, from, to).filter(|_| is_wrong)?;
    let is_constant = matches!(
        right,
        Opcode::Trunc | Opcode::PtrToInt | Opcode::IntToPtr | Opcode::BitCast | Opcode::AddrSpaceCast
    );
    is_constant.then(|| (expr.opcode.word(), right.word()))
}

/// First-class types are all but functions, `void` and opaque structs.
pub(super) fn is_first_class(cx: &TablesContext<'_, '_>, ty: TypeId) -> bool {
    match cx.types.get(ty) {
        Type::Function { .. } | Type::Void => false,
        Type::NamedStruct(def) => cx.scope.struct_def(def).is_none_or(|s| s.fields.is_some()),
        _ => true,
    }
}

fn problem(cx: &mut TablesContext<'_, '_>, constant: Const, ty: TypeId) -> Option<String> {
    if ty.is_error() {
        // The parts of an expression are looked at all the same.
        return match constant {
            Const::Expr(index) => expression(cx, index).err(),
            _ => None,
        };
    }
    let shown = |cx: &TablesContext<'_, '_>| cx.display_ty(ty);
    match constant {
        Const::Error => None,
        Const::Int(_) | Const::Wide(_) => (!cx.types.is_int(ty) && !cx.types.is_byte(ty))
            .then(|| format!("expected a constant of type `{}`, found an integer", shown(cx))),
        Const::Bool(_) => {
            (ty != TypeId::I1).then(|| format!("expected a constant of type `{}`, found an `i1`", shown(cx)))
        }
        Const::Double(bits) => float(cx, bits, ty, false),
        Const::Decimal(bits) => {
            let is_rounded = cx.scope.llvm_level.is_none_or(|level| level >= NEWER_SINCE);
            float(cx, bits, ty, is_rounded)
        }
        Const::HexFloat(index) => {
            let literal = *cx.tables.cold.hex_floats.get(index as usize)?;
            let letter = literal.letter;
            let own = match letter {
                b'f' | b'n' | b's' => return newer_float(cx, literal, ty),
                b'K' => TypeId::X86_FP80,
                b'L' => TypeId::FP128,
                b'M' => TypeId::PPC_FP128,
                b'H' => TypeId::HALF,
                _ => TypeId::BFLOAT,
            };
            (own != ty).then(|| {
                format!(
                    "expected `{2}`, found `0x{0}...`, a `{1}`",
                    char::from(letter),
                    cx.display_ty(own),
                    shown(cx)
                )
            })
        }
        Const::Null => (!cx.types.is_ptr(ty))
            .then(|| format!("expected a constant of type `{}`, found `null`, a pointer", shown(cx))),
        Const::Undef | Const::Poison | Const::ZeroInitializer => {
            let bad = !is_first_class(cx, ty) || ty == TypeId::LABEL || no_zero(cx, constant, ty);
            let word = match constant {
                Const::Undef => "undef",
                Const::Poison => "poison",
                _ => "zeroinitializer",
            };
            bad.then(|| format!("type `{}` does not have the constant `{word}`", shown(cx)))
        }
        Const::None => {
            let ok = ty == TypeId::TOKEN;
            (!ok).then(|| format!("expected a constant of type `{}`, found `none`, a token", shown(cx)))
        }
        Const::String { len } => {
            let is_of_bytes = match cx.types.get(ty) {
                Type::Array { len: own, element } => {
                    own == u64::from(len) && matches!(cx.types.get(element), Type::Int(8) | Type::Byte(8))
                }
                _ => false,
            };
            (!is_of_bytes).then(|| format!("expected `{}`, found a string of type `[{len} x i8]`", shown(cx)))
        }
        Const::Aggregate { kind, elements } => aggregate(cx, kind, elements, ty),
        Const::Splat(element) => match cx.types.get(ty) {
            Type::Vector { element: scalar, .. } => {
                let own = cx.ty(cx.tables.operand(element).ty);
                (own != scalar && !own.is_error()).then(|| {
                    format!("expected `{1}`, found a `splat` of `{0}`", cx.display_ty(own), shown(cx))
                })
            }
            _ => Some(format!("expected `{}`, found a `splat`, a vector", shown(cx))),
        },
        Const::Expr(index) => match expression(cx, index) {
            Err(message) => Some(message),
            Ok(own) if own == ty || own.is_error() => None,
            Ok(own) => Some(format!(
                "expected `{1}`, found an expression of type `{0}`",
                cx.display_ty(own),
                shown(cx)
            )),
        },
        Const::BlockAddress(index) if cx.types.is_ptr(ty) => {
            let address = cx.tables.cold.block_addresses.get(index as usize)?;
            let own = address_type(cx, address.function)?;
            (own != ty).then(|| {
                format!("expected `{}`, found the address of a block, `{}`", shown(cx), cx.display_ty(own))
            })
        }
        Const::DsoLocalEquivalent(symbol) | Const::NoCfi(symbol) if cx.types.is_ptr(ty) => {
            let own = address_type(cx, symbol)?;
            let name = symbol.display('@', &cx.tables.names);
            (own != ty).then(|| {
                format!("expected `{}`, found the address of `{name}`, `{}`", shown(cx), cx.display_ty(own))
            })
        }
        Const::BlockAddress(_) | Const::DsoLocalEquivalent(_) | Const::NoCfi(_) => {
            (!cx.types.is_ptr(ty)).then(|| format!("expected `{}`, found a pointer", shown(cx)))
        }
        Const::PtrAuth(parts) => ptrauth(cx, parts, ty),
    }
}

/// The type of a global's address, if the global is known.
fn address_type(cx: &mut TablesContext<'_, '_>, global: Symbol) -> Option<TypeId> {
    let space = cx.scope.global(global, &cx.tables.names)?.address_space;
    Some(cx.types.ptr(space))
}

/// Target types mostly have no zero.
fn no_zero(cx: &TablesContext<'_, '_>, constant: Const, ty: TypeId) -> bool {
    let Type::Target(index) = cx.types.get(ty) else { return false };
    constant == Const::ZeroInitializer
        && cx.types.target(index).is_some_and(|t| !target_types::properties(&t.name).has_zero)
}

fn aggregate(
    cx: &mut TablesContext<'_, '_>,
    kind: AggregateKind,
    elements: Span,
    ty: TypeId,
) -> Option<String> {
    let operands: &[Operand] = elements.of(&cx.tables.operands);
    let element_type =
        |cx: &TablesContext<'_, '_>, i: usize| operands.get(i).map_or(TypeId::ERROR, |o| cx.ty(o.ty));
    match kind {
        AggregateKind::Struct | AggregateKind::PackedStruct => {
            let packed = kind == AggregateKind::PackedStruct;
            let (fields, is_packed) = match cx.types.get(ty) {
                Type::Struct { fields, packed } => (cx.types.list(fields), packed),
                Type::NamedStruct(def) => {
                    let def = cx.scope.struct_def(def)?;
                    (def.fields.map_or(&[][..], |f| cx.types.list(f)), def.packed)
                }
                _ => {
                    return Some(format!(
                        "expected a constant of type `{}`, found a struct",
                        cx.display_ty(ty)
                    ));
                }
            };
            if fields.contains(&TypeId::ERROR) {
                return None;
            }
            if fields.len() != operands.len() {
                return Some(format!("expected {} fields, found {}", fields.len(), operands.len()));
            }
            if packed != is_packed {
                let (a, b) = if packed { ("packed", "is not") } else { ("not packed", "is") };
                return Some(format!("the constant is {a}, but its type {b}"));
            }
            for (i, field) in fields.iter().enumerate() {
                let own = element_type(cx, i);
                if own != *field && !own.is_error() && !field.is_error() {
                    let (own, field) = (cx.display_ty(own), cx.display_ty(*field));
                    return Some(format!("expected `{field}` for the field at index {i}, found `{own}`"));
                }
            }
            None
        }
        AggregateKind::Array | AggregateKind::Vector => {
            let Some(first) = operands.first().map(|o| cx.ty(o.ty)) else {
                let empty = matches!(cx.types.get(ty), Type::Array { len: 0, .. });
                return match kind {
                    AggregateKind::Vector => Some("a vector constant must have at least one element".into()),
                    _ => (!empty).then(|| {
                        format!("expected a constant of type `{}`, found an empty array", cx.display_ty(ty))
                    }),
                };
            };
            for i in 1..operands.len() {
                let own = element_type(cx, i);
                if own.is_error() {
                    return None;
                }
                if own != first {
                    let (own, first) = (cx.display_ty(own), cx.display_ty(first));
                    return Some(format!(
                        "expected `{first}` for the element at index {i}, as for the first, found `{own}`"
                    ));
                }
            }
            if first.is_error() {
                return None;
            }
            let own = if kind == AggregateKind::Array {
                cx.types.array(operands.len() as u64, first)
            } else {
                if !cx.types.is_element(first) {
                    return Some(
                        "the elements of a vector must be integers, floating-point values or pointers".into(),
                    );
                }
                cx.types.vector(operands.len() as u32, false, first)
            };
            (own != ty).then(|| {
                format!(
                    "expected `{1}`, found a constant of type `{0}`",
                    cx.display_ty(own),
                    cx.display_ty(ty)
                )
            })
        }
    }
}

fn ptrauth(cx: &mut TablesContext<'_, '_>, parts: Span, ty: TypeId) -> Option<String> {
    let operands = parts.of(&cx.tables.operands);
    let part =
        |cx: &TablesContext<'_, '_>, i: usize| operands.get(i).map(|o| cx.ty(o.ty)).filter(|t| !t.is_error());
    let is_int = |i: usize| {
        operands.get(i).is_none_or(|o| {
            // LLVM folds an expression of numbers.
            let is_folded = |index: u32| {
                let expr = cx.tables.cold.exprs.get(index as usize);
                expr.is_some_and(|expr| expr.opcode.is_int_binary())
            };
            match cx.tables.const_of(*o) {
                Some(Const::Int(_) | Const::ZeroInitializer | Const::Wide(_)) => true,
                Some(Const::Expr(index)) => is_folded(index),
                _ => false,
            }
        })
    };
    if part(cx, 0).is_some_and(|t| !cx.types.is_ptr(t)) {
        return Some("the base of `ptrauth` must be a pointer".into());
    }
    if part(cx, 1).is_some_and(|t| t != TypeId::I32) || !is_int(1) {
        return Some("the key of `ptrauth` must be an `i32` constant".into());
    }
    if part(cx, 2).is_some_and(|t| t != TypeId::I64) || !is_int(2) {
        return Some("the discriminator of `ptrauth` must be an `i64` constant".into());
    }
    for i in 3..operands.len() {
        if part(cx, i).is_some_and(|t| !cx.types.is_ptr(t)) {
            let what = if i == 3 { "address discriminator" } else { "deactivation symbol" };
            return Some(format!("the {what} of `ptrauth` must be a pointer"));
        }
    }
    let symbol = operands.get(4);
    let named = symbol.is_none_or(|o| {
        matches!(o.value, Value::Global(_) | Value::Error)
            || matches!(cx.tables.const_of(*o), Some(Const::Null | Const::Error))
    });
    if !named {
        return Some("the deactivation symbol of `ptrauth` must be a global or `null`".into());
    }
    let own = part(cx, 0)?;
    (own != ty).then(|| {
        format!("expected `{1}`, found a constant of type `{0}`", cx.display_ty(own), cx.display_ty(ty))
    })
}

/// The type of a constant expression, or what is wrong with it.
fn expression(cx: &mut TablesContext<'_, '_>, index: u32) -> Result<TypeId, String> {
    let Some(expr) = cx.tables.cold.exprs.get(index as usize).copied() else { return Ok(TypeId::ERROR) };
    let ConstExpr { opcode, operands: span, .. } = expr;
    let operands: &[Operand] = span.of(&cx.tables.operands);
    let types: Vec<TypeId> = operands.iter().map(|o| cx.ty(o.ty)).collect();
    if types.contains(&TypeId::ERROR) || operands.is_empty() {
        return Ok(TypeId::ERROR);
    }
    let at = |i: usize| types.get(i).copied().unwrap_or(TypeId::ERROR);
    match opcode {
        op if op.is_cast() => {
            let to = cx.ty(expr.ty);
            if to.is_error() {
                Ok(to)
            } else if cast_is_valid(cx.scope, cx.types, op, at(0), to) {
                address_problem(cx.scope, cx.types, op, at(0), to).map_or(Ok(to), Err)
            } else {
                let (from, to) = (cx.display_ty(at(0)), cx.display_ty(to));
                Err(format!("`{}` cannot convert `{from}` to `{to}`", op.word()))
            }
        }
        Opcode::Add | Opcode::Sub | Opcode::Xor => {
            if at(0) != at(1) {
                let (a, b) = (cx.display_ty(at(0)), cx.display_ty(at(1)));
                Err(format!("both operands must have the same type, found `{a}` and `{b}`"))
            } else if !cx.types.is_int_or_vector(at(0)) {
                Err(format!("`{}` requires integers, found `{}`", opcode.word(), cx.display_ty(at(0))))
            } else {
                Ok(at(0))
            }
        }
        Opcode::GetElementPtr => {
            let source = cx.ty(expr.ty);
            if let Some((low, high)) = expr.inrange.filter(|(low, high)| low >= high) {
                return Err(format!("the end of `inrange({low}, {high})` must exceed its start"));
            }
            if is_scalable(cx.scope, cx.types, source) {
                return Err("a constant `getelementptr` must not be of a scalable type".into());
            }
            match gep_result(cx.scope, cx.types, cx.tables, source, operands, &types) {
                Ok(ty) => Ok(ty),
                Err(GepProblem { message, .. }) => Err(message),
            }
        }
        Opcode::ExtractElement => {
            if operands.len() != 2 {
                return Err("expected 2 operands of `extractelement`".into());
            }
            match cx.types.get(at(0)) {
                Type::Vector { element, .. } if cx.types.is_int(at(1)) => Ok(element),
                _ => Err("the operands of `extractelement` must be a vector and an integer".into()),
            }
        }
        Opcode::InsertElement => {
            if operands.len() != 3 {
                return Err("expected 3 operands of `insertelement`".into());
            }
            match cx.types.get(at(0)) {
                Type::Vector { element, .. } if element == at(1) && cx.types.is_int(at(2)) => Ok(at(0)),
                _ => Err("the operands of `insertelement` must be a vector, an element of it and an integer"
                    .into()),
            }
        }
        Opcode::ShuffleVector => {
            if operands.len() != 3 {
                return Err("expected 3 operands of `shufflevector`".into());
            }
            match (cx.types.get(at(0)), cx.types.get(at(2))) {
                (
                    Type::Vector { element, len: of, .. },
                    Type::Vector { len, scalable, element: TypeId::I32 },
                ) if at(0) == at(1) => {
                    let mask = operands.get(2).and_then(|mask| cx.tables.const_of(*mask));
                    match mask_problem(cx.tables, mask, of, scalable) {
                        Some((problem, _)) => Err(problem),
                        None => Ok(cx.types.vector(len, scalable, element)),
                    }
                }
                _ => {
                    Err("the operands of `shufflevector` must be two vectors of the same type and a mask of `i32`"
                        .into())
                }
            }
        }
        _ => Ok(TypeId::ERROR),
    }
}

#[cfg(test)]
mod tests;
