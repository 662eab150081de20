//! Constants: literals, aggregates and expressions must suit their type.

use std::cell::OnceCell;

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert};

use wavelens_syntax::llvm::NEWER_SINCE;

use super::operands::{GepProblem, address_problem, cast_is_valid, gep_result, mask_problem, right_cast};
use crate::body::Opcode;
use crate::context::{ModuleContext, RuleContext, TablesContext};
use crate::layout::is_scalable;
use crate::lower::rules::INVALID_CONSTANT;
use crate::names::Symbol;
use crate::operand::{AggregateKind, Const, ConstExpr, HexFloat, Operand, OperandId, Value};
use crate::target_types;
use crate::types::{Span, Type, TypeId};
use wavelens_base::{Fix, TextEdit, TextRange, TextSize};

pub(crate) fn function(cx: &mut RuleContext<'_>) {
    // Inline assembly is a callee only.
    let callees: Vec<u32> = cx.body.calls.iter().map(|c| c.callee.0).collect();
    let body = cx.body;
    let opcodes = OnceCell::new();
    let opcode = |operand: usize| {
        let all = opcodes.get_or_init(|| {
            let mut all = vec![None; body.tables.operands.len()];
            for inst in &body.insts {
                all.get_mut(inst.operands.range()).into_iter().flatten().for_each(|o| *o = Some(inst.opcode));
            }
            all
        });
        all.get(operand).copied().flatten()
    };
    check_operands(&mut cx.tables_context(), &callees, &opcode);
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

/// `opcode` gives that of the instruction that an operand belongs to.
fn check_operands(cx: &mut TablesContext<'_, '_>, callees: &[u32], opcode: &dyn Fn(usize) -> Option<Opcode>) {
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
                    let certain = opcode(index).is_some_and(|opcode| takes(cx, opcode, ty));
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
        Opcode::ICmp => true,
        _ => opcode.is_binary() && cx.types.is_int(ty),
    }
}

/// The opcode of a cast that cannot convert its operand, and the one that can.
fn other_cast(cx: &TablesContext<'_, '_>, constant: Const) -> Option<(&'static str, &'static str)> {
    let Const::Expr(index) = constant else { return None };
    let expr = cx.tables.cold.exprs.get(index as usize).filter(|expr| expr.opcode.is_cast())?;
    let operands: &[Operand] = expr.operands.of(&cx.tables.operands);
    let (from, to) = (cx.ty(operands.first()?.ty), cx.ty(expr.ty));
    let is_wrong = !from.is_error() && !to.is_error() && !cast_is_valid(cx.types, expr.opcode, from, to);
    let right = right_cast(cx.types, expr.opcode, from, to).filter(|_| is_wrong)?;
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
        Const::Int(_) | Const::Wide(_) => (!cx.types.is_int(ty))
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
            let own = cx.types.array(u64::from(len), TypeId::I8);
            (own != ty).then(|| format!("expected `{}`, found a string of type `[{len} x i8]`", shown(cx)))
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

/// The constant of the right type that surely was meant.
fn instead(cx: &TablesContext<'_, '_>, constant: Const, ty: TypeId) -> Option<String> {
    let types = &cx.types;
    let is_plain_float = matches!(ty, TypeId::DOUBLE | TypeId::FLOAT | TypeId::HALF);
    let aggregate = matches!(
        types.get(ty),
        Type::Array { .. } | Type::Vector { .. } | Type::Struct { .. } | Type::NamedStruct(_)
    );
    match constant {
        Const::Int(0) if types.is_ptr(ty) => Some("null".into()),
        Const::Int(0) | Const::Null if aggregate => Some("zeroinitializer".into()),
        Const::Int(n) if is_plain_float && n.abs() <= 1 << 10 => Some(format!("{n}.0")),
        Const::Null if types.is_int(ty) => Some("0".into()),
        Const::Null if is_plain_float => Some("0.0".into()),
        Const::Bool(value) if types.is_int(ty) => Some(u8::from(value).to_string()),
        Const::Double(bits) | Const::Decimal(bits) => {
            let value = f64::from_bits(bits);
            if types.is_int(ty) && value.fract() == 0.0 && value.abs() < 1e15 {
                return Some(format!("{value:.0}"));
            }
            if types.is_ptr(ty) && value == 0.0 {
                return Some("null".into());
            }
            if let Some(meant) = bits_of(bits, ty) {
                return Some(meant);
            }
            // The nearest number that it can hold.
            let (double, mut lost) = (Double::from_bits(u128::from(bits)), false);
            let (half, bfloat): (Half, BFloat) =
                (double.convert(&mut lost).value, double.convert(&mut lost).value);
            let single = value as f32;
            match ty {
                TypeId::FLOAT if single.is_normal() => {
                    Some(format!("0x{:016X}", f64::from(single).to_bits()))
                }
                TypeId::HALF if half.is_normal() => Some(format!("0xH{:04X}", half.to_bits())),
                TypeId::BFLOAT if bfloat.is_normal() => Some(format!("0xR{:04X}", bfloat.to_bits())),
                _ => None,
            }
        }
        _ => None,
    }
}

/// How the bits of a smaller type, written as those of a `double`, are written: no number of that type is so small.
fn bits_of(bits: u64, ty: TypeId) -> Option<String> {
    let (half, single) = (u16::try_from(bits).ok(), u32::try_from(bits).ok());
    match ty {
        _ if bits == 0 => None,
        TypeId::FLOAT => {
            let wide = f64::from(f32::from_bits(single?)).to_bits();
            Some(format!("0x{wide:016X}"))
        }
        TypeId::HALF => Some(format!("0xH{:04X}", half?)),
        TypeId::BFLOAT => Some(format!("0xR{:04X}", half?)),
        _ => None,
    }
}

/// Target types mostly have no zero.
fn no_zero(cx: &TablesContext<'_, '_>, constant: Const, ty: TypeId) -> bool {
    let Type::Target(index) = cx.types.get(ty) else { return false };
    constant == Const::ZeroInitializer
        && cx.types.target(index).is_some_and(|t| !target_types::properties(&t.name).has_zero)
}

/// `f0x3F800000`, `+inf` and NaNs, which LLVM 23 reads for any type of their size.
fn newer_float(cx: &TablesContext<'_, '_>, literal: HexFloat, ty: TypeId) -> Option<String> {
    let name = cx.display_ty(ty);
    if !cx.types.is_float(ty) {
        return Some(format!("expected a constant of type `{name}`, found a floating-point number"));
    }
    let bits = cx.types.float_bits(ty)?;
    match literal.letter {
        b'f' if u32::from(literal.digits) * 4 != bits => {
            Some(format!("`{name}` has {} hexadecimal digits, found {}", bits / 4, literal.digits))
        }
        b's' if ty == TypeId::PPC_FP128 => Some(format!("type `{name}` does not have a signaling NaN")),
        _ => None,
    }
}

/// `is_rounded`: LLVM 23 rounds a decimal number to the nearest of its type, and rejects what is too large for it.
fn float(cx: &TablesContext<'_, '_>, bits: u64, ty: TypeId, is_rounded: bool) -> Option<String> {
    let value = Double::from_bits(u128::from(bits));
    let mut lost = false;
    if is_rounded && cx.types.is_float(ty) {
        // The first number that is rounded to infinity, and the last that is rounded to zero, as a power of two.
        let (limit, least, name) = match ty {
            TypeId::HALF => (65520.0, -25, "half"),
            TypeId::BFLOAT => (f64::from_bits(0x47EF_F000_0000_0000), -134, "bfloat"),
            TypeId::FLOAT => (f64::from_bits(0x47EF_FFFF_F000_0000), -150, "float"),
            TypeId::DOUBLE => (f64::INFINITY, i32::MIN, "double"),
            _ => return None,
        };
        let size = f64::from_bits(bits).abs();
        return if size >= limit {
            Some(format!("the number is too large for `{name}`"))
        } else if size != 0.0 && size <= 2f64.powi(least) {
            Some(format!("the number is too small for `{name}`"))
        } else {
            None
        };
    }
    let name = match ty {
        TypeId::DOUBLE => return None,
        TypeId::FLOAT => {
            let _: Single = value.convert(&mut lost).value;
            "float"
        }
        TypeId::HALF => {
            let _: Half = value.convert(&mut lost).value;
            "half"
        }
        TypeId::BFLOAT => {
            let _: BFloat = value.convert(&mut lost).value;
            "bfloat"
        }
        _ => {
            let name = cx.display_ty(ty);
            return Some(match cx.types.is_float(ty) {
                true => format!("a constant of type `{name}` must be written as its bits in hexadecimal"),
                false => format!("expected a constant of type `{name}`, found a floating-point number"),
            });
        }
    };
    lost.then(|| {
        if let Some(meant) = bits_of(bits, ty) {
            return format!("`0x` with 16 digits has the bits of a `double`; the bits {bits:#X} of a `{name}` are `{meant}`").replace("0X", "0x");
        }
        let number = f64::from_bits(bits);
        format!("`{name}` cannot represent {number:?} exactly; write a number that it can represent, in hexadecimal")
    })
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
                if !(cx.types.is_int(first) || cx.types.is_float(first) || cx.types.is_ptr(first)) {
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
            } else if cast_is_valid(cx.types, op, at(0), to) {
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
mod tests {
    use expect_test::expect;

    use crate::rules::marks;
    use wavelens_base::{Dialect, Options, Severity};
    use wavelens_check::check_text;

    #[test]
    fn addresses_have_the_width_of_the_data_layout() {
        marks(expect![[r#"
            target datalayout = "p:64:64:64:32"
            @g = global i32 0
            @a = global i32 ptrtoaddr (ptr @g to i32)
            @b = global i64 ptrtoaddr (ptr @g to i64)
            ;               ^^^^^^^^^^^^^^^^^^^^^^^^^ error[invalid-constant]: the result of `ptrtoaddr` must be `i32`, the width of addresses in the data layout
        "#]]);
    }

    #[test]
    fn the_nearest_number_of_a_small_type_and_the_cast_that_fits() {
        let found = |text: &str| {
            let options = Options { llvm_level: Some(22), ..Options::default() };
            let found = check_text(Dialect::Llvm, text, &options);
            found.iter().filter_map(|f| Some(format!("{}\n", f.fix.as_ref()?.title))).collect::<String>()
        };
        expect![[r#"
            Replace with `0xH2E66`
            Replace with `0xR3F8D`
            Replace with `0x3FB99999A0000000`
            Replace `bitcast` with `addrspacecast`
            Replace `inttoptr` with `ptrtoint`
        "#]]
        .assert_eq(&found(
            "@a = global half 0.1\n@b = global bfloat 1.1\n@c = global float 0.1\n@t = addrspace(4) constant i8 1\n\
             @d = constant ptr bitcast (ptr addrspace(4) @t to ptr)\n@e = constant i64 inttoptr (ptr @d to i64)\n\
             @f = constant i64 bitcast (i64 1 to i64)\n",
        ));
    }

    #[test]
    fn masks_of_shuffles_name_elements() {
        let of = |mask: &str| {
            wavelens_check::testing::findings(
                wavelens_base::Dialect::Llvm,
                &format!(
                    "@g = global <2 x i32> shufflevector (<4 x i32> zeroinitializer, <4 x i32> zeroinitializer, <2 x i32> {mask})\n"
                ),
            )
        };
        for fits in ["<i32 0, i32 7>", "<i32 poison, i32 undef>", "zeroinitializer", "splat (i32 7)"] {
            assert_eq!(of(fits), "", "{fits}");
        }
        for other in ["<i32 0, i32 8>", "<i32 0, i32 -1>", "splat (i32 8)"] {
            assert!(of(other).contains("a mask element must be between 0 and 7, is "), "{other}");
        }
    }

    #[test]
    fn addresses_have_the_address_space_of_their_global() {
        let of = |space: &str, constant: &str| {
            wavelens_check::testing::findings(
                wavelens_base::Dialect::Llvm,
                &format!("declare void @f() addrspace(3)\n@a = global ptr{space} {constant} @f\n"),
            )
        };
        for constant in ["dso_local_equivalent", "no_cfi"] {
            assert_eq!(of(" addrspace(3)", constant), "");
            assert!(
                of("", constant).contains("expected `ptr`, found the address of `@f`, `ptr addrspace(3)`"),
                "{}",
                of("", constant)
            );
        }
    }

    #[test]
    fn constants_suit_their_type() {
        marks(expect![[r#"
            @a = global ptr 0
            ;               ^ error[invalid-constant]: expected a constant of type `ptr`, found an integer
            ;               = guess: @a = global ptr null
            @b = global i32 null
            ;               ^^^^ error[invalid-constant]: expected a constant of type `i32`, found `null`, a pointer
            ;                  = guess: @b = global i32 0
            @c = global double 1
            ;                  ^ error[invalid-constant]: expected a constant of type `double`, found an integer
            ;                  = guess: @c = global double 1.0
            @d = global float 0.1
            @e = global i32 true
            ;               ^^^^ error[invalid-constant]: expected a constant of type `i32`, found an `i1`
            ;                  = guess: @e = global i32 1
            @f = global [2 x i32] 0
            ;                     ^ error[invalid-constant]: expected a constant of type `[2 x i32]`, found an integer
            ;                     = guess: @f = global [2 x i32] zeroinitializer
            @g = global { i32, i8 } { i32 1, i16 2 }
            ;                       ^^^^^^^^^^^^^^^^ error[invalid-constant]: expected `i8` for the field at index 1, found `i16`
            @h = global [3 x i8] c"hi"
            ;                    ^^^^^ error[invalid-constant]: expected `[3 x i8]`, found a string of type `[2 x i8]`
            @i = global i32 2.0
            ;               ^^^ error[invalid-constant]: expected a constant of type `i32`, found a floating-point number
            ;                 = guess: @i = global i32 2
        "#]]);
    }

    /// As LLVM 24 judges them.
    #[test]
    fn literals_of_newer_versions() {
        let types = ["half", "bfloat", "float", "double", "fp128", "x86_fp80", "ppc_fp128", "i32"];
        let accepted = |literal: &str, llvm_level| {
            let options = Options { llvm_level, ..Options::default() };
            let is_read = |ty: &&&str| {
                let text = format!("@g = global {ty} {literal}\n");
                check_text(Dialect::Llvm, &text, &options)
                    .iter()
                    .all(|found| found.severity != Severity::Error)
            };
            types.iter().filter(is_read).copied().collect::<Vec<_>>().join(" ")
        };
        let all = "half bfloat float double fp128 x86_fp80 ppc_fp128";
        for (literal, expected) in [
            ("f0x3F800001", "float"),
            ("f0x3C00", "half bfloat"),
            ("f0x003F800001", ""),
            ("+inf", all),
            ("-qnan", all),
            ("+nan(0x3F)", all),
            ("-snan(0x2)", "half bfloat float double fp128 x86_fp80"),
            ("+nan(63)", ""),
            ("inf", ""),
            ("0.1", all),
            ("0x1.8p3", all),
            ("65520.0", "bfloat float double fp128 x86_fp80 ppc_fp128"),
            ("1.0e-40", "bfloat float double fp128 x86_fp80 ppc_fp128"),
            ("7.0e-46", "double fp128 x86_fp80 ppc_fp128"),
            ("0x3F800000", "double"),
        ] {
            assert_eq!(accepted(literal, None), expected, "{literal}");
        }
        assert_eq!(accepted("0.1", Some(22)), "double");
        assert_eq!(accepted("+inf", Some(22)), "");
    }

    #[test]
    fn a_number_with_too_many_digits_is_a_warning() {
        let text = format!("@g = global i8388608 {}\n", "9".repeat(100_001));
        let found = wavelens_check::check_text(
            wavelens_base::Dialect::Llvm,
            &text,
            &wavelens_base::Options::default(),
        );
        let found: Vec<_> = found.iter().map(|f| (f.severity, f.message.as_str())).collect();
        let message = "the number has more than 100000 digits and is not checked";
        assert_eq!(found, [(wavelens_base::Severity::Warning, message)]);
    }
}
