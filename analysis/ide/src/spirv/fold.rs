//! Values of constants, with specialization constants at their defaults.

use wavelens_spirv::code::{Id, Inst};
use wavelens_spirv::context::RuleContext;
use wavelens_spirv::literal::{self, NumberType};
use wavelens_spirv::type_names::describe;
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
        Value::Null if m.op(ty) == Op::TypeBool => "false".to_owned(),
        Value::Null if matches!(m.op(ty), Op::TypeInt | Op::TypeFloat) => "0".to_owned(),
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

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use wavelens_base::Dialect;

    use crate::features;
    use crate::features::tests::at_cursor;

    /// The values of constants, one a line without `%x = `, as a hover shows them.
    fn values(constants: &str) -> String {
        let value = |constant: &str| {
            let text = format!(
                "; target-env: spv1.6\nOpCapability Shader\nOpCapability Int64\nOpCapability Int16\nOpCapability Int8\n\
                OpCapability Float64\nOpMemoryModel Logical GLSL450\n%bool = OpTypeBool\n%int = OpTypeInt 32 1\n\
                %uint = OpTypeInt 32 0\n%long = OpTypeInt 64 1\n%ulong = OpTypeInt 64 0\n%short = OpTypeInt 16 1\n%byte = OpTypeInt 8 0\n\
                %float = OpTypeFloat 32\n%double = OpTypeFloat 64\n%int2 = OpTypeVector %int 2\n\
                %uint2 = OpTypeVector %uint 2\n%bool2 = OpTypeVector %bool 2\n%pair = OpTypeStruct %int2 %float\n\
                %t = OpConstantTrue %bool\n%f = OpConstantFalse %bool\n%st = OpSpecConstantTrue %bool\n%sf = OpSpecConstantFalse %bool\n\
                %nb = OpConstantNull %bool\n%i7 = OpConstant %int 7\n%i3 = OpConstant %int 3\n%m7 = OpConstant %int -7\n\
                %m3 = OpConstant %int -3\n%i0 = OpConstant %int 0\n%u7 = OpConstant %uint 7\n%u3 = OpConstant %uint 3\n\
                %u31 = OpConstant %uint 31\n%u32 = OpConstant %uint 32\n%big = OpConstant %uint 4294967295\n%s5 = OpConstant %short -5\n\
                %l5 = OpConstant %long -5\n%huge = OpConstant %ulong 18446744073709551615\n%h = OpConstant %float 0.5\n\
                %d = OpConstant %double 0.25\n%n = OpConstantNull %int\n%v = OpConstantComposite %int2 %i7 %m3\n\
                %w = OpConstantComposite %int2 %m7 %i3\n%nv = OpConstantNull %int2\n%p = OpConstantComposite %pair %v %h\n\
                %np = OpConstantNull %pair\n%tf = OpConstantComposite %bool2 %t %f\n%$0x = {constant}\n"
            );
            let hover = at_cursor(Dialect::Spirv, &text, features::hover).map(|hover| hover.markdown);
            let found =
                hover.and_then(|text| Some(text.split_once("Value: `")?.1.split_once('`')?.0.to_owned()));
            format!("{constant}: {}\n", found.unwrap_or_else(|| "unknown".to_owned()))
        };
        constants.lines().map(value).collect()
    }

    #[test]
    fn integers() {
        let operations: String = [
            "IAdd %int %i7 %m3",
            "IAdd %uint %big %u3",
            "ISub %int %i3 %i7",
            "ISub %uint %u3 %u7",
            "IMul %int %m7 %i3",
            "IMul %uint %big %big",
            "UDiv %uint %u7 %u3",
            "UDiv %uint %big %u3",
            "UDiv %uint %u7 %n",
            "UMod %uint %u7 %u3",
            "UMod %uint %big %u7",
            "SDiv %int %m7 %i3",
            "SDiv %int %i7 %m3",
            "SDiv %int %i7 %i0",
            "SRem %int %m7 %i3",
            "SRem %int %i7 %m3",
            "SMod %int %m7 %i3",
            "SMod %int %i7 %m3",
            "SMod %int %i7 %i3",
            "SMod %int %m7 %m7",
            "SNegate %int %i7",
            "SNegate %uint %u7",
            "Not %uint %u7",
            "Not %int %i7",
            "BitwiseAnd %uint %u7 %u3",
            "BitwiseOr %uint %u7 %u32",
            "BitwiseXor %uint %u7 %u3",
            "ShiftLeftLogical %uint %u7 %u3",
            "ShiftLeftLogical %uint %u7 %u31",
            "ShiftLeftLogical %uint %u7 %u32",
            "ShiftRightLogical %uint %big %u31",
            "ShiftRightLogical %int %m7 %u31",
            "ShiftRightLogical %uint %u7 %u32",
            "ShiftRightArithmetic %int %m7 %u3",
            "ShiftRightArithmetic %uint %big %u3",
            "UConvert %ulong %big",
            "UConvert %byte %big",
            "UConvert %ulong %u7",
            "SConvert %long %m7",
            "SConvert %short %i7",
            "SConvert %int %s5",
            "SConvert %int %l5",
            "UConvert %uint %huge",
            "IAdd %int %n %i7",
            "IAdd %int2 %v %w",
            "IMul %int2 %v %nv",
            "SNegate %int2 %nv",
            "IAdd %int %t %i7",
            "FAdd %float %h %h",
            "BitFieldUExtract %uint %u7 %u3 %u3",
        ]
        .map(|op| {
            let (op, rest) = op.split_once(' ').unwrap_or_default();
            let (ty, rest) = rest.split_once(' ').unwrap_or_default();
            format!("OpSpecConstantOp {ty} {op} {rest}\n")
        })
        .concat();
        expect![[r#"
            OpSpecConstantOp %int IAdd %i7 %m3: 4
            OpSpecConstantOp %uint IAdd %big %u3: 2
            OpSpecConstantOp %int ISub %i3 %i7: -4
            OpSpecConstantOp %uint ISub %u3 %u7: 4294967292
            OpSpecConstantOp %int IMul %m7 %i3: -21
            OpSpecConstantOp %uint IMul %big %big: 1
            OpSpecConstantOp %uint UDiv %u7 %u3: 2
            OpSpecConstantOp %uint UDiv %big %u3: 1431655765
            OpSpecConstantOp %uint UDiv %u7 %n: unknown
            OpSpecConstantOp %uint UMod %u7 %u3: 1
            OpSpecConstantOp %uint UMod %big %u7: 3
            OpSpecConstantOp %int SDiv %m7 %i3: -2
            OpSpecConstantOp %int SDiv %i7 %m3: -2
            OpSpecConstantOp %int SDiv %i7 %i0: unknown
            OpSpecConstantOp %int SRem %m7 %i3: -1
            OpSpecConstantOp %int SRem %i7 %m3: 1
            OpSpecConstantOp %int SMod %m7 %i3: 2
            OpSpecConstantOp %int SMod %i7 %m3: -2
            OpSpecConstantOp %int SMod %i7 %i3: 1
            OpSpecConstantOp %int SMod %m7 %m7: 0
            OpSpecConstantOp %int SNegate %i7: -7
            OpSpecConstantOp %uint SNegate %u7: 4294967289
            OpSpecConstantOp %uint Not %u7: 4294967288
            OpSpecConstantOp %int Not %i7: -8
            OpSpecConstantOp %uint BitwiseAnd %u7 %u3: 3
            OpSpecConstantOp %uint BitwiseOr %u7 %u32: 39
            OpSpecConstantOp %uint BitwiseXor %u7 %u3: 4
            OpSpecConstantOp %uint ShiftLeftLogical %u7 %u3: 56
            OpSpecConstantOp %uint ShiftLeftLogical %u7 %u31: 2147483648
            OpSpecConstantOp %uint ShiftLeftLogical %u7 %u32: unknown
            OpSpecConstantOp %uint ShiftRightLogical %big %u31: 1
            OpSpecConstantOp %int ShiftRightLogical %m7 %u31: 1
            OpSpecConstantOp %uint ShiftRightLogical %u7 %u32: unknown
            OpSpecConstantOp %int ShiftRightArithmetic %m7 %u3: -1
            OpSpecConstantOp %uint ShiftRightArithmetic %big %u3: 4294967295
            OpSpecConstantOp %ulong UConvert %big: 4294967295
            OpSpecConstantOp %byte UConvert %big: 255
            OpSpecConstantOp %ulong UConvert %u7: 7
            OpSpecConstantOp %long SConvert %m7: -7
            OpSpecConstantOp %short SConvert %i7: 7
            OpSpecConstantOp %int SConvert %s5: -5
            OpSpecConstantOp %int SConvert %l5: -5
            OpSpecConstantOp %uint UConvert %huge: 4294967295
            OpSpecConstantOp %int IAdd %n %i7: 7
            OpSpecConstantOp %int2 IAdd %v %w: ivec2(0, 0)
            OpSpecConstantOp %int2 IMul %v %nv: ivec2(0, 0)
            OpSpecConstantOp %int2 SNegate %nv: ivec2(0, 0)
            OpSpecConstantOp %int IAdd %t %i7: unknown
            OpSpecConstantOp %float FAdd %h %h: unknown
            OpSpecConstantOp %uint BitFieldUExtract %u7 %u3 %u3: unknown
        "#]]
        .assert_eq(&values(&operations));
    }

    #[test]
    fn comparisons_and_logic() {
        let operations: String = [
            "IEqual %u7 %u7",
            "IEqual %u7 %u3",
            "INotEqual %u7 %u7",
            "INotEqual %u7 %u3",
            "ULessThan %u3 %u7",
            "ULessThan %u7 %u7",
            "ULessThan %i7 %m7",
            "ULessThanEqual %u7 %u7",
            "ULessThanEqual %u7 %u3",
            "UGreaterThan %u7 %u3",
            "UGreaterThan %u7 %u7",
            "UGreaterThan %m7 %i7",
            "UGreaterThanEqual %u7 %u7",
            "UGreaterThanEqual %u3 %u7",
            "SLessThan %m7 %i7",
            "SLessThan %i7 %i7",
            "SLessThanEqual %i7 %i7",
            "SLessThanEqual %i7 %m7",
            "SGreaterThan %i7 %m7",
            "SGreaterThan %i7 %i7",
            "SGreaterThanEqual %i7 %i7",
            "SGreaterThanEqual %m7 %i7",
            "LogicalAnd %t %st",
            "LogicalAnd %t %f",
            "LogicalOr %f %t",
            "LogicalOr %f %sf",
            "LogicalEqual %t %t",
            "LogicalEqual %t %nb",
            "LogicalNotEqual %t %f",
            "LogicalNotEqual %f %nb",
            "LogicalNot %t",
            "LogicalNot %nb",
            "LogicalAnd %t %i7",
        ]
        .map(|op| {
            let (op, rest) = op.split_once(' ').unwrap_or_default();
            format!("OpSpecConstantOp %bool {op} {rest}\n")
        })
        .concat();
        expect![[r#"
            OpSpecConstantOp %bool IEqual %u7 %u7: true
            OpSpecConstantOp %bool IEqual %u7 %u3: false
            OpSpecConstantOp %bool INotEqual %u7 %u7: false
            OpSpecConstantOp %bool INotEqual %u7 %u3: true
            OpSpecConstantOp %bool ULessThan %u3 %u7: true
            OpSpecConstantOp %bool ULessThan %u7 %u7: false
            OpSpecConstantOp %bool ULessThan %i7 %m7: true
            OpSpecConstantOp %bool ULessThanEqual %u7 %u7: true
            OpSpecConstantOp %bool ULessThanEqual %u7 %u3: false
            OpSpecConstantOp %bool UGreaterThan %u7 %u3: true
            OpSpecConstantOp %bool UGreaterThan %u7 %u7: false
            OpSpecConstantOp %bool UGreaterThan %m7 %i7: true
            OpSpecConstantOp %bool UGreaterThanEqual %u7 %u7: true
            OpSpecConstantOp %bool UGreaterThanEqual %u3 %u7: false
            OpSpecConstantOp %bool SLessThan %m7 %i7: true
            OpSpecConstantOp %bool SLessThan %i7 %i7: false
            OpSpecConstantOp %bool SLessThanEqual %i7 %i7: true
            OpSpecConstantOp %bool SLessThanEqual %i7 %m7: false
            OpSpecConstantOp %bool SGreaterThan %i7 %m7: true
            OpSpecConstantOp %bool SGreaterThan %i7 %i7: false
            OpSpecConstantOp %bool SGreaterThanEqual %i7 %i7: true
            OpSpecConstantOp %bool SGreaterThanEqual %m7 %i7: false
            OpSpecConstantOp %bool LogicalAnd %t %st: true
            OpSpecConstantOp %bool LogicalAnd %t %f: false
            OpSpecConstantOp %bool LogicalOr %f %t: true
            OpSpecConstantOp %bool LogicalOr %f %sf: false
            OpSpecConstantOp %bool LogicalEqual %t %t: true
            OpSpecConstantOp %bool LogicalEqual %t %nb: false
            OpSpecConstantOp %bool LogicalNotEqual %t %f: true
            OpSpecConstantOp %bool LogicalNotEqual %f %nb: false
            OpSpecConstantOp %bool LogicalNot %t: false
            OpSpecConstantOp %bool LogicalNot %nb: true
            OpSpecConstantOp %bool LogicalAnd %t %i7: unknown
        "#]]
        .assert_eq(&values(&operations));
    }

    #[test]
    fn composites_and_selections() {
        expect![[r#"
            OpSpecConstantOp %int CompositeExtract %v 1: -3
            OpSpecConstantOp %int CompositeExtract %p 0 0: 7
            OpSpecConstantOp %float CompositeExtract %p 1: 0.5
            OpSpecConstantOp %int2 CompositeExtract %p 0: ivec2(7, -3)
            OpSpecConstantOp %int CompositeExtract %np 0 1: 0
            OpSpecConstantOp %int CompositeExtract %v 2: unknown
            OpSpecConstantOp %int CompositeExtract %i7 0: unknown
            OpSpecConstantOp %int Select %t %i7 %i3: 7
            OpSpecConstantOp %int Select %f %i7 %i3: 3
            OpSpecConstantOp %int Select %nb %i7 %i3: 3
            OpSpecConstantOp %int Select %i7 %i7 %i3: unknown
            OpConstantComposite %pair %v %h: struct %pair(ivec2(7, -3), 0.5)
            OpConstantNull %pair: struct %pair(0)
            OpConstantNull %bool: false
            OpConstantNull %float: 0
            OpConstant %double 0.1: 0.1
            OpConstant %float 0.1: 0.1
            OpConstant %long -5: -5
            OpConstant %ulong 18446744073709551615: 18446744073709551615
            OpConstant %byte 255: 255
            OpSpecConstantTrue %bool: true
            OpUndef %int: unknown
        "#]]
        .assert_eq(&values(
            "OpSpecConstantOp %int CompositeExtract %v 1
OpSpecConstantOp %int CompositeExtract %p 0 0
OpSpecConstantOp %float CompositeExtract %p 1
OpSpecConstantOp %int2 CompositeExtract %p 0
OpSpecConstantOp %int CompositeExtract %np 0 1
OpSpecConstantOp %int CompositeExtract %v 2
OpSpecConstantOp %int CompositeExtract %i7 0
OpSpecConstantOp %int Select %t %i7 %i3
OpSpecConstantOp %int Select %f %i7 %i3
OpSpecConstantOp %int Select %nb %i7 %i3
OpSpecConstantOp %int Select %i7 %i7 %i3
OpConstantComposite %pair %v %h
OpConstantNull %pair
OpConstantNull %bool
OpConstantNull %float
OpConstant %double 0.1
OpConstant %float 0.1
OpConstant %long -5
OpConstant %ulong 18446744073709551615
OpConstant %byte 255
OpSpecConstantTrue %bool
OpUndef %int",
        ));
    }

    /// The value of the constant after some others, as a hover shows it.
    fn after(before: &str, constant: &str) -> String {
        let text = format!(
            "; target-env: spv1.6\nOpCapability Shader\nOpCapability Float16\nOpMemoryModel Logical GLSL450\n%bool = OpTypeBool\n\
             %int = OpTypeInt 32 1\n%half = OpTypeFloat 16\n%float = OpTypeFloat 32\n{before}%$0x = {constant}\n"
        );
        let hover = at_cursor(Dialect::Spirv, &text, features::hover).map(|hover| hover.markdown);
        let found = hover.and_then(|text| Some(text.split_once("Value: `")?.1.split_once('`')?.0.to_owned()));
        found.unwrap_or_else(|| "unknown".to_owned())
    }

    #[test]
    fn constants_of_constants_end() {
        let chain = |length: u32| {
            let next = |n: u32| format!("%c{} = OpSpecConstantOp %int IAdd %c{n} %c0\n", n + 1);
            let links: String = (0..length).map(next).collect();
            after(
                &format!("%c0 = OpConstant %int 1\n{links}"),
                &format!("OpSpecConstantOp %int IAdd %c{length} %c0"),
            )
        };
        let deepest = (0..).find(|length| chain(*length) == "unknown").unwrap_or(0);
        assert_eq!((chain(deepest - 1), deepest), ((deepest + 1).to_string(), super::DEPTH - 1));
    }

    #[test]
    fn many_parts_are_shortened() {
        let composite = |count: usize| {
            let parts = " %c".repeat(count);
            let before = format!(
                "%c = OpConstant %int 7\n%n = OpConstant %int {count}\n%array = OpTypeArray %int %n\n"
            );
            after(&before, &format!("OpConstantComposite %array{parts}"))
        };
        let shown = vec!["7"; super::SHOWN].join(", ");
        assert!(composite(super::SHOWN).ends_with(&format!("({shown})")), "{}", composite(super::SHOWN));
        assert!(composite(super::SHOWN + 1).ends_with(&format!("({shown}, ...)")));
    }

    #[test]
    fn floats_of_each_width() {
        assert_eq!(after("", "OpConstant %half 0x1.8p+0"), "1.5");
        assert_eq!(after("", "OpConstant %float 0.1"), "0.1");
        assert_eq!(
            after(
                "%n = OpConstantNull %bool\n%a = OpConstant %int 1\n%b = OpConstant %int 2\n",
                "OpSpecConstantOp %int Select %n %a %b"
            ),
            "2"
        );
    }
}
