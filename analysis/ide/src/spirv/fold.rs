//! Values of constants, with specialization constants at their defaults.

use wavelens_semantics::spirv::code::{Id, Inst};
use wavelens_semantics::spirv::context::RuleContext;
use wavelens_semantics::spirv::literal::{self, NumberType};
use wavelens_semantics::spirv::type_names::describe;
use wavelens_syntax::spirv::tables::Op;

/// Constants nested deeper are not looked into.
const DEPTH: u32 = 32;
/// Constituents of a composite that are written out.
const SHOWN: usize = 16;

/// A value, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Bool(bool),
    /// Bits, sign- or zero-extended as the type says.
    Int(u64),
    Float(f64),
    /// A float whose type is not supported; its literal.
    Literal(String),
    Composite(Vec<Value>),
    Null,
}

/// A constant that is made of more others is not shown.
const PARTS: u32 = 10_000;

/// The value of a constant as text: `0.5`, `vec4(0, 0, 0, 1)`; of a specialization constant, the default.
pub(super) fn constant_value(m: &RuleContext<'_>, id: Id) -> Option<String> {
    let value = value(m, id, 0, &mut { PARTS })?;
    Some(text(m, m.type_of(id), &value))
}

/// `left` is how many more constants are looked into: composites can use the same part many times.
fn value(m: &RuleContext<'_>, id: Id, depth: u32, left: &mut u32) -> Option<Value> {
    let def = m.def(id).filter(|_| depth < DEPTH)?;
    *left = left.checked_sub(1)?;
    match def.op() {
        Op::ConstantTrue | Op::SpecConstantTrue => Some(Value::Bool(true)),
        Op::ConstantFalse | Op::SpecConstantFalse => Some(Value::Bool(false)),
        Op::Constant | Op::SpecConstant => number(m, def),
        Op::ConstantNull => Some(Value::Null),
        Op::ConstantComposite | Op::SpecConstantComposite => {
            let parts = def.words().get(3..)?.iter().map(|id| value(m, *id, depth + 1, left));
            parts.collect::<Option<_>>().map(Value::Composite)
        }
        Op::SpecConstantOp => operation(m, def, depth, left),
        _ => None,
    }
}

fn number(m: &RuleContext<'_>, def: Inst<'_>) -> Option<Value> {
    let number = m.scope.number_type(m.global(def.ty()))?;
    let words = def.operand_words(2);
    let bits = u64::from(*words.first()?) | u64::from(words.get(1).copied().unwrap_or(0)) << 32;
    Some(match number {
        NumberType::Int { width, signed } => Value::Int(fit(bits, width, signed)),
        NumberType::Float { width: 32, encoding: None } => {
            Value::Float(f64::from(f32::from_bits(bits as u32)))
        }
        NumberType::Float { width: 64, encoding: None } => Value::Float(f64::from_bits(bits)),
        _ => Value::Literal(literal::decode(words, number)?),
    })
}

/// Wraps to a width in bits, and extends again.
fn fit(bits: u64, width: u32, signed: bool) -> u64 {
    let unused = 64u32.saturating_sub(width).min(63);
    match signed {
        true => ((bits << unused) as i64 >> unused) as u64,
        false => bits << unused >> unused,
    }
}

fn operation(m: &RuleContext<'_>, def: Inst<'_>, depth: u32, left: &mut u32) -> Option<Value> {
    let op = Op(def.operand(2) as u16);
    let ids = || (3..def.count()).map(|i| def.operand(i));
    let mut part = |index: usize| value(m, def.operand(3 + index), depth + 1, left);
    let ty = m.def(def.ty())?;
    match op {
        Op::CompositeExtract => {
            let mut found = part(0)?;
            for index in 4..def.count() {
                found = match found {
                    Value::Composite(parts) => parts.into_iter().nth(def.operand(index) as usize)?,
                    Value::Null => Value::Null,
                    _ => return None,
                };
            }
            return Some(found);
        }
        Op::Select => {
            return match part(0)? {
                Value::Bool(true) => part(1),
                Value::Bool(false) | Value::Null => part(2),
                _ => None,
            };
        }
        _ => {}
    }
    let operands: Option<Vec<Value>> = ids().map(|id| value(m, id, depth + 1, left)).collect();
    let operands = operands?;
    let operand_type = m.type_of(ids().next()?);
    let scalar = |operands: &[Value], result: Id| -> Option<Value> {
        let width = m.width(operand_type);
        let result_width = m.width(result);
        let value = calculate(op, operands, width)?;
        Some(match value {
            Value::Int(bits) => Value::Int(fit(bits, result_width, m.is_signed(m.component(result)))),
            other => other,
        })
    };
    if ty.op() != Op::TypeVector {
        return scalar(&operands, def.ty());
    }
    let parts = (0..ty.word(3) as usize).map(|n| {
        let own: Option<Vec<Value>> = operands
            .iter()
            .map(|o| match o {
                Value::Composite(parts) => parts.get(n).cloned(),
                Value::Null => Some(Value::Null),
                _ => None,
            })
            .collect();
        scalar(&own?, def.ty())
    });
    parts.collect::<Option<_>>().map(Value::Composite)
}

/// One component. `width` is that of the operands, in bits.
fn calculate(op: Op, operands: &[Value], width: u32) -> Option<Value> {
    let int = |index: usize| match operands.get(index)? {
        Value::Int(bits) => Some(*bits),
        Value::Null => Some(0),
        _ => None,
    };
    let boolean = |index: usize| match operands.get(index)? {
        Value::Bool(b) => Some(*b),
        Value::Null => Some(false),
        _ => None,
    };
    let a = || int(0);
    let signed = |index: usize| int(index).map(|bits| fit(bits, width, true) as i64);
    let unsigned = |index: usize| int(index).map(|bits| fit(bits, width, false));
    let shift = || int(1).filter(|n| *n < u64::from(width)).map(|n| n as u32);
    Some(match op {
        Op::IAdd => Value::Int(a()?.wrapping_add(int(1)?)),
        Op::ISub => Value::Int(a()?.wrapping_sub(int(1)?)),
        Op::IMul => Value::Int(a()?.wrapping_mul(int(1)?)),
        Op::UDiv => Value::Int(unsigned(0)?.checked_div(unsigned(1)?)?),
        Op::UMod => Value::Int(unsigned(0)?.checked_rem(unsigned(1)?)?),
        Op::SDiv => Value::Int(signed(0)?.checked_div(signed(1)?)? as u64),
        Op::SRem => Value::Int(signed(0)?.checked_rem(signed(1)?)? as u64),
        Op::SMod => {
            let (x, y) = (signed(0)?, signed(1)?);
            let rest = x.checked_rem(y)?;
            let is_off = rest != 0 && (rest < 0) != (y < 0);
            Value::Int(if is_off { rest.wrapping_add(y) } else { rest } as u64)
        }
        Op::SNegate => Value::Int(a()?.wrapping_neg()),
        Op::Not => Value::Int(!a()?),
        Op::BitwiseAnd => Value::Int(a()? & int(1)?),
        Op::BitwiseOr => Value::Int(a()? | int(1)?),
        Op::BitwiseXor => Value::Int(a()? ^ int(1)?),
        Op::ShiftLeftLogical => Value::Int(a()? << shift()?),
        Op::ShiftRightLogical => Value::Int(unsigned(0)? >> shift()?),
        Op::ShiftRightArithmetic => Value::Int((signed(0)? >> shift()?) as u64),
        Op::UConvert => Value::Int(unsigned(0)?),
        Op::SConvert => Value::Int(signed(0)? as u64),
        Op::IEqual => Value::Bool(unsigned(0)? == unsigned(1)?),
        Op::INotEqual => Value::Bool(unsigned(0)? != unsigned(1)?),
        Op::ULessThan => Value::Bool(unsigned(0)? < unsigned(1)?),
        Op::ULessThanEqual => Value::Bool(unsigned(0)? <= unsigned(1)?),
        Op::UGreaterThan => Value::Bool(unsigned(0)? > unsigned(1)?),
        Op::UGreaterThanEqual => Value::Bool(unsigned(0)? >= unsigned(1)?),
        Op::SLessThan => Value::Bool(signed(0)? < signed(1)?),
        Op::SLessThanEqual => Value::Bool(signed(0)? <= signed(1)?),
        Op::SGreaterThan => Value::Bool(signed(0)? > signed(1)?),
        Op::SGreaterThanEqual => Value::Bool(signed(0)? >= signed(1)?),
        Op::LogicalAnd => Value::Bool(boolean(0)? && boolean(1)?),
        Op::LogicalOr => Value::Bool(boolean(0)? || boolean(1)?),
        Op::LogicalEqual => Value::Bool(boolean(0)? == boolean(1)?),
        Op::LogicalNotEqual => Value::Bool(boolean(0)? != boolean(1)?),
        Op::LogicalNot => Value::Bool(!boolean(0)?),
        _ => return None,
    })
}

fn text(m: &RuleContext<'_>, ty: Id, value: &Value) -> String {
    match value {
        Value::Bool(b) => b.to_string(),
        Value::Int(bits) if m.is_signed(ty) => (*bits as i64).to_string(),
        Value::Int(bits) => bits.to_string(),
        Value::Float(value) if m.width(ty) == 32 => (*value as f32).to_string(),
        Value::Float(value) => value.to_string(),
        Value::Literal(text) => text.clone(),
        Value::Null => format!("{}(0)", describe(m, ty)),
        Value::Composite(parts) => {
            let part_type = |index: usize| match m.members(ty).get(index) {
                Some(member) => *member,
                None => m.element(ty),
            };
            let shown = parts.iter().enumerate().take(SHOWN);
            let mut list: Vec<String> = shown.map(|(i, part)| text(m, part_type(i), part)).collect();
            if parts.len() > SHOWN {
                list.push("...".to_owned());
            }
            format!("{}({})", describe(m, ty), list.join(", "))
        }
    }
}
